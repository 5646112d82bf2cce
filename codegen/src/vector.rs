//! Vector values: the operations of a body on all lanes at once.
//!
//! An operation in vector form has the opcode and the flags of its instruction, so each lane computes what the scalar
//! program computes for that instance, rounding and contraction included. A scalar becomes a vector by one insert and
//! one shuffle right before its use; chains of inserts would be taken apart by LLVM's SLP vectorizer, and splats that are
//! computed early occupy registers that the accumulators need.

use crate::emit::Emitter;
use crate::ir::{Int, Ptr, Value};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::intrinsics::Intrinsic;
use inkwell::types::{AsTypeRef, BasicTypeEnum, VectorType};
use inkwell::values::{AsValueRef, CallSiteValue, VectorValue};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};
use polytile_analysis::region::{LANE_BY_LANE, OpCode};

/// The attribute of functions that names the widest vector whose type they need, in bits.
const LEGAL_WIDTH: &str = "min-legal-vector-width";

/// The widest registers, in bits; wider values are split everywhere.
const WIDEST: u32 = 512;

/// Bits of a number; 0 for anything else.
fn bits(element: BasicTypeEnum) -> u32 {
    let ty = element.as_type_ref();
    match unsafe { LLVMGetTypeKind(ty) } {
        LLVMTypeKind::LLVMIntegerTypeKind => unsafe { LLVMGetIntTypeWidth(ty) },
        LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
        LLVMTypeKind::LLVMFloatTypeKind => 32,
        LLVMTypeKind::LLVMDoubleTypeKind => 64,
        _ => 0,
    }
}

/// How an instruction is made for vectors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum VectorForm {
    /// Two operands of the result's type.
    Binary(LLVMOpcode),
    /// Negation of a float.
    Negate,
    /// A conversion.
    Cast(LLVMOpcode),
    /// Comparison of integers.
    CompareInt,
    /// Comparison of floats.
    CompareFloat,
    /// One of two values.
    Select,
    /// One of [`LANE_BY_LANE`].
    Intrinsic(&'static str),
}

/// The vector form of an operation that works lane by lane and cannot trap.
pub(crate) fn vector_form(op: &OpCode, inst: LLVMValueRef) -> Option<VectorForm> {
    use LLVMOpcode::*;
    // Of a choice by branches there may be no instruction.
    if *op == OpCode::Select {
        return Some(VectorForm::Select);
    }
    if let Some(name) = extremum(op) {
        return Some(VectorForm::Intrinsic(name));
    }
    if inst.is_null() || unsafe { LLVMIsAInstruction(inst).is_null() } {
        return None;
    }
    let opcode = unsafe { LLVMGetInstructionOpcode(inst) };
    match opcode {
        LLVMAdd | LLVMFAdd | LLVMSub | LLVMFSub | LLVMMul | LLVMFMul | LLVMFDiv | LLVMShl
        | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor => Some(VectorForm::Binary(opcode)),
        LLVMFNeg => Some(VectorForm::Negate),
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
        | LLVMFPTrunc | LLVMFPExt => Some(VectorForm::Cast(opcode)),
        LLVMICmp => Some(VectorForm::CompareInt),
        LLVMFCmp => Some(VectorForm::CompareFloat),
        LLVMSelect => Some(VectorForm::Select),
        LLVMCall => lane_by_lane(inst).map(VectorForm::Intrinsic),
        _ => None,
    }
}

/// The intrinsic of a minimum or a maximum of integers: the program may have a branch for it.
pub(crate) fn extremum(op: &OpCode) -> Option<&'static str> {
    match op {
        OpCode::SMin => Some("llvm.smin"),
        OpCode::SMax => Some("llvm.smax"),
        OpCode::UMin => Some("llvm.umin"),
        OpCode::UMax => Some("llvm.umax"),
        _ => None,
    }
}

/// The intrinsic that is called, if it is one of [`LANE_BY_LANE`].
pub(crate) fn lane_by_lane(call: LLVMValueRef) -> Option<&'static str> {
    let id = unsafe {
        let callee = LLVMGetCalledValue(call);
        if LLVMIsAFunction(callee).is_null() {
            0
        } else {
            LLVMGetIntrinsicID(callee)
        }
    };
    let known =
        |name: &&&str| unsafe { LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) } == id;
    if id == 0 {
        None
    } else {
        LANE_BY_LANE.iter().find(known).copied()
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// The vector type of so many lanes, which is legal in the function from now on.
    pub(crate) fn vector_type(&self, element: BasicTypeEnum<'c>, lanes: u32) -> VectorType<'c> {
        self.legalize(bits(element) * lanes);
        unsafe { VectorType::new(LLVMVectorType(element.as_type_ref(), lanes)) }
    }

    /// Keeps the back end from splitting vectors of this width in the function, which it does on CPUs for which it prefers
    /// narrower ones than they have; a register tile that was planned for whole registers would spill then.
    fn legalize(&self, width: u32) {
        let block = self.ir.builder.get_insert_block();
        let Some(f) = block.and_then(|b| b.get_parent()) else {
            return;
        };
        let before = f.get_string_attribute(AttributeLoc::Function, LEGAL_WIDTH);
        let legal = before.and_then(|a| a.get_string_value().to_str().ok()?.parse().ok());
        let width = width.min(WIDEST);
        if legal.unwrap_or(0) < width {
            let attribute = self
                .ir
                .ctx
                .create_string_attribute(LEGAL_WIDTH, &width.to_string());
            f.add_attribute(AttributeLoc::Function, attribute);
        }
    }

    /// The same value in all lanes; a vector stays what it is.
    pub(crate) fn splat(&self, v: Value<'c>, lanes: u32) -> Value<'c> {
        if v.is_vector_value() || lanes == 1 {
            return v;
        }
        let ty = self.vector_type(v.get_type(), lanes);
        let builder = &self.ir.builder;
        let first = builder
            .build_insert_element(ty.get_poison(), v, self.ir.int(0), "")
            .expect("builder misuse");
        let zeros = self
            .vector_type(self.ir.ctx.i32_type().into(), lanes)
            .const_zero();
        builder
            .build_shuffle_vector(first, ty.get_poison(), zeros, "")
            .expect("builder misuse")
            .into()
    }

    /// `0, 1, 2, ..` as 64-bit integers.
    pub(crate) fn lane_numbers(&self, lanes: u32) -> VectorValue<'c> {
        let numbers: Vec<Int<'c>> = (0..lanes).map(|l| self.ir.int(l.into())).collect();
        VectorType::const_vector(&numbers)
    }

    /// The operation of `origin` on vectors; scalars among the operands are splatted.
    pub(crate) fn vector_op(
        &mut self,
        (op, origin): (&OpCode, LLVMValueRef),
        args: &[Value<'c>],
        lanes: u32,
    ) -> Value<'c> {
        let form = vector_form(op, origin).expect("checked before emission");
        let args: Vec<LLVMValueRef> = args
            .iter()
            .map(|a| self.splat(*a, lanes).as_value_ref())
            .collect();
        self.locate(origin);
        let builder = self.ir.builder.as_mut_ptr();
        let name = c"".as_ptr();
        let made = unsafe {
            match form {
                VectorForm::Binary(op) => LLVMBuildBinOp(builder, op, args[0], args[1], name),
                VectorForm::Negate => LLVMBuildFNeg(builder, args[0], name),
                VectorForm::Cast(op) => LLVMBuildCast(
                    builder,
                    op,
                    args[0],
                    LLVMVectorType(LLVMTypeOf(origin), lanes),
                    name,
                ),
                VectorForm::CompareInt => LLVMBuildICmp(
                    builder,
                    LLVMGetICmpPredicate(origin),
                    args[0],
                    args[1],
                    name,
                ),
                VectorForm::CompareFloat => LLVMBuildFCmp(
                    builder,
                    LLVMGetFCmpPredicate(origin),
                    args[0],
                    args[1],
                    name,
                ),
                VectorForm::Select => LLVMBuildSelect(builder, args[0], args[1], args[2], name),
                VectorForm::Intrinsic(name) => {
                    let ty = Value::new(args[0]).get_type();
                    let args: Vec<_> = args.iter().map(|a| Value::new(*a).into()).collect();
                    self.ir.intrinsic(name, &[ty], &args).as_value_ref()
                }
            }
        };
        let has_instruction = match form {
            VectorForm::Select => is_select(origin),
            VectorForm::Intrinsic(_) => extremum(op).is_none(),
            _ => true,
        };
        if has_instruction {
            copy_flags(origin, made);
        }
        unsafe { Value::new(made) }
    }

    /// A vector load; with a mask, lanes outside of it touch no memory and have no meaning.
    pub(crate) fn vector_load(
        &self,
        ty: VectorType<'c>,
        p: Ptr<'c>,
        mask: Option<Value<'c>>,
        align: u32,
    ) -> Value<'c> {
        let Some(mask) = mask else {
            let value = self.ir.load(ty.into(), p);
            self.ir.align(crate::body::instruction(value), align);
            return value;
        };
        let types = [ty.into(), self.ir.ptr_type()];
        let call = self.masked(
            "llvm.masked.load",
            &types,
            &[p.into(), mask.into(), ty.const_zero().into()],
        );
        call.add_attribute(AttributeLoc::Param(0), self.align_attribute(align));
        unsafe { Value::new(call.as_value_ref()) }
    }

    /// A vector store; with a mask, lanes outside of it touch no memory.
    pub(crate) fn vector_store(
        &self,
        v: Value<'c>,
        p: Ptr<'c>,
        mask: Option<Value<'c>>,
        align: u32,
    ) -> LLVMValueRef {
        let Some(mask) = mask else {
            let store = self.ir.store(p, v);
            self.ir.align(store, align);
            return store.as_value_ref();
        };
        let types = [v.get_type(), self.ir.ptr_type()];
        let call = self.masked(
            "llvm.masked.store",
            &types,
            &[v.into(), p.into(), mask.into()],
        );
        call.add_attribute(AttributeLoc::Param(1), self.align_attribute(align));
        call.as_value_ref()
    }

    fn masked(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[inkwell::values::BasicMetadataValueEnum<'c>],
    ) -> CallSiteValue<'c> {
        let f = Intrinsic::find(name).and_then(|i| i.get_declaration(self.ir.module(), types));
        let f = f.expect("LLVM has masked loads and stores");
        self.ir
            .builder
            .build_call(f, args, "")
            .expect("builder misuse")
    }

    pub(crate) fn align_attribute(&self, bytes: u32) -> Attribute {
        self.ir
            .ctx
            .create_enum_attribute(Attribute::get_named_enum_kind_id("align"), bytes.into())
    }

    /// Whether any lane of a mask is set.
    pub(crate) fn any_lane(&self, mask: Value<'c>) -> Int<'c> {
        if !mask.is_vector_value() {
            return mask.into_int_value();
        }
        let bits = mask.into_vector_value().get_type().get_size();
        let word = self
            .ir
            .bitcast(mask, self.ir.int_type(bits).into())
            .into_int_value();
        self.ir.cmp(
            inkwell::IntPredicate::NE,
            word,
            word.get_type().const_zero(),
        )
    }
}

/// Whether a value is a select of the source.
pub(crate) fn is_select(origin: LLVMValueRef) -> bool {
    unsafe { !origin.is_null() && !LLVMIsASelectInst(origin).is_null() }
}

/// Flags that say what is known about an operation, or how freely it may be computed, hold for each lane.
fn copy_flags(from: LLVMValueRef, to: LLVMValueRef) {
    use LLVMOpcode::*;
    unsafe {
        if LLVMIsAInstruction(to).is_null() {
            return;
        }
        if LLVMCanValueUseFastMathFlags(from) != 0 && LLVMCanValueUseFastMathFlags(to) != 0 {
            LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
        }
        let opcode = LLVMGetInstructionOpcode(from);
        if LLVMGetInstructionOpcode(to) != opcode {
            return;
        }
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                LLVMSetNSW(to, LLVMGetNSW(from));
                LLVMSetNUW(to, LLVMGetNUW(from));
            }
            LLVMLShr | LLVMAShr => LLVMSetExact(to, LLVMGetExact(from)),
            LLVMOr => LLVMSetIsDisjoint(to, LLVMGetIsDisjoint(from)),
            LLVMZExt | LLVMUIToFP => LLVMSetNNeg(to, LLVMGetNNeg(from)),
            LLVMICmp => LLVMSetICmpSameSign(to, LLVMGetICmpSameSign(from)),
            LLVMTrunc => {
                LLVMSetNSW(to, LLVMGetNSW(from));
                LLVMSetNUW(to, LLVMGetNUW(from));
            }
            _ => {}
        }
    }
}
