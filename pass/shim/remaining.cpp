// Loops that go on while what is left is enough for one more step, of a size that is known at run time only:
//
//   do { .. rest -= n; row += n; } while (rest >= n);
//
// So do Rust's `chunks_exact(n)` and `windows(n)`. LLVM does not count them, since it does not see that the rest never wraps around: the step is
// not more than what was asked for before.
#include "remaining.h"
#include "compared.h"

using namespace llvm;

static constexpr unsigned MaxBlocks = 64;

// Dividend / Divisor. `n * (x / n)`, which has no remainder, is never more than x.
static const SCEV *quotient(ScalarEvolution &SE, const SCEV *Dividend, const SCEV *Divisor) {
  auto *Product = dyn_cast<SCEVMulExpr>(Dividend);
  if (Product && Product->getNumOperands() == 2)
    for (unsigned I : {0u, 1u})
      if (auto *Inner = dyn_cast<SCEVUDivExpr>(Product->getOperand(1 - I));
          Inner && Product->getOperand(I) == Divisor && Inner->getRHS() == Divisor)
        return Inner;
  return SE.getUDivExpr(Dividend, Divisor);
}

// Whether it holds wherever a loop is entered: in front of it, or of any block that it comes from.
static bool holdsAtEntry(ScalarEvolution &SE, const DominatorTree &Dominators, const Loop &L, ICmpInst::Predicate P, const SCEV *Left,
                         const SCEV *Right) {
  unsigned Tried = 0;
  auto Exists = [&](const DomTreeNode *Node) { return SE.dominates(Left, Node->getBlock()) && SE.dominates(Right, Node->getBlock()); };
  for (auto *Node = Dominators.getNode(L.getHeader()); Node && Tried < MaxBlocks && Exists(Node); Node = Node->getIDom(), ++Tried)
    if (Tried == 0 ? SE.isLoopEntryGuardedByCond(&L, P, Left, Right) : SE.isBasicBlockEntryGuardedByCond(Node->getBlock(), P, Left, Right))
      return true;
  return false;
}

const SCEV *remainingCount(ScalarEvolution &SE, const DominatorTree &Dominators, const Loop &L, const BasicBlock &Exiting) {
  auto Goes = goesOn(SE, Dominators, L, Exiting);
  if (!Goes || Goes->Predicate != ICmpInst::ICMP_UGE)
    return nullptr;
  const SCEVAddRecExpr *Rec = Goes->Counter;
  const SCEV *Enough = Goes->Bound;
  const SCEV *Step = SE.getNegativeSCEV(Rec->getStepRecurrence(SE)), *Zero = SE.getZero(Step->getType());
  auto IsSome = [&](const SCEV *S) {
    return SE.isKnownNonZero(S) || holdsAtEntry(SE, Dominators, L, ICmpInst::ICMP_NE, S, Zero);
  };
  // Where this holds, the rest does not wrap around before it is too small.
  bool IsWhole = Step == Enough;
  if (!IsSome(Enough) || !(IsWhole || Step->isOne()))
    return nullptr;
  const SCEV *Before = SE.getAddExpr(Rec->getStart(), Step);
  if (holdsAtEntry(SE, Dominators, L, ICmpInst::ICMP_UGE, Before, Enough))
    return IsWhole ? SE.getMinusSCEV(quotient(SE, Before, Step), SE.getOne(Step->getType())) : SE.getMinusSCEV(Before, Enough);
  return IsWhole ? quotient(SE, Rec->getStart(), Step) : nullptr;
}
