//! The run-time of emitted code (`codegen/runtime`): C that was compiled to bitcode with the plugin, and is linked into the module.
//!
//! Emission only declares what it calls ([`Emitter::helper`]). When all functions of a module are done, [`link`] adds what is
//! declared, and nothing else: as internal functions with the code generation attributes of a function that calls them, but without
//! its processor and features, so that every function of the module may call them or take them in. The short ones
//! (`POLYTILE_INLINE`) become part of their callers at once, because no inliner runs behind this pass. What runs once in a program, or
//! only where a user asks for it (`POLYTILE_COLD`), is not optimized again: every module has a copy, and for the smallest ones the
//! run-time was a quarter of what the plugin cost them.

use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Func, Int, Ptr, Value};
use crate::openmp::NOT_INHERITED;
use crate::report::{Reason, list_regions};
use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::ContextRef;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, IntType};
use inkwell::values::{ArrayValue, AsValueRef, BasicMetadataValueEnum};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use std::collections::BTreeSet;
use std::mem::ManuallyDrop;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/runtime.rs"));
}
pub(crate) use embedded::{
    BOARD, BOARD_WITH_ROWS, CHOICE, EXTENT, LEFT, MATRIX, RAN, REFUSED_CONDITION, REFUSED_DISABLED,
    REFUSED_MEMORY, REFUSED_OVERLAP, REFUSED_ROWS, REFUSED_THREADS, REFUSED_WORK, REGION, SITE,
    TABLE,
};

/// What every name of the run-time begins with.
const PREFIX: &str = "polytile.";

/// Features that are no instructions: registers that the program keeps for itself, and ways to call that it insists on.
const KEPT_FEATURES: [&str; 3] = ["+reserve-", "+retpoline", "+harden-"];

/// What a function that is not optimized cannot be.
const EXCLUDED_BY_OPTNONE: [&str; 3] = ["optsize", "minsize", "optdebug"];

/// What LLVM's C interface cannot.
#[derive(Clone, Copy, Debug)]
pub struct Linker {
    /// Adds those functions of `from` that `into` declares, and what they need; `from` is gone then. False if they do not fit.
    pub link_needed: unsafe extern "C" fn(into: LLVMModuleRef, from: LLVMModuleRef) -> bool,
    /// Replaces a call by what it calls.
    pub inline_call: unsafe extern "C" fn(call: LLVMValueRef) -> bool,
}

impl<'c> Emitter<'_, 'c> {
    /// Calls a function of the run-time.
    pub(crate) fn helper(
        &mut self,
        name: &str,
        args: &[BasicMetadataValueEnum<'c>],
        result: Option<IntType<'c>>,
    ) -> Option<Value<'c>> {
        let types: Vec<BasicMetadataTypeEnum<'c>> = args
            .iter()
            .map(|a| match a {
                BasicMetadataValueEnum::IntValue(v) => v.get_type().into(),
                BasicMetadataValueEnum::PointerValue(v) => v.get_type().into(),
                _ => unreachable!("the run-time takes numbers and addresses"),
            })
            .collect();
        let ty = match result {
            None => self.ir.ctx.void_type().fn_type(&types, false),
            Some(ty) => ty.fn_type(&types, false),
        };
        let name = format!("{PREFIX}{name}");
        self.set_aside(&name);
        let f = self.ir.declare(&name, ty, Linkage::External);
        self.ir.call(f, args)
    }

    /// Gives another name to what an earlier run on this module, or on a part of it, has linked: arguments that were the same in all calls
    /// are no longer passed, or no longer looked at.
    fn set_aside(&self, name: &str) {
        if let Some(known) = self.ir.module().get_function(name).filter(is_defined) {
            let other = format!("{name}.earlier");
            unsafe { LLVMSetValueName2(known.as_value_ref(), other.as_ptr().cast(), other.len()) };
        }
    }

    /// What the run-time notes about one place of the program: so many bytes of the module, zero at first.
    pub(crate) fn zeros(&self, bytes: u64, name: &str) -> Ptr<'c> {
        let words = self.ir.i64().array_type((bytes / SLOT) as u32);
        let global = self.ir.module().add_global(words, None, name);
        global.set_initializer(&words.const_zero());
        global.set_linkage(Linkage::Internal);
        global.set_alignment(SLOT as u32);
        global.as_pointer_value()
    }

    /// Numbers that the run-time reads.
    pub(crate) fn constants(&self, words: &[u64], name: &str) -> Ptr<'c> {
        let word = self.ir.i64();
        let words: Vec<Int<'c>> = words.iter().map(|w| word.const_int(*w, false)).collect();
        self.constant(word.const_array(&words), name)
    }

    /// What the run-time reads.
    pub(crate) fn constant(&self, content: ArrayValue<'c>, name: &str) -> Ptr<'c> {
        let module = self.ir.module();
        let global = module.add_global(content.get_type(), None, name);
        global.set_initializer(&content);
        global.set_linkage(Linkage::Private);
        global.set_constant(true);
        global.set_unnamed_addr(true);
        global.as_pointer_value()
    }

    /// Calls a function of the run-time that returns a number.
    pub(crate) fn ask(&mut self, name: &str, args: &[BasicMetadataValueEnum<'c>]) -> Int<'c> {
        let answer = self.helper(name, args, Some(self.ir.i64()));
        answer.expect("returns i64").into_int_value()
    }

    /// Goes on in a block of this name where a function of the run-time says so (not 0), and gives up for this reason else.
    pub(crate) fn go_on_if_so(
        &mut self,
        (name, args): (&str, &[BasicMetadataValueEnum<'c>]),
        block: &str,
        reason: Reason,
    ) {
        let said = self.ask(name, args);
        let so = self.ir.cmp(IntPredicate::NE, said, self.ir.int(0));
        self.go_on_if(so, block, reason);
    }
}

/// An attribute of functions that another run of the pass leaves alone: those that it has transformed, and those of the run-time.
pub const DONE: &str = "polytile-done";

/// Names of the functions made of a nest contain this: `f.polytile.12`.
pub const OWN: &str = "polytile.";

/// Adds to a module what its functions call of the run-time.
///
/// # Errors
/// The host's LLVM cannot read the bitcode, or cannot link it.
///
/// # Safety
/// The module is valid, and nobody else touches it meanwhile.
pub unsafe fn link(module: LLVMModuleRef, linker: &Linker) -> Result<(), String> {
    let module = ManuallyDrop::new(unsafe { Module::new(module) });
    let before: BTreeSet<usize> = module
        .get_functions()
        .filter(is_defined)
        .map(address)
        .collect();
    let model = module.get_functions().find_map(|f| {
        let wanted =
            f.count_basic_blocks() == 0 && f.get_name().to_string_lossy().starts_with(PREFIX);
        callers(f).next().filter(|_| wanted)
    });
    let Some(model) = model else {
        return Ok(());
    };
    let triple = module.get_triple();
    let files = match triple.as_str().to_bytes().starts_with(b"x86_64") {
        true => embedded::X86,
        false => embedded::ANY,
    };
    for (names, bitcode) in files {
        let declared = |name: &&str| {
            let known = module.get_function(name);
            known.is_some_and(|f| !is_defined(&f))
        };
        // Of most files, none is. They are not even opened.
        if names.iter().any(declared) {
            unsafe { add(&module, bitcode, linker)? };
        }
    }
    list_regions(&module);
    let new = |f: &Func<'_>| is_defined(f) && !before.contains(&address(*f));
    let added: Vec<Func<'_>> = module.get_functions().filter(new).collect();
    for f in added {
        unsafe { settle(f, model, linker) };
    }
    Ok(())
}

/// Links one file.
unsafe fn add(module: &Module<'_>, bitcode: &[u8], linker: &Linker) -> Result<(), String> {
    unsafe {
        let text = bitcode.as_ptr().cast();
        let buffer =
            LLVMCreateMemoryBufferWithMemoryRange(text, bitcode.len(), c"polytile".as_ptr(), 0);
        let mut from = std::ptr::null_mut();
        let context = LLVMGetModuleContext(module.as_mut_ptr());
        // Bodies are read when they are linked. The module owns the buffer.
        if LLVMGetBitcodeModuleInContext2(context, buffer, &raw mut from) != 0 {
            return Err("the host's LLVM cannot read the run-time".into());
        }
        let source = ManuallyDrop::new(Module::new(from));
        LLVMSetTarget(from, LLVMGetTarget(module.as_mut_ptr()));
        LLVMSetDataLayout(from, LLVMGetDataLayoutStr(module.as_mut_ptr()));
        source.get_functions().for_each(strip);
        match (linker.link_needed)(module.as_mut_ptr(), from) {
            true => Ok(()),
            false => Err("the host's LLVM cannot link the run-time".into()),
        }
    }
}

/// Takes away what was found out about a function for the machine of the build; whether it is to become part of its callers, or is
/// cold, stays.
fn strip(f: Func<'_>) {
    let at = AttributeLoc::Function;
    let kept = [always_inline(), kind("cold")];
    for a in f.attributes(at) {
        if a.is_string() {
            let key = a.get_string_kind_id().to_string_lossy().into_owned();
            f.remove_string_attribute(at, &key);
        } else if !kept.contains(&a.get_enum_kind_id()) {
            f.remove_enum_attribute(at, a.get_enum_kind_id());
        }
    }
}

/// Makes a function that was linked one of the module's own.
unsafe fn settle(f: Func<'_>, model: Func<'_>, linker: &Linker) {
    let at = AttributeLoc::Function;
    f.set_linkage(Linkage::Internal);
    if f.get_enum_attribute(at, always_inline()).is_some() {
        for call in calls(f) {
            unsafe { (linker.inline_call)(call) };
        }
        if unsafe { LLVMGetFirstUse(f.as_value_ref()) }.is_null() {
            unsafe { f.delete() };
            return;
        }
    }
    inherit(f, model);
    let set = |name| f.add_attribute(at, context(f).create_enum_attribute(kind(name), 0));
    ["nounwind", "noinline"].into_iter().for_each(set);
    f.add_attribute(at, context(f).create_string_attribute(DONE, ""));
    f.remove_enum_attribute(at, always_inline());
    if f.get_enum_attribute(at, kind("cold")).is_some() {
        for name in EXCLUDED_BY_OPTNONE {
            f.remove_enum_attribute(at, kind(name));
        }
        set("optnone");
    }
}

/// Gives a function the code generation attributes of one that calls it.
fn inherit(f: Func<'_>, model: Func<'_>) {
    let at = AttributeLoc::Function;
    let banned = NOT_INHERITED.map(kind);
    for a in model.attributes(at) {
        if a.is_enum() && !banned.contains(&a.get_enum_kind_id()) {
            f.add_attribute(at, a);
        }
        if !a.is_string() {
            continue;
        }
        match a.get_string_kind_id().to_bytes() {
            b"target-cpu" | b"tune-cpu" => {}
            b"target-features" => {
                let all = a.get_string_value().to_string_lossy();
                let keep = |w: &&str| KEPT_FEATURES.iter().any(|k| w.starts_with(k));
                let kept: Vec<&str> = all.split(',').filter(keep).collect();
                if !kept.is_empty() {
                    let kept = kept.join(",");
                    f.add_attribute(
                        at,
                        context(f).create_string_attribute("target-features", &kept),
                    );
                }
            }
            _ => f.add_attribute(at, a),
        }
    }
}

fn context<'c>(f: Func<'c>) -> ContextRef<'c> {
    unsafe { ContextRef::new(LLVMGetModuleContext(LLVMGetGlobalParent(f.as_value_ref()))) }
}

fn always_inline() -> u32 {
    kind("alwaysinline")
}

fn kind(name: &str) -> u32 {
    Attribute::get_named_enum_kind_id(name)
}

fn is_defined(f: &Func<'_>) -> bool {
    f.count_basic_blocks() > 0
}

fn address(f: Func<'_>) -> usize {
    f.as_value_ref() as usize
}

/// The instructions that call a function.
fn calls(f: Func<'_>) -> Vec<LLVMValueRef> {
    let mut found = vec![];
    unsafe {
        let mut at = LLVMGetFirstUse(f.as_value_ref());
        while !at.is_null() {
            let user = LLVMGetUser(at);
            if !LLVMIsACallInst(user).is_null() && LLVMGetCalledValue(user) == f.as_value_ref() {
                found.push(user);
            }
            at = LLVMGetNextUse(at);
        }
    }
    found
}

/// The functions in which a function is called.
fn callers<'c>(f: Func<'c>) -> impl Iterator<Item = Func<'c>> {
    let parent =
        |call| unsafe { Func::new(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) };
    calls(f).into_iter().filter_map(parent)
}
