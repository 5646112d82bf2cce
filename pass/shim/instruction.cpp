// What an instruction does, as far as a statement may do it.
#include "analyses.h"
#include "blocks.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

// The function of the library that is called, if LLVM may take it for that.
static const Function *ofLibrary(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Call.isNoBuiltin() && !Call.isStrictFP() ? Callee : nullptr;
}

// The conversion to an integer that a call of the library is, 0 if it is none. The standard lets it set errno where the number is too large; the libraries
// of Linux have an instruction there that does not, and yields the same.
static Intrinsic::ID conversion(const CallBase &Call) {
  const Function *Callee = ofLibrary(Call);
  if (!Callee || Call.arg_size() != 1 || !Call.getType()->isIntegerTy(64))
    return Intrinsic::not_intrinsic;
  const Triple &Target = Call.getModule()->getTargetTriple();
  Type *Of = Call.getArgOperand(0)->getType();
  StringRef Name = Callee->getName();
  if (!Target.isX86() || !Target.isOSLinux() || !(Of->isFloatTy() || Of->isDoubleTy()) || Name.ends_with("f") != Of->isFloatTy())
    return Intrinsic::not_intrinsic;
  return StringSwitch<Intrinsic::ID>(Name)
      .Cases({"lrint", "lrintf"}, Intrinsic::lrint)
      .Cases({"llrint", "llrintf"}, Intrinsic::llrint)
      .Default(Intrinsic::not_intrinsic);
}

// Whether it is a function of the library that at most sets errno, though LLVM's attributes do not say so. Products and quotients of complex numbers are
// functions where the plain ones are no numbers: infinities make them such.
static bool isMathematical(const CallBase &Call) {
  const Function *Callee = ofLibrary(Call);
  auto IsFloat = [](const Use &Of) { return Of->getType()->isFloatingPointTy(); };
  if (!Callee || !all_of(Call.args(), IsFloat))
    return false;
  bool ToFloat = Call.getType()->isFloatingPointTy();
  return StringSwitch<bool>(Callee->getName())
      .Cases({"lround", "lroundf", "llround", "llroundf"}, !ToFloat && Call.arg_size() == 1)
      .Cases({"exp10", "exp10f"}, ToFloat && Call.arg_size() == 1)
      .Cases({"__mulsc3", "__muldc3", "__divsc3", "__divdc3"}, !ToFloat && Call.arg_size() == 4)
      .Default(false);
}

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
  if (conversion(Call) != Intrinsic::not_intrinsic || isMathematical(Call))
    return PT_PURE;
  bool Pure = Call.getMemoryEffects().getWithoutLoc(IRMemLocation::ErrnoMem).doesNotAccessMemory();
  return Pure && Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn) ? PT_PURE : PT_CUT;
}

PtEffect pt_effect(LLVMValueRef V) {
  const Instruction &I = *instruction(V);
  if (isOfBlock(I))
    return I.isTerminator() ? PT_BRANCH : PT_IGNORE;
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
  case Instruction::Resume: // goes on in a caller
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

void pt_clear_fast_math(LLVMValueRef I) { instruction(I)->copyFastMathFlags(FastMathFlags()); }

// Whether two instructions are the same but for operands and position; what is not a fact about the one execution counts.
bool pt_alike(LLVMValueRef A, LLVMValueRef B) {
  const Instruction &I = *instruction(A), &J = *instruction(B);
  if (!I.isSameOperationAs(&J) || !I.hasSameSubclassOptionalData(&J))
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && Call->getCalledOperand() != cast<CallBase>(J).getCalledOperand())
    return false;
  SmallVector<std::pair<unsigned, MDNode *>> Facts, Others;
  I.getAllMetadataOtherThanDebugLoc(Facts);
  J.getAllMetadataOtherThanDebugLoc(Others);
  return Facts == Others;
}

unsigned pt_mnemonic(LLVMValueRef V, PtText *Name) {
  const char *Text = instruction(V)->getOpcodeName();
  *Name = text(StringRef(Text));
  return instruction(V)->getOpcode();
}

// The name of the member of a structure at a number of bits; empty if there is none.
static StringRef memberAt(const DIType *Type, uint64_t Bits) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(Type))
    Type = Derived->getBaseType();
  auto *Composite = dyn_cast_or_null<DICompositeType>(Type);
  if (!Composite)
    return "";
  for (const DINode *Element : Composite->getElements())
    if (auto *Member = dyn_cast<DIDerivedType>(Element))
      if (Member->getTag() == dwarf::DW_TAG_member && Member->getOffsetInBits() == Bits)
        return Member->getName();
  return "";
}

// The name of the variable, or of the member of one, that is the value or lives where it points to.
void pt_called(LLVMValueRef V, void *Data, void (*Visit)(void *, PtText)) {
  const auto *Call = dyn_cast<CallBase>(unwrap(V));
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (Callee && !Callee->isIntrinsic())
    Visit(Data, text(StringRef(demangle(Callee->getName()))));
}

void pt_variable(LLVMValueRef V, PtText *Name) {
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(const_cast<Value *>(&ofProgram(*unwrap(V))), Records);
  // Where functions were inlined, one value is many variables: a whole one with the first declaration.
  std::tuple<bool, StringRef, unsigned, StringRef> Best;
  for (const DbgVariableRecord *R : Records) {
    const DILocalVariable *Variable = R->getVariable();
    auto Fragment = R->getFragment();
    StringRef Called = Fragment ? memberAt(Variable->getType(), Fragment->OffsetInBits) : Variable->getName();
    if (Variable->isArtificial() || Called.empty())
      continue;
    auto Key = std::make_tuple(Fragment.has_value(), Variable->getFilename(), Variable->getLine(), Called);
    if (std::get<3>(Best).empty() || Key < Best)
      Best = Key;
  }
  *Name = text(std::get<3>(Best));
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

LLVMValueRef pt_operation(LLVMValueRef Call) {
  auto *I = dyn_cast<CallInst>(instruction(Call));
  const Function *Callee = I ? ofLibrary(*I) : nullptr;
  if (!Callee || I->arg_size() != 1)
    return nullptr;
  Value *Of = I->getArgOperand(0);
  Type *Ty = Of->getType();
  if (Intrinsic::ID Conversion = conversion(*I); Conversion != Intrinsic::not_intrinsic)
    return wrap(Intrinsic::getOrInsertDeclaration(I->getModule(), Conversion, {I->getType(), Ty}));
  bool Root = (Callee->getName() == "sqrt" && Ty->isDoubleTy()) || (Callee->getName() == "sqrtf" && Ty->isFloatTy());
  if (!Root || I->getType() != Ty || !cannotBeOrderedLessThanZero(Of, SimplifyQuery(I->getDataLayout(), I)))
    return nullptr;
  return wrap(Intrinsic::getOrInsertDeclaration(I->getModule(), Intrinsic::sqrt, {Ty}));
}

void pt_set_callee(LLVMValueRef Call, LLVMValueRef Callee) {
  cast<CallInst>(instruction(Call))->setCalledFunction(cast<Function>(unwrap(Callee)));
}
