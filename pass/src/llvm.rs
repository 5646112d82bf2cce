//! Handles of LLVM's values, blocks and loops: plain pointers with a face.
//!
//! A handle is valid as long as nothing deletes what it names. The pass deletes only whole working copies, after the
//! last use of their handles; that is why the methods here are safe to call. Handles compare by identity; their order
//! has no meaning, so results never depend on it.

use crate::ffi::{self, Effect, Text};
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMMetadataRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMOpcode, LLVMTypeKind};
use polytile_analysis::region::{Loc, Ty};
use std::ffi::c_void;

/// A value: argument, constant, instruction or function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub LLVMValueRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);

/// LLVM's index of a function's own attributes.
const FUNCTION_INDEX: u32 = u32::MAX;

fn list<T>(
    first: impl FnOnce() -> *mut T,
    next: impl Fn(*mut T) -> *mut T,
) -> impl Iterator<Item = *mut T> {
    let first = first();
    std::iter::successors((!first.is_null()).then_some(first), move |&at| {
        let at = next(at);
        (!at.is_null()).then_some(at)
    })
}

impl Value {
    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        let mut size = 0;
        let text = unsafe { LLVMGetValueName2(self.0, &mut size) };
        let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), size) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Renames it.
    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// The blocks of a function.
    pub fn blocks(self) -> Vec<Block> {
        unsafe {
            list(
                || LLVMGetFirstBasicBlock(self.0),
                |b| LLVMGetNextBasicBlock(b),
            )
        }
        .map(Block)
        .collect()
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        !unsafe { LLVMIsAInstruction(self.0) }.is_null()
    }

    /// Whether it is a PHI.
    pub fn is_phi(self) -> bool {
        !unsafe { LLVMIsAPHINode(self.0) }.is_null()
    }

    /// Whether it is a constant.
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is a global variable or function.
    pub fn is_global(self) -> bool {
        !unsafe { LLVMIsAGlobalValue(self.0) }.is_null()
    }

    /// Whether it is a call that stands for an inner loop whose bounds depend on data.
    pub fn is_ragged(self) -> bool {
        unsafe { ffi::pt_is_ragged(self.0) }
    }

    /// Whether such a call may stand for several iterations of the loop around it.
    pub fn runs_abreast(self) -> bool {
        unsafe { ffi::pt_runs_abreast(self.0) }
    }

    /// Whether an instruction begins or ends a block of memory of one iteration.
    pub fn is_of_block(self) -> bool {
        unsafe { ffi::pt_is_of_block(self.0) }
    }

    /// Whether it is the pointer to nothing.
    pub fn is_null(self) -> bool {
        unsafe { llvm_sys::core::LLVMIsNull(self.0) != 0 }
    }

    /// The block of an instruction.
    pub fn parent(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    /// The operation of an instruction.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    /// The operands of an instruction; of a call, its arguments.
    pub fn operands(self) -> Vec<Value> {
        unsafe {
            let n = match LLVMIsACallInst(self.0).is_null() {
                true => u32::try_from(LLVMGetNumOperands(self.0)).unwrap_or(0),
                false => LLVMGetNumArgOperands(self.0),
            };
            (0..n).map(|i| Value(LLVMGetOperand(self.0, i))).collect()
        }
    }

    /// Operand `i`.
    pub fn operand(self, i: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, i) })
    }

    /// The object that an address belongs to, as far as the program says.
    pub fn object(self) -> Value {
        let mut at = self;
        while at.is_instruction() && at.opcode() == LLVMOpcode::LLVMGetElementPtr {
            at = at.operand(0);
        }
        at
    }

    /// The users, once per use, in LLVM's order.
    pub fn users(self) -> Vec<Value> {
        list(
            || unsafe { LLVMGetFirstUse(self.0) },
            |u| unsafe { LLVMGetNextUse(u) },
        )
        .map(|u| Value(unsafe { LLVMGetUser(u) }))
        .collect()
    }

    /// The values that come into a PHI, with their blocks.
    pub fn incoming(self) -> Vec<(Block, Value)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| {
                    let from = Block(LLVMGetIncomingBlock(self.0, i));
                    (from, Value(LLVMGetIncomingValue(self.0, i)))
                })
                .collect()
        }
    }

    /// The successors of a terminator.
    pub fn successors(self) -> Vec<Block> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0))
                .map(|i| Block(LLVMGetSuccessor(self.0, i)))
                .collect()
        }
    }

    /// The condition of a conditional branch.
    pub fn condition(self) -> Option<Value> {
        unsafe { (LLVMIsConditional(self.0) != 0).then(|| Value(LLVMGetCondition(self.0))) }
    }

    /// What an instruction does.
    pub fn effect(self) -> Effect {
        unsafe { ffi::pt_effect(self.0) }
    }

    /// The next instruction of the block.
    pub fn next(self) -> Option<Value> {
        let next = unsafe { LLVMGetNextInstruction(self.0) };
        (!next.is_null()).then_some(Value(next))
    }

    /// The instruction in front of this one in its block.
    pub fn previous(self) -> Option<Value> {
        let previous = unsafe { LLVMGetPreviousInstruction(self.0) };
        (!previous.is_null()).then_some(Value(previous))
    }

    /// Its type.
    pub fn raw_type(self) -> LLVMTypeRef {
        unsafe { LLVMTypeOf(self.0) }
    }

    /// An integer constant, sign-extended.
    pub fn int_constant(self) -> Option<i128> {
        let (mut low, mut high) = (0, 0);
        unsafe { ffi::pt_int_constant(self.0, &mut low, &mut high) }
            .then(|| i128::from(low) | (i128::from(high) << 64))
    }

    /// The bits of a floating point constant.
    pub fn float_constant(self) -> Option<u64> {
        let mut bits = 0;
        unsafe { ffi::pt_float_bits(self.0, &mut bits) }.then_some(bits)
    }

    /// Name of the called function, for intrinsics their base name; and whether it is an intrinsic.
    pub fn callee(self) -> (String, bool) {
        let mut name = Text::EMPTY;
        let id = unsafe { ffi::pt_intrinsic(self.0, &mut name) };
        (unsafe { name.read() }, id != 0)
    }

    /// Name of the called function as the source has it; empty if it is not known.
    pub fn called(self) -> String {
        unsafe extern "C" fn keep(data: *mut c_void, name: Text) {
            unsafe { *data.cast::<String>() = name.read() }
        }
        let mut name = String::new();
        unsafe { ffi::pt_called(self.0, (&raw mut name).cast(), keep) };
        name
    }

    /// Mnemonic of an instruction.
    pub fn mnemonic(self) -> String {
        let mut name = Text::EMPTY;
        unsafe {
            ffi::pt_mnemonic(self.0, &mut name);
            name.read()
        }
    }

    /// The variable of the source that holds a value, if debug information names one.
    pub fn variable(self) -> Option<String> {
        let mut name = Text::EMPTY;
        unsafe {
            ffi::pt_variable(self.0, &mut name);
            Some(name.read()).filter(|n| !n.is_empty())
        }
    }

    /// Position in the source.
    pub fn loc(self) -> Option<Loc> {
        loc(unsafe { llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.0) })
    }

    /// Whether a function has an attribute that LLVM knows.
    pub fn has_attribute(self, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(self.0, FUNCTION_INDEX, kind).is_null()
        }
    }

    /// The value of another attribute of a function.
    pub fn string_attribute(self, name: &str) -> Option<String> {
        unsafe {
            let (text, size) = (name.as_ptr().cast(), name.len() as u32);
            let found = LLVMGetStringAttributeAtIndex(self.0, FUNCTION_INDEX, text, size);
            if found.is_null() {
                return None;
            }
            let mut size = 0;
            let text = LLVMGetStringAttributeValue(found, &mut size);
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    /// Gives a function an attribute without value.
    pub fn add_attribute(self, name: &str) {
        unsafe {
            let context = LLVMGetTypeContext(self.raw_type());
            let (text, size) = (name.as_ptr().cast(), name.len() as u32);
            let made = LLVMCreateStringAttribute(context, text, size, c"".as_ptr(), 0);
            LLVMAddAttributeAtIndex(self.0, FUNCTION_INDEX, made);
        }
    }

    /// Metadata of one kind; null if there is none.
    pub fn metadata(self, kind: MetadataKind) -> LLVMValueRef {
        unsafe { LLVMGetMetadata(self.0, kind as u32) }
    }
}

/// LLVM's fixed metadata kinds.
#[derive(Clone, Copy, Debug)]
pub enum MetadataKind {
    /// Type-based aliasing.
    Tbaa = 1,
    /// Scopes of an access.
    AliasScope = 7,
    /// Scopes that an access does not touch.
    NoAlias = 8,
}

impl Block {
    /// Its name; empty if it has none.
    pub fn name(self) -> String {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) }).name()
    }

    /// All instructions.
    pub fn instructions(self) -> Vec<Value> {
        self.each_instruction().map(Value).collect()
    }

    /// How many instructions it has.
    pub fn size(self) -> usize {
        self.each_instruction().count()
    }

    fn each_instruction(self) -> impl Iterator<Item = LLVMValueRef> {
        let first = move || unsafe { LLVMGetFirstInstruction(self.0) };
        list(first, |i| unsafe { LLVMGetNextInstruction(i) })
    }

    /// The last instruction.
    pub fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Where control goes, once per edge.
    pub fn successors(self) -> Vec<Block> {
        self.terminator().successors()
    }

    /// Where control comes from, once per edge.
    pub fn predecessors(self) -> Vec<Block> {
        let users = Value(unsafe { LLVMBasicBlockAsValue(self.0) }).users();
        let is_branch = |u: &Value| u.is_instruction() && u.successors().contains(&self);
        let branches = users.into_iter().filter(is_branch);
        branches.map(|u| u.parent()).collect()
    }
}

/// A debug location as data.
pub fn loc(location: LLVMMetadataRef) -> Option<Loc> {
    use llvm_sys::debuginfo::*;
    if location.is_null() {
        return None;
    }
    unsafe {
        let file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
        let mut size = 0;
        let name = match file.is_null() {
            true => String::new(),
            false => {
                let text = LLVMDIFileGetFilename(file, &mut size);
                let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
                String::from_utf8_lossy(bytes).into_owned()
            }
        };
        Some(Loc {
            file: name,
            line: LLVMDILocationGetLine(location),
            column: LLVMDILocationGetColumn(location),
        })
    }
}

/// A type as data; `layout` is the module's.
pub fn ty(layout: llvm_sys::target::LLVMTargetDataRef, t: LLVMTypeRef) -> Ty {
    unsafe {
        match LLVMGetTypeKind(t) {
            LLVMTypeKind::LLVMIntegerTypeKind => Ty::Int(LLVMGetIntTypeWidth(t)),
            LLVMTypeKind::LLVMHalfTypeKind => Ty::Float(16),
            LLVMTypeKind::LLVMFloatTypeKind => Ty::Float(32),
            LLVMTypeKind::LLVMDoubleTypeKind => Ty::Float(64),
            LLVMTypeKind::LLVMPointerTypeKind => Ty::Ptr,
            _ if LLVMTypeIsSized(t) != 0 => {
                let bits = llvm_sys::target::LLVMSizeOfTypeInBits(layout, t);
                Ty::Other(u32::try_from(bits).unwrap_or(u32::MAX))
            }
            _ => Ty::Other(0),
        }
    }
}
