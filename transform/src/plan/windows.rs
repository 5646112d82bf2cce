//! Sums over windows: sums that keep their order, inside several independent loops.
//!
//! ```text
//! for i: for j: for y: for x:  out[i][j] += w[y][x] * in[i+y][j+x]
//! ```
//!
//! No operand of a filter ignores a whole row or lane of a register tile, and the innermost loop is the sum's. But all of
//! `i` and `j` are independent, and along `j` every access is contiguous or stands still, or the loops inside follow its elements
//! (every second pixel): its iterations run in vector lanes, each with its own sum, in its order, in a register
//! ([`Planner::lanes`]). The other independent loops stay around them.
//!
//! ```text
//! for i: for j in vectors: for y: for x:  out[i][j..] += w[y][x] * in[i+y][j+x..]
//! ```

use super::lanes::{Needs, chains};
use super::{Place, Planner, Tiling};
use crate::simd::reordered;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Tree};

impl Planner<'_> {
    /// The tree of a band of independent loops around sums, with one of them next to the sums, in lanes; `None` where none
    /// suits.
    pub(super) fn windows(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off || !band.permutable {
            return Ok(None);
        }
        let members = 0..band.schedule.size();
        let (free, carrying): (Vec<usize>, Vec<usize>) = members.partition(|&m| band.coincident[m]);
        if free.len() < 2 || !chains(!carrying.is_empty(), &band.child)? {
            return Ok(None);
        }
        for &lane in free.iter().rev() {
            let needs = self.needs_of_all(&band.schedule.at(lane)?, place)?;
            if !needs.is_some_and(|each| each.iter().all(Needs::has_only_vectors)) {
                continue;
            }
            let others: Vec<usize> = free.iter().copied().filter(|&m| m != lane).collect();
            let inner: Vec<usize> = std::iter::once(lane)
                .chain(carrying.iter().copied())
                .collect();
            let mut outer = reordered(band, &others)?;
            outer.child = Tree::Band(Box::new(reordered(band, &inner)?));
            return Ok(Some(self.plain(&outer, place)?));
        }
        Ok(None)
    }
}
