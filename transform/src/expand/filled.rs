//! Arrays that each iteration fills before it reads them, as far as positions in the program tell; and sizes for which it would not, although the
//! array has no content yet.
//!
//! ```text
//! real :: a(size(t, 3))                     a has no content in front of the nest
//! do j; do i
//!   do l = 1, size(k, 3): a(l) = k(i, j, l)
//!   do l = 1, size(t, 3): .. a(l) ..        assumed: size(k, 3) >= size(t, 3)
//! ```
//!
//! A program that reads what nobody has written makes no sense: sizes that come from two places are the same, but nothing says so. Where they
//! are not, the original runs. The flow of values tells more about which iteration a value comes from, and takes ten times as long.

use super::{flow_of, is_private, shared_depth, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Error, Map, Result, Set};
use polytile_analysis::scop::{
    Access, AccessKind, ArrayKind, Assumption, AssumptionKind, Scop, Stmt,
};
use std::collections::BTreeSet;

/// The part of the budget for one array; without an answer nothing is assumed.
const SHARE: u64 = 100;

/// `scop` for sizes for which what has no content is written before it is read.
///
/// # Errors
/// What isl comes to, but for its quota.
pub fn filled_arrays(scop: &Scop) -> Result<Scop> {
    let mut with = scop.clone();
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let of = scop.array(array);
        let memory = matches!(of.kind, ArrayKind::Memory { .. });
        if !of.blank || !memory || shared_depth(scop, array) == 0 {
            continue;
        }
        let _quota = scop.context.ctx().share(SHARE);
        match sensible(&with, array) {
            Err(Error::Quota) => {}
            found => with.assumptions.extend(found?),
        }
    }
    Ok(with)
}

/// That an array is written before it is read, if that depends on sizes.
fn sensible(scop: &Scop, array: ArrayId) -> Result<Option<Assumption>> {
    let known = scop.known()?;
    let bad = read_beside(scop, array, shared_depth(scop, array), &known, |_, _, _| {
        true
    })?;
    if bad.is_empty()? {
        return Ok(None);
    }
    let set = bad.complement()?.gist(&known)?.coalesce()?;
    let some = set.n_basic_set() == 1 && !set.intersect(&known)?.is_empty()?;
    let why = AssumptionKind::InBounds;
    Ok(some.then_some(Assumption { set, why }))
}

/// Those of some arrays of which no value crosses an iteration of so many outermost loops or comes from outside, by their positions or by the flow of
/// values.
pub(super) fn private(
    scop: &Scop,
    arrays: Vec<ArrayId>,
    known: &Set,
    depth: impl Fn(ArrayId) -> usize,
) -> Result<BTreeSet<ArrayId>> {
    let (first, open) = filled_first(scop, arrays, known)?;
    let mut private = BTreeSet::from_iter(first);
    if let Some(flow) = flow_of(scop, &open)? {
        for a in open {
            if is_private(scop, a, depth(a), &flow.possible, &flow.from_outside)? {
                private.insert(a);
            }
        }
    }
    Ok(private)
}

/// Those of some arrays that each iteration of all loops around their users fills before it reads them, and the others, of which the flow of values
/// has to tell.
fn filled_first(
    scop: &Scop,
    arrays: Vec<ArrayId>,
    known: &Set,
) -> Result<(Vec<ArrayId>, Vec<ArrayId>)> {
    let (mut first, mut open) = (vec![], vec![]);
    for array in arrays {
        let depth = shared_depth(scop, array);
        let _quota = scop.context.ctx().share(SHARE);
        let in_front = |t: &Stmt, write: &Access, s: &Stmt| {
            write.kind == AccessKind::MustWrite && t.beta[depth] < s.beta[depth]
        };
        let filled = match read_beside(scop, array, depth, known, in_front) {
            Err(Error::Quota) => false,
            bad => depth > 0 && bad?.is_empty()?,
        };
        if filled { &mut first } else { &mut open }.push(array);
    }
    Ok((first, open))
}

/// The parameters for which an iteration of so many outermost loops reads an element of an array that no write counts for in that iteration: those in front
/// of the reader's loops that are certain, or all of them, which may as well be in other iterations of its own.
fn read_beside(
    scop: &Scop,
    array: ArrayId,
    depth: usize,
    known: &Set,
    counts: impl Fn(&Stmt, &Access, &Stmt) -> bool,
) -> Result<Set> {
    let mut bad = known.subtract(known)?;
    for s in users(scop, array) {
        let mut left: Option<Map> = None;
        for read in s.reads().iter().filter(|a| a.array == array) {
            let elements = in_iteration(s, read, depth)?;
            left = Some(match left {
                None => elements,
                Some(left) => left.union(&elements)?,
            });
        }
        let Some(mut left) = left else {
            continue;
        };
        for t in users(scop, array) {
            let own = t.writes().iter().filter(|a| a.array == array);
            for write in own.filter(|a| counts(t, a, s)) {
                left = left.subtract(&in_iteration(t, write, depth)?)?;
            }
        }
        let params = left.params()?;
        // What is known is long, and says little of loops.
        if !params.intersect(known)?.is_empty()? {
            bad = bad.union(&params)?;
        }
    }
    bad.coalesce()
}

/// What an access touches in an iteration of so many outermost loops.
fn in_iteration(s: &Stmt, access: &Access, depth: usize) -> Result<Map> {
    let relation = access.relation.intersect_domain(&s.domain)?;
    let inner = relation.project_out(DimType::In, depth, s.depth() - depth)?;
    inner.set_tuple_name(DimType::In, "iteration")
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `r[j]` for `first <= j < m` from `a`, then `b[i][j] = r[j]` for `0 <= j < n`.
    fn rows(ctx: &Ctx, first: i64, flags: &str) -> Scop {
        let text = format!(
            "scop \"rows\" function \"rows\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array a f64 [m][m]\narray b f64 [n][n]\narray r f64 [m] {flags}\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and {first} <= j < m }}\n beta 0 0 0\n \
             write {{ S0[i, j] -> r[j] }}\n read {{ S0[i, j] -> a[i, j] }}\n body (read 1)\n\
             stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 0 1 0\n \
             write {{ S1[i, j] -> b[i, j] }}\n read {{ S1[i, j] -> r[j] }}\n body (read 1)\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn sizes_are_such_that_all_that_is_read_was_written() {
        let ctx = Ctx::new();
        let scop = rows(&ctx, 0, "dead blank");
        let with = filled_arrays(&scop).expect("no error");
        let [assumed] = &with.assumptions[..] else {
            panic!("one assumption");
        };
        let wanted = Set::parse(&ctx, "[n, m] -> { : m >= n }").expect("a set");
        let known = scop.known().expect("a set");
        let same = |s: &Set| s.intersect(&known).expect("a set");
        assert!(
            same(&assumed.set)
                .is_equal(&same(&wanted))
                .expect("comparable")
        );
        let array = ArrayId::from(2);
        let filled = |scop: &Scop| {
            let known = scop.known().expect("a set");
            let (first, _) = filled_first(scop, vec![array], &known).expect("no error");
            first == [array]
        };
        assert!(!filled(&scop) && filled(&with));
    }

    #[test]
    fn what_other_iterations_of_a_loop_write_says_nothing_of_sizes() {
        let ctx = Ctx::new();
        let scop = parse_scop(
            &ctx,
            "scop \"r\" function \"r\"\nparams n m\ncontext { : n >= 1 and m >= 1 }\narray r f64 [m] dead blank\n\
             stmt S0\n domain { S0[i] : 0 <= i < n }\n beta 0 0\n write { S0[i] -> r[0] }\n body (bits 0)\n\
             stmt S1\n domain { S1[i, j] : 0 <= i < n and 0 < j < m }\n beta 0 1 0\n \
             write { S1[i, j] -> r[j] }\n read { S1[i, j] -> r[j - 1] }\n body (read 1)\n",
        )
        .expect("a SCoP");
        let with = filled_arrays(&scop).expect("no error");
        assert!(with.assumptions.is_empty());
    }

    #[test]
    fn arrays_with_content_and_elements_that_are_never_written_say_nothing_of_sizes() {
        let ctx = Ctx::new();
        for scop in [rows(&ctx, 0, "dead"), rows(&ctx, 1, "dead blank")] {
            let with = filled_arrays(&scop).expect("no error");
            assert!(with.assumptions.is_empty());
        }
    }
}
