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
//! * its statement is a sum over the innermost loop, or shares that loop with one (what a filter yields beside its state), and elements that are
//!   written lie next to each other along another loop;
//! * along that loop the elements that are read lie apart at a constant distance, more than one element, and would lie next to each other in the
//!   copy, as everything else that the statement reads does already, or does not move;
//! * another loop of the nest reads the same elements again.
//!
//! So do the cells of such sums, where they are fields as well (`f[i].x`): they are next to each other while the nest runs, and what it wrote is copied back
//! behind it.

use super::copy::{Copy, Read, accesses, replaced, with_copy};
use super::numbered;
use super::version::pairs;
use crate::simd::moves_with;
use polytile_analysis::poly::{DimType, Error, Map, Result};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use polytile_analysis::stride::Stride;

/// Sums whose cells lie apart by so many bytes at most are fields of structures; rows that lie further apart are those of matrices.
const MAX_STRUCTURE: i128 = 128;

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
    // Copies of other fields are no sums.
    if stmt.depth() < 2 || !certain || stmt.body.only_moves() {
        return Ok(None);
    }
    let sum = is_sum(scop, stmt)?;
    if !sum && !stands_with_a_sum(scop, stmt)? {
        return Ok(None);
    }
    let mut vectors = false;
    for lane in (0..stmt.depth() - 1).rev() {
        let Some(apart) = apart(scop, stmt, lane)? else {
            continue;
        };
        let writes = stmt.writes().len();
        vectors = vectors || apart.is_empty();
        // Sums that have vectors along another loop, or rows beside them, need no other cells.
        let moved = apart.iter().any(|n| *n < writes);
        if moved && (!sum || vectors || has_rows(scop, stmt, lane)?) {
            continue;
        }
        for around in 0..=lane {
            let front = &stmt.beta[..=around];
            let mut whole = true;
            for &n in &apart {
                whole = whole
                    && match n < writes {
                        true => may_move(scop, (stmt, n), lane, front)?,
                        false => may_copy(scop, (stmt, n), lane, front)?,
                    };
            }
            if whole && let Some(&n) = apart.first() {
                return match n < writes {
                    true => cells(scop, (stmt, n), lane, front),
                    false => field(scop, (stmt, n), lane, front),
                };
            }
        }
    }
    Ok(None)
}

/// Whether sums move along another loop than their lanes: products have register tiles, whose cells are taken once.
fn has_rows(scop: &Scop, stmt: &Stmt, lane: usize) -> Result<bool> {
    for d in (0..stmt.depth()).filter(|d| *d != lane) {
        if moves_with(scop, stmt, stmt.write(), d)? != Stride::Zero {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a sum runs in the innermost loop of a statement: the state of a filter beside what it yields in each step.
fn stands_with_a_sum(scop: &Scop, stmt: &Stmt) -> Result<bool> {
    let loops = &stmt.beta[..stmt.depth()];
    let beside = |s: &&Stmt| s.depth() == stmt.depth() && s.beta.starts_with(loops);
    for other in scop.stmts.iter().filter(beside) {
        if is_sum(scop, other)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether what a statement writes stands still in its innermost loop.
fn is_sum(scop: &Scop, stmt: &Stmt) -> Result<bool> {
    for write in stmt.writes() {
        let scalar = matches!(write.place, Place::Scalar);
        if scalar || moves_with(scop, stmt, write, stmt.depth() - 1)? != Stride::Zero {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The accesses whose elements lie apart along a loop, where all else does not; `None` where that is not so.
fn apart(scop: &Scop, stmt: &Stmt, lane: usize) -> Result<Option<Vec<usize>>> {
    let writes = stmt.writes().len();
    let mut apart = vec![];
    for (n, access) in stmt.accesses.iter().enumerate() {
        let unit = i128::from(access.ty.bytes());
        match (&access.place, moves_with(scop, stmt, access, lane)?) {
            (Place::Scalar, _) => {}
            (_, Stride::Zero) if n >= writes => {}
            // The sum's own cell goes where the write goes.
            (_, Stride::Const(_)) if n >= writes && is_own(stmt, access)? => {}
            (_, Stride::Const(s)) if s == unit => {}
            (Place::Memory(_), Stride::Const(s)) if n >= writes && s > unit => apart.push(n),
            (Place::Memory(_), Stride::Const(s)) if s > unit && s <= MAX_STRUCTURE => apart.push(n),
            _ => return Ok(None),
        }
    }
    Ok(Some(apart))
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
        again = again || moves_with(scop, stmt, access, d)? == Stride::Zero;
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

/// Whether a read is of the cell that one of the statement's writes takes.
fn is_own(stmt: &Stmt, read: &Access) -> Result<bool> {
    for write in stmt.writes().iter().filter(|w| w.array == read.array) {
        if write.relation.is_equal(&read.relation)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the cells of a sum can be next to each other along a loop for as long as a nest runs: all that it accesses of them is of their field.
fn may_move(
    scop: &Scop,
    (stmt, write): (&Stmt, usize),
    lane: usize,
    front: &[i64],
) -> Result<bool> {
    let access = &stmt.accesses[write];
    let outer = access
        .relation
        .involves_dims(DimType::In, 0, front.len() - 1)?;
    if access.ty != scop.array(access.array).ty || outer {
        return Ok(false);
    }
    Ok(form(access, lane)?.is_some() && of_field(scop, (access, lane), front)?.is_some())
}

/// The accesses of a nest to the cells of the field that an access is of; `None` where one of them is of other cells as well.
fn of_field(
    scop: &Scop,
    (access, lane): (&Access, usize),
    front: &[i64],
) -> Result<Option<Vec<Read>>> {
    let Some(form) = form(access, lane)? else {
        return Ok(None);
    };
    let field = form.domain()?;
    let mut found = vec![];
    for (s, n) in accesses(scop, access.array, front) {
        let cells = scop.stmt(s).accesses[n]
            .relation
            .intersect_domain(&scop.stmt(s).domain)?;
        let cells = cells.range()?;
        if cells.is_subset(&field)? {
            found.push((s, n));
        } else if !cells.intersect(&field)?.is_empty()? {
            return Ok(None);
        }
    }
    // What begins a sum reaches all of its cells, and each of them once.
    found.sort_by_key(|(s, _)| scop.stmt(*s).depth());
    Ok(Some(found))
}

/// The SCoP with the cells of a sum next to each other while a nest runs, from which they are copied back behind it.
fn cells(
    scop: &Scop,
    (stmt, write): (&Stmt, usize),
    lane: usize,
    front: &[i64],
) -> Result<Option<Scop>> {
    let access = &stmt.accesses[write];
    let (Some(form), Some(reads)) = (form(access, lane)?, of_field(scop, (access, lane), front)?)
    else {
        return Ok(None);
    };
    let copy = Copy {
        reads: &reads,
        form,
        front: front.to_vec(),
    };
    let Some((mut with, back)) = replaced(scop, access.array, &copy)? else {
        return Ok(None);
    };
    behind(&mut with, back, (scop.stmts.len(), front))?;
    Ok(Some(with))
}

/// Puts statements behind a nest, in front of which others have been put since there were `before` statements.
fn behind(scop: &mut Scop, stmts: Vec<Stmt>, (before, front): (usize, &[i64])) -> Result<()> {
    let around = front.len() - 1;
    let filled = i64::try_from(scop.stmts.len() - before).expect("few statements");
    let last = front[around] + filled;
    let count = i64::try_from(stmts.len()).expect("few statements");
    let beside = |s: &Stmt| s.beta.get(..around) == Some(&front[..around]);
    for s in scop.stmts.iter_mut().filter(|s| beside(s)) {
        s.beta[around] += if s.beta[around] > last { count } else { 0 };
    }
    let inside = |s: &Stmt| beside(s) && s.beta[around] <= last;
    let at = scop.stmts.iter().rposition(inside).map_or(0, |n| n + 1);
    let stmts = (1..).zip(stmts).map(|(n, mut s)| {
        s.beta[around] = last + n;
        s
    });
    scop.stmts.splice(at..at, stmts.collect::<Vec<_>>());
    scop.stmts = numbered(std::mem::take(&mut scop.stmts))?;
    Ok(())
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

    /// Sums in fields of structures of `size` bytes, which read elements that are next to each other.
    fn fields(ctx: &Ctx, size: u32, read: &str) -> Scop {
        let text = format!(
            "scop \"fields\" function \"fields\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array f f64 strides ({size} 8) extents ({})\narray g f64 [n]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 0 0 0\n \
             write {{ S0[i, j] -> f[i, 1] }}\n read {{ S0[i, j] -> f[i, 1] }}\n \
             read {{ S0[i, j] -> g[i] }}\n read {{ S0[i, j] -> {read} }}\n \
             body (fadd (read 1) (fmul (read 2) (read 3)))\n",
            size / 8
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn sums_in_fields_are_next_to_each_other_and_copied_back() {
        let ctx = Ctx::new();
        let scop = fields(&ctx, 24, "f[j, 2]");
        let with = structures_of_arrays(&scop)
            .expect("an answer")
            .expect("other cells");
        let (field, cells) = (ArrayId::from(0), ArrayId::from(2));
        // What they begin with comes from the field, and what they come to goes back.
        let [first, sum, last] = &with.stmts[..] else {
            panic!("{} statements", with.stmts.len());
        };
        assert!(first.writes_to(cells) && sum.writes_to(cells) && last.writes_to(field));
        assert_eq!((first.depth(), last.depth()), (1, 1));
        assert!(first.beta[0] < sum.beta[0] && sum.beta[0] < last.beta[0]);
        assert_eq!(with.array(cells).extents.len(), 1);
    }

    #[test]
    fn sums_of_their_own_fields_and_of_rows_stay() {
        let ctx = Ctx::new();
        for (size, read) in [(24, "f[j, i]"), (512, "g[j]")] {
            let scop = fields(&ctx, size, read);
            let with = structures_of_arrays(&scop).expect("an answer");
            assert!(with.is_none(), "{size} {read}");
        }
    }
}
