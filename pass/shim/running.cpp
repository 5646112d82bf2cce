// Pointers and counters that run on through inner loops, as functions of the outer ones:
//
//   for (i < n)                        p' = phi(p, end)                 p' = phi(p, p' + m)
//     for (j < m) *p++ = ..;             q = phi(p', q + 1)    becomes    q = phi(p', q + 1)
//                                      end = q + 1                      end is no longer of use
//
// What a value is where its loop ends is known of it, but not of the PHI of the loop around that takes it up.
#include "running.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

// PHIs of one function that are asked for: evolutions may take long.
static constexpr unsigned MaxRunning = 64;

static Value *behindLcssa(Value *V) {
  while (auto *Phi = dyn_cast<PHINode>(V)) {
    if (Phi->getNumIncomingValues() != 1)
      break;
    V = Phi->getIncomingValue(0);
  }
  return V;
}

// What a PHI of a loop takes up that a loop inside has left, or nullptr.
static Instruction *leftBehind(const PHINode &Phi, const Loop &L, const LoopInfo &Loops) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!Latch || !L.getLoopPreheader() || Phi.getBasicBlockIndex(Latch) < 0)
    return nullptr;
  auto *Last = dyn_cast<Instruction>(behindLcssa(Phi.getIncomingValueForBlock(Latch)));
  const Loop *Inner = Last ? Loops.getLoopFor(Last->getParent()) : nullptr;
  return Inner && Inner != &L && L.contains(Inner) ? Last : nullptr;
}

// Whether a value is reached from a pointer by steps that stay in its object.
static bool staysInside(Value *V, const PHINode &From) {
  for (unsigned Steps = 0; Steps < 4; ++Steps) {
    auto *Step = dyn_cast<GetElementPtrInst>(V);
    if (!Step || !Step->isInBounds())
      return false;
    V = Step->getPointerOperand();
    auto *Phi = dyn_cast<PHINode>(V);
    if (V == &From)
      return true;
    if (Phi)
      return Phi->getNumIncomingValues() == 2 && is_contained(Phi->incoming_values(), &From) &&
             is_contained(Phi->incoming_values(), Step);
  }
  return false;
}

static bool settle(PHINode &Phi, Loop &L, Instruction &Last, ScalarEvolution &Evolutions) {
  if (!Evolutions.isSCEVable(Phi.getType()) || !isa<SCEVUnknown>(Evolutions.getSCEV(&Phi)))
    return false;
  const SCEV *End = Evolutions.getSCEVAtScope(&Last, &L);
  if (isa<SCEVCouldNotCompute>(End))
    return false;
  const SCEV *More = Evolutions.getMinusSCEV(End, Evolutions.getSCEV(&Phi));
  Instruction *Before = L.getLoopPreheader()->getTerminator(), *Back = L.getLoopLatch()->getTerminator();
  SCEVExpander Expander(Evolutions, "");
  if (isa<SCEVCouldNotCompute>(More) || !Evolutions.isLoopInvariant(More, &L) || !Expander.isSafeToExpandAt(More, Before))
    return false;
  Value *By = Expander.expandCodeFor(More, More->getType(), Before->getIterator());
  IRBuilder<> B(Back);
  Value *Next;
  if (!Phi.getType()->isPointerTy())
    Next = B.CreateAdd(&Phi, By);
  else
    Next = B.CreateGEP(B.getInt8Ty(), &Phi, By, "", staysInside(&Last, Phi) ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
  Phi.setIncomingValueForBlock(Back->getParent(), Next);
  Evolutions.forgetValue(&Phi);
  return true;
}

bool hasRunning(const LoopInfo &Loops) {
  for (const Loop *L : Loops.getLoopsInPreorder())
    for (const PHINode &Phi : L->getHeader()->phis())
      if (leftBehind(Phi, *L, Loops))
        return true;
  return false;
}

// Inner loops first: what one of them leaves behind may have run on through others.
bool settleRunning(const LoopInfo &Loops, ScalarEvolution &Evolutions) {
  bool Changed = false;
  unsigned Asked = 0;
  auto All = const_cast<LoopInfo &>(Loops).getLoopsInPreorder();
  for (Loop *L : reverse(All))
    for (PHINode &Phi : L->getHeader()->phis())
      if (Instruction *Last = leftBehind(Phi, *L, Loops))
        if (++Asked <= MaxRunning)
          Changed |= settle(Phi, *L, *Last, Evolutions);
  return Changed;
}
