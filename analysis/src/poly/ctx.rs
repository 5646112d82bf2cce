//! The context that all polyhedral objects of one analysis share.
//!
//! A [`Ctx`] is a cheap handle, not `Send`: one thread, one context. It lives as long as any
//! object made in it. It counts the work that is done with them (see [`meter`](super::meter)).

use std::ptr::NonNull;
use std::rc::Rc;

use super::ffi;
use super::meter::Meter;

/// A polyhedral context; clones share it.
#[derive(Clone, Debug)]
pub struct Ctx(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    isl: NonNull<ffi::isl_ctx>,
    meter: Meter,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: every object holds a reference to this, so none is left.
        unsafe { ffi::isl_ctx_free(self.isl.as_ptr()) }
    }
}

impl Default for Ctx {
    fn default() -> Self {
        Self::new()
    }
}

/// Which scheduler [`ScheduleConstraints::compute_schedule`](super::ScheduleConstraints) runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleAlgorithm {
    /// isl's variant of Pluto's algorithm.
    Isl = 0,
    /// Feautrier's algorithm.
    Feautrier = 1,
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
            }))
        }
    }

    pub(super) fn as_ptr(&self) -> *mut ffi::isl_ctx {
        self.0.isl.as_ptr()
    }

    pub(super) fn meter(&self) -> &Meter {
        &self.0.meter
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

macro_rules! options {
    ($($(#[$m:meta])* $name:ident = $f:ident;)*) => {
        impl Ctx {
            $($(#[$m])*
            pub fn $name(&self, on: bool) {
                // SAFETY: the context is alive and has all option groups.
                unsafe { ffi::$f(self.as_ptr(), on.into()); }
            })*
        }
    };
}

options! {
    /// Loop bounds that are one expression, `i <= min(a, b)`, instead of a conjunction.
    set_option_ast_build_atomic_upper_bound = isl_options_set_ast_build_atomic_upper_bound;
    /// Use `/` and `%` of non-negative operands where the operand is known to be non-negative.
    set_option_ast_build_prefer_pdiv = isl_options_set_ast_build_prefer_pdiv;
    /// Write `min` and `max` where a piecewise expression is one.
    set_option_ast_build_detect_min_max = isl_options_set_ast_build_detect_min_max;
    /// Derive conditions from the bounds of enclosing loops.
    set_option_ast_build_exploit_nested_bounds = isl_options_set_ast_build_exploit_nested_bounds;
    /// Keep statements that are scheduled together in one group when ordering them.
    set_option_ast_build_group_coscheduled = isl_options_set_ast_build_group_coscheduled;
    /// Let strided loops count by one.
    set_option_ast_build_scale_strides = isl_options_set_ast_build_scale_strides;
    /// Allow `else` branches.
    set_option_ast_build_allow_else = isl_options_set_ast_build_allow_else;
    /// Allow disjunctions in conditions.
    set_option_ast_build_allow_or = isl_options_set_ast_build_allow_or;
    /// Scheduler: insist on an outermost coincident member.
    set_option_schedule_outer_coincidence = isl_options_set_schedule_outer_coincidence;
    /// Scheduler: as many coincident members as possible.
    set_option_schedule_maximize_coincidence = isl_options_set_schedule_maximize_coincidence;
    /// Scheduler: bands as deep as possible.
    set_option_schedule_maximize_band_depth = isl_options_set_schedule_maximize_band_depth;
    /// Scheduler: strongly connected components one after the other, no fusion.
    set_option_schedule_serialize_sccs = isl_options_set_schedule_serialize_sccs;
    /// Scheduler: connected components as a whole, maximal fusion.
    set_option_schedule_whole_component = isl_options_set_schedule_whole_component;
    /// Scheduler: separate independent components.
    set_option_schedule_separate_components = isl_options_set_schedule_separate_components;
    /// Scheduler: avoid loop coalescing schedules.
    set_option_schedule_treat_coalescing = isl_options_set_schedule_treat_coalescing;
    /// Scheduler: split scaled schedules.
    set_option_schedule_split_scaled = isl_options_set_schedule_split_scaled;
    /// Scheduler: carry the self-dependences first.
    set_option_schedule_carry_self_first = isl_options_set_schedule_carry_self_first;
    /// Tiling: tile loops count original iterations, not tiles.
    set_option_tile_scale_tile_loops = isl_options_set_tile_scale_tile_loops;
    /// Tiling: point loops start at zero.
    set_option_tile_shift_point_loops = isl_options_set_tile_shift_point_loops;
}

impl Ctx {
    /// Chooses isl's own scheduler.
    pub fn set_option_schedule_algorithm(&self, algorithm: ScheduleAlgorithm) {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_options_set_schedule_algorithm(self.as_ptr(), algorithm as i32) };
    }

    /// Scheduler: bound on the coefficients of schedule rows; -1 means none.
    pub fn set_option_schedule_max_coefficient(&self, bound: i32) {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_options_set_schedule_max_coefficient(self.as_ptr(), bound) };
    }

    /// Scheduler: bound on the constant terms of schedule rows; -1 means none.
    pub fn set_option_schedule_max_constant_term(&self, bound: i32) {
        // SAFETY: the context is alive.
        unsafe { ffi::isl_options_set_schedule_max_constant_term(self.as_ptr(), bound) };
    }
}
