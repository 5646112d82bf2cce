// Where the values of innermost loops begin, hidden from the back end.
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

// What stands in front of a function's innermost loops and is used inside becomes opaque for scalar evolution; whether there was any.
bool hideStarts(llvm::Function &F, const llvm::LoopInfo &Loops, llvm::ScalarEvolution &Evolutions);
