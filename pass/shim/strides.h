// Loops that step by more than one.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

// A count of iterations, and what it is right for: `Left Predicate Right`.
struct AssumedCount {
  const llvm::SCEV *Count;
  llvm::CmpInst::Predicate Predicate;
  const llvm::SCEV *Left, *Right;
};

// How often a loop's back edge is taken before this block, its only one, leaves it, where its counter does not step over the end of its type.
std::optional<AssumedCount> strideCount(llvm::ScalarEvolution &SE, const llvm::DominatorTree &Dominators, const llvm::Loop &L,
                                        const llvm::BasicBlock &Exiting);
