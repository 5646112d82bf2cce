// Loads through pointers that merge, and one load for several again (also for those that subscripts.h parts).
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"

// What loads merge to that were one load.
using PartedLoads = llvm::SmallVector<llvm::WeakVH, 8>;

// Loads on each way to the merge instead, with what they merge to; whether there were any.
bool partLoads(llvm::Function &F, const llvm::LoopInfo &Loops, PartedLoads &Parted);

// Of what merges so and is still there, one load behind the merge again.
void joinLoads(llvm::ArrayRef<llvm::WeakVH> Parted);
