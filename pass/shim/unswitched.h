// Versions of loops for arrays without gaps, which the compiler has left inside of the loops around them.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Takes the outermost such loop apart; whether there was one. Loops of the function are simplified and closed.
bool unswitchGaps(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
