//! The context that all polyhedral objects of one analysis share.
//!
//! A [`Ctx`] is a cheap handle, not `Send`: one thread, one context. It lives as long as any
//! object made in it. It counts the work that is done with them (see [`meter`](super::meter)).

use std::ptr::NonNull;
use std::rc::Rc;

use super::ends::AllEnds;
use super::ffi;
use super::functions::Functions;
use super::meter::Meter;
use super::parsed::Parsed;
use super::programs::Programs;

/// A polyhedral context; clones share it.
#[derive(Clone, Debug)]
pub struct Ctx(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    isl: NonNull<ffi::isl_ctx>,
    meter: Meter,
    parsed: Parsed,
    functions: Functions,
    programs: Programs,
    ends: AllEnds,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.parsed.forget();
        self.functions.forget();
        self.programs.forget();
        self.ends.forget();
        // SAFETY: every other object holds a reference to this, so none is left.
        unsafe { ffi::isl_ctx_free(self.isl.as_ptr()) }
    }
}

impl Default for Ctx {
    fn default() -> Self {
        Self::new()
    }
}

impl Ctx {
    /// A new context that reports errors as values and prints nothing.
    pub fn new() -> Self {
        // SAFETY: no precondition; allocation failure is the only reason for null.
        unsafe {
            let ctx = NonNull::new(ffi::isl_ctx_alloc()).expect("memory for an isl context");
            ffi::isl_options_set_on_error(ctx.as_ptr(), ffi::ISL_ON_ERROR_CONTINUE);
            Ctx(Rc::new(Inner {
                isl: ctx,
                meter: Meter::new(),
                parsed: Parsed::default(),
                functions: Functions::default(),
                programs: Programs::default(),
                ends: AllEnds::default(),
            }))
        }
    }

    pub(super) fn as_ptr(&self) -> *mut ffi::isl_ctx {
        self.0.isl.as_ptr()
    }

    pub(super) fn meter(&self) -> &Meter {
        &self.0.meter
    }

    pub(super) fn parsed(&self) -> &Parsed {
        &self.0.parsed
    }

    pub(super) fn functions(&self) -> &Functions {
        &self.0.functions
    }

    pub(super) fn programs(&self) -> &Programs {
        &self.0.programs
    }

    pub(super) fn ends(&self) -> &AllEnds {
        &self.0.ends
    }

    /// Whether both handles name the same context.
    pub fn same(&self, other: &Ctx) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn forget_error(&self) {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_reset_error(self.as_ptr()) }
    }
}

impl Ctx {
    /// AST generation: write `min` and `max` where a piecewise expression is one.
    pub fn set_option_ast_build_detect_min_max(&self, on: bool) {
        // SAFETY: the context is alive and has all option groups.
        unsafe { ffi::isl_options_set_ast_build_detect_min_max(self.as_ptr(), on.into()) };
    }
}
