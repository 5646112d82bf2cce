// Pointers and counters that run on through inner loops.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

// Whether there may be some.
bool hasRunning(const llvm::LoopInfo &Loops);
// Takes what they are where an inner loop ends from what they are where it begins; whether anything was changed.
bool settleRunning(const llvm::LoopInfo &Loops, llvm::ScalarEvolution &Evolutions);
