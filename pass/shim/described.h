// What the descriptions of Fortran's arrays say, where loops ask for it again and again.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Loads such numbers and addresses in front of the nests that load them; whether there were any. Loops have preheaders of their own.
bool hoistDescriptions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
