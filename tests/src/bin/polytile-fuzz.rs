//! Generates programs from seeds, compiles and runs them with and without the plugin, and compares the bytes.
//!
//!     polytile-fuzz --seconds 60
//!     polytile-fuzz --seed 4711 --count 1 --reduce
//!     polytile-fuzz --seed 4711 --print
//!
//! See `polytile_tests::fuzz`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use polytile_tests::fuzz::generate::{self, Generated};
use polytile_tests::fuzz::random::Random;
use polytile_tests::fuzz::trial::{Bench, Defect, Options, Verdict};
use polytile_tests::fuzz::{print, reduce};
use polytile_tests::toolchain::{self, Compiler};
use polytile_tests::workers;

/// Generates programs and compares their bytes with and without the plugin.
#[derive(Debug, Parser)]
struct Arguments {
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// Compile without the plugin: checks the generator itself.
    #[arg(long, conflicts_with = "plugin")]
    without_plugin: bool,
    /// The compiler driver.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// The first seed; every program has a seed of its own, counted up from here.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many programs.
    #[arg(long)]
    count: Option<u64>,
    /// Stop after this many seconds.
    #[arg(long)]
    seconds: Option<f64>,
    /// Stop after this many failures.
    #[arg(long, default_value_t = 20)]
    failures: usize,
    /// These options of the plugin, as in POLYTILE, instead of random ones.
    #[arg(long)]
    options: Option<String>,
    /// Reduce every failing program.
    #[arg(long)]
    reduce: bool,
    /// Print the program of the seed and stop.
    #[arg(long)]
    print: bool,
    /// Programs tried at a time.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    jobs: usize,
    /// Seconds that one compilation may take.
    #[arg(long, default_value_t = 30.0)]
    compile_timeout: f64,
    /// Seconds that one run may take.
    #[arg(long, default_value_t = 20.0)]
    run_timeout: f64,
    /// Where failing programs are kept.
    #[arg(long, default_value = "out/fuzz")]
    keep: PathBuf,
}

/// Programs that a reduction may try.
const REDUCTION_TRIALS: usize = 400;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.print {
        print!("{}", print::print(&generate::generate(arguments.seed)));
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-fuzz: {message}");
            ExitCode::from(2)
        }
    }
}

/// What was seen so far.
#[derive(Debug, Default)]
struct Tally {
    same: u64,
    unusable: u64,
    failed: usize,
    error: Option<String>,
}

fn run(arguments: &Arguments) -> Result<bool, String> {
    let started = Instant::now();
    if arguments.count.is_none() && arguments.seconds.is_none() {
        return Err("say when to stop: --seconds N or --count N".to_string());
    }
    let bench = bench(arguments)?;
    let scratch = std::env::temp_dir().join(format!("polytile-fuzz-{}", std::process::id()));
    let next = AtomicU64::new(arguments.seed);
    let tally = Mutex::new(Tally::default());
    let jobs: Vec<usize> = (0..arguments.jobs).collect();
    workers::map(arguments.jobs, &jobs, |job| {
        let folder = scratch.join(job.to_string());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let counted_out = arguments
                .count
                .is_some_and(|count| seed - arguments.seed >= count);
            let timed_out = arguments
                .seconds
                .is_some_and(|limit| started.elapsed().as_secs_f64() >= limit);
            let ended = |tally: &Tally| tally.failed >= arguments.failures || tally.error.is_some();
            if counted_out || timed_out || ended(&tally.lock().expect("no holder panics")) {
                break;
            }
            let outcome = try_seed(arguments, &bench, seed, &folder);
            let mut tally = tally.lock().expect("no holder panics");
            match outcome {
                Ok(Verdict::Same) => tally.same += 1,
                Ok(Verdict::Unusable(reason)) => {
                    eprintln!("seed {seed}: {reason}");
                    tally.unusable += 1;
                }
                Ok(Verdict::Defect(_)) => tally.failed += 1,
                Err(error) => tally.error = Some(error),
            }
        }
    });
    let _ = fs::remove_dir_all(&scratch);
    let tally = tally.into_inner().expect("no holder panics");
    if let Some(error) = tally.error {
        return Err(error);
    }
    println!(
        "{} passed, {} failed, {} unusable (seeds from {}, {:.0} s)",
        tally.same,
        tally.failed,
        tally.unusable,
        arguments.seed,
        started.elapsed().as_secs_f64()
    );
    Ok(tally.failed == 0)
}

fn bench(arguments: &Arguments) -> Result<Bench, String> {
    let plugin = match arguments.without_plugin {
        true => None,
        false => Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
    };
    Ok(Bench {
        compiler: Compiler {
            driver: arguments.cc.clone(),
            plugin,
            options: String::new(),
        },
        compile_limit: Duration::from_secs_f64(arguments.compile_timeout),
        run_limit: Duration::from_secs_f64(arguments.run_timeout),
    })
}

/// Tries the program of one seed and keeps it where it fails.
fn try_seed(
    arguments: &Arguments,
    bench: &Bench,
    seed: u64,
    folder: &Path,
) -> Result<Verdict, String> {
    let generated = generate::generate(seed);
    // The options have a stream of their own, so that the program stays the same when they change.
    let mut options = Options::random(&mut Random::new(!seed));
    if let Some(fixed) = &arguments.options {
        options.plugin = fixed.clone();
    }
    let verdict = bench.run(&generated, &options, folder)?;
    if let Verdict::Defect(defect) = &verdict {
        let kept = keep(arguments, seed, folder, defect)?;
        println!(
            "FAILED seed {seed} [{} {}]: {defect}\n  kept in {}",
            options.level,
            options.plugin,
            kept.display()
        );
        if arguments.reduce {
            let small = reduced(bench, &generated, &options, folder, defect)?;
            let path = kept.join("reduced.c");
            fs::write(&path, print::print(&small)).map_err(|error| error.to_string())?;
            println!("  reduced to {}", path.display());
        }
    }
    Ok(verdict)
}

/// Copies a trial's files into a folder of the seed.
fn keep(
    arguments: &Arguments,
    seed: u64,
    folder: &Path,
    defect: &Defect,
) -> Result<PathBuf, String> {
    let kept = arguments.keep.join(format!("seed-{seed}"));
    let copy = || -> std::io::Result<()> {
        fs::create_dir_all(&kept)?;
        fs::write(kept.join("failure.txt"), defect.to_string())?;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            fs::copy(entry.path(), kept.join(entry.file_name()))?;
        }
        Ok(())
    };
    copy().map_err(|error| format!("{}: {error}", kept.display()))?;
    Ok(kept)
}

fn reduced(
    bench: &Bench,
    generated: &Generated,
    options: &Options,
    folder: &Path,
    defect: &Defect,
) -> Result<Generated, String> {
    reduce::reduce(generated, REDUCTION_TRIALS, &mut |candidate| {
        let verdict = bench.run(candidate, options, folder)?;
        Ok(matches!(verdict, Verdict::Defect(found) if found.same_kind(defect)))
    })
}
