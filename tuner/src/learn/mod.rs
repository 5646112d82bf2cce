//! `polytile learn`: fits the numbers of the machine's model to what was measured of nests, and says how far off the model is before and after.
//!
//! | file | subject |
//! |---|---|
//! | [`samples`] | what a database says of the nests of a build |
//! | [`predicted`] | what the model says of them, with any numbers |
//! | [`error`] | how far it is off |
//! | [`fit`] | the search |
//!
//! The model is judged by ratios: a candidate's time to the original's, predicted and measured. The predicted ones are asked of the plugin, which lists
//! its candidates again for each trial with the numbers given (option `machine`). Every third nest is held out of the fit, and numbers are written only if
//! the model is less far off on those.

mod error;
mod fit;
mod predicted;
mod samples;

use crate::builds::Builds;
use crate::clock::Clock;
use crate::listed::listed;
use crate::progress::Progress;
use crate::scratch::{AsItWas, Scratch};
use error::Off;
use fit::{Numbers, fitted};
use polytile_records::{Machine, database};
use predicted::{Model, ONLY_JUDGED};
use samples::{Nest, nests};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// So many nests have to be there: two to fit, one to judge.
const LEAST: usize = 3;

/// What is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Database that polytile tune has written
    #[arg(value_name = "DB")]
    pub db: PathBuf,
    /// The program that the build makes
    #[arg(long, value_name = "FILE")]
    pub program: PathBuf,
    /// Write the numbers here, if they are better
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// The plugin [default: libpolytile.so beside this program, or in ../lib/polytile]
    #[arg(long, value_name = "FILE")]
    pub plugin: Option<PathBuf>,
    /// Seconds that it may take, about; an interrupt (Ctrl-C) ends the search as well, in order
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0)]
    pub budget: f64,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
    /// The build command, as for polytile tune: what it compiles has the nests of the database
    #[arg(last = true, required = true, value_name = "BUILD")]
    pub build: Vec<String>,
}

/// Learns from a database. The program is what it was.
///
/// # Errors
/// What is wrong with the input, or went wrong, and what would help.
pub fn learn(args: &Args) -> Result<(), String> {
    if !(args.budget > 0.0 && args.budget <= 1e7) {
        return Err(format!("--budget {}: give seconds, above 0", args.budget));
    }
    let clock = Clock::start(Duration::from_secs_f64(args.budget));
    let progress = Progress::new(clock, args.quiet);
    let told = learned(args, clock, &progress);
    progress.clear();
    print!("{}", told?);
    Ok(())
}

/// All that is done; what is to be printed in the end.
fn learned(args: &Args, clock: Clock, progress: &Progress) -> Result<String, String> {
    let name = args.db.display();
    let bytes = fs::read(&args.db).map_err(|e| {
        format!("database '{name}' cannot be read: {e}; name one that polytile tune wrote")
    })?;
    let (records, bad) = database::parse(&String::from_utf8_lossy(&bytes));
    let plugin = crate::plugin::find(args.plugin.as_deref())?;
    let scratch =
        Scratch::new("learn").map_err(|e| format!("no folder for the time being: {e}"))?;
    let _before = AsItWas::of(&args.program, scratch.path())
        .map_err(|e| format!("'{}' cannot be read: {e}", args.program.display()))?;
    let mut builds = Builds::new(&args.build, &plugin, &args.program, scratch.path())?;
    progress.doing("list candidates");
    let regions = listed(&mut builds, &scratch, ONLY_JUDGED)?;
    let (target, start) = (regions[0].target.clone(), regions[0].numbers.clone());
    let nests = nests(&records, &regions, &target);
    if nests.len() < LEAST {
        return Err(format!(
            "database '{name}' has samples of {} nests that this build has, for {target}; {LEAST} are needed{}",
            nests.len(),
            if bad.is_empty() {
                ""
            } else {
                " (some lines are of no use)"
            }
        ));
    }
    let (fit, held) = parted(&nests);
    let mut model = Model::new(&mut builds, &scratch, &target, &regions);
    let mut trials = 0;
    let before = model
        .ratios(&start, &nests)?
        .ok_or("the plugin's predictions are not there")?;
    let mut judge = |numbers: &Numbers| -> Result<Option<f64>, String> {
        trials += 1;
        progress.doing(&format!("trial {trials}"));
        let ratios = model.ratios(numbers, &nests)?;
        Ok(ratios.map(|r| Off::of(&fit, &r).mean))
    };
    let found = fitted(&start, &mut judge, &|| clock.is_over())?;
    let after = model
        .ratios(&found, &nests)?
        .ok_or("the plugin's predictions are not there")?;
    let of = |nests: &[&Nest]| [Off::of(nests, &before), Off::of(nests, &after)];
    let outcome = Outcome {
        fitted: of(&fit),
        held: of(&held),
        changed: (found.iter())
            .filter(|(name, value)| start.get(*name) != Some(*value))
            .map(|(name, value)| (name.clone(), start[name], *value))
            .collect(),
    };
    let mut told = outcome.table(&target, (fit.len(), held.len()), trials);
    told += &outcome.written(args, &target)?;
    Ok(told)
}

/// Every third nest is held out.
fn parted(nests: &[Nest]) -> (Vec<&Nest>, Vec<&Nest>) {
    let (mut fit, mut held) = (vec![], vec![]);
    for (i, nest) in nests.iter().enumerate() {
        match i % LEAST {
            2 => held.push(nest),
            _ => fit.push(nest),
        }
    }
    (fit, held)
}

/// What came of it.
struct Outcome {
    /// Before and after.
    fitted: [Off; 2],
    held: [Off; 2],
    /// Names, old and new values.
    changed: Vec<(String, f64, f64)>,
}

impl Outcome {
    /// Whether the numbers are better where they were not fitted.
    fn is_better(&self) -> bool {
        !self.changed.is_empty() && self.held[1].is_less(&self.held[0])
    }

    fn table(&self, target: &str, (fit, held): (usize, usize), trials: usize) -> String {
        let mut out = format!(
            "{target}: {} nests of the database, {trials} trials\n",
            fit + held
        );
        out += "the model's ratio of a candidate's time to the original's is off by a factor of\n";
        out += "                          median            mean\n";
        out += "                      before   after   before   after\n";
        for (what, n, [before, after]) in [
            ("fitted", fit, &self.fitted),
            ("held out", held, &self.held),
        ] {
            let [m, n_, a, b] =
                [before.median, after.median, before.mean, after.mean].map(f64::exp);
            out += &format!("{what:>9}, {n:3} nests {m:8.2}{n_:8.2} {a:8.2}{b:8.2}\n");
        }
        for (name, old, new) in &self.changed {
            out += &format!("{name}: {old:.3} -> {new:.3}\n");
        }
        out
    }

    /// Writes the numbers, if they are better; what was done.
    fn written(&self, args: &Args, target: &str) -> Result<String, String> {
        if self.changed.is_empty() {
            return Ok(
                "no other numbers are better for the fitted nests: nothing is written\n".to_owned(),
            );
        }
        if !self.is_better() {
            return Ok(
                "the nests that were held out are not predicted better: nothing is written\n"
                    .to_owned(),
            );
        }
        let numbers = self
            .changed
            .iter()
            .map(|(name, _, new)| (name.clone(), *new));
        let machine = Machine::new(target, numbers.collect());
        let name = args.output.display();
        fs::write(&args.output, machine.print()).map_err(|e| {
            format!("'{name}' cannot be written: {e}; name another file with --output")
        })?;
        Ok(format!(
            "written to {name}: POLYTILE=machine={name} uses it\n"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(before: f64, after: f64) -> Outcome {
        let off = |mean: f64| Off { median: mean, mean };
        Outcome {
            fitted: [off(0.5), off(0.1)],
            held: [off(before), off(after)],
            changed: vec![("fork".to_owned(), 1.0, 2.0)],
        }
    }

    #[test]
    fn numbers_are_written_only_if_they_are_better_elsewhere() {
        let scratch = Scratch::new("learned").unwrap();
        let args = Args {
            db: PathBuf::new(),
            program: PathBuf::new(),
            output: scratch.path().join("machine.json"),
            plugin: None,
            budget: 1.0,
            quiet: true,
            build: vec![],
        };
        let told = outcome(0.4, 0.45).written(&args, "t").unwrap();
        assert!(
            told.contains("not predicted better: nothing is written"),
            "{told}"
        );
        assert!(!args.output.exists());
        let told = outcome(0.4, 0.3).written(&args, "t").unwrap();
        assert!(told.contains("POLYTILE=machine="), "{told}");
        let text = fs::read_to_string(&args.output).unwrap();
        let machine = Machine::parse(&text).unwrap();
        assert_eq!(
            (machine.target.as_str(), machine.numbers["fork"]),
            ("t", 2.0)
        );
        let mut same = outcome(0.4, 0.4);
        same.changed.clear();
        assert!(
            same.written(&args, "t")
                .unwrap()
                .contains("nothing is written")
        );
    }

    #[test]
    fn every_third_nest_is_held_out() {
        let nest = |n: usize| Nest {
            hash: n.to_string(),
            samples: vec![],
        };
        let nests: Vec<Nest> = (0..7).map(nest).collect();
        let (fit, held) = parted(&nests);
        let names =
            |list: &[&Nest]| -> Vec<String> { list.iter().map(|n| n.hash.clone()).collect() };
        assert_eq!(names(&fit), ["0", "1", "3", "4", "6"]);
        assert_eq!(names(&held), ["2", "5"]);
    }

    #[test]
    fn errors_are_printed_as_factors() {
        let text = outcome(2.0_f64.ln(), 1.5_f64.ln()).table("t", (4, 2), 9);
        assert!(
            text.starts_with("t: 6 nests of the database, 9 trials\n"),
            "{text}"
        );
        assert!(
            text.contains(" held out,   2 nests     2.00    1.50     2.00    1.50\n"),
            "{text}"
        );
        assert!(text.ends_with("fork: 1.000 -> 2.000\n"), "{text}");
    }
}
