// Blocks of memory that each iteration of a loop allocates, as one block that is there all the time.
//
//   for (..) {                                 %h = call ptr @polytile.block(0)                      in front of everything
//     double *t = malloc(n * 8);         for:  call void @polytile.begin(%h, %bytes)
//     ..t[j]..                   is            %t = call ptr @malloc(%bytes), !polytile-block 0
//     free(t);                becomes          ..%h[j]..
//   }                                          call void @polytile.end(%h); call void @free(%t), !polytile-block 0
//
// A pointer that is another one in each iteration is no base of a nest. If it goes nowhere, an iteration may as well use the memory of the one before: its
// content is undefined when it is made, or zero, which is a store then. So one pointer of the working copy stands for all of them; a new version
// allocates one block (`extract/blocks.rs`), and a nest that begins behind the allocation has the pointer as it was. The program keeps its calls:
// when the copy takes the place of the function, each use has the pointer of its iteration again. A vector's pointer is null where it has no elements; it is taken
// for the block's, too. So are arrays of variable size on the stack.
#include "blocks.h"
#include "common.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;

static constexpr char BlockMark[] = "polytile-block", FillMark[] = "polytile-fill";
static constexpr char BlockName[] = "polytile.block", BeginName[] = "polytile.begin", EndName[] = "polytile.end";

// What a linker of Rust's is told about allocators; it does nothing.
static constexpr char ShimName[] = "__rust_no_alloc_shim_is_unstable";

// Alignment of a new version's block, in bytes.
static constexpr uint64_t MaxAlign = 64;

// Uses of one block that are looked at, and blocks of a function.
static constexpr unsigned MaxUses = 1000, MaxBlocks = 64;

static const Function *called(const Value &V) {
  auto *Call = dyn_cast<CallInst>(&V);
  return Call ? Call->getCalledFunction() : nullptr;
}

static bool isCallOf(const Value &V, StringRef Name) {
  const Function *Callee = called(V);
  return Callee && Callee->getName() == Name;
}

bool isBlock(const Value &V) { return isCallOf(V, BlockName); }

const Value &ofProgram(const Value &Pointer) {
  if (isBlock(Pointer))
    for (const User *U : Pointer.users())
      for (const Instruction *I = isCallOf(*U, BeginName) ? cast<Instruction>(U) : nullptr; I; I = I->getNextNode())
        if (I->getMetadata(BlockMark))
          return *I;
  return Pointer;
}

static bool isShim(const Instruction &I) {
  const Function *Callee = called(I);
  return Callee && Callee->isDeclaration() && Callee->arg_empty() && Callee->getName().contains(ShimName);
}

static bool savesStack(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::stacksave || Call->getIntrinsicID() == Intrinsic::stackrestore);
}

bool isOfBlock(const Instruction &I) {
  if (!isa<CallBase, AllocaInst, PHINode, CastInst>(I))
    return false;
  return I.getMetadata(BlockMark) || isCallOf(I, BeginName) || isCallOf(I, EndName) || isShim(I);
}

bool endsBlock(const Instruction &I, const Value &Block) {
  return (isCallOf(I, BeginName) || isCallOf(I, EndName)) && I.getOperand(0) == &Block;
}

// What a block holds at first: nothing that is defined, or zero; nullptr if the instruction allocates nothing of the kind.
static Constant *firstContent(const Instruction &I, const TargetLibraryInfo *Library) {
  Type *Byte = Type::getInt8Ty(I.getContext());
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    bool Plain = !A->isStaticAlloca() && !A->isUsedWithInAlloca() && !A->isSwiftError() && A->getAddressSpace() == 0 &&
                 !A->getAllocatedType()->isScalableTy() && A->getAlign().value() <= MaxAlign;
    return Plain ? UndefValue::get(Byte) : nullptr;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<CallBrInst>(Call) || !isAllocationFn(Call, Library) || !isRemovableAlloc(Call, Library) || Call->hasOperandBundles())
    return nullptr;
  bool OfNumbers = all_of(Call->args(), [](const Use &A) { return A->getType()->isIntegerTy(); });
  if (!OfNumbers || !Call->getFnAttr(Attribute::AllocSize).isValid())
    return nullptr;
  if (Value *Align = getAllocAlignment(Call, Library)) {
    auto *Fixed = dyn_cast<ConstantInt>(Align);
    if (!Fixed || Fixed->getValue().ugt(MaxAlign))
      return nullptr;
  }
  return getInitialValueOfAllocation(Call, Library, Byte);
}

static const Value *freedBy(const Instruction &I, const TargetLibraryInfo *Library) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && !Call->hasOperandBundles() ? getFreedOperand(Call, Library) : nullptr;
}

bool isAllocation(const Instruction &I) { return firstContent(I, nullptr) || freedBy(I, nullptr) || savesStack(I) || isShim(I); }

// The outcome of a condition that only asks whether blocks are there, if there are these.
static std::optional<bool> outcome(const Value &Condition, function_ref<bool(const Value &)> IsThere) {
  using namespace PatternMatch;
  const Value *A, *B;
  if (match(&Condition, m_Not(m_Value(A)))) {
    auto Of = outcome(*A, IsThere);
    return Of ? std::optional(!*Of) : std::nullopt;
  }
  bool All = match(&Condition, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (All || match(&Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    auto Of = outcome(*A, IsThere);
    return Of == outcome(*B, IsThere) ? Of : std::nullopt;
  }
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (!Compare || !Compare->isEquality() || !IsThere(*Compare->getOperand(0)) || !isa<ConstantPointerNull>(Compare->getOperand(1)))
    return std::nullopt;
  return Compare->getPredicate() == CmpInst::ICMP_NE;
}

// Where a branch goes if there is no memory; nullptr if it asks for something else.
static BasicBlock *failing(const Instruction &Terminator, function_ref<bool(const Value &)> IsThere) {
  auto *Branch = dyn_cast<BranchInst>(&Terminator);
  auto Holds = Branch && Branch->isConditional() ? outcome(*Branch->getCondition(), IsThere) : std::nullopt;
  return Holds ? Branch->getSuccessor(*Holds) : nullptr;
}

namespace {
// What one place of a loop allocates.
class Block {
public:
  Block(Instruction &Made, const Loop &Around, const TargetLibraryInfo *Library) : Made(Made), Around(Around), Library(Library) {}
  bool look();
  bool frees(const Instruction &I) const { return Freeing.contains(&I); }
  bool isSame(const Value &V) const { return &V == &Made || Same.contains(&V); }
  // Where the pointer leaves the loop: it may where there is no memory, or from where control does not return.
  ArrayRef<const Use *> leaving() const { return Leaving; }
  void lift(unsigned Number, Constant &Content);

private:
  bool note(Use &U, SmallVectorImpl<Value *> &Open);
  bool mergesAsNumber(Instruction &I, SmallVectorImpl<Value *> &Open);
  bool areForDistances() const;
  Value *bytes(IRBuilder<> &At) const;

  Instruction &Made;
  const Loop &Around;
  const TargetLibraryInfo *Library;
  // Pointers into it, and those to its begin: the one that was allocated, and where it meets a constant.
  SmallPtrSet<const Value *, 16> Pointers, Same;
  SmallVector<Instruction *, 2> Merges;
  SmallSetVector<Instruction *, 4> Freeing;
  SmallVector<Use *, 16> Uses;
  SmallVector<const Use *, 2> Leaving;
  SmallVector<const Instruction *, 4> Numbers;
  SmallVector<const ICmpInst *, 4> Compared;
};
} // namespace

// Whether an instruction makes a number of the pointer that becomes the pointer again where it has met a constant: what stands for a vector without elements.
bool Block::mergesAsNumber(Instruction &I, SmallVectorImpl<Value *> &Open) {
  auto *Phi = isa<PtrToIntInst>(I) && I.hasOneUse() ? dyn_cast<PHINode>(I.user_back()) : nullptr;
  auto IsFixed = [&](const Use &In) { return In.get() == &I || isa<ConstantInt>(In.get()); };
  auto IsBack = [&](const User *U) { return isa<IntToPtrInst>(U) && U->getType() == Made.getType(); };
  if (!Phi || Phi->getParent() == Around.getHeader() || !all_of(Phi->incoming_values(), IsFixed) || !all_of(Phi->users(), IsBack))
    return false;
  Merges.append({&I, Phi});
  for (User *U : Phi->users()) {
    Merges.push_back(cast<Instruction>(U));
    Same.insert(U);
    Pointers.insert(U);
    Open.push_back(U);
  }
  return true;
}

// Whether a use keeps the pointer in its iteration, and from where others find it.
bool Block::note(Use &U, SmallVectorImpl<Value *> &Open) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I || I->isVolatile())
    return false;
  bool OfBegin = isSame(*U.get()), Inside = Around.contains(I);
  if (freedBy(*I, Library) == U.get()) {
    if (Inside)
      Freeing.insert(I);
    return OfBegin;
  }
  auto *Phi = dyn_cast<PHINode>(I);
  if (!Inside) {
    Leaving.push_back(&U);
    return true;
  }
  if (Phi && OfBegin && all_of(Phi->incoming_values(), [&](const Use &In) { return isSame(*In) || isa<Constant>(In); })) {
    Merges.push_back(Phi);
    Same.insert(Phi);
    Pointers.insert(Phi);
    Open.push_back(Phi);
    return Phi->getParent() != Around.getHeader();
  }
  if (OfBegin && mergesAsNumber(*I, Open))
    return true;
  if (OfBegin)
    Uses.push_back(&U);
  if (isa<PHINode, GetElementPtrInst, SelectInst, FreezeInst>(I)) {
    if (Pointers.insert(I).second)
      Open.push_back(I);
    return I->getType()->isPointerTy() && !(Phi && Phi->getParent() == Around.getHeader());
  }
  if (auto *Store = dyn_cast<StoreInst>(I))
    return Store->isSimple() && U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple();
  if (auto *Compare = dyn_cast<ICmpInst>(I))
    Compared.push_back(Compare);
  else if (isa<PtrToIntInst>(I))
    Numbers.push_back(I);
  else
    return isa<MemIntrinsic>(I) || I->isLifetimeStartOrEnd() || isa<AssumeInst>(I);
  return true;
}

// Whether the numbers of pointers are only taken for their distances from each other, also where they merge with constants.
bool Block::areForDistances() const {
  SmallSetVector<const Value *, 8> All(Numbers.begin(), Numbers.end());
  for (unsigned N = 0; N < All.size(); ++N)
    for (const User *U : All[N]->users())
      if (isa<PHINode>(U))
        All.insert(U);
  auto IsOwn = [&](const Use &Part) { return All.contains(Part.get()); };
  auto IsFixed = [&](const Use &Part) { return IsOwn(Part) || isa<Constant>(Part.get()); };
  return all_of(All, [&](const Value *N) {
    auto *Phi = dyn_cast<PHINode>(N);
    return (!Phi || all_of(Phi->incoming_values(), IsFixed)) && all_of(N->users(), [&](const User *U) {
             auto *Operation = dyn_cast<BinaryOperator>(U);
             return All.contains(U) || (isa<ICmpInst>(U) && all_of(U->operands(), IsOwn)) ||
                    (Operation && Operation->getOpcode() == Instruction::Sub && all_of(U->operands(), IsOwn));
           });
  });
}

// Whether the block is of one iteration.
bool Block::look() {
  SmallVector<Value *, 8> Open = {&Made};
  Pointers.insert(&Made);
  unsigned Seen = 0;
  while (!Open.empty())
    for (Use &U : Open.pop_back_val()->uses())
      if (++Seen > MaxUses || !note(U, Open))
        return false;
  auto IsOwn = [&](const Use &Side) { return Pointers.contains(Side.get()) || isa<ConstantPointerNull>(Side.get()); };
  return areForDistances() && all_of(Compared, [&](const ICmpInst *C) { return all_of(C->operands(), IsOwn); });
}

// How many bytes it has.
Value *Block::bytes(IRBuilder<> &At) const {
  Type *Word = At.getInt64Ty();
  auto Wide = [&](Value *V) { return At.CreateZExtOrTrunc(V, Word); };
  if (auto *A = dyn_cast<AllocaInst>(&Made)) {
    uint64_t Each = A->getDataLayout().getTypeAllocSize(A->getAllocatedType());
    return At.CreateMul(Wide(A->getArraySize()), At.getInt64(Each));
  }
  auto &Call = cast<CallBase>(Made);
  auto [Size, Count] = Call.getFnAttr(Attribute::AllocSize).getAllocSizeArgs();
  Value *One = Wide(Call.getArgOperand(Size));
  return Count ? At.CreateMul(One, Wide(Call.getArgOperand(*Count))) : One;
}

// A function that stands in the working copy only: nothing in it is ever called.
static FunctionCallee mark(Module &M, StringRef Name, Type *Result, ArrayRef<Type *> Arguments) {
  FunctionCallee Made = M.getOrInsertFunction(Name, FunctionType::get(Result, Arguments, false));
  auto *F = cast<Function>(Made.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  if (Result->isPointerTy())
    F->addRetAttr(Attribute::NoAlias);
  for (unsigned A = 0; A < Arguments.size(); ++A)
    if (Arguments[A]->isPointerTy()) {
      F->addParamAttr(A, Attribute::ReadNone);
      F->addParamAttr(A, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
    }
  return Made;
}

void Block::lift(unsigned Number, Constant &Content) {
  LLVMContext &Context = Made.getContext();
  Function &F = *Made.getFunction();
  Module &M = *F.getParent();
  Type *Pointer = PointerType::getUnqual(Context), *Nothing = Type::getVoidTy(Context), *Word = Type::getInt64Ty(Context);
  Constant *Id = ConstantInt::get(Type::getInt32Ty(Context), Number);
  auto *Mark = MDNode::get(Context, {ConstantAsMetadata::get(Id)});
  IRBuilder<> Front(&*F.getEntryBlock().getFirstInsertionPt());
  Front.SetCurrentDebugLocation(DebugLoc());
  CallInst *Stands = Front.CreateCall(mark(M, BlockName, Pointer, {Id->getType()}), {Id});
  IRBuilder<> Before(&Made);
  Value *Bytes = bytes(Before);
  Before.CreateCall(mark(M, BeginName, Nothing, {Pointer, Word}), {Stands, Bytes});
  for (Use *U : Uses)
    U->set(Stands);
  Made.setMetadata(BlockMark, Mark);
  for (Instruction *I : Merges)
    I->setMetadata(BlockMark, Mark);
  for (Instruction *I : Freeing) {
    IRBuilder<>(I).CreateCall(mark(M, EndName, Nothing, {Pointer}), {Stands});
    I->setMetadata(BlockMark, Mark);
  }
  if (isa<UndefValue>(Content))
    return;
  auto *Invoke = dyn_cast<InvokeInst>(&Made);
  IRBuilder<> Behind(Invoke ? &*Invoke->getNormalDest()->getFirstInsertionPt() : Made.getNextNode());
  Behind.SetCurrentDebugLocation(Made.getDebugLoc());
  Behind.CreateMemSet(Stands, Behind.getInt8(0), Bytes, MaybeAlign())->setMetadata(FillMark, Mark);
}

// The blocks that a loop allocates itself, if nothing else keeps it from being in a nest.
static bool liftFrom(const Loop &L, const LoopInfo &Loops, const TargetLibraryInfo *Library, Returning Returns, unsigned &Number) {
  std::vector<std::pair<Block, Constant *>> Found;
  SmallVector<Instruction *, 4> Others, Saving;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (pt_effect(wrap(&I)) != PT_CUT)
        continue;
      Constant *Content = Loops.getLoopFor(B) == &L ? firstContent(I, Library) : nullptr;
      auto *Invoke = dyn_cast<InvokeInst>(&I);
      bool Filled = !Content || isa<UndefValue>(Content) || !Invoke || Invoke->getNormalDest()->getSinglePredecessor();
      if (Content && Filled)
        Found.push_back({Block(I, L, Library), Content});
      else if (savesStack(I))
        Saving.push_back(&I);
      else
        Others.push_back(&I);
    }
  if (Found.empty() || Number + Found.size() > MaxBlocks)
    return false;
  for (auto &[Of, Content] : Found)
    if (!Of.look())
      return false;
  auto IsFreed = [&](const Instruction *I) { return any_of(Found, [&](const auto &Of) { return Of.first.frees(*I); }); };
  if (!all_of(Others, IsFreed))
    return false;
  auto IsThere = [&](const Value &V) { return any_of(Found, [&](const auto &Of) { return Of.first.isSame(V); }); };
  auto IsFailing = [&](const Use *U) {
    auto *User = cast<Instruction>(U->getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    bool Fails = Phi && failing(*Phi->getIncomingBlock(*U)->getTerminator(), IsThere) == Phi->getParent();
    return Fails || !Returns(User->getParent());
  };
  for (auto &[Of, Content] : Found)
    if (!all_of(Of.leaving(), IsFailing))
      return false;
  for (auto &[Of, Content] : Found)
    Of.lift(Number++, *Content);
  // What is restored is what was saved in the same iteration.
  for (Instruction *I : Saving)
    I->setMetadata(BlockMark, MDNode::get(I->getContext(), {}));
  return true;
}

bool liftBlocks(Function &F, const LoopInfo &Loops, const TargetLibraryInfo &Library, Returning Returns) {
  auto Allocates = [&](const Instruction &I) { return isa<AllocaInst, CallBase>(I) && firstContent(I, &Library); };
  if (none_of(instructions(F), Allocates))
    return false;
  unsigned Number = 0;
  auto Outer = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(Outer))
    liftFrom(*L, Loops, &Library, Returns, Number);
  return Number > 0;
}

bool pt_is_of_block(LLVMValueRef I) { return !isa<PHINode, CastInst>(instruction(I)) && !isShim(*instruction(I)) && isOfBlock(*instruction(I)); }

void pt_block_bytes(LLVMValueRef Pointer, const LLVMBasicBlockRef *Blocks, size_t Count, void *Data, void (*Visit)(void *, LLVMValueRef)) {
  if (!isBlock(*unwrap(Pointer)))
    return;
  SmallPtrSet<const BasicBlock *, 16> Region;
  for (size_t N = 0; N != Count; ++N)
    Region.insert(block(Blocks[N]));
  for (const User *U : unwrap(Pointer)->users())
    if (isCallOf(*U, BeginName) && Region.contains(cast<Instruction>(U)->getParent()))
      Visit(Data, wrap(U->getOperand(1)));
}

LLVMBasicBlockRef pt_failing(LLVMValueRef Terminator) { return wrap(failing(*instruction(Terminator), isBlock)); }

// The pointer of the iteration that a use is in; nullptr if it is in none.
static Value *pointerAt(const Use &U, ArrayRef<Instruction *> Pointers, const DominatorTree &Dominators) {
  Instruction *Last = nullptr;
  for (Instruction *P : Pointers)
    if (Dominators.dominates(P, U) && (!Last || Dominators.dominates(Last, P)))
      Last = P;
  return Last;
}

// Computes where it is used what was computed of a pointer in front of all iterations, as the number of an address is; false if that is in none.
static bool sink(Instruction &I, ArrayRef<Instruction *> Pointers, const DominatorTree &Dominators) {
  if (isa<PHINode>(I) || !isSafeToSpeculativelyExecute(&I))
    return false;
  while (!I.use_empty()) {
    Use &U = *I.use_begin();
    auto *User = cast<Instruction>(U.getUser());
    if (!pointerAt(U, Pointers, Dominators)) {
      if (!sink(*User, Pointers, Dominators))
        return false;
      continue;
    }
    auto *Phi = dyn_cast<PHINode>(User);
    Instruction *Copy = I.clone();
    Copy->insertBefore(Phi ? Phi->getIncomingBlock(U)->getTerminator()->getIterator() : User->getIterator());
    U.set(Copy);
  }
  I.eraseFromParent();
  return true;
}

// Gives the uses of one pointer that stands for blocks back to these; false if one is in no iteration.
static bool giveBack(CallInst &Stands, ArrayRef<Instruction *> Pointers, const DominatorTree &Dominators) {
  while (!Stands.use_empty()) {
    Use &U = *Stands.use_begin();
    auto &I = *cast<Instruction>(U.getUser());
    if (isCallOf(I, BeginName) || isCallOf(I, EndName) || I.getMetadata(FillMark))
      I.eraseFromParent();
    else if (Value *Own = pointerAt(U, Pointers, Dominators))
      U.set(Own);
    else if (!sink(I, Pointers, Dominators))
      return false;
  }
  Stands.eraseFromParent();
  return true;
}

bool pt_show_blocks(PtModule *Module, LLVMValueRef Copy) {
  Function &F = *function(Copy);
  SmallVector<CallInst *, 4> All;
  DenseMap<const Metadata *, SmallVector<Instruction *, 4>> Pointers;
  for (Instruction &I : instructions(F)) {
    if (isBlock(I))
      All.push_back(cast<CallInst>(&I));
    MDNode *Mark = I.getMetadata(BlockMark);
    if (Mark && I.getType()->isPointerTy() && Mark->getNumOperands())
      Pointers[Mark->getOperand(0).get()].push_back(&I);
    I.setMetadata(BlockMark, nullptr);
  }
  if (All.empty())
    return true;
  DominatorTree Dominators(F);
  for (CallInst *Stands : All) {
    auto *Id = ConstantAsMetadata::get(cast<Constant>(Stands->getArgOperand(0)));
    if (!giveBack(*Stands, Pointers[Id], Dominators))
      return false;
  }
  for (StringRef Name : {BlockName, BeginName, EndName})
    if (Function *Marker = F.getParent()->getFunction(Name); Marker && Marker->use_empty())
      Marker->eraseFromParent();
  return true;
}
