//! The function that holds the new version, and its parameters.
//!
//! What stands beside the original in one function changes it: values that both use stay in registers or are spilled around the new
//! loops, slots of a team's board make every frame larger (4.4 KB, where a recursion of depth 2000 overflowed its stack), and a nest
//! of short loops took 20 % longer where the original ran. So the new version is a function of its own, called from one cold place.
//!
//! Which values it needs is known when it is finished. Until then placeholders stand for them:
//!
//! ```text
//!   { i1, double } f.polytile.12()                          { i1, double } f.polytile.12(i64 %0, ptr %1)
//!     %n = freeze i64 poison        for a value of f   ->     uses of %0
//!     %a = freeze ptr poison                                  uses of %1
//! ```
//!
//! It returns whether it ran, and the scalars that live on. Its calling convention leaves the caller's registers alone where there is
//! such a convention.

use crate::emit::Emitter;
use crate::frame::Frame;
use crate::ir::{Func, Value};
use crate::metadata::Scopes;
use inkwell::attributes::AttributeLoc;
use inkwell::basic_block::BasicBlock;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, StructType};
use inkwell::values::{AsValueRef, BasicValueEnum};
use llvm_sys::core::{
    LLVMAppendExistingBasicBlock, LLVMBuildFreeze, LLVMGetPoison, LLVMGetTarget,
    LLVMInstructionEraseFromParent, LLVMRemoveBasicBlockFromParent, LLVMReplaceAllUsesWith,
    LLVMSetValueName2, LLVMTypeOf,
};
use llvm_sys::debuginfo::{LLVMDILocationGetLine, LLVMSetSubprogram};
use polytile_analysis::ids::ArrayId;
use std::ffi::CStr;

/// LLVM's number of the C calling convention.
const C: u32 = 0;
/// LLVM's number of `preserve_mostcc`: all integer registers are the caller's, but for a scratch register.
const PRESERVE_MOST: u32 = 14;
/// A result of more scalars may be returned in memory, through a register that the caller believes to be preserved.
const MAX_PRESERVED: usize = 1;

/// Values of the host's function that the new version uses, and what stands for them.
pub(crate) struct Inputs<'c> {
    entry: BasicBlock<'c>,
    list: Vec<(Value<'c>, Value<'c>)>,
}

/// The finished function and the arguments that it is called with.
pub(crate) struct Callee<'c> {
    pub(crate) function: Func<'c>,
    pub(crate) arguments: Vec<Value<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// Begins the function; code goes to its body.
    pub(crate) fn begin_callee(&mut self, outs: &[ArrayId]) -> StructType<'c> {
        let host = self.frames[0].function.get_name().to_string_lossy();
        let line = match self.position.is_null() {
            true => String::from("new"),
            false => unsafe { LLVMDILocationGetLine(self.position) }.to_string(),
        };
        let name = format!("{host}.polytile.{line}");
        let mut parts = vec![self.ir.ctx.bool_type().into()];
        parts.extend(
            self.options
                .run_both
                .then(|| BasicTypeEnum::from(self.ir.i64())),
        );
        parts.extend(outs.iter().map(|a| self.scalar_type(*a)));
        let result = self.ir.ctx.struct_type(&parts, false);
        let function = self.add_own(&name, result.fn_type(&[], false));
        function.set_call_conventions(self.convention(outs.len()));
        for name in ["noinline", "nounwind"] {
            let attribute = self.ir.attribute(name);
            function.add_attribute(AttributeLoc::Function, attribute);
        }
        let [entry, body] = ["entry", "check"].map(|name| self.ir.block(function, name));
        self.ir.at_end(entry);
        self.no_position();
        self.ir.jump(body);
        let subprogram = self.subprogram(function);
        self.frames.push(Frame {
            function,
            values: Default::default(),
            inputs: Some(Inputs {
                entry,
                list: vec![],
            }),
            context: None,
            scopes: Scopes::new(self.nodes, self.scop, self.program.buffers.len()),
            subprogram,
            team: None,
            row: None,
        });
        self.ir.at_end(body);
        self.locate_region();
        result
    }

    fn convention(&self, outs: usize) -> u32 {
        let triple = unsafe { CStr::from_ptr(LLVMGetTarget(self.host.module)) };
        let triple = triple.to_string_lossy();
        let known = triple.starts_with("x86_64") || triple.starts_with("aarch64");
        match known && triple.contains("linux") && outs <= MAX_PRESERVED {
            true => PRESERVE_MOST,
            false => C,
        }
    }

    /// What stands for a value of the host's function in the new version.
    pub(crate) fn input(&mut self, outer: Value<'c>) -> Value<'c> {
        let inputs = self.frames[1].inputs.as_ref();
        let inputs = inputs.expect("the new version has inputs");
        let entry = inputs.entry;
        if let Some((_, known)) = inputs.list.iter().find(|(v, _)| *v == outer) {
            return *known;
        }
        let saved = self.ir.here();
        self.ir
            .before(entry.get_terminator().expect("entry blocks are closed"));
        let builder = self.ir.builder.as_mut_ptr();
        let placeholder = unsafe {
            let poison = LLVMGetPoison(LLVMTypeOf(outer.as_value_ref()));
            BasicValueEnum::new(LLVMBuildFreeze(builder, poison, c"".as_ptr()))
        };
        self.ir.at_end(saved);
        let inputs = self.frames[1].inputs.as_mut();
        let inputs = inputs.expect("the new version has inputs");
        inputs.list.push((outer, placeholder));
        placeholder
    }

    /// Says of pointers that the host keeps to itself that the new version does so, too. Otherwise nothing that is read through an unknown
    /// pointer would be hoisted out of the original's loops any more: it might be an array of the host's, whose address has gone out.
    /// Not for a new version that returns pointers, which may be derived from these, or that keeps them for a comparison of both versions.
    fn keep_private(
        &self,
        function: Func<'c>,
        result: StructType<'c>,
        inputs: &[(Value<'c>, Value<'c>)],
    ) {
        let mut parts = result.get_field_types_iter();
        if self.options.run_both || parts.any(|part| part.is_pointer_type()) {
            return;
        }
        let captures_nothing = self.ir.attribute("captures");
        for (number, (outer, _)) in (0..).zip(inputs) {
            if outer.is_pointer_value() && !unsafe { (self.host.is_captured)(outer.as_value_ref()) }
            {
                function.add_attribute(AttributeLoc::Param(number), captures_nothing);
            }
        }
    }

    /// Ends the function: placeholders become parameters.
    pub(crate) fn end_callee(&mut self, result: StructType<'c>) -> Callee<'c> {
        let frame = self.frames.pop().expect("begun before");
        let inputs = frame.inputs.expect("the new version has inputs").list;
        let types: Vec<BasicMetadataTypeEnum<'c>> =
            inputs.iter().map(|(v, _)| v.get_type().into()).collect();
        let old = frame.function;
        let name = old.get_name().to_string_lossy().into_owned();
        unsafe { LLVMSetValueName2(old.as_value_ref(), c"".as_ptr(), 0) };
        let ty = result.fn_type(&types, false);
        let module = self.ir.module();
        let function = module.add_function(&name, ty, Some(Linkage::Internal));
        function.set_call_conventions(old.get_call_conventions());
        let at = AttributeLoc::Function;
        for a in old.attributes(at) {
            function.add_attribute(at, a);
        }
        self.keep_private(function, result, &inputs);
        for b in old.get_basic_blocks() {
            unsafe {
                LLVMRemoveBasicBlockFromParent(b.as_mut_ptr());
                LLVMAppendExistingBasicBlock(function.as_value_ref(), b.as_mut_ptr());
            }
        }
        for ((_, placeholder), parameter) in inputs.iter().zip(function.get_param_iter()) {
            unsafe {
                LLVMReplaceAllUsesWith(placeholder.as_value_ref(), parameter.as_value_ref());
                LLVMInstructionEraseFromParent(placeholder.as_value_ref());
            }
        }
        if let Some(subprogram) = frame.subprogram {
            unsafe {
                LLVMSetSubprogram(old.as_value_ref(), std::ptr::null_mut());
                LLVMSetSubprogram(function.as_value_ref(), subprogram);
            }
        }
        unsafe {
            (self.host.move_function)(function.as_value_ref(), old.as_value_ref());
            old.delete();
        }
        Callee {
            function,
            arguments: inputs.into_iter().map(|(v, _)| v).collect(),
        }
    }
}
