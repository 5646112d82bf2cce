// Scalar evolutions, to be walked from outside.
#include "analyses.h"
#include "compared.h"
#include "remaining.h"
#include "strides.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

bool pt_has_evolution(PtAnalyses *An, LLVMValueRef V) { return An->Evolutions.isSCEVable(unwrap(V)->getType()); }

const void *pt_evolution(PtAnalyses *An, LLVMValueRef V, LLVMBasicBlockRef Scope) {
  auto &SE = An->Evolutions;
  const SCEV *S = SE.getSCEV(unwrap(V));
  return Scope ? SE.getSCEVAtScope(S, An->Loops.getLoopFor(block(Scope))) : S;
}

PtKind pt_kind(const void *S) {
  switch (scev(S)->getSCEVType()) {
  case scConstant:
    return PT_CONSTANT;
  case scUnknown:
    return PT_UNKNOWN;
  case scAddExpr:
    return PT_ADD;
  case scMulExpr:
    return PT_MUL;
  case scAddRecExpr:
    return PT_ADDREC;
  case scUDivExpr:
    return PT_UDIV;
  case scSMaxExpr:
    return PT_SMAX;
  case scUMaxExpr:
    return PT_UMAX;
  case scSMinExpr:
    return PT_SMIN;
  case scUMinExpr:
  case scSequentialUMinExpr: // the same value, but for what poison does
    return PT_UMIN;
  case scZeroExtend:
    return PT_ZEXT;
  case scSignExtend:
    return PT_SEXT;
  case scTruncate:
    return PT_TRUNC;
  case scPtrToInt:
    return PT_PTRTOINT;
  case scVScale:
  case scCouldNotCompute:
    return PT_OTHER;
  }
  return PT_OTHER;
}

unsigned pt_width(PtAnalyses *An, const void *S) {
  return An->Evolutions.getTypeSizeInBits(scev(S)->getType());
}

void pt_signed_range(PtAnalyses *An, const void *S, int64_t *Least, int64_t *Greatest) {
  ConstantRange Range = An->Evolutions.getSignedRange(scev(S));
  if (Range.getBitWidth() != 64 || Range.isEmptySet())
    return;
  *Least = Range.getSignedMin().getSExtValue();
  *Greatest = Range.getSignedMax().getSExtValue();
}

unsigned pt_size(const void *S) { return scev(S)->getExpressionSize(); }
size_t pt_operand_count(const void *S) { return scev(S)->operands().size(); }
const void *pt_operand(const void *S, size_t I) { return scev(S)->operands()[I]; }
const void *pt_recurrence_loop(const void *S) { return cast<SCEVAddRecExpr>(scev(S))->getLoop(); }

// Bit 0: no unsigned wrap; bit 1: no signed wrap.
unsigned pt_wrap_flags(const void *S) {
  auto *N = dyn_cast<SCEVNAryExpr>(scev(S));
  return N ? N->hasNoUnsignedWrap() | N->hasNoSignedWrap() << 1 : 0;
}

LLVMValueRef pt_unknown(const void *S) { return wrap(cast<SCEVUnknown>(scev(S))->getValue()); }
LLVMValueRef pt_constant(const void *S) { return wrap(cast<SCEVConstant>(scev(S))->getValue()); }

LLVMValueRef pt_expanded(PtAnalyses *An, const void *S, LLVMValueRef Before) {
  SCEVExpander Expander(An->Evolutions, "distance");
  auto *At = cast<Instruction>(unwrap(Before));
  if (!Expander.isSafeToExpandAt(scev(S), At))
    return nullptr;
  return wrap(Expander.expandCodeFor(scev(S), nullptr, At->getIterator()));
}

const void *pt_bits(PtAnalyses *An, LLVMValueRef V, unsigned From, unsigned Bits) {
  ScalarEvolution &All = An->Evolutions;
  const SCEV *Whole = All.getSCEV(unwrap(V));
  const SCEV *Below = All.getConstant(APInt::getOneBitSet(Whole->getType()->getIntegerBitWidth(), From));
  return All.getTruncateExpr(All.getUDivExpr(Whole, Below), IntegerType::get(Whole->getType()->getContext(), Bits));
}

const void *pt_difference(PtAnalyses *An, const void *A, const void *B) {
  return An->Evolutions.getMinusSCEV(scev(A), scev(B));
}

const void *pt_pointer_base(PtAnalyses *An, const void *S) { return An->Evolutions.getPointerBase(scev(S)); }
const void *pt_without_base(PtAnalyses *An, const void *S) { return An->Evolutions.removePointerBase(scev(S)); }

namespace {

// Maxima and minima in a count, where what is known at the loop's entry says which operand they are. Behind `n < 0` and `n == 0`, as in front of all
// that follows a `std::vector` of n elements, a loop over n elements counts max(n, 1) once LLVM has turned it.
class GuardedMaxima : public SCEVRewriteVisitor<GuardedMaxima> {
  const Loop *L;
  DominatorTree &Dominators;
  static constexpr unsigned MaxBlocks = 64;

  // Whether it is at least so much wherever the loop is entered.
  bool atLeast(const SCEV *S, APInt Least) {
    if (auto *Sum = dyn_cast<SCEVAddExpr>(S); Sum && Sum->getNumOperands() == 2 && isa<SCEVSignExtendExpr>(Sum->getOperand(1)))
      if (auto *C = dyn_cast<SCEVConstant>(Sum->getOperand(0))) {
        bool Overflows = false;
        Least = Least.ssub_ov(C->getAPInt(), Overflows);
        return !Overflows && Sum->hasNoSignedWrap() && atLeast(Sum->getOperand(1), Least);
      }
    if (auto *Wide = dyn_cast<SCEVSignExtendExpr>(S)) {
      unsigned Width = SE.getTypeSizeInBits(Wide->getOperand()->getType());
      return Least.isSignedIntN(Width) && atLeast(Wide->getOperand(), Least.trunc(Width));
    }
    return Least.isMinSignedValue() || isMore(S, SE.getConstant(Least - 1)) || isShifted(S, Least);
  }

  // Whether a condition in front of the loop bounds a value at a constant distance from it: `n - r < 2147483647u` says that n - r + 1 is at
  // least one.
  bool isShifted(const SCEV *S, const APInt &Least) {
    unsigned Left = MaxBlocks;
    BasicBlock *Header = L->getHeader();
    for (auto *Node = Dominators.getNode(Header)->getIDom(); Node && Left--; Node = Node->getIDom()) {
      auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
      auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
      auto *Bound = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
      if (!Bound || Bound->getType() != S->getType())
        continue;
      auto Leads = [&](unsigned To) {
        return Dominators.dominates(BasicBlockEdge(Node->getBlock(), Branch->getSuccessor(To)), Header);
      };
      auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(S, SE.getSCEV(Compare->getOperand(0))));
      if (!Distance || !(Leads(0) || Leads(1)))
        continue;
      auto Predicate = Leads(0) ? Compare->getPredicate() : Compare->getInversePredicate();
      ConstantRange Before = ConstantRange::makeExactICmpRegion(Predicate, Bound->getValue());
      if (Before.add(ConstantRange(Distance->getAPInt())).getSignedMin().sge(Least))
        return true;
    }
    return false;
  }

  // What holds in a block in front holds of the same values here. One block may say "not less" and another one "not equal".
  bool isMore(const SCEV *S, const SCEV *Than) {
    bool NotLess = false, NotEqual = false;
    unsigned Left = MaxBlocks;
    auto Exists = [&](const DomTreeNode *Node) { return SE.dominates(S, Node->getBlock()); };
    for (auto *Node = Dominators.getNode(L->getHeader()); Node && Left-- && Exists(Node); Node = Node->getIDom()) {
      auto Holds = [&](ICmpInst::Predicate P) { return SE.isBasicBlockEntryGuardedByCond(Node->getBlock(), P, S, Than); };
      NotLess = NotLess || Holds(ICmpInst::ICMP_SGE);
      NotEqual = NotEqual || Holds(ICmpInst::ICMP_NE);
      if ((NotLess && NotEqual) || Holds(ICmpInst::ICMP_SGT))
        return true;
    }
    return false;
  }

public:
  GuardedMaxima(PtAnalyses &An, const Loop *L)
      : SCEVRewriteVisitor(An.Evolutions), L(L), Dominators(An.Dominators) {}

  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *S) {
    auto *C = dyn_cast<SCEVConstant>(S->getOperand(0));
    bool Known = C && S->getNumOperands() == 2 && atLeast(S->getOperand(1), C->getAPInt());
    return Known ? S->getOperand(1) : S;
  }

  // Counters that go down to one.
  const SCEV *visitSMinExpr(const SCEVSMinExpr *S) {
    auto *C = dyn_cast<SCEVConstant>(S->getOperand(0));
    bool Known = C && S->getNumOperands() == 2 && atLeast(S->getOperand(1), C->getAPInt());
    return Known ? S->getOperand(0) : S;
  }

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *S) {
    const SCEV *Operand = visit(S->getOperand());
    if (Operand == S->getOperand())
      return S;
    // The maximum of a positive number.
    APInt Zero(SE.getTypeSizeInBits(Operand->getType()), 0);
    return atLeast(Operand, Zero) ? SE.getSignExtendExpr(Operand, S->getType()) : S;
  }
};

} // namespace

// A count in the simplest form; what LLVM cannot count may be known where only one block leaves.
static const void *known(PtAnalyses *An, const void *L, const SCEV *Count, const BasicBlock *Exiting) {
  if (isa<SCEVCouldNotCompute>(Count))
    return Exiting ? remainingCount(An->Evolutions, An->Dominators, *loop(L), *Exiting) : nullptr;
  bool HasMaximum = SCEVExprContains(Count, [](const SCEV *S) { return isa<SCEVSMaxExpr, SCEVSMinExpr>(S); });
  return HasMaximum ? GuardedMaxima(*An, loop(L)).visit(Count) : Count;
}

const void *pt_backedge_count(PtAnalyses *An, const void *L) {
  return known(An, L, An->Evolutions.getBackedgeTakenCount(loop(L)), loop(L)->getExitingBlock());
}

const void *pt_exit_count(PtAnalyses *An, const void *L, LLVMBasicBlockRef Exiting) {
  return known(An, L, An->Evolutions.getExitCount(loop(L), block(Exiting)), block(Exiting));
}

// The two forms of a no-wrap predicate: extending the recurrence equals the recurrence of extended operands.
static void visitWrap(ScalarEvolution &SE, const SCEVWrapPredicate &P, void *Data,
                      void (*Visit)(void *, unsigned, const void *, const void *)) {
  auto *R = cast<SCEVAddRecExpr>(P.getExpr());
  Type *Wide = IntegerType::get(R->getType()->getContext(), 2 * SE.getTypeSizeInBits(R->getType()));
  const SCEV *Step = SE.getSignExtendExpr(R->getStepRecurrence(SE), Wide);
  auto Equal = [&](const SCEV *Narrow, const SCEV *Start) {
    Visit(Data, CmpInst::ICMP_EQ, Narrow, SE.getAddRecExpr(Start, Step, R->getLoop(), SCEV::FlagAnyWrap));
  };
  if (P.getFlags() & SCEVWrapPredicate::IncrementNUSW)
    Equal(SE.getZeroExtendExpr(R, Wide), SE.getZeroExtendExpr(R->getStart(), Wide));
  if (P.getFlags() & SCEVWrapPredicate::IncrementNSSW)
    Equal(SE.getSignExtendExpr(R, Wide), SE.getSignExtendExpr(R->getStart(), Wide));
}

const void *pt_predicated_count(PtAnalyses *An, const void *L, LLVMBasicBlockRef Exiting, void *Data,
                                void (*Visit)(void *, unsigned, const void *, const void *)) {
  auto &SE = An->Evolutions;
  SmallVector<const SCEVPredicate *, 4> Predicates;
  const SCEV *Count = SE.getPredicatedBackedgeTakenCount(loop(L), Predicates);
  if (isa<SCEVCouldNotCompute>(Count)) {
    auto Assumed = Exiting ? strideCount(SE, An->Dominators, *loop(L), *block(Exiting)) : std::nullopt;
    if (!Assumed)
      return nullptr;
    Visit(Data, Assumed->Predicate, Assumed->Left, Assumed->Right);
    return known(An, L, Assumed->Count, block(Exiting));
  }
  while (!Predicates.empty()) {
    const SCEVPredicate *P = Predicates.pop_back_val();
    switch (P->getKind()) {
    case SCEVPredicate::P_Union:
      append_range(Predicates, cast<SCEVUnionPredicate>(P)->getPredicates());
      break;
    case SCEVPredicate::P_Compare: {
      auto *C = cast<SCEVComparePredicate>(P);
      Visit(Data, C->getPredicate(), C->getLHS(), C->getRHS());
      break;
    }
    case SCEVPredicate::P_Wrap:
      if (cast<SCEVWrapPredicate>(P)->getExpr()->getType()->isPointerTy())
        return nullptr;
      visitWrap(SE, *cast<SCEVWrapPredicate>(P), Data, Visit);
      break;
    }
  }
  return Count;
}

bool pt_counts_in(PtAnalyses *An, const void *L, LLVMTypeRef Type) {
  return any_of(loop(L)->getHeader()->phis(), [&](PHINode &Phi) {
    if (Phi.getType() != unwrap(Type))
      return false;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(An->Evolutions.getSCEV(&Phi));
    return Rec && Rec->getLoop() == loop(L) && Rec->isAffine();
  });
}

LLVMValueRef pt_canonical_iv(PtAnalyses *An, const void *L, LLVMTypeRef Type) {
  auto &SE = An->Evolutions;
  llvm::Type *Ty = unwrap(Type);
  const SCEV *Wanted = SE.getAddRecExpr(SE.getZero(Ty), SE.getOne(Ty), loop(L), SCEV::FlagAnyWrap);
  for (PHINode &Phi : loop(L)->getHeader()->phis())
    if (Phi.getType() == Ty && SE.getSCEV(&Phi) == Wanted)
      return wrap(&Phi);
  BasicBlock *Header = loop(L)->getHeader(), *Latch = loop(L)->getLoopLatch();
  auto *Phi = PHINode::Create(Ty, 2, "polytile.iv", Header->begin());
  auto *Next = BinaryOperator::CreateAdd(Phi, ConstantInt::get(Ty, 1), "polytile.iv.next",
                                         Latch->getTerminator()->getIterator());
  for (BasicBlock *Pred : predecessors(Header))
    Phi->addIncoming(Pred == Latch ? static_cast<Value *>(Next) : ConstantInt::get(Ty, 0), Pred);
  return wrap(Phi);
}

// Whether an evolution wraps around in no iteration of its loop, as a signed number: by what it begins with and the number of
// iterations.
static bool keepsOrder(ScalarEvolution &SE, const SCEVAddRecExpr *Rec) {
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  auto *Most = dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(Rec->getLoop()));
  if (!Step || !Most)
    return false;
  unsigned Bits = Step->getAPInt().getBitWidth();
  unsigned Wide = Bits + Most->getAPInt().getBitWidth() + 2;
  ConstantRange Start = SE.getSignedRange(Rec->getStart());
  APInt Way = Step->getAPInt().sext(Wide) * Most->getAPInt().zext(Wide);
  APInt Low = Start.getSignedMin().sext(Wide), High = Start.getSignedMax().sext(Wide);
  (Way.isNegative() ? Low : High) += Way;
  return Low.isSignedIntN(Bits) && High.isSignedIntN(Bits);
}

bool pt_stays_away(PtAnalyses *An, const void *L, LLVMValueRef Condition, bool Outcome) {
  auto &SE = An->Evolutions;
  auto Said = compared(SE, *loop(L), *unwrap(Condition), Outcome);
  if (!Said)
    return false;
  auto [Predicate, Rec, Bound] = *Said;
  if (auto Known = SE.getMonotonicPredicateType(Rec, Predicate))
    return *Known == ScalarEvolution::MonotonicallyDecreasing;
  bool Grows = SE.isKnownNonNegative(Rec->getStepRecurrence(SE));
  bool Below = ICmpInst::isLT(Predicate) || ICmpInst::isLE(Predicate);
  return ICmpInst::isRelational(Predicate) && ICmpInst::isSigned(Predicate) && Grows == Below && keepsOrder(SE, Rec);
}
