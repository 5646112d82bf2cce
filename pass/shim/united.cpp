// Loops that go on while two conditions hold, both of which count:
//
//   header: if (i == m) goto exit;                  if (0 == m) goto exit;
//   A;                                  becomes     header: A;
//   if (++i != n) goto header;                      if (!(++i == n || i == m)) goto header;
//   exit:                                           exit:
//
// The optimizer turns `while (i < n && i < m)` so that the first condition is tested at the end, and leaves the second one where it was.
#include "united.h"
#include "closed.h"
#include "rotated.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

// A head may be evaluated where its values are of no use.
static bool isFree(const BasicBlock &Header) {
  return all_of(Header, [&](const Instruction &I) {
    return isa<PHINode>(I) || I.isTerminator() || (!I.mayReadFromMemory() && isSafeToSpeculativelyExecute(&I));
  });
}

// The loop is left for one place from which control returns, at its head and at its end; both are counted.
static bool fits(const Loop &L, const LoopInfo &Loops, ScalarEvolution &Evolutions,
                 function_ref<bool(const BasicBlock *)> Returns) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || Header == Latch || !L.isLoopExiting(Header) || !L.isLoopExiting(Latch))
    return false;
  SmallVector<Loop::Edge, 4> Edges;
  L.getExitEdges(Edges);
  erase_if(Edges, [&](Loop::Edge Way) { return !Returns(Way.second); });
  if (Edges.size() != 2 || Edges[0].second != Edges[1].second || !is_contained(Edges, Loop::Edge(Header, Edges[0].second)) ||
      !is_contained(Edges, Loop::Edge(Latch, Edges[0].second)))
    return false;
  auto Counts = [&](BasicBlock *B) { return !isa<SCEVCouldNotCompute>(Evolutions.getExitCount(&L, B)); };
  return Loops.getLoopFor(Latch) == &L && conditional(Header) && conditional(Latch) && isFree(*Header) && Counts(Header) &&
         Counts(Latch);
}

// The condition under which a block is left for another.
static Value *leaves(IRBuilder<> &Builder, const BranchInst *Branch, const BasicBlock *To) {
  Value *Condition = Branch->getCondition();
  return Branch->getSuccessor(0) == To ? Condition : Builder.CreateNot(Condition);
}

// What a merge of values takes from a block that only goes on with values of the loop.
static Value *through(const PHINode &Merge, const BasicBlock *Way) {
  Value *V = Merge.getIncomingValueForBlock(Way);
  auto *Own = dyn_cast<PHINode>(V);
  return Own && Own->getParent() == Way ? Own->getIncomingValue(0) : V;
}

// A block with one predecessor that has nothing but merges, for one other block which alone uses them.
static BasicBlock *goesOn(BasicBlock &Way) {
  BasicBlock *To = Way.getSingleSuccessor();
  bool Empty = To && Way.getSinglePredecessor() && Way.getFirstNonPHIIt() == Way.getTerminator()->getIterator();
  bool Merges = Empty && all_of(Way.phis(), [&](const PHINode &Phi) {
                  return all_of(Phi.users(), [&](const User *U) {
                    return isa<PHINode>(U) && cast<PHINode>(U)->getParent() == To;
                  });
                });
  return Merges ? To : nullptr;
}

// The latch tests what the block in front of it does not: one test there.
static void unite(const Loop &L) {
  BasicBlock *Latch = L.getLoopLatch(), *Header = L.getHeader();
  BasicBlock *Before = Latch ? Latch->getSinglePredecessor() : nullptr;
  BranchInst *First = Before ? conditional(Before) : nullptr;
  BranchInst *Second = Latch ? conditional(Latch) : nullptr;
  if (!First || !Second)
    return;
  auto Outside = [&](BranchInst *Branch) { return Branch->getSuccessor(L.contains(Branch->getSuccessor(0)) ? 1 : 0); };
  BasicBlock *Early = Outside(First), *Late = Outside(Second);
  if (L.contains(Early) || L.contains(Late))
    return;
  if (Early == Late) {
    Early = SplitEdge(Before, Early);
    Late = SplitEdge(Latch, Late);
  }
  BasicBlock *Exit = goesOn(*Early);
  if (!Exit || goesOn(*Late) != Exit)
    return;
  FoldSingleEntryPHINodes(Latch);
  Before->splice(First->getIterator(), Latch, Latch->begin(), Second->getIterator());
  IRBuilder<> Builder(First);
  Value *Ends = leaves(Builder, First, Early);
  Value *Either = Builder.CreateLogicalOr(Ends, leaves(Builder, Second, Late));
  for (PHINode &Merge : Exit->phis()) {
    Value *One = through(Merge, Early), *Other = through(Merge, Late);
    auto *Chosen = PHINode::Create(Merge.getType(), 1, "", Early->begin());
    Chosen->addIncoming(One == Other ? One : Builder.CreateSelect(Ends, One, Other), Before);
    Merge.setIncomingValueForBlock(Early, Chosen);
  }
  Header->replacePhiUsesWith(Latch, Before);
  auto *Back = BranchInst::Create(Early, Header, Either, First->getIterator());
  Back->copyMetadata(*Second, {LLVMContext::MD_loop});
  Back->setDebugLoc(Second->getDebugLoc());
  First->eraseFromParent();
  for (BasicBlock *Gone : {Latch, Late})
    for (Instruction &I : *Gone)
      I.dropDbgRecords();
  Second->eraseFromParent();
  new UnreachableInst(Latch->getContext(), Latch);
  DeleteDeadBlocks({Latch, Late});
}

bool uniteTests(Function &F, FunctionAnalysisManager &FAM, function_ref<bool(const BasicBlock *)> Returns) {
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Evolutions = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Loop *, 4> All = Loops.getLoopsInPreorder();
  auto Found = find_if(reverse(All), [&](const Loop *L) { return fits(*L, Loops, Evolutions, Returns); });
  if (Found == All.rend())
    return false;
  bool Turned = turn(**Found, F, FAM);
  if (Turned)
    unite(**Found);
  return Turned;
}
