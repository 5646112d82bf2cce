// Addresses and strides of Fortran's arrays, which lie in descriptions:
//
//   for i: if (mask(i)) for j: u(i, j) = ..             a = u.address; s = u.stride
//                                              becomes   for i: if (mask(i)) for j: a[i + j*s] = ..
//
// Nobody tells LLVM that a description can be read where the program does not get to its array, so that loads under a condition stay there, and the
// nest has no array for us. A description that is handed to a procedure is there, or its address is null: an argument that is optional. Where it is
// null zeros are read instead.
#include "described.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

// Bytes of the longest description that is looked into.
constexpr int64_t MaxOffset = 512;

// More loads of a nest are left where they are.
constexpr unsigned MaxLoads = 256;

// A place in what an argument points to, and what is loaded from there.
using Place = std::tuple<Argument *, int64_t, Type *>;

// Whether a load is one from a description: the compiler tells such apart from data.
bool isOfDescription(const LoadInst &Load) {
  const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
  if (!Load.isSimple() || !Tag || Tag->getNumOperands() < 3)
    return false;
  auto *Accessed = dyn_cast<MDNode>(Tag->getOperand(1));
  auto *Name = Accessed && Accessed->getNumOperands() > 0 ? dyn_cast<MDString>(Accessed->getOperand(0)) : nullptr;
  return Name && Name->getString() == "descriptor member";
}

std::optional<Place> placeOf(LoadInst &Load) {
  const DataLayout &Layout = Load.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  Value *Base = Load.getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  auto *A = dyn_cast<Argument>(Base);
  if (!A || Offset.isNegative() || Offset.sgt(MaxOffset))
    return std::nullopt;
  return Place{A, Offset.getSExtValue(), Load.getType()};
}

class Nest {
  const Loop &L;
  BatchAAResults Aliases;
  SmallVector<Instruction *, 32> Writes;
  MapVector<Place, SmallVector<LoadInst *, 4>> Found;

  bool isWritten(const LoadInst &Load) {
    MemoryLocation At = MemoryLocation::get(&Load);
    return any_of(Writes, [&](Instruction *W) { return isModSet(Aliases.getModRefInfo(W, At)); });
  }

  // Zeros to read where there is no description.
  static Value *address(const Place &Of, IRBuilder<> &B) {
    auto &[A, Offset, Ty] = Of;
    Value *At = Offset ? B.CreateConstGEP1_64(B.getInt8Ty(), A, Offset) : A;
    if (A->hasNonNullAttr())
      return At;
    Function &F = *A->getParent();
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Zero = Entry.CreateAlloca(Ty);
    Entry.CreateStore(Constant::getNullValue(Ty), Zero);
    return B.CreateSelect(B.CreateIsNull(A), Zero, At);
  }

public:
  Nest(const Loop &L, AAResults &AA) : L(L), Aliases(AA) {
    SmallVector<LoadInst *, 16> Loads;
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block) {
        if (I.mayWriteToMemory())
          Writes.push_back(&I);
        auto *Load = dyn_cast<LoadInst>(&I);
        if (Load && isOfDescription(*Load))
          Loads.push_back(Load);
      }
    if (Loads.size() > MaxLoads)
      return;
    for (LoadInst *Load : Loads)
      if (auto At = placeOf(*Load); At && !isWritten(*Load))
        Found[*At].push_back(Load);
  }

  // Where a description is loaded: at the function's begin, if nobody may change it.
  static Instruction *placeFor(Argument &A, BasicBlock &Before) {
    bool IsKept = A.onlyReadsMemory() && A.hasNoAliasAttr();
    return (IsKept ? A.getParent()->getEntryBlock() : Before).getTerminator();
  }

  bool hoist() {
    BasicBlock *Before = L.getLoopPreheader();
    if (!Before || Found.empty())
      return false;
    for (auto &[At, Loads] : Found) {
      IRBuilder<> B(placeFor(*std::get<Argument *>(At), *Before));
      LoadInst *Once = B.CreateLoad(std::get<Type *>(At), address(At, B));
      Once->setAAMetadata(Loads.front()->getAAMetadata());
      for (LoadInst *Load : Loads) {
        Load->replaceAllUsesWith(Once);
        Load->eraseFromParent();
      }
    }
    return true;
  }
};

} // namespace

bool hoistDescriptions(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  if (Loops.empty())
    return false;
  bool Any = false;
  for (Loop *L : Loops)
    Any |= Nest(*L, FAM.getResult<AAManager>(F)).hoist();
  return Any;
}
