// A working copy of a function, and how it takes the original's place.
#include "abreast.h"
#include "analyses.h"
#include "blocks.h"
#include "chosen.h"
#include "closed.h"
#include "collapsed.h"
#include "contraction.h"
#include "counter.h"
#include "described.h"
#include "inclusive.h"
#include "inlined.h"
#include "landings.h"
#include "left.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "locals.h"
#include "looked_up.h"
#include "mirrored.h"
#include "parted.h"
#include "ragged.h"
#include "reloaded.h"
#include "rotated.h"
#include "rows.h"
#include "running.h"
#include "sections.h"
#include "subscripts.h"
#include "sunk.h"
#include "swapped.h"
#include "switch.h"
#include "united.h"

using namespace llvm;

bool pt_has_loops(PtModule *Module, LLVMValueRef F) {
  return !Module->functions.getResult<LoopAnalysis>(*function(F)).empty();
}

static bool isClean(const BasicBlock *B, const LoopInfo &Loops) {
  return none_of(*B, [&](const Instruction &I) {
    auto *S = dyn_cast<SwitchInst>(&I);
    return pt_effect(wrap(&I)) == PT_CUT && !(S && isLowerable(*S, Loops)) && !isInlinable(I);
  });
}

// Blocks behind an exit among which it is seen that nothing but traps follows.
static constexpr unsigned MaxBehind = 16;

// Whether control returns from an exit of a loop, as far as is easily seen: what checks fail one after the other is behind it, too.
static bool returns(const BasicBlock *Exit) {
  SmallPtrSet<const BasicBlock *, MaxBehind> Seen;
  SmallVector<const BasicBlock *, MaxBehind> Left = {Exit};
  while (!Left.empty()) {
    const BasicBlock *B = Left.pop_back_val();
    if (B->isLandingPad() || !Seen.insert(B).second)
      continue;
    const Instruction *End = B->getTerminator();
    auto *Invoke = dyn_cast<InvokeInst>(End);
    if (isa<UnreachableInst, ResumeInst>(Invoke ? Invoke->getNormalDest()->getTerminator() : End))
      continue;
    if (succ_empty(B) || Seen.size() == MaxBehind)
      return true;
    append_range(Left, successors(B));
  }
  return false;
}

// One look before the costs of a working copy: every region holds an innermost loop without cuts and with one exit, or one that becomes an operation
// of the loop around it.
bool pt_has_candidates(PtModule *Module, LLVMValueRef F) {
  auto Returns = [](const LoopBase<BasicBlock, Loop>::Edge &E) { return returns(E.second); };
  const LoopInfo &Loops = Module->functions.getResult<LoopAnalysis>(*function(F));
  auto Clean = [&](const BasicBlock *B) { return isClean(B, Loops); };
  auto Fits = [&](const Loop *L) {
    SmallVector<LoopBase<BasicBlock, Loop>::Edge, 4> Exits;
    L->getExitEdges(Exits);
    bool Ends = count_if(Exits, Returns) <= 1 || mayEndItself(*L);
    return L->isInnermost() && Ends && all_of(L->blocks(), Clean);
  };
  return any_of(Loops.getLoopsInPreorder(), Fits);
}

bool pt_has_address_taken_blocks(LLVMValueRef F) {
  return any_of(*function(F), [](const BasicBlock &B) { return B.hasAddressTaken(); });
}

bool pt_calls_twice(LLVMValueRef F) { return function(F)->callsFunctionThatReturnsTwice(); }

LLVMValueRef pt_clone(PtModule *Module, LLVMValueRef F, PtText Name) {
  Function &Old = *function(F);
  Function *New = Function::Create(Old.getFunctionType(), GlobalValue::InternalLinkage, Old.getAddressSpace(),
                                   text(Name), Old.getParent());
  New->copyAttributesFrom(&Old);
  New->setVisibility(GlobalValue::DefaultVisibility); // as local linkage demands
  New->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  // Positions in the copy are in it. Both functions have it until one of them is gone; nobody verifies the module until then.
  New->setSubprogram(Old.getSubprogram());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(Old.args(), New->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<ReturnInst *, 4> Returns;
  // Metadata is shared: only one of the two bodies survives. But an assignment's identity belongs to one function.
  CloneFunctionBodyInto(*New, Old, Map, RF_NoModuleLevelChanges, Returns);
  DenseMap<DIAssignID *, DIAssignID *> Assignments;
  for (Instruction &I : instructions(*New))
    at::remapAssignID(Assignments, I);
  for (Instruction &I : instructions(Old))
    if (auto Sum = Module->contractions.find(&I); Sum != Module->contractions.end())
      sayForeseen(*cast<Instruction>(Map[&I]), Sum->second);
  return wrap(New);
}

static void eraseBody(Function &F) {
  for (BasicBlock &B : F)
    B.dropAllReferences();
  while (!F.empty())
    F.front().eraseFromParent();
}

void pt_discard(PtModule *Module, LLVMValueRef Clone) {
  Function &F = *function(Clone);
  forgetInlined(*Module, F);
  Module->functions.clear(F, F.getName());
  F.eraseFromParent();
}

// Blocks that regions were cut at, also those that stay as they were, are parts of one again: the vectorizer sees no count behind a PHI that hands
// on a latch's comparison, so that it checked arrays in front of each inner loop instead of once.
static void joinBlocks(Function &F) {
  for (BasicBlock &B : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&B);
}

void pt_commit(PtModule *Module, LLVMValueRef F, LLVMValueRef Clone) {
  Function &Old = *function(F), &New = *function(Clone);
  forgetInlined(*Module, New);
  Module->functions.clear(New, New.getName());
  Module->functions.clear(Old, Old.getName());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip(New.args(), Old.args()))
    Map[&From] = &To;
  joinLoads(Module->parted);
  // Counters that the tries were told about.
  for (BasicBlock &B : New)
    DeleteDeadPHIs(&B);
  // Another sum may lie there later.
  for (Instruction &I : instructions(Old))
    Module->contractions.erase(&I);
  eraseBody(Old);
  Old.setAttributes(New.getAttributes()); // emission drops those that do not hold any more
  Old.splice(Old.begin(), &New);
  RemapFlags Flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (BasicBlock &B : Old)
    for (Instruction &I : B) {
      RemapInstruction(&I, Map, Flags);
      RemapDbgRecordRange(Old.getParent(), I.getDbgRecordRange(), Map, Flags);
    }
  New.eraseFromParent();
  settleForeseen(*Module, Old);
  joinBlocks(Old);
}

// Whether a loop of a function writes memory. Loops that do not only compare, in front of a new version.
static bool writesInLoops(const Function &F, const LoopInfo &Loops) {
  return any_of(F, [&](const BasicBlock &B) {
    return Loops.getLoopFor(&B) && any_of(B, [](const Instruction &I) { return I.mayWriteToMemory(); });
  });
}

// Whether a loop counts from one number to another.
static bool isFixed(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  auto *Branch = dyn_cast_or_null<BranchInst>(Latch ? Latch->getTerminator() : nullptr);
  auto *Test = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  return Test && isa<ConstantInt>(Test->getOperand(1)) && any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
           return any_of(Phi.incoming_values(), [](const Use &U) { return isa<ConstantInt>(U); });
         });
}

// Two iterations of a loop over loops, one behind the other, are as fast as one after the other. That the unroller does not make them in vain,
// nor adds up all instructions inside once for each loop around them.
static void keepNests(const LoopInfo &Loops) {
  for (Loop *L : Loops.getLoopsInPreorder())
    if (!L->isInnermost() && !isFixed(*L))
      L->setLoopAlreadyUnrolled();
}

void pt_tidy(PtModule *Module, LLVMValueRef F) {
  auto &FAM = Module->functions;
  Function &Made = *function(F);
  nameAbreast(Made);
  fuseSums(*Module, Made);
  if (hoistRows(Made, FAM.getResult<LoopAnalysis>(Made), FAM.getResult<DominatorTreeAnalysis>(Made)))
    FAM.invalidate(Made, PreservedAnalyses::none());
  if (hoistChoices(Made, FAM.getResult<LoopAnalysis>(Made)))
    FAM.invalidate(Made, PreservedAnalyses::none());
  FAM.invalidate(Made, EarlyCSEPass().run(Made, FAM));
  hoistLookups(Made, FAM);
  keepNests(FAM.getResult<LoopAnalysis>(Made));
  if (!writesInLoops(Made, FAM.getResult<LoopAnalysis>(Made)))
    Made.addFnAttr(PtStraight);
}

// Loops of one function that are closed: each one costs new analyses.
static constexpr unsigned MaxClosed = 64;

// Inner loops of one function whose bounds depend on data.
static constexpr unsigned MaxHidden = 16;

// Loops of one function that one of two tests ends.
static constexpr unsigned MaxUnited = 32;

// Loops of one function that are made of several ones.
static constexpr unsigned MaxCollapsed = 16;

// Sections that loops of one function hand on.
static constexpr unsigned MaxSections = 8;

// Loops of one function whose iterations exchange pointers.
static constexpr unsigned MaxSwapped = 8;

// Loops with preheaders and exits of their own, whose values go out through PHIs.
static void form(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  FAM.invalidate(F, LCSSAPass().run(F, FAM));
}

// The same after a change that no analysis was told of.
static void formAgain(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  form(F, FAM);
}

void pt_canonicalize(PtModule *Module, LLVMValueRef Clone, bool LiftsBlocks) {
  Function &F = *function(Clone);
  auto &FAM = Module->functions;
  if (settleLocals(F, FAM.getResult<LoopAnalysis>(F), pt_fuses_all(Module, Clone)))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (LiftsBlocks && liftBlocks(F, FAM.getResult<LoopAnalysis>(F), FAM.getResult<TargetLibraryAnalysis>(F), returns))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (sinkNumbers(F, FAM.getResult<LoopAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  Module->parted.clear();
  if (partLoads(F, FAM.getResult<LoopAnalysis>(F), Module->parted))
    FAM.invalidate(F, PreservedAnalyses::none());
  partSubscripts(F, FAM, Module->parted);
  if (lowerSwitches(F, FAM.getResult<LoopAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (restoreDifferences(FAM.getResult<LoopAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (restoreCounters(FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (settleInclusive(FAM.getResult<LoopAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  for (unsigned Closed = 0; Closed < MaxClosed; ++Closed) {
    if (!closeLoop(FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F)))
      break;
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  form(F, FAM);
  for (unsigned Sections = 0; Sections < MaxSections; ++Sections) {
    if (!settleSections(F, FAM))
      break;
    formAgain(F, FAM);
  }
  if (hoistDescriptions(F, FAM))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (loadAgain(F, FAM))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (rotateChecked(F, FAM, returns))
    formAgain(F, FAM);
  for (unsigned United = 0; United < MaxUnited; ++United) {
    if (!uniteTests(F, FAM, returns))
      break;
    formAgain(F, FAM);
  }
  for (unsigned Collapsed = 0; Collapsed < MaxCollapsed; ++Collapsed) {
    if (!expandCollapsed(F, FAM))
      break;
    formAgain(F, FAM);
  }
  if (settleLeft(FAM.getResult<LoopAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  if (hasRunning(FAM.getResult<LoopAnalysis>(F)) &&
      settleRunning(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  for (unsigned Swapped = 0; Swapped < MaxSwapped; ++Swapped) {
    if (!unrollSwapped(F, FAM))
      break;
    formAgain(F, FAM);
    if (loadAgain(F, FAM))
      formAgain(F, FAM);
  }
  for (unsigned Hidden = 0; Hidden < MaxHidden; ++Hidden) {
    if (!hideRagged(*Module, F, FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                    FAM.getResult<DominatorTreeAnalysis>(F)))
      break;
    formAgain(F, FAM);
  }
  if (splitLandings(FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
}

void pt_verify(LLVMValueRef F, void *Data, void (*Visit)(void *, PtText)) {
  std::string Problem;
  raw_string_ostream Out(Problem);
  if (verifyFunction(*function(F), &Out))
    Visit(Data, text(StringRef(Problem)));
}

void pt_invalidate(PtModule *Module, LLVMValueRef F) {
  Module->functions.invalidate(*function(F), PreservedAnalyses::none());
}

LLVMBasicBlockRef pt_split_before(PtAnalyses *An, LLVMValueRef I) {
  Instruction *At = instruction(I);
  return wrap(SplitBlock(At->getParent(), At->getIterator(), &An->Dominators, &An->Loops));
}

void pt_move_function(LLVMValueRef Moved, LLVMValueRef Before) {
  Function *F = function(Moved), *At = function(Before);
  F->removeFromParent();
  At->getParent()->getFunctionList().insert(At->getIterator(), F);
}

LLVMMetadataRef pt_distinct_node(LLVMContextRef Context) { return wrap(MDNode::getDistinct(*unwrap(Context), {})); }

LLVMMetadataRef pt_add_subprogram(LLVMValueRef Parent, LLVMValueRef Child, unsigned Line) {
  Function &To = *function(Child);
  DISubprogram *From = function(Parent)->getSubprogram();
  if (!From)
    return nullptr;
  DIBuilder Builder(*To.getParent(), /*AllowUnresolved=*/false, From->getUnit());
  auto *Type = Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  auto Flags = DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit | DISubprogram::SPFlagOptimized;
  // The source's name, and what the function is called behind that of the parent, which may be a working copy.
  StringRef Rest = To.getName();
  Rest.consume_front(function(Parent)->getName());
  std::string Name = (From->getName() + Rest).str();
  DISubprogram *Made = Builder.createFunction(From->getFile(), Name, /*LinkageName=*/"", From->getFile(), Line, Type, Line,
                                              DINode::FlagArtificial, Flags);
  To.setSubprogram(Made);
  Builder.finalizeSubprogram(Made);
  return wrap(static_cast<Metadata *>(Made));
}
