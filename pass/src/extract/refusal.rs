//! Why a region cannot be extracted or modelled, and what to try next.

use crate::llvm::{Block, Value};
use crate::reason::Reason;

/// What stands in the way. Without it the rest may still form regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    /// The loop with this header: look inside of it.
    Loop(Block),
    /// Everything up to this instruction: let a region begin after it.
    Upto(Value),
    /// The region as a whole.
    Region,
}

/// Why a region cannot be extracted or modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What stands in the way.
    pub blame: Blame,
    /// Why, for the user.
    pub reason: Reason,
    /// The instruction that shows it.
    pub at: Option<Value>,
}
