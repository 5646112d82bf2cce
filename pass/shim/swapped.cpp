// Loops whose iterations exchange pointers, as steps of time do with two grids or three:
//
//   for t < T: { sweep(a, b); swap(a, b) }        becomes        for t < T / 2: { sweep(a, b); sweep(b, a) }        if T odd: sweep(a, b)
//
// No pointer changes in the loop then, and the dependences between the sweeps are those of two arrays. A number that is now one and now the other
// of two, as the place of the current grid among two, stands still as well:
//
//   for t < T: { sweep(u[c], u[1 - c]); c = 1 - c }
//
// So does the remainder of a counter by two or three that chooses among pointers, which is such a number among as many ones:
//
//   for t < T: { sweep(t % 2 ? b : a, t % 2 ? a : b) }
//
// Loops around one sweep or two only: what several sweeps of a step take up from the caches they have from each other, and in one loop alone there
// is nothing that another order could gain.
#include "swapped.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "shim.h"

using namespace llvm;
using namespace llvm::PatternMatch;

// What iterations are left over runs in a loop with this mark.
static constexpr char Left[] = "polytile.left-over";
// More instructions are not copied.
static constexpr size_t MaxSize = 250;
// Innermost loops of a step.
static constexpr ptrdiff_t MaxSweeps = 2;
// Pointers, or numbers, that are exchanged in a circle: two grids, or those of now, before and next.
static constexpr unsigned MaxCircle = 3;

// Steps from the remainder of a counter to a pointer that it chooses, at most.
static constexpr unsigned MaxSteps = 6;

// The remainder of a counter, and the numbers that it is in turns.
struct Remainder {
  Instruction *Of;
  SmallVector<unsigned, MaxCircle> Turns;
};

// Whether a pointer is loaded from an address.
static bool leadsToPointer(const Instruction &Address) {
  return any_of(Address.users(), [](const User *U) {
    auto *By = cast<Instruction>(U);
    return isa<GetElementPtrInst>(By) ? leadsToPointer(*By) : isa<LoadInst>(By) && By->getType()->isPointerTy();
  });
}

// Whether a number chooses among pointers, those of a table among them. In other subscripts it stays what it is: the colour of a point, or a
// plane of an array.
static bool choosesPointers(const Instruction &I, unsigned Steps = MaxSteps) {
  return Steps && any_of(I.users(), [&](const User *U) {
    auto *By = cast<Instruction>(U);
    if (isa<GetElementPtrInst>(By))
      return leadsToPointer(*By);
    if (isa<SelectInst>(By) && By->getType()->isPointerTy())
      return true;
    bool Number = isa<CastInst, ICmpInst, SelectInst, BinaryOperator>(By) && By->getType()->isIntegerTy();
    return Number && choosesPointers(*By, Steps - 1);
  });
}

// The counter and the number by which an operation divides to take the remainder.
static std::pair<Value *, unsigned> division(Instruction &I, ScalarEvolution &Evolutions) {
  Value *X;
  const APInt *By;
  if (match(&I, m_And(m_Value(X), m_One())) || (match(&I, m_Trunc(m_Value(X))) && I.getType()->isIntegerTy(1)))
    return {X, 2};
  bool Signed = match(&I, m_SRem(m_Value(X), m_APInt(By)));
  if ((Signed || match(&I, m_URem(m_Value(X), m_APInt(By)))) && By->ugt(1) && By->ule(MaxCircle))
    if (!Signed || Evolutions.isKnownNonNegative(Evolutions.getSCEV(X)))
      return {X, By->getZExtValue()};
  return {nullptr, 0};
}

// What an operation is in turns, if it is the remainder of a counter of a loop, and says which of some pointers are taken.
static std::optional<Remainder> remainder(Instruction &I, const Loop &L, ScalarEvolution &Evolutions) {
  auto [Of, By] = division(I, Evolutions);
  auto *Counter = Of && Evolutions.isSCEVable(Of->getType()) ? dyn_cast<SCEVAddRecExpr>(Evolutions.getSCEV(Of)) : nullptr;
  if (!Counter || Counter->getLoop() != &L || !Counter->isAffine() || !choosesPointers(I))
    return {};
  auto *Start = dyn_cast<SCEVConstant>(Counter->getStart()), *Step = dyn_cast<SCEVConstant>(Counter->getStepRecurrence(Evolutions));
  // What goes round keeps its lowest bit.
  if (!Start || !Step || (By > 2 && !Counter->hasNoUnsignedWrap()))
    return {};
  unsigned First = Start->getAPInt().urem(By), On = Step->getAPInt().urem(By);
  if (!On)
    return {};
  Remainder Found{&I, {}};
  for (unsigned Turn = 0; Turn < By; ++Turn)
    Found.Turns.push_back((First + Turn * On) % By);
  return Found;
}

// All of those of a loop, but for what loops inside compute for themselves.
static SmallVector<Remainder> remainders(const Loop &L, ScalarEvolution &Evolutions) {
  SmallVector<Remainder> Found;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto R = remainder(I, L, Evolutions))
        Found.push_back(std::move(*R));
  return Found;
}

// Has PHIs hand on in a circle what a remainder is in turns.
static void passRound(const Remainder &R, const Loop &L, ScalarEvolution &Evolutions) {
  SmallVector<PHINode *, MaxCircle> Circle;
  for (unsigned Turn : R.Turns) {
    auto *Phi = PHINode::Create(R.Of->getType(), 2, "turn", L.getHeader()->begin());
    Phi->addIncoming(ConstantInt::get(R.Of->getType(), Turn), L.getLoopPreheader());
    Circle.push_back(Phi);
  }
  for (unsigned I = 0; I < Circle.size(); ++I)
    Circle[I]->addIncoming(Circle[(I + 1) % Circle.size()], L.getLoopLatch());
  Evolutions.forgetValue(R.Of);
  R.Of->replaceAllUsesWith(Circle.front());
  R.Of->eraseFromParent();
}

// Whether a PHI takes one of two numbers in turns.
static bool alternates(PHINode &Phi, const BasicBlock *Latch) {
  Value *Next = Phi.getIncomingValueForBlock(Latch);
  return Phi.getType()->isIntegerTy() &&
         (match(Next, m_Sub(m_ConstantInt(), m_Specific(&Phi))) || match(Next, m_Xor(m_Specific(&Phi), m_ConstantInt())));
}

// After how many iterations a PHI is what it was, taken up by other PHIs of the loop in between; 0 if that is not so.
static unsigned circle(PHINode &Phi, const Loop &L) {
  const PHINode *At = &Phi;
  for (unsigned Length = 1; Length <= MaxCircle; ++Length) {
    At = dyn_cast<PHINode>(At->getIncomingValueForBlock(L.getLoopLatch()));
    if (!At || At->getParent() != L.getHeader())
      return 0;
    if (At == &Phi)
      return Length;
  }
  return 0;
}

// The iterations after which all that a loop exchanges is in place again; 1 where it exchanges nothing.
static unsigned period(const Loop &L, ArrayRef<Remainder> Remainders) {
  SmallVector<unsigned> All;
  for (PHINode &Phi : L.getHeader()->phis())
    All.push_back(alternates(Phi, L.getLoopLatch()) ? 2 : std::max(circle(Phi, L), 1u));
  for (const Remainder &R : Remainders)
    All.push_back(R.Turns.size());
  erase(All, 1);
  return All.empty() || !all_equal(All) ? 1 : All.front();
}

// Whether a loop has few loops inside, all of them counted, and nothing else but operations.
static bool fits(const Loop &L, ScalarEvolution &Evolutions) {
  if (L.isInnermost() || !L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch() || !L.isSafeToClone())
    return false;
  size_t Size = 0;
  for (const BasicBlock *B : L.blocks()) {
    Size += B->size();
    if (any_of(*B, [](const Instruction &I) { return pt_effect(wrap(&I)) == PT_CUT; }))
      return false;
  }
  auto Counted = [&](const Loop *Inner) { return Evolutions.hasLoopInvariantBackedgeTakenCount(Inner); };
  auto Inside = L.getLoopsInPreorder();
  bool Few = Size <= MaxSize && count_if(Inside, [](const Loop *Inner) { return Inner->isInnermost(); }) <= MaxSweeps;
  return Few && all_of(Inside, Counted);
}

// PHIs of what stands still now, in the loop and behind it, and what is known of that.
static void settle(Function &F, const DominatorTree &Dominators) {
  const SimplifyQuery Query(F.getDataLayout(), &Dominators);
  SmallSetVector<Instruction *, 16> Pending;
  for (BasicBlock &B : F)
    for (PHINode &Phi : B.phis())
      Pending.insert(&Phi);
  while (!Pending.empty()) {
    Instruction *I = Pending.pop_back_val();
    Value *Same = simplifyInstruction(I, Query.getWithInstruction(I));
    if (!Same || Same == I)
      continue;
    for (User *U : I->users())
      Pending.insert(cast<Instruction>(U));
    Pending.remove(I);
    I->replaceAllUsesWith(Same);
    if (isInstructionTriviallyDead(I))
      I->eraseFromParent();
  }
}

// A counter of a loop, and what it is behind as many iterations as are not left over, in front of the loop.
struct Counter {
  WeakVH Phi, Behind;
};

static SmallVector<Counter> counters(Loop &L, unsigned Period, ScalarEvolution &Evolutions) {
  SmallVector<Counter> Found;
  BasicBlock *Before = L.getLoopPreheader();
  SCEVExpander Expander(Evolutions, "behind");
  const SCEV *Taken = Evolutions.getBackedgeTakenCount(&L);
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Counted = Evolutions.isSCEVable(Phi.getType()) ? dyn_cast<SCEVAddRecExpr>(Evolutions.getSCEV(&Phi)) : nullptr;
    if (isa<SCEVCouldNotCompute>(Taken) || !Counted || !Counted->isAffine() || Counted->getLoop() != &L)
      continue;
    Type *Own = Evolutions.getEffectiveSCEVType(Phi.getType());
    // Wide enough for the number of iterations.
    Type *Wide = Evolutions.getWiderType(Type::getInt64Ty(Phi.getContext()), Evolutions.getWiderType(Own, Taken->getType()));
    const SCEV *All = Evolutions.getAddExpr(Evolutions.getNoopOrZeroExtend(Taken, Wide), Evolutions.getOne(Wide));
    const SCEV *Whole = Evolutions.getMinusSCEV(All, Evolutions.getURemExpr(All, Evolutions.getConstant(Wide, Period)));
    const SCEV *Moved = Evolutions.getMulExpr(Counted->getStepRecurrence(Evolutions), Evolutions.getTruncateOrNoop(Whole, Own));
    const SCEV *Behind = Evolutions.getAddExpr(Counted->getStart(), Moved);
    if (Expander.isSafeToExpandAt(Behind, Before->getTerminator()))
      Found.push_back({WeakVH(&Phi), WeakVH(Expander.expandCodeFor(Behind, Phi.getType(), Before->getTerminator()))});
  }
  return Found;
}

// What a value was before it left loops.
static Value *inside(Value *V) {
  for (auto *Phi = dyn_cast<PHINode>(V); Phi && Phi->getNumIncomingValues() == 1; Phi = dyn_cast<PHINode>(V))
    V = Phi->getIncomingValue(0);
  return V;
}

// The counters of the iterations that are left over, which are fewer than the period: those begin where the ones of the loop have ended, if it has
// run, and are a sum of what is known in front.
static void countOn(ArrayRef<Counter> Counters, const Loop &L, const BasicBlock *Before, Function &F) {
  SmallDenseMap<std::pair<Value *, Value *>, Value *> Behind;
  // Unrolling has left some out.
  for (const Counter &C : Counters)
    if (auto *Phi = dyn_cast_or_null<PHINode>(C.Phi); Phi && C.Behind)
      Behind[{Phi->getIncomingValueForBlock(L.getLoopPreheader()), Phi->getIncomingValueForBlock(L.getLoopLatch())}] = C.Behind;
  for (BasicBlock &B : F)
    for (PHINode &Phi : make_early_inc_range(B.phis())) {
      int At = L.contains(&B) || Phi.getNumIncomingValues() != 2 ? -1 : Phi.getBasicBlockIndex(Before);
      auto Known = At < 0 ? Behind.end() : Behind.find({Phi.getIncomingValue(At), inside(Phi.getIncomingValue(1 - At))});
      if (Known == Behind.end())
        continue;
      Phi.replaceAllUsesWith(Known->second);
      Phi.eraseFromParent();
    }
}

// Moves addresses that are the same in all iterations in front of a loop, as that of one of two pointers that lie in memory.
static void hoistPlaces(Loop &L) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : make_early_inc_range(*B))
      if (bool Changed = false; isa<GetElementPtrInst>(I))
        L.makeLoopInvariant(&I, Changed);
}

bool unrollSwapped(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &Evolutions = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &Dominators = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (getBooleanLoopAttribute(L, Left) || !L->getLoopLatch() || !L->getLoopPreheader())
      continue;
    auto Remainders = remainders(*L, Evolutions);
    unsigned Period = period(*L, Remainders);
    if (Period == 1 || !fits(*L, Evolutions))
      continue;
    for (const Remainder &R : Remainders)
      passRound(R, *L, Evolutions);
    BasicBlock *Before = L->getLoopPreheader();
    auto Counters = counters(*L, Period, Evolutions);
    UnrollLoopOptions Options = {};
    Options.Count = Period;
    Options.Force = true;
    Options.Runtime = true;
    Options.AllowExpensiveTripCount = true;
    Options.ForgetAllSCEV = true;
    Options.SCEVExpansionBudget = 8;
    MDNode *Said = L->getLoopID();
    Loop *Rest = nullptr;
    auto Result = UnrollLoop(L, Options, &Loops, &Evolutions, &Dominators, &FAM.getResult<AssumptionAnalysis>(F),
                             &FAM.getResult<TargetIRAnalysis>(F), nullptr, /*PreserveLCSSA=*/true, &Rest);
    if (Result == LoopUnrollResult::Unmodified)
      continue;
    // One of two iterations passes three pointers round as before. That it is not unrolled is no directive of the program's.
    if (Rest) {
      Rest->setLoopID(Said);
      addStringMetadataToLoop(Rest, Left, 1);
    }
    if (Result == LoopUnrollResult::PartiallyUnrolled)
      countOn(Counters, *L, Before, F);
    settle(F, Dominators);
    if (Result == LoopUnrollResult::PartiallyUnrolled)
      hoistPlaces(*L);
    return true;
  }
  return false;
}
