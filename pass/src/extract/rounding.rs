//! Sums of products that the back end may round once or twice.
//!
//! C and C++ say where a product and a sum are one operation (`llvm.fmuladd`). Fortran's front end, and C with
//! `-ffp-contract=fast`, leave it to instruction selection: with `contract` on both, a sum takes up a product of its own block
//! that has no other use. Code that moves instructions to other blocks, or clones them, would change that choice and with it the
//! bits, so it is made here, before anything moves:
//!
//! ```text
//! %p = fmul contract double %a, %b
//! %s = fadd contract double %c, %p     ->     %s = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
//! ```
//!
//! A sum without a product loses the flag: generated code may bring one to it. Of two products the first is taken; but where such
//! sums share a factor, as real and imaginary parts do, vectors of both may form before selection, and nobody can tell: the
//! region is refused. So it is where a sum's product has other uses or another block, since copies of it would be taken up.
//! Where `reassoc` is allowed, rounding is not part of the meaning.

use super::refusal::{Blame, Refusal};
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::{
    LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMOpcode, prelude::LLVMBuilderRef,
};
use std::collections::BTreeSet;

/// Makes the choice for all sums of a region.
///
/// # Errors
/// A region in which the choice cannot be foreseen; nothing was changed.
pub fn fix(blocks: &[Block]) -> Result<(), Refusal> {
    let mut sums = vec![];
    for b in blocks {
        let mut factors = BTreeSet::new();
        for sum in b.instructions().into_iter().filter(|i| is_sum(*i)) {
            let is_product = |i: &u32| is_open(sum.operand(*i), &[LLVMFMul]);
            let products: Vec<u32> = (0..2).filter(is_product).collect();
            if !products.iter().all(|i| joins(sum, sum.operand(*i))) {
                return Err(unforeseen(sum));
            }
            if products.len() == 2 {
                let own = products.iter().flat_map(|i| sum.operand(*i).operands());
                let own: BTreeSet<Value> = own.collect();
                if own.iter().any(|f| factors.contains(f)) {
                    return Err(unforeseen(sum));
                }
                factors.extend(own);
            }
            sums.push((sum, products.first().copied()));
        }
    }
    for (sum, product) in sums {
        match product {
            Some(i) => unsafe { fuse(sum, i) },
            None => unsafe {
                let flags = LLVMGetFastMathFlags(sum.0) & !LLVMFastMathAllowContract;
                LLVMSetFastMathFlags(sum.0, flags);
            },
        }
    }
    Ok(())
}

/// Whether an operation leaves its rounding to the compiler.
fn is_open(v: Value, opcodes: &[LLVMOpcode]) -> bool {
    v.is_instruction() && opcodes.contains(&v.opcode()) && {
        let flags = unsafe { LLVMGetFastMathFlags(v.0) };
        flags & LLVMFastMathAllowContract != 0 && flags & LLVMFastMathAllowReassoc == 0
    }
}

fn is_sum(v: Value) -> bool {
    is_open(v, &[LLVMFAdd, LLVMFSub]) && !v.users().is_empty()
}

/// Whether a sum takes up a product.
fn joins(sum: Value, product: Value) -> bool {
    product.parent() == sum.parent() && product.users().len() == 1
}

fn unforeseen(sum: Value) -> Refusal {
    Refusal {
        blame: Blame::Upto(sum),
        reason: "the compiler may round a sum of products in two ways".into(),
        at: Some(sum),
    }
}

/// One operation of a sum and the product that is its operand `i`.
unsafe fn fuse(sum: Value, i: u32) {
    let (product, other) = (sum.operand(i), sum.operand(1 - i));
    let (a, b) = (product.operand(0), product.operand(1));
    unsafe {
        let builder: LLVMBuilderRef =
            LLVMCreateBuilderInContext(LLVMGetTypeContext(sum.raw_type()));
        LLVMPositionBuilderBefore(builder, sum.0);
        let minus = |v: Value| LLVMBuildFNeg(builder, v.0, c"".as_ptr());
        let (a, other) = match (sum.opcode(), i) {
            (LLVMFSub, 0) => (a.0, minus(other)),
            (LLVMFSub, _) => (minus(a), other.0),
            _ => (a.0, other.0),
        };
        let name = "llvm.fmuladd";
        let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
        let module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(sum.0)));
        let mut ty = sum.raw_type();
        let callee = LLVMGetIntrinsicDeclaration(module, id, &mut ty, 1);
        let mut arguments = [a, b.0, other];
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
    }
}
