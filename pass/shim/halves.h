// Numbers that are two in one.
#pragma once
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/Function.h"

// Values of their own for the halves of arguments, loads and merges of which nothing else is used; whether there were any.
bool partHalves(llvm::Function &F, llvm::DemandedBits &Bits);
