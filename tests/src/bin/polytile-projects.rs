//! Builds real projects without the plugin, with it, and with all nests on; runs their tests; compares and times them.
//!
//!     polytile-projects --list
//!     polytile-projects --only zlib,lua
//!
//! See `polytile_tests::projects`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use polytile_tests::bed::plan;
use polytile_tests::projects::build::Effort;
use polytile_tests::projects::catalog::{self, Project};
use polytile_tests::projects::compilers::{Settings, Variant};
use polytile_tests::projects::report::{self, Record};
use polytile_tests::projects::session::Session;
use polytile_tests::toolchain;

/// Builds real projects without the plugin, with it, and with all nests on; runs their own tests in each; compares what
/// they print, and times compilations and runs. Sources come through apt-get (Debian's source packages) and cargo.
#[derive(Debug, Parser)]
struct Arguments {
    /// The plugin; by default libpolytile.so beside this program.
    #[arg(long, env = "POLYTILE_PLUGIN")]
    plugin: Option<PathBuf>,
    /// Options of the plugin in the build `default`, as in POLYTILE.
    #[arg(long, default_value = "")]
    options: String,
    /// Options in the build `all`.
    #[arg(long, default_value = "min-work=0;parallel-min-us=0;verify=on")]
    all: String,
    /// Only projects whose names contain one of these.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Which builds are made.
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = Variant::ALL)]
    variants: Vec<Variant>,
    /// Print the projects and where their sources come from.
    #[arg(long)]
    list: bool,
    /// Do not run the projects' own tests.
    #[arg(long)]
    without_tests: bool,
    /// Do not time runs.
    #[arg(long)]
    without_times: bool,
    /// Take builds that are in the cache as they are.
    #[arg(long)]
    reuse: bool,
    /// Rounds over the contenders of a timed run.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Times that each project is built; of each file the least time counts.
    #[arg(long, default_value_t = 1)]
    builds: usize,
    /// Jobs at a time in the build of a project. Times of compilations are best with one.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Files that are listed for each project, those that take most longer to compile first.
    #[arg(long, default_value_t = 0)]
    files: usize,
    /// Seconds that one step of a project may take.
    #[arg(long, default_value_t = 3600.0)]
    timeout: f64,
    /// Where sources and builds are kept.
    #[arg(long, default_value = "target/projects")]
    cache: PathBuf,
    /// The folder that describes the projects.
    #[arg(long, default_value_os_t = catalog::default_folder())]
    projects: PathBuf,
    /// Write the records here.
    #[arg(long)]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("polytile-projects: {message}");
            ExitCode::from(2)
        }
    }
}

/// Everything; true where no project has a defect.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let projects = selected(arguments)?;
    if arguments.list {
        for project in &projects {
            let languages: Vec<String> = project.languages.iter().map(|l| l.to_string()).collect();
            println!(
                "{:15} {:10} {}",
                project.name,
                languages.join(", "),
                project.source
            );
        }
        return Ok(true);
    }
    let session = session(arguments)?;
    let mut records = vec![];
    for project in &projects {
        eprintln!("{}", project.name);
        records.push(session.record(project));
        // What is known so far outlives a run that is stopped.
        write(arguments, &records)?;
    }
    print!("{}", report::summary(&records, arguments.files));
    Ok(records.iter().all(|record| record.defects().is_empty()))
}

fn selected(arguments: &Arguments) -> Result<Vec<Project>, String> {
    let all = catalog::read_folder(&arguments.projects)?;
    for pattern in &arguments.only {
        if !all
            .iter()
            .any(|project| project.name.contains(pattern.as_str()))
        {
            return Err(format!("no project is called {pattern}; --list prints all"));
        }
    }
    if all.is_empty() {
        return Err(format!("{}: no project", arguments.projects.display()));
    }
    Ok(plan::select(all, &arguments.only, |project| {
        project.name.clone()
    }))
}

fn session(arguments: &Arguments) -> Result<Session, String> {
    if arguments.builds == 0 || arguments.jobs == 0 {
        return Err("--builds and --jobs are at least 1".to_string());
    }
    let settings = Settings {
        plugin: toolchain::find_plugin(arguments.plugin.as_deref())?,
        options: arguments.options.clone(),
        all: arguments.all.clone(),
    };
    let error = |error: std::io::Error| format!("{}: {error}", arguments.cache.display());
    fs::create_dir_all(&arguments.cache).map_err(error)?;
    let effort = Effort {
        tests: !arguments.without_tests,
        jobs: arguments.jobs,
        builds: arguments.builds,
        reuse: arguments.reuse,
        limit: Duration::from_secs_f64(arguments.timeout),
    };
    Ok(Session {
        settings,
        effort,
        cache: arguments.cache.canonicalize().map_err(error)?,
        variants: arguments.variants.clone(),
        rounds: (!arguments.without_times).then_some(arguments.rounds),
    })
}

fn write(arguments: &Arguments, records: &[Record]) -> Result<(), String> {
    let Some(path) = &arguments.json else {
        return Ok(());
    };
    let text = serde_json::to_string_pretty(records).map_err(|error| error.to_string())?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
