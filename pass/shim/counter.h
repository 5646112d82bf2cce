// Counters of loops.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

// Gives counters their step back where an iteration goes its own way; true if there were any.
bool restoreCounters(const llvm::LoopInfo &Loops, const llvm::DominatorTree &Dominators);
