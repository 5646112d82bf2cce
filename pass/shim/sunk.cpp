// Numbers that were computed on each way to a merge, computed behind it again:
//
//   n = phi [a, 0], [b, 800]                        n = phi [a, 0], [b, 800]
//   p = phi [a * a, 0], [b, 640000]   becomes       p = n * n
//
// Jump threading leaves this of a size that is an argument or else a constant. That p elements are n rows was no longer to be seen. What was
// computed alike on each way, as the same number in more bits or the address of the same row, is computed behind the merge as well.
#include "sunk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {
// The merges of one block, and what those are that were found to be computed.
struct Merge {
  BasicBlock &B;
  const LoopInfo &Loops;
  MapVector<PHINode *, Instruction *> Computed;

  Instruction *sink(PHINode &P);
  bool areAlike(ArrayRef<Value *> Ways, unsigned Depth) const;
  Value *common(ArrayRef<Value *> Ways, BasicBlock::iterator At);
  Instruction *place(const Instruction &On, ArrayRef<Value *> Operands);
};
} // namespace

static bool isSinkable(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return I.getType()->isIntegerTy();
  case Instruction::GetElementPtr:
    return I.getType()->isPointerTy();
  default:
    return false;
  }
}

// What an operation gives for constants; nothing where that is undefined.
static std::optional<APInt> fold(const Instruction &On, ArrayRef<APInt> Operands) {
  const APInt &A = Operands[0];
  unsigned Width = On.getType()->getIntegerBitWidth();
  switch (On.getOpcode()) {
  case Instruction::Add:
    return A + Operands[1];
  case Instruction::Sub:
    return A - Operands[1];
  case Instruction::Mul:
    return A * Operands[1];
  case Instruction::Shl:
    return Operands[1].ult(Width) ? std::optional(A.shl(Operands[1])) : std::nullopt;
  case Instruction::ZExt:
    return A.zext(Width);
  case Instruction::SExt:
    return A.sext(Width);
  default:
    return A.trunc(Width);
  }
}

// The merge of a block that is this value on the way from there, or what is the same on each way; nullptr if there is none.
static Value *behind(BasicBlock &B, Value *V, const BasicBlock *From) {
  if (isa<ConstantInt, Argument>(V))
    return V;
  for (PHINode &Phi : B.phis())
    if (Phi.getIncomingValueForBlock(From) == V)
      return &Phi;
  return nullptr;
}

// An operand of what was computed on each way.
static SmallVector<Value *, 4> operands(ArrayRef<Value *> Ways, unsigned Number) {
  return to_vector<4>(map_range(Ways, [&](Value *V) { return cast<Instruction>(V)->getOperand(Number); }));
}

// Whether the same is there on each way, or it was computed alike of what is. Values of a loop that was left have merges of their own.
bool Merge::areAlike(ArrayRef<Value *> Ways, unsigned Depth) const {
  auto *On = dyn_cast<Instruction>(Ways.front());
  if (all_equal(Ways)) {
    const Loop *L = On ? Loops.getLoopFor(On->getParent()) : nullptr;
    const bool Merges = On && isa<PHINode>(On) && On->getParent() == &B;
    return !Merges && (!L || L->contains(&B));
  }
  auto Same = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && I->isSameOperationAs(On, Instruction::CompareIgnoringAlignment);
  };
  if (!Depth || !On || !isSinkable(*On) || !all_of(Ways, Same))
    return false;
  return all_of(seq(On->getNumOperands()), [&](unsigned Number) { return areAlike(operands(Ways, Number), Depth - 1); });
}

// What is alike on each way, computed once. What an operation promises on all of them still holds.
Value *Merge::common(ArrayRef<Value *> Ways, BasicBlock::iterator At) {
  if (all_equal(Ways))
    return Ways.front();
  Instruction *Made = cast<Instruction>(Ways.front())->clone();
  for (unsigned Number : seq(Made->getNumOperands()))
    Made->setOperand(Number, common(operands(Ways, Number), At));
  for (Value *V : Ways)
    Made->andIRFlags(V);
  Made->setDebugLoc(DebugLoc());
  Made->insertBefore(At);
  return Made;
}

// Whether a merge is the operation of these merges on each way.
static bool fits(const PHINode &P, const Instruction &On, ArrayRef<Value *> Operands) {
  return all_of(P.blocks(), [&](const BasicBlock *From) {
    const Value *V = P.getIncomingValueForBlock(From);
    auto *I = dyn_cast<Instruction>(V);
    bool Same = I && I->getOpcode() == On.getOpcode();
    SmallVector<APInt, 2> Constants;
    for (auto [Number, Operand] : enumerate(Operands)) {
      auto *Phi = dyn_cast<PHINode>(Operand);
      const Value *Taken = Phi ? Phi->getIncomingValueForBlock(From) : Operand;
      Same = Same && I->getOperand(Number) == Taken;
      if (auto *C = dyn_cast<ConstantInt>(Taken))
        Constants.push_back(C->getValue());
    }
    auto *Known = dyn_cast<ConstantInt>(V);
    return Same || (Known && Constants.size() == Operands.size() && fold(On, Constants) == Known->getValue());
  });
}

// The operation behind all that it takes. It promises nothing: on another way it may have wrapped around.
Instruction *Merge::place(const Instruction &On, ArrayRef<Value *> Operands) {
  Instruction *Made = On.clone();
  Made->dropPoisonGeneratingFlags();
  Made->setDebugLoc(DebugLoc());
  auto At = B.getFirstInsertionPt();
  for (auto [Number, Operand] : enumerate(Operands)) {
    auto *Phi = dyn_cast<PHINode>(Operand);
    Instruction *Taken = Phi ? Computed.lookup(Phi) : nullptr;
    Made->setOperand(Number, Taken ? Taken : Operand);
    if (Taken && (At == B.end() || !Taken->comesBefore(&*At)))
      At = std::next(Taken->getIterator());
  }
  Made->insertBefore(At);
  return Made;
}

// Operations behind one another that are looked at.
static constexpr unsigned MaxDepth = 3;

Instruction *Merge::sink(PHINode &P) {
  SmallVector<Value *, 4> Ways(P.incoming_values());
  if (!all_equal(Ways) && areAlike(Ways, MaxDepth))
    return cast<Instruction>(common(Ways, B.getFirstInsertionPt()));
  if (!P.getType()->isIntegerTy())
    return nullptr;
  for (BasicBlock *From : P.blocks()) {
    auto *On = dyn_cast<Instruction>(P.getIncomingValueForBlock(From));
    if (!On || !isSinkable(*On))
      continue;
    SmallVector<Value *, 2> Operands;
    for (Value *V : On->operands())
      Operands.push_back(behind(B, V, From));
    bool Known = all_of(Operands, [](Value *V) { return V != nullptr; }) &&
                 any_of(Operands, [&](Value *V) { return isa<PHINode>(V) && V != &P; }) && !is_contained(Operands, &P);
    return Known && fits(P, *On, Operands) ? place(*On, Operands) : nullptr;
  }
  return nullptr;
}

// Merges of so many ways are looked at.
static constexpr unsigned MaxWays = 4;

bool sinkNumbers(Function &F, const LoopInfo &Loops) {
  bool Changed = false;
  for (BasicBlock &B : F) {
    auto Phis = B.phis();
    if (Phis.empty() || Loops.isLoopHeader(&B) || Phis.begin()->getNumIncomingValues() > MaxWays || B.getFirstInsertionPt() == B.end())
      continue;
    Merge Here = {B, Loops, MapVector<PHINode *, Instruction *>()};
    for (PHINode &P : Phis)
      if (Instruction *Made = P.getType()->isIntegerTy() || P.getType()->isPointerTy() ? Here.sink(P) : nullptr)
        Here.Computed[&P] = Made;
    for (auto [P, Made] : Here.Computed) {
      P->replaceAllUsesWith(Made);
      P->eraseFromParent();
    }
    Changed |= !Here.Computed.empty();
  }
  return Changed;
}
