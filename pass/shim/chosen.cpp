#include "chosen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// A division that is defined whatever is divided.
static bool dividesAll(const Instruction &I) {
  const APInt *Least;
  if (I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::URem)
    return match(I.getOperand(1), m_c_UMax(m_Value(), m_APInt(Least))) && !Least->isZero();
  if (I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem)
    return match(I.getOperand(1), m_c_SMax(m_Value(), m_APInt(Least))) && Least->isStrictlyPositive();
  return false;
}

// Moves an instruction in front of a loop if it stands still there.
static bool hoist(Instruction &I, const Loop &L, Instruction *Before, bool &Changed) {
  if (!dividesAll(I))
    return L.makeLoopInvariant(&I, Changed, Before);
  for (Value *Operand : I.operands())
    if (!L.makeLoopInvariant(Operand, Changed, Before))
      return false;
  if (L.contains(&I)) {
    I.moveBefore(Before->getIterator());
    Changed = true;
  }
  return true;
}

bool hoistChoices(Function &F, LoopInfo &Loops) {
  SmallVector<Instruction *> Moved;
  for (Instruction &I : instructions(F))
    if (((isa<SelectInst>(I) && I.getType()->isIntegerTy()) || dividesAll(I)) && Loops.getLoopFor(I.getParent()))
      Moved.push_back(&I);
  bool Changed = false;
  for (Instruction *I : Moved)
    for (Loop *L = Loops.getLoopFor(I->getParent()); L; L = L->getParentLoop()) {
      BasicBlock *Before = L->getLoopPredecessor();
      if (!Before || (dividesAll(*I) && !L->isInnermost()) || !hoist(*I, *L, Before->getTerminator(), Changed))
        break;
    }
  return Changed;
}
