//! Panels: steps that sweep twice over a matrix, for one panel of its columns after the other, both sweeps as one.
//!
//! ```text
//! for k: { q = f(a[.][k])                                  finishes column k
//!          for j > k: { r[k][j] = q . a[.][j]              sweeps over all later columns
//!                       a[.][j] -= r[k][j] * q } }         once more
//! ```
//!
//! Each step reads and writes the whole matrix, from beyond the second-level cache. But a column waits for the steps of
//! the columns before it only, so a panel of `W` columns stays in cache while `W` steps run on it. In a panel the
//! last sweep of a step, moved to the next step, and the first one of that step walk over the same elements in the same
//! direction: fused, every element is read and written once per step instead of twice.
//!
//! ```text
//! for each wave of blocks (K, J): parallel:
//!     for k in K: { a[.][k] -= r[k-1][k] * q[k-1]          if k is in J: what the step needs first
//!                   q[k] = f(a[.][k])                      if k is in J
//!                   for j in J, j > k (lanes): for i: { a[i][j] -= r[k-1][j] * q[i][k-1];  r[k][j] += q[i][k] * a[i][j] } }
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `k`, `j` | the members of a permutable band, none of them independent |
//! | the late sweep, moved by one step (shifted fusion) | [`Shifted::late`] |
//! | the early sweep, which it meets there | [`Shifted::early`] |
//! | `W` | columns of four vectors |
//!
//! It pays if the deepest statements have loops below the band, are contiguous along `j`, touch more per step than the
//! second-level cache holds, and a block of `W` steps and columns fits it.

use super::{Place, Planner, Tiling};
use crate::cost::Model;
use crate::live::{Live, row_of, statements};
use crate::simd::{Form, stream_vectors};
use crate::tile::points::{ordered_groups, restricted, universe};
use crate::tile::{BandTiling, Size, tile_band};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType, MultiUnionPwAff, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Supply, Tree};

/// A block must save so much of what comes from beyond the second-level cache.
const MIN_GAIN: f64 = 4.0;

/// A panel: lanes per vector and vectors.
#[derive(Clone, Copy)]
struct Panel {
    lanes: u32,
    vectors: u32,
}

impl Panel {
    fn width(self) -> i64 {
        i64::from(self.lanes * self.vectors)
    }
}

/// The statements of a step with one sweep moved to the next step.
struct Shifted {
    /// The steps.
    steps: UnionPwAff,
    /// The columns.
    columns: UnionPwAff,
    /// The sweep that is moved.
    late: StmtId,
    /// The sweep that it meets.
    early: StmtId,
    /// What nothing above a step orders.
    live: Live,
}

impl Planner<'_> {
    /// Blocks of steps and panels for a band of two members; `None`: another form, or it does not pay.
    pub(super) fn panels(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        if !band.permutable
            || band.tile.is_some()
            || band.schedule.size() != 2
            || !self.options.register_tiles
            || self.options.tiling == Tiling::Off
        {
            return Ok(None);
        }
        let Some(panel) = self.panel(band, place)? else {
            return Ok(None);
        };
        let Some(shifted) = self.shifted(band, place)? else {
            return Ok(None);
        };
        let Some(step) = self.step(band, &shifted, panel, place)? else {
            return Ok(None);
        };
        let rows = MultiUnionPwAff::from_union_pw_aff(&shifted.steps)?;
        let columns = MultiUnionPwAff::from_union_pw_aff(&shifted.columns)?;
        let points = Tree::looping(&shifted.steps, LoopKind::Sequential, false, step)?;
        let moved = Band {
            schedule: rows.flat_range_product(&columns)?,
            ..band.clone()
        };
        let size = Size::Runtime {
            default: panel.width(),
            multiple_of: panel.width(),
        };
        let mut tiling = BandTiling {
            levels: vec![vec![size; 2]],
            points: Some(points),
            ..BandTiling::default()
        };
        if place.parallel {
            tiling.wavefront = vec![0, 1];
            let dealt = LoopKind::Parallel(Distribution::Pipelined);
            tiling.loops = vec![dealt, LoopKind::Sequential];
        }
        let tiling = self.settled(tiling);
        Ok(Some(tile_band(&moved, &tiling, &mut self.sizes)))
    }

    /// The columns of a panel, if panels pay.
    fn panel(&self, band: &Band, place: &Place) -> poly::Result<Option<Panel>> {
        let (outer, domain) = (&place.outer, &place.domain);
        let Some(model) = Model::new(self.scop, outer, band, domain, &self.typical)? else {
            return Ok(None);
        };
        let Some(element) = model.references.iter().map(|r| r.element).max() else {
            return Ok(None);
        };
        let Ok(lanes) = u32::try_from(self.target.lanes(element)) else {
            return Ok(None);
        };
        let vectors = stream_vectors(Form::Direct, lanes);
        let panel = Panel { lanes, vectors };
        let width = panel.width();
        let mut block = model.extents.clone();
        block[..2].fill(width);
        let cache = self.target.l2 as f64;
        let pays = lanes >= 2
            && model.extents.len() > 2
            && model.contiguous(1)
            && model.footprint(&block) <= cache
            && model.traffic(&[width, width], cache) * MIN_GAIN
                <= model.traffic(&model.extents[..2], cache);
        Ok(pays.then_some(panel))
    }

    /// Moves the last sweep of a step to the next one, if the band remains permutable.
    fn shifted(&self, band: &Band, place: &Place) -> poly::Result<Option<Shifted>> {
        let (steps, columns) = (band.schedule.at(0)?, band.schedule.at(1)?);
        let all = statements(self.scop, &place.domain)?;
        let open = place.live.inside(&place.domain)?;
        let order = ordered_groups(&all, &open.tied(&steps)?.edges());
        let depth = all.iter().map(|&s| self.scop.stmt(s).depth()).max();
        let sweeps: Vec<StmtId> = order
            .into_iter()
            .filter(|g| g.iter().any(|&s| Some(self.scop.stmt(s).depth()) == depth))
            .map(|g| if g.len() == 1 { Some(g[0]) } else { None })
            .collect::<Option<_>>()
            .unwrap_or_default();
        let &[early, late] = &sweeps[..] else {
            return Ok(None);
        };
        let own = universe(self.scop, &[late], &place.domain)?;
        let one = UnionPwAff::si_on_domain(&own, 1)?;
        let steps = steps.union_add(&one)?;
        if !open.respects(&steps)? || !open.respects(&columns)? {
            return Ok(None);
        }
        let columns = match self.behind(late, &columns)? {
            Some(by) if by != 0 => {
                let by = UnionPwAff::si_on_domain(&columns.domain()?.universe_of()?, by)?;
                columns.union_add(&by)?
            }
            _ => columns,
        };
        Ok(Some(Shifted {
            live: open.tied(&steps)?,
            steps,
            columns,
            late,
            early,
        }))
    }

    /// How far the column that a statement writes is behind its row, if that is the same everywhere. With that added,
    /// panels begin where lines of the cache do.
    fn behind(&self, stmt: StmtId, row: &UnionPwAff) -> poly::Result<Option<i64>> {
        let stmt = self.scop.stmt(stmt);
        let cells = stmt.write().relation.as_pw_multi_aff()?;
        let Some(row) = row_of(row, stmt.id)? else {
            return Ok(None);
        };
        if !cells.isa_multi_aff()? || !row.isa_aff()? {
            return Ok(None);
        }
        let cells = cells.as_multi_aff()?;
        let Some(last) = cells.size().checked_sub(1) else {
            return Ok(None);
        };
        let apart = cells.at(last)?.sub(&row.as_aff()?)?;
        for kind in [DimType::In, DimType::Param] {
            for d in 0..apart.dim(kind) {
                if apart.coefficient(kind, d)? != 0 {
                    return Ok(None);
                }
            }
        }
        Ok(Some(apart.constant()?))
    }

    /// The statements of one step: what others need of the late sweep, the others, both sweeps as one.
    fn step(
        &self,
        band: &Band,
        s: &Shifted,
        panel: Panel,
        place: &Place,
    ) -> poly::Result<Option<Tree>> {
        let all = statements(self.scop, &place.domain)?;
        let late = self.domain_of(s.late, place)?;
        let first = match s.live.sources(s.late, &[s.early])? {
            // Dependences know the context; instances outside of it would stay among the others.
            Some(first) => (first.to_union_set()?)
                .gist_params(&self.scop.context)?
                .intersect(&late)?,
            None => UnionSet::empty(&late.space()?)?,
        };
        let late = late.subtract(&first)?.coalesce()?;
        let mut parts = vec![];
        if !first.is_empty()? {
            parts.push((first, vec![s.late]));
        }
        let others: Vec<StmtId> = (all.iter().copied())
            .filter(|x| ![s.late, s.early].contains(x))
            .collect();
        let mut edges = s.live.edges();
        edges.retain(|(from, to)| others.contains(from) && others.contains(to));
        for group in ordered_groups(&others, &edges) {
            parts.push((universe(self.scop, &group, &place.domain)?, group));
        }
        let mut branches = vec![];
        for (filter, _) in &parts {
            let live = s.live.inside(&place.domain.intersect(filter)?)?;
            let row = s.columns.intersect_domain(&filter.universe_of()?)?;
            let child = restricted(&band.child, &filter.universe_of()?)?;
            let free = live.coincident(&row)?;
            branches.push(Branch {
                filter: filter.clone(),
                child: Tree::looping(&row, LoopKind::Sequential, free, child)?,
            });
        }
        let early = self.domain_of(s.early, place)?;
        let (alone, both) = self.met(s, &early, &late)?;
        if !self.met(s, &late, &early)?.0.is_empty()? {
            return Ok(None);
        }
        for part in [alone, both.union(&late)?] {
            if part.is_empty()? {
                continue;
            }
            let Some(child) = self.in_one(band, s, panel, &part)? else {
                return Ok(None);
            };
            branches.push(Branch {
                filter: part,
                child,
            });
        }
        Ok(Some(Tree::Sequence(branches)))
    }

    fn domain_of(&self, s: StmtId, place: &Place) -> poly::Result<UnionSet> {
        let own = universe(self.scop, &[s], &place.domain)?;
        place.domain.intersect(&own)
    }

    /// The instances of one sweep whose step and column the other does not have, and the others.
    fn met(
        &self,
        s: &Shifted,
        one: &UnionSet,
        other: &UnionSet,
    ) -> poly::Result<(UnionSet, UnionSet)> {
        let place = |row: &UnionPwAff, set: &UnionSet| {
            UnionMap::from_union_pw_aff(&row.intersect_domain(set)?)
        };
        let at = |set: &UnionSet| -> poly::Result<UnionMap> {
            place(&s.steps, set)?.flat_range_product(&place(&s.columns, set)?)
        };
        let cells = other.apply(&at(other)?)?;
        let both = at(one)?.intersect_range(&cells)?.domain()?.coalesce()?;
        Ok((one.subtract(&both)?.coalesce()?, both))
    }

    /// A loop over columns in lanes around a loop that both sweeps go through.
    fn in_one(
        &self,
        band: &Band,
        s: &Shifted,
        panel: Panel,
        part: &UnionSet,
    ) -> poly::Result<Option<Tree>> {
        let mut walk: Option<UnionPwAff> = None;
        let stmts = statements(self.scop, part)?;
        for &id in &stmts {
            let own = part
                .intersect(&universe(self.scop, &[id], part)?)?
                .universe_of()?;
            let row = match restricted(&band.child, &own)? {
                Tree::Band(b) if b.schedule.size() == 1 && matches!(b.child, Tree::Leaf) => {
                    b.schedule.at(0)?.intersect_domain(&own)?
                }
                _ => return Ok(None),
            };
            walk = Some(match walk {
                None => row,
                Some(w) => w.union_add(&row)?,
            });
        }
        let Some(walk) = walk else { return Ok(None) };
        let live = s.live.inside(part)?;
        let columns = s.columns.intersect_domain(&part.universe_of()?)?;
        let below = live.tied(&columns)?;
        if !live.coincident(&columns)? || !below.respects(&walk)? {
            return Ok(None);
        }
        let order = ordered_groups(&stmts, &below.tied(&walk)?.edges());
        let mut branches = vec![];
        for group in &order {
            let &[_] = &group[..] else { return Ok(None) };
            branches.push(Branch {
                filter: universe(self.scop, group, part)?,
                child: Tree::Leaf,
            });
        }
        let inner = match branches.len() {
            1 => Tree::Leaf,
            _ => Tree::Sequence(branches),
        };
        let inner = Tree::looping(&walk, LoopKind::Sequential, below.coincident(&walk)?, inner)?;
        let kind = LoopKind::Lanes {
            lanes: panel.lanes,
            vectors: panel.vectors,
            supply: Supply::Near,
        };
        Ok(Some(Tree::looping(&columns, kind, true, inner)?))
    }
}
