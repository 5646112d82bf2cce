#include "rows.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// The metadata of such loads, of those in the rows of other tables, which are read only where the program reads them, and of those which
// may be asked for an entry that there is not wherever they stand. Nothing in a new version writes to a table, and all that is asked for is
// cut to the entries that there are: so they may be read earlier, and where the program would not have read them.
static constexpr const char *RowMark = "polytile.row";
static constexpr const char *InnerMark = "polytile.inner";
static constexpr const char *RimMark = "polytile.rim";

// Moves a load in front of the loops around it that it stands still in, as long as there is a block for it there; whether any.
static bool hoist(Instruction &Load, const LoopInfo &Loops, function_ref<BasicBlock *(Loop &)> InFrontOf) {
  bool Moved = false;
  for (Loop *L = Loops.getLoopFor(Load.getParent()); L; L = L->getParentLoop()) {
    BasicBlock *Before = InFrontOf(*L);
    bool Changed = false;
    if (!Before || !L->makeLoopInvariant(Load.getOperand(0), Changed, Before->getTerminator()))
      break;
    Load.moveBefore(Before->getTerminator()->getIterator());
    Moved = true;
  }
  return Moved;
}

// Whether an instruction runs whenever a loop is entered.
static bool alwaysRuns(const Instruction &I, const Loop &L, const DominatorTree &Dominators) {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  return L.getLoopLatch() && all_of(Exiting, [&](const BasicBlock *B) { return Dominators.dominates(I.getParent(), B); });
}

// The same where the program would read the entry.
static void hoistInner(Instruction &Load, LoopInfo &Loops, DominatorTree &Dominators) {
  hoist(Load, Loops, [&](Loop &L) -> BasicBlock * {
    if (!alwaysRuns(Load, L, Dominators))
      return nullptr;
    BasicBlock *Before = L.getLoopPreheader();
    return Before ? Before : InsertPreheaderForLoop(&L, &Dominators, &Loops, nullptr, false);
  });
}

// Where a load stands in front of its row's own accesses, there is the entry that it asks for.
static void takeAsIs(Instruction &Load) {
  auto *Place = dyn_cast<GetElementPtrInst>(Load.getOperand(0));
  auto *Bytes = Place ? dyn_cast<BinaryOperator>(Place->getOperand(1)) : nullptr;
  Value *Entry;
  if (Bytes && match(Bytes->getOperand(0), m_SMin(m_SMax(m_Value(Entry), m_Value()), m_Value())))
    Bytes->setOperand(0, Entry);
}

bool hoistRows(Function &F, LoopInfo &Loops, DominatorTree &Dominators) {
  const unsigned Row = F.getContext().getMDKindID(RowMark), Rim = F.getContext().getMDKindID(RimMark),
                 Inner = F.getContext().getMDKindID(InnerMark);
  SmallVector<Instruction *> Marked;
  for (Instruction &I : instructions(F))
    if (I.getMetadata(Row) || I.getMetadata(Rim) || I.getMetadata(Inner))
      Marked.push_back(&I);
  for (Instruction *Load : Marked) {
    if (Load->getMetadata(Inner)) {
      Load->setMetadata(Inner, nullptr);
      hoistInner(*Load, Loops, Dominators);
      continue;
    }
    const bool Exists = !Load->getMetadata(Rim);
    Load->setMetadata(Row, nullptr);
    Load->setMetadata(Rim, nullptr);
    if (!hoist(*Load, Loops, [](Loop &L) { return L.getLoopPredecessor(); }) && Exists)
      takeAsIs(*Load);
  }
  return !Marked.empty();
}
