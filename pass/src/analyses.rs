//! LLVM's analyses of one function: loops, dominance, scalar evolutions, aliasing.

pub use crate::ffi::Contraction;
use crate::ffi::{self, Kind, RawAnalyses, RawLoop, RawModule, RawScev, Text};
use crate::llvm::{Block, Value};
use llvm_sys::prelude::{LLVMMetadataRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::c_void;

/// The analyses of one function. They stay right while blocks are split and PHIs of one operand are added, and for
/// nothing more.
pub struct Analyses {
    raw: *mut RawAnalyses,
    module: *mut RawModule,
    function: Value,
}

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loop(*const RawLoop);

/// A scalar evolution; equal ones are identical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Evolution(*const RawScev);

/// A comparison of evolutions: LLVM's number of the predicate, left and right side.
pub type Comparison = (u32, Evolution, Evolution);

impl Drop for Analyses {
    fn drop(&mut self) {
        unsafe { ffi::pt_analyses_free(self.raw) }
    }
}

fn present<T>(p: *const T) -> Option<*const T> {
    (!p.is_null()).then_some(p)
}

impl Analyses {
    /// Analyses of `function`.
    ///
    /// # Safety
    /// The module is alive, and the function belongs to it.
    pub unsafe fn new(module: *mut RawModule, function: Value) -> Analyses {
        let raw = unsafe { ffi::pt_analyses(module, function.0) };
        Analyses {
            raw,
            module,
            function,
        }
    }

    /// The module that the function is in.
    pub fn module(&self) -> *mut RawModule {
        self.module
    }

    /// The innermost loop around a block.
    pub fn loop_of(&self, b: Block) -> Option<Loop> {
        present(unsafe { ffi::pt_loop_of(self.raw, b.0) }).map(Loop)
    }

    /// Whether instruction `value` dominates instruction `inst`.
    pub fn instruction_dominates(&self, value: Value, inst: Value) -> bool {
        unsafe { ffi::pt_inst_dominates(self.raw, value.0, inst.0) }
    }

    /// Whether every way to `block` takes the edge.
    pub fn edge_dominates(&self, from: Block, to: Block, block: Block) -> bool {
        unsafe { ffi::pt_edge_dominates(self.raw, from.0, to.0, block.0) }
    }

    /// Whether a condition that does not have this outcome in the first iteration of a loop never has it.
    pub fn stays_away(&self, l: Loop, condition: Value, outcome: bool) -> bool {
        unsafe { ffi::pt_stays_away(self.raw, l.0, condition.0, outcome) }
    }

    /// Whether a value is neither undefined nor poison where instruction `at` runs.
    pub fn is_well_defined(&self, v: Value, at: Value) -> bool {
        unsafe { ffi::pt_is_well_defined(self.raw, v.0, at.0) }
    }

    /// Splits a block before an instruction; returns the block that starts with it.
    pub fn split_before(&self, inst: Value) -> Block {
        Block(unsafe { ffi::pt_split_before(self.raw, inst.0) })
    }

    /// Whether two accesses, through these base pointers, never overlap in any two iterations of loops that compute
    /// neither base. `scopes`: alias scopes may be used, because none of these loops declares one.
    pub fn no_alias(&self, a: (Value, Value), b: (Value, Value), scopes: bool) -> bool {
        unsafe { ffi::pt_no_alias(self.raw, a.0.0, a.1.0, b.0.0, b.1.0, scopes) }
    }

    /// Whether two accesses never touch one byte because of their types, wherever they are.
    pub fn other_type(&self, a: Value, b: Value) -> bool {
        unsafe { ffi::pt_other_type(self.raw, a.0, b.0) }
    }

    /// Which of its operands a sum will take up where the front end leaves that open.
    pub fn contraction(&self, sum: Value) -> Contraction {
        unsafe { ffi::pt_contraction(self.module, sum.0) }
    }

    /// Whether the compiler may compute a call of a mathematical function in advance, and other than the program would.
    pub fn may_be_folded(&self, call: Value) -> bool {
        unsafe { ffi::pt_may_be_folded(self.raw, call.0) }
    }

    /// Whether the back end fuses all sums with products of the function, whatever their flags say.
    pub fn fuses_all(&self) -> bool {
        unsafe { ffi::pt_fuses_all(self.module, self.function.0) }
    }

    /// Whether the memory that a load reads is known to be there before an instruction, even if the load does not run.
    pub fn may_load(&self, load: Value, before: Value) -> bool {
        unsafe { ffi::pt_may_load(self.raw, load.0, before.0) }
    }

    /// Bytes of the local or global object that a pointer names.
    pub fn object_size(&self, pointer: Value) -> Option<u64> {
        let size = unsafe { ffi::pt_object_size(self.raw, pointer.0) };
        (size != 0).then_some(size)
    }

    /// Whether nobody reads what the blocks of a region leave in the object that a pointer points into; `exit` is the block after them.
    pub fn is_dead_behind(&self, pointer: Value, blocks: &[Block], exit: Block) -> bool {
        let blocks: Vec<_> = blocks.iter().map(|b| b.0).collect();
        unsafe {
            let (first, count) = (blocks.as_ptr(), blocks.len());
            ffi::pt_is_dead_behind(self.raw, pointer.0, first, count, exit.0)
        }
    }

    /// Whether the object that a pointer points into has no content yet where the blocks of a region begin.
    pub fn is_blank_before(&self, pointer: Value, blocks: &[Block]) -> bool {
        let blocks: Vec<_> = blocks.iter().map(|b| b.0).collect();
        unsafe { ffi::pt_is_blank_before(self.raw, pointer.0, blocks.as_ptr(), blocks.len()) }
    }

    /// The pointer that an address lies at a constant distance of, and the distance in bytes.
    pub fn place(&self, address: Value) -> (Value, i64) {
        let mut distance = 0;
        let base = unsafe { ffi::pt_place(self.raw, address.0, &mut distance) };
        (Value(base), distance)
    }

    /// Alignment of a pointer in bytes.
    pub fn alignment(&self, pointer: Value) -> u64 {
        unsafe { ffi::pt_alignment(self.raw, pointer.0) }
    }

    /// The evolution of a value as seen from a block (`None`: where it is computed).
    pub fn evolution(&self, v: Value, scope: Option<Block>) -> Option<Evolution> {
        let scope = scope.map_or(std::ptr::null_mut(), |b| b.0);
        unsafe {
            ffi::pt_has_evolution(self.raw, v.0)
                .then(|| Evolution(ffi::pt_evolution(self.raw, v.0, scope)))
        }
    }

    /// Bits of an evolution.
    pub fn width(&self, s: Evolution) -> u32 {
        unsafe { ffi::pt_width(self.raw, s.0) }
    }

    /// The least and the greatest value, of 64 bits and read as signed.
    pub fn signed_range(&self, s: Evolution) -> (i64, i64) {
        let (mut least, mut greatest) = (i64::MIN, i64::MAX);
        unsafe { ffi::pt_signed_range(self.raw, s.0, &mut least, &mut greatest) };
        (least, greatest)
    }

    /// The loads of an inner loop that a call stands for, with the pointers that they begin with where these are known.
    pub fn ragged_loads(&self, call: Value) -> Vec<(Option<Value>, Value)> {
        type Loads = Vec<(Option<Value>, Value)>;
        unsafe extern "C" fn note(data: *mut c_void, base: LLVMValueRef, load: LLVMValueRef) {
            let base = (!base.is_null()).then_some(Value(base));
            unsafe { (*data.cast::<Loads>()).push((base, Value(load))) }
        }
        let mut loads: Loads = vec![];
        unsafe { ffi::pt_ragged_loads(call.0, (&raw mut loads).cast(), note) };
        loads
    }

    /// What computes an evolution without recurrences, in front of an instruction.
    pub fn expanded(&self, s: Evolution, before: Value) -> Option<Value> {
        let v = unsafe { ffi::pt_expanded(self.raw, s.0, before.0) };
        (!v.is_null()).then_some(Value(v))
    }

    /// Bits of a value, from one on and so many.
    pub fn bits(&self, v: Value, (from, bits): (u32, u32)) -> Evolution {
        Evolution(unsafe { ffi::pt_bits(self.raw, v.0, from, bits) })
    }

    /// An integer less another one.
    pub fn difference(&self, a: Evolution, b: Evolution) -> Evolution {
        Evolution(unsafe { ffi::pt_difference(self.raw, a.0, b.0) })
    }

    /// An address as base pointer and offset.
    pub fn split_address(&self, s: Evolution) -> (Evolution, Evolution) {
        unsafe {
            let base = Evolution(ffi::pt_pointer_base(self.raw, s.0));
            (base, Evolution(ffi::pt_without_base(self.raw, s.0)))
        }
    }

    /// How often the back edge of a loop is taken.
    pub fn backedge_count(&self, l: Loop) -> Option<Evolution> {
        present(unsafe { ffi::pt_backedge_count(self.raw, l.0) }).map(Evolution)
    }

    /// How often the back edge is taken before the exit in this block is.
    pub fn exit_count(&self, l: Loop, exiting: Block) -> Option<Evolution> {
        present(unsafe { ffi::pt_exit_count(self.raw, l.0, exiting.0) }).map(Evolution)
    }

    /// How often the back edge is taken, and the conditions under which that is so; `exiting`: the only block that leaves the loop.
    pub fn predicated_count(
        &self,
        l: Loop,
        exiting: Option<Block>,
    ) -> Option<(Evolution, Vec<Comparison>)> {
        unsafe extern "C" fn visit(
            data: *mut c_void,
            predicate: u32,
            lhs: *const RawScev,
            rhs: *const RawScev,
        ) {
            let found = unsafe { &mut *data.cast::<Vec<Comparison>>() };
            found.push((predicate, Evolution(lhs), Evolution(rhs)));
        }
        let mut found: Vec<Comparison> = vec![];
        let data = (&raw mut found).cast();
        let exiting = exiting.map_or(std::ptr::null_mut(), |b| b.0);
        let count = unsafe { ffi::pt_predicated_count(self.raw, l.0, exiting, data, visit) };
        Some((Evolution(present(count)?), found))
    }

    /// Whether the program counts in a type in a loop, by whatever step.
    pub fn counts_in(&self, l: Loop, ty: LLVMTypeRef) -> bool {
        unsafe { ffi::pt_counts_in(self.raw, l.0, ty) }
    }

    /// The counter of a loop that starts at 0 and ascends by 1; made if there is none.
    pub fn canonical_iv(&self, l: Loop, ty: LLVMTypeRef) -> Value {
        Value(unsafe { ffi::pt_canonical_iv(self.raw, l.0, ty) })
    }

    /// Removes the life markers of objects that begin or end in a loop of `function`.
    pub fn strip_lifetimes_in_loops(&self, function: Value) {
        unsafe { ffi::pt_strip_lifetimes_in_loops(self.raw, function.0) }
    }
}

impl Loop {
    /// The enclosing loop.
    pub fn parent(self) -> Option<Loop> {
        present(unsafe { ffi::pt_loop_parent(self.0) }).map(Loop)
    }

    /// The first block.
    pub fn header(self) -> Block {
        Block(unsafe { ffi::pt_loop_header(self.0) })
    }

    /// The block with the only back edge. Loops in simplified form have one.
    pub fn latch(self) -> Block {
        Block(unsafe { ffi::pt_loop_latch(self.0) })
    }

    /// The block in front of it that leads only there.
    pub fn preheader(self) -> Option<Block> {
        let found = unsafe { ffi::pt_loop_preheader(self.0) };
        (!found.is_null()).then_some(Block(found))
    }

    /// Whether it has one preheader, one latch and exits of its own.
    pub fn is_simple(self) -> bool {
        unsafe { ffi::pt_loop_is_simple(self.0) }
    }

    /// Whether it is the result of a transformation or the original beside one.
    pub fn is_done(self) -> bool {
        unsafe { ffi::pt_loop_is_done(self.0) }
    }

    /// Whether nobody knew how often it runs before its counter was settled.
    pub fn was_uncounted(self) -> bool {
        unsafe { ffi::pt_loop_was_uncounted(self.0) }
    }

    /// What the user has ordered for it (`unroll.disable`, `vectorize.width`), if anything.
    pub fn directive(self) -> Option<String> {
        let mut name = Text::EMPTY;
        unsafe { ffi::pt_loop_directive(self.0, &mut name).then(|| name.read()) }
    }

    /// Says that it is.
    pub fn mark_done(self) {
        unsafe { ffi::pt_loop_mark_done(self.0) }
    }

    /// Its position in the source; may be null.
    pub fn location(self) -> LLVMMetadataRef {
        unsafe { ffi::pt_loop_location(self.0) }
    }
}

impl Evolution {
    /// What it is.
    pub fn kind(self) -> Kind {
        unsafe { ffi::pt_kind(self.0) }
    }

    /// Number of nodes of the expression as a tree.
    pub fn size(self) -> u32 {
        unsafe { ffi::pt_size(self.0) }
    }

    /// Operands.
    pub fn operands(self) -> Vec<Evolution> {
        unsafe {
            (0..ffi::pt_operand_count(self.0))
                .map(|i| Evolution(ffi::pt_operand(self.0, i)))
                .collect()
        }
    }

    /// The loop of a recurrence.
    pub fn recurrence_loop(self) -> Loop {
        Loop(unsafe { ffi::pt_recurrence_loop(self.0) })
    }

    /// Whether it wraps neither unsigned nor signed.
    pub fn wrap_flags(self) -> (bool, bool) {
        let flags = unsafe { ffi::pt_wrap_flags(self.0) };
        (flags & 1 != 0, flags & 2 != 0)
    }

    /// The value of an unknown.
    pub fn unknown(self) -> Value {
        Value(unsafe { ffi::pt_unknown(self.0) })
    }

    /// The value of a constant.
    pub fn constant(self) -> Option<i128> {
        Value(unsafe { ffi::pt_constant(self.0) }).int_constant()
    }
}
