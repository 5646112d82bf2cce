//! Scripts: a user's own sequence of steps, and the optimizer's in print.
//!
//! After URUK's scripts (Cohen, Girbal, Temam 2004, §4.4): a text of commands, each a [step](crate::rewrite::Step) or about
//! steps, and macros with parameters in place of generated classes.
//!
//! ```text
//! define square(P, k) { tile P k k }
//! region kernel_gemm:14 {
//!   interchange [0,1,0]        # k and j of the second statement
//!   fission [0] 1
//!   square([1], 32)
//!   parallel [1]
//!   print schedule
//! }
//! ```
//!
//! | file | subject |
//! |---|---|
//! | [`parse`] | a file into regions, macros and commands with positions |
//! | [`args`] | arguments of a command: addresses, numbers, sets |
//! | [`commands`] | the table of commands |
//! | [`run`] | the state, its history, and what is done with it |
//! | [`show`] | `print` |
//! | [`images`] | `print images` |
//! | [`storage`] | windows in place of arrays, in front of all steps |
//! | [`recover`] | a script for a given schedule |

pub mod args;
pub mod commands;
mod images;
pub mod parse;
pub mod recover;
pub mod run;
pub mod show;
mod storage;

pub use parse::{Region, Script};
pub use recover::{Source, recovered};
pub use run::{Outcome, run, run_from};
pub use storage::{Storage, storage, window};

use std::fmt;

/// What is wrong with a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScriptError {
            file,
            line,
            column,
            message,
        } = self;
        write!(f, "{file}:{line}:{column}: {message}")
    }
}

impl std::error::Error for ScriptError {}
