#include "beside.h"
#include "shim.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

void keepBeside(Loop &L, Value *Holds, const Twine &Suffix, LoopInfo &Loops, DominatorTree &Dominators, ValueToValueMapTy &Map) {
  BasicBlock *Ask = L.getLoopPreheader();
  BasicBlock *Before = SplitBlock(Ask, Ask->getTerminator(), &Dominators, &Loops);
  SmallVector<BasicBlock *, 8> Copies;
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  Loop *Copy = cloneLoopWithPreheader(Before, Ask, &L, Map, Suffix, &Loops, &Dominators, Copies);
  remapInstructionsInBlocks(Copies, Map);
  for (auto [From, To] : Exits)
    for (PHINode &Phi : To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(From);
      auto Own = Map.find(V);
      Phi.addIncoming(Own == Map.end() ? V : &*Own->second, cast<BasicBlock>(&*Map[From]));
    }
  ReplaceInstWithInst(Ask->getTerminator(), BranchInst::Create(Before, cast<BasicBlock>(&*Map[Before]), Holds));
  pt_loop_mark_done(Copy);
}
