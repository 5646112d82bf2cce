// Which operations the lanes of vectors stand for.
//
// The SLP vectorizer makes one instruction of several, with the debug location of one of them. Scopes of aliasing say who the others were: a
// vector gets those of all its lanes, and on arithmetic they mean nothing. Every operation has one while the vectorizer runs, and only then, so
// that nobody else sees them.
//
//   %p = fmul double %a, %b, !dbg 7, !alias.scope 1        %v = fmul <2 x double> %x, %y, !dbg 7, !alias.scope {1, 2}
//   %q = fmul double %c, %d, !dbg 8, !alias.scope 2   ->                                  !dbg 9: 7 and 8
//
// Lanes of sums and differences at once are two instructions and a shuffle, which has the scopes.
//
// The pass that combines vectors gives what it makes no scopes, but the location of what it replaces:
//
//   %s = fadd double %x, %y, !dbg 7, !alias.scope 1        %v = fadd <2 x double> %u, %w, !dbg 7
//                                                     ->   %s = extractelement <2 x double> %v, i64 0
//
// It also makes one operation of two whose lanes stand side by side, as where components of a structure are stored together, and of their operands in turn.
// What replaces the shuffle stands for both, and its operands for theirs:
//
//   %s = fadd <8 x double> %p, %x   !alias.scope 1
//   %t = fadd <8 x double> %q, %y   !alias.scope 2    ->   %u = shufflevector %p, %q, ..
//   %w = shufflevector %s, %t, <16 lanes>                  %w = fadd <16 x double> %u, shufflevector %x, %y, ..         1 and 2
#include "lanes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

bool isArithmetic(const Instruction &I) {
  return I.getType()->isFPOrFPVectorTy() &&
         (I.getOpcode() == Instruction::FMul || I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub);
}

unsigned lineOf(const Instruction &I) { return I.getDebugLoc() ? I.getDebugLoc().getLine() : 0; }

std::set<unsigned> Lanes::members(unsigned Line) const {
  auto At = Groups.find(Line);
  return At == Groups.end() ? std::set<unsigned>{Line} : At->second;
}

// Lines of groups count downwards from here; those of operations count upwards from 1.
static constexpr unsigned LastLine = 1u << 30;

unsigned Lanes::lineFor(std::set<unsigned> Lines) {
  if (Lines.size() == 1)
    return *Lines.begin();
  for (auto &[Line, Members] : Groups)
    if (Members == Lines)
      return Line;
  unsigned Line = LastLine - Groups.size();
  Groups[Line] = std::move(Lines);
  return Line;
}

void Lanes::mark(Function &F) {
  Marks.clear();
  Scopes.clear();
  Shuffles.clear();
  MDBuilder Builder(F.getContext());
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain();
  for (Instruction &I : instructions(F)) {
    if (!isArithmetic(I)) {
      I.setDebugLoc(DebugLoc());
      continue;
    }
    MDNode *Scope = Builder.createAnonymousAliasScope(Domain);
    I.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(F.getContext(), {Scope}));
    Scopes[Scope] = Marks.size();
    Marks.push_back({lineOf(I), I.getOpcode(), {}});
  }
  // Of shuffles of shuffles, too, which come later.
  std::map<const Value *, std::set<unsigned>> Known;
  for (Instruction &I : instructions(F)) {
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
      std::set<unsigned> Of = shuffled(*Shuffle, Known);
      if (!Of.empty())
        Shuffles.push_back({WeakTrackingVH(&I), Of});
      Known[&I] = std::move(Of);
    } else if (isArithmetic(I)) {
      Marked &Own = Marks[*marks(I).begin()];
      for (unsigned Place : {0, 1})
        if (auto *From = dyn_cast<Instruction>(I.getOperand(Place)); From && isArithmetic(*From))
          Own.Operands[Place] = *marks(*From).begin();
    }
  }
}

// The marks of the operations, all of one kind, whose lanes a shuffle, or one of shuffles that are known, puts together; none if there are others.
std::set<unsigned> Lanes::shuffled(const ShuffleVectorInst &Shuffle, const std::map<const Value *, std::set<unsigned>> &Known) const {
  std::set<unsigned> Found;
  for (const Value *O : Shuffle.operands()) {
    if (isa<PoisonValue>(O))
      continue;
    auto *From = dyn_cast<Instruction>(O);
    auto At = Known.find(O);
    std::set<unsigned> Of = From && isArithmetic(*From) ? marks(*From) : At == Known.end() ? std::set<unsigned>{} : At->second;
    if (Of.empty() || (!Found.empty() && Marks[*Of.begin()].Opcode != Marks[*Found.begin()].Opcode))
      return {};
    Found.merge(Of);
  }
  return Found;
}

// The marks of all operands at this place; none if one is no operation, or if they are of several kinds. Operands that two sums or products have in common
// may have changed places.
std::set<unsigned> Lanes::operands(const std::set<unsigned> &Of, unsigned Place) const {
  std::set<unsigned> Here, There;
  for (unsigned Mark : Of) {
    auto Own = Marks[Mark].Operands[Place], Other = Marks[Mark].Operands[1 - Place];
    if (!Own || (!Here.empty() && Marks[*Own].Opcode != Marks[*Here.begin()].Opcode))
      return {};
    Here.insert(*Own);
    if (Other)
      There.insert(*Other);
  }
  bool Changes = Instruction::isCommutative(Marks[*Of.begin()].Opcode) && Of.size() > 1 && any_of(Here, [&](unsigned Mark) { return There.count(Mark); });
  return Changes ? std::set<unsigned>{} : Here;
}

// Operations without marks that have taken the place of shuffles of others, and their operands.
std::map<const Instruction *, std::set<unsigned>> Lanes::widened() const {
  std::map<const Instruction *, std::set<unsigned>> Found;
  SmallVector<std::pair<const Value *, std::set<unsigned>>, 16> Open;
  for (const Shuffled &S : Shuffles)
    Open.push_back({S.Now, S.Marks});
  while (!Open.empty()) {
    auto [V, Of] = Open.pop_back_val();
    auto *I = dyn_cast_or_null<Instruction>(V);
    if (Of.empty() || !I || !isArithmetic(*I) || !marks(*I).empty() || I->getOpcode() != Marks[*Of.begin()].Opcode || !Found.insert({I, Of}).second)
      continue;
    for (unsigned Place : {0, 1})
      Open.push_back({I->getOperand(Place), operands(Of, Place)});
  }
  return Found;
}

std::set<unsigned> Lanes::marks(const Instruction &I) const {
  std::set<unsigned> Found;
  if (const MDNode *Own = I.getMetadata(LLVMContext::MD_alias_scope))
    for (const MDOperand &Scope : Own->operands())
      if (auto At = Scopes.find(Scope.get()); At != Scopes.end())
        Found.insert(At->second);
  return Found;
}

// The marks of the operations that an instruction stands for; none if nobody knows.
std::set<unsigned> Lanes::stand(const Instruction &I) const {
  std::set<unsigned> Found = marks(I);
  if (Found.empty() && I.hasOneUse())
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(*I.user_begin()))
      Found = marks(*Shuffle);
  std::set<unsigned> Own;
  for (unsigned Mark : Found)
    if (Marks[Mark].Opcode == I.getOpcode())
      Own.insert(Mark);
  return Own;
}

std::set<unsigned> Lanes::settle(Function &F, bool ByPlace) {
  std::set<unsigned> Seen;
  std::vector<std::pair<Instruction *, unsigned>> Known, Unknown;
  auto Widened = widened();
  for (Instruction &I : instructions(F)) {
    if (!isArithmetic(I))
      continue;
    std::set<unsigned> Lines;
    auto Wide = Widened.find(&I);
    for (unsigned Mark : Wide == Widened.end() ? stand(I) : Wide->second) {
      Seen.insert(Mark);
      Lines.merge(members(Marks[Mark].Line));
    }
    if (Lines.empty())
      Unknown.push_back({&I, 0});
    else
      Known.push_back({&I, lineFor(Lines)});
  }
  // How many operations of a line and an opcode are gone.
  std::map<std::pair<unsigned, unsigned>, unsigned> Gone;
  for (unsigned Mark = 0; Mark < Marks.size(); ++Mark)
    if (!Seen.count(Mark))
      ++Gone[{Marks[Mark].Line, Marks[Mark].Opcode}];
  std::set<unsigned> Lost;
  for (auto &[I, Line] : Unknown) {
    auto At = Gone.find({lineOf(*I), I->getOpcode()});
    if (ByPlace && At != Gone.end() && At->second > 0) {
      --At->second;
      Line = lineOf(*I);
    } else if (I->getOpcode() != Instruction::FMul) {
      // A product that nobody knows is known by the sum that takes it up; those that it stands for are missing below.
      Lost.insert(0);
    }
  }
  for (auto &[Operation, Count] : Gone)
    if (Count > 0)
      Lost.merge(members(Operation.first));
  Known.insert(Known.end(), Unknown.begin(), Unknown.end());
  for (Instruction &I : instructions(F)) {
    // Shuffles have lines of operations.
    I.setDebugLoc(DebugLoc());
    if (isArithmetic(I) || isa<ShuffleVectorInst>(I))
      I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  }
  for (auto [I, Line] : Known)
    if (Line != 0)
      setLine(*I, Line);
  return Lost;
}

void Lanes::setLine(Instruction &I, unsigned Line) const {
  I.setDebugLoc(DILocation::get(I.getContext(), Line, 0, I.getFunction()->getSubprogram()));
}

void Lanes::follow(Function &F) {
  std::vector<Followed> &Now = Before.emplace_back();
  for (Instruction &I : instructions(F))
    if (isArithmetic(I) && lineOf(I) != 0)
      Now.push_back({WeakTrackingVH(&I), lineOf(I), I.getOpcode()});
}

void Lanes::find(Function &F) {
  std::map<Instruction *, std::set<unsigned>> Found;
  for (const Followed &Old : Before.back()) {
    auto *I = dyn_cast_or_null<Instruction>(Old.Now);
    if (I && isArithmetic(*I) && I->getOpcode() == Old.Opcode && lineOf(*I) == 0)
      Found[I].merge(members(Old.Line));
  }
  Before.pop_back();
  for (auto &[I, Lines] : Found)
    setLine(*I, lineFor(Lines));
}

void Lanes::spread(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (isArithmetic(I))
      continue;
    I.setDebugLoc(DebugLoc());
    if (!isa<SelectInst, ShuffleVectorInst, InsertElementInst, ExtractElementInst, BitCastInst, FPExtInst>(I) && I.getOpcode() != Instruction::FNeg)
      continue;
    std::set<unsigned> Lines;
    for (const Value *O : I.operands())
      if (auto *From = dyn_cast<Instruction>(O); From && lineOf(*From) != 0)
        Lines.merge(members(lineOf(*From)));
    if (!Lines.empty())
      setLine(I, lineFor(Lines));
  }
}
