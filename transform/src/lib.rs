//! Polyhedral transformation: scheduling, fusion, tiling, legality, AST generation. Never names LLVM.

pub mod simd;
