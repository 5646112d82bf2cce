// Loops up to and including a number, as iterators over ranges that may end at the largest one count them:
//
//   i = phi [first, entry], [next, latch]
//   next = i < n ? i + 1 : i                             becomes  next = i + 1
//   if (!(i < n) || next > n) leave                               if (!(i < n)) leave
//
// Where the loop goes on, i < n, so that next = i + 1 <= n. Scalar evolution knows no number of iterations for a counter that may stand
// still. Of a constant end LLVM knows that the counter is never beyond it:
//
//   next = i == 99 ? 99 : i + 1                      becomes  next = i + 1
//   if (i == 99 || next > 99) leave                               if (i >= 99) leave
#include "inclusive.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static const char *const Uncounted = "llvm.loop.polytile.uncounted";

namespace {
struct Inclusive {
  PHINode &Counter;
  const Loop &L;
  Instruction *Next = nullptr;
  Value *Bound = nullptr;
  bool Signed = false;
  // The counter stands still where it is the bound, not where it is not below it.
  bool Equal = false;
  // Conditions that are what another one says, and whether the counter is not below the bound then.
  SmallVector<std::tuple<Instruction *, Value *, bool>, 4> Same = {};

  // 1: a condition says that the counter is below the bound, -1: that it is not, 0: something else.
  int says(Value *V) const;
  bool find();
  bool decides(ICmpInst &Compared);
  bool settle();
};
} // namespace

int Inclusive::says(Value *V) const {
  Value *Negated;
  if (match(V, m_Not(m_Value(Negated))))
    return -says(Negated);
  auto *Compared = dyn_cast<ICmpInst>(V);
  if (!Compared)
    return 0;
  auto Pred = Compared->getPredicate();
  if (Compared->getOperand(1) == &Counter && Compared->getOperand(0) == Bound)
    Pred = Compared->getSwappedPredicate();
  else if (Compared->getOperand(0) != &Counter || Compared->getOperand(1) != Bound)
    return 0;
  if (Equal)
    return Pred == ICmpInst::ICMP_NE ? 1 : Pred == ICmpInst::ICMP_EQ ? -1 : 0;
  if (Pred == (Signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT))
    return 1;
  return Pred == (Signed ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_UGE) ? -1 : 0;
}

// The step is one where the counter is below a number from before the loop, else none.
bool Inclusive::find() {
  Value *Condition;
  bool Goes = true;
  if (match(Next, m_Select(m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(&Counter), m_Value(Bound)), m_Deferred(Bound),
                           m_c_Add(m_Specific(&Counter), m_One())))) {
    auto *Sum = cast<Instruction>(cast<SelectInst>(Next)->getFalseValue());
    Equal = true;
    Signed = !Sum->hasNoUnsignedWrap();
    return L.isLoopInvariant(Bound) && (Sum->hasNoUnsignedWrap() || Sum->hasNoSignedWrap());
  }
  if (match(Next, m_c_Add(m_Specific(&Counter), m_ZExt(m_Value(Condition))))) {
  } else if (match(Next, m_Select(m_Value(Condition), m_c_Add(m_Specific(&Counter), m_One()), m_Specific(&Counter)))) {
  } else if (match(Next, m_Select(m_Value(Condition), m_Specific(&Counter), m_c_Add(m_Specific(&Counter), m_One())))) {
    Goes = false;
  } else {
    return false;
  }
  Value *Plain = Condition;
  match(Condition, m_Not(m_Value(Plain)));
  auto *Compared = dyn_cast<ICmpInst>(Plain);
  if (!Compared || !Compared->getOperand(0)->getType()->isIntegerTy())
    return false;
  Bound = Compared->getOperand(Compared->getOperand(0) == &Counter ? 1 : 0);
  Signed = Compared->isSigned();
  return L.isLoopInvariant(Bound) && says(Condition) == (Goes ? 1 : -1);
}

// Whether a comparison of the next number matters only where the counter is below the bound, and is known there.
bool Inclusive::decides(ICmpInst &Compared) {
  auto Pred = Compared.getPredicate();
  if (Compared.getOperand(1) == Next && Compared.getOperand(0) == Bound)
    Pred = Compared.getSwappedPredicate();
  else if (Compared.getOperand(0) != Next || Compared.getOperand(1) != Bound)
    return false;
  const bool Ends = Pred == (Signed ? ICmpInst::ICMP_SGT : ICmpInst::ICMP_UGT);
  if (!Ends && Pred != (Signed ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE))
    return false;
  for (User *U : Compared.users()) {
    Value *Other;
    if (!(Ends && match(U, m_c_LogicalOr(m_Specific(&Compared), m_Value(Other))) && says(Other) == -1) &&
        !(!Ends && match(U, m_c_LogicalAnd(m_Specific(&Compared), m_Value(Other))) && says(Other) == 1))
      return false;
    Same.push_back({cast<Instruction>(U), Other, Ends});
  }
  return true;
}

bool Inclusive::settle() {
  for (User *U : Next->users()) {
    auto *Compared = dyn_cast<ICmpInst>(U);
    if (U != &Counter && (!Compared || !decides(*Compared)))
      return false;
  }
  // The loop goes on only where the counter is below the bound.
  BasicBlock *Latch = L.getLoopLatch();
  auto *Back = dyn_cast<BranchInst>(Latch->getTerminator());
  auto GoesOn = [&](const auto &Known) {
    auto [Condition, Other, Ends] = Known;
    return Condition == Back->getCondition() && Back->getSuccessor(Ends ? 1 : 0) == L.getHeader() &&
           Back->getSuccessor(0) != Back->getSuccessor(1);
  };
  if (!Back || !Back->isConditional() || none_of(Same, GoesOn))
    return false;
  for (auto [Condition, Other, Ends] : Same) {
    if (Equal) {
      auto Below = Signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT;
      auto Pred = Ends ? ICmpInst::getInversePredicate(Below) : Below;
      Other = new ICmpInst(Condition->getIterator(), Pred, &Counter, Bound);
    }
    Condition->replaceAllUsesWith(Other);
  }
  auto *Sum = BinaryOperator::CreateAdd(&Counter, ConstantInt::get(Counter.getType(), 1), "", Next->getIterator());
  Sum->setHasNoUnsignedWrap(!Signed);
  Sum->setHasNoSignedWrap(Signed);
  Counter.setIncomingValueForBlock(Latch, Sum);
  return true;
}

bool wasUncounted(const Loop &L) { return findStringMetadataForLoop(&L, Uncounted).has_value(); }

bool settleInclusive(const LoopInfo &Loops) {
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder())
    for (PHINode &Counter : L->getHeader()->phis()) {
      const BasicBlock *Latch = L->getLoopLatch();
      if (!Latch || !Counter.getType()->isIntegerTy())
        continue;
      Inclusive Found{Counter, *L};
      Found.Next = dyn_cast<Instruction>(Counter.getIncomingValueForBlock(Latch));
      if (!Found.Next || Found.Next == &Counter || !L->contains(Found.Next) || !Found.find() || !Found.settle())
        continue;
      addStringMetadataToLoop(L, Uncounted, 1);
      Changed = true;
    }
  return Changed;
}
