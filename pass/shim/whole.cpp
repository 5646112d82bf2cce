// Loops beside a version of their own: if what that is right for does not hold, the loop as it is runs.
#include "whole.h"
#include "analyses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

SmallVector<BasicBlock *, 8> keepWhole(Loop &L, Value *Holds, StringRef Suffix, LoopInfo &Loops, DominatorTree &Dominators) {
  BasicBlock *Ask = L.getLoopPreheader();
  BasicBlock *Before = SplitBlock(Ask, Ask->getTerminator(), &Dominators, &Loops);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Copies;
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  Loop *Whole = cloneLoopWithPreheader(Before, Ask, &L, Map, Suffix, &Loops, &Dominators, Copies);
  remapInstructionsInBlocks(Copies, Map);
  for (auto [From, To] : Exits)
    for (PHINode &Phi : To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(From);
      auto Copy = Map.find(V);
      Phi.addIncoming(Copy == Map.end() ? V : &*Copy->second, cast<BasicBlock>(&*Map[From]));
    }
  ReplaceInstWithInst(Ask->getTerminator(), BranchInst::Create(Before, cast<BasicBlock>(&*Map[Before]), Holds));
  pt_loop_mark_done(Whole);
  return Copies;
}
