//! Values that a region computes from what is known before it: [`first`] moves them in front of it.
//!
//! ```text
//! %n = ashr exact i64 (%end - %begin), 3         the length of a vector: opaque to scalar evolution, a parameter in front
//! %m = sext i32 %n to i64                        used behind the region too: a PHI would hide from later regions what it is
//! %l = mul i64 %m, %m                            the same: so many elements are %m rows of %m
//! %h = sdiv i32 %c, %m                          where %m may be 0, by 1 instead: nobody takes the quotient then
//! %z = fcmp oeq double %beta, 0.0                a condition of the nest, the same each time: a parameter of one bit
//! %p = getelementptr i8, ptr %f, i64 72          an address that only a later nest uses: no statement makes it
//! ```
//!
//! What is computed from cells that are only held (`held.rs`) goes back to the program's own loads: it is copied instead ([`copies`]).

use crate::analyses::Analyses;
use crate::ffi::{self, Kind};
use crate::llvm::{Block, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use llvm_sys::core::{
    LLVMBuildAnd, LLVMBuildFreeze, LLVMBuildICmp, LLVMBuildOr, LLVMBuildSelect, LLVMConstAllOnes,
    LLVMConstInt, LLVMConstNull, LLVMCreateBuilderInContext, LLVMDisposeBuilder,
    LLVMGEPSetNoWrapFlags, LLVMGetIntTypeWidth, LLVMGetTypeContext, LLVMGetTypeKind,
    LLVMInsertIntoBuilder, LLVMInstructionClone, LLVMInstructionRemoveFromParent,
    LLVMPositionBuilderBefore, LLVMSetExact, LLVMSetNSW, LLVMSetNUW, LLVMSetOperand,
};
use llvm_sys::prelude::LLVMBuilderRef;
use std::collections::{BTreeMap, BTreeSet};

/// Operations that one value may bring along.
const MAX_CHAIN: usize = 8;

/// Moves numbers and addresses that are used behind the region too, quotients and the like that scalar evolution takes as they are, and
/// comparisons of floating point numbers to the end of the block in front of it.
pub fn first(an: &Analyses, blocks: &[Block], preheader: Block) {
    let own: BTreeSet<Block> = blocks.iter().copied().collect();
    for inst in blocks.iter().flat_map(|b| b.instructions()) {
        let moves = match inst.opcode() {
            LLVMSExt | LLVMZExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMMul | LLVMShl
            | LLVMGetElementPtr => inst.users().iter().any(|u| !own.contains(&u.parent())),
            LLVMFCmp => true,
            LLVMAShr | LLVMSDiv | LLVMSRem => {
                let s = an.evolution(inst, None);
                s.is_some_and(|s| s.kind() == Kind::Unknown && s.unknown() == inst)
            }
            _ => false,
        };
        let mut chain = vec![];
        if moves && collect(inst, &own, &mut chain) {
            chain
                .into_iter()
                .for_each(|i| move_before(i, preheader.terminator()));
        }
    }
}

/// Copies quotients and the like, and comparisons, whose operands are known to the end of the block in front of a nest: the originals and their copies.
pub(super) fn copies(
    instructions: impl Iterator<Item = Value>,
    own: &BTreeSet<Block>,
    at: Value,
) -> Vec<(Value, Value)> {
    let is_opaque = |i: &Value| match i.opcode() {
        LLVMAShr | LLVMSDiv | LLVMSRem | LLVMFCmp => true,
        LLVMICmp => is_pointer(i.operand(0)),
        _ => false,
    };
    let mut made = BTreeMap::new();
    let mut found = vec![];
    for inst in instructions.filter(is_opaque) {
        let mut chain = vec![];
        if !collect(inst, own, &mut chain) {
            continue;
        }
        for i in chain {
            if !made.contains_key(&i) {
                let copy = copy_before(i, &made, at);
                made.insert(i, copy);
            }
        }
        found.push((inst, made[&inst]));
    }
    found
}

/// A copy of an operation that uses these copies of its operands.
fn copy_before(inst: Value, made: &BTreeMap<Value, Value>, at: Value) -> Value {
    let copy = Value(unsafe { LLVMInstructionClone(inst.0) });
    for (i, operand) in (0..).zip(inst.operands()) {
        if let Some(own) = made.get(&operand) {
            unsafe { LLVMSetOperand(copy.0, i, own.0) };
        }
    }
    insert_before(copy, at);
    copy
}

/// Adds an instruction after those of its operands that the region computes; false if one of them cannot be moved.
fn collect(v: Value, own: &BTreeSet<Block>, chain: &mut Vec<Value>) -> bool {
    if !v.is_instruction() || !own.contains(&v.parent()) || chain.contains(&v) {
        return true;
    }
    let speculatable = match v.opcode() {
        LLVMSExt | LLVMZExt | LLVMTrunc | LLVMPtrToInt | LLVMAdd | LLVMSub | LLVMMul | LLVMShl
        | LLVMAShr | LLVMFCmp | LLVMGetElementPtr => true,
        LLVMICmp => is_pointer(v.operand(0)),
        LLVMSDiv | LLVMSRem => unsafe { LLVMGetIntTypeWidth(v.raw_type()) <= 64 },
        _ => false,
    };
    if !speculatable || chain.len() == MAX_CHAIN {
        return false;
    }
    let movable = v.operands().into_iter().all(|o| collect(o, own, chain));
    chain.push(v);
    movable
}

fn is_pointer(v: Value) -> bool {
    unsafe { LLVMGetTypeKind(v.raw_type()) == LLVMPointerTypeKind }
}

/// Moves an operation to where it always runs.
fn move_before(inst: Value, at: Value) {
    unsafe { LLVMInstructionRemoveFromParent(inst.0) };
    insert_before(inst, at);
}

/// Puts an operation where it always runs; what it promised where it stood is forgotten.
fn insert_before(inst: Value, at: Value) {
    unsafe {
        match inst.opcode() {
            LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                LLVMSetNSW(inst.0, 0);
                LLVMSetNUW(inst.0, 0);
            }
            LLVMAShr | LLVMSDiv => LLVMSetExact(inst.0, 0),
            LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(inst.0, 0),
            LLVMFCmp => ffi::pt_clear_fast_math(inst.0),
            _ => {}
        }
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(inst.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        if matches!(inst.opcode(), LLVMSDiv | LLVMSRem) {
            make_safe(builder, inst);
        }
        LLVMInsertIntoBuilder(builder, inst.0);
        LLVMDisposeBuilder(builder);
    }
}

/// Lets a division divide by 1 where it would trap.
unsafe fn make_safe(builder: LLVMBuilderRef, division: Value) {
    if division.operand(1).int_constant().is_some_and(|c| c > 0) {
        return;
    }
    unsafe {
        let ty = division.raw_type();
        let name = c"".as_ptr();
        let [dividend, divisor] =
            [0, 1].map(|i| LLVMBuildFreeze(builder, division.operand(i).0, name));
        let is =
            |v, constant| LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntEQ, v, constant, name);
        let (all, one) = (LLVMConstAllOnes(ty), LLVMConstInt(ty, 1, 0));
        let least = LLVMConstInt(ty, 1 << (LLVMGetIntTypeWidth(ty) - 1), 0);
        let overflows = LLVMBuildAnd(builder, is(divisor, all), is(dividend, least), name);
        let traps = LLVMBuildOr(builder, is(divisor, LLVMConstNull(ty)), overflows, name);
        let divisor = LLVMBuildSelect(builder, traps, one, divisor, name);
        LLVMSetOperand(division.0, 0, dividend);
        LLVMSetOperand(division.0, 1, divisor);
    }
}
