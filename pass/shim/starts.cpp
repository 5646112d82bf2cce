// Addresses and bounds of innermost loops, in new versions, begin at sums over tiles, rows and minima of bounds:
//
//   for k: load {{{base + 72008,+,128000}<tile>,+,128000}<row>,+,64}<k>     and seven more, 8000 bytes apart
//
// Loop strength reduction looks at every way to take such a sum apart, for each address, which took up to half of all code generation; and
// what it found was written out again in front of the loop. Nothing of it can change inside the loop. So the last pass in front of code
// generation puts a value that scalar evolution does not look into in front of each such loop, one for all that differ by a constant:
//
//   s = strip.invariant.group(start)                                        for k: load {s,+,64}<k>, {s + 8000,+,64}<k>, ..
//
// For addresses this is a call that alias analysis does look through and that code generation drops behind strength reduction, for numbers a
// `freeze`.
#include "starts.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

constexpr unsigned Bits = 64;

// A value from outside of the loop: a constant and the rest.
struct Start {
  Instruction *Value;
  const SCEV *Rest;
  APInt Constant;
};

// Takes the constant out of an evolution.
APInt takeConstant(const SCEV *&S, ScalarEvolution &SE) {
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    APInt Value = C->getAPInt();
    S = SE.getZero(S->getType());
    return Value;
  }
  APInt Constant(Bits, 0);
  if (isa<SCEVAddExpr, SCEVAddRecExpr>(S)) {
    SmallVector<const SCEV *, 8> Parts(S->operands());
    if (Parts.front()->getType()->isPointerTy() || SE.getTypeSizeInBits(Parts.front()->getType()) == Bits)
      Constant = takeConstant(Parts.front(), SE);
    if (Constant.isZero())
      return Constant;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
    S = Rec ? SE.getAddRecExpr(Parts, Rec->getLoop(), SCEV::FlagAnyWrap) : SE.getAddExpr(Parts);
  }
  return Constant;
}

// Whether a use is inside the loop, or is what a PHI of its header begins with.
bool isUsedBy(const Use &U, const Loop &L, const BasicBlock *Before) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return L.contains(User) && (!Phi || Phi->getIncomingBlock(U) == Before);
}

bool isNumber(const Type *Ty, const DataLayout &Layout) {
  return Ty->isIntegerTy(Bits) || (Ty->isPointerTy() && Ty->getPointerAddressSpace() == 0 && Layout.getPointerSizeInBits(0) == Bits);
}

SmallVector<Start, 16> startsOf(const Loop &L, const BasicBlock *Before, ScalarEvolution &SE) {
  SmallVector<Start, 16> Found;
  SmallPtrSet<const Value *, 16> Seen;
  const DataLayout &Layout = Before->getDataLayout();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Use &U : I.operands()) {
        auto *Value = dyn_cast<Instruction>(U);
        if (!Value || L.contains(Value) || !isNumber(Value->getType(), Layout) || !isUsedBy(U, L, Before) ||
            !Seen.insert(Value).second)
          continue;
        const SCEV *Rest = SE.getSCEV(Value);
        APInt Constant = takeConstant(Rest, SE);
        if (!isa<SCEVUnknown, SCEVConstant>(Rest))
          Found.push_back({Value, Rest, Constant});
      }
  return Found;
}

Value *opaque(Instruction *V, IRBuilder<> &Builder) {
  return V->getType()->isPointerTy() ? Builder.CreateStripInvariantGroup(V) : Builder.CreateFreeze(V);
}

Value *moved(Value *From, const APInt &By, IRBuilder<> &Builder) {
  Value *Distance = Builder.getInt(By);
  return From->getType()->isPointerTy() ? Builder.CreatePtrAdd(From, Distance) : Builder.CreateAdd(From, Distance);
}

bool hide(Loop &L, ScalarEvolution &SE) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    return false;
  SmallVector<Start, 16> Starts = startsOf(L, Before, SE);
  IRBuilder<> Builder(Before->getTerminator());
  // The first of those that differ by a constant, and what stands for it.
  SmallVector<std::pair<Start, Value *>, 16> Hidden;
  for (const Start &S : Starts) {
    auto Near = find_if(Hidden, [&](const auto &H) {
      return H.first.Rest == S.Rest && H.first.Value->getType() == S.Value->getType();
    });
    Value *New = nullptr;
    if (Near != Hidden.end())
      New = moved(Near->second, S.Constant - Near->first.Constant, Builder);
    else
      Hidden.emplace_back(S, New = opaque(S.Value, Builder));
    S.Value->replaceUsesWithIf(New, [&](Use &U) { return isUsedBy(U, L, Before); });
  }
  SE.forgetLoop(&L);
  return !Starts.empty();
}

} // namespace

bool hideStarts(Function &F, const LoopInfo &Loops, ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost())
      Changed |= hide(*L, SE);
  return Changed;
}
