// Loops that step by more than one:
//
//   do { .. i += 48; } while (i < n);
//
// Where n is among the last numbers of its type the counter may step over the end and come back from the other side: so it is for unsigned
// numbers, and for signed ones that LLVM has made wider, of which it looks at the lower half. LLVM does not count these iterations; a bound
// that is far enough from the end is all that is asked for.
#include "strides.h"
#include "compared.h"

using namespace llvm;

namespace {
// The loop goes on while this counter is in front of the bound, in the direction of its steps.
struct Stride {
  ScalarEvolution &SE;
  const Loop &L;
  const SCEVAddRecExpr *Counter;
  const SCEV *Bound;
  CmpInst::Predicate Goes;
  APInt By; // the length of a step

  bool up() const { return ICmpInst::isLT(Goes) || ICmpInst::isLE(Goes); }
  bool includes() const { return ICmpInst::isLE(Goes) || ICmpInst::isGE(Goes); }
  std::optional<AssumedCount> count() const;
  const SCEV *distance() const;
};
} // namespace

// From the first value that is compared to the bound, rounded up to whole steps.
const SCEV *Stride::distance() const {
  const SCEV *First = Counter->getStart(), *End = Bound, *One = SE.getOne(Bound->getType());
  const bool Signed = CmpInst::isSigned(Goes);
  if (includes())
    End = up() ? SE.getAddExpr(End, One) : SE.getMinusSCEV(End, One);
  // A loop that was turned has asked whether the number in front of the first one is in front of the bound.
  const SCEV *Before = SE.getMinusSCEV(First, Counter->getStepRecurrence(SE));
  ConstantRange Range = Signed ? SE.getSignedRange(First) : SE.getUnsignedRange(First);
  bool Exists = up() ? (Signed ? Range.getSignedMin().sge(APInt::getSignedMinValue(By.getBitWidth()) + By) : Range.getUnsignedMin().uge(By))
                     : (Signed ? Range.getSignedMax().sle(APInt::getSignedMaxValue(By.getBitWidth()) - By)
                               : Range.getUnsignedMax().ule(APInt::getMaxValue(By.getBitWidth()) - By));
  if (!Exists || !SE.isLoopEntryGuardedByCond(&L, Goes, Before, Bound)) {
    if (up())
      End = Signed ? SE.getSMaxExpr(End, First) : SE.getUMaxExpr(End, First);
    else
      End = Signed ? SE.getSMinExpr(End, First) : SE.getUMinExpr(End, First);
  }
  const SCEV *Way = up() ? SE.getMinusSCEV(End, First) : SE.getMinusSCEV(First, End);
  return SE.getAddExpr(Way, SE.getConstant(By - 1));
}

std::optional<AssumedCount> Stride::count() const {
  const unsigned Bits = By.getBitWidth();
  const bool Signed = CmpInst::isSigned(Goes);
  // The last number that the counter reaches is less than a step away from the bound. Sizes have their first bit free.
  const APInt Over = includes() ? By : By - 1;
  APInt Last = up() ? APInt::getSignedMaxValue(Bits) - Over : (Signed ? APInt::getSignedMinValue(Bits) : APInt(Bits, 0)) + Over;
  CmpInst::Predicate Within = up() ? (Signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE) : (Signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE);
  return AssumedCount{SE.getUDivExpr(distance(), SE.getConstant(By)), Within, Bound, SE.getConstant(Last)};
}

std::optional<AssumedCount> strideCount(ScalarEvolution &SE, const DominatorTree &Dominators, const Loop &L, const BasicBlock &Exiting) {
  auto Said = goesOn(SE, Dominators, L, Exiting);
  if (!Said || ICmpInst::isEquality(Said->Predicate))
    return std::nullopt;
  auto [Goes, Counter, Bound] = *Said;
  auto *Step = dyn_cast<SCEVConstant>(Counter->getStepRecurrence(SE));
  const bool Up = ICmpInst::isLT(Goes) || ICmpInst::isLE(Goes);
  if (!Step || Step->getAPInt().isNegative() == Up || Step->getAPInt().isMinSignedValue())
    return std::nullopt;
  return Stride{SE, L, Counter, Bound, Goes, Step->getAPInt().abs()}.count();
}
