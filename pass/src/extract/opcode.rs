//! The algebra of an instruction.

use crate::llvm::Value;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::{
    LLVMCanValueUseFastMathFlags, LLVMGetFCmpPredicate, LLVMGetFastMathFlags, LLVMGetICmpPredicate,
};
use llvm_sys::{LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMIntPredicate};
use polytile_analysis::region::{CmpPred, FCmpPred, FastMath, OpCode};

/// The algebra of a pure instruction.
pub fn opcode(inst: Value) -> OpCode {
    match inst.opcode() {
        LLVMFAdd => OpCode::FAdd(fast_math(inst)),
        LLVMFSub => OpCode::FSub(fast_math(inst)),
        LLVMFMul => OpCode::FMul(fast_math(inst)),
        LLVMFDiv => OpCode::FDiv(fast_math(inst)),
        LLVMFRem => OpCode::FRem,
        LLVMFNeg => OpCode::FNeg,
        LLVMAdd => OpCode::Add,
        LLVMSub => OpCode::Sub,
        LLVMMul => OpCode::Mul,
        LLVMUDiv => OpCode::UDiv,
        LLVMSDiv => OpCode::SDiv,
        LLVMURem => OpCode::URem,
        LLVMSRem => OpCode::SRem,
        LLVMShl => OpCode::Shl,
        LLVMLShr => OpCode::LShr,
        LLVMAShr => OpCode::AShr,
        LLVMAnd => OpCode::And,
        LLVMOr => OpCode::Or,
        LLVMXor => OpCode::Xor,
        LLVMICmp => OpCode::ICmp(int_predicate(inst)),
        LLVMFCmp => OpCode::FCmp(FCmpPred(unsafe { LLVMGetFCmpPredicate(inst.0) } as u8)),
        LLVMSelect => OpCode::Select,
        LLVMFreeze => OpCode::Freeze,
        LLVMCall if inst.is_ragged() => OpCode::Ragged {
            abreast: inst.runs_abreast(),
        },
        LLVMCall => call(inst),
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
        | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast
        | LLVMAddrSpaceCast => OpCode::Cast,
        _ => OpCode::Other(inst.mnemonic()),
    }
}

fn call(inst: Value) -> OpCode {
    let (name, intrinsic) = inst.callee();
    if !intrinsic {
        return OpCode::Call(name);
    }
    match name.as_str() {
        "llvm.fmuladd" => OpCode::FMulAdd(fast_math(inst)),
        "llvm.fma" => OpCode::Fma,
        "llvm.sqrt" => OpCode::Sqrt,
        "llvm.smin" => OpCode::SMin,
        "llvm.smax" => OpCode::SMax,
        "llvm.umin" => OpCode::UMin,
        "llvm.umax" => OpCode::UMax,
        _ => OpCode::Call(name),
    }
}

fn fast_math(inst: Value) -> FastMath {
    let flags = unsafe {
        match LLVMCanValueUseFastMathFlags(inst.0) {
            0 => 0,
            _ => LLVMGetFastMathFlags(inst.0),
        }
    };
    FastMath {
        reassoc: flags & LLVMFastMathAllowReassoc != 0,
        contract: flags & LLVMFastMathAllowContract != 0,
    }
}

/// The predicate of an integer comparison as it is written.
pub fn int_predicate(inst: Value) -> CmpPred {
    predicate(unsafe { LLVMGetICmpPredicate(inst.0) } as u32)
}

/// The predicate by LLVM's number.
pub fn predicate(number: u32) -> CmpPred {
    use LLVMIntPredicate::*;
    match number {
        n if n == LLVMIntEQ as u32 => CmpPred::Eq,
        n if n == LLVMIntNE as u32 => CmpPred::Ne,
        n if n == LLVMIntUGT as u32 => CmpPred::Ugt,
        n if n == LLVMIntUGE as u32 => CmpPred::Uge,
        n if n == LLVMIntULT as u32 => CmpPred::Ult,
        n if n == LLVMIntULE as u32 => CmpPred::Ule,
        n if n == LLVMIntSGT as u32 => CmpPred::Sgt,
        n if n == LLVMIntSGE as u32 => CmpPred::Sge,
        n if n == LLVMIntSLT as u32 => CmpPred::Slt,
        n if n == LLVMIntSLE as u32 => CmpPred::Sle,
        n => unreachable!("LLVM has no integer predicate {n}"),
    }
}

/// The same comparison of signed numbers.
pub fn signed(p: CmpPred) -> CmpPred {
    match p {
        CmpPred::Ult => CmpPred::Slt,
        CmpPred::Ule => CmpPred::Sle,
        CmpPred::Ugt => CmpPred::Sgt,
        CmpPred::Uge => CmpPred::Sge,
        other => other,
    }
}
