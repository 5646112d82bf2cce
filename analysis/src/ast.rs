//! The loop program that code generation emits.
//!
//! All arithmetic is on 64-bit signed integers. [`Ast`] is what is left of the polyhedra: loops with explicit bounds,
//! conditions, statement instances with their original iterators as expressions, and the decisions taken about them.

use crate::chain::Chain;
use crate::ids::{ArrayId, BaseId, NodeId, ParamId, StmtId, ValueId};
use crate::region::Ty;
use crate::scev::Scev;
use crate::scop::{Length, Shift};
use crate::tree::{Distribution, RegisterTile, Rest, Side, Supply};
use std::fmt;

/// An iterator of the generated program: dense, unique in one [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IterId(pub u32);

/// A complete generated program: what runs if the check holds, and the check.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// When this version may and should run.
    pub check: Check,
    /// Symbolic tile sizes in the order of their use by [`Expr::Size`].
    pub sizes: Vec<crate::tree::SizeParam>,
    /// Buffers for packed operands.
    pub buffers: Vec<Buffer>,
    /// Temporary arrays without memory: whoever reads an element takes the value that was written last.
    pub handed: Vec<ArrayId>,
    /// The loops.
    pub body: Ast,
}

/// Memory of the generated program's own: allocated before it runs (the original runs where there is not enough) and
/// freed after it. Aligned to vectors. One copy, or one per thread.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Type of an element.
    pub ty: Ty,
    /// Number of elements, a sum, product, minimum or maximum of parameters and tile sizes; an upper bound of all indices
    /// plus one.
    pub elements: Expr,
    /// All threads use the same copy, which is written outside of parallel loops. Otherwise it is written and read inside
    /// of one parallel loop, and each thread has its copy.
    pub shared: bool,
}

/// The run-time condition in front of a [`Program`]: all parts must hold.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Check {
    /// Tables of pointers to rows. They give values to parameters that `before_rows` does not name.
    pub rows: Vec<RowsCheck>,
    /// Conditions under which the tables may be read: with `poly_checks`, all that the program's loops depend on.
    pub before_rows: Vec<Expr>,
    /// Conditions that the lengths in the first entries have to fulfil before other entries are read, by the number of tables on the way to
    /// the latter.
    pub of_lengths: Vec<Vec<Expr>>,
    /// Conditions over parameters.
    pub conditions: Vec<Expr>,
    /// Conditions under which a run is long enough, beside `work`.
    pub worth: Vec<Expr>,
    /// Polynomials whose values must lie in a range.
    pub poly_checks: Vec<PolyCheck>,
    /// Byte ranges that must not overlap.
    pub apart: Vec<Apart>,
    /// What an inspection compares, after everything else.
    pub inspected: Option<Inspected>,
    /// All that is written, if both versions are to run and to be compared.
    pub written: Vec<ByteRange>,
    /// What has to be readable, where the program may leave early: the bytes of all arrays.
    pub readable: Vec<ByteRange>,
    /// Estimated work: the version runs only if `work >= min_work`. `None`: always worth it.
    pub work: Option<(Expr, i64)>,
    /// So much work is done by one thread in a microsecond.
    pub pace: i64,
    /// How many threads there must be.
    pub threads: Threads,
    /// One suffices where this holds; `None`: nowhere.
    pub alone: Option<Expr>,
    /// One suffices where arrays are one that may be ([`Apart::or_one`]).
    pub alone_in_place: bool,
}

/// Two byte ranges that must not overlap.
#[derive(Clone, PartialEq, Debug)]
pub struct Apart {
    /// The ranges.
    pub ranges: [ByteRange; 2],
    /// Unless they begin at one address: they differ in nothing but their pointers, and the program works in place then.
    pub or_one: bool,
}

/// Arrays that reads without subscripts must not meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Inspected {
    /// The arrays; one is all ranges of a list, and what lies between them.
    pub written: Vec<Vec<ByteRange>>,
    /// What else the inspection gets.
    pub inputs: Vec<ValueId>,
}

/// The rows of an array lie at one distance, as the entries of a table of pointers say. Subscripts of the table count pointers.
#[derive(Clone, PartialEq, Debug)]
pub struct RowsCheck {
    /// The table.
    pub table: ValueId,
    /// The first entry that the program reads.
    pub lo: Expr,
    /// The last one.
    pub hi: Expr,
    /// The entry that points to row 0, less than `step`.
    pub first: i64,
    /// Entries from one row to the next.
    pub step: i64,
    /// The base of the rows, which the table gives a value to.
    pub base: BaseId,
    /// That value.
    pub address: ValueId,
    /// The distance of two rows in elements, as well.
    pub pitch: ValueId,
    /// Bytes of an element.
    pub element: u64,
    /// When lengths are read, those of all tables of a step together: from 1 on.
    pub step_of_lengths: usize,
    /// Words beside each pointer that have to be alike, and what they give a value to.
    pub lengths: Vec<Length>,
    /// The first entry beside whose pointer the program reads them, and the last one.
    pub measured: (Expr, Expr),
    /// Where all that the program accesses of a row lies, if that is known.
    pub columns: Option<Columns>,
    /// The table's own table, where its entries lie in the rows of another one.
    pub through: Option<Through>,
    /// The entries in parts, where the program leaves out some between the first and the last one: those rows may be anything.
    pub parts: Vec<Entries>,
}

impl RowsCheck {
    /// Whether it is known which entries of a table in the rows of another one the program reads.
    pub fn knows_entries(&self) -> bool {
        self.through.as_ref().is_none_or(|t| t.entries.is_some())
    }

    /// The parts in which entries are looked at; none: all from the first one to the last one.
    pub fn parts(&self) -> &[Entries] {
        self.through.as_ref().map_or(&self.parts, |t| t.parts())
    }
}

/// A table in the rows of another table, which has no first entry and no last one: what follows says which entries the program reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Through {
    /// The other table, by its place in [`Check::rows`].
    pub table: usize,
    /// The entries that the program reads, if that is known: all of these, each in one of them.
    pub entries: Option<Vec<Entries>>,
    /// So much work is worth to look at each row.
    pub work: i64,
}

impl Through {
    /// The entries, where they are known: nothing is emitted else.
    pub fn parts(&self) -> &[Entries] {
        self.entries.as_deref().unwrap_or_default()
    }
}

/// Entries of tables in tables, by the numbers of the entries on the way to them.
#[derive(Clone, PartialEq, Debug)]
pub struct Entries {
    /// When there are any.
    pub some: Expr,
    /// What each number is between, that of the outermost table first.
    pub numbers: Vec<Between>,
}

/// A number is not below any of the first ones, and not above any of the others.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Between {
    /// Lower bounds.
    pub lower: Vec<Bound>,
    /// Upper bounds.
    pub upper: Vec<Bound>,
}

/// A sum of what is known in front of a nest, and of multiples of the numbers before.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// The first part.
    pub at_0: Expr,
    /// What each number is multiplied by.
    pub steps: Vec<i64>,
}

/// What is accessed of each row of an array, in bytes from where its pointer points to: of row `r` from `first.0 + r * first.1` up to,
/// but without, the same of `end`. Rows behind tables in tables have no number there: the second parts are 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Columns {
    /// The first byte.
    pub first: (Expr, i64),
    /// Behind the last one.
    pub end: (Expr, i64),
    /// Whether some are written.
    pub written: bool,
}

impl Columns {
    /// Whether they are the same in all rows.
    pub fn are_alike(&self) -> bool {
        self.first.1 == 0 && self.end.1 == 0
    }
}

/// A sum of products of parameters times values between two bounds: its extremes must lie in a range.
#[derive(Clone, PartialEq, Debug)]
pub struct PolyCheck {
    /// The terms.
    pub terms: Vec<PolyCheckTerm>,
    /// The least value allowed.
    pub least: Option<i64>,
    /// The greatest value allowed.
    pub greatest: Option<i64>,
}

/// A product of parameters times the values between two bounds.
#[derive(Clone, PartialEq, Debug)]
pub struct PolyCheckTerm {
    /// The parameters.
    pub factors: Vec<ParamId>,
    /// The least value.
    pub lo: Expr,
    /// The greatest value.
    pub hi: Expr,
}

/// How many threads a version is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// One or more.
    #[default]
    Any,
    /// It gains by threads alone: more than one, outside of parallel regions.
    Several,
}

/// The bytes `[base + lo, base + hi)` that a SCoP touches of one array, if any. A bound is a sum of `subscript * stride`. Of a
/// loose array, subscripts are least and greatest ones, which a negative stride swaps.
#[derive(Clone, PartialEq, Debug)]
pub struct ByteRange {
    /// The pointer.
    pub base: ValueId,
    /// How far from it elements are counted from.
    pub origin: Vec<Shift>,
    /// Terms of the first byte's offset.
    pub lo: Vec<(Expr, Scev)>,
    /// Terms of the last element's offset.
    pub hi: Vec<(Expr, Scev)>,
    /// Size of an element, added to `hi`.
    pub element: u64,
    /// Whether nothing is known of its strides.
    pub loose: bool,
    /// When anything is touched at all; the bounds mean nothing else. `None`: always.
    pub touched: Option<Expr>,
}

/// A statement of the generated program.
#[derive(Clone, PartialEq, Debug)]
pub enum Ast {
    /// A loop.
    For(Box<For>),
    /// A condition.
    If {
        /// The condition; non-zero is true.
        cond: Expr,
        /// If true.
        then: Box<Ast>,
        /// If false.
        els: Option<Box<Ast>>,
    },
    /// One after the other.
    Block(Vec<Ast>),
    /// An instance of a statement.
    User(User),
    /// A register tile: all instances of the accumulating statement in a box, see [`MicroKernel`].
    MicroKernel(Box<MicroKernel>),
    /// Stores operands of an instance in a buffer.
    Pack(Box<PackStore>),
}

/// `for (iter = first; iter <= last; iter += step)`, where `first` is `lower`, or with an anchor the least value at or
/// above `lower` that is congruent to `anchor` modulo `step`.
#[derive(Clone, PartialEq, Debug)]
pub struct For {
    /// The iterator.
    pub iter: IterId,
    /// Lower bound, inclusive.
    pub lower: Expr,
    /// Upper bound, inclusive.
    pub upper: Expr,
    /// Step, positive.
    pub step: Expr,
    /// The lattice that iterations lie on; `None` where `lower` lies on it.
    pub anchor: Option<Expr>,
    /// How it runs.
    pub kind: ForKind,
    /// What is repeated.
    pub body: Ast,
}

/// How a loop runs.
#[derive(Clone, PartialEq, Debug)]
pub enum ForKind {
    /// One iteration after the other.
    Sequential,
    /// By all threads.
    Parallel {
        /// How iterations are dealt.
        distribution: Distribution,
        /// One thread suffices unless this holds (enough work); `None`: always by all threads.
        worth: Option<Expr>,
        /// Temporary arrays of which each thread has a copy of its own.
        private: Vec<ArrayId>,
    },
    /// One iteration after the other, but all threads go through them together: parallel loops inside are dealt to the
    /// threads, anything else is done by one of them, and each of these begins when the one before is finished.
    Team {
        /// One thread suffices unless this holds; `None`: always all threads.
        worth: Option<Expr>,
    },
    /// The tiles of one row, below a parallel loop over rows ([`Distribution::Pipelined`]) with nothing but conditions
    /// between the two: iteration `j` of row `i` begins when all iterations up to `j` of the rows before `i`, and all
    /// before `j` of row `i`, are finished. Further ones of other rows may run at the same time.
    Stage,
    /// Iterations are independent: the loop vectorizer may take them without checks.
    Vector,
    /// The same, and there are at most a few vectors of them.
    ShortVector {
        /// The vectorizer should mask the last one; else it leaves a scalar rest.
        masked: bool,
    },
    /// Iterations are independent but for the cells that these statements accumulate in, on which nothing else in the loop depends. A
    /// strip of iterations after the other: everything but the updates of those cells may be done in vector lanes, then
    /// the updates follow in order.
    Strips {
        /// The statements.
        chains: Vec<Chain>,
    },
    /// Iterations are independent, as are those of the only loop inside, which has nothing but statements: memory is contiguous along one
    /// of the two for some accesses, along the other for others. Squares of so many iterations of each run in vectors, of which
    /// some are transposed in registers.
    Squares {
        /// Lanes of a vector, and vectors of a square.
        lanes: u32,
        /// By statement: which loop's iterations are the lanes of a vector.
        vectors: Vec<SquareVectors>,
    },
    /// Iterations are independent, with sequential loops inside: one iteration per lane, so many vectors side by side.
    Lanes {
        /// Lanes of a vector.
        lanes: u32,
        /// Vectors side by side.
        vectors: u32,
        /// Where its elements come from.
        supply: Supply,
        /// Arrays whose elements exist in panels only, while a bundle of lanes runs.
        panels: Vec<LanePanel>,
    },
    /// Iterations are independent, at most one per lane. In the loop right around it no element is written twice, and
    /// dependences reach no farther than [`DIAGONAL_REACH`](crate::tree::DIAGONAL_REACH): its iterations may take from
    /// registers what earlier diagonals wrote. The two loops may run in either order.
    Diagonal {
        /// Lanes of a vector.
        lanes: u32,
        /// Vectors side by side.
        vectors: u32,
        /// How points run where lanes are missing.
        rest: Rest,
    },
}

/// The direction of vectors in squares ([`ForKind::Squares`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareVectors {
    /// Along the inner loop.
    Inner,
    /// Along the outer loop.
    Outer,
}

/// A contracted array (Lefebvre and Feautrier 1998): lane `l` of a bundle finds the element that an access touches in
/// element `row * width + l` of a buffer instead. What a lane reads there it has written in the same iteration of all
/// loops around. Of an array with several subscripts beside the lane's, rows are counted as elements of an array with
/// such extents are, the last one fastest.
#[derive(Clone, PartialEq, Debug)]
pub struct LanePanel {
    /// The array.
    pub array: ArrayId,
    /// Position in [`Program::buffers`].
    pub buffer: usize,
    /// Lanes of a whole bundle.
    pub width: u32,
    /// Rows of each subscript but the first.
    pub extents: Vec<Expr>,
    /// All accesses to the array below the loop.
    pub places: Vec<PanelPlace>,
}

/// Where an access lies in a [`LanePanel`].
#[derive(Clone, PartialEq, Debug)]
pub struct PanelPlace {
    /// The statement.
    pub stmt: StmtId,
    /// Position in its accesses.
    pub access: usize,
    /// By subscript.
    pub rows: Vec<PanelRow>,
}

/// A subscript of an access to a [`LanePanel`]: `start + steps * iterators`.
#[derive(Clone, PartialEq, Debug)]
pub struct PanelRow {
    /// What it gains per step of each iterator of the statement; nothing with the lanes.
    pub steps: Vec<i64>,
    /// What it is for iterators of zero.
    pub start: Expr,
}

/// `S(args)`: the instance of a statement, by its original iterators.
#[derive(Clone, PartialEq, Debug)]
pub struct User {
    /// The statement.
    pub stmt: StmtId,
    /// Values of its iterators.
    pub args: Vec<Expr>,
}

/// Elements from one lane's cell of a [`MicroKernel`] to the next at most. Cells are moved once per block of the reduction:
/// so many vectors for each, whose other elements are neither read nor written.
pub const MAX_CELL_STRIDE: i128 = 4;

/// All instances of an accumulating statement in a box of `rows x (vectors * lanes)` and a range of the reduction
/// iterator, as far as [`MicroKernel::constraints`] hold.
///
/// The instance of row `r`, lane `l` and step `k` has the iterators `args + r*row_step + l*lane_step + k*reduction_step`.
/// Meaning: the accumulated cells of all rows and lanes are loaded, then for `k` ascending from `first` to `last` every
/// instance that satisfies the constraints updates its accumulator, then the cells are stored. Nothing else of the
/// statement is stored before the end, so reads of cells that the box overwrites see old values (the caller proved that
/// this is what they must see).
#[derive(Clone, PartialEq, Debug)]
pub struct MicroKernel {
    /// Shape and roles.
    pub tile: RegisterTile,
    /// Values of the statement's iterators at row 0, lane 0 and `k == 0`.
    pub args: Vec<Expr>,
    /// What the iterators gain per row.
    pub row_step: Vec<i64>,
    /// What the iterators gain per lane.
    pub lane_step: Vec<i64>,
    /// What the iterators gain per step of `k`.
    pub reduction_step: Vec<i64>,
    /// Least reduction iteration of any instance in the box.
    pub first: Expr,
    /// Greatest reduction iteration of any instance in the box.
    pub last: Expr,
    /// The exact instances inside the box.
    pub constraints: Vec<TileConstraint>,
    /// Packed operands that change with the row.
    pub row_panel: Option<Panel>,
    /// Packed operands that change with the lane.
    pub lane_panel: Option<Panel>,
    /// The box that usually runs next lies behind the last row, or behind the last lane. Only a hint: its cells are
    /// fetched early.
    pub next: Option<Side>,
}

/// `buffer[index + n * width] = operands[n]` of the instance `args`, for each operand `n`.
#[derive(Clone, PartialEq, Debug)]
pub struct PackStore {
    /// Position in [`Program::buffers`].
    pub buffer: usize,
    /// The statement.
    pub stmt: StmtId,
    /// Nodes of its body that are evaluated.
    pub operands: Vec<NodeId>,
    /// The instance. It may lie outside of the iteration domain in directions in which the operands do not change.
    pub args: Vec<Expr>,
    /// Element of the first operand.
    pub index: Expr,
    /// Distance from one operand to the next, in elements.
    pub width: u32,
}

/// Where a register tile finds packed operands: operand `n` of row (or lane) `r` and step `k` is element
/// `start + (k - origin) * operands.len() * width + n * width + r` of the buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// Position in [`Program::buffers`].
    pub buffer: usize,
    /// The packed nodes of the statement's body.
    pub operands: Vec<NodeId>,
    /// Rows or lanes per panel.
    pub width: u32,
    /// Element of step `origin`, operand 0, row or lane 0; a multiple of `width`.
    pub start: Expr,
    /// The first step in the buffer.
    pub origin: Expr,
}

/// `row * r + lane * l + reduction * k + rest >= 0`, where `r` and `l` count from 0. With `reduction == 0` it masks cells
/// (edges, output triangles); mixed ones (reduction triangles) hold for all cells in the middle of the range of `k` and
/// need a masked head or tail. Those that bound only `k` are in `first` and `last`.
#[derive(Clone, PartialEq, Debug)]
pub struct TileConstraint {
    /// Coefficient of the row.
    pub row: i64,
    /// Coefficient of the lane.
    pub lane: i64,
    /// Coefficient of the reduction iterator.
    pub reduction: i64,
    /// Everything that is fixed in the box.
    pub rest: Expr,
}

/// An integer expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// A constant.
    Int(i64),
    /// An iterator.
    Iter(IterId),
    /// A parameter of the SCoP.
    Param(ParamId),
    /// A symbolic tile size, by position in [`Program::sizes`].
    Size(usize),
    /// Negation.
    Neg(Box<Expr>),
    /// An operation on two operands.
    Bin(BinOp, Box<Expr>, Box<Expr>),
    /// `if .0 { .1 } else { .2 }`; both sides may be evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Operations. Comparisons and logic yield 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Division known to be exact.
    DivExact,
    /// Quotient rounded to minus infinity; divisor positive.
    FloorDiv,
    /// Quotient of a non-negative dividend; divisor positive.
    PosDiv,
    /// Remainder of a non-negative dividend; divisor positive.
    PosRem,
    /// Remainder that is only compared with zero.
    ZeroRem,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Both.
    And,
    /// One.
    Or,
    /// Equal.
    Eq,
    /// Less or equal.
    Le,
    /// Less.
    Lt,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
}

impl Expr {
    /// An operation on two operands.
    pub fn bin(op: BinOp, a: Expr, b: Expr) -> Expr {
        Expr::Bin(op, Box::new(a), Box::new(b))
    }

    /// Whether it can be computed in front of all loops, and a sum or product out of range is all that can go wrong: the form
    /// that sizes of buffers have.
    pub fn is_size(&self) -> bool {
        use BinOp::{Add, Max, Min, Mul, Sub};
        match self {
            Expr::Int(_) | Expr::Param(_) | Expr::Size(_) => true,
            Expr::Neg(a) => a.is_size(),
            Expr::Bin(Add | Sub | Mul | Min | Max, a, b) => a.is_size() && b.is_size(),
            Expr::Bin(..) | Expr::Iter(_) | Expr::Select(..) => false,
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Int(i) => write!(f, "{i}"),
            Expr::Iter(i) => write!(f, "c{}", i.0),
            Expr::Param(p) => write!(f, "{p}"),
            Expr::Size(s) => write!(f, "s{s}"),
            Expr::Neg(a) => write!(f, "-({a})"),
            Expr::Select(c, a, b) => write!(f, "({c} ? {a} : {b})"),
            Expr::Bin(op, a, b) => match op {
                BinOp::Min => write!(f, "min({a}, {b})"),
                BinOp::Max => write!(f, "max({a}, {b})"),
                BinOp::FloorDiv => write!(f, "floord({a}, {b})"),
                _ => write!(f, "({a} {} {b})", op.symbol()),
            },
        }
    }
}

impl BinOp {
    /// C's symbol for it (functions have their name).
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::DivExact | BinOp::PosDiv => "/",
            BinOp::FloorDiv => "floord",
            BinOp::PosRem | BinOp::ZeroRem => "%",
            BinOp::Min => "min",
            BinOp::Max => "max",
            BinOp::And => "&&",
            BinOp::Or => "||",
            BinOp::Eq => "==",
            BinOp::Le => "<=",
            BinOp::Lt => "<",
            BinOp::Ge => ">=",
            BinOp::Gt => ">",
        }
    }
}

impl For {
    /// Whether it has one iteration: it is there for the sake of its kind, as a team of neighbours is, and nothing in it asks for its number.
    pub fn is_once(&self) -> bool {
        matches!(self.lower, Expr::Int(_)) && self.lower == self.upper
    }
}

impl ForKind {
    /// Whether iterations wait for each other, row by row; see [`ForKind::Stage`].
    pub fn is_pipelined(&self) -> bool {
        let ForKind::Parallel { distribution, .. } = self else {
            return false;
        };
        *distribution == Distribution::Pipelined
    }

    /// The arrays of lanes that exist in panels only.
    pub fn lane_panels(&self) -> &[LanePanel] {
        match self {
            ForKind::Lanes { panels, .. } => panels,
            _ => &[],
        }
    }
}

impl Ast {
    /// The tiles of a row, if this is all of the body of a loop over rows; see [`ForKind::Stage`].
    pub fn stage(&self) -> Option<&For> {
        match self {
            Ast::For(l) if l.kind == ForKind::Stage => Some(l),
            Ast::If {
                then, els: None, ..
            } => then.stage(),
            _ => None,
        }
    }

    /// Whether there are rows of tiles in it; see [`ForKind::Stage`].
    pub fn has_stage(&self) -> bool {
        self.find_loop(&|l| l.kind == ForKind::Stage).is_some()
    }

    /// Whether a loop of it runs in squares.
    pub fn has_squares(&self) -> bool {
        let squares = |l: &For| matches!(l.kind, ForKind::Squares { .. });
        self.find_loop(&squares).is_some()
    }

    /// Whether any loop is meant for vectors, or there is a register tile.
    pub fn has_vectors(&self) -> bool {
        let vectors = |l: &For| {
            !matches!(
                l.kind,
                ForKind::Sequential | ForKind::Parallel { .. } | ForKind::Team { .. }
            )
        };
        self.find_loop(&vectors).is_some() || self.has_register_tile()
    }

    /// Whether a loop around others runs in vector lanes.
    pub fn has_lanes(&self) -> bool {
        let lanes = |l: &For| matches!(l.kind, ForKind::Lanes { .. });
        self.find_loop(&lanes).is_some()
    }

    /// Whether there is a parallel loop in it.
    pub fn has_parallel_loop(&self) -> bool {
        let parallel = |l: &For| matches!(l.kind, ForKind::Parallel { .. });
        self.find_loop(&parallel).is_some()
    }

    /// Whether there is a register tile in it.
    pub fn has_register_tile(&self) -> bool {
        match self {
            Ast::MicroKernel(_) => true,
            Ast::For(l) => l.body.has_register_tile(),
            Ast::Block(list) => list.iter().any(Ast::has_register_tile),
            Ast::If { then, els, .. } => {
                then.has_register_tile() || els.as_ref().is_some_and(|e| e.has_register_tile())
            }
            Ast::User(_) | Ast::Pack(_) => false,
        }
    }

    /// Whether this is statements and conditions alone.
    pub fn has_no_loop(&self) -> bool {
        match self {
            Ast::User(_) => true,
            Ast::Block(list) => list.iter().all(Ast::has_no_loop),
            Ast::If { then, els, .. } => {
                then.has_no_loop() && els.as_ref().is_none_or(|e| e.has_no_loop())
            }
            Ast::For(_) | Ast::MicroKernel(_) | Ast::Pack(_) => false,
        }
    }

    /// The instances of statements that it is made of, in the order of the text; those of register tiles are not among them.
    pub fn users(&self) -> Vec<&User> {
        match self {
            Ast::User(u) => vec![u],
            Ast::For(l) => l.body.users(),
            Ast::Block(list) => list.iter().flat_map(Ast::users).collect(),
            Ast::If { then, els, .. } => {
                let els = els.iter().flat_map(|e| e.users());
                then.users().into_iter().chain(els).collect()
            }
            Ast::MicroKernel(_) | Ast::Pack(_) => vec![],
        }
    }

    /// The same, if it is nothing but these: no loop, no condition.
    pub fn plain_users(&self) -> Option<Vec<&User>> {
        match self {
            Ast::User(u) => Some(vec![u]),
            Ast::Block(list) => {
                let all: Option<Vec<Vec<&User>>> = list.iter().map(Ast::plain_users).collect();
                Some(all?.concat())
            }
            _ => None,
        }
    }

    /// The first loop of a kind in it, outer ones before inner ones.
    pub fn find_loop(&self, wanted: &impl Fn(&For) -> bool) -> Option<&For> {
        match self {
            Ast::For(l) if wanted(l) => Some(l),
            Ast::For(l) => l.body.find_loop(wanted),
            Ast::Block(list) => list.iter().find_map(|a| a.find_loop(wanted)),
            Ast::If { then, els, .. } => {
                let els = || els.as_ref().and_then(|e| e.find_loop(wanted));
                then.find_loop(wanted).or_else(els)
            }
            Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => None,
        }
    }

    /// Whether this does nothing but copy operands. The iterations of the outermost loop of such a copy write different
    /// panels of one buffer, so threads may share it.
    pub fn only_copies(&self) -> bool {
        match self {
            Ast::For(l) => l.body.only_copies(),
            Ast::If { then, els, .. } => then.only_copies() && els.iter().all(|e| e.only_copies()),
            Ast::Block(list) => list.iter().all(Ast::only_copies),
            Ast::Pack(_) => true,
            Ast::User(_) | Ast::MicroKernel(_) => false,
        }
    }

    /// Arrays of which the threads of some loop have copies; in the end nobody knows what they hold.
    pub fn private_arrays(&self) -> Vec<ArrayId> {
        let mut found = match self {
            Ast::For(l) => match &l.kind {
                ForKind::Parallel { private, .. } => {
                    [private.clone(), l.body.private_arrays()].concat()
                }
                _ => l.body.private_arrays(),
            },
            Ast::If { then, els, .. } => {
                let els = els.iter().flat_map(|e| e.private_arrays());
                then.private_arrays().into_iter().chain(els).collect()
            }
            Ast::Block(list) => list.iter().flat_map(Ast::private_arrays).collect(),
            Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => vec![],
        };
        found.sort();
        found.dedup();
        found
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let pad = "  ".repeat(depth);
        match self {
            Ast::For(l) => {
                match &l.kind {
                    ForKind::Sequential => {}
                    ForKind::Parallel {
                        distribution,
                        worth,
                        private,
                    } => {
                        write!(f, "{pad}// parallel {distribution:?}")?;
                        for array in private {
                            write!(f, " private {array}")?;
                        }
                        match worth {
                            Some(w) => writeln!(f, " if {w}")?,
                            None => writeln!(f)?,
                        }
                    }
                    ForKind::Team { worth } => match worth {
                        Some(w) => writeln!(f, "{pad}// team if {w}")?,
                        None => writeln!(f, "{pad}// team")?,
                    },
                    ForKind::Stage => writeln!(f, "{pad}// stage")?,
                    ForKind::Vector => writeln!(f, "{pad}// vector")?,
                    ForKind::ShortVector { masked: true } => writeln!(f, "{pad}// short vector")?,
                    ForKind::ShortVector { masked: false } => {
                        writeln!(f, "{pad}// short vector, scalar rest")?;
                    }
                    ForKind::Squares { lanes, vectors } => {
                        let along: Vec<String> = vectors.iter().map(|v| format!("{v:?}")).collect();
                        let along = along.join(", ");
                        writeln!(f, "{pad}// squares of {lanes}, vectors along {along}")?;
                    }
                    ForKind::Strips { chains } => {
                        let operands = chains.iter().map(|c| {
                            let lanes = c.any_order.map(|a| format!(" in {} lanes", a.lanes));
                            format!(
                                "{:?} of {}{}",
                                c.operands,
                                c.stmt,
                                lanes.unwrap_or_default()
                            )
                        });
                        let operands: Vec<String> = operands.collect();
                        writeln!(f, "{pad}// strips, first {}", operands.join(", "))?;
                    }
                    ForKind::Lanes {
                        lanes,
                        vectors,
                        supply,
                        panels,
                    } => {
                        let rows = match supply {
                            Supply::Near => "",
                            Supply::Rows => " of rows",
                        };
                        write!(f, "{pad}// {vectors} x {lanes} lanes{rows}")?;
                        for p in panels {
                            write!(f, ", {} contracted", p.array)?;
                        }
                        writeln!(f)?;
                    }
                    ForKind::Diagonal {
                        lanes,
                        vectors,
                        rest,
                    } => {
                        let rest = match rest {
                            Rest::Diagonals => String::new(),
                            Rest::Rows => ", rest by rows".to_owned(),
                            Rest::RowsBy(n) => format!(", rest by rows of {n}"),
                        };
                        writeln!(f, "{pad}// diagonal of {vectors} x {lanes} lanes{rest}")?;
                    }
                }
                let c = format!("c{}", l.iter.0);
                let first = match &l.anchor {
                    Some(a) => format!("FIRST({}, {a}, {})", l.lower, l.step),
                    None => l.lower.to_string(),
                };
                writeln!(
                    f,
                    "{pad}for ({c} = {first}; {c} <= {}; {c} += {})",
                    l.upper, l.step
                )?;
                l.body.print(f, depth + 1)
            }
            Ast::If { cond, then, els } => {
                writeln!(f, "{pad}if ({cond})")?;
                then.print(f, depth + 1)?;
                if let Some(e) = els {
                    writeln!(f, "{pad}else")?;
                    e.print(f, depth + 1)?;
                }
                Ok(())
            }
            Ast::Block(list) => {
                writeln!(f, "{pad}{{")?;
                for a in list {
                    a.print(f, depth + 1)?;
                }
                writeln!(f, "{pad}}}")
            }
            Ast::User(u) => {
                let args: Vec<String> = u.args.iter().map(Expr::to_string).collect();
                writeln!(f, "{pad}{}({});", u.stmt, args.join(", "))
            }
            Ast::Pack(p) => {
                let args: Vec<String> = p.args.iter().map(Expr::to_string).collect();
                writeln!(
                    f,
                    "{pad}buffer{}[{} + {}*n] = {:?}[n] of {}({});",
                    p.buffer,
                    p.index,
                    p.width,
                    p.operands,
                    p.stmt,
                    args.join(", ")
                )
            }
            Ast::MicroKernel(m) => {
                let t = &m.tile;
                let args: Vec<String> = m.args.iter().map(Expr::to_string).collect();
                writeln!(
                    f,
                    "{pad}tile {}x{}x{} {}({}) + r*{:?} + l*{:?} + k*{:?} for k = {}..{}",
                    t.rows,
                    t.vectors,
                    t.lanes,
                    t.stmt,
                    args.join(", "),
                    m.row_step,
                    m.lane_step,
                    m.reduction_step,
                    m.first,
                    m.last
                )?;
                for (side, panel) in [("row", &m.row_panel), ("lane", &m.lane_panel)] {
                    if let Some(p) = panel {
                        writeln!(
                            f,
                            "{pad}  {side} operands {:?} from buffer{}[{}], k from {}",
                            p.operands, p.buffer, p.start, p.origin
                        )?;
                    }
                }
                for c in &m.constraints {
                    writeln!(
                        f,
                        "{pad}  where {}*r + {}*l + {}*k + {} >= 0",
                        c.row, c.lane, c.reduction, c.rest
                    )?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(f, 0)
    }
}
