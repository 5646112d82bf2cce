// Memory that an inner loop with bounds of data writes at places which stay where they are (rowcells.cpp).
#pragma once
#include "common.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

// One such place.
struct RowCell {
  llvm::Value *Pointer;
  llvm::Type *Type;
  llvm::Align Alignment;
  llvm::MDNode *Tbaa;
  // What it holds in front of the loop, if that was written just there.
  llvm::Value *Initial = nullptr;
};

struct RowCells {
  llvm::SmallVector<RowCell, 4> All;
  // Whether they are written in each iteration around, whether the loop runs or not.
  bool AreWrittenBefore = true;
};

// The places that a loop writes; nothing if it writes others, or may not write them. Test: the block that may skip the loop, if there is one.
std::optional<RowCells> rowCells(const llvm::Loop &L, const llvm::BasicBlock *Test, llvm::ScalarEvolution &Evolutions,
                                 const llvm::DominatorTree &Dominators);

// Gives each place a variable of a function that holds a copy of the loop; Map has the copies of Blocks. The arguments from First on are what they hold in
// front.
llvm::SmallVector<llvm::AllocaInst *, 4> keepCells(const RowCells &Cells, const llvm::ValueToValueMapTy &Map,
                                                   llvm::ArrayRef<llvm::BasicBlock *> Blocks, llvm::Function &New, unsigned First);

// What the places hold in front of an instruction, and stores of what they hold there.
llvm::SmallVector<llvm::Value *, 4> loadCells(const RowCells &Cells, llvm::Instruction *At, const llvm::DominatorTree &Dominators);
void storeCells(const RowCells &Cells, llvm::ArrayRef<llvm::Value *> Values, llvm::Instruction *At, const llvm::DominatorTree &Dominators);

// Whether an instruction is one of these loads and stores.
bool isOfCells(const llvm::Instruction &I);

// Removes those around a call.
void dropCells(llvm::CallInst &Call);
