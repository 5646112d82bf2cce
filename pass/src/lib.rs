//! The LLVM pass plugin.
