// Sections of Fortran's arrays that loops hand to procedures.
#pragma once
#include "llvm/IR/PassManager.h"

// Asks in front of a nest whether the elements of such a section lie side by side, for a nest without copies; whether there was one that asked in
// each iteration. Loops of the function are simplified and closed.
bool settleSections(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
