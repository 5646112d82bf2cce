// Objects whose content nobody reads behind a region.
//
// A local object or a block from an allocation function, whose pointer stays in the function, is read by instructions that use the pointer and
// by nothing else. A walk over all ways behind the region finds those that come before the object ends: it is freed, its
// lifetime ends, it is allocated anew, or the function returns. Where a way leads back into the region, the content is taken
// for read.
#include "analyses.h"
#include "common.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

// More uses than this are not looked at.
constexpr unsigned MaxUses = 1000;

// An object with the pointers into it.
struct Object {
  const Instruction *Allocation;
  const TargetLibraryInfo &Library;
  SmallPtrSet<const Value *, 16> Pointers;
  // Instructions that may read it.
  SmallPtrSet<const Instruction *, 16> Readers;
  // Two ways meet in one of the pointers: it may point to an earlier object of the same instruction.
  bool Merges = false;

  Object(const Instruction *Allocation, const TargetLibraryInfo &Library)
      : Allocation(Allocation), Library(Library) {}

  bool is(const Value *Pointer) const { return getUnderlyingObject(Pointer, /*MaxLookup=*/0) == Allocation; }

  bool ends(const Instruction &I) const {
    if (&I == Allocation)
      return true;
    const auto *Call = dyn_cast<CallBase>(&I);
    if (I.isLifetimeStartOrEnd())
      return is(Call->getArgOperand(Call->arg_size() - 1));
    const Value *Freed = Call ? getFreedOperand(Call, &Library) : nullptr;
    return Freed && is(Freed);
  }

  // Notes who uses the pointers; false if one may go to where others find it.
  bool look() {
    SmallVector<const Value *> Open{Allocation};
    Pointers.insert(Allocation);
    unsigned Uses = 0;
    while (!Open.empty())
      for (const Use &U : Open.pop_back_val()->uses()) {
        const auto *I = dyn_cast<Instruction>(U.getUser());
        if (++Uses > MaxUses || !I || I->isVolatile())
          return false;
        if (leads(*I)) {
          Merges |= isa<PHINode>(I) && I->getNumOperands() > 1;
          if (Pointers.insert(I).second)
            Open.push_back(I);
        } else if (!stays(*I, U)) {
          return false;
        } else if (reads(*I, U)) {
          Readers.insert(I);
        }
      }
    return true;
  }

  // Whether the result is a pointer into the object, or another one.
  static bool leads(const Instruction &I) {
    return isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst, FreezeInst>(I) && I.getType()->isPointerTy();
  }

  // Whether a use does not hand the pointer on.
  bool stays(const Instruction &I, const Use &U) const {
    if (isa<LoadInst, ICmpInst>(I))
      return true;
    if (isa<StoreInst>(I))
      return U.getOperandNo() == StoreInst::getPointerOperandIndex();
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->isDataOperand(&U))
      return false;
    // It may be another object that is freed here, where ways meet.
    if (ends(I) || getFreedOperand(Call, &Library) == U.get())
      return true;
    return Call->doesNotCapture(Call->getDataOperandNo(&U)) && !I.getType()->isPtrOrPtrVectorTy();
  }

  bool reads(const Instruction &I, const Use &U) const {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!I.mayReadFromMemory() || ends(I) || (Call && getFreedOperand(Call, &Library) == U.get()))
      return false;
    if (const auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
      return &U == &Transfer->getRawSourceUse();
    return true;
  }
};

} // namespace

static const Instruction *allocation(const Value *Pointer, const TargetLibraryInfo &Library) {
  const Value *Found = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  bool Fresh = isa<AllocaInst>(Found) || (isNoAliasCall(Found) && isAllocationFn(Found, &Library));
  return Fresh ? cast<Instruction>(Found) : nullptr;
}

// Whether a block may run again.
static bool repeats(const BasicBlock *B) {
  SmallVector<const BasicBlock *> Open(successors(B).begin(), successors(B).end());
  SmallPtrSet<const BasicBlock *, 16> Seen(Open.begin(), Open.end());
  while (!Open.empty()) {
    const BasicBlock *Next = Open.pop_back_val();
    if (Next == B)
      return true;
    for (const BasicBlock *S : successors(Next))
      if (Seen.insert(S).second)
        Open.push_back(S);
  }
  return false;
}

bool pt_is_dead_behind(PtAnalyses *An, LLVMValueRef Pointer, const LLVMBasicBlockRef *Blocks, size_t Count,
                       LLVMBasicBlockRef Exit) {
  const Function &F = An->Function;
  if (F.isPresplitCoroutine() || F.callsFunctionThatReturnsTwice())
    return false;
  const Instruction *Found = allocation(unwrap(Pointer), An->Library);
  if (!Found)
    return false;
  Object Of(Found, An->Library);
  if (!Of.look() || (Of.Merges && repeats(Found->getParent())))
    return false;
  SmallPtrSet<const BasicBlock *, 16> Region, Seen{block(Exit)};
  for (size_t N = 0; N != Count; ++N)
    Region.insert(block(Blocks[N]));
  SmallVector<const BasicBlock *> Open{block(Exit)};
  while (!Open.empty()) {
    const BasicBlock *B = Open.pop_back_val();
    if (Region.contains(B))
      return false;
    bool Ends = false;
    for (const Instruction &I : *B) {
      if ((Ends = Of.ends(I)))
        break;
      if (Of.Readers.contains(&I))
        return false;
    }
    if (!Ends)
      for (const BasicBlock *Next : successors(B))
        if (Seen.insert(Next).second)
          Open.push_back(Next);
  }
  return true;
}
