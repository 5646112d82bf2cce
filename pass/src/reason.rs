//! Why a loop nest stays as it is: a kind, which statistics count by, and words for the user.

use crate::llvm::Value;
use polytile_analysis::detect::RejectKind;
use serde::Serialize;

/// The kind of a reason. Its name in statistics is its name here in lower case, words separated by `-`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The number of a loop's iterations is not affine.
    LoopBound,
    /// It depends on data.
    LoopBoundOnData,
    /// A loop is left in several ways.
    Exits,
    /// A loop has no exit.
    Endless,
    /// A branch depends on data or is not affine.
    Condition,
    /// A subscript is not affine.
    Subscript,
    /// It depends on data.
    SubscriptOnData,
    /// A pointer changes in the nest, or nobody knows where it points to.
    Pointer,
    /// Rows behind pointers.
    Rows,
    /// Elements of several sizes.
    ElementSizes,
    /// A call with effects.
    Call,
    /// An input or output statement.
    InputOutput,
    /// A volatile or atomic access.
    Volatile,
    /// Another instruction that no statement holds.
    Instruction,
    /// Control flow that is no nest of loops.
    ControlFlow,
    /// A directive of the user.
    Directive,
    /// What the function is, or was annotated with.
    Function,
    /// The new version would call something in a function that must not.
    Calls,
    /// Sums of products that may be rounded in two ways.
    Rounding,
    /// Calls of constants that the compiler may compute in advance.
    Folding,
    /// Too many cases, or too large numbers or statements.
    Size,
    /// Nothing is written.
    NoWrite,
    /// The work that compilation may take is spent.
    Budget,
    /// No gain is expected.
    NoGain,
    /// A script or schedule of the user.
    Given,
    /// An option stops in front of code generation.
    Stopped,
    /// A loop in it was transformed alone.
    Inner,
    /// A self-check of ours failed.
    SelfCheck,
}

impl Kind {
    /// What the user can do about it, if there is anything.
    pub fn remedy(self) -> Option<&'static str> {
        Some(match self {
            Kind::LoopBound => {
                "a counter that goes by a constant step to a bound that the nest does not change would do"
            }
            Kind::LoopBoundOnData => "a bound that is read before the nest would do",
            Kind::Exits => "a loop without break, return and goto would do",
            Kind::Condition => {
                "a loop around the condition, or a choice of values in its place, would do"
            }
            Kind::Subscript => {
                "sums of loop counters, each multiplied by a constant or, as the length of rows, by a size, would do"
            }
            Kind::SubscriptOnData => {
                "writes to a[i] instead of a[p[i]], and reads of arrays that are restrict, would do"
            }
            Kind::Pointer => "a pointer that is set before the nest and indexed in it would do",
            Kind::Rows => "one block of memory for all rows would do",
            Kind::ElementSizes => "one type of elements for each array would do",
            Kind::Call => {
                "a function that can be inlined, or is declared pure, would do; or a loop of its own for the call"
            }
            Kind::InputOutput => "a loop of its own for it would do",
            Kind::Calls => "__attribute__((annotate(\"polytile: on\"))) on the function allows it",
            Kind::Rounding => "-ffp-contract=off or on would decide it",
            Kind::Folding => {
                "a number of iterations that is known at run time only, or numbers of double precision, would do"
            }
            Kind::Budget => {
                "the option budget allows more; nests in functions of their own need less"
            }
            Kind::Volatile
            | Kind::Endless
            | Kind::Instruction
            | Kind::ControlFlow
            | Kind::Directive
            | Kind::Function
            | Kind::Size
            | Kind::NoWrite
            | Kind::NoGain
            | Kind::Given
            | Kind::Stopped
            | Kind::Inner
            | Kind::SelfCheck => return None,
        })
    }
}

/// A reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Its kind.
    pub kind: Kind,
    /// What is in the way, for the user.
    pub words: String,
}

impl Reason {
    /// A reason in these words.
    pub fn new(kind: Kind, words: impl Into<String>) -> Reason {
        let words = words.into();
        Reason { kind, words }
    }

    /// The same, which names an instruction that no statement can have.
    pub fn of(self, inst: Option<Value>) -> Reason {
        match inst.filter(|i| self.kind == Kind::Instruction && i.is_instruction()) {
            Some(inst) => Reason::new(self.kind, format!("{}: {}", self.words, inst.mnemonic())),
            None => self,
        }
    }

    /// Of a loop around one that has a new version.
    pub fn transformed_inside() -> Reason {
        Reason::new(Kind::Inner, "a loop in it was transformed alone")
    }
}

impl From<&RejectKind> for Kind {
    fn from(reject: &RejectKind) -> Kind {
        match reject {
            RejectKind::TripCount => Kind::LoopBound,
            RejectKind::EarlyExit => Kind::Exits,
            RejectKind::Condition => Kind::Condition,
            RejectKind::Subscript(_) => Kind::Subscript,
            RejectKind::ElementSizes(_) => Kind::ElementSizes,
            RejectKind::Rows(_) => Kind::Rows,
            RejectKind::Instruction | RejectKind::Aggregate => Kind::Instruction,
            RejectKind::NoWrite => Kind::NoWrite,
            _ => Kind::Size,
        }
    }
}
