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

use super::chain::{self, Lines, Webs, is_dead, stands_still};
use super::filled::private;
use super::independent::are_independent;
use super::users;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::Result;
use polytile_analysis::scop::{Scop, Stmt};
use std::collections::BTreeSet;
use std::slice;

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
    for problems in nests.iter().rev() {
        if let Some(with) = with_copies(&made.scop, problems, &is_read)? {
            let copies = made.scop.arrays.len()..with.arrays.len();
            made.copies.extend(copies.map(ArrayId::from));
            made.scop = with;
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
fn found(scop: &Scop, nest: &[i64], into: &mut Vec<Lines>) -> Result<()> {
    let inner = below(scop, nest);
    // Without loops inside there is no order to keep.
    if inner.is_empty() {
        return Ok(());
    }
    let shared = shared(scop, nest)?;
    log::debug!("batch {nest:?}: {shared:?}");
    if !shared.is_empty() && are_independent(scop, nest, &shared)? {
        into.push(Lines {
            arrays: shared,
            nest: nest.to_vec(),
        });
    } else if nest.len() < MAX_LOOPS {
        for nest in inner {
            found(scop, &nest, into)?;
        }
    }
    Ok(())
}

/// What stands still in a loop, is written and used there only, and is private to each iteration.
fn shared(scop: &Scop, nest: &[i64]) -> Result<Vec<ArrayId>> {
    let mut open = vec![];
    let inside = |s: &Stmt| s.beta.starts_with(nest) && s.depth() >= nest.len();
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        if users(scop, id).all(inside) && stands_still(scop, id, nest.len())? {
            open.push(id);
        }
    }
    if open.is_empty() {
        return Ok(open);
    }
    let private = private(scop, open, &scop.known()?, |_| nest.len())?;
    Ok(private.into_iter().collect())
}

/// The SCoP with copies of arrays for each iteration of a loop; `None` if one cannot have any, or statements remain that have several writes.
fn with_copies(
    scop: &Scop,
    problems: &Lines,
    is_read: &impl Fn(ArrayId) -> bool,
) -> Result<Option<Scop>> {
    let depth = problems.nest.len();
    let with = chain::with_copies(scop, slice::from_ref(problems), |_| depth, is_read)?;
    let inside = |s: &Stmt| s.beta.starts_with(&problems.nest) && s.depth() >= depth;
    let single = |with: &Scop| !with.stmts.iter().any(|s| inside(s) && s.is_group());
    Ok(with.filter(single))
}
