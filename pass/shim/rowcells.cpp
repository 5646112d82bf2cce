// Inner loops with bounds of data that write memory at places which do not move with them:
//
//   y[i] = 0; for (k = row[i]; k < row[i + 1]; k++) y[i] += val[k] * x[col[k]];
//
//   y[i] = 0; y[i] = loop(i, row, val, col, x, y[i])
//
// The compiler keeps y[i] in memory where it may be one of the elements that are read. As an operation (ragged.cpp) the loop yields what it leaves there. That
// nothing else of what it reads is there is asked for all it reads, as for gathers of memory that is written, so the places are registers in the function
// that stands for the loop. A loop of the original stores as before: what is loaded and stored around the call is for the time being.
//
// A place that the loop may not come to is not written instead of it: either each iteration around writes it in front, or each one of the loop itself.
#include "rowcells.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

// Marks what is around a call for the time being.
static const char Around[] = "polytile.cell";

namespace {
// A write in front of the loop.
struct Write {
  Instruction *I;
  Value *To;
  int64_t Length;
  Align Alignment;

  // What it leaves in a place that begins where it begins; nullptr if that is not seen.
  Value *of(Type *Ty) const {
    if (auto *S = dyn_cast<StoreInst>(I))
      return S->getValueOperand()->getType() == Ty ? S->getValueOperand() : nullptr;
    auto *Byte = dyn_cast<ConstantInt>(cast<MemSetInst>(I)->getValue());
    return Byte && Byte->isZero() ? Constant::getNullValue(Ty) : nullptr;
  }
};
} // namespace

// A store, or a memory set of known length.
static std::optional<Write> writeOf(Instruction &I) {
  const DataLayout &Layout = I.getDataLayout();
  if (auto *S = dyn_cast<StoreInst>(&I); S && S->isSimple())
    return Write{S, S->getPointerOperand(), int64_t(Layout.getTypeStoreSize(S->getValueOperand()->getType()).getFixedValue()), S->getAlign()};
  auto *Set = dyn_cast<MemSetInst>(&I);
  auto *Length = Set && !Set->isVolatile() ? dyn_cast<ConstantInt>(Set->getLength()) : nullptr;
  if (!Length || Length->getValue().getActiveBits() > 32)
    return std::nullopt;
  return Write{Set, Set->getDest(), int64_t(Length->getZExtValue()), Set->getDestAlign().valueOrOne()};
}

// How many bytes behind the beginning of a write a place begins.
static std::optional<int64_t> behind(const RowCell &C, const Write &W, ScalarEvolution &Evolutions) {
  auto *Distance = dyn_cast<SCEVConstant>(Evolutions.getMinusSCEV(Evolutions.getSCEV(C.Pointer), Evolutions.getSCEV(W.To)));
  return Distance ? Distance->getAPInt().trySExtValue() : std::nullopt;
}

// Whether a place is still what a write made of it in front of the loop, if arrays do not overlap.
static bool isLeft(const RowCell &C, int64_t Size, const Write &By, const Loop &Parent, const Instruction *Place, ScalarEvolution &Evolutions,
                   const DominatorTree &Dominators) {
  auto Spares = [&](Instruction &I) {
    if (!I.mayWriteToMemory() || &I == By.I || Dominators.dominates(Place, &I) || Dominators.dominates(&I, By.I))
      return true;
    std::optional<Write> W = writeOf(I);
    if (!W)
      return false;
    const SCEV *Base = Evolutions.getPointerBase(Evolutions.getSCEV(W->To)), *Own = Evolutions.getPointerBase(Evolutions.getSCEV(C.Pointer));
    std::optional<int64_t> Offset = behind(C, *W, Evolutions);
    return Offset ? *Offset >= W->Length || *Offset <= -Size : Base != Own && isa<SCEVUnknown>(Base) && isa<SCEVUnknown>(Own);
  };
  return all_of(Parent.blocks(), [&](BasicBlock *B) { return all_of(*B, Spares); });
}

// Notes what each iteration around writes in front; false if that is not all.
static bool areWrittenBefore(RowCells &Cells, const Loop &Parent, const Instruction *Place, ScalarEvolution &Evolutions,
                             const DominatorTree &Dominators) {
  SmallVector<Write, 8> Writes;
  for (BasicBlock *B : Parent.blocks())
    for (Instruction &I : *B)
      if (std::optional<Write> W = Dominators.dominates(&I, Place) ? writeOf(I) : std::nullopt)
        Writes.push_back(*W);
  const DataLayout &Layout = Place->getDataLayout();
  return all_of(Cells.All, [&](RowCell &C) {
    int64_t Size = Layout.getTypeStoreSize(C.Type).getFixedValue();
    return any_of(reverse(Writes), [&](const Write &W) {
      std::optional<int64_t> Offset = behind(C, W, Evolutions);
      if (!Offset || *Offset < 0 || *Offset > W.Length - Size)
        return false;
      C.Alignment = commonAlignment(W.Alignment, *Offset);
      Value *Left = *Offset == 0 || isa<MemSetInst>(W.I) ? W.of(C.Type) : nullptr;
      C.Initial = Left && isLeft(C, Size, W, Parent, Place, Evolutions, Dominators) ? Left : nullptr;
      return true;
    });
  });
}

// Whether each iteration of a loop writes the places, the last one as well.
static bool areAlwaysWritten(const RowCells &Cells, const Loop &L, const DominatorTree &Dominators) {
  SmallVector<BasicBlock *, 4> Leaving;
  L.getExitingBlocks(Leaving);
  Leaving.push_back(L.getLoopLatch());
  return all_of(Cells.All, [&](const RowCell &C) {
    return any_of(C.Pointer->users(), [&](const User *U) {
      auto *S = dyn_cast<StoreInst>(U);
      return S && S->getPointerOperand() == C.Pointer && L.contains(S) &&
             all_of(Leaving, [&](BasicBlock *B) { return B && Dominators.dominates(S->getParent(), B); });
    });
  });
}

// Whether two places never meet if arrays do not.
static bool areApart(const RowCell &A, const RowCell &B, ScalarEvolution &Evolutions, const DataLayout &Layout) {
  const SCEV *One = Evolutions.getSCEV(A.Pointer), *Other = Evolutions.getSCEV(B.Pointer);
  const SCEV *Base = Evolutions.getPointerBase(One), *OtherBase = Evolutions.getPointerBase(Other);
  if (Base != OtherBase)
    return isa<SCEVUnknown>(Base) && isa<SCEVUnknown>(OtherBase);
  auto *Distance = dyn_cast<SCEVConstant>(Evolutions.getMinusSCEV(One, Other));
  uint64_t Size = std::max(Layout.getTypeStoreSize(A.Type), Layout.getTypeStoreSize(B.Type)).getFixedValue();
  return Distance && Distance->getAPInt().abs().uge(Size);
}

// Notes the place of a store; whether it may be one.
static bool add(RowCells &Cells, const StoreInst &S, const Loop &L) {
  Type *Ty = S.getValueOperand()->getType();
  MDNode *Tbaa = S.getMetadata(LLVMContext::MD_tbaa);
  if (!S.isSimple() || isOfCells(S) || !L.isLoopInvariant(S.getPointerOperand()) || !Ty->isSingleValueType() || isa<ScalableVectorType>(Ty))
    return false;
  auto *Known = find_if(Cells.All, [&](const RowCell &C) { return C.Pointer == S.getPointerOperand(); });
  if (Known == Cells.All.end()) {
    Cells.All.push_back({const_cast<Value *>(S.getPointerOperand()), Ty, S.getAlign(), Tbaa});
    return true;
  }
  Known->Alignment = std::min(Known->Alignment, S.getAlign());
  if (Known->Tbaa != Tbaa)
    Known->Tbaa = nullptr;
  return Known->Type == Ty;
}

// Whether a pointer is known in front of an instruction, or its array and indices are.
static bool isAvailable(const Value *Pointer, const Instruction *At, const DominatorTree &Dominators) {
  auto Known = [&](const Value *V) { return Dominators.dominates(V, At); };
  while (!Known(Pointer)) {
    auto *I = dyn_cast<GetElementPtrInst>(Pointer);
    if (!I || !all_of(I->indices(), Known))
      return false;
    Pointer = I->getPointerOperand();
  }
  return true;
}

std::optional<RowCells> rowCells(const Loop &L, const BasicBlock *Test, ScalarEvolution &Evolutions, const DominatorTree &Dominators) {
  RowCells Cells;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (auto *S = dyn_cast<StoreInst>(&I); S && !add(Cells, *S, L))
        return std::nullopt;
  const BasicBlock *Preheader = L.getLoopPreheader();
  if (Cells.All.empty() || !Preheader)
    return Cells;
  const DataLayout &Layout = Preheader->getDataLayout();
  for (const RowCell &C : Cells.All) {
    for (const User *U : C.Pointer->users())
      if (auto *Load = dyn_cast<LoadInst>(U); Load && L.contains(Load) && Load->getType() != C.Type)
        return std::nullopt;
    for (const RowCell &D : Cells.All)
      if (&C != &D && !areApart(C, D, Evolutions, Layout))
        return std::nullopt;
  }
  const Instruction *Place = (Test ? Test : Preheader)->getTerminator();
  if (!all_of(Cells.All, [&](const RowCell &C) { return isAvailable(C.Pointer, Place, Dominators); }))
    return std::nullopt;
  Cells.AreWrittenBefore = areWrittenBefore(Cells, *L.getParentLoop(), Place, Evolutions, Dominators);
  return Cells.AreWrittenBefore || areAlwaysWritten(Cells, L, Dominators) ? std::optional(Cells) : std::nullopt;
}

static void redirect(Instruction &Access, Value *Pointer) {
  Access.setOperand(isa<LoadInst>(Access) ? LoadInst::getPointerOperandIndex() : StoreInst::getPointerOperandIndex(), Pointer);
}

SmallVector<AllocaInst *, 4> keepCells(const RowCells &Cells, const ValueToValueMapTy &Map, ArrayRef<BasicBlock *> Blocks, Function &New, unsigned First) {
  SmallVector<AllocaInst *, 4> Kept;
  IRBuilder<> B(&New.getEntryBlock(), New.getEntryBlock().begin());
  for (const RowCell &C : Cells.All) {
    Kept.push_back(B.CreateAlloca(C.Type));
    B.CreateStore(New.getArg(First + Kept.size() - 1), Kept.back());
    for (BasicBlock *From : Blocks)
      for (Instruction &I : *From)
        if (getLoadStorePointerOperand(&I) == C.Pointer)
          redirect(*cast<Instruction>(static_cast<Value *>(Map.lookup(&I))), Kept.back());
  }
  return Kept;
}

// A pointer in front of an instruction.
static Value *pointerAt(Value *Pointer, Instruction *At, const DominatorTree &Dominators) {
  if (Dominators.dominates(Pointer, At))
    return Pointer;
  auto *Known = cast<GetElementPtrInst>(Pointer);
  Value *From = pointerAt(Known->getPointerOperand(), At, Dominators);
  Instruction *Made = Known->clone();
  Made->setOperand(0, From);
  Made->dropPoisonGeneratingFlags();
  Made->insertBefore(At->getIterator());
  Made->setMetadata(Around, MDNode::get(Made->getContext(), {}));
  return Made;
}

static void mark(Instruction &I, MDNode *Tbaa) {
  I.setMetadata(Around, MDNode::get(I.getContext(), {}));
  I.setMetadata(LLVMContext::MD_tbaa, Tbaa);
}

SmallVector<Value *, 4> loadCells(const RowCells &Cells, Instruction *At, const DominatorTree &Dominators) {
  SmallVector<Value *, 4> Loaded;
  for (const RowCell &C : Cells.All) {
    Loaded.push_back(C.Initial);
    if (C.Initial)
      continue;
    Value *Pointer = pointerAt(C.Pointer, At, Dominators);
    LoadInst *Load = IRBuilder<>(At).CreateAlignedLoad(C.Type, Pointer, C.Alignment);
    mark(*Load, C.Tbaa);
    Loaded.back() = Load;
  }
  return Loaded;
}

void storeCells(const RowCells &Cells, ArrayRef<Value *> Values, Instruction *At, const DominatorTree &Dominators) {
  for (auto [C, V] : zip(Cells.All, Values)) {
    Value *Pointer = pointerAt(C.Pointer, At, Dominators);
    mark(*IRBuilder<>(At).CreateAlignedStore(V, Pointer, C.Alignment), C.Tbaa);
  }
}

bool isOfCells(const Instruction &I) { return I.hasMetadata(Around); }

// Removes what was made for a place, with its pointer.
static void drop(Instruction &Access) {
  Value *Pointer = getLoadStorePointerOperand(&Access);
  Access.eraseFromParent();
  for (auto *I = dyn_cast<GetElementPtrInst>(Pointer); I && isOfCells(*I) && I->use_empty(); I = dyn_cast<GetElementPtrInst>(Pointer)) {
    Pointer = I->getPointerOperand();
    I->eraseFromParent();
  }
}

void dropCells(CallInst &Call) {
  SmallVector<Instruction *, 16> Stores;
  auto Note = [&](const Value &V) {
    for (const User *U : V.users())
      if (auto *S = dyn_cast<StoreInst>(U); S && isOfCells(*S))
        Stores.push_back(const_cast<StoreInst *>(S));
  };
  Note(Call);
  for (User *U : Call.users())
    if (isa<ExtractValueInst>(U))
      Note(*U);
  for (Instruction *S : Stores)
    drop(*S);
  for (Use &U : Call.args())
    if (auto *L = dyn_cast<LoadInst>(U); L && isOfCells(*L)) {
      U.set(PoisonValue::get(L->getType()));
      if (L->use_empty())
        drop(*L);
    }
}
