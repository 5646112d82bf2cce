// Loops that are left before the end of an iteration, closed again:
//
//   header: A;                                    header: A;
//   if (c) { B; goto header; }       becomes      if (c) B; else C;
//   C;                                            if (c) goto header;
//
// Jump threading leaves this where the last iteration goes its own way: for (i = n - 1; i >= 0; --i) { A; for (k < i) ..; B } with
// C for the rest of the iteration that has no k. What C needs to be part of the iteration: it stores where the loop stores.
#include "closed.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {
using Objects = SmallPtrSet<const Value *, 8>;

struct Way {
  Loop &L;
  const LoopInfo &Loops;
  const DominatorTree &Dominators;
  // The loop is left at the end of Exiting, for Exit, if Condition is not Stays.
  BranchInst *Exiting = nullptr;
  BasicBlock *Exit = nullptr;
  bool Stays = true;
  // A second way out that is never taken.
  BasicBlock *Never = nullptr;

  bool find();
  BasicBlock *pull(SmallVectorImpl<BasicBlock *> &Blocks) const;
  Value *early(Value *V, unsigned Depth) const;
  void close();
};
} // namespace

BranchInst *conditional(BasicBlock *B) {
  auto *Br = dyn_cast<BranchInst>(B->getTerminator());
  return Br && Br->isConditional() && Br->getSuccessor(0) != Br->getSuccessor(1) ? Br : nullptr;
}

// The loop has one way out, not at its latch but on the way to it.
bool Way::find() {
  BasicBlock *Latch = L.getLoopLatch();
  SmallVector<Loop::Edge, 4> Edges;
  L.getExitEdges(Edges);
  if (!Latch || !isa<BranchInst>(Latch->getTerminator()) || Edges.empty() || Edges.size() > 2)
    return false;
  for (auto [From, To] : Edges) {
    if (From == Latch) {
      Never = const_cast<BasicBlock *>(To);
      continue;
    }
    Exiting = conditional(const_cast<BasicBlock *>(From));
    Exit = const_cast<BasicBlock *>(To);
  }
  if (!Exiting || (Edges.size() == 2) != (Never != nullptr))
    return false;
  BasicBlock *From = Exiting->getParent();
  if (Loops.getLoopFor(From) != &L || !Dominators.dominates(From, Latch))
    return false;
  Stays = Exiting->getSuccessor(1) == Exit;
  if (!Never)
    return true;
  BranchInst *Last = conditional(Latch);
  if (!Last || Never == Exit)
    return false;
  auto Known = isImpliedCondition(Exiting->getCondition(), Last->getCondition(), Latch->getDataLayout(), Stays);
  return Known && Last->getSuccessor(*Known ? 0 : 1) == L.getHeader();
}

static void collectStores(const BasicBlock &B, Objects &Found, bool &Others) {
  for (const Instruction &I : B) {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Found.insert(getUnderlyingObject(Store->getPointerOperand()));
    else
      Others |= I.mayWriteToMemory();
  }
}

// Takes what follows the loop and belongs to its last iteration: the blocks, and the last of them. What comes behind is
// split off.
BasicBlock *Way::pull(SmallVectorImpl<BasicBlock *> &Blocks) const {
  Objects Own, Taken;
  bool Others = false;
  for (BasicBlock *B : L.blocks())
    collectStores(*B, Own, Others);
  auto Belongs = [&] {
    return !Taken.empty() && !Others && all_of(Taken, [&](const Value *V) { return Own.contains(V); });
  };
  Others = false;
  auto *Br = dyn_cast<BranchInst>(Exit->getTerminator());
  const Loop *Next = Br && Br->isUnconditional() ? Loops.getLoopFor(Br->getSuccessor(0)) : nullptr;
  BasicBlock *After = Next ? Next->getUniqueExitBlock() : nullptr;
  if (Next && Next->getHeader() == Br->getSuccessor(0) && Next->getParentLoop() == L.getParentLoop() && After &&
      After->getSinglePredecessor() && Next->getLoopPreheader() == Exit) {
    collectStores(*Exit, Taken, Others);
    for (BasicBlock *B : Next->blocks())
      collectStores(*B, Taken, Others);
    if (Belongs()) {
      Blocks.push_back(Exit);
      append_range(Blocks, Next->blocks());
      Blocks.push_back(After);
      After->splitBasicBlock(After->getFirstNonPHIIt());
      return After;
    }
    Taken.clear();
    Others = false;
  }
  auto At = Exit->getFirstNonPHIIt();
  collectStores(*Exit, Taken, Others);
  if (Belongs())
    for (Instruction &I : *Exit)
      if (isa<StoreInst>(I))
        At = std::next(I.getIterator());
  Exit->splitBasicBlock(At);
  Blocks.push_back(Exit);
  return Exit;
}

// A value of the next iteration as one that is there where the loop is left; nullptr if it is not.
Value *Way::early(Value *V, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Dominators.dominates(I, Exiting))
    return V;
  if (Depth == 0 || !(isa<BinaryOperator, CastInst, GetElementPtrInst>(I)) || !isSafeToSpeculativelyExecute(I))
    return nullptr;
  for (Value *Operand : I->operands())
    if (!early(Operand, Depth - 1))
      return nullptr;
  I->moveBefore(Exiting->getIterator());
  return I;
}

static bool uses(const Use &U, const SmallPtrSetImpl<BasicBlock *> &Blocks) {
  auto *I = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(I);
  return Blocks.contains(Phi ? Phi->getIncomingBlock(U) : I->getParent());
}

void Way::close() {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  // An inner loop may end in the branch to the header, and keeps its own way back.
  if (Loops.getLoopFor(Latch) != &L)
    Latch = SplitEdge(Latch, Header);
  Instruction *Old = Latch->getTerminator();
  if (!Exit->getSinglePredecessor())
    Exit = SplitEdge(Exiting->getParent(), Exit);
  SmallVector<BasicBlock *, 8> Blocks;
  BasicBlock *Last = pull(Blocks);
  BasicBlock *Rest = Last->getSingleSuccessor();
  auto *Merge = BasicBlock::Create(Header->getContext(), "", Header->getParent(), Rest);
  auto Merged = [&](Value *FromLatch, Value *FromLast) {
    auto *Phi = PHINode::Create(FromLatch->getType(), 2, "", Merge);
    Phi->addIncoming(FromLatch, Latch);
    Phi->addIncoming(FromLast, Last);
    return Phi;
  };
  SmallPtrSet<BasicBlock *, 8> Inside(Blocks.begin(), Blocks.end());
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      SmallVector<Use *, 4> Outside;
      for (Use &U : I.uses())
        if (!uses(U, Inside))
          Outside.push_back(&U);
      if (Outside.empty())
        continue;
      PHINode *Phi = Merged(PoisonValue::get(I.getType()), &I);
      for (Use *U : Outside)
        U->set(Phi);
    }
  for (PHINode &Phi : Header->phis()) {
    int At = Phi.getBasicBlockIndex(Latch);
    Value *Next = Phi.getIncomingValue(At);
    Value *There = early(Next, 4);
    Phi.setIncomingValue(At, There ? There : Merged(Next, PoisonValue::get(Next->getType())));
    Phi.setIncomingBlock(At, Merge);
  }
  if (Never)
    Never->removePredecessor(Latch);
  BasicBlock *First = Stays ? Header : Rest, *Second = Stays ? Rest : Header;
  auto *Br = BranchInst::Create(First, Second, Exiting->getCondition(), Merge);
  Br->copyMetadata(*Old, {LLVMContext::MD_loop});
  Br->setDebugLoc(Old->getDebugLoc());
  ReplaceInstWithInst(Old, BranchInst::Create(Merge));
  Last->getTerminator()->setSuccessor(0, Merge);
  if (Never && pred_empty(Never))
    EliminateUnreachableBlocks(*Header->getParent());
}

// Inner loops first: what follows them may belong to the last iteration of one around them.
bool closeLoop(const LoopInfo &Loops, const DominatorTree &Dominators) {
  auto All = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(All)) {
    Way Out{*L, Loops, Dominators};
    if (!Out.find())
      continue;
    Out.close();
    return true;
  }
  return false;
}
