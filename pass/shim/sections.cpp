// Sections of Fortran's arrays that loops hand to procedures which take elements side by side:
//
//   for l: for j: { d = {&a(1, j, l), n, stride}                   if (stride == 8 || n <= 1)
//                   if (IsContiguous(d)) solve(&a(1, j, l))           for l: for j: solve(&a(1, j, l))
//                   else { copy in; solve; copy out } }      ->    else the nest as it is
//
// What the run-time library looks at are a few words that the loop has just stored: all that matters of them is known in front of the nest. A nest
// that calls the library is none that can be described, and the copies are not what a program is for.
#include "sections.h"
#include "whole.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {
// A description, by the words of flang's run-time library (runtime/descriptor.h): bytes of an element, rank, and extent and stride of each dimension.
constexpr int64_t ElementBytes = 8, Rank = 20, Dimensions = 24, Dimension = 24, Extent = 8, Stride = 16;

// Dimensions that are looked at.
constexpr uint64_t MaxRank = 3;

// Instructions of a nest that there may be twice.
constexpr size_t MaxSize = 2000;

// Stores in front of a question that are looked at.
constexpr unsigned MaxStores = 64;

// A loop that asks in each iteration.
struct Question {
  CallInst *Call;
  AllocaInst *Description;
  // What is in the description, by its place.
  MapVector<int64_t, Value *> Words;
  // The outermost loop in which all of that stands still.
  Loop *Around = nullptr;
  // Loads of such words where elements lie side by side.
  SmallVector<LoadInst *, 4> Loads;

  bool collect(const DataLayout &Layout);
  bool isSettled(LoopInfo &Loops);
  bool isAlone(const DominatorTree &Dominators, const DataLayout &Layout);
  Value *answer(IRBuilder<> &B) const;
  uint64_t rank() const { return cast<ConstantInt>(Words.lookup(Rank))->getZExtValue(); }
};
} // namespace

// The place in the description that an instruction loads from or stores to; nothing if it does neither.
static std::optional<int64_t> place(const Instruction &I, const Value *Description, const DataLayout &Layout) {
  const Value *Pointer = getLoadStorePointerOperand(&I);
  int64_t Offset = 0;
  if (!Pointer || GetPointerBaseWithConstantOffset(Pointer, Offset, Layout) != Description)
    return std::nullopt;
  return Offset;
}

// What the block has stored last of each word; whether that is all that the question is about.
bool Question::collect(const DataLayout &Layout) {
  unsigned Seen = 0;
  for (Instruction *I = Call->getPrevNode(); I && Seen < MaxStores; I = I->getPrevNode()) {
    if (!I->mayWriteToMemory())
      continue;
    ++Seen;
    if (auto At = place(*I, Description, Layout))
      Words.insert({*At, cast<StoreInst>(I)->getValueOperand()});
    else if (!isa<StoreInst>(I))
      break;
  }
  auto *Dims = dyn_cast_or_null<ConstantInt>(Words.lookup(Rank));
  auto *Bytes = dyn_cast_or_null<ConstantInt>(Words.lookup(ElementBytes));
  if (!Dims || !Bytes || Dims->getZExtValue() == 0 || Dims->getZExtValue() > MaxRank)
    return false;
  return all_of(seq(rank()), [&](uint64_t D) {
    auto IsWord = [&](int64_t At) {
      Value *V = Words.lookup(Dimensions + int64_t(D) * Dimension + At);
      return V && V->getType()->isIntegerTy(64);
    };
    return IsWord(Extent) && IsWord(Stride);
  });
}

bool Question::isSettled(LoopInfo &Loops) {
  for (Loop *L = Loops.getLoopFor(Call->getParent()); L; L = L->getParentLoop()) {
    bool Stands = all_of(seq(rank()), [&](uint64_t D) {
      const int64_t At = Dimensions + int64_t(D) * Dimension;
      return L->isLoopInvariant(Words.lookup(At + Extent)) && L->isLoopInvariant(Words.lookup(At + Stride));
    });
    size_t Size = 0;
    for (const BasicBlock *B : L->blocks())
      Size += B->size();
    if (!Stands || Size > MaxSize || !L->isLoopSimplifyForm() || !L->isSafeToClone())
      break;
    Around = L;
  }
  return Around != nullptr;
}

// Whether nothing but the copies needs the description, and what they leave merges with nothing: the nest without them is the one with them where
// there are none.
bool Question::isAlone(const DominatorTree &Dominators, const DataLayout &Layout) {
  auto *Branch = dyn_cast<BranchInst>(Call->getParent()->getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getCondition() != Call || !Call->hasOneUse())
    return false;
  const BasicBlockEdge Together(Branch->getParent(), Branch->getSuccessor(0)), Apart(Branch->getParent(), Branch->getSuccessor(1));
  auto IsCopied = [&](const BasicBlock *B) { return Dominators.dominates(Apart, B); };
  for (const BasicBlock *B : Around->blocks())
    if (!B->phis().empty() && !IsCopied(B) && B != Around->getHeader() && any_of(predecessors(B), IsCopied))
      return false;
  // A word of the type that was stored there, in front of the question.
  auto IsKnown = [&](const LoadInst &Load, int64_t At) {
    const Value *Word = Words.lookup(At);
    return Word && Word->getType() == Load.getType() && Dominators.dominates(Together, Load.getParent());
  };
  SmallVector<Value *> Open{Description};
  while (!Open.empty())
    for (User *U : Open.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      auto At = place(*I, Description, Layout);
      if (isa<GetElementPtrInst>(I))
        Open.push_back(I);
      else if (I == Call || IsCopied(I->getParent()))
        continue;
      else if (auto *Load = dyn_cast<LoadInst>(I); Load && At && IsKnown(*Load, *At))
        Loads.push_back(Load);
      else if (!isa<StoreInst>(I) || !At || I->getParent() != Call->getParent())
        return false;
    }
  return true;
}

// Whether each stride is the size of what is inside, dimensions of one element apart; none or no bytes lie side by side as well.
Value *Question::answer(IRBuilder<> &B) const {
  Value *Bytes = Words.lookup(ElementBytes), *All = B.getTrue();
  for (uint64_t D : seq(rank())) {
    const int64_t At = Dimensions + int64_t(D) * Dimension;
    Value *Elements = Words.lookup(At + Extent), *Distance = Words.lookup(At + Stride);
    Value *Fits = B.CreateOr(B.CreateICmpEQ(Bytes, Distance), B.CreateICmpEQ(Elements, B.getInt64(1)));
    All = B.CreateAnd(All, Fits);
    Bytes = B.CreateMul(Bytes, Elements);
  }
  return B.CreateFreeze(B.CreateOr(All, B.CreateICmpEQ(Bytes, B.getInt64(0))));
}

// A way that is always taken in some blocks.
static void take(ArrayRef<BasicBlock *> Blocks, Value *Answer, bool Holds) {
  for (BasicBlock *B : Blocks)
    if (auto *Branch = dyn_cast<BranchInst>(B->getTerminator()); Branch && Branch->isConditional() && Branch->getCondition() == Answer) {
      Branch->setCondition(ConstantInt::getBool(B->getContext(), Holds));
      ConstantFoldTerminator(B);
    }
}

static bool settle(Function &F, Question &Asked, LoopInfo &Loops, DominatorTree &Dominators) {
  Loop &L = *Asked.Around;
  for (LoadInst *Load : Asked.Loads) {
    Load->replaceAllUsesWith(Asked.Words.lookup(*place(*Load, Asked.Description, F.getDataLayout())));
    Load->eraseFromParent();
  }
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Value *Answer = Asked.answer(B);
  Asked.Call->replaceAllUsesWith(Answer);
  Asked.Call->eraseFromParent();
  SmallVector<BasicBlock *> Own(L.blocks());
  SmallVector<BasicBlock *, 8> Copies = keepWhole(L, Answer, ".copied", Loops, Dominators);
  take(Own, Answer, true);
  take(Copies, Answer, false);
  // Nobody reads the description there.
  for (BasicBlock *Block : Own)
    for (Instruction &I : make_early_inc_range(*Block))
      if (isa<StoreInst>(I) && place(I, Asked.Description, F.getDataLayout()))
        I.eraseFromParent();
  removeUnreachableBlocks(F);
  return true;
}

bool settleSections(Function &F, FunctionAnalysisManager &FAM) {
  const Function *Library = F.getParent()->getFunction("_FortranAIsContiguous");
  if (!Library)
    return false;
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  for (BasicBlock &B : F)
    for (Instruction &I : B) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (!Call || Call->getCalledFunction() != Library || Call->arg_size() != 1 || !Call->getType()->isIntegerTy(1) || !Loops.getLoopFor(&B))
        continue;
      auto *Description = dyn_cast<AllocaInst>(Call->getArgOperand(0));
      if (!Description)
        continue;
      Question Asked = {Call, Description, {}, nullptr, {}};
      if (Asked.collect(F.getDataLayout()) && Asked.isSettled(Loops) && Asked.isAlone(Dominators, F.getDataLayout()))
        return settle(F, Asked, Loops, Dominators);
    }
  return false;
}
