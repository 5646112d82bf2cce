// Loops whose iterations exchange pointers, as steps of time do with two grids or three:
//
//   for t < T: { sweep(a, b); swap(a, b) }        becomes        for t < T / 2: { sweep(a, b); sweep(b, a) }        if T odd: sweep(a, b)
//
// No pointer changes in the loop then, and the dependences between the sweeps are those of two arrays. A number that is now one and now the other
// of two, as the place of the current grid among two, stands still as well:
//
//   for t < T: { sweep(u[c], u[1 - c]); c = 1 - c }
//
// Loops around one sweep or two only: what several sweeps of a step take up from the caches they have from each other, and in one loop alone there
// is nothing that another order could gain.
#include "swapped.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "shim.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// What iterations are left over runs in a loop with this mark.
static constexpr char Left[] = "polytile.left-over";
// More instructions are not copied.
static constexpr size_t MaxSize = 250;
// Innermost loops of a step.
static constexpr ptrdiff_t MaxSweeps = 2;
// Pointers, or numbers, that are exchanged in a circle: two grids, or those of now, before and next.
static constexpr unsigned MaxCircle = 3;

// Whether a PHI takes one of two numbers in turns.
static bool alternates(PHINode &Phi, const BasicBlock *Latch) {
  Value *Next = Phi.getIncomingValueForBlock(Latch);
  return Phi.getType()->isIntegerTy() &&
         (match(Next, m_Sub(m_ConstantInt(), m_Specific(&Phi))) || match(Next, m_Xor(m_Specific(&Phi), m_ConstantInt())));
}

// After how many iterations a PHI is what it was, taken up by other PHIs of the loop in between; 0 if that is not so.
static unsigned circle(PHINode &Phi, const Loop &L) {
  const PHINode *At = &Phi;
  for (unsigned Length = 1; Length <= MaxCircle; ++Length) {
    At = dyn_cast<PHINode>(At->getIncomingValueForBlock(L.getLoopLatch()));
    if (!At || At->getParent() != L.getHeader())
      return 0;
    if (At == &Phi)
      return Length;
  }
  return 0;
}

// The iterations after which all that a loop exchanges is in place again; 1 where it exchanges nothing.
static unsigned period(const Loop &L) {
  unsigned Period = 1;
  for (PHINode &Phi : L.getHeader()->phis()) {
    unsigned Own = alternates(Phi, L.getLoopLatch()) ? 2 : circle(Phi, L);
    if (Own > 1 && Period > 1 && Own != Period)
      return 1;
    Period = std::max(Period, Own);
  }
  return Period;
}

// Whether a loop has few loops inside, all of them counted, and nothing else but operations.
static bool fits(const Loop &L, ScalarEvolution &Evolutions) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch() || !L.isSafeToClone())
    return false;
  size_t Size = 0;
  for (const BasicBlock *B : L.blocks()) {
    Size += B->size();
    if (any_of(*B, [](const Instruction &I) { return pt_effect(wrap(&I)) == PT_CUT; }))
      return false;
  }
  auto Counted = [&](const Loop *Inner) { return Evolutions.hasLoopInvariantBackedgeTakenCount(Inner); };
  auto Inside = L.getLoopsInPreorder();
  bool Few = Size <= MaxSize && count_if(Inside, [](const Loop *Inner) { return Inner->isInnermost(); }) <= MaxSweeps;
  return Few && all_of(Inside, Counted);
}

// PHIs of what stands still now, in the loop and behind it.
static void settle(Function &F, const DominatorTree &Dominators) {
  const SimplifyQuery Query(F.getDataLayout(), &Dominators);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &B : F)
      for (Instruction &I : make_early_inc_range(B)) {
        auto *Phi = dyn_cast<PHINode>(&I);
        Value *Same = Phi ? simplifyInstruction(Phi, Query.getWithInstruction(Phi)) : nullptr;
        if (!Same || Same == Phi)
          continue;
        Phi->replaceAllUsesWith(Same);
        Phi->eraseFromParent();
        Changed = true;
      }
  }
}

bool unrollSwapped(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Evolutions = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (getBooleanLoopAttribute(L, Left) || !L->getLoopLatch() || !L->getLoopPreheader())
      continue;
    unsigned Period = period(*L);
    if (Period == 1 || !fits(*L, Evolutions))
      continue;
    UnrollLoopOptions Options = {};
    Options.Count = Period;
    Options.Force = true;
    Options.Runtime = true;
    Options.AllowExpensiveTripCount = true;
    Options.ForgetAllSCEV = true;
    Options.SCEVExpansionBudget = 8;
    MDNode *Said = L->getLoopID();
    Loop *Rest = nullptr;
    auto Result = UnrollLoop(L, Options, &Loops, &Evolutions, &Dominators, &FAM.getResult<AssumptionAnalysis>(F),
                             &FAM.getResult<TargetIRAnalysis>(F), nullptr, /*PreserveLCSSA=*/true, &Rest);
    if (Result == LoopUnrollResult::Unmodified)
      continue;
    // One of two iterations passes three pointers round as before. That it is not unrolled is no directive of the program's.
    if (Rest) {
      Rest->setLoopID(Said);
      addStringMetadataToLoop(Rest, Left, 1);
    }
    settle(F, Dominators);
    return true;
  }
  return false;
}
