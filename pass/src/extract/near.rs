//! Held cells beside memory that is surely read.
//!
//! ```text
//! for i < s->n: for j < s->n: if (i != j && d < s->cut) s->fx[i] += ..        s->n is read in any case, s->fx where data says so
//! ```
//!
//! Nobody knows whether the nest ever reads such a cell, but memory is there or not by whole pages: a cell in one page with something that the program reads or
//! writes before it comes to the nest can be read in front of it. What is read is used where the program reads it as well. Whether both are in one page
//! is asked at run time; where they are not, the new version does not run ([`Cell::is_required`](super::held::Cell)).

use super::held::{Cell, MAX_BLOCKS, Nest, is_harmless};
use super::objects::place;
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;
use llvm_sys::LLVMOpcode::LLVMGetElementPtr;
use llvm_sys::core::*;
use std::collections::BTreeSet;

/// The binary logarithm of the size of the smallest pages that there are.
const PAGE: u64 = 12;

impl Nest<'_> {
    /// Parts cells that lie in an object of which the nest, or what comes in front of it, reads something in any case, from others.
    pub(super) fn near(&self, open: Vec<Cell>, held: &mut Vec<Cell>) {
        for mut cell in open {
            if self.is_table(&cell) || !is_aligned(&cell) {
                continue;
            }
            if let Some(witness) = self.witness(&cell, held) {
                cell.when = vec![(in_one_page(self.before, cell.pointer, witness), true)];
                cell.is_required = true;
                held.push(cell);
            }
        }
    }

    /// An address in the object of a cell that is accessed in any case.
    fn witness(&self, cell: &Cell, held: &[Cell]) -> Option<Value> {
        let object = place(self.an, cell.pointer).0;
        let own = |c: &&Cell| c.when.is_empty() && place(self.an, c.pointer).0 == object;
        let beside = held.iter().find(own).map(|c| c.pointer);
        beside.or_else(|| self.accessed_before(object))
    }

    /// An address in an object that is accessed on all ways to the nest, from where on nothing can take the memory away.
    fn accessed_before(&self, object: Value) -> Option<Value> {
        let is_address = |u: &Value| {
            u.is_instruction() && u.opcode() == LLVMGetElementPtr && u.operand(0) == object
        };
        let addresses = object
            .users()
            .into_iter()
            .filter(is_address)
            .chain([object]);
        let fixed = addresses.filter(|a| place(self.an, *a).0 == object);
        let accesses = fixed.flat_map(|a| a.users().into_iter().map(move |u| (u, a)));
        let mut accesses = accesses.filter(|(u, a)| {
            u.is_instruction()
                && match u.effect() {
                    Effect::Load => u.operand(0) == *a,
                    Effect::Store => u.operand(1) == *a,
                    _ => false,
                }
        });
        let stays =
            |u: Value| self.an.instruction_dominates(u, self.before) && self.nothing_ends_since(u);
        accesses.find_map(|(u, a)| stays(u).then_some(a))
    }

    /// Whether all that may run between an instruction that dominates the nest and the nest computes, loads and stores.
    fn nothing_ends_since(&self, since: Value) -> bool {
        let mut seen: BTreeSet<Block> = BTreeSet::new();
        let mut pending = vec![self.before.parent()];
        while let Some(b) = pending.pop() {
            if !seen.insert(b) {
                continue;
            }
            let behind = b.instructions();
            let mut behind = behind.iter().rev().take_while(|i| **i != since);
            if seen.len() > MAX_BLOCKS || !behind.all(frees_nothing) {
                return false;
            }
            if b != since.parent() {
                pending.extend(b.predecessors());
            }
        }
        true
    }
}

/// Whether an instruction leaves all memory where it is.
fn frees_nothing(i: &Value) -> bool {
    is_harmless(i) || matches!(i.effect(), Effect::Store | Effect::Memset | Effect::Memcpy)
}

/// Whether a cell lies in one page.
fn is_aligned(cell: &Cell) -> bool {
    let align = cell.loads.iter().map(|l| unsafe { LLVMGetAlignment(l.0) });
    align.min() >= Some(super::objects::bytes(cell))
}

/// A bit in front of an instruction: whether two addresses are in one page.
fn in_one_page(at: Value, a: Value, b: Value) -> Value {
    unsafe {
        let context = LLVMGetTypeContext(at.raw_type());
        let ty = LLVMInt64TypeInContext(context);
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(builder, at.0);
        let name = c"".as_ptr();
        let address = |v: Value| LLVMBuildPtrToInt(builder, v.0, ty, name);
        let differ = LLVMBuildXor(builder, address(a), address(b), name);
        let pages = LLVMBuildLShr(builder, differ, LLVMConstInt(ty, PAGE, 0), name);
        // Evolutions of addresses are nobody's affair: this is a value.
        let pages = LLVMBuildFreeze(builder, pages, name);
        let one = LLVMBuildICmp(builder, LLVMIntEQ, pages, LLVMConstInt(ty, 0, 0), name);
        LLVMDisposeBuilder(builder);
        Value(one)
    }
}
