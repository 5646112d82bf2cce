//! Measures the plugin on the bed, many small loops that it was not made for, or on a folder of PolyBench/C.
//!
//!     polytile-bed --sample 100
//!     polytile-bed --only stencils/ --json out/bed.jsonl
//!     polytile-bed --polybench ../PolyBenchC-4.2.1
//!
//! See `polytile_tests::bed`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use clap::{Parser, Subcommand};
use polytile_tests::bed::build::{self, Builds, Compilers};
use polytile_tests::bed::measure::{self, Clock, Contender, Effort, Job, Times};
use polytile_tests::bed::plan::{self, Program};
use polytile_tests::bed::polybench::{self, Form};
use polytile_tests::bed::results::{self, Record};
use polytile_tests::bed::{report, template};
use polytile_tests::toolchain::{self, Compiler};
use polytile_tests::workers;

/// Measures the plugin on the bed, many small loops that it was not made for, or on a folder of PolyBench/C.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    role: Option<Role>,
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// The compiler driver.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// Options of the plugin, as in POLYTILE.
    #[arg(long, default_value = "")]
    options: String,
    /// Only programs whose names (class/loop:type:spelling) contain one of these.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// So many programs, drawn by the seed.
    #[arg(long)]
    sample: Option<usize>,
    /// The seed of the sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Every spelling and size of every loop, not only those that the bed turns through.
    #[arg(long)]
    everything: bool,
    /// Measure the programs of this folder of PolyBench/C instead.
    #[arg(long)]
    polybench: Option<PathBuf>,
    /// Forms of PolyBench's kernels.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "as-it-is,out-of-line"
    )]
    forms: Vec<Form>,
    /// Size class of PolyBench's programs.
    #[arg(long, default_value = "LARGE")]
    size: String,
    /// Records, one a line; those that are there already are not measured again.
    #[arg(long, default_value = "out/bed.jsonl")]
    json: PathBuf,
    /// Forget the records that are there.
    #[arg(long)]
    fresh: bool,
    /// Report the records that are there and measure nothing.
    #[arg(long)]
    report: bool,
    /// Print a line per program as well.
    #[arg(long)]
    table: bool,
    /// Do not build and run the forced version (PolyBench's programs go without).
    #[arg(long)]
    without_forced: bool,
    /// Compile only, run nothing: programs that the compiler fails on are reported.
    #[arg(long)]
    compile_only: bool,
    /// List the programs and stop.
    #[arg(long)]
    list: bool,
    /// Write the sources into this folder and stop.
    #[arg(long)]
    emit: Option<PathBuf>,
    /// Compilations at a time.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    jobs: usize,
    /// Rounds over the contenders of a loop.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds of one loop in one process.
    #[arg(long, default_value_t = 0.01)]
    seconds: f64,
    /// Contenders with longer runs take part in the first round only.
    #[arg(long, default_value_t = 2.0)]
    slow_seconds: f64,
    /// A command in front of each batch of runs, as one that waits for a quiet machine.
    #[arg(long)]
    launcher: Option<String>,
    /// Seconds of a batch of runs.
    #[arg(long, default_value_t = 30.0)]
    batch_seconds: f64,
    /// Seconds that one compilation may take.
    #[arg(long, default_value_t = 60.0)]
    compile_timeout: f64,
    /// Seconds that one run may take.
    #[arg(long, default_value_t = 60.0)]
    run_timeout: f64,
    /// The folder of the templates.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/bed"))]
    templates: PathBuf,
}

/// What a measuring process does; the harness starts these itself.
#[derive(Debug, Subcommand)]
enum Role {
    /// Runs the jobs of its standard input and prints their times.
    #[command(name = "measure-batch", hide = true)]
    Batch,
}

/// Programs that are compiled before they are run.
const PIECE: usize = 64;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.role {
        Some(Role::Batch) => run_batch(),
        None => run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-bed: {message}");
            ExitCode::from(2)
        }
    }
}

fn run_batch() -> Result<bool, String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    let (jobs, effort, seconds): (Vec<Job>, Effort, f64) =
        serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let all = measure::batch(&jobs, &effort, seconds);
    println!(
        "{}",
        serde_json::to_string(&all).map_err(|error| error.to_string())?
    );
    Ok(true)
}

/// Everything; true where no program has a defect.
fn run(arguments: &Arguments) -> Result<bool, String> {
    if arguments.fresh && arguments.json.exists() {
        fs::remove_file(&arguments.json).map_err(|error| error.to_string())?;
    }
    if !arguments.report {
        let scratch = match &arguments.emit {
            Some(folder) => folder.clone(),
            None => std::env::temp_dir().join(format!("polytile-bed-{}", std::process::id())),
        };
        fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let programs = programs(arguments, &scratch)?;
        if arguments.list {
            programs
                .iter()
                .for_each(|program| println!("{}", program.name));
        } else if arguments.emit.is_none() {
            measure_all(arguments, programs, &scratch)?;
        }
        if arguments.emit.is_none() {
            fs::remove_dir_all(&scratch).map_err(|error| error.to_string())?;
        }
        if arguments.list || arguments.emit.is_some() {
            return Ok(true);
        }
    }
    let records = plan::select(results::read(&arguments.json), &arguments.only, |record| {
        record.name.clone()
    });
    print!("{}", report::summary(&records));
    if arguments.table {
        print!("\n{}", report::table(&records));
    }
    Ok(records.iter().all(|record| record.defect().is_none()))
}

/// The programs that are asked for, their sources written.
fn programs(arguments: &Arguments, scratch: &Path) -> Result<Vec<Program>, String> {
    if let Some(folder) = &arguments.polybench {
        let all = polybench::programs(
            folder,
            &arguments.forms,
            &arguments.size,
            &arguments.cc,
            scratch,
        )?;
        return Ok(plan::select(all, &arguments.only, |program| {
            program.name.clone()
        }));
    }
    let templates = template::read_folder(&arguments.templates)?;
    let all = if arguments.everything {
        plan::everything(&templates)
    } else {
        plan::bed(&templates)
    };
    let chosen = plan::select(all, &arguments.only, |variant| variant.name());
    let chosen = match arguments.sample {
        Some(count) => plan::sample(chosen, count, arguments.seed),
        None => chosen,
    };
    chosen
        .iter()
        .map(|variant| variant.write(scratch, &arguments.templates))
        .collect()
}

/// Compiles and runs, piece by piece, what has no record yet.
fn measure_all(
    arguments: &Arguments,
    programs: Vec<Program>,
    scratch: &Path,
) -> Result<(), String> {
    let known: BTreeSet<String> = results::read(&arguments.json)
        .into_iter()
        .map(|record| record.name)
        .collect();
    let programs: Vec<Program> = programs
        .into_iter()
        .filter(|program| !known.contains(&program.name))
        .collect();
    let compiler = Compiler {
        driver: arguments.cc.clone(),
        plugin: Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
        options: arguments.options.clone(),
    };
    let compilers = Compilers {
        predicts: build::predicts(&compiler, scratch)?,
        forces: arguments.polybench.is_none() && !arguments.without_forced,
        compiler,
        limit: Duration::from_secs_f64(arguments.compile_timeout),
    };
    let mut done = 0;
    for piece in programs.chunks(PIECE) {
        let builds = workers::map(arguments.jobs, piece, |program| {
            build::compile(&compilers, program, scratch)
        });
        let mut times = if arguments.compile_only {
            Vec::new()
        } else {
            run_all(arguments, piece, &builds)?
        };
        let mut records = Vec::new();
        for (program, built) in piece.iter().zip(builds) {
            let own = times.iter().position(|times| times.name == program.name);
            let record = Record {
                name: program.name.clone(),
                times: own.map(|at| times.swap_remove(at)),
                broken: built.as_ref().err().cloned(),
                builds: built.ok(),
            };
            remove(&record);
            records.push(record);
        }
        results::append(&arguments.json, &records)?;
        done += piece.len();
        eprintln!("{done} of {}", programs.len());
    }
    Ok(())
}

/// Removes the executables.
fn remove(record: &Record) {
    for built in record
        .builds
        .iter()
        .flat_map(|builds| [&builds.original, &builds.polytile, &builds.forced])
    {
        // What is left goes with the scratch folder.
        let _ = fs::remove_file(&built.program);
    }
}

/// Runs what was built, batch by batch.
fn run_all(
    arguments: &Arguments,
    programs: &[Program],
    builds: &[Result<Builds, String>],
) -> Result<Vec<Times>, String> {
    let mut jobs: Vec<Job> = programs
        .iter()
        .zip(builds)
        .filter_map(|(program, built)| Some(job(arguments, program, built.as_ref().ok()?)))
        .collect();
    let mut all = Vec::new();
    while !jobs.is_empty() {
        let times = one_batch(arguments, &jobs)?;
        jobs.drain(..times.len());
        all.extend(times);
    }
    Ok(all)
}

fn job(arguments: &Arguments, program: &Program, builds: &Builds) -> Job {
    let mut programs = vec![(Contender::Original, builds.original.program.clone())];
    if !builds.untouched {
        for contender in [Contender::One, Contender::Two, Contender::Unbound] {
            programs.push((contender, builds.polytile.program.clone()));
        }
    }
    if !builds.unforced {
        for contender in [Contender::ForcedOne, Contender::ForcedTwo] {
            programs.push((contender, builds.forced.program.clone()));
        }
    }
    Job {
        name: program.name.clone(),
        programs,
        arguments: match arguments.polybench {
            Some(_) => vec![],
            None => vec![arguments.seconds.to_string()],
        },
        clock: Clock::Printed,
    }
}

/// Runs jobs in a process of its own, behind the launcher.
fn one_batch(arguments: &Arguments, jobs: &[Job]) -> Result<Vec<Times>, String> {
    let effort = Effort {
        rounds: arguments.rounds,
        limit: arguments.run_timeout,
        slow: arguments.slow_seconds,
        doubt: results::SLOWER,
    };
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = match &arguments.launcher {
        None => Command::new(&this),
        Some(launcher) => {
            let mut words = launcher.split_whitespace();
            let mut command = Command::new(words.next().ok_or("an empty launcher")?);
            command.args(words).arg(&this);
            command
        }
    };
    command
        .arg("measure-batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let input = serde_json::to_vec(&(jobs, effort, arguments.batch_seconds))
        .map_err(|error| error.to_string())?;
    let mut pipe = child.stdin.take().ok_or("no standard input")?;
    std::io::Write::write_all(&mut pipe, &input).map_err(|error| error.to_string())?;
    drop(pipe);
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("unreadable answer of a batch: {error}"))
}
