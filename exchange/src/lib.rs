//! Static control parts for other polyhedral tools, and schedules that come back from them.
//!
//! [`Form::print`] writes a SCoP with its source's order in a form that others read; [`Form::parse`] reads such a file, in which
//! another tool has put an order of its own; [`Document::order`] takes that order, if the file is about the SCoP, the order gives each
//! instance one time, and every dependence still goes forwards. Nothing else of a file is taken: iteration domains and access
//! relations have to be those of the SCoP.
//!
//! | form | file | is of |
//! |---|---|---|
//! | [`openscop`] | `.scop` | OpenScop 1.0 (Bastoul 2011): integer matrices; Clan, Candl, Pluto, CLooG, Clay |
//! | [`jscop`] | `.jscop` | Polly: JSON around isl's notation |
//! | [`isl`] | `.isl` | isl's notation, one relation a line, or a schedule tree |
//!
//! What the terms of each are here:
//!
//! | OpenScop | JSCoP | isl | [`polytile_analysis::scop`] |
//! |---|---|---|---|
//! | `CONTEXT` | `context` | `context` | what is known of parameters, and what is checked at run time |
//! | `DOMAIN` | `domain` | `domain` | `Stmt::domain` |
//! | `SCATTERING` | `schedule` | `schedule`, or `child` | the order: times, compared lexicographically |
//! | `READ`, `WRITE`, `MAY_WRITE` | `accesses` | `reads`, `writes`, `may_writes` | `Stmt::accesses` |

pub mod described;
pub mod document;
pub mod file_name;
mod flaw;
mod form;
pub mod isl;
pub mod jscop;
mod names;
pub mod openscop;

pub use document::Document;
pub use flaw::Flaw;
pub use form::Form;
