//! Debug locations: emitted code points at the source of what it does.
//!
//! Loads, stores and cloned operations keep the position of their origin. Code of an outlined function must not point
//! into the subprogram of another function, so there the position is rebuilt inside the outlined function's own
//! subprogram: line and column stay; of what was inlined, those of the call, because lines of another file would be read as
//! lines of this one. What is read for an outlined function in front of its code has none.

use crate::emit::Emitter;
use crate::ir::Func;
use inkwell::values::{AsValueRef, InstructionValue};
use llvm_sys::core::{LLVMGetCurrentDebugLocation2, LLVMSetCurrentDebugLocation2};
use llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt,
    LLVMDILocationGetLine, LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};

/// The position of an instruction, null if it has none.
fn position(inst: LLVMValueRef) -> LLVMMetadataRef {
    unsafe { LLVMInstructionGetDebugLoc(inst) }
}

/// The position in the function itself of what may have been inlined into it.
fn in_function(at: LLVMMetadataRef) -> LLVMMetadataRef {
    let call = |at: &LLVMMetadataRef| {
        let call = unsafe { LLVMDILocationGetInlinedAt(*at) };
        (!call.is_null()).then_some(call)
    };
    std::iter::successors(Some(at), call).last().unwrap_or(at)
}

impl<'c> Emitter<'_, 'c> {
    /// The position for code that belongs to the loops as a whole: that of the region's first located instruction, or
    /// line 0 of the function.
    pub(crate) fn region_position(&self) -> LLVMMetadataRef {
        let entry = unsafe { inkwell::basic_block::BasicBlock::new(self.host.entry) }
            .expect("checked before emission");
        for inst in entry.get_instructions() {
            let found = position(inst.as_value_ref());
            if !found.is_null() {
                return found;
            }
        }
        let scope = unsafe { LLVMGetSubprogram(self.host.function) };
        if scope.is_null() {
            return std::ptr::null_mut();
        }
        unsafe {
            LLVMDIBuilderCreateDebugLocation(self.ir.ctx.raw(), 0, 0, scope, std::ptr::null_mut())
        }
    }

    /// The same position, as the current frame may use it.
    fn in_frame(&mut self, at: LLVMMetadataRef) -> LLVMMetadataRef {
        if self.frames.len() == 1 || at.is_null() {
            return at;
        }
        let Some(scope) = self.frame().subprogram else {
            return std::ptr::null_mut();
        };
        unsafe {
            let at = in_function(at);
            let (line, column) = (LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at));
            LLVMDIBuilderCreateDebugLocation(
                self.ir.ctx.raw(),
                line,
                column,
                scope,
                std::ptr::null_mut(),
            )
        }
    }

    /// Code from here on has the position of the loops as a whole.
    pub(crate) fn locate_region(&mut self) {
        let at = self.in_frame(self.position);
        unsafe { LLVMSetCurrentDebugLocation2(self.ir.builder.as_mut_ptr(), at) };
    }

    /// Code from here on has the position of `origin`, if that has one.
    pub(crate) fn locate(&mut self, origin: LLVMValueRef) {
        let mut at = position(origin);
        if at.is_null() {
            at = self.position;
        }
        let at = self.in_frame(at);
        unsafe { LLVMSetCurrentDebugLocation2(self.ir.builder.as_mut_ptr(), at) };
    }

    /// The position that code has now.
    pub(crate) fn position_here(&self) -> LLVMMetadataRef {
        unsafe { LLVMGetCurrentDebugLocation2(self.ir.builder.as_mut_ptr()) }
    }

    /// Code from here on has a position that it had before, in the same function.
    pub(crate) fn go_on_at(&mut self, position: LLVMMetadataRef) {
        unsafe { LLVMSetCurrentDebugLocation2(self.ir.builder.as_mut_ptr(), position) };
    }

    /// Code from here on has no position.
    pub(crate) fn no_position(&mut self) {
        unsafe { LLVMSetCurrentDebugLocation2(self.ir.builder.as_mut_ptr(), std::ptr::null_mut()) };
    }

    /// A subprogram for a function made from part of the host's function, if that has one.
    pub(crate) fn subprogram(&mut self, child: Func<'c>) -> Option<LLVMMetadataRef> {
        let line = if self.position.is_null() {
            0
        } else {
            unsafe { LLVMDILocationGetLine(in_function(self.position)) }
        };
        let made =
            unsafe { (self.host.add_subprogram)(self.host.function, child.as_value_ref(), line) };
        (!made.is_null()).then_some(made)
    }

    /// Gives a clone the position of its origin.
    pub(crate) fn locate_clone(&mut self, clone: InstructionValue<'c>, origin: LLVMValueRef) {
        let at = self.in_frame(position(origin));
        unsafe { LLVMInstructionSetDebugLoc(clone.as_value_ref(), at) };
    }
}
