// Which product a sum takes up, where the front end leaves that to the back end (`contract`).
//
// Instruction selection fuses a sum with a product of its own block that has no other use. Whether they still stand so by then is decided
// by the passes between here and there: the SLP vectorizer may pack a product with its neighbours, and then each is rounded on its own.
// Nobody can tell that from the IR at hand, but LLVM can: the rest of the pipeline and the selection of instructions run on a copy of the module, in a context
// of its own, and every copy of a sum is looked at in the result (selected.h). Products and sums are recognised by their debug locations: a line for each,
// and one for each set of them that the SLP vectorizer packs (lanes.h).
//
//   %p = fmul contract double %a, %b, !dbg 7         all copies of 8 take up 7, scalars and vectors, in all loops  ->  PT_FIRST
//   %s = fadd contract double %p, %c, !dbg 8         one copy does not, or nobody knows what became of 8           ->  PT_UNFORESEEN
//
// A sum of no product may get one on the way: a loop is unrolled, and what it has stored is handed on, by a pass or by selection.
//
//   store double %p, ptr %a                          a copy of 9 takes up a product                                ->  PT_UNFORESEEN
//   %v = load double, ptr %a
//   %s = fadd contract double %v, 1.0, !dbg 9        none does                                                     ->  PT_APART
#include "contraction.h"
#include "inlined.h"
#include "lanes.h"
#include "selected.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <set>

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
// What was seen of one function in the copy.
struct Seen {
  Lanes Packed;
  // By the line of a sum in the function itself: what became of its copies. Under 0 are those of which nobody knows whose they are.
  SelectedSums Copies;
  // Lines of operations of which copies are missing.
  std::set<unsigned> Lost;
  // Lines of products that a copy has of which nobody knows whose it is.
  std::set<unsigned> Doubtful;
  // There is a copy of a sum, fused or with a product, that may be anyone's.
  bool IsFusedSomewhere = false, AllLost = false;
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
  void look(const SelectedSums &Selected, Seen &Seen) const;
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

// What runs other passes on the same function.
static bool isManager(StringRef Pass) { return Pass.starts_with("PassManager<"); }

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
    Function *F = isManager(Pass) ? nullptr : Asking(IR);
    if (!F)
      return;
    if (packs(Pass))
      Functions[F].Packed.mark(*F);
    else
      Functions[F].Packed.follow(*F);
  });
  Callbacks.registerAfterPassCallback([&](StringRef Pass, Any IR, const PreservedAnalyses &) {
    Function *F = isManager(Pass) ? nullptr : Asking(IR);
    if (!F)
      return;
    if (packs(Pass))
      Functions[F].Lost.merge(Functions[F].Packed.settle(*F, Pass == "VectorCombinePass"));
    else
      Functions[F].Packed.find(*F);
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

// Sorts what was selected by the sums of the function itself.
void Foresight::look(const SelectedSums &Selected, Seen &Seen) const {
  for (auto &[Line, Copies] : Selected)
    for (const SelectedSum &Copy : Copies) {
      std::set<unsigned> Products;
      for (unsigned Product : Copy.Products)
        Products.merge(Seen.Packed.members(Product));
      for (unsigned Member : Seen.Packed.members(Line))
        Seen.Copies[Member].insert({Copy.Fused, Products});
      if (Line != 0)
        continue;
      Seen.IsFusedSomewhere |= Copy.Fused;
      Seen.AllLost |= Copy.Fused || Products.count(0);
      Seen.Doubtful.merge(Products);
    }
}

// Which of two products, by their lines, a copy takes up. One of them is left if it takes up the other; 0: no product. What is left without a line is the one
// that has lost it.
static PtContraction resolve(const SelectedSum &Copy, unsigned First, unsigned Second, const std::set<unsigned> &Lost) {
  if (!Copy.Fused)
    return PT_APART;
  auto Leaves = [&](unsigned Product) {
    return Product == 0 || Copy.Products.count(Product) || (Copy.Products.count(0) && Lost.count(Product));
  };
  bool LeavesFirst = Leaves(First), LeavesSecond = Leaves(Second);
  if (LeavesFirst == LeavesSecond)
    return PT_UNFORESEEN;
  return LeavesSecond ? PT_FIRST : PT_SECOND;
}

// Which of its products a sum takes up, as all its copies do.
PtContraction Foresight::ofProducts(const Instruction &Sum, const Seen &Seen, std::map<const Value *, unsigned> &Lines) const {
  unsigned Products[2];
  for (unsigned I : {0, 1}) {
    const Instruction *P = product(Sum.getOperand(I), All);
    Products[I] = P ? Lines[P] : 0;
    if (P && Seen.Doubtful.count(Products[I]))
      return PT_UNFORESEEN;
  }
  auto At = Seen.Copies.find(Lines[&Sum]);
  if (Seen.AllLost || At == Seen.Copies.end() || Seen.Lost.count(Lines[&Sum]))
    return PT_UNFORESEEN;
  PtContraction Agreed = resolve(*At->second.begin(), Products[0], Products[1], Seen.Lost);
  for (const SelectedSum &Copy : At->second)
    if (resolve(Copy, Products[0], Products[1], Seen.Lost) != Agreed)
      return PT_UNFORESEEN;
  bool Shared = (Agreed == PT_FIRST || Agreed == PT_SECOND) && !Sum.getOperand(Agreed == PT_FIRST ? 0 : 1)->hasOneUse();
  return Shared ? PT_UNFORESEEN : Agreed;
}

// Whether no copy of a sum without products has got one.
static bool staysApart(unsigned Line, const Seen &Seen) {
  if (Seen.IsFusedSomewhere || Seen.AllLost || Seen.Lost.count(Line))
    return false;
  auto At = Seen.Copies.find(Line);
  return At == Seen.Copies.end() || none_of(At->second, [](const SelectedSum &Copy) { return Copy.Fused; });
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
  SmallVector<Function *, 8> Copies;
  for (auto [Old, New] : Pairs) {
    Functions[New].Packed.spread(*New);
    Copies.push_back(New);
  }
  auto Selected = selectInstructions(*Copy, *Rest.machine, Copies);
  for (auto [Old, New] : Pairs) {
    look(Selected[New], Functions[New]);
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

void fuseSums(const PtModule &Module, Function &Made) {
  const TargetMachine *Machine = Module.rest.machine;
  bool Known = Machine && Machine->getTargetTriple().isX86() && fuses(Machine, Made);
  if (!Known || Machine->Options.AllowFPOpFusion == FPOpFusion::Strict)
    return;
  for (Instruction &I : instructions(Made)) {
    auto *Sum = dyn_cast<IntrinsicInst>(&I);
    if (!Sum || Sum->getIntrinsicID() != Intrinsic::fmuladd || Sum->hasAllowReassoc())
      continue;
    Type *Ty = Sum->getType();
    if (Ty->getScalarType()->isFloatTy() || Ty->getScalarType()->isDoubleTy())
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
