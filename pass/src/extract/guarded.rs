//! Held cells that a nest reads where a condition holds that it does not change.
//!
//! ```text
//! for i: if (m > 0) for j: to->data[..] = ..        p = m > 0 ? &to->data : &zero;   data = *p;   for i: ..
//! ```
//!
//! In front of the nest nobody knows whether there is anything to read if `m <= 0`. Where the condition holds, the first iteration
//! reads it; where it does not, nothing of the nest uses what was read, and zero will do.

use super::held::{Cell, MAX_BLOCKS, Nest, is_harmless};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMLinkage;
use llvm_sys::LLVMOpcode::LLVMBr;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;

impl Nest<'_> {
    /// Whether conditions from before the nest decide on all loads of a cell; they are noted.
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

    /// The branches that the first iteration takes to a block by conditions from before the nest; `None`: others decide as well.
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
                ([yes, no], Some(c)) if yes != no && !self.contains(c) => {
                    let to = [*yes, *no].into_iter();
                    let mut leading = to.filter(|s| self.an.edge_dominates(at, *s, target));
                    let to = leading.next()?;
                    edges.push((at, to));
                    to
                }
                _ => return None,
            };
        }
        None
    }

    /// Whether nothing in a block ends the program.
    fn runs_through(&self, b: Block) -> bool {
        let mut all = b.instructions().into_iter();
        self.blocks.contains(&b) && all.all(|i| is_harmless(&i) || i.effect() == Effect::Store)
    }
}

/// A load like this one in front of an instruction, of a zero if the conditions do not hold.
pub(super) fn load_before(at: Value, like: Value, when: &[(Value, bool)]) -> Value {
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(like.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        let mut pointer = like.operand(0).0;
        let mut hold: LLVMValueRef = std::ptr::null_mut();
        for (condition, outcome) in when {
            let one = LLVMBuildFreeze(builder, condition.0, c"".as_ptr());
            let one = match outcome {
                true => one,
                false => LLVMBuildNot(builder, one, c"".as_ptr()),
            };
            hold = match hold.is_null() {
                true => one,
                false => LLVMBuildAnd(builder, hold, one, c"".as_ptr()),
            };
        }
        if !hold.is_null() {
            pointer = LLVMBuildSelect(builder, hold, pointer, nothing(at), c"".as_ptr());
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
