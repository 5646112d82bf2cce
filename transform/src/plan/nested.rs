//! Nested bands that are one band.
//!
//! The search ends a band where some dependence goes backwards in every further row. Below the steps of a sweep fewer
//! dependences are open, and a part of the statements stands alone, so that a band and its child may be interchanged:
//!
//! ```text
//! for k: for j: { for i: r[k][j] += q[i][k] * a[i][j];  for i: a[i][j] -= q[i][k] * r[k][j] }
//!
//! band [k, j] - sequence - band [i]     in sweeps over k:     band [k] - sequence - band [j] - band [i]
//!                        - band [i]                                               - band [j] - band [i]
//! ```
//!
//! where `j` and `i` of the first statement may change places (its own chain of sums keeps its order), and of the second.
//! The member along which accesses are contiguous then goes innermost.

use super::{Place, Planner};
use crate::schedule::order;
use crate::simd::reordered;
use polytile_analysis::poly::{self, MultiUnionPwAff};
use polytile_analysis::tree::{Band, LoopKind, Tree};

impl Planner<'_> {
    /// A tree with all nested bands as one where they may be.
    pub(super) fn interchanged(&self, tree: &Tree, place: &Place) -> poly::Result<Tree> {
        let Tree::Band(band) = tree else {
            return tree.with_children(|child, filter| match filter {
                Some(filter) => self.interchanged(child, &place.inside(filter)?),
                None => self.interchanged(child, place),
            });
        };
        let mut band = match self.nested(band, place)? {
            Some(longer) => longer,
            None => (**band).clone(),
        };
        let below = place.below(&band.schedule)?;
        band.child = self.interchanged(&band.child, &below)?;
        Ok(Tree::Band(Box::new(band)))
    }

    /// A band with the members of the bands right below it, as far as all may be interchanged; `None`: nothing changes.
    pub(super) fn nested(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        let mut whole = band.clone();
        while let Some(longer) = self.with_child(&whole, place)? {
            whole = longer;
        }
        if whole.schedule.size() == band.schedule.size() {
            return Ok(None);
        }
        let order = self.contiguous_last(&whole, place)?;
        Ok(Some(reordered(&whole, &order)?))
    }

    fn with_child(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        let Tree::Band(child) = &band.child else {
            return Ok(None);
        };
        let plain = |b: &Band| {
            b.tile.is_none() && b.is_sequential() && (b.permutable || b.schedule.size() == 1)
        };
        if !plain(band) || !plain(child) {
            return Ok(None);
        }
        let mut longer = band.clone();
        longer.permutable = true;
        for m in 0..child.schedule.size() {
            let row = child.schedule.at(m)?;
            if !place.live.respects(&row)? {
                return Ok(None);
            }
            longer.coincident.push(place.live.coincident(&row)?);
            longer.loops.push(LoopKind::Sequential);
            let row = MultiUnionPwAff::from_union_pw_aff(&row)?;
            longer.schedule = longer.schedule.flat_range_product(&row)?;
        }
        for m in 0..band.schedule.size() {
            if !place.live.respects(&band.schedule.at(m)?)? {
                return Ok(None);
            }
        }
        longer.child = child.child.clone();
        Ok(Some(longer))
    }

    /// Coincident members first, and last the coincident one with most contiguous accesses: if there is only one, where
    /// it has more of them than any other member.
    fn contiguous_last(&self, band: &Band, place: &Place) -> poly::Result<Vec<usize>> {
        let members = band.schedule.size();
        let score = self.contiguity(&[&band.schedule], place)?;
        let free: Vec<usize> = (0..members).filter(|&m| band.coincident[m]).collect();
        if let [only] = free[..]
            && (0..members).all(|m| m == only || score[m] < score[only])
        {
            return Ok((0..members).filter(|&m| m != only).chain([only]).collect());
        }
        Ok(order::lanes_last(&band.coincident, |m| score[m]))
    }
}
