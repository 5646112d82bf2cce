//! The dependences that the space is made of: one for each pair of statements, polyhedron and level of the original loops.
//!
//! Lemma 3 chooses for each dependence the level at which it is satisfied, so how pairs of instances are grouped to dependences decides which schedules it has. The paper's
//! grouping is one polyhedron for each pair of accesses and for each loop that carries it. [`polytile_analysis::deps`] has already merged equal polyhedra of two statements, which
//! demand the same; what it coalesced over several loops (`t <= t'` and `i' = i + 1`) is taken apart again here.

use crate::schedule::band::{Open, Search};
use polytile_analysis::deps::{Dependences, order};
use polytile_analysis::poly::{BasicMap, DimType, Map, Result};
use polytile_analysis::scop::Stmt;

/// The distinct dependences of a SCoP that order instances, level by level, with their cones.
///
/// # Errors
/// Those of the set library, and the quota of its context.
pub(super) fn distinct(search: &Search, deps: &Dependences) -> Result<Vec<Open>> {
    let mut found: Vec<Open> = vec![];
    for d in deps.ordering(false) {
        let (s, t) = (search.scop.stmt(d.src), search.scop.stmt(d.dst));
        for relation in by_level(&d.relation, s, t)? {
            let mut known = false;
            let between = |o: &&mut Open| (o.src, o.dst) == (d.src, d.dst);
            for other in found.iter_mut().filter(between) {
                if other.relation.is_equal(&relation)? {
                    other.kind |= d.kind;
                    known = true;
                    break;
                }
            }
            if !known {
                found.push(search.open(d.src, d.dst, d.kind, relation)?);
            }
        }
    }
    Ok(found)
}

/// The parts of a dependence that are carried by each loop that its statements share, outermost first, and by none.
fn by_level(relation: &BasicMap, s: &Stmt, t: &Stmt) -> Result<Vec<BasicMap>> {
    let mut parts = vec![];
    let mut rest = Map::from_basic_map(relation)?;
    for level in 0..order::shared_loops(s, t) {
        let carried = rest.order_lt(DimType::In, level, DimType::Out, level)?;
        parts.extend(carried.basic_maps()?);
        rest = rest.equate(DimType::In, level, DimType::Out, level)?;
    }
    parts.extend(rest.basic_maps()?);
    let mut kept = vec![];
    for part in parts {
        if !part.is_empty()? {
            kept.push(part.detect_equalities()?.remove_redundancies()?);
        }
    }
    Ok(kept)
}
