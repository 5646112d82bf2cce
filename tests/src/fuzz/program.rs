//! What a generated program consists of.
//!
//! One external function with parameters and arrays holds a sequence of loop nests; main calls it with several rows of
//! sizes on fresh data and prints a hash of every array. Programs are free of undefined behaviour by construction:
//!
//! - counters, bounds and subscripts are small (see [`super::simulate`]), and array extents are what the accesses need
//!   ([`super::layout`]);
//! - integer data is unsigned, or signed and small ("tame": 0 ..= 2^20);
//! - floating-point data stays finite: every value that is stored lies in [-1, 1], except in *growing* arrays and scalars,
//!   which sum such values and are scaled by 2^-16 when they are read (no run executes
//!   more statements).

/// The type of a counter or a size parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// `short`
    I16,
    /// `int`
    I32,
    /// `long`
    I64,
    /// `unsigned`
    U32,
    /// `unsigned long`
    U64,
}

impl Width {
    /// True for the unsigned types.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U32 | Self::U64)
    }
}

/// The type of array elements and scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// `double`
    F64,
    /// `float`
    F32,
    /// `int`, tame
    I32,
    /// `unsigned`
    U32,
    /// `unsigned long`
    U64,
    /// `unsigned char`
    U8,
    /// `unsigned short`
    U16,
}

impl Element {
    /// All of them.
    pub const ALL: [Element; 7] = [
        Element::F64,
        Element::F32,
        Element::I32,
        Element::U32,
        Element::U64,
        Element::U8,
        Element::U16,
    ];

    /// True for `double` and `float`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F64 | Self::F32)
    }
}

/// Position of a size parameter in [`Program::parameters`].
pub type ParameterId = usize;
/// A loop counter; unique in the program.
pub type CounterId = usize;
/// Position of an array in [`Program::arrays`].
pub type ArrayId = usize;
/// Position of a scalar in [`Program::scalars`].
pub type ScalarId = usize;

/// What an index is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// A loop counter.
    Counter(CounterId),
    /// A size parameter.
    Parameter(ParameterId),
}

/// An integer expression in counters and parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Index {
    /// A sum of multiples and a constant.
    Linear(Vec<(i64, Variable)>, i64),
    /// The quotient by a positive constant, rounded towards zero.
    Quotient(Box<Index>, i64),
    /// The remainder that belongs to it.
    Remainder(Box<Index>, i64),
    /// The lesser of two.
    Minimum(Box<Index>, Box<Index>),
    /// The greater of two.
    Maximum(Box<Index>, Box<Index>),
}

impl Index {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        Self::Linear(Vec::new(), value)
    }

    /// A variable and an offset.
    pub fn variable(variable: Variable, offset: i64) -> Self {
        Self::Linear(vec![(1, variable)], offset)
    }
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// The condition of an `if`.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// A comparison of two indices.
    Compare(Index, Relation, Index),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// At least one.
    Or(Box<Condition>, Box<Condition>),
    /// A comparison of data of a type.
    Data(Element, Value, Relation, Value),
}

/// An access to an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Which array.
    pub array: ArrayId,
    /// One index per dimension.
    pub subscripts: Vec<Index>,
}

/// Operators on values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// The lesser, as a conditional expression.
    Minimum,
    /// The greater, as a conditional expression.
    Maximum,
}

/// Functions of a value without effects on memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `-x`
    Negate,
    /// `fabs`
    Absolute,
    /// `sqrt(fabs(x))`
    Root,
    /// `fmax(sqrt(x), 0.25)`, of numbers below zero, too
    OpenRoot,
    /// `fmin(x, 0.75)`
    AtMost,
    /// `fmax(x, -0.5)`
    AtLeast,
    /// `exp(-fabs(x))`
    Decay,
    /// `~x`
    Complement,
    /// `x >> 3`
    Shift,
    /// How long it takes an orbit from x to escape, or the iteration from x to end, of 32.
    Steps,
}

/// A value to store or compute with.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An array element.
    Load(Place),
    /// A scalar.
    Scalar(ScalarId),
    /// A floating-point constant of magnitude at most 1, in 64ths.
    Fraction(i64),
    /// An integer constant.
    Integer(i64),
    /// An index as data: converted, and scaled into the range of the type.
    Position(Index),
    /// A value of another type, converted into the range of the result.
    Convert(Element, Box<Value>),
    /// An operator on two values of one type.
    Binary(Operator, Box<Value>, Box<Value>),
    /// A function of a value.
    Apply(Function, Box<Value>),
    /// A quotient whose divisor is never zero: `x / (1.5 + fabs(y))`, or `x / (y | 1)`.
    Divide(Box<Value>, Box<Value>),
    /// `a < b ? c : d`
    Select(Box<[Value; 4]>),
    /// An element of a table, at an index that is data of an integer type.
    LookUp(Element, Box<Value>),
    /// A sum over a row of a table, whose bounds are looked up at an index that is data of an integer type.
    Row(Element, Box<Value>),
}

/// What an assignment writes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// An array element.
    Element(Place),
    /// A scalar.
    Scalar(ScalarId),
}

/// How an assignment combines the old value with the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// `=`
    Set,
    /// The operator on the old value and the new one.
    Combine(Operator),
}

/// How the loop runs through its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `for (i = lower; i < upper; i += step)`
    Up,
    /// `for (i = lower; i <= upper - 1; i += step)`
    UpInclusive,
    /// `for (i = upper - 1; i >= lower; i -= step)`; only for signed counters
    Down,
    /// `for (i = upper; i-- > lower;)`, step 1; counts down in unsigned counters too
    DownPost,
    /// `if (lower < upper) { i = lower; do .. while (++i != upper); }`, step 1
    DoWhile,
}

/// A loop over `lower <= i < upper` with a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The counter's identity.
    pub counter: CounterId,
    /// The counter's type.
    pub width: Width,
    /// Least value.
    pub lower: Index,
    /// One more than the greatest value.
    pub upper: Index,
    /// Distance of neighbouring values; positive.
    pub step: i64,
    /// Direction and spelling.
    pub form: Form,
    /// What is repeated.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// A loop.
    Loop(Loop),
    /// A conditional statement.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// An assignment.
    Assign(Target, Update, Value),
    /// `memset(&A[..][from], 0, count * size)` over the last dimension; nothing where the count is not positive.
    Clear(Place, Index),
    /// `memcpy` of `count` elements between the last dimensions of two arrays of one type.
    Copy(Place, Place, Index),
}

/// How an array is declared and passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// A parameter with run-time extents, `double A[e0][e1]`.
    Variable,
    /// A parameter with constant extents.
    Constant,
    /// A pointer parameter, subscripts linearised with run-time extents.
    Linear,
    /// A table of pointers to rows, or to tables of them: in order or in some other one, perhaps one row twice.
    Rows,
    /// A global array with constant extents.
    Global,
    /// A member of a structure that is passed by pointer.
    Member,
    /// A local array of the function, zero at its start; its contents are live only inside.
    Local,
    /// A block that the function allocates and frees, zero at its start, subscripts as those of `Linear`.
    Heap,
    /// A pointer to the first or the second of two other arrays, as the first size is odd or even, subscripts as those of `Linear`.
    Chosen(ArrayId, ArrayId),
}

impl Storage {
    /// Whether a pointer is passed.
    pub fn is_parameter(self) -> bool {
        matches!(
            self,
            Self::Variable | Self::Constant | Self::Linear | Self::Rows
        )
    }

    /// Whether subscripts are written as one.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Linear | Self::Heap | Self::Chosen(..))
    }

    /// Whether main fills the array and looks at it afterwards.
    pub fn is_seen(self) -> bool {
        !matches!(self, Self::Local | Self::Heap | Self::Chosen(..))
    }
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Element type.
    pub element: Element,
    /// Number of dimensions.
    pub rank: usize,
    /// How it is declared and passed.
    pub storage: Storage,
    /// It sums values of magnitude at most 1 instead of holding such values.
    pub growing: bool,
    /// It begins this many elements behind the beginning of another array, in the same memory.
    pub overlap: Option<(ArrayId, i64)>,
}

impl Array {
    /// The arrays whose memory this one lies in, if it has none of its own.
    pub fn within(&self) -> Vec<ArrayId> {
        match self.storage {
            Storage::Chosen(first, second) => vec![first, second],
            _ => self.overlap.iter().map(|(base, _)| *base).collect(),
        }
    }
}

/// A local scalar variable of the function.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// Its type.
    pub element: Element,
    /// It sums values, as a growing array.
    pub growing: bool,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The types of the size parameters.
    pub parameters: Vec<Width>,
    /// The parameters' values in each call.
    pub runs: Vec<Vec<i64>>,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The scalars, live out through an extra array.
    pub scalars: Vec<Scalar>,
    /// Pointer parameters are `restrict` (only where nothing overlaps).
    pub restrict: bool,
    /// The function reads its sizes from a structure, wherever it uses them.
    pub loaded: bool,
    /// The function is static, to be inlined into main.
    pub inlined: bool,
    /// The loop nests.
    pub body: Vec<Statement>,
}

/// Calls `visit` with every array access of a statement list, conditions and copies included.
pub fn visit_places<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Place)) {
    for statement in statements {
        match statement {
            Statement::Loop(inner) => visit_places(&inner.body, visit),
            Statement::If(condition, then, otherwise) => {
                visit_condition(condition, visit);
                visit_places(then, visit);
                visit_places(otherwise, visit);
            }
            Statement::Assign(target, _, value) => {
                if let Target::Element(place) = target {
                    visit(place);
                }
                visit_value(value, visit);
            }
            Statement::Clear(place, _) => visit(place),
            Statement::Copy(to, from, _) => {
                visit(to);
                visit(from);
            }
        }
    }
}

fn visit_condition<'a>(condition: &'a Condition, visit: &mut dyn FnMut(&'a Place)) {
    match condition {
        Condition::Compare(..) => {}
        Condition::And(left, right) | Condition::Or(left, right) => {
            visit_condition(left, visit);
            visit_condition(right, visit);
        }
        Condition::Data(_, left, _, right) => {
            visit_value(left, visit);
            visit_value(right, visit);
        }
    }
}

/// Calls `visit` with every array access in a value.
pub fn visit_value<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Place)) {
    match value {
        Value::Load(place) => visit(place),
        Value::Scalar(_) | Value::Fraction(_) | Value::Integer(_) | Value::Position(_) => {}
        Value::Convert(_, inner)
        | Value::Apply(_, inner)
        | Value::LookUp(_, inner)
        | Value::Row(_, inner) => visit_value(inner, visit),
        Value::Binary(_, left, right) | Value::Divide(left, right) => {
            visit_value(left, visit);
            visit_value(right, visit);
        }
        Value::Select(parts) => parts.iter().for_each(|part| visit_value(part, visit)),
    }
}
