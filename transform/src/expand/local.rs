//! Rows that live in one iteration: an array of the program that each iteration of a loop fills before it reads it, and that nobody reads behind
//! the nest, becomes a temporary array of our own.
//!
//! ```text
//! double r[M];                                              parallel i, private r': {
//! for i { for j: r[j] = f(a[i][j]);                           for j: r'[j] = f(a[i][j]);
//!         for j: b[i][j] = r[j - 1] + r[j + 1]; }     ->      for j: b[i][j] = r'[j - 1] + r'[j + 1]; }
//! ```
//!
//! All iterations write to the same memory, which keeps them in order although no value passes from one to the next. Of a temporary array each
//! thread may have a copy (array privatization, Tu and Padua 1993; [`crate::legality`] has the conditions), and what is stored in it is no work of the
//! program's. Here nothing is copied: subscripts stay what they are.
//!
//! An array is taken if
//!
//! * it has one dimension, is dead behind the nest ([`polytile_analysis::scop::Array::dead`]), known to be apart from all others, and nothing reads memory that no
//!   access names;
//! * all writes are certain, all accesses are of its element type, and each has fewer subscripts than loops around it;
//! * by its positions or by value-based flow, no value comes from outside or crosses an iteration of the outermost loop, which all of its users share;
//! * subscripts are affine, not negative, and bounded by sizes in closed form: for all parameters, or for those that assumptions leave.

use super::filled::private;
use super::{last_subscript, maximum, plus_one, shared_depth, subscripts, temporary, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Result, Set};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Place, Scop, Stmt};

/// `scop` with such arrays as temporary ones.
///
/// # Errors
/// Those of the set library.
pub fn local_arrays(scop: &Scop) -> Result<Scop> {
    let mut local = scop.clone();
    let looks_up = scop.stmts.iter().any(|s| s.body.gathers());
    if looks_up || scop.inspection.is_some() || scop.intact().is_some() {
        return Ok(local);
    }
    let arrays = (0..scop.arrays.len()).map(ArrayId::from);
    let candidates: Vec<ArrayId> = arrays.filter(|a| may_be_local(scop, *a)).collect();
    // Where subscripts are not seen to be bounded for all values of the parameters, they may be for those that a new version runs with.
    let assumed = scop.known()?;
    for array in private(scop, candidates, &assumed, |_| 1)? {
        for known in [&scop.context, &assumed] {
            if let Some(with) = as_temporary(&local, array, known)? {
                local = with;
                break;
            }
        }
    }
    Ok(local)
}

/// Whether an array is dead, and used again by each iteration of a loop. Those of more dimensions may become windows ([`crate::contract`]).
fn may_be_local(scop: &Scop, array: ArrayId) -> bool {
    let of = scop.array(array);
    let is_row = matches!(of.kind, ArrayKind::Memory { .. }) && of.strides.len() == 1;
    if !of.dead || !is_row || shared_depth(scop, array) == 0 {
        return false;
    }
    let accesses = |s: &Stmt| -> Vec<Access> {
        let own = s.accesses.iter().filter(|a| a.array == array);
        own.cloned().collect()
    };
    let known_apart = (scop.no_overlap.iter()).all(|(a, b)| *a != array && *b != array);
    let plain = |a: &Access| a.ty == of.ty && a.kind != AccessKind::MayWrite;
    known_apart
        && users(scop, array).any(|s| s.writes_to(array))
        && users(scop, array).all(|s| s.depth() > of.strides.len() && accesses(s).iter().all(plain))
}

/// The SCoP with a temporary array in its place; `None` where it has no size or place in closed form for these values of the parameters.
fn as_temporary(scop: &Scop, array: ArrayId, known: &Set) -> Result<Option<Scop>> {
    let of = scop.array(array);
    let mut terms = vec![vec![]; of.strides.len()];
    let mut with = scop.clone();
    for s in &scop.stmts {
        let domain = s.domain.intersect_params(known)?;
        for (n, a) in s.accesses.iter().enumerate() {
            if a.array != array {
                continue;
            }
            let cells = domain.apply(&a.relation)?;
            for (d, terms) in terms.iter_mut().enumerate() {
                if !last_subscript(scop, &cells, d, terms)? {
                    return Ok(None);
                }
            }
            let Some(place) = subscripts(scop, a, &s.iters)? else {
                return Ok(None);
            };
            let access = &mut with.stmts[s.id.index()].accesses[n];
            access.place = Place::Temporary(place);
            access.inst = None;
        }
    }
    let extents = terms.into_iter().map(|t| plus_one(maximum(t))).collect();
    with.arrays[array.index()] = temporary(of.name.clone(), of.ty, extents);
    Ok(Some(with))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::{Ctx, Map};
    use polytile_analysis::scop::{Assumption, AssumptionKind};
    use polytile_analysis::text::parse_scop;

    /// `r[j] = a[i][j]` for `first <= j < m`, then `b[i][j] = r[j]` for `0 <= j < m`.
    fn rows(ctx: &Ctx, first: usize) -> Scop {
        let text = format!(
            "scop \"rows\" function \"rows\"\nparams n m\ncontext {{ : n >= 1 and m >= 2 }}\n\
             array a f64 [n][m]\narray b f64 [n][m]\narray r f64 [m]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and {first} <= j < m }}\n beta 0 0 0\n \
             write {{ S0[i, j] -> r[j] }}\n read {{ S0[i, j] -> a[i, j] }}\n body (read 1)\n\
             stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 0 1 0\n \
             write {{ S1[i, j] -> b[i, j] }}\n read {{ S1[i, j] -> r[j] }}\n body (read 1)\n"
        );
        let mut scop = parse_scop(ctx, &text).expect("a SCoP");
        scop.arrays[2].dead = true;
        scop
    }

    #[test]
    fn rows_that_are_filled_first_are_temporary() {
        let ctx = Ctx::new();
        let scop = rows(&ctx, 0);
        let local = local_arrays(&scop).expect("no error");
        let kinds: Vec<bool> = (local.arrays.iter())
            .map(|a| a.kind == ArrayKind::Temporary)
            .collect();
        assert_eq!(kinds, [false, false, true]);
        assert_eq!(local.arrays[2].extents.len(), 1);
        let read = &local.stmts[1].accesses[1];
        assert!(matches!(&read.place, Place::Temporary(at) if at.len() == 1));
        assert!(
            read.relation
                .is_equal(&scop.stmts[1].accesses[1].relation)
                .expect("comparable")
        );
    }

    #[test]
    fn what_is_assumed_bounds_subscripts() {
        let ctx = Ctx::new();
        let mut scop = rows(&ctx, 0);
        for s in &mut scop.stmts {
            let text = format!("[n, m] -> {{ S{}[i, j] -> r[j + n - 2] }}", s.id.index());
            let row = s.accesses.iter_mut().find(|a| a.array.index() == 2);
            row.expect("an access").relation = Map::parse(&ctx, &text).expect("a relation");
        }
        let temporary = |scop: &Scop| {
            let local = local_arrays(scop).expect("no error");
            local.arrays[2].kind == ArrayKind::Temporary
        };
        assert!(!temporary(&scop), "subscripts begin below zero");
        scop.assumptions.push(Assumption {
            set: Set::parse(&ctx, "[n, m] -> { : n >= 2 }").expect("a set"),
            why: AssumptionKind::InBounds,
        });
        assert!(temporary(&scop));
    }

    #[test]
    fn rows_that_find_old_elements_or_are_seen_later_stay() {
        let ctx = Ctx::new();
        let mut seen = rows(&ctx, 0);
        seen.arrays[2].dead = false;
        for scop in [rows(&ctx, 1), seen] {
            let local = local_arrays(&scop).expect("no error");
            assert!(local.arrays.iter().all(|a| a.kind != ArrayKind::Temporary));
        }
    }
}
