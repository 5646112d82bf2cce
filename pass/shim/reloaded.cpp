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
//
// So are pointers of one place, which no iteration writes:
//
//   a = p[0];                                         a = p[0];
//   for t: { sweep(a, p[1]); a = p[0]; .. }           for t: { sweep(a, p[1]); .. }
//
// And ends of vectors that are loaded in a loop and handed on to what comes behind it:
//
//   for p: { *p = ..; end = v.end; .. }               for p: { *p = ..; end = v.end; .. }
//   for q < end: ..                       becomes     end = v.end; for q < end: ..
//
// What only a loop itself uses can be held while the loop is looked at.
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

// A PHI of a loop's head, the load that it hands on, and where the one lay that it begins with; nowhere if both are of one place.
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

// What memory is where a block begins: where it is merged at a loop's head, all that the loop writes is behind the merge.
MemoryAccess &atBegin(const BasicBlock *B, const MemorySSA &Memory, const DominatorTree &Dominators) {
  if (MemoryPhi *Merged = Memory.getMemoryAccess(B))
    return *Merged;
  for (auto *Node = Dominators.getNode(B)->getIDom(); Node; Node = Node->getIDom())
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
  auto *Written = Memory.getWalker()->getClobberingMemoryAccess(&atBegin(L.getHeader(), Memory, Dominators), Where, Aliases);
  return Memory.dominates(Written, Memory.getMemoryAccess(H.First));
}

std::optional<Handed> handed(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  if (!Phi.getType()->isIntOrPtrTy() || Phi.use_empty())
    return {};
  LoadInst *Own = loaded(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  LoadInst *First = loaded(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  if (!Own || !First || !L.contains(Own) || L.contains(First))
    return {};
  if (SE.getSCEV(Own->getPointerOperand()) == SE.getSCEV(First->getPointerOperand()))
    return Handed{&Phi, Own, First, nullptr};
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

// What was loaded in a loop and goes out of it.
struct Leaving {
  PHINode *Phi;
  LoadInst *Own;
};

// Whether a value is the first row of a loop that goes on to others.
bool isFirstRow(const Value &V) {
  return any_of(V.users(), [&](const User *U) {
    auto *Phi = dyn_cast<PHINode>(U);
    return Phi && any_of(Phi->incoming_values(), [&](Value *O) { return O != &V && loaded(O); });
  });
}

std::optional<Leaving> leaving(PHINode &Phi, const Loop &L) {
  if (!Phi.getType()->isIntOrPtrTy() || Phi.use_empty() || isFirstRow(Phi))
    return {};
  LoadInst *Own = loaded(Phi.getIncomingValue(0));
  bool One = Own && all_of(Phi.incoming_values(), [&](Value *V) { return loaded(V) == Own; });
  if (!One || !L.contains(Own) || !L.isLoopInvariant(Own->getPointerOperand()))
    return {};
  return Leaving{&Phi, Own};
}

// Whether memory holds behind a loop what was loaded in it: the last write in front of both is the same one, and on the way from it to what comes
// behind is the load, without which there is no value there.
bool isStillThere(const Leaving &G, MemorySSA &Memory, const DominatorTree &Dominators, BatchAAResults &Aliases) {
  MemorySSAWalker &Walker = *Memory.getWalker();
  auto *Before = Walker.getClobberingMemoryAccess(Memory.getMemoryAccess(G.Own), Aliases);
  auto &Behind = atBegin(G.Phi->getParent(), Memory, Dominators);
  return Walker.getClobberingMemoryAccess(&Behind, MemoryLocation::get(G.Own), Aliases) == Before;
}

void loadBehind(const Leaving &G) {
  BasicBlock *Exit = G.Phi->getParent();
  IRBuilder<> Builder(Exit, Exit->getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(G.Own->getDebugLoc());
  LoadInst *Again = Builder.CreateAlignedLoad(G.Phi->getType(), G.Own->getPointerOperand(), G.Own->getAlign());
  Again->setMetadata(LLVMContext::MD_tbaa, G.Own->getMetadata(LLVMContext::MD_tbaa));
  G.Phi->replaceAllUsesWith(Again);
  G.Phi->eraseFromParent();
}

// Puts a value in the place of another one, and of PHIs that merge nothing else then.
void put(Value &V, Instruction &Instead) {
  SmallVector<User *, 4> Users(Instead.users());
  Instead.replaceAllUsesWith(&V);
  for (User *U : Users)
    if (auto *Phi = dyn_cast<PHINode>(U); Phi && Phi->hasConstantValue() == &V)
      put(V, *Phi);
}

void loadBefore(const Handed &H, const Loop &L, ScalarEvolution &SE) {
  if (!H.Before) {
    put(*H.Phi->getIncomingValueForBlock(L.getLoopPreheader()), *H.Own);
    return;
  }
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
  SmallVector<Leaving, 4> Left;
  SmallPtrSet<const PHINode *, 8> Seen; // a way may leave several loops
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    if (!L->isInnermost() && L->isLoopSimplifyForm())
      for (PHINode &Phi : L->getHeader()->phis())
        if (auto H = handed(Phi, *L, SE))
          Found.push_back({*H, L});
    SmallVector<BasicBlock *, 4> Exits;
    L->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits)
      for (PHINode &Phi : Exit->phis())
        if (auto G = leaving(Phi, *L); G && !Exit->isEHPad() && Seen.insert(&Phi).second)
          Left.push_back(*G);
  }
  if (Found.empty() && Left.empty())
    return false;
  MemorySSA &Memory = FAM.getResult<MemorySSAAnalysis>(F).getMSSA();
  BatchAAResults Aliases(FAM.getResult<AAManager>(F));
  const auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  erase_if(Found, [&](const auto &H) { return !isUnchanged(H.first, *H.second, Memory, Dominators, Aliases); });
  erase_if(Left, [&](const Leaving &G) { return !isStillThere(G, Memory, Dominators, Aliases); });
  for (const Leaving &G : Left)
    loadBehind(G);
  SmallVector<WeakVH, 4> Own;
  for (const auto &[H, L] : Found) {
    Own.push_back(WeakVH(H.Own));
    loadBefore(H, *L, SE);
  }
  for (WeakVH &Load : Own)
    if (Load)
      RecursivelyDeleteTriviallyDeadInstructions(Load);
  return !Found.empty() || !Left.empty();
}
