// The pass, its names in pass pipelines, and the extension points that it hooks.
#include "contraction.h"
#include "inlined.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "starts.h"

using namespace llvm;

namespace {

struct PolytilePass : PassInfoMixin<PolytilePass> {
  PtCallbacks Callbacks;
  std::string Params;
  PtForesight Rest;

  static StringRef name() { return "PolytilePass"; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    PtModule Module{M, MAM, FAM, Rest};
    bool Changed = Callbacks.run(&Module, text(StringRef(Params)));
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

// Whether emission has made a function; what the run-time brings along has other names.
bool isMade(const Function &F) { return F.getName().contains(".polytile."); }

// The last one in front of code generation.
struct HideStartsPass : PassInfoMixin<HideStartsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (!isMade(F) || F.hasOptNone())
      return PreservedAnalyses::all();
    bool Changed = hideStarts(F, FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F));
    if (!Changed)
      return PreservedAnalyses::all();
    PreservedAnalyses Kept;
    Kept.preserveSet<CFGAnalyses>();
    return Kept;
  }
};

// `polytile`, `polytile<a;b=c>` and `print<polytile-STAGE>`, `print<polytile-STAGE;a;b=c>`.
bool parse(PassBuilder &PB, StringRef Name, PtCallbacks Callbacks, ModulePassManager &MPM) {
  StringRef Printer, Params;
  if (Name.consume_front("print<polytile-")) {
    if (!Name.consume_back(">"))
      return false;
    std::tie(Printer, Params) = Name.split(';');
  } else if (Name.consume_front("polytile<")) {
    if (!Name.consume_back(">"))
      return false;
    Params = Name;
  } else if (Name != "polytile") {
    return false;
  }
  std::string All = Params.str();
  if (Printer == "stats")
    All = ("stats=-;" + Params).str();
  else if (!Printer.empty())
    All = ("dump=" + Printer + ";stop-after=" + Printer + ";" + Params).str();
  if (!Callbacks.check(text(StringRef(All))))
    return false;
  MPM.addPass(PolytilePass{{}, Callbacks, All, PtForesight(PB)});
  return true;
}

} // namespace

// What later passes do in vain for functions that emission has made is left out.
class Wanted {
  // Passes that find nothing, some of them after a long look at the numbers of iterations.
  static constexpr StringLiteral Idle[] = {"LoopRotatePass",    "LoopDeletionPass", "LoopDistributePass",
                                           "LoopSinkPass",      "DivRemPairsPass",  "ControlHeightReductionPass",
                                           "AlignmentFromAssumptionsPass", "Float2IntPass"};
  // The pass before, on the same function: nothing else runs in between.
  std::string Last;

public:
  bool operator()(StringRef Pass, const Any &IR) {
    auto *F = any_cast<const Function *>(&IR);
    if (!F)
      return true;
    std::string Before = std::exchange(Last, Pass.str());
    return !isMade(**F) || isWanted(Pass, Before, **F);
  }

private:
  static bool isWanted(StringRef Pass, StringRef Before, const Function &F) {
    // Checks in front of new versions are long straight lines that run once: packing their scalars into vectors takes longer to look for than
    // all of them take to run.
    if (Pass == "SLPVectorizerPass")
      return !F.hasFnAttribute(PtStraight);
    // Emitted loops are tested at their ends, none is dead, and none is taken apart or moved.
    if (is_contained(Idle, Pass))
      return false;
    // Behind the vectorizers of straight lines, where there is another one behind unrolling.
    return Pass != "InstCombinePass" || Before != "VectorCombinePass";
  }
};

void pt_register(PassBuilder *PB, PtCallbacks Callbacks) {
  if (auto *Instrumentation = PB->getPassInstrumentationCallbacks())
    Instrumentation->registerShouldRunOptionalPassCallback(
        [Asked = std::make_shared<Wanted>()](StringRef Pass, Any IR) { return (*Asked)(Pass, IR); });
  PB->registerPipelineParsingCallback(
      [=](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        return parse(*PB, Name, Callbacks, MPM);
      });
  // flang runs this point at -O0 too. Both LTO compile steps come here; their link steps come here (thin) or to the
  // next point (full). Functions and loops that were transformed say so themselves.
  PB->registerOptimizerEarlyEPCallback([=](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PolytilePass{{}, Callbacks, "", PtForesight(*PB, Level, Phase)});
  });
  // In a compile step of LTO, the passes behind this one are still to come.
  PB->registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
    bool IsLast = Phase != ThinOrFullLTOPhase::ThinLTOPreLink && Phase != ThinOrFullLTOPhase::FullLTOPreLink;
    if (Level != OptimizationLevel::O0 && IsLast)
      MPM.addPass(createModuleToFunctionPassAdaptor(HideStartsPass()));
  });
  PB->registerFullLinkTimeOptimizationLastEPCallback([](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(createModuleToFunctionPassAdaptor(HideStartsPass()));
  });
  PB->registerFullLinkTimeOptimizationEarlyEPCallback([=](ModulePassManager &MPM, OptimizationLevel Level) {
    if (Level != OptimizationLevel::O0)
      MPM.addPass(PolytilePass{{}, Callbacks, "", PtForesight(*PB)});
  });
}

LLVMModuleRef pt_module(PtModule *Module) { return wrap(&Module->module); }

void pt_error(PtModule *Module, PtText Message) { Module->module.getContext().emitError(text(Message)); }
