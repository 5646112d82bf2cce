//! Why a program cannot be emitted. Found before the first change to the function.

use polytile_analysis::ids::{ArrayId, StmtId, ValueId};
use std::fmt;

/// Why a program cannot be emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EmitError {
    /// The preheader does not end with an unconditional branch to the entry.
    NoPreheader,
    /// The exit has a predecessor outside of the region, or none at all.
    SharedExit,
    /// The front door gave no LLVM value for an id.
    MissingValue(ValueId),
    /// A value that should be known before the region is computed in it.
    NotInvariant(ValueId),
    /// A value that lives on after the region is written by no statement.
    LiveOut(String),
    /// The address, subscript or index of a statement has no closed form.
    NoClosedForm(StmtId),
    /// A parameter, stride or extent has no closed form or more than 64 bits.
    ParameterWidth,
    /// A node of a statement's body cannot be rebuilt.
    Body(StmtId, &'static str),
    /// The element type of an array of our own is not a plain integer, float or pointer.
    ElementType(ArrayId),
    /// An array of our own without sizes for all its dimensions.
    Unsized(ArrayId),
    /// A register tile around a statement that does not have the form of one.
    RegisterTile(StmtId, &'static str),
    /// A buffer for packed operands that cannot be made or used as the program says; by its position.
    Buffer(usize, &'static str),
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitError::NoPreheader => write!(f, "the region has no preheader"),
            EmitError::SharedExit => write!(f, "the region's exit is shared with other code"),
            EmitError::MissingValue(v) => write!(f, "no instruction stands behind value {v}"),
            EmitError::NotInvariant(v) => write!(f, "value {v} is computed inside the region"),
            EmitError::LiveOut(name) => write!(
                f,
                "value {name} lives on after the region but no statement writes it"
            ),
            EmitError::NoClosedForm(s) => {
                write!(f, "an address or index of statement {s} has no closed form")
            }
            EmitError::ParameterWidth => {
                write!(f, "a parameter has no closed form of at most 64 bits")
            }
            EmitError::Body(s, why) => write!(f, "statement {s} cannot be rebuilt: {why}"),
            EmitError::ElementType(a) => {
                write!(f, "array {a} has an element type that cannot be allocated")
            }
            EmitError::Unsized(a) => write!(f, "array {a} has no size"),
            EmitError::RegisterTile(s, why) => {
                write!(f, "statement {s} cannot run as a register tile: {why}")
            }
            EmitError::Buffer(b, why) => write!(f, "buffer {b} cannot be used: {why}"),
        }
    }
}

impl std::error::Error for EmitError {}
