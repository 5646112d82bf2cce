//! Scalars that live in the array element which takes their value in the end (DeLICM; Kruse and Grosser, CGO 2018).
//!
//! ```text
//! for i, j: { s = 0;       for k  s       += A[i][k] * B[k][j];  C[i][j] = s; }
//! for i, j: { C[i][j] = 0; for k  C[i][j] += A[i][k] * B[k][j]; }
//! ```
//!
//! An expanded scalar costs a temporary as large as the array, and the copy of it; the element costs nothing. A scalar
//! `s` may live in the element that the statement `w: C[f(i)] = s` writes, over the `d` loops of `w`, if
//!
//! * all users of `s` stand in these loops, and no value of `s` crosses one of their iterations or comes from outside;
//! * `w` runs in each iteration in which `s` is written (no store is invented), and after all writes of `s`;
//! * nothing else in the same iteration touches that element between the first write of `s` and `w`, or, where `s` is read
//!   after `w`, at all.
//!
//! What then copies an element to itself is dropped.
//!
//! A value that begins in the element, too, may be changed on its way back: the elimination with a scalar is the one in place.
//!
//! ```text
//! for i, j < i: { s = A[i][j]; for k < j  s       -= A[i][k] * A[k][j];  A[i][j] = s / A[j][j];       }
//! for i, j < i: {              for k < j  A[i][j] -= A[i][k] * A[k][j];  A[i][j] = A[i][j] / A[j][j]; }
//! ```
//!
//! So may one that begins elsewhere, where the sum takes earlier elements of the array: a substitution reads what it wrote then, in place. And
//! one over a window that is cut off at both ends, as that of a padded layer before it is clipped at zero: sums of so many lengths
//! do not stay in registers side by side.
//!
//! Where a loop may run no iteration, the value behind it is a scalar of its own, which takes that of the loop's (`t = s`).
//! Such scalars live in those that take them first.
//!
//! Detection does the same for sums that header PHIs carry (`detect/delicm.rs` of the analysis crate), before there are
//! statements: there a value of the cell has other users, may leave the region, and its store may run without the loop, none of
//! which can be told from scalars. Here any number of statements may write the scalar; the flow of values, which detection does
//! not have, says which.

use super::merge::numbered;
use super::{by_order, flow_of, is_private, shared_depth, users};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Scop, Stmt};

/// `scop` with scalars in the elements that take their values.
pub fn map_scalars(scop: &Scop) -> Result<Scop> {
    let mut mapped = scop.clone();
    for home in [Home::Scalar, Home::Element] {
        // A scalar that others live in now may live in another one: a sum over windows of channels has one for each of these loops.
        for _ in 0..MAX_CHAIN {
            let (next, found) = mapped_to(mapped, home)?;
            mapped = without_self_copies(next)?;
            if !found || home == Home::Element {
                break;
            }
        }
    }
    Ok(mapped)
}

/// Scalars that live in each other.
const MAX_CHAIN: usize = 6;

/// What takes the value of a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// Another scalar.
    Scalar,
    /// An array element.
    Element,
}

/// The statement that takes a scalar's value.
#[derive(Clone, Copy)]
struct Taker {
    id: StmtId,
    /// Whether it changes the value.
    changes: bool,
}

/// `scop` with scalars in homes of this kind, and whether there are any.
fn mapped_to(scop: Scop, home: Home) -> Result<(Scop, bool)> {
    let homes: Vec<(ArrayId, Taker)> = (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|&a| scop.array(a).kind == ArrayKind::Scalar { live_out: None })
        .filter_map(|a| taker(&scop, a, home).map(|w| (a, w)))
        .collect();
    if homes.is_empty() {
        return Ok((scop, false));
    }
    let scalars: Vec<ArrayId> = homes.iter().map(|h| h.0).collect();
    let (written_first, open) = by_order(&scop, &scalars, |a| shared_depth(&scop, a))?;
    let flow = flow_of(&scop, &open)?;
    let known = scop.known()?;
    let mut mapped = scop.clone();
    let mut found = false;
    for (scalar, taker) in homes {
        let depth = scop.stmt(taker.id).depth();
        let private = match &flow {
            _ if written_first.contains(&scalar) => true,
            Some(f) => is_private(&scop, scalar, depth, &f.possible, &f.from_outside)?,
            None => false,
        };
        // What another scalar already lives in has other values now.
        if private
            && users(&scop, scalar).count() == users(&mapped, scalar).count()
            && is_free(&mapped, scalar, taker, &known)?
        {
            apply(&mut mapped, scalar, taker.id)?;
            found = true;
        }
    }
    Ok((mapped, found))
}

/// The statement that takes the scalar, in the loops that all users share, after all writes: a copy, or for an element the only
/// use that writes none but a scalar.
fn taker(scop: &Scop, scalar: ArrayId, home: Home) -> Option<Taker> {
    let depth = shared_depth(scop, scalar);
    let takes = |s: &&Stmt| {
        let write = s.write();
        let kind = match scop.array(write.array).kind {
            ArrayKind::Memory { .. } => home == Home::Element,
            ArrayKind::Scalar { live_out: None } => home == Home::Scalar && write.array != scalar,
            _ => false,
        };
        kind && write.kind == AccessKind::MustWrite
            && write.ty == scop.array(scalar).ty
            && write.ty == scop.array(write.array).ty
            && s.reads().iter().any(|r| r.array == scalar)
    };
    let copies = |s: &&Stmt| matches!(s.body.node(s.body.root).kind, NodeKind::Read(r) if s.accesses[r].array == scalar);
    let is_last = |found: &Stmt| {
        let before =
            |s: &Stmt| s.write().ty == scop.array(scalar).ty && s.beta[depth] < found.beta[depth];
        users(scop, scalar)
            .filter(|s| s.write().array == scalar)
            .all(before)
    };
    let found = match users(scop, scalar).filter(takes).find(copies) {
        Some(copy) => (copy, false),
        None if home == Home::Element => {
            let mut all = users(scop, scalar).filter(|s| s.write().array != scalar);
            let only = all.next().filter(|s| takes(s) && all.next().is_none())?;
            (only, true)
        }
        None => return None,
    };
    let fits = depth > 0 && found.0.depth() == depth && is_last(found.0);
    fits.then_some(Taker {
        id: found.0.id,
        changes: found.1,
    })
}

/// Whether the element is written anyhow wherever the scalar is, and is touched by nothing else in between, as far as is known.
fn is_free(scop: &Scop, scalar: ArrayId, taker: Taker, known: &Set) -> Result<bool> {
    let changes = taker.changes;
    let taker = scop.stmt(taker.id);
    let depth = taker.depth();
    let taken = taker.domain.intersect_params(known)?;
    let in_loops = |s: &&Stmt| {
        s.depth() >= depth && s.beta.len() > depth && s.beta[..depth] == taker.beta[..depth]
    };
    let used_later = users(scop, scalar).any(|s| s.beta[depth] > taker.beta[depth]);
    let writers = || users(scop, scalar).filter(|s| s.write().array == scalar);
    let substitutes =
        depth > 1 && writers().any(|s| s.reads().iter().any(|r| r.array == taker.write().array));
    let mut elsewhere = substitutes;
    for s in writers().filter(|_| changes && !substitutes) {
        elsewhere |= is_clipped(&s.domain, depth)?;
    }
    let mut written = vec![];
    for s in writers() {
        let domain = s.domain.intersect_params(known)?;
        let iterations = domain.apply(&iteration_of(s, taker)?)?;
        let begins = s.reads().iter().all(|r| r.array != scalar);
        let apart = changes && begins && !elsewhere && !copies_element(s, taker)?;
        if !iterations.is_subset(&taken)? || apart {
            return Ok(false);
        }
        written.push((s, iterations));
    }
    for s in scop.stmts.iter().filter(in_loops) {
        if s.beta[depth] > taker.beta[depth] && !used_later {
            continue;
        }
        let own = |number: usize| s.id == taker.id && number == 0;
        let accesses = s.accesses.iter().enumerate();
        let accesses = accesses.filter(|(n, a)| a.array == taker.write().array && !own(*n));
        let accesses: Vec<(usize, &Access)> = accesses.collect();
        if accesses.is_empty() {
            continue;
        }
        let domain = s.domain.intersect_params(known)?;
        let iteration = iteration_of(s, taker)?.intersect_range(&taken)?;
        let element = iteration.apply_range(&taker.write().relation)?;
        for (number, a) in accesses {
            let touched = a.relation.intersect_domain(&domain)?.intersect(&element)?;
            let touched = touched.domain()?.apply(&iteration)?;
            for (w, iterations) in &written {
                // A read in front of all writes finds what the element held.
                let first = number > 0
                    && (s.beta[depth] < w.beta[depth] || s.id == w.id && s.depth() == depth);
                if !first && !touched.intersect(iterations)?.is_empty()? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether an inner loop of a domain has bounds below and above that move with the `outer` loops around it.
fn is_clipped(domain: &Set, outer: usize) -> Result<bool> {
    for part in domain.basic_sets()? {
        let mut moving = vec![];
        for c in part.constraints()? {
            for d in 0..outer {
                if c.coefficient(DimType::Set, d)? != 0 {
                    moving.push(c.clone());
                    break;
                }
            }
        }
        for d in outer..part.dim(DimType::Set) {
            let (mut below, mut above) = (false, false);
            for c in &moving {
                below |= c.is_lower_bound(DimType::Set, d)?;
                above |= c.is_upper_bound(DimType::Set, d)?;
            }
            if below && above {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a statement of the taker's loops copies the element that the taker writes in the same iteration.
fn copies_element(s: &Stmt, taker: &Stmt) -> Result<bool> {
    let NodeKind::Read(r) = s.body.node(s.body.root).kind else {
        return Ok(false);
    };
    let (from, to) = (&s.accesses[r], taker.write());
    let same = s.depth() == taker.depth() && from.array == to.array && from.ty == to.ty;
    let home = to.relation.set_tuple_name(DimType::In, &s.name)?;
    Ok(same
        && from
            .relation
            .intersect_domain(&s.domain)?
            .is_equal(&home.intersect_domain(&s.domain)?)?)
}

/// From the instances of a statement to the taker's instance in the same iteration of the taker's loops.
fn iteration_of(s: &Stmt, taker: &Stmt) -> Result<Map> {
    let anywhere = Set::universe(&taker.domain.space()?)?;
    let mut map = Map::from_domain_and_range(&s.domain, &anywhere)?;
    for d in 0..taker.depth() {
        map = map.equate(DimType::In, d, DimType::Out, d)?;
    }
    Ok(map)
}

/// Puts every access to the scalar to the taker's element.
fn apply(scop: &mut Scop, scalar: ArrayId, taker: StmtId) -> Result<()> {
    let taker = scop.stmt(taker).clone();
    let home = taker.write();
    for s in &mut scop.stmts {
        let iters = s.depth();
        let name = s.name.clone();
        for a in s.accesses.iter_mut().filter(|a| a.array == scalar) {
            let relation = home
                .relation
                .insert_dims(DimType::In, taker.depth(), iters - taker.depth())?
                .set_tuple_name(DimType::In, &name)?;
            *a = Access {
                kind: a.kind,
                relation,
                ..home.clone()
            };
        }
    }
    Ok(())
}

/// Drops statements that write what they read, and numbers the others anew. What another array must not overlap stays if no other statement touches it:
/// nothing else tells the check that it is there.
fn without_self_copies(mut scop: Scop) -> Result<Scop> {
    let idle = |s: &Stmt| -> Result<bool> {
        let NodeKind::Read(r) = s.body.node(s.body.root).kind else {
            return Ok(false);
        };
        let (from, to) = (&s.accesses[r], s.write());
        Ok(from.array == to.array
            && from.ty == to.ty
            && from
                .relation
                .intersect_domain(&s.domain)?
                .is_equal(&to.relation.intersect_domain(&s.domain)?)?)
    };
    let mut at = 0;
    while let Some(s) = scop.stmts.get(at) {
        match idle(s)? && is_checked(&scop, s)? {
            true => drop(scop.stmts.remove(at)),
            false => at += 1,
        }
    }
    scop.stmts = numbered(scop.stmts)?;
    Ok(scop)
}

/// Whether other statements touch the elements that a statement writes, or no other array may lie there.
fn is_checked(scop: &Scop, s: &Stmt) -> Result<bool> {
    let array = s.write().array;
    if !(scop.no_overlap.iter()).any(|(a, b)| [*a, *b].contains(&array)) {
        return Ok(true);
    }
    let known = scop.known()?;
    let elements = |s: &Stmt, a: &Access| {
        let relation = a.relation.intersect_domain(&s.domain)?;
        relation.range()?.intersect_params(&known)
    };
    let mut open = elements(s, s.write())?;
    for t in scop.stmts.iter().filter(|t| t.id != s.id) {
        for a in t.accesses.iter().filter(|a| a.array == array) {
            open = open.subtract(&elements(t, a)?)?;
            if open.is_empty()? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `s = first; for k < m: s += A[i][k]; r[i] = s` with another read in the sum.
    fn sums(ctx: &Ctx, first: &str, read: &str, last: &str) -> Scop {
        let text = format!(
            "scop \"rows\" function \"rows\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array A f64 [n][m]\narray r f64 [n]\narray s f64 scalar\n\
             stmt S0\n domain {{ S0[i] : 0 <= i < n }}\n beta 0 0\n write {{ S0[i] -> s[] }}\n{first}\n\
             stmt S1\n domain {{ S1[i, k] : 0 <= i < n and 0 <= k < m }}\n beta 0 1 0\n write {{ S1[i, k] -> s[] }}\n \
             read {{ S1[i, k] -> s[] }}\n read {{ S1[i, k] -> {read} }}\n body (fadd (read 1) (read 2))\n\
             stmt S2\n domain {{ S2[i] : {last} }}\n beta 0 2\n write {{ S2[i] -> r[i] }}\n \
             read {{ S2[i] -> s[] }}\n body (read 1)\n"
        );
        map_scalars(&parse_scop(ctx, &text).expect("a SCoP")).expect("mapped")
    }

    const ZERO: &str = " body (bits 0)";

    #[test]
    fn a_sum_lives_in_its_element() {
        let ctx = Ctx::new();
        let scop = sums(&ctx, ZERO, "A[i, k]", "0 <= i < n");
        assert_eq!(scop.stmts.len(), 2);
        let text = scop.stmts[1].write().relation.to_string();
        assert!(text.contains("-> r[i]"), "{text}");
        assert_eq!(scop.stmts[0].write().array, scop.stmts[1].accesses[1].array);
    }

    #[test]
    fn an_element_that_is_the_first_value_needs_no_copy() {
        let ctx = Ctx::new();
        let first = " read { S0[i] -> r[i] }\n body (read 1)";
        let scop = sums(&ctx, first, "A[i, k]", "0 <= i < n");
        assert_eq!(scop.stmts.len(), 1);
        assert_eq!(
            (scop.stmts[0].depth(), scop.stmts[0].name.as_str()),
            (2, "S0")
        );
    }

    #[test]
    fn earlier_elements_may_be_read_and_the_own_not() {
        let ctx = Ctx::new();
        assert_eq!(sums(&ctx, ZERO, "r[i - 1]", "0 <= i < n").stmts.len(), 2);
        assert_eq!(sums(&ctx, ZERO, "r[i]", "0 <= i < n").stmts.len(), 3);
        assert_eq!(sums(&ctx, ZERO, "r[k]", "0 <= i < n").stmts.len(), 3);
    }

    #[test]
    fn no_store_is_invented() {
        let ctx = Ctx::new();
        assert_eq!(sums(&ctx, ZERO, "A[i, k]", "1 <= i < n").stmts.len(), 3);
    }

    /// `s = first; for k < i: s += r[k]; t = s` (`t = first` at 0), then `r[i] = t / last` under another name of `t`.
    fn solved(ctx: &Ctx, first: &str, last: &str) -> Scop {
        let text = format!(
            "scop \"solved\" function \"solved\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array r f64 [n]\narray d f64 [n]\narray s f64 scalar\narray t f64 scalar\n\
             stmt S0\n domain {{ S0[i] : i = 0 and n >= 1 }}\n beta 0 0\n write {{ S0[i] -> t[] }}\n \
             read {{ S0[i] -> {first} }}\n body (read 1)\n\
             stmt S1\n domain {{ S1[i] : 1 <= i < n }}\n beta 0 1\n write {{ S1[i] -> s[] }}\n \
             read {{ S1[i] -> {first} }}\n body (read 1)\n\
             stmt S2\n domain {{ S2[i, k] : 0 <= k < i < n }}\n beta 0 2 0\n write {{ S2[i, k] -> s[] }}\n \
             read {{ S2[i, k] -> s[] }}\n read {{ S2[i, k] -> r[k] }}\n body (fadd (read 1) (read 2))\n\
             stmt S3\n domain {{ S3[i] : 1 <= i < n }}\n beta 0 3\n write {{ S3[i] -> t[] }}\n \
             read {{ S3[i] -> s[] }}\n body (read 1)\n\
             stmt S4\n domain {{ S4[i] : 0 <= i < n }}\n beta 0 4\n write {{ S4[i] -> r[i] }}\n \
             read {{ S4[i] -> t[] }}\n read {{ S4[i] -> {last} }}\n body (fdiv (read 1) (read 2))\n"
        );
        map_scalars(&parse_scop(ctx, &text).expect("a SCoP")).expect("mapped")
    }

    #[test]
    fn a_value_from_its_element_is_changed_on_the_way_back() {
        let ctx = Ctx::new();
        let scop = solved(&ctx, "r[i]", "d[i]");
        assert_eq!(scop.stmts.len(), 2);
        let update = scop.stmts[0].write().relation.to_string();
        assert!(update.contains("-> r[i]"), "{update}");
        assert_eq!(scop.stmts[1].accesses[1].array, scop.stmts[1].write().array);
    }

    #[test]
    fn a_changed_value_from_elsewhere_stays_a_scalar() {
        let ctx = Ctx::new();
        // The copy between the scalars is gone in any case.
        assert_eq!(solved(&ctx, "d[i]", "d[i]").stmts.len(), 4);
    }

    #[test]
    fn an_element_that_is_read_once_more_is_not_overwritten() {
        let ctx = Ctx::new();
        assert_eq!(solved(&ctx, "r[i]", "r[i]").stmts.len(), 4);
    }
}
