// Local objects of one iteration.
#pragma once
#include "llvm/Analysis/LoopInfo.h"

// Makes objects of the function out of those of constant size that loops make anew in each iteration; whether there were any. `FusesAll`:
// the back end fuses products with sums whatever their flags say.
bool settleLocals(llvm::Function &F, const llvm::LoopInfo &Loops, bool FusesAll);
