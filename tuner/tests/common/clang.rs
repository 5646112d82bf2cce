//! How the tests of measured programs build theirs.

/// Behind `clang-22` and what names the output.
pub const BUILD: &[&str] = &[
    "clang-22",
    "-O3",
    "-march=x86-64-v3",
    "-fopenmp",
    "p.c",
    "-o",
    "p",
];
