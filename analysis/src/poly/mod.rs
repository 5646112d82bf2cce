//! Integer sets and relations, schedules and code generation, on isl.
//!
//! This module is the only one that names isl (the Integer Set Library, Verdoolaege 2010). Its
//! types own their objects, are cheap to clone and print in isl's notation; its operations
//! take references and return [`Result`]; failure, an exhausted quota included, is a value and
//! nothing is ever printed. Method names are isl's without the prefix of the type and without
//! `get_`; `_si` methods take an `i64` where the `_val` ones take a [`Val`].
//!
//! | Notation | Type |
//! |---|---|
//! | `[n] -> { S[i] : 0 <= i < n }` | [`BasicSet`], [`Set`], [`UnionSet`] |
//! | `{ S[i] -> A[i + 1] }` | [`BasicMap`], [`Map`], [`UnionMap`] |
//! | `{ S[i] -> [(floor((i)/2))] }` | [`Aff`], [`PwAff`], [`UnionPwAff`] |
//! | `{ S[i] -> T[(i), (0)] }` | [`MultiAff`], [`PwMultiAff`], [`MultiPwAff`] |
//!
//! ```
//! use polytile_analysis::poly::{Ctx, Map, Set};
//!
//! let ctx = Ctx::new();
//! let triangle = Set::parse(&ctx, "[n] -> { S[i, j] : 0 <= j <= i < n }")?;
//! let access = Map::parse(&ctx, "{ S[i, j] -> A[i + j] }")?;
//! let touched = triangle.apply(&access)?;
//! assert!(touched.is_equal(&Set::parse(&ctx, "[n] -> { A[k] : 0 <= k <= 2n - 2 }")?)?);
//! # Ok::<(), polytile_analysis::poly::Error>(())
//! ```
//!
//! The order in which unions list their parts follows isl's hash tables; it depends on names
//! and on how the union was made, never on addresses.

mod aff;
mod ast;
mod ast_build;
mod ctx;
mod ends;
mod error;
mod ffi;
mod fixed;
mod flow;
mod functions;
mod handle;
mod machine;
mod map;
mod matrix;
pub mod meter;
mod parsed;
mod per_set;
mod programs;
mod pw;
mod schedule;
mod set;
mod space;
#[cfg(test)]
mod tests;
mod union;
mod union_pw;
mod val;

pub use aff::{Aff, MultiAff};
pub use ast::{AstExpr, AstExprType, AstNode, AstNodeType, AstOp};
pub use ast_build::{AstBuild, AstVisitor, AtEachDomain};
pub use ctx::Ctx;
pub use error::{Error, Result};
pub use fixed::Fixed;
pub use flow::{UnionAccessInfo, UnionFlow};
pub use map::{BasicMap, Map};
pub use matrix::{Constraint, Mat, Rows};
pub use meter::QuotaGuard;
pub use per_set::PerSet;
pub use pw::{MultiPwAff, PwAff, PwMultiAff};
pub use schedule::{AstLoopType, Schedule, ScheduleNode, ScheduleNodeType};
pub use set::{BasicSet, Set};
pub use space::{DimType, Id, LocalSpace, Space};
pub use union::{UnionMap, UnionSet};
pub use union_pw::{MultiUnionPwAff, UnionPwAff, UnionPwMultiAff};
pub use val::{MultiVal, Point, Val};
