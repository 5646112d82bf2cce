// Loads whose subscripts a condition on data chooses, as upwind differences and limiters do:
//
//   d = c ? j - 1 : j;                                            if (c) { x0 = a[j - 1]; y0 = b[j - 1]; }
//   x = a[d];                                     becomes         else   { x1 = a[j];     y1 = b[j]; }
//   y = b[d];                                                     x = phi [x0, ..], [x1, ..];  y = phi [y0, ..], [y1, ..]
//
// One subscript that is not affine becomes two that are. As before, each load happens once. What leads from the choice to the address is computed
// again on both ways. The choice is a select or a condition as a number; numbers that come from the ways of branches are made selects first.
#include "subscripts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

// Each group in a function splits a block.
static constexpr unsigned MaxGroups = 64;

// Instructions from the choice to the address.
static constexpr unsigned MaxSteps = 24;

// Choices behind one another, as of three subscripts.
static constexpr unsigned MaxRounds = 3;

// Conditions that choose one subscript: all their combinations are looked at.
static constexpr unsigned MaxConditions = 4;

// What to ask of a function as it is.
struct Asked {
  const LoopInfo &Loops;
  const DominatorTree &Dominators;
  ScalarEvolution &Evolutions;
};

// What a choice gives on either way.
struct Choice {
  Value *Condition;
  Value *Values[2]; // where it holds, where not
};

// Steps to an address that can be computed anywhere, choices by one condition among them.
struct Steps {
  Value *Condition = nullptr;
  SmallVector<Instruction *, 8> InOrder; // operands first
  SmallPtrSet<Instruction *, 16> Seen;
  SmallVector<Instruction *, 8> Leaves;
};

// Loads of a block between which nothing is written.
using Group = SmallVector<std::pair<LoadInst *, Steps>, 4>;

// Whether a value may differ from one iteration to the next and is no function of the counters.
static bool isData(Value *V, const Loop &L, ScalarEvolution &Evolutions) {
  auto IsUnknown = [&](const SCEV *S) {
    auto *U = dyn_cast<SCEVUnknown>(S);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && L.contains(I);
  };
  return !Evolutions.isSCEVable(V->getType()) || SCEVExprContains(Evolutions.getSCEV(V), IsUnknown);
}

static bool isDataCondition(Value *C, const Loop &L, ScalarEvolution &Evolutions) {
  auto *I = dyn_cast<Instruction>(C);
  if (!I || !L.contains(I) || isa<LoadInst>(I))
    return false;
  auto *Compare = dyn_cast<ICmpInst>(I);
  return !Compare || any_of(Compare->operands(), [&](Value *V) { return isData(V, L, Evolutions); });
}

// A choice by what a condition is the contrary of.
static Choice plain(Choice C) {
  Value *Contrary = nullptr;
  while (match(C.Condition, m_Not(m_Value(Contrary))))
    C = {Contrary, {C.Values[1], C.Values[0]}};
  return C;
}

static std::optional<Choice> choiceOf(Instruction *V) {
  if (auto *S = dyn_cast<SelectInst>(V))
    return plain({S->getCondition(), {S->getTrueValue(), S->getFalseValue()}});
  if (isa<SExtInst, ZExtInst>(V) && V->getOperand(0)->getType()->isIntegerTy(1)) {
    Type *To = V->getType();
    Constant *Holds = isa<SExtInst>(V) ? Constant::getAllOnesValue(To) : ConstantInt::get(To, 1);
    return plain({V->getOperand(0), {Holds, Constant::getNullValue(To)}});
  }
  return std::nullopt;
}

// Whether an instruction gives the same wherever it stands and does nothing else.
static bool isStep(const Instruction &I) {
  if (isa<GetElementPtrInst, CastInst>(I))
    return true;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return isa<MinMaxIntrinsic>(Call) || Call->getIntrinsicID() == Intrinsic::abs;
  return isa<BinaryOperator>(I) && !I.isIntDivRem() && !I.getType()->isFPOrFPVectorTy();
}

// Edges into a block of PHIs, by number.
using Edges = SmallVector<unsigned, 4>;

// A branch behind which the ways part on which a PHI is reached.
struct Fork {
  BranchInst *Branch;
  Edges Ways[2]; // where its condition holds, where not
};

static std::optional<Fork> forkOf(const PHINode &P, const Edges &Of, const DominatorTree &Dominators) {
  BasicBlock *Above = P.getIncomingBlock(Of.front());
  for (unsigned In : Of)
    Above = Dominators.findNearestCommonDominator(Above, P.getIncomingBlock(In));
  auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return std::nullopt;
  Fork Found{Branch, {}};
  for (unsigned In : Of) {
    BasicBlock *From = P.getIncomingBlock(In);
    auto LeadsHere = [&](unsigned Way) {
      BasicBlock *To = Branch->getSuccessor(Way);
      return From == Above ? To == P.getParent() : Dominators.dominates(BasicBlockEdge(Above, To), From);
    };
    if (!LeadsHere(0) && !LeadsHere(1))
      return std::nullopt;
    Found.Ways[LeadsHere(0) ? 0 : 1].push_back(In);
  }
  return Found.Ways[0].empty() || Found.Ways[1].empty() ? std::nullopt : std::optional(Found);
}

static Edges edgesOf(const PHINode &P) {
  Edges All(P.getNumIncomingValues());
  std::iota(All.begin(), All.end(), 0);
  return All;
}

// A number that comes from the ways of branches, as selects where the ways meet.
class Settled {
  const Asked &Of;
  Instruction *At;
  unsigned Looked = 0;
  ValueToValueMapTy Known;

  bool isThere(Value *V) const { return !isa<Instruction>(V) || Of.Dominators.dominates(cast<Instruction>(V), At); }

  bool reaches(const PHINode &P, const Edges &In) {
    if (In.size() == 1)
      return reaches(P.getIncomingValue(In.front()));
    auto Found = Of.Loops.isLoopHeader(P.getParent()) ? std::nullopt : forkOf(P, In, Of.Dominators);
    return Found && reaches(Found->Branch->getCondition()) && reaches(P, Found->Ways[0]) && reaches(P, Found->Ways[1]);
  }

  bool reaches(Value *V) {
    if (isThere(V))
      return true;
    auto *I = cast<Instruction>(V);
    if (++Looked > MaxSteps)
      return false;
    if (auto *P = dyn_cast<PHINode>(I))
      return reaches(*P, edgesOf(*P));
    return (isStep(*I) || isa<CmpInst, SelectInst>(I)) && all_of(I->operands(), [&](Value *Operand) { return reaches(Operand); });
  }

  Value *made(const PHINode &P, const Edges &In) {
    if (In.size() == 1)
      return made(P.getIncomingValue(In.front()));
    Fork Found = *forkOf(P, In, Of.Dominators);
    Value *Then = made(P, Found.Ways[0]), *Else = made(P, Found.Ways[1]);
    return Then == Else ? Then : SelectInst::Create(made(Found.Branch->getCondition()), Then, Else, "", At->getIterator());
  }

  Value *made(Value *V) {
    if (isThere(V))
      return V;
    if (Value *Before = Known.lookup(V))
      return Before;
    if (auto *P = dyn_cast<PHINode>(V))
      return Known[V] = made(*P, edgesOf(*P));
    Instruction *Own = cast<Instruction>(V)->clone();
    for (Use &U : Own->operands())
      U.set(made(U.get()));
    Own->insertBefore(At->getIterator());
    return Known[V] = Own;
  }

public:
  explicit Settled(const Asked &Of, PHINode &P) : Of(Of), At(&*P.getParent()->getFirstInsertionPt()) {}

  bool settle(PHINode &P) {
    if (!reaches(P, edgesOf(P)))
      return false;
    P.replaceAllUsesWith(made(P, edgesOf(P)));
    P.eraseFromParent();
    return true;
  }
};

// The numbers from branches on data that lead to an address.
static void collectNumbers(Value *V, const Loop &L, const Asked &Of, SmallPtrSetImpl<Value *> &Seen, SmallSetVector<PHINode *, 8> &Found) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Seen.insert(I).second || Seen.size() > MaxSteps)
    return;
  auto *P = dyn_cast<PHINode>(I);
  if (P && P->getType()->isIntegerTy() && P->getNumIncomingValues() > 1 && !Of.Loops.isLoopHeader(P->getParent())) {
    auto Parts = forkOf(*P, edgesOf(*P), Of.Dominators);
    if (Parts && isDataCondition(Parts->Branch->getCondition(), L, Of.Evolutions))
      Found.insert(P);
  } else if (!P && (isStep(*I) || isa<SelectInst>(I))) {
    for (Value *Operand : I->operands())
      collectNumbers(Operand, L, Of, Seen, Found);
  }
}

// Makes them selects; whether there were any.
static bool settleNumbers(Function &F, const Asked &Of) {
  SmallSetVector<PHINode *, 8> Found;
  for (BasicBlock &B : F)
    if (const Loop *L = Of.Loops.getLoopFor(&B))
      for (Instruction &I : B)
        if (auto *Load = dyn_cast<LoadInst>(&I)) {
          SmallPtrSet<Value *, 16> Seen;
          collectNumbers(Load->getPointerOperand(), *L, Of, Seen, Found);
        }
  bool Any = false;
  for (PHINode *P : Found)
    Any |= Settled(Of, *P).settle(*P);
  return Any;
}

// Collects the steps to a value, and stops at choices by other conditions than the first one on data.
static bool collect(Value *V, const Loop &L, const Asked &Of, Steps &To) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !To.Seen.insert(I).second)
    return true;
  if (To.Seen.size() > MaxSteps)
    return false;
  auto All = [&](auto Values) { return all_of(Values, [&](Value *Operand) { return collect(Operand, L, Of, To); }); };
  auto Chosen = choiceOf(I);
  if (Chosen && !To.Condition && isDataCondition(Chosen->Condition, L, Of.Evolutions))
    To.Condition = Chosen->Condition;
  bool IsChosen = Chosen && Chosen->Condition == To.Condition;
  if (!IsChosen && (Chosen || !isStep(*I))) {
    To.Leaves.push_back(I);
    return true;
  }
  if (!(IsChosen ? All(ArrayRef<Value *>(Chosen->Values)) : All(I->operand_values())))
    return false;
  To.InOrder.push_back(I);
  return true;
}

// What a value gains from one iteration to the next, widenings and bounds left aside; nullptr: that is not seen.
static const SCEV *gainOf(const SCEV *S, const Loop &L, ScalarEvolution &Evolutions) {
  if (Evolutions.isLoopInvariant(S, &L))
    return Evolutions.getZero(Evolutions.getEffectiveSCEVType(S->getType()));
  if (auto *R = dyn_cast<SCEVAddRecExpr>(S))
    return R->isAffine() && R->getLoop() == &L ? R->getStepRecurrence(Evolutions) : nullptr;
  if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S)) {
    const SCEV *Gain = gainOf(Cast->getOperand(), L, Evolutions);
    return Gain ? Evolutions.getTruncateOrSignExtend(Gain, S->getType()) : nullptr;
  }
  auto *Many = dyn_cast<SCEVNAryExpr>(S);
  const SCEV *Gain = nullptr;
  SmallVector<const SCEV *, 4> Factors;
  for (const SCEV *Operand : Many ? Many->operands() : ArrayRef<const SCEV *>()) {
    if (Evolutions.isLoopInvariant(Operand, &L)) {
      Factors.push_back(Operand);
      continue;
    }
    const SCEV *Own = gainOf(Operand, L, Evolutions);
    if (!Own || (Gain && !isa<SCEVAddExpr>(S)))
      return nullptr;
    Gain = Gain ? Evolutions.getAddExpr(Gain, Own) : Own;
  }
  if (Gain && isa<SCEVMulExpr>(S)) {
    Factors.push_back(Gain);
    Gain = Evolutions.getMulExpr(Factors);
  }
  return Gain;
}

// Whether a load stays where it is or goes on to the next element with each iteration, whatever is chosen: masked vectors do that, while elements
// far apart are rather gathered at once.
class Walk {
  LoadInst &Load;
  const Loop &L;
  ScalarEvolution &Evolutions;
  SmallVector<std::pair<Instruction *, Choice>, 4> Choices; // operands first
  SmallSetVector<Value *, 4> Conditions;

  bool along(ValueToSCEVMapTy &Made) const {
    auto Of = [&](Value *V) { return SCEVParameterRewriter::rewrite(Evolutions.getSCEV(V), Evolutions, Made); };
    for (auto &[I, Chosen] : Choices)
      Made[I] = Of(Chosen.Values[Made[Chosen.Condition]->isZero() ? 1 : 0]);
    auto *Bytes = dyn_cast_or_null<SCEVConstant>(gainOf(Of(Load.getPointerOperand()), L, Evolutions));
    uint64_t Own = Load.getDataLayout().getTypeStoreSize(Load.getType()).getFixedValue();
    return Bytes && (Bytes->isZero() || Bytes->getAPInt().abs() == Own);
  }

public:
  Walk(LoadInst &Load, const Steps &Of, const Loop &L, ScalarEvolution &Evolutions) : Load(Load), L(L), Evolutions(Evolutions) {
    for (Instruction *I : concat<Instruction *const>(Of.Leaves, Of.InOrder))
      if (auto Chosen = choiceOf(I)) {
        Choices.push_back({I, *Chosen});
        Conditions.insert(Chosen->Condition);
      }
  }

  bool runsAlong() const {
    Type *Bit = Type::getInt1Ty(Load.getContext());
    for (unsigned Ways = 0; Ways < 1u << Conditions.size() && Conditions.size() <= MaxConditions; ++Ways) {
      ValueToSCEVMapTy Made;
      for (auto [N, Condition] : enumerate(Conditions))
        Made[Condition] = Evolutions.getConstant(Bit, Ways >> N & 1);
      if (!along(Made))
        return false;
    }
    return Conditions.size() <= MaxConditions;
  }
};

// How a load's address comes from a choice, where counters decide all the rest of it.
static std::optional<Steps> stepsOf(LoadInst &Load, const Asked &Of) {
  const Loop &L = *Of.Loops.getLoopFor(Load.getParent());
  auto IsKnown = [&](Instruction *Leaf) { return choiceOf(Leaf) || !isData(Leaf, L, Of.Evolutions); };
  Steps To;
  if (!Load.isSimple() || !collect(Load.getPointerOperand(), L, Of, To) || !To.Condition || !all_of(To.Leaves, IsKnown))
    return std::nullopt;
  return Walk(Load, To, L, Of.Evolutions).runsAlong() ? std::optional(std::move(To)) : std::nullopt;
}

// Whether all that a load needs on its ways is there before another instruction.
static bool isReadyAt(const Steps &Of, const Instruction &At, const DominatorTree &Dominators) {
  auto IsThere = [&](const Value *V) { return Dominators.dominates(V, &At); };
  return IsThere(Of.Condition) && all_of(Of.Leaves, IsThere);
}

static void collectGroups(BasicBlock &B, const Asked &Of, SmallVectorImpl<Group> &Groups) {
  // The groups of this block that a load may still join, by condition.
  SmallDenseMap<Value *, unsigned, 4> Open;
  for (Instruction &I : B) {
    if (I.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      Open.clear();
    auto *Load = dyn_cast<LoadInst>(&I);
    auto Found = Load ? stepsOf(*Load, Of) : std::nullopt;
    if (!Found || !isReadyAt(*Found, *Load, Of.Dominators))
      continue;
    auto At = Open.find(Found->Condition);
    if (At == Open.end() || !isReadyAt(*Found, *Groups[At->second].front().first, Of.Dominators)) {
      if (Groups.size() == MaxGroups)
        return;
      Open[Found->Condition] = Groups.size();
      Groups.emplace_back();
    }
    Groups[Open[Found->Condition]].emplace_back(Load, std::move(*Found));
  }
}

// Computes what leads to a load on one way, before the way's end, and loads.
static Value *ownLoad(LoadInst &Load, const Steps &Of, unsigned Way, Instruction *End, ValueToValueMapTy &Known) {
  auto Own = [&](Instruction &I) {
    Instruction *Copy = I.clone();
    Copy->insertBefore(End->getIterator());
    RemapInstruction(Copy, Known, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    return Copy;
  };
  for (Instruction *I : Of.InOrder) {
    if (Known.count(I))
      continue;
    // All choices among the steps are by the one condition.
    auto Chosen = choiceOf(I);
    if (!Chosen) {
      Known[I] = Own(*I);
      continue;
    }
    Value *Given = Chosen->Values[Way];
    Value *Here = Known.lookup(Given);
    Known[I] = Here ? Here : Given;
  }
  return Own(Load);
}

static void part(const Group &Loads, PartedLoads &Parted) {
  Instruction *Then = nullptr, *Else = nullptr;
  auto At = Loads.front().first->getIterator();
  SplitBlockAndInsertIfThenElse(Loads.front().second.Condition, At, &Then, &Else);
  ValueToValueMapTy Known[2];
  for (auto &[Load, Of] : Loads) {
    auto *Value = PHINode::Create(Load->getType(), 2, "", At);
    Value->setDebugLoc(Load->getDebugLoc());
    Value->addIncoming(ownLoad(*Load, Of, 0, Then, Known[0]), Then->getParent());
    Value->addIncoming(ownLoad(*Load, Of, 1, Else, Known[1]), Else->getParent());
    Load->replaceAllUsesWith(Value);
    Parted.push_back(Value);
  }
  for (auto &[Load, Of] : Loads)
    Load->eraseFromParent();
}

static Asked ask(Function &F, FunctionAnalysisManager &FAM) {
  return {FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F)};
}

void partSubscripts(Function &F, FunctionAnalysisManager &FAM, PartedLoads &Parted) {
  if (settleNumbers(F, ask(F, FAM)))
    FAM.invalidate(F, PreservedAnalyses::none());
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    Asked Of = ask(F, FAM);
    SmallVector<Group, 8> Groups;
    for (BasicBlock &B : F)
      if (Of.Loops.getLoopFor(&B))
        collectGroups(B, Of, Groups);
    if (Groups.empty())
      return;
    for (const Group &Loads : Groups)
      part(Loads, Parted);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}
