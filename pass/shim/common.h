// Conversions shared by the shim's files.
#pragma once

#include "parted.h"
#include "shim.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/Value.h"
#include <map>
#include <vector>

inline llvm::StringRef text(PtText t) { return llvm::StringRef(t.data, t.size); }
inline PtText text(llvm::StringRef s) { return PtText{s.data(), s.size()}; }
inline llvm::Function *function(LLVMValueRef v) { return llvm::cast<llvm::Function>(llvm::unwrap(v)); }
inline llvm::Instruction *instruction(LLVMValueRef v) { return llvm::cast<llvm::Instruction>(llvm::unwrap(v)); }
inline llvm::BasicBlock *block(LLVMBasicBlockRef b) { return llvm::unwrap(b); }

// An attribute of new functions without loops.
inline constexpr const char *PtStraight = "polytile-straight";

struct PtForesight;
struct PtInlined;

struct PtModule {
  llvm::Module &module;
  llvm::ModuleAnalysisManager &analyses;
  llvm::FunctionAnalysisManager &functions;
  const PtForesight &rest;
  // Sums of functions as they came; those of working copies carry what is foreseen of them (contraction.h).
  llvm::DenseMap<const llvm::Value *, PtContraction> contractions{};
  // Calls of working copies that were inlined for the time being.
  std::map<const llvm::Function *, std::vector<PtInlined>> inlined{};
  // What loads of the working copy merge to that was one load (parted.h).
  PartedLoads parted{};
};
