//! Batches: a loop over independent problems that use the same scratch memory one after the other.
//!
//! ```text
//! for k: { for j: row[j] = j;   for i: { d = row[0];  for j: { v = f(row[j-1], row[j], d);  d = row[j];  row[j] = v } }   res[k] = row[m] }
//!
//! for k: { for j: row'[k][j] = j;   for i: { d'[k] = row'[k][0];  for j: { .. } }   res[k] = row'[k][m] }
//! ```
//!
//! Nothing but `row` and `d` orders the problems. With copies of both for each of them they run in lanes, side by side (`plan/batch`), where the copies are as
//! many as there are lanes: panels. All loops inside keep their order, so that nothing else is asked of them.
//!
//! The loop is the outermost one whose iterations are independent but for what stands still in it: arrays and scalars of which no value crosses an
//! iteration and none comes from outside. What may be read behind the loop is left by its last iteration, a nest of its own, as for chains ([`super::chain`]).

use super::array::{copied, fresh_name, sizes};
use super::chain::{Webs, is_dead, is_kept, many_lines};
use super::filled::private;
use super::independent::are_independent;
use super::last::{last_lines, parted, writes_all};
use super::single::single_writes;
use super::{temporary, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::scop::{AccessKind, Assumption, AssumptionKind, Scop, Stmt};
use std::collections::BTreeSet;

/// Loops around the problems of a batch, with its own.
const MAX_LOOPS: usize = 3;

/// A SCoP with copies for each problem of its batches.
pub struct Batches {
    /// The SCoP.
    pub scop: Scop,
    /// The copies: the first subscript is the problem.
    pub copies: Vec<ArrayId>,
}

/// The batches of a SCoP; `None`: it has none.
///
/// # Errors
/// What isl comes to.
pub fn batches(scop: &Scop) -> Result<Option<Batches>> {
    let narrow = scop.narrowed()?;
    let mut made = of_nests(&narrow, |a| !is_dead(scop, a))?;
    if made.copies.is_empty()
        && let Some(webs) = Webs::of(&narrow, false)?
    {
        made = of_nests(&webs.scop, |_| true)?;
        made.scop = webs.undone(made.scop)?;
        for copies in &mut made.copies {
            *copies = ArrayId::from(copies.index() - webs.of.len());
        }
    }
    made.scop.context = scop.context.clone();
    Ok((!made.copies.is_empty()).then_some(made))
}

/// The batches in the nests of a SCoP. `is_read`: something behind a nest may read an array.
fn of_nests(scop: &Scop, is_read: impl Fn(ArrayId) -> bool) -> Result<Batches> {
    let mut nests = vec![];
    for nest in below(scop, &[]) {
        found(scop, &nest, &mut nests)?;
    }
    let mut made = Batches {
        scop: scop.clone(),
        copies: vec![],
    };
    // From the last nest on: what is parted moves those behind it.
    for (nest, arrays) in nests.iter().rev() {
        if let Some((scop, copies)) = with_copies(&made.scop, (nest, arrays), &is_read)? {
            made.scop = scop;
            made.copies.extend(copies);
        }
    }
    Ok(made)
}

/// The loops right inside a place, by their own.
fn below(scop: &Scop, place: &[i64]) -> BTreeSet<Vec<i64>> {
    let inside = |s: &&Stmt| s.beta.starts_with(place) && s.depth() > place.len();
    let loops = scop.stmts.iter().filter(inside);
    loops.map(|s| s.beta[..=place.len()].to_vec()).collect()
}

/// The outermost loops in a nest that go over a batch, and what their problems share.
fn found(scop: &Scop, nest: &[i64], into: &mut Vec<(Vec<i64>, Vec<ArrayId>)>) -> Result<()> {
    let inner = below(scop, nest);
    // Without loops inside there is no order to keep.
    if inner.is_empty() {
        return Ok(());
    }
    let shared = shared(scop, nest)?;
    log::debug!("batch {nest:?}: {shared:?}");
    if !shared.is_empty() && are_independent(scop, nest, &shared)? {
        into.push((nest.to_vec(), shared));
    } else if nest.len() < MAX_LOOPS {
        for nest in inner {
            found(scop, &nest, into)?;
        }
    }
    Ok(())
}

/// What stands still in a loop, is written there, and is private to each iteration.
fn shared(scop: &Scop, nest: &[i64]) -> Result<Vec<ArrayId>> {
    let mut open = vec![];
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        if stands_still(scop, id, nest)? {
            open.push(id);
        }
    }
    if open.is_empty() {
        return Ok(open);
    }
    let private = private(scop, open, &scop.known()?, |_| nest.len())?;
    Ok(private.into_iter().collect())
}

/// Whether an array that is written in a loop is used there only, in full and at the same places in each of its iterations.
fn stands_still(scop: &Scop, array: ArrayId, nest: &[i64]) -> Result<bool> {
    if !is_kept(scop, array) || !users(scop, array).any(|s| s.writes_to(array)) {
        return Ok(false);
    }
    let ty = scop.array(array).ty;
    for s in users(scop, array) {
        if !s.beta.starts_with(nest) || s.depth() < nest.len() {
            return Ok(false);
        }
        for a in s.accesses.iter().filter(|a| a.array == array) {
            let plain = a.kind != AccessKind::MayWrite && a.ty == ty;
            if !plain || a.relation.involves_dims(DimType::In, 0, nest.len())? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The SCoP with copies of arrays for each iteration of a loop, and the copies; `None` if one cannot have any.
fn with_copies(
    scop: &Scop,
    (nest, arrays): (&[i64], &[ArrayId]),
    is_read: &impl Fn(ArrayId) -> bool,
) -> Result<Option<(Scop, Vec<ArrayId>)>> {
    let scop = &single_writes(scop, nest, arrays)?;
    let inside = |s: &Stmt| s.beta.starts_with(nest) && s.depth() >= nest.len();
    if scop.stmts.iter().any(|s| inside(s) && s.is_group()) {
        return Ok(None);
    }
    let kept: Vec<ArrayId> = (arrays.iter().copied()).filter(|a| is_read(*a)).collect();
    let mut with = scop.clone();
    if !kept.is_empty() {
        let Some(lines) = last_lines(scop, nest)? else {
            return Ok(None);
        };
        for a in &kept {
            if !writes_all(scop, *a, &lines)? {
                return Ok(None);
            }
        }
        with = parted(scop, nest, &lines)?;
    }
    let Some(set) = many_lines(scop, arrays[0], nest.len() - 1)? else {
        return Ok(None);
    };
    let why = AssumptionKind::NonEmpty;
    with.assumptions.push(Assumption { set, why });
    let mut all = vec![];
    for &array in arrays {
        let Some(extents) = sizes(scop, array, nest.len() - 1)? else {
            return Ok(None);
        };
        let name = fresh_name(&with, &scop.array(array).name);
        let copies = ArrayId::from(with.arrays.len());
        let ty = scop.array(array).ty;
        with.arrays.push(temporary(name.clone(), ty, extents));
        for s in with.stmts.iter_mut().filter(|s| inside(s)) {
            let loops = s.iters.clone();
            for a in s.accesses.iter_mut().filter(|a| a.array == array) {
                match copied(scop, a, &loops, nest.len() - 1, copies, &name)? {
                    Some(copied) => *a = copied,
                    None => {
                        log::debug!("batch {nest:?}: no copy of {array:?}");
                        return Ok(None);
                    }
                }
            }
        }
        all.push(copies);
    }
    Ok(Some((with, all)))
}
