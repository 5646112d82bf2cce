// Choices between integers, in code that this pass makes: rows of neighbours at a border.
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"

// Moves those in front of the loops that they stand still in; whether there were any. LLVM's vectorizer, which comes next, takes what is
// loaded at an address with such a choice inside for elements that lie anywhere.
bool hoistChoices(llvm::Function &F, llvm::LoopInfo &Loops);
