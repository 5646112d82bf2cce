// Structures of a few numbers that are filled or copied as bytes:
//
//   memset(&b[i].force, 0, 24)                        b[i].force.x = 0;  b[i].force.y = 0;  b[i].force.z = 0
//   memcpy(&b[i].force, &gravity, 24)     becomes     b[i].force.x = gravity.x;  ..
//
// if the loops around access numbers of one type there. A range of bytes would be one more loop over elements, which parts the statements around it, and its
// type says nothing about what it leaves alone.
#include "filled.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

// So many numbers are written one by one.
static constexpr uint64_t MaxNumbers = 8;

// A fill or copy of so many bytes.
static bool isSmall(const MemIntrinsic &I) {
  auto *Length = dyn_cast<ConstantInt>(I.getLength());
  auto *Fill = dyn_cast<MemSetInst>(&I);
  bool Known = Fill ? isa<ConstantInt>(Fill->getValue()) : isa<MemCpyInst>(I);
  return Known && Length && !I.isVolatile() && !Length->isZero() && Length->getValue().ule(8 * MaxNumbers);
}

namespace {
// The types of the numbers that loops access, by what the addresses begin at.
class Types {
  ScalarEvolution &Evolutions;
  DenseMap<const SCEV *, SmallPtrSet<Type *, 2>> Found;

  const SCEV *base(Value *Pointer) { return Evolutions.getPointerBase(Evolutions.getSCEV(Pointer)); }

public:
  Types(const Loop &Outermost, ScalarEvolution &Evolutions) : Evolutions(Evolutions) {
    for (BasicBlock *B : Outermost.blocks())
      for (Instruction &I : *B)
        if (Value *Pointer = getLoadStorePointerOperand(&I))
          Found[base(Pointer)].insert(getLoadStoreType(&I));
  }

  // The only one at an address; null if there are none, or several.
  Type *at(Value *Pointer) {
    auto At = Found.find(base(Pointer));
    return At != Found.end() && At->second.size() == 1 ? *At->second.begin() : nullptr;
  }
};
} // namespace

static bool isNumber(const Type *Ty) { return Ty->isFloatTy() || Ty->isDoubleTy() || Ty->isIntegerTy(32) || Ty->isIntegerTy(64); }

// The type of the numbers in a range; null if they are not known.
static Type *typeOf(MemIntrinsic &I, Types &Known) {
  Type *Ty = Known.at(I.getRawDest());
  if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
    Type *Source = Known.at(Copy->getRawSource());
    if (Ty && Source && Ty != Source)
      return nullptr;
    Ty = Ty ? Ty : Source;
  }
  if (!Ty || !isNumber(Ty))
    return nullptr;
  uint64_t Size = Ty->getPrimitiveSizeInBits() / 8, Length = cast<ConstantInt>(I.getLength())->getZExtValue();
  return Length % Size == 0 && Length / Size <= MaxNumbers ? Ty : nullptr;
}

static Constant *filledWith(const MemSetInst &Fill, Type *Ty) {
  unsigned Bits = Ty->getPrimitiveSizeInBits();
  APInt Value = APInt::getSplat(Bits, cast<ConstantInt>(Fill.getValue())->getValue());
  return ConstantExpr::getBitCast(ConstantInt::get(Fill.getContext(), Value), Ty);
}

static void write(MemIntrinsic &I, Type *Ty) {
  const DataLayout &Layout = I.getDataLayout();
  IRBuilder<> B(&I);
  uint64_t Size = Ty->getPrimitiveSizeInBits() / 8, Count = cast<ConstantInt>(I.getLength())->getZExtValue() / Size;
  auto Place = [&](Value *From, uint64_t N) { return N == 0 ? From : B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), From, N * Size); };
  auto Aligned = [&](MaybeAlign A, uint64_t N) { return commonAlignment(A.valueOrOne(), N * Size); };
  SmallVector<Value *, MaxNumbers> Numbers;
  for (uint64_t N = 0; N < Count; ++N) {
    if (auto *Fill = dyn_cast<MemSetInst>(&I)) {
      Numbers.push_back(filledWith(*Fill, Ty));
      continue;
    }
    auto &Copy = cast<MemCpyInst>(I);
    Value *From = Place(Copy.getRawSource(), N);
    auto *Fixed = dyn_cast<Constant>(From);
    Value *Known = Fixed ? ConstantFoldLoadFromConstPtr(Fixed, Ty, Layout) : nullptr;
    Numbers.push_back(Known ? Known : B.CreateAlignedLoad(Ty, From, Aligned(Copy.getSourceAlign(), N)));
  }
  for (auto [N, Number] : enumerate(Numbers))
    B.CreateAlignedStore(Number, Place(I.getRawDest(), N), Aligned(I.getDestAlign(), N));
  I.eraseFromParent();
}

bool writeNumbers(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  MapVector<const Loop *, SmallVector<MemIntrinsic *, 4>> Small;
  for (BasicBlock &B : F)
    if (const Loop *L = Loops.getLoopFor(&B))
      for (Instruction &I : B)
        if (auto *M = dyn_cast<MemIntrinsic>(&I); M && isSmall(*M))
          Small[L->getOutermostLoop()].push_back(M);
  bool Any = false;
  for (auto &[L, Ranges] : Small) {
    Types Known(*L, FAM.getResult<ScalarEvolutionAnalysis>(F));
    SmallVector<std::pair<MemIntrinsic *, Type *>, 4> Typed;
    for (MemIntrinsic *M : Ranges)
      if (Type *Ty = typeOf(*M, Known))
        Typed.push_back({M, Ty});
    for (auto [M, Ty] : Typed)
      write(*M, Ty);
    Any |= !Typed.empty();
  }
  return Any;
}
