// Comparisons of what a loop counts with what stands still in it, whichever side of the comparison that is on.
#include "compared.h"

using namespace llvm;

std::optional<Compared> compared(ScalarEvolution &SE, const Loop &L, const Value &Condition, bool Outcome) {
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  auto Predicate = Outcome ? Compare->getPredicate() : Compare->getInversePredicate();
  const SCEV *Left = SE.getSCEV(Compare->getOperand(0)), *Right = SE.getSCEV(Compare->getOperand(1));
  if (SE.isLoopInvariant(Left, &L)) {
    std::swap(Left, Right);
    Predicate = ICmpInst::getSwappedPredicate(Predicate);
  }
  auto *Counter = dyn_cast<SCEVAddRecExpr>(Left);
  if (!Counter || Counter->getLoop() != &L || !Counter->isAffine() || !SE.isLoopInvariant(Right, &L))
    return std::nullopt;
  return Compared{Predicate, Counter, Right};
}

std::optional<Compared> goesOn(ScalarEvolution &SE, const DominatorTree &Dominators, const Loop &L, const BasicBlock &Exiting) {
  auto *Branch = dyn_cast<BranchInst>(Exiting.getTerminator());
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Branch || !Branch->isConditional() || !Latch || !Dominators.dominates(&Exiting, Latch))
    return std::nullopt;
  return compared(SE, L, *Branch->getCondition(), L.contains(Branch->getSuccessor(0)));
}
