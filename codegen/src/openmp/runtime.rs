//! The runtime's functions: declared weak, and called with a source position that its tools can show.

use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Func, Int, Ptr};
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::AsValueRef;

/// `KMP_IDENT_KMPC`: the caller is compiled code.
const IDENT_KMPC: u64 = 2;
/// The position that the runtime's tools show.
const IDENT_SOURCE: &str = ";unknown;unknown;0;0;;";
const IDENT_NAME: &str = "polytile.ident";

/// Argument types of runtime functions.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    Ptr,
    I32,
    I64,
}

/// Result types of runtime functions.
#[derive(Clone, Copy)]
pub(crate) enum Result_ {
    None,
    I32,
    I64,
    Ptr,
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn i32(&self, v: u64) -> Int<'c> {
        self.ir.ctx.i32_type().const_int(v, false)
    }

    /// A runtime function: declared weak, so that the program links without the runtime.
    pub(crate) fn runtime(
        &mut self,
        name: &str,
        args: &[Arg],
        result: Result_,
        variadic: bool,
    ) -> Func<'c> {
        let ty = self.signature(args, result, variadic);
        self.ir.declare(name, ty, Linkage::ExternalWeak)
    }

    /// Whether a weak function is there.
    pub(crate) fn exists(&self, f: Func<'c>) -> Int<'c> {
        let address = f.as_global_value().as_pointer_value();
        let cmp = unsafe {
            llvm_sys::core::LLVMBuildICmp(
                self.ir.builder.as_mut_ptr(),
                llvm_sys::LLVMIntPredicate::LLVMIntNE,
                address.as_value_ref(),
                self.ir.null().as_value_ref(),
                c"".as_ptr(),
            )
        };
        unsafe { Int::new(cmp) }
    }

    pub(super) fn signature(
        &self,
        args: &[Arg],
        result: Result_,
        variadic: bool,
    ) -> FunctionType<'c> {
        let args: Vec<BasicMetadataTypeEnum<'c>> = args
            .iter()
            .map(|a| match a {
                Arg::Ptr => self.ir.ptr_type().into(),
                Arg::I32 => self.ir.ctx.i32_type().into(),
                Arg::I64 => self.ir.i64().into(),
            })
            .collect();
        match result {
            Result_::None => self.ir.ctx.void_type().fn_type(&args, variadic),
            Result_::I32 => self.ir.ctx.i32_type().fn_type(&args, variadic),
            Result_::I64 => self.ir.i64().fn_type(&args, variadic),
            Result_::Ptr => self
                .ir
                .ctx
                .ptr_type(Default::default())
                .fn_type(&args, variadic),
        }
    }

    /// The source position that the runtime is given: one constant per module.
    pub(crate) fn ident(&mut self) -> Ptr<'c> {
        if let Some(g) = self.ir.module().get_global(IDENT_NAME) {
            return g.as_pointer_value();
        }
        let ctx = &self.ir.ctx;
        let text = ctx.const_string(IDENT_SOURCE.as_bytes(), true);
        let source = self
            .ir
            .module()
            .add_global(text.get_type(), None, "polytile.source");
        source.set_initializer(&text);
        let word = |v| self.i32(v).into();
        let fields = [
            word(0),
            word(IDENT_KMPC),
            word(0),
            word(IDENT_SOURCE.len() as u64),
            source.as_pointer_value().into(),
        ];
        let value = ctx.const_struct(&fields, false);
        let ident = self
            .ir
            .module()
            .add_global(value.get_type(), None, IDENT_NAME);
        ident.set_initializer(&value);
        for g in [source, ident] {
            g.set_constant(true);
            g.set_linkage(Linkage::Private);
            g.set_unnamed_address(inkwell::values::UnnamedAddress::Global);
        }
        ident.set_alignment(SLOT as u32);
        ident.as_pointer_value()
    }
}
