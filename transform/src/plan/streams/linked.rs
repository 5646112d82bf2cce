//! Substitutions: sums that end with what other sums of the same nest yield.
//!
//! ```text
//! for i: for j < i: x[i] -= L[i][j] * x[j]
//! ```
//!
//! The newest value comes last in each sum, so blocks of rows may take all that is finished at once. Threads run rows of
//! blocks, each a block behind the row above: the matrix is read along its rows.

use super::{Nest, Sums};
use crate::cost::Reference;
use crate::plan::{Place, Planner};
use crate::simd::{Form, member_steps, reordered};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Tree};

/// Steps of a tile of a substitution, in register tiles: enough that a tile's entry does not count.
const LINKED_TILES: i64 = 16;

/// Rows of a block that threads take, in register tiles.
const ROWS_OF_BLOCK: i64 = 4;

impl Planner<'_> {
    /// The tiles of a sum that others depend on in a circle (a substitution: a sum ends with the newest of the values
    /// that the others yield). Tiles in which nothing flows from one cell to another are register tiles; the others, near
    /// the diagonal, run instance by instance.
    pub(super) fn linked_nest(
        &mut self,
        nest: &Nest,
        band: &Band,
        place: &Place,
        group: &[StmtId],
        sums: &Sums,
    ) -> poly::Result<Option<Tree>> {
        let own: Vec<StmtId> = group
            .iter()
            .copied()
            .filter(|s| sums.contains_key(s))
            .collect();
        let &[sum] = &own[..] else { return Ok(None) };
        if nest.roles.form != Form::Transposed || self.steady_feedback(sum, nest, band, place)? {
            return Ok(None);
        }
        let band = reordered(band, &[nest.roles.lane, nest.roles.reduction])?;
        let (rows, steps) = (nest.width(), LINKED_TILES * nest.width());
        let cache = vec![Size::Const(rows), Size::Const(steps)];
        let tiling = BandTiling {
            levels: vec![cache, vec![Size::Const(rows), Size::Whole]],
            points: Some(nest.marked(sum, Tree::Band(Box::new(band.clone())))),
            ..BandTiling::default()
        };
        let tiles = tile_band(&band, &tiling, &mut self.sizes);
        if !place.parallel {
            return Ok(Some(tiles));
        }
        // A block of rows waits for the blocks on the diagonal left of it, not for the ones between.
        let (row, column) = (band.schedule.at(0)?, band.schedule.at(1)?);
        let block = [ROWS_OF_BLOCK * rows, steps].map(Size::Const);
        Ok(Some(self.following((&row, &column), block, tiles)?))
    }

    /// Whether some read of the written array, besides that of the sum itself, stays in place along the reduction: then
    /// values flow inside of all tiles.
    fn steady_feedback(
        &self,
        sum: StmtId,
        nest: &Nest,
        band: &Band,
        place: &Place,
    ) -> poly::Result<bool> {
        let stmt = self.scop.stmt(sum);
        let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
            return Ok(true);
        };
        for read in stmt
            .reads()
            .iter()
            .filter(|r| r.array == stmt.write().array)
        {
            let Some(Some(r)) = Reference::of(self.scop, stmt, read, &steps)? else {
                return Ok(true);
            };
            let steady = r.moves.iter().all(|d| d[nest.roles.reduction] == 0);
            if steady && !read.relation.is_equal(&stmt.write().relation)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
