//! Kernels, differential runner, program generator and benchmark harness.
//!
//! Everything here treats the plugin as a file: programs are compiled with and without it, run, and compared byte
//! for byte or timed. Seven programs stand on this library:
//!
//! | binary | module | what it does |
//! |---|---|---|
//! | `polytile-diff` | [`differential`] | the kernels of `tests/kernels` in many builds, sizes and thread counts |
//! | `polytile-forms` | [`forms`], [`told`] | whether every loop of every kernel is in a SCoP, in all builds; whether every loop nest has a remark |
//! | `polytile-fuzz` | [`fuzz`] | programs generated from seeds, under random options |
//! | `polytile-bench` | [`bench`] | the kernels under several compilers, interleaved, beside their bounds; the numbers of the machine |
//! | `polytile-bed` | [`bed`] | over a thousand small loops that the plugin was not made for, and PolyBench/C |
//! | `polytile-apps` | [`apps`] | whole small applications in four languages |
//! | `polytile-projects` | [`projects`] | real projects from the package registries, with their own tests |
//!
//! Shared below them: [`catalog`] (which kernels there are, with their sizes), [`toolchain`] (what a build is and how it
//! is compiled), [`nests`] (the loop nests of a source), [`process`] (child processes with a time limit), [`workers`] (jobs on several threads).

pub mod apps;
pub mod bed;
pub mod bench;
pub mod catalog;
pub mod differential;
pub mod forms;
pub mod fuzz;
pub mod nests;
pub mod process;
pub mod projects;
pub mod scops;
pub mod told;
pub mod toolchain;
pub mod workers;
