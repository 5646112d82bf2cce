//! Sums that walk over the same matrix in different directions.
//!
//! | what is open | form |
//! |---|---|
//! | nothing, and both read the same elements (`q = A p; s = A^T r`) | squares in 16 rows, loaded once for both ([`shared`](super::shared)) |
//! | nothing goes backwards along rows or columns | strips of 16 rows that stay in the first level cache, all sums on each strip |
//! | nothing goes backwards along rows (`t = A x; y = A^T t`) | blocks of 16 rows, sum after sum on each |
//!
//! All forms go through blocks of rows and, in each, through parts of the columns. Threads take blocks of rows, each a part
//! behind the block above (rows of tiles that wait for their neighbours): a sum along a row stays with one thread, a sum
//! down a column goes from thread to thread, and each thread reads its part of the matrix once, along its rows. With
//! `C` the columns:
//!
//! ```text
//! parallel block of 16 rows { stage j: part of the columns             waits for the part j of the block above
//!   for strips of columns { q += A p on the strip;  s += A^T r on the strip } }
//!
//! parallel block of 16 rows { stage j: part of 0 .. 2 C
//!   t += A x on columns j (below C);  y += A^T t on columns j - C (from C on), from the second level cache }
//! ```
//!
//! As many threads work at the same time as there are parts, so these get narrower with more threads (16 for rows of 2000;
//! a part of 16 rows and 384 columns takes one microsecond, and one counter per part is written and read: 0.05 to 0.1).
//! On two threads, parts of 192 columns were measured to take 4 % longer than parts of 384, and waves over two halves of the
//! columns 6 to 15 % longer.

use super::matrix::Streams;
use super::{Nest, ROWS, Sums, multiple, part_of};
use crate::live::statements;
use crate::plan::{Place, Planner};
use crate::simd::{Form, reordered};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Map, PwAff, UnionPwAff};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};
use std::cmp::Reverse;

/// Bytes of a block of rows that threads share: enough work between two meetings, and little more than what their second
/// level caches hold.
const BLOCK_OF_THREADS: i64 = 3 << 19;

/// Strips of a part of the columns at most: enough work between two looks at a counter.
const STRIPS_OF_PART: i64 = 2;

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
        let square = self.shared_square(&nests, place, (&row, &column))?;
        let mut branches = vec![];
        for (nest, id) in &mut nests {
            if square.is_some() && nest.roles.form == Form::Direct {
                nest.vectors = 1;
            }
            let filter = self.instances(&[*id])?;
            let inside = place.inside(&filter)?;
            let part = part_of(band, &inside)?;
            let part = reordered(&part, &[nest.roles.lane, nest.roles.reduction])?;
            let child = self.stream_part(nest, &part, *id, (sums, &inside))?;
            branches.push(Branch { filter, child });
        }
        let width = nests.iter().map(|(n, _)| n.width()).max().unwrap_or(1);
        let element = nests[0].0.element;
        let strip = self.near_strip(ROWS * element, width);
        let sums = Tree::Sequence(branches);
        let rows = (&row, &column);
        let strips = match square {
            Some(lanes) => self.squares(rows, lanes, sums, place.parallel)?,
            None => self.strips_of_rows(rows, strip, sums)?,
        };
        if !place.parallel {
            return Ok(Some(strips));
        }
        let block = [Size::Const(ROWS), part_of_columns(strip, width)];
        Ok(Some(self.following((&row, &column), block, strips)?))
    }

    /// Strips of so many columns.
    fn strips_of_rows(
        &mut self,
        (row, column): (&UnionPwAff, &UnionPwAff),
        strip: i64,
        sums: Tree,
    ) -> poly::Result<Tree> {
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(ROWS), Size::Const(strip)]],
            points: Some(sums),
            ..BandTiling::default()
        };
        let band = Band::of_rows(&[row, column], true, Tree::Leaf)?;
        Ok(tile_band(&band, &tiling, &mut self.sizes))
    }

    /// Rows of blocks, which threads take, each a block behind the row above.
    pub(super) fn following(
        &mut self,
        (row, column): (&UnionPwAff, &UnionPwAff),
        block: [Size; 2],
        child: Tree,
    ) -> poly::Result<Tree> {
        let tiling = BandTiling {
            levels: vec![block.to_vec()],
            wavefront: vec![0, 1],
            loops: vec![
                LoopKind::Parallel(Distribution::Pipelined),
                LoopKind::Sequential,
            ],
            points: Some(child),
            ..BandTiling::default()
        };
        let tiling = self.settled(tiling);
        Ok(tile_band(
            &Band::of_rows(&[row, column], true, Tree::Leaf)?,
            &tiling,
            &mut self.sizes,
        ))
    }

    /// Sums of which one needs all that another yields on a row: each walks over a block of rows when the one before is
    /// through with it, so its columns come after those of the one before. `None` if something goes backwards along the rows,
    /// or along the columns within one sum.
    pub(super) fn followed(
        &mut self,
        parts: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
        (sums, streams): (&Sums, &Streams),
    ) -> poly::Result<Option<Tree>> {
        let Some(nest) = parts.first().and_then(|p| Nest::of(self, p, sums)) else {
            return Ok(None);
        };
        if !place.parallel || parts.len() < 2 {
            return Ok(None);
        }
        let row = self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| s.outer))?;
        let column =
            self.member_of_matrix(band, place, |m| streams[&m].first().map(|s| 1 - s.outer))?;
        let (Some(row), Some(column)) = (row, column) else {
            return Ok(None);
        };
        let Some(columns) = columns(&column, place)? else {
            return Ok(None);
        };
        let mut late: Option<UnionPwAff> = None;
        for (n, own) in parts.iter().enumerate() {
            let all = self.instances(own)?;
            if !place.inside(&all)?.live.respects(&column)? {
                return Ok(None);
            }
            let before = columns.scale_si(n as i64)?;
            for own in column.intersect_domain(&all.universe_of()?)?.pw_affs()? {
                let before = before.insert_domain(&own.domain_space()?)?;
                let own = UnionPwAff::from_pw_aff(&own.add(&before)?)?;
                late = Some(match late {
                    None => own,
                    Some(w) => w.union_add(&own)?,
                });
            }
        }
        let late = late.expect("two or more sums");
        if !place.live.respects(&row)? || !place.live.respects(&late)? {
            return Ok(None);
        }
        let place = Place {
            parallel: false,
            ..place.clone()
        };
        let (nests, _) = self.nests(parts, band, &place, sums)?;
        let strip = self.near_strip(ROWS * nest.element, nest.width());
        let block = [Size::Const(ROWS), part_of_columns(strip, nest.width())];
        let tree = self.following((&row, &late), block, Tree::Sequence(nests))?;
        Ok(Some(tree))
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

/// The columns of a part: fewer where more threads wait for one.
fn part_of_columns(strip: i64, width: i64) -> Size {
    Size::Dealt {
        most: STRIPS_OF_PART * strip,
        multiple_of: multiple(strip / 2, width),
    }
}

/// How many columns there are; `None` if that is no affine function of the parameters.
fn columns(column: &UnionPwAff, place: &Place) -> poly::Result<Option<PwAff>> {
    let mut all: Option<PwAff> = None;
    for own in column.intersect_domain(&place.domain)?.pw_affs()? {
        let last = Map::from_pw_aff(&own)?.range()?.dim_max(0)?.coalesce()?;
        all = Some(match all {
            None => last,
            Some(l) => l.max(&last)?.coalesce()?,
        });
    }
    let Some(last) = all else { return Ok(None) };
    let pieces = last.pieces()?;
    match &pieces[..] {
        [(_, last)] if !last.involves_locals()? => {
            Ok(Some(PwAff::from_aff(last)?.add_constant_si(1)?))
        }
        _ => Ok(None),
    }
}
