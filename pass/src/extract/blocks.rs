//! Blocks of memory that each iteration of a nest allocates (`shim/blocks.cpp`): the new version has one of its own in their place.

use super::accesses::{Bases, refuse};
use super::refusal::Refusal;
use super::values::Table;
use super::ways_out::Edge;
use crate::ffi;
use crate::llvm::{Block, Value};
use crate::reason::{Kind, Reason};
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::ids::BaseId;
use polytile_analysis::region::Loop;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use std::collections::BTreeSet;
use std::ffi::c_void;

/// The largest step of a size from one iteration to the next, in bytes.
const MAX_STEP: i128 = 1 << 20;

/// Notes the bases that stand for blocks of the region's own, with their bytes, known in front of the region.
pub fn note_own(table: &mut Table<'_>, loops: &[Loop], bases: &mut Bases) -> Result<(), Refusal> {
    for (base, pointer) in (0..).map(BaseId::from).zip(bases.raw.clone()) {
        if let Some(bytes) = bytes(table, loops, pointer)? {
            bases.own.push((base, bytes));
        }
    }
    Ok(())
}

/// How large the blocks are that a pointer stands for; `None` if the region allocates none of them.
fn bytes(table: &mut Table<'_>, loops: &[Loop], pointer: Value) -> Result<Option<Scev>, Refusal> {
    let mut one: Option<Scev> = None;
    for value in allocated(table, pointer) {
        let at = match table.inside(value) {
            Some(_) => value.parent(),
            None => table.entry(),
        };
        let size = table.scev(value, at);
        let size = greatest(&size, loops).filter(|s| table.is_given(s));
        match size.filter(|s| one.as_ref().is_none_or(|o| o == s)) {
            Some(size) => one = Some(size),
            None => {
                let words = "the size of a block of memory changes in the nest";
                return Err(refuse(table, value, Reason::new(Kind::Pointer, words)));
            }
        }
    }
    Ok(one)
}

/// The greatest value of a size in all iterations: the first or the last one, where it goes by a constant step.
fn greatest(s: &Scev, loops: &[Loop]) -> Option<Scev> {
    let ScevKind::AddRec {
        loop_, operands, ..
    } = &s.kind
    else {
        return Some(s.clone());
    };
    let [start, step] = &operands[..] else {
        return None;
    };
    let count = &loops[loop_.index()].backedge_count;
    let constant = step.as_constant().filter(|c| c.abs() <= MAX_STEP);
    if constant.is_none() || count.width > s.width {
        return None;
    }
    let wide = |kind| Scev {
        width: s.width,
        kind,
    };
    let count = match count.width == s.width {
        true => count.clone(),
        false => wide(ScevKind::ZExt(Box::new(count.clone()))),
    };
    let first = greatest(start, loops)?;
    let ahead = wide(ScevKind::Mul(vec![step.clone(), count], Wrap::default()));
    let last = wide(ScevKind::Add(vec![first.clone(), ahead], Wrap::default()));
    Some(wide(ScevKind::UMax(vec![first, last])))
}

/// The edges that are taken where there is no memory for a block. A new version has its blocks; a region that only asks whether an earlier one was there
/// does not know, and is refused.
pub fn failing(blocks: &[Block]) -> BTreeSet<Edge> {
    let to = |b: &Block| unsafe { ffi::pt_failing(b.terminator().0) };
    let edges = blocks.iter().map(|b| (*b, Block(to(b))));
    edges.filter(|(_, to)| !to.0.is_null()).collect()
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
