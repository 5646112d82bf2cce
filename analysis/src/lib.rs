//! Polyhedral analysis: sets, regions, SCoPs and dependences. Never names LLVM.
