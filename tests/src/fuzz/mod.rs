//! Seeded programs in C, compiled and run with and without the plugin.
//!
//! Kernels show that known shapes work; generated programs find what nobody thought of: odd bounds and strides, unsigned
//! and short counters, loops that count down, overlapping pointers, mixed element types, scalars that cross statements,
//! sizes of 0 and 1, tile sizes of 1. Everything follows from the seed.
//!
//! | module | holds |
//! |---|---|
//! | [`random`] | the random numbers |
//! | [`program`] | what a program consists of, and why it has no undefined behaviour |
//! | [`generate`] | from a seed to a program |
//! | [`simulate`], [`layout`] | which subscripts occur; array extents that hold them |
//! | [`print`] | the program as C |
//! | [`trial`] | under which options a program is tried, and how |
//! | [`reduce`] | smaller programs that fail as well |

pub mod generate;
pub mod layout;
pub mod print;
pub mod program;
pub mod random;
pub mod reduce;
pub mod simulate;
pub mod trial;
