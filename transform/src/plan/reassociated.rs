//! Bands that the original runs in vector lanes along a sum: [`Planner::as_it_was`].
//!
//! Where the terms of a sum may come in any order, LLVM's loop vectorizer makes lanes of the innermost loop itself
//! ([`crate::simd::sums_in_lanes`]):
//!
//! ```text
//! for i: { y[i] = 0;  for j: y[i] += A[i][j] * x[j] }                        integers
//! ```
//!
//! Every other order of the band loses that: lanes over rows transpose `A`, a parallel loop over columns walks down `A`. What is
//! left to gain is threads, along the loops outside. So the band keeps the original's order, if every loop of it that is
//! innermost has lanes already: only such sums carry dependences along it, and each access is contiguous or stands still. Sums over windows
//! that slide along a row are better off with lanes along the row.

use super::{Place, Planner, Tiling};
use crate::live::{Live, statements};
use crate::simd::{lies_in_lanes, linear_part, reordered, slides, sums_in_lanes};
use polytile_analysis::ids::LoopId;
use polytile_analysis::poly::{self, UnionSet};
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::{Band, Tree, iterator};
use std::collections::BTreeMap;

impl Planner<'_> {
    /// The band of `most` members at most in its order in the original, if that has vector lanes along sums.
    pub(super) fn as_it_was(
        &mut self,
        band: &Band,
        place: &Place,
        most: usize,
    ) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let members = band.schedule.size();
        let innermost = !band.child.has_bands();
        if members > most || (members == 1) == innermost || !self.in_lanes_already(place)? {
            return Ok(None);
        }
        let last = match members {
            2.. if band.permutable => self.innermost_member(band, place)?,
            _ => Some(members - 1),
        };
        Ok(match last {
            Some(m) if m + 1 < members => {
                let mut order: Vec<usize> = (0..members).filter(|&o| o != m).collect();
                order.push(m);
                Some(self.plain(&reordered(band, &order)?, place)?)
            }
            Some(_) => Some(self.plain(band, place)?),
            None => None,
        })
    }

    /// Whether the innermost loops of the original around the statements that come here have lanes, and at least one of them
    /// runs along a sum.
    fn in_lanes_already(&self, place: &Place) -> poly::Result<bool> {
        let ids = statements(self.scop, &place.domain)?;
        let stmts: Vec<&Stmt> = ids.iter().map(|s| self.scop.stmt(*s)).collect();
        let deepest = stmts.iter().map(|s| s.depth()).max().unwrap_or(0);
        if deepest == 0 {
            return Ok(false);
        }
        let mut loops: BTreeMap<LoopId, Vec<&Stmt>> = BTreeMap::new();
        for s in stmts.into_iter().filter(|s| s.depth() == deepest) {
            if slides(self.scop, s)? {
                return Ok(false);
            }
            loops.entry(s.iters[deepest - 1]).or_default().push(s);
        }
        let mut sums = loops.values().flatten();
        if !sums.try_fold(false, |any, s| {
            Ok::<bool, poly::Error>(any || sums_in_lanes(self.scop, s)?)
        })? {
            return Ok(false);
        }
        let live = Live::of(self.deps.ordering(true))?;
        for stmts in loops.values() {
            let mut domain: Option<UnionSet> = None;
            for s in stmts {
                if !lies_in_lanes(self.scop, s)? {
                    return Ok(false);
                }
                let own = s.domain.to_union_set()?;
                domain = Some(match domain {
                    None => own,
                    Some(d) => d.union(&own)?,
                });
            }
            let domain = domain.expect("a loop has statements");
            let mut open = live.inside(&domain)?;
            for level in 0..deepest - 1 {
                open = open.tied(&iterator(self.scop, stmts, level)?.at(0)?)?;
            }
            if !open.coincident(&iterator(self.scop, stmts, deepest - 1)?.at(0)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The member that counts as the innermost iterator of the deepest statements.
    fn innermost_member(&self, band: &Band, place: &Place) -> poly::Result<Option<usize>> {
        let ids = statements(self.scop, &place.domain)?;
        let stmts: Vec<&Stmt> = ids.iter().map(|s| self.scop.stmt(*s)).collect();
        let deepest = stmts.iter().map(|s| s.depth()).max().unwrap_or(0);
        for m in 0..band.schedule.size() {
            let row = band.schedule.at(m)?;
            let mut along = true;
            for s in stmts.iter().filter(|s| s.depth() == deepest) {
                let coefficients = linear_part(&row, s)?;
                along &= coefficients.is_some_and(|c| {
                    let moved = |(d, c): (usize, &i64)| (*c != 0) == (d + 1 == deepest);
                    c.iter().enumerate().all(moved)
                });
            }
            if along {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }
}
