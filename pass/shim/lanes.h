// Which operations of a function the lanes of its vectors stand for, as far as passes that make vectors of scalars tell.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include <map>
#include <set>
#include <vector>

// A sum, difference or product of floating point numbers, or of vectors of them.
bool isArithmetic(const llvm::Instruction &I);

// The line of an operation, 0 if it has none.
unsigned lineOf(const llvm::Instruction &I);

// Operations of one function, known by the lines of their debug locations. Vectors whose lanes are several operations get lines of their own.
class Lanes {
public:
  // In front of a pass: gives every operation a mark.
  void mark(llvm::Function &F);
  // Behind it: reads the marks, takes them away, and says whose operation each one is. Returns the lines of operations
  // that got lost; 0 if a sum came from nowhere. `ByPlace`: what has no mark and the location of an operation that is gone took its place.
  std::set<unsigned> settle(llvm::Function &F, bool ByPlace);
  // The operations that are lanes of the one with this line.
  std::set<unsigned> members(unsigned Line) const;
  bool has(unsigned Line, unsigned Member) const { return members(Line).count(Member); }

private:
  struct Marked {
    unsigned Line;
    unsigned Opcode;
  };
  std::vector<Marked> Marks;
  llvm::DenseMap<const llvm::Metadata *, unsigned> Scopes;
  std::map<unsigned, std::set<unsigned>> Groups;

  std::set<unsigned> marks(const llvm::Instruction &I) const;
  std::set<unsigned> stand(const llvm::Instruction &I) const;
  unsigned lineFor(std::set<unsigned> Lines);
};
