//! Whether iterations of a loop touch a common element, but of some arrays: asked of domains and accesses, without dependences.

use super::{shared_depth, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Error, Map, Result};
use polytile_analysis::scop::{Access, Scop, Stmt};

/// The part of the budget for the question whether iterations of a loop are independent.
const SHARE: u64 = 40;

/// The place of the loops that all statements with an array share.
pub(super) fn around(scop: &Scop, array: ArrayId) -> &[i64] {
    let first = users(scop, array).next();
    first.map_or(&[], |s| &s.beta[..shared_depth(scop, array)])
}

/// Whether iterations of the innermost of these loops touch no common element but of some arrays, in one iteration of the others.
pub(super) fn are_independent(scop: &Scop, loops: &[i64], but: &[ArrayId]) -> Result<bool> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match all_apart(scop, loops, but) {
        Err(Error::Quota) => Ok(false),
        answer => answer,
    }
}

fn all_apart(scop: &Scop, loops: &[i64], but: &[ArrayId]) -> Result<bool> {
    let inside = |s: &&Stmt| s.beta.starts_with(loops) && s.depth() >= loops.len();
    let stmts: Vec<&Stmt> = scop.stmts.iter().filter(inside).collect();
    for s in &stmts {
        for w in s.writes().iter().filter(|w| !but.contains(&w.array)) {
            for t in &stmts {
                for a in t.accesses.iter().filter(|a| a.array == w.array) {
                    if meet_later(scop, (s, w), (t, a), loops.len())? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Whether two accesses touch one element in different iterations of the loop at a depth, in one iteration of those around it.
fn meet_later(
    scop: &Scop,
    first: (&Stmt, &Access),
    second: (&Stmt, &Access),
    depth: usize,
) -> Result<bool> {
    let last = depth - 1;
    let both = meetings(scop, first, second, last)?;
    Ok(!both
        .order_lt(DimType::In, last, DimType::Out, last)?
        .is_empty()?
        || !both
            .order_gt(DimType::In, last, DimType::Out, last)?
            .is_empty()?)
}

/// The instances in which two accesses touch one element, in one iteration of so many loops.
pub(super) fn meetings(
    scop: &Scop,
    (s, w): (&Stmt, &Access),
    (t, a): (&Stmt, &Access),
    depth: usize,
) -> Result<Map> {
    let cells = |s: &Stmt, a: &Access| -> Result<Map> {
        let domain = s.domain.intersect_params(&scop.context)?;
        a.relation.intersect_domain(&domain)
    };
    let mut both = cells(s, w)?.apply_range(&cells(t, a)?.reverse()?)?;
    for d in 0..depth {
        both = both.equate(DimType::In, d, DimType::Out, d)?;
    }
    Ok(both)
}
