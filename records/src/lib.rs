//! What the plugin and the tuner exchange, as lines of JSON: the candidates of each region, and what was measured of them.
//!
//! | file | subject |
//! |---|---|
//! | [`listing`] | the plugin's list of a region's candidates (option `candidates`) |
//! | [`database`] | what the tuner measured (`polytile tune`), which the plugin reads (option `db`) |
//! | [`machine`] | numbers of a machine's model, which `polytile learn` writes and the plugin reads (option `machine`) |
//! | [`hash`] | the number by which regions are looked up |
//! | [`lines`] | files of lines: appended in one write, read with what is wrong in them |
//!
//! Nothing here knows how candidates are made or judged, so neither LLVM nor isl is linked.

pub mod database;
pub mod hash;
pub mod lines;
pub mod listing;
pub mod machine;

pub use database::Record;
pub use listing::{Arithmetic, Candidate, Edge, Listed, Picture, Predicted, Size, Statement};
pub use machine::Machine;

/// The version of both formats: a line of another one is not used.
pub const FORMAT: u32 = 1;
