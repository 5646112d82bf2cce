// Loops that go on while what is left is enough for one more step.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

// How often such a loop's back edge is taken before this block leaves it, or null.
const llvm::SCEV *remainingCount(llvm::ScalarEvolution &SE, const llvm::DominatorTree &Dominators, const llvm::Loop &L,
                                 const llvm::BasicBlock &Exiting);
