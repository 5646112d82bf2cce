//! The original order (the 2d+1 form of Cohen, Girbal and Temam 2004; `Original_order` of Kelly and Pugh 1995).
//!
//! Statement `S` of depth `d` runs its instance `i` at time `(beta_0, i_0, beta_1, i_1, .., beta_d)`; times are compared
//! lexicographically. Two statements share as many loops as their beta vectors share leading positions.

use crate::poly::{DimType, Map, Result, UnionMap};
use crate::scop::{Scop, Stmt};

/// The number of loops that two statements share.
pub fn shared_loops(s: &Stmt, t: &Stmt) -> usize {
    let equal = s
        .beta
        .iter()
        .zip(&t.beta)
        .take_while(|(a, b)| a == b)
        .count();
    equal.min(s.depth()).min(t.depth())
}

/// Whether `s` stands before `t` in the body of the innermost loop that they share.
pub fn textually_before(s: &Stmt, t: &Stmt) -> bool {
    let at = shared_loops(s, t);
    s.beta[at] < t.beta[at]
}

/// Instance pairs `S[x] -> T[y]` with `x` before `y`, one basic map per loop that may carry the order.
pub fn before(s: &Stmt, t: &Stmt) -> Result<Map> {
    let space = s
        .domain
        .space()?
        .map_from_domain_and_range(&t.domain.space()?)?;
    let shared = shared_loops(s, t);
    let (mut all, mut equal) = (Map::empty(&space)?, Map::universe(&space)?);
    for level in 0..shared {
        all = all.union(&equal.order_lt(DimType::In, level, DimType::Out, level)?)?;
        equal = equal.equate(DimType::In, level, DimType::Out, level)?;
    }
    if textually_before(s, t) {
        all.union(&equal)
    } else {
        Ok(all)
    }
}

/// The original schedule as a map from instances to times, all of the same length: `2 * depth + 1` of the deepest
/// statement, padded with zeros.
pub fn original_schedule(scop: &Scop) -> Result<UnionMap> {
    let depth = scop.stmts.iter().map(Stmt::depth).max().unwrap_or(0);
    let mut all = UnionMap::empty(&scop.context.space()?)?;
    for s in &scop.stmts {
        let range = scop.context.space()?.add_unnamed_tuple(2 * depth + 1)?;
        let space = s.domain.space()?.map_from_domain_and_range(&range)?;
        let mut map = Map::universe(&space)?;
        for level in 0..=depth {
            map = map.fix_si(
                DimType::Out,
                2 * level,
                s.beta.get(level).copied().unwrap_or(0),
            )?;
            if level < s.depth() {
                map = map.equate(DimType::In, level, DimType::Out, 2 * level + 1)?;
            } else if level < depth {
                map = map.fix_si(DimType::Out, 2 * level + 1, 0)?;
            }
        }
        all = all.union(&map.intersect_domain(&s.domain)?.to_union_map()?)?;
    }
    Ok(all)
}
