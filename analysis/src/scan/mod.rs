//! Scanning of polyhedra with integer rows alone (Ancourt and Irigoin 1991, §4): what serves where isl exceeds its quota.
//!
//! | file | subject |
//! |---|---|
//! | [`system`] | inequalities, normalized |
//! | [`eliminate`] | pairwise elimination, and when it is exact for integers (theorems T1 to T3) |
//! | [`echelon`] | bounds of loops in row echelon (P1 to P3) |
//! | [`boxes`] | full tiles and the outset of a box tiling in closed form |
//! | [`image`] | loops over the elements that an access touches, each once (§4.4) |
//!
//! isl needs none of this to be right. It is small, its work is bounded by a number of rows, and what it gives up is said.

pub mod boxes;
pub mod echelon;
pub mod eliminate;
pub mod image;
pub mod system;

pub use boxes::{Side, Tiles};
pub use echelon::{Bound, Level, Loops};
pub use system::{Row, Stop, System};

#[cfg(test)]
mod tests;
