//! driver
use crate::ffi::*;
use crate::options::Options;
use llvm_sys::core::*;
pub unsafe fn run(module: *mut RawModule, options: &Options) -> bool {
    unsafe {
        let m = pt_module(module);
        let mut f = LLVMGetFirstFunction(m);
        while !f.is_null() {
            if LLVMIsDeclaration(f) == 0 && pt_has_loops(module, f) {
                let c = pt_clone(f, Text::new("polytile.clone"));
                pt_canonicalize(module, c);
                if options.verify {
                    pt_commit(module, f, c);
                } else {
                    pt_discard(module, c);
                }
            }
            f = LLVMGetNextFunction(f);
        }
    }
    options.verify
}
