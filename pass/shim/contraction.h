// Which product a sum takes up: what instruction selection will do, as far as it can be foreseen.
#pragma once

#include "common.h"
#include "llvm/Passes/PassBuilder.h"
#include <optional>

// Whether an instruction is a sum of no product: whatever comes to it from another function later, the back end will not fuse it there.
bool isSumOfNoProduct(const PtModule &Module, const llvm::Instruction &I);

// What is foreseen of a sum; none of one with products that came from another function.
std::optional<PtContraction> foreseen(const PtModule &Module, const llvm::Instruction &I);

// Says it of an operation of a working copy: its copies, in unrolled and divided loops, know it too.
void sayForeseen(llvm::Instruction &I, PtContraction Foreseen);

// Takes away what was said of a function's operations.
void unsayForeseen(llvm::Function &F);

// Knows it of a function that was a working copy: what is inlined from there is asked as of any other.
void settleForeseen(PtModule &Module, llvm::Function &F);

// Makes fused operations of a function of ours of all sums that the back end would fuse. Where a loop is unrolled, or its first iteration becomes a block of
// its own, both factors may turn out to be constants: then the product alone would be folded, and rounded.
void fuseSums(const PtModule &Module, llvm::Function &Made);

// What comes behind this pass.
struct PtForesight {
  llvm::PassBuilder *builder; // nullptr: nobody knows
  llvm::TargetMachine *machine;
  llvm::OptimizationLevel level;
  llvm::ThinOrFullLTOPhase phase;

  // Link-time optimization goes on with passes that see other modules.
  PtForesight(llvm::PassBuilder &Builder, llvm::OptimizationLevel Level, llvm::ThinOrFullLTOPhase Phase);
  // In a pipeline that a user wrote.
  explicit PtForesight(llvm::PassBuilder &Builder);
};
