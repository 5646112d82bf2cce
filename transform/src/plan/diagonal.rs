//! Chains in both directions of a plane: vector lanes along its diagonals (the hyperplane method, Lamport 1974).
//!
//! ```text
//! for i: for j: s[i][j] = max(s[i-1][j-1] + c[i][j], max(s[i-1][j], s[i][j-1]) - g)
//! ```
//!
//! Each member of the band carries a dependence, so neither rows nor columns are independent. In a permutable band no distance
//! is negative: points of equal `x = j + i` do not depend on each other. A strip of as many rows as there are lanes is
//! walked along `x`, lane `r` one column behind lane `r - 1`:
//!
//! ```text
//! band [.., i, j]    ->    tiles [.., i] - strips [i / W] - band [.., x = j + k i, i (diagonal)]
//!
//!   for x:  up = (s[i0-1][x], lanes of the step before shifted by one);   s = f(s, up, ..)      W rows in vectors
//! ```
//!
//! Several statements of a point run one after the other in each step, each in all lanes.
//!
//! What lanes hand on stays in registers, and elements reach memory in transposed squares (`codegen/src/lanes/diagonal.rs`).
//! `k` is 0 where the rows of a strip are independent at equal `j`, else 1. Tiles run in waves as others do; with two members
//! they are cut along `x` too, so that their first and last diagonals are as long as the others.

use super::band::for_threads;
use super::lanes::{ROWS, VECTORS};
use super::{Place, Planner, Tiling, members};
use crate::cost::Model;
use crate::live::{Distance, Live, row_of, statements};
use crate::simd::lanes::vectorizable;
use crate::simd::{member_steps, moves_along, reordered};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::deps::{DepKind, Dependence};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{self, Map, Set, UnionPwAff};
use polytile_analysis::region::Ty;
use polytile_analysis::scop::{Access, AccessKind, Place as Location, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, DIAGONAL_REACH, Distribution, LoopKind, Rest, Tree};
use std::collections::BTreeSet;

/// Moving elements in squares pays from so many lanes on.
const MIN_LANES: u32 = 4;

/// Rows of a tile, and steps of outer members, where whole rows are walked.
const ROWS_OF_TILE: i64 = 64;

/// Rows and steps of a tile that is cut in both directions: rows of steps are much longer than the set-up of a strip.
const TILE: i64 = 512;

/// Columns that a lane is behind the one before it, at most.
const MAX_SKEW: i64 = 4;

/// A band whose last two members are the steps of a strip and its rows.
struct Diagonals {
    band: Band,
    lanes: u32,
    vectors: u32,
}

impl Planner<'_> {
    /// A band without independent member in diagonals; `None`: it is not of this kind.
    pub(super) fn diagonals(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !self.options.register_tiles || self.options.tiling == Tiling::Off {
            return Ok(None);
        }
        let Some(found) = self.in_diagonals(band, place)? else {
            return Ok(None);
        };
        let members = found.band.schedule.size();
        let (steps, rows) = (members - 2, members - 1);
        let width = i64::from(found.lanes * found.vectors);
        let mut sizes = vec![
            Size::Runtime {
                default: self.diagonal_tile(&found.band, place, width)?,
                multiple_of: width,
            };
            members
        ];
        if members > 2 || !place.parallel {
            sizes[steps] = Size::Whole;
        }
        if members == 2 && !place.parallel {
            sizes[rows] = Size::Whole;
        }
        let mut strips = vec![Size::Whole; members];
        strips[rows] = Size::Const(width);
        let mut points = found.band.clone();
        points.loops[rows] = LoopKind::Diagonal {
            lanes: found.lanes,
            vectors: found.vectors,
            rest: self.rest(&found.band, place)?,
        };
        let mut tiling = BandTiling {
            levels: vec![sizes, strips],
            points: Some(Tree::Band(Box::new(points))),
            ..BandTiling::default()
        };
        let cut: Vec<usize> = (0..members)
            .filter(|&m| tiling.levels[0][m] != Size::Whole)
            .collect();
        if let (&[first, second, ..], true) = (&cut[..], place.parallel) {
            tiling.wavefront = vec![first, second];
            tiling.loops = vec![LoopKind::Sequential; members];
            tiling.loops[first] = LoopKind::Parallel(Distribution::Static);
        }
        if cut.is_empty() {
            tiling.levels.remove(0);
        }
        let tiling = self.settled(tiling);
        Ok(Some(tile_band(&found.band, &tiling, &mut self.sizes)))
    }

    /// Steps and rows of a tile: whole strips, and enough tiles for threads.
    fn diagonal_tile(&self, band: &Band, place: &Place, width: i64) -> poly::Result<i64> {
        let members = band.schedule.size();
        if members == 2 {
            return Ok(TILE);
        }
        let model = Model::new(self.scop, &place.outer, band, &place.domain, &self.typical)?;
        let Some(model) = model else {
            return Ok(ROWS_OF_TILE);
        };
        let cut = (0..members).filter(|&m| m != members - 2).take(2);
        let least = cut.map(|m| model.extents[m]).min().unwrap_or(ROWS_OF_TILE);
        let rows = for_threads(least).min(ROWS_OF_TILE);
        Ok((rows + width - 1) / width * width)
    }

    /// The band with its members in the order that diagonals need.
    fn in_diagonals(&self, band: &Band, place: &Place) -> poly::Result<Option<Diagonals>> {
        let members = band.schedule.size();
        let ids = statements(self.scop, &place.domain)?;
        let stmts: Vec<&Stmt> = ids.iter().map(|id| self.scop.stmt(*id)).collect();
        let plain = stmts.iter().all(|s| vectorizable(s, |_| false));
        if members < 2 || !plain || !band.child.is_point() || !run_together(&stmts, band, place)? {
            return Ok(None);
        }
        let Some(along) = self.contiguous(&stmts, band, place)? else {
            return Ok(None);
        };
        let order: Vec<usize> = (0..members)
            .filter(|&m| m != along)
            .chain([along])
            .collect();
        let band = reordered(band, &order)?;
        let (row, step) = (
            band.schedule.at(members - 2)?,
            band.schedule.at(members - 1)?,
        );
        let mut live = place.live.inside(&place.domain)?;
        for m in 0..members - 2 {
            live = live.tied(&band.schedule.at(m)?)?;
        }
        // Without a chain along rows they are vectors as they are.
        if live.tied(&row)?.is_empty() {
            return Ok(None);
        }
        let skewed = match live.tied(&step)?.coincident(&row)? {
            true => step,
            false => step.add(&row)?,
        };
        for (row, reach) in [(&skewed, DIAGONAL_REACH.0), (&row, DIAGONAL_REACH.1)] {
            let near = |d: &Distance| d.least.abs().max(d.most.abs()) <= reach;
            if !live.distances(row)?.is_some_and(|all| all.iter().all(near)) {
                return Ok(None);
            }
        }
        if !self.is_handed_on(&band, (&skewed, &row), place)? {
            return Ok(None);
        }
        let mut rows: Vec<UnionPwAff> = (0..members - 2)
            .map(|m| band.schedule.at(m))
            .collect::<Result<_, _>>()?;
        rows.extend([skewed, row]);
        let found = Band::of_rows(&rows.iter().collect::<Vec<_>>(), true, band.child.clone())?;
        let mut element = 0;
        for stmt in stmts {
            match self.element(stmt, &found, place)? {
                Some(bytes) if written_once(stmt, &rows, place)? => element = element.max(bytes),
                _ => return Ok(None),
            }
        }
        let lanes = self.target.lanes(element) as u32;
        Ok((lanes >= MIN_LANES).then_some(Diagonals {
            band: found,
            lanes,
            vectors: ROWS.div_ceil(lanes).min(VECTORS),
        }))
    }

    /// Whether all values go to the next lane at most, and those that a lane takes itself are taken after each number of steps up to the greatest: what
    /// it holds before the first step is what it reads then.
    fn is_handed_on(
        &self,
        band: &Band,
        (step, row): (&UnionPwAff, &UnionPwAff),
        place: &Place,
    ) -> poly::Result<bool> {
        let flow = |d: &&Dependence| d.kind.contains(DepKind::FLOW);
        let mut flow = Live::of(self.deps.ordering(false).filter(flow))?.inside(&place.domain)?;
        for outer in &place.outer {
            for m in outer.union_pw_affs()? {
                flow = flow.tied(&m)?;
            }
        }
        for m in 0..band.schedule.size() - 2 {
            flow = flow.tied(&band.schedule.at(m)?)?;
        }
        let lanes = flow.distances(row)?;
        if !lanes.is_some_and(|all| all.iter().all(|d| d.most <= 1)) {
            return Ok(false);
        }
        let Some(own) = flow.tied(row)?.distances(step)? else {
            return Ok(false);
        };
        let steps: BTreeSet<i64> = own.iter().flat_map(|d| [d.least, d.most]).collect();
        let greatest = steps.last().copied().unwrap_or(0);
        Ok((1..=greatest).all(|d| steps.contains(&d)))
    }

    /// How points run that are in no square: the chain of a row of them may be hidden behind those of others.
    fn rest(&self, band: &Band, place: &Place) -> poly::Result<Rest> {
        let members = band.schedule.size();
        let mut order: Vec<usize> = (0..members).collect();
        order.swap(members - 2, members - 1);
        let rows = reordered(band, &order)?;
        Ok(match self.chain_of(&rows, place)? {
            Some(chain) if chain.is_long() && chain.halved() > chain.alone() => Rest::Diagonals,
            Some(chain) if chain.is_long() => match u32::try_from(chain.run()) {
                Ok(run) => Rest::RowsBy(run),
                Err(_) => Rest::Rows,
            },
            _ => Rest::Rows,
        })
    }

    /// The member that moves the elements that each statement writes by one.
    fn contiguous(
        &self,
        stmts: &[&Stmt],
        band: &Band,
        place: &Place,
    ) -> poly::Result<Option<usize>> {
        let mut found = None;
        for stmt in stmts {
            let Some(own) = self.contiguous_member(stmt, band, place)? else {
                return Ok(None);
            };
            if found.is_some_and(|m| m != own) {
                return Ok(None);
            }
            found = Some(own);
        }
        Ok(found)
    }

    /// The member that moves the written element by one.
    fn contiguous_member(
        &self,
        stmt: &Stmt,
        band: &Band,
        place: &Place,
    ) -> poly::Result<Option<usize>> {
        let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
            return Ok(None);
        };
        for (m, step) in steps.iter().enumerate().rev() {
            if let Some(step) = step
                && is_unit(stmt.write(), &moves_along(self.scop, stmt.write(), step)?)
            {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// Bytes of the largest element; `None` where accesses do not fit diagonals.
    fn element(&self, stmt: &Stmt, band: &Band, place: &Place) -> poly::Result<Option<u64>> {
        if stmt.is_group() {
            return Ok(None);
        }
        let steps = member_steps(stmt, &place.outer, &band.schedule)?;
        let Some([.., Some(step), Some(lane)]) = steps.as_deref() else {
            return Ok(None);
        };
        let mut largest = 0;
        for (n, a) in stmt.accesses.iter().enumerate() {
            if !matches!(a.ty, Ty::Int(8 | 16 | 32 | 64) | Ty::Float(32 | 64)) {
                return Ok(None);
            }
            match (&a.place, a.kind) {
                (Location::Scalar, AccessKind::Read) => continue,
                (Location::Memory(_) | Location::Temporary(_), _) => {}
                _ => return Ok(None),
            }
            largest = largest.max(a.ty.bytes());
            let squares = is_unit(a, &moves_along(self.scop, a, step)?);
            let fits = match self.along_lanes(a, lane, step)? {
                Stride::Irregular => false,
                Stride::Zero => n > 0,
                lanes if is_unit(a, &lanes) => n > 0,
                Stride::Const(_) | Stride::Symbolic(_) => squares,
            };
            if !fits {
                return Ok(None);
            }
        }
        Ok(Some(largest))
    }

    /// How an access moves along the lanes, where some steps more may be needed to see it: from one row to the next by the
    /// row's stride, and back by columns.
    fn along_lanes(&self, a: &Access, lane: &[i64], step: &[i64]) -> poly::Result<Stride> {
        let lanes = moves_along(self.scop, a, lane)?;
        if lanes != Stride::Irregular {
            return Ok(lanes);
        }
        for back in 1..=MAX_SKEW {
            let row: Vec<i64> = lane.iter().zip(step).map(|(l, s)| l + back * s).collect();
            let opposite: Vec<i64> = row.iter().map(|r| -r).collect();
            for row in [row, opposite] {
                if let Stride::Symbolic(s) = moves_along(self.scop, a, &row)? {
                    return Ok(Stride::Symbolic(s));
                }
            }
        }
        Ok(Stride::Irregular)
    }
}

/// Whether all statements run in each point of a band, and each has arrays of its own to write: lanes run one of them after the other.
fn run_together(stmts: &[&Stmt], band: &Band, place: &Place) -> poly::Result<bool> {
    let Some((first, others)) = stmts.split_first() else {
        return Ok(false);
    };
    let written: BTreeSet<ArrayId> = stmts.iter().map(|s| s.write().array).collect();
    if written.len() < stmts.len() {
        return Ok(false);
    }
    let rows = members(place.outer.iter().chain([&band.schedule]))?;
    let reached = |s: &Stmt| -> poly::Result<Option<Set>> {
        let mut all: Option<Map> = None;
        for row in &rows {
            let Some(row) = row_of(row, s.id)? else {
                return Ok(None);
            };
            let row = row.as_map()?;
            all = Some(match all {
                Some(outer) => outer.flat_range_product(&row)?,
                None => row,
            });
        }
        let all = all.map(|all| all.intersect_domain(&s.domain)?.range());
        all.transpose()
    };
    let Some(all) = reached(first)? else {
        return Ok(false);
    };
    for s in others {
        match reached(s)? {
            Some(own) if own.is_equal(&all)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn is_unit(a: &Access, stride: &Stride) -> bool {
    matches!(stride, Stride::Const(s) if s.unsigned_abs() == u128::from(a.ty.bytes()))
}

/// Whether no element is written twice at equal values of all rows but the last two.
fn written_once(stmt: &Stmt, rows: &[UnionPwAff], place: &Place) -> poly::Result<bool> {
    let relation = &stmt.write().relation;
    let mut pairs = relation
        .apply_range(&relation.reverse()?)?
        .intersect_domain(&stmt.domain)?
        .intersect_range(&stmt.domain)?;
    let mut outer = members(&place.outer)?;
    let (inner, last) = rows.split_at(rows.len() - 2);
    outer.extend(inner.iter().cloned());
    for row in &outer {
        if let Some(row) = row_of(row, stmt.id)? {
            pairs = pairs.intersect(&row.eq_map(&row)?)?;
        }
    }
    for row in last {
        let Some(row) = row_of(row, stmt.id)? else {
            return Ok(false);
        };
        let apart = row.lt_map(&row)?.union(&row.gt_map(&row)?)?;
        if !pairs.intersect(&apart)?.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}
