//! `polytile`: the program beside the plugin.
//!
//! | command | does |
//! |---|---|
//! | [`tune`] | measures the candidates of a program's nests and writes a database that the plugin uses |
//!
//! Errors are one line on the error stream, and exit status 1; a command line that is not understood has status 2.

mod clock;
mod plugin;
mod process;
mod progress;
mod scratch;
mod tune;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measures what the Polytile plugin can do to a program's loop nests
#[derive(Parser)]
#[command(name = "polytile", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure the candidates of each nest and write the fastest into a database
    Tune(tune::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Tune(args) => tune::tune(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
