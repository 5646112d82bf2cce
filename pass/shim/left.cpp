// Counters behind loops that may also end early, by an allocation that fails or a check:
//
//   do { i' = i + 1; if (fails()) trap; i = i'; } while (i' != n);       last = phi [i]       becomes  last = n - 1
//
// Scalar evolution knows no number of iterations for such a loop, so that what was made of `last` were evolutions of a loop that is over: no
// size of a later nest. Where the loop is left because a number was reached, the counter is that number.
#include "left.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// The number that the loop compares a value with, and finds equal, on the way from a block to a block outside, whose only predecessor it is.
static std::pair<Value *, Value *> reached(const Loop &L, const BasicBlock &From, const BasicBlock &To) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  auto *Compared = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compared || !Compared->isEquality() || !Compared->getOperand(0)->getType()->isIntegerTy())
    return {};
  if (Branch->getSuccessor(Compared->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1) != &To)
    return {};
  Value *Counted = Compared->getOperand(0), *Number = Compared->getOperand(1);
  if (!L.isLoopInvariant(Number))
    std::swap(Counted, Number);
  if (!L.isLoopInvariant(Number))
    return {};
  return {Counted, Number};
}

// How much a value is above the one that was compared.
static std::optional<APInt> above(Value *V, Value *Counted) {
  const APInt *Step;
  if (V->getType() != Counted->getType())
    return {};
  if (V == Counted)
    return APInt::getZero(V->getType()->getIntegerBitWidth());
  if (match(V, m_Add(m_Specific(Counted), m_APInt(Step))))
    return *Step;
  if (match(Counted, m_Add(m_Specific(V), m_APInt(Step))))
    return -*Step;
  return {};
}

static bool settle(PHINode &Phi, const Loop &L, LoopInfo &Loops) {
  BasicBlock *To = Phi.getParent(), *From = To->getSinglePredecessor();
  if (!From || !L.contains(From))
    return false;
  auto [Counted, Number] = reached(L, *From, *To);
  if (!Number || !Loops.replacementPreservesLCSSAForm(&Phi, Number))
    return false;
  auto Difference = above(Phi.getIncomingValue(0), Counted);
  if (!Difference)
    return false;
  IRBuilder<> Builder(To, To->getFirstInsertionPt());
  Phi.replaceAllUsesWith(Builder.CreateAdd(Number, ConstantInt::get(Phi.getType(), *Difference)));
  Phi.eraseFromParent();
  return true;
}

bool settleLeft(LoopInfo &Loops) {
  bool Changed = false;
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    if (L->getExitingBlock())
      continue;
    SmallVector<BasicBlock *, 4> Exits;
    L->getUniqueExitBlocks(Exits);
    for (BasicBlock *To : Exits)
      for (PHINode &Phi : make_early_inc_range(To->phis()))
        Changed |= settle(Phi, *L, Loops);
  }
  return Changed;
}
