//! All steps of a project: sources, builds, tests, timed runs.

use std::path::{Path, PathBuf};

use super::build::{Built, Effort, Place};
use super::catalog::Project;
use super::compilers::{Settings, Variant};
use super::cost::Cost;
use super::report::{Record, SLOWER};
use super::source;
use crate::bed::measure::{self, Clock, Contender, Job};

/// What is the same for all projects.
#[derive(Debug, Clone)]
pub struct Session {
    /// What the builds take.
    pub settings: Settings,
    /// How much is done.
    pub effort: Effort,
    /// Where sources and builds are kept.
    pub cache: PathBuf,
    /// Which builds are made.
    pub variants: Vec<Variant>,
    /// Rounds of timed runs; none where nothing is timed.
    pub rounds: Option<usize>,
}

impl Session {
    /// Builds, tests, compares and times a project.
    pub fn record(&self, project: &Project) -> Record {
        let mut record = Record {
            name: project.name.clone(),
            ..Record::default()
        };
        let sources = obstacle(project).map_or_else(|| source::fetch(project, &self.cache), Err);
        let done = sources.and_then(|sources| self.build(project, &sources, &mut record));
        record.skipped = done.err();
        if let (None, Some(rounds)) = (&record.skipped, self.rounds) {
            record.times = self.time(&record, rounds);
        }
        record
    }

    /// All builds; an error where the compiler alone makes none.
    fn build(&self, project: &Project, sources: &Path, record: &mut Record) -> Result<(), String> {
        let mut costs: Vec<(Variant, Cost)> = vec![];
        let again = if self.effort.reuse {
            1
        } else {
            self.effort.builds
        };
        for _ in 0..again {
            for &variant in &self.variants {
                if record.broken.contains_key(&variant) {
                    continue;
                }
                let cost = self
                    .place(project, variant)
                    .and_then(|place| place.build(sources));
                match (cost, costs.iter_mut().find(|one| one.0 == variant)) {
                    (Ok(cost), Some((_, least))) => least.least(&cost),
                    (Ok(cost), None) => costs.push((variant, cost)),
                    (Err(reason), _) => fail(record, variant, reason)?,
                }
            }
        }
        for (variant, cost) in costs {
            match self
                .place(project, variant)
                .and_then(|place| place.run(cost))
            {
                Ok(built) => drop(record.builds.insert(variant, built)),
                Err(reason) => fail(record, variant, reason)?,
            }
        }
        Ok(())
    }

    fn place<'a>(&'a self, project: &'a Project, variant: Variant) -> Result<Place<'a>, String> {
        Place::new(project, &self.effort, &self.settings, variant, &self.cache)
    }

    /// Timed runs of all builds, interleaved.
    fn time(&self, record: &Record, rounds: usize) -> Option<measure::Times> {
        let program = |variant| -> Option<PathBuf> {
            let built: &Built = record.builds.get(&variant)?;
            built.timed.clone()
        };
        let contenders = [
            (Contender::Original, Variant::Alone),
            (Contender::One, Variant::Default),
            (Contender::Two, Variant::Default),
        ];
        let programs: Option<Vec<(Contender, PathBuf)>> = contenders
            .into_iter()
            .map(|(contender, variant)| Some((contender, program(variant)?)))
            .collect();
        let job = Job {
            name: record.name.clone(),
            programs: programs?,
            arguments: vec![],
            clock: Clock::Wall,
        };
        let effort = measure::Effort {
            rounds,
            limit: self.effort.limit.as_secs_f64(),
            slow: f64::INFINITY,
            doubt: SLOWER,
        };
        Some(measure::measure(&job, &effort))
    }
}

/// A build that came to no end: a defect with the plugin, a reason to leave the project out without.
fn fail(record: &mut Record, variant: Variant, reason: String) -> Result<(), String> {
    if variant == Variant::Alone {
        return Err(format!("the compiler alone does not build it: {reason}"));
    }
    record.broken.insert(variant, reason);
    Ok(())
}

/// Why a project cannot be built here.
fn obstacle(project: &Project) -> Option<String> {
    let compiler = project.languages.iter().find_map(|one| one.obstacle());
    let missing = |command: &&String| {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        !std::env::split_paths(&folders).any(|folder| folder.join(command).exists())
    };
    let command = || project.needs.iter().find(missing);
    compiler.or_else(|| command().map(|command| format!("{command} is not installed")))
}
