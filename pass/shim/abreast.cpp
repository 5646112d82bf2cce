// Loops that find out themselves when they end, for several iterations of the loop around them at once:
//
//   do { y = f(x);  if (!p(y)) break;  x = y; }              do { Y = F(X);  Go = P(Y);  X = Go ? Y : X; } while (any(Go))
//
// A lane whose loop is done keeps what its last iteration began with. So it computes this iteration again and comes to the same end, with
// the same results and without a flag that it has not raised; nothing has to be kept for it. Lanes that never begin do not hold others up,
// and what they compute goes nowhere. The last few lanes, which may take much longer than the others, go on one by one:
//
//   while (several(Go));  for (lane of Go) Y[lane] = rest(X[lane])
//
// Only loops without memory are such operations: nothing is loaded by a lane that would not be loaded by the program. The loop around them is
// made a vector of by the optimizer, as loops with functions of a vector library are: the calls name the function by the vector function ABI.
#include "abreast.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "ragged.h"

using namespace llvm;

static const char Abreast[] = "polytile-abreast";
static const char Suffix[] = ".abreast";
static const char Variant[] = "vector-function-abi-variant";

// The longest of more lanes takes too long for the others.
static constexpr unsigned MaxLanes = 16;
static constexpr unsigned MinLanes = 4;
// Two vectors hide what an iteration waits for.
static constexpr unsigned Vectors = 2;
// So many lanes take as long one by one as together: operations of floating point take as long for vectors as for scalars, those of integers longer.
static constexpr unsigned FewFloats = 1;
static constexpr unsigned FewIntegers = 4;

// One operation brings a number into a range (`while (i < 0) i += n`), and mostly it is there: the program's branches cost less than masks.
static constexpr size_t LeastWork = 2;

static bool isLaneType(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

// Intrinsics that are an instruction or a few for a vector as well.
static bool isLaneByLane(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return true;
  default:
    return false;
  }
}

// Whether lanes may compute an instruction that the program does not come to, each the same whenever it does.
static bool isForLanes(const Instruction &I) {
  if (any_of(I.operands(), [](const Value *O) { return isa<UndefValue>(O); }))
    return false;
  switch (I.getOpcode()) {
  case Instruction::Br:
    return true;
  case Instruction::Call:
    return isLaneByLane(cast<CallInst>(I).getIntrinsicID()) && isLaneType(I.getType());
  case Instruction::PHI:
  case Instruction::Select:
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::FRem:
    return false;
  default:
    if (!I.isBinaryOp() && !I.isUnaryOp() && !I.isCast() && !isa<CmpInst>(I))
      return false;
  }
  return isLaneType(I.getType()) && all_of(I.operands(), [](const Value *O) { return isLaneType(O->getType()); });
}

// Whether an instruction takes the result together: results of a structure are put into it in front of the end.
static bool isResult(const Instruction &I) { return isa<InsertValueInst>(I) || isa<ReturnInst>(I); }

unsigned lanesAbreast(Function &Row, FunctionAnalysisManager &FAM) {
  unsigned Widest = 8;
  for (const Argument &A : Row.args())
    if (!isLaneType(A.getType()))
      return 0;
  for (const Instruction &I : instructions(Row)) {
    if (!isForLanes(I) && !isResult(I))
      return 0;
    if (!I.getType()->isVoidTy() && !isResult(I))
      Widest = std::max<unsigned>(Widest, I.getType()->getScalarSizeInBits());
  }
  DominatorTree Dominators(Row);
  LoopInfo Loops(Dominators);
  auto All = Loops.getLoopsInPreorder();
  if (All.size() != 1 || !All[0]->getLoopLatch() || !All[0]->getLoopPreheader())
    return 0;
  auto Works = [](const Instruction &I) { return I.isBinaryOp() || I.isUnaryOp() || isa<CallInst>(I); };
  size_t Work = 0;
  for (const BasicBlock *B : All[0]->blocks())
    Work += count_if(*B, Works);
  if (Work < LeastWork)
    return 0;
  auto Bits = FAM.getResult<TargetIRAnalysis>(Row).getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  unsigned Lanes = std::min<unsigned>(Vectors * Bits / Widest, MaxLanes);
  return Lanes < MinLanes ? 0 : Lanes;
}

void setAbreast(Function &Row, unsigned Lanes) { Row.addFnAttr(Abreast, utostr(Lanes)); }

unsigned abreast(const Function &Row) { return Row.getFnAttributeAsParsedInteger(Abreast, 0); }

namespace {
// Makes the function for several lanes: the blocks around the loop and those in it each become one, with masks for what branches decide.
class Widener {
public:
  Widener(Function &Row, unsigned Lanes)
      : Row(Row), Lanes(Lanes), Dominators(Row), Loops(Dominators), L(*Loops.getLoopsInPreorder()[0]), B(Row.getContext()) {}

  Function *function();

private:
  using Edge = std::pair<const BasicBlock *, const BasicBlock *>;

  Function &Row;
  unsigned Lanes;
  DominatorTree Dominators;
  LoopInfo Loops;
  Loop &L;
  IRBuilder<> B;
  DenseMap<const Value *, Value *> Wide;
  // The lanes that take an edge; those that come to a block. Null: all of them.
  DenseMap<Edge, Value *> Taken;
  DenseMap<const BasicBlock *, Value *> Come;

  // The lanes that go on one by one, as bits, and what each begins with.
  Value *Left = nullptr;
  SmallVector<Value *, 8> Begin;

  Type *wide(Type *T) const { return FixedVectorType::get(T, Lanes); }
  Type *resultType() const;
  Value *wide(const Value *V);
  void come(const BasicBlock &Block);
  void merge(const PHINode &Phi);
  void compute(const Instruction &I);
  void branch(const BranchInst &Br);
  SmallVector<Value *, 4> results(const ReturnInst &End);
  void end(const ReturnInst &End);
  Function *rest();
  void finish(MutableArrayRef<Value *> Results);
  unsigned few() const;
  void straight(const BasicBlock &Block);
  void loop(ArrayRef<BasicBlock *> Order, BasicBlock *Behind);
};
} // namespace

Type *Widener::resultType() const {
  auto *Several = dyn_cast<StructType>(Row.getReturnType());
  if (!Several)
    return wide(Row.getReturnType());
  SmallVector<Type *, 4> Parts;
  for (Type *T : Several->elements())
    Parts.push_back(wide(T));
  return StructType::get(Row.getContext(), Parts);
}

Value *Widener::wide(const Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return ConstantVector::getSplat(ElementCount::getFixed(Lanes), const_cast<Constant *>(C));
  return Wide.lookup(V);
}

// What comes to a block. A condition in a lane that does not come there may be anything, so it is asked second.
void Widener::come(const BasicBlock &Block) {
  Value *All = nullptr;
  for (const BasicBlock *From : predecessors(&Block)) {
    Value *Part = Taken.lookup({From, &Block});
    if (!Part) {
      Come[&Block] = nullptr;
      return;
    }
    All = All ? B.CreateOr(All, Part) : Part;
  }
  Come[&Block] = All;
}

void Widener::merge(const PHINode &Phi) {
  Value *Merged = wide(Phi.getIncomingValue(0));
  for (unsigned N = 1; N < Phi.getNumIncomingValues(); ++N) {
    Value *Own = wide(Phi.getIncomingValue(N));
    Value *Takes = Taken.lookup({Phi.getIncomingBlock(N), Phi.getParent()});
    Merged = Takes ? B.CreateSelect(Takes, Own, Merged) : Own;
  }
  Wide[&Phi] = Merged;
}

void Widener::compute(const Instruction &I) {
  SmallVector<Value *, 4> Operands;
  for (const Use &O : isa<CallInst>(I) ? cast<CallInst>(I).args() : I.operands())
    Operands.push_back(wide(O.get()));
  Value *Made = nullptr;
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    Made = B.CreateIntrinsic(wide(I.getType()), Call->getIntrinsicID(), Operands);
  } else if (auto *Compare = dyn_cast<CmpInst>(&I)) {
    Made = B.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
  } else if (isa<SelectInst>(I)) {
    Made = B.CreateSelect(Operands[0], Operands[1], Operands[2]);
  } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
    Made = B.CreateCast(Cast->getOpcode(), Operands[0], wide(I.getType()));
  } else if (auto *One = dyn_cast<UnaryOperator>(&I)) {
    Made = B.CreateUnOp(One->getOpcode(), Operands[0]);
  } else {
    Made = B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), Operands[0], Operands[1]);
  }
  if (auto *New = dyn_cast<Instruction>(Made))
    New->copyIRFlags(&I);
  Wide[&I] = Made;
}

void Widener::branch(const BranchInst &Br) {
  const BasicBlock *From = Br.getParent();
  Value *Here = Come.lookup(From);
  if (Br.isUnconditional() || Br.getSuccessor(0) == Br.getSuccessor(1)) {
    Taken[{From, Br.getSuccessor(0)}] = Here;
    return;
  }
  Value *Yes = wide(Br.getCondition()), *No = B.CreateNot(Yes);
  Value *None = Constant::getNullValue(Yes->getType());
  Taken[{From, Br.getSuccessor(0)}] = Here ? B.CreateSelect(Here, Yes, None) : Yes;
  Taken[{From, Br.getSuccessor(1)}] = Here ? B.CreateSelect(Here, No, None) : No;
}

// What is returned, part by part: results of a structure are put into it in front of the end.
SmallVector<Value *, 4> Widener::results(const ReturnInst &End) {
  Value *Result = End.getReturnValue();
  auto *Several = dyn_cast<StructType>(Result->getType());
  if (!Several)
    return {wide(Result)};
  SmallVector<Value *, 4> Parts(Several->getNumElements());
  for (Value *V = Result; auto *I = dyn_cast<InsertValueInst>(V); V = I->getAggregateOperand())
    Parts[I->getIndices()[0]] = wide(I->getInsertedValueOperand());
  return Parts;
}

// The function for one lane, whose loop begins with values that are given.
Function *Widener::rest() {
  auto Phis = L.getHeader()->phis();
  SmallVector<Type *, 8> Types(Row.getFunctionType()->params());
  for (const PHINode &Phi : Phis)
    Types.push_back(Phi.getType());
  Function *New = functionBeside(Row, FunctionType::get(Row.getReturnType(), Types, false), ".rest");
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(Row.args(), New->args()))
    Map[&From] = &To;
  SmallVector<ReturnInst *, 1> Ends;
  CloneFunctionInto(New, &Row, Map, CloneFunctionChangeType::LocalChangesOnly, Ends);
  New->removeFnAttr(Abreast);
  auto *Preheader = cast<BasicBlock>(Map[L.getLoopPreheader()]);
  for (auto [N, Phi] : enumerate(Phis))
    cast<PHINode>(Map[&Phi])->setIncomingValueForBlock(Preheader, New->getArg(Row.arg_size() + N));
  return New;
}

// The lanes that are left, one by one.
void Widener::finish(MutableArrayRef<Value *> Results) {
  Function *Rest = rest();
  Function *New = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *One = BasicBlock::Create(Row.getContext(), "", New), *After = BasicBlock::Create(Row.getContext(), "", New);
  Value *None = Constant::getNullValue(Left->getType());
  B.CreateCondBr(B.CreateICmpEQ(Left, None), After, One);
  B.SetInsertPoint(One);
  PHINode *Still = B.CreatePHI(Left->getType(), 2);
  Still->addIncoming(Left, Before);
  SmallVector<PHINode *, 4> Kept;
  for (Value *R : Results) {
    Kept.push_back(B.CreatePHI(R->getType(), 2));
    Kept.back()->addIncoming(R, Before);
  }
  Value *Lane = B.CreateIntrinsic(Still->getType(), Intrinsic::cttz, {Still, B.getTrue()});
  Lane = B.CreateZExt(Lane, B.getInt64Ty());
  SmallVector<Value *, 8> Own;
  for (Argument &A : New->args())
    Own.push_back(B.CreateExtractElement(&A, Lane));
  for (Value *V : Begin)
    Own.push_back(B.CreateExtractElement(V, Lane));
  Value *Done = B.CreateCall(Rest, Own);
  Value *Next = B.CreateAnd(Still, B.CreateSub(Still, ConstantInt::get(Still->getType(), 1)));
  Still->addIncoming(Next, One);
  for (auto [N, Phi] : enumerate(Kept)) {
    Value *Part = Done->getType()->isStructTy() ? B.CreateExtractValue(Done, N) : Done;
    Phi->addIncoming(B.CreateInsertElement(Phi, Part, Lane), One);
  }
  B.CreateCondBr(B.CreateICmpEQ(Next, None), After, One);
  B.SetInsertPoint(After);
  for (auto [R, Phi] : zip(Results, Kept)) {
    PHINode *Either = B.CreatePHI(R->getType(), 2);
    Either->addIncoming(R, Before);
    Either->addIncoming(Phi->getIncomingValueForBlock(One), One);
    R = Either;
  }
}

void Widener::end(const ReturnInst &End) {
  SmallVector<Value *, 4> Results = results(End);
  finish(Results);
  if (isa<StructType>(Row.getReturnType()))
    B.CreateAggregateRet(Results.data(), Results.size());
  else
    B.CreateRet(Results[0]);
}

void Widener::straight(const BasicBlock &Block) {
  for (const Instruction &I : Block) {
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      if (!Wide.count(Phi))
        merge(*Phi);
    } else if (auto *Br = dyn_cast<BranchInst>(&I)) {
      branch(*Br);
    } else if (auto *End = dyn_cast<ReturnInst>(&I)) {
      end(*End);
    } else if (!isa<InsertValueInst>(I)) {
      compute(I);
    }
  }
}

void Widener::loop(ArrayRef<BasicBlock *> Order, BasicBlock *Behind) {
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Body = BasicBlock::Create(Row.getContext(), "", Before->getParent(), Behind);
  const BasicBlock *Header = L.getHeader(), *Preheader = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  for (const PHINode &Phi : Header->phis()) {
    PHINode *New = B.CreatePHI(wide(Phi.getType()), 2);
    New->addIncoming(wide(Phi.getIncomingValueForBlock(Preheader)), Before);
    Wide[&Phi] = New;
  }
  Come[Header] = Taken.lookup({Preheader, Header});
  for (const BasicBlock *Block : Order) {
    if (Block != Header)
      come(*Block);
    straight(*Block);
  }
  Value *Go = Taken.lookup({Latch, Header});
  for (const PHINode &Phi : Header->phis()) {
    auto *New = cast<PHINode>(Wide.lookup(&Phi));
    Begin.push_back(B.CreateSelect(Go, wide(Phi.getIncomingValueForBlock(Latch)), New));
    New->addIncoming(Begin.back(), Body);
  }
  Left = B.CreateBitCast(Go, B.getIntNTy(Lanes));
  Value *Several = B.CreateICmpUGT(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Left), ConstantInt::get(Left->getType(), few()));
  B.CreateCondBr(Several, Body, Behind);
  B.SetInsertPoint(Behind);
}

unsigned Widener::few() const {
  auto Float = [](const PHINode &Phi) { return Phi.getType()->isFloatingPointTy(); };
  return any_of(L.getHeader()->phis(), Float) ? FewFloats : FewIntegers;
}

static const char LegalWidth[] = "min-legal-vector-width";
static constexpr unsigned WidestRegister = 512;

// Vectors that a function takes or returns stay whole in it, or in a caller, also where the processor's narrower ones are preferred: that
// decides in which registers they are passed, and both sides have to see it alike.
static void keepWhole(Function &F, const Function &Wide) {
  SmallVector<Type *, 8> Passed(Wide.getFunctionType()->params());
  Type *Result = Wide.getReturnType();
  if (auto *Several = dyn_cast<StructType>(Result))
    append_range(Passed, Several->elements());
  else
    Passed.push_back(Result);
  unsigned Widest = 0;
  for (const Type *T : Passed)
    Widest = std::max<unsigned>(Widest, T->getPrimitiveSizeInBits().getFixedValue());
  Widest = std::min(Widest, WidestRegister);
  unsigned Known = 0;
  Attribute Legal = F.getFnAttribute(LegalWidth);
  if (Legal.isValid() && !Legal.getValueAsString().getAsInteger(0, Known) && Known < Widest)
    F.addFnAttr(LegalWidth, utostr(Widest));
}

Function *Widener::function() {
  SmallVector<Type *, 8> Types;
  for (const Argument &A : Row.args())
    Types.push_back(wide(A.getType()));
  Function *New = functionBeside(Row, FunctionType::get(resultType(), Types, false), Suffix);
  New->setMemoryEffects(MemoryEffects::none());
  New->removeFnAttr(Abreast);
  keepWhole(*New, *New);
  for (auto [From, To] : zip(Row.args(), New->args()))
    Wide[&From] = &To;
  B.SetInsertPoint(BasicBlock::Create(Row.getContext(), "", New));
  BasicBlock *Behind = BasicBlock::Create(Row.getContext(), "", New);
  ReversePostOrderTraversal<Function *> All(&Row);
  SmallVector<BasicBlock *, 8> Inside;
  for (BasicBlock *Block : All)
    if (L.contains(Block))
      Inside.push_back(Block);
  for (BasicBlock *Block : All) {
    if (Block == L.getHeader()) {
      loop(Inside, Behind);
    } else if (!L.contains(Block)) {
      come(*Block);
      straight(*Block);
    }
  }
  return New;
}

static const char Width[] = "llvm.loop.vectorize.width";

// Whether a loop was made to be a vector of its iterations, of so many or any number.
static bool isVector(const Loop &L, unsigned Lanes) {
  return findStringMetadataForLoop(&L, "llvm.loop.parallel_accesses").has_value() &&
         !findStringMetadataForLoop(&L, "llvm.loop.vectorize.enable") &&
         unsigned(getOptionalIntLoopAttribute(&L, Width).value_or(Lanes)) == Lanes;
}

// Orders vectors of so many iterations of the loop around a call; false if it is none that calls in each of them.
static bool order(const CallInst &Call, unsigned Lanes) {
  DominatorTree Dominators(const_cast<Function &>(*Call.getFunction()));
  LoopInfo Loops(Dominators);
  Loop *L = Loops.getLoopFor(Call.getParent());
  bool Always = L && L->isInnermost() && L->getLoopLatch() && Dominators.dominates(Call.getParent(), L->getLoopLatch());
  if (!Always || !isVector(*L, Lanes))
    return false;
  addStringMetadataToLoop(L, Width, Lanes);
  addStringMetadataToLoop(L, "llvm.loop.interleave.count", 1);
  return true;
}

SmallVector<User *, 8> keepAbreast(Function &Row) {
  SmallVector<User *, 8> Others(Row.users());
  unsigned Lanes = abreast(Row);
  if (Lanes == 0)
    return Others;
  size_t All = Others.size();
  erase_if(Others, [&](const User *U) { return order(*cast<CallInst>(U), Lanes); });
  if (Others.size() < All)
    appendToCompilerUsed(*Row.getParent(), {Widener(Row, Lanes).function()});
  return Others;
}

void nameAbreast(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Row = Call ? Call->getCalledFunction() : nullptr;
    if (!Row || abreast(*Row) == 0)
      continue;
    std::string Several = (Row->getName() + Suffix).str();
    Function *Wide = F.getParent()->getFunction(Several);
    if (!Wide || !Wide->hasLocalLinkage())
      continue;
    std::string Name = "_ZGV_LLVM_N" + utostr(abreast(*Row)) + std::string(Row->arg_size(), 'v') + "_" + Row->getName().str();
    keepWhole(F, *Wide);
    Call->addFnAttr(Attribute::get(F.getContext(), Variant, Name + "(" + Several + ")"));
  }
}
