// What an instruction does, as far as a statement may do it.
#include "analyses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

static PtEffect callEffect(const CallBase &Call) {
  if (isa<DbgInfoIntrinsic>(Call) || isa<AssumeInst>(Call) || isa<NoAliasScopeDeclInst>(Call) ||
      isa<PseudoProbeInst>(Call))
    return PT_IGNORE;
  if (Call.isLifetimeStartOrEnd())
    return PT_LIFETIME;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
    return PT_IGNORE;
  case Intrinsic::memset:
    return cast<MemSetInst>(Call).isVolatile() ? PT_CUT : PT_MEMSET;
  case Intrinsic::memcpy:
    return cast<MemCpyInst>(Call).isVolatile() ? PT_CUT : PT_MEMCPY;
  default:
    break;
  }
  if (!isa<CallInst>(Call) || Call.isInlineAsm() || Call.isConvergent() || Call.hasOperandBundles() ||
      Call.isMustTailCall())
    return PT_CUT;
  bool Pure = Call.getMemoryEffects().getWithoutLoc(IRMemLocation::ErrnoMem).doesNotAccessMemory();
  return Pure && Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn) ? PT_PURE : PT_CUT;
}

PtEffect pt_effect(LLVMValueRef V) {
  const Instruction &I = *instruction(V);
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return PT_PHI;
  case Instruction::Load:
    return cast<LoadInst>(I).isSimple() ? PT_LOAD : PT_CUT;
  case Instruction::Store:
    return cast<StoreInst>(I).isSimple() ? PT_STORE : PT_CUT;
  case Instruction::Br:
    return PT_BRANCH;
  case Instruction::Unreachable:
    return PT_TRAP;
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    return callEffect(cast<CallBase>(I));
  case Instruction::Alloca:
  case Instruction::LandingPad:
    return PT_CUT;
  default:
    break;
  }
  if (I.isTerminator() || I.isEHPad() || I.mayReadOrWriteMemory() || I.mayThrow() || I.getType()->isTokenTy())
    return PT_CUT;
  return PT_PURE;
}

// The intrinsic's base name; 0 if it is none.
unsigned pt_intrinsic(LLVMValueRef V, PtText *Name) {
  auto *Call = dyn_cast<CallBase>(instruction(V));
  if (!Call)
    return 0;
  if (const Function *Callee = Call->getCalledFunction())
    *Name = text(Callee->getName());
  unsigned Id = Call->getIntrinsicID();
  if (Id != 0)
    *Name = text(Intrinsic::getBaseName(Id));
  return Id;
}

unsigned pt_mnemonic(LLVMValueRef V, PtText *Name) {
  const char *Text = instruction(V)->getOpcodeName();
  *Name = text(StringRef(Text));
  return instruction(V)->getOpcode();
}

// The name of the variable that is the value, or lives where it points to; a variable's part does not count.
void pt_variable(LLVMValueRef V, PtText *Name) {
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(unwrap(V), Records);
  const DbgVariableRecord *First = nullptr;
  for (const DbgVariableRecord *R : Records) {
    if (R->getFragment() || R->getVariable()->isArtificial() || R->getVariable()->getName().empty())
      continue;
    // Where functions were inlined, one value is many variables: the one with the first declaration.
    auto Key = [](const DbgVariableRecord *R) {
      return std::make_tuple(R->getVariable()->getFilename(), R->getVariable()->getLine(), R->getVariable()->getName());
    };
    if (!First || Key(R) < Key(First))
      First = R;
  }
  if (First)
    *Name = text(First->getVariable()->getName());
}

bool pt_float_bits(LLVMValueRef V, uint64_t *Bits) {
  auto *C = dyn_cast<ConstantFP>(unwrap(V));
  if (!C || C->getType()->isVectorTy())
    return false;
  APInt Int = C->getValueAPF().bitcastToAPInt();
  if (Int.getBitWidth() > 64)
    return false;
  *Bits = Int.getZExtValue();
  return true;
}

bool pt_int_constant(LLVMValueRef V, uint64_t *Low, uint64_t *High) {
  auto *C = dyn_cast<ConstantInt>(unwrap(V));
  if (!C || C->getType()->isVectorTy() || C->getBitWidth() > 128)
    return false;
  APInt Wide = C->getValue().sext(129);
  *Low = Wide.extractBitsAsZExtValue(64, 0);
  *High = Wide.extractBitsAsZExtValue(64, 64);
  return true;
}

// Without the markers an object lives longer, which is always allowed; its content at a start was undefined.
void pt_strip_lifetimes_in_loops(PtAnalyses *An, LLVMValueRef F) {
  SmallPtrSet<Value *, 4> Objects;
  auto Each = [&](auto Visit) {
    for (BasicBlock &B : *function(F))
      for (Instruction &I : make_early_inc_range(B))
        if (I.isLifetimeStartOrEnd())
          Visit(cast<IntrinsicInst>(I), B);
  };
  auto Object = [](IntrinsicInst &I) { return I.getArgOperand(I.arg_size() - 1); };
  Each([&](IntrinsicInst &I, BasicBlock &B) {
    if (An->Loops.getLoopFor(&B))
      Objects.insert(Object(I));
  });
  Each([&](IntrinsicInst &I, BasicBlock &) {
    if (Objects.contains(Object(I)))
      I.eraseFromParent();
  });
}
