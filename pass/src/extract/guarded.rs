//! Held cells that a nest reads where a condition holds that it does not change.
//!
//! ```text
//! for i: if (m > 0) for j: to->data[..] = ..        p = m > 0 ? &to->data : &zero;   data = *p;   for i: ..
//! ```
//!
//! In front of the nest nobody knows whether there is anything to read if `m <= 0`. Where the condition holds, the first iteration
//! reads it; where it does not, nothing of the nest uses what was read, and zero will do.
//!
//! A condition that changes in the nest serves as well if it never holds where it does not hold at first: `k + 1 < n` around the
//! inner loops of a factorization. It is computed for the first iteration in front.

use super::held::{Cell, MAX_BLOCKS, MAX_STEPS, Nest, is_harmless};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMLinkage;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use std::collections::BTreeMap;

impl Nest<'_> {
    /// Whether conditions that are known in front of the nest decide on all loads of a cell; they are noted.
    pub(super) fn is_guarded(&self, cell: &mut Cell) -> bool {
        let found = cell.loads.iter().find_map(|load| {
            let edges = self.way_to(load.parent())?;
            let others = cell.loads.iter().map(|l| l.parent());
            let on_all = |b: Block| edges.iter().all(|e| self.an.edge_dominates(e.0, e.1, b));
            others.into_iter().all(on_all).then_some(edges)
        });
        let Some(edges) = found.filter(|e| !e.is_empty()) else {
            return false;
        };
        let outcome = |(from, to): &(Block, Block)| {
            let t = from.terminator();
            let yes = t.successors().first() == Some(to);
            t.condition().map(|c| (c, yes))
        };
        let when: Option<Vec<(Value, bool)>> = edges.iter().map(outcome).collect();
        cell.when = when.unwrap_or_default();
        !cell.when.is_empty()
    }

    /// The branches that the first iteration takes to a block by conditions that are known in front of the nest; `None`: others
    /// decide as well.
    fn way_to(&self, target: Block) -> Option<Vec<(Block, Block)>> {
        let mut edges = vec![];
        let mut at = self.nest.header();
        for _ in 0..MAX_BLOCKS {
            if at == target {
                return Some(edges);
            }
            let t = at.terminator();
            if t.opcode() != LLVMBr || !self.runs_through(at) {
                return None;
            }
            at = match (t.successors().as_slice(), t.condition()) {
                ([only], _) => *only,
                ([yes, no], Some(c)) if yes != no => {
                    let to = [*yes, *no].into_iter();
                    let mut leading = to.filter(|s| self.an.edge_dominates(at, *s, target));
                    let to = leading.next()?;
                    if !self.is_foreseen(c, to == *yes) {
                        return None;
                    }
                    edges.push((at, to));
                    to
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether it is known in front of the nest if a condition ever has an outcome.
    fn is_foreseen(&self, c: Value, outcome: bool) -> bool {
        !self.contains(c)
            || self.an.stays_away(self.nest, c, outcome) && self.is_computable(c, &mut 0)
    }

    /// Whether a value of the first iteration is made of values from before the nest.
    fn is_computable(&self, v: Value, steps: &mut usize) -> bool {
        *steps += 1;
        if !self.contains(v) || self.enters_with(v).is_some() {
            return true;
        }
        // Nothing that may trap: not all conditions need to be reached.
        let plain = matches!(
            v.opcode(),
            LLVMICmp | LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMSExt | LLVMZExt | LLVMTrunc
        );
        let mut operands = v.operands().into_iter();
        plain && *steps < MAX_STEPS && operands.all(|o| self.is_computable(o, steps))
    }

    /// What a PHI of the outermost loop is in its first iteration.
    fn enters_with(&self, v: Value) -> Option<Value> {
        if !v.is_phi() || v.parent() != self.nest.header() {
            return None;
        }
        let mut from = v.incoming().into_iter();
        from.find_map(|(b, v)| (b == self.before.parent()).then_some(v))
    }

    /// A value of the first iteration, computed in front of the nest.
    pub(super) fn at_first(&self, v: Value, made: &mut BTreeMap<Value, Value>) -> Value {
        if !self.contains(v) {
            return v;
        }
        if let Some(known) = self.enters_with(v).or_else(|| made.get(&v).copied()) {
            return known;
        }
        let operands = v.operands().into_iter();
        let operands: Vec<Value> = operands.map(|o| self.at_first(o, made)).collect();
        let copy = copy_before(self.before, v, &operands);
        made.insert(v, copy);
        copy
    }

    /// Whether nothing in a block ends the program.
    fn runs_through(&self, b: Block) -> bool {
        let mut all = b.instructions().into_iter();
        self.blocks.contains(&b) && all.all(|i| is_harmless(&i) || i.effect() == Effect::Store)
    }
}

/// An instruction like this one of other operands.
pub(super) fn copy_before(at: Value, like: Value, operands: &[Value]) -> Value {
    unsafe {
        let copy = LLVMInstructionClone(like.0);
        for (i, operand) in (0..).zip(operands) {
            LLVMSetOperand(copy, i, operand.0);
        }
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(like.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        LLVMInsertIntoBuilder(builder, copy);
        LLVMDisposeBuilder(builder);
        Value(copy)
    }
}

/// A bit in front of an instruction that says whether conditions have these outcomes; `None` without conditions.
pub(super) fn hold_before(at: Value, when: &[(Value, bool)]) -> Option<Value> {
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(at.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        let mut hold: Option<LLVMValueRef> = None;
        for (condition, outcome) in when {
            let one = LLVMBuildFreeze(builder, condition.0, c"".as_ptr());
            let one = match outcome {
                true => one,
                false => LLVMBuildNot(builder, one, c"".as_ptr()),
            };
            hold = Some(match hold {
                None => one,
                Some(hold) => LLVMBuildAnd(builder, hold, one, c"".as_ptr()),
            });
        }
        LLVMDisposeBuilder(builder);
        hold.map(Value)
    }
}

/// A load like this one in front of an instruction, of a zero if a bit is not set.
pub(super) fn load_before(at: Value, like: Value, hold: Option<Value>) -> Value {
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(like.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        let mut pointer = like.operand(0).0;
        if let Some(hold) = hold {
            pointer = LLVMBuildSelect(builder, hold.0, pointer, nothing(at), c"".as_ptr());
        }
        let load = LLVMBuildLoad2(builder, like.raw_type(), pointer, c"".as_ptr());
        LLVMSetAlignment(load, LLVMGetAlignment(like.0));
        LLVMDisposeBuilder(builder);
        Value(load)
    }
}

/// Memory that holds zero, in the module of an instruction.
fn nothing(at: Value) -> LLVMValueRef {
    let name = c"polytile.nothing".as_ptr();
    unsafe {
        let function = LLVMGetBasicBlockParent(at.parent().0);
        let module = LLVMGetGlobalParent(function);
        let known = LLVMGetNamedGlobal(module, name);
        if !known.is_null() {
            return known;
        }
        let context = LLVMGetTypeContext(at.raw_type());
        let ty = LLVMArrayType2(LLVMInt64TypeInContext(context), 4);
        let global = LLVMAddGlobal(module, ty, name);
        LLVMSetInitializer(global, LLVMConstNull(ty));
        LLVMSetGlobalConstant(global, 1);
        LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
        LLVMSetAlignment(global, 32);
        global
    }
}
