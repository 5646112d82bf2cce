//! The benchmark harness: the kernels under several compilers, on equal terms, beside their bounds.
//!
//! Every kernel is compiled by every contender into a shared object with the same entry points. A measurement loads one
//! object in a process of its own, so that OpenMP's settings (bound threads for everyone) apply and nothing of another
//! contender is left in it; rounds over all contenders are interleaved, so that a slow minute of the machine hits all of
//! them; the least time counts. In the same session the machine's peaks are measured, in the same rounds the memory's
//! streams, and each kernel's operations, compulsory bytes and dependence chain give the time below which no schedule of it can get.
//!
//! | module | holds |
//! |---|---|
//! | [`contender`] | who takes part: compilers, flags, threads; the spelling of further peers |
//! | [`build`] | shared objects and compile times |
//! | [`child`] | what runs in the measuring process |
//! | [`session`] | starting measuring processes, rounds, limits |
//! | [`peaks`] | the machine's rates and latencies, and OpenBLAS dgemm |
//! | [`calibrate`] | the numbers of a processor's model, in the form in which `transform` keeps them |
//! | [`roofline`] | from work and peaks to a bound |
//! | [`results`] | times, ratios, means, noise |
//! | [`table`], [`chart`] | what is printed and drawn |

pub mod build;
pub mod calibrate;
pub mod chart;
pub mod child;
pub mod contender;
pub mod peaks;
pub mod results;
pub mod roofline;
pub mod session;
pub mod table;
