#include "chosen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool hoistChoices(Function &F, LoopInfo &Loops) {
  SmallVector<SelectInst *> Choices;
  for (Instruction &I : instructions(F))
    if (auto *Choice = dyn_cast<SelectInst>(&I); Choice && Choice->getType()->isIntegerTy() && Loops.getLoopFor(Choice->getParent()))
      Choices.push_back(Choice);
  bool Changed = false;
  for (SelectInst *Choice : Choices)
    for (Loop *L = Loops.getLoopFor(Choice->getParent()); L; L = L->getParentLoop()) {
      BasicBlock *Before = L->getLoopPredecessor();
      if (!Before || !L->makeLoopInvariant(Choice, Changed, Before->getTerminator()))
        break;
    }
  return Changed;
}
