//! Copies of operands that are written below the copy, whether they take only what is final: [`are_final`].
//!
//! Register tiles of a factorization read panels of which the last steps are computed in the tile itself. A copy of the steps
//! `k < K` is right if no instance below the copy, whatever its order, writes a cell that an instance with `k < K` reads
//! by a copied operand:
//!
//! ```text
//! read( { y in D : k(y) < K } )  and  write(D)   have no cell in common
//! ```
//!
//! `K` is taken from the emitted program. How the generator finds it (the least `k` over instances that read such a cell,
//! `ast/pack.rs`) plays no part here.

use super::compare::Row;
use crate::simd::accesses_of;
use polytile_analysis::poly::{Map, Result, Set, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Pack;

/// Whether the operands of the steps in `copied`, `{ [k] : k < K }`, are not written by instances in `below`, for
/// parameters in `context`. `steps` is the row of the reduction.
pub(crate) fn are_final(
    scop: &Scop,
    pack: &Pack,
    (below, context): (&UnionSet, &Set),
    steps: &UnionPwAff,
    copied: &Set,
) -> Result<bool> {
    let stmt = scop.stmt(pack.stmt);
    let row = Row::new(scop, steps)?;
    let Some(step) = row.of(stmt.id) else {
        return Ok(false);
    };
    let sets = below.sets()?;
    let own = sets
        .iter()
        .find(|s| s.tuple_name().as_deref() == Some(&stmt.name));
    let Some(own) = own else {
        return Ok(true);
    };
    let early = Map::from_pw_aff(step)?.intersect_range(copied)?.domain()?;
    let early = early.intersect(own)?.intersect_params(context)?;
    for set in &sets {
        let name = set.tuple_name().unwrap_or_default();
        let Some(writer) = scop.stmt_by_name(&name) else {
            return Ok(false);
        };
        for operand in &pack.operands {
            for n in accesses_of(stmt, *operand) {
                let read = &stmt.accesses[n];
                let taken = read.relation.intersect_domain(&early)?.range()?;
                for write in writer.writes().iter().filter(|w| w.array == read.array) {
                    let cells = write.relation.intersect_domain(set)?.range()?;
                    if !taken.intersect(&cells)?.is_empty()? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}
