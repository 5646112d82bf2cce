// Calls in loops that LLVM has left, with the callee's body in their place while the working copy is looked at.
#pragma once
#include "common.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

// A call that was inlined for the time being. Its place begins behind one marked branch and ends with another.
struct PtInlined {
  // The call with its attributes, of nothing yet.
  llvm::CallInst *call;
  llvm::Function *callee;
  llvm::SmallVector<llvm::WeakTrackingVH, 8> arguments;
  bool unwinds;
};

// Whether a call can be replaced by the body of what it calls.
bool isInlinable(const llvm::Instruction &I);

// Whether the body of a function may take the place of calls of it.
bool isSmallBody(const llvm::Function &F);

// Forgets what was inlined into a function that goes away.
void forgetInlined(PtModule &Module, const llvm::Function &F);
