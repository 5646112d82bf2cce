//! Blocks of memory that each iteration of a nest allocates (`shim/blocks.cpp`): the new version has one of its own in their place.

use super::accesses::{Bases, refuse};
use super::refusal::Refusal;
use super::values::Table;
use crate::ffi;
use crate::llvm::Value;
use crate::reason::{Kind, Reason};
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::ids::BaseId;
use polytile_analysis::scev::Scev;
use std::ffi::c_void;

/// The bases that stand for blocks of the region's own, with their bytes, known in front of the region.
pub fn blocks(table: &mut Table<'_>, bases: &Bases) -> Result<Vec<(BaseId, Scev)>, Refusal> {
    let mut found = vec![];
    for (base, pointer) in bases.pointers() {
        if let Some(bytes) = bytes(table, pointer)? {
            found.push((base, bytes));
        }
    }
    Ok(found)
}

/// How large the blocks are that a pointer stands for; `None` if the region allocates none of them.
fn bytes(table: &mut Table<'_>, pointer: Value) -> Result<Option<Scev>, Refusal> {
    let mut one: Option<Scev> = None;
    for value in allocated(table, pointer) {
        let at = value_block(table, value);
        let size = table.scev(value, at);
        if !table.is_given(&size) || one.as_ref().is_some_and(|s| *s != size) {
            let words = "the size of a block of memory changes in the nest";
            return Err(refuse(table, value, Reason::new(Kind::Pointer, words)));
        }
        one = Some(size);
    }
    Ok(one)
}

/// Where a size is seen from.
fn value_block(table: &Table<'_>, value: Value) -> crate::llvm::Block {
    match table.inside(value) {
        Some(_) => value.parent(),
        None => table.entry(),
    }
}

/// How many bytes each place of the region allocates.
pub fn allocated(table: &Table<'_>, pointer: Value) -> Vec<Value> {
    unsafe extern "C" fn note(data: *mut c_void, size: LLVMValueRef) {
        unsafe { (*data.cast::<Vec<Value>>()).push(Value(size)) };
    }
    let mut found: Vec<Value> = vec![];
    if pointer.is_instruction() {
        let blocks: Vec<_> = table.blocks.iter().map(|b| b.0).collect();
        let (first, count) = (blocks.as_ptr(), blocks.len());
        let data = (&raw mut found).cast();
        unsafe { ffi::pt_block_bytes(pointer.0, first, count, data, note) };
    }
    found
}
