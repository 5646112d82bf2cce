//! Measures the kernels under clang, Polly, Polytile and further peers, beside their bounds.
//!
//!     polytile-bench --size large --json out/bench.json --svg out/bench.svg
//!     polytile-bench --kernels gemm,lu --peer 'graphite=CC=gcc -floop-nest-optimize -ftree-parallelize-loops=2 THREADS=2'
//!     polytile-bench --peer-sources pluto=out/pluto
//!
//! See `polytile_tests::bench`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use polytile_tests::bench::build::{self, Object, Shape};
use polytile_tests::bench::calibrate;
use polytile_tests::bench::child::{self, Caches, Task};
use polytile_tests::bench::contender::{self, Contender};
use polytile_tests::bench::peaks::{self, Peaks, Streams};
use polytile_tests::bench::results::{self, Column, Report, Row};
use polytile_tests::bench::session::{self, Effort};
use polytile_tests::bench::{chart, table};
use polytile_tests::catalog::{self, Kernel, SizeClass};
use polytile_tests::toolchain::{self, Aliasing, Arrays, Placement};

/// Measures the kernels under clang, Polly, Polytile and further peers, beside their bounds.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    role: Option<Role>,
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// Leave Polytile out.
    #[arg(long, conflicts_with = "plugin")]
    without_plugin: bool,
    /// Leave Polly out.
    #[arg(long)]
    without_polly: bool,
    /// The size class.
    #[arg(long, value_enum, default_value = "large", ignore_case = true)]
    size: SizeClass,
    /// Kernels: names, polybench, papers, shapes, all.
    #[arg(long, value_delimiter = ',', default_value = "polybench")]
    kernels: Vec<String>,
    /// Options of the plugin, as in POLYTILE.
    #[arg(long, default_value = "")]
    options: String,
    /// Threads of the parallel contenders.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    threads: usize,
    /// A further peer, NAME='FLAGS' with CC=driver and THREADS=n among the flags.
    #[arg(long)]
    peer: Vec<String>,
    /// Sources of a peer, NAME=DIR with one file per kernel.
    #[arg(long)]
    peer_sources: Vec<String>,
    /// Only these contenders (the first stays).
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// The compiler driver of all but the peers with CC=.
    #[arg(long, default_value = "clang-22")]
    cc: String,
    /// Where the kernel function stands; with `inline` the sizes are constants.
    #[arg(long, value_enum, default_value = "noinline")]
    placement: Placement,
    /// How arrays are declared.
    #[arg(long, value_enum, default_value = "const")]
    arrays: Arrays,
    /// What is known about aliasing.
    #[arg(long, value_enum, default_value = "plain")]
    aliasing: Aliasing,
    /// Cold or warm caches; by default warm for MINI and SMALL.
    #[arg(long, value_enum)]
    caches: Option<Caches>,
    /// Rounds over all contenders of a kernel.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Runs in one process at most.
    #[arg(long)]
    repetitions: Option<usize>,
    /// No further run in a process after this many seconds of runs.
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Contenders with longer runs take part in the first round only.
    #[arg(long, default_value_t = 2.0)]
    slow_seconds: f64,
    /// Compilations of each kernel; the least time counts.
    #[arg(long, default_value_t = 2)]
    compile_rounds: usize,
    /// Seconds that one compilation may take.
    #[arg(long, default_value_t = 120.0)]
    compile_timeout: f64,
    /// Seconds that one process may take.
    #[arg(long, default_value_t = 180.0)]
    run_timeout: f64,
    /// Write the results here.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Draw the speed-ups here.
    #[arg(long)]
    svg: Option<PathBuf>,
    /// The folder of the kernels.
    #[arg(long, default_value_os_t = catalog::default_folder())]
    sources: PathBuf,
}

/// Other tasks than a session. All but the first are what measuring processes do; the harness starts these itself.
#[derive(Debug, Subcommand)]
enum Role {
    /// Measures the numbers of this processor's model (transform/src/target) and prints them in its form.
    Calibrate(calibrate::Arguments),
    /// Measures what a core issues and moves.
    #[command(name = "measure-core", hide = true)]
    Core(calibrate::Task),
    /// Measures one object.
    #[command(name = "measure-kernel", hide = true)]
    Kernel(Task),
    /// Measures the machine.
    #[command(name = "measure-peaks", hide = true)]
    Peaks {
        /// The compiled loops.
        #[arg(long)]
        object: PathBuf,
    },
    /// Measures the memory.
    #[command(name = "measure-streams", hide = true)]
    Streams {
        /// The compiled loops.
        #[arg(long)]
        object: PathBuf,
    },
    /// Measures OpenBLAS.
    #[command(name = "measure-dgemm", hide = true)]
    Dgemm,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.role {
        Some(Role::Calibrate(given)) => calibrate::run(given).map(|text| {
            print!("{text}");
            true
        }),
        Some(Role::Core(task)) => calibrate::measure(task).and_then(|found| print_json(&found)),
        Some(Role::Kernel(task)) => child::measure(task).and_then(|found| print_json(&found)),
        Some(Role::Peaks { object }) => peaks::measure(object).and_then(|found| print_json(&found)),
        Some(Role::Streams { object }) => {
            Streams::measure(object).and_then(|found| print_json(&found))
        }
        Some(Role::Dgemm) => print_json(&peaks::dgemm()),
        None => run(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn print_json(answer: &impl serde::Serialize) -> Result<bool, String> {
    println!(
        "{}",
        serde_json::to_string(answer).map_err(|error| error.to_string())?
    );
    Ok(true)
}

/// The whole session; true where every promise was kept.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let contenders = contenders(arguments)?;
    let kernels = catalog::select(&catalog::kernels(&arguments.sources)?, &arguments.kernels)?;
    let scratch = std::env::temp_dir().join(format!("polytile-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let effort = effort(arguments);
    let loops = peaks::compile(&arguments.cc, &scratch)?;
    let mut report = Report {
        size: arguments.size.to_string(),
        caches: effort.caches,
        cpu: cpu_name(),
        contenders: contenders.iter().map(Column::new).collect(),
        peaks: machine(&loops, &contenders)?,
        kernels: Vec::new(),
    };
    for (at, kernel) in kernels.iter().enumerate() {
        eprintln!("[{} of {}] {}", at + 1, kernels.len(), kernel.name);
        let row = measure_kernel(
            arguments,
            kernel,
            &contenders,
            &effort,
            &report,
            (&scratch, &loops),
        )?;
        report.kernels.push(row);
        // A session that is stopped leaves what it has.
        write_files(arguments, &report)?;
    }
    fs::remove_dir_all(&scratch).map_err(|error| error.to_string())?;
    print!("{}", table::render(&report));
    Ok(report.broken_promises().is_empty())
}

fn contenders(arguments: &Arguments) -> Result<Vec<Contender>, String> {
    let (driver, threads) = (arguments.cc.as_str(), arguments.threads);
    let mut all = vec![contender::clang(driver)];
    if !arguments.without_polly {
        all.extend(contender::polly(driver, threads));
    }
    let mut peers = Vec::new();
    for text in &arguments.peer {
        peers.push(contender::peer(text, driver, threads)?);
    }
    for text in &arguments.peer_sources {
        contender::peer_sources(&mut peers, text, driver, threads)?;
    }
    all.extend(peers);
    if !arguments.without_plugin {
        let plugin = toolchain::find_plugin(arguments.plugin.as_deref())?;
        all.extend(contender::polytile(
            driver,
            &plugin,
            &arguments.options,
            threads,
        ));
    }
    if let Some(unknown) = arguments
        .only
        .iter()
        .find(|name| all.iter().all(|one| one.name != **name))
    {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        return Err(format!(
            "no contender `{unknown}`; there are: {}",
            names.join(", ")
        ));
    }
    let first = all.remove(0);
    all.retain(|one| arguments.only.is_empty() || arguments.only.contains(&one.name));
    all.insert(0, first);
    Ok(all)
}

fn effort(arguments: &Arguments) -> Effort {
    let small = matches!(arguments.size, SizeClass::Mini | SizeClass::Small);
    let caches = arguments
        .caches
        .unwrap_or(if small { Caches::Warm } else { Caches::Cold });
    Effort {
        rounds: arguments.rounds,
        repetitions: arguments
            .repetitions
            .unwrap_or(if small { 1000 } else { 7 }),
        seconds: arguments.seconds,
        slow_seconds: arguments.slow_seconds,
        limit: Duration::from_secs_f64(arguments.run_timeout),
        caches,
    }
}

/// The peaks of every number of threads that some contender has.
fn machine(loops: &Path, contenders: &[Contender]) -> Result<BTreeMap<usize, Peaks>, String> {
    eprintln!("measuring the machine");
    let mut counts: Vec<usize> = contenders
        .iter()
        .map(|contender| contender.threads)
        .collect();
    counts.sort_unstable();
    counts.dedup();
    counts
        .into_iter()
        .map(|threads| Ok((threads, session::peaks(loops, threads)?)))
        .collect()
}

fn measure_kernel(
    arguments: &Arguments,
    kernel: &Kernel,
    contenders: &[Contender],
    effort: &Effort,
    report: &Report,
    (scratch, loops): (&Path, &Path),
) -> Result<Row, String> {
    let sizes = kernel.class_sizes(arguments.size);
    let objects = objects(arguments, kernel, &sizes, contenders, scratch);
    let compile_seconds: Vec<f64> = objects
        .iter()
        .map(|object| {
            object
                .as_ref()
                .ok()
                .and_then(Option::as_ref)
                .map_or(f64::NAN, |object| object.compile_seconds)
        })
        .collect();
    let (outcomes, streams) = session::rounds(
        contenders,
        &objects,
        (&sizes, loops),
        effort,
        &mut |round, contender, result| {
            let what = match result {
                Ok(seconds) => format!("{:.4} ms", seconds * 1e3),
                Err(error) => format!("failed: {error}"),
            };
            eprintln!(
                "  round {} of {}: {} {what}",
                round + 1,
                effort.rounds,
                contender.name
            );
        },
    )?;
    Ok(results::row(
        &kernel.name,
        &sizes,
        &report.contenders,
        &outcomes,
        &compile_seconds,
        (&report.peaks, &streams),
        effort.caches,
    ))
}

/// One object per contender; contenders with the same recipe share theirs.
fn objects(
    arguments: &Arguments,
    kernel: &Kernel,
    sizes: &[i32],
    contenders: &[Contender],
    scratch: &Path,
) -> Vec<Result<Option<Object>, String>> {
    let shape = Shape {
        placement: arguments.placement,
        arrays: arguments.arrays,
        aliasing: arguments.aliasing,
        sizes: sizes.to_vec(),
    };
    let limit = Duration::from_secs_f64(arguments.compile_timeout);
    let mut objects: Vec<Result<Option<Object>, String>> = Vec::new();
    for (at, contender) in contenders.iter().enumerate() {
        let shared = contenders[..at]
            .iter()
            .position(|earlier| earlier.recipe == contender.recipe);
        objects.push(match shared {
            Some(earlier) => objects[earlier].clone(),
            None => {
                let stem = scratch.join(format!("{}-{at}", kernel.name));
                build::compile(
                    &contender.recipe,
                    kernel,
                    &shape,
                    &stem,
                    arguments.compile_rounds,
                    limit,
                )
            }
        });
    }
    objects
}

fn write_files(arguments: &Arguments, report: &Report) -> Result<(), String> {
    let write = |path: &Path, text: String| -> Result<(), String> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    if let Some(path) = &arguments.json {
        write(
            path,
            serde_json::to_string_pretty(report).map_err(|error| error.to_string())?,
        )?;
    }
    if let Some(path) = &arguments.svg {
        write(path, chart::render(report))?;
    }
    Ok(())
}

fn cpu_name() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| {
        line.strip_prefix("model name")?
            .split_once(':')
            .map(|(_, name)| name)
    });
    model.map_or("unknown CPU".to_string(), |name| name.trim().to_string())
}
