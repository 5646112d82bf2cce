//! The candidates of the policy `space`: one schedule for each interleaving of the outermost level (Pouchet et al. 2011, §4.4, Figure 4).
//!
//! ```text
//! explore(C, D):  groups = what must share the outermost loop                                    (mustFuse, mergeNodes)
//!   for each acyclic partition of the groups into connected classes that may share a loop:       (points of F)
//!     for each class: the deepest band of rows, each the shortest (u, w, coefficients)           (equations 10 and 11)
//!     below: the search with maximal fusion                                                      (maxExploreDepth = 1)
//! explore inside, of each of these programs, one loop at a time:                                 (inner)
//!     the row that satisfies the most dependences, if no row is parallel                         (equation 9)
//!     each acyclic partition of what shares the loop, at the level below its band                (maxExploreDepth = 2)
//! ```
//!
//! A class is connected if its groups share arrays: others gain nothing by one loop. Of orders that differ only in independent classes one is taken.
//!
//! A compiler that must not run what it compiles cannot measure hundreds of programs, so the list is bounded. Its order says what is dropped: first most fusion, then full distribution
//! (the two ends of the paper's Figure 5), then partitions by how many statements a fused class keeps from running in parallel that could alone, those that share more arrays first.
//!
//! With rows that satisfy as much as possible a band begins with what carries the dependences, so that more of the loops inside are parallel; without, it has the shortest distances.

mod inner;

use super::Ground;
use super::level::{Groups, Level, members};
use super::partition::{self, Partition};
use crate::schedule::nests::{Nest, search_nests};
use crate::schedule::{Fusion, SearchOptions};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{Error, Result};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Schedule;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What may be spent on candidates.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Candidates.
    pub most: usize,
    /// Those that differ from these inside of an outermost loop; 0: none is looked for.
    pub inside: usize,
    /// Units of work for each of their schedules.
    pub budget: u64,
}

/// One point of the space.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its loops as they are printed, `{S0,S1}{S2}`.
    pub name: String,
    /// Its outermost loops in order.
    pub nests: Vec<Nest>,
    /// A schedule with these loops.
    pub schedule: Schedule,
}

/// The candidates of a SCoP, and what is not among them.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// In the order in which they should be looked at.
    pub candidates: Vec<Candidate>,
    /// Acyclic partitions that were found, and whether there are more.
    pub partitions: (usize, bool),
    /// Those left out because a class shares no array.
    pub unconnected: usize,
    /// Those left out because the list is full.
    pub dropped: usize,
    /// Programs that were found to differ inside of an outermost loop.
    pub inner: usize,
    /// Those of them with the loops of another candidate.
    pub same: usize,
    /// Those for which no schedule was found within the budget.
    pub without: usize,
}

/// Partitions that are compared.
const MOST_PARTITIONS: usize = 500;

/// The candidates of a SCoP.
///
/// # Errors
/// Those of the set library; [`Error::Quota`] and [`Error::Budget`] if the work of its context does not suffice for the partitions; [`Error::Limit`] if there are more than
/// [`super::level::MOST_GROUPS`] groups.
pub fn explore(scop: &Scop, deps: &Dependences, bounds: &Bounds) -> Result<Explored> {
    let ground = Ground::new(scop, deps)?;
    let mut level = ground.outermost()?;
    let found = partition::acyclic(&mut level, MOST_PARTITIONS)?;
    let mut explored = Explored {
        partitions: (found.list.len(), found.more),
        ..Explored::default()
    };
    let mut list = found.list;
    let distributed: Partition = (0..level.groups().len()).map(|g| 1 << g).collect();
    if !list.contains(&distributed) {
        // It is the last one of the enumeration.
        list.push(distributed);
    }
    let all = list.len();
    list.retain(|p| p.iter().all(|c| level.is_connected(*c)));
    explored.unconnected = all - list.len();
    for partition in ranked(&mut level, list)? {
        if explored.candidates.len() >= bounds.most {
            explored.dropped += 1;
            continue;
        }
        let nests: Vec<Nest> = (partition.iter().map(|c| Nest::of(level.stmts(*c)))).collect();
        explored.add(scheduled(scop, deps, bounds, nests)?);
    }
    if bounds.inside > 0 {
        inner::explore(&mut explored, &mut level, (scop, deps), bounds)?;
    }
    Ok(explored)
}

impl Explored {
    fn add(&mut self, found: Option<Candidate>) {
        match found {
            Some(candidate) => self.candidates.push(candidate),
            None => self.without += 1,
        }
    }
}

/// The program with these outermost loops; `None` if a limit ends the search or it finds none.
fn scheduled(
    scop: &Scop,
    deps: &Dependences,
    bounds: &Bounds,
    nests: Vec<Nest>,
) -> Result<Option<Candidate>> {
    let _quota = scop.context.ctx().quota(bounds.budget);
    let found = match search_nests(scop, deps, &bounds.options(), &nests) {
        Err(Error::Quota) => None,
        found => found?,
    };
    Ok(found.map(|schedule| Candidate {
        name: nests.iter().map(ToString::to_string).collect(),
        nests,
        schedule,
    }))
}

impl Bounds {
    /// Those of the search for one schedule.
    fn options(&self) -> SearchOptions {
        SearchOptions {
            fusion: Fusion::Max,
            budget: self.budget,
        }
    }
}

/// Partitions in the order in which they are worth a look.
pub(super) fn ranked(level: &mut Level, list: Vec<Partition>) -> Result<Vec<Partition>> {
    let mut keyed = vec![];
    for p in list {
        let mut serial = 0;
        for class in &p {
            serial += lost(level, *class)?;
        }
        let shared: usize = p.iter().map(|c| shared(level, *c)).sum();
        keyed.push(((serial, Reverse(shared), p.len()), p));
    }
    keyed.sort();
    let mut list: Vec<Partition> = keyed.into_iter().map(|(_, p)| p).collect();
    let groups = level.groups().len();
    let distributed = list.iter().position(|p| p.len() == groups);
    to_front(&mut list, distributed);
    let fused = (0..list.len()).min_by_key(|at| list[*at].len());
    to_front(&mut list, fused);
    Ok(list)
}

fn to_front(list: &mut Vec<Partition>, at: Option<usize>) {
    if let Some(at) = at {
        let p = list.remove(at);
        list.insert(0, p);
    }
}

/// How many groups of a fused class have a row without distances alone and none together.
fn lost(level: &mut Level, class: Groups) -> Result<usize> {
    if class.count_ones() < 2 || is_parallel(level, class)? {
        return Ok(0);
    }
    let mut lost = 0;
    for g in members(class) {
        lost += usize::from(is_parallel(level, 1 << g)?);
    }
    Ok(lost)
}

pub(super) fn is_parallel(level: &mut Level, class: Groups) -> Result<bool> {
    let best = level.best(class)?;
    Ok(best.is_some_and(|b| b.bound == (0, 0)))
}

/// How often the groups of a class find an array that another one of it uses as well.
fn shared(level: &Level, class: Groups) -> usize {
    let mut seen = BTreeSet::new();
    let mut again = 0;
    for g in members(class) {
        let arrays = level.arrays(g);
        again += arrays.intersection(&seen).count();
        seen.extend(arrays);
    }
    again
}
