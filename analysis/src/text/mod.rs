//! Text forms of SCoPs, schedules ([`mod@schedule`]) and dependences: each prints, and parses back to an equal value.
//!
//! Everything behind extraction is tested from text, without a compiler. Sets and relations are in isl's notation; all
//! else is words. Commas, semicolons and line ends separate words, `#` starts a comment, and what is usual may be left
//! out. The smallest useful text:
//!
//! ```text
//! params n m
//! context { : n >= 1 and m >= 1 }
//! array A f64 [n][m]
//! array x f64 [m]
//! array y f64 [n]
//! stmt S0
//!   domain { S0[i, j] : 0 <= i < n and 0 <= j < m }
//!   beta 0 0 0
//!   write { S0[i, j] -> y[i] }
//!   read { S0[i, j] -> y[i] }
//!   read { S0[i, j] -> A[i, j] }
//!   read { S0[i, j] -> x[j] }
//!   body (fadd (read 1) (fmul (read 2) (read 3)))
//! ```
//!
//! ## What may be said
//!
//! | item | form | if left out |
//! |---|---|---|
//! | names | `scop "name" function "name"` | empty |
//! | position | `at "file" LINE COLUMN` after `scop ..`, `loop ..` or `stmt S0` | unknown |
//! | parameters | `params n m`, or `param n = SCEV` one by one | values `v0`, `v1`, .. |
//! | context | `context SET` | everything |
//! | assumption | `assume no-wrap SET` (`in-bounds`, `non-empty`, `no-trap`, `range`, `stride`) | none |
//! | range of a polynomial | `poly-range LEAST GREATEST` (`*`: no bound), then `times n m SET` for each term: the parameters and the values that are multiplied | none |
//! | alias check | `no-overlap A B` | none |
//! | addresses that are compared | `inspected v1 v2 with v3 v4 end 25`: bases, inputs, percent of the time | none |
//! | rows behind pointers | `rows m1 v8 through TABLE from 0 step 1 pitch v9 element 8 ENTRIES` | none |
//! | loops | `loop "name" descending`, in the order of their ids | one per loop of the beta vectors |
//! | array | `array A TYPE KIND strides (SCEV ..) extents (SCEV ..)`, or `array A TYPE KIND [n][m]`; behind it `origin v7 1 SCEV` for a lower bound that the model takes for 1, `common SCEV` for bytes that all its addresses have in common, `gaps` where elements side by side are assumed, `hidden` where the compiler does not see which those are, and `dead` where nobody reads the array behind the region | |
//! | kind | `memory v7`, `scalar`, `scalar live-out v7`, `temporary` | memory of a base of its own |
//! | statement | `stmt S0` and then, in any order, the items below | |
//! | iterators | `iters L0 L1` | by the beta vectors: equal prefixes share loops |
//! | domain, order | `domain SET`, `beta 0 0 1` | must be there |
//! | accesses | `write MAP`, `may-write MAP`, `read MAP`, each with `TYPE`, a place and `inst v9` behind it | type of the array |
//! | place | `memory m0 SCEV`, `scalar`, `temporary (SCEV ..)` | offset 0 from the array's base |
//! | body | `body { f64 read 1, f64 op v9 fsqrt n0, root n1 }` or nested as above | empty |
//!
//! A set of a text that starts with `{` has the parameters of the SCoP. Types are `i32`, `f64`, `ptr`, `x80`. Evolutions
//! (SCEV) are `7`, `v3` (an unknown value), `(add nsw 1 v3)`, `(rec L0 nuw nsw 0 8)`; a width other than 64 bits is
//! written `7:32` or `(add:32 ..)`; see [`mod@scev`].

mod body;
mod canonical;
mod deps;
mod lexer;
pub mod random;
mod region;
mod same;
pub mod samples;
pub mod scev;
pub mod schedule;
mod scop_parse;
mod scop_print;
pub mod yaml;

pub use canonical::Canonical;
pub use deps::{parse_deps, print_deps, print_kind};
pub use lexer::ParseError;
pub use region::print_region;
pub use same::{same_poly_range, same_schedule, same_scop};
pub use schedule::{parse_schedule, parse_schedule_in, print_schedule};
pub use scop_parse::parse_scop;
pub use scop_print::print_scop;

#[cfg(test)]
mod tests;
