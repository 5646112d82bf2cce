// Loops that go on and end in one place.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

// The branch with which a block goes one of two ways, or null.
llvm::BranchInst *conditional(llvm::BasicBlock *B);

// Closes one loop that is left in front of its latch; whether there was one.
bool closeLoop(const llvm::LoopInfo &Loops, const llvm::DominatorTree &Dominators);
