// Numbers of 64 bits that are two of 32, as structures are passed and copied:
//
//   struct { int w, h; double *d; } m                             lo = freeze trunc m0 to i32;  w = sext lo
//   h = lshr m0, 32;  w = and m0, 2147483647      becomes         hi = freeze trunc (lshr m0, 32) to i32;  h = zext hi
//
// That a size is the lower half of a number would hold only where the upper half is none. What uses a part of the bits gets a number that has only
// these. A freeze is a value of its own to ScalarEvolution.
#include "halves.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned Half = 32;

// How a number is used.
struct Uses {
  SmallVector<Use *, 8> Low;
  SmallVector<BinaryOperator *, 4> High; // shifts by a half
};

// Whether a use hands the number on and asks for no digit of it.
static bool carries(const User *U) {
  return isa<PHINode, StoreInst, SelectInst, ReturnInst, InsertValueInst>(U) || (isa<CallBase>(U) && !isa<IntrinsicInst>(U));
}

// The uses of a number, if all of them are of one of its halves.
static std::optional<Uses> usesOf(Value &V, DemandedBits &Bits) {
  Uses Found;
  for (Use &U : V.uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (match(I, m_Shr(m_Specific(&V), m_SpecificInt(Half))))
      Found.High.push_back(cast<BinaryOperator>(I));
    else if (carries(I))
      continue;
    else if (Bits.getDemandedBits(&U).isIntN(Half))
      Found.Low.push_back(&U);
    else
      return std::nullopt;
  }
  return Found;
}

// Whether a PHI hands on numbers that come from elsewhere: a counter does not.
static bool merges(const PHINode &P) {
  return none_of(P.incoming_values(), [](const Use &U) { return isa<BinaryOperator>(U); });
}

// Whether a number may be two: one in memory, or that comes round, is if both halves are asked for.
static bool mayBeTwo(const Value &V, const Uses &Found) {
  if (Found.Low.empty() && Found.High.empty())
    return false;
  if (isa<Argument>(V))
    return true;
  auto *P = dyn_cast<PHINode>(&V);
  return (P ? merges(*P) : isa<LoadInst>(V)) && !Found.Low.empty() && !Found.High.empty();
}

// What is computed from a number whose upper half has become another one may wrap where it did not.
static void forgetWraps(Instruction &I, DemandedBits &Bits) {
  SmallVector<Instruction *, 8> Work{&I};
  SmallPtrSet<Instruction *, 8> Seen;
  while (!Work.empty()) {
    Instruction *At = Work.pop_back_val();
    if (!At->getType()->isIntegerTy() || !Seen.insert(At).second)
      continue;
    At->dropPoisonGeneratingFlags();
    if (Bits.getDemandedBits(At).isAllOnes())
      continue;
    for (User *U : At->users())
      Work.push_back(cast<Instruction>(U));
  }
}

static void part(Value &V, const Uses &Found, Function &F, DemandedBits &Bits) {
  for (Use *U : Found.Low)
    forgetWraps(*cast<Instruction>(U->getUser()), Bits);
  auto *Made = dyn_cast<Instruction>(&V);
  BasicBlock::iterator At = !Made             ? F.getEntryBlock().getFirstInsertionPt()
                            : isa<PHINode>(V) ? Made->getParent()->getFirstInsertionPt()
                                              : std::next(Made->getIterator());
  IRBuilder<> Builder(&*At);
  auto *Narrow = Builder.getInt32Ty();
  auto Own = [&](Value *Part) { return Builder.CreateFreeze(Builder.CreateTrunc(Part, Narrow)); };
  if (!Found.Low.empty()) {
    Value *Low = Builder.CreateSExt(Own(&V), V.getType());
    for (Use *U : Found.Low)
      U->set(Low);
  }
  if (Found.High.empty())
    return;
  Value *High = Own(Builder.CreateLShr(&V, Half));
  for (BinaryOperator *Shift : Found.High) {
    bool Signed = Shift->getOpcode() == Instruction::AShr;
    Shift->replaceAllUsesWith(Builder.CreateIntCast(High, V.getType(), Signed));
    Shift->eraseFromParent();
  }
}

bool partHalves(Function &F, DemandedBits &Bits) {
  SmallVector<std::pair<Value *, Uses>, 8> Parted;
  auto Look = [&](Value &V) {
    if (!V.getType()->isIntegerTy(2 * Half) || V.use_empty())
      return;
    std::optional<Uses> Found = usesOf(V, Bits);
    if (Found && mayBeTwo(V, *Found))
      Parted.push_back({&V, *Found});
  };
  for (Argument &A : F.args())
    Look(A);
  for (Instruction &I : instructions(F))
    if (isa<PHINode, LoadInst>(I))
      Look(I);
  for (auto &[V, Found] : Parted)
    part(*V, Found, F, Bits);
  return !Parted.empty();
}
