//! `polytile tune`: measures the candidates of a program's nests and writes what won into a database.
//!
//! | file | subject |
//! |---|---|
//! | [`runs`] | the user's run command, its output and its time |
//! | [`trial`] | interleaved rounds; output before time |
//! | [`choices`] | which candidate each region has |
//! | [`search`] | the candidates of each region |
//! | [`sizes`] | tile sizes, without compilations |
//! | [`records`] | the database's lines, and tables for readers |
//!
//! The way: list candidates, build and run the original, find out where time goes, measure the candidates of each region, the hottest first, with
//! seven tenths of the budget, tile sizes with the rest, build once more with the database, and compare that with the original. Only then is the database written.

mod choices;
mod records;
mod runs;
mod search;
mod sizes;
mod trial;

use crate::builds::{self, Builds, Built};
use crate::clock::Clock;
use crate::listed::listed;
use crate::progress::Progress;
use crate::scratch::{AsItWas, Scratch, placed};
use choices::Choices;
use polytile_records::database::{Measured, median};
use polytile_records::{Candidate, Listed, Record, lines};
use records::Circumstances;
use runs::{Output, Ran, Runs};
use search::{Search, Times};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use trial::{Contestant, Field};

/// The share of the budget that candidates may take; the rest is for tile sizes.
const CANDIDATES: f64 = 0.7;

/// The first run may take so long.
const FIRST: Duration = Duration::from_secs(3600);

/// A run may take so many times as long as the original's, and [`MORE`] on top.
const TIMES: f64 = 10.0;

/// See [`TIMES`].
const MORE: Duration = Duration::from_secs(1);

/// What is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Command that runs the program, a line for a shell
    #[arg(long, value_name = "COMMAND")]
    pub run: String,
    /// The program that the build makes [default: the first word of --run]
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// The plugin [default: libpolytile.so beside this program, or in ../lib/polytile]
    #[arg(long, value_name = "FILE")]
    pub plugin: Option<PathBuf>,
    /// Seconds that it may take, about; an interrupt (Ctrl-C) ends it as well, in order
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub budget: f64,
    /// Threads that the program may use (OMP_NUM_THREADS) [default: all processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Database to append to [default: PROGRAM.polytile.jsonl]
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Rounds in which a candidate runs beside the original and the best so far
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: usize,
    /// A file that the program writes, to be compared as its standard output is (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,
    /// A name for the kind of input [default: the order of magnitude of the original's time]
    #[arg(long, value_name = "NAME")]
    pub size_class: Option<String>,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
    /// The build command
    #[arg(last = true, required = true, value_name = "BUILD")]
    pub build: Vec<String>,
}

/// Tunes a program; afterwards it is the tuned one. If that fails, it is what it was.
///
/// # Errors
/// What is wrong with the input, or went wrong, and what would help.
pub fn tune(args: &Args) -> Result<(), String> {
    let plan = Plan::of(args)?;
    let clock = Clock::start(Duration::from_secs_f64(args.budget));
    let progress = Progress::new(clock, args.quiet);
    let told = measured(&plan, args, clock, &progress);
    progress.clear();
    print!("{}", told?);
    Ok(())
}

/// The command line, completed and checked.
struct Plan {
    program: PathBuf,
    plugin: PathBuf,
    db: PathBuf,
    threads: usize,
}

impl Plan {
    fn of(args: &Args) -> Result<Plan, String> {
        if !(args.budget > 0.0 && args.budget <= 1e7) {
            return Err(format!("--budget {}: give seconds, above 0", args.budget));
        }
        if args.rounds == 0 {
            return Err("--rounds 0: give 1 or more".to_owned());
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.threads.unwrap_or(processors);
        if threads == 0 {
            return Err("--threads 0: give 1 or more".to_owned());
        }
        let program = program_of(args)?;
        let db = args.db.clone().unwrap_or_else(|| {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            program.with_file_name(format!("{name}.polytile.jsonl"))
        });
        may_be_written(&db)?;
        Ok(Plan {
            plugin: crate::plugin::find(args.plugin.as_deref())?,
            program,
            db,
            threads,
        })
    }
}

/// Whether a database can be written in the end: that is better known before the time is spent. The file stays as it is.
fn may_be_written(db: &Path) -> Result<(), String> {
    let name = db.display();
    if db.to_string_lossy().contains(';') {
        return Err(format!(
            "the database's name '{name}' has a ';', which ends an option of the plugin; name another with --db"
        ));
    }
    let was_there = db.exists();
    let opened = fs::OpenOptions::new().create(true).append(true).open(db);
    opened
        .map_err(|e| format!("database '{name}' cannot be written: {e}; name another with --db"))?;
    if !was_there {
        let _ = fs::remove_file(db);
    }
    Ok(())
}

fn program_of(args: &Args) -> Result<PathBuf, String> {
    if let Some(program) = &args.program {
        return Ok(program.clone());
    }
    let ends = |c: char| c.is_whitespace() || ";&|<>()".contains(c);
    match args.run.trim_start().split(ends).next() {
        None | Some("") => Err("--run is empty: give the command that runs the program".to_owned()),
        Some(word) if word.contains('/') && !word.contains(['\'', '"', '$', '`', '=']) => {
            Ok(word.into())
        }
        Some(word) => Err(format!(
            "--run begins with '{word}', which is no path of a program: write './{word}', or name the program that the build makes with --program"
        )),
    }
}

/// All that is done; what is to be printed in the end.
fn measured(plan: &Plan, args: &Args, clock: Clock, progress: &Progress) -> Result<String, String> {
    let scratch = Scratch::new("tune").map_err(|e| format!("no folder for the time being: {e}"))?;
    let mut before = AsItWas::of(&plan.program, scratch.path())
        .map_err(|e| format!("'{}' cannot be read: {e}", plan.program.display()))?;
    let mut builds = Builds::new(&args.build, &plan.plugin, &plan.program, scratch.path())?;
    progress.doing("list candidates");
    let regions = listed(&mut builds, &scratch, "")?;
    progress.doing("build and run the original");
    let original = Contestant::of(builds.build("choose=0")?);
    let mut runs = Runs {
        command: args.run.clone(),
        program: plan.program.clone(),
        threads: plan.threads,
        compared: args.compare.clone(),
        limit: FIRST,
    };
    let (expected, seconds) = expected(&runs, &original.built)?;
    runs.limit = Duration::from_secs_f64(seconds * TIMES) + MORE;
    let field = |clock| Field {
        runs: &runs,
        expected: &expected,
        clock,
        rounds: args.rounds,
    };
    let mut choices = Choices::of_model(&regions);
    progress.doing("find out where time goes");
    let times = Times::of(&choices, &mut builds, &runs);
    let hottest = times.hottest_first(&regions, seconds);
    let mut all = vec![];
    let mut search = Search {
        builds: &mut builds,
        field: field(clock.part(CANDIDATES)),
        original: &original,
        progress,
        threads: plan.threads,
        times: &times,
    };
    for region in &hottest {
        all.push(search.region(region, &mut choices)?);
    }
    let circumstances = Circumstances {
        threads: plan.threads,
        size_class: (args.size_class.clone()).unwrap_or_else(|| records::size_class(seconds)),
    };
    let mut records = recorded(&hottest, &choices, all, &circumstances);
    if records.is_empty() {
        return Err(format!(
            "the budget of {} s was over before a candidate was measured (a run of the original takes {seconds:.2} s): give more with --budget",
            args.budget
        ));
    }
    let mut sized = Sized {
        builds: &mut builds,
        field: field(clock),
        scratch: &scratch,
        progress,
        count: 0,
    };
    sized.all(&mut records)?;
    progress.doing("build with the database");
    let mut tuned = sized.with_database(&records, "")?;
    let last = sized.last(&original, &tuned, &Choices::of_model(&regions))?;
    if !last.is_gain {
        // Chance may have had a part in each step; the model's choice needs no luck.
        for record in &mut records {
            let region = of_record(&regions, record);
            record.choose(region, region.chosen);
        }
        tuned = sized.with_database(&records, "")?;
    }
    lines::append(&plan.db, &records).map_err(|e| {
        format!(
            "database '{}' cannot be written: {e}; name another with --db",
            plan.db.display()
        )
    })?;
    placed(&tuned.program, &plan.program)
        .map_err(|e| format!("'{}' cannot be written: {e}", plan.program.display()))?;
    before.let_go();
    Ok(summary(&regions, &records, &last, &plan.db))
}

/// What the original puts out, twice, and the seconds of its second run.
fn expected(runs: &Runs, original: &Built) -> Result<(Output, f64), String> {
    let run = || match runs.run(original, &[]) {
        Ran::Fine(output, seconds) => Ok((output, seconds)),
        Ran::Failed(why) => Err(format!(
            "the run command '{}' fails with the original program: {why}",
            runs.command
        )),
    };
    let (first, _) = run()?;
    let (second, seconds) = run()?;
    match first.difference(&second, &runs.compared) {
        Some(difference) => Err(format!(
            "the original puts out something else in each run ({difference}), so that no result could be compared; let the run command print nothing that changes, as times are"
        )),
        None => Ok((first, seconds)),
    }
}

fn recorded(
    regions: &[&Listed],
    choices: &Choices,
    all: Vec<Vec<Measured>>,
    circumstances: &Circumstances,
) -> Vec<Record> {
    // Of a region that was never measured nothing is known.
    let any = |measured: &Vec<Measured>| measured.iter().any(|m| !m.samples.is_empty());
    let both = regions.iter().zip(all).filter(|(_, m)| any(m));
    both.map(|(region, measured)| records::record(region, choices, measured, circumstances))
        .collect()
}

/// The part that goes by databases: tile sizes, and the build that is left.
struct Sized<'a> {
    builds: &'a mut Builds,
    field: Field<'a>,
    scratch: &'a Scratch,
    progress: &'a Progress,
    /// Databases that were written.
    count: usize,
}

/// Medians of the last rounds, in seconds.
struct Last {
    original: f64,
    model: f64,
    tuned: f64,
    /// What was found is faster than the model's choice.
    is_gain: bool,
}

impl Sized<'_> {
    /// The build with records, and options beside them.
    fn with_database(&mut self, records: &[Record], options: &str) -> Result<Built, String> {
        self.count += 1;
        let file = self.scratch.path().join(format!("database-{}", self.count));
        lines::append(&file, records)
            .map_err(|e| format!("'{}' cannot be written: {e}", file.display()))?;
        let option = format!("db={}", file.display());
        self.builds.build(&builds::joined(options, &option))
    }

    /// Tunes the sizes of each record's winner, as far as there is time.
    fn all(&mut self, records: &mut [Record]) -> Result<(), String> {
        if self.field.clock.is_over() || records.iter().all(|r| r.chosen == 0) {
            return Ok(());
        }
        self.progress.doing("list tile sizes");
        let listed = listed(self.builds, self.scratch, "tile-sizes=runtime")?;
        for at in 0..records.len() {
            if self.field.clock.is_over() {
                break;
            }
            if let Some(candidate) = sized_winner(&records[at], &listed) {
                self.one(records, at, &candidate)?;
            }
        }
        Ok(())
    }

    /// Tunes a record's sizes; they are kept if the program with them is not slower than without.
    fn one(
        &mut self,
        records: &mut [Record],
        at: usize,
        candidate: &Candidate,
    ) -> Result<(), String> {
        let record = &records[at];
        let options = format!(
            "tile-sizes=runtime;choose={}:{}",
            record.hash, candidate.number
        );
        let Ok(built) = self.with_database(records, &options) else {
            return Ok(());
        };
        let what = record.place().to_string();
        let found = sizes::descend(
            &self.field,
            &built,
            &candidate.sizes,
            (&what, self.progress),
        )?;
        let mut with = records.to_vec();
        with[at].script.clone_from(&candidate.script);
        with[at].code.clone_from(&candidate.code);
        with[at].orders[1].clone_from(&candidate.pictures);
        with[at].sizes.clone_from(&found.best);
        let defaults = candidate.sizes.iter().map(|s| s.default);
        if !defaults.eq(found.best.iter().copied()) {
            let [plain, sized] =
                [records.to_vec(), with.clone()].map(|r| self.with_database(&r, ""));
            let (plain, sized) = (Contestant::of(plain?), Contestant::of(sized?));
            let trial = self.field.challenge(None, &plain, &sized)?;
            let medians = median(&trial.own).zip(median(&trial.best));
            if medians.is_some_and(|(own, best)| own < best) {
                records[at] = with[at].clone();
            }
        }
        records[at].tried_sizes = found.tried;
        Ok(())
    }

    /// The last rounds: original, the model's choice, and what was found.
    fn last(
        &mut self,
        original: &Contestant,
        tuned: &Built,
        model: &Choices,
    ) -> Result<Last, String> {
        let model = Contestant::of(self.builds.build(&model.option())?);
        let trial = self
            .field
            .challenge(Some(original), &model, &Contestant::of(tuned.clone()))?;
        if trial.own.is_empty() {
            return Err(format!(
                "the program built with the database: {}; nothing was written",
                trial.why
            ));
        }
        let of = |samples: &[f64]| median(samples).unwrap_or_default();
        Ok(Last {
            original: of(&trial.original),
            model: of(&trial.best),
            tuned: of(&trial.own),
            is_gain: trial.is_less(1.0),
        })
    }
}

/// The winner of a record among candidates whose sizes are read at run time, if it has any.
fn sized_winner(record: &Record, listed: &[Listed]) -> Option<Candidate> {
    let name = record
        .candidates
        .iter()
        .find(|c| c.number == record.chosen)?;
    let region = listed.iter().find(|r| r.hash == record.hash)?;
    let candidate = region.candidates.iter().find(|c| c.name == name.name)?;
    let sized = !candidate.sizes.is_empty() && candidate.script.is_some();
    sized.then(|| candidate.clone())
}

/// The region of a record.
fn of_record<'r>(regions: &'r [Listed], record: &Record) -> &'r Listed {
    let own = regions.iter().find(|r| r.hash == record.hash);
    own.expect("records are of regions")
}

fn summary(regions: &[Listed], records: &[Record], last: &Last, db: &Path) -> String {
    let table = |r: &Record| records::table(r, of_record(regions, r).chosen) + "\n";
    let tables: String = records.iter().map(table).collect();
    let rest = match regions.len() - records.len() {
        0 => String::new(),
        1 => "1 more nest was not measured, for lack of time\n".to_owned(),
        n => format!("{n} more nests were not measured, for lack of time\n"),
    };
    let end = match last.is_gain {
        true => "",
        false => "; what was found is not faster, so the model's choice stays",
    };
    let db = db.display();
    format!(
        "{tables}{rest}original {:.4} s, the model's choice {:.4} s, tuned {:.4} s{end}\ndatabase '{db}': the program is built with it, and POLYTILE='db={db}' uses it again\n",
        last.original, last.model, last.tuned,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(run: &str) -> Args {
        Args {
            run: run.to_owned(),
            program: None,
            plugin: None,
            budget: 1.0,
            threads: None,
            db: None,
            rounds: 1,
            compare: vec![],
            size_class: None,
            quiet: true,
            build: vec!["true".to_owned()],
        }
    }

    #[test]
    fn the_program_is_the_first_word_of_the_run_command() {
        for run in ["./p 7", " ./p;date", "./p|cat", "./p\t<in"] {
            assert_eq!(program_of(&args(run)).unwrap(), Path::new("./p"), "{run}");
        }
        assert!(program_of(&args("A=./x ./p")).is_err());
        let said = program_of(&args("p 7")).unwrap_err();
        assert!(
            said.contains("'./p'") && said.contains("--program"),
            "{said}"
        );
        assert!(
            program_of(&args(" "))
                .unwrap_err()
                .contains("--run is empty")
        );
        let named = Args {
            program: Some("q".into()),
            ..args("time ./q")
        };
        assert_eq!(program_of(&named).unwrap(), Path::new("q"));
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let said = |args: &Args| Plan::of(args).err().expect("it is refused");
        let budget = |budget| Args {
            budget,
            ..args("./p")
        };
        assert!(said(&budget(0.0)).contains("--budget 0"));
        assert!(said(&budget(f64::NAN)).contains("--budget NaN"));
        let threads = Args {
            threads: Some(0),
            ..args("./p")
        };
        assert!(said(&threads).contains("--threads 0"));
        let db = |db: &str| Args {
            db: Some(db.into()),
            ..args("./p")
        };
        assert!(said(&db("/nonexistent/db")).contains("'/nonexistent/db' cannot be written"));
        assert!(said(&db("a;b")).contains("has a ';'"));
        let rounds = Args {
            rounds: 0,
            ..args("./p")
        };
        assert!(said(&rounds).contains("--rounds 0"));
    }
}
