//! The candidates of each region, measured one region after the other, the hottest first: what has won stays while the next region is looked
//! at.

use super::choices::Choices;
use super::runs::Runs;
use super::trial::{Contestant, Field, Trial, least};
use crate::builds::{Builds, joined};
use crate::clock::Clock;
use crate::progress::Progress;
use polytile_records::database::{Alone, Measured, Outcome};
use polytile_records::{Candidate, Listed};
use std::collections::BTreeMap;

/// Who takes part.
pub struct Search<'a> {
    /// Makes builds.
    pub builds: &'a mut Builds,
    /// Measures them.
    pub field: Field<'a>,
    /// The original.
    pub original: &'a Contestant,
    /// Tells of it.
    pub progress: &'a Progress,
    /// Threads that programs have.
    pub threads: usize,
    /// What nests take.
    pub times: &'a Times,
}

/// What nests take alone, by the hashes of their regions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Times {
    /// With some choices.
    chosen: BTreeMap<String, Alone>,
    /// With the original.
    original: BTreeMap<String, Alone>,
}

/// A nest that tells nothing is taken for one with this share of the program's time.
const UNTOLD: f64 = 0.01;

impl Times {
    /// What a program with these choices tells; nothing where it does not.
    pub fn of(choices: &Choices, builds: &mut Builds, runs: &Runs) -> Times {
        let Ok(built) = builds.build(&counting(choices)) else {
            return Times::default();
        };
        let told = |originals| runs.told(&built, originals).unwrap_or_default();
        Times {
            chosen: told(false),
            original: told(true),
        }
    }

    /// The regions, those first on which the program spends most of its time, which is `whole` seconds.
    pub fn hottest_first<'r>(&self, regions: &'r [Listed], whole: f64) -> Vec<&'r Listed> {
        let seconds = |r: &Listed| {
            let told = self.chosen.get(&r.hash).map(|a| a.seconds);
            told.unwrap_or(UNTOLD * whole)
        };
        let mut all: Vec<&Listed> = regions.iter().collect();
        all.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
        all
    }
}

/// Options of a build with these choices that counts what nests take.
fn counting(choices: &Choices) -> String {
    joined(&choices.option(), "report=all")
}

impl Search<'_> {
    /// Measures a region's candidates and puts the fastest into `choices`.
    ///
    /// # Errors
    /// A build or run failed that was fine before.
    pub fn region(
        &mut self,
        region: &Listed,
        choices: &mut Choices,
    ) -> Result<Vec<Measured>, String> {
        let mut all: Vec<Measured> = region.candidates.iter().map(Measured::of).collect();
        all[choices.get(&region.hash)].alone = self.times.chosen.get(&region.hash).copied();
        all[0].alone = self.times.original.get(&region.hash).copied();
        for number in self.order(region, choices.get(&region.hash)) {
            let candidate = &region.candidates[number];
            if self.clock().is_over() {
                break;
            }
            let name = format!(
                "{}: candidate {number} '{}'",
                region.place(),
                candidate.name
            );
            self.progress.doing(&name);
            let best = choices.get(&region.hash);
            let trial = self.trial(choices, &choices.with(&region.hash, number))?;
            enter(&mut all, best, number, &trial);
            if trial.is_won() {
                *choices = choices.with(&region.hash, number);
            }
            self.progress.done(&format!("{name}: {}", told(&trial)));
            self.alone(region, &choices.with(&region.hash, number), &mut all);
        }
        Ok(all)
    }

    /// Finds out what the nest alone takes with a candidate that ran, in a build that counts.
    fn alone(&mut self, region: &Listed, choices: &Choices, all: &mut [Measured]) {
        let own = &mut all[choices.get(&region.hash)];
        if own.alone.is_some() || own.samples.is_empty() || self.clock().is_over() {
            return;
        }
        let told = self.builds.build(&counting(choices)).ok();
        let told = told.and_then(|built| self.field.runs.told(&built, false));
        own.alone = told.and_then(|mut told| told.remove(&region.hash));
    }

    fn clock(&self) -> Clock {
        self.field.clock
    }

    fn trial(&mut self, best: &Choices, challenger: &Choices) -> Result<Trial, String> {
        let best = Contestant::of(self.builds.build(&best.option())?);
        match self.builds.build(&challenger.option()) {
            Err(why) => Ok(Trial::without(Outcome::NotBuilt, why)),
            Ok(built) => {
                let challenger = Contestant::of(built);
                self.field
                    .challenge(Some(self.original), &best, &challenger)
            }
        }
    }

    /// The numbers of challengers, those first that the model takes for fast. What has no script could not be stored.
    fn order(&self, region: &Listed, best: usize) -> Vec<usize> {
        let challenges = |c: &&Candidate| c.number != best && (c.number == 0 || c.script.is_some());
        let mut all: Vec<&Candidate> = region.candidates.iter().filter(challenges).collect();
        let time = |c: &Candidate| {
            c.predicted.map_or(f64::INFINITY, |p| match self.threads {
                1 => p.one,
                _ => p.two,
            })
        };
        all.sort_by(|a, b| time(a).total_cmp(&time(b)));
        all.iter().map(|c| c.number).collect()
    }
}

/// Enters the samples of a trial: the challenger's, and those of the best so far, which ran as well.
fn enter(all: &mut [Measured], best: usize, number: usize, trial: &Trial) {
    let own = &mut all[number];
    own.outcome = trial.outcome;
    own.samples.extend(&trial.own);
    own.original.extend(&trial.original[..trial.own.len()]);
    if !trial.best.is_empty() {
        let other = &mut all[best];
        other.outcome = Outcome::Measured;
        other.samples.extend(&trial.best);
        other.original.extend(&trial.original);
    }
}

/// What came of a trial, for a reader.
pub fn told(trial: &Trial) -> String {
    let first = trial.why.lines().next().unwrap_or_default();
    match trial.outcome {
        Outcome::Measured | Outcome::Slow => {
            let won = if trial.is_won() {
                ", the best so far"
            } else {
                ""
            };
            let (own, other) = (least(&trial.own), least(&trial.best));
            format!("{own:.4} s beside {other:.4} s{won}")
        }
        Outcome::NotBuilt => format!("not built: {first}"),
        Outcome::Failed => format!("failed: {first}"),
        Outcome::OtherOutput => format!("other output: {first}"),
        Outcome::NoTime => "no time".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hot_nests_come_first_and_silent_ones_before_cold_ones() {
        let region = |hash: &str| Listed {
            hash: hash.into(),
            ..Listed::default()
        };
        let alone = |hash: &str, seconds| {
            (
                hash.to_owned(),
                Alone {
                    entries: 1,
                    seconds,
                },
            )
        };
        let times = Times {
            chosen: BTreeMap::from([alone("cold", 0.001), alone("hot", 0.5), alone("warm", 0.1)]),
            ..Times::default()
        };
        let regions = ["cold", "silent", "warm", "hot"].map(region);
        let order = times.hottest_first(&regions, 1.0);
        let order: Vec<&str> = order.iter().map(|r| r.hash.as_str()).collect();
        assert_eq!(order, ["hot", "warm", "silent", "cold"]);
    }

    #[test]
    fn samples_go_to_the_challenger_and_to_the_best() {
        let candidate = |number, name: &str| Candidate {
            number,
            name: name.into(),
            ..Candidate::default()
        };
        let mut all = vec![
            Measured::of(&candidate(0, "original")),
            Measured::of(&candidate(1, "plan")),
            Measured::of(&candidate(2, "apart")),
        ];
        let trial = Trial {
            outcome: Outcome::Slow,
            why: String::new(),
            own: vec![3.0],
            best: vec![1.0],
            original: vec![2.0],
        };
        enter(&mut all, 1, 2, &trial);
        assert_eq!(
            (all[2].outcome, &all[2].samples[..]),
            (Outcome::Slow, &[3.0][..])
        );
        assert_eq!(
            (all[1].outcome, &all[1].samples[..]),
            (Outcome::Measured, &[1.0][..])
        );
        assert_eq!(all[1].original, [2.0]);
        assert_eq!(all[0].outcome, Outcome::NoTime);
        assert_eq!(told(&trial), "3.0000 s beside 1.0000 s");
        let failed = Trial::without(Outcome::NotBuilt, "no such\nthing");
        enter(&mut all, 1, 2, &failed);
        assert_eq!(told(&failed), "not built: no such");
        assert_eq!(all[1].samples.len(), 1);
    }
}
