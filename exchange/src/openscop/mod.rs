//! OpenScop 1.0: relations as integer matrices (Bastoul, *OpenScop: A Specification and a Library for Data Exchange in Polyhedral Compilation
//! Tools*, 2011).
//!
//! A relation has a line of six numbers (rows, columns, output, input and local dimensions, parameters) and a row for each constraint; a union of
//! several begins with their number. The columns of a row are
//!
//! | `e/i` | output | input | local | parameters | 1 |
//! |---|---|---|---|---|---|
//! | 0: `= 0`, 1: `>= 0` | iterators of a domain; times; number and subscripts of an array | iterators | integer divisions | | constant |
//!
//! ```text
//! DOMAIN                     [n] -> { S0[i] : 0 <= i < n }
//! 2 4 1 0 0 1
//! # e/i |  i |  n |  1
//!    1     1    0    0
//!    1    -1    1   -1
//! ```
//!
//! Statements have no names: the first is `S0`. Arrays are numbered from 1; the extension `arrays` names them. Without it accesses are not compared. The
//! body of a statement is a call with its own name, of what it reads.

mod lines;
mod parse;
mod print;
mod relation;

pub(crate) use parse::parse;
pub(crate) use print::print;
