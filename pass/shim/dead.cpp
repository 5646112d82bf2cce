// Objects whose content nobody reads behind a region, and those that have none in front of it.
//
// A local object or a block from an allocation function, whose pointer stays in the function, is read by instructions that use the pointer and
// by nothing else. A walk over all ways behind the region finds those that come before the object ends: it is freed, its
// lifetime ends, it is allocated anew, or the function returns. Where a way leads back into the region, the content is taken
// for read. The other way round, a walk over all ways to the region finds those that write to the object.
#include "analyses.h"
#include "blocks.h"
#include "common.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

// More uses than this are not looked at.
constexpr unsigned MaxUses = 1000;

// Whether a block may run again.
bool repeats(const BasicBlock *B) {
  SmallVector<const BasicBlock *> Open(successors(B).begin(), successors(B).end());
  SmallPtrSet<const BasicBlock *, 16> Seen(Open.begin(), Open.end());
  while (!Open.empty()) {
    const BasicBlock *Next = Open.pop_back_val();
    if (Next == B)
      return true;
    for (const BasicBlock *S : successors(Next))
      if (Seen.insert(S).second)
        Open.push_back(S);
  }
  return false;
}

// What a pointer points into, if it points anywhere: the pointer of a vector is null where it has no elements.
const Value *object(const Value *Base) {
  const auto *Phi = dyn_cast<PHINode>(Base);
  if (!Phi || repeats(Phi->getParent()))
    return Base;
  const Value *Only = nullptr;
  for (const Value *In : Phi->incoming_values()) {
    if (isa<ConstantPointerNull>(In))
      continue;
    const Value *Of = getUnderlyingObject(In, /*MaxLookup=*/0);
    if (Only && Of != Only)
      return Base;
    Only = Of;
  }
  return Only ? Only : Base;
}

// An object with the pointers into it.
struct Object {
  const Instruction *Allocation;
  // The region's pointer: the allocation, or null instead.
  const Value *Base;
  const TargetLibraryInfo &Library;
  SmallPtrSet<const Value *, 16> Pointers;
  // Instructions that may read it.
  SmallPtrSet<const Instruction *, 16> Readers;
  // Those that may write to it.
  SmallPtrSet<const Instruction *, 16> Writers;
  // What makes integers of pointers.
  SmallVector<const Instruction *> Numbers;
  // Two ways meet in one of the pointers: it may point to an earlier object of the same instruction.
  bool Merges = false;

  Object(const Value *Base, const TargetLibraryInfo &Library)
      : Allocation(dyn_cast<Instruction>(object(Base))), Base(Base), Library(Library) {}

  // Whether it is one of those that this is about.
  bool isKnown() const {
    return Allocation && (isa<AllocaInst>(Allocation) || isBlock(*Allocation) || (isNoAliasCall(Allocation) && isAllocationFn(Allocation, &Library)));
  }

  // Whether it has no content where it begins.
  bool isEmpty() const {
    auto *Block = dyn_cast<CallBase>(Allocation);
    const Value *Content = Block ? getInitialValueOfAllocation(Block, &Library, Type::getInt8Ty(Block->getContext())) : nullptr;
    return isa<AllocaInst>(Allocation) || (Content && isa<UndefValue>(Content));
  }

  bool is(const Value *Pointer) const {
    const Value *Of = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
    return Of == Allocation || Of == Base;
  }

  bool ends(const Instruction &I) const {
    if (&I == Allocation || endsBlock(I, *Allocation))
      return true;
    const auto *Call = dyn_cast<CallBase>(&I);
    if (I.isLifetimeStartOrEnd())
      return is(Call->getArgOperand(Call->arg_size() - 1));
    const Value *Freed = Call ? getFreedOperand(Call, &Library) : nullptr;
    return Freed && is(Freed);
  }

  // Notes who uses the pointers; false if one may go to where others find it.
  bool look() {
    SmallVector<const Value *> Open{Allocation};
    Pointers.insert(Allocation);
    unsigned Uses = 0;
    while (!Open.empty())
      for (const Use &U : Open.pop_back_val()->uses()) {
        const auto *I = dyn_cast<Instruction>(U.getUser());
        if (++Uses > MaxUses || !I || I->isVolatile())
          return false;
        if (leads(*I)) {
          Merges |= isa<PHINode>(I) && I->getNumOperands() > 1;
          if (Pointers.insert(I).second)
            Open.push_back(I);
        } else if (isa<PtrToIntInst>(I)) {
          Numbers.push_back(I);
        } else if (!stays(*I, U)) {
          return false;
        } else {
          if (reads(*I, U))
            Readers.insert(I);
          if (I->mayWriteToMemory() && !ends(*I))
            Writers.insert(I);
        }
      }
    return all_of(Numbers, [&](const Instruction *N) { return isForDistances(*N); });
  }

  // Whether blocks access the object by another pointer than the region's: one that may as well point into another object.
  bool isMetIn(const SmallPtrSetImpl<const BasicBlock *> &Region) const {
    auto Accesses = [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return Region.contains(I->getParent()) && !leads(*I) && I->mayReadOrWriteMemory();
    };
    return any_of(Pointers, [&](const Value *P) { return any_of(P->users(), Accesses) && !isOfBase(P, Region); });
  }

  // Whether a pointer is computed from the region's alone, by way of what meets in its own blocks.
  bool isOfBase(const Value *Pointer, const SmallPtrSetImpl<const BasicBlock *> &Region) const {
    SmallVector<const Value *> Open{Pointer};
    SmallPtrSet<const Value *, 8> Seen;
    while (!Open.empty()) {
      const Value *Of = getUnderlyingObject(Open.pop_back_val(), /*MaxLookup=*/0);
      const auto *Meets = dyn_cast<Instruction>(Of);
      if (Of == Base || !Seen.insert(Of).second)
        continue;
      if (!Meets || !Region.contains(Meets->getParent()) || !isa<PHINode, SelectInst>(Meets))
        return false;
      Open.append(Meets->op_begin() + isa<SelectInst>(Meets), Meets->op_end());
    }
    return true;
  }

  // Whether the number of a pointer is only taken for its distance from another one into the object, as the size of a vector is.
  bool isForDistances(const Instruction &Number) const {
    return all_of(Number.users(), [&](const User *U) {
      const auto *Distance = dyn_cast<BinaryOperator>(U);
      if (!Distance || Distance->getOpcode() != Instruction::Sub)
        return false;
      return all_of(Distance->operands(), [&](const Use &End) {
        const auto *Of = dyn_cast<PtrToIntInst>(End.get());
        return Of && Pointers.contains(Of->getPointerOperand());
      });
    });
  }

  // Whether the result is a pointer into the object, or another one.
  static bool leads(const Instruction &I) {
    return isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst, FreezeInst>(I) && I.getType()->isPointerTy();
  }

  // Whether a use does not hand the pointer on.
  bool stays(const Instruction &I, const Use &U) const {
    if (isa<LoadInst, ICmpInst>(I))
      return true;
    if (isa<StoreInst>(I))
      return U.getOperandNo() == StoreInst::getPointerOperandIndex();
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Call->isDataOperand(&U))
      return false;
    // It may be another object that is freed here, where ways meet.
    if (ends(I) || getFreedOperand(Call, &Library) == U.get())
      return true;
    return Call->doesNotCapture(Call->getDataOperandNo(&U)) && !I.getType()->isPtrOrPtrVectorTy();
  }

  bool reads(const Instruction &I, const Use &U) const {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!I.mayReadFromMemory() || ends(I) || (Call && getFreedOperand(Call, &Library) == U.get()))
      return false;
    if (const auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
      return &U == &Transfer->getRawSourceUse();
    return true;
  }
};

using BlockSet = SmallPtrSet<const BasicBlock *, 16>;

BlockSet blocks(const LLVMBasicBlockRef *Blocks, size_t Count) {
  BlockSet All;
  for (size_t N = 0; N != Count; ++N)
    All.insert(block(Blocks[N]));
  return All;
}

// Whether all is known of who uses an object that a region accesses.
bool isSeen(Object &Of, const BlockSet &Region, const Function &F) {
  if (F.isPresplitCoroutine() || F.callsFunctionThatReturnsTwice() || !Of.isKnown() || !Of.look())
    return false;
  return !(Of.Merges && repeats(Of.Allocation->getParent())) && !Of.isMetIn(Region);
}

// Whether none of some instructions comes on any way from these blocks, to the object's end or its begin. Ways that lead back into the region are
// taken to meet one.
template <class Instructions, class Next>
bool meetsNone(const Object &Of, const BlockSet &Region, ArrayRef<const BasicBlock *> From, const SmallPtrSetImpl<const Instruction *> &Any,
               Instructions In, Next Behind) {
  BlockSet Seen(From.begin(), From.end());
  SmallVector<const BasicBlock *> Open(Seen.begin(), Seen.end());
  while (!Open.empty()) {
    const BasicBlock *B = Open.pop_back_val();
    if (Region.contains(B))
      return false;
    bool Ends = false;
    for (const Instruction &I : In(*B)) {
      if ((Ends = Of.ends(I)))
        break;
      if (Any.contains(&I))
        return false;
    }
    if (!Ends)
      for (const BasicBlock *Other : Behind(B))
        if (Seen.insert(Other).second)
          Open.push_back(Other);
  }
  return true;
}

} // namespace

bool pt_is_dead_behind(PtAnalyses *An, LLVMValueRef Pointer, const LLVMBasicBlockRef *Blocks, size_t Count,
                       LLVMBasicBlockRef Exit) {
  Object Of(getUnderlyingObject(unwrap(Pointer), /*MaxLookup=*/0), An->Library);
  const BlockSet Region = blocks(Blocks, Count);
  auto In = [](const BasicBlock &B) -> const BasicBlock & { return B; };
  auto Behind = [](const BasicBlock *B) { return successors(B); };
  return isSeen(Of, Region, An->Function) && meetsNone(Of, Region, {block(Exit)}, Of.Readers, In, Behind);
}

bool pt_is_blank_before(PtAnalyses *An, LLVMValueRef Pointer, const LLVMBasicBlockRef *Blocks, size_t Count) {
  Object Of(getUnderlyingObject(unwrap(Pointer), /*MaxLookup=*/0), An->Library);
  const BlockSet Region = blocks(Blocks, Count);
  SmallVector<const BasicBlock *> From;
  for (const BasicBlock *B : Region)
    copy_if(predecessors(B), std::back_inserter(From), [&](const BasicBlock *Before) { return !Region.contains(Before); });
  auto In = [](const BasicBlock &B) { return reverse(B); };
  auto Behind = [](const BasicBlock *B) { return predecessors(B); };
  return isSeen(Of, Region, An->Function) && Of.isEmpty() && meetsNone(Of, Region, From, Of.Writers, In, Behind);
}
