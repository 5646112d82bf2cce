//! Versions of arrays: what a nest reads before it overwrites it is read from a copy, where overwriting keeps a product from
//! being one.
//!
//! ```text
//! for i { for j  B[i][j] *= A[i][i];                   for i, j: old[i][j] = B[i][j]
//!         for k > i  for j                             for i { for j  B[i][j] *= A[i][i];
//!           B[i][j] += A[i][k] * B[k][j]; }                    for k > i  for j  B[i][j] += A[i][k] * old[k][j]; }
//! ```
//!
//! On the left each row waits for all rows above to have read it (anti-dependences), and is changed before its own sum begins: the
//! sums of a block of rows cannot run step by step beside each other. On the right they can, as register tiles. The copy costs one pass
//! over the array, the sums use each of its elements many times (renaming of Cytron and Ferrante 1987, for whole arrays).
//!
//! A read `r` of statement `S` goes to the copy if, on memory-based dependences,
//!
//! * nothing in the nest writes what `r` reads before it does (its values come from outside), and something does afterwards;
//! * it is not of the element that its own instance writes.
//!
//! An array gets a copy if such a read has fewer subscripts than loops around it, so that elements are used again, and in the way is
//!
//! * another statement `T` that must wait for `r` and whose value `S` reads in turn: `S -> T -> S` (in the example the product with
//!   `A[i][i]`; the inverse of a triangle in place); or
//! * `S` itself, against the direction in which `r` moves along the innermost loop: then no order of the steps suits all sums.
//!   (`B[i][j] += A[i][k] * B[k][j]` for `k > i` has none in its way: the sum of row `k` begins where those that read row `k` are.)

use super::array::{fresh_name, subscripts};
use super::{last_iteration, maximum, numbered, plus_one, product};
use crate::simd::basis;
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::deps::order::before;
use polytile_analysis::ids::{ArrayId, LoopId, StmtId};
use polytile_analysis::poly::{DimType, Error, Map, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Access, AccessKind, Array, ArrayKind, Place, Scop, Stmt};

/// The part of the budget for one array; without an answer it gets no copy.
const SHARE: u64 = 60;

/// Pieces of the copied cells beyond which an array gets no copy.
const MAX_PIECES: usize = 4;

/// `scop` with copies of arrays where they pay; `None` where there are none.
pub fn version_arrays(scop: &Scop) -> Result<Option<Scop>> {
    let mut versioned = None;
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let _quota = scop.context.ctx().share(SHARE);
        match version(versioned.as_ref().unwrap_or(scop), array) {
            Ok(Some(with)) => versioned = Some(with),
            Ok(None) | Err(Error::Quota) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(versioned)
}

/// A read, by statement and access.
type Read = (StmtId, usize);

/// A read with the instances whose cells are copied.
type Fill = (Read, Set);

/// The SCoP with a copy of an array; `None` if it needs none.
fn version(scop: &Scop, array: ArrayId) -> Result<Option<Scop>> {
    let ArrayKind::Memory { .. } = scop.array(array).kind else {
        return Ok(None);
    };
    let reads = |s: &Stmt| 1..s.accesses.len();
    let all: Vec<Read> = scop
        .stmts
        .iter()
        .flat_map(|s| reads(s).map(|n| (s.id, n)))
        .filter(|&(s, n)| scop.stmt(s).accesses[n].array == array)
        .collect();
    let writers: Vec<&Stmt> = scop
        .stmts
        .iter()
        .filter(|s| s.write().array == array)
        .collect();
    if writers.is_empty() || !all.iter().any(|&r| is_reused(scop, r)) {
        return Ok(None);
    }
    let mut old = vec![];
    for read in all {
        if finds_old(scop, read, &writers)? {
            old.push(read);
        }
    }
    for &read in &old {
        if is_reused(scop, read) && in_the_way(scop, read, &writers)? {
            return with_copy(scop, array, &old);
        }
    }
    Ok(None)
}

/// Whether a read has fewer subscripts than loops.
fn is_reused(scop: &Scop, (stmt, read): Read) -> bool {
    let stmt = scop.stmt(stmt);
    scop.array(stmt.accesses[read].array).strides.len() < stmt.depth()
}

/// Whether a read finds only what the nest has not written, and the nest overwrites it later in other instances.
fn finds_old(scop: &Scop, (stmt, read): Read, writers: &[&Stmt]) -> Result<bool> {
    let stmt = scop.stmt(stmt);
    let access = &stmt.accesses[read];
    let write = stmt.write();
    if access.array == write.array && access.relation.is_equal(&write.relation)? {
        return Ok(false);
    }
    let mut overwritten = false;
    for w in writers {
        if !pairs(scop, (w, w.write()), (stmt, access))?.is_empty()? {
            return Ok(false);
        }
        overwritten = overwritten || !pairs(scop, (stmt, access), (w, w.write()))?.is_empty()?;
    }
    Ok(overwritten)
}

/// The pairs of instances that access one cell, first `from`, then `to`.
fn pairs(scop: &Scop, from: (&Stmt, &Access), to: (&Stmt, &Access)) -> Result<Map> {
    let ((s, a), (t, b)) = (from, to);
    let same = a.relation.apply_range(&b.relation.reverse()?)?;
    same.intersect(&before(s, t)?)?
        .intersect_domain(&s.domain.intersect_params(&scop.context)?)?
        .intersect_range(&t.domain)
}

/// Whether what overwrites the read's cells keeps the sums that read them apart.
fn in_the_way(scop: &Scop, (stmt, read): Read, writers: &[&Stmt]) -> Result<bool> {
    let stmt = scop.stmt(stmt);
    let access = &stmt.accesses[read];
    for w in writers {
        let waits = pairs(scop, (stmt, access), (w, w.write()))?;
        if waits.is_empty()? {
            continue;
        }
        if w.id == stmt.id {
            if goes_back(stmt, access, &waits)? {
                return Ok(true);
            }
            continue;
        }
        for a in stmt.reads().iter().filter(|a| a.array == access.array) {
            if !pairs(scop, (w, w.write()), (stmt, a))?.is_empty()? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a pair of instances reads cells against the direction of the innermost loop.
fn goes_back(stmt: &Stmt, access: &Access, waits: &Map) -> Result<bool> {
    let Some(rows) = basis::subscripts(stmt, access)? else {
        return Ok(false);
    };
    let innermost = stmt.depth() - 1;
    let cell = &access.relation;
    let moved = cell.reverse()?.apply_range(waits)?.apply_range(cell)?;
    let names: Vec<String> = (0..rows.len()).map(|d| format!("c{d}")).collect();
    let along: Vec<String> = (rows.iter().zip(&names))
        .map(|(row, name)| format!("{} * {name}", row[innermost]))
        .collect();
    let moved = moved.deltas()?;
    let back = format!(
        "{{ {}[{}] : {} < 0 }}",
        moved.tuple_name().unwrap_or_default(),
        names.join(", "),
        along.join(" + ")
    );
    let back = Set::parse(waits.ctx(), &back)?;
    Ok(!moved.intersect(&back)?.is_empty()?)
}

/// The SCoP with these reads of an array from a copy, which is filled first.
fn with_copy(scop: &Scop, array: ArrayId, reads: &[Read]) -> Result<Option<Scop>> {
    let original = scop.array(array);
    let name = fresh_name(scop, &original.name);
    let copy = ArrayId::from(scop.arrays.len());
    let Some((cells, fills)) = fills(scop, reads)? else {
        return Ok(None);
    };
    let Some(extents) = sizes(scop, &cells)? else {
        return Ok(None);
    };
    let mut strides = vec![Scev::constant(64, i128::from(original.ty.bytes()))];
    for e in extents.iter().skip(1).rev() {
        let inner = strides[0].clone();
        strides.insert(0, product(vec![e.clone(), inner]));
    }
    let mut with = scop.clone();
    with.arrays.push(Array {
        name: name.clone(),
        kind: ArrayKind::Temporary,
        ty: original.ty,
        strides,
        extents,
        origin: vec![],
        gaps: false,
    });
    let mut stmts = vec![];
    for (read, domain) in fills {
        let stmt = scop.stmt(read.0);
        let access = &stmt.accesses[read.1];
        let Some(to) = from_copy(scop, stmt, access, (copy, &name))? else {
            return Ok(None);
        };
        stmts.push(filling(stmt, access, to, domain, stmts.len())?);
    }
    let first = i64::try_from(stmts.len()).expect("few statements");
    for s in &mut with.stmts {
        s.beta[0] += first;
    }
    for &(stmt, read) in reads {
        let old = scop.stmt(stmt);
        let Some(access) = from_copy(scop, old, &old.accesses[read], (copy, &name))? else {
            return Ok(None);
        };
        with.stmts[stmt.index()].accesses[read] = access;
    }
    stmts.extend(with.stmts);
    with.stmts = numbered(stmts)?;
    Ok(Some(with))
}

/// The cells that are read, and per read the instances that reach each cell once which no earlier one does; `None` where they are
/// too many pieces.
fn fills(scop: &Scop, reads: &[Read]) -> Result<Option<(Set, Vec<Fill>)>> {
    let mut cells: Option<Set> = None;
    let mut fills = vec![];
    for &(id, read) in reads {
        let stmt = scop.stmt(id);
        let access = &stmt.accesses[read];
        // What is read under a condition of its own must not be read without it.
        let certain = stmt.write().kind == AccessKind::MustWrite && !stmt.body.chooses();
        if access.ty != scop.array(access.array).ty || !certain {
            return Ok(None);
        }
        let domain = stmt.domain.intersect_params(&scop.context)?;
        let mut relation = access.relation.intersect_domain(&domain)?;
        let own = relation.range()?;
        if let Some(cells) = &cells {
            relation = relation.subtract(&relation.intersect_range(cells)?)?;
        }
        cells = Some(match cells {
            None => own,
            Some(cells) => cells.union(&own)?.coalesce()?,
        });
        if relation.is_empty()? {
            continue;
        }
        let instances = relation.reverse()?.lexmin()?.range()?.coalesce()?;
        let instances = instances.gist_params(&scop.context)?;
        if instances.basic_sets()?.len() > MAX_PIECES {
            return Ok(None);
        }
        fills.push(((id, read), instances));
    }
    Ok(cells.map(|c| (c, fills)))
}

/// The size of each dimension of the copy; `None` if it has no closed form or a subscript may be negative.
fn sizes(scop: &Scop, cells: &Set) -> Result<Option<Vec<Scev>>> {
    let mut sizes = vec![];
    for d in 0..cells.dim(DimType::Set) {
        let least = cells.dim_min(d)?;
        let zero = least.sub(&least)?;
        let mut terms = vec![];
        if !least.lt_set(&zero)?.is_empty()? || !last_iteration(scop, cells, d, &mut terms)? {
            return Ok(None);
        }
        sizes.push(plus_one(maximum(terms)));
    }
    Ok(Some(sizes))
}

/// A read as one of the copy; `None` if a subscript is not affine.
fn from_copy(
    scop: &Scop,
    stmt: &Stmt,
    access: &Access,
    (copy, name): (ArrayId, &str),
) -> Result<Option<Access>> {
    let Some(place) = subscripts(scop, access, &stmt.iters)? else {
        return Ok(None);
    };
    Ok(Some(Access {
        array: copy,
        relation: access.relation.set_tuple_name(DimType::Out, name)?,
        place: Place::Temporary(place),
        inst: None,
        ..access.clone()
    }))
}

/// The statement that copies what a read finds, for these instances of it, as nest `number` of the program.
fn filling(stmt: &Stmt, from: &Access, to: Access, domain: Set, number: usize) -> Result<Stmt> {
    let mut body = Body::default();
    body.root = body.push(from.ty, NodeKind::Read(1));
    let write = Access {
        kind: AccessKind::MustWrite,
        ..to
    };
    let mut filling = Stmt {
        id: stmt.id,
        name: stmt.name.clone(),
        iters: stmt.iters.clone(),
        domain,
        beta: vec![],
        accesses: vec![write, from.clone()],
        body,
        loc: stmt.loc.clone(),
    };
    for d in (0..stmt.depth()).rev() {
        let first = filling.domain.fix_si(DimType::Set, d, 0)?;
        if filling.depth() > 1 && filling.domain.is_subset(&first)? {
            drop_loop(&mut filling, d)?;
        }
    }
    filling.beta = vec![0; filling.depth() + 1];
    filling.beta[0] = i64::try_from(number).expect("few statements");
    Ok(filling)
}

/// The statement without a loop of which only the first iteration has instances.
fn drop_loop(stmt: &mut Stmt, d: usize) -> Result<()> {
    let loop_ = stmt.iters.remove(d);
    stmt.domain = stmt
        .domain
        .project_out(DimType::Set, d, 1)?
        .set_tuple_name(&stmt.name)?;
    for a in &mut stmt.accesses {
        let first = a.relation.fix_si(DimType::In, d, 0)?;
        a.relation = first
            .project_out(DimType::In, d, 1)?
            .set_tuple_name(DimType::In, &stmt.name)?;
        match &mut a.place {
            Place::Memory(address) => begin(&mut address.offset, loop_),
            Place::Temporary(subscripts) => subscripts.iter_mut().for_each(|s| begin(s, loop_)),
            Place::Scalar => {}
        }
    }
    Ok(())
}

/// Puts the value in the first iteration of a loop in place of an evolution.
fn begin(at: &mut Scev, loop_: LoopId) {
    while let ScevKind::AddRec {
        loop_: of,
        operands,
        ..
    } = &at.kind
        && *of == loop_
    {
        *at = operands[0].clone();
    }
    at.operands_mut().into_iter().for_each(|s| begin(s, loop_));
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::{parse_scop, samples};

    /// `b[i][j]`, scaled before it takes its sum or, with `last`, afterwards.
    fn product(ctx: &Ctx, last: bool) -> Scop {
        let (scale, sum) = match last {
            true => (1, 0),
            false => (0, 1),
        };
        let text = format!(
            "scop \"product\" function \"product\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array a f64 [n][n]\narray b f64 [n][m]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 0 0 {scale}\n \
             write {{ S0[i, j] -> b[i, j] }}\n read {{ S0[i, j] -> a[i, i] }}\n read {{ S0[i, j] -> b[i, j] }}\n \
             body (fmul (read 1) (read 2))\n\
             stmt S1\n domain {{ S1[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < n - 1 - i }}\n \
             beta 0 0 {sum} 0\n write {{ S1[i, j, k] -> b[i, j] }}\n read {{ S1[i, j, k] -> b[i, j] }}\n \
             read {{ S1[i, j, k] -> a[1 + i + k, i] }}\n read {{ S1[i, j, k] -> b[1 + i + k, j] }}\n \
             body (fadd (read 1) (fmul (read 2) (read 3)))\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn product_that_begins_with_a_scaled_cell_gets_a_copy() {
        let ctx = Ctx::new();
        let scop = product(&ctx, false);
        let with = version_arrays(&scop).expect("an answer").expect("a copy");
        let copy = with.arrays.last().expect("an array");
        assert_eq!((copy.extents.len(), &copy.kind), (2, &ArrayKind::Temporary));
        // Each cell that is read, once.
        let fill = &with.stmts[0];
        assert_eq!((with.stmts.len(), fill.depth()), (3, 2));
        let cells = fill.domain.apply(&fill.reads()[0].relation).expect("cells");
        let read = Set::parse(
            &ctx,
            "[n, m] -> { b[i, j] : 1 <= i < n and 0 <= j < m and n >= 1 and m >= 1 }",
        );
        assert!(cells.is_equal(&read.expect("a set")).expect("an answer"));
        assert!(fill.reads()[0].relation.is_bijective().expect("an answer"));
    }

    #[test]
    fn products_that_read_ahead_need_none() {
        let ctx = Ctx::new();
        let scop = product(&ctx, true);
        assert!(version_arrays(&scop).expect("an answer").is_none());
        for name in ["gemm", "doitgen", "lu", "cholesky", "trmm"] {
            let Some(text) = samples::text(name) else {
                continue;
            };
            let scop = parse_scop(&ctx, text).expect("a SCoP");
            assert!(
                version_arrays(&scop).expect("an answer").is_none(),
                "{name}"
            );
        }
    }
}
