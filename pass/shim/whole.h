// Loops beside a version of their own.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

// Keeps a loop as it is where something does not hold, in front of which the loop itself may be changed now; the copy's blocks, the first of which is
// its preheader. The loop is simplified and closed. The copy is not looked at.
llvm::SmallVector<llvm::BasicBlock *, 8> keepWhole(llvm::Loop &L, llvm::Value *Holds, llvm::StringRef Suffix, llvm::LoopInfo &Loops,
                                                   llvm::DominatorTree &Dominators);
