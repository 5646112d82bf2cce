//! A region of a function, free of LLVM: the last thing that the front door writes and the first that analysis reads.
//!
//! A region has one entry and one exit. Its blocks are listed in a topological order of the control flow without
//! back edges; `blocks[0]` is the entry. All loops are in simplified form (one preheader, one latch) and closed
//! (LCSSA), so a value defined in a loop is used after it only through a PHI outside of the loop.
//!
//! Values are dense ids; only the front door knows which LLVM value an id stands for. Code generation clones the
//! instruction behind a [`ValueId`] with new operands.

use crate::ids::{BaseId, BlockId, LoopId, ValueId};
use crate::scev::Scev;
use std::fmt;

/// A source position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc {
    /// File name as the debug information has it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 where unknown.
    pub column: u32,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ty {
    /// An integer of so many bits.
    Int(u32),
    /// IEEE half, single or double: 16, 32 or 64 bits.
    Float(u32),
    /// A pointer.
    Ptr,
    /// Anything else, in bits (vectors, structs, x86_fp80, ...).
    Other(u32),
}

impl Ty {
    /// Size in bytes as stored in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Ty::Int(b) | Ty::Float(b) | Ty::Other(b) => u64::from(b).div_ceil(8),
            Ty::Ptr => 8,
        }
    }

    /// Whether the type is known exactly, so that memory of our own can hold its values.
    pub fn is_plain(self) -> bool {
        matches!(self, Ty::Int(1..=64) | Ty::Float(16 | 32 | 64) | Ty::Ptr)
    }
}

/// A region of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Region {
    /// Name of the function.
    pub function: String,
    /// Name of the region: function and entry block.
    pub name: String,
    /// Position of the first loop.
    pub loc: Option<Loc>,
    /// All values that the region uses or defines.
    pub values: Vec<Value>,
    /// Loops wholly inside the region, outer before inner, in textual order.
    pub loops: Vec<Loop>,
    /// Blocks in topological order.
    pub blocks: Vec<Block>,
    /// Distinct base pointers of the memory accesses.
    pub bases: Vec<Base>,
    /// Pairs of bases (smaller id first) that are proven not to overlap.
    pub no_alias: Vec<(BaseId, BaseId)>,
    /// Conditions on what is known before the region, without which nothing is said about it.
    pub required: Vec<Cond>,
    /// Cells that were read before the region and that nothing in it may write, and what its gathers may read.
    pub held: Vec<Held>,
    /// How to find out whether gathers meet what is written, where nothing else says so.
    pub inspection: Option<Inspection>,
    /// Arrays whose rows are reached through pointers that the region loads.
    pub rows: Vec<Rows>,
    /// Strides in bytes that are known not to be the size of an element.
    pub strided: Vec<ValueId>,
    /// Values that are strides of outer dimensions, if they are strides: those of one array in the order of its dimensions.
    pub outer_strides: Vec<ValueId>,
    /// The region exit's merge of values: values defined in the region and used after it.
    pub live_out: Vec<ValueId>,
    /// What is computed of it may turn out to be in vain, as the program leaves it early; see [`Target::Trap`].
    pub tries: bool,
    /// Operations, loads and stores that are the same instruction but for operands and position: same flags, alignment and
    /// facts. Classes of two and more.
    pub alike: Vec<Vec<ValueId>>,
}

/// A cell, or a row of bytes, that holds its value during the region.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    /// Its address.
    pub pointer: ValueId,
    /// Its type.
    pub ty: Ty,
    /// Bases through which it is not accessed.
    pub apart: Vec<BaseId>,
    /// The program reads it in each iteration of an innermost loop.
    pub reread: bool,
}

/// A function that computes all addresses which depend on data, as the region does, and compares them with the arrays that the region
/// writes. It gets these values, and the bytes of each array.
#[derive(Clone, PartialEq, Debug)]
pub struct Inspection {
    /// Base pointers of the arrays, in the order of the bytes.
    pub written: Vec<ValueId>,
    /// What else it gets.
    pub inputs: Vec<ValueId>,
    /// The time that it takes, in percent of the region's.
    pub share: u32,
}

/// The rows of an array that are reached through a table of pointers: `a[i][j]`, where `a[i]` is loaded.
///
/// Addresses in the region are those of rows at one distance: that of entry `i` is `base + i * element * pitch`. Whether
/// that is what the table holds has to be checked; it also says what base and pitch are.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// The table.
    pub table: BaseId,
    /// The loads of its entries.
    pub loads: Vec<ValueId>,
    /// Where entries lie behind the table's base that were loaded in front of the region, and whose rows it accesses.
    pub in_front: Vec<Scev>,
    /// Bytes from the table's base to entry 0, less than `step`.
    pub first: u64,
    /// Bytes from one entry to the next.
    pub step: u64,
    /// Where the row of entry 0 is, or would be. Its value is known to no one before the check.
    pub base: BaseId,
    /// How many elements one row is behind the other; known like the base.
    pub pitch: ValueId,
    /// Bytes of an element.
    pub element: u64,
    /// Words beside the pointers that are taken for the same in all entries.
    pub lengths: Vec<Length>,
}

/// A word of each entry of a table, such as the length of its row (`a[i].len()`): one value, if the version check finds that all are alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Length {
    /// Bytes from the table's base to the word of entry 0.
    pub first: u64,
    /// What counts: the word itself, or how many elements of so many bytes it is behind the pointer to the row (a pointer to the row's end).
    pub unit: Option<u64>,
    /// What stands for it; known like the base.
    pub value: ValueId,
    /// Its loads.
    pub loads: Vec<ValueId>,
}

/// A value that a region uses or defines.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// A readable name, unique in the region.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Where it comes from.
    pub def: Def,
    /// How it evolves, for integers and pointers.
    pub scev: Option<Scev>,
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Def {
    /// Computed before the region is entered (argument, global, earlier instruction).
    Invariant,
    /// An integer constant, sign-extended.
    IntConst(i128),
    /// A floating point constant, by its bits.
    FloatConst(u64),
    /// Another constant (undef, poison, null, vector, ...).
    OtherConst,
    /// Computed by an instruction of this block.
    Inst(BlockId),
}

/// A loop in simplified form.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Name of the header block.
    pub name: String,
    /// The enclosing loop of the region.
    pub parent: Option<LoopId>,
    /// First block.
    pub header: BlockId,
    /// The block with the only back edge.
    pub latch: BlockId,
    /// How often the back edge is taken, from the latch's exit alone where other exits end in a trap.
    /// `Unknowable` if it cannot be computed.
    pub backedge_count: Scev,
    /// Conditions under which `backedge_count` holds (no-wrap facts that were predicated).
    pub predicates: Vec<Cond>,
    /// The compiler does not know how often the program's own loop runs, as its counter may stand still: it makes no vectors of it.
    pub uncounted: bool,
    /// Position of the loop.
    pub loc: Option<Loc>,
}

/// A base pointer.
#[derive(Clone, PartialEq, Debug)]
pub struct Base {
    /// The pointer, invariant in the region.
    pub value: ValueId,
    /// A readable name.
    pub name: String,
    /// What a reader knows it by, where that is not the name: the variable of the source that holds it, if debug
    /// information says so, or `argument 4 of f`. Code does not depend on it.
    pub label: Option<String>,
    /// Dimension sizes that element types of address computations show, `[N x [M x T]]` as `[N, M]`; a hint only.
    pub shape_hint: Vec<u64>,
    /// The object is a local or global of this size in bytes, if known.
    pub object_size: Option<u64>,
    /// Alignment of the pointer in bytes.
    pub align: u64,
    /// Nobody reads what the region leaves there.
    pub dead: bool,
    /// Nobody has written there when the region begins: what it reads it has to write.
    pub blank: bool,
}

impl Base {
    /// What a reader knows it by.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Name in the IR.
    pub name: String,
    /// Innermost loop of the region that contains it.
    pub loop_: Option<LoopId>,
    /// Instructions in order, without the terminator.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub term: Terminator,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// One successor.
    Jump(Target),
    /// Two successors.
    Branch {
        /// The condition; may be [`Cond::Opaque`].
        cond: Cond,
        /// The same as a value of one bit, as the program computes it.
        bit: ValueId,
        /// Where to go if it holds.
        then: Target,
        /// Where to go otherwise.
        els: Target,
    },
}

/// A successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A later block of the region.
    Block(BlockId),
    /// The back edge of this loop.
    Back(LoopId),
    /// The region's exit.
    Exit,
    /// A path that ends in a noreturn call, or out of the region as a whole: assumed not taken, and checked in front. What depends on data is
    /// found out while a region runs that [`Region::tries`].
    Trap,
}

/// An instruction of a region.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// Its result (stores have one too, as identity).
    pub id: ValueId,
    /// What it does.
    pub kind: InstKind,
    /// Position.
    pub loc: Option<Loc>,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    /// Reads `ty` at `addr`.
    Load {
        /// Address.
        addr: Address,
        /// Type read.
        ty: Ty,
    },
    /// Writes `value` at `addr`.
    Store {
        /// Address.
        addr: Address,
        /// Type written.
        ty: Ty,
        /// What is written.
        value: ValueId,
    },
    /// Sets `len` bytes to `byte`.
    Memset {
        /// First byte.
        addr: Address,
        /// Number of bytes.
        len: Scev,
        /// The byte.
        byte: ValueId,
    },
    /// Copies `len` bytes between ranges that do not overlap.
    Memcpy {
        /// First byte written.
        dst: Address,
        /// First byte read.
        src: Address,
        /// Number of bytes.
        len: Scev,
    },
    /// Merge of values by incoming block. A header PHI has the latch among its incoming blocks; the entry block's PHIs
    /// do not appear (they are invariant).
    Phi(Vec<(BlockIn, ValueId)>),
    /// A computation without memory effect and without undefined behaviour other than what its operands decide.
    Op {
        /// The operation.
        op: OpCode,
        /// Operands in the instruction's order.
        operands: Vec<ValueId>,
    },
    /// An address or integer computation that is fully described by its evolution and has no further meaning.
    Index,
}

/// The incoming side of a PHI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockIn {
    /// From a block of the region.
    Block(BlockId),
    /// From before the region.
    Entry,
}

/// An address: a base pointer and an evolution that contains it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    /// The object pointed into.
    pub base: BaseId,
    /// Offset from the base in bytes, 64 bits wide.
    pub offset: Scev,
}

/// A branch condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// Always or never.
    Const(bool),
    /// A comparison of integers.
    Cmp {
        /// Predicate.
        pred: CmpPred,
        /// Left side.
        lhs: Scev,
        /// Right side.
        rhs: Scev,
    },
    /// All hold.
    And(Vec<Cond>),
    /// One holds.
    Or(Vec<Cond>),
    /// Does not hold.
    Not(Box<Cond>),
    /// A merge of conditions by incoming block.
    Phi(Vec<(BlockIn, Cond)>),
    /// Known only at run time from data.
    Opaque(ValueId),
}

/// Integer comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum CmpPred {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl InstKind {
    /// The addresses that are accessed.
    pub fn addresses(&self) -> Vec<&Address> {
        match self {
            InstKind::Load { addr, .. }
            | InstKind::Store { addr, .. }
            | InstKind::Memset { addr, .. } => vec![addr],
            InstKind::Memcpy { dst, src, .. } => vec![dst, src],
            InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => vec![],
        }
    }

    /// The address that is written to.
    pub fn written(&self) -> Option<&Address> {
        match self {
            InstKind::Store { addr, .. } | InstKind::Memset { addr, .. } => Some(addr),
            InstKind::Memcpy { dst, .. } => Some(dst),
            _ => None,
        }
    }
}

impl CmpPred {
    /// The comparison that holds where this one does not.
    pub fn negated(self) -> CmpPred {
        match self {
            CmpPred::Eq => CmpPred::Ne,
            CmpPred::Ne => CmpPred::Eq,
            CmpPred::Slt => CmpPred::Sge,
            CmpPred::Sle => CmpPred::Sgt,
            CmpPred::Sgt => CmpPred::Sle,
            CmpPred::Sge => CmpPred::Slt,
            CmpPred::Ult => CmpPred::Uge,
            CmpPred::Ule => CmpPred::Ugt,
            CmpPred::Ugt => CmpPred::Ule,
            CmpPred::Uge => CmpPred::Ult,
        }
    }
}

/// Floating point comparison: the sixteen predicates of IEEE comparisons, as LLVM numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FCmpPred(pub u8);

impl FCmpPred {
    /// Neither is NaN.
    pub const ORDERED: FCmpPred = FCmpPred(7);
    /// One of them is NaN.
    pub const UNORDERED: FCmpPred = FCmpPred(8);

    /// Whether it holds for no NaN and no equal numbers: less, or greater.
    pub fn is_strict(self) -> bool {
        const GREATER: u8 = 2;
        const LESS: u8 = 4;
        matches!(self.0, GREATER | LESS)
    }

    /// What holds where it does not: one bit each for equal, greater, less and unordered.
    pub fn inverse(self) -> FCmpPred {
        FCmpPred(!self.0 & 15)
    }
}

/// Flags of a floating point operation that matter to a reordering compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FastMath {
    /// May be reassociated.
    pub reassoc: bool,
    /// The back end may contract it.
    pub contract: bool,
}

/// Intrinsics that are overloaded by one type, which all operands and the result have, and that work lane by lane.
pub const LANE_BY_LANE: [&str; 22] = [
    "llvm.fma",
    "llvm.fmuladd",
    "llvm.sqrt",
    "llvm.fabs",
    "llvm.minnum",
    "llvm.maxnum",
    "llvm.minimum",
    "llvm.maximum",
    "llvm.copysign",
    "llvm.floor",
    "llvm.ceil",
    "llvm.trunc",
    "llvm.rint",
    "llvm.nearbyint",
    "llvm.round",
    "llvm.roundeven",
    "llvm.smin",
    "llvm.smax",
    "llvm.umin",
    "llvm.umax",
    "llvm.uadd.sat",
    "llvm.usub.sat",
];

/// An operation of a statement body. Code generation clones the instruction; analysis needs its algebra only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum OpCode {
    FAdd(FastMath),
    FSub(FastMath),
    FMul(FastMath),
    FDiv(FastMath),
    FRem,
    FNeg,
    /// `llvm.fmuladd`: the target decides, the same way everywhere.
    FMulAdd(FastMath),
    /// `llvm.fma`.
    Fma,
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    ICmp(CmpPred),
    FCmp(FCmpPred),
    Select,
    /// `c ? a : b` of which only what is chosen is computed. No instruction does that: the value merges where control flow does.
    Choose,
    SMin,
    SMax,
    UMin,
    UMax,
    /// An inner loop whose bounds depend on data, as a function of what it takes from outside. It loads as gathers do, and writes nothing.
    Ragged {
        /// It does not load, and may run for several iterations of the loop around it at once.
        abreast: bool,
    },
    /// Integer, floating point and pointer conversions; the result type says which.
    Cast,
    Freeze,
    Sqrt,
    /// A load, at the address that is its operand, of memory that the region does not write: it yields the same whenever it runs. The
    /// program does not load there unless the instance runs.
    Gather,
    /// Call of a function or intrinsic without memory effects (errno apart), by name.
    Call(String),
    /// Any other pure instruction, by its mnemonic.
    Other(String),
}

impl OpCode {
    /// Whether it is arithmetic in floating point.
    pub fn is_float(&self) -> bool {
        use OpCode::{FAdd, FDiv, FMul, FMulAdd, FNeg, FRem, FSub, Fma, Sqrt};
        let binary = matches!(self, FAdd(_) | FSub(_) | FMul(_) | FDiv(_) | FRem);
        binary || matches!(self, FNeg | FMulAdd(_) | Fma | Sqrt)
    }

    /// Whether it calls a function. Most intrinsics are instructions; mathematical functions are not.
    pub fn is_function(&self) -> bool {
        const MATHEMATICAL: [&str; 12] = [
            "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
            "pow",
        ];
        let OpCode::Call(name) = self else {
            return false;
        };
        let instruction = name.strip_prefix("llvm.").and_then(|n| n.split('.').next());
        instruction.is_none_or(|word| MATHEMATICAL.iter().any(|f| word.starts_with(f)))
    }

    /// Whether it calls a function that may set `errno`: none that the compiler knows as an intrinsic does.
    pub fn may_set_errno(&self) -> bool {
        matches!(self, OpCode::Call(name) if !name.starts_with("llvm."))
    }

    /// Whether it is a square root of the C library, which sets `errno` where its operand is below zero.
    pub fn is_root_with_errno(&self) -> bool {
        matches!(self, OpCode::Call(name) if name == "sqrt" || name == "sqrtf")
    }

    /// Whether vectors of its operands are taken apart for it: it gives the same for a lane whenever it runs for the operands of some instance, and no
    /// vector instruction does that.
    pub fn runs_by_lane(&self) -> bool {
        use OpCode::{FRem, Freeze, SDiv, SRem, UDiv, URem};
        let whole = matches!(self, UDiv | SDiv | URem | SRem | FRem | Freeze);
        whole || self.is_function()
    }

    /// Whether it is one of [`LANE_BY_LANE`].
    pub fn is_lane_by_lane(&self) -> bool {
        matches!(self, OpCode::Call(name) if LANE_BY_LANE.contains(&name.as_str()))
    }

    /// Whether it neither traps nor raises a flag nor takes long: it may be computed where nobody asks for it.
    pub fn is_harmless(&self) -> bool {
        use OpCode::*;
        matches!(
            self,
            FNeg | Add
                | Sub
                | Mul
                | Shl
                | LShr
                | AShr
                | And
                | Or
                | Xor
                | ICmp(_)
                | Select
                | SMin
                | SMax
                | UMin
                | UMax
                | Freeze
        )
    }

    /// Whether its two operands may come in any order.
    pub fn commutes(&self) -> bool {
        use OpCode::{Add, And, FAdd, FMul, Mul, Or, SMax, SMin, UMax, UMin, Xor};
        matches!(
            self,
            Add | And | FAdd(_) | FMul(_) | Mul | Or | SMax | SMin | UMax | UMin | Xor
        )
    }

    /// Whether it reads memory that no access names.
    pub fn gathers(&self) -> bool {
        matches!(self, OpCode::Gather | OpCode::Ragged { .. })
    }
}

impl Region {
    /// Loops of the deepest nest.
    pub fn depth(&self) -> usize {
        let depths = self.loops.iter().map(|l| self.loop_nest(l.header).len());
        depths.max().unwrap_or(0)
    }

    /// Whether a value is computed in each iteration of an innermost loop.
    pub fn is_innermost(&self, v: ValueId) -> bool {
        let Def::Inst(block) = self.values[v.index()].def else {
            return false;
        };
        let own = self.blocks[block.index()].loop_;
        own.is_some() && self.loops.iter().all(|l| l.parent != own)
    }

    /// The value behind an id.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// Whether two operations, loads or stores are the same instruction but for operands and position.
    pub fn alike(&self, a: ValueId, b: ValueId) -> bool {
        a == b || (self.alike.iter()).any(|class| class.contains(&a) && class.contains(&b))
    }

    /// The loop behind an id.
    pub fn loop_(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    /// The block behind an id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The loop that begins with a block, if one does.
    pub fn headed(&self, block: BlockId) -> Option<LoopId> {
        let l = self.block(block).loop_;
        l.filter(|l| self.loop_(*l).header == block)
    }

    /// The loops around a block, outermost first.
    pub fn loop_nest(&self, block: BlockId) -> Vec<LoopId> {
        let mut nest = vec![];
        let mut at = self.block(block).loop_;
        while let Some(l) = at {
            nest.push(l);
            at = self.loop_(l).parent;
        }
        nest.reverse();
        nest
    }
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
