// A copy of a loop beside it.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

// From now on a loop in simplified, closed form runs where a condition holds, and a copy of it where not, which is never looked at. `Map` gets
// what stands for what in the copy.
void keepBeside(llvm::Loop &L, llvm::Value *Holds, const llvm::Twine &Suffix, llvm::LoopInfo &Loops, llvm::DominatorTree &Dominators,
                llvm::ValueToValueMapTy &Map);
