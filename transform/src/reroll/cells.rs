//! Scalars that each copy of an unrolled loop has for itself.
//!
//! ```text
//! for x: { s0 = 0;  for k: s0 += ..;  a[3x] = f(s0);     s1 = 0;  for k: s1 += ..;  a[3x+1] = f(s1);     .. }
//! for x: { s0 = 0;  for k: s0 += ..;  a[3x] = f(s0);     s0 = 0;  for k: s0 += ..;  a[3x+1] = f(s0);     .. }
//! ```
//!
//! The loop had one scalar, and unrolled it has one for each copy: as long as they differ, nothing is a copy of anything. One will do where
//! each is written first in every iteration of the loop around, and is done with when that of the next copy begins.

use crate::expand::users;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Scop, Stmt};
use std::collections::BTreeMap;

/// What is a scalar of the nest.
pub(super) const SCALAR: ArrayKind = ArrayKind::Scalar { live_out: None };

/// A scalar of one iteration.
pub(super) struct Cell<'s> {
    array: ArrayId,
    /// The statements that access it, in textual order.
    by: Vec<&'s Stmt>,
}

/// The statements in a loop with the scalars of the first of so many copies; `None` if `cells`, those of one iteration, are not such copies.
pub(super) fn shared(
    scop: &Scop,
    inside: &[&Stmt],
    cells: &[Cell],
    copies: usize,
) -> Result<Option<Vec<Stmt>>> {
    let each = cells.len() / copies;
    if each == 0 || !cells.len().is_multiple_of(copies) {
        return Ok(None);
    }
    let of_copies: Vec<&[Cell]> = cells.chunks_exact(each).collect();
    let mut same: BTreeMap<ArrayId, ArrayId> = BTreeMap::new();
    for copy in &of_copies[1..] {
        let pairs = of_copies[0].iter().zip(*copy);
        same.extend(pairs.map(|(a, b)| (b.array, a.array)));
    }
    let ty = |a: ArrayId| scop.array(a).ty;
    let in_turn = of_copies.windows(2).all(|w| last(w[0]) < first(w[1]));
    if !in_turn || same.iter().any(|(a, b)| ty(*a) != ty(*b)) {
        return Ok(None);
    }
    let all = inside.iter().map(|s| renamed(scop, s, &same));
    all.collect::<Result<Vec<_>>>().map(Some)
}

/// The scalars that nothing outside of a loop, whose depth is `at`, accesses, and that are written first in each of its iterations, in the order in
/// which they are.
pub(super) fn own<'s>(scop: &'s Scop, inside: &[&'s Stmt], at: usize) -> Result<Vec<Cell<'s>>> {
    let mut found = vec![];
    for (n, of) in scop.arrays.iter().enumerate() {
        let array = ArrayId::from(n);
        if of.kind == SCALAR
            && let Some(by) = alone(scop, inside, array)
            && begins(&by, array, at)?
        {
            found.push(Cell { array, by });
        }
    }
    found.sort_by(|a, b| a.by[0].beta.cmp(&b.by[0].beta));
    Ok(found)
}

/// Those of some statements that access an array, if no other one does.
pub(super) fn alone<'s>(scop: &Scop, of: &[&'s Stmt], array: ArrayId) -> Option<Vec<&'s Stmt>> {
    let by: Vec<&Stmt> = of.iter().copied().filter(|s| accesses(s, array)).collect();
    (by.len() == users(scop, array).count()).then_some(by)
}

fn accesses(s: &Stmt, array: ArrayId) -> bool {
    s.accesses.iter().any(|a| a.array == array)
}

/// Whether the first of some statements, in the loop itself, writes a scalar in all iterations in which another one accesses it.
fn begins(by: &[&Stmt], array: ArrayId, at: usize) -> Result<bool> {
    let Some((first, others)) = by.split_first() else {
        return Ok(false);
    };
    let of = |a: &&Access| a.array == array;
    let mut own = first.accesses.iter().filter(of);
    let writes = own.all(|a| a.kind == AccessKind::MustWrite) && first.depth() == at + 1;
    if !writes {
        return Ok(false);
    }
    let runs = first.domain.reset_tuple_id()?;
    for s in others {
        let domain = s.domain.reset_tuple_id()?;
        let around = domain.project_out(DimType::Set, at + 1, s.depth() - at - 1)?;
        if !around.is_subset(&runs)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn first<'c>(copy: &'c [Cell]) -> Option<&'c [i64]> {
    copy.iter().map(|c| &c.by[0].beta[..]).min()
}

fn last<'c>(copy: &'c [Cell]) -> Option<&'c [i64]> {
    let all = copy.iter().flat_map(|c| &c.by);
    all.map(|s| &s.beta[..]).max()
}

/// A statement with other scalars.
pub(super) fn renamed(scop: &Scop, s: &Stmt, same: &BTreeMap<ArrayId, ArrayId>) -> Result<Stmt> {
    let mut s = s.clone();
    for a in &mut s.accesses {
        if let Some(to) = same.get(&a.array) {
            a.array = *to;
            let name = &scop.array(*to).name;
            a.relation = a.relation.set_tuple_name(DimType::Out, name)?;
        }
    }
    Ok(s)
}
