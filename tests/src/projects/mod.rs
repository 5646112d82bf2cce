//! Real projects from the package registries, built and tested with and without the plugin.
//!
//! A project is a file of `tests/projects`: where its sources come from and the commands that configure, build, test,
//! compare and time it. Sources and builds lie in a cache, outside of what is committed. Each project is built by the
//! compiler alone, with the plugin as it is, and with the plugin taking all nests; its own tests are run in all three.
//!
//! | module | holds |
//! |---|---|
//! | [`catalog`] | which projects there are, read from their folder |
//! | [`source`] | sources of Debian, of crates.io, and of a folder |
//! | [`compilers`] | the three builds, and the commands that stand for compilers in them and note what each call took |
//! | [`build`] | the steps of one build of a project |
//! | [`cost`] | seconds and statistics of the compilations |
//! | [`session`] | all steps of a project: sources, builds, tests, timed runs |
//! | [`report`] | records, the table, and what is wrong |
//!
//! Timed runs are those of the bed ([`crate::bed::measure`]).

pub mod build;
pub mod catalog;
pub mod compilers;
pub mod cost;
pub mod report;
pub mod session;
pub mod source;
