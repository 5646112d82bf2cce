//! Sums that walk over the same matrix in different directions.
//!
//! | what is open | form |
//! |---|---|
//! | nothing goes backwards along rows or columns (`q = A p; s = A^T r`) | strips of 16 rows that stay in the first level cache, all sums on each strip; threads take parts of the columns in waves |
//! | nothing goes backwards along rows (`t = A x; y = A^T t`) | blocks of rows, sum after sum on each |
//!
//! ```text
//! for wave { parallel (block of rows, part of columns) in wave
//!   for 16 rows, for strips of columns { q += A p on the strip;  s += A^T r on the strip } }
//! ```

use super::matrix::Streams;
use super::{EVEN_STRIPS, Nest, ROWS, Sums, multiple, part_of};
use crate::live::statements;
use crate::plan::{Place, Planner};
use crate::simd::reordered;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};
use std::cmp::Reverse;

/// Bytes of a block of rows that threads share: enough work between two meetings, and little more than what their second
/// level caches hold.
const BLOCK_OF_THREADS: i64 = 3 << 19;

/// Rows of a block in a wave: few, so that all threads have work soon, but enough between two meetings.
const ROWS_OF_WAVE: i64 = 2 * ROWS;

/// Rows that threads can share evenly.
const EVEN_BLOCK: i64 = 2 * ROWS;

impl Planner<'_> {
    /// Sums that take turns on strips of a few rows, in any order of strips that goes forward; `None` if something that
    /// is open goes backwards from strip to strip.
    pub(super) fn strips(
        &mut self,
        parts: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
        (sums, streams): (&Sums, &Streams),
    ) -> poly::Result<Option<Tree>> {
        let mut nests = vec![];
        for part in parts {
            let (&[id], Some(nest)) = (&part[..], Nest::of(self, part, sums)) else {
                return Ok(None);
            };
            nests.push((nest, id));
        }
        let row = self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| s.outer))?;
        let column =
            self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| 1 - s.outer))?;
        let (Some(row), Some(column)) = (row, column) else {
            return Ok(None);
        };
        if nests.len() < 2 || !place.live.respects(&row)? || !place.live.respects(&column)? {
            return Ok(None);
        }
        if place.live.edges().is_empty() {
            // Who comes first waits for memory; squares of rows are asked for ahead.
            nests.sort_by_key(|(nest, _)| Reverse(nest.roles.form));
        }
        let mut branches = vec![];
        for (nest, id) in &nests {
            let filter = self.instances(&[*id])?;
            let part = part_of(band, &place.inside(&filter)?)?;
            let part = reordered(&part, &[nest.roles.lane, nest.roles.reduction])?;
            let child = self.stream_part(nest, &part, *id, sums)?;
            branches.push(Branch { filter, child });
        }
        let width = nests.iter().map(|(n, _)| n.width()).max().unwrap_or(1);
        let element = nests[0].0.element;
        let strip = self.near_strip(ROWS * element, width);
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(ROWS), Size::Const(strip)]],
            points: Some(Tree::Sequence(branches)),
            ..BandTiling::default()
        };
        let strips = tile_band(&plain_band(&[&row, &column])?, &tiling, &mut self.sizes);
        if !place.parallel {
            return Ok(Some(strips));
        }
        let bytes = streams.values().flatten().map(|s| s.row_bytes).max();
        let columns = bytes.unwrap_or(1) / element;
        let part = multiple(columns / EVEN_STRIPS, ROWS_OF_WAVE);
        let block = (ROWS_OF_WAVE, part);
        Ok(Some(self.waves((&row, &column), block, strips)?))
    }

    /// Blocks of so many rows and columns in waves: a thread takes a part of the columns, one block of rows behind its
    /// neighbour. Waves are of squares, so the rows are stretched to make them so.
    pub(super) fn waves(
        &mut self,
        (row, column): (&UnionPwAff, &UnionPwAff),
        (rows, columns): (i64, i64),
        child: Tree,
    ) -> poly::Result<Tree> {
        let stretch = (columns / rows).max(1);
        let steep = row.scale_si(stretch)?;
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(stretch * rows); 2]],
            wavefront: vec![0, 1],
            loops: vec![
                LoopKind::Parallel(Distribution::Static),
                LoopKind::Sequential,
            ],
            points: Some(child),
            ..BandTiling::default()
        };
        Ok(tile_band(
            &plain_band(&[&steep, column])?,
            &tiling,
            &mut self.sizes,
        ))
    }

    /// A multiple of `width` columns so narrow that a strip with so many bytes in a column stays in the first level cache.
    pub(super) fn near_strip(&self, column_bytes: i64, width: i64) -> i64 {
        (self.target.l1 as i64 / 2 / column_bytes / width * width).max(width)
    }

    /// For each statement one member of the band.
    fn member_of_matrix(
        &self,
        band: &Band,
        place: &Place,
        member: impl Fn(StmtId) -> Option<usize>,
    ) -> poly::Result<Option<UnionPwAff>> {
        let mut all: Option<UnionPwAff> = None;
        for id in statements(self.scop, &place.domain)? {
            let Some(m) = member(id) else { return Ok(None) };
            let own = self.scop.stmt(id).domain.to_union_set()?.universe_of()?;
            let row = band.schedule.at(m)?.intersect_domain(&own)?;
            all = Some(match all {
                None => row,
                Some(r) => r.union_add(&row)?,
            });
        }
        Ok(all)
    }

    /// Nests that walk over the same matrix, block of rows by block of rows: what one brought into cache the next finds
    /// there. The nests themselves where there is but one, or their order does not allow it.
    pub(super) fn row_block(
        &mut self,
        nests: Vec<Branch>,
        band: &Band,
        place: &Place,
        streams: &Streams,
    ) -> poly::Result<Result<Tree, Vec<Branch>>> {
        if nests.len() < 2 {
            return Ok(Err(nests));
        }
        let row = self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| s.outer))?;
        let Some(row) = row else {
            return Ok(Err(nests));
        };
        if !place.live.respects(&row)? {
            return Ok(Err(nests));
        }
        let row_bytes = streams.values().flatten().map(|s| s.row_bytes).max();
        let row_bytes = row_bytes.unwrap_or(1);
        let (bytes, unit) = match place.parallel {
            true => (BLOCK_OF_THREADS, EVEN_BLOCK),
            false => (self.target.l2 as i64 / 2, ROWS),
        };
        let size = Size::Runtime {
            default: multiple(bytes / row_bytes - unit / 2, unit),
            multiple_of: unit,
        };
        let tiling = BandTiling {
            levels: vec![vec![size]],
            points: Some(Tree::Sequence(nests)),
            ..BandTiling::default()
        };
        let tiling = self.settled(tiling);
        Ok(Ok(tile_band(
            &plain_band(&[&row])?,
            &tiling,
            &mut self.sizes,
        )))
    }
}

/// A permutable band of these members.
fn plain_band(members: &[&UnionPwAff]) -> poly::Result<Band> {
    let mut schedule: Option<MultiUnionPwAff> = None;
    for row in members {
        let row = MultiUnionPwAff::from_union_pw_aff(row)?;
        schedule = Some(match schedule {
            None => row,
            Some(s) => s.flat_range_product(&row)?,
        });
    }
    Ok(Band {
        schedule: schedule.expect("a band has members"),
        permutable: true,
        coincident: vec![false; members.len()],
        loops: vec![LoopKind::Sequential; members.len()],
        tile: None,
        child: Tree::Leaf,
    })
}
