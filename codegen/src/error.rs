//! Why a program cannot be emitted. Found before the first change to the function.
//!
//! These are properties of the user's program or of a schedule that the user gave. What the front door and the generator
//! promise (a preheader, an exit of the region's own, values by id, sizes of temporary arrays, buffers that exist) is asserted
//! at the same time.

use polytile_analysis::ids::{ArrayId, StmtId};
use std::fmt;

/// Why a program cannot be emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EmitError {
    /// The address, subscript or index of a statement has no closed form.
    NoClosedForm(StmtId),
    /// A parameter, stride or extent has no closed form or more than 64 bits.
    ParameterWidth,
    /// A statement accesses elements of a type that is known by no instruction.
    AccessType(StmtId),
    /// The element type of an array of our own is not a plain integer, float or pointer.
    ElementType(ArrayId),
    /// A register tile around a statement that does not have the form of one.
    RegisterTile(StmtId, &'static str),
    /// A buffer for packed operands that cannot be made or used as the program says; by its position.
    Buffer(usize, &'static str),
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitError::NoClosedForm(s) => {
                write!(f, "an address or index of statement {s} has no closed form")
            }
            EmitError::ParameterWidth => {
                write!(f, "a parameter has no closed form of at most 64 bits")
            }
            EmitError::AccessType(s) => {
                write!(
                    f,
                    "statement {s} accesses elements of a type that is not known"
                )
            }
            EmitError::ElementType(a) => {
                write!(f, "array {a} has an element type that cannot be allocated")
            }
            EmitError::RegisterTile(s, why) => {
                write!(f, "statement {s} cannot run as a register tile: {why}")
            }
            EmitError::Buffer(b, why) => write!(f, "buffer {b} cannot be used: {why}"),
        }
    }
}

impl std::error::Error for EmitError {}
