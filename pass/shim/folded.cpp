// Calls whose result depends on who computes it.
//
// LLVM computes a call of constants in advance: a function of `float` by the library's function of `double`, whose result it rounds. That differs in the last bit
// from what the program's own call yields now and then. Operands that are made of counters become constants where a loop is unrolled, or what is left of
// it behind lanes, and the loops of a new version are other ones than the original's.
//
//   for (i = 0; i < 37; i++)        the last five are made one by one, their sines are constants
//     a[i] = sinf(1.3f * i);        in eight lanes they are computed
#include "analyses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// Whether a value is made of constants and of counters of loops that may be unrolled.
static bool mayBeConstant(PtAnalyses &An, const CallInst &Call) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Open(Call.arg_begin(), Call.arg_end());
  while (!Open.empty()) {
    const Value *V = Open.pop_back_val();
    if (isa<Constant>(V) || !Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->mayReadFromMemory() || isa<FreezeInst>(I))
      return false;
    const Loop *Of = An.Loops.getLoopFor(I->getParent());
    bool IsCounter = isa<PHINode>(I) && Of && Of->getHeader() == I->getParent();
    if (IsCounter && An.Evolutions.getSmallConstantTripCount(Of) == 0)
      return false;
    Open.append(I->value_op_begin(), I->value_op_end());
  }
  return true;
}

bool pt_may_be_folded(PtAnalyses *An, LLVMValueRef I) {
  auto *Call = dyn_cast<CallInst>(instruction(I));
  return Call && Call->getType()->isFloatTy() && mayBeConstant(*An, *Call);
}
