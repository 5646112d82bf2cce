//! What differs inside of the outermost loops (Pouchet et al. 2011, Figure 4 with an exploration of two levels).
//!
//! Of each program with given outermost loops one loop at a time is varied, for a product over all of them would be of hundreds. At the level below its band, `F` depends on the
//! rows around: what dependences they leave, and which dimensions. Two programs may have the same loops in the end; one of them is kept.

use super::super::level::Level;
use super::super::partition;
use super::{Bounds, Candidate, Explored, is_parallel, ranked, scheduled};
use crate::schedule::band::Search;
use crate::schedule::nests::{Nest, below};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{Error, Result};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::print_schedule;
use std::collections::BTreeSet;

/// Partitions of one inner level that are compared.
const MOST_PARTITIONS: usize = 64;

/// Adds candidates, at most as many as there may be of them, to those that there are.
pub(super) fn explore(
    explored: &mut Explored,
    outermost: &mut Level,
    (scop, deps): (&Scop, &Dependences),
    bounds: &Bounds,
) -> Result<()> {
    let outer: Vec<Candidate> = explored.candidates.clone();
    let mut seen: BTreeSet<String> = outer.iter().map(|c| print_schedule(&c.schedule)).collect();
    let most = outer.len() + bounds.inside;
    for candidate in &outer {
        for at in 0..candidate.nests.len() {
            let mut variants: Vec<Nest> = satisfied(outermost, &candidate.nests[at])?;
            variants.extend(parted(scop, deps, bounds, (&candidate.nests, at))?);
            explored.inner += variants.len();
            for nest in variants {
                if explored.candidates.len() >= most {
                    explored.dropped += 1;
                    continue;
                }
                let mut nests = candidate.nests.clone();
                nests[at] = nest;
                match scheduled(scop, deps, bounds, nests)? {
                    Some(found) if !seen.insert(print_schedule(&found.schedule)) => {
                        explored.same += 1;
                    }
                    found => explored.add(found),
                }
            }
        }
    }
    Ok(())
}

/// The loop with the row that satisfies the most dependences, where the shortest row is not parallel and satisfies less.
fn satisfied(level: &mut Level, nest: &Nest) -> Result<Vec<Nest>> {
    let Some(class) = level.class(&nest.stmts) else {
        return Ok(vec![]);
    };
    if is_parallel(level, class)? {
        return Ok(vec![]);
    }
    let (Some(shortest), Some(most)) = (level.best(class)?, level.most_satisfied(class)?) else {
        return Ok(vec![]);
    };
    let left = level.unsatisfied(class, &shortest.rows)?;
    let more = left.is_some_and(|left| most.unsatisfied < left);
    let nest = Nest {
        row: Some(most.rows),
        ..nest.clone()
    };
    Ok(if more { vec![nest] } else { vec![] })
}

/// The loop with each partition of its statements below its band.
fn parted(
    scop: &Scop,
    deps: &Dependences,
    bounds: &Bounds,
    (nests, at): (&[Nest], usize),
) -> Result<Vec<Nest>> {
    if nests[at].stmts.len() < 2 {
        return Ok(vec![]);
    }
    let quota = scop.context.ctx().quota(bounds.budget);
    let found = match below(scop, deps, &bounds.options(), (nests, at)) {
        Err(Error::Quota) => None,
        found => found?,
    };
    drop(quota);
    let Some((open, history)) = found else {
        return Ok(vec![]);
    };
    let search = Search {
        far: true,
        ..Search::new(scop)?
    };
    let mut level = Level::new(&search, &nests[at].stmts, &open, &history, None)?;
    if level.groups().len() < 2 {
        return Ok(vec![]);
    }
    let mut list = partition::acyclic(&mut level, MOST_PARTITIONS)?.list;
    list.retain(|p| p.iter().all(|c| level.is_connected(*c)));
    let list = ranked(&mut level, list)?;
    let nest = |p: &partition::Partition| Nest {
        inside: p.iter().map(|c| Nest::of(level.stmts(*c))).collect(),
        ..nests[at].clone()
    };
    Ok(list.iter().map(nest).collect())
}
