// What instruction selection makes of the sums of a function: one operation with a product, or two.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <set>
#include <tuple>

// One copy of a sum among the instructions of the target.
struct SelectedSum {
  // Whether it took up a product.
  bool Fused;
  // The lines of products that are operands of it; of them it took up none. 0: a product without a line.
  std::set<unsigned> Products;
  bool operator<(const SelectedSum &S) const { return std::tie(Fused, Products) < std::tie(S.Fused, S.Products); }
};

// By the line of a sum: what became of its copies. Under 0 are those of which nobody knows whose they are.
using SelectedSums = std::map<unsigned, std::set<SelectedSum>>;

// Selects instructions for functions of a module that nobody needs afterwards, as the target machine does for those that it is a copy of. Lines are those of
// debug locations.
std::map<const llvm::Function *, SelectedSums> selectInstructions(llvm::Module &M, llvm::TargetMachine &Machine, llvm::ArrayRef<llvm::Function *> Functions);
