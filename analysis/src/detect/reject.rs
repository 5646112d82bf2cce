//! Why a region is no SCoP.

use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly;
use std::fmt;

/// Why a region is no SCoP, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Reject {
    /// The reason.
    pub kind: RejectKind,
    /// The loop that causes it.
    pub loop_: Option<LoopId>,
    /// The block that causes it.
    pub block: Option<BlockId>,
    /// The instruction in that block.
    pub inst: Option<ValueId>,
}

/// The reason.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum RejectKind {
    /// A loop's trip count cannot be computed, or not as an affine function.
    TripCount,
    /// A loop is left from its middle.
    EarlyExit,
    /// A branch depends on data or on a condition that is not affine.
    Condition,
    /// A subscript is not affine.
    Subscript(String),
    /// One array is accessed with elements of several sizes.
    ElementSizes(String),
    /// The pointers to the rows of an array do not lie at constant distances.
    Rows(String),
    /// An instruction cannot be part of a statement.
    Instruction,
    /// A vector or structure is handed from statement to statement.
    Aggregate,
    /// A statement's operand tree is too large.
    TooLarge,
    /// The assumptions contradict each other.
    Assumptions,
    /// What is assumed has too many cases.
    Cases,
    /// Bounds or subscripts have so large factors that exact tests take too long.
    Factors,
    /// Nothing is written.
    NoWrite,
    /// The set library gave up or refused.
    Poly(poly::Error),
}

impl Reject {
    /// What is wrong with a whole region.
    pub fn new(kind: RejectKind) -> Reject {
        Reject {
            kind,
            loop_: None,
            block: None,
            inst: None,
        }
    }

    pub(super) fn at_block(kind: RejectKind, block: BlockId) -> Reject {
        Reject {
            block: Some(block),
            ..Reject::new(kind)
        }
    }

    pub(super) fn at_inst(kind: RejectKind, block: BlockId, inst: ValueId) -> Reject {
        Reject {
            inst: Some(inst),
            ..Reject::at_block(kind, block)
        }
    }

    /// A value that cannot be part of a statement, wherever it is computed.
    pub(super) fn value(v: ValueId) -> Reject {
        Reject {
            inst: Some(v),
            ..Reject::new(RejectKind::Instruction)
        }
    }

    /// What is wrong with a loop.
    pub fn at_loop(kind: RejectKind, loop_: LoopId) -> Reject {
        Reject {
            loop_: Some(loop_),
            ..Reject::new(kind)
        }
    }
}

impl From<poly::Error> for Reject {
    fn from(e: poly::Error) -> Reject {
        Reject::new(RejectKind::Poly(e))
    }
}

impl fmt::Display for RejectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RejectKind::TripCount => {
                write!(f, "the number of iterations is not an affine function")
            }
            RejectKind::EarlyExit => write!(f, "the loop is left from its middle"),
            RejectKind::Condition => write!(f, "a condition depends on data or is not affine"),
            RejectKind::Subscript(array) => write!(f, "a subscript of '{array}' is not affine"),
            RejectKind::ElementSizes(array) => {
                write!(f, "'{array}' is accessed with elements of several sizes")
            }
            RejectKind::Rows(table) => {
                write!(
                    f,
                    "the pointers to the rows of '{table}' do not lie at constant distances"
                )
            }
            RejectKind::Instruction => {
                write!(f, "an instruction that cannot be part of a statement")
            }
            RejectKind::Aggregate => {
                write!(f, "a vector or structure is handed on between statements")
            }
            RejectKind::TooLarge => write!(f, "a statement is too large"),
            RejectKind::Assumptions => write!(f, "the necessary assumptions contradict each other"),
            RejectKind::Cases => write!(f, "what has to be assumed has too many cases"),
            RejectKind::Factors => write!(f, "factors of iterators are too large for exact tests"),
            RejectKind::NoWrite => write!(f, "nothing is written"),
            RejectKind::Poly(e) => write!(f, "{}", e.in_words()),
        }
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.kind, f)
    }
}
