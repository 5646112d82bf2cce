//! Batches in lanes: the order of the source, with loops over independent problems as the outermost vector loop of their nests.
//!
//! ```text
//! for k: P(k)     ->     parallel k / W: lanes k: P(k)          each statement of P in W lanes, with its copies in panels
//! ```
//!
//! Which loops these are say the copies that each problem has ([`crate::expand::batches`]). Other rules look for lanes where no other loop has any; here
//! inner loops may have some, with short trips or strides, and the model decides.

use super::lanes::{ROWS, VECTORS, in_lanes};
use super::{Place, PlanOptions, Planner};
use crate::live::statements;
use crate::simd::lanes::mixed_lane;
use crate::target::Target;
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly;
use polytile_analysis::region::Ty;
use polytile_analysis::scop::{Access, AccessKind, Place as Location, Scop, Stmt};
use polytile_analysis::tree::{self, Band, LoopKind, Mark, Schedule, Supply, Tree};

/// The order of the source with such loops in lanes; `None`: some of them cannot be. `copies`: what each problem has for itself.
///
/// # Errors
/// Those of the set library.
pub fn batches_in_lanes(
    (scop, deps): (&Scop, &Dependences),
    copies: &[ArrayId],
    target: &Target,
    options: &PlanOptions,
) -> poly::Result<Option<Schedule>> {
    let source = tree::original(scop)?;
    let (planner, place) = Planner::new((scop, deps), &source, target, options)?;
    let Some(root) = planner.batches(&source.root, copies, &place)? else {
        return Ok(None);
    };
    let root = planner.contracted(&root, &source.domain)?;
    let mut panels = vec![];
    super::taken::contracted_arrays(&root, &mut panels);
    // What has more than a cell for each problem would fill the caches.
    let lines = |a: &&ArrayId| scop.array(**a).strides.len() > 1;
    let fits = copies.iter().filter(lines).all(|a| panels.contains(a));
    Ok(fits.then_some(Schedule { root, ..source }))
}

impl Planner<'_> {
    fn batches(
        &self,
        tree: &Tree,
        copies: &[ArrayId],
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        match tree {
            Tree::Leaf => Ok(Some(Tree::Leaf)),
            Tree::Band(band) => self.batch(band, copies, place),
            Tree::Mark(mark, child) => {
                let child = self.batches(child, copies, place)?;
                let marked = |child| Tree::Mark(Mark::clone(mark), Box::new(child));
                Ok(child.map(marked))
            }
            Tree::Sequence(list) | Tree::Set(list) => {
                let mut branches = list.clone();
                for b in &mut branches {
                    let Some(child) = self.batches(&b.child, copies, &place.inside(&b.filter)?)?
                    else {
                        return Ok(None);
                    };
                    b.child = child;
                }
                Ok(Some(match tree {
                    Tree::Set(_) => Tree::Set(branches),
                    _ => Tree::Sequence(branches),
                }))
            }
        }
    }

    /// A loop of the source: in lanes, if it is over a batch, or as it was.
    fn batch(&self, band: &Band, copies: &[ArrayId], place: &Place) -> poly::Result<Option<Tree>> {
        let row = band.schedule.at(0)?;
        let ids = statements(self.scop, &place.domain)?;
        let stmts: Vec<&Stmt> = ids.iter().map(|id| self.scop.stmt(*id)).collect();
        let on_copies = |s: &&Stmt| s.accesses.iter().any(|a| copies.contains(&a.array));
        if !stmts.iter().any(on_copies) || !place.live.coincident(&row)? {
            let mut band = band.clone();
            let below = place.below(&band.schedule)?;
            let Some(child) = self.batches(&band.child, copies, &below)? else {
                return Ok(None);
            };
            band.child = child;
            return Ok(Some(Tree::Band(Box::new(band))));
        }
        let mut element = 1;
        for s in stmts {
            if mixed_lane(s, &row)?.is_none() || !s.accesses.iter().all(has_lanes) {
                log::debug!("batch: no lanes in {}", s.name);
                return Ok(None);
            }
            let bytes = s.accesses.iter().map(|a| a.ty.bytes()).max();
            element = element.max(bytes.unwrap_or(1));
        }
        let lanes = self.target.lanes(element) as u32;
        if lanes < 2 {
            return Ok(None);
        }
        let kind = LoopKind::Lanes {
            lanes,
            vectors: ROWS.div_ceil(lanes).min(VECTORS),
            supply: Supply::Near,
        };
        in_lanes(&row, kind, band.child.clone(), place.parallel).map(Some)
    }
}

/// Whether an access has lanes: none writes a scalar.
fn has_lanes(a: &Access) -> bool {
    let scalar = a.place == Location::Scalar;
    scalar && a.kind == AccessKind::Read || !scalar && matches!(a.ty, Ty::Int(_) | Ty::Float(_))
}
