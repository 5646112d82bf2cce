//! Working copies of functions.

use crate::account;
use crate::analyses::Analyses;
use crate::ffi::{self, RawModule, Text};
use crate::llvm::{Block, Value};
use llvm_sys::core::{LLVMGetFirstFunction, LLVMGetFirstUse, LLVMGetNextFunction};
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMValueRef};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;

/// A copy of a function. Unless it is committed, it disappears again, together with functions that were added for it.
pub struct WorkingCopy {
    module: *mut RawModule,
    original: Value,
    copy: Value,
    before: BTreeSet<Value>,
    /// The functions that were added and checked, with their instructions: nobody changes them any more.
    checked: RefCell<BTreeMap<Value, u64>>,
    committed: Cell<bool>,
}

/// All functions of a module.
pub fn functions(module: LLVMModuleRef) -> Vec<Value> {
    let mut list = vec![];
    unsafe {
        let mut f = LLVMGetFirstFunction(module);
        while !f.is_null() {
            list.push(Value(f));
            f = LLVMGetNextFunction(f);
        }
    }
    list
}

/// The functions that a module defines, those first whose calls have the most loops around them: what is spent on regions is spent on hot ones.
///
/// # Safety
/// Called by the pass, with a module that nobody else touches meanwhile.
pub unsafe fn hot_first(module: *mut RawModule) -> Vec<Value> {
    unsafe extern "C" fn note(data: *mut c_void, f: LLVMValueRef, depth: u32) {
        let list = unsafe { &mut *data.cast::<Vec<(Value, u32)>>() };
        list.push((Value(f), depth));
    }
    let mut list: Vec<(Value, u32)> = vec![];
    unsafe { ffi::pt_called_depths(module, (&raw mut list).cast(), note) };
    list.sort_by_key(|(_, depth)| std::cmp::Reverse(*depth));
    list.into_iter().map(|(f, _)| f).collect()
}

impl WorkingCopy {
    /// Copies a function; loops of the copy are in simplified, closed form. With `loans`, calls are inlined for the time being, and memory that iterations allocate
    /// is taken for one block of each: both are given back by [`WorkingCopy::commit`].
    ///
    /// # Safety
    /// The module outlives the copy, and the function is defined in it.
    pub unsafe fn new(module: *mut RawModule, original: Value, loans: bool) -> WorkingCopy {
        unsafe {
            let before = functions(ffi::pt_module(module)).into_iter().collect();
            let name = format!("{}.polytile", original.name());
            let copy = Value(ffi::pt_clone(module, original.0, Text::new(&name)));
            let made = WorkingCopy {
                module,
                original,
                copy,
                before,
                checked: RefCell::default(),
                committed: Cell::new(false),
            };
            if loans {
                ffi::pt_inline_calls(module, copy.0);
            }
            made.analyses().strip_lifetimes_in_loops(copy);
            ffi::pt_canonicalize(module, copy.0, loans);
            made
        }
    }

    /// The copy.
    pub fn function(&self) -> Value {
        self.copy
    }

    /// The module.
    pub fn module(&self) -> LLVMModuleRef {
        unsafe { ffi::pt_module(self.module) }
    }

    /// Analyses of the copy.
    ///
    /// # Safety
    /// They are dropped before the copy changes in other ways than they allow.
    pub unsafe fn analyses(&self) -> Analyses {
        unsafe { Analyses::new(self.module, self.copy) }
    }

    /// Deletes the copy or a function that was made beside it, and what is known of it: another one may come to lie at its address.
    ///
    /// # Safety
    /// Nothing uses it.
    pub unsafe fn discard(&self, f: Value) {
        unsafe { ffi::pt_discard(self.module, f.0) }
    }

    /// New analyses after the copy was changed.
    ///
    /// # Safety
    /// As [`WorkingCopy::analyses`]; the old ones are dropped.
    pub unsafe fn changed(&self) -> Analyses {
        unsafe {
            ffi::pt_invalidate(self.module, self.copy.0);
            self.analyses()
        }
    }

    /// Instructions of the copy and of every function that was added for it.
    pub fn size(&self) -> u64 {
        let checked = self.checked.borrow();
        let size = |f: Value| checked.get(&f).copied().unwrap_or_else(|| account::size(f));
        self.made().into_iter().map(size).sum()
    }

    /// The copy and every function that was added for it.
    fn made(&self) -> Vec<Value> {
        let mut made = functions(self.module());
        made.retain(|f| self.is_new(*f));
        made
    }

    /// Checks the copy and every function that was added for it since the last time. What was checked has to stay as it is.
    ///
    /// # Panics
    /// One of them is no valid IR, which is a bug of code generation.
    pub fn verify(&self) {
        let mut checked = self.checked.borrow_mut();
        for f in self.made() {
            if checked.contains_key(&f) {
                continue;
            }
            let mut problem = String::new();
            unsafe { ffi::pt_verify(f.0, (&raw mut problem).cast(), note) };
            assert!(
                problem.is_empty(),
                "invalid code in '{}': {problem}",
                f.name()
            );
            if f != self.copy {
                checked.insert(f, account::size(f));
            }
        }
    }

    /// The copy's body becomes that of the original; functions named after the copy are named after the original. False if
    /// a call that was inlined, or a pointer of one iteration, does not find its place any more: then the copy is of no use.
    ///
    /// # Safety
    /// No handle into the original's old body is used again.
    pub unsafe fn commit(&self) -> bool {
        unsafe { ffi::pt_show_ragged(self.module, self.copy.0) };
        if !unsafe { ffi::pt_show_calls(self.module, self.copy.0) }
            || !unsafe { ffi::pt_show_blocks(self.module, self.copy.0) }
        {
            return false;
        }
        self.committed.set(true);
        let (copy, name) = (self.copy.name(), self.original.name());
        unsafe { ffi::pt_commit(self.module, self.original.0, self.copy.0) };
        let mut made = self.made();
        made.retain(|f| f.name().starts_with(&copy));
        for f in &made {
            f.set_name(&format!("{name}{}", &f.name()[copy.len()..]));
        }
        // Calls say what functions for several iterations are called, so all have their names first.
        for f in made {
            unsafe { ffi::pt_tidy(self.module, f.0) };
        }
        true
    }

    /// The blocks of the bodies of functions that are inlined for the time being.
    pub fn inlined(&self) -> BTreeSet<Block> {
        unsafe extern "C" fn note(data: *mut c_void, block: LLVMBasicBlockRef) {
            unsafe { (*data.cast::<BTreeSet<Block>>()).insert(Block(block)) };
        }
        let mut found = BTreeSet::new();
        unsafe { ffi::pt_inlined(self.module, self.copy.0, (&raw mut found).cast(), note) };
        found
    }

    /// Whether a function was added for the copy.
    fn is_new(&self, f: Value) -> bool {
        !self.before.contains(&f)
    }
}

unsafe extern "C" fn note(data: *mut c_void, problem: Text) {
    unsafe { *data.cast::<String>() = problem.read() }
}

impl Drop for WorkingCopy {
    fn drop(&mut self) {
        if self.committed.get() {
            return;
        }
        unsafe {
            self.discard(self.copy);
            let mut added = functions(self.module());
            added.retain(|f| self.is_new(*f));
            // Users were added after what they use.
            for f in added.into_iter().rev() {
                if LLVMGetFirstUse(f.0).is_null() {
                    self.discard(f);
                }
            }
        }
    }
}
