// Loads whose subscripts a condition on data chooses.
#pragma once
#include "parted.h"
#include "llvm/IR/PassManager.h"

// Loads on both ways of the condition instead, each at its own subscript, with what they merge to; what was known of the function is forgotten where there were any.
void partSubscripts(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, PartedLoads &Parted);
