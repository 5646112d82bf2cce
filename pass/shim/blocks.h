// Blocks of memory that each iteration of a loop allocates.
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instruction.h"

// Whether control returns to the caller from a block.
using Returning = bool (*)(const llvm::BasicBlock *);

// Lets one pointer of the function stand for the blocks that one place of a loop allocates; whether there were any.
bool liftBlocks(llvm::Function &F, const llvm::LoopInfo &Loops, const llvm::TargetLibraryInfo &Library, Returning Returns);

// Whether an instruction allocates or frees such a block, or says where that is: a new version does nothing of the kind.
bool isOfBlock(const llvm::Instruction &I);

// Whether an instruction allocates a block or frees one, as attributes say, whatever else happens to that.
bool isAllocation(const llvm::Instruction &I);

// Whether an instruction ends what is in the block that a pointer stands for.
bool endsBlock(const llvm::Instruction &I, const llvm::Value &Block);

// Whether a call is the pointer that stands for blocks.
bool isBlock(const llvm::Value &V);

// What a pointer is in the program: of one that stands for blocks, the pointer to one of them.
const llvm::Value &ofProgram(const llvm::Value &Pointer);
