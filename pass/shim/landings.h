// Places between loops and where they go.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

// Gives each way out of a nest a block of its own where several go to one place; whether there were any.
bool splitLandings(llvm::LoopInfo &Loops, llvm::DominatorTree &Dominators);
