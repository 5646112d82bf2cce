//! Array expansion: an array that is filled and used up in each iteration of a loop gets one copy per iteration, where
//! that gives a sum a second member to reuse an operand across.
//!
//! ```text
//! for q: { for p { sum[p] = 0;    for s  sum[p]    += A[q][s] * C[s][p]; }  for p  A[q][p] = sum[p];    }
//! for q: { for p { sum[q][p] = 0; for s  sum[q][p] += A[q][s] * C[s][p]; }  for p  A[q][p] = sum[q][p]; }
//! for p: sum[p] = sum[Q - 1][p]                                                // what the program sees afterwards
//! ```
//!
//! So does a row that sums take (`b[k]` in `for j: { for k  b[k] = A[j][k] * d[k];  for i, k  A[i][j] -= A[i][k] * b[k]; }`, a factorization
//! with a scaled row): without copies all sums of a step wait for those of the step before.
//!
//! With one row of sums each product is a vector times a matrix; with all of them it is a matrix product, which runs as
//! register tiles once the loop over `q` is distributed. Only the innermost loop that all statements share is expanded: the
//! copies of one iteration of the loops around it stay in cache.
//!
//! Conditions, all on value-based flow (Feautrier 1991) and exact sets:
//!
//! * no value crosses an iteration of the shared loops, none comes from outside, all writes are certain;
//! * the last iteration of these loops writes every cell that is ever written;
//! * subscripts are affine and not negative;
//! * afterwards some statement accumulates in the copies with the expanded loop as its row ([`crate::simd::roles`]), or takes them
//!   with the loop as its row or lane; or they hold chains ([`super::chain`]).

use super::chain::with_chains;
use super::last::inside;
use super::{
    FLOW_SHARE, affine_scev, flow_of, is_private, last_subscript, maximum, plus_one, shared_depth,
    temporary, users,
};
use crate::simd::{inverse_columns, roles, subscripts as subscripts_of};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::poly::{DimType, Error, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Place, Scop, Stmt};

/// `scop` with arrays expanded where it pays.
pub fn expand_arrays(scop: &Scop) -> Result<Scop> {
    with_chains(&of_sums(scop)?)
}

/// `scop` with copies of what sums gain by.
fn of_sums(scop: &Scop) -> Result<Scop> {
    let accumulated = |a: &ArrayId| {
        let in_memory = matches!(scop.array(*a).kind, ArrayKind::Memory { .. });
        let updated = |s: &Stmt| {
            let mut own = s.writes().iter().filter(|w| w.array == *a);
            own.any(|w| s.reads().iter().any(|r| r.place == w.place))
        };
        let used = || scop.stmts.iter().any(updated) || in_a_sum(scop, *a);
        in_memory && shared_depth(scop, *a) > 0 && used()
    };
    let mut candidates: Vec<ArrayId> = vec![];
    for a in (0..scop.arrays.len()).map(ArrayId::from) {
        if accumulated(&a) && !is_read_first(scop, a)? {
            candidates.push(a);
        }
    }
    let mut expanded = scop.clone();
    for array in candidates {
        let with = match gaining_copies(&expanded, array) {
            Err(Error::Quota) => continue,
            with => with?,
        };
        // The flow takes longest, and few arrays come so far.
        let Some(with) = with else {
            continue;
        };
        let Some(flow) = flow_of(scop, &[array])? else {
            continue;
        };
        let depth = shared_depth(scop, array);
        if is_private(scop, array, depth, &flow.possible, &flow.from_outside)? {
            expanded = with;
        }
    }
    Ok(expanded)
}

/// The SCoP with copies of an array, if that is one and a sum gains by them.
fn gaining_copies(scop: &Scop, array: ArrayId) -> Result<Option<Scop>> {
    let _quota = scop.context.ctx().share(FLOW_SHARE);
    let Some(with) = with_copies(scop, array)? else {
        return Ok(None);
    };
    Ok(gains(&with, array, shared_depth(scop, array) - 1)?.then_some(with))
}

/// Whether each iteration of the loops that an array's users share begins with a statement, alone in front of all others, that reads what
/// an earlier iteration or nobody has written: most sums do, of which the flow need not be asked.
fn is_read_first(scop: &Scop, array: ArrayId) -> Result<bool> {
    let depth = shared_depth(scop, array);
    let first = users(scop, array).map(|s| s.beta[depth]).min();
    let mut firsts = users(scop, array).filter(|s| Some(s.beta[depth]) == first);
    let (Some(s), None) = (firsts.next(), firsts.next()) else {
        return Ok(false);
    };
    for read in s.reads().iter().filter(|r| r.array == array) {
        if s.domain.is_subset(&read.relation.domain()?)? {
            return Ok(!s.domain.intersect_params(&scop.context)?.is_empty()?);
        }
    }
    Ok(false)
}

/// Whether a sum over a loop of its own takes an array that is filled in a loop around it.
fn in_a_sum(scop: &Scop, array: ArrayId) -> bool {
    let depth = shared_depth(scop, array);
    let sums = |s: &Stmt| {
        let w = s.write();
        !s.is_group()
            && w.array != array
            && s.depth() >= depth + 2
            && s.reads().iter().any(|r| r.array == array)
            && s.reads().iter().any(|r| r.place == w.place)
    };
    users(scop, array).any(|s| s.writes_to(array)) && users(scop, array).any(sums)
}

/// Whether a statement that accumulates in the copies (the last array) has the loop of this depth as its row, or one that
/// takes them for a sum has it as its row or lane.
fn gains(scop: &Scop, array: ArrayId, loop_: usize) -> Result<bool> {
    let copies = ArrayId::from(scop.arrays.len() - 1);
    debug_assert_ne!(copies, array);
    for s in users(scop, copies) {
        let takes = !s.writes_to(copies);
        let inside = |step: &Vec<i64>| step[..loop_].iter().all(|&c| c == 0);
        let steps: Vec<Option<Vec<i64>>> = match takes {
            true => along_cells(s)?,
            false => units(s.depth()).into_iter().map(Some).collect(),
        };
        let steps: Vec<Option<Vec<i64>>> = (steps.into_iter().map(|s| s.filter(inside))).collect();
        let moves = |d: usize| steps[d].as_ref().is_some_and(|step| step[loop_] != 0);
        if let Ok(found) = roles(scop, s, &steps)?
            && (moves(found.row) || takes && moves(found.lane))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn units(depth: usize) -> Vec<Vec<i64>> {
    let unit = |d: usize| (0..depth).map(|i| i64::from(i == d)).collect();
    (0..depth).map(unit).collect()
}

/// Steps of the iterators along which one subscript of the written cell moves, or none does.
fn along_cells(stmt: &Stmt) -> Result<Vec<Option<Vec<i64>>>> {
    let mut rows = subscripts_of(stmt, stmt.write())?.unwrap_or_default();
    rows.extend(units(stmt.depth()));
    Ok(inverse_columns(&rows, stmt.depth()).unwrap_or_default())
}

/// The SCoP with copies of an array instead of the array, and the last copy written back.
fn with_copies(scop: &Scop, array: ArrayId) -> Result<Option<Scop>> {
    let depth = shared_depth(scop, array);
    let Some(last) = last_writers(scop, array, depth)? else {
        return Ok(None);
    };
    let Some(mut with) = copies(scop, (array, depth), scop.stmts.len())? else {
        return Ok(None);
    };
    for (writer, last) in last {
        let back = written_back(scop, &with, (writer, last), depth)?;
        with.stmts.push(back);
    }
    Ok(Some(with))
}

/// The SCoP with copies of an array, for the innermost of so many shared loops, instead of the array in the first statements.
pub(super) fn copies(
    scop: &Scop,
    (array, depth): (ArrayId, usize),
    stmts: usize,
) -> Result<Option<Scop>> {
    let Some(extents) = sizes(scop, array, depth - 1)? else {
        return Ok(None);
    };
    let mut with = scop.clone();
    let name = fresh_name(scop, &scop.array(array).name);
    let copies = ArrayId::from(with.arrays.len());
    with.arrays
        .push(temporary(name.clone(), scop.array(array).ty, extents));
    for s in &mut with.stmts[..stmts] {
        let loops = s.iters.clone();
        for a in s.accesses.iter_mut().filter(|a| a.array == array) {
            match copied(scop, a, &loops, depth - 1, copies, &name)? {
                Some(copied) => *a = copied,
                None => return Ok(None),
            }
        }
    }
    Ok(Some(with))
}

/// Statements whose last iteration of the `depth` shared loops writes every cell, and their instances there: one, or all.
fn last_writers(scop: &Scop, array: ArrayId, depth: usize) -> Result<Option<Vec<(StmtId, Set)>>> {
    let writers: Vec<&Stmt> = users(scop, array).filter(|s| s.writes_to(array)).collect();
    if writers.iter().any(|s| s.is_group()) {
        return Ok(None);
    }
    let (mut all, mut cells): (Option<Set>, Option<Set>) = (None, None);
    for s in &writers {
        if s.write().kind != AccessKind::MustWrite || s.write().ty != scop.array(array).ty {
            return Ok(None);
        }
        let domain = s.domain.intersect_params(&scop.context)?;
        let own = prefix(&domain, depth)?;
        let written = domain.apply(&s.write().relation)?;
        all = Some(united(all, &own)?);
        cells = Some(united(cells, &written)?);
    }
    let (Some(all), Some(cells)) = (all, cells) else {
        return Ok(None);
    };
    let last = all.lexmax()?;
    let (mut list, mut written) = (vec![], None);
    for s in writers {
        let domain = s.domain.intersect_params(&scop.context)?;
        let here = domain.intersect(&inside(s, &last)?)?;
        let own = here.apply(&s.write().relation)?;
        let instances = here.gist_params(&scop.context)?;
        if cells.is_subset(&own)? {
            return Ok(Some(vec![(s.id, instances)]));
        }
        written = Some(united(written, &own)?);
        list.push((s.id, instances));
    }
    let whole = written.map_or(Ok(false), |w| cells.is_subset(&w))?;
    Ok(whole.then_some(list))
}

pub(super) fn united(all: Option<Set>, one: &Set) -> Result<Set> {
    match all {
        None => Ok(one.clone()),
        Some(all) => all.union(one),
    }
}

/// The first `depth` dimensions of a set, without a name.
pub(super) fn prefix(domain: &Set, depth: usize) -> Result<Set> {
    let inner = domain.dim(DimType::Set) - depth;
    domain
        .project_out(DimType::Set, depth, inner)?
        .compute_divs()?
        .set_tuple_name("")
}

/// The size of the expanded loop, then of each dimension of the array.
fn sizes(scop: &Scop, array: ArrayId, loop_: usize) -> Result<Option<Vec<Scev>>> {
    let dims = scop.array(array).strides.len();
    let mut terms: Vec<Vec<Scev>> = vec![vec![]; dims + 1];
    for s in users(scop, array) {
        let domain = s.domain.intersect_params(&scop.context)?;
        if !super::last_iteration(scop, &s.domain, loop_, &mut terms[0])? {
            return Ok(None);
        }
        for a in s.accesses.iter().filter(|a| a.array == array) {
            let cells = domain.apply(&a.relation)?;
            for d in 0..dims {
                if !last_subscript(scop, &cells, d, &mut terms[d + 1])? {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(
        terms.into_iter().map(|t| plus_one(maximum(t))).collect(),
    ))
}

/// An access to the array as one to the copy of its iteration; `None` if a subscript is not affine.
fn copied(
    scop: &Scop,
    a: &Access,
    loops: &[LoopId],
    loop_: usize,
    copies: ArrayId,
    name: &str,
) -> Result<Option<Access>> {
    let Some(subscripts) = subscripts(scop, a, loops)? else {
        return Ok(None);
    };
    let mut place = vec![counter(loops[loop_])];
    place.extend(subscripts);
    let relation = a
        .relation
        .insert_dims(DimType::Out, 0, 1)?
        .set_tuple_name(DimType::Out, name)?
        .equate(DimType::In, loop_, DimType::Out, 0)?;
    Ok(Some(Access {
        array: copies,
        relation,
        place: Place::Temporary(place),
        inst: None,
        ..a.clone()
    }))
}

/// The subscripts of an access as evolutions over the loops of its statement; `None` if one is not affine.
pub(crate) fn subscripts(scop: &Scop, a: &Access, loops: &[LoopId]) -> Result<Option<Vec<Scev>>> {
    let subscripts = a.relation.as_pw_multi_aff()?;
    if !subscripts.isa_multi_aff()? {
        return Ok(None);
    }
    let subscripts = subscripts.as_multi_aff()?;
    let mut place = vec![];
    for d in 0..subscripts.size() {
        let aff = subscripts.at(d)?;
        if aff.involves_locals()? || aff.denominator()? != 1 {
            return Ok(None);
        }
        let Some(fixed) = affine_scev(scop, &aff)? else {
            return Ok(None);
        };
        let mut terms = vec![fixed];
        for (i, l) in loops.iter().enumerate() {
            match aff.coefficient(DimType::In, i)? {
                0 => {}
                1 => terms.push(counter(*l)),
                c => terms.push(Scev::product(vec![
                    Scev::constant(64, i128::from(c)),
                    counter(*l),
                ])),
            }
        }
        place.push(Scev::sum(terms));
    }
    Ok(Some(place))
}

/// `sum[p] = copies[last][p]` for the instances `last` of a statement that writes these cells.
fn written_back(
    scop: &Scop,
    with: &Scop,
    (writer, last): (StmtId, Set),
    depth: usize,
) -> Result<Stmt> {
    let (from, to) = (with.stmt(writer), scop.stmt(writer));
    let id = StmtId::from(with.stmts.len());
    let name = format!("S{}", id.0);
    let renamed = |a: &Access, kind| -> Result<Access> {
        Ok(Access {
            kind,
            relation: a.relation.set_tuple_name(DimType::In, &name)?,
            ..a.clone()
        })
    };
    let mut body = Body::default();
    body.root = body.push(to.write().ty, NodeKind::Read(1));
    let mut beta = to.beta.clone();
    let together = with
        .stmts
        .iter()
        .filter(|s| s.beta.len() > depth && s.beta[..depth] == to.beta[..depth]);
    beta[depth] = 1 + together.map(|s| s.beta[depth]).max().unwrap_or(0);
    Ok(Stmt {
        id,
        domain: last.set_tuple_name(&name)?,
        accesses: vec![
            renamed(to.write(), AccessKind::MustWrite)?,
            renamed(from.write(), AccessKind::Read)?,
        ],
        name,
        iters: to.iters.clone(),
        beta,
        body,
        loc: to.loc.clone(),
    })
}

/// Number of iterations before this one.
pub(crate) fn counter(loop_: LoopId) -> Scev {
    Scev {
        width: 64,
        kind: ScevKind::AddRec {
            loop_,
            operands: vec![Scev::constant(64, 0), Scev::constant(64, 1)],
            wrap: Wrap {
                nuw: true,
                nsw: true,
            },
        },
    }
}

/// A name that no array has.
pub(super) fn fresh_name(scop: &Scop, like: &str) -> String {
    let mut name = format!("{like}_x");
    while scop.arrays.iter().any(|a| a.name == name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    #[test]
    fn rows_of_sums_get_copies() {
        let ctx = Ctx::new();
        let text = polytile_analysis::text::samples::text("doitgen").expect("sample");
        let scop = parse_scop(&ctx, text).expect("a SCoP");
        let with = expand_arrays(&scop).expect("expanded");
        assert_eq!(with.stmts.len(), scop.stmts.len() + 1);
        let copies = with.arrays.last().expect("an array");
        assert_eq!(
            (copies.extents.len(), &copies.kind),
            (2, &ArrayKind::Temporary)
        );
        let back = with.stmts.last().expect("a statement");
        assert!(matches!(back.accesses[1].place, Place::Temporary(_)));
        assert!(matches!(back.write().place, Place::Memory(_)));
    }

    #[test]
    fn sums_without_reuse_stay() {
        let ctx = Ctx::new();
        for name in ["gemm", "mvt", "lu", "durbin"] {
            let text = polytile_analysis::text::samples::text(name).expect("sample");
            let scop = parse_scop(&ctx, text).expect("a SCoP");
            let with = expand_arrays(&scop).expect("unchanged");
            assert_eq!(with.arrays.len(), scop.arrays.len(), "{name}");
        }
    }

    /// Whether the array of this name is read before it is written.
    fn read_first(name: &str, array: &str) -> bool {
        let scop = crate::testing::sample(&Ctx::new(), name);
        let at = scop.arrays.iter().position(|a| a.name == array);
        is_read_first(&scop, ArrayId::from(at.expect("an array"))).expect("an answer")
    }

    #[test]
    fn scaled_matrices_are_read_before_they_are_written_and_rows_of_sums_are_not() {
        assert!(read_first("gemm", "C"));
        assert!(!read_first("doitgen", "sum"));
    }
}
