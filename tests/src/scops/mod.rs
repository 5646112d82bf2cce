//! Random SCoPs through everything between detection and code generation, in one process.
//!
//! ```text
//! text -> Scop -> rewrites -> dependences -> search -> plan -> legality -> AST        executed, and held against the source
//! ```
//!
//! A trial fails if a rewrite makes an invalid SCoP, if the set library is used in a wrong way, if a plan of our own is
//! illegal, or if the program computes another value than the source in its own order (values are hashes of the computation
//! that led to them, [`polytile_transform::interp`]). What takes too much work is left out.
//!
//! Beside the search's schedules, points of the space of all legal schedules are taken by chance ([`mod@space`]).
//!
//! [`tally`] counts what the plans consist of, so that a change of the generator shows what it reaches.

pub mod faults;
pub mod generate;
pub mod place;
mod space;
pub mod tally;
pub mod trial;
