// Ways out of a nest that lead to one place get a block each:
//
//   for (..) { ..; if (d <= 0) return -1; .. }     both ways to the one return, which merges the results
//   return 0;
//
// A region ends between the last iteration and that place; what leaves early goes around it.
#include "landings.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

bool splitLandings(LoopInfo &Loops, DominatorTree &Dominators) {
  using Edge = std::pair<Instruction *, unsigned>;
  SmallVector<Edge, 8> Shared;
  for (Loop *L : Loops) {
    MapVector<BasicBlock *, SmallVector<Edge, 2>> Ways;
    for (BasicBlock *B : L->blocks()) {
      Instruction *End = B->getTerminator();
      if (isa<BranchInst>(End))
        for (unsigned S = 0; S < End->getNumSuccessors(); ++S)
          if (!L->contains(End->getSuccessor(S)))
            Ways[End->getSuccessor(S)].push_back({End, S});
    }
    for (auto &[To, All] : Ways)
      if (All.size() > 1)
        Shared.append(All.begin(), All.end());
  }
  bool Any = false;
  auto Options = CriticalEdgeSplittingOptions(&Dominators, &Loops).setPreserveLCSSA();
  for (auto [End, S] : Shared)
    Any |= SplitCriticalEdge(End, S, Options) != nullptr;
  return Any;
}
