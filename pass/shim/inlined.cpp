// Calls in loops that LLVM has left: of functions that are called at several places, or were too large for it.
//
//   for i: u[i] = f(a, i);      for i: { ..the body of f.. u[i] = .. }
//
// No nest holds a call that reads and writes memory, so such a call gives way to the body of what it calls, in the working copy only. The program
// keeps its call: when the copy takes the place of the function, what is left of each body (in loops that nobody transformed, and in the originals
// beside new versions) becomes the call again. So the code of declined nests is what it was, and sums that the back end may fuse as it likes are
// fused as in the function that is called.
//
//   before:  br %in, !polytile-call 3      in:   ..the body..   br %next, !polytile-return 3      next: ..
//   after:   call @f; br %next                                                                    next: ..
#include "inlined.h"
#include "analyses.h"
#include "blocks.h"
#include "contraction.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

static const char CallMark[] = "polytile-call", ReturnMark[] = "polytile-return";

// Instructions of a body that is inlined, and of all bodies in one function.
static constexpr unsigned MaxBody = 300, MaxBodies = 1500;

// Control does not come back from here.
static bool isTrap(const BasicBlock &B) { return isa<UnreachableInst>(B.getTerminator()); }

// Operations that a nest can hold, and memory for one iteration of it; in blocks that end the program, anything.
static bool isPlain(const BasicBlock &B) {
  return none_of(B, [&](const Instruction &I) {
    if (isAllocation(I))
      return false;
    if (isa<AllocaInst>(I) || I.isEHPad() || isa<InvokeInst>(I) || isa<CallBrInst>(I))
      return true;
    return !isTrap(B) && !isa<ReturnInst>(I) && pt_effect(wrap(&I)) == PT_CUT;
  });
}

// Counts no further than it has to.
static bool isSmall(const Function &F) {
  unsigned Size = 0;
  for (const BasicBlock &B : F)
    for (auto I = B.begin(); I != B.end(); ++I)
      if (++Size > MaxBody)
        return false;
  return true;
}

bool isSmallBody(const Function &F) {
  if (F.isDeclaration() || F.isInterposable() || F.isVarArg() || F.hasPersonalityFn() || F.hasGC() || F.hasFnAttribute("polytile-done"))
    return false;
  for (Attribute::AttrKind Kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Naked, Attribute::ReturnsTwice, Attribute::NoDuplicate,
                                   Attribute::Convergent, Attribute::Cold, Attribute::PresplitCoroutine, Attribute::NoReturn, Attribute::StrictFP})
    if (F.hasFnAttribute(Kind))
      return false;
  for (const Argument &A : F.args())
    if (A.hasPassPointeeByValueCopyAttr() || A.hasSwiftErrorAttr() || A.hasInAllocaAttr() || A.hasPreallocatedAttr())
      return false;
  return isSmall(F) && all_of(F, isPlain) && isInlineViable(const_cast<Function &>(F)).isSuccess();
}

// Whether both are compiled for the same processor and compute with the same rules.
static bool areAlike(const Function &Caller, const Function &Callee) {
  for (StringRef Name : {"target-cpu", "target-features", "tune-cpu", "denormal-fp-math", "denormal-fp-math-f32", "strictfp", "no-builtins",
                         "null-pointer-is-valid", "use-soft-float"})
    if (Caller.getFnAttribute(Name) != Callee.getFnAttribute(Name))
      return false;
  return !Caller.hasFnAttribute(Attribute::StrictFP) && AttributeFuncs::areInlineCompatible(Caller, Callee);
}

bool isInlinable(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Callee->isIntrinsic() || isa<CallBrInst>(Call) || Call->hasOperandBundles() || Call->isMustTailCall() || Call->isNoInline() ||
      Call->isConvergent() || Call->getFunctionType() != Callee->getFunctionType() || Call->getCallingConv() != Callee->getCallingConv())
    return false;
  for (unsigned A = 0; A < Call->arg_size(); ++A)
    if (Call->isByValArgument(A) || Call->isPassPointeeByValueArgument(A))
      return false;
  return Callee != I.getFunction() && areAlike(*I.getFunction(), *Callee) && isSmallBody(*Callee);
}

// Whether calls are all that keeps a loop from being in a nest.
static bool isFreeButForCalls(const Loop &L) {
  return none_of(L.blocks(), [](const BasicBlock *B) {
    return any_of(*B, [](const Instruction &I) { return pt_effect(wrap(&I)) == PT_CUT && !isInlinable(I) && !isAllocation(I); });
  });
}

static void mark(Instruction &I, StringRef Kind, unsigned Number) {
  LLVMContext &Context = I.getContext();
  auto *Constant = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Number));
  I.setMetadata(Kind, MDNode::get(Context, {Constant}));
}

static bool isMarked(const Instruction &I, StringRef Kind, unsigned Number) {
  const MDNode *Node = I.getMetadata(Kind);
  return Node && mdconst::extract<ConstantInt>(Node->getOperand(0))->getZExtValue() == Number;
}

// The call, of nothing: no list of uses shall know it.
static CallInst *keep(CallBase &Call) {
  SmallVector<Value *, 8> Nothing;
  for (Value *A : Call.args())
    Nothing.push_back(PoisonValue::get(A->getType()));
  auto *Kept = CallInst::Create(Call.getFunctionType(), PoisonValue::get(Call.getCalledOperand()->getType()), Nothing);
  Kept->setCallingConv(Call.getCallingConv());
  Kept->setAttributes(Call.getAttributes());
  Kept->copyMetadata(Call);
  if (auto *Plain = dyn_cast<CallInst>(&Call))
    Kept->setTailCallKind(Plain->getTailCallKind());
  return Kept;
}

// Puts a call between two marked branches.
static void fence(CallBase &Call, unsigned Number) {
  BasicBlock *Before = Call.getParent();
  BasicBlock *In = SplitBlock(Before, Call.getIterator());
  mark(*Before->getTerminator(), CallMark, Number);
  BasicBlock *End;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Next = Invoke->getNormalDest();
    End = BasicBlock::Create(Call.getContext(), "", Call.getFunction(), Next);
    BranchInst::Create(Next, End);
    Invoke->setNormalDest(End);
    Next->replacePhiUsesWith(In, End);
  } else {
    SplitBlock(In, std::next(Call.getIterator()));
    End = In;
  }
  mark(*End->getTerminator(), ReturnMark, Number);
}

// Sums of a body are foreseen as those of the function that it comes from. The linker may take another compilation of an inline function.
static void foreseeAs(PtModule &Module, CallBase &Call, function_ref<void()> Inline) {
  Function &Callee = *Call.getCalledFunction();
  for (Instruction &I : instructions(Callee))
    if (auto Known = foreseen(Module, I); Known && (Callee.isDefinitionExact() || isSumOfNoProduct(Module, I)))
      sayForeseen(I, *Known);
  Inline();
  unsayForeseen(Callee);
}

static BasicBlock *markedBlock(Function &F, StringRef Kind, unsigned Number) {
  BasicBlock *Found = nullptr;
  for (BasicBlock &B : F)
    if (isMarked(*B.getTerminator(), Kind, Number)) {
      if (Found)
        return nullptr;
      Found = &B;
    }
  return Found;
}

// The blocks between the marks of a call. Unwinding leaves them.
static SetVector<BasicBlock *> place(BasicBlock *Before, BasicBlock *End) {
  SetVector<BasicBlock *> Blocks;
  Blocks.insert(Before->getTerminator()->getSuccessor(0));
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Blocks[I] != End && !Next->isLandingPad())
        Blocks.insert(Next);
  return Blocks;
}

// What aliasing says of one call is not said of all iterations around it.
static void dropScopes(Function &F, unsigned Number) {
  BasicBlock *Before = markedBlock(F, CallMark, Number), *End = markedBlock(F, ReturnMark, Number);
  for (BasicBlock *B : place(Before, End))
    for (Instruction &I : make_early_inc_range(*B)) {
      if (isa<NoAliasScopeDeclInst>(I)) {
        I.eraseFromParent();
        continue;
      }
      I.setMetadata(LLVMContext::MD_noalias, nullptr);
      I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    }
}

// The stores to a variable that nothing else writes; none if somebody keeps its address.
static SmallVector<StoreInst *, 4> stores(AllocaInst &Variable) {
  SmallVector<StoreInst *, 4> Found;
  for (Use &U : Variable.uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<LoadInst>(I) || I->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(I))
      continue;
    auto *Call = dyn_cast<CallBase>(I);
    if (Call && Call->isArgOperand(&U) && Call->onlyReadsMemory(Call->getArgOperandNo(&U)) && Call->doesNotCapture(Call->getArgOperandNo(&U)))
      continue;
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple() || Store->getPointerOperand() != &Variable || Store->getValueOperand() == &Variable)
      return {};
    Found.push_back(Store);
  }
  return Found;
}

// The store that a load of a variable finds; nullptr if that is not known.
static StoreInst *foundBy(LoadInst &Load, const DominatorTree &Dominators) {
  auto *Variable = dyn_cast<AllocaInst>(Load.getPointerOperand());
  if (!Variable || !Load.isSimple())
    return nullptr;
  auto All = stores(*Variable);
  StoreInst *Last = nullptr;
  for (StoreInst *Store : All)
    if (Dominators.dominates(Store, &Load) && (!Last || Dominators.dominates(Last, Store)))
      Last = Store;
  if (!Last || Last->getValueOperand()->getType() != Load.getType())
    return nullptr;
  // What may run between both.
  SmallPtrSet<const BasicBlock *, 16> Between;
  SmallVector<const BasicBlock *, 16> Open = {Load.getParent()};
  while (!Open.empty()) {
    const BasicBlock *B = Open.pop_back_val();
    if (B != Last->getParent())
      for (const BasicBlock *Before : predecessors(B))
        if (Between.insert(Before).second)
          Open.push_back(Before);
  }
  auto IsBetween = [&](const StoreInst *Other) {
    const BasicBlock *B = Other->getParent();
    if (B == Last->getParent())
      return Last->comesBefore(Other) && (B != Load.getParent() || Other->comesBefore(&Load));
    return Between.contains(B) || (B == Load.getParent() && Other->comesBefore(&Load));
  };
  return none_of(All, IsBetween) ? Last : nullptr;
}

// What a caller hands over by reference is known where it is loaded again: closures take the caller's variables so, and Fortran all arguments.
static void forwardStores(Function &F, ArrayRef<LoadInst *> Loads) {
  DominatorTree Dominators(F);
  for (LoadInst *Load : Loads)
    if (StoreInst *Store = foundBy(*Load, Dominators)) {
      Load->replaceAllUsesWith(Store->getValueOperand());
      Load->eraseFromParent();
    }
}

static void forwardInto(Function &F, unsigned Calls) {
  SmallVector<LoadInst *, 16> Loads;
  for (unsigned Number = 0; Number < Calls; ++Number)
    for (BasicBlock *B : place(markedBlock(F, CallMark, Number), markedBlock(F, ReturnMark, Number)))
      for (Instruction &I : *B)
        if (auto *Load = dyn_cast<LoadInst>(&I))
          Loads.push_back(Load);
  forwardStores(F, Loads);
}

void pt_inline_calls(PtModule *Module, LLVMValueRef Copy) {
  Function &F = *function(Copy);
  const LoopInfo &Loops = Module->functions.getResult<LoopAnalysis>(F);
  SmallVector<CallBase *, 8> Calls;
  unsigned Size = 0;
  for (BasicBlock &B : F) {
    const Loop *L = Loops.getLoopFor(&B);
    if (!L || none_of(B, [](const Instruction &I) { return isInlinable(I); }) || !isFreeButForCalls(*L))
      continue;
    for (Instruction &I : B) {
      if (!isInlinable(I) || pt_effect(wrap(&I)) != PT_CUT)
        continue;
      Size += cast<CallBase>(I).getCalledFunction()->getInstructionCount();
      if (Size > MaxBodies)
        break;
      Calls.push_back(cast<CallBase>(&I));
    }
  }
  if (Calls.empty())
    return;
  for (Instruction &I : instructions(F))
    if (auto Known = foreseen(*Module, I))
      sayForeseen(I, *Known);
  AttributeList Attributes = F.getAttributes();
  auto &Kept = Module->inlined[&F];
  for (CallBase *Call : Calls) {
    unsigned Number = Kept.size();
    PtInlined One{keep(*Call), Call->getCalledFunction(), {Call->arg_begin(), Call->arg_end()}, isa<InvokeInst>(Call)};
    Kept.push_back(std::move(One));
    fence(*Call, Number);
    foreseeAs(*Module, *Call, [&] {
      InlineFunctionInfo Info;
      [[maybe_unused]] bool Done = InlineFunction(*Call, Info).isSuccess();
      assert(Done && "viable");
    });
    dropScopes(F, Number);
  }
  F.setAttributes(Attributes);
  forwardInto(F, Calls.size());
  Module->functions.invalidate(F, PreservedAnalyses::none());
}

void pt_inlined(PtModule *Module, LLVMValueRef Copy, void *Data, void (*Visit)(void *, LLVMBasicBlockRef)) {
  Function &F = *function(Copy);
  auto At = Module->inlined.find(&F);
  for (unsigned Number = 0; At != Module->inlined.end() && Number < At->second.size(); ++Number) {
    BasicBlock *Before = markedBlock(F, CallMark, Number), *End = markedBlock(F, ReturnMark, Number);
    if (Before && End)
      for (BasicBlock *B : place(Before, End))
        Visit(Data, wrap(B));
  }
}

namespace {
// The place of a call, to be given back to it.
struct Place {
  BasicBlock *Before, *End, *Next;
  SetVector<BasicBlock *> Blocks;
  // Where unwinding goes from there.
  InvokeInst *Unwinding = nullptr;
  // What comes out.
  Value *Result = nullptr;
  // Uses behind the place, and what they use if it is not the result.
  SmallVector<std::pair<Use *, Value *>, 4> Uses;

  bool find(Function &F, unsigned Number);
  bool connect();
  void giveBack(const PtInlined &Was);
};
} // namespace

bool Place::find(Function &F, unsigned Number) {
  Before = markedBlock(F, CallMark, Number);
  End = markedBlock(F, ReturnMark, Number);
  if (!Before || !End)
    return false;
  Blocks = place(Before, End);
  Next = End->getTerminator()->getSuccessor(0);
  auto IsOwn = [&](const BasicBlock *P) { return Blocks.contains(P) || (P == Before); };
  return Blocks.contains(End) && !Blocks.contains(Next) && all_of(Blocks, [&](BasicBlock *B) { return all_of(predecessors(B), IsOwn); });
}

// A value behind PHIs that merge nothing.
static Value *source(Value *V) {
  while (auto *Phi = dyn_cast<PHINode>(V)) {
    if (Phi->getNumIncomingValues() != 1)
      break;
    V = Phi->getIncomingValue(0);
  }
  return V;
}

// Finds what goes out; false if it is more than a call yields.
bool Place::connect() {
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      if (auto *Invoke = dyn_cast<InvokeInst>(&I))
        Unwinding = Invoke;
      for (Use &U : I.uses()) {
        auto *User = cast<Instruction>(U.getUser());
        if (Blocks.contains(User->getParent()))
          continue;
        Value *From = source(&I);
        auto *Made = dyn_cast<Instruction>(From);
        bool IsOwn = Made && Blocks.contains(Made->getParent());
        if (IsOwn && (User->getParent()->isLandingPad() || (Result && Result != From)))
          return false;
        if (IsOwn)
          Result = From;
        // What is merged for unwinding goes with the blocks.
        if (!User->getParent()->isLandingPad())
          Uses.push_back({&U, IsOwn ? nullptr : From});
      }
    }
  return true;
}

void Place::giveBack(const PtInlined &Was) {
  SmallVector<Value *, 8> Arguments(Was.arguments.begin(), Was.arguments.end());
  Instruction *Jump = Before->getTerminator();
  auto *Call = cast<CallInst>(Was.call->clone());
  Call->insertBefore(Jump->getIterator());
  Call->setCalledFunction(Was.callee);
  for (auto [I, A] : enumerate(Arguments))
    Call->setArgOperand(I, A);
  CallBase *Made = Call;
  if (Was.unwinds) {
    auto *Invoke = InvokeInst::Create(Was.callee, Next, Unwinding->getUnwindDest(), Arguments, "", Jump->getIterator());
    Invoke->setCallingConv(Call->getCallingConv());
    Invoke->setAttributes(Call->getAttributes());
    Invoke->copyMetadata(*Call);
    for (PHINode &Phi : Unwinding->getUnwindDest()->phis())
      Phi.addIncoming(source(Phi.getIncomingValueForBlock(Unwinding->getParent())), Before);
    Call->eraseFromParent();
    Jump->eraseFromParent();
    Made = Invoke;
  } else {
    Jump->setMetadata(CallMark, nullptr);
    Jump->setSuccessor(0, Next);
  }
  Next->replacePhiUsesWith(End, Before);
  for (auto [U, Other] : Uses)
    U->set(Other ? Other : Made);
  DeleteDeadBlocks(Blocks.getArrayRef());
}

bool pt_show_calls(PtModule *Module, LLVMValueRef Copy) {
  Function &F = *function(Copy);
  auto At = Module->inlined.find(&F);
  if (At == Module->inlined.end())
    return true;
  for (unsigned Number = 0; Number < At->second.size(); ++Number) {
    const PtInlined &Was = At->second[Number];
    Place P;
    bool Whole = all_of(Was.arguments, [](const WeakTrackingVH &A) { return A; });
    if (!Whole || !P.find(F, Number) || !P.connect() || (Was.unwinds && !P.Unwinding))
      return false;
    P.giveBack(Was);
  }
  return At->second.empty() || !verifyFunction(F);
}

void forgetInlined(PtModule &Module, const Function &F) {
  auto At = Module.inlined.find(&F);
  if (At == Module.inlined.end())
    return;
  for (PtInlined &One : At->second)
    One.call->deleteValue();
  Module.inlined.erase(At);
}
