// Small structures that are filled or copied as bytes.
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Writes them number by number in loops; whether there were any.
bool writeNumbers(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
