// Switches as chains of comparisons.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

// Whether a switch can become a chain of comparisons that a region can hold.
bool isLowerable(const llvm::SwitchInst &S, const llvm::LoopInfo &Loops);

// Makes chains of the switches that can be; whether there were any.
bool lowerSwitches(llvm::Function &F, const llvm::LoopInfo &Loops);
