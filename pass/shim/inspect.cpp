// Whether what a region reads at addresses that depend on data is apart from what it writes: functions that find out.
//
//   for i: { s = 0; for (k = row[i]; k < row[i + 1]; k++) s += val[k] * x[col[k]]; y[i] = s; }
//
//   clash = false; for i: for (k = row[i]; k < row[i + 1]; k++) clash |= meets(&val[k], y) | meets(&x[col[k]], y)
//
// Such a function is the region without all that no address and no branch needs. What it still reads is proven to be apart from what
// is written, or compared in front of the load, and the function ends where both meet: so all that it has read is what the region
// itself will find there, its branches are those of the region, and it reads nothing that the region would not read.
//
// Several threads may do it, each a part of the iterations of each outermost loop, where its counters say where a part begins.
#include "analyses.h"
#include "divided.h"
#include "ragged.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <cmath>

using namespace llvm;

static const char Open[] = "polytile.open";

// Operations in the time of a read of what may be far, of a sum that waits for the one before, of a division or a call, and in lanes;
// iterations of an inner loop.
static constexpr double FarLoad = 6, OrderedSum = 4, SlowOperation = 4, Lanes = 4, Turns = 10;

// Marks of a load: the arrays that it may meet, whether it is compared although nothing needs its value, whether one of the arrays
// is the one that it reads.
static void mark(const PtOpen &O) {
  LLVMContext &Context = unwrap(O.load)->getContext();
  auto Number = [&](uint64_t N) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(Context), N)); };
  MDNode *Node = MDNode::get(Context, {Number(O.written), Number(O.gather), Number(O.own)});
  instruction(O.load)->setMetadata(Open, Node);
}

static uint64_t marked(const Instruction &I, unsigned Field) {
  const MDNode *Node = I.getMetadata(Open);
  return Node ? mdconst::extract<ConstantInt>(Node->getOperand(Field))->getZExtValue() : 0;
}

namespace {
// What an inspector gets.
enum { InputsArg, RangesArg, PartArg, PartsArg };

class Inspector {
  PtModule &Module;
  Function &Host;
  SetVector<Value *> Inputs;
  Function *New = nullptr;
  BasicBlock *Start = nullptr, *Done = nullptr, *Clash = nullptr, *Trap = nullptr;
  AllocaInst *Flag = nullptr;
  SmallPtrSet<const Instruction *, 32> Needed;
  // First address that meets a written array, and how many do: by array and size of what is read.
  DenseMap<std::pair<unsigned, uint64_t>, std::pair<Value *, Value *>> Bounds;

public:
  // The part of the region's time that it takes.
  double Share = 0;

  Inspector(PtModule &Module, Function &Host) : Module(Module), Host(Host) {}
  ArrayRef<Value *> inputs() const { return Inputs.getArrayRef(); }
  Function *make(ArrayRef<BasicBlock *> Blocks, BasicBlock *Exit);

private:
  bool collectInputs(ArrayRef<BasicBlock *> Blocks);
  void clone(ArrayRef<BasicBlock *> Blocks, BasicBlock *Exit);
  void inlineRows();
  double cost(bool Whole);
  bool findNeeded();
  void dropRest();
  void compareEnds();
  void compare();
  void note(IRBuilder<> &B, Value *Meets);
  Value *index(IRBuilder<> &B, Value *Trips, Value *Part);
  void divide();
  Value *meets(IRBuilder<> &B, const LoadInst &L);
  std::pair<Value *, Value *> bounds(unsigned Array, uint64_t Size);
};
} // namespace

bool Inspector::collectInputs(ArrayRef<BasicBlock *> Blocks) {
  SmallPtrSet<const BasicBlock *, 16> Own(Blocks.begin(), Blocks.end());
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B)
      for (Value *O : I.operands()) {
        auto *Def = dyn_cast<Instruction>(O);
        if (isa<Argument>(O) || (Def && !Own.contains(Def->getParent())))
          Inputs.insert(O);
      }
  const DataLayout &Layout = Host.getDataLayout();
  return all_of(Inputs, [&](const Value *V) { return Layout.getTypeStoreSize(V->getType()) <= TypeSize::getFixed(8); });
}

void Inspector::clone(ArrayRef<BasicBlock *> Blocks, BasicBlock *Exit) {
  LLVMContext &Context = Host.getContext();
  Type *Pointer = PointerType::get(Context, 0), *Word = Type::getInt64Ty(Context);
  New = functionBeside(Host, FunctionType::get(Word, {Pointer, Pointer, Word, Word}, false), ".inspect");
  New->setMemoryEffects(MemoryEffects::readOnly());
  auto Block = [&](const char *Name) { return BasicBlock::Create(Context, Name, New); };
  Start = Block("start");
  ValueToValueMapTy Map;
  IRBuilder<> B(Start);
  for (auto [N, V] : enumerate(Inputs))
    Map[V] = B.CreateLoad(V->getType(), B.CreateConstInBoundsGEP1_64(Word, New->getArg(InputsArg), N));
  for (BasicBlock *From : Blocks)
    Map[From] = CloneBasicBlock(From, Map, "", New);
  Done = Block("done");
  Trap = Block("trap");
  for (BasicBlock *From : Blocks) {
    for (BasicBlock *S : successors(From))
      if (!Map.count(S))
        Map[S] = S == Exit ? Done : Trap;
    for (BasicBlock *P : predecessors(From))
      if (!Map.count(P))
        Map[P] = Start;
  }
  for (BasicBlock *From : Blocks)
    for (Instruction &I : *cast<BasicBlock>(Map[From])) {
      I.dropDbgRecords();
      I.setDebugLoc(DebugLoc());
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  Flag = B.CreateAlloca(B.getInt1Ty());
  B.CreateStore(B.getFalse(), Flag);
  B.CreateBr(cast<BasicBlock>(Map[Blocks.front()]));
  B.SetInsertPoint(Done);
  B.CreateRet(B.CreateZExt(B.CreateLoad(B.getInt1Ty(), Flag), Word));
  B.SetInsertPoint(Trap);
  B.CreateRet(B.getInt64(1));
}

void Inspector::inlineRows() {
  for (;;) {
    CallInst *Row = nullptr;
    for (Instruction &I : instructions(*New))
      if (pt_is_ragged(wrap(&I)))
        Row = cast<CallInst>(&I);
    if (!Row)
      return;
    showRow(*Row);
  }
}

static bool isOrderedSum(const PHINode &P) {
  auto InAnyOrder = [](const Value *V) { return isa<FPMathOperator>(V) && cast<Instruction>(V)->hasAllowReassoc(); };
  return P.getType()->isFloatingPointTy() && none_of(P.incoming_values(), InAnyOrder);
}

static bool isDivision(const Instruction &I) {
  auto *B = dyn_cast<BinaryOperator>(&I);
  return B && (B->isIntDivRem() || B->getOpcode() == Instruction::FDiv || B->getOpcode() == Instruction::FRem);
}

// What the region, or the inspector, takes in an iteration of its innermost loops: operations, fewer where they can be done in lanes. What
// is read anywhere waits for memory, and sums wait for each other.
double Inspector::cost(bool Whole) {
  auto &Loops = Module.functions.getResult<LoopAnalysis>(*New);
  double Sum = 0;
  for (BasicBlock &B : *New) {
    const Loop *L = Loops.getLoopFor(&B);
    if (!L)
      continue;
    bool InOrder = any_of(L->getHeader()->phis(), isOrderedSum);
    bool InLanes = L->isInnermost() && L->getExitingBlock() && !InOrder;
    double Own = 0;
    for (Instruction &I : B)
      if (Whole && marked(I, 1))
        Own += FarLoad;
      else if (Whole && isa<PHINode>(I) && isOrderedSum(cast<PHINode>(I)))
        Own += OrderedSum;
      else if (Whole && (isDivision(I) || isa<CallInst>(I)))
        Own += SlowOperation;
      else if (!isa<StoreInst>(I) || Whole)
        Own += InLanes ? 1.0 / Lanes : 1.0;
    Sum += Own * std::pow(Turns, L->getLoopDepth());
  }
  return Sum;
}

// Whether an instruction yields in the inspector what it yields in the region.
static bool isRepeatable(const Instruction &I) {
  if (isa<PHINode>(I))
    return true;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple() && !marked(I, 2);
  if (isa<CallBase>(I))
    return isa<IntrinsicInst>(I) && !I.getType()->isFPOrFPVectorTy() && !I.mayReadOrWriteMemory() && I.willReturn();
  // Where the back end rounds differently, a subscript would be another one.
  if (I.getType()->isFPOrFPVectorTy() && (I.isBinaryOp() || I.isUnaryOp()))
    return false;
  return !isa<AllocaInst>(I) && !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
}

// Whether a branch decides how often something is done, or whether anything is.
static bool isOfLoop(const Instruction &T, const LoopInfo &Loops) {
  const Loop *L = Loops.getLoopFor(T.getParent());
  auto Turns = [&](const BasicBlock *S) { return !L || !L->contains(S) || S == L->getHeader(); };
  return L && T.getNumSuccessors() > 1 && any_of(successors(&T), Turns);
}

// What addresses and branches are made of, and the branches that decide whether it is computed.
bool Inspector::findNeeded() {
  auto &Loops = Module.functions.getResult<LoopAnalysis>(*New);
  PostDominatorTree After(*New);
  ReverseIDFCalculator Deciding(After);
  SmallVector<const Instruction *, 32> Pending;
  auto NeedBlocks = [&](SmallPtrSet<BasicBlock *, 16> Blocks) {
    SmallVector<BasicBlock *, 16> Heads;
    Deciding.setDefiningBlocks(Blocks);
    Deciding.calculate(Heads);
    for (BasicBlock *B : Heads)
      Pending.push_back(B->getTerminator());
  };
  for (Instruction &I : instructions(*New)) {
    if (I.isTerminator() && (isOfLoop(I, Loops) || is_contained(successors(&I), Trap) || isa<SwitchInst>(I)))
      Pending.push_back(&I);
    if (!marked(I, 1))
      continue;
    if (auto *Address = dyn_cast<Instruction>(cast<LoadInst>(I).getPointerOperand()))
      Pending.push_back(Address);
    NeedBlocks({I.getParent()});
  }
  while (!Pending.empty()) {
    const Instruction *I = Pending.pop_back_val();
    if (I->getParent() == Done || I->getParent() == Start || !Needed.insert(I).second)
      continue;
    if (!I->isTerminator() && !isRepeatable(*I))
      return false;
    for (const Use &U : I->operands())
      if (auto *O = dyn_cast<Instruction>(U))
        Pending.push_back(O);
    NeedBlocks({const_cast<BasicBlock *>(I->getParent())});
    if (auto *Phi = dyn_cast<PHINode>(I))
      NeedBlocks({Phi->block_begin(), Phi->block_end()});
  }
  return true;
}

void Inspector::dropRest() {
  SmallVector<Instruction *, 32> Rest;
  for (BasicBlock &B : *New)
    for (Instruction &I : B)
      if (&B != Start && &B != Done && !I.isTerminator() && !Needed.contains(&I) && !marked(I, 1))
        Rest.push_back(&I);
  for (Instruction *I : Rest)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Rest)
    I->eraseFromParent();
  // Where nothing depends on the way, one will do.
  for (BasicBlock &B : *New)
    if (auto *Br = dyn_cast<BranchInst>(B.getTerminator()); Br && Br->isConditional() && !Needed.contains(Br)) {
      BasicBlock *Next = Br->getSuccessor(0), *Other = Br->getSuccessor(1);
      Other->removePredecessor(&B, true);
      IRBuilder<>(Br).CreateBr(Next);
      Br->eraseFromParent();
    }
  if (pred_empty(Trap))
    Trap = nullptr;
  removeUnreachableBlocks(*New);
  Clash = BasicBlock::Create(New->getContext(), "clash", New);
  IRBuilder<> B(Clash);
  B.CreateRet(B.getInt64(1));
  Module.functions.invalidate(*New, PreservedAnalyses::none());
}

std::pair<Value *, Value *> Inspector::bounds(unsigned Array, uint64_t Size) {
  auto [Known, IsNew] = Bounds.try_emplace({Array, Size});
  if (!IsNew)
    return Known->second;
  IRBuilder<> B(Start->getTerminator());
  Value *Table = New->getArg(RangesArg);
  auto Word = [&](unsigned N) {
    return B.CreateLoad(B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Table, N));
  };
  Value *First = Word(2 * Array), *End = Word(2 * Array + 1), *Before = B.getInt64(Size - 1);
  Value *Lowest = B.CreateSub(First, Before);
  Value *Count = B.CreateSub(End, Lowest);
  Count = B.CreateSelect(B.CreateICmpULT(First, End), Count, B.getInt64(0));
  return Known->second = {Lowest, Count};
}

void Inspector::note(IRBuilder<> &B, Value *Meets) {
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt1Ty(), Flag), Meets), Flag);
}

// Whether a load meets one of the arrays that it is marked with.
Value *Inspector::meets(IRBuilder<> &B, const LoadInst &L) {
  uint64_t Size = Host.getDataLayout().getTypeStoreSize(L.getType()).getFixedValue();
  Value *Address = B.CreatePtrToInt(const_cast<Value *>(L.getPointerOperand()), B.getInt64Ty());
  Value *Any = nullptr;
  for (unsigned Array = 0; Array < 64; Array++) {
    if (!(marked(L, 0) >> Array & 1))
      continue;
    auto [Lowest, Count] = bounds(Array, Size);
    Value *Meets = B.CreateICmpULT(B.CreateSub(Address, Lowest), Count);
    Any = Any ? B.CreateOr(Any, Meets) : Meets;
  }
  return Any;
}

// Rows of elements that only have to be apart are compared by their ends, in front of their loop.
void Inspector::compareEnds() {
  auto &Evolutions = Module.functions.getResult<ScalarEvolutionAnalysis>(*New);
  auto &Loops = Module.functions.getResult<LoopAnalysis>(*New);
  auto &Dominators = Module.functions.getResult<DominatorTreeAnalysis>(*New);
  SCEVExpander Expander(Evolutions, "");
  SmallVector<std::tuple<LoadInst *, const SCEVAddRecExpr *, const SCEV *>, 8> Rows;
  for (Instruction &I : instructions(*New)) {
    const Loop *L = Loops.getLoopFor(I.getParent());
    if (!marked(I, 1) || Needed.contains(&I) || !L || !L->getLoopPreheader() || !L->getLoopLatch())
      continue;
    auto *Row = dyn_cast<SCEVAddRecExpr>(Evolutions.getSCEV(cast<LoadInst>(I).getPointerOperand()));
    const SCEV *Count = Evolutions.getBackedgeTakenCount(L);
    if (!Row || Row->getLoop() != L || !Row->isAffine() || !Evolutions.isKnownPositive(Row->getStepRecurrence(Evolutions)) ||
        isa<SCEVCouldNotCompute>(Count) || !Dominators.dominates(I.getParent(), L->getLoopLatch()))
      continue;
    const Instruction *At = L->getLoopPreheader()->getTerminator();
    if (Expander.isSafeToExpandAt(Row->getStart(), At) && Expander.isSafeToExpandAt(Count, At) &&
        Evolutions.getTypeSizeInBits(Count->getType()) <= 64)
      Rows.push_back({cast<LoadInst>(&I), Row, Count});
  }
  for (auto [L, Row, Count] : Rows) {
    Instruction *At = Row->getLoop()->getLoopPreheader()->getTerminator();
    const SCEV *Last = Row->evaluateAtIteration(Count, Evolutions);
    Value *From = Expander.expandCodeFor(Row->getStart(), nullptr, At);
    Value *To = Expander.expandCodeFor(Last, nullptr, At);
    IRBuilder<> B(At);
    Value *Low = B.CreatePtrToInt(From, B.getInt64Ty()), *High = B.CreatePtrToInt(To, B.getInt64Ty());
    uint64_t Size = Host.getDataLayout().getTypeStoreSize(L->getType()).getFixedValue();
    Value *Meets = B.CreateICmpULT(High, Low);
    for (unsigned Array = 0; Array < 64; Array++) {
      if (!(marked(*L, 0) >> Array & 1))
        continue;
      // Whether the row's end is behind the first address that meets the array, and its beginning in front of the last.
      auto [Lowest, Count] = bounds(Array, Size);
      Value *Some = B.CreateICmpNE(Count, B.getInt64(0));
      Value *Before = B.CreateICmpULT(Low, B.CreateAdd(Lowest, Count));
      Value *Behind = B.CreateICmpUGE(High, Lowest);
      Meets = B.CreateOr(Meets, B.CreateAnd(Some, B.CreateAnd(Before, Behind)));
    }
    note(B, Meets);
    L->replaceAllUsesWith(PoisonValue::get(L->getType()));
    L->eraseFromParent();
  }
}

void Inspector::compare() {
  SmallVector<LoadInst *, 16> Loads;
  for (Instruction &I : instructions(*New))
    if (auto *L = dyn_cast<LoadInst>(&I); L && marked(I, 0))
      Loads.push_back(L);
  for (LoadInst *L : Loads) {
    IRBuilder<> B(L);
    Value *Meets = meets(B, *L);
    if (!Needed.contains(L)) {
      note(B, Meets);
      L->replaceAllUsesWith(PoisonValue::get(L->getType()));
      L->eraseFromParent();
      continue;
    }
    BasicBlock *Head = L->getParent();
    BasicBlock *Tail = SplitBlock(Head, L->getIterator());
    Head->getTerminator()->eraseFromParent();
    IRBuilder<>(Head).CreateCondBr(Meets, Clash, Tail);
  }
}

// The first of so many iterations in a part.
Value *Inspector::index(IRBuilder<> &B, Value *Trips, Value *Part) {
  Value *Parts = New->getArg(PartsArg), *Rest = B.CreateURem(Trips, Parts);
  Value *More = B.CreateSelect(B.CreateICmpULT(Part, Rest), Part, Rest);
  return B.CreateAdd(B.CreateMul(B.CreateUDiv(Trips, Parts), Part), More);
}

// Each call does its part, or the first one does all.
void Inspector::divide() {
  auto &Evolutions = Module.functions.getResult<ScalarEvolutionAnalysis>(*New);
  auto &Loops = Module.functions.getResult<LoopAnalysis>(*New);
  auto &Dominators = Module.functions.getResult<DominatorTreeAnalysis>(*New);
  std::vector<std::unique_ptr<Divided>> All;
  for (Loop *L : Loops)
    All.push_back(std::make_unique<Divided>(*L, Evolutions, Dominators));
  Value *Part = New->getArg(PartArg);
  if (all_of(All, [&](auto &D) { return D->fits(Clash, Trap, Open); })) {
    for (auto &D : All)
      D->divide([&](IRBuilder<> &B, Value *Trips) {
        Value *First = index(B, Trips, Part);
        return std::pair(First, index(B, Trips, B.CreateAdd(Part, B.getInt64(1))));
      });
    return;
  }
  IRBuilder<> B(Start->getTerminator());
  B.CreateCondBr(B.CreateICmpEQ(Part, B.getInt64(0)), Start->getSingleSuccessor(), Done);
  Start->getTerminator()->eraseFromParent();
}

Function *Inspector::make(ArrayRef<BasicBlock *> Blocks, BasicBlock *Exit) {
  if (!collectInputs(Blocks))
    return nullptr;
  clone(Blocks, Exit);
  inlineRows();
  double All = cost(true);
  if (!findNeeded()) {
    Module.functions.clear(*New, New->getName());
    New->eraseFromParent();
    return nullptr;
  }
  dropRest();
  compareEnds();
  compare();
  auto Forget = [&] { Module.functions.invalidate(*New, PreservedAnalyses::none()); };
  Forget();
  Share = cost(false) / All;
  divide();
  Forget();
  PromoteMemToReg({Flag}, Module.functions.getResult<DominatorTreeAnalysis>(*New));
  Module.functions.clear(*New, New->getName());
  for (Instruction &I : instructions(*New))
    I.setMetadata(Open, nullptr);
  return New;
}

LLVMValueRef pt_inspector(PtModule *Module, const LLVMBasicBlockRef *Blocks, size_t Count, LLVMBasicBlockRef Exit,
                          const PtOpen *Loads, size_t LoadCount, double *Share, void *Data,
                          void (*Visit)(void *, LLVMValueRef)) {
  SmallVector<BasicBlock *, 16> List;
  for (LLVMBasicBlockRef B : ArrayRef(Blocks, Count))
    List.push_back(block(B));
  for (const PtOpen &O : ArrayRef(Loads, LoadCount))
    mark(O);
  Inspector Made(*Module, *List.front()->getParent());
  Function *New = Made.make(List, block(Exit));
  *Share = Made.Share;
  for (const PtOpen &O : ArrayRef(Loads, LoadCount))
    instruction(O.load)->setMetadata(Open, nullptr);
  for (Value *V : Made.inputs())
    Visit(Data, wrap(V));
  return wrap(New);
}
