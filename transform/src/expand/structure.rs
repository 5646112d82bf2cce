//! Arrays of structures as structures of arrays: fields that a nest reads again and again are copied next to each other.
//!
//! ```text
//! for i: for j:  f[i] += g(b[j].x - b[i].x)          for i: x[i] = b[i].x
//!                                                    for i: for j:  f[i] += g(x[j] - x[i])
//! ```
//!
//! Sums keep their order, so the lanes of a vector are iterations of a loop around them, in which the elements of a field lie a structure
//! apart. The copy costs one pass, and then the sums of neighbours run in lanes (Nuzman, Rosen and Zaks 2006 move such elements in registers,
//! each time they are read).
//!
//! A read goes to a copy if, in a nest in which nothing writes what it finds before it does,
//!
//! * its statement is a sum over the innermost loop, and elements that are written lie next to each other along another loop;
//! * along that loop the elements that are read lie apart at a constant distance, more than one element, and would lie next to each other in the
//!   copy, as everything else that the statement reads does already, or does not move;
//! * another loop of the nest reads the same elements again.

use super::copy::{Copy, Read, with_copy};
use super::version::pairs;
use crate::simd::moves_along;
use polytile_analysis::poly::{DimType, Error, Map, Result};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use polytile_analysis::stride::Stride;

/// The part of the budget for one statement; without an answer nothing is copied for it.
const SHARE: u64 = 60;

/// `scop` with copies of fields where they pay; `None` where there are none.
pub fn structures_of_arrays(scop: &Scop) -> Result<Option<Scop>> {
    let mut changed: Option<Scop> = None;
    let mut done = 0;
    // Copies come in front of the statements that they are for.
    while let Some(stmt) = changed.as_ref().unwrap_or(scop).stmts.get(done) {
        let now = changed.as_ref().unwrap_or(scop);
        let _quota = scop.context.ctx().share(SHARE);
        match copied_for(now, stmt) {
            Ok(Some(with)) => changed = Some(with),
            Ok(None) | Err(Error::Quota) => done += 1,
            Err(e) => return Err(e),
        }
    }
    Ok(changed)
}

/// The SCoP with a copy for one field that a statement reads; `None` where it needs none.
fn copied_for(scop: &Scop, stmt: &Stmt) -> Result<Option<Scop>> {
    let certain = stmt.write().kind == AccessKind::MustWrite && !stmt.body.chooses();
    if stmt.depth() < 2 || !certain || !is_sum(scop, stmt)? {
        return Ok(None);
    }
    for lane in (0..stmt.depth() - 1).rev() {
        let Some(apart) = apart(scop, stmt, lane)? else {
            continue;
        };
        for around in 0..=lane {
            let front = &stmt.beta[..=around];
            let mut whole = true;
            for &read in &apart {
                whole = whole && may_copy(scop, (stmt, read), lane, front)?;
            }
            if whole && let Some(&read) = apart.first() {
                return field(scop, (stmt, read), lane, front);
            }
        }
    }
    Ok(None)
}

/// How an access moves along one loop of its statement.
fn along(scop: &Scop, stmt: &Stmt, access: &Access, d: usize) -> Result<Stride> {
    let step: Vec<i64> = (0..stmt.depth()).map(|e| (d == e).into()).collect();
    moves_along(scop, access, &step)
}

/// Whether what a statement writes stands still in its innermost loop.
fn is_sum(scop: &Scop, stmt: &Stmt) -> Result<bool> {
    for write in stmt.writes() {
        let scalar = matches!(write.place, Place::Scalar);
        if scalar || along(scop, stmt, write, stmt.depth() - 1)? != Stride::Zero {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The reads whose elements lie apart along a loop, where all else that a statement accesses does not; `None` where that is not so.
fn apart(scop: &Scop, stmt: &Stmt, lane: usize) -> Result<Option<Vec<usize>>> {
    let writes = stmt.writes().len();
    let mut apart = vec![];
    for (n, access) in stmt.accesses.iter().enumerate() {
        let unit = i128::from(access.ty.bytes());
        match (&access.place, along(scop, stmt, access, lane)?) {
            (Place::Scalar, _) => {}
            (_, Stride::Zero) if n >= writes => {}
            (_, Stride::Const(s)) if s == unit => {}
            (Place::Memory(_), Stride::Const(s)) if n >= writes && s > unit => apart.push(n),
            _ => return Ok(None),
        }
    }
    Ok((!apart.is_empty()).then_some(apart))
}

/// From the elements of a field to numbers that are next to each other along a loop; `None` where there is no such form.
///
/// ```text
/// b[i][2]:  { b[s0, s1] -> [t] : s0 = t and s1 = 2 }            b[3*i + 2]:  { b[s0] -> [t] : s0 = 3t + 2 }
/// ```
fn form(access: &Access, lane: usize) -> Result<Option<Map>> {
    let subscripts = access.relation.as_pw_multi_aff()?;
    let name = access.relation.tuple_name(DimType::Out);
    let (true, Some(name)) = (subscripts.isa_multi_aff()?, name) else {
        return Ok(None);
    };
    let subscripts = subscripts.as_multi_aff()?;
    let (mut from, mut to, mut rules) = (vec![], vec![], vec![]);
    let mut last = false;
    for d in 0..subscripts.size() {
        let aff = subscripts.at(d)?;
        if aff.involves_locals()? || aff.denominator()? != 1 || last && !aff.is_cst()? {
            return Ok(None);
        }
        from.push(format!("s{d}"));
        let constant = aff.constant()?;
        if aff.is_cst()? {
            rules.push(format!("s{d} = {constant}"));
            continue;
        }
        let step = aff.coefficient(DimType::In, lane)?;
        last = step != 0;
        let step = step.max(1);
        for ty in [DimType::In, DimType::Param] {
            for i in 0..aff.dim(ty) {
                if aff.coefficient(ty, i)? % step != 0 {
                    return Ok(None);
                }
            }
        }
        to.push(format!("t{d}"));
        rules.push(format!("s{d} = {step}t{d} + {}", constant.rem_euclid(step)));
    }
    if !last {
        return Ok(None);
    }
    let text = format!(
        "{{ {name}[{}] -> [{}] : {} }}",
        from.join(", "),
        to.join(", "),
        rules.join(" and ")
    );
    Map::parse(access.relation.ctx(), &text).map(Some)
}

/// Whether the elements of a read can be copied in front of a nest, lie next to each other in the copy along a loop, and are read again.
fn may_copy(scop: &Scop, (stmt, read): (&Stmt, usize), lane: usize, front: &[i64]) -> Result<bool> {
    let around = front.len() - 1;
    let access = &stmt.accesses[read];
    let outer = access.relation.involves_dims(DimType::In, 0, around)?;
    if access.ty != scop.array(access.array).ty || outer || form(access, lane)?.is_none() {
        return Ok(false);
    }
    let mut again = false;
    for d in (around..stmt.depth()).filter(|d| *d != lane) {
        again = again || along(scop, stmt, access, d)? == Stride::Zero;
    }
    Ok(again && finds_old(scop, (stmt, access), front)?)
}

/// Whether nothing in a nest writes what a read finds there, in the same iteration of the loops around the nest, before it does.
fn finds_old(scop: &Scop, (stmt, access): (&Stmt, &Access), front: &[i64]) -> Result<bool> {
    let inside = |w: &&Stmt| w.beta.starts_with(front);
    for w in scop.stmts.iter().filter(inside) {
        for write in w.writes().iter().filter(|a| a.array == access.array) {
            let mut before = pairs(scop, (w, write), (stmt, access))?;
            for d in 0..front.len() - 1 {
                before = before.equate(DimType::In, d, DimType::Out, d)?;
            }
            if !before.is_empty()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The SCoP with a copy of the field that a read is of, for all reads of it in the nest that can go there.
fn field(
    scop: &Scop,
    (stmt, read): (&Stmt, usize),
    lane: usize,
    front: &[i64],
) -> Result<Option<Scop>> {
    let access = &stmt.accesses[read];
    let Some(form) = form(access, lane)? else {
        return Ok(None);
    };
    let elements = form.domain()?;
    let mut reads: Vec<Read> = vec![];
    for s in scop.stmts.iter().filter(|s| s.beta.starts_with(front)) {
        let certain = s.write().kind == AccessKind::MustWrite && !s.body.chooses();
        for (n, a) in s.accesses.iter().enumerate().skip(s.writes().len()) {
            if certain
                && (a.array, a.ty) == (access.array, access.ty)
                && a.relation
                    .intersect_domain(&s.domain)?
                    .range()?
                    .is_subset(&elements)?
                && finds_old(scop, (s, a), front)?
            {
                reads.push((s.id, n));
            }
        }
    }
    let copy = Copy {
        reads: &reads,
        form,
        front: front.to_vec(),
    };
    with_copy(scop, access.array, &copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::ids::ArrayId;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Sums over `reads` of an array of structures of three numbers, `write` once in an iteration of the loop around.
    fn sums(ctx: &Ctx, read: &str, write: &str) -> Scop {
        let text = format!(
            "scop \"sums\" function \"sums\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array b f64 strides (24 8) extents (3)\narray f f64 [n]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 0 0 0\n \
             write {{ S0[i, j] -> f[i] }}\n read {{ S0[i, j] -> f[i] }}\n \
             read {{ S0[i, j] -> b[j, 0] }}\n read {{ S0[i, j] -> {read} }}\n \
             body (fadd (read 1) (fmul (read 2) (read 3)))\n\
             stmt S1\n domain {{ S1[i] : 0 <= i < n }}\n beta 0 1\n \
             write {{ S1[i] -> {write} }}\n read {{ S1[i] -> f[i] }}\n body (read 1)\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn fields_of_structures_are_copied() {
        let ctx = Ctx::new();
        let scop = sums(&ctx, "b[i, 0]", "b[i, 2]");
        let with = structures_of_arrays(&scop)
            .expect("an answer")
            .expect("a copy");
        let copy = with.arrays.last().expect("an array");
        assert_eq!((with.arrays.len(), copy.extents.len()), (3, 1));
        // Both reads of the field go there, and it is filled in front.
        let copied = ArrayId::from(2);
        assert_eq!((with.stmts.len(), with.stmts[0].depth()), (3, 1));
        assert!(with.stmts[0].writes_to(copied));
        let reads = with.stmts[1].reads().iter();
        assert_eq!(reads.filter(|a| a.array == copied).count(), 2);
    }

    #[test]
    fn what_is_written_meanwhile_or_is_contiguous_is_not_copied() {
        let ctx = Ctx::new();
        // S1 writes what the next iteration of i reads.
        let meanwhile = sums(&ctx, "b[i, 0]", "b[i + 1, 0]");
        assert!(
            structures_of_arrays(&meanwhile)
                .expect("an answer")
                .is_none()
        );
        let contiguous = sums(&ctx, "f[j]", "b[i, 2]");
        assert!(
            structures_of_arrays(&contiguous)
                .expect("an answer")
                .is_none()
        );
    }
}
