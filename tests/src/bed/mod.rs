//! The bed: many small loops of the usual classes, which no optimization was developed on.
//!
//! A loop is written once, as a template (`tests/bed/*.loops`), and becomes programs in several element types,
//! spellings and sizes ([`spelling`]). Each program fills its arrays, runs its loop until a time is used up, and prints
//! the least time and a checksum of all bytes. It is compiled without the plugin, with it, and with the new version
//! forced; the three run interleaved on one and two bound threads and unbound. PolyBench/C, given by its user, takes the
//! same way.
//!
//! | module | holds |
//! |---|---|
//! | [`template`] | the format of the templates, and its parser |
//! | [`subscripts`] | `A[i][j]` rewritten to `A[(i) * (m) + (j)]` |
//! | [`spelling`] | from a template to a program in C |
//! | [`plan`] | which programs make up the bed |
//! | [`polybench`] | the programs of a folder of PolyBench/C |
//! | [`build`] | compilations: objects, remarks, the model's predictions |
//! | [`measure`] | interleaved runs |
//! | [`results`] | records, judgements and what follows from them: slow, wrong, regret |
//! | [`rank`] | rank correlation |
//! | [`report`] | what is printed |

pub mod build;
pub mod measure;
pub mod plan;
pub mod polybench;
pub mod rank;
pub mod report;
pub mod results;
pub mod spelling;
pub mod subscripts;
pub mod template;
