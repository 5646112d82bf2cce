//! The space of a SCoP as a value: `L_m`, `O` and `I`, and `F` level by level.
//!
//! `F` of an inner level depends on the rows around it. It is given below the rows of one point, the one with most fusion, class by class: what Figure 4 sees on its way to
//! maximal fusion.

use super::Ground;
use super::legal::{Bounds, Legal};
use super::level::{Groups, Level, Tests};
use super::partition::{self, Partition};
use super::points;
use crate::schedule::band::{History, Open, Search};
use crate::schedule::fuse::Class;
use crate::schedule::ilp::Solution;
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Error, Result};
use polytile_analysis::scop::Scop;
use std::collections::BTreeSet;

/// Coefficients that schedules are counted for. Reversals are among them.
pub const BOX: Bounds = Bounds {
    iters: (-1, 1),
    params: (0, 0),
    constants: (0, 1),
};

/// Schedules that are counted at most, legal or not.
const MOST_SCHEDULES: u64 = 200_000;

/// Classes that are looked at for `F`.
pub(super) const MOST_CLASSES: usize = 20_000;

/// Partitions that are counted.
pub(super) const MOST_PARTITIONS: usize = 2_000;

/// Points, and pairs of statements, that are listed.
pub const LISTED: usize = 16;

/// What there is to say of the schedules of a SCoP.
pub struct Space<'s> {
    /// The SCoP.
    pub scop: &'s Scop,
    /// Rows of its schedules: one for each loop around its deepest statement.
    pub levels: usize,
    /// All of them; `None` if a dependence is too large to be written down, or if no `K` serves.
    pub legal: Option<Legal>,
    /// Schedules with coefficients in [`BOX`] and points of `L_m`; `None` if there are too many to count.
    pub counted: Option<(u64, u128)>,
    /// `F` of the outermost level.
    pub outermost: LevelSpace,
}

/// `F` of one level.
pub struct LevelSpace {
    /// Loops around.
    pub depth: usize,
    /// Its statements in groups that must share the loop, in an order that respects dependences.
    pub groups: Vec<Class>,
    /// Per group those that must not come after it.
    pub before: Vec<Groups>,
    /// Dimensions and constraints, and the smallest sets of groups that may not share the loop; `None` if there are too many classes to look at.
    pub pruned: Option<PrunedSize>,
    /// Points; `None` if there are too many to count.
    pub points: Option<u128>,
    /// The first [`LISTED`] of them, each as its classes in order.
    pub listed: Vec<Vec<Groups>>,
    /// Of statements with a dependence between them, the pairs of iterators by which they may share the loop (`M`, Lemma 6); at most [`LISTED`].
    pub permutations: Vec<Permutations>,
    /// Acyclic partitions, and whether there are more.
    pub partitions: (usize, bool),
    /// Those of which each class shares arrays.
    pub connected: usize,
    /// How classes were decided.
    pub tests: Tests,
    /// The classes of the point with most fusion.
    pub fused: Vec<Fused>,
}

/// Two statements, and the pairs of their iterators by which they may share a loop.
pub type Permutations = (StmtId, StmtId, Vec<(usize, usize)>);

/// `F` as a system.
pub struct PrunedSize {
    /// Dimensions.
    pub dims: usize,
    /// Constraints.
    pub constraints: usize,
    /// The smallest sets of groups that may not share the loop.
    pub apart: Vec<Groups>,
}

/// A class of a point.
pub struct Fused {
    /// Its statements.
    pub class: Class,
    /// The row that was found for it.
    pub(super) rows: Option<Solution>,
    /// The level inside of its loop, if there is more than one statement with a loop left.
    pub inside: Option<LevelSpace>,
}

impl<'s> Space<'s> {
    /// Of a SCoP with its dependences. What is too large to be counted is left out.
    ///
    /// # Errors
    /// Those of the set library; [`Error::Quota`] and [`Error::Budget`] if the work of its context does not suffice; [`Error::Limit`] if there are more than
    /// [`super::level::MOST_GROUPS`] groups.
    pub fn new(scop: &'s Scop, deps: &Dependences) -> Result<Space<'s>> {
        let ground = Ground::new(scop, deps)?;
        let levels = scop
            .stmts
            .iter()
            .map(|s| s.depth())
            .max()
            .unwrap_or(0)
            .max(1);
        let legal = legal(&ground, levels);
        let all: Class = scop.stmts.iter().map(|s| s.id).collect();
        Ok(Space {
            scop,
            levels,
            counted: legal.as_ref().and_then(|l| l.count(&BOX, MOST_SCHEDULES)),
            legal,
            outermost: LevelSpace::new(&ground.search, &all, &ground.open, &History::new())?,
        })
    }
}

/// `L_m` with a `K` that loses no schedule of [`BOX`].
fn legal(ground: &Ground, levels: usize) -> Option<Legal> {
    let scop = ground.search.scop;
    let k = Legal::new(scop, &ground.open, levels, 0)?.sufficient(&BOX)?;
    Legal::new(scop, &ground.open, levels, k)
}

impl LevelSpace {
    fn new(search: &Search, stmts: &Class, open: &[Open], history: &History) -> Result<LevelSpace> {
        let mut level = Level::new(search, stmts, open, history, None)?;
        let pruned = pruned(&mut level)?;
        let points = points::count(&mut level)?;
        let partitions = partition::acyclic(&mut level, MOST_PARTITIONS)?;
        let connected = |p: &&Partition| p.iter().all(|c| level.is_connected(*c));
        let connected = partitions.list.iter().filter(connected).count();
        let mut fused = vec![];
        for class in partitions.list.first().map_or(&[][..], |p| p) {
            fused.push(Fused::new(search, &mut level, *class, open, history)?);
        }
        Ok(LevelSpace {
            depth: history.values().map(Vec::len).max().unwrap_or(0),
            groups: level.groups().to_vec(),
            before: level.before().to_vec(),
            pruned,
            points,
            listed: listed(&mut level)?,
            permutations: permutations(&level, open),
            partitions: (partitions.list.len(), partitions.more),
            connected,
            tests: level.tests(),
            fused,
        })
    }
}

/// The first points.
fn listed(level: &mut Level) -> Result<Vec<Vec<Groups>>> {
    let mut found = vec![];
    points::each(level, &mut |point| {
        found.push(point.to_vec());
        found.len() < LISTED
    })?;
    Ok(found)
}

/// The permutations that fuse statements of different groups with a dependence between them.
fn permutations(level: &Level, open: &[Open]) -> Vec<Permutations> {
    let group = |s: StmtId| level.groups().iter().position(|g| g.contains(&s));
    let apart = |d: &&Open| {
        let (g, h) = (group(d.src), group(d.dst));
        g.is_some() && h.is_some() && g != h
    };
    let pairs: BTreeSet<(StmtId, StmtId)> =
        open.iter().filter(apart).map(|d| (d.src, d.dst)).collect();
    let of = |(s, t)| (s, t, level.unit_pairs(s, t));
    pairs.into_iter().take(LISTED).map(of).collect()
}

/// The size of `F`, if there are not too many classes.
fn pruned(level: &mut Level) -> Result<Option<PrunedSize>> {
    let before = level.before().to_vec();
    let pruned = match level.pruned(&before, MOST_CLASSES) {
        Err(Error::Limit(_)) => return Ok(None),
        pruned => pruned?,
    };
    let system = pruned.system();
    Ok(Some(PrunedSize {
        dims: system.dims,
        constraints: system.rows.len(),
        apart: level.unfusable(level.groups().len(), MOST_CLASSES)?,
    }))
}

impl Fused {
    fn new(
        search: &Search,
        level: &mut Level,
        class: Groups,
        open: &[Open],
        history: &History,
    ) -> Result<Fused> {
        let stmts = level.stmts(class);
        let rows = level.best(class)?;
        let mut inside = None;
        let around = |s: &StmtId| history.get(s).map_or(0, Vec::len) + 1;
        let loops_left = stmts
            .iter()
            .any(|s| search.scop.stmt(*s).depth() > around(s));
        if let (true, Some(found)) = (stmts.len() > 1 && loops_left, &rows) {
            let rest = search.residual(&stmts, open, std::slice::from_ref(&found.rows))?;
            let mut history = history.clone();
            for (s, row) in &found.rows {
                history.entry(*s).or_default().push(row.iters.clone());
            }
            inside = Some(LevelSpace::new(search, &stmts, &rest, &history)?);
        }
        Ok(Fused {
            class: stmts,
            rows,
            inside,
        })
    }
}
