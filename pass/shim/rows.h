// Loads of pointers to rows, in code that this pass makes.
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

// Moves those that emission has marked in front of the loops that they stand still in; whether there were any. LLVM's vectorizer, which comes
// next, takes a loop with such a load inside for one whose rows are looked up in each iteration.
bool hoistRows(llvm::Function &F, llvm::LoopInfo &Loops, llvm::DominatorTree &Dominators);
