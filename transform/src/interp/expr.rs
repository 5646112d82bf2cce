//! Values of expressions.

use super::{Fault, Setting};
use polytile_analysis::ast::{BinOp, Expr, IterId};
use std::collections::BTreeMap;

/// The iterators of the loops around.
pub(super) type Iterators = BTreeMap<IterId, i64>;

/// The value of an expression.
///
/// A fault on one side of a conjunction, disjunction or selection whose result does not depend on that side is none:
/// emitted code computes some number there and drops it.
pub(super) fn value(e: &Expr, at: &Iterators, setting: &Setting) -> Result<i64, Fault> {
    let sub = |e: &Expr| value(e, at, setting);
    match e {
        Expr::Int(c) => Ok(*c),
        Expr::Iter(i) => at.get(i).copied().ok_or(Fault::NoIterator(*i)),
        Expr::Param(p) => setting
            .params
            .get(p.index())
            .copied()
            .ok_or_else(|| Fault::NoValue(p.to_string())),
        Expr::Size(s) => setting
            .sizes
            .get(*s)
            .copied()
            .ok_or_else(|| Fault::NoValue(format!("size {s}"))),
        Expr::Neg(a) => sub(a)?.checked_neg().ok_or(Fault::Overflow),
        Expr::Select(c, a, b) => match sub(c)? {
            0 => sub(b),
            _ => sub(a),
        },
        Expr::Bin(BinOp::And, a, b) => logic(sub(a), sub(b), false),
        Expr::Bin(BinOp::Or, a, b) => logic(sub(a), sub(b), true),
        Expr::Bin(op, a, b) => operation(*op, sub(a)?, sub(b)?),
    }
}

/// Conjunction or disjunction; a side equal to `decides` decides.
fn logic(a: Result<i64, Fault>, b: Result<i64, Fault>, decides: bool) -> Result<i64, Fault> {
    let decided = |x: &Result<i64, Fault>| matches!(x, Ok(v) if (*v != 0) == decides);
    if decided(&a) || decided(&b) {
        return Ok(i64::from(decides));
    }
    a.and(b).map(|_| i64::from(!decides))
}

fn operation(op: BinOp, a: i64, b: i64) -> Result<i64, Fault> {
    let flag = |c: bool| Ok(i64::from(c));
    let checked = |v: Option<i64>| v.ok_or(Fault::Overflow);
    match op {
        BinOp::Add => checked(a.checked_add(b)),
        BinOp::Sub => checked(a.checked_sub(b)),
        BinOp::Mul => checked(a.checked_mul(b)),
        BinOp::DivExact | BinOp::FloorDiv | BinOp::PosDiv | BinOp::PosRem | BinOp::ZeroRem => {
            division(op, a, b)
        }
        BinOp::Min => Ok(a.min(b)),
        BinOp::Max => Ok(a.max(b)),
        BinOp::And => flag(a != 0 && b != 0),
        BinOp::Or => flag(a != 0 || b != 0),
        BinOp::Eq => flag(a == b),
        BinOp::Le => flag(a <= b),
        BinOp::Lt => flag(a < b),
        BinOp::Ge => flag(a >= b),
        BinOp::Gt => flag(a > b),
    }
}

fn division(op: BinOp, a: i64, b: i64) -> Result<i64, Fault> {
    let negative = a < 0 && matches!(op, BinOp::PosDiv | BinOp::PosRem);
    match op {
        _ if b == 0 || (b < 0 && op != BinOp::DivExact) => Err(Fault::Divisor(b)),
        _ if negative => Err(Fault::NegativeDividend(a)),
        BinOp::DivExact if a.checked_rem(b) != Some(0) => Err(Fault::Inexact(a, b)),
        BinOp::FloorDiv => Ok(a.div_euclid(b)),
        BinOp::PosRem | BinOp::ZeroRem => Ok(a % b),
        _ => a.checked_div(b).ok_or(Fault::Overflow),
    }
}
