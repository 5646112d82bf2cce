//! Measures whole small applications with and without the plugin, or tests that they print the same bytes.
//!
//!     polytile-apps --only lattice,euler --remarks
//!     polytile-apps --test
//!
//! See `polytile_tests::apps`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use polytile_tests::apps::build::{self, Builds};
use polytile_tests::apps::catalog::{self, App};
use polytile_tests::apps::language::Language;
use polytile_tests::apps::report::{self, Record};
use polytile_tests::bed::measure::{self, Clock, Contender, Effort, Job};
use polytile_tests::bed::{plan, results};
use polytile_tests::toolchain::{self, Compiler};
use polytile_tests::workers;

/// Measures whole small applications with and without the plugin, or tests that they print the same bytes.
#[derive(Debug, Parser)]
struct Arguments {
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// Options of the plugin, as in POLYTILE.
    #[arg(long, default_value = "")]
    options: String,
    /// Only applications whose names contain one of these.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Small sizes, the new versions always run and check themselves, bytes are compared and nothing is measured.
    #[arg(long)]
    test: bool,
    /// Rounds over the three contenders of an application.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Applications that are tested at a time; where times count, it is one.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    jobs: usize,
    /// Print what was said of each loop nest.
    #[arg(long)]
    remarks: bool,
    /// Write the records here.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Keep the programs in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Seconds that one compilation or run may take.
    #[arg(long, default_value_t = 60.0)]
    timeout: f64,
    /// The folder of the applications.
    #[arg(long, default_value_os_t = catalog::default_folder())]
    sources: PathBuf,
}

/// What makes the new versions run and check themselves.
const CHECKED: &str = "min-work=0;parallel-min-us=0;verify=on";

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-apps: {message}");
            ExitCode::from(2)
        }
    }
}

/// Everything; true where no application has a defect.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let started = Instant::now();
    let all = catalog::read_folder(&arguments.sources)?;
    let apps = plan::select(all, &arguments.only, |app| app.name.clone());
    if apps.is_empty() {
        return Err("no such application".to_string());
    }
    let obstacles: BTreeMap<Language, Option<String>> = Language::ALL
        .into_iter()
        .map(|language| (language, language.obstacle()))
        .collect();
    let compiler = Compiler {
        driver: String::new(),
        plugin: Some(toolchain::find_plugin(arguments.plugin.as_deref())?),
        options: options(arguments),
    };
    let scratch = arguments.keep.clone().unwrap_or_else(|| {
        std::env::temp_dir().join(format!("polytile-apps-{}", std::process::id()))
    });
    fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let jobs = if arguments.test { arguments.jobs } else { 1 };
    let records = workers::map(jobs, &apps, |app| {
        let obstacle = obstacles[&app.language].clone();
        let record = record(arguments, &compiler, app, obstacle, &scratch);
        if let Some(line) = progress(&record, !arguments.test) {
            eprintln!("{line}");
        }
        record
    });
    if arguments.keep.is_none() {
        fs::remove_dir_all(&scratch).map_err(|error| error.to_string())?;
    }
    print(arguments, &records, started.elapsed())?;
    Ok(records.iter().all(|record| record.defect().is_none()))
}

fn options(arguments: &Arguments) -> String {
    let given = [
        if arguments.test { CHECKED } else { "" },
        &arguments.options,
    ];
    let given: Vec<&str> = given.into_iter().filter(|one| !one.is_empty()).collect();
    given.join(";")
}

/// Compiles and runs one application.
fn record(
    arguments: &Arguments,
    compiler: &Compiler,
    app: &App,
    skipped: Option<String>,
    folder: &Path,
) -> Record {
    let mut record = Record {
        name: app.name.clone(),
        language: app.language,
        skipped,
        broken: None,
        builds: None,
        times: None,
    };
    if record.skipped.is_some() {
        return record;
    }
    let limit = Duration::from_secs_f64(arguments.timeout);
    match build::compile(compiler, app, folder, limit) {
        Ok(builds) => {
            record.times = Some(measure::measure(
                &job(arguments, app, &builds),
                &effort(arguments),
            ));
            record.builds = Some(builds);
        }
        Err(error) => record.broken = Some(error),
    }
    record
}

fn job(arguments: &Arguments, app: &App, builds: &Builds) -> Job {
    Job {
        name: app.name.clone(),
        programs: vec![
            (Contender::Original, builds.original.clone()),
            (Contender::One, builds.polytile.clone()),
            (Contender::Two, builds.polytile.clone()),
        ],
        arguments: if arguments.test {
            app.small.clone()
        } else {
            vec![]
        },
        clock: Clock::Wall,
    }
}

fn effort(arguments: &Arguments) -> Effort {
    Effort {
        rounds: if arguments.test { 1 } else { arguments.rounds },
        limit: arguments.timeout,
        slow: f64::INFINITY,
        doubt: if arguments.test {
            f64::INFINITY
        } else {
            results::SLOWER
        },
    }
}

/// One line on an application that is done; nothing of one that is well where nothing is measured.
fn progress(record: &Record, measured: bool) -> Option<String> {
    let times = |contender| {
        let speedup = record.speedup(contender);
        speedup.map_or("-".to_string(), |speedup| format!("x {speedup:.2}"))
    };
    let line = match (&record.skipped, record.defect()) {
        (Some(reason), _) => format!("skipped: {reason}"),
        (None, Some(defect)) => defect,
        (None, None) if measured => {
            format!("{}, {}", times(Contender::One), times(Contender::Two))
        }
        (None, None) => return None,
    };
    Some(format!("{}: {line}", record.name))
}

fn print(arguments: &Arguments, records: &[Record], elapsed: Duration) -> Result<(), String> {
    if arguments.test {
        let equal = records
            .iter()
            .filter(|one| one.times.is_some() && one.defect().is_none());
        println!(
            "{} of {} applications print the same bytes on one and two threads ({:.0} s)",
            equal.count(),
            records.len(),
            elapsed.as_secs_f64()
        );
    } else {
        print!("{}", report::summary(records));
    }
    if arguments.remarks {
        print!("{}", report::remarks(records));
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(records).map_err(|error| error.to_string())?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
