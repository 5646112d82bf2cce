// New functions that do the same: copies of a nest, as inlining makes them, are compiled once. LLVM's own pass for that does not look past
// alias scopes. Debug information is not compared, as the code is the same with it and without.
#include "common.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {
// Whether the bodies of two functions are the same but for the names of their own values and of their own metadata.
class Comparison {
  const Function &A, &B;
  DenseMap<const Value *, const Value *> Values;
  DenseMap<const MDNode *, const MDNode *> Nodes, Back;

  bool pair(const Value &Left, const Value &Right) {
    Values[&Left] = &Right;
    return Left.getType() == Right.getType();
  }

  bool pairInstructions(const BasicBlock &Left, const BasicBlock &Right) {
    if (!pair(Left, Right) || Left.size() != Right.size())
      return false;
    auto Other = Right.begin();
    for (const Instruction &I : Left) {
      const Instruction &J = *Other++;
      bool Alike = I.isSameOperationAs(&J) && I.getRawSubclassOptionalData() == J.getRawSubclassOptionalData();
      if (!Alike || !pair(I, J))
        return false;
    }
    return true;
  }

  bool pairAll() {
    auto Argument = B.arg_begin();
    for (const auto &Own : A.args())
      if (!pair(Own, *Argument++))
        return false;
    auto Other = B.begin();
    for (const BasicBlock &Block : A)
      if (!pairInstructions(Block, *Other++))
        return false;
    return true;
  }

  // Nodes with an identity of their own (scopes, loops) correspond one to one; their names do not matter.
  bool sameNodes(const MDNode *Left, const MDNode *Right) {
    auto Known = Nodes.find(Left);
    if (Known != Nodes.end() || Back.count(Right))
      return Known != Nodes.end() && Known->second == Right;
    bool Plain = isa<MDTuple>(Left) && isa<MDTuple>(Right);
    if (!Plain || Left->isDistinct() != Right->isDistinct() || Left->getNumOperands() != Right->getNumOperands())
      return false;
    Nodes[Left] = Right;
    Back[Right] = Left;
    for (unsigned Op = 0; Op < Left->getNumOperands(); ++Op) {
      const Metadata *L = Left->getOperand(Op), *R = Right->getOperand(Op);
      bool Names = Left->isDistinct() && isa_and_nonnull<MDString>(L) && isa_and_nonnull<MDString>(R);
      if (!Names && !sameMetadata(L, R))
        return false;
    }
    return true;
  }

  bool sameMetadata(const Metadata *Left, const Metadata *Right) {
    auto *L = dyn_cast_or_null<MDNode>(Left), *R = dyn_cast_or_null<MDNode>(Right);
    // Where a loop is in the source changes nothing.
    if (isa_and_nonnull<DILocation>(L) && isa_and_nonnull<DILocation>(R))
      return true;
    return L && R ? sameNodes(L, R) : Left == Right;
  }

  bool sameValue(const Value *Left, const Value *Right) {
    auto Own = Values.find(Left);
    if (Own != Values.end())
      return Own->second == Right;
    auto *L = dyn_cast<MetadataAsValue>(Left), *R = dyn_cast<MetadataAsValue>(Right);
    if (L && R)
      return sameMetadata(L->getMetadata(), R->getMetadata());
    // Neither calls itself, so that both mean the same.
    return isa<Constant>(Left) && Left == Right;
  }

  bool sameUses(const Instruction &I, const Instruction &J) {
    for (unsigned Op = 0; Op < I.getNumOperands(); ++Op)
      if (!sameValue(I.getOperand(Op), J.getOperand(Op)))
        return false;
    if (auto *Phi = dyn_cast<PHINode>(&I))
      for (unsigned In = 0; In < Phi->getNumIncomingValues(); ++In)
        if (!sameValue(Phi->getIncomingBlock(In), cast<PHINode>(J).getIncomingBlock(In)))
          return false;
    SmallVector<std::pair<unsigned, MDNode *>> Left, Right;
    I.getAllMetadataOtherThanDebugLoc(Left);
    J.getAllMetadataOtherThanDebugLoc(Right);
    if (Left.size() != Right.size())
      return false;
    for (unsigned At = 0; At < Left.size(); ++At)
      if (Left[At].first != Right[At].first || !sameNodes(Left[At].second, Right[At].second))
        return false;
    return true;
  }

  bool sameAround() const {
    return A.getFunctionType() == B.getFunctionType() && A.getAttributes() == B.getAttributes() &&
           A.getCallingConv() == B.getCallingConv() && A.getLinkage() == B.getLinkage() &&
           A.getSection() == B.getSection() && A.getAlign() == B.getAlign() && A.size() == B.size() &&
           !A.hasPersonalityFn() && !B.hasPersonalityFn();
  }

public:
  Comparison(const Function &A, const Function &B) : A(A), B(B) {}

  bool same() {
    if (!sameAround() || !pairAll())
      return false;
    for (auto [I, J] : zip_equal(instructions(A), instructions(B)))
      if (!sameUses(I, J))
        return false;
    return true;
  }
};
} // namespace

bool pt_same_body(LLVMValueRef A, LLVMValueRef B) { return Comparison(*function(A), *function(B)).same(); }

void pt_put_in_place(PtModule *Module, LLVMValueRef Of, LLVMValueRef By) {
  Function &Old = *function(Of);
  Old.replaceAllUsesWith(function(By));
  Module->functions.clear(Old, Old.getName());
  Old.eraseFromParent();
}
