// Optimization remarks.
#include "common.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

static const char *const PassName = "polytile";

template <typename Remark> static void emit(OptimizationRemarkEmitter &Emitter, Remark R, const PtPart *Parts, size_t Count) {
  for (size_t I = 0; I < Count; ++I) {
    if (Parts[I].key.size == 0)
      R << text(Parts[I].value);
    else
      R << ore::NV(text(Parts[I].key), text(Parts[I].value));
  }
  Emitter.emit(R);
}

bool pt_remarks_wanted(PtModule *Module, LLVMValueRef F) {
  return Module->functions.getResult<OptimizationRemarkEmitterAnalysis>(*function(F)).allowExtraAnalysis(PassName);
}

void pt_remark(PtModule *Module, PtRemarkKind Kind, PtText Name, LLVMValueRef F, LLVMMetadataRef Location,
               const PtPart *Parts, size_t Count) {
  Function &Fn = *function(F);
  auto &Emitter = Module->functions.getResult<OptimizationRemarkEmitterAnalysis>(Fn);
  // The working copy may hold the loop; a remark belongs to the function that the user wrote.
  const BasicBlock *Region = &Fn.getEntryBlock();
  DebugLoc Loc;
  if (Location)
    Loc = DebugLoc(cast<DILocation>(unwrap(Location)));
  switch (Kind) {
  case PT_PASSED:
    return emit(Emitter, OptimizationRemark(PassName, text(Name), Loc, Region), Parts, Count);
  case PT_MISSED:
    return emit(Emitter, OptimizationRemarkMissed(PassName, text(Name), Loc, Region), Parts, Count);
  case PT_ANALYSIS:
    return emit(Emitter, OptimizationRemarkAnalysis(PassName, text(Name), Loc, Region), Parts, Count);
  }
}
