//! LLVM IR emission from an `Ast`. Takes no decisions, sees no sets.

pub mod host;
