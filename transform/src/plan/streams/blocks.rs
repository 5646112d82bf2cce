//! Sums that walk over the same matrix in different directions.
//!
//! | what is open | form |
//! |---|---|
//! | nothing goes backwards along rows or columns (`q = A p; s = A^T r`) | strips of 16 rows that stay in the first level cache, all sums on each strip; threads take parts of the columns in waves |
//! | nothing goes backwards along rows (`t = A x; y = A^T t`) | each sum some blocks of rows behind the one before, so that threads can take parts of the columns in waves; where rows are too long for that, blocks of rows, sum after sum on each |
//!
//! ```text
//! for wave { parallel (block of rows, part of columns) in wave
//!   for 16 rows, for strips of columns { q += A p on the strip;  s += A^T r on the strip } }
//! ```

use super::matrix::{Stream, Streams};
use super::{Nest, ROWS, Sums, multiple, part_of};
use crate::live::statements;
use crate::plan::{Place, Planner};
use crate::simd::reordered;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, Map, Set, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};
use std::cmp::Reverse;

/// Bytes of a block of rows that threads share: enough work between two meetings, and little more than what their second
/// level caches hold.
const BLOCK_OF_THREADS: i64 = 3 << 19;

/// Rows of a block in a wave: few, so that all threads have work soon, but enough between two meetings.
const ROWS_OF_WAVE: i64 = 2 * ROWS;

/// Parts of the columns where one sum follows another: each has its own distance to cover, and what lies between the two
/// sums has to stay in cache.
const PARTS: i64 = 2;

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
        let strips = tile_band(
            &Band::of_rows(&[&row, &column], true, Tree::Leaf)?,
            &tiling,
            &mut self.sizes,
        );
        if !place.parallel {
            return Ok(Some(strips));
        }
        let bytes = streams.values().flatten().map(|s| s.row_bytes).max();
        let columns = bytes.unwrap_or(1) / element;
        let part = multiple(columns / PARTS, ROWS_OF_WAVE);
        let block = (ROWS_OF_WAVE, part);
        let dealt = Distribution::Static;
        Ok(Some(self.waves((&row, &column), block, dealt, strips)?))
    }

    /// Blocks of so many rows and columns in waves: a thread takes a part of the columns, one block of rows behind its
    /// neighbour, or with pipelined rows of blocks one row of them after the other. Waves are of squares, so the rows are
    /// stretched to make them so.
    pub(super) fn waves(
        &mut self,
        (row, column): (&UnionPwAff, &UnionPwAff),
        (rows, columns): (i64, i64),
        dealt: Distribution,
        child: Tree,
    ) -> poly::Result<Tree> {
        let stretch = (columns / rows).max(1);
        let steep = row.scale_si(stretch)?;
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(stretch * rows); 2]],
            wavefront: vec![0, 1],
            loops: vec![LoopKind::Parallel(dealt), LoopKind::Sequential],
            points: Some(child),
            ..BandTiling::default()
        };
        Ok(tile_band(
            &Band::of_rows(&[&steep, column], true, Tree::Leaf)?,
            &tiling,
            &mut self.sizes,
        ))
    }

    /// Sums of which one needs all that another yields on a row, in waves: the second follows so many blocks of rows behind
    /// the first that no thread waits within a wave. With `p` the part of the columns, [`PARTS`] in all, and blocks of `R`
    /// rows:
    ///
    /// ```text
    /// for wave { parallel p {  t += A x    where  floor(i / R) + p     = wave       a chain along the columns: part by part
    ///                          y += A^T t  where  floor(i / R) + PARTS = wave } }   all parts at once
    /// ```
    ///
    /// A thread finds the blocks between the two sums in its second level cache. Yields the instances for which it is
    /// legal too, those of matrices with so few columns; `None` where the blocks do not fit, or where something goes
    /// backwards along the rows, or along the columns within one sum.
    pub(super) fn followed(
        &mut self,
        parts: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
        (sums, streams): (&Sums, &Streams),
    ) -> poly::Result<Option<Branch>> {
        let Some(nest) = parts.first().and_then(|p| Nest::of(self, p, sums)) else {
            return Ok(None);
        };
        let known = |s: &Stream| s.fixed.then_some(s.row_bytes);
        let bytes: Option<Vec<i64>> = streams.values().flatten().map(known).collect();
        let Some(bytes) = bytes.and_then(|b| b.into_iter().max()) else {
            return Ok(None);
        };
        let columns = multiple(multiple(bytes / nest.element, PARTS) / PARTS, 2 * ROWS);
        let blocks = PARTS * (parts.len() as i64 - 1) + 1;
        let near = blocks * ROWS * columns * nest.element <= self.target.l2 as i64 / 2;
        if !place.parallel || parts.len() < 2 || !near {
            return Ok(None);
        }
        let row = self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| s.outer))?;
        let column =
            self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| 1 - s.outer))?;
        let (Some(row), Some(column)) = (row, column) else {
            return Ok(None);
        };
        if !place.live.respects(&row)? {
            return Ok(None);
        }
        let Some(filter) = fewer_than(PARTS * columns, &column, place)? else {
            return Ok(None);
        };
        let place = Place {
            parallel: false,
            ..place.inside(&filter)?
        };
        let part = column.scale_down_si(columns)?.floor()?;
        let block = row.scale_down_si(ROWS)?.floor()?;
        let mut wave: Option<UnionPwAff> = None;
        let mut late = 0;
        for own in parts {
            let all = self.instances(own)?;
            let live = place.inside(&all)?.live;
            if !live.respects(&column)? {
                return Ok(None);
            }
            let ahead = live.coincident(&column)?;
            let all = all.universe_of()?;
            let own = UnionPwAff::si_on_domain(&all, late)?;
            let mut own = block.intersect_domain(&all)?.add(&own)?;
            late += 1;
            if !ahead {
                own = own.add(&part)?;
                late += PARTS - 1;
            }
            wave = Some(match wave {
                None => own,
                Some(w) => w.union_add(&own)?,
            });
        }
        let wave = wave.expect("two or more sums");
        let (mut nests, _) = self.nests(parts, band, &place, sums)?;
        // In a wave nothing depends on anything. Who comes last in the chain lets go of rows before others bring new ones.
        nests.reverse();
        let waves = Band {
            permutable: false,
            ..Band::of_rows(&[&wave, &part], true, Tree::Leaf)?
        };
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(1); 2]],
            loops: vec![
                LoopKind::Sequential,
                LoopKind::Parallel(Distribution::Static),
            ],
            points: Some(Tree::Sequence(nests)),
            ..BandTiling::default()
        };
        let child = tile_band(&waves, &tiling, &mut self.sizes);
        Ok(Some(Branch { filter, child }))
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
            &Band::of_rows(&[&row], true, Tree::Leaf)?,
            &tiling,
            &mut self.sizes,
        )))
    }
}

/// All instances, for those parameters with which a row stays below a limit; `None` if it never does.
fn fewer_than(limit: i64, row: &UnionPwAff, place: &Place) -> poly::Result<Option<UnionSet>> {
    let mut fit: Option<Set> = None;
    for own in row.intersect_domain(&place.domain)?.pw_affs()? {
        let values = Map::from_pw_aff(&own)?.range()?;
        let free = values.intersect(&at_least(limit, &values)?)?.params()?;
        let few = values.params()?.subtract(&free)?.coalesce()?;
        fit = Some(match fit {
            None => few,
            Some(f) => f.intersect(&few)?,
        });
    }
    let filter = fit.map(|f| place.domain.intersect_params(&f)).transpose()?;
    match filter {
        Some(f) if !f.is_empty()? => Ok(Some(f)),
        _ => Ok(None),
    }
}

/// Values of one dimension from a limit on.
fn at_least(limit: i64, values: &Set) -> poly::Result<Set> {
    Set::universe(&values.space()?)?.lower_bound_si(DimType::Set, 0, limit)
}
