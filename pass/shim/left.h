// What counters are where their loops end.
#pragma once
#include "llvm/Analysis/LoopInfo.h"

// Takes counters behind loops with several ways out from the number at which they ended; whether there were any. Loops are in closed form, and
// stay so.
bool settleLeft(llvm::LoopInfo &Loops);
