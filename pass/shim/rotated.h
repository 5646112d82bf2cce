// Loops that end at their head, turned so that they end at their latch.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Turns loops from which control may also go where it never returns; whether there were any. Loops are in simplified, closed form before, but maybe not
// after.
bool rotateChecked(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   llvm::function_ref<bool(const llvm::BasicBlock *)> Returns);
