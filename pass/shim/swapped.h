// Loops whose iterations exchange pointers.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

// Unrolls one loop of a function by as many iterations as it takes until all that it exchanges is in place again; whether there was one.
bool unrollSwapped(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
