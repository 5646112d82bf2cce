// Loops with checks that end at their head:
//
//   header: if (i == n) goto exit;                if (n != 0)
//   if (!(i < m)) abort();               becomes    header: if (!(i < m)) abort();  B;  if (++i != n) goto header;
//   B;  ++i;  goto header;                        exit:
//
// What loops are simplified by leaves this where checks were part of their heads first. The optimizer turns them later.
#include "rotated.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"

using namespace llvm;

// Instructions of heads that are doubled at most: the optimizer's number.
static constexpr unsigned MaxHeader = 16;

bool turn(Loop &L, Function &F, FunctionAnalysisManager &FAM) {
  return LoopRotation(&L, &FAM.getResult<LoopAnalysis>(F), &FAM.getResult<TargetIRAnalysis>(F), &FAM.getResult<AssumptionAnalysis>(F),
                      &FAM.getResult<DominatorTreeAnalysis>(F), &FAM.getResult<ScalarEvolutionAnalysis>(F), /*MSSAU=*/nullptr,
                      getBestSimplifyQuery(FAM, F), /*RotationOnly=*/true, MaxHeader, /*IsUtilMode=*/true);
}

// The loop has one way out from which control returns, at its head, and others.
static bool fits(const Loop &L, function_ref<bool(const BasicBlock *)> Returns) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || L.isLoopExiting(Latch) || !L.isLoopExiting(L.getHeader()))
    return false;
  SmallVector<Loop::Edge, 4> Edges;
  L.getExitEdges(Edges);
  bool Ends = false;
  for (auto [From, To] : Edges) {
    bool Returning = Returns(To);
    if (Returning != (From == L.getHeader()))
      return false;
    Ends |= Returning;
  }
  return Ends && Edges.size() > 1;
}

bool rotateChecked(Function &F, FunctionAnalysisManager &FAM, function_ref<bool(const BasicBlock *)> Returns) {
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  SmallVector<Loop *, 4> All = Loops.getLoopsInPreorder();
  erase_if(All, [&](const Loop *L) { return !fits(*L, Returns); });
  bool Changed = false;
  for (Loop *L : reverse(All))
    Changed |= turn(*L, F, FAM);
  return Changed;
}
