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

use super::copy::{Copy, Read, with_copy};
use crate::simd::basis;
use polytile_analysis::deps::order::before;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Error, Map, Result, Set};
use polytile_analysis::scop::{Access, ArrayKind, Scop, Stmt};

/// The part of the budget for one array; without an answer it gets no copy.
const SHARE: u64 = 60;

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
            let (stmt, n) = read;
            let elements = scop.stmt(stmt).accesses[n].relation.space()?.range()?;
            let copy = Copy {
                reads: &old,
                form: Map::identity(&elements.map_from_set()?)?,
                front: vec![0],
            };
            return with_copy(scop, array, &copy);
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
pub(super) fn pairs(scop: &Scop, from: (&Stmt, &Access), to: (&Stmt, &Access)) -> Result<Map> {
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
