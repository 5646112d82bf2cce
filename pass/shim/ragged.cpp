// Inner loops whose bounds depend on data, as functions of their own while the loops around them are looked at:
//
//   for i: { s = 0; for (k = row[i]; k < row[i + 1]; k++) s += val[k] * x[col[k]]; y[i] = s; }
//
//   for i: y[i] = loop(i, row, val, col, x)
//
// So are loops that find out themselves when they end:
//
//   for i: { x = a[i]; n = 0; while (x * x < 4 && n < 100) { x = x * x + c[i]; n++; } steps[i] = n; }
//
// Such a loop has no affine domain, but where it writes nothing it is an operation of the iterations around it. The call stands for it,
// with the test in front of it that skips a row without elements, until the function is done; then its body is back in its place
// (pt_show_ragged), in the new version too. The function claims that it accesses no memory, which is not so: whether its loads may be
// moved is asked for each of them (pt_ragged_loads).
//
// Where the back end chooses which product a sum takes up, the choice is spelled out in the new version (contraction.cpp).
#include "ragged.h"
#include "abreast.h"
#include "analyses.h"
#include "contraction.h"
#include "rowcells.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

static const char Ragged[] = "polytile-ragged";

// Of a function that is such a loop: the same with its stores, as the original has it.
static const char Plain[] = "polytile.plain";

// More instructions are no operation.
static constexpr size_t MaxSize = 400;
static constexpr size_t MaxResults = 32;

namespace {
// A loop that may be moved: with the test in front of it that skips it, and with what it writes.
struct Movable {
  BranchInst *Test = nullptr;
  RowCells Cells;
};

// The blocks that are moved: control enters the first and goes from the last to After.
struct Part {
  BasicBlock *First = nullptr;
  BasicBlock *Last = nullptr;
  BasicBlock *After = nullptr;
  SmallVector<BasicBlock *, 8> Blocks;
  SmallVector<Instruction *, 4> Results;
  SetVector<Value *> Inputs;
  RowCells Cells;

  size_t yields() const { return Results.size() + Cells.All.size(); }
};
} // namespace

// Whether a value is the same in all iterations, or would be if nothing wrote what is loaded for it.
static bool isSteady(const Value *V, const Loop &Outer, unsigned Depth = 8) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Outer.contains(I))
    return true;
  if (Depth == 0 || !(isa<LoadInst>(I) || isa<GetElementPtrInst>(I) || isa<CastInst>(I)))
    return false;
  return all_of(I->operands(), [&](const Value *O) { return isSteady(O, Outer, Depth - 1); });
}

bool mayEndItself(const Loop &L) {
  return L.isInnermost() && L.getParentLoop() && isMustProgress(&L) && L.getUniqueExitBlock();
}

// Whether what a number is made of is loaded anew in a loop.
static bool isOfData(const SCEV *S, const Loop &Outer) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    auto *U = dyn_cast<SCEVUnknown>(Part);
    return U && isa<LoadInst>(U->getValue()) && !isSteady(U->getValue(), Outer);
  });
}

// Whether bounds of loops around a loop are of data as well, loaded in front of them all: a matrix of a list of matrices is a nest by itself, and the list
// none whatever the innermost loop is taken for.
static bool isInNestOfData(const Loop &L, const SCEV *Count, ScalarEvolution &Evolutions) {
  for (const Loop *Around = L.getParentLoop(); Around->getParentLoop() && !isOfData(Count, *Around); Around = Around->getParentLoop())
    if (isOfData(Evolutions.getBackedgeTakenCount(Around), *L.getOutermostLoop()))
      return true;
  return false;
}

// The number of iterations is known at the loop's entry, from data that differs between iterations of the loops around; or each iteration
// says whether there is another, in a loop that may be taken to end (orbits that escape, Newton's method, binary searches).
static bool isBoundByData(Loop &L, ScalarEvolution &Evolutions) {
  const SCEV *Count = Evolutions.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return mayEndItself(L);
  return isOfData(Count, *L.getOutermostLoop()) && !isInNestOfData(L, Count, Evolutions);
}

// The same of a loop that writes memory: its bounds are of the loop just around it. Where they are of loops farther out, or the count is known under conditions
// that LLVM does not see, the loop and the one around it may be a nest by themselves.
static bool isRowByData(Loop &L, const RowCells &Cells, ScalarEvolution &Evolutions) {
  const SCEV *Count = Evolutions.getBackedgeTakenCount(&L);
  bool Known = !isa<SCEVCouldNotCompute>(Count) && isOfData(Count, *L.getParentLoop());
  return (Cells.All.empty() || Known) && isBoundByData(L, Evolutions);
}

// Whether a sum may take up a product.
static bool isOpen(const Instruction &I) {
  bool Sum = I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
  return Sum && I.hasAllowContract() && !I.hasAllowReassoc() &&
         any_of(I.operands(), [](const Value *O) {
           auto *P = dyn_cast<BinaryOperator>(O);
           return P && P->getOpcode() == Instruction::FMul;
         });
}

// An operation, or a load.
static bool isOperation(const Instruction &I, PtModule &Module) {
  PtEffect Effect = pt_effect(wrap(&I));
  bool Known = Effect == PT_LOAD || Effect == PT_PHI || Effect == PT_PURE || Effect == PT_BRANCH || Effect == PT_IGNORE;
  return Known && (!isOpen(I) || pt_contraction(&Module, wrap(&I)) != PT_UNFORESEEN);
}

static bool isWhole(const BasicBlock *B, PtModule &Module, bool Writes = false) {
  return all_of(*B, [&](const Instruction &I) { return isOperation(I, Module) || (Writes && isa<StoreInst>(I)); });
}

// The test in front of a loop, if the loop and nothing else is skipped by it.
static BranchInst *testOf(BasicBlock *Preheader, BasicBlock *Exit) {
  BasicBlock *Test = Preheader->getSinglePredecessor();
  BasicBlock *Join = Exit->getSingleSuccessor();
  auto *Br = Test ? dyn_cast<BranchInst>(Test->getTerminator()) : nullptr;
  if (!Br || !Br->isConditional() || !Join || !Join->hasNPredecessors(2))
    return nullptr;
  BasicBlock *Other = Br->getSuccessor(Br->getSuccessor(0) == Preheader ? 1 : 0);
  return Other == Join ? Br : nullptr;
}

// Whether values come out of the merge behind these blocks only, beside those of so many places.
static bool yields(ArrayRef<BasicBlock *> Blocks, BasicBlock *Join, size_t Places) {
  SmallPtrSet<const BasicBlock *, 8> Own(Blocks.begin(), Blocks.end());
  auto IsOwn = [&](const User *U) {
    auto *I = cast<Instruction>(U);
    return Own.contains(I->getParent()) || (isa<PHINode>(I) && I->getParent() == Join);
  };
  size_t Size = 0, Leaving = Places;
  for (BasicBlock *B : Blocks) {
    Size += B->size();
    if (B != Join && any_of(*B, [&](const Instruction &I) { return !all_of(I.users(), IsOwn); }))
      return false;
  }
  for (const PHINode &Phi : Join->phis())
    Leaving += any_of(Phi.users(), [&](const User *U) { return !IsOwn(U) || cast<Instruction>(U)->getParent() == Join; });
  return Leaving >= 1 && Leaving <= MaxResults && Size <= MaxSize;
}

// Whether a loop can be moved, and the test in front of it. Where what it writes is not written without it, the test stays where it is.
static std::optional<Movable> movable(Loop &L, const LoopInfo &Loops, ScalarEvolution &Evolutions, const DominatorTree &Dominators, PtModule &Module) {
  auto Whole = [&](const BasicBlock *B) { return isWhole(B, Module); };
  BasicBlock *Preheader = L.getLoopPreheader(), *Exit = L.getUniqueExitBlock();
  Loop *Parent = L.getParentLoop();
  if (!Preheader || !Exit || !Parent || Loops.getLoopFor(Exit) != Parent ||
      !all_of(L.blocks(), [&](const BasicBlock *B) { return isWhole(B, Module, true); }))
    return std::nullopt;
  auto Clean = [](const BasicBlock *B) {
    return none_of(*B, [](const Instruction &I) { return pt_effect(wrap(&I)) == PT_CUT; });
  };
  if (!all_of(Parent->blocks(), Clean))
    return std::nullopt;
  BranchInst *Test = testOf(Preheader, Exit);
  std::optional<RowCells> Cells = rowCells(L, Test ? Test->getParent() : nullptr, Evolutions, Dominators);
  if (!Cells)
    return std::nullopt;
  if (!Cells->AreWrittenBefore)
    Test = nullptr;
  SmallVector<BasicBlock *, 8> Own(L.blocks());
  size_t Places = Cells->All.size();
  if (!Test)
    return yields(Own, Exit, Places) ? std::optional(Movable{nullptr, *Cells}) : std::nullopt;
  Own.append({Preheader, Exit});
  BasicBlock *Join = Exit->getSingleSuccessor();
  bool Fits = Loops.getLoopFor(Test->getParent()) == Parent && Whole(Preheader) && Whole(Exit) &&
              Loops.getLoopFor(Join) == Parent && yields(Own, Join, Places);
  return Fits ? std::optional(Movable{Test, *Cells}) : std::nullopt;
}

// Cuts the blocks of a part so that nothing else is in them.
static Part cut(Loop &L, const Movable &M) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Exit = L.getUniqueExitBlock();
  Part P;
  P.Cells = M.Cells;
  SmallVector<BasicBlock *, 8> Own(L.blocks());
  BasicBlock *From = Preheader, *Join = Exit;
  if (M.Test) {
    From = M.Test->getParent();
    Join = Exit->getSingleSuccessor();
    Own.append({Preheader, Exit});
  }
  P.First = SplitBlock(From, From->getTerminator()->getIterator());
  P.After = SplitBlock(Join, Join->getFirstNonPHIIt());
  P.Last = Join;
  P.Blocks.push_back(P.First);
  // A preheader without a test was split itself.
  append_range(P.Blocks, Own);
  P.Blocks.push_back(P.Last);
  return P;
}

// What goes in and what comes out.
static void connect(Part &P) {
  SmallPtrSet<const BasicBlock *, 8> Own(P.Blocks.begin(), P.Blocks.end());
  for (BasicBlock *B : P.Blocks)
    for (Instruction &I : *B) {
      for (Value *O : I.operands()) {
        auto *Def = dyn_cast<Instruction>(O);
        if (isa<Argument>(O) || (Def && !Own.contains(Def->getParent())))
          P.Inputs.insert(O);
      }
      if (any_of(I.users(), [&](const User *U) { return !Own.contains(cast<Instruction>(U)->getParent()); }))
        P.Results.push_back(&I);
    }
}

Function *functionBeside(Function &F, FunctionType *Type, const char *Suffix) {
  auto *New = Function::Create(Type, GlobalValue::InternalLinkage, F.getAddressSpace(), F.getName() + Suffix, F.getParent());
  New->setAttributes(AttributeList::get(F.getContext(), F.getAttributes().getFnAttrs(), {}, {}));
  for (Attribute::AttrKind Kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
    New->addFnAttr(Kind);
  for (Attribute::AttrKind Kind : {Attribute::NoInline, Attribute::NoReturn})
    New->removeFnAttr(Kind);
  return New;
}

// The function of a part: as an operation, or plain with its stores.
static Function *functionOf(Function &F, const Part &P, PtModule &Module, bool IsPlain) {
  SmallVector<Type *, 8> Types;
  for (Value *V : P.Inputs)
    Types.push_back(V->getType());
  SmallVector<Type *, 4> Results;
  for (Instruction *R : P.Results)
    Results.push_back(R->getType());
  for (const RowCell &C : P.Cells.All) {
    Types.push_back(C.Type);
    Results.push_back(C.Type);
  }
  Type *Result = Results.size() == 1 ? Results[0] : StructType::get(F.getContext(), Results);
  Function *New = functionBeside(F, FunctionType::get(Result, Types, false), ".row");
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(P.Inputs, New->args()))
    Map[From] = &To;
  for (BasicBlock *B : P.Blocks)
    Map[B] = CloneBasicBlock(B, Map, "", New);
  for (BasicBlock *B : P.Blocks)
    for (Instruction &I : *B)
      if (isOpen(I))
        sayForeseen(*cast<Instruction>(Map[&I]), pt_contraction(&Module, wrap(&I)));
  for (BasicBlock &B : *New)
    for (Instruction &I : B) {
      I.dropDbgRecords();
      I.setDebugLoc(DebugLoc());
      RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  SmallVector<AllocaInst *, 4> Kept;
  if (!IsPlain) {
    New->setMemoryEffects(MemoryEffects::none());
    New->addFnAttr(Ragged);
    Kept = keepCells(P.Cells, Map, P.Blocks, *New, P.Inputs.size());
  }
  auto *Last = cast<BasicBlock>(Map[P.Last]);
  Last->getTerminator()->eraseFromParent();
  IRBuilder<> B(Last);
  SmallVector<Value *, 4> Values;
  for (Instruction *R : P.Results)
    Values.push_back(Map[R]);
  for (auto [N, C] : enumerate(P.Cells.All))
    Values.push_back(IsPlain ? PoisonValue::get(C.Type) : cast<Value>(B.CreateLoad(C.Type, Kept[N])));
  if (Values.size() == 1)
    B.CreateRet(Values[0]);
  else
    B.CreateAggregateRet(Values.data(), Values.size());
  if (!Kept.empty())
    PromoteMemToReg(Kept, Module.functions.getResult<DominatorTreeAnalysis>(*New));
  return New;
}

static void replace(Part &P, Function *New, DebugLoc Where, const DominatorTree &Dominators) {
  BasicBlock *Place = P.First->getSinglePredecessor();
  Instruction *Jump = Place->getTerminator();
  SmallVector<Value *, 8> Arguments(P.Inputs.begin(), P.Inputs.end());
  append_range(Arguments, loadCells(P.Cells, Jump, Dominators));
  auto *Call = CallInst::Create(New, Arguments, "", Jump->getIterator());
  Call->setDebugLoc(Where);
  IRBuilder<> B(Jump);
  SmallVector<Value *, 8> Yields;
  for (size_t N = 0; N < P.yields(); N++)
    Yields.push_back(P.yields() == 1 ? Call : B.CreateExtractValue(Call, N));
  storeCells(P.Cells, ArrayRef(Yields).drop_front(P.Results.size()), Jump, Dominators);
  for (auto [R, V] : zip(P.Results, Yields))
    R->replaceAllUsesWith(V);
  Jump->setSuccessor(0, P.After);
  DeleteDeadBlocks(P.Blocks);
}

bool hideRagged(PtModule &Module, Function &F, const LoopInfo &Loops, ScalarEvolution &Evolutions, DominatorTree &Dominators) {
  for (Loop *L : const_cast<LoopInfo &>(Loops).getLoopsInPreorder()) {
    std::optional<Movable> M = L->getParentLoop() ? movable(*L, Loops, Evolutions, Dominators, Module) : std::nullopt;
    if (!M || !isRowByData(*L, M->Cells, Evolutions))
      continue;
    DebugLoc Where = L->getStartLoc();
    Part P = cut(*L, *M);
    connect(P);
    Function *Stores = P.Cells.All.empty() ? nullptr : functionOf(F, P, Module, true);
    Function *Row = functionOf(F, P, Module, false);
    if (Stores)
      Row->setMetadata(Plain, MDNode::get(F.getContext(), ConstantAsMetadata::get(Stores)));
    if (unsigned Lanes = lanesAbreast(*Row, Module.functions))
      setAbreast(*Row, Lanes);
    Dominators.recalculate(F);
    replace(P, Row, Where, Dominators);
    return true;
  }
  return false;
}

bool isHidden(const Function &F) { return F.hasFnAttribute(Ragged); }

static Function *raggedCallee(const Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && isHidden(*Callee) ? Callee : nullptr;
}

bool pt_is_ragged(LLVMValueRef Call) { return raggedCallee(unwrap(Call)); }

bool pt_runs_abreast(LLVMValueRef Call) { return abreast(*raggedCallee(unwrap(Call))) != 0; }

// The loads of a loop that was hidden, each with the pointer of the caller that it begins with; null if that is in the loop.
void pt_ragged_loads(LLVMValueRef Call, void *Data, void (*Visit)(void *, LLVMValueRef, LLVMValueRef)) {
  auto *C = cast<CallInst>(unwrap(Call));
  for (Instruction &I : instructions(*raggedCallee(C))) {
    auto *L = dyn_cast<LoadInst>(&I);
    if (!L)
      continue;
    const Value *Object = getUnderlyingObject(L->getPointerOperand());
    if (auto *A = dyn_cast<Argument>(Object))
      Object = getUnderlyingObject(C->getArgOperand(A->getArgNo()));
    else if (!isa<GlobalVariable>(Object))
      Object = nullptr;
    Visit(Data, wrap(Object), wrap(L));
  }
}

// A sum with the product that it takes up as one operation, or without the right to take one up.
static void pin(Instruction &Sum, PtContraction Taken) {
  if (Taken == PT_APART) {
    Sum.setHasAllowContract(false);
    return;
  }
  unsigned Side = Taken == PT_FIRST ? 0 : 1;
  auto *Product = cast<BinaryOperator>(Sum.getOperand(Side));
  IRBuilder<> B(&Sum);
  Value *One = Product->getOperand(0), *Other = Sum.getOperand(1 - Side);
  if (Sum.getOpcode() == Instruction::FSub)
    (Side == 0 ? Other : One) = B.CreateFNeg(Side == 0 ? Other : One);
  Value *Fused = B.CreateIntrinsic(Intrinsic::fmuladd, {Sum.getType()}, {One, Product->getOperand(1), Other});
  Sum.replaceAllUsesWith(Fused);
  Sum.eraseFromParent();
}

// A hidden loop with its choices spelled out.
static Function *pinned(PtModule &Module, Function &Row) {
  ValueToValueMapTy Map;
  Function *New = CloneFunction(&Row, Map);
  for (Instruction &I : instructions(Row))
    if (isOpen(I))
      pin(*cast<Instruction>(Map[&I]), pt_contraction(&Module, wrap(&I)));
  return New;
}

void showRow(CallInst &Call) {
  InlineFunctionInfo Info;
  [[maybe_unused]] bool Inlined = InlineFunction(Call, Info).isSuccess();
  assert(Inlined && "a loop goes back to its place");
}

// Puts a loop back in its places.
static void inlineCalls(Function &Row, ArrayRef<User *> Calls) {
  for (User *C : Calls)
    showRow(*cast<CallInst>(C));
}

// The function with the stores of a hidden loop, if it has some.
static Function *plain(const Function &Row) {
  const MDNode *Node = Row.getMetadata(Plain);
  return Node ? mdconst::extract<Function>(Node->getOperand(0)) : nullptr;
}

void pt_show_ragged(PtModule *Module, LLVMValueRef F) {
  SmallVector<Function *, 4> Done, Stores;
  for (Function &Row : function(F)->getParent()->functions())
    if (isHidden(Row) && !Row.isDeclaration())
      Done.push_back(&Row);
  // Row lies in rows that were hidden later.
  SmallVector<Function *, 4> Pinned;
  for (Function *Row : Done) {
    Pinned.push_back(pinned(*Module, *Row));
    if (Function *Other = plain(*Row))
      Stores.push_back(Other);
  }
  for (auto [Row, New] : zip(Done, Pinned)) {
    auto IsNew = [&](Use &U) {
      Function *Caller = cast<Instruction>(U.getUser())->getFunction();
      return Caller != function(F) && !is_contained(Done, Caller) && !is_contained(Stores, Caller);
    };
    Row->replaceUsesWithIf(New, IsNew);
    if (Function *Other = plain(*Row))
      Row->replaceUsesWithIf(Other, [&](Use &U) { return cast<Instruction>(U.getUser())->getFunction() == function(F); });
  }
  for (Function *Row : concat<Function *>(Done, Pinned)) {
    Row->removeFnAttr(Ragged);
    Row->setMetadata(Plain, nullptr);
  }
  for (Function *Row : Stores)
    for (User *Call : Row->users())
      dropCells(*cast<CallInst>(Call));
  for (Function *Row : concat<Function *>(Done, Stores))
    inlineCalls(*Row, SmallVector<User *, 8>(Row->users()));
  for (Function *Row : Pinned)
    inlineCalls(*Row, keepAbreast(*Row));
  for (Function *Row : concat<Function *>(Done, Pinned, Stores)) {
    Module->functions.clear(*Row, Row->getName());
    if (Row->use_empty())
      Row->eraseFromParent();
  }
}
