//! The differential runner: the same kernel compiled plainly and through the plugin must write the same bytes.
//!
//! The reference is clang at -O1 without the plugin. Every other build of the kernel (inlined or not, extents run-time or
//! constant, with and without `restrict`, at -O2 and -O3, under several option strings) goes through the plugin and runs
//! with several sizes and thread counts; all its output bytes are compared with the reference's. clang reorders no
//! floating point by itself and contracts in the front end, so the levels agree without the plugin; `--without-plugin`
//! checks that.
//!
//! | module | holds |
//! |---|---|
//! | [`sizes`] | the sizes a kernel runs with: 0, 1, primes, larger than several tiles |
//! | [`layout`] | how the arrays lie to each other in memory |
//! | [`plan`] | which builds and runs a profile asks for |
//! | [`check`] | compiling, running and comparing one build |
//! | [`failure`] | what can go wrong, and the artefacts that are kept of it |

pub mod check;
pub mod failure;
pub mod layout;
pub mod plan;
pub mod sizes;
