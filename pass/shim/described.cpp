// Addresses and strides of Fortran's arrays, which lie in descriptions:
//
//   for i: if (mask(i)) for j: u(i, j) = ..             a = u.address; s = u.stride
//                                              becomes   for i: if (mask(i)) for j: a[i + j*s] = ..
//
// Nobody tells LLVM that a description can be read where the program does not get to its array, so that loads under a condition stay there, and the
// nest has no array for us. A description that is handed to a procedure is there, or its address is null: an argument that is optional. Where it is
// null zeros are read instead. One in a structure is there where the program has read the same one, or something behind it in the structure; and
// a structure of which a procedure has constant places only is one, and no array that may be empty.
#include "described.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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

// What a function is known to read of its arguments, and where.
class Known {
  const DominatorTree &Dominators;
  // Of each argument: what is loaded from there at constant places, whether all of that is what descriptions have, and whether there is nothing else.
  struct Uses {
    SmallVector<std::pair<LoadInst *, int64_t>, 8> Loads;
    bool AreOfDescription = true;
    bool AreConstant = true;
  };
  DenseMap<Argument *, Uses> All;

  // Bytes in front of what is said of dimensions, in words.
  static constexpr int64_t Head = 24;

  static bool isField(const LoadInst &Load, int64_t Offset) {
    if (!isOfDescription(Load))
      return false;
    return Load.getType()->isPointerTy() ? Offset == 0 : Offset >= Head && Load.getType()->isIntegerTy(64);
  }

  void collect(Value *V, Argument &A) {
    for (User *U : V->users()) {
      auto *Load = dyn_cast<LoadInst>(U);
      auto At = Load ? placeOf(*Load) : std::nullopt;
      if (At) {
        int64_t Offset = std::get<int64_t>(*At);
        All[&A].Loads.push_back({Load, Offset});
        All[&A].AreOfDescription &= isField(*Load, Offset);
      } else if (auto *Address = dyn_cast<GetElementPtrInst>(U); Address && Address->hasAllConstantIndices()) {
        collect(Address, A);
      } else if (!isa<ICmpInst>(U)) {
        auto *Store = dyn_cast<StoreInst>(U);
        All[&A].AreConstant &= Store && Store->getPointerOperand() == V;
        All[&A].AreOfDescription = false;
      }
    }
  }

public:
  Known(Function &F, const DominatorTree &Dominators) : Dominators(Dominators) {
    for (Argument &A : F.args())
      if (A.getType()->isPointerTy())
        collect(&A, A);
  }

  // Whether an argument is nothing but a description.
  bool isDescription(Argument &A) { return All[&A].AreOfDescription && All[&A].AreConstant; }

  // Whether it is no array, for all that is done with it.
  bool isAlone(Argument &A) { return All[&A].AreConstant; }

  // Whether the program has read something that far in what an argument points to before it comes to a block's end, or of the same description.
  bool hasRead(const Place &Of, const BasicBlock &Before) {
    auto &[A, Offset, Ty] = Of;
    auto Begins = [](const LoadInst &Load) { return isOfDescription(Load) && Load.getType()->isPointerTy(); };
    int64_t First = -1; // where the description begins
    for (auto &[Load, At] : All[A].Loads)
      if (Begins(*Load) && At <= Offset)
        First = std::max(First, At);
    return any_of(All[A].Loads, [&, Offset = Offset](auto &Read) {
      auto &[Load, At] = Read;
      bool IsSame = First >= 0 && At >= First && isOfDescription(*Load);
      return (At >= Offset || IsSame) && Dominators.dominates(Load, Before.getTerminator());
    });
  }
};

class Nest {
  const Loop &L;
  Known &Reads;
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
  Nest(const Loop &L, Known &Reads, AAResults &AA) : L(L), Reads(Reads), Aliases(AA) {
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
  Instruction *placeFor(Argument &A, BasicBlock &Before) {
    bool IsKept = A.onlyReadsMemory() && A.hasNoAliasAttr() && Reads.isDescription(A);
    return (IsKept ? A.getParent()->getEntryBlock() : Before).getTerminator();
  }

  bool hoist() {
    BasicBlock *Before = L.getLoopPreheader();
    if (!Before || Found.empty())
      return false;
    Found.remove_if([&](auto &Of) {
      return !Reads.isAlone(*std::get<Argument *>(Of.first)) && !Reads.hasRead(Of.first, *Before);
    });
    for (auto &[At, Loads] : Found) {
      IRBuilder<> B(placeFor(*std::get<Argument *>(At), *Before));
      LoadInst *Once = B.CreateLoad(std::get<Type *>(At), address(At, B));
      Once->setAAMetadata(Loads.front()->getAAMetadata());
      for (LoadInst *Load : Loads)
        Load->replaceAllUsesWith(Once);
    }
    return !Found.empty();
  }
};

} // namespace

// Whether products and sums may be fused: which of them are depends on what LLVM makes of a loop, and with its loads in front of it it makes something
// else of the program's own.
static bool mayFuse(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    auto *Op = dyn_cast<FPMathOperator>(&I);
    return Op && Op->hasAllowContract();
  });
}

bool hoistDescriptions(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  if (Loops.empty() || mayFuse(F))
    return false;
  Known Reads(F, FAM.getResult<DominatorTreeAnalysis>(F));
  bool Any = false;
  for (Loop *L : Loops)
    Any |= Nest(*L, Reads, FAM.getResult<AAManager>(F)).hoist();
  return Any;
}
