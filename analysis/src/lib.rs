//! Polyhedral analysis: regions, iteration domains, access relations, dependences and schedule trees.
//!
//! The way through this crate: [`region::Region`] (what the compiler front door saw, free of LLVM) becomes a
//! `scop::Scop` (iteration domains, access relations and original order as separate values), from which
//! dependences are computed. `tree::Tree` is the schedule, `ast::Ast` the loop program generated from it.
//! LLVM is never named here; isl is named only inside `poly`.

pub mod address_gain;
pub mod ast;
pub mod body;
pub mod chain;
pub mod deps;
pub mod detect;
pub mod guards;
pub mod ids;
pub mod lattice;
pub mod memory;
pub mod of_row;
pub mod poly;
pub mod quotient;
pub mod region;
pub mod scan;
pub mod scev;
pub mod scop;
pub mod stride;
pub mod text;
pub mod tree;
pub mod trips;
pub mod validate;
