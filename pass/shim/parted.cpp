// Loads from one array at different places, which the compiler has sunk to where the ways meet:
//
//   p = phi [&m[i - 1], a], [&m[i - w], b]                        a: x0 = m[i - 1];  b: x1 = m[i - w]
//   x = *p                                        becomes         x = phi [x0, a], [x1, b]
//
// A pointer that is one of several is no base and no subscript. As before, each way that leads here loads once. Where the ways are gone and a
// pointer is selected, they come back:
//
//   x = *(c ? &m[i - 1] : &m[i - w])              becomes         if (c) x0 = m[i - 1]; else x1 = m[i - w];  x = phi [x0, ..], [x1, ..]
#include "parted.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

// Merges of so many ways are looked at.
static constexpr unsigned MaxWays = 8;

// Each of them in a function splits a block.
static constexpr unsigned MaxSelected = 64;

// Whether pointers are places of one array.
template <typename Range> static bool areInOneArray(const Range &Pointers) {
  const Value *Array = getUnderlyingObject(*Pointers.begin());
  return !isa<PHINode>(Array) && !isa<SelectInst>(Array) && all_of(Pointers, [&](const Value *P) {
    return isa<GetElementPtrInst>(P) && getUnderlyingObject(P) == Array;
  });
}

// Whether all ways lead here only, and all that merges is in one array.
static bool merges(const PHINode &P) {
  return P.getNumIncomingValues() <= MaxWays && areInOneArray(P.operand_values()) &&
         all_of(P.blocks(), [&](const BasicBlock *From) {
           auto *Way = dyn_cast<BranchInst>(From->getTerminator());
           return Way && Way->isUnconditional();
         });
}

static bool selects(SelectInst &S) {
  return S.getType()->isPointerTy() && areInOneArray(ArrayRef<const Value *>{S.getTrueValue(), S.getFalseValue()});
}

// The loads through a pointer, if there is nothing else through it and all are in its block before anything is written.
static SmallVector<LoadInst *, 4> loadsOf(Instruction &Pointer) {
  SmallVector<LoadInst *, 4> Found;
  for (Instruction &I : make_range(Pointer.getIterator(), Pointer.getParent()->end())) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (L && L->getPointerOperand() == &Pointer && L->isSimple())
      Found.push_back(L);
    else if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      break;
  }
  if (!Pointer.hasNUses(Found.size()))
    Found.clear();
  return Found;
}

// The load through this pointer, in front of a jump.
static Instruction *ownLoad(LoadInst &L, Value *Pointer, BasicBlock &From) {
  Instruction *Own = L.clone();
  Own->insertBefore(From.getTerminator()->getIterator());
  Own->setOperand(L.getPointerOperandIndex(), Pointer);
  return Own;
}

static void replace(LoadInst &L, PHINode *Value) {
  Value->setDebugLoc(L.getDebugLoc());
  L.replaceAllUsesWith(Value);
  L.eraseFromParent();
}

static void part(PHINode &P, LoadInst &L) {
  auto *Value = PHINode::Create(L.getType(), P.getNumIncomingValues(), "", P.getIterator());
  for (BasicBlock *From : P.blocks())
    Value->addIncoming(ownLoad(L, P.getIncomingValueForBlock(From), *From), From);
  replace(L, Value);
}

static void part(SelectInst &S, LoadInst &L) {
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(S.getCondition(), L.getIterator(), &Then, &Else);
  auto *Value = PHINode::Create(L.getType(), 2, "", L.getIterator());
  for (auto [Way, Pointer] : {std::pair(Then, S.getTrueValue()), std::pair(Else, S.getFalseValue())})
    Value->addIncoming(ownLoad(L, Pointer, *Way->getParent()), Way->getParent());
  replace(L, Value);
}

template <typename Pointer> static bool partAll(ArrayRef<Pointer *> Pointers) {
  // Blocks are split on the way.
  SmallVector<std::pair<Pointer *, SmallVector<LoadInst *, 4>>, 8> Found;
  for (Pointer *P : Pointers)
    if (SmallVector<LoadInst *, 4> Loads = loadsOf(*P); !Loads.empty())
      Found.push_back({P, Loads});
  for (auto &[P, Loads] : Found) {
    for (LoadInst *L : Loads)
      part(*P, *L);
    P->eraseFromParent();
  }
  return !Found.empty();
}

bool partLoads(Function &F, const LoopInfo &Loops) {
  SmallVector<PHINode *, 8> Merged;
  SmallVector<SelectInst *, 8> Selected;
  for (BasicBlock &B : F) {
    if (!Loops.getLoopFor(&B))
      continue;
    for (Instruction &I : B) {
      auto *P = dyn_cast<PHINode>(&I);
      auto *S = dyn_cast<SelectInst>(&I);
      if (P && P->getType()->isPointerTy() && !Loops.isLoopHeader(&B) && merges(*P))
        Merged.push_back(P);
      else if (S && selects(*S) && Selected.size() < MaxSelected)
        Selected.push_back(S);
    }
  }
  bool Any = partAll<PHINode>(Merged);
  return partAll<SelectInst>(Selected) || Any;
}
