//! Checks that every loop of every kernel is in a SCoP with its arrays' dimensions, in sixteen builds each, and that every
//! loop nest of every kernel and example program has a remark that says what became of it.
//!
//!     polytile-forms
//!     polytile-forms --kernels lu,durbin
//!
//! See `polytile_tests::forms` and `polytile_tests::told`.

use clap::Parser;
use polytile_tests::catalog::{self, Kernel, SizeClass};
use polytile_tests::toolchain::{self, Aliasing, Arrays, Build, Compiler, Level, Placement};
use polytile_tests::{forms, told, workers};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Checks that every loop of every kernel is in a static control part, in sixteen builds each, and that every loop nest of
/// every kernel and example program has a remark.
#[derive(Debug, Parser)]
struct Arguments {
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// The compiler driver.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// Kernels: names, polybench, papers, all.
    #[arg(long, value_delimiter = ',', default_value = "polybench")]
    kernels: Vec<String>,
    /// Compilations at a time.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    jobs: usize,
    /// Seconds that one compilation may take.
    #[arg(long, default_value_t = 30.0)]
    timeout: f64,
    /// The folder of the kernels.
    #[arg(long, default_value_os_t = catalog::default_folder())]
    sources: PathBuf,
    /// The folder of the example programs.
    #[arg(long, default_value_os_t = catalog::default_folder().join("../../examples"))]
    examples: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-forms: {message}");
            ExitCode::from(2)
        }
    }
}

/// Everything; true where every loop is in a SCoP.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let started = Instant::now();
    let all = catalog::kernels(&arguments.sources)?;
    let kernels = catalog::select(&all, &arguments.kernels)?;
    let compiler = Compiler {
        driver: arguments.cc.clone(),
        plugin: Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
        options: forms::OPTIONS.to_string(),
    };
    let told = told(arguments, &compiler, &all)?;
    let builds = forms::builds();
    let jobs: Vec<(&Kernel, &Build)> = kernels
        .iter()
        .flat_map(|k| builds.iter().map(move |b| (k, b)))
        .collect();
    let limit = Duration::from_secs_f64(arguments.timeout);
    let outcomes = workers::map(arguments.jobs, &jobs, |(kernel, build)| {
        forms::check(&compiler, kernel, build, limit)
    });
    let mut failed = 0;
    for ((kernel, build), outcome) in jobs.iter().zip(outcomes) {
        let complaints = outcome?;
        failed += usize::from(!complaints.is_empty());
        for complaint in complaints {
            println!("FAILED {} {build}: {complaint}", kernel.name);
        }
    }
    println!(
        "{} of {} builds of {} kernels have every loop in a static control part ({:.0} s)",
        jobs.len() - failed,
        jobs.len(),
        kernels.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(failed == 0 && told)
}

/// How the programs are built whose remarks are read.
const TOLD: [Build; 2] = [
    Build {
        placement: Placement::Noinline,
        arrays: Arrays::Vla,
        aliasing: Aliasing::Plain,
        level: Level::O3,
    },
    Build {
        placement: Placement::Inline,
        arrays: Arrays::Const,
        aliasing: Aliasing::Restrict,
        level: Level::O2,
    },
];

/// Whether every nest of the selected kernels (of all of them, if none is named) and of the examples has a remark.
fn told(arguments: &Arguments, compiler: &Compiler, all: &[Kernel]) -> Result<bool, String> {
    let compiler = Compiler {
        options: String::new(),
        ..compiler.clone()
    };
    let named = arguments.kernels != ["polybench"];
    let names = if named { &arguments.kernels[..] } else { &[] };
    let kernels = catalog::select(all, names)?;
    let mut jobs = vec![];
    for kernel in &kernels {
        let sizes = kernel.class_sizes(SizeClass::Large);
        let definitions = TOLD.map(|b| (b.level, toolchain::definitions(&b, &sizes)));
        jobs.extend(definitions.map(|d| (kernel.source.clone(), d)));
    }
    if !named {
        let fail = |e: std::io::Error| format!("{}: {e}", arguments.examples.display());
        let examples = std::fs::read_dir(&arguments.examples).map_err(fail)?;
        for example in examples {
            let path = example.map_err(fail)?.path();
            if path.extension().is_some_and(|e| e == "c") {
                jobs.push((path, (Level::O3, vec![])));
            }
        }
    }
    let limit = Duration::from_secs_f64(arguments.timeout);
    let outcomes = workers::map(arguments.jobs, &jobs, |(source, (level, definitions))| {
        let command = || {
            let mut command = compiler.command(*level);
            command.args(definitions);
            command
        };
        told::check(command, source, limit)
    });
    let (mut failed, mut nests) = (0, 0);
    for ((source, (level, _)), outcome) in jobs.iter().zip(outcomes) {
        let outcome = outcome?;
        nests += outcome.nests;
        failed += usize::from(!outcome.complaints.is_empty());
        for complaint in outcome.complaints {
            println!("FAILED {} {level}: {complaint}", source.display());
        }
    }
    println!(
        "{} of {} builds of kernels and examples have a remark on each of their {nests} loop nests",
        jobs.len() - failed,
        jobs.len()
    );
    Ok(failed == 0)
}
