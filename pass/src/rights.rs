//! What may be done to a function: its attributes and annotations, and what runs it.
//!
//! | the function | gets |
//! |---|---|
//! | asks for other code than we make: not optimized, small, without vector registers, under a sanitizer, with its floating point environment observed | nothing; a remark says why |
//! | may call nothing that it did not call: no library is known to it (`-ffreestanding`, `-fno-builtin`), or it may run in a signal handler | new loops, but no threads and no memory of our own |
//! | any other | everything |
//!
//! A signal handler interrupts a program anywhere, also inside of `malloc` and of the OpenMP runtime, neither of which may be
//! entered again then. What is a handler is decided in the module: a function of the type of handlers (`void(int)`,
//! `void(int, siginfo_t *, void *)`) whose address goes to `signal`, `sigaction` or a function that the module does not
//! define; or goes anywhere, if the module names one of those. Every function that a handler calls directly, through any
//! number of calls, may run in it as well. A handler that another module installs, or calls through a pointer, is not
//! seen: `polytile: off` on the function is for these.
//!
//! `__attribute__((annotate("polytile: off")))` takes a function out; `"polytile: on"` allows what is left alone for
//! reasons of policy: growth, reports of sanitizers, and new calls.

use crate::copy::functions;
use crate::ffi;
use crate::llvm::Value;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use llvm_sys::{LLVMOpcode, LLVMTypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// Attributes of functions that stay as they are, whatever else is asked for, and why.
const NEVER: [(&str, &str); 6] = [
    ("optnone", "the function is not to be optimized"),
    ("naked", "the function has no frame of its own"),
    ("presplitcoroutine", "the function is a coroutine"),
    (
        "noimplicitfloat",
        "the function must not use vector registers (-mno-implicit-float)",
    ),
    (
        "strictfp",
        "the function observes rounding modes or floating point exceptions",
    ),
    (
        "convergent",
        "the function's calls depend on which threads make them together",
    ),
];

/// The same, unless the function is annotated with `polytile: on`.
const UNLESS_ASKED: [(&str, &str); 10] = [
    ("minsize", "the function is compiled for size (-Oz)"),
    ("optsize", "the function is compiled for size (-Os)"),
    ("sanitize_address", SANITIZED),
    ("sanitize_hwaddress", SANITIZED),
    ("sanitize_memory", SANITIZED),
    ("sanitize_memtag", SANITIZED),
    ("sanitize_thread", SANITIZED),
    ("sanitize_type", SANITIZED),
    ("sanitize_realtime", SANITIZED),
    ("sanitize_numerical_stability", SANITIZED),
];

const SANITIZED: &str = "a sanitizer reports on the function as it was written";

/// Features of processors without which there are no vector registers; taken away by `-mgeneral-regs-only` and `-mno-sse`.
const VECTOR_FEATURES: [&str; 4] = ["sse", "sse2", "neon", "fp-armv8"];

/// LLVM's calling convention of interrupt handlers on x86, which save no vector registers.
const INTERRUPT_CONVENTION: u32 = 83;

/// Attributes under which library functions are unknown.
const NO_LIBRARY: [&str; 2] = ["no-builtins", "no-builtin-malloc"];

/// Functions that install signal handlers.
const INSTALLERS: [&str; 8] = [
    "signal",
    "sigaction",
    "__sigaction",
    "sigset",
    "bsd_signal",
    "sysv_signal",
    "__sysv_signal",
    "ssignal",
];

/// Annotations that we know.
const ON: &str = "polytile: on";
const OFF: &str = "polytile: off";

/// What may be done to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rights {
    /// Everything.
    All,
    /// Nothing that calls a function or needs memory, and why.
    NoCalls(&'static str),
    /// Nothing, and why.
    None(&'static str),
}

/// What a module says about its functions.
pub struct Module {
    annotations: BTreeMap<Value, bool>,
    /// Functions that may run in a signal handler.
    handlers: BTreeSet<Value>,
}

impl Module {
    /// Reads annotations and looks for signal handlers.
    ///
    /// # Safety
    /// The module is alive.
    pub unsafe fn new(module: LLVMModuleRef) -> Module {
        Module {
            annotations: unsafe { annotations(module) },
            handlers: unsafe { in_handlers(module) },
        }
    }

    /// What may be done to a function of the module.
    pub fn rights(&self, f: Value) -> Rights {
        let annotated = self.annotations.get(&f).copied();
        if annotated == Some(false) {
            return Rights::None("the function is annotated with 'polytile: off'");
        }
        if let Some(why) = never(f) {
            return Rights::None(why);
        }
        if annotated == Some(true) {
            return Rights::All;
        }
        let has = |(name, _): &&(&str, &str)| f.has_attribute(name);
        if let Some((_, why)) = UNLESS_ASKED.iter().find(has) {
            return Rights::None(why);
        }
        if NO_LIBRARY.iter().any(|a| f.string_attribute(a).is_some()) {
            return Rights::NoCalls("no library is known to it (-ffreestanding, -fno-builtin)");
        }
        if self.handlers.contains(&f) {
            return Rights::NoCalls("it may run in a signal handler");
        }
        Rights::All
    }
}

/// Why a function stays as it is, whatever its annotations say.
fn never(f: Value) -> Option<&'static str> {
    let has = |(name, _): &&(&str, &str)| f.has_attribute(name);
    if let Some((_, why)) = NEVER.iter().find(has) {
        return Some(why);
    }
    let soft = f.string_attribute("use-soft-float").as_deref() == Some("true");
    if soft || lacks_vectors(&f.string_attribute("target-features").unwrap_or_default()) {
        return Some("the function must not use vector registers (-mgeneral-regs-only)");
    }
    if unsafe { LLVMGetFunctionCallConv(f.0) } == INTERRUPT_CONVENTION
        || f.string_attribute("interrupt").is_some()
    {
        return Some("the function is an interrupt handler");
    }
    unsafe { ffi::pt_calls_twice(f.0) }
        .then_some("the function calls one that may return twice (setjmp)")
}

/// Whether vector registers are taken away by a list of features; the last word on each counts.
fn lacks_vectors(features: &str) -> bool {
    VECTOR_FEATURES.iter().any(|name| {
        let mut words = features.split(',').rev();
        let last = words.find(|w| w.get(1..) == Some(name));
        last.is_some_and(|w| w.starts_with('-'))
    })
}

/// Annotated functions: whether with `on` or `off`. The latter wins.
unsafe fn annotations(module: LLVMModuleRef) -> BTreeMap<Value, bool> {
    let mut found = BTreeMap::new();
    let list = unsafe { LLVMGetNamedGlobal(module, c"llvm.global.annotations".as_ptr()) };
    if list.is_null() {
        return found;
    }
    for entry in unsafe { operands(LLVMGetInitializer(list)) } {
        let [function, text, ..] = unsafe { operands(entry) }[..] else {
            continue;
        };
        let wanted = match unsafe { string(text) }.as_str() {
            ON => true,
            OFF => false,
            _ => continue,
        };
        let both = found.entry(Value(function)).or_insert(wanted);
        *both &= wanted;
    }
    found
}

/// The operands of a constant.
unsafe fn operands(v: LLVMValueRef) -> Vec<LLVMValueRef> {
    if v.is_null() {
        return vec![];
    }
    unsafe {
        let n = u32::try_from(LLVMGetNumOperands(v)).unwrap_or(0);
        (0..n).map(|i| LLVMGetOperand(v, i)).collect()
    }
}

/// The text that a global holds; empty if it holds none.
unsafe fn string(global: LLVMValueRef) -> String {
    unsafe {
        if LLVMIsAGlobalVariable(global).is_null() {
            return String::new();
        }
        let value = LLVMGetInitializer(global);
        if value.is_null() || LLVMIsConstantString(value) == 0 {
            return String::new();
        }
        let mut size = 0;
        let text = LLVMGetAsString(value, &mut size);
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size);
        String::from_utf8_lossy(bytes)
            .trim_end_matches('\0')
            .to_string()
    }
}

/// The functions of a module that may run in a signal handler.
unsafe fn in_handlers(module: LLVMModuleRef) -> BTreeSet<Value> {
    let all = functions(module);
    let installs = all.iter().any(|f| INSTALLERS.contains(&f.name().as_str()));
    let mut pending: Vec<Value> = all
        .into_iter()
        .filter(|f| unsafe { is_handler(*f, installs) })
        .collect();
    let mut found = BTreeSet::new();
    while let Some(f) = pending.pop() {
        if found.insert(f) {
            pending.extend(unsafe { callees(f) });
        }
    }
    found
}

/// Whether a function may be a signal handler. `installs`: the module names a function that installs one.
unsafe fn is_handler(f: Value, installs: bool) -> bool {
    let given_away = |user: &Value| unsafe {
        if !is_call(*user) {
            return installs;
        }
        let callee = LLVMGetCalledValue(user.0);
        let mut arguments = (0..LLVMGetNumArgOperands(user.0)).map(|i| user.operand(i));
        let given = arguments.any(|a| a == f);
        let foreign = LLVMIsAFunction(callee).is_null() || LLVMIsDeclaration(callee) != 0;
        given && (foreign || installs)
    };
    unsafe {
        LLVMIsDeclaration(f.0) == 0 && has_handler_type(f) && f.users().iter().any(given_away)
    }
}

/// `void(int)` or `void(int, siginfo_t *, void *)`.
unsafe fn has_handler_type(f: Value) -> bool {
    unsafe {
        let ty = LLVMGlobalGetValueType(f.0);
        let n = LLVMCountParamTypes(ty) as usize;
        if LLVMGetTypeKind(LLVMGetReturnType(ty)) != LLVMTypeKind::LLVMVoidTypeKind
            || LLVMIsFunctionVarArg(ty) != 0
            || (n != 1 && n != 3)
        {
            return false;
        }
        let mut params = vec![std::ptr::null_mut(); n];
        LLVMGetParamTypes(ty, params.as_mut_ptr());
        let number = LLVMGetTypeKind(params[0]) == LLVMTypeKind::LLVMIntegerTypeKind
            && LLVMGetIntTypeWidth(params[0]) == 32;
        let pointer = |p: &_| LLVMGetTypeKind(*p) == LLVMTypeKind::LLVMPointerTypeKind;
        number && params[1..].iter().all(pointer)
    }
}

fn is_call(v: Value) -> bool {
    v.is_instruction()
        && matches!(
            v.opcode(),
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr
        )
}

/// Functions of the module that a function calls by name.
unsafe fn callees(f: Value) -> Vec<Value> {
    let calls = f.blocks().into_iter().flat_map(|b| b.instructions());
    calls
        .filter(|i| is_call(*i))
        .map(|i| Value(unsafe { LLVMGetCalledValue(i.0) }))
        .filter(|c| unsafe { !LLVMIsAFunction(c.0).is_null() && LLVMIsDeclaration(c.0) == 0 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_a_feature_counts() {
        assert!(!lacks_vectors(""));
        assert!(!lacks_vectors("+cx8,+sse,+sse2,+avx"));
        assert!(lacks_vectors("+sse,+sse2,-avx,-sse2"));
        assert!(!lacks_vectors("-sse2,+sse2"));
        assert!(!lacks_vectors("-sse4.1,-sse3"));
        assert!(lacks_vectors("+v8a,-fmv,-fp-armv8,-neon"));
    }
}
