// Differences that the compiler has written as exclusive or.
#pragma once
#include "llvm/Analysis/LoopInfo.h"

// Writes those of integers in loops as differences again; whether there were any.
bool restoreDifferences(const llvm::LoopInfo &Loops);
