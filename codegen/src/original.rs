//! The original version: its blocks, and where its loops are placed in memory.
//!
//! What the new version leaves to the original (short runs, arrays that overlap) shall take no longer than without us.
//! The check in front of it moves its code, though. Cores fetch and cache decoded instructions by aligned blocks, so a
//! loop of a few instructions takes one block or two, as its place has it; measured on a Zen 5, a nest of short loops
//! lost 11 % at every other place. Its loops therefore start at a boundary of such blocks (`llvm.loop.align`).

use crate::emit::Emitter;
use crate::ir::Block;
use inkwell::values::{AsValueRef, InstructionValue};
use llvm_sys::core::{
    LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMetadata, LLVMGetNumSuccessors,
    LLVMGetSuccessor, LLVMValueAsMetadata,
};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMMetadataRef};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of the blocks that instructions are fetched by.
const FETCHED: u64 = 32;

/// The control flow of the original version.
#[derive(Default)]
pub(crate) struct Original<'c> {
    /// Its blocks.
    blocks: BTreeSet<usize>,
    /// By the header of a loop: the branches back to it.
    latches: BTreeMap<usize, Vec<InstructionValue<'c>>>,
}

impl Original<'_> {
    /// Whether it has a block.
    pub(crate) fn contains(&self, b: LLVMBasicBlockRef) -> bool {
        self.blocks.contains(&(b as usize))
    }
}

impl<'c> Emitter<'_, 'c> {
    /// Walks through the original version.
    pub(crate) fn original(&self) -> Original<'c> {
        let entry = self.host_block(self.host.entry);
        let exit = self.host_block(self.host.exit);
        let mut found = Original::default();
        found.blocks.insert(address(entry));
        // The path from the entry, each block with the number of its next successor.
        let mut path = vec![(entry, 0)];
        let mut open = BTreeSet::from([address(entry)]);
        while let Some((block, next)) = path.last_mut() {
            let branch = block.get_terminator().expect("blocks are closed");
            if *next == unsafe { LLVMGetNumSuccessors(branch.as_value_ref()) } {
                open.remove(&address(*block));
                path.pop();
                continue;
            }
            let to = unsafe { LLVMGetSuccessor(branch.as_value_ref(), *next) };
            *next += 1;
            let to = self.host_block(to);
            if open.contains(&address(to)) {
                found.latches.entry(address(to)).or_default().push(branch);
            } else if to != exit && found.blocks.insert(address(to)) {
                open.insert(address(to));
                path.push((to, 0));
            }
        }
        found
    }

    /// Places the original version's loops at boundaries of fetched blocks.
    pub(crate) fn align_loops(&self, original: &Original<'c>) {
        for latches in original.latches.values() {
            // Loops are in simplified form as a rule; the branches of others would have to share a node.
            if let [latch] = latches.as_slice() {
                self.align_loop(*latch);
            }
        }
    }

    /// Adds the alignment to a loop's properties, unless the program asks for another one.
    fn align_loop(&self, latch: InstructionValue<'c>) {
        const ALIGN: &str = "llvm.loop.align";
        let mut properties = self.loop_properties(latch);
        if properties.iter().any(|p| self.nodes.names(*p, ALIGN)) {
            return;
        }
        let bytes = self.ir.ctx.i32_type().const_int(FETCHED, false);
        let bytes = unsafe { LLVMValueAsMetadata(bytes.as_value_ref()) };
        properties.push(self.nodes.tuple(&[self.nodes.string(ALIGN), bytes]));
        let node = self.nodes.distinct(&properties);
        self.nodes.attach(latch, self.kinds.loop_, node);
    }

    /// What a loop's node holds besides itself.
    fn loop_properties(&self, latch: InstructionValue<'c>) -> Vec<LLVMMetadataRef> {
        unsafe {
            let node = LLVMGetMetadata(latch.as_value_ref(), self.kinds.loop_);
            if node.is_null() {
                return vec![];
            }
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
            LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
            let own = operands.into_iter().skip(1);
            own.map(|v| LLVMValueAsMetadata(v)).collect()
        }
    }
}

fn address(b: Block<'_>) -> usize {
    b.as_mut_ptr() as usize
}
