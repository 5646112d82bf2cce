// Objects of constant size that a loop makes anew in each iteration, as one object of the function.
//
//   const int U = 8;                            loop: %s = stacksave              entry: %r = alloca [8 x float]
//   for (..) {                                        %r = alloca [8 x float]     loop:  ..
//     float r[U];  ..               is                ..                  becomes
//   }                                                 stackrestore %s
//
// For C, `U` is no constant, and `r` an array of variable size. Its content is undefined when it is made, so an iteration may find what
// the one before has left; its address goes nowhere, so nobody sees that all of them have the same. What is restored is what was
// saved if the loop makes nothing else. Where LLVM has moved the object to registers, only the markers are left.
#include "locals.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

// Bytes by which the frame of a function may grow: also of one that is on the stack many times.
static constexpr uint64_t MaxBytes = 16384, MaxBytesEach = 1024;

static bool isMarker(const Instruction &I, Intrinsic::ID Id) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Id;
}

// Whether all that happens to an object, or to a pointer into it, is that the loop accesses it.
static bool isAccessedOnly(const Value &Object, const Loop &L) {
  return all_of(Object.uses(), [&](const Use &U) {
    auto *I = cast<Instruction>(U.getUser());
    if (!L.contains(I))
      return false;
    if (isa<GetElementPtrInst>(I))
      return I->getType()->isPointerTy() && isAccessedOnly(*I, L);
    if (auto *S = dyn_cast<StoreInst>(I))
      return S->isSimple() && U.getOperandNo() == StoreInst::getPointerOperandIndex();
    if (auto *Load = dyn_cast<LoadInst>(I))
      return Load->isSimple();
    return isa<MemIntrinsic>(I) || I->isLifetimeStartOrEnd();
  });
}

namespace {
struct Locals {
  SmallVector<AllocaInst *, 4> Objects;
  SmallVector<Instruction *, 8> Markers;
  uint64_t Bytes = 0;
  bool find(const Loop &L);
  void settle(Function &F) const;
};
} // namespace

// All objects that a loop makes; false if one of them has to be made there.
bool Locals::find(const Loop &L) {
  auto Inside = [&](const Value *V) { return L.contains(cast<Instruction>(V)); };
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (auto *A = dyn_cast<AllocaInst>(&I)) {
        auto Size = A->getAllocationSize(B->getDataLayout());
        if (!Size || Size->isScalable() || A->isUsedWithInAlloca() || A->isSwiftError() || !isAccessedOnly(*A, L))
          return false;
        Bytes += Size->getFixedValue() + A->getAlign().value();
        Objects.push_back(A);
      } else if (isMarker(I, Intrinsic::stacksave)) {
        if (!all_of(I.users(), [&](const User *U) { return Inside(U) && isMarker(*cast<Instruction>(U), Intrinsic::stackrestore); }))
          return false;
        Markers.push_back(&I);
      } else if (isMarker(I, Intrinsic::stackrestore)) {
        auto *Saved = dyn_cast<Instruction>(I.getOperand(0));
        if (!Saved || !Inside(Saved) || !isMarker(*Saved, Intrinsic::stacksave))
          return false;
        Markers.push_back(&I);
      } else if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm()) {
        return false;
      }
    }
  return !Objects.empty() || !Markers.empty();
}

void Locals::settle(Function &F) const {
  for (AllocaInst *A : Objects)
    A->moveBefore(F.getEntryBlock().getFirstInsertionPt());
  // What restores stands behind what saves, or in front of it in a block that comes later.
  for (Instruction *I : Markers)
    if (isMarker(*I, Intrinsic::stackrestore))
      I->eraseFromParent();
  for (Instruction *I : Markers)
    if (isMarker(*I, Intrinsic::stacksave))
      I->eraseFromParent();
}

// Whether the back end may fuse a product with a sum that finds it in a register then, not in the object.
static bool mayFuse(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<FPMathOperator>(I) && I.hasAllowContract() && !I.hasAllowReassoc();
  });
}

bool settleLocals(Function &F, const LoopInfo &Loops, bool FusesAll) {
  bool Any = false, Stay = FusesAll || mayFuse(F);
  uint64_t Left = F.doesNotRecurse() ? MaxBytes : MaxBytesEach;
  SmallVector<const Loop *, 8> Pending(Loops.begin(), Loops.end());
  while (!Pending.empty()) {
    const Loop *L = Pending.pop_back_val();
    Locals Made;
    if (!Made.find(*L) || Made.Bytes > Left || (Stay && !Made.Objects.empty())) {
      Pending.append(L->begin(), L->end());
      continue;
    }
    Left -= Made.Bytes;
    Made.settle(F);
    Any = true;
  }
  return Any;
}
