// Loops of which each part of the iterations can run by itself: where a part begins, counters have other values, and what the iteration in
// front of it has read is read again.
#include "divided.h"

using namespace llvm;

const SCEVAddRecExpr *Divided::counter(PHINode &Phi) const {
  if (!Evolutions.isSCEVable(Phi.getType()))
    return nullptr;
  auto *Counter = dyn_cast<SCEVAddRecExpr>(Evolutions.getSCEV(&Phi));
  return Counter && Counter->getLoop() == &L && Counter->isAffine() ? Counter : nullptr;
}

const SCEVAddRecExpr *Divided::address(LoadInst &Load) const {
  auto *Address = dyn_cast<SCEVAddRecExpr>(Evolutions.getSCEV(Load.getPointerOperand()));
  return Address && Address->getLoop() == &L && Address->isAffine() ? Address : nullptr;
}

// The load of the iteration before that a PHI is: where a row ends the next one begins. Nothing has to be asked in front of it.
LoadInst *Divided::carried(PHINode &Phi) const {
  auto *Load = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  bool Always = Load && L.contains(Load) && Dominators.dominates(Load->getParent(), L.getLoopLatch()) && !Load->getMetadata(Mark);
  return Always && address(*Load) ? Load : nullptr;
}

// A part may run where all in front of it do: no iteration may end the program.
bool Divided::fits(const BasicBlock *Clash, const BasicBlock *Trap, const char *Mark) {
  this->Mark = Mark;
  BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  if (!Before || !Latch || !L.isLoopExiting(Latch))
    return false;
  SmallVector<LoopBase<BasicBlock, Loop>::Edge, 4> Exits;
  L.getExitEdges(Exits);
  for (auto [From, To] : Exits)
    if (To == Trap || (From == Latch ? To == Clash || !To->phis().empty() : To != Clash))
      return false;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); }))
        return false;
  const SCEV *Count = Evolutions.getExitCount(&L, Latch);
  if (isa<SCEVCouldNotCompute>(Count) || Evolutions.getTypeSizeInBits(Count->getType()) > 64 ||
      !Expander.isSafeToExpandAt(Count, before()))
    return false;
  return all_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    const SCEVAddRecExpr *Counter = counter(Phi);
    if (LoadInst *Load = Counter ? nullptr : carried(Phi))
      Counter = address(*Load);
    return Counter && Expander.isSafeToExpandAt(Counter->getStart(), before()) &&
           Expander.isSafeToExpandAt(Counter->getStepRecurrence(Evolutions), before());
  });
}

Value *Divided::at(const SCEVAddRecExpr &Counter, Value *Iteration) {
  const SCEV *Value = Counter.evaluateAtIteration(Evolutions.getSCEV(Iteration), Evolutions);
  return Expander.expandCodeFor(Value, Counter.getType(), before());
}

void Divided::divide(function_ref<std::pair<Value *, Value *>(IRBuilder<> &, Value *)> Part) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  auto *Back = cast<BranchInst>(Latch->getTerminator());
  BasicBlock *Exit = Back->getSuccessor(Back->getSuccessor(0) == Header ? 1 : 0);
  const SCEV *Count = Evolutions.getExitCount(&L, Latch);
  IRBuilder<> B(before());
  Value *Trips = B.CreateAdd(B.CreateZExt(Expander.expandCodeFor(Count, nullptr, before()), B.getInt64Ty()), B.getInt64(1));
  auto [First, End] = Part(B, Trips);
  SmallVector<std::pair<PHINode *, Value *>, 8> Starts;
  for (PHINode &Phi : Header->phis()) {
    if (const SCEVAddRecExpr *Counter = counter(Phi)) {
      Starts.push_back({&Phi, at(*Counter, First)});
      continue;
    }
    // The part in front of this one reads it as well.
    LoadInst *Load = carried(Phi);
    Value *Known = Phi.getIncomingValueForBlock(Before);
    Value *Ahead = B.CreateBinaryIntrinsic(Intrinsic::umax, First, B.getInt64(1));
    Value *Place = at(*address(*Load), B.CreateSub(Ahead, B.getInt64(1)));
    auto *Again = cast<LoadInst>(Load->clone());
    Again->setOperand(0, Place);
    Again->insertBefore(before()->getIterator());
    Starts.push_back({&Phi, B.CreateSelect(B.CreateICmpEQ(First, B.getInt64(0)), Known, Again)});
  }
  for (auto [Phi, Start] : Starts)
    Phi->setIncomingValueForBlock(Before, Start);
  B.SetInsertPoint(&Header->front());
  PHINode *Number = B.CreatePHI(B.getInt64Ty(), 2);
  B.SetInsertPoint(Back);
  Value *Next = B.CreateAdd(Number, B.getInt64(1));
  Number->addIncoming(First, Before);
  Number->addIncoming(Next, Latch);
  B.CreateCondBr(B.CreateICmpULT(Next, End), Header, Exit);
  Back->eraseFromParent();
  Instruction *Enter = before();
  B.SetInsertPoint(Enter);
  B.CreateCondBr(B.CreateICmpULT(First, End), Header, Exit);
  Enter->eraseFromParent();
}
