//! The last iteration of a loop as a nest of its own behind it: it leaves an array as the program does, where all others use copies.

use super::array::{prefix, united};
use super::{numbered, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::{AccessKind, Scop, Stmt};

/// Statements that there are twice, at most.
const MAX_STMTS: usize = 32;

/// The last iteration of the innermost of some loops, for each of the others; `None` where there are too many statements inside.
pub(super) fn last_lines(scop: &Scop, nest: &[i64]) -> Result<Option<Set>> {
    let mut all: Option<Set> = None;
    let mut stmts = 0;
    for s in scop.stmts.iter().filter(|s| s.beta.starts_with(nest)) {
        let own = prefix(&s.domain.intersect_params(&scop.context)?, nest.len())?;
        all = Some(united(all, &own)?);
        stmts += 1;
    }
    let Some(all) = all.filter(|_| stmts <= MAX_STMTS) else {
        return Ok(None);
    };
    let outer = nest.len() - 1;
    let of_outer = Map::from_range(&all)?.move_dims(DimType::In, 0, DimType::Out, 0, outer)?;
    let last = of_outer.lexmax()?;
    let last = last.move_dims(DimType::Out, 0, DimType::In, 0, outer)?;
    Ok(Some(last.range()?.gist_params(&scop.context)?))
}

/// The instances of a statement in some iterations of its outermost loops.
pub(super) fn inside(s: &Stmt, iterations: &Set) -> Result<Set> {
    let outer = iterations.dim(DimType::Set);
    let here = iterations.insert_dims(DimType::Set, outer, s.depth() - outer)?;
    here.set_tuple_name(&s.name)
}

/// Whether the last iterations of a loop write again whatever is written of an array, in each iteration of the loops around it.
pub(super) fn writes_all(scop: &Scop, array: ArrayId, last: &Set) -> Result<bool> {
    let outer = last.dim(DimType::Set) - 1;
    let (mut all, mut again): (Option<Set>, Option<Set>) = (None, None);
    for s in users(scop, array) {
        let domain = s.domain.intersect_params(&scop.context)?;
        let here = domain.intersect(&inside(s, last)?)?;
        for w in s.writes().iter().filter(|w| w.array == array) {
            if w.kind != AccessKind::MustWrite || w.ty != scop.array(array).ty {
                return Ok(false);
            }
            let cells = |of: &Set| {
                let cells = w.relation.intersect_domain(of)?;
                let cells = cells.project_out(DimType::In, outer, s.depth() - outer)?;
                cells.set_tuple_name(DimType::In, "")?.wrap()
            };
            all = Some(united(all, &cells(&domain)?)?);
            again = Some(united(again, &cells(&here)?)?);
        }
    }
    match (all, again) {
        (Some(all), Some(again)) => all.is_subset(&again),
        _ => Ok(false),
    }
}

/// The SCoP with the last iterations of the innermost of some loops as a nest of its own behind it.
pub(super) fn parted(scop: &Scop, nest: &[i64], last: &Set) -> Result<Scop> {
    let (at, outer) = (nest.len() - 1, &nest[..nest.len() - 1]);
    let mut with = scop.clone();
    for s in &mut with.stmts {
        if s.beta.starts_with(outer) && s.beta[at] > nest[at] {
            s.beta[at] += 1;
        }
    }
    for s in scop.stmts.iter().filter(|s| s.beta.starts_with(nest)) {
        let here = inside(s, last)?;
        with.stmts[s.id.index()].domain = s.domain.subtract(&here)?.coalesce()?;
        let mut part = s.clone();
        part.domain = s.domain.intersect(&here)?;
        part.beta[at] += 1;
        with.stmts.push(part);
    }
    with.stmts = numbered(with.stmts)?;
    Ok(with)
}
