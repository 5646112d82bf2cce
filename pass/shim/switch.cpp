// Switches as chains of comparisons:
//
//   switch (i % 3) { case 0: A; break; case 1: B; break; default: C; }
//   if (i % 3 == 0) A; else if (i % 3 == 1) B; else C;
//
// Where loops count the number, conditions of the first form become sets like those of the second. Switches on data become
// choices where their arms hold no loops and no calls; elsewhere nothing could be made of them.
#include "analyses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "switch.h"

using namespace llvm;

// Switches with more cases are tables; as chains they would be slow where the original version runs.
static constexpr unsigned MaxCases = 8;

// Operations that one condition may be computed by.
static constexpr unsigned MaxOperations = 16;

// Blocks of the arms of a switch.
static constexpr unsigned MaxBlocks = 32;

// Whether a value is computed by arithmetic alone from what loops count and from what is known before them.
static bool isCounted(Value *V, const LoopInfo &Loops) {
  SmallPtrSet<Value *, 16> Seen;
  SmallVector<Value *, 16> Pending{V};
  while (!Pending.empty()) {
    auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Loops.getLoopFor(I->getParent()) || !Seen.insert(I).second)
      continue;
    if (!isa<PHINode, BinaryOperator, CastInst, SelectInst, ICmpInst, FreezeInst>(I) || Seen.size() > MaxOperations)
      return false;
    Pending.append(I->op_begin(), I->op_end());
  }
  return true;
}

static bool isPlain(const BasicBlock &B) {
  return all_of(B, [](const Instruction &I) { return !I.mayHaveSideEffects() || isa<StoreInst>(I); });
}

// Whether a loop is an innermost one that consists of loads, stores and arithmetic.
static bool isPlain(const Loop &L) {
  return L.isInnermost() && all_of(L.blocks(), [](const BasicBlock *B) { return isPlain(*B); });
}

// Whether the arms of a switch meet before the iteration of the loop ends, and consist of loads, stores and arithmetic.
static bool meets(const SwitchInst &S, const Loop &L, const LoopInfo &Loops) {
  SmallPtrSet<const BasicBlock *, 16> Seen{S.getParent()};
  SmallSetVector<const BasicBlock *, 16> Open;
  auto Leave = [&](const BasicBlock &B) {
    for (const BasicBlock *To : successors(&B))
      if (!isa<UnreachableInst>(To->getFirstNonPHIOrDbg()))
        Open.insert(To);
  };
  Leave(*S.getParent());
  auto Ready = [&](const BasicBlock *B) {
    return B != L.getHeader() && Loops.getLoopFor(B) == &L && isPlain(*B) &&
           all_of(predecessors(B), [&](const BasicBlock *From) { return Seen.contains(From); });
  };
  for (unsigned Blocks = 0; Open.size() > 1 && Blocks < MaxBlocks; ++Blocks) {
    auto Next = find_if(Open, Ready);
    if (Next == Open.end())
      return false;
    const BasicBlock *B = *Next;
    Open.remove(B);
    Seen.insert(B);
    Leave(*B);
  }
  return Open.size() == 1;
}

bool isLowerable(const SwitchInst &S, const LoopInfo &Loops) {
  const Loop *L = Loops.getLoopFor(S.getParent());
  return L && S.getNumCases() > 0 && S.getNumCases() <= MaxCases &&
         (isCounted(S.getCondition(), Loops) || isPlain(*L) || meets(S, *L, Loops));
}

// What the PHIs of the successors get from a block, and takes it away from them.
static DenseMap<PHINode *, Value *> takeIncoming(SwitchInst &S) {
  DenseMap<PHINode *, Value *> Taken;
  BasicBlock *From = S.getParent();
  for (BasicBlock *To : successors(From))
    for (PHINode &Phi : To->phis()) {
      Taken.try_emplace(&Phi, Phi.getIncomingValueForBlock(From));
      Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
    }
  return Taken;
}

static void lower(SwitchInst &S) {
  DenseMap<PHINode *, Value *> Incoming = takeIncoming(S);
  auto Arrives = [&](BasicBlock *From, BasicBlock *To) {
    for (PHINode &Phi : To->phis())
      Phi.addIncoming(Incoming.lookup(&Phi), From);
  };
  BasicBlock *At = S.getParent(), *Default = S.getDefaultDest();
  IRBuilder<> Builder(&S);
  // Where one of the cases always holds, the last one needs no comparison.
  bool Complete = isa<UnreachableInst>(Default->getFirstNonPHIOrDbg());
  unsigned Left = S.getNumCases();
  for (auto Case : S.cases()) {
    BasicBlock *To = Case.getCaseSuccessor();
    Arrives(At, To);
    if (--Left == 0 && Complete) {
      Builder.CreateBr(To);
      break;
    }
    BasicBlock *Next = Left == 0 ? Default : BasicBlock::Create(S.getContext(), "", At->getParent(), Default);
    Value *Equal = Builder.CreateICmpEQ(S.getCondition(), Case.getCaseValue());
    Builder.CreateCondBr(Equal, To, Next);
    if (Left == 0) {
      Arrives(At, Default);
      break;
    }
    At = Next;
    Builder.SetInsertPoint(At);
    Builder.SetCurrentDebugLocation(S.getDebugLoc());
  }
  S.eraseFromParent();
}

bool lowerSwitches(Function &F, const LoopInfo &Loops) {
  SmallVector<SwitchInst *, 4> Found;
  for (BasicBlock &B : F)
    if (auto *S = dyn_cast<SwitchInst>(B.getTerminator()))
      if (isLowerable(*S, Loops))
        Found.push_back(S);
  for (SwitchInst *S : Found)
    lower(*S);
  return !Found.empty();
}
