// Which operations of a function the lanes of its vectors stand for, as far as passes that make vectors of scalars tell.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/ValueHandle.h"
#include <array>
#include <map>
#include <optional>
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
  // In front of any other pass, which may run others inside: remembers where the operations are.
  void follow(llvm::Function &F);
  // Behind it: operations that were moved or became one, and lost their lines, get them again.
  void find(llvm::Function &F);
  // At the end: gives what an operation may become one instruction with the operation's line.
  void spread(llvm::Function &F);
  // The operations that are lanes of the one with this line.
  std::set<unsigned> members(unsigned Line) const;

private:
  struct Marked {
    unsigned Line;
    unsigned Opcode;
    // The marks of its operands, as far as they are operations.
    std::array<std::optional<unsigned>, 2> Operands;
  };
  // A shuffle of operations of one kind, and what it has become.
  struct Shuffled {
    llvm::WeakTrackingVH Now;
    std::set<unsigned> Marks;
  };
  struct Followed {
    llvm::WeakTrackingVH Now;
    unsigned Line;
    unsigned Opcode;
  };
  std::vector<Marked> Marks;
  std::vector<Shuffled> Shuffles;
  std::vector<std::vector<Followed>> Before;
  llvm::DenseMap<const llvm::Metadata *, unsigned> Scopes;
  std::map<unsigned, std::set<unsigned>> Groups;

  std::set<unsigned> marks(const llvm::Instruction &I) const;
  std::set<unsigned> stand(const llvm::Instruction &I) const;
  std::set<unsigned> shuffled(const llvm::ShuffleVectorInst &Shuffle, const std::map<const llvm::Value *, std::set<unsigned>> &Known) const;
  std::map<const llvm::Instruction *, std::set<unsigned>> widened() const;
  std::set<unsigned> operands(const std::set<unsigned> &Of, unsigned Place) const;
  unsigned lineFor(std::set<unsigned> Lines);
  void setLine(llvm::Instruction &I, unsigned Line) const;
};
