// One loop over the elements of several dimensions, which takes its counter apart:
//
//   for (p = 0; p < w * h; ++p) {             becomes       if (w > 0 && h > 0 && w * h does not wrap around)
//     x = p % w; y = p / w; B                                 for (y = 0; y < h; ++y) for (x = 0; x < w; ++x) { p = y * w + x; B }
//   }                                                       else the loop
//
// Subscripts of such loops are not affine, and each iteration divides. Three dimensions come apart one after the other.
#include "collapsed.h"
#include "whole.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "shim.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// Products are compared as numbers of so many bits.
static constexpr unsigned MaxBits = 64;
// More instructions are not copied.
static constexpr size_t MaxSize = 400;
// Rows of a constant length that are worth a loop of their own: where one number only is asked for, most often the remainder of an index that
// some value is made from, and where both are.
static constexpr uint64_t LeastAlone = 64, LeastBoth = 8;

namespace {
// A quotient or a remainder of the counter.
struct Part {
  Instruction *I;
  const SCEV *By;
  bool Quotient;
};

class Collapsed {
  Function &F;
  FunctionAnalysisManager &FAM;
  Loop &L;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  PHINode *Counter = nullptr;
  SmallVector<Part, 8> Parts = {};
  // The length of rows, and how many there are.
  const SCEV *Length = nullptr, *Rows = nullptr, *Count = nullptr;
  // Divisors that are multiples of the length: the other factor, and what that is in front of the loop.
  struct Multiple {
    const SCEV *Divisor, *Times;
    Value *Factor = nullptr;
  };
  SmallVector<Multiple, 4> Multiples = {};

  bool isCounter(Value *V, bool Signed) const;
  bool isCounted(PHINode &Phi) const;
  std::optional<Part> part(Instruction &I) const;
  void collect();
  bool chooseLength();
  bool chooseRows();
  bool isWorth() const;
  const SCEV *other(const SCEV *Product, const SCEV *Factor) const;
  Value *number(const SCEV *S, bool Defined = false);
  Value *fits(Value *RowLength, Value *RowCount);
  void expand(Value *RowLength, Value *RowCount);
  void replaceParts(Value *Row, Value *Column, Value *RowLength);
  void replaceComparisons(Value *Row);

public:
  Collapsed(Function &F, FunctionAnalysisManager &FAM, Loop &L, ScalarEvolution &SE) : F(F), FAM(FAM), L(L), SE(SE), Expander(SE, "") {}
  bool find();
  void split();
};
} // namespace

// Without the widening.
static const SCEV *narrow(const SCEV *S) {
  while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S))
    S = S->operands()[0];
  return S;
}

// Whether it is the counter, which is not negative, as a number of some type, that is signed or not.
bool Collapsed::isCounter(Value *V, bool Signed) const {
  if (V == Counter)
    return true;
  if (match(V, m_ZExtOrSExt(m_Specific(Counter))))
    return true;
  auto *Short = dyn_cast<TruncInst>(V);
  if (!Short || Short->getOperand(0) != Counter)
    return false;
  unsigned Bits = Short->getType()->getIntegerBitWidth() - Signed;
  return Short->hasNoSignedWrap() || (!Signed && Short->hasNoUnsignedWrap()) ||
         SE.getUnsignedRange(SE.getSCEV(Counter)).getUnsignedMax().getActiveBits() <= Bits;
}

std::optional<Part> Collapsed::part(Instruction &I) const {
  const APInt *C;
  auto Is = [&](const SCEV *By, bool Quotient) { return Part{&I, By, Quotient}; };
  const bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  if (!I.getType()->isIntegerTy() || I.getNumOperands() != 2 || !isCounter(I.getOperand(0), Signed))
    return std::nullopt;
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  if (Bits > MaxBits)
    return std::nullopt;
  if (match(&I, m_LShr(m_Value(), m_APInt(C))) && C->ult(Bits - 1))
    return Is(SE.getConstant(APInt::getOneBitSet(Bits, C->getZExtValue())), true);
  if (match(&I, m_And(m_Value(), m_APInt(C))) && C->isMask() && C->isNonNegative())
    return Is(SE.getConstant(*C + 1), false);
  if (!L.isLoopInvariant(I.getOperand(1)))
    return std::nullopt;
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
    return Is(SE.getSCEV(I.getOperand(1)), true);
  case Instruction::URem:
  case Instruction::SRem:
    return Is(SE.getSCEV(I.getOperand(1)), false);
  default:
    return std::nullopt;
  }
}

void Collapsed::collect() {
  SmallVector<Value *, 4> Forms = {Counter};
  for (User *U : Counter->users())
    if (isa<CastInst>(U) && isCounter(U, /*Signed=*/false))
      Forms.push_back(U);
  for (Value *Form : Forms)
    for (User *U : Form->users())
      if (auto *I = dyn_cast<Instruction>(U); I && L.contains(I))
        if (auto Found = part(*I))
          Parts.push_back(*Found);
}

// A product without one of its factors, or null.
const SCEV *Collapsed::other(const SCEV *Product, const SCEV *Factor) const {
  auto *C = dyn_cast<SCEVConstant>(Factor);
  if (auto *Whole = dyn_cast<SCEVConstant>(Product)) {
    if (!C)
      return nullptr;
    uint64_t Of = Whole->getAPInt().getZExtValue(), By = C->getAPInt().getZExtValue();
    return By && Of % By == 0 ? SE.getConstant(Whole->getType(), Of / By) : nullptr;
  }
  auto *Of = dyn_cast<SCEVMulExpr>(Product);
  if (!Of)
    return nullptr;
  for (unsigned At = 0; At < Of->getNumOperands(); ++At) {
    const SCEV *Left = Of->getOperand(At) == Factor ? SE.getOne(Of->getType()) : nullptr;
    if (C && isa<SCEVConstant>(Of->getOperand(At)))
      Left = other(Of->getOperand(At), Factor);
    if (!Left)
      continue;
    SmallVector<const SCEV *, 4> Rest(Of->operands());
    Rest[At] = Left;
    return SE.getMulExpr(Rest);
  }
  return nullptr;
}

// The divisor of which all others are multiples.
bool Collapsed::chooseLength() {
  SmallSetVector<const SCEV *, 4> Divisors;
  for (const Part &P : Parts)
    Divisors.insert(narrow(P.By));
  for (const SCEV *Least : Divisors) {
    Multiples.clear();
    bool Divides = all_of(Divisors, [&](const SCEV *D) {
      const SCEV *Times = D == Least ? nullptr : other(D, Least);
      if (Times)
        Multiples.push_back(Multiple{D, Times});
      return D == Least || Times;
    });
    if (Divides) {
      Length = Least;
      return true;
    }
  }
  return false;
}

bool Collapsed::isWorth() const {
  bool Quotient = false, Remainder = false;
  for (const Part &P : Parts)
    (P.Quotient ? Quotient : Remainder) = true;
  if (auto *C = dyn_cast<SCEVConstant>(Length))
    return C->getAPInt().sge(Quotient && Remainder ? LeastBoth : LeastAlone);
  return true;
}

// How often the row comes: the other factor of the count, or where both numbers are asked for, the quotient.
bool Collapsed::chooseRows() {
  const SCEV *Back = SE.getExitCount(&L, L.getLoopLatch());
  if (isa<SCEVCouldNotCompute>(Back) || SE.getTypeSizeInBits(Back->getType()) > MaxBits)
    return false;
  Count = SE.getAddExpr(Back, SE.getOne(Back->getType()));
  Rows = other(narrow(Count), Length);
  if (Rows || isa<SCEVConstant>(Count))
    return Rows;
  auto Quotients = [](const Part &P) { return P.Quotient; };
  // Quotients by constants are affine.
  unsigned Bits = SE.getTypeSizeInBits(Count->getType());
  if (isa<SCEVConstant>(Length) || none_of(Parts, Quotients) || all_of(Parts, Quotients) || SE.getTypeSizeInBits(Length->getType()) > Bits)
    return false;
  const SCEV *By = SE.getNoopOrZeroExtend(Length, Count->getType());
  Rows = SE.getUDivExpr(Count, SE.getUMaxExpr(By, SE.getOne(By->getType())));
  return true;
}

// Whether a PHI is the number of the iteration.
bool Collapsed::isCounted(PHINode &Phi) const {
  auto *Rec = Phi.getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
  return Rec && Rec->getLoop() == &L && Rec->isAffine() && Rec->getStart()->isZero() && Rec->getStepRecurrence(SE)->isOne();
}

bool Collapsed::find() {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  if (!Latch || !Before || !L.isLoopSimplifyForm() || !L.isLoopExiting(Latch) || pt_loop_is_done(&L))
    return false;
  // What a switch or an invocation ends is left alone.
  if (!isa<BranchInst>(Latch->getTerminator()))
    return false;
  PtText Order;
  if (pt_loop_directive(&L, &Order))
    return false;
  for (PHINode &Phi : L.getHeader()->phis())
    if (isCounted(Phi)) {
      Counter = &Phi;
      Parts.clear();
      collect();
      if (!Parts.empty() && chooseLength() && isWorth() && chooseRows())
        break;
      Counter = nullptr;
    }
  if (!Counter)
    return false;
  size_t Size = 0;
  for (const BasicBlock *B : L.blocks())
    Size += B->size();
  auto Expands = [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, Before->getTerminator()); };
  auto Known = [&](const Multiple &M) { return Expands(M.Times) && Expands(M.Divisor); };
  return Size <= MaxSize && L.isSafeToClone() && Expands(Length) && Expands(Rows) && Expands(Count) && all_of(Multiples, Known);
}

// A number in front of the loop, the same one wherever it is used.
Value *Collapsed::number(const SCEV *S, bool Defined) {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  Value *V = Expander.expandCodeFor(S, nullptr, At);
  return Defined || isGuaranteedNotToBeUndefOrPoison(V, nullptr, At) ? V : IRBuilder<>(At).CreateFreeze(V);
}

// Whether two factors are more than 0 and give that product, signed numbers all three; null where they always do.
static Value *isProduct(IRBuilder<> &B, Value *Left, Value *Right, Value *Product) {
  auto IsPositive = [&](Value *V) { return B.CreateICmpSGT(V, Constant::getNullValue(V->getType())); };
  Value *Positive = B.CreateAnd(IsPositive(Product), B.CreateAnd(IsPositive(Left), IsPositive(Right)));
  Type *Wide = B.getInt64Ty();
  auto *A = B.CreateZExt(Left, Wide), *C = B.CreateZExt(Right, Wide);
  auto *Is = B.CreateZExt(Product, Wide);
  auto *X = dyn_cast<ConstantInt>(A), *Y = dyn_cast<ConstantInt>(C), *Z = dyn_cast<ConstantInt>(Is);
  if (X && Y && Z) {
    bool Overflows = false;
    APInt Both = X->getValue().umul_ov(Y->getValue(), Overflows);
    return !Overflows && Both == Z->getValue() && match(Positive, m_One()) ? nullptr : B.getFalse();
  }
  Value *Both = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, A, C);
  Value *Exact = B.CreateAnd(B.CreateNot(B.CreateExtractValue(Both, 1)), B.CreateICmpEQ(B.CreateExtractValue(Both, 0), Is));
  return B.CreateAnd(Positive, Exact);
}

// Whether the loop is what two loops are; null where it always is.
Value *Collapsed::fits(Value *RowLength, Value *RowCount) {
  Value *Product = number(Count), *All = nullptr;
  SmallVector<Value *, 4> Divisors;
  for (Multiple &M : Multiples) {
    M.Factor = number(M.Times);
    Divisors.push_back(number(M.Divisor));
  }
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  auto Also = [&](Value *V) { All = !V ? All : All ? B.CreateAnd(All, V) : V; };
  Also(isProduct(B, RowLength, RowCount, Product));
  for (auto [M, Divisor] : zip(Multiples, Divisors))
    Also(isProduct(B, RowLength, M.Factor, Divisor));
  // Counters end at the number behind the last one.
  Type *Ty = Parts.front().I->getType();
  for (Value *End : {RowLength, RowCount})
    if (!isa<Constant>(End) && End->getType()->getIntegerBitWidth() > Ty->getIntegerBitWidth())
      Also(B.CreateICmpSGT(B.CreateTrunc(End, Ty), Constant::getNullValue(Ty)));
  return All;
}

void Collapsed::replaceParts(Value *Row, Value *Column, Value *RowLength) {
  for (const Part &P : Parts) {
    IRBuilder<> B(P.I);
    Type *Ty = P.I->getType();
    auto Of = [&](Value *V) { return B.CreateZExtOrTrunc(V, Ty); };
    auto Times = find_if(Multiples, [&](const Multiple &M) { return M.Divisor == narrow(P.By); });
    Value *New = Of(P.Quotient ? Row : Column);
    if (Times != Multiples.end()) {
      Value *Factor = B.CreateZExtOrTrunc(Times->Factor, Row->getType());
      New = P.Quotient ? Of(B.CreateUDiv(Row, Factor))
                       : B.CreateNUWAdd(B.CreateNUWMul(Of(B.CreateURem(Row, Factor)), Of(RowLength)), Of(Column));
    }
    P.I->replaceAllUsesWith(New);
    P.I->eraseFromParent();
  }
}

// The counter is less than the length of a row in the first one.
void Collapsed::replaceComparisons(Value *Row) {
  SmallVector<ICmpInst *, 4> Found;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *Compare = dyn_cast<ICmpInst>(&I); Compare && isCounter(Compare->getOperand(0), Compare->isSigned()) &&
                                                       L.isLoopInvariant(Compare->getOperand(1)))
        if (narrow(SE.getSCEV(Compare->getOperand(1))) == Length)
          Found.push_back(Compare);
  for (ICmpInst *Compare : Found) {
    auto Predicate = Compare->getUnsignedPredicate();
    if (Predicate != ICmpInst::ICMP_ULT && Predicate != ICmpInst::ICMP_UGE)
      continue;
    IRBuilder<> B(Compare);
    Value *None = Constant::getNullValue(Row->getType());
    Compare->replaceAllUsesWith(Predicate == ICmpInst::ICMP_ULT ? B.CreateICmpEQ(Row, None) : B.CreateICmpNE(Row, None));
    Compare->eraseFromParent();
  }
}

void Collapsed::expand(Value *RowLength, Value *RowCount) {
  BasicBlock *Before = L.getLoopPreheader(), *Header = L.getHeader(), *Latch = L.getLoopLatch();
  auto *Back = cast<BranchInst>(Latch->getTerminator());
  BasicBlock *Exit = Back->getSuccessor(Back->getSuccessor(0) == Header ? 1 : 0);
  BasicBlock *RowHead = BasicBlock::Create(F.getContext(), "row", &F, Header);
  BasicBlock *RowEnd = BasicBlock::Create(F.getContext(), "row.end", &F, Latch->getNextNode());
  Type *Ty = Parts.front().I->getType();
  // The branch is replaced below.
  DebugLoc Place = Back->getDebugLoc();

  Before->getTerminator()->replaceSuccessorWith(Header, RowHead);
  IRBuilder<> B(RowHead);
  B.SetCurrentDebugLocation(Place);
  PHINode *Row = B.CreatePHI(Ty, 2);
  for (PHINode &Phi : Header->phis()) {
    if (&Phi == Counter)
      continue;
    PHINode *Outer = B.CreatePHI(Phi.getType(), 2);
    Outer->addIncoming(Phi.getIncomingValueForBlock(Before), Before);
    Outer->addIncoming(Phi.getIncomingValueForBlock(Latch), RowEnd);
    Phi.setIncomingValueForBlock(Before, Outer);
    Phi.replaceIncomingBlockWith(Before, RowHead);
  }
  Type *Wide = Counter->getType();
  Value *First = B.CreateMul(B.CreateZExt(Row, Wide), B.CreateZExtOrTrunc(RowLength, Wide), "", /*HasNUW=*/true, /*HasNSW=*/true);
  B.CreateBr(Header);
  B.SetInsertPoint(Header, Header->begin());
  PHINode *Column = B.CreatePHI(Ty, 2);
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Place);
  Value *Number = B.CreateAdd(First, B.CreateZExt(Column, Wide), "", /*HasNUW=*/true, /*HasNSW=*/true);
  B.SetInsertPoint(Back);
  auto Next = [&](PHINode *From) { return B.CreateAdd(From, ConstantInt::get(Ty, 1), "", /*HasNUW=*/true, /*HasNSW=*/true); };
  auto Is = [&](Value *V, Value *End) { return B.CreateICmpEQ(V, B.CreateZExtOrTrunc(End, Ty)); };
  Value *NextColumn = Next(Column);
  B.CreateCondBr(Is(NextColumn, RowLength), RowEnd, Header);
  Value *Condition = Back->getCondition();
  Back->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Condition);
  B.SetInsertPoint(RowEnd);
  B.SetCurrentDebugLocation(Place);
  Value *NextRow = Next(Row);
  B.CreateCondBr(Is(NextRow, RowCount), Exit, RowHead);
  Exit->replacePhiUsesWith(Latch, RowEnd);
  Column->addIncoming(Constant::getNullValue(Ty), RowHead);
  Column->addIncoming(NextColumn, Latch);
  Row->addIncoming(Constant::getNullValue(Ty), Before);
  Row->addIncoming(NextRow, RowEnd);

  replaceComparisons(Row);
  replaceParts(Row, Column, RowLength);
  Counter->replaceAllUsesWith(Number);
  Counter->eraseFromParent();
}

void Collapsed::split() {
  // What the first block divides by is defined.
  bool Defined = any_of(Parts, [&](const Part &P) {
    return narrow(P.By) == Length && P.I->isIntDivRem() && P.I->getParent() == L.getHeader();
  });
  Value *RowLength = number(Length, Defined), *RowCount = number(Rows);
  if (Value *Fits = fits(RowLength, RowCount))
    keepWhole(L, Fits, ".whole", FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F));
  expand(RowLength, RowCount);
}

bool expandCollapsed(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    // Scalar evolution is asked of few functions.
    auto Divides = [](const Instruction &I) {
      return match(&I, m_IDiv(m_Value(), m_Value())) || match(&I, m_IRem(m_Value(), m_Value())) || match(&I, m_LShr(m_Value(), m_Constant())) ||
             match(&I, m_And(m_Value(), m_Constant()));
    };
    if (none_of(L->blocks(), [&](const BasicBlock *B) { return any_of(*B, Divides); }))
      continue;
    Collapsed Found(F, FAM, *L, FAM.getResult<ScalarEvolutionAnalysis>(F));
    if (Found.find()) {
      Found.split();
      return true;
    }
  }
  return false;
}
