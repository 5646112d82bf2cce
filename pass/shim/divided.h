// Loops of which each part of the iterations can run by itself.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

// An outermost loop whose counters say where a part begins.
class Divided {
  llvm::Loop &L;
  llvm::ScalarEvolution &Evolutions;
  const llvm::DominatorTree &Dominators;
  const char *Mark = nullptr;
  llvm::SCEVExpander Expander;

public:
  Divided(llvm::Loop &L, llvm::ScalarEvolution &Evolutions, const llvm::DominatorTree &Dominators)
      : L(L), Evolutions(Evolutions), Dominators(Dominators), Expander(Evolutions, "") {}
  // Whether it can be divided; `Clash`: where the function ends early, `Trap`: where the program does. Nothing has to be asked in front
  // of a load that is not marked so.
  bool fits(const llvm::BasicBlock *Clash, const llvm::BasicBlock *Trap, const char *Mark);
  // Runs the part of so many iterations that begins and ends there.
  void divide(llvm::function_ref<std::pair<llvm::Value *, llvm::Value *>(llvm::IRBuilder<> &, llvm::Value *)> Part);

private:
  llvm::Instruction *before() const { return L.getLoopPreheader()->getTerminator(); }
  const llvm::SCEVAddRecExpr *counter(llvm::PHINode &Phi) const;
  llvm::LoadInst *carried(llvm::PHINode &Phi) const;
  const llvm::SCEVAddRecExpr *address(llvm::LoadInst &Load) const;
  llvm::Value *at(const llvm::SCEVAddRecExpr &Counter, llvm::Value *Iteration);
};
