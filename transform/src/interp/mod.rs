//! Execution of generated programs on small sizes, without a compiler: the proof by example beside [`crate::legality`].
//!
//! [`run`] lists the instances that a program executes, in order. [`execute`] also computes with them, symbolically: the
//! value of a cell is a hash of the whole computation that led to it, so two executions end with equal memories only if
//! every value of one was computed in the other by the same operations on the same operands, in the same association.
//! [`compare`] holds a program against the original order: same instances, all dependences forwards, equal memories.
//!
//! Parallel and vector loops may run in any order; [`Order::Backwards`] runs them from their last iteration to their
//! first, which a loop that carries a dependence does not survive. Buffers of packed operands are empty at the
//! beginning of each iteration of a parallel loop, unless all threads share them.
//!
//! Expressions are taken by the letter of [`ast::BinOp`]: a division that is said to be exact, or to have a non-negative
//! dividend, and is not is a [`Fault`], as is an overflow of 64 bits.
//!
//! [`ast::BinOp`]: polytile_analysis::ast::BinOp

mod cells;
mod compare;
mod expr;
pub mod local;
mod machine;
mod memory;
mod picture;
mod pipeline;

pub(crate) use cells::{Subscripts, at_point, fixed, time};
pub use compare::{Difference, compare};
pub use memory::Memory;
pub use picture::{Picture, Pictures, pictures};

use polytile_analysis::ast::{Ast, Buffer, IterId};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use std::fmt;

/// An instance: statement and iterators.
pub type Instance = (StmtId, Vec<i64>);

/// A cell of an array: its subscripts.
pub type Cell = (ArrayId, Vec<i64>);

/// Values of everything that a program is parametric in.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Of [`Scop::params`].
    pub params: &'a [i64],
    /// Of the symbolic tile sizes.
    pub sizes: &'a [i64],
    /// Of loops that are not sequential.
    pub order: Order,
}

/// The order of iterations of loops that are not sequential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As written.
    Forwards,
    /// From the last to the first.
    Backwards,
}

/// What a program did.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Instances in the order in which they ran; those of a micro-kernel in the order of its updates.
    pub instances: Vec<Instance>,
    /// Positions in `instances` of the micro-kernels.
    pub kernels: Vec<std::ops::Range<usize>>,
    /// What the cells hold in the end.
    pub memory: Memory,
}

/// What a program must not do.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A value leaves 64 bits.
    Overflow,
    /// A divisor is not positive.
    Divisor(i64),
    /// A dividend is negative where it must not be.
    NegativeDividend(i64),
    /// A division that is said to be exact has a remainder.
    Inexact(i64, i64),
    /// A step is not positive.
    Step(i64),
    /// Pipelined rows are no loops over tiles.
    NoTiles,
    /// An iterator is read outside of its loop.
    NoIterator(IterId),
    /// A parameter or size has no value.
    NoValue(String),
    /// More instances, or iterations, than [`MAX_INSTANCES`].
    Endless,
    /// A packed operand is read that was not stored.
    EmptyBuffer {
        /// Which buffer.
        buffer: usize,
        /// Which element.
        element: i64,
    },
    /// An access has no cell, or several, at this instance.
    NoCell(Instance, usize),
    /// The set library failed.
    Poly(poly::Error),
}

/// Instances, or iterations of loops, after which a program counts as endless.
pub const MAX_INSTANCES: usize = 10_000_000;

impl From<poly::Error> for Fault {
    fn from(e: poly::Error) -> Self {
        Fault::Poly(e)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Overflow => write!(f, "a value leaves 64 bits"),
            Fault::Divisor(d) => write!(f, "division by {d}"),
            Fault::NegativeDividend(d) => write!(f, "negative dividend {d}"),
            Fault::Inexact(a, b) => write!(f, "{a} / {b} is not exact"),
            Fault::Step(s) => write!(f, "loop with step {s}"),
            Fault::NoIterator(i) => write!(f, "iterator c{} outside of its loop", i.0),
            Fault::NoValue(name) => write!(f, "{name} has no value"),
            Fault::NoTiles => write!(f, "pipelined rows without a loop over tiles"),
            Fault::Endless => write!(f, "more than {MAX_INSTANCES} instances or iterations"),
            Fault::EmptyBuffer { buffer, element } => {
                write!(f, "element {element} of buffer {buffer} is empty")
            }
            Fault::NoCell((s, i), n) => write!(f, "access {n} of {s}{i:?} is not one cell"),
            Fault::Poly(e) => write!(f, "{e}"),
        }
    }
}

/// The instances that a program executes, in order.
pub fn run(ast: &Ast, params: &[i64], sizes: &[i64]) -> Result<Vec<Instance>, Fault> {
    let setting = Setting {
        params,
        sizes,
        order: Order::Forwards,
    };
    let mut machine = machine::Machine::new(setting, machine::Record::default());
    machine.run(ast)?;
    Ok(machine.effect.instances)
}

/// Executes a program that uses these buffers.
pub fn execute(
    scop: &Scop,
    ast: &Ast,
    buffers: &[Buffer],
    setting: Setting,
) -> Result<Execution, Fault> {
    let mut machine =
        machine::Machine::new(setting, memory::Store::new(scop, buffers, setting.params)?);
    machine.run(ast)?;
    Ok(machine.effect.finish())
}

/// Executes the original program.
pub fn original(scop: &Scop, params: &[i64]) -> Result<Execution, Fault> {
    let mut store = memory::Store::new(scop, &[], params)?;
    for (s, at) in cells::original_order(scop, params)? {
        machine::Effect::instance(&mut store, s, at)?;
    }
    Ok(store.finish())
}

#[cfg(test)]
mod tests;
