// Loops, dominance and aliasing of one function.
#include "analyses.h"
#include "inclusive.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"

using namespace llvm;

// Loops that carry this are left alone: they are the result of a transformation, or the original beside one.
static const char *const Done = "llvm.loop.polytile.done";

PtAnalyses *pt_analyses(PtModule *Module, LLVMValueRef F) {
  Function &Fn = *function(F);
  auto &FAM = Module->functions;
  return new PtAnalyses{Fn,
                        FAM.getResult<LoopAnalysis>(Fn),
                        FAM.getResult<DominatorTreeAnalysis>(Fn),
                        FAM.getResult<ScalarEvolutionAnalysis>(Fn),
                        FAM.getResult<AAManager>(Fn),
                        FAM.getResult<AssumptionAnalysis>(Fn),
                        FAM.getResult<TargetLibraryAnalysis>(Fn)};
}

void pt_analyses_free(PtAnalyses *An) { delete An; }

const void *pt_loop_of(PtAnalyses *An, LLVMBasicBlockRef B) { return An->Loops.getLoopFor(block(B)); }
const void *pt_loop_parent(const void *L) { return loop(L)->getParentLoop(); }
LLVMBasicBlockRef pt_loop_header(const void *L) { return wrap(loop(L)->getHeader()); }
LLVMBasicBlockRef pt_loop_preheader(const void *L) { return wrap(loop(L)->getLoopPreheader()); }
LLVMBasicBlockRef pt_loop_latch(const void *L) { return wrap(loop(L)->getLoopLatch()); }

// One path may be split into folder and name in several ways.
static std::string path(const DIFile *File) {
  StringRef Name = File->getFilename();
  return Name.starts_with("/") ? Name.str() : (File->getDirectory() + "/" + Name).str();
}

// The innermost of the places in a file that a loop was inlined from or to.
static DILocation *placeIn(const DIFile *File, DILocation *Loc) {
  while (Loc && Loc->getFile() != File && path(Loc->getFile()) != path(File))
    Loc = Loc->getInlinedAt();
  return Loc;
}

// Where a loop itself has no position, as those that flang makes of whole arrays, that of the first instruction in it that has one counts.
static DILocation *startOf(const Loop &L) {
  if (DILocation *Loc = L.getStartLoc().get())
    return Loc;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (DILocation *Loc = I.getDebugLoc().get(); Loc && Loc->getLine())
        return Loc;
  return nullptr;
}

// Where iterators of a library were inlined, the place in the user's file says more: the file that is compiled, or else that
// of the function.
LLVMMetadataRef pt_loop_location(const void *L) {
  DILocation *Loc = startOf(*loop(L));
  if (!Loc)
    return nullptr;
  DILocation *Own = Loc;
  while (DILocation *At = Own->getInlinedAt())
    Own = At;
  const DISubprogram *Function = Own->getScope()->getSubprogram();
  const DICompileUnit *Unit = Function ? Function->getUnit() : nullptr;
  DILocation *Best = Unit ? placeIn(Unit->getFile(), Loc) : nullptr;
  return wrap(Best ? Best : placeIn(Own->getFile(), Loc));
}

bool pt_loop_is_simple(const void *L) { return loop(L)->isLoopSimplifyForm(); }
bool pt_loop_is_done(const void *L) { return findStringMetadataForLoop(loop(L), Done).has_value(); }
bool pt_loop_was_uncounted(const void *L) { return wasUncounted(*loop(L)); }
void pt_loop_mark_done(const void *L) { addStringMetadataToLoop(const_cast<Loop *>(loop(L)), Done, 1); }

// Orders, as opposed to hints that a transformation is welcome. Other names that look alike are LLVM's own notes.
static bool isOrder(StringRef Name, const MDNode &Option) {
  static const StringRef Orders[] = {
      "llvm.loop.disable_nonforced", "llvm.loop.distribute.enable", "llvm.loop.interleave.count",
      "llvm.loop.unroll.count",      "llvm.loop.unroll.disable",    "llvm.loop.unroll_and_jam.count",
      "llvm.loop.unroll_and_jam.disable", "llvm.loop.vectorize.width"};
  auto *Value = Option.getNumOperands() > 1 ? mdconst::dyn_extract<ConstantInt>(Option.getOperand(1)) : nullptr;
  return is_contained(Orders, Name) || (Name == "llvm.loop.vectorize.enable" && Value && Value->isZero());
}

bool pt_loop_directive(const void *L, PtText *Name) {
  const MDNode *Id = loop(L)->getLoopID();
  if (!Id)
    return false;
  StringRef Found;
  for (const MDOperand &Operand : drop_begin(Id->operands())) {
    auto *Option = dyn_cast_or_null<MDNode>(Operand.get());
    auto *Key = Option && Option->getNumOperands() ? dyn_cast<MDString>(Option->getOperand(0)) : nullptr;
    if (!Key || !isOrder(Key->getString(), *Option))
      continue;
    // The order that says most: what is not to be unrolled is often only compiled with -O1.
    if (Found.empty() || Found.ends_with("unroll.disable"))
      Found = Key->getString();
  }
  Found.consume_front("llvm.loop.");
  *Name = text(Found);
  return !Found.empty();
}

bool pt_inst_dominates(PtAnalyses *An, LLVMValueRef V, LLVMValueRef I) {
  return An->Dominators.dominates(unwrap(V), instruction(I));
}

bool pt_edge_dominates(PtAnalyses *An, LLVMBasicBlockRef From, LLVMBasicBlockRef To, LLVMBasicBlockRef B) {
  return An->Dominators.dominates(BasicBlockEdge(block(From), block(To)), block(B));
}

bool pt_is_well_defined(PtAnalyses *An, LLVMValueRef V, LLVMValueRef At) {
  return isGuaranteedNotToBeUndefOrPoison(unwrap(V), &An->Assumptions, instruction(At), &An->Dominators);
}

// What an access may touch, whatever the iteration: anything around its base pointer, with the type of the access.
static MemoryLocation around(LLVMValueRef Base, LLVMValueRef Access, bool Scopes) {
  AAMDNodes Tags = instruction(Access)->getAAMetadata();
  if (!Scopes)
    Tags.Scope = Tags.NoAlias = nullptr;
  return MemoryLocation::getBeforeOrAfter(unwrap(Base), Tags);
}

bool pt_no_alias(PtAnalyses *An, LLVMValueRef BaseA, LLVMValueRef AccessA, LLVMValueRef BaseB, LLVMValueRef AccessB,
                 bool Scopes) {
  return An->Aliases.isNoAlias(around(BaseA, AccessA, Scopes), around(BaseB, AccessB, Scopes));
}

bool pt_other_type(PtAnalyses *An, LLVMValueRef A, LLVMValueRef B) {
  // Only the tags are looked at.
  MemoryLocation Of[] = {around(A, A, false), around(B, B, false)};
  SimpleAAQueryInfo Query(An->Aliases);
  return TypeBasedAAResult(false).alias(Of[0], Of[1], Query, nullptr) == AliasResult::NoAlias;
}

bool pt_may_load(PtAnalyses *An, LLVMValueRef Load, LLVMValueRef Before) {
  auto *L = cast<LoadInst>(unwrap(Load));
  Instruction *At = instruction(Before);
  Value *Pointer = L->getPointerOperand();
  const DataLayout &Layout = An->Function.getDataLayout();
  if (isSafeToLoadUnconditionally(Pointer, L->getType(), L->getAlign(), Layout, At, &An->Assumptions, &An->Dominators))
    return true;
  if (!An->Function.doesNotFreeMemory() || !An->Function.hasNoSync())
    return false;
  // What was accessed once is still there.
  auto WasAccessed = [&](User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I && getLoadStorePointerOperand(I) == Pointer && getLoadStoreAlignment(I) >= L->getAlign() &&
           Layout.getTypeStoreSize(getLoadStoreType(I)) >= Layout.getTypeStoreSize(L->getType()) &&
           An->Dominators.dominates(I, At);
  };
  return any_of(Pointer->users(), WasAccessed);
}

uint64_t pt_object_size(PtAnalyses *An, LLVMValueRef Pointer) {
  Value *V = unwrap(Pointer);
  if (!isa<AllocaInst>(V) && !isa<GlobalVariable>(V))
    return 0;
  uint64_t Size = 0;
  if (!getObjectSize(V, Size, An->Function.getDataLayout(), nullptr))
    return 0;
  return Size;
}

LLVMValueRef pt_place(PtAnalyses *An, LLVMValueRef Address, int64_t *Distance) {
  const DataLayout &Layout = An->Function.getDataLayout();
  APInt Ahead(Layout.getIndexTypeSizeInBits(unwrap(Address)->getType()), 0);
  Value *Base = unwrap(Address)->stripAndAccumulateConstantOffsets(Layout, Ahead, /*AllowNonInbounds=*/true);
  *Distance = Ahead.getSExtValue();
  return wrap(Base);
}

uint64_t pt_alignment(PtAnalyses *An, LLVMValueRef Pointer) {
  return unwrap(Pointer)->getPointerAlignment(An->Function.getDataLayout()).value();
}

// All uses are looked at, up to this number of them.
constexpr unsigned MaxUsesOfPointer = 1000;

bool pt_is_captured(LLVMValueRef Pointer) {
  return PointerMayBeCaptured(unwrap(Pointer), /*ReturnCaptures=*/true, MaxUsesOfPointer);
}
