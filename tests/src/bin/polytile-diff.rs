//! Compiles the kernels with and without the plugin and compares all output bytes.
//!
//!     polytile-diff --quick
//!     polytile-diff --kernels gemm,lu --options 'tile-sizes=5,3,7;min-work=0' --threads 3
//!
//! See `polytile_tests::differential`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use polytile_tests::catalog::{self, Kernel};
use polytile_tests::differential::check::{self, Limits, Outcome, Reference, Setting};
use polytile_tests::differential::plan::{self, Item, Profile, Request, Restriction};
use polytile_tests::differential::sizes;
use polytile_tests::toolchain::{self, Aliasing, Arrays, Compiler, Level, Placement};
use polytile_tests::workers;

/// Compiles the kernels with and without the plugin and compares all output bytes.
#[derive(Debug, Parser)]
struct Arguments {
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// Compare clang's own levels with its -O1 instead.
    #[arg(long, conflicts_with = "plugin")]
    without_plugin: bool,
    /// The compiler driver.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// Four builds per kernel and four sets of sizes (the default).
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Every build and every set of sizes.
    #[arg(long)]
    full: bool,
    /// Kernels: names, polybench, papers, shapes, all.
    #[arg(long, value_delimiter = ',')]
    kernels: Vec<String>,
    /// Only these placements of the kernel function.
    #[arg(long, value_enum, value_delimiter = ',')]
    placements: Vec<Placement>,
    /// Only these array declarations.
    #[arg(long, value_enum, value_delimiter = ',')]
    arrays: Vec<Arrays>,
    /// Only these aliasing facts.
    #[arg(long, value_enum, value_delimiter = ',')]
    aliasing: Vec<Aliasing>,
    /// Only these optimization levels.
    #[arg(long, value_enum, value_delimiter = ',')]
    levels: Vec<Level>,
    /// Options of the plugin as in POLYTILE ("a=b;c=d"); each occurrence makes a further build of everything.
    #[arg(long, default_value = "min-work=0;parallel-min-us=0;verify=on")]
    options: Vec<String>,
    /// Thread counts.
    #[arg(long, value_delimiter = ',', default_value = "1,2,3")]
    threads: Vec<u32>,
    /// These sizes for every kernel instead of the profile's; the last one repeats.
    #[arg(long, value_delimiter = ',')]
    sizes: Option<Vec<i32>>,
    /// Programs compiled and run at a time.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    jobs: usize,
    /// Seconds that one compilation may take.
    #[arg(long, default_value_t = 60.0)]
    compile_timeout: f64,
    /// Seconds that one run may take.
    #[arg(long, default_value_t = 60.0)]
    run_timeout: f64,
    /// Where the artefacts of failures are kept.
    #[arg(long, default_value = "out/diff")]
    keep: PathBuf,
    /// The folder of the kernels.
    #[arg(long, default_value_os_t = catalog::default_folder())]
    sources: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-diff: {message}");
            ExitCode::from(2)
        }
    }
}

/// Everything; true where no byte differed.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let started = Instant::now();
    let setting = setting(arguments)?;
    let kernels = catalog::select(&catalog::kernels(&arguments.sources)?, &arguments.kernels)?;
    let request = request(arguments);
    let items = plan::items(&kernels, &request);
    std::fs::create_dir_all(&setting.scratch)
        .map_err(|error| format!("{}: {error}", setting.scratch.display()))?;
    let references = references(arguments, &setting, &items, &kernels, &request)?;
    let total = check_all(arguments, &setting, &items, &references)?;
    std::fs::remove_dir_all(&setting.scratch).map_err(|error| error.to_string())?;
    println!(
        "{} passed, {} failed ({} builds of {} kernels, {:.0} s)",
        total.passed,
        total.failures.len(),
        items.len(),
        kernels.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(total.failures.is_empty())
}

fn setting(arguments: &Arguments) -> Result<Setting, String> {
    let plugin = match arguments.without_plugin {
        true => None,
        false => Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
    };
    Ok(Setting {
        compiler: Compiler {
            driver: arguments.cc.clone(),
            plugin,
            options: String::new(),
        },
        limits: Limits {
            compile: Duration::from_secs_f64(arguments.compile_timeout),
            run: Duration::from_secs_f64(arguments.run_timeout),
        },
        scratch: std::env::temp_dir().join(format!("polytile-diff-{}", std::process::id())),
        keep: arguments.keep.clone(),
    })
}

fn request(arguments: &Arguments) -> Request {
    Request {
        profile: if arguments.full {
            Profile::Full
        } else {
            Profile::Quick
        },
        restriction: Restriction {
            placements: arguments.placements.clone(),
            arrays: arguments.arrays.clone(),
            aliasing: arguments.aliasing.clone(),
            levels: arguments.levels.clone(),
        },
        options: arguments.options.clone(),
        threads: arguments.threads.clone(),
        sizes: arguments.sizes.clone(),
    }
}

type References = BTreeMap<(String, Arrays), Reference>;

/// The reference of every kernel and array layout that some item needs.
fn references(
    arguments: &Arguments,
    setting: &Setting,
    items: &[Item],
    kernels: &[Kernel],
    request: &Request,
) -> Result<References, String> {
    let mut jobs: Vec<(&Kernel, Arrays)> = Vec::new();
    for kernel in kernels {
        for arrays in [Arrays::Vla, Arrays::Const] {
            if items
                .iter()
                .any(|item| item.kernel.name == kernel.name && item.reference_arrays() == arrays)
            {
                jobs.push((kernel, arrays));
            }
        }
    }
    eprintln!("{} reference programs", jobs.len());
    let made = workers::map(arguments.jobs, &jobs, |(kernel, arrays)| {
        let sets = plan::size_sets(kernel, request);
        check::reference(
            setting,
            kernel,
            *arrays,
            &sizes::extents(kernel, &sets),
            &sets,
        )
    });
    jobs.iter()
        .zip(made)
        .map(|((kernel, arrays), reference)| {
            reference.map(|reference| ((kernel.name.clone(), *arrays), reference))
        })
        .collect()
}

/// Checks every item, reporting failures as they come and progress now and then.
fn check_all(
    arguments: &Arguments,
    setting: &Setting,
    items: &[Item],
    references: &References,
) -> Result<Outcome, String> {
    let finished = AtomicUsize::new(0);
    let step = (items.len() / 10).max(1);
    let jobs: Vec<(usize, &Item)> = items.iter().enumerate().collect();
    let outcomes = workers::map(arguments.jobs, &jobs, |(index, item)| {
        let reference = &references[&(item.kernel.name.clone(), item.reference_arrays())];
        let outcome = check::check(setting, item, *index, reference);
        if let Ok(outcome) = &outcome {
            report(item, outcome);
        }
        let count = finished.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(step) {
            eprintln!("{count} of {} builds", items.len());
        }
        outcome
    });
    let mut total = Outcome::default();
    for outcome in outcomes {
        let outcome = outcome?;
        total.passed += outcome.passed;
        total.failures.extend(outcome.failures);
        total.kept.extend(outcome.kept);
    }
    Ok(total)
}

fn report(item: &Item, outcome: &Outcome) {
    for (failure, kept) in outcome.failures.iter().zip(&outcome.kept) {
        println!(
            "FAILED {} {} [{}]: {failure}\n      kept in {}",
            item.kernel.name,
            item.build,
            item.options,
            kept.display()
        );
    }
}
