// Choices between integers, in code that this pass makes (rows of neighbours at a border), and quotients of them.
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"

// Moves those in front of the loops that they stand still in; whether there were any. LLVM's vectorizer, which comes next, takes what is
// loaded at an address with such a choice inside for elements that lie anywhere. A division under a condition it makes in those lanes that
// the condition holds for, and takes the address of the first lane all the same.
bool hoistChoices(llvm::Function &F, llvm::LoopInfo &Loops);
