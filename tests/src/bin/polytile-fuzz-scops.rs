//! Random SCoPs through rewrites, search, plan, legality and AST generation, executed and held against the source.
//!
//!     polytile-fuzz-scops --seconds 60
//!     polytile-fuzz-scops --seed 4711 --count 1
//!
//! See `polytile_tests::scops`.

use clap::Parser;
use polytile_tests::scops::{
    tally::{Tally, note_rules},
    trial,
};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Random SCoPs, executed.
#[derive(Debug, Parser)]
struct Arguments {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many.
    #[arg(long)]
    count: Option<u64>,
    /// Stop after this many seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let mut tally = Tally::default();
    note_rules();
    let mut failures = 0;
    let mut seed = arguments.seed;
    while Instant::now() < end && arguments.count.is_none_or(|c| seed < arguments.seed + c) {
        if let Err(what) = trial::run(seed, &mut tally) {
            println!("{what}");
            failures += 1;
        }
        seed += 1;
    }
    println!(
        "{tally}{} trials, {failures} failures",
        seed - arguments.seed
    );
    ExitCode::from(u8::from(failures > 0))
}
