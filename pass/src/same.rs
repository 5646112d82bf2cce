//! New functions that do the same are made one: a product that is inlined fifty times, or nests that differ in their arrays only, would be
//! compiled as often as they are there, and code is most of what a new version costs.

use crate::account;
use crate::copy::functions;
use crate::ffi::{self, RawModule};
use crate::llvm::Value;
use llvm_sys::core::{LLVMGetLinkage, LLVMIsDeclaration};
use llvm_sys::{LLVMLinkage, prelude::LLVMModuleRef};
use polytile_codegen::OWN;
use std::collections::BTreeMap;

/// Puts one function in the place of all those that code generation made and that do the same.
///
/// # Safety
/// Called by the pass, with a module that nobody else touches meanwhile; no handle to a new function is used again.
pub unsafe fn unite(module: *mut RawModule) {
    // Those that call others may be the same once these are one.
    while unsafe { united_some(module) } {}
}

/// Puts functions in the place of others; whether there were any.
unsafe fn united_some(module: *mut RawModule) -> bool {
    let mut some = false;
    let mut kept: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for f in unsafe { made(ffi::pt_module(module)) } {
        let of_size = kept.entry(account::size(f)).or_default();
        let same = |g: &&Value| unsafe { ffi::pt_same_body(f.0, g.0) };
        match of_size.iter().find(same) {
            Some(known) => {
                some = true;
                unsafe { ffi::pt_put_in_place(module, f.0, known.0) }
            }
            None => of_size.push(f),
        }
    }
    some
}

/// The functions that code generation made, in their order.
unsafe fn made(module: LLVMModuleRef) -> Vec<Value> {
    let mut all = functions(module);
    let is_own = |f: &Value| unsafe {
        LLVMIsDeclaration(f.0) == 0
            && LLVMGetLinkage(f.0) == LLVMLinkage::LLVMInternalLinkage
            && f.name().contains(OWN)
    };
    all.retain(is_own);
    all
}
