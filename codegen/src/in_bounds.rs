//! Whether the program's own address of an access cannot wrap around zero on its way from the base.
//!
//! Whatever is reached from a base by steps of `getelementptr` belongs to the object that the base points to or near. If
//! the first step says `inbounds`, the base lies in that object, too, and so it does without any steps, and if it is a
//! variable. No object is larger than half of the addresses, so that one signed offset leads from the base to the access,
//! and the step that we emit for all of the program's own, base plus offset, does not wrap.
//! LLVM's vectorizer needs to know that of records and strides whose accesses leave gaps: where an address may wrap, it
//! loads element by element. Rows that a table points to are objects of their own, of which the program has loaded the pointer.

use llvm_sys::LLVMOpcode;
use llvm_sys::core::{
    LLVMCountIncoming, LLVMGetConstOpcode, LLVMGetIncomingValue, LLVMGetInstructionOpcode,
    LLVMGetOperand, LLVMIsAAllocaInst, LLVMIsAConstantExpr, LLVMIsAGlobalVariable,
    LLVMIsAInstruction, LLVMIsInBounds,
};
use llvm_sys::prelude::LLVMValueRef;

/// The longest way from an access to its base that is followed.
const MAX_STEPS: usize = 16;

/// A place on the way back to the base, and whether the step from there, if there was one, is in bounds.
type Place = (LLVMValueRef, bool);

/// Whether `inst`, a load or store, accesses the object that `base` points into.
pub(crate) fn in_bounds(inst: LLVMValueRef, base: LLVMValueRef) -> bool {
    let variable = is_variable(base);
    leads_back(inst, |(at, step)| (at == base).then_some(step || variable))
}

/// Whether `inst`, a load or store, accesses the object that a pointer which the program has loaded points into.
pub(crate) fn in_bounds_of_loaded(inst: LLVMValueRef) -> bool {
    leads_back(inst, |(at, step)| {
        (opcode(at) == Some(LLVMOpcode::LLVMLoad)).then_some(step)
    })
}

/// Whether all ways back from the address of a load or store end where `end` says yes before it says no.
fn leads_back(inst: LLVMValueRef, end: impl Fn(Place) -> Option<bool>) -> bool {
    let Some(address) = accessed(inst) else {
        return false;
    };
    let mut seen: Vec<Place> = vec![];
    let mut open = vec![(address, true)];
    while let Some(place) = open.pop() {
        if seen.contains(&place) {
            continue;
        }
        match end(place) {
            Some(true) => continue,
            Some(false) => return false,
            None => seen.push(place),
        }
        let Some(before) = before(place).filter(|_| seen.len() <= MAX_STEPS) else {
            return false;
        };
        open.extend(before);
    }
    true
}

fn accessed(inst: LLVMValueRef) -> Option<LLVMValueRef> {
    unsafe {
        match opcode(inst)? {
            LLVMOpcode::LLVMLoad => Some(LLVMGetOperand(inst, 0)),
            LLVMOpcode::LLVMStore => Some(LLVMGetOperand(inst, 1)),
            _ => None,
        }
    }
}

fn is_variable(base: LLVMValueRef) -> bool {
    unsafe { !LLVMIsAAllocaInst(base).is_null() || !LLVMIsAGlobalVariable(base).is_null() }
}

/// What comes before an address: one for a step, all incoming ones for a pointer that walks.
fn before((at, step): Place) -> Option<Vec<Place>> {
    unsafe {
        match opcode(at)? {
            LLVMOpcode::LLVMGetElementPtr => {
                Some(vec![(LLVMGetOperand(at, 0), LLVMIsInBounds(at) != 0)])
            }
            LLVMOpcode::LLVMPHI => {
                let incoming = (0..LLVMCountIncoming(at)).map(|n| LLVMGetIncomingValue(at, n));
                Some(incoming.map(|v| (v, step)).collect())
            }
            _ => None,
        }
    }
}

fn opcode(v: LLVMValueRef) -> Option<LLVMOpcode> {
    unsafe {
        if !LLVMIsAInstruction(v).is_null() {
            Some(LLVMGetInstructionOpcode(v))
        } else if !LLVMIsAConstantExpr(v).is_null() {
            Some(LLVMGetConstOpcode(v))
        } else {
            None
        }
    }
}
