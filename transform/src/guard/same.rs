//! Programs whose innermost loops are the original's: [`same_loops`].
//!
//! Where the innermost loops of the original carry no dependence, or only that of a reduction, and every statement keeps its innermost loop, the
//! original vectorizes as well as the new program does. What the new program gains then is threads, and cache where
//! sweeps follow each other row by row. Both need as much work as a fork does; with less, the original runs.
//!
//! ```text
//! for t: { for i: B[i] = f(A[i-1..i+1]); for i: A[i] = f(B[i-1..i+1]); }      the same loops
//! for k, i, j: p[i][j] = min(p[i][j], p[i][k] + p[k][j])                      the original's j carries a dependence
//! ```

use crate::live::{Live, statements};
use crate::simd::linear_part;
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionSet};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, LoopKind, Schedule, Tree, original};

/// Whether every statement keeps its innermost loop, and these carry no dependence in the original.
pub fn same_loops(scop: &Scop, deps: &Dependences, schedule: &Schedule) -> poly::Result<bool> {
    let before = original(scop)?;
    Ok(kept(scop, &schedule.root, &schedule.domain, &mut vec![])?
        && free(&before.root, &before.domain, &ordered(deps)?)?)
}

/// What the vectorizer keeps in order: a sum whose terms may come in any order has lanes of its own.
fn ordered(deps: &Dependences) -> poly::Result<Live> {
    Live::of(deps.ordering(true))
}

/// Whether the innermost loops of the original carry no dependence of those that are open.
pub(super) fn free(tree: &Tree, domain: &UnionSet, live: &Live) -> poly::Result<bool> {
    match tree {
        Tree::Leaf => Ok(true),
        Tree::Mark(_, child) => free(child, domain, live),
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                let part = domain.intersect(&b.filter)?;
                if !free(&b.child, &part, &live.inside(&part)?)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Tree::Band(band) => {
            let row = band.schedule.at(0)?;
            match band.child.has_bands() {
                true => free(&band.child, domain, &live.tied(&row)?),
                false => live.coincident(&row),
            }
        }
    }
}

/// Whether a band gives lanes to a loop around others, which the compiler does to innermost ones only.
fn has_lanes_around_loops(band: &Band) -> bool {
    let lanes =
        |kind: &LoopKind| matches!(kind, LoopKind::Lanes { .. } | LoopKind::Diagonal { .. });
    band.child.has_bands() && band.loops.iter().any(lanes)
}

/// Whether every statement keeps its innermost loop, without tiles and with no lanes around it.
fn kept(
    scop: &Scop,
    tree: &Tree,
    domain: &UnionSet,
    above: &mut Vec<MultiUnionPwAff>,
) -> poly::Result<bool> {
    match tree {
        Tree::Mark(..) => Ok(false),
        Tree::Band(band) if band.tile.is_some() || has_lanes_around_loops(band) => Ok(false),
        Tree::Band(band) => {
            above.push(band.schedule.clone());
            let same = kept(scop, &band.child, domain, above)?;
            above.pop();
            Ok(same)
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                if !kept(scop, &b.child, &domain.intersect(&b.filter)?, above)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Tree::Leaf => {
            for id in statements(scop, domain)? {
                if !innermost_kept(scop.stmt(id), above)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Whether the last row that moves this statement moves with its last iterator alone.
fn innermost_kept(stmt: &Stmt, above: &[MultiUnionPwAff]) -> poly::Result<bool> {
    let depth = stmt.depth();
    for rows in above.iter().rev() {
        for m in (0..rows.size()).rev() {
            match linear_part(&rows.at(m)?, stmt)? {
                Some(row) if row.iter().all(|c| *c == 0) => {}
                Some(row) => return Ok((0..depth).all(|d| (row[d] != 0) == (d + 1 == depth))),
                None => return Ok(false),
            }
        }
    }
    Ok(depth == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{flagged, flat_schedule, sample};
    use polytile_analysis::deps::compute;
    use polytile_analysis::poly::Ctx;

    fn same(name: &str, flat: &str) -> bool {
        let ctx = Ctx::new();
        let scop = sample(&ctx, name);
        let deps = compute(&scop, false).unwrap();
        let schedule = flagged(&scop, &flat_schedule(&scop, flat));
        same_loops(&scop, &deps, &schedule).unwrap()
    }

    #[test]
    fn sweeps_are_the_same_loops() {
        let sweeps = "{ S0[t,i,j] -> [t,0,i,j]; S1[t,i,j] -> [t,1,i,j] }";
        let interchanged = "{ S0[t,i,j] -> [t,0,j,i]; S1[t,i,j] -> [t,1,i,j] }";
        let skewed = "{ S0[t,i,j] -> [t,2t+i,2t+j,0]; S1[t,i,j] -> [t,2t+i+1,2t+j+1,1] }";
        assert!(same("jacobi-2d", sweeps));
        assert!(!same("jacobi-2d", interchanged));
        assert!(!same("jacobi-2d", skewed));
    }

    #[test]
    fn an_original_that_carries_dependences_gains() {
        assert!(!same("floyd-warshall", "{ S0[k,i,j] -> [k,i,j] }"));
    }
}
