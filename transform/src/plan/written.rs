//! The original's order, with its outermost independent loops on threads, and sweeps along lines in lanes.
//!
//! ```text
//! for i: for j: { a[i][j][0][0] = ..;   ..;   a[i][j][4][4] = .. }        // a hundred statements
//!
//! parallel i: for j: { a[i][j][0][0] = ..;   ..;   a[i][j][4][4] = .. }
//! ```
//!
//! Statements that stand side by side in one loop, dozens of them as in the Jacobians of an implicit solver, cost a search much work, and what it could
//! find is little: their loops share what they load. No row is looked for here and no loop changes its place, so the work grows with the number of
//! dependences only.

use super::{Place, PlanOptions, Planner};
use crate::expand::users;
use crate::live::statements;
use crate::parallel::vectorize;
use crate::target::Target;
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{self, Band, LoopKind, Mark, Schedule, Tree};

/// The order of the source with parallel and vector loops, and nothing else.
///
/// # Errors
/// Those of the set library.
pub fn as_written(
    scop: &Scop,
    deps: &Dependences,
    target: &Target,
    options: &PlanOptions,
) -> poly::Result<Schedule> {
    let source = tree::original(scop)?;
    let (planner, place) = Planner::new((scop, deps), &source, target, options)?;
    let mut root = planner.in_order(&source.root, &place)?;
    root = planner.contracted(&root, &source.domain)?;
    if options.vectorize {
        root = vectorize(scop, &root, &source.domain, &[])?;
    }
    Ok(Schedule { root, ..source })
}

impl Planner<'_> {
    fn in_order(&self, tree: &Tree, place: &Place) -> poly::Result<Tree> {
        match tree {
            Tree::Band(band) => self.loop_in_order(band, place),
            tree => tree.with_children(|child, filter| match filter {
                Some(filter) => self.in_order(child, &place.inside(filter)?),
                None => self.in_order(child, place),
            }),
        }
    }

    /// One loop, with copies of temporary arrays for each thread where only those are in the way.
    fn loop_in_order(&self, band: &Band, place: &Place) -> poly::Result<Tree> {
        let row = band.schedule.at(0)?;
        let mut band = band.clone();
        let mut below = place.below(&band.schedule)?;
        let mut private = None;
        band.coincident[0] = place.live.coincident(&row)?;
        if band.coincident[0]
            && let Some(tree) = self.sweeps_in_order(&band, &below, place)?
        {
            return Ok(tree);
        }
        if place.parallel && !band.coincident[0] {
            let here = statements(self.scop, &place.domain)?;
            let mut arrays = self.temporaries(&place.domain)?;
            arrays.retain(|a| users(self.scop, *a).all(|s| here.contains(&s.id)));
            if !arrays.is_empty() {
                private = self.private_arrays(&arrays, &row, &place.domain, place)?;
            }
        }
        if place.parallel && (band.coincident[0] || private.is_some()) {
            band.loops[0] = LoopKind::Parallel(place.dealing(&row, true)?);
            below.parallel = false;
        }
        band.child = self.in_order(&band.child, &below)?;
        let tree = Tree::Band(Box::new(band));
        Ok(match private {
            Some(arrays) => Tree::Mark(Mark::Private(arrays), Box::new(tree)),
            None => tree,
        })
    }

    /// A loop around chains along lines that have copies, in lanes (`lanes`); `None` if it is not of this kind.
    fn sweeps_in_order(
        &self,
        band: &Band,
        below: &Place,
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        if self.lines(&place.domain)?.is_empty() {
            return Ok(None);
        }
        let mut band = band.clone();
        band.child = self.flagged(&band.child, below)?;
        self.lanes(&band, place)
    }

    /// A tree of the source with the coincident ones of its loops found.
    fn flagged(&self, tree: &Tree, place: &Place) -> poly::Result<Tree> {
        let Tree::Band(band) = tree else {
            return tree.with_children(|child, filter| match filter {
                Some(filter) => self.flagged(child, &place.inside(filter)?),
                None => self.flagged(child, place),
            });
        };
        let mut band = band.clone();
        band.coincident[0] = place.live.coincident(&band.schedule.at(0)?)?;
        band.child = self.flagged(&band.child, &place.below(&band.schedule)?)?;
        Ok(Tree::Band(band))
    }
}
