// Comparisons of what a loop counts with what stands still in it.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

// `Counter Predicate Bound`, where the counter evolves in the loop by a step that stays the same.
struct Compared {
  llvm::CmpInst::Predicate Predicate;
  const llvm::SCEVAddRecExpr *Counter;
  const llvm::SCEV *Bound;
};

// What a condition says of a loop's counter where it has this outcome, if it says such a thing.
std::optional<Compared> compared(llvm::ScalarEvolution &SE, const llvm::Loop &L, const llvm::Value &Condition, bool Outcome);

// While what a loop goes on, if this block asks in each iteration.
std::optional<Compared> goesOn(llvm::ScalarEvolution &SE, const llvm::DominatorTree &Dominators, const llvm::Loop &L,
                               const llvm::BasicBlock &Exiting);
