// Loops that one of two tests ends.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Makes both tests of one such loop one test at its end; whether there was one. Loops are in simplified, closed form before, but maybe not after.
bool uniteTests(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                llvm::function_ref<bool(const llvm::BasicBlock *)> Returns);
