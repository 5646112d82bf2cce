// Versions of loops for arrays without gaps, which the compiler has left inside of the loops around them:
//
//   for (k ..) if (s == 8) for (j ..) for (i ..) a[i + (j*sj + k*sk)/8] = ..        if (s == 8) for (k ..) for (j ..) for (i ..) ..
//              else        for (j ..) for (i ..) *(a + i*s + j*sj + k*sk) = ..  ->  else        for (k ..) ..
//
// Compilers for Fortran ask for the strides of arrays of assumed shape where loops begin that move by them, and LLVM takes out of the loops around
// them what is not too large for that. One nest with both ways in it moves by no one stride. The other way stays as it is.
#include "unswitched.h"
#include "beside.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// What one loop may have for a copy of it, in instructions.
static constexpr size_t MaxSize = 2000;

// Conditions of so many arrays are looked at.
static constexpr unsigned MaxArrays = 16;

// Whether a condition says of words from memory what number each of them is, as strides of one element are.
static bool asksForNumbers(Value *V, unsigned &Left) {
  if (Left-- == 0)
    return false;
  if (Value *A, *B; match(V, m_And(m_Value(A), m_Value(B))) || match(V, m_LogicalAnd(m_Value(A), m_Value(B))))
    return asksForNumbers(A, Left) && asksForNumbers(B, Left);
  auto *Is = dyn_cast<ICmpInst>(V);
  auto *Number = Is ? dyn_cast<ConstantInt>(Is->getOperand(1)) : nullptr;
  return Number && Is->getPredicate() == ICmpInst::ICMP_EQ && isa<LoadInst>(Is->getOperand(0)) && Number->getValue().sgt(0);
}

static bool asksForStrides(Value *V) {
  unsigned Left = MaxArrays;
  return asksForNumbers(V, Left);
}

static size_t sizeOf(const Loop &L) {
  size_t Size = 0;
  for (const BasicBlock *B : L.blocks())
    Size += B->size();
  return Size;
}

// The outermost loop around a branch in which its condition stays the same.
static Loop *outermost(Loop *L, const Value *Condition) {
  while (Loop *Around = L->getParentLoop()) {
    if (!Around->isLoopInvariant(Condition))
      break;
    L = Around;
  }
  return L;
}

// Whether there are loops behind each way of a branch.
static bool dividesLoops(const BranchInst &Branch, const Loop &L, const DominatorTree &Dominators) {
  return all_of(Branch.successors(), [&](const BasicBlock *To) {
    BasicBlockEdge Way(Branch.getParent(), To);
    return any_of(L.getSubLoops(), [&](const Loop *Inner) { return Dominators.dominates(Way, Inner->getHeader()); });
  });
}

// The branch to loops on either side by which a loop is taken apart.
static BranchInst *dividing(const LoopInfo &Loops, const DominatorTree &Dominators, BasicBlock &B) {
  auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
  Loop *L = Loops.getLoopFor(&B);
  if (!L || L->isInnermost() || !Branch || !Branch->isConditional() || !L->isLoopInvariant(Branch->getCondition()) ||
      !asksForStrides(Branch->getCondition()) || !dividesLoops(*Branch, *L, Dominators))
    return nullptr;
  Loop *All = outermost(L, Branch->getCondition());
  return All->isLoopSimplifyForm() && All->getLoopPreheader() && sizeOf(*All) <= MaxSize ? Branch : nullptr;
}

// From now on a branch goes one way.
static void settle(BranchInst &Branch, bool Way) {
  BasicBlock *Gone = Branch.getSuccessor(Way ? 1 : 0);
  Branch.setCondition(ConstantInt::getBool(Branch.getContext(), Way));
  if (Gone != Branch.getSuccessor(Way ? 0 : 1))
    ConstantFoldTerminator(Branch.getParent());
}

bool unswitchGaps(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  for (BasicBlock &B : F) {
    BranchInst *Branch = dividing(Loops, Dominators, B);
    if (!Branch)
      continue;
    Value *Condition = Branch->getCondition();
    Loop &All = *outermost(Loops.getLoopFor(&B), Condition);
    Instruction *Before = All.getLoopPreheader()->getTerminator();
    Value *Asked = isGuaranteedNotToBeUndefOrPoison(Condition) ? Condition : IRBuilder<>(Before).CreateFreeze(Condition);
    SmallVector<BranchInst *, 4> Same;
    for (BasicBlock *Own : All.blocks())
      if (auto *Other = dyn_cast<BranchInst>(Own->getTerminator()); Other && Other->isConditional() && Other->getCondition() == Condition)
        Same.push_back(Other);
    ValueToValueMapTy Map;
    keepBeside(All, Asked, ".gaps", Loops, Dominators, Map);
    for (BranchInst *Other : Same) {
      settle(*cast<BranchInst>(&*Map[Other]), false);
      settle(*Other, true);
    }
    removeUnreachableBlocks(F);
    return true;
  }
  return false;
}
