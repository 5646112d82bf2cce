//! A region at its place in a function: what the pipeline works on.

use crate::extract::Extracted;
use crate::extract::refusal::{Blame, Refusal};
use crate::ffi::{self, Effect};
use crate::llvm::Value;
use crate::reason::Reason;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::{LLVMGetFirstInstruction, LLVMGetTypeKind};
use llvm_sys::prelude::{LLVMMetadataRef, LLVMModuleRef, LLVMValueRef};
use polytile_analysis::ids::{BlockId, LoopId};
use polytile_analysis::region::Region;
use polytile_codegen::Host;

/// A region at its place in a function.
pub struct Site<'a> {
    module: LLVMModuleRef,
    function: Value,
    extracted: &'a Extracted,
    values: Vec<LLVMValueRef>,
    bases: Vec<LLVMValueRef>,
}

impl<'a> Site<'a> {
    /// `function` is the working copy that holds the region.
    pub fn new(module: LLVMModuleRef, function: Value, extracted: &'a Extracted) -> Site<'a> {
        Site {
            module,
            function,
            extracted,
            values: extracted.values.iter().map(|v| v.0).collect(),
            bases: extracted.bases.iter().map(|v| v.0).collect(),
        }
    }

    /// The region.
    pub fn region(&self) -> &'a Region {
        &self.extracted.region
    }

    /// The region as code generation needs it.
    pub fn host(&self) -> Host<'_> {
        Host {
            module: self.module,
            function: self.function.0,
            preheader: self.extracted.preheader.0,
            entry: self.extracted.blocks[0].0,
            exit: self.extracted.exit.0,
            values: &self.values,
            bases: &self.bases,
            own: &self.extracted.own,
            inspector: self.extracted.inspector.map(|f| f.0),
            distinct_node: ffi::pt_distinct_node,
            move_function: ffi::pt_move_function,
            is_captured: ffi::pt_is_captured,
            add_subprogram: ffi::pt_add_subprogram,
        }
    }

    /// Position of a loop, for remarks; may be null.
    pub fn loop_location(&self, l: LoopId) -> LLVMMetadataRef {
        self.extracted.loops[l.index()].location()
    }

    /// Position of the region, for remarks; may be null.
    pub fn location(&self) -> LLVMMetadataRef {
        self.loop_location(LoopId(0))
    }

    /// The nests of two or more levels that do not begin with the first loop, each place of the source once: LLVM may have
    /// made several nests of one.
    pub fn other_nests(&self) -> Vec<LoopId> {
        let loops = &self.region().loops;
        let outermost = (1..loops.len()).filter(|l| loops[*l].parent.is_none());
        let has_inner = |l: &LoopId| loops.iter().any(|inner| inner.parent == Some(*l));
        let mut told = vec![&loops[0].loc];
        let mut nests = vec![];
        for l in outermost.map(LoopId::from).filter(has_inner) {
            let loc = &loops[l.index()].loc;
            if loc.is_none() || !told.contains(&loc) {
                told.push(loc);
                nests.push(l);
            }
        }
        nests
    }

    /// A refusal of the region as a whole.
    pub fn refuse(&self, reason: Reason) -> Refusal {
        self.refusal(Blame::Region, reason, None)
    }

    /// A refusal because of a loop; loops inside of it get another chance.
    pub fn refuse_loop(&self, l: LoopId, reason: Reason) -> Refusal {
        let header = self.extracted.loops[l.index()].header();
        self.refusal(Blame::Loop(header), reason, None)
    }

    /// A refusal because of a block: of the loop around it, or of a region across it. A size that the region itself loads in front
    /// of its loops may be what the block needs: the next region begins behind that.
    pub fn refuse_block(&self, b: BlockId, reason: Reason) -> Refusal {
        match (self.region().block(b).loop_, self.last_size_in_front()) {
            (Some(_), Some(load)) => self.refusal(Blame::Upto(load), reason, Some(load)),
            (Some(l), None) => self.refuse_loop(l, reason),
            (None, _) => {
                let block = self.extracted.blocks[b.index()];
                let before = &self.region().blocks[..b.index()];
                // In front of all loops its condition may be what does not fit: the next region begins behind it. Behind a
                // loop the region ends here. Its terminator would be a new one in every try.
                let at = match before.iter().all(|b| b.loop_.is_none()) {
                    true => block.terminator(),
                    false => Value(unsafe { LLVMGetFirstInstruction(block.0) }),
                };
                self.refusal(Blame::Upto(at), reason, Some(at))
            }
        }
    }

    /// The last load of an integer in front of all loops.
    fn last_size_in_front(&self) -> Option<Value> {
        let blocks = self.region().blocks.iter().zip(&self.extracted.blocks);
        let front = blocks.take_while(|(b, _)| b.loop_.is_none());
        let instructions = front.flat_map(|(_, block)| block.instructions());
        let is_size = |i: &Value| unsafe {
            i.effect() == Effect::Load
                && LLVMGetTypeKind(i.raw_type()) == LLVMTypeKind::LLVMIntegerTypeKind
        };
        instructions.filter(is_size).last()
    }

    fn refusal(&self, blame: Blame, reason: Reason, at: Option<Value>) -> Refusal {
        Refusal { blame, reason, at }
    }
}
