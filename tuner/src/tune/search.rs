//! The candidates of each region, measured one region after the other: what has won stays while the next region is looked at.

use super::choices::Choices;
use super::trial::{Contestant, Field, Trial, least};
use crate::builds::Builds;
use crate::clock::Clock;
use crate::progress::Progress;
use polytile_records::database::{Measured, Outcome};
use polytile_records::{Candidate, Listed};

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
        }
        Ok(all)
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
