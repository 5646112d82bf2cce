//! Whole small applications, which no optimization was developed on.
//!
//! An application is one file of `tests/apps` in the ordinary style of its language: functions, structs, time loops,
//! boundaries, and results that it prints with all digits. Its whole run is timed. The folder is the measure of what
//! programs gain that nobody wrote for the plugin, and their remarks say why they do not gain more.
//!
//! | module | holds |
//! |---|---|
//! | [`catalog`] | which applications there are |
//! | [`language`] | the compilers of the four languages, with and without the plugin |
//! | [`build`] | compilations and the remarks on loop nests |
//! | [`report`] | records, means, and what is printed |
//!
//! Runs are those of the bed ([`crate::bed::measure`]).

pub mod build;
pub mod catalog;
pub mod language;
pub mod report;
