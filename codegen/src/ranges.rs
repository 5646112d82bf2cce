//! Whether the values of a polynomial stay in a range, evaluated once in wide arithmetic.
//!
//! A term is a product of parameters times values between two bounds. Its extremes are among the products with the two bounds, in
//! an order that the signs decide. Products are kept within [`LIMIT`] after each factor, so that no step leaves 128 bits: a
//! parameter is below 2^40 where the check counts. A product that reaches the limit fails the check; it stays there, unless
//! a factor is zero and the product is, too.

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use inkwell::IntPredicate;
use polytile_analysis::ast::{PolyCheck, PolyCheckTerm};

/// Bits of the sums.
const WIDE: u32 = 128;

/// Products reach 2 to this power at most.
const LIMIT: u32 = 64;

impl<'c> Emitter<'_, 'c> {
    /// Whether the extremes lie in the range.
    pub(crate) fn stays_in_range(&mut self, check: &PolyCheck) -> Int<'c> {
        let zero = self.ir.int_type(WIDE).const_zero();
        let (mut least, mut greatest) = (zero, zero);
        let mut holds = self.ir.bool(true);
        for term in &check.terms {
            let (lo, hi) = self.extremes(term);
            for bound in [lo, hi] {
                let exact = self.below_limit(bound);
                holds = self.both(holds, exact);
            }
            least = self.ir.add(least, lo, Arith::Wrapping);
            greatest = self.ir.add(greatest, hi, Arith::Wrapping);
        }
        if let Some(bound) = check.least {
            let bound = self.wide(bound);
            let above = self.ir.cmp(IntPredicate::SGE, least, bound);
            holds = self.both(holds, above);
        }
        if let Some(bound) = check.greatest {
            let bound = self.wide(bound);
            let below = self.ir.cmp(IntPredicate::SLE, greatest, bound);
            holds = self.both(holds, below);
        }
        holds
    }

    /// The least and the greatest value of a term.
    fn extremes(&mut self, term: &PolyCheckTerm) -> (Int<'c>, Int<'c>) {
        let mut ends = [&term.lo, &term.hi].map(|e| {
            let value = self.expr(e);
            self.ir.sext(value, WIDE)
        });
        for p in &term.factors {
            let factor = self.get(Key::Param(*p)).into_int_value();
            let factor = self.ir.sext(factor, WIDE);
            ends = ends.map(|e| {
                let product = self.ir.mul(e, factor, Arith::Wrapping);
                self.within_limit(product)
            });
        }
        let [a, b] = ends;
        (
            self.ir.minmax("llvm.smin", a, b),
            self.ir.minmax("llvm.smax", a, b),
        )
    }

    fn wide(&self, value: i64) -> Int<'c> {
        self.ir.sext(self.ir.int(value), WIDE)
    }

    /// 2 to the power of [`LIMIT`].
    fn limit(&self) -> Int<'c> {
        // The words of 2^64, the lowest first.
        let words = [0, 1 << (LIMIT - 64)];
        self.ir.int_type(WIDE).const_int_arbitrary_precision(&words)
    }

    fn within_limit(&self, value: Int<'c>) -> Int<'c> {
        let limit = self.limit();
        let below = self.ir.minmax("llvm.smin", value, limit);
        self.ir.minmax("llvm.smax", below, limit.const_neg())
    }

    /// Whether a value is no product that was cut off.
    fn below_limit(&self, value: Int<'c>) -> Int<'c> {
        let limit = self.limit();
        let low = self.ir.cmp(IntPredicate::SGT, value, limit.const_neg());
        let high = self.ir.cmp(IntPredicate::SLT, value, limit);
        self.both(low, high)
    }
}
