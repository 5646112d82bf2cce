#pragma once
#include "llvm/IR/PassManager.h"

// Takes what an innermost loop looks up in each iteration, although it is the same in all, out of it: `c[nxt[j]][i]` for all `i` lies side by side,
// which the vectorizer does not see where `nxt[j]` is loaded among them.
void hoistLookups(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
