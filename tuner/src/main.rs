//! `polytile`: the program beside the plugin.
//!
//! | command | does |
//! |---|---|
//! | [`tune`] | measures the candidates of a program's nests and writes a database that the plugin uses |
//! | [`learn`] | fits the numbers of the machine's model to what was measured |
//! | [`explain`] | says in plain words what became of each nest, from a remarks file |
//! | [`report`] | writes a page of HTML on all nests, with what was measured |
//!
//! Errors are one line on the error stream, and exit status 1; a command line that is not understood has status 2.

mod builds;
mod clock;
mod explain;
mod learn;
mod listed;
mod plugin;
mod process;
mod progress;
mod report;
mod scratch;
mod told;
mod tune;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Measures and explains what the Polytile plugin does to a program's loop nests
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
    /// Fit the numbers of the machine's model to a database's samples, and say how far off it is before and after
    Learn(learn::Args),
    /// Say in plain words what became of each loop nest and what you can do, from a remarks file
    Explain(explain::Args),
    /// Write a page of HTML on all loop nests: reasons, sources, scripts, candidates predicted and measured
    Report(report::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Tune(args) => tune::tune(&args),
        Command::Learn(args) => learn::learn(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Report(args) => report::report(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
