#include "rows.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// The metadata of such loads. Nothing in a new version writes to a table, and emission asks for no entry that there is not: so they may be
// read earlier, and where the program would not have read them.
static constexpr const char *RowMark = "polytile.row";

static void hoist(Instruction &Load, const LoopInfo &Loops) {
  for (const Loop *L = Loops.getLoopFor(Load.getParent()); L; L = L->getParentLoop()) {
    BasicBlock *Before = L->getLoopPredecessor();
    bool Changed = false;
    if (!Before || !L->makeLoopInvariant(Load.getOperand(0), Changed, Before->getTerminator()))
      return;
    Load.moveBefore(Before->getTerminator()->getIterator());
  }
}

bool hoistRows(Function &F, const LoopInfo &Loops) {
  const unsigned Mark = F.getContext().getMDKindID(RowMark);
  SmallVector<Instruction *> Marked;
  for (Instruction &I : instructions(F))
    if (I.getMetadata(Mark))
      Marked.push_back(&I);
  for (Instruction *Load : Marked) {
    Load->setMetadata(Mark, nullptr);
    hoist(*Load, Loops);
  }
  return !Marked.empty();
}
