//! Recurrences down the columns of matrices.
//!
//! ```text
//! for j: for i: y[i][j] = x[i][j] + b * y[i-1][j]
//! ```
//!
//! Each column is a chain of its own, and the columns lie side by side: whole rows of a strip of columns are vectors, and
//! one row of the strip follows the other.
//!
//! ```text
//! parallel strips of columns: for i: vector j in strip: y[i][j] = x[i][j] + b * y[i-1][j]
//! ```
//!
//! The form is meant for a permutable band of two members of which one is coincident and moves every access of every
//! statement by one element or not at all, while the other carries something. Statements at an end of the columns only may access
//! anything: there is one of them for a whole column.
//!
//! Where rows of a matrix go by, a strip is as wide as the second level cache holds its rows, and equal parts go to threads. Rows come from memory,
//! and a narrow strip takes a short run of a row and then goes on in another one, which those who fetch ahead do not foresee: maxima of the columns
//! of 2000 x 2000 doubles took 2.9 ms on one thread (Zen 3) in strips as wide as the matrix, 4.8 in strips of 1024 columns and 6.5 in strips of 256.
//! What all rows take again stays in the first level cache in narrow strips (forces between all bodies: 1.1 times as fast in strips of 256).

use super::streams::is_plain;
use super::{Place, Planner};
use crate::live::statements;
use crate::simd::{member_steps, moves_along, reordered};
use crate::tile::points::sweeps;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::poly::{self, UnionSet};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Distribution, LoopKind, Tree};

/// Columns of a strip, at least.
const STRIP: i64 = 256;

impl Planner<'_> {
    /// Strips of columns of a band of that form; `None`: another form.
    pub(super) fn columns(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let lane = match band.coincident[..] {
            [true, false] => 0,
            [false, true] => 1,
            _ => return Ok(None),
        };
        if !is_plain(band) || !self.is_contiguous(lane, band, place)? {
            return Ok(None);
        }
        let down = reordered(band, &[1 - lane, lane])?;
        let Some(points) = sweeps(self.scop, &place.live, &down, &place.domain)? else {
            return Ok(None);
        };
        let streamed = self.is_streamed(lane, band, place)?;
        let default = match streamed {
            true => self.strip(&place.domain)?,
            false => STRIP,
        };
        let strip = Size::Runtime {
            default,
            multiple_of: 1,
        };
        let first = match place.parallel {
            true => LoopKind::Parallel(Distribution::Static),
            false => LoopKind::Sequential,
        };
        let tiling = BandTiling {
            levels: vec![vec![strip, Size::Whole]],
            loops: vec![first, LoopKind::Sequential],
            points: Some(points),
            ..BandTiling::default()
        };
        let tiling = self.settled(match streamed {
            true => self.dealt(tiling),
            false => tiling,
        });
        let strips = reordered(band, &[lane, 1 - lane])?;
        Ok(Some(tile_band(&strips, &tiling, &mut self.sizes)))
    }

    /// Whether an access moves along the lanes and down the columns: rows of a matrix, each of which is taken once.
    fn is_streamed(&self, lane: usize, band: &Band, place: &Place) -> poly::Result<bool> {
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let steps = member_steps(stmt, &place.outer, &band.schedule)?.unwrap_or_default();
            let [Some(a), Some(b)] = &steps[..] else {
                continue;
            };
            let (along, down) = if lane == 0 { (a, b) } else { (b, a) };
            for access in &stmt.accesses {
                let row = match moves_along(self.scop, access, down)? {
                    Stride::Zero | Stride::Irregular => false,
                    Stride::Symbolic(_) => true,
                    Stride::Const(s) => {
                        s.abs() >= i128::from(STRIP) * i128::from(access.ty.bytes())
                    }
                };
                if row && moves_along(self.scop, access, along)? != Stride::Zero {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Columns whose elements of a row, of all accesses, are half of the second level cache.
    fn strip(&self, domain: &UnionSet) -> poly::Result<i64> {
        let mut bytes = 0;
        for id in statements(self.scop, domain)? {
            let accesses = &self.scop.stmt(id).accesses;
            bytes += accesses.iter().map(|a| a.ty.bytes()).sum::<u64>();
        }
        let fit = (self.target.l2 / 2 / bytes.max(1)) as i64;
        Ok((fit / STRIP * STRIP).max(STRIP))
    }

    /// Whether a member moves every access by one element or not at all, but in statements for which the other one stands still.
    fn is_contiguous(&self, member: usize, band: &Band, place: &Place) -> poly::Result<bool> {
        let mut any = false;
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            let Some(mut steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
                return Ok(false);
            };
            let Some(step) = steps[member].take() else {
                return Ok(false);
            };
            let at_end = steps[1 - member].is_none();
            let mut moved = false;
            let mut apart = false;
            for a in &stmt.accesses {
                match moves_along(self.scop, a, &step) {
                    Ok(Stride::Zero) => {}
                    Ok(s) if s == Stride::Const(i128::from(a.ty.bytes())) => moved = true,
                    _ => apart = true,
                }
            }
            if !at_end && (apart || !moved) {
                return Ok(false);
            }
            any |= !at_end;
        }
        Ok(any)
    }
}
