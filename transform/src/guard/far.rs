//! Loops that threads speed up from so many iterations on that hardly a program has them: [`is_far`].
//!
//! ```text
//! void scale(long n, double a[n]) { for i: a[i] *= 2 }         a fork pays from n = 700,000 on
//! void scale(long n, double a[n][n]) { for i, j: a[i][j] *= 2 }                 from n = 800 on
//! ```
//!
//! Copies, fills and sums of two vectors are what most loops of most programs do, on some dozens of elements. A second version of
//! each doubles the time that it takes to compile them, and where one runs, its threads wait for the same memory.

use crate::ast::expr;
use crate::cost::{Ends, near_each};
use polytile_analysis::ast::{Check, Expr};
use polytile_analysis::poly;
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::Scop;

/// Iterations of each loop that programs commonly have at most. Whatever takes over 0.8 ns is worth threads with as many.
const COMMON: i64 = 1 << 17;

/// What bounds a size below this is an array of so many elements and not the size's type.
const ARRAYS: i64 = 1 << 30;

/// Whether a new version that gains by threads would not run with [`COMMON`] iterations of each loop, nor with as many as the arrays
/// have room for.
///
/// # Errors
/// What reading the context comes to.
pub fn is_far(scop: &Scop, check: &Check) -> poly::Result<bool> {
    let values = near_each(scop, &|p, ends| common(&scop.params[p].expr, ends))?;
    let value = |leaf: &Expr| match leaf {
        Expr::Param(p) => Some(values[p.index()]),
        _ => None,
    };
    let work = (check.work.iter()).any(|(work, least)| expr::eval(work, &value) < Some(*least));
    let worth = (check.worth.iter()).any(|holds| expr::eval(holds, &value) == Some(0));
    Ok(work || worth)
}

/// A size of that kind: of a product, so many of each factor.
fn common(size: &Scev, (_, greatest): Ends) -> i64 {
    let all = COMMON.saturating_pow(factors(size));
    match greatest {
        Some(greatest) if greatest < ARRAYS => all.max(greatest),
        _ => all,
    }
}

/// How many values are multiplied in a size.
fn factors(size: &Scev) -> u32 {
    let most = |list: &[Scev]| list.iter().map(factors).max().unwrap_or(0);
    match &size.kind {
        ScevKind::Const(_) => 0,
        ScevKind::Mul(list, _) => list.iter().map(factors).sum(),
        ScevKind::Add(list, _)
        | ScevKind::SMax(list)
        | ScevKind::UMax(list)
        | ScevKind::SMin(list)
        | ScevKind::UMin(list) => most(list),
        ScevKind::ZExt(inner) | ScevKind::SExt(inner) | ScevKind::Trunc(inner) => factors(inner),
        ScevKind::UDiv(inner, _) => factors(inner),
        _ => 1,
    }
}
