//! Iterations of inner loops that come to a held cell where the first one does not.
//!
//! ```text
//! for y: for x: { s = 0;  for k: { i = x + k - pad;  if (i < 0 || i >= in->w) continue;  s += in->d[i] * weights->d[k]; }  out[..] = s; }
//!
//! k = max(0, pad - x - 0):    weights->d is read if this is an iteration of its loop, and i < in->w there
//! ```
//!
//! A window that begins in front of an array does not come to it at first. In an inner loop that writes nothing, the first iteration of the loops around it comes to all
//! iterations. Where a counter that goes up by one has to reach a bound, conditions are computed for the iteration in which it does; there must be one
//! ([`Nest::later_iterations`]).

use super::held::{Nest, is_harmless};
use super::opcode::int_predicate;
use crate::analyses::{Evolution, Loop};
use crate::ffi::Kind;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMIntPredicate::{LLVMIntSGT, LLVMIntSLE};
use llvm_sys::LLVMOpcode::LLVMICmp;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use polytile_analysis::region::CmpPred;
use std::collections::BTreeMap;

/// An inner loop that goes on until a counter reaches a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Later {
    loop_: Loop,
    /// Where it is compared.
    pub(super) at: Block,
    pub(super) counter: Value,
    bound: Value,
    /// It has to be beyond the bound.
    beyond: bool,
}

impl Later {
    /// Where its loop begins.
    pub(super) fn header(&self) -> Block {
        self.loop_.header()
    }
}

/// By headers of loops, the iterations that come to held cells; as numbers of 64 bits.
pub(super) type Iterations = BTreeMap<Block, Value>;

impl Nest<'_> {
    /// The loop of a block, if it goes on until a condition has an outcome: then nothing needs to be known of its first iteration.
    pub(super) fn later(&self, condition: Value, outcome: bool, at: Block) -> Option<Later> {
        let loop_ = self.an.loop_of(at).filter(|l| *l != self.nest)?;
        if condition.opcode() != LLVMICmp || !self.contains(condition) {
            return None;
        }
        let (counter, bound) = (condition.operand(0), condition.operand(1));
        let beyond = match (int_predicate(condition), outcome) {
            (CmpPred::Sgt, true) | (CmpPred::Sle, false) => true,
            (CmpPred::Sge, true) | (CmpPred::Slt, false) => false,
            _ => return None,
        };
        let goes_up = self.step(counter, loop_) == Some(1) && self.has_distance(counter, bound);
        let counted = (self.an.backedge_count(loop_)).is_some_and(|n| self.is_from_before(n));
        let fits = goes_up
            && counted
            && !self.contains(bound)
            && self.end_of(loop_, is_harmless).is_some();
        fits.then_some(Later {
            loop_,
            at,
            counter,
            bound,
            beyond,
        })
    }

    /// Whether the distance from a counter to its bound does not wrap in 64 bits, and the next number neither: narrow numbers, or a bound from -1 on and a
    /// counter that is not far below it.
    fn has_distance(&self, counter: Value, bound: Value) -> bool {
        const FAR: i64 = 1 << 61;
        let of = |v: Value| self.an.evolution(v, None);
        let (Some(counter), Some(bound)) = (of(counter), of(bound)) else {
            return false;
        };
        let (least, _) = self.an.signed_range(counter);
        let (lower, upper) = self.an.signed_range(bound);
        match self.an.width(bound) {
            0..=32 => true,
            64 => least > -FAR && lower >= -1 && upper < FAR,
            _ => false,
        }
    }

    /// Whether a PHI at the head of a loop goes up by a constant.
    pub(super) fn goes_evenly(&self, phi: Value) -> bool {
        let own = self.an.loop_of(phi.parent());
        own.is_some_and(|l| self.step(phi, l).is_some())
    }

    /// What a value goes up by in each iteration of a loop.
    fn step(&self, v: Value, l: Loop) -> Option<i128> {
        let s = self.an.evolution(v, None)?;
        let own = s.kind() == Kind::AddRec && s.recurrence_loop() == l;
        match s.operands().as_slice() {
            [_, step] if own && step.kind() == Kind::Constant => step.constant(),
            _ => None,
        }
    }

    /// Whether an evolution is made of values from before the nest, and nothing in it traps.
    fn is_from_before(&self, s: Evolution) -> bool {
        match s.kind() {
            Kind::Constant => true,
            Kind::Unknown => !self.contains(s.unknown()),
            Kind::AddRec | Kind::UDiv | Kind::PtrToInt | Kind::Other => false,
            _ => s.operands().into_iter().all(|o| self.is_from_before(o)),
        }
    }

    /// The iterations that counters reach their bounds in, outer loops first, and conditions that there are such iterations: computed in front of the
    /// nest. `None` if that cannot be.
    pub(super) fn later_iterations(&self, mut all: Vec<Later>) -> Option<(Iterations, Vec<Value>)> {
        let depth = |l: Loop| std::iter::successors(Some(l), |l| l.parent()).count();
        all.sort_by_key(|later| depth(later.loop_));
        let (mut iterations, mut exist) = (Iterations::new(), vec![]);
        for later in all {
            let count = self.an.backedge_count(later.loop_)?;
            let last = self.an.expanded(count, self.before)?;
            let begun = self.known_first(later.counter, &iterations, &mut BTreeMap::new());
            let (iteration, exists) = self.build(|b, ty| unsafe {
                let name = c"".as_ptr();
                let wide = |v: Value| LLVMBuildIntCast2(b, v.0, ty, 1, name);
                let left = LLVMBuildSub(b, wide(later.bound), wide(begun), name);
                let more = LLVMConstInt(ty, u64::from(later.beyond), 0);
                let left = LLVMBuildAdd(b, left, more, name);
                let none = LLVMConstInt(ty, 0, 0);
                let any = LLVMBuildICmp(b, LLVMIntSGT, left, none, name);
                let least = LLVMBuildSelect(b, any, left, none, name);
                let last = LLVMBuildIntCast2(b, last.0, ty, 0, name);
                (least, LLVMBuildICmp(b, LLVMIntSLE, least, last, name))
            });
            iterations.insert(later.header(), iteration);
            exist.push(exists);
        }
        Some((iterations, exist))
    }

    /// What a counter that begins with a value is in an iteration of its loop.
    pub(super) fn counted(&self, phi: Value, begun: Value, iteration: Value) -> Value {
        let own = self.an.loop_of(phi.parent());
        let step = own.and_then(|l| self.step(phi, l)).expect("asked before");
        let (value, _) = self.build(|b, _| unsafe {
            let ty = phi.raw_type();
            let name = c"".as_ptr();
            let iteration = LLVMBuildIntCast2(b, iteration.0, ty, 1, name);
            let by = LLVMConstInt(ty, step as u64, 1);
            let gone = LLVMBuildMul(b, iteration, by, name);
            let value = LLVMBuildAdd(b, begun.0, gone, name);
            (value, value)
        });
        value
    }

    /// Two values in front of the nest, by a builder and the type of numbers of 64 bits.
    fn build(
        &self,
        values: impl FnOnce(LLVMBuilderRef, LLVMTypeRef) -> (LLVMValueRef, LLVMValueRef),
    ) -> (Value, Value) {
        unsafe {
            let context = LLVMGetTypeContext(self.before.raw_type());
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, self.before.0);
            let (a, b) = values(builder, LLVMInt64TypeInContext(context));
            LLVMDisposeBuilder(builder);
            (Value(a), Value(b))
        }
    }
}
