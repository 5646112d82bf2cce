// What the shim offers to Rust (pass/src/ffi.rs declares the same). LLVM's C interface has no passes, no scalar
// evolutions, no loops and no remarks; these functions add exactly that. Nothing here takes a decision.
#pragma once

#include "llvm-c/Types.h"
#include <cstddef>
#include <cstdint>

namespace llvm {
class PassBuilder;
}

extern "C" {

// A text that is not terminated.
struct PtText {
  const char *data;
  size_t size;
};

// What Rust gives to the pass.
struct PtCallbacks {
  // Runs on one module; true if it changed.
  bool (*run)(struct PtModule *module, PtText params);
  // Whether the parameters of the pass are valid; says what is wrong on the error stream.
  bool (*check)(PtText params);
};

struct PtModule;
struct PtAnalyses;

void pt_register(llvm::PassBuilder *pb, PtCallbacks callbacks);

// Makes the command line option `-polytile-` known to LLVM, once per process; false if another copy of this file has.
bool pt_add_options();
// Calls back with every `NAME=VALUE` behind `-polytile-`, in order.
void pt_each_option(void *data, void (*visit)(void *data, PtText option));

// module ----------------------------------------------------------------------------------------------------------
LLVMModuleRef pt_module(PtModule *module);
void pt_error(PtModule *module, PtText message);

// contraction.cpp: which of its operands a sum takes up as a product
enum PtContraction { PT_UNFORESEEN, PT_APART, PT_FIRST, PT_SECOND };
void pt_foresee(PtModule *module);
// Takes away what was said of functions of ours.
void pt_forget_foreseen(PtModule *module);
PtContraction pt_contraction(PtModule *module, LLVMValueRef sum);
void pt_allow_contract(LLVMValueRef sum, bool allow);
// The operation that a call of the library is; null where it is none, or may set errno.
LLVMValueRef pt_operation(LLVMValueRef call);
// Gives a call another callee of the same type.
void pt_set_callee(LLVMValueRef call, LLVMValueRef callee);
bool pt_fuses_all(PtModule *module, LLVMValueRef function);

// folded.cpp: whether the compiler may compute a call of a mathematical function in advance, and other than the program would
bool pt_may_be_folded(PtAnalyses *an, LLVMValueRef call);

// called.cpp: for each function that is defined, how many loops are around its calls, and those of its callers, at most
void pt_called_depths(PtModule *module, void *data, void (*visit)(void *, LLVMValueRef, unsigned));

// same.cpp: new functions that do the same, and one of them in the place of the other
bool pt_same_body(LLVMValueRef a, LLVMValueRef b);
void pt_put_in_place(PtModule *module, LLVMValueRef of, LLVMValueRef by);

// clone.cpp: a working copy of a function, and how it takes the original's place
bool pt_has_loops(PtModule *module, LLVMValueRef function);
bool pt_has_candidates(PtModule *module, LLVMValueRef function);
bool pt_has_address_taken_blocks(LLVMValueRef function);
// Whether it calls a function that may return twice.
bool pt_calls_twice(LLVMValueRef function);
LLVMValueRef pt_clone(PtModule *module, LLVMValueRef function, PtText name);
void pt_discard(PtModule *module, LLVMValueRef clone);
void pt_commit(PtModule *module, LLVMValueRef function, LLVMValueRef clone);
// Computes once what a new function computes twice: emission does not look, and no pass behind this one does.
void pt_tidy(PtModule *module, LLVMValueRef function);
void pt_canonicalize(PtModule *module, LLVMValueRef clone, bool lifts_blocks);
// Calls back with what is wrong with a function, if anything is.
void pt_verify(LLVMValueRef function, void *data, void (*visit)(void *data, PtText problem));
void pt_invalidate(PtModule *module, LLVMValueRef function);
LLVMBasicBlockRef pt_split_before(PtAnalyses *an, LLVMValueRef inst);
void pt_move_function(LLVMValueRef moved, LLVMValueRef before);
LLVMMetadataRef pt_distinct_node(LLVMContextRef context);
LLVMMetadataRef pt_add_subprogram(LLVMValueRef parent, LLVMValueRef child, unsigned line);

// runtime.cpp: the run-time of emitted code
// Adds those functions of `from` that `into` declares, and what they need; `from` is gone then.
bool pt_link_needed(LLVMModuleRef into, LLVMModuleRef from);
bool pt_inline_call(LLVMValueRef call);

// analyses.cpp: loops, dominance and aliasing of one function
PtAnalyses *pt_analyses(PtModule *module, LLVMValueRef function);
void pt_analyses_free(PtAnalyses *an);
const void *pt_loop_of(PtAnalyses *an, LLVMBasicBlockRef block);
const void *pt_loop_parent(const void *loop);
LLVMBasicBlockRef pt_loop_header(const void *loop);
LLVMBasicBlockRef pt_loop_latch(const void *loop);
LLVMBasicBlockRef pt_loop_preheader(const void *loop);
LLVMMetadataRef pt_loop_location(const void *loop);
bool pt_loop_is_simple(const void *loop);
bool pt_loop_is_done(const void *loop);
bool pt_loop_was_uncounted(const void *loop);
// The user's directive on how the loop is to be transformed, if there is one.
bool pt_loop_directive(const void *loop, PtText *name);
void pt_loop_mark_done(const void *loop);
bool pt_inst_dominates(PtAnalyses *an, LLVMValueRef value, LLVMValueRef inst);
bool pt_is_well_defined(PtAnalyses *an, LLVMValueRef value, LLVMValueRef at);
bool pt_edge_dominates(PtAnalyses *an, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef block);
// Whether a condition of a loop that does not have this outcome in its first iteration never has it.
bool pt_stays_away(PtAnalyses *an, const void *loop, LLVMValueRef condition, bool outcome);
bool pt_no_alias(PtAnalyses *an, LLVMValueRef base_a, LLVMValueRef access_a, LLVMValueRef base_b,
                 LLVMValueRef access_b, bool scopes);
// Whether the types of two accesses keep them apart, wherever they are.
bool pt_other_type(PtAnalyses *an, LLVMValueRef a, LLVMValueRef b);
// Whether memory that a load reads is known to be there before an instruction.
bool pt_may_load(PtAnalyses *an, LLVMValueRef load, LLVMValueRef before);
bool pt_is_ragged(LLVMValueRef call);
// Whether a hidden loop may run for several iterations of the loop around it at once.
bool pt_runs_abreast(LLVMValueRef call);
void pt_ragged_loads(LLVMValueRef call, void *data, void (*visit)(void *, LLVMValueRef, LLVMValueRef));
void pt_show_ragged(PtModule *module, LLVMValueRef function);

// inlined.cpp: calls in loops give way to the bodies of what they call, and get their places back; false if one cannot
void pt_inline_calls(PtModule *module, LLVMValueRef copy);
// The blocks of these bodies.
void pt_inlined(PtModule *module, LLVMValueRef copy, void *data, void (*visit)(void *data, LLVMBasicBlockRef block));
bool pt_show_calls(PtModule *module, LLVMValueRef copy);
// blocks.cpp: one pointer for the blocks that each iteration of a loop allocates
// Whether an instruction allocates or frees such a block, or says where that is.
bool pt_is_of_block(LLVMValueRef inst);
// How many bytes each place between these blocks allocates for a pointer that stands for such blocks.
void pt_block_bytes(LLVMValueRef pointer, const LLVMBasicBlockRef *blocks, size_t count, void *data, void (*visit)(void *, LLVMValueRef));
// Where a branch goes if there is no memory for such blocks; null if it asks for something else.
LLVMBasicBlockRef pt_failing(LLVMValueRef terminator);
// Each iteration has its own pointer again; false if a use is in none.
bool pt_show_blocks(PtModule *module, LLVMValueRef copy);
// inspect.cpp: a function that finds out whether a region reads what it writes
// A load that may meet written arrays, by number (bits of `written`). `gather`: it is compared in any case, else where an address or a
// branch needs its value. `own`: one of them is the array that it reads.
struct PtOpen {
  LLVMValueRef load;
  uint64_t written;
  bool gather, own;
};
// `uint64_t (const uint64_t *inputs, const uint64_t (*)[2], uint64_t part, uint64_t parts)`: whether a load of the blocks meets one of the
// arrays that it may meet, given the first byte and the end of each, in a part of the iterations. Null if a branch or an address depends
// on what the region writes. Calls back with the inputs; `share` is the part of the region's time that it takes.
LLVMValueRef pt_inspector(PtModule *module, const LLVMBasicBlockRef *blocks, size_t count, LLVMBasicBlockRef exit,
                          const PtOpen *loads, size_t load_count, double *share, void *data,
                          void (*visit)(void *data, LLVMValueRef input));
uint64_t pt_object_size(PtAnalyses *an, LLVMValueRef pointer);
// The pointer that an address lies at a constant distance of, and the distance.
LLVMValueRef pt_place(PtAnalyses *an, LLVMValueRef address, int64_t *distance);
uint64_t pt_alignment(PtAnalyses *an, LLVMValueRef pointer);
// Whether a pointer may go to where others find it: memory, a function that keeps it, the caller.
bool pt_is_captured(LLVMValueRef pointer);
// dead.cpp: whether nobody reads what the blocks of a region leave in the object behind a pointer; `exit` is the block after them.
bool pt_is_dead_behind(PtAnalyses *an, LLVMValueRef pointer, const LLVMBasicBlockRef *blocks, size_t count,
                       LLVMBasicBlockRef exit);
// dead.cpp: whether nobody has written to the object behind a pointer when the blocks begin.
bool pt_is_blank_before(PtAnalyses *an, LLVMValueRef pointer, const LLVMBasicBlockRef *blocks, size_t count);

// evolution.cpp: scalar evolutions
enum PtKind {
  PT_CONSTANT, PT_UNKNOWN, PT_ADD, PT_MUL, PT_ADDREC, PT_UDIV, PT_SMAX, PT_UMAX, PT_SMIN, PT_UMIN, PT_ZEXT, PT_SEXT,
  PT_TRUNC, PT_PTRTOINT, PT_OTHER
};
bool pt_has_evolution(PtAnalyses *an, LLVMValueRef value);
const void *pt_evolution(PtAnalyses *an, LLVMValueRef value, LLVMBasicBlockRef scope);
PtKind pt_kind(const void *scev);
unsigned pt_width(PtAnalyses *an, const void *scev);
void pt_signed_range(PtAnalyses *an, const void *scev, int64_t *least, int64_t *greatest);
unsigned pt_size(const void *scev);
size_t pt_operand_count(const void *scev);
const void *pt_operand(const void *scev, size_t i);
const void *pt_recurrence_loop(const void *scev);
unsigned pt_wrap_flags(const void *scev);
LLVMValueRef pt_unknown(const void *scev);
LLVMValueRef pt_constant(const void *scev);
// An instruction that computes an evolution without recurrences in front of another, or null where that is not possible.
LLVMValueRef pt_expanded(PtAnalyses *an, const void *scev, LLVMValueRef before);
const void *pt_bits(PtAnalyses *An, LLVMValueRef V, unsigned From, unsigned Bits);
// Of two integers.
const void *pt_difference(PtAnalyses *an, const void *a, const void *b);
const void *pt_pointer_base(PtAnalyses *an, const void *scev);
const void *pt_without_base(PtAnalyses *an, const void *scev);
const void *pt_backedge_count(PtAnalyses *an, const void *loop);
const void *pt_exit_count(PtAnalyses *an, const void *loop, LLVMBasicBlockRef exiting);
// `exiting`: the only block that leaves the loop, or null.
const void *pt_predicated_count(PtAnalyses *an, const void *loop, LLVMBasicBlockRef exiting, void *data,
                                void (*visit)(void *data, unsigned predicate, const void *lhs, const void *rhs));
// Whether the program counts in a type in a loop.
bool pt_counts_in(PtAnalyses *an, const void *loop, LLVMTypeRef type);
LLVMValueRef pt_canonical_iv(PtAnalyses *an, const void *loop, LLVMTypeRef type);

// instruction.cpp: what an instruction does
enum PtEffect {
  PT_PURE, PT_LOAD, PT_STORE, PT_MEMSET, PT_MEMCPY, PT_PHI, PT_IGNORE, PT_LIFETIME, PT_BRANCH, PT_TRAP, PT_CUT
};
PtEffect pt_effect(LLVMValueRef inst);
unsigned pt_intrinsic(LLVMValueRef inst, PtText *name);
// The name of what a call calls, as the source has it; not called for intrinsics and unknown functions.
void pt_called(LLVMValueRef call, void *data, void (*visit)(void *data, PtText name));
void pt_variable(LLVMValueRef value, PtText *name);
bool pt_float_bits(LLVMValueRef constant, uint64_t *bits);
bool pt_int_constant(LLVMValueRef constant, uint64_t *low, uint64_t *high);
// LLVM's C interface can only add such flags.
void pt_clear_fast_math(LLVMValueRef inst);
bool pt_alike(LLVMValueRef a, LLVMValueRef b);
unsigned pt_mnemonic(LLVMValueRef inst, PtText *name);
void pt_strip_lifetimes_in_loops(PtAnalyses *an, LLVMValueRef function);

// remark.cpp
enum PtRemarkKind { PT_PASSED, PT_MISSED, PT_ANALYSIS };
// A part of a remark: plain text if `key` is empty.
struct PtPart {
  PtText key;
  PtText value;
};
bool pt_remarks_wanted(PtModule *module, LLVMValueRef function);
void pt_remark(PtModule *module, PtRemarkKind kind, PtText name, LLVMValueRef function, LLVMMetadataRef location,
               const PtPart *parts, size_t count);
}
