// One loop over the elements of several dimensions.
#pragma once
#include "llvm/IR/PassManager.h"

// Makes two loops of one that takes its counter apart by quotient and remainder; whether there was one. Loops of the function are simplified and
// closed.
bool expandCollapsed(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
