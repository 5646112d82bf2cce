//! Reuse between tiles and the local memories that it takes (Darte and Isoard: Exact and Approximated Data-Reuse Optimizations for Tiling with Parametric Sizes, CC 2015).
//!
//! A tile works on elements of arrays. Tiles that follow each other share some of them, so that a local memory (a scratchpad, a buffer of an accelerator, a packed panel) need not be
//! filled anew for each tile. For tiles at any origin and of any size:
//!
//! | paper | here |
//! |---|---|
//! | tiles by origin `I` and size `s`; `⊏_s`, `≺_s`; strips (§2.2, §3) | [`tiling`] |
//! | `In`, `Out` (§3.1) | [`touched`] |
//! | `Load`, `Store`, exactly (Equations 1 to 4) | [`transfers`] |
//! | pointwise functions, `F∘`, `F°` (§3.2, Theorems 1, 2, 4) | [`pointwise`] |
//! | `Load`, `Store`, approximated (Equations 5 to 9, Theorems 3 and 4) | [`approximated`] |
//! | lifetimes and conflicts, sequential and pipelined (§4) | [`lifetimes`] |
//! | sizes by successive modulo (§4, Table 1) | [`modulo`] |
//! | the same without the bounds of loops, where that would take too long | [`unbounded`] |
//! | what is left of an array that lives in a nest alone (§4, without tiles) | [`contraction`] |
//! | tiles all of whose points are instances | [`full`] |
//!
//! [`describe`] puts it all into one value for the tile bands of a schedule, which prints. [`samples`] are the programs of Table 1.
//!
//! ```text
//! for i, j, k: C[i][j] += A[i][k] * B[k][j],  tiles j x k x i, strips along i:
//! A is loaded by every tile, s2 x s3 elements; B by the tile that contains i = 0 alone; C by every tile, and stored
//! local memories: A [s3, s2], B [s2, s1], C [s3, s1]
//! ```
//!
//! So what a product packs, and when, follows from the sets. Everything asks the set library for differences of sets, whose cost is known only afterwards: callers set quotas
//! ([`crate::poly::Ctx::quota`]), and an answer that would take more is an error that says so.

pub mod approximated;
pub mod contraction;
pub mod describe;
pub mod full;
pub mod lifetimes;
pub mod modulo;
pub mod of_schedule;
pub mod pointwise;
mod print;
pub mod samples;
pub mod tiling;
pub mod touched;
pub mod transfers;
pub mod unbounded;

pub use describe::Memories;

#[cfg(test)]
mod tests;
