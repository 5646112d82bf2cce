//! Arrays of which each thread of a parallel loop has a copy of its own.
//!
//! ```text
//! parallel r: { for q, p, s: x[q][p] += A[r][q][s] * C[s][p];   for q, p: A[r][q][p] = x[q][p] }
//! ```
//!
//! Every iteration of `r` overwrites `x`, which orders the iterations although no value passes from one to another. With
//! a copy per thread they are independent (Maydan, Amarasinghe and Lam 1993): a thread's iterations follow each other, and
//! other threads never see its copy.
//!
//! Conditions, by value-based flow (Feautrier 1991):
//!
//! * the array is a temporary one: nobody reads it afterwards, and nothing is in it before;
//! * all its accesses are below the loop, which may be inside of others that run one iteration after the other;
//! * what an instance reads was written in the same iteration of the loop and of those around it: each round of threads begins with nothing.

use super::compare::{Relation, Row, compared};
use super::contracted::ends;
use super::walk::{Here, Walker};
use super::{Rule, Walked};
use polytile_analysis::deps::ValueFlow;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Result, UnionPwAff};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::tree::{LoopKind, Tree};

/// Refuses copies of arrays for the threads of the loop of `below`'s first member where values could get lost.
pub(super) fn check(w: &Walker, arrays: &[ArrayId], below: &Tree, here: &Here) -> Walked<()> {
    let refuse = |why| w.refuse(Rule::NotPrivate(why));
    let Tree::Band(band) = below else {
        return refuse("no band below");
    };
    let parallel = matches!(band.loops.first(), Some(LoopKind::Parallel(_)));
    if band.tile.is_some() || !parallel {
        return refuse("no parallel loop below");
    }
    if !here.alone {
        return refuse("the loop is inside a tile or another parallel loop");
    }
    let mut rows = here.above.clone();
    rows.push(band.schedule.at(0)?);
    let scop = w.scop;
    for s in &scop.stmts {
        if !s.accesses.iter().any(|a| arrays.contains(&a.array)) {
            continue;
        }
        let all = s.domain.intersect_params(&scop.context)?;
        let covered = match here.instances.get(&s.id) {
            Some(set) => all.is_subset(set)?,
            None => all.is_empty()?,
        };
        if !covered {
            return refuse("accessed outside of the loop");
        }
    }
    for &array in arrays {
        if scop.arrays.get(array.index()).map(|a| &a.kind) != Some(&ArrayKind::Temporary) {
            return refuse("not a temporary array");
        }
        let flow = w.deps.flow_of(scop, array)?;
        if !is_private(scop, array, &flow, &rows)? {
            return refuse("a value crosses iterations");
        }
    }
    Ok(())
}

/// Whether all values of an array are read where these rows have the values that they have where they are written.
pub(crate) fn is_private(
    scop: &Scop,
    array: ArrayId,
    flow: &ValueFlow,
    rows: &[UnionPwAff],
) -> Result<bool> {
    let name = &scop.array(array).name;
    for m in flow.from_outside.maps()? {
        if m.tuple_name(DimType::Out).as_deref() == Some(name) && !m.is_empty()? {
            return Ok(false);
        }
    }
    let rows: Vec<Row> = (rows.iter().map(|row| Row::new(scop, row))).collect::<Result<_>>()?;
    for m in flow.possible.maps()? {
        let Some((from, to)) = ends(scop, &m) else {
            return Ok(false);
        };
        let writes = scop.stmt(from).writes_to(array);
        if !writes || !scop.stmt(to).reads().iter().any(|a| a.array == array) {
            continue;
        }
        for row in &rows {
            let (Some(a), Some(b)) = (row.of(from), row.of(to)) else {
                return Ok(false);
            };
            if !m.is_subset(&compared(scop.context.ctx(), a, b, Relation::Equal)?)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
