//! Scalar expansion: a scalar whose value never leaves an iteration of its outer loops gets one cell per iteration.
//!
//! A scalar that crosses statements orders all iterations of all loops around it (the next iteration overwrites it), so
//! no loop can be interchanged or run in parallel. If every read of it sees a value written in the same iteration of the
//! `d` outermost loops that its statements share, then `s` may become `s[i_0]..[i_(d-1)]`, or have only some of these
//! dimensions:
//!
//! ```text
//! for i { s = 0;    for k  s    += A[i][k];  r[i] = s;    }
//! for i { s[i] = 0; for k  s[i] += A[i][k];  r[i] = s[i]; }     // i is parallel now
//! ```
//!
//! Whether it may is decided on value-based flow (Feautrier 1991; Darte and Isoard use the same test for contraction).
//! A scalar that is live after the region stays as it is. Where the program still reads each value right where it was
//! written, the array is contracted again ([`crate::ast::handed_on`]; per lane: `ast::contracted`).

mod arms;
mod array;
mod batch;
mod cell;
mod chain;
mod converted;
mod copy;
mod extrema;
mod filled;
mod group;
mod hoisted;
mod independent;
mod last;
mod local;
mod merge;
mod neutral;
mod shadow;
mod short;
mod single;
mod structure;
mod updates;
mod version;

pub use arms::merge_arms;
pub use array::expand_arrays;
pub(crate) use array::{counter, subscripts};
pub use batch::{Batches, batches};
pub use cell::map_scalars;
pub(crate) use chain::has_chain;
pub use converted::if_converted;
pub use extrema::part_extrema;
pub use filled::filled_arrays;
pub use group::{group_statements, part_residuals};
pub use hoisted::hoist_calls;
pub use local::local_arrays;
pub use merge::merge_updates;
pub(crate) use merge::numbered;
pub use neutral::neutral_first;
pub use shadow::shadowed;
pub use short::unroll_short;
pub use structure::structures_of_arrays;
pub use updates::written_anyway;
pub use version::version_arrays;

use polytile_analysis::deps::{ValueFlow, value_flow_of};
use polytile_analysis::guards::is_guarded;
use polytile_analysis::ids::{ArrayId, LoopId};
use polytile_analysis::poly::{Aff, DimType, Error, Map, PwAff, Result, Set, UnionMap};
use polytile_analysis::region::Ty;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, AccessKind, Array, ArrayKind, Place, Scop, Stmt};

/// More dimensions cost more memory traffic than the freedom is worth. The innermost loops get theirs, where vectors and register
/// tiles come from; an outer one can still have a copy for each thread.
const MAX_DIMENSIONS: usize = 2;

/// But for arrays of so many elements at most, as short loops of known lengths have: they stay in the first cache.
const FEW: i128 = 1024;

/// The part of the budget for the flow of values; without an answer nothing is expanded. The kernels take up to 54 000 units
/// of the default.
const FLOW_SHARE: u64 = 40;

/// `scop` with its expandable scalars as temporary arrays.
pub fn expand_scalars(scop: &Scop) -> Result<Scop> {
    let scalars: Vec<ArrayId> = (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|&a| scop.array(a).kind == ArrayKind::Scalar { live_out: None })
        .collect();
    if scalars.is_empty() {
        return Ok(scop.clone());
    }
    let (written_first, open) = by_order(scop, &scalars, |a| shared_depth(scop, a))?;
    // Cases that overlap for sizes at which nothing runs would read what nobody has written.
    let narrow = scop.narrowed()?;
    let flow = flow_of(&narrow, &open)?;
    let mut depths = vec![];
    for array in scalars {
        let most = shared_depth(scop, array);
        let depth = match &flow {
            _ if written_first.contains(&array) => most,
            Some(flow) => private_prefix(scop, array, most, &flow.possible, &flow.from_outside)?,
            None => continue,
        };
        depths.push((array, depth));
    }
    let mut expanded = scop.clone();
    if let Some(flow) = &flow
        && let Some(stmts) = only_read(&narrow, &open, &flow.possible)?
    {
        expanded.stmts = stmts;
    }
    let read = expanded.clone();
    for (array, depth) in depths {
        if let Some(extents) = extents(&read, array, depth)? {
            apply(&mut expanded, array, &extents)?;
        }
    }
    Ok(expanded)
}

/// `scop` with a cell for each iteration of scalars that every iteration of the loops which their statements share writes before it reads them: for
/// questions about its order only. `keeps`: whether a statement's place among so many outer loops is asked for as a whole.
pub(crate) fn privatized(scop: &Scop, keeps: impl Fn(&Stmt, usize) -> bool) -> Result<Scop> {
    let mut private = scop.clone();
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let depth = shared_depth(scop, array);
        let scalar = scop.array(array).kind == ArrayKind::Scalar { live_out: None };
        if scalar
            && users(scop, array).all(|s| keeps(s, depth))
            && is_written_first(scop, array, depth)?
        {
            let cells: Vec<Extent> = (0..depth).map(|d| one_cell(scop, array, d)).collect();
            apply(&mut private, array, &cells)?;
        }
    }
    Ok(private)
}

/// A dimension along a loop that all users of an array share, of a size that nobody asks for.
fn one_cell(scop: &Scop, array: ArrayId, dim: usize) -> Extent {
    let first = users(scop, array).next().expect("a loop of its users");
    Extent {
        dim,
        loop_: first.iters[dim],
        size: Scev::constant(64, 1),
    }
}

/// The flow of values through some arrays; `None` if there are none, that takes too much work, or isl has no answer: where places repeat
/// with a stride it may ask itself for an expression without iterators that has some (`isl_basic_map_try_find_output_mod`).
fn flow_of(scop: &Scop, arrays: &[ArrayId]) -> Result<Option<ValueFlow>> {
    if arrays.is_empty() {
        return Ok(None);
    }
    let _quota = scop.context.ctx().share(FLOW_SHARE);
    match value_flow_of(scop, None, |a| arrays.contains(&a)) {
        Err(Error::Quota | Error::Invalid(_)) => Ok(None),
        flow => Ok(Some(flow?)),
    }
}

/// The statements without instances that write nothing but a scalar which nobody reads then; `None`: there are no such instances. Where
/// cases merge again and again, all that hands values on from one merge to the next has been taken up by cases but at the rims.
fn only_read(scop: &Scop, scalars: &[ArrayId], flow: &UnionMap) -> Result<Option<Vec<Stmt>>> {
    let mut stmts = scop.stmts.clone();
    let mut fewer = false;
    for s in &mut stmts {
        if s.is_group() || !scalars.contains(&s.write().array) {
            continue;
        }
        let mut read = s.domain.subtract(&s.domain)?;
        for m in flow.maps()? {
            if m.tuple_name(DimType::In).as_deref() == Some(&*s.name) {
                read = read.union(&m.domain()?)?;
            }
        }
        let read = s.domain.intersect(&read.gist_params(&scop.context)?)?;
        if !s.domain.intersect_params(&scop.context)?.is_subset(&read)? {
            s.domain = read.coalesce()?;
            fewer = true;
        }
    }
    if !fewer {
        return Ok(None);
    }
    let mut left = vec![];
    for s in stmts {
        if !s.domain.is_empty()? {
            left.push(s);
        }
    }
    Ok(Some(numbered(left)?))
}

/// The statements that access an array.
pub(crate) fn users(scop: &Scop, array: ArrayId) -> impl Iterator<Item = &Stmt> {
    scop.stmts
        .iter()
        .filter(move |s| s.accesses.iter().any(|a| a.array == array))
}

/// How many outer loops all users of an array share.
pub(crate) fn shared_depth(scop: &Scop, array: ArrayId) -> usize {
    let mut users = users(scop, array);
    let Some(first) = users.next() else { return 0 };
    users.fold(first.depth(), |depth, s| {
        let common = first
            .beta
            .iter()
            .zip(&s.beta)
            .take_while(|(a, b)| a == b)
            .count();
        depth.min(common).min(s.depth())
    })
}

/// Scalars that are written before they are read in each iteration of so many outer loops, and the others, of which the flow of
/// values has to tell.
fn by_order(
    scop: &Scop,
    scalars: &[ArrayId],
    depth: impl Fn(ArrayId) -> usize,
) -> Result<(Vec<ArrayId>, Vec<ArrayId>)> {
    let (mut first, mut open) = (vec![], vec![]);
    for &a in scalars {
        match is_written_first(scop, a, depth(a))? {
            true => first.push(a),
            false => open.push(a),
        }
    }
    Ok((first, open))
}

/// Whether each read of a scalar has statements in front of it, in loops around it and in the `depth` outermost, of which one
/// runs in the same iteration and writes the scalar. Then no value crosses an iteration of these loops, and it takes no search
/// for the last write to see it.
pub(crate) fn is_written_first(scop: &Scop, scalar: ArrayId, depth: usize) -> Result<bool> {
    let certain = |s: &&Stmt| {
        let mut writes = s.writes().iter();
        writes.any(|w| w.array == scalar && w.kind == AccessKind::MustWrite)
    };
    for r in &scop.stmts {
        if r.reads().iter().all(|a| a.array != scalar) {
            continue;
        }
        let mut left = r.domain.intersect_params(&scop.context)?;
        for w in scop.stmts.iter().filter(certain) {
            let loops = w.depth();
            let around = (depth..=r.depth()).contains(&loops)
                && w.beta[..loops] == r.beta[..loops]
                && w.beta[loops] < r.beta[loops];
            if around {
                let domain = w.domain.add_dims(DimType::Set, r.depth() - loops)?;
                left = left.subtract(&domain.set_tuple_name(&r.name)?)?;
            }
        }
        if !left.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How many of the `depth` outermost loops no value of an array crosses an iteration of; 0 if one comes from outside.
fn private_prefix(
    scop: &Scop,
    array: ArrayId,
    mut depth: usize,
    flow: &UnionMap,
    outside: &UnionMap,
) -> Result<usize> {
    let name = &scop.array(array).name;
    for m in outside.maps()? {
        if m.tuple_name(DimType::Out).as_deref() == Some(name) {
            return Ok(0);
        }
    }
    for m in flow.maps()? {
        if depth > 0 && carries(scop, array, &m) {
            depth = private_part(&m, depth)?;
        }
    }
    Ok(depth)
}

/// Whether no value of an array crosses an iteration of the `depth` (at least one) outermost loops or comes from outside.
fn is_private(
    scop: &Scop,
    array: ArrayId,
    depth: usize,
    flow: &UnionMap,
    outside: &UnionMap,
) -> Result<bool> {
    Ok(private_prefix(scop, array, depth, flow, outside)? == depth)
}

/// Whether a flow between two statements may be one of this array.
fn carries(scop: &Scop, array: ArrayId, flow: &Map) -> bool {
    let stmt = |ty| {
        flow.tuple_name(ty)
            .and_then(|n| scop.stmt_by_name(&n).cloned())
    };
    match (stmt(DimType::In), stmt(DimType::Out)) {
        (Some(from), Some(to)) => {
            from.writes_to(array) && to.reads().iter().any(|a| a.array == array)
        }
        _ => false,
    }
}

/// The longest prefix of at most `depth` dimensions in which source and sink always agree.
fn private_part(flow: &Map, depth: usize) -> Result<usize> {
    let mut equal = Map::universe(&flow.space()?)?;
    for d in 0..depth {
        equal = equal.equate(DimType::In, d, DimType::Out, d)?;
        if !flow.is_subset(&equal)? {
            return Ok(d);
        }
    }
    Ok(depth)
}

/// One dimension of an expanded scalar.
struct Extent {
    /// Position of the loop in its statements.
    dim: usize,
    loop_: LoopId,
    /// Number of iterations, 64 bits.
    size: Scev,
}

/// Whether statements read a scalar that stand in loops behind conditions on data. Where these mostly do not hold, to fill an array of two
/// dimensions takes longer than all they do, and such statements are not interchanged.
fn is_for_guarded(scop: &Scop, array: ArrayId) -> bool {
    let reads = |s: &Stmt| s.reads().iter().any(|r| r.array == array);
    scop.stmts.iter().any(|s| reads(s) && is_guarded(scop, s))
}

/// The loops of the new dimensions and how often each runs; `None` if there is nothing to gain or no bound.
fn extents(scop: &Scop, array: ArrayId, depth: usize) -> Result<Option<Vec<Extent>>> {
    let Some(first) = users(scop, array).next() else {
        return Ok(None);
    };
    let mut found = vec![];
    let dimensions = match is_for_guarded(scop, array) {
        true => 1,
        false => MAX_DIMENSIONS,
    };
    let mut elements = Some(1);
    for d in (0..depth).rev() {
        if found.len() >= dimensions && elements.is_none_or(|all| all > FEW) {
            break;
        }
        let mut terms = vec![];
        let mut bounded = true;
        for s in users(scop, array) {
            bounded &= last_iteration(scop, &s.domain, d, &mut terms)?;
        }
        let size = plus_one(maximum(terms));
        elements = elements.zip(known(&size)).map(|(all, more)| all * more);
        if found.len() >= dimensions && !(bounded && elements.is_some_and(|all| all <= FEW)) {
            break;
        }
        if !bounded {
            return Ok(None);
        }
        let loop_ = first.iters[d];
        found.push(Extent {
            dim: d,
            loop_,
            size,
        });
    }
    found.reverse();
    Ok((!found.is_empty()).then_some(found))
}

/// The value of a size that is made of constants.
fn known(size: &Scev) -> Option<i128> {
    let all = |v: &[Scev]| v.iter().map(known).collect::<Option<Vec<i128>>>();
    match &size.kind {
        ScevKind::Const(c) => Some(*c),
        ScevKind::Add(v, _) => Some(all(v)?.into_iter().sum()),
        ScevKind::SMax(v) => all(v)?.into_iter().max(),
        _ => None,
    }
}

/// Appends the pieces of the greatest value of a dimension, or more where steps of loops are in it; false where there is no closed form.
pub(crate) fn last_iteration(
    scop: &Scop,
    domain: &Set,
    d: usize,
    terms: &mut Vec<Scev>,
) -> Result<bool> {
    let domain = domain.intersect_params(&scop.context)?;
    if domain.is_empty()? {
        return Ok(true);
    }
    if !domain.dim_has_upper_bound(DimType::Set, d)? {
        return Ok(false);
    }
    let last: PwAff = domain.dim_max(d)?;
    let pieces = last.pieces()?;
    let exact = pieces.iter().map(|(_, aff)| affine_scev(scop, aff));
    let exact: Option<Vec<Scev>> = exact.collect::<Result<_>>()?;
    let found = match exact {
        Some(pieces) => pieces,
        None => match in_steps(scop, &domain, d)? {
            Some(bound) => vec![bound],
            None => return Ok(false),
        },
    };
    for s in found {
        if !terms.contains(&s) {
            terms.push(s);
        }
    }
    Ok(true)
}

/// An upper bound of the loop of a dimension that takes larger steps, `j <= (n - 3) / 2`, where it ends with others (`j < rows`) as well: the
/// least of them, zero where a dividend is negative. `None`: nothing bounds it.
fn in_steps(scop: &Scop, domain: &Set, d: usize) -> Result<Option<Scev>> {
    let behind = domain.dim(DimType::Set) - d - 1;
    let line = domain
        .project_out(DimType::Set, d + 1, behind)?
        .project_out(DimType::Set, 0, d)?;
    let scev = |kind| Scev { width: 64, kind };
    let mut bounds = vec![];
    for c in line.remove_divs()?.simple_hull()?.constraints()? {
        let own = c.coefficient(DimType::Set, 0)?;
        if own == 0 || (own > 0 && !c.is_equality()) {
            continue;
        }
        let sign = -own.signum();
        let coefficient = |p| Ok(sign * c.coefficient(DimType::Param, p)?);
        let dividend = linear(scop, sign * c.constant()?, coefficient)?;
        let least = ScevKind::SMax(vec![dividend, Scev::constant(64, 0)]);
        let divisor = Scev::constant(64, i128::from(own.abs()));
        bounds.push(scev(ScevKind::UDiv(
            Box::new(scev(least)),
            Box::new(divisor),
        )));
    }
    Ok(match bounds.len() {
        0 | 1 => bounds.pop(),
        _ => Some(scev(ScevKind::SMin(bounds))),
    })
}

/// Appends the pieces of the greatest subscript of these cells in a dimension; false where there is no closed form, or one is negative.
pub(crate) fn last_subscript(
    scop: &Scop,
    cells: &Set,
    d: usize,
    terms: &mut Vec<Scev>,
) -> Result<bool> {
    let least = cells.dim_min(d)?;
    let negative = least.lt_set(&least.sub(&least)?)?;
    Ok(negative.is_empty()? && last_iteration(scop, cells, d, terms)?)
}

/// An affine function of the parameters as an evolution of 64 bits; `None` if it divides.
pub(crate) fn affine_scev(scop: &Scop, aff: &Aff) -> Result<Option<Scev>> {
    if aff.involves_locals()? || aff.denominator()? != 1 {
        return Ok(None);
    }
    let coefficient = |p| aff.coefficient(DimType::Param, p);
    Ok(Some(linear(scop, aff.constant()?, coefficient)?))
}

/// A constant and multiples of the parameters as an evolution of 64 bits.
fn linear(scop: &Scop, constant: i64, coefficient: impl Fn(usize) -> Result<i64>) -> Result<Scev> {
    let mut terms = vec![Scev::constant(64, i128::from(constant))];
    for (i, p) in scop.params.iter().enumerate() {
        let c = coefficient(i)?;
        if c != 0 {
            let value = widened(&p.expr);
            terms.push(Scev::product(vec![
                Scev::constant(64, i128::from(c)),
                value,
            ]));
        }
    }
    Ok(Scev::sum(terms))
}

/// A parameter's value on 64 bits.
fn widened(s: &Scev) -> Scev {
    if s.width == 64 {
        s.clone()
    } else {
        Scev {
            width: 64,
            kind: ScevKind::SExt(Box::new(s.clone())),
        }
    }
}

/// The greatest of the terms and -1, so that a size is never negative.
pub(crate) fn maximum(mut terms: Vec<Scev>) -> Scev {
    terms.push(Scev::constant(64, -1));
    Scev {
        width: 64,
        kind: ScevKind::SMax(terms),
    }
}

pub(crate) fn plus_one(s: Scev) -> Scev {
    Scev::sum(vec![s, Scev::constant(64, 1)])
}

/// A scalar of our own, that no one uses yet.
fn new_scalar(scop: &mut Scop, like: &str, ty: Ty) -> ArrayId {
    let (name, kind) = (
        array::fresh_name(scop, like),
        ArrayKind::Scalar { live_out: None },
    );
    scop.arrays.push(Array::of_one_cell(name, kind, ty));
    ArrayId::from(scop.arrays.len() - 1)
}

/// Adds a statement with a beta vector that others may have: what stands there, and what is behind it in the same loop, moves on.
fn put_in_front(scop: &mut Scop, stmt: Stmt) {
    let (place, around) = stmt.beta.split_last().expect("a place in its loop");
    let depth = around.len();
    for s in &mut scop.stmts {
        if s.beta.starts_with(around) && s.beta.get(depth).is_some_and(|own| own >= place) {
            s.beta[depth] += 1;
        }
    }
    scop.stmts.push(stmt);
}

/// An access of a statement to a scalar.
fn scalar_cell(scop: &Scop, stmt: &Stmt, (array, kind): (ArrayId, AccessKind)) -> Result<Access> {
    let of = stmt.write();
    let dims = of.relation.dim(DimType::Out);
    let scalar = scop.array(array);
    Ok(Access {
        kind,
        array,
        relation: of
            .relation
            .project_out(DimType::Out, 0, dims)?
            .set_tuple_name(DimType::Out, &scalar.name)?,
        place: Place::Scalar,
        ty: scalar.ty,
        inst: None,
    })
}

/// An array of our own with these sizes, of which the elements lie side by side.
pub(crate) fn temporary(name: String, ty: Ty, extents: Vec<Scev>) -> Array {
    let mut strides = vec![Scev::constant(64, i128::from(ty.bytes()))];
    for e in extents.iter().skip(1).rev() {
        strides.insert(0, Scev::product(vec![e.clone(), strides[0].clone()]));
    }
    Array {
        name,
        kind: ArrayKind::Temporary,
        ty,
        strides,
        extents,
        origin: vec![],
        gaps: false,
        hidden: false,
        dead: false,
        blank: false,
    }
}

/// Makes the scalar an array over these loops.
fn apply(scop: &mut Scop, array: ArrayId, extents: &[Extent]) -> Result<()> {
    let target = &mut scop.arrays[array.index()];
    let name = target.name.clone();
    let sizes = extents.iter().map(|e| e.size.clone()).collect();
    *target = temporary(name.clone(), target.ty, sizes);
    for s in &mut scop.stmts {
        let domain = s.domain.clone();
        for a in s.accesses.iter_mut().filter(|a| a.array == array) {
            *a = expanded_access(a, &domain, &name, extents)?;
        }
    }
    Ok(())
}

/// `S[i, ..] -> s[]` as `S[i, ..] -> s[i, ..]`.
fn expanded_access(a: &Access, domain: &Set, name: &str, extents: &[Extent]) -> Result<Access> {
    let mut relation = a
        .relation
        .add_dims(DimType::Out, extents.len())?
        .set_tuple_name(DimType::Out, name)?;
    for (d, e) in extents.iter().enumerate() {
        relation = relation.equate(DimType::In, e.dim, DimType::Out, d)?;
    }
    debug_assert!(extents.iter().all(|e| e.dim < domain.dim(DimType::Set)));
    let counter = |e: &Extent| Scev {
        width: 64,
        kind: ScevKind::AddRec {
            loop_: e.loop_,
            operands: vec![Scev::constant(64, 0), Scev::constant(64, 1)],
            wrap: Wrap {
                nuw: true,
                nsw: true,
            },
        },
    };
    Ok(Access {
        relation,
        place: Place::Temporary(extents.iter().map(counter).collect()),
        ..a.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Row sums through a scalar; `used` is read after the loop over i if `leak`.
    fn row_sums(ctx: &Ctx, leak: bool) -> Scop {
        let last = if leak {
            "stmt S3\n domain { S3[] }\n beta 1\n write { S3[] -> r[0] }\n read { S3[] -> s[] }\n body (read 1)\n"
        } else {
            ""
        };
        let text = format!(
            "scop \"rows\" function \"rows\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array A f64 [n][m]\narray r f64 [n]\narray s f64 scalar\n\
             stmt S0\n domain {{ S0[i] : 0 <= i < n }}\n beta 0 0\n write {{ S0[i] -> s[] }}\n body (bits 0)\n\
             stmt S1\n domain {{ S1[i, k] : 0 <= i < n and 0 <= k < m }}\n beta 0 1 0\n write {{ S1[i, k] -> s[] }}\n \
             read {{ S1[i, k] -> s[] }}\n read {{ S1[i, k] -> A[i, k] }}\n body (fadd (read 1) (read 2))\n\
             stmt S2\n domain {{ S2[i] : 0 <= i < n }}\n beta 0 2\n write {{ S2[i] -> r[i] }}\n \
             read {{ S2[i] -> s[] }}\n body (read 1)\n{last}"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn private_scalar_gets_a_dimension() {
        let ctx = Ctx::new();
        let scop = expand_scalars(&row_sums(&ctx, false)).expect("expanded");
        let s = scop.arrays.iter().find(|a| a.name == "s").expect("s");
        assert_eq!(s.kind, ArrayKind::Temporary);
        assert_eq!(s.extents.len(), 1);
        let relation = scop.stmts[1].write().relation.to_string();
        assert!(
            relation.contains("S1[i, k] -> s[i]")
                || relation.contains("s[o0 = i]")
                || relation.contains("s[i]"),
            "{relation}"
        );
    }

    /// Two cases of a scalar that are read at the ends only, and one behind that is not read at all.
    #[test]
    fn what_nobody_reads_of_a_scalar_is_not_computed() {
        let ctx = Ctx::new();
        let text = "scop \"c\" function \"c\"\nparams n\ncontext { : n >= 1 }\n\
             assume non-empty { : n >= 2 }\narray A f64 [n]\narray r f64 [n]\narray s f64 scalar\n\
             stmt S0\n domain { S0[0] : n >= 2 }\n beta 0 0\n write { S0[i] -> s[] }\n body (bits 0)\n\
             stmt S1\n domain { S1[i] : 0 < i < n }\n beta 0 1\n write { S1[i] -> s[] }\n \
             read { S1[i] -> A[i] }\n body (read 1)\n\
             stmt S2\n domain { S2[0]; S2[n - 1] }\n beta 0 2\n write { S2[i] -> r[i] }\n \
             read { S2[i] -> s[] }\n body (read 1)\n\
             stmt S3\n domain { S3[i] : 0 <= i < n }\n beta 0 3\n write { S3[i] -> s[] }\n body (bits 0)\n";
        let scop = parse_scop(&ctx, text).expect("a SCoP");
        let with = expand_scalars(&scop).expect("expanded");
        assert_eq!(with.stmts.len(), 3);
        let last = Set::parse(&ctx, "[n] -> { S1[i] : i = n - 1 and n >= 2 }").expect("a set");
        let kept = scop
            .known()
            .and_then(|k| with.stmts[1].domain.intersect_params(&k));
        let same = kept.and_then(|k| k.is_equal(&last));
        assert!(same.expect("sets"), "{}", with.stmts[1].domain);
    }

    #[test]
    fn inner_loops_get_dimensions() {
        let ctx = Ctx::new();
        let text = "scop \"c\" function \"c\"\nparams n\ncontext { : n >= 1 }\n\
             array A f64 [n][n][n]\narray s f64 scalar\n\
             stmt S0\n domain { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }\n beta 0 0 0 0\n \
             write { S0[i, j, k] -> s[] }\n body (bits 0)\n\
             stmt S1\n domain { S1[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }\n beta 0 0 0 1\n \
             write { S1[i, j, k] -> A[i, j, k] }\n read { S1[i, j, k] -> s[] }\n body (read 1)\n";
        let scop = expand_scalars(&parse_scop(&ctx, text).expect("a SCoP")).expect("expanded");
        let s = scop.arrays.iter().find(|a| a.name == "s").expect("s");
        assert_eq!(s.extents.len(), 2);
        let cell = Map::parse(&ctx, "[n] -> { S0[i, j, k] -> s[j, k] }").expect("a map");
        let written = scop.stmts[0].write();
        let relation = written.relation.intersect_domain(&scop.stmts[0].domain);
        let cell = cell.intersect_domain(&scop.stmts[0].domain);
        assert!(
            relation
                .expect("cells")
                .is_equal(&cell.expect("cells"))
                .expect("an answer")
        );
        let Place::Temporary(counters) = &written.place else {
            panic!("a temporary");
        };
        let loops: Vec<_> = counters.iter().flat_map(|c| c.loops()).collect();
        assert_eq!(loops, scop.stmts[0].iters[1..]);
    }

    #[test]
    fn scalar_that_is_read_after_the_loop_stays() {
        let ctx = Ctx::new();
        let scop = expand_scalars(&row_sums(&ctx, true)).expect("unchanged");
        let s = scop.arrays.iter().find(|a| a.name == "s").expect("s");
        assert_eq!(s.kind, ArrayKind::Scalar { live_out: None });
    }

    #[test]
    fn carried_scalar_stays() {
        let ctx = Ctx::new();
        let text = polytile_analysis::text::samples::text("durbin").expect("sample");
        let scop = expand_scalars(&parse_scop(&ctx, text).expect("a SCoP")).expect("expanded");
        let kind = |n: &str| {
            scop.arrays
                .iter()
                .find(|a| a.name == n)
                .expect("array")
                .kind
                .clone()
        };
        assert_eq!(kind("beta"), ArrayKind::Scalar { live_out: None });
        assert_eq!(kind("sum"), ArrayKind::Temporary);
    }

    /// `if (c) s = 0; else s = 1; A[i][j] = s`, the second for the values in `other`.
    fn cases(ctx: &Ctx, other: &str) -> Scop {
        let any = "((i + j) mod 7 = 0 or (i + j) mod 11 = 0 or (i + j) mod 13 = 0)";
        let text = format!(
            "scop \"cases\" function \"cases\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array A i32 [n][n]\narray s i32 scalar\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n and {any} }}\n beta 0 0 0\n \
             write {{ S0[i, j] -> s[] }}\n body (bits 0)\n\
             stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < n and {other} }}\n beta 0 0 1\n \
             write {{ S1[i, j] -> s[] }}\n body (bits 1)\n\
             stmt S2\n domain {{ S2[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 0 0 2\n \
             write {{ S2[i, j] -> A[i, j] }}\n read {{ S2[i, j] -> s[] }}\n body (read 1)\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn what_is_written_first_needs_no_flow_of_values() {
        let ctx = Ctx::new();
        let s = ArrayId::from(1);
        let rest = "(i + j) mod 7 > 0 and (i + j) mod 11 > 0 and (i + j) mod 13 > 0";
        let scop = cases(&ctx, rest);
        assert!(is_written_first(&scop, s, 2).expect("an answer"));
        let partly = cases(&ctx, &format!("{rest} and i > 0"));
        assert!(!is_written_first(&partly, s, 2).expect("an answer"));
        let rows = row_sums(&ctx, false);
        let sum = ArrayId::from(2);
        assert!(is_written_first(&rows, sum, 1).expect("an answer"));
        let leaks = row_sums(&ctx, true);
        assert!(!is_written_first(&leaks, sum, 0).expect("an answer"));
    }
}
