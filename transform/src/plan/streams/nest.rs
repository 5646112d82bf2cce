//! The tiles of one nest of sums: which rows, lanes and strips, and what runs inside.

use super::super::{Place, Planner};
use super::{Sums, part_of};
use crate::live::statements;
use crate::simd::{
    Form, StreamRoles, member_steps, moves_along, reordered, stream_lanes, stream_vectors,
};
use crate::tile::points::ordered_groups;
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Set};
use polytile_analysis::scop::Stmt;
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Mark, RegisterTile, Tree};
use std::collections::BTreeSet;

/// Rows of a cache tile of the direct form: enough that loading and storing the sums does not count, few enough that
/// prefetchers follow.
pub(super) const ROWS: i64 = 16;

/// Bytes of a row of a cache tile of the direct form at most.
const STRIP_BYTES: i64 = 4096;

/// Strips are dealt evenly to so many threads.
const EVEN_STRIPS: i64 = 4;

impl Planner<'_> {
    /// The tiles of one nest; `None` if it has no sums, or sums that do not go together.
    pub(super) fn stream_nest(
        &mut self,
        band: &Band,
        place: &Place,
        group: &[StmtId],
        sums: &Sums,
    ) -> poly::Result<Option<Tree>> {
        let Some(nest) = Nest::of(self, group, sums) else {
            return Ok(None);
        };
        let own: BTreeSet<(StmtId, StmtId)> = place.live.edges();
        let parts = ordered_groups(group, &own);
        if parts.iter().any(|p| p.len() > 1) {
            if self.looked_at(group, band, place, sums)? {
                return Ok(None);
            }
            return self.linked_nest(&nest, band, place, group, sums);
        }
        // Sums that others take up on the way: the loop over the lanes is the original's as it is.
        if nest.roles.form == Form::Direct && parts.len() == 1 && !band.coincident[nest.roles.lane]
        {
            return Ok(None);
        }
        let order = [nest.roles.lane, nest.roles.reduction];
        let band = reordered(band, &order)?;
        let together = self.in_registers(&nest, &parts, &band, place)?;
        let points = match together {
            Some(points) => points,
            None => self.one_by_one(&nest, &parts, &band, place, sums)?,
        };
        if parts.len() == 1 && nest.roles.form == Form::Transposed {
            return Ok(Some(self.with_threads(points, place)));
        }
        let sizes = self.cache_tile(&nest, &band, place)?;
        let mut tiling = BandTiling {
            levels: vec![sizes],
            points: Some(points),
            ..BandTiling::default()
        };
        if place.parallel && band.coincident[0] {
            let dealt = LoopKind::Parallel(Distribution::Static);
            tiling.loops = vec![dealt, LoopKind::Sequential];
        }
        let tiling = self.settled(self.dealt(tiling));
        Ok(Some(tile_band(&band, &tiling, &mut self.sizes)))
    }

    /// Whether another statement looks at a sum in each of its steps, as the place of a minimum does at what is the least so far: no step of
    /// that sum can run ahead.
    fn looked_at(
        &self,
        group: &[StmtId],
        band: &Band,
        place: &Place,
        sums: &Sums,
    ) -> poly::Result<bool> {
        let others = group.iter().filter(|id| !sums.contains_key(id));
        for stmt in others.map(|id| self.scop.stmt(*id)) {
            let Some(steps) = member_steps(stmt, &place.outer, &band.schedule)? else {
                continue;
            };
            for (sum, roles) in sums.iter().filter(|(id, _)| group.contains(id)) {
                let cell = self.scop.stmt(*sum).write().array;
                let (Some(lane), Some(step)) = (&steps[roles.lane], &steps[roles.reduction]) else {
                    continue;
                };
                // Rows of memory are not read in lanes (`lanes`).
                for a in stmt.reads() {
                    let unit = Stride::Const(a.ty.bytes().into());
                    let across = moves_along(self.scop, a, lane)?;
                    if ![Stride::Zero, unit].contains(&across)
                        && moves_along(self.scop, a, step)? != Stride::Zero
                    {
                        return Ok(false);
                    }
                }
                for a in stmt.reads().iter().filter(|a| a.array == cell) {
                    if moves_along(self.scop, a, step)? == Stride::Zero
                        && moves_along(self.scop, a, lane)? != Stride::Zero
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// What the statements of a nest do inside the cache tile, one after the other; the band has the lanes first.
    pub(super) fn one_by_one(
        &mut self,
        nest: &Nest,
        parts: &[Vec<StmtId>],
        band: &Band,
        place: &Place,
        sums: &Sums,
    ) -> poly::Result<Tree> {
        let mut branches = vec![];
        for part in parts {
            let filter = self.instances(part)?;
            let inside = place.inside(&filter)?;
            let own = part_of(band, &inside)?;
            let child = self.stream_part(nest, &own, part[0], (sums, &inside))?;
            branches.push(Branch { filter, child });
        }
        Ok(match branches.len() {
            1 => branches.remove(0).child,
            _ => Tree::Sequence(branches),
        })
    }

    /// Runs the outermost loop, over lanes, in parallel if that is allowed.
    pub(super) fn with_threads(&self, mut tree: Tree, place: &Place) -> Tree {
        if let Tree::Band(band) = &mut tree
            && place.parallel
            && band.coincident[0]
        {
            band.loops[0] = LoopKind::Parallel(Distribution::Static);
        }
        tree
    }

    /// Sizes of lane and reduction.
    fn cache_tile(&self, nest: &Nest, band: &Band, place: &Place) -> poly::Result<Vec<Size>> {
        let width = nest.width();
        if nest.roles.form == Form::Transposed {
            // Several statements on the same rows: what one brought near, the next finds there.
            let strip = self.near_strip(width * nest.element, width);
            return Ok(vec![Size::Const(width), Size::Const(strip)]);
        }
        let stmts = statements(self.scop, &place.domain)?;
        let streams = self.all_streams(&stmts, band, place)?;
        let row_bytes = streams.values().flatten().map(|s| s.row_bytes).max();
        let row_bytes = row_bytes.unwrap_or(STRIP_BYTES);
        let strips = multiple(row_bytes / STRIP_BYTES + 1, EVEN_STRIPS);
        let strip = multiple(row_bytes / nest.element / strips, width);
        let strip = Size::Runtime {
            default: strip,
            multiple_of: width,
        };
        Ok(vec![strip, Size::Const(ROWS)])
    }

    /// What one statement does inside the cache tile; the band has the lanes first.
    pub(super) fn stream_part(
        &mut self,
        nest: &Nest,
        band: &Band,
        stmt: StmtId,
        (sums, place): (&Sums, &Place),
    ) -> poly::Result<Tree> {
        let order = match nest.roles.form {
            Form::Direct => [1, 0],
            Form::Transposed => [0, 1],
        };
        let points = reordered(band, &order)?;
        if !sums.contains_key(&stmt) {
            return Ok(Tree::Band(Box::new(points)));
        }
        let tiling = BandTiling {
            levels: vec![vec![Size::Const(nest.width()), Size::Whole]],
            points: Some(self.pieces(nest, &points, stmt, place)?),
            ..BandTiling::default()
        };
        Ok(tile_band(band, &tiling, &mut self.sizes))
    }

    /// A register tile for each convex piece of a sum's instances, in an order that keeps that of its terms
    /// (`for j != i: y[i] += a[i][j] * x[j]`: below the diagonal, then above it).
    fn pieces(
        &self,
        nest: &Nest,
        points: &Band,
        stmt: StmtId,
        place: &Place,
    ) -> poly::Result<Tree> {
        let space = self.scop.stmt(stmt).domain.space()?;
        let own = place.domain.extract_set(&space)?;
        let mut pieces: Vec<Set> = vec![];
        for piece in own.coalesce()?.basic_sets()? {
            pieces.push(piece.to_set()?);
        }
        let whole = nest.marked(stmt, Tree::Band(Box::new(points.clone())));
        let [a, b] = &pieces[..] else {
            return Ok(whole);
        };
        if !a.is_disjoint(b)? {
            return Ok(whole);
        }
        let mut pieces = [a.to_union_set()?, b.to_union_set()?];
        if place.live.leads(&pieces[1], &pieces[0])? {
            pieces.reverse();
        }
        if place.live.leads(&pieces[1], &pieces[0])? {
            return Ok(whole);
        }
        let mut branches = vec![];
        for filter in pieces {
            let part = part_of(points, &place.inside(&filter)?)?;
            let child = nest.marked(stmt, Tree::Band(Box::new(part)));
            branches.push(Branch { filter, child });
        }
        Ok(Tree::Sequence(branches))
    }
}

/// What the sums of a nest have in common.
pub(super) struct Nest {
    pub roles: StreamRoles,
    pub lanes: u32,
    pub vectors: u32,
    /// Bytes of a sum.
    pub element: i64,
}

impl Nest {
    pub fn of(planner: &Planner, group: &[StmtId], sums: &Sums) -> Option<Nest> {
        let own: Vec<(&Stmt, StreamRoles)> = group
            .iter()
            .filter_map(|id| Some((planner.scop.stmt(*id), *sums.get(id)?)))
            .collect();
        let &(first, mut roles) = own.first()?;
        let bytes = |s: &Stmt| planner.scop.array(s.write().array).ty.bytes();
        for (stmt, other) in &own {
            let same = (other.lane, other.reduction) == (roles.lane, roles.reduction);
            if !same || bytes(stmt) != bytes(first) {
                return None;
            }
            roles.form = roles.form.max(other.form);
        }
        let lanes = stream_lanes(planner.scop, first, planner.target)?;
        Some(Nest {
            roles,
            lanes,
            vectors: stream_vectors(roles.form, lanes),
            element: bytes(first) as i64,
        })
    }

    /// The register tile of a sum, in a band of lane and reduction.
    pub fn marked(&self, stmt: StmtId, points: Tree) -> Tree {
        let mark = Mark::RegisterTile(RegisterTile {
            stmt,
            row: None,
            rows: 1,
            lane: 0,
            vectors: self.vectors,
            lanes: self.lanes,
            reduction: 1,
        });
        Tree::Mark(mark, Box::new(points))
    }

    /// Lanes of a register tile.
    pub fn width(&self) -> i64 {
        i64::from(self.lanes * self.vectors)
    }
}

/// The least positive multiple that is not below `n`.
pub(super) fn multiple(n: i64, of: i64) -> i64 {
    ((n + of - 1) / of).max(1) * of
}
