//! What threads share: a member of a few iterations is not dealt to them while a longer one is free.
//!
//! ```text
//! parallel for m < 5: for i < n: for j < n: u[m][i][j] *= d      two threads take 3 and 2 of 5 iterations, eight take one or none
//! parallel for i < n: for m < 5: for j < n: u[m][i][j] *= d
//! ```

use super::{Place, Planner};
use crate::cost::Model;
use crate::parallel::coincident_member;
use crate::simd::reordered;
use polytile_analysis::poly;
use polytile_analysis::tree::Band;
use std::ops::RangeInclusive;

impl Planner<'_> {
    /// The band with a long coincident member in front of the short one that threads would take; `None` where it is long enough, or no other
    /// one is much longer.
    pub(super) fn long_first(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        let Some(first) = coincident_member(band).filter(|_| place.parallel && band.permutable)
        else {
            return Ok(None);
        };
        let Some(model) = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?
        else {
            return Ok(None);
        };
        let members = band.schedule.size();
        let long = |m: &usize| {
            band.coincident[*m] && model.extents[*m] >= MUCH_LONGER * model.extents[first]
        };
        let contiguous = |m: &usize| m + 1 == members && model.contiguous(*m);
        let longer = (first + 1..members).find(|m| long(m) && !contiguous(m));
        let Some(longer) = longer.filter(|_| FEW.contains(&model.extents[first])) else {
            return Ok(None);
        };
        let mut order: Vec<usize> = (0..members).filter(|&m| m != longer).collect();
        order.insert(first, longer);
        reordered(band, &order).map(Some)
    }
}

/// Threads that take so many iterations are often more, or some have one more than others. A single one is no loop: it parts statements.
const FEW: RangeInclusive<i64> = 2..=15;

/// How much longer the other member has to be.
const MUCH_LONGER: i64 = 4;
