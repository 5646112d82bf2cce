//! Sweeps, those of one step or one after the other, fused row by row.
//!
//! Sweeps that follow each other read again what the one before has just written, from beyond the cache. Where
//! dependences between them reach over a few rows only, a later sweep can follow an earlier one some rows behind:
//!
//! ```text
//! for t: { for i: B[i] = f(A[i-1 .. i+1])          for t: for i: { B[i] = f(A[i-1 .. i+1])
//!          for i: A[i] = B[i] }              ->                     A[i-1] = B[i-1] }
//! ```
//!
//! The rows of one sweep are no longer independent of each other. Threads get blocks of `s` rows, and the rows of later
//! sweeps that need rows of the block before are left over (split tiles; Grosser et al. 2013, with one step per tile):
//!
//! ```text
//! for t: { parallel T = theta / s: for theta in block T: S0(theta); S1(theta) if theta mod s >= D
//!          parallel T: the rows theta mod s < D of S1 }
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `theta` the row; dependences between sweeps have distances `0 <= d` in it, by the search | first member of the sweeps' bands |
//! | `D` rows of a block that wait: the greatest sum of distances that leads to a sweep | [`Sweep::wait`] |
//! | `s` rows of a block | [`block`] |
//!
//! Nests of any program that follow each other are treated alike. The search has then chosen their rows apart, and a later
//! nest may need rows ahead: it is moved back by as many (a filter along columns follows the one along rows that fills its
//! input four rows ahead):
//!
//! ```text
//! for i: B[i] = f(A[i])                                  for i: { B[i] = f(A[i])
//! for i: C[i] = g(B[i .. i+4])                     ->             C[i-4] = g(B[i-4 .. i]) }
//! ```
//!
//! It pays where the arrays of a step do not fit the second-level cache and the rows between which values are passed
//! on do.

use super::{Place, Planner};
use crate::cost::Model;
use crate::live::{Distance, moved, statements};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, PwAff, UnionPwAff, UnionSet};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};
use std::collections::BTreeSet;

/// Blocks that each thread of a few should have.
const BLOCKS: i64 = 16;

/// A block has at least so many rows for each that waits.
const ROWS_PER_WAITING: i64 = 8;

/// How much of the second-level cache the rows between two uses of a value may fill; rows are counted whole with their
/// neighbours, so that somewhat more than all of it still hits mostly (measured on a heat equation in three dimensions).
const NEAR: f64 = 1.5;

/// One sweep of a step.
struct Sweep {
    filter: UnionSet,
    stmts: Vec<StmtId>,
    /// The row that is passed from sweep to sweep.
    row: UnionPwAff,
    /// The loops of a row.
    inner: Tree,
    /// Rows at the beginning of a block that wait for the block before.
    wait: i64,
}

impl Planner<'_> {
    /// The sweeps of one step of `steps` as one, if that is legal and pays.
    pub(super) fn fused_sweeps(&self, steps: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let Tree::Sequence(list) = &steps.child else {
            return Ok(None);
        };
        let below = place.below(&steps.schedule)?;
        let child = self.fused_list(list, &below)?;
        Ok(child.map(|child| {
            Tree::Band(Box::new(Band {
                child,
                ..steps.clone()
            }))
        }))
    }

    /// Adjacent nests of a sequence as one where that is legal and pays; they are planned already, and only those count
    /// of which nothing but threads became.
    pub(super) fn fused_nests(
        &self,
        branches: Vec<Branch>,
        place: &Place,
    ) -> poly::Result<Vec<Branch>> {
        if !branches.windows(2).any(|w| w.iter().all(sweeps_alone)) {
            return Ok(branches);
        }
        let edges = place.live.inside(&place.domain)?.edges();
        let mut runs: Vec<Vec<Branch>> = vec![];
        for b in branches {
            match runs.last_mut() {
                Some(run) if self.follows(&b, run, &edges)? => run.push(b),
                _ => runs.push(vec![b]),
            }
        }
        let mut done: Vec<Branch> = vec![];
        for run in runs {
            match self.fused_run(&run, place)? {
                Some(both) => done.push(super::fired("fused nests", both)),
                None => done.extend(run),
            }
        }
        Ok(done)
    }

    /// Whether a nest takes something from one of those before it, all being sweeps.
    fn follows(
        &self,
        b: &Branch,
        run: &[Branch],
        edges: &BTreeSet<(StmtId, StmtId)>,
    ) -> poly::Result<bool> {
        if !sweeps_alone(b) || !run.iter().all(sweeps_alone) {
            return Ok(false);
        }
        let own = statements(self.scop, &b.filter)?;
        for before in run {
            let sources = statements(self.scop, &before.filter)?;
            let feeds = |(s, t): &(StmtId, StmtId)| sources.contains(s) && own.contains(t);
            if edges.iter().any(feeds) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fused_run(&self, run: &[Branch], place: &Place) -> poly::Result<Option<Branch>> {
        if run.len() < 2 {
            return Ok(None);
        }
        let mut filter = run[0].filter.clone();
        for b in &run[1..] {
            filter = filter.union(&b.filter)?;
        }
        let child = self.fused_list(run, &place.inside(&filter)?)?;
        Ok(child.map(|child| Branch { filter, child }))
    }

    /// Sweeps as one.
    fn fused_list(&self, list: &[Branch], place: &Place) -> poly::Result<Option<Tree>> {
        let Some(mut sweeps) = self.sweeps_of(list, place)? else {
            return Ok(None);
        };
        let live = place.live.inside(&place.domain)?;
        let Some(distances) = live.distances(&joint(&sweeps)?)? else {
            return Ok(None);
        };
        let Some(distances) = shifted(&mut sweeps, distances)? else {
            return Ok(None);
        };
        let row = joint(&sweeps)?;
        if !waits(&mut sweeps, &distances) {
            return Ok(None);
        }
        let wait = sweeps.iter().map(|s| s.wait).max().unwrap_or(0);
        let one = fused(&sweeps, &row)?;
        let Some(rows) = self.pays(&one, wait, place)? else {
            return Ok(None);
        };
        Ok(Some(match place.parallel {
            false => Tree::Band(Box::new(one)),
            true => blocks(&sweeps, block(rows, wait), &row)?,
        }))
    }

    /// The branches of a step as sweeps; `None` if one is of another form.
    fn sweeps_of(&self, list: &[Branch], place: &Place) -> poly::Result<Option<Vec<Sweep>>> {
        let mut sweeps = vec![];
        for b in list {
            let Tree::Band(band) = &b.child else {
                return Ok(None);
            };
            if !is_sweep(band) {
                return Ok(None);
            }
            let filter = b.filter.universe_of()?;
            sweeps.push(Sweep {
                stmts: statements(self.scop, &place.domain.intersect(&b.filter)?)?,
                row: band.schedule.at(0)?.intersect_domain(&filter)?,
                inner: super::join::rest(band)?,
                filter,
                wait: 0,
            });
        }
        Ok((sweeps.len() >= 2).then_some(sweeps))
    }

    /// The number of rows, if fusion saves traffic beyond the second-level cache.
    fn pays(&self, one: &Band, wait: i64, place: &Place) -> poly::Result<Option<i64>> {
        let (outer, domain) = (&place.outer, &place.domain);
        let Some(model) = Model::new(self.scop, outer, one, domain, &self.typical)? else {
            return Ok(None);
        };
        let cache = self.target.l2 as f64;
        let mut window = model.extents.clone();
        let rows = window[0];
        window[0] = (wait + 2).min(rows);
        let large = model.footprint(&model.extents) > cache;
        let near = model.footprint(&window) <= NEAR * cache;
        Ok((large && near && rows >= 2 * ROWS_PER_WAITING * wait.max(1)).then_some(rows))
    }
}

/// A branch with one nest of independent rows.
fn sweeps_alone(b: &Branch) -> bool {
    matches!(&b.child, Tree::Band(band) if is_sweep(band))
}

/// A nest of independent rows.
fn is_sweep(band: &Band) -> bool {
    let plain = band.permutable && band.tile.is_none() && matches!(band.child, Tree::Leaf);
    plain && band.schedule.size() >= 2 && band.coincident[0]
}

/// Moves later sweeps so many rows back that what they need is there; `None` if a sweep needs a later one, or its own
/// rows. The distances are those afterwards.
fn shifted(sweeps: &mut [Sweep], found: Vec<Distance>) -> poly::Result<Option<Vec<Distance>>> {
    let at = |s: StmtId| sweeps.iter().position(|w| w.stmts.contains(&s));
    let mut ends = vec![];
    for d in &found {
        match (at(d.src), at(d.dst)) {
            (Some(src), Some(dst)) if src <= dst => ends.push((src, dst)),
            _ => return Ok(None),
        }
    }
    let mut shifts = vec![0; sweeps.len()];
    for to in 0..sweeps.len() {
        let into = found
            .iter()
            .zip(&ends)
            .filter(|(_, e)| e.1 == to && e.0 < to);
        let needed = into.map(|(d, e)| shifts[e.0] - d.least).max();
        shifts[to] = needed.unwrap_or(0).max(0);
    }
    let behind = |(d, e): (Distance, &(usize, usize))| {
        let by = shifts[e.1] - shifts[e.0];
        Distance {
            least: d.least + by,
            most: d.most + by,
            ..d
        }
    };
    let distances = found.into_iter().zip(&ends).map(behind).collect();
    for (sweep, &shift) in sweeps.iter_mut().zip(&shifts).filter(|(_, s)| **s != 0) {
        sweep.row = moved(&sweep.row, shift)?;
    }
    Ok(Some(distances))
}

/// Rows of a block.
fn block(rows: i64, wait: i64) -> i64 {
    (rows / BLOCKS / 8 * 8).max(ROWS_PER_WAITING * wait).max(8)
}

/// The rows of all sweeps as one.
fn joint(sweeps: &[Sweep]) -> poly::Result<UnionPwAff> {
    let mut all = sweeps[0].row.clone();
    for s in &sweeps[1..] {
        all = all.union_add(&s.row)?;
    }
    Ok(all)
}

/// Notes how many rows of each sweep wait; `false` if a sweep is needed by rows that come before its own.
fn waits(sweeps: &mut [Sweep], distances: &[Distance]) -> bool {
    for d in distances {
        let at = |s: StmtId| sweeps.iter().position(|w| w.stmts.contains(&s));
        let (Some(src), Some(dst)) = (at(d.src), at(d.dst)) else {
            return false;
        };
        if src > dst || d.least < 0 || (src == dst && d.most != 0) {
            return false;
        }
    }
    for at in 0..sweeps.len() {
        let mut wait = 0;
        for d in distances
            .iter()
            .filter(|d| sweeps[at].stmts.contains(&d.dst))
        {
            let source = sweeps.iter().position(|w| w.stmts.contains(&d.src));
            if let Some(source) = source.filter(|&s| s < at) {
                let rows = sweeps[source].wait + d.most;
                wait = wait.max(if d.most > 0 || sweeps[source].wait > 0 {
                    rows
                } else {
                    0
                });
            }
        }
        sweeps[at].wait = wait;
    }
    true
}

/// All sweeps in one loop over rows.
fn fused(sweeps: &[Sweep], row: &UnionPwAff) -> poly::Result<Band> {
    let branches = sweeps.iter().map(|s| Branch {
        filter: s.filter.clone(),
        child: s.inner.clone(),
    });
    Band::looping(
        row,
        LoopKind::Sequential,
        false,
        Tree::Sequence(branches.collect()),
    )
}

/// The sweeps in blocks of `size` rows, then the rows that wait.
fn blocks(sweeps: &[Sweep], size: i64, row: &UnionPwAff) -> poly::Result<Tree> {
    let tile = |row: &UnionPwAff| row.scale_down_si(size)?.floor();
    let dealt = LoopKind::Parallel(Distribution::Static);
    let mut first: Option<UnionSet> = None;
    let (mut at_once, mut later) = (vec![], vec![]);
    for s in sweeps {
        let (now, rest) = parted(s, size)?;
        first = Some(match first {
            None => now.clone(),
            Some(f) => f.union(&now)?,
        });
        at_once.push(Branch {
            filter: now,
            child: s.inner.clone(),
        });
        if s.wait > 0 {
            let rows = Tree::looping(&s.row, LoopKind::Sequential, true, s.inner.clone())?;
            later.push(Branch {
                filter: rest,
                child: Tree::looping(&tile(&s.row)?, dealt, true, rows)?,
            });
        }
    }
    let rows = Tree::looping(row, LoopKind::Sequential, false, Tree::Sequence(at_once))?;
    let child = Tree::looping(&tile(row)?, dealt, true, rows)?;
    if later.is_empty() {
        return Ok(child);
    }
    let filter = first.expect("there are sweeps");
    let mut branches = vec![Branch { filter, child }];
    branches.extend(later);
    Ok(Tree::Sequence(branches))
}

/// The instances of a sweep that run in their block, and those that wait.
fn parted(s: &Sweep, size: i64) -> poly::Result<(UnionSet, UnionSet)> {
    if s.wait == 0 {
        return Ok((s.filter.clone(), UnionSet::empty(&s.filter.space()?)?));
    }
    let mut now = UnionSet::empty(&s.filter.space()?)?;
    for pa in s.row.pw_affs()? {
        let place = pa.mod_si(size)?;
        let bound = PwAff::si_on_domain(&pa.domain()?, s.wait)?;
        now = now.union(&place.ge_set(&bound)?.to_union_set()?)?;
    }
    Ok((now.clone(), s.filter.subtract(&now)?))
}
