//! A thin layer over inkwell's builder: the operations that emission uses, without names and without results to unwrap.
//!
//! Integers are 64 bits wide unless a function says otherwise. The builder folds constants; the few identities that it
//! leaves (`x + 0`, `x * 1`) are folded here, so that emitted addresses stay readable.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicType, BasicTypeEnum, IntType, StructType};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, BasicValueEnum, FloatValue, FunctionValue,
    InstructionValue, IntValue, PhiValue, PointerValue, ValueKind,
};
use inkwell::{AddressSpace, FloatPredicate, IntPredicate};
use llvm_sys::LLVMGEPFlagNUSW;
use llvm_sys::core::{LLVMGEPSetNoWrapFlags, LLVMIsAGetElementPtrInst};
use llvm_sys::prelude::LLVMModuleRef;
use std::mem::ManuallyDrop;

pub(crate) type Int<'c> = IntValue<'c>;
pub(crate) type Ptr<'c> = PointerValue<'c>;
pub(crate) type Value<'c> = BasicValueEnum<'c>;
pub(crate) type Block<'c> = BasicBlock<'c>;
pub(crate) type Func<'c> = FunctionValue<'c>;

/// An integer parameter of a function that was just declared.
pub(crate) fn int_param<'c>(function: Func<'c>, at: u32) -> Int<'c> {
    let value = function
        .get_nth_param(at)
        .expect("a parameter that was just declared");
    value.into_int_value()
}

/// The same of a pointer.
pub(crate) fn ptr_param<'c>(function: Func<'c>, at: u32) -> Ptr<'c> {
    let value = function
        .get_nth_param(at)
        .expect("a parameter that was just declared");
    value.into_pointer_value()
}

/// May a sum, difference or product be assumed not to wrap?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    /// Proven or checked before: signed overflow is impossible.
    Bounded,
    /// Modulo 2^width.
    Wrapping,
}

/// The builder of one module.
pub(crate) struct Ir<'c> {
    pub(crate) ctx: ContextRef<'c>,
    /// Borrowed from the host: must not be dropped.
    module: ManuallyDrop<Module<'c>>,
    pub(crate) builder: Builder<'c>,
}

/// The builder always has a position; anything else is a bug.
fn built<T>(result: Result<T, BuilderError>) -> T {
    result.expect("builder misuse")
}

impl<'c> Ir<'c> {
    /// # Safety
    /// `module` must be valid, and outlive the result.
    pub(crate) unsafe fn new(module: LLVMModuleRef) -> Ir<'c> {
        let module = ManuallyDrop::new(unsafe { Module::new(module) });
        // The context outlives the module; inkwell ties it to the borrow of `module`.
        let ctx = unsafe { ContextRef::new(module.get_context().raw()) };
        let builder =
            unsafe { Builder::new(llvm_sys::core::LLVMCreateBuilderInContext(ctx.raw())) };
        Ir {
            ctx,
            module,
            builder,
        }
    }

    pub(crate) fn module(&self) -> &Module<'c> {
        &self.module
    }

    // Positions and blocks.

    pub(crate) fn block(&self, function: Func<'c>, name: &str) -> Block<'c> {
        self.ctx.append_basic_block(function, name)
    }

    pub(crate) fn at_end(&self, block: Block<'c>) {
        self.builder.position_at_end(block);
    }

    /// Code goes in front of `inst`; the debug location stays (LLVM would take that of `inst`).
    pub(crate) fn before(&self, inst: InstructionValue<'c>) {
        unsafe {
            let builder = self.builder.as_mut_ptr();
            let position = llvm_sys::core::LLVMGetCurrentDebugLocation2(builder);
            self.builder.position_before(&inst);
            llvm_sys::core::LLVMSetCurrentDebugLocation2(builder, position);
        }
    }

    /// PHIs go to the beginning of a block, also in front of what debug information says there; the debug location stays.
    pub(crate) fn at_start(&self, block: Block<'c>) {
        let first = block.get_first_instruction().expect("blocks are closed");
        unsafe {
            let builder = self.builder.as_mut_ptr();
            let position = llvm_sys::core::LLVMGetCurrentDebugLocation2(builder);
            llvm_sys::core::LLVMPositionBuilderBeforeInstrAndDbgRecords(
                builder,
                first.as_value_ref(),
            );
            llvm_sys::core::LLVMSetCurrentDebugLocation2(builder, position);
        }
    }

    pub(crate) fn here(&self) -> Block<'c> {
        self.builder.get_insert_block().expect("builder misuse")
    }

    pub(crate) fn jump(&self, to: Block<'c>) -> InstructionValue<'c> {
        built(self.builder.build_unconditional_branch(to))
    }

    pub(crate) fn branch(
        &self,
        cond: Int<'c>,
        yes: Block<'c>,
        no: Block<'c>,
    ) -> InstructionValue<'c> {
        built(self.builder.build_conditional_branch(cond, yes, no))
    }

    pub(crate) fn ret(&self) {
        built(self.builder.build_return(None));
    }

    /// Returns a struct of a bit and some values; what is missing is poison.
    pub(crate) fn ret_struct(&self, ty: StructType<'c>, first: Int<'c>, rest: &[Value<'c>]) {
        let mut all: Value<'c> = ty.get_poison().into();
        let values = std::iter::once(first.into()).chain(rest.iter().copied());
        for (i, v) in (0..).zip(values) {
            let whole = all.into_struct_value();
            all = built(self.builder.build_insert_value(whole, v, i, "")).as_basic_value_enum();
        }
        built(self.builder.build_return(Some(&all)));
    }

    /// A field of a struct.
    pub(crate) fn part(&self, whole: Value<'c>, i: u32) -> Value<'c> {
        built(
            self.builder
                .build_extract_value(whole.into_struct_value(), i, ""),
        )
    }

    // Types and constants.

    pub(crate) fn i64(&self) -> IntType<'c> {
        self.ctx.i64_type()
    }

    pub(crate) fn int_type(&self, width: u32) -> IntType<'c> {
        let width = std::num::NonZeroU32::new(width).expect("an integer has bits");
        self.ctx
            .custom_width_int_type(width)
            .expect("width checked before emission")
    }

    pub(crate) fn ptr_type(&self) -> BasicTypeEnum<'c> {
        self.ctx.ptr_type(AddressSpace::default()).into()
    }

    pub(crate) fn int(&self, value: i64) -> Int<'c> {
        self.i64().const_int(value as u64, true)
    }

    pub(crate) fn bool(&self, value: bool) -> Int<'c> {
        self.ctx.bool_type().const_int(value.into(), false)
    }

    // Arithmetic, on operands of equal width.

    pub(crate) fn add(&self, a: Int<'c>, b: Int<'c>, arith: Arith) -> Int<'c> {
        match (constant(a), constant(b), arith) {
            (Some(0), _, _) => b,
            (_, Some(0), _) => a,
            (_, _, Arith::Bounded) => built(self.builder.build_int_nsw_add(a, b, "")),
            (_, _, Arith::Wrapping) => built(self.builder.build_int_add(a, b, "")),
        }
    }

    pub(crate) fn sub(&self, a: Int<'c>, b: Int<'c>, arith: Arith) -> Int<'c> {
        match (constant(b), arith) {
            (Some(0), _) => a,
            (_, Arith::Bounded) => built(self.builder.build_int_nsw_sub(a, b, "")),
            (_, Arith::Wrapping) => built(self.builder.build_int_sub(a, b, "")),
        }
    }

    pub(crate) fn mul(&self, a: Int<'c>, b: Int<'c>, arith: Arith) -> Int<'c> {
        match (constant(a), constant(b), arith) {
            (Some(1), _, _) | (_, Some(0), _) => b,
            (_, Some(1), _) | (Some(0), _, _) => a,
            (_, _, Arith::Bounded) => built(self.builder.build_int_nsw_mul(a, b, "")),
            (_, _, Arith::Wrapping) => built(self.builder.build_int_mul(a, b, "")),
        }
    }

    pub(crate) fn sdiv(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_int_signed_div(a, b, ""))
    }

    pub(crate) fn srem(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_int_signed_rem(a, b, ""))
    }

    pub(crate) fn udiv(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_int_unsigned_div(a, b, ""))
    }

    pub(crate) fn urem(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_int_unsigned_rem(a, b, ""))
    }

    pub(crate) fn ashr(&self, a: Int<'c>, bits: u64) -> Int<'c> {
        let by = a.get_type().const_int(bits, false);
        built(self.builder.build_right_shift(a, by, true, ""))
    }

    pub(crate) fn lshr(&self, a: Int<'c>, bits: u64) -> Int<'c> {
        let by = a.get_type().const_int(bits, false);
        built(self.builder.build_right_shift(a, by, false, ""))
    }

    pub(crate) fn and(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_and(a, b, ""))
    }

    pub(crate) fn or(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_or(a, b, ""))
    }

    pub(crate) fn cmp(&self, pred: IntPredicate, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        built(self.builder.build_int_compare(pred, a, b, ""))
    }

    /// Whether a number is a zero, of either sign.
    pub(crate) fn is_zero(&self, value: FloatValue<'c>) -> Int<'c> {
        self.with_zero(FloatPredicate::OEQ, value)
    }

    /// Whether a number is less than zero.
    pub(crate) fn is_below_zero(&self, value: FloatValue<'c>) -> Int<'c> {
        self.with_zero(FloatPredicate::OLT, value)
    }

    fn with_zero(&self, pred: FloatPredicate, value: FloatValue<'c>) -> Int<'c> {
        let zero = value.get_type().const_zero();
        built(self.builder.build_float_compare(pred, value, zero, ""))
    }

    pub(crate) fn select<V: BasicValue<'c>>(&self, cond: Int<'c>, yes: V, no: V) -> Value<'c> {
        built(self.builder.build_select(cond, yes, no, ""))
    }

    /// One of the intrinsics `llvm.{s,u}{min,max}`.
    pub(crate) fn minmax(&self, name: &str, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        if a == b {
            return a;
        }
        self.intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])
            .into_int_value()
    }

    /// Both, `b` not evaluated for poison where `a` is false.
    pub(crate) fn logical_and(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        match (constant(a), constant(b)) {
            (Some(0), _) => a,
            (Some(_), _) => b,
            (_, Some(b)) if b != 0 => a,
            _ => self.select(a, b, self.bool(false)).into_int_value(),
        }
    }

    /// One, `b` not evaluated for poison where `a` is true.
    pub(crate) fn logical_or(&self, a: Int<'c>, b: Int<'c>) -> Int<'c> {
        match (constant(a), constant(b)) {
            (Some(0), _) => b,
            (Some(_), _) => a,
            (_, Some(0)) => a,
            _ => self.select(a, self.bool(true), b).into_int_value(),
        }
    }

    /// The result of one of the intrinsics `llvm.*.with.overflow`, and whether it is out of range.
    pub(crate) fn with_overflow(&self, name: &str, a: Int<'c>, b: Int<'c>) -> (Int<'c>, Int<'c>) {
        let types = [a.get_type().into()];
        let pair = self.intrinsic(name, &types, &[a.into(), b.into()]);
        let part = |i| {
            built(
                self.builder
                    .build_extract_value(pair.into_struct_value(), i, ""),
            )
        };
        (part(0).into_int_value(), part(1).into_int_value())
    }

    // Casts.

    pub(crate) fn zext(&self, a: Int<'c>, width: u32) -> Int<'c> {
        if a.get_type().get_bit_width() == width {
            return a;
        }
        built(self.builder.build_int_z_extend(a, self.int_type(width), ""))
    }

    pub(crate) fn sext(&self, a: Int<'c>, width: u32) -> Int<'c> {
        if a.get_type().get_bit_width() == width {
            return a;
        }
        built(self.builder.build_int_s_extend(a, self.int_type(width), ""))
    }

    pub(crate) fn trunc(&self, a: Int<'c>, width: u32) -> Int<'c> {
        if a.get_type().get_bit_width() == width {
            return a;
        }
        built(self.builder.build_int_truncate(a, self.int_type(width), ""))
    }

    pub(crate) fn int_to_ptr(&self, a: Int<'c>) -> Ptr<'c> {
        let ty = self.ctx.ptr_type(AddressSpace::default());
        built(self.builder.build_int_to_ptr(a, ty, ""))
    }

    pub(crate) fn ptr_to_int(&self, p: Ptr<'c>) -> Int<'c> {
        built(self.builder.build_ptr_to_int(p, self.i64(), ""))
    }

    pub(crate) fn bitcast(&self, v: Value<'c>, ty: BasicTypeEnum<'c>) -> Value<'c> {
        built(self.builder.build_bit_cast(v, ty, ""))
    }

    pub(crate) fn freeze(&self, v: Value<'c>) -> Value<'c> {
        let frozen = unsafe {
            llvm_sys::core::LLVMBuildFreeze(
                self.builder.as_mut_ptr(),
                v.as_value_ref(),
                c"".as_ptr(),
            )
        };
        unsafe { Value::new(frozen) }
    }

    /// The same number, of which LLVM does not know where it comes from.
    pub(crate) fn hidden(&self, number: Int<'c>) -> Int<'c> {
        let ty = self.i64().fn_type(&[self.i64().into()], false);
        let (text, operands) = (String::new(), "=r,0".to_owned());
        let same = self
            .ctx
            .create_inline_asm(ty, text, operands, false, false, None, false);
        let call = built(
            self.builder
                .build_indirect_call(ty, same, &[number.into()], ""),
        );
        let value = call.try_as_basic_value().expect_basic("returns i64");
        value.into_int_value()
    }

    // Memory.

    /// `p + offset` bytes.
    pub(crate) fn offset(&self, p: Ptr<'c>, offset: Int<'c>) -> Ptr<'c> {
        if constant(offset) == Some(0) {
            return p;
        }
        built(unsafe { self.builder.build_gep(self.ctx.i8_type(), p, &[offset], "") })
    }

    /// The same where the way from `p` to the place does not wrap around zero.
    pub(crate) fn offset_without_wrap(&self, p: Ptr<'c>, offset: Int<'c>) -> Ptr<'c> {
        let place = self.offset(p, offset);
        let step = place.as_value_ref();
        unsafe {
            // The builder makes constants of constants.
            if place != p && !LLVMIsAGetElementPtrInst(step).is_null() {
                LLVMGEPSetNoWrapFlags(step, LLVMGEPFlagNUSW);
            }
        }
        place
    }

    pub(crate) fn load(&self, ty: BasicTypeEnum<'c>, p: Ptr<'c>) -> Value<'c> {
        built(self.builder.build_load(ty, p, ""))
    }

    pub(crate) fn store(&self, p: Ptr<'c>, v: impl BasicValue<'c>) -> InstructionValue<'c> {
        built(self.builder.build_store(p, v))
    }

    pub(crate) fn align(&self, inst: InstructionValue<'c>, bytes: u32) {
        unsafe { llvm_sys::core::LLVMSetAlignment(inst.as_value_ref(), bytes) };
    }

    /// A stack slot in the entry block of `function`, so that it exists once however often the code runs.
    pub(crate) fn alloca(&self, function: Func<'c>, ty: impl BasicType<'c>, name: &str) -> Ptr<'c> {
        let entry = function
            .get_first_basic_block()
            .expect("a function with a body");
        let saved = self.here();
        match entry.get_first_instruction() {
            Some(first) => self.before(first),
            None => self.at_end(entry),
        }
        let slot = built(self.builder.build_alloca(ty, name));
        self.at_end(saved);
        slot
    }

    // Calls.

    pub(crate) fn call(
        &self,
        f: Func<'c>,
        args: &[BasicMetadataValueEnum<'c>],
    ) -> Option<Value<'c>> {
        match built(self.builder.build_call(f, args, "")).try_as_basic_value() {
            ValueKind::Basic(v) => Some(v),
            ValueKind::Instruction(_) => None,
        }
    }

    /// Calls a function of ours, in its convention, from a place that rarely runs or does not mind.
    pub(crate) fn cold_call(&self, f: Func<'c>, args: &[BasicMetadataValueEnum<'c>]) -> Value<'c> {
        let call = built(self.builder.build_call(f, args, ""));
        call.set_call_convention(f.get_call_conventions());
        call.add_attribute(AttributeLoc::Function, self.attribute("cold"));
        match call.try_as_basic_value() {
            ValueKind::Basic(v) => v,
            ValueKind::Instruction(_) => unreachable!("it has a result"),
        }
    }

    /// Calls an intrinsic that has a result; `types` are the types that its name is overloaded by.
    pub(crate) fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[BasicMetadataValueEnum<'c>],
    ) -> Value<'c> {
        let f = Intrinsic::find(name)
            .and_then(|i| i.get_declaration(&self.module, types))
            .unwrap_or_else(|| panic!("LLVM has no intrinsic {name}"));
        self.call(f, args).expect("an intrinsic with a result")
    }

    pub(crate) fn phi(&self, ty: impl BasicType<'c>, name: &str) -> PhiValue<'c> {
        built(self.builder.build_phi(ty, name))
    }

    /// A PHI for each of these values, of its type, and what it holds.
    pub(crate) fn phis(
        &self,
        like: &[Value<'c>],
        name: &str,
    ) -> (Vec<PhiValue<'c>>, Vec<Value<'c>>) {
        let phis: Vec<PhiValue<'c>> = (like.iter())
            .map(|v| self.phi(v.get_type(), name))
            .collect();
        let values = phis.iter().map(|p| p.as_basic_value()).collect();
        (phis, values)
    }

    /// A function of this name: the module's own, or a new declaration with this linkage.
    pub(crate) fn declare(
        &self,
        name: &str,
        ty: inkwell::types::FunctionType<'c>,
        linkage: Linkage,
    ) -> Func<'c> {
        self.module
            .get_function(name)
            .unwrap_or_else(|| self.module.add_function(name, ty, Some(linkage)))
    }

    /// An attribute without a value, by its name in LLVM's text form.
    pub(crate) fn attribute(&self, name: &str) -> Attribute {
        self.ctx
            .create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0)
    }
}

/// The value of an integer constant of at most 64 bits.
pub(crate) fn constant(v: Int<'_>) -> Option<i64> {
    v.get_sign_extended_constant()
}

/// Gives PHIs their values from two blocks.
pub(crate) fn feed<'c>(phis: &[PhiValue<'c>], from: [(&[Value<'c>], BasicBlock<'c>); 2]) {
    let [(first, before), (second, latch)] = from;
    for ((phi, a), b) in phis.iter().zip(first).zip(second) {
        phi.add_incoming(&[(a, before), (b, latch)]);
    }
}
