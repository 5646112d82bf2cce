//! Integer expressions of the loop program, on 64 bits.
//!
//! Inside the new version all parameters are small (the check saw to that), so sums and products carry `nsw` and LLVM's
//! ScalarEvolution can read the loops. In the check itself nothing is known yet: there arithmetic wraps, and a condition
//! that was computed from wrapped values is only used together with the range conditions that exclude the wrap.

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int, constant};
use inkwell::IntPredicate;
use polytile_analysis::ast::{BinOp, Expr};

/// The exponent if `v` is a constant power of two.
fn log2(v: Int<'_>) -> Option<u64> {
    let c = constant(v)?;
    (c > 0 && c.count_ones() == 1).then(|| u64::from(c.trailing_zeros()))
}

/// The comparison behind an operation.
fn predicate(op: BinOp) -> Option<IntPredicate> {
    Some(match op {
        BinOp::Eq => IntPredicate::EQ,
        BinOp::Le => IntPredicate::SLE,
        BinOp::Lt => IntPredicate::SLT,
        BinOp::Ge => IntPredicate::SGE,
        BinOp::Gt => IntPredicate::SGT,
        _ => return None,
    })
}

impl<'c> Emitter<'_, 'c> {
    /// The value of an expression.
    pub(crate) fn expr(&mut self, e: &Expr) -> Int<'c> {
        match e {
            Expr::Int(i) => self.ir.int(*i),
            Expr::Iter(i) => self.get(Key::Iter(*i)).into_int_value(),
            Expr::Param(p) => self.get(Key::Param(*p)).into_int_value(),
            Expr::Size(s) => self.get(Key::Size(*s)).into_int_value(),
            Expr::Neg(a) => {
                let a = self.expr(a);
                self.ir.sub(self.ir.int(0), a, self.arith)
            }
            Expr::Select(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.expr(a), self.expr(b));
                self.ir.select(c, a, b).into_int_value()
            }
            Expr::Bin(op, a, b) => {
                if predicate(*op).is_some() || matches!(op, BinOp::And | BinOp::Or) {
                    let truth = self.cond(e);
                    return self.ir.zext(truth, 64);
                }
                let (a, b) = (self.expr(a), self.expr(b));
                self.arithmetic(*op, a, b)
            }
        }
    }

    /// Whether an expression is non-zero, as one bit.
    pub(crate) fn cond(&mut self, e: &Expr) -> Int<'c> {
        match e {
            Expr::Bin(BinOp::And, a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.ir.logical_and(a, b)
            }
            Expr::Bin(BinOp::Or, a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.ir.logical_or(a, b)
            }
            Expr::Bin(op, a, b) if predicate(*op).is_some() => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.ir.cmp(predicate(*op).expect("just tested"), a, b)
            }
            _ => {
                let v = self.expr(e);
                self.ir.cmp(IntPredicate::NE, v, self.ir.int(0))
            }
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        let ir = &self.ir;
        match op {
            BinOp::Add => ir.add(a, b, self.arith),
            BinOp::Sub => ir.sub(a, b, self.arith),
            BinOp::Mul => ir.mul(a, b, self.arith),
            BinOp::Min => ir.minmax("llvm.smin", a, b),
            BinOp::Max => ir.minmax("llvm.smax", a, b),
            BinOp::DivExact => match log2(b) {
                Some(bits) => ir.ashr(a, bits),
                None => ir.sdiv(a, b),
            },
            BinOp::FloorDiv => self.floor_div(a, b),
            BinOp::PosDiv => match log2(b) {
                Some(bits) => ir.lshr(a, bits),
                None => ir.udiv(a, b),
            },
            BinOp::PosRem => match constant(b).filter(|_| log2(b).is_some()) {
                Some(c) => ir.and(a, ir.int(c - 1)),
                None => ir.urem(a, b),
            },
            BinOp::ZeroRem => ir.srem(a, b),
            BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Le | BinOp::Lt | BinOp::Ge | BinOp::Gt => {
                unreachable!("comparisons and logic are conditions")
            }
        }
    }

    /// Quotient rounded to minus infinity, `b > 0`: the truncated quotient, less one where a negative rest is left.
    pub(crate) fn floor_div(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        let ir = &self.ir;
        if let Some(bits) = log2(b) {
            return ir.ashr(a, bits);
        }
        let rest = ir.srem(a, b);
        let negative = ir.cmp(IntPredicate::SLT, rest, ir.int(0));
        let correction = ir.sext(negative, 64);
        ir.add(ir.sdiv(a, b), correction, Arith::Wrapping)
    }

    /// The least value at or above `lower` that is congruent to `anchor` modulo `step`.
    pub(crate) fn lattice_start(
        &mut self,
        lower: Int<'c>,
        anchor: Int<'c>,
        step: Int<'c>,
    ) -> Int<'c> {
        if lower == anchor || constant(step) == Some(1) {
            return lower;
        }
        let ir = &self.ir;
        let distance = ir.sub(anchor, lower, self.arith);
        let rest = ir.srem(distance, step);
        let negative = ir.cmp(IntPredicate::SLT, rest, ir.int(0));
        let wrapped = ir.add(rest, step, self.arith);
        let up = ir.select(negative, wrapped, rest).into_int_value();
        ir.add(lower, up, self.arith)
    }
}
