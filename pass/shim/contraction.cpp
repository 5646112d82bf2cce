// Which product a sum takes up, where the front end leaves that to the back end (`contract`).
//
// Instruction selection fuses a sum with a product of its own block that has no other use. Whether they still stand so by then is decided
// by the passes between here and there: the SLP vectorizer may pack a product with its neighbours, and then each is rounded on its own.
// Nobody can tell that from the IR at hand, but LLVM can: the rest of the pipeline runs on a copy of the module, in a context of its own,
// and every copy of a sum is looked at in the result. Products and sums are recognised by their debug locations: a line for each, and one for
// each set of them that the SLP vectorizer packs (lanes.h).
//
//   %p = fmul contract double %a, %b, !dbg 7         all copies of 8 take up 7, scalars and vectors, in all loops  ->  PT_FIRST
//   %s = fadd contract double %p, %c, !dbg 8         one copy does not, or nobody knows what became of 7 or 8      ->  PT_UNFORESEEN
//
// A sum of no product may get one on the way: a loop is unrolled, and what it has stored is handed on, by a pass or by selection.
//
//   store double %p, ptr %a                          a copy of 9 takes up a product                                ->  PT_UNFORESEEN
//   %v = load double, ptr %a
//   %s = fadd contract double %v, 1.0, !dbg 9        none does                                                     ->  PT_APART
//
// The rule of selection is that of DAGCombiner::visitFADDForFMACombine and visitFSUBForFMACombine on x86.
#include "contraction.h"
#include "inlined.h"
#include "lanes.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

// PassBuilder has no way to ask for its target machine; an explicit instantiation may name a private member.
namespace {
TargetMachine *machineOf(PassBuilder &Builder);
template <TargetMachine *PassBuilder::*Member> struct Access {
  friend TargetMachine *machineOf(PassBuilder &Builder) { return Builder.*Member; }
};
template struct Access<&PassBuilder::TM>;
} // namespace

// Whether the target has a fused operation at all. Of other targets than x86 nothing is known.
static bool fuses(const TargetMachine *Machine, const Function &F) {
  if (!Machine || !Machine->getTargetTriple().isX86())
    return true;
  const TargetSubtargetInfo *Target = Machine->getSubtargetImpl(F);
  auto Has = [&](StringRef Feature) { return Target->checkFeatures(Feature); };
  return Has("+fma") || Has("+fma4") || Has("+avx512f");
}

// Whether every product is open to a sum, whatever their flags say.
static bool fusesAll(const TargetMachine *Machine) {
  return Machine && Machine->Options.AllowFPOpFusion == FPOpFusion::Fast;
}

static bool isSum(const Instruction &I) { return isArithmetic(I) && I.getOpcode() != Instruction::FMul; }

// Whether an operation leaves its rounding to the compiler; `All`: whatever its flags say.
static bool isOpen(const Instruction &I, bool All) {
  return isArithmetic(I) && !I.hasAllowReassoc() && (All || I.hasAllowContract());
}

static const Instruction *product(const Value *V, bool All) {
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getOpcode() == Instruction::FMul && isOpen(*I, All) ? I : nullptr;
}

static bool hasProduct(const Instruction &Sum, bool All) {
  return any_of(Sum.operands(), [&](const Value *V) { return product(V, All); });
}

bool isSumOfNoProduct(const PtModule &Module, const Instruction &I) {
  return isSum(I) && !hasProduct(I, fusesAll(Module.rest.machine));
}

namespace {
enum class Takes { No, Yes, Perhaps };

// What one copy of a sum takes up: the line of the product, and that of the other operand. Passes lose lines: of a product with one use, which
// is known by its sum, and where there are two, by the other one.
struct Choice {
  bool Any = false;
  unsigned Taken = 0, Other = 0;
  bool operator<(const Choice &C) const { return std::tie(Any, Taken, Other) < std::tie(C.Any, C.Taken, C.Other); }
};

// What was seen of one function in the copy.
struct Seen {
  // By the line of a sum: what its copies take up.
  std::map<unsigned, std::set<Choice>> Taken;
  // Lines of sums and products of which nothing is known.
  std::set<unsigned> Lost;
  bool AllLost = false;
  // A sum of which nothing is known takes up a product.
  bool AnyTakes = false;
  Lanes Packed;
  void lose(const std::set<unsigned> &Lines) {
    Lost.insert(Lines.begin(), Lines.end());
    AllLost |= Lines.count(0);
  }
};

class Foresight {
public:
  explicit Foresight(PtModule &Home)
      : M(Home.module), Home(Home), Rest(Home.rest), Found(Home.contractions), All(fusesAll(Rest.machine)) {}
  void run();

private:
  Module &M;
  PtModule &Home;
  const PtForesight &Rest;
  DenseMap<const Value *, PtContraction> &Found;
  bool All;
  std::map<const Function *, Seen> Functions;

  bool asks(Function &F);
  std::unique_ptr<Module> copy(LLVMContext &Context) const;
  void number(Function &F, DIBuilder &Builder, DIFile *File) const;
  void optimize(Module &Copy);
  PtContraction ofProducts(const Instruction &Sum, const Seen &Seen, std::map<const Value *, unsigned> &Lines) const;
  class Places;
  bool isStoredProduct(const Value *V, Places &At) const;
  Takes takes(const Instruction &Sum, const Value *Operand, Places &At) const;
  bool mayPart(const Instruction &From, const Instruction &To) const;
  void look(Function &F, const TargetLibraryInfoImpl &Library, Seen &Seen) const;
  void settle(const Function &F, const Seen &Seen);
};
} // namespace

// Whether a function has products, and sums in loops, or is called in one; without fused operations they need no foresight.
bool Foresight::asks(Function &F) {
  if (F.isDeclaration())
    return false;
  SmallVector<Instruction *, 8> Sums;
  bool HasProducts = false;
  for (Instruction &I : instructions(F)) {
    HasProducts |= product(&I, All) != nullptr;
    if (isSum(I) && isOpen(I, All))
      Sums.push_back(&I);
  }
  if (Sums.empty() || !HasProducts)
    return false;
  if (!fuses(Rest.machine, F)) {
    for (Instruction *I : Sums)
      Found[I] = PT_APART;
    return false;
  }
  auto IsInLoop = [&](const Instruction *I) {
    auto &Loops = Home.functions.getResult<LoopAnalysis>(*const_cast<Function *>(I->getFunction()));
    return Loops.getLoopFor(I->getParent()) != nullptr;
  };
  auto IsInlined = [&](const User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return Call && isInlinable(*Call) && IsInLoop(Call);
  };
  if (none_of(Sums, IsInLoop) && none_of(F.users(), IsInlined))
    return false;
  for (Instruction *I : Sums)
    Found[I] = PT_UNFORESEEN;
  return true;
}

// The order of uses is part of what passes see.
std::unique_ptr<Module> Foresight::copy(LLVMContext &Context) const {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Out(Bytes);
  WriteBitcodeToFile(M, Out, /*ShouldPreserveUseListOrder=*/true);
  auto Read = parseBitcodeFile(MemoryBufferRef(StringRef(Bytes.data(), Bytes.size()), M.getModuleIdentifier()), Context);
  if (!Read) {
    consumeError(Read.takeError());
    return nullptr;
  }
  StripDebugInfo(**Read);
  return std::move(*Read);
}

void Foresight::number(Function &F, DIBuilder &Builder, DIFile *File) const {
  auto *Type = Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  auto *Scope = Builder.createFunction(File, F.getName(), F.getName(), File, 1, Type, 1, DINode::FlagZero,
                                       DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  F.setSubprogram(Scope);
  unsigned Line = 0;
  for (Instruction &I : instructions(F))
    if (isArithmetic(I))
      I.setDebugLoc(DILocation::get(F.getContext(), ++Line, 0, Scope));
}

// Passes that make vectors of scalars, or other vectors.
static bool packs(StringRef Pass) { return Pass == "SLPVectorizerPass" || Pass == "VectorCombinePass"; }

// Runs what comes behind this pass, on the functions that ask.
void Foresight::optimize(Module &Copy) {
  PassInstrumentationCallbacks Callbacks;
  auto Asking = [&](Any IR) -> Function * {
    auto **F = any_cast<const Function *>(&IR);
    return F && Functions.count(*F) ? const_cast<Function *>(*F) : nullptr;
  };
  Callbacks.registerShouldRunOptionalPassCallback(
      [&](StringRef Pass, Any IR) { return Pass != "PolytilePass" && (!any_cast<const Function *>(&IR) || Asking(IR)); });
  Callbacks.registerBeforeNonSkippedPassCallback([&](StringRef Pass, Any IR) {
    if (Function *F = Asking(IR); F && packs(Pass))
      Functions[F].Packed.mark(*F);
  });
  Callbacks.registerAfterPassCallback([&](StringRef Pass, Any IR, const PreservedAnalyses &) {
    if (Function *F = Asking(IR); F && packs(Pass))
      Functions[F].lose(Functions[F].Packed.settle(*F, Pass == "VectorCombinePass"));
  });
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Graph;
  ModuleAnalysisManager Modules;
  auto Instrumentation = [&] { return PassInstrumentationAnalysis(&Callbacks); };
  Loops.registerPass(Instrumentation);
  Functions.registerPass(Instrumentation);
  Graph.registerPass(Instrumentation);
  Modules.registerPass(Instrumentation);
  PassBuilder &Builder = *Rest.builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Graph);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Graph, Modules);
  Builder.buildModuleOptimizationPipeline(Rest.level, Rest.phase).run(Copy, Modules);
}

// CodeGenPrepare makes branches of selects with costly operands: what stands on both sides is in two blocks then.
bool Foresight::mayPart(const Instruction &From, const Instruction &To) const {
  auto IsCostly = [](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && I->hasOneUse() && (I->isIntDivRem() || I->isFPDivRem() || isa<CallInst>(I));
  };
  for (const Instruction *I = &From; I && I != &To; I = I->getNextNode())
    if (auto *S = dyn_cast<SelectInst>(I))
      if (IsCostly(S->getTrueValue()) || IsCostly(S->getFalseValue()))
        return true;
  return false;
}

// Whether a value comes from another block, which selection does not look into: a block that several others lead to is not merged with any of them.
static bool isElsewhere(const Value *V, const BasicBlock &Here) {
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getParent() != &Here && !pred_empty(&Here) && !Here.getUniquePredecessor();
}

// Whether a product is among what a shuffle or an element is made of: selection may move it behind.
static bool isBehind(const Value *V, const BasicBlock &Here, bool All, unsigned Depth = 4) {
  if (isElsewhere(V, Here))
    return false;
  if (product(V, All))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  bool Moves = I && (isa<ShuffleVectorInst>(I) || isa<InsertElementInst>(I) || isa<ExtractElementInst>(I));
  return Moves && Depth > 0 && any_of(I->operands(), [&](const Value *O) { return isBehind(O, Here, All, Depth - 1); });
}

// Whether a value is an element of a product of vectors that stays one: selection multiplies elements where only one of them is used, and it looks for
// alternating sums and differences where sums become elements again.
static bool isElement(const Value *V, const Instruction &Sum, bool All) {
  auto *Element = dyn_cast<ExtractElementInst>(V);
  const Instruction *P = Element ? product(Element->getVectorOperand(), All) : nullptr;
  if (!P || P->getParent() != Sum.getParent() || any_of(Sum.users(), [](const User *U) { return isa<InsertElementInst>(U); }))
    return false;
  std::set<const Value *> Used;
  for (const User *U : P->users()) {
    auto *Other = dyn_cast<ExtractElementInst>(U);
    if (!Other || !isa<ConstantInt>(Other->getIndexOperand()) || Other->getParent() != P->getParent())
      return false;
    if (!Other->use_empty())
      Used.insert(Other->getIndexOperand());
  }
  return Used.size() > 1;
}

// Whether a distance is something else than zero, at least for some values of what it is made of. Of several terms nothing is known: different casts may
// be the same.
static bool isSomething(const SCEV *Apart) {
  if (auto *C = dyn_cast<SCEVConstant>(Apart))
    return !C->isZero();
  if (auto *R = dyn_cast<SCEVAddRecExpr>(Apart))
    return R->isAffine() && isSomething(R->getOperand(1));
  if (auto *M = dyn_cast<SCEVMulExpr>(Apart))
    return all_of(M->operands(), isSomething);
  auto *Cast = dyn_cast<SCEVCastExpr>(Apart);
  return isa<SCEVUnknown>(Cast ? Cast->getOperand() : Apart);
}

// Where a function's loads and stores go.
class Foresight::Places {
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  TargetLibraryInfo Library;
  ScalarEvolution Evolutions;
  // Of so many pairs the distance is computed; blocks of many loads and stores have more.
  unsigned Left = 1 << 14;

public:
  Places(Function &F, const TargetLibraryInfoImpl &Functions)
      : Dominators(F), Loops(Dominators), Assumptions(F), Library(Functions), Evolutions(F, Library, Assumptions, Dominators, Loops) {}

  // Whether selection may find two addresses to be the same: loop strength reduction has rewritten both by then. It does where they always are.
  bool maybeSame(Value *A, Value *B) {
    if (Left == 0)
      return true;
    --Left;
    const SCEV *Apart = Evolutions.getMinusSCEV(Evolutions.getSCEV(A), Evolutions.getSCEV(B));
    if (isa<SCEVCouldNotCompute>(Apart))
      return getUnderlyingObject(A) == getUnderlyingObject(B);
    return !isSomething(Apart);
  }
};

// Whether a value may be loaded from where its block has stored a product: selection hands it on, and drops the store if it is overwritten.
bool Foresight::isStoredProduct(const Value *V, Places &At) const {
  auto *Load = const_cast<LoadInst *>(dyn_cast<LoadInst>(V));
  if (!Load)
    return false;
  for (Instruction *I = Load->getPrevNode(); I; I = I->getPrevNode())
    if (auto *Store = dyn_cast<StoreInst>(I))
      if (Store->getValueOperand()->getType() == Load->getType() && isBehind(Store->getValueOperand(), *Load->getParent(), All) &&
          At.maybeSame(Store->getPointerOperand(), Load->getPointerOperand()))
        return true;
  return false;
}

// Sums and differences of the same operands, shuffled, are one operation, which takes up a product of both.
static bool mayAlternate(const Instruction &Product) {
  auto Alternates = [&](const User *U, unsigned Opcode) {
    auto *I = cast<Instruction>(U);
    return I->getOpcode() == Opcode && any_of(I->users(), [](const User *S) { return isa<ShuffleVectorInst>(S); });
  };
  return any_of(Product.users(), [&](const User *U) { return Alternates(U, Instruction::FAdd); }) &&
         any_of(Product.users(), [&](const User *U) { return Alternates(U, Instruction::FSub); });
}

// Whether selection can negate an operand and gain by it. Of two products it may then turn the order, for some types of vectors and not for others.
static bool turns(const Value *V, unsigned Depth = 6) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0)
    return I;
  switch (I->getOpcode()) {
  case Instruction::FNeg:
    return true;
  case Instruction::FSub:
    return PatternMatch::match(I->getOperand(0), PatternMatch::m_AnyZeroFP());
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::Select:
  case Instruction::Call:
  case Instruction::BitCast:
  case Instruction::Xor:
    return any_of(I->operands(), [&](const Value *O) { return turns(O, Depth - 1); });
  default:
    return false;
  }
}

Takes Foresight::takes(const Instruction &Sum, const Value *Operand, Places &At) const {
  using namespace PatternMatch;
  const BasicBlock &Here = *Sum.getParent();
  Value *Inner;
  if (isElsewhere(Operand, Here))
    return Takes::No;
  if (match(Operand, m_FNeg(m_Value(Inner))) || match(Operand, m_FPExt(m_Value(Inner))))
    return product(Inner, All) || isStoredProduct(Inner, At) ? Takes::Perhaps : Takes::No;
  const Instruction *P = product(Operand, All);
  if (!P && isElement(Operand, Sum, All))
    return Takes::No;
  if (!P)
    return isBehind(Operand, Here, All) || isStoredProduct(Operand, At) ? Takes::Perhaps : Takes::No;
  if (!P->hasOneUse())
    return mayAlternate(*P) ? Takes::Perhaps : Takes::No;
  Type *Scalar = Sum.getType()->getScalarType();
  if (P->getParent() != &Here || !(Scalar->isFloatTy() || Scalar->isDoubleTy()) || mayPart(*P, Sum))
    return Takes::Perhaps;
  // Equal products of a block are one in selection.
  Value *A = P->getOperand(0), *B = P->getOperand(1);
  auto IsEqual = [&](const User *U) {
    auto *Other = dyn_cast<Instruction>(U);
    return Other && Other != P && Other->getOpcode() == Instruction::FMul && Other->getParent() == P->getParent() &&
           match(Other, m_c_FMul(m_Specific(A), m_Specific(B)));
  };
  return any_of(A->users(), IsEqual) ? Takes::Perhaps : Takes::Yes;
}

void Foresight::look(Function &F, const TargetLibraryInfoImpl &Library, Seen &Seen) const {
  Places At(F, Library);
  auto LineOf = [&](const Value *V) {
    const Instruction *P = product(V, All);
    return P ? lineOf(*P) : 0;
  };
  for (const Instruction &I : instructions(F)) {
    if (!isSum(I) || !isOpen(I, All))
      continue;
    const Value *Operands[] = {I.getOperand(0), I.getOperand(1)};
    Takes First = takes(I, Operands[0], At), Second = takes(I, Operands[1], At);
    if (lineOf(I) == 0) {
      if (First == Takes::No && Second == Takes::No)
        continue;
      Seen.AnyTakes = true;
      Seen.AllLost |= LineOf(Operands[0]) == 0 && LineOf(Operands[1]) == 0;
      for (const Value *O : Operands)
        if (unsigned Line = LineOf(O))
          Seen.lose(Seen.Packed.members(Line));
      continue;
    }
    if (First == Takes::Perhaps || (First == Takes::No && Second == Takes::Perhaps)) {
      Seen.lose(Seen.Packed.members(lineOf(I)));
      continue;
    }
    bool Any = First == Takes::Yes || Second == Takes::Yes, Both = First == Takes::Yes && Second != Takes::No;
    if (Both && any_of(Operands, [](const Value *O) { return turns(O); })) {
      Seen.lose(Seen.Packed.members(lineOf(I)));
      continue;
    }
    unsigned At = First == Takes::Yes ? 0 : 1;
    Choice Chosen = Any ? Choice{true, LineOf(Operands[At]), LineOf(Operands[1 - At])} : Choice{};
    for (unsigned Line : Seen.Packed.members(lineOf(I)))
      Seen.Taken[Line].insert(Chosen);
  }
}

// Which of two products, by their lines, a copy takes up.
static PtContraction resolve(const Choice &C, unsigned First, unsigned Second, const Lanes &Packed) {
  if (!C.Any)
    return PT_APART;
  bool One = First == 0 || Second == 0;
  auto Fits = [&](unsigned Own, unsigned Other) {
    bool Takes = C.Taken != 0 && Packed.has(C.Taken, Own), Leaves = C.Other != 0 && Packed.has(C.Other, Other);
    if (Own == 0 || (C.Taken != 0 && !Takes) || (C.Other != 0 && !Leaves))
      return false;
    return One || Takes || Leaves;
  };
  bool TakesFirst = Fits(First, Second), TakesSecond = Fits(Second, First);
  if (TakesFirst == TakesSecond)
    return PT_UNFORESEEN;
  return TakesFirst ? PT_FIRST : PT_SECOND;
}

// Which of its products a sum takes up, as all its copies do.
PtContraction Foresight::ofProducts(const Instruction &Sum, const Seen &Seen, std::map<const Value *, unsigned> &Lines) const {
  unsigned Products[2];
  for (unsigned I : {0, 1}) {
    const Instruction *P = product(Sum.getOperand(I), All);
    Products[I] = P ? Lines[P] : 0;
  }
  auto At = Seen.Taken.find(Lines[&Sum]);
  if (Seen.AllLost || At == Seen.Taken.end())
    return PT_UNFORESEEN;
  for (unsigned Line : {Lines[&Sum], Products[0], Products[1]})
    if (Line != 0 && Seen.Lost.count(Line))
      return PT_UNFORESEEN;
  PtContraction Agreed = resolve(*At->second.begin(), Products[0], Products[1], Seen.Packed);
  for (const Choice &C : At->second)
    if (resolve(C, Products[0], Products[1], Seen.Packed) != Agreed)
      return PT_UNFORESEEN;
  bool Shared = (Agreed == PT_FIRST || Agreed == PT_SECOND) && !Sum.getOperand(Agreed == PT_FIRST ? 0 : 1)->hasOneUse();
  return Shared ? PT_UNFORESEEN : Agreed;
}

// Whether no copy of a sum without products has got one.
static bool staysApart(unsigned Line, const Seen &Seen) {
  if (Seen.AnyTakes || Seen.AllLost || Seen.Lost.count(Line))
    return false;
  auto At = Seen.Taken.find(Line);
  return At == Seen.Taken.end() || none_of(At->second, [](const Choice &C) { return C.Any; });
}

// What was seen of the copy, said of the function itself.
void Foresight::settle(const Function &F, const Seen &Seen) {
  std::map<const Value *, unsigned> Lines;
  for (const Instruction &I : instructions(F))
    if (isArithmetic(I))
      Lines.insert({&I, Lines.size() + 1});
  for (const Instruction &I : instructions(F)) {
    if (!isSum(I) || !isOpen(I, All))
      continue;
    if (hasProduct(I, All))
      Found[&I] = ofProducts(I, Seen, Lines);
    else
      Found[&I] = staysApart(Lines[&I], Seen) ? PT_APART : PT_UNFORESEEN;
  }
}

void Foresight::run() {
  SmallVector<Function *, 8> Asking;
  for (Function &F : M)
    if (asks(F))
      Asking.push_back(&F);
  if (Asking.empty() || !Rest.builder || !Rest.machine || !Rest.machine->getTargetTriple().isX86())
    return;
  LLVMContext Context;
  Context.setDiscardValueNames(true);
  Context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {});
  std::unique_ptr<Module> Copy = copy(Context);
  if (!Copy)
    return;
  DIBuilder Builder(*Copy);
  DIFile *File = Builder.createFile("polytile", "");
  Builder.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), File, "polytile", true, "", 0);
  SmallVector<std::pair<Function *, Function *>, 8> Pairs;
  for (auto [Old, New] : zip(M, *Copy)) {
    if (!is_contained(Asking, &Old))
      continue;
    if (Old.getInstructionCount() != New.getInstructionCount())
      return;
    number(New, Builder, File);
    Functions[&New];
    Pairs.push_back({&Old, &New});
  }
  Builder.finalize();
  optimize(*Copy);
  TargetLibraryInfoImpl Library(Copy->getTargetTriple());
  for (auto [Old, New] : Pairs) {
    look(*New, Library, Functions[New]);
    settle(*Old, Functions[New]);
  }
}

PtForesight::PtForesight(PassBuilder &Builder, OptimizationLevel Level, ThinOrFullLTOPhase Phase)
    : builder(Phase == ThinOrFullLTOPhase::None || Phase == ThinOrFullLTOPhase::ThinLTOPostLink ? &Builder : nullptr),
      machine(machineOf(Builder)), level(Level), phase(Phase) {}

PtForesight::PtForesight(PassBuilder &Builder)
    : builder(nullptr), machine(machineOf(Builder)), level(OptimizationLevel::O3), phase(ThinOrFullLTOPhase::None) {}

void pt_foresee(PtModule *Module) { Foresight(*Module).run(); }

// What is foreseen of an operation of a working copy.
static const char SumMark[] = "polytile-sum";

void sayForeseen(Instruction &I, PtContraction Foreseen) {
  LLVMContext &Context = I.getContext();
  auto *Constant = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), Foreseen));
  I.setMetadata(SumMark, MDNode::get(Context, {Constant}));
}

void unsayForeseen(Function &F) {
  for (Instruction &I : instructions(F))
    I.setMetadata(SumMark, nullptr);
}

void settleForeseen(PtModule &Module, Function &F) {
  for (Instruction &I : instructions(F))
    if (I.getMetadata(SumMark))
      Module.contractions[&I] = *foreseen(Module, I);
  unsayForeseen(F);
}

void pt_forget_foreseen(PtModule *Module) {
  for (Function &F : Module->module)
    unsayForeseen(F);
}

void pt_allow_contract(LLVMValueRef Sum, bool Allow) { instruction(Sum)->setHasAllowContract(Allow); }

bool pt_fuses_all(PtModule *Module, LLVMValueRef F) {
  const TargetMachine *Machine = Module->rest.machine;
  return fusesAll(Machine) && fuses(Machine, *function(F));
}

void fuseConstants(const PtModule &Module, Function &Made) {
  const TargetMachine *Machine = Module.rest.machine;
  bool Known = Machine && Machine->getTargetTriple().isX86() && fuses(Machine, Made);
  if (!Known || Machine->Options.AllowFPOpFusion == FPOpFusion::Strict)
    return;
  for (Instruction &I : instructions(Made)) {
    auto *Sum = dyn_cast<IntrinsicInst>(&I);
    if (!Sum || Sum->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    Type *Ty = Sum->getType();
    bool IsConstant = isa<Constant>(Sum->getArgOperand(0)) || isa<Constant>(Sum->getArgOperand(1));
    if (IsConstant && (Ty->getScalarType()->isFloatTy() || Ty->getScalarType()->isDoubleTy()))
      Sum->setCalledFunction(Intrinsic::getOrInsertDeclaration(Made.getParent(), Intrinsic::fma, Ty));
  }
}

std::optional<PtContraction> foreseen(const PtModule &Module, const Instruction &I) {
  if (const MDNode *Said = I.getMetadata(SumMark))
    return PtContraction(mdconst::extract<ConstantInt>(Said->getOperand(0))->getZExtValue());
  auto At = Module.contractions.find(&I);
  if (At != Module.contractions.end())
    return At->second;
  return isSumOfNoProduct(Module, I) ? std::optional(PT_APART) : std::nullopt;
}

PtContraction pt_contraction(PtModule *Module, LLVMValueRef Sum) { return foreseen(*Module, *instruction(Sum)).value_or(PT_UNFORESEEN); }
