//! Loops that threads speed up from so many iterations on that hardly a program has them: [`is_far`], [`is_plainly_far`].
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
use crate::work;
use polytile_analysis::ast::{Check, Expr};
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::{self, DimType};
use polytile_analysis::region::OpCode;
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{AccessKind, ArrayKind, Scop, Stmt};

/// Iterations of each loop that programs commonly have at most. Whatever takes over 0.8 ns is worth threads with as many.
const COMMON: i64 = 1 << 17;

/// The same of a loop in two others at least: the rows of a picture or of a matrix, one of which runs after the other.
const ROW: i64 = 1 << 13;

/// What bounds a size below this is an array of so many elements and not the size's type.
const ARRAYS: i64 = 1 << 30;

/// Whether a new version that gains by threads would not run with [`COMMON`] iterations of each loop, nor with as many as the arrays
/// have room for; `around`: in so many loops.
///
/// # Errors
/// What reading the context comes to.
pub fn is_far(scop: &Scop, check: &Check, around: usize) -> poly::Result<bool> {
    let values = commonly(scop, around)?;
    let at = |e: &Expr| expr::at(e, &values);
    let work = (check.work.iter()).any(|(work, least)| at(work) < Some(*least));
    let worth = (check.worth.iter()).any(|holds| at(holds) == Some(0));
    Ok(work || worth)
}

/// The same seen before anything is searched: a loop of which LLVM makes vectors as it is, so that only threads can gain, from so much
/// work on.
///
/// # Errors
/// What reading access relations and the context comes to.
pub fn is_plainly_far(
    scop: &Scop,
    deps: &Dependences,
    least: i64,
    around: usize,
) -> poly::Result<bool> {
    let [stmt] = &scop.stmts[..] else {
        return Ok(false);
    };
    let known = scop.inspection.is_none() && scop.rows.is_empty() && scop.arrays.len() <= FEW;
    let independent = deps.ordering(false).next().is_none();
    if !known || !independent || stmt.depth() != 1 || !is_plain(scop, stmt)? {
        return Ok(false);
    }
    let Some(work) = work::of_scop(scop)? else {
        return Ok(false);
    };
    let values = commonly(scop, around)?;
    Ok(expr::at(&work, &values).is_some_and(|work| work < least))
}

/// Arrays that LLVM compares before it runs vectors of a loop.
const FEW: usize = 4;

/// Whether a statement goes through elements side by side and computes what vectors can.
fn is_plain(scop: &Scop, stmt: &Stmt) -> poly::Result<bool> {
    let alone = |op: &OpCode| {
        use OpCode::{FRem, Other, SDiv, SRem, UDiv, URem};
        let whole = matches!(op, FRem | UDiv | SDiv | URem | SRem | Other(_));
        whole || op.gathers() || op.is_function()
    };
    let computed = |node: &Node| match &node.kind {
        NodeKind::Op { op, .. } => !alone(op),
        _ => true,
    };
    if stmt.body.chooses() || !stmt.body.nodes.iter().all(computed) {
        return Ok(false);
    }
    for access in &stmt.accesses {
        let array = scop.array(access.array);
        let memory = matches!(array.kind, ArrayKind::Memory { .. }) && !array.gaps;
        let subscripts = access.affine_subscripts()?;
        let Some([subscript]) = subscripts.as_deref() else {
            return Ok(false);
        };
        let step = subscript.coefficient(DimType::In, 0)?;
        let reads = access.kind == AccessKind::Read;
        let element = array.strides[0].as_constant() == Some(access.ty.bytes().into());
        let moves = element && (step == 1 || step == 0 && reads);
        if !memory || !moves || access.kind == AccessKind::MayWrite {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Values of the parameters with [`COMMON`] iterations of each loop.
fn commonly(scop: &Scop, around: usize) -> poly::Result<Vec<i64>> {
    let single = scop.stmts.iter().all(|s| s.depth() <= 1);
    let each = if single && around > 1 { ROW } else { COMMON };
    near_each(scop, &|p, ends| common(&scop.params[p].expr, each, ends))
}

/// A size of that kind: of a product, so many of each factor.
fn common(size: &Scev, each: i64, (_, greatest): Ends) -> i64 {
    let all = each.saturating_pow(factors(size));
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
