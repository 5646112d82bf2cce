//! Polyhedral transformation: scheduling, fusion, tiling, legality, AST generation. Never names LLVM.

pub mod ast;
pub mod simd;
#[cfg(test)]
mod testing;
