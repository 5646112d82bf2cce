//! Sums that the original runs in vector lanes of its own: [`sums_in_lanes`].
//!
//! Where the terms of a sum may be added in any order (integers, minima and maxima, floating point with `reassoc`), LLVM's
//! loop vectorizer gives every lane a part of them and adds the lanes up behind the loop. With operands that are contiguous
//! along the loop, or do not move, that takes one load per vector of terms and no shuffle:
//!
//! ```text
//! for i: for j: y[i] += A[i][j] * x[j]      integers: a vector of terms of one row per step; doubles: one term per step
//! ```
//!
//! Lanes over rows would have to transpose the stream for what the loop has for nothing. They are for sums that keep their
//! order.

use super::lanes::vectorizable;
use super::moves_along;
use polytile_analysis::deps::update;
use polytile_analysis::poly;
use polytile_analysis::scop::{Access, Scop, Stmt};
use polytile_analysis::stride::Stride;

/// Whether a statement's innermost loop in the original is that of a sum whose terms may come in any order, and has a vector
/// form.
pub fn sums_in_lanes(scop: &Scop, stmt: &Stmt) -> poly::Result<bool> {
    let stands = match innermost(stmt) {
        Some(step) => moves_along(scop, stmt.write(), &step)? == Stride::Zero,
        None => false,
    };
    Ok(stands && update(stmt)?.is_some() && lies_in_lanes(scop, stmt)?)
}

/// Whether lanes along a statement's innermost loop in the original find their elements side by side, or share one, and each
/// operation has a vector form.
pub fn lies_in_lanes(scop: &Scop, stmt: &Stmt) -> poly::Result<bool> {
    let Some(step) = innermost(stmt) else {
        return Ok(false);
    };
    for a in &stmt.accesses {
        let unit = Stride::Const(i128::from(a.ty.bytes()));
        let stride = moves_along(scop, a, &step)?;
        if stride != Stride::Zero && stride != unit {
            return Ok(false);
        }
    }
    Ok(vectorizable(stmt, |_| false))
}

/// Whether the innermost loop in the original is that of a window which slides along a row of results: an operand moves by an element along both
/// (`y[i] = max(y[i], x[i + j])`). Lanes of neighbouring results find all of theirs side by side, and rows are longer than windows.
pub fn slides(scop: &Scop, stmt: &Stmt) -> poly::Result<bool> {
    let Some(step) = innermost(stmt) else {
        return Ok(false);
    };
    let is_next = |a: &Access, step: &[i64]| -> poly::Result<bool> {
        let unit = Stride::Const(i128::from(a.ty.bytes()));
        Ok(moves_along(scop, a, step)? == unit)
    };
    for d in 0..step.len() - 1 {
        let row: Vec<i64> = (0..step.len()).map(|e| i64::from(e == d)).collect();
        if !is_next(stmt.write(), &row)? {
            continue;
        }
        for a in stmt.reads() {
            if is_next(a, &row)? && is_next(a, &step)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// One step of the innermost loop.
fn innermost(stmt: &Stmt) -> Option<Vec<i64>> {
    let last = stmt.depth().checked_sub(1)?;
    Some((0..=last).map(|d| i64::from(d == last)).collect())
}
