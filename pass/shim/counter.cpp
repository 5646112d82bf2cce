// Counters that one iteration steps by a constant of its own:
//
//   j = phi [0, entry], [next, latch]
//   if (j == 0) A; else B;
//   next = phi [1, A], [j + 1, B]          becomes  next = j + 1
//
// Jump threading leaves this where an inner loop does not run in the first iteration. Scalar evolution knows no number of
// iterations for it.
#include "counter.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// Values that may meet before the latch.
static constexpr unsigned MaxValues = 16;

namespace {
struct Step {
  PHINode &Counter;
  const Loop &L;
  const LoopInfo &Loops;
  const DominatorTree &Dominators;
  const APInt *By = nullptr;
  bool NUW = true, NSW = true;
  // Constants, and the edges that they come by.
  SmallVector<std::pair<const APInt *, BasicBlockEdge>, 4> Constants = {};
  SmallPtrSet<PHINode *, 8> Seen = {};

  bool collect(PHINode &Phi);
  bool isAt(const APInt &Value, const BasicBlockEdge &Edge) const;
  bool settle();
};
} // namespace

// Every value that a PHI may have is the counter plus the step, or a constant.
bool Step::collect(PHINode &Phi) {
  if (Phi.getParent() == L.getHeader() || !Seen.insert(&Phi).second || Seen.size() > MaxValues)
    return false;
  for (unsigned At = 0; At < Phi.getNumIncomingValues(); ++At) {
    Value *V = Phi.getIncomingValue(At);
    const APInt *C;
    if (match(V, m_APInt(C))) {
      Constants.push_back({C, BasicBlockEdge(Phi.getIncomingBlock(At), Phi.getParent())});
    } else if (match(V, m_Add(m_Specific(&Counter), m_APInt(C)))) {
      if (By && *By != *C)
        return false;
      By = C;
      auto *Sum = cast<OverflowingBinaryOperator>(V);
      NUW &= Sum->hasNoUnsignedWrap();
      NSW &= Sum->hasNoSignedWrap();
    } else {
      auto *Inner = dyn_cast<PHINode>(V);
      if (!Inner || Inner == &Counter || Loops.getLoopFor(Inner->getParent()) != &L || !collect(*Inner))
        return false;
    }
  }
  return true;
}

// Whether the counter has this value wherever an edge is taken: a comparison that dominates it says so.
bool Step::isAt(const APInt &Value, const BasicBlockEdge &Edge) const {
  const BasicBlock *B = Edge.getStart();
  for (auto *Node = Dominators.getNode(B); Node && L.contains(Node->getBlock()); Node = Node->getIDom()) {
    CmpPredicate Pred;
    const APInt *C;
    BasicBlock *True, *False;
    auto *Br = Node->getBlock()->getTerminator();
    if (!match(Br, m_Br(m_ICmp(Pred, m_Specific(&Counter), m_APInt(C)), True, False)) || True == False || *C != Value ||
        !ICmpInst::isEquality(Pred))
      continue;
    BasicBlockEdge Taken(Node->getBlock(), Pred == ICmpInst::ICMP_EQ ? True : False);
    bool Same = Taken.getStart() == Edge.getStart() && Taken.getEnd() == Edge.getEnd();
    if (Same || Dominators.dominates(Taken, B))
      return true;
  }
  return false;
}

// Whether all constants are what the counter plus the step would be.
bool Step::settle() {
  for (auto &[C, Edge] : Constants) {
    APInt Before = *C - *By;
    if (!isAt(Before, Edge))
      return false;
    bool Unsigned, Signed;
    (void)Before.uadd_ov(*By, Unsigned);
    (void)Before.sadd_ov(*By, Signed);
    NUW &= !Unsigned;
    NSW &= !Signed;
  }
  return true;
}

static bool restore(const Loop &L, const LoopInfo &Loops, const DominatorTree &Dominators) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return false;
  for (PHINode &Counter : L.getHeader()->phis()) {
    auto *Next = dyn_cast<PHINode>(Counter.getIncomingValueForBlock(Latch));
    if (!Next || Next == &Counter || !Counter.getType()->isIntegerTy() || Loops.getLoopFor(Next->getParent()) != &L)
      continue;
    Step Found{Counter, L, Loops, Dominators};
    if (!Found.collect(*Next) || !Found.By || Found.Constants.empty() || !Found.settle())
      continue;
    auto At = Next->getParent()->getFirstInsertionPt();
    auto *Sum = BinaryOperator::CreateAdd(&Counter, ConstantInt::get(Counter.getType(), *Found.By), "", At);
    Sum->setHasNoUnsignedWrap(Found.NUW);
    Sum->setHasNoSignedWrap(Found.NSW);
    Next->replaceAllUsesWith(Sum);
    Next->eraseFromParent();
    return true;
  }
  return false;
}

bool restoreCounters(const LoopInfo &Loops, const DominatorTree &Dominators) {
  bool Changed = false;
  for (const Loop *L : Loops.getLoopsInPreorder())
    while (restore(*L, Loops, Dominators))
      Changed = true;
  return Changed;
}
