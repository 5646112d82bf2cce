// Numbers that were computed on each way to a merge.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

// Computes them behind the merge, from what merges; whether there were any.
bool sinkNumbers(llvm::Function &F, const llvm::LoopInfo &Loops);
