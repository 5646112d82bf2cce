//! Optimization remarks: what users see with `-Rpass=polytile`, `-Rpass-missed=polytile`, `-Rpass-analysis=polytile` and
//! in YAML records.
//!
//! Remarks are collected while a function is worked on and sent when its fate is decided, so that they name the user's
//! function and never tell of something that was taken back.

use crate::ffi::{self, Part, RawModule, RemarkKind, Text};
use crate::llvm::Value;
use llvm_sys::prelude::LLVMMetadataRef;

/// A noun for so many.
pub fn noun(n: usize, one: &str) -> String {
    format!("{one}{}", if n == 1 { "" } else { "s" })
}

/// So many of something: `1 loop`, `2 loops`.
pub fn counted(n: usize, one: &str) -> String {
    format!("{n} {}", noun(n, one))
}

/// A remark.
#[derive(Clone, Debug)]
pub struct Remark {
    kind: RemarkKind,
    name: &'static str,
    location: LLVMMetadataRef,
    parts: Vec<(&'static str, String)>,
}

impl Remark {
    /// Something was transformed.
    pub fn passed(name: &'static str, location: LLVMMetadataRef) -> Remark {
        Remark::new(RemarkKind::Passed, name, location)
    }

    /// Something was not.
    pub fn missed(name: &'static str, location: LLVMMetadataRef) -> Remark {
        Remark::new(RemarkKind::Missed, name, location)
    }

    /// Something was found out.
    pub fn analysis(name: &'static str, location: LLVMMetadataRef) -> Remark {
        Remark::new(RemarkKind::Analysis, name, location)
    }

    /// No text yet. `location` is a `DILocation` or null.
    fn new(kind: RemarkKind, name: &'static str, location: LLVMMetadataRef) -> Remark {
        Remark {
            kind,
            name,
            location,
            parts: vec![],
        }
    }

    /// Adds plain text.
    pub fn text(mut self, text: impl Into<String>) -> Remark {
        self.parts.push(("", text.into()));
        self
    }

    /// Adds a value; in a YAML record it stands under `key`.
    pub fn value(mut self, key: &'static str, value: impl ToString) -> Remark {
        self.parts.push((key, value.to_string()));
        self
    }

    /// Sends it. `function` is the function that the user wrote.
    ///
    /// # Safety
    /// The module and the function are alive.
    pub unsafe fn send(&self, module: *mut RawModule, function: Value) {
        let parts: Vec<Part> = self
            .parts
            .iter()
            .map(|(key, value)| Part {
                key: Text::new(key),
                value: Text::new(value),
            })
            .collect();
        unsafe {
            ffi::pt_remark(
                module,
                self.kind,
                Text::new(self.name),
                function.0,
                self.location,
                parts.as_ptr(),
                parts.len(),
            );
        }
    }
}
