// Lengths of rows that the compiler hands on, because the next row asks for them, too:
//
//   before = rows[0].length;
//   for y = 1..:                                     for y = 1..:
//     if (!(x < before)) panic;                        if (!(x < rows[y - 1].length)) panic;
//     own = rows[y].length;               becomes      own = rows[y].length;
//     if (!(x < own)) panic;                           if (!(x < own)) panic;
//     ..
//     before = own;
//
// A number that is a length in one iteration only is data that no condition can be asked of in front of the loop.
#include "reloaded.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// A PHI of a loop's head, the load that it hands on, and where the one lay that it begins with.
struct Handed {
  PHINode *Phi;
  LoadInst *Own, *First;
  const SCEV *Before;
};

LoadInst *loaded(Value *V) {
  for (auto *Phi = dyn_cast<PHINode>(V); Phi && Phi->getNumIncomingValues() == 1; Phi = dyn_cast<PHINode>(V))
    V = Phi->getIncomingValue(0);
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && Load->isSimple() ? Load : nullptr;
}

// What memory is at a loop's head: where it is merged there, all that the loop writes is behind the merge.
MemoryAccess &atHead(const Loop &L, const MemorySSA &Memory, const DominatorTree &Dominators) {
  if (MemoryPhi *Merged = Memory.getMemoryAccess(L.getHeader()))
    return *Merged;
  for (auto *Node = Dominators.getNode(L.getLoopPreheader()); Node; Node = Node->getIDom())
    if (auto *Defs = Memory.getBlockDefs(Node->getBlock()))
      return const_cast<MemoryAccess &>(*Defs->rbegin());
  return *Memory.getLiveOnEntryDef();
}

// Whether memory of this base is the same in all iterations as it was for the first load. What the loads themselves depend on does not say that:
// between them and the loop's head may be writes to other elements.
bool isUnchanged(const Handed &H, const Loop &L, MemorySSA &Memory, const DominatorTree &Dominators, BatchAAResults &Aliases) {
  const Value *Base = getUnderlyingObject(H.Own->getPointerOperand());
  if (!L.isLoopInvariant(Base) || getUnderlyingObject(H.First->getPointerOperand()) != Base)
    return false;
  auto Where = MemoryLocation::getBeforeOrAfter(Base, H.Own->getAAMetadata());
  auto *Written = Memory.getWalker()->getClobberingMemoryAccess(&atHead(L, Memory, Dominators), Where, Aliases);
  return Memory.dominates(Written, Memory.getMemoryAccess(H.First));
}

std::optional<Handed> handed(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  if (!Phi.getType()->isIntOrPtrTy() || Phi.use_empty())
    return {};
  LoadInst *Own = loaded(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  LoadInst *First = loaded(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  if (!Own || !First || !L.contains(Own) || L.contains(First))
    return {};
  auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Own->getPointerOperand()));
  if (!Address || Address->getLoop() != &L || !Address->isAffine())
    return {};
  const SCEV *Step = Address->getStepRecurrence(SE);
  const SCEV *Before = SE.getMinusSCEV(Address, Step);
  auto *Rec = dyn_cast<SCEVAddRecExpr>(Before);
  if (!Rec || Rec->getLoop() != &L || Rec->getStart() != SE.getSCEV(First->getPointerOperand()))
    return {};
  return Handed{&Phi, Own, First, Before};
}

void loadBefore(const Handed &H, const Loop &L, ScalarEvolution &SE) {
  SCEVExpander Expander(SE, "before");
  BasicBlock *Header = L.getHeader();
  Value *Place = Expander.expandCodeFor(H.Before, H.Own->getPointerOperandType(), Header->getFirstInsertionPt());
  auto *At = dyn_cast<Instruction>(Place);
  auto Behind = At && At->getParent() == Header && !isa<PHINode>(At) ? std::next(At->getIterator()) : Header->getFirstInsertionPt();
  IRBuilder<> Builder(Header, Behind);
  Builder.SetCurrentDebugLocation(H.Own->getDebugLoc());
  LoadInst *Again = Builder.CreateAlignedLoad(H.Phi->getType(), Place, std::min(H.Own->getAlign(), H.First->getAlign()));
  Again->setAAMetadata(H.Own->getAAMetadata());
  H.Phi->replaceAllUsesWith(Again);
  RecursivelyDeleteTriviallyDeadInstructions(H.Phi); // and what brings the number out of inner loops
}

} // namespace

bool loadAgain(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<std::pair<Handed, const Loop *>, 4> Found;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (!L->isInnermost() && L->isLoopSimplifyForm())
      for (PHINode &Phi : L->getHeader()->phis())
        if (auto H = handed(Phi, *L, SE))
          Found.push_back({*H, L});
  if (Found.empty())
    return false;
  MemorySSA &Memory = FAM.getResult<MemorySSAAnalysis>(F).getMSSA();
  BatchAAResults Aliases(FAM.getResult<AAManager>(F));
  const auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  erase_if(Found, [&](const auto &H) { return !isUnchanged(H.first, *H.second, Memory, Dominators, Aliases); });
  for (const auto &[H, L] : Found)
    loadBefore(H, *L, SE);
  return !Found.empty();
}
