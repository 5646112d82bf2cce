//! The policy: which bands are tiled and how, which loops run in parallel. [`plan`] is the entry point.
//!
//! An outermost loop that is sequential only because its iterations share temporary arrays runs in parallel, with copies of
//! them for each thread (`private`).
//!
//! For each band from the outside in, with the members of its child where all may be interchanged (`nested`), the first
//! that applies:
//!
//! 1. sums over finished cells of their own array run in push form (`pushed`), those that keep their order where no other rule takes them;
//! 1. statements in loops behind a condition on data keep the original's order (`guarded`);
//! 1. a member by which a sum below gains rows moves inwards (`sink`);
//! 1. members along which sums move down their cells are turned round (`forwards`);
//! 1. a band of several accumulating statements falls apart (`distribute`); accumulating statements become register
//!    tiles below cache tiles ([`crate::simd`]);
//! 1. a sum below a band takes a row and a lane from it and becomes a register tile (`inner`);
//! 2. a band that the original runs in vector lanes along a sum keeps its order (`reassociated`);
//! 2. sums over one of two members become register tiles without rows, nest by nest (`streams`);
//! 2. a coincident member around chains gives vector lanes (`lanes`);
//! 2. of several independent loops around sums that keep their order, one gives vector lanes (`windows`);
//! 2. recurrences down the columns of matrices run in strips of columns, whole rows as vectors (`columns`);
//! 2. steps that sweep twice over a matrix run in blocks of steps and panels of columns, two sweeps as one (`panels`);
//! 2. a coincident member along which memory is contiguous goes below the innermost band (`inward`);
//! 3. of the members of a permutable band without coincident one, the first whose steps consist of parallel sweeps is
//!    outermost;
//! 3. such a band runs step by step if its sweeps are coincident inside
//!    ([`crate::tile::points`]), or in parts if it can be split into coincident ones (`split`); else its tiles run in
//!    waves;
//! 4. chains along the innermost member make its tiles short (`chain`);
//! 4. a permutable band is tiled if the model says that it pays ([`crate::cost`]);
//! 5. a band whose only coincident member is the contiguous one is cut into strips along it, one thread per strip;
//! 6. otherwise the band stays as it is, with a long member outermost instead of a short one where threads take it (`shared`).
//!
//! Sweeps of one step, and adjacent nests, follow each other row by row where that saves traffic (`fused`).
//! Adjacent nests share their outermost loop where that is legal (`join`). Lanes keep what nobody else reads to
//! themselves (`contracted`), and take statements of the next nest along to that end (`taken`). Loops that wait for a sum alone run in
//! strips (`strips`). One loop per path from the root runs in parallel, the outermost that can ([`crate::parallel`]). Nests of very many statements keep
//! their order ([`as_written`]). The result is checked by [`crate::legality`] like every schedule; nothing here is trusted.

mod band;
mod batch;
mod chain;
mod columns;
mod contracted;
mod copies;
mod diagonal;
mod distribute;
mod forwards;
mod fused;
mod guarded;
mod inner;
mod inward;
mod join;
mod lanes;
mod nested;
mod panels;
mod private;
mod pushed;
mod reassociated;
mod shared;
mod sink;
mod split;
mod streams;
mod strips;
mod taken;
mod windows;
mod written;

pub use batch::batches_in_lanes;
pub use copies::{with_copies, without_copies};
pub use written::as_written;

use crate::cost::typical;
use crate::live::Live;
use crate::parallel::{distribution, vectorize};
use crate::target::Target;
use crate::tile::{BandTiling, Size, Sizes};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Distribution, LoopKind, Schedule, Tree};

/// The log's target for the rules that made something of a nest, each time they do.
pub const RULES: &str = "polytile_transform::plan::rules";

/// What a rule made; whoever counts rules reads the log.
fn fired<T>(rule: &str, made: T) -> T {
    log::debug!(target: RULES, "{rule}");
    made
}

/// The members of some bands, from the outside in.
fn members<'a>(
    bands: impl IntoIterator<Item = &'a MultiUnionPwAff>,
) -> poly::Result<Vec<UnionPwAff>> {
    let mut all = vec![];
    for band in bands {
        all.extend(band.union_pw_affs()?);
    }
    Ok(all)
}

/// What may be done.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// Cache tiles.
    pub tiling: Tiling,
    /// Sizes of a second, inner level of tiles for bands that are tiled by `tiling`; empty: none. The last is repeated.
    pub second_level: Vec<i64>,
    /// Sizes are run-time values instead of constants.
    pub runtime_sizes: bool,
    /// Loops may run on several threads.
    pub parallel: bool,
    /// Innermost loops are marked for vectors.
    pub vectorize: bool,
    /// Accumulating statements become register tiles.
    pub register_tiles: bool,
}

/// Cache tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// None.
    Off,
    /// Where they pay, by the model.
    Auto,
    /// The same, with these sizes as far as each kind of tile may have them; the last is repeated. Bands that nothing else is
    /// known for are tiled whether it pays or not.
    Fixed(Vec<i64>),
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions {
            tiling: Tiling::Auto,
            second_level: vec![],
            runtime_sizes: false,
            parallel: true,
            vectorize: true,
            register_tiles: true,
        }
    }
}

/// The schedule with tiles, parallel and vector loops.
pub fn plan(
    scop: &Scop,
    deps: &Dependences,
    schedule: &Schedule,
    target: &Target,
    options: &PlanOptions,
) -> poly::Result<Schedule> {
    let (mut planner, place) = Planner::new((scop, deps), schedule, target, options)?;
    let mut root = planner.tree(&schedule.root, &place)?;
    root = planner.contracted(&root, &schedule.domain)?;
    if options.vectorize {
        root = vectorize(scop, &root, &schedule.domain, &[])?;
        root = planner.in_strips(&root, &schedule.domain, &[])?;
    }
    Ok(Schedule {
        domain: schedule.domain.clone(),
        root,
        sizes: planner.sizes.into_params(),
    })
}

struct Planner<'a> {
    scop: &'a Scop,
    deps: &'a Dependences,
    target: &'a Target,
    options: &'a PlanOptions,
    typical: Vec<i64>,
    sizes: Sizes,
}

/// A node on the way down.
#[derive(Clone)]
struct Place {
    /// The instances that come here.
    domain: UnionSet,
    /// The dependences that nothing above orders.
    live: Live,
    /// The bands above.
    outer: Vec<MultiUnionPwAff>,
    /// No loop above runs in parallel, and it is allowed.
    parallel: bool,
}

impl Place {
    /// How the iterations of a loop at this place are dealt; `first`: it is the outermost one of its band.
    fn dealing(&self, row: &UnionPwAff, first: bool) -> poly::Result<Distribution> {
        match first && self.outer.is_empty() {
            true => distribution(&self.domain, row, false),
            false => Ok(Distribution::Static),
        }
    }

    /// Below all members of a band.
    fn below(&self, rows: &MultiUnionPwAff) -> poly::Result<Place> {
        let mut place = self.clone();
        for row in rows.union_pw_affs()? {
            place.live = place.live.tied(&row)?;
        }
        place.outer.push(rows.clone());
        Ok(place)
    }

    /// Below a filter.
    fn inside(&self, filter: &UnionSet) -> poly::Result<Place> {
        let domain = self.domain.intersect(filter)?;
        let mut place = self.clone();
        place.live = self.live.inside(&domain)?;
        place.domain = domain;
        Ok(place)
    }
}

impl<'a> Planner<'a> {
    /// For a schedule, and the place of its root.
    fn new(
        (scop, deps): (&'a Scop, &'a Dependences),
        schedule: &Schedule,
        target: &'a Target,
        options: &'a PlanOptions,
    ) -> poly::Result<(Planner<'a>, Place)> {
        let planner = Planner {
            scop,
            deps,
            target,
            options,
            typical: typical(scop)?,
            sizes: Sizes::new(scop, &schedule.sizes),
        };
        let root = Place {
            domain: schedule.domain.clone(),
            live: Live::at_root(deps)?,
            outer: vec![],
            parallel: options.parallel,
        };
        Ok((planner, root))
    }
}

impl Planner<'_> {
    fn tree(&mut self, tree: &Tree, place: &Place) -> poly::Result<Tree> {
        Ok(match tree {
            Tree::Leaf => Tree::Leaf,
            Tree::Mark(mark, child) => Tree::Mark(mark.clone(), Box::new(self.tree(child, place)?)),
            Tree::Sequence(list) => {
                let planned = self.branches(list, place)?;
                let mut branches = join::joined(self.fused_nests(planned, place)?, place)?;
                match branches.len() {
                    1 => branches.remove(0).child,
                    _ => Tree::Sequence(branches),
                }
            }
            Tree::Set(list) => Tree::Set(self.branches(list, place)?),
            Tree::Band(band) => match self.private_band(tree, place)? {
                Some(parallel) => fired("private arrays", parallel),
                None => self.band(band, place)?,
            },
        })
    }

    fn branches(&mut self, list: &[Branch], place: &Place) -> poly::Result<Vec<Branch>> {
        let mut branches = vec![];
        let mut list = list.to_vec();
        let mut at = 0;
        while let Some(b) = list.get(at) {
            let together = match self.private_loop(&list[at..], place)? {
                None => self
                    .adjacent_streams(&list[at..], place)?
                    .map(|f| fired("adjacent streams", f)),
                found => found.map(|f| fired("private loop", f)),
            };
            if let Some((count, child)) = together {
                let mut filter = b.filter.clone();
                for other in &list[at + 1..at + count] {
                    filter = filter.union(&other.filter)?;
                }
                branches.push(Branch { filter, child });
                at += count;
                continue;
            }
            if let Some(taken) = self.taken_up(&list[at..], place)? {
                branches.push(fired("taken up", taken.lanes));
                list.splice(at..at + 2, taken.rest);
                continue;
            }
            at += 1;
            branches.push(Branch {
                filter: b.filter.clone(),
                child: self.tree(&b.child, &place.inside(&b.filter)?)?,
            });
        }
        Ok(branches)
    }

    /// Tiles that run in parallel, outside of waves, take sizes that give threads equal shares, unless sizes are given.
    fn dealt(&self, mut tiling: BandTiling) -> BandTiling {
        let auto = self.options.tiling == Tiling::Auto && !self.options.runtime_sizes;
        if auto && tiling.wavefront.is_empty() && tiling.loops_at < tiling.levels.len() {
            let sizes = &mut tiling.levels[tiling.loops_at];
            for (size, kind) in sizes.iter_mut().zip(&tiling.loops) {
                if let LoopKind::Parallel(_) = kind {
                    *size = size.dealt();
                }
            }
        }
        tiling
    }

    /// Sizes as the options want them: those that are given, and constants unless they may change at run time.
    fn settled(&self, mut tiling: BandTiling) -> BandTiling {
        if let Tiling::Fixed(sizes) = &self.options.tiling {
            give(sizes, &mut tiling);
        }
        for size in tiling.levels.iter_mut().flatten() {
            if let (Size::Runtime { default, .. }, false) = (*size, self.options.runtime_sizes) {
                *size = Size::Const(default);
            }
        }
        tiling
    }
}

/// Gives a tiling's outermost level these sizes, rounded to what each must be a multiple of. Members of one size that run in
/// waves stay of one size.
fn give(sizes: &[i64], tiling: &mut BandTiling) {
    let BandTiling {
        levels, wavefront, ..
    } = tiling;
    let Some(level) = levels.first_mut() else {
        return;
    };
    let before = level.clone();
    let given = band::repeated(sizes, level.len());
    for (m, size) in level.iter_mut().enumerate() {
        let alike = |w: &&usize| before[**w] == before[m];
        let from = match wavefront.contains(&m) {
            true => wavefront.iter().find(alike).copied().unwrap_or(m),
            false => m,
        };
        if let Size::Runtime {
            default,
            multiple_of,
        } = size
        {
            *default = (given[from] / *multiple_of).max(1) * *multiple_of;
        }
    }
}

#[cfg(test)]
mod tests;
