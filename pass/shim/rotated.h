// Loops that end at their head, turned so that they end at their latch.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

// Turns a loop so that it tests at its end what it tests at its head; whether the head was short enough.
bool turn(llvm::Loop &L, llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

// Turns loops from which control may also go where it never returns; whether there were any. Loops are in simplified, closed form before, but maybe not
// after.
bool rotateChecked(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   llvm::function_ref<bool(const llvm::BasicBlock *)> Returns);
