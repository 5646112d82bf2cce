//! Rows inwards: a member along which memory is contiguous goes below the band that is inside.
//!
//! The search ends a band where some dependence goes backwards in every further row, and what is left makes the innermost loops,
//! whatever it moves by:
//!
//! ```text
//! for j: for m: for k: for i: r[37*m + i][j][k] *= d     i may not pass m: rows of one m may be those of the next
//! for j: for m: for i: for k: r[37*m + i][j][k] *= d
//! ```
//!
//! A coincident member has distance zero in all dependences that are open at its band, so it may be the innermost one.

use super::{Place, Planner};
use crate::schedule::order;
use crate::simd::{linear_parts, reordered};
use polytile_analysis::poly::{self, MultiUnionPwAff};
use polytile_analysis::tree::{Band, LoopKind, Tree};

impl Planner<'_> {
    /// The band with its contiguous member innermost below its child; `None`: the loops inside are as contiguous, or there is no such
    /// member beside the one that threads take.
    pub(super) fn rows_inward(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        let Tree::Band(child) = &band.child else {
            return Ok(None);
        };
        let plain =
            child.tile.is_none() && child.is_sequential() && matches!(child.child, Tree::Leaf);
        let free = (0..band.schedule.size()).filter(|&m| band.coincident[m]);
        if !plain || free.clone().count() < 2 {
            return Ok(None);
        }
        let score = self.contiguity(&[&band.schedule, &child.schedule], place)?;
        let (own, inner) = score.split_at(band.schedule.size());
        let Some(member) = free.max_by_key(|&m| own[m]) else {
            return Ok(None);
        };
        if inner.iter().any(|s| *s >= own[member]) {
            return Ok(None);
        }
        let row = MultiUnionPwAff::from_union_pw_aff(&band.schedule.at(member)?)?;
        let mut below = (**child).clone();
        below.schedule = below.schedule.flat_range_product(&row)?;
        below.coincident.push(true);
        below.loops.push(LoopKind::Sequential);
        below.permutable |= child.schedule.size() == 1;
        let others: Vec<usize> = (0..band.schedule.size()).filter(|&m| m != member).collect();
        let mut rest = reordered(band, &others)?;
        rest.child = Tree::Band(Box::new(below));
        Ok(Some(rest))
    }

    /// How many accesses of all statements are contiguous along each member of nested bands.
    pub(super) fn contiguity(
        &self,
        bands: &[&MultiUnionPwAff],
        place: &Place,
    ) -> poly::Result<Vec<usize>> {
        let before: usize = place.outer.iter().map(MultiUnionPwAff::size).sum();
        let members: usize = bands.iter().map(|b| b.size()).sum();
        let mut score = vec![0; members];
        for id in crate::live::statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let mut rows = vec![];
            for part in place.outer.iter().chain(bands.iter().copied()) {
                rows.extend(linear_parts(part, stmt)?.unwrap_or_default());
            }
            if rows.len() == before + members {
                for (m, s) in score.iter_mut().enumerate() {
                    *s += order::contiguous(self.scop, stmt, &rows, before + m);
                }
            }
        }
        Ok(score)
    }
}
