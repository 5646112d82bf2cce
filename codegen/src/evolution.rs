//! Scalar evolutions, evaluated for given iterators in exactly the arithmetic that the program uses.
//!
//! An evolution of width `w` is computed in `w` bits, modulo `2^w`, casts included: whatever the model assumed about
//! wrapping, an address or a stored index computed here is the one that the program computes. LLVM has already moved
//! casts inwards where it could prove that nothing wraps, so affine addresses arrive as plain 64-bit sums.

use crate::emit::Emitter;
use crate::ir::{Arith, Int, constant};
use inkwell::IntPredicate;
use inkwell::values::BasicValueEnum;
use polytile_analysis::address_gain::Direction;
use polytile_analysis::ids::{LoopId, ValueId};
use polytile_analysis::region::CmpPred;
use polytile_analysis::scev::{Scev, ScevKind};

/// Values of a statement's iterators by loop.
pub(crate) type Iterators<'c> = [(LoopId, Int<'c>)];

/// The longest recurrence that can be evaluated: start, step, step of the step.
const MAX_RECURRENCE: usize = 3;

/// Whether [`Emitter::evolve`] can evaluate this over iterators of these loops.
pub(crate) fn closed_form(s: &Scev, loops: &[LoopId]) -> bool {
    let bad_width = s.width == 0 || s.width > 64;
    !s.any(&mut |part| match &part.kind {
        ScevKind::Unknowable => true,
        ScevKind::AddRec {
            loop_, operands, ..
        } => !loops.contains(loop_) || operands.len() > MAX_RECURRENCE,
        ScevKind::Add(v, _) | ScevKind::Mul(v, _) => v.is_empty(),
        ScevKind::SMax(v) | ScevKind::UMax(v) | ScevKind::SMin(v) | ScevKind::UMin(v) => {
            v.is_empty()
        }
        _ => part.width == 0 || part.width > 128,
    }) && !bad_width
}

/// `a` of `max(0, -a)` as a number without sign, which the least of all has as well: what is below zero of a quotient or a remainder.
fn negative_part(values: &[Scev]) -> Option<&Scev> {
    let [zero, without] = values else {
        return None;
    };
    match &without.kind {
        ScevKind::Mul(v, wrap) if wrap.nsw && zero.as_constant() == Some(0) => match &v[..] {
            [minus, a] if minus.as_constant() == Some(-1) => Some(a),
            _ => None,
        },
        _ => None,
    }
}

impl<'c> Emitter<'_, 'c> {
    /// Iterators so many steps along a direction.
    pub(crate) fn ahead(
        &self,
        at: &Iterators<'c>,
        direction: &Direction,
        steps: Int<'c>,
    ) -> Vec<(LoopId, Int<'c>)> {
        let moved = |(&(of, value), gain): (&(LoopId, Int<'c>), &i64)| {
            let gain = self.ir.mul(steps, self.ir.int(*gain), Arith::Bounded);
            (of, self.ir.add(value, gain, Arith::Bounded))
        };
        at.iter().zip(direction).map(moved).collect()
    }

    /// The value of `s`, `s.width` bits wide.
    pub(crate) fn evolve(&mut self, s: &Scev, at: &Iterators<'c>) -> Int<'c> {
        let wrap = Arith::Wrapping;
        match &s.kind {
            ScevKind::Const(c) => self.wide_constant(s.width, *c),
            ScevKind::Unknown(v) => self.leaf(*v),
            ScevKind::Add(..) | ScevKind::AddRec { .. } => self.sum(s, at),
            ScevKind::Mul(v, _) => self.fold(v, at, |e, a, b| e.ir.mul(a, b, wrap)),
            ScevKind::SMax(v) if let Some(a) = negative_part(v) => {
                let a = self.evolve(a, at);
                let above = self.ir.minmax("llvm.smax", a, a.get_type().const_zero());
                self.ir.sub(above, a, wrap)
            }
            ScevKind::SMax(v) => self.fold(v, at, |e, a, b| e.ir.minmax("llvm.smax", a, b)),
            ScevKind::UMax(v) => self.fold(v, at, |e, a, b| e.ir.minmax("llvm.umax", a, b)),
            ScevKind::SMin(v) => self.fold(v, at, |e, a, b| e.ir.minmax("llvm.smin", a, b)),
            ScevKind::UMin(v) => self.fold(v, at, |e, a, b| e.ir.minmax("llvm.umin", a, b)),
            ScevKind::UDiv(a, b) => {
                let (a, b) = (self.evolve(a, at), self.evolve(b, at));
                self.safe_udiv(a, b)
            }
            ScevKind::SRem(a, b) => {
                let (a, b) = (self.evolve(a, at), self.evolve(b, at));
                self.ir.srem(a, b)
            }
            ScevKind::Select(pred, parts) => self.choice(*pred, parts, at),
            ScevKind::ZExt(a) => {
                let a = self.evolve(a, at);
                self.ir.zext(a, s.width)
            }
            ScevKind::SExt(a) => {
                let a = self.evolve(a, at);
                self.ir.sext(a, s.width)
            }
            ScevKind::Trunc(a) => {
                let a = self.evolve(a, at);
                self.ir.trunc(a, s.width)
            }
            ScevKind::Unknowable => unreachable!("checked before emission"),
        }
    }

    fn choice(&mut self, pred: CmpPred, parts: &[Scev; 4], at: &Iterators<'c>) -> Int<'c> {
        let [lhs, rhs, then, els] = parts;
        let pred = match pred {
            CmpPred::Eq => IntPredicate::EQ,
            CmpPred::Ne => IntPredicate::NE,
            CmpPred::Slt => IntPredicate::SLT,
            CmpPred::Sle => IntPredicate::SLE,
            CmpPred::Sgt => IntPredicate::SGT,
            CmpPred::Sge => IntPredicate::SGE,
            CmpPred::Ult => IntPredicate::ULT,
            CmpPred::Ule => IntPredicate::ULE,
            CmpPred::Ugt => IntPredicate::UGT,
            CmpPred::Uge => IntPredicate::UGE,
        };
        let (lhs, rhs) = (self.evolve(lhs, at), self.evolve(rhs, at));
        let (then, els) = (self.evolve(then, at), self.evolve(els, at));
        let holds = self.ir.cmp(pred, lhs, rhs);
        self.ir.select(holds, then, els).into_int_value()
    }

    fn fold(
        &mut self,
        v: &[Scev],
        at: &Iterators<'c>,
        op: impl Fn(&Self, Int<'c>, Int<'c>) -> Int<'c>,
    ) -> Int<'c> {
        let mut acc = self.evolve(&v[0], at);
        for s in &v[1..] {
            let next = self.evolve(s, at);
            acc = op(self, acc, next);
        }
        acc
    }

    fn leaf(&mut self, v: ValueId) -> Int<'c> {
        match self.invariant_integer(v) {
            BasicValueEnum::IntValue(i) => i,
            BasicValueEnum::PointerValue(p) => self.ir.ptr_to_int(p),
            other => panic!("evolution over {other}"),
        }
    }

    fn wide_constant(&self, width: u32, c: i128) -> Int<'c> {
        let words = [c as u64, (c >> 64) as u64];
        self.ir
            .int_type(width)
            .const_int_arbitrary_precision(&words[..width.div_ceil(64).min(2) as usize])
    }

    /// The quotient; where the divisor is zero the program never gets here, but the check may.
    fn safe_udiv(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        let b = match constant(b) {
            Some(c) if c != 0 => b,
            _ => self
                .ir
                .minmax("llvm.umax", b, b.get_type().const_int(1, false)),
        };
        self.ir.udiv(a, b)
    }

    /// A sum with its constant last, so that neighbours are seen to be neighbours by passes that look at the last addition only: LLVM's
    /// vectorizer of straight code does not know `(4 + a) + b` to be four behind `a + b`.
    fn sum(&mut self, s: &Scev, at: &Iterators<'c>) -> Int<'c> {
        let (rest, constant) = self.parted(s, at);
        let constant = self.wide_constant(s.width, constant);
        match rest {
            Some(rest) => self.ir.add(rest, constant, Arith::Wrapping),
            None => constant,
        }
    }

    /// A number modulo `2^width` without its constant, and that.
    fn parted(&mut self, s: &Scev, at: &Iterators<'c>) -> (Option<Int<'c>>, i128) {
        match &s.kind {
            ScevKind::Const(c) => (None, *c),
            ScevKind::Add(v, _) => {
                let (mut sum, mut constant) = (None, 0i128);
                for s in v {
                    let (rest, c) = self.parted(s, at);
                    constant = constant.wrapping_add(c);
                    sum = match (sum, rest) {
                        (Some(a), Some(b)) => Some(self.ir.add(a, b, Arith::Wrapping)),
                        (a, b) => a.or(b),
                    };
                }
                (sum, constant)
            }
            ScevKind::AddRec {
                loop_, operands, ..
            } => self.recurrence(s.width, *loop_, operands, at),
            _ => (Some(self.evolve(s, at)), 0),
        }
    }

    /// `start + step * n + step2 * n(n-1)/2`, modulo `2^width`, without the start's constant, and that.
    fn recurrence(
        &mut self,
        width: u32,
        loop_: LoopId,
        operands: &[Scev],
        at: &Iterators<'c>,
    ) -> (Option<Int<'c>>, i128) {
        let wrap = Arith::Wrapping;
        let n = at
            .iter()
            .find(|(l, _)| *l == loop_)
            .expect("loops checked before emission")
            .1;
        let count = if width > 64 {
            self.ir.sext(n, width)
        } else {
            self.ir.trunc(n, width)
        };
        let (mut sum, constant) = self.parted(&operands[0], at);
        let mut add = |e: &Self, term| {
            sum = Some(match sum {
                Some(sum) => e.ir.add(sum, term, wrap),
                None => term,
            });
        };
        if let Some(step) = operands.get(1) {
            let step = self.evolve(step, at);
            let term = self.ir.mul(step, count, wrap);
            add(self, term);
        }
        if let Some(second) = operands.get(2) {
            let second = self.evolve(second, at);
            let pairs = self.pairs_below(n, width);
            let term = self.ir.mul(second, pairs, wrap);
            add(self, term);
        }
        (sum, constant)
    }

    /// `n(n-1)/2` modulo `2^width`, for `n >= 0`: in 128 bits the product does not wrap.
    fn pairs_below(&self, n: Int<'c>, width: u32) -> Int<'c> {
        let wide = self.ir.sext(n, 128);
        let one = wide.get_type().const_int(1, false);
        let below = self.ir.sub(wide, one, Arith::Wrapping);
        let product = self.ir.mul(wide, below, Arith::Wrapping);
        let half = self.ir.lshr(product, 1);
        self.ir.trunc(half, width)
    }
}
