// Loads from one array at different places, which the compiler has sunk to where the ways meet:
//
//   p = phi [&m[i - 1], a], [&m[i - w], b]                        a: x0 = m[i - 1];  b: x1 = m[i - w]
//   x = *p                                        becomes         x = phi [x0, a], [x1, b]
//
// A pointer that is one of several is no base and no subscript. As before, each way that leads here loads once. In the loops that are left as they
// were, they are one load again: the vectorizer would take them up as two under masks, in which it is not faster. Where the ways are gone and a
// pointer is selected, they come back:
//
//   x = *(c ? &m[i - 1] : &m[i - w])              becomes         if (c) x0 = m[i - 1]; else x1 = m[i - w];  x = phi [x0, ..], [x1, ..]
#include "parted.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

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

static PHINode *part(PHINode &P, LoadInst &L) {
  auto *Value = PHINode::Create(L.getType(), P.getNumIncomingValues(), "", P.getIterator());
  for (BasicBlock *From : P.blocks())
    Value->addIncoming(ownLoad(L, P.getIncomingValueForBlock(From), *From), From);
  replace(L, Value);
  return Value;
}

static PHINode *part(SelectInst &S, LoadInst &L) {
  Instruction *Then = nullptr, *Else = nullptr;
  SplitBlockAndInsertIfThenElse(S.getCondition(), L.getIterator(), &Then, &Else);
  auto *Value = PHINode::Create(L.getType(), 2, "", L.getIterator());
  for (auto [Way, Pointer] : {std::pair(Then, S.getTrueValue()), std::pair(Else, S.getFalseValue())})
    Value->addIncoming(ownLoad(L, Pointer, *Way->getParent()), Way->getParent());
  replace(L, Value);
  return Value;
}

template <typename Pointer> static bool partAll(ArrayRef<Pointer *> Pointers, PartedLoads &Parted) {
  // Blocks are split on the way.
  SmallVector<std::pair<Pointer *, SmallVector<LoadInst *, 4>>, 8> Found;
  for (Pointer *P : Pointers)
    if (SmallVector<LoadInst *, 4> Loads = loadsOf(*P); !Loads.empty())
      Found.push_back({P, Loads});
  for (auto &[P, Loads] : Found) {
    for (LoadInst *L : Loads)
      Parted.push_back(part(*P, *L));
    P->eraseFromParent();
  }
  return !Found.empty();
}

bool partLoads(Function &F, const LoopInfo &Loops, PartedLoads &Parted) {
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
  bool Any = partAll<PHINode>(Merged, Parted);
  return partAll<SelectInst>(Selected, Parted) || Any;
}

// Whether a value is still loaded right in front of the jump that leads to its only use.
static bool isAtJump(const Value *V, const BasicBlock *From) {
  auto *L = dyn_cast<LoadInst>(V);
  auto *Way = dyn_cast<BranchInst>(From->getTerminator());
  return L && L->isSimple() && L->hasOneUse() && L->getParent() == From && Way && Way->isUnconditional() &&
         none_of(make_range(L->getIterator(), From->end()), [](const Instruction &I) { return I.mayWriteToMemory(); });
}

// The merge of what is loaded from, which may be there for another load.
static PHINode *mergedPointer(PHINode &Loaded) {
  Type *Pointer = getLoadStorePointerOperand(Loaded.getIncomingValue(0))->getType();
  auto *Merged = PHINode::Create(Pointer, Loaded.getNumIncomingValues(), "", Loaded.getIterator());
  for (auto [V, From] : zip(Loaded.incoming_values(), Loaded.blocks()))
    Merged->addIncoming(getLoadStorePointerOperand(V), From);
  for (PHINode &Known : Loaded.getParent()->phis())
    if (&Known != Merged && Known.isIdenticalTo(Merged)) {
      Merged->eraseFromParent();
      return &Known;
    }
  return Merged;
}

// Whether on all ways to where loads merge they still are what is done last.
static bool isAtJumps(const PHINode &Loaded) {
  return all_of(zip(Loaded.incoming_values(), Loaded.blocks()),
                [](auto Way) { return isAtJump(std::get<0>(Way), std::get<1>(Way)); });
}

// One load through a pointer, in the place of those that merge.
static void join(PHINode &Loaded, Value *Pointer, BasicBlock::iterator At) {
  SmallVector<Instruction *, 8> Ways;
  for (Value *Way : Loaded.incoming_values())
    Ways.push_back(cast<Instruction>(Way));
  auto *One = cast<LoadInst>(Ways[0]->clone());
  for (Instruction *Way : drop_begin(Ways))
    combineMetadataForCSE(One, Way, /*DoesKMove=*/true);
  One->insertBefore(At);
  One->setOperand(One->getPointerOperandIndex(), Pointer);
  One->setDebugLoc(Loaded.getDebugLoc());
  Loaded.replaceAllUsesWith(One);
  Loaded.eraseFromParent();
  for (Instruction *Way : Ways)
    Way->eraseFromParent();
}

// The branch that chooses between two ways to a block which do nothing but load what merges there, and may be computed both but for that.
static BranchInst *choosing(BasicBlock &Tail, ArrayRef<WeakVH> Parted) {
  const PHINode &Any = *Tail.phis().begin();
  if (Any.getNumIncomingValues() != 2 ||
      !all_of(Tail.phis(), [&](PHINode &P) { return is_contained(Parted, &P) && isAtJumps(P); }))
    return nullptr;
  BasicBlock *First = Any.getIncomingBlock(0), *Other = Any.getIncomingBlock(1), *Head = First->getSinglePredecessor();
  if (!Head || First == Other || Other->getSinglePredecessor() != Head)
    return nullptr;
  auto Merges = [&](const Instruction &I) {
    auto *P = I.hasOneUse() ? dyn_cast<PHINode>(I.user_back()) : nullptr;
    return P && P->getParent() == &Tail;
  };
  for (BasicBlock *Way : {First, Other})
    for (Instruction &I : *Way)
      if (!I.isTerminator() && !(isa<LoadInst>(I) ? Merges(I) : isSafeToSpeculativelyExecute(&I)))
        return nullptr;
  auto *Branch = dyn_cast<BranchInst>(Head->getTerminator());
  return Branch && Branch->isConditional() ? Branch : nullptr;
}

// Pointers selected again, without ways.
static void joinSelected(BasicBlock &Tail, BranchInst &Branch) {
  BasicBlock *Ways[] = {Branch.getSuccessor(0), Branch.getSuccessor(1)};
  for (BasicBlock *Way : Ways)
    for (Instruction &I : make_early_inc_range(*Way))
      if (!isa<LoadInst>(I) && !I.isTerminator())
        I.moveBefore(Branch.getIterator());
  BasicBlock::iterator At = Tail.getFirstInsertionPt();
  for (PHINode &Loaded : make_early_inc_range(Tail.phis())) {
    auto Pointer = [&](unsigned Way) { return getLoadStorePointerOperand(Loaded.getIncomingValueForBlock(Ways[Way])); };
    auto *Selected = SelectInst::Create(Branch.getCondition(), Pointer(0), Pointer(1), "", Branch.getIterator());
    Selected->setDebugLoc(Loaded.getDebugLoc());
    join(Loaded, Selected, At);
  }
  ReplaceInstWithInst(&Branch, BranchInst::Create(&Tail));
  for (BasicBlock *Way : Ways)
    Way->eraseFromParent();
  MergeBlockIntoPredecessor(&Tail);
}

void joinLoads(ArrayRef<WeakVH> Parted) {
  // Those inside of others were made later.
  for (const WeakVH &V : reverse(Parted)) {
    auto *Loaded = dyn_cast_or_null<PHINode>(static_cast<Value *>(V));
    if (!Loaded || !isAtJumps(*Loaded))
      continue;
    BasicBlock &Tail = *Loaded->getParent();
    if (BranchInst *Branch = choosing(Tail, Parted))
      joinSelected(Tail, *Branch);
    else
      join(*Loaded, mergedPointer(*Loaded), Tail.getFirstInsertionPt());
  }
}
