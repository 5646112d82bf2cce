// Loops up to and including a number.
#pragma once
#include "llvm/Analysis/LoopInfo.h"

// Makes counters that stand still at the end of such loops go on; whether there were any.
bool settleInclusive(const llvm::LoopInfo &Loops);

// Whether a loop was one of these: no count of it is known where the program is compiled as it is.
bool wasUncounted(const llvm::Loop &L);
