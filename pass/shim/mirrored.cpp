// Differences that the compiler has written as exclusive or, where no bit is borrowed:
//
//   i = 3 ^ (j & 1)          becomes          i = 3 - (j & 1)
//
// Sweeps over every other cell begin with such numbers; scalar evolution knows sums only.
#include "mirrored.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static bool restore(BasicBlock &B) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(B)) {
    Value *X;
    const APInt *C;
    if (!I.getType()->isIntegerTy() || I.getType()->isIntegerTy(1) || !match(&I, m_Xor(m_Value(X), m_APInt(C))) || C->isNegative() ||
        !MaskedValueIsZero(X, ~*C, SimplifyQuery(B.getDataLayout())))
      continue;
    auto *Difference = BinaryOperator::CreateSub(I.getOperand(1), X, "", I.getIterator());
    Difference->setHasNoUnsignedWrap();
    Difference->setHasNoSignedWrap();
    Difference->setDebugLoc(I.getDebugLoc());
    I.replaceAllUsesWith(Difference);
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

bool restoreDifferences(const LoopInfo &Loops) {
  bool Changed = false;
  for (const Loop *L : Loops)
    for (BasicBlock *B : L->blocks())
      Changed |= restore(*B);
  return Changed;
}
