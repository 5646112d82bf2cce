// Numbers that the compiler hands on from one iteration to the next instead of loading them again.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Loads such numbers, and those that a loop hands on to what comes behind it, again where they lie; whether there were any. Loops are in
// simplified, closed form before and after.
bool loadAgain(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
