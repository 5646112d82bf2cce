// Inner loops whose bounds depend on data.
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

// Moves one such loop to a function of its own; whether there was one.
bool hideRagged(PtModule &Module, llvm::Function &F, const llvm::LoopInfo &Loops, llvm::ScalarEvolution &Evolutions,
                llvm::DominatorTree &Dominators);

// Whether a loop may be one that finds out itself when it ends, as far as is seen at a glance: it may have several ways out to one place.
bool mayEndItself(const llvm::Loop &L);

// Whether a function is such a loop.
bool isHidden(const llvm::Function &F);

// The body of such a loop takes the place of its call.
void showRow(llvm::CallInst &Call);

// An internal function of this type without a body, with the attributes of F that speak of its code; it returns.
llvm::Function *functionBeside(llvm::Function &F, llvm::FunctionType *Type, const char *Suffix);
