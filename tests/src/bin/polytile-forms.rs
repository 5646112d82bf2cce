//! Checks that every loop of every kernel is in a SCoP with its arrays' dimensions, in sixteen builds each.
//!
//!     polytile-forms
//!     polytile-forms --kernels lu,durbin
//!
//! See `polytile_tests::forms`.

use clap::Parser;
use polytile_tests::catalog::{self, Kernel};
use polytile_tests::toolchain::{self, Build, Compiler};
use polytile_tests::{forms, workers};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Checks that every loop of every kernel is in a static control part, in sixteen builds each.
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
    let kernels = catalog::select(&catalog::kernels(&arguments.sources)?, &arguments.kernels)?;
    let compiler = Compiler {
        driver: arguments.cc.clone(),
        plugin: Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
        options: forms::OPTIONS.to_string(),
    };
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
    Ok(failed == 0)
}
