// How deep in loops the functions of a module are called, as far as its calls tell: hot ones come first where work is short.
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

// Deeper calls are as hot; recursion ends here.
static constexpr unsigned Deepest = 8;

namespace {
struct Edge {
  const Function *From, *To;
  unsigned Loops;
};
} // namespace

static std::vector<Edge> callsOf(PtModule &Module) {
  std::vector<Edge> Found;
  for (Function &F : Module.module) {
    if (F.isDeclaration())
      continue;
    const LoopInfo &Loops = Module.functions.getResult<LoopAnalysis>(F);
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *To = Call ? Call->getCalledFunction() : nullptr;
      if (To && !To->isDeclaration())
        Found.push_back({&F, To, Loops.getLoopDepth(I.getParent())});
    }
  }
  return Found;
}

void pt_called_depths(PtModule *Module, void *Data, void (*Visit)(void *, LLVMValueRef, unsigned)) {
  std::vector<Edge> Calls = callsOf(*Module);
  DenseMap<const Function *, unsigned> Depth;
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < Deepest; ++Round) {
    Changed = false;
    for (const Edge &E : Calls) {
      unsigned Here = std::min(Depth.lookup(E.From) + E.Loops, Deepest);
      unsigned &There = Depth[E.To];
      Changed |= Here > There;
      There = std::max(Here, There);
    }
  }
  for (Function &F : Module->module)
    if (!F.isDeclaration())
      Visit(Data, wrap(&F), Depth.lookup(&F));
}
