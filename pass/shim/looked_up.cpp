#include "looked_up.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

// Instructions between what is looked up and the address that is made of it.
static constexpr unsigned MaxSteps = 8;

// Whether an address in a loop is made of a value, each user looked at once.
static bool makesAddress(const Value &V, const Loop &L) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Now = {&V};
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    SmallVector<const Value *, 16> Next;
    for (const Value *Of : Now)
      for (const User *U : Of->users()) {
        auto *I = dyn_cast<Instruction>(U);
        if (!I || !L.contains(I) || isa<PHINode>(I) || !Seen.insert(I).second)
          continue;
        if (isa<GetElementPtrInst>(I))
          return true;
        Next.push_back(I);
      }
    Now = std::move(Next);
  }
  return false;
}

// Whether a value is the same in all iterations.
static bool standsStill(const Value &V, const Loop &L, unsigned Steps) {
  if (L.isLoopInvariant(&V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || Steps == 0 || isa<PHINode>(I) || I->mayReadOrWriteMemory())
    return false;
  return all_of(I->operands(), [&](const Use &Operand) { return standsStill(*Operand, L, Steps - 1); });
}

static bool looksUp(const Loop &L) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->isSimple() && standsStill(*Load->getPointerOperand(), L, MaxSteps) && makesAddress(*Load, L))
        return true;
    }
  return false;
}

void hoistLookups(Function &F, FunctionAnalysisManager &FAM) {
  auto Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
  if (none_of(Loops, [](const Loop *L) { return L->isInnermost() && looksUp(*L); }))
    return;
  FAM.invalidate(F, createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true).run(F, FAM));
}
