// The analyses of one function, as the shim's files share them.
#pragma once

#include "common.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

struct PtAnalyses {
  llvm::Function &Function;
  llvm::LoopInfo &Loops;
  llvm::DominatorTree &Dominators;
  llvm::ScalarEvolution &Evolutions;
  llvm::AAResults &Aliases;
  llvm::AssumptionCache &Assumptions;
  llvm::TargetLibraryInfo &Library;
};

inline const llvm::Loop *loop(const void *l) { return static_cast<const llvm::Loop *>(l); }
inline const llvm::SCEV *scev(const void *s) { return static_cast<const llvm::SCEV *>(s); }
