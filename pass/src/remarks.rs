//! Optimization remarks: what was done to which loop nest, or why nothing.

use crate::ffi::{Part, RawModule, RemarkKind, Text, pt_remark};
use crate::llvm::Value;
use llvm_sys::prelude::LLVMMetadataRef;

/// Where remarks go.
pub struct Remarks {
    pub module: *mut RawModule,
    /// The user's function.
    pub function: Value,
}

impl Remarks {
    /// A loop nest was transformed.
    pub fn passed(&self, at: LLVMMetadataRef, what: &str) {
        self.emit(
            RemarkKind::Passed,
            "Transformed",
            at,
            &[("", "loop nest transformed: "), ("What", what)],
        );
    }

    /// A loop nest stays as it is.
    pub fn missed(&self, at: LLVMMetadataRef, why: &str) {
        self.emit(
            RemarkKind::Missed,
            "NotTransformed",
            at,
            &[("", "loop nest not transformed: "), ("Reason", why)],
        );
    }

    /// Something went wrong inside; the function stays as it is.
    pub fn failed(&self, why: &str) {
        let parts = [
            ("", "internal error, function left as it was: "),
            ("Reason", why),
        ];
        self.emit(
            RemarkKind::Analysis,
            "InternalError",
            std::ptr::null_mut(),
            &parts,
        );
    }

    fn emit(&self, kind: RemarkKind, name: &str, at: LLVMMetadataRef, parts: &[(&str, &str)]) {
        let parts: Vec<Part> = parts
            .iter()
            .map(|(k, v)| Part {
                key: Text::new(k),
                value: Text::new(v),
            })
            .collect();
        unsafe {
            pt_remark(
                self.module,
                kind,
                Text::new(name),
                self.function.0,
                at,
                parts.as_ptr(),
                parts.len(),
            )
        }
    }
}
