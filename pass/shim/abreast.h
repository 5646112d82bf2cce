// Loops that find out themselves when they end, for several iterations of the loop around them at once.
#pragma once
#include "common.h"

// How many iterations a hidden loop may run for at once; 0 where it may not.
unsigned lanesAbreast(llvm::Function &Row, llvm::FunctionAnalysisManager &FAM);

// Says of a hidden loop that it may run for so many iterations at once.
void setAbreast(llvm::Function &Row, unsigned Lanes);

// What was said of it; 0 if nothing was.
unsigned abreast(const llvm::Function &Row);

// Makes the function for several iterations of a hidden loop, if loops around its calls may be vectors: those calls stay. Returns the others.
llvm::SmallVector<llvm::User *, 8> keepAbreast(llvm::Function &Row);

// Calls of a function that has its final name name the function for several iterations.
void nameAbreast(llvm::Function &F);
