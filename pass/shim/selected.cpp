// What instruction selection makes of sums.
//
// Whether a sum takes up a product, and which of two, follows from many rules of selection: products that have other uses or are equal to others, that come
// from other blocks, out of shuffles or through memory, operands that can be negated for nothing, sums and differences in turn. So nothing is foretold
// here: the instructions are selected, and read.
//
//   %s = fadd contract <4 x double> %p, %q, !dbg 7  ->  %3:vr256 = VFMADD213PDYr %0, %1, %2, debug-location 7  line 7: fused; %2, a VMULPD of line 5, is left
//
// What an operation is part of in a target's instruction (a selection by a mask, a negation, lanes of sums and differences) gives that instruction its own
// line, which is why all such things get the line of the arithmetic in them first.
#include "selected.h"
#include "lanes.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LegacyPassManager.h"

using namespace llvm;

namespace {
enum class Arithmetic { None, Sum, Fused, Product };

// Reads instructions behind their selection.
class Reader : public MachineFunctionPass {
public:
  static char ID;
  explicit Reader(std::map<const Function *, SelectedSums> &Found) : MachineFunctionPass(ID), Found(Found) {}
  bool runOnMachineFunction(MachineFunction &F) override;
  void getAnalysisUsage(AnalysisUsage &Usage) const override {
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

private:
  std::map<const Function *, SelectedSums> &Found;
};
} // namespace

char Reader::ID = 0;

// What an instruction of x86 does, by its name: VADDPDZ256rr, SUBSDrm, VFNMADD231PSYm, ..
static Arithmetic arithmetic(StringRef Name) {
  Name.consume_front("V");
  if (Name.starts_with("FMADD") || Name.starts_with("FMSUB") || Name.starts_with("FNMADD") || Name.starts_with("FNMSUB"))
    return Arithmetic::Fused;
  bool IsProduct = Name.consume_front("MUL");
  if (!IsProduct) {
    Name.consume_front("H");
    bool Adds = Name.consume_front("ADD"), Subtracts = Name.consume_front("SUB");
    if (!Adds && !Subtracts)
      return Arithmetic::None;
  }
  bool IsFloating = Name.starts_with("PD") || Name.starts_with("PS") || Name.starts_with("SD") || Name.starts_with("SS");
  if (!IsFloating)
    return Arithmetic::None;
  return IsProduct ? Arithmetic::Product : Arithmetic::Sum;
}

static unsigned lineOf(const MachineInstr &I) { return I.getDebugLoc() ? I.getDebugLoc().getLine() : 0; }

static Arithmetic arithmetic(const MachineInstr &I) {
  return arithmetic(I.getMF()->getSubtarget().getInstrInfo()->getName(I.getOpcode()));
}

// The lines of products that are operands of an instruction, through copies, broadcasts and shuffles.
static void addProducts(const MachineInstr &I, std::set<unsigned> &Lines, unsigned Depth = 4) {
  const MachineRegisterInfo &Registers = I.getMF()->getRegInfo();
  for (const MachineOperand &O : I.uses()) {
    const MachineInstr *From = O.isReg() && O.getReg().isVirtual() ? Registers.getVRegDef(O.getReg()) : nullptr;
    if (!From || From->isPHI() || From->isCall())
      continue;
    Arithmetic Kind = arithmetic(*From);
    if (Kind == Arithmetic::Product)
      Lines.insert(lineOf(*From));
    else if (Kind == Arithmetic::None && Depth > 0)
      addProducts(*From, Lines, Depth - 1);
  }
}

bool Reader::runOnMachineFunction(MachineFunction &F) {
  SelectedSums &Sums = Found[&F.getFunction()];
  for (const MachineBasicBlock &Block : F)
    for (const MachineInstr &I : Block) {
      Arithmetic Kind = arithmetic(I);
      if (Kind != Arithmetic::Sum && Kind != Arithmetic::Fused)
        continue;
      SelectedSum Sum{Kind == Arithmetic::Fused, {}};
      addProducts(I, Sum.Products);
      Sums[lineOf(I)].insert(Sum);
    }
  return false;
}

// Removes what nobody asks for.
static void empty(Module &M, ArrayRef<Function *> Kept) {
  std::set<const GlobalObject *> Named;
  for (const GlobalAlias &A : M.aliases())
    Named.insert(A.getAliaseeObject());
  for (const GlobalIFunc &I : M.ifuncs())
    Named.insert(I.getResolverFunction());
  for (Function &F : M)
    if (!F.isDeclaration() && !is_contained(Kept, &F) && !Named.count(&F)) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
}

std::map<const Function *, SelectedSums> selectInstructions(Module &M, TargetMachine &Machine, ArrayRef<Function *> Functions) {
  std::map<const Function *, SelectedSums> Found;
  empty(M, Functions);
  legacy::PassManager Passes;
  Passes.add(createTargetTransformInfoWrapperPass(Machine.getTargetIRAnalysis()));
  Passes.add(new TargetLibraryInfoWrapperPass(TargetLibraryInfoImpl(M.getTargetTriple())));
  auto *Config = Machine.createPassConfig(Passes);
  Config->setDisableVerify(true);
  Passes.add(Config);
  Passes.add(new MachineModuleInfoWrapperPass(&Machine));
  if (Config->addISelPasses())
    return Found;
  Config->setInitialized();
  Passes.add(new Reader(Found));
  Passes.run(M);
  return Found;
}
