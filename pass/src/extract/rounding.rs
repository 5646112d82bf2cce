//! Sums of products that the back end may round once or twice.
//!
//! C and C++ say where a product and a sum are one operation (`llvm.fmuladd`). Fortran's front end, and C with
//! `-ffp-contract=fast`, leave it to instruction selection: with `contract` on both, a sum takes up a product of its own block
//! that has no other use. Code that moves instructions to other blocks, or clones them, would change that choice and with it the
//! bits, so the generated code gets the choice that the original's code will get, spelled out:
//!
//! ```text
//! %p = fmul contract double %a, %b
//! %s = fadd contract double %c, %p     ->     %s = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
//!                                      or     %s = fadd double %c, %p
//! ```
//!
//! Which of them it is, the passes behind this one decide: the SLP vectorizer may pack the product with its neighbours, and a sum may get a
//! product that was stored and loaded again where it is looked at here. The shim looks
//! ahead (`contraction.cpp`); where it cannot tell, or two copies of a sum differ, the region is refused. The choice is made while
//! the region is extracted and emitted; then the original gets its own operations back ([`Pins::restore`]).
//!
//! A call of the library that the compiler may compute in advance is rounded in two ways, too: its region is refused.
//!
//! Calls of the library that are operations in the region at hand become such for as long ([`Pins::operate`]).
//!
//! Where the back end fuses without being allowed to by flags (`-ffp-contract=fast`), a sum and a product cannot be kept apart: a
//! region that has both is refused. Where `reassoc` is allowed, rounding is not part of the meaning.

use super::opcode::opcode;
use super::refusal::{Blame, Refusal};
use crate::analyses::{Analyses, Contraction};
use crate::ffi;
use crate::llvm::{Block, Value};
use crate::reason::{Kind, Reason};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::{LLVMFastMathAllowContract, LLVMFastMathAllowReassoc};

/// What was changed in the working copy for the time of a try.
#[derive(Default)]
pub struct Pins {
    /// Sums that lost the flag.
    closed: Vec<Value>,
    /// Sums, and what took their place.
    fused: Vec<(Value, Value)>,
    /// Negations made for them.
    negated: Vec<Value>,
    /// Calls that became operations, and what they called.
    operations: Vec<(Value, LLVMValueRef)>,
}

impl Pins {
    /// Gives the program its own operations back.
    pub fn restore(&self) {
        unsafe {
            for (sum, fused) in self.fused.iter().rev() {
                LLVMReplaceAllUsesWith(fused.0, sum.0);
                LLVMInstructionEraseFromParent(fused.0);
            }
            for v in &self.negated {
                LLVMInstructionEraseFromParent(v.0);
            }
            for v in &self.closed {
                ffi::pt_allow_contract(v.0, true);
            }
            for (call, callee) in &self.operations {
                ffi::pt_set_callee(call.0, *callee);
            }
        }
    }

    /// A refusal in terms of the program's own operations.
    pub fn unpinned(&self, refusal: Refusal) -> Refusal {
        let own = |v: Value| {
            let replaced = self.fused.iter().find(|(_, fused)| *fused == v);
            replaced.map_or(v, |(sum, _)| *sum)
        };
        let blame = match refusal.blame {
            Blame::Upto(v) => Blame::Upto(own(v)),
            other => other,
        };
        Refusal {
            blame,
            at: refusal.at.map(own),
            ..refusal
        }
    }
}

/// Makes the choice for all sums of a region.
///
/// # Errors
/// A region in which the choice cannot be foreseen; nothing was changed.
pub fn fix(an: &Analyses, blocks: &[Block]) -> Result<Pins, Refusal> {
    let open = Open {
        all: an.fuses_all(),
    };
    let arithmetic = blocks.iter().flat_map(|b| b.instructions());
    let arithmetic: Vec<Value> = arithmetic.filter(|i| open.is(*i)).collect();
    let sums = arithmetic.iter().copied();
    let sums = sums.filter(|v| v.opcode() != LLVMFMul && !v.users().is_empty());
    let mut chosen = vec![];
    for sum in sums {
        chosen.push((sum, open.taken(an, sum)?));
    }
    if open.all {
        kept_apart(blocks, &arithmetic, &chosen)?;
    }
    let all = || blocks.iter().flat_map(|b| b.instructions());
    let calls = || all().filter(|i| i.opcode() == LLVMCall);
    let folds = |c: &Value| opcode(*c).is_function() && an.may_be_folded(*c);
    if let Some(call) = calls().find(folds) {
        return Err(folded(call));
    }
    let mut pins = Pins::default();
    for (sum, taken) in chosen {
        match taken {
            Some(i) => unsafe { pins.fuse(sum, i) },
            None => unsafe { pins.close(sum) },
        }
    }
    for call in calls() {
        unsafe { pins.operate(call) };
    }
    Ok(pins)
}

/// Which operations leave their rounding to the compiler.
struct Open {
    /// All of them, whatever their flags say.
    all: bool,
}

impl Open {
    fn is(&self, v: Value) -> bool {
        v.is_instruction() && matches!(v.opcode(), LLVMFMul | LLVMFAdd | LLVMFSub) && {
            let flags = unsafe { LLVMGetFastMathFlags(v.0) };
            let contract = self.all || flags & LLVMFastMathAllowContract != 0;
            contract && flags & LLVMFastMathAllowReassoc == 0
        }
    }

    fn is_product(&self, v: Value) -> bool {
        self.is(v) && v.opcode() == LLVMFMul
    }

    /// The operand of a sum that it takes up.
    fn taken(&self, an: &Analyses, sum: Value) -> Result<Option<u32>, Refusal> {
        let taken = match an.contraction(sum) {
            Contraction::Apart => return Ok(None),
            Contraction::First => 0,
            Contraction::Second => 1,
            Contraction::Unforeseen => return Err(unforeseen(sum)),
        };
        match self.is_product(sum.operand(taken)) {
            true => Ok(Some(taken)),
            false => Err(unforeseen(sum)),
        }
    }
}

/// Generated code may bring a product to a sum that takes up nothing: directly, or where one stores it and the other reads it.
fn kept_apart(
    blocks: &[Block],
    arithmetic: &[Value],
    sums: &[(Value, Option<u32>)],
) -> Result<(), Refusal> {
    let Some((plain, _)) = sums.iter().find(|(_, taken)| taken.is_none()) else {
        return Ok(());
    };
    let consumes = |user: &Value| {
        let fused = sums.iter().any(|(s, taken)| s == user && taken.is_some());
        let other = matches!(user.opcode(), LLVMFMul | LLVMFDiv | LLVMFCmp | LLVMCall);
        fused || (other && blocks.contains(&user.parent()))
    };
    let mut products = arithmetic.iter().filter(|v| v.opcode() == LLVMFMul);
    match products.all(|p| p.users().iter().all(consumes)) {
        true => Ok(()),
        false => Err(unforeseen(*plain)),
    }
}

fn unforeseen(sum: Value) -> Refusal {
    Refusal {
        blame: Blame::Upto(sum),
        reason: Reason::new(
            Kind::Rounding,
            "the compiler may round a sum of products in two ways",
        ),
        at: Some(sum),
    }
}

/// See `folded.cpp`.
fn folded(call: Value) -> Refusal {
    let words = format!(
        "the compiler may compute calls of '{}' in advance, and round them otherwise",
        call.callee().0
    );
    Refusal {
        blame: Blame::Upto(call),
        reason: Reason::new(Kind::Folding, words),
        at: Some(call),
    }
}

impl Pins {
    /// A square root of what is not below zero leaves `errno` alone: it has lanes.
    unsafe fn operate(&mut self, call: Value) {
        unsafe {
            let operation = ffi::pt_operation(call.0);
            if !operation.is_null() {
                self.operations.push((call, LLVMGetCalledValue(call.0)));
                ffi::pt_set_callee(call.0, operation);
            }
        }
    }

    /// A sum that takes up nothing.
    unsafe fn close(&mut self, sum: Value) {
        unsafe {
            if LLVMGetFastMathFlags(sum.0) & LLVMFastMathAllowContract != 0 {
                self.closed.push(sum);
                ffi::pt_allow_contract(sum.0, false);
            }
        }
    }

    /// One operation of a sum and the product that is its operand `i`.
    unsafe fn fuse(&mut self, sum: Value, i: u32) {
        let (product, other) = (sum.operand(i), sum.operand(1 - i));
        let (a, b) = (product.operand(0), product.operand(1));
        unsafe {
            let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(sum.raw_type()));
            LLVMPositionBuilderBefore(builder, sum.0);
            let mut minus = |v: Value| {
                let made = Value(LLVMBuildFNeg(builder, v.0, c"".as_ptr()));
                if made.is_instruction() {
                    self.negated.push(made);
                }
                made
            };
            let (a, other) = match (sum.opcode(), i) {
                (LLVMFSub, 0) => (a, minus(other)),
                (LLVMFSub, _) => (minus(a), other),
                _ => (a, other),
            };
            let name = "llvm.fmuladd";
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let function = LLVMGetBasicBlockParent(sum.parent().0);
            let mut ty = sum.raw_type();
            let callee = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(function), id, &mut ty, 1);
            let mut arguments = [a.0, b.0, other.0];
            let fused = LLVMBuildCall2(
                builder,
                LLVMGlobalGetValueType(callee),
                callee,
                arguments.as_mut_ptr(),
                3,
                c"".as_ptr(),
            );
            LLVMDisposeBuilder(builder);
            // What nobody uses stays: other regions may begin there.
            LLVMReplaceAllUsesWith(sum.0, fused);
            self.fused.push((sum, Value(fused)));
        }
    }
}
