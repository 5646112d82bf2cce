// Loads through pointers that merge.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

// Loads on each way to the merge instead; whether there were any.
bool partLoads(llvm::Function &F, const llvm::LoopInfo &Loops);
