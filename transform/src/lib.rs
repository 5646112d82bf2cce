//! Polyhedral transformation: scheduling, fusion, tiling, legality, AST generation. Never names LLVM.

pub mod ast;
pub mod choose;
pub mod contract;
pub mod cost;
pub mod equivalence;
pub mod expand;
pub mod gain;
pub mod guard;
pub mod interp;
pub mod legality;
pub mod live;
pub mod model;
pub mod parallel;
pub mod plan;
pub mod reroll;
pub mod rewrite;
pub mod schedule;
pub mod script;
pub mod simd;
pub mod space;
pub mod symbolic;
pub mod target;
#[cfg(test)]
mod testing;
pub mod tile;
pub mod work;

pub use plan::{PlanOptions, plan};
