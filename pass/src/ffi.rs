//! The C++ shim's functions, as `shim/shim.h` declares them.

use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};
use std::ffi::c_void;

/// A text that is not terminated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const u8,
    size: usize,
}

impl Text {
    /// Borrows `s`; must not outlive it.
    pub const fn new(s: &str) -> Text {
        Text {
            data: s.as_ptr(),
            size: s.len(),
        }
    }

    /// No text.
    pub const EMPTY: Text = Text::new("");

    /// The text as a string.
    ///
    /// # Safety
    /// What it points to is alive.
    pub unsafe fn read(self) -> String {
        if self.size == 0 {
            return String::new();
        }
        let bytes = unsafe { std::slice::from_raw_parts(self.data, self.size) };
        String::from_utf8_lossy(bytes).into_owned()
    }
}

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])* #[repr(C)] pub struct $name { _private: [u8; 0] })*
    };
}

opaque! {
    /// LLVM's PassBuilder.
    PassBuilder;
    /// A module with its analysis managers.
    RawModule;
    /// The analyses of one function.
    RawAnalyses;
    /// LLVM's Loop.
    RawLoop;
    /// LLVM's SCEV.
    RawScev;
}

/// What the pass calls.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Callbacks {
    pub run: unsafe extern "C" fn(module: *mut RawModule, params: Text) -> bool,
    pub check: unsafe extern "C" fn(params: Text) -> bool,
}

/// A part of a remark; plain text if `key` is empty.
#[repr(C)]
pub struct Part {
    pub key: Text,
    pub value: Text,
}

/// A load that may meet written arrays.
#[repr(C)]
pub struct Open {
    /// The load.
    pub load: LLVMValueRef,
    /// The arrays, as bits.
    pub written: u64,
    /// It is compared in any case, else where an address or a branch needs its value.
    pub gather: bool,
    /// One of the arrays is the one that it reads.
    pub own: bool,
}

/// Kinds of remarks.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    Passed,
    Missed,
    Analysis,
}

/// Kinds of scalar evolutions.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code)] // the shim makes them
pub enum Kind {
    Constant,
    Unknown,
    Add,
    Mul,
    AddRec,
    UDiv,
    SMax,
    UMax,
    SMin,
    UMin,
    ZExt,
    SExt,
    Trunc,
    PtrToInt,
    Other,
}

/// What an instruction does.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code)] // the shim makes them
pub enum Effect {
    /// No effect beyond its result.
    Pure,
    Load,
    Store,
    Memset,
    Memcpy,
    Phi,
    /// Carries information for the optimizer only.
    Ignore,
    /// Start or end of a local object's life.
    Lifetime,
    /// `br`.
    Branch,
    /// `unreachable`.
    Trap,
    /// Cannot be part of a statement.
    Cut,
}

/// Which of its operands a sum takes up.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code)] // the shim makes them
pub enum Contraction {
    /// Nobody knows, or copies of the sum differ.
    Unforeseen,
    /// None: products are rounded on their own.
    Apart,
    First,
    Second,
}

type Visit<A> = unsafe extern "C" fn(data: *mut c_void, A);

unsafe extern "C" {
    pub fn pt_register(pb: *mut PassBuilder, callbacks: Callbacks);
    pub fn pt_add_options() -> bool;
    pub fn pt_each_option(data: *mut c_void, visit: Visit<Text>);
    pub fn pt_module(module: *mut RawModule) -> LLVMModuleRef;
    pub fn pt_error(module: *mut RawModule, message: Text);

    pub fn pt_foresee(module: *mut RawModule);
    pub fn pt_forget_foreseen(module: *mut RawModule);
    pub fn pt_contraction(module: *mut RawModule, sum: LLVMValueRef) -> Contraction;
    pub fn pt_allow_contract(sum: LLVMValueRef, allow: bool);
    pub fn pt_operation(call: LLVMValueRef) -> LLVMValueRef;
    pub fn pt_set_callee(call: LLVMValueRef, callee: LLVMValueRef);
    pub fn pt_fuses_all(module: *mut RawModule, function: LLVMValueRef) -> bool;
    pub fn pt_may_be_folded(an: *mut RawAnalyses, call: LLVMValueRef) -> bool;

    pub fn pt_same_body(a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn pt_put_in_place(module: *mut RawModule, of: LLVMValueRef, by: LLVMValueRef);

    pub fn pt_called_depths(
        module: *mut RawModule,
        data: *mut c_void,
        visit: unsafe extern "C" fn(*mut c_void, LLVMValueRef, u32),
    );
    pub fn pt_has_loops(module: *mut RawModule, function: LLVMValueRef) -> bool;
    pub fn pt_has_candidates(module: *mut RawModule, function: LLVMValueRef) -> bool;
    pub fn pt_has_address_taken_blocks(function: LLVMValueRef) -> bool;
    pub fn pt_calls_twice(function: LLVMValueRef) -> bool;
    pub fn pt_clone(module: *mut RawModule, function: LLVMValueRef, name: Text) -> LLVMValueRef;
    pub fn pt_discard(module: *mut RawModule, clone: LLVMValueRef);
    pub fn pt_commit(module: *mut RawModule, function: LLVMValueRef, clone: LLVMValueRef);
    pub fn pt_tidy(module: *mut RawModule, function: LLVMValueRef);
    pub fn pt_canonicalize(module: *mut RawModule, clone: LLVMValueRef, lifts_blocks: bool);
    pub fn pt_verify(function: LLVMValueRef, data: *mut c_void, visit: Visit<Text>);
    pub fn pt_invalidate(module: *mut RawModule, function: LLVMValueRef);
    pub fn pt_split_before(an: *mut RawAnalyses, inst: LLVMValueRef) -> LLVMBasicBlockRef;
    pub fn pt_move_function(moved: LLVMValueRef, before: LLVMValueRef);
    pub fn pt_link_needed(into: LLVMModuleRef, from: LLVMModuleRef) -> bool;
    pub fn pt_inline_call(call: LLVMValueRef) -> bool;
    pub fn pt_distinct_node(context: LLVMContextRef) -> LLVMMetadataRef;
    pub fn pt_add_subprogram(
        parent: LLVMValueRef,
        child: LLVMValueRef,
        line: u32,
    ) -> LLVMMetadataRef;

    pub fn pt_analyses(module: *mut RawModule, function: LLVMValueRef) -> *mut RawAnalyses;
    pub fn pt_analyses_free(an: *mut RawAnalyses);
    pub fn pt_loop_of(an: *mut RawAnalyses, block: LLVMBasicBlockRef) -> *const RawLoop;
    pub fn pt_loop_parent(l: *const RawLoop) -> *const RawLoop;
    pub fn pt_loop_header(l: *const RawLoop) -> LLVMBasicBlockRef;
    pub fn pt_loop_preheader(l: *const RawLoop) -> LLVMBasicBlockRef;
    pub fn pt_loop_latch(l: *const RawLoop) -> LLVMBasicBlockRef;
    pub fn pt_loop_location(l: *const RawLoop) -> LLVMMetadataRef;
    pub fn pt_loop_is_simple(l: *const RawLoop) -> bool;
    pub fn pt_loop_is_done(l: *const RawLoop) -> bool;
    pub fn pt_loop_was_uncounted(l: *const RawLoop) -> bool;
    pub fn pt_loop_directive(l: *const RawLoop, name: *mut Text) -> bool;
    pub fn pt_loop_mark_done(l: *const RawLoop);
    pub fn pt_inst_dominates(an: *mut RawAnalyses, value: LLVMValueRef, inst: LLVMValueRef)
    -> bool;
    pub fn pt_is_well_defined(an: *mut RawAnalyses, value: LLVMValueRef, at: LLVMValueRef) -> bool;
    pub fn pt_edge_dominates(
        an: *mut RawAnalyses,
        from: LLVMBasicBlockRef,
        to: LLVMBasicBlockRef,
        block: LLVMBasicBlockRef,
    ) -> bool;
    pub fn pt_stays_away(
        an: *mut RawAnalyses,
        l: *const RawLoop,
        condition: LLVMValueRef,
        outcome: bool,
    ) -> bool;
    pub fn pt_no_alias(
        an: *mut RawAnalyses,
        base_a: LLVMValueRef,
        access_a: LLVMValueRef,
        base_b: LLVMValueRef,
        access_b: LLVMValueRef,
        scopes: bool,
    ) -> bool;
    pub fn pt_other_type(an: *mut RawAnalyses, a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn pt_may_load(an: *mut RawAnalyses, load: LLVMValueRef, before: LLVMValueRef) -> bool;
    pub fn pt_is_ragged(call: LLVMValueRef) -> bool;
    pub fn pt_runs_abreast(call: LLVMValueRef) -> bool;
    pub fn pt_ragged_loads(
        call: LLVMValueRef,
        data: *mut c_void,
        visit: unsafe extern "C" fn(*mut c_void, LLVMValueRef, LLVMValueRef),
    );
    pub fn pt_show_ragged(module: *mut RawModule, function: LLVMValueRef);
    pub fn pt_inline_calls(module: *mut RawModule, copy: LLVMValueRef);
    pub fn pt_inlined(
        module: *mut RawModule,
        copy: LLVMValueRef,
        data: *mut c_void,
        visit: Visit<LLVMBasicBlockRef>,
    );
    pub fn pt_show_calls(module: *mut RawModule, copy: LLVMValueRef) -> bool;
    pub fn pt_is_of_block(inst: LLVMValueRef) -> bool;
    pub fn pt_block_bytes(
        pointer: LLVMValueRef,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        data: *mut c_void,
        visit: Visit<LLVMValueRef>,
    );
    pub fn pt_failing(terminator: LLVMValueRef) -> LLVMBasicBlockRef;
    pub fn pt_show_blocks(module: *mut RawModule, copy: LLVMValueRef) -> bool;
    pub fn pt_inspector(
        module: *mut RawModule,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        exit: LLVMBasicBlockRef,
        loads: *const Open,
        load_count: usize,
        share: *mut f64,
        data: *mut c_void,
        visit: unsafe extern "C" fn(*mut c_void, LLVMValueRef),
    ) -> LLVMValueRef;
    pub fn pt_object_size(an: *mut RawAnalyses, pointer: LLVMValueRef) -> u64;
    pub fn pt_place(
        an: *mut RawAnalyses,
        address: LLVMValueRef,
        distance: *mut i64,
    ) -> LLVMValueRef;
    pub fn pt_alignment(an: *mut RawAnalyses, pointer: LLVMValueRef) -> u64;
    pub fn pt_is_captured(pointer: LLVMValueRef) -> bool;
    pub fn pt_is_dead_behind(
        an: *mut RawAnalyses,
        pointer: LLVMValueRef,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
        exit: LLVMBasicBlockRef,
    ) -> bool;
    pub fn pt_is_blank_before(
        an: *mut RawAnalyses,
        pointer: LLVMValueRef,
        blocks: *const LLVMBasicBlockRef,
        count: usize,
    ) -> bool;

    pub fn pt_has_evolution(an: *mut RawAnalyses, value: LLVMValueRef) -> bool;
    pub fn pt_evolution(
        an: *mut RawAnalyses,
        value: LLVMValueRef,
        scope: LLVMBasicBlockRef,
    ) -> *const RawScev;
    pub fn pt_kind(s: *const RawScev) -> Kind;
    pub fn pt_width(an: *mut RawAnalyses, s: *const RawScev) -> u32;
    pub fn pt_signed_range(
        an: *mut RawAnalyses,
        s: *const RawScev,
        least: *mut i64,
        greatest: *mut i64,
    );
    pub fn pt_size(s: *const RawScev) -> u32;
    pub fn pt_operand_count(s: *const RawScev) -> usize;
    pub fn pt_operand(s: *const RawScev, i: usize) -> *const RawScev;
    pub fn pt_recurrence_loop(s: *const RawScev) -> *const RawLoop;
    pub fn pt_wrap_flags(s: *const RawScev) -> u32;
    pub fn pt_unknown(s: *const RawScev) -> LLVMValueRef;
    pub fn pt_constant(s: *const RawScev) -> LLVMValueRef;
    pub fn pt_expanded(
        an: *mut RawAnalyses,
        s: *const RawScev,
        before: LLVMValueRef,
    ) -> LLVMValueRef;
    pub fn pt_difference(
        an: *mut RawAnalyses,
        a: *const RawScev,
        b: *const RawScev,
    ) -> *const RawScev;
    pub fn pt_bits(
        an: *mut RawAnalyses,
        value: LLVMValueRef,
        from: u32,
        bits: u32,
    ) -> *const RawScev;
    pub fn pt_pointer_base(an: *mut RawAnalyses, s: *const RawScev) -> *const RawScev;
    pub fn pt_without_base(an: *mut RawAnalyses, s: *const RawScev) -> *const RawScev;
    pub fn pt_backedge_count(an: *mut RawAnalyses, l: *const RawLoop) -> *const RawScev;
    pub fn pt_exit_count(
        an: *mut RawAnalyses,
        l: *const RawLoop,
        exiting: LLVMBasicBlockRef,
    ) -> *const RawScev;
    pub fn pt_predicated_count(
        an: *mut RawAnalyses,
        l: *const RawLoop,
        exiting: LLVMBasicBlockRef,
        data: *mut c_void,
        visit: unsafe extern "C" fn(*mut c_void, u32, *const RawScev, *const RawScev),
    ) -> *const RawScev;
    pub fn pt_counts_in(an: *mut RawAnalyses, l: *const RawLoop, ty: LLVMTypeRef) -> bool;
    pub fn pt_canonical_iv(
        an: *mut RawAnalyses,
        l: *const RawLoop,
        ty: LLVMTypeRef,
    ) -> LLVMValueRef;

    pub fn pt_effect(inst: LLVMValueRef) -> Effect;
    pub fn pt_intrinsic(inst: LLVMValueRef, name: *mut Text) -> u32;
    pub fn pt_clear_fast_math(inst: LLVMValueRef);
    pub fn pt_alike(a: LLVMValueRef, b: LLVMValueRef) -> bool;
    pub fn pt_mnemonic(inst: LLVMValueRef, name: *mut Text) -> u32;
    pub fn pt_called(call: LLVMValueRef, data: *mut c_void, visit: Visit<Text>);
    pub fn pt_variable(value: LLVMValueRef, name: *mut Text);
    pub fn pt_float_bits(constant: LLVMValueRef, bits: *mut u64) -> bool;
    pub fn pt_int_constant(constant: LLVMValueRef, low: *mut u64, high: *mut u64) -> bool;
    pub fn pt_strip_lifetimes_in_loops(an: *mut RawAnalyses, function: LLVMValueRef);

    pub fn pt_remarks_wanted(module: *mut RawModule, function: LLVMValueRef) -> bool;
    pub fn pt_remark(
        module: *mut RawModule,
        kind: RemarkKind,
        name: Text,
        function: LLVMValueRef,
        location: LLVMMetadataRef,
        parts: *const Part,
        count: usize,
    );
}
