//! Rounds: contestants run one after the other, again and again, so that what disturbs the machine disturbs them all.
//!
//! No time counts before the output was compared with the original's, byte for byte, in every run.

use super::runs::{Output, Ran, Runs};
use crate::builds::Built;
use crate::clock::Clock;
use polytile_records::database::{Outcome, median};

/// A challenger is given up after one round in which it took so many times as long as the best so far.
const SLOW_AT_ONCE: f64 = 2.0;

/// The same for the least times of two rounds and more.
const SLOW: f64 = 1.3;

/// So much of the best's time, at most, has to be a challenger's: what is left may be chance.
const BETTER: f64 = 0.98;

/// A build and the tile sizes that it is run with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    /// The build.
    pub built: Built,
    /// For `POLYTILE_TILE_SIZES`; empty: its own.
    pub sizes: Vec<i64>,
}

impl Contestant {
    /// A build with its own sizes.
    pub fn of(built: Built) -> Contestant {
        Contestant {
            built,
            sizes: vec![],
        }
    }
}

/// Who is measured beside whom.
pub struct Field<'a> {
    /// How programs run.
    pub runs: &'a Runs,
    /// What they have to put out.
    pub expected: &'a Output,
    /// When to stop.
    pub clock: Clock,
    /// Rounds for each challenger.
    pub rounds: usize,
}

/// A challenger's samples, in seconds, and those of the others in the same rounds.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// What came of it.
    pub outcome: Outcome,
    /// Why it failed, in words; empty: it did not.
    pub why: String,
    /// Its own.
    pub own: Vec<f64>,
    /// The best's so far.
    pub best: Vec<f64>,
    /// The original's.
    pub original: Vec<f64>,
}

impl Trial {
    /// Nothing yet.
    pub fn without(outcome: Outcome, why: impl Into<String>) -> Trial {
        Trial {
            outcome,
            why: why.into(),
            own: vec![],
            best: vec![],
            original: vec![],
        }
    }

    /// Whether the challenger is clearly faster than the best so far: by its least time, which other programs disturb least, and by its
    /// median, which is less a matter of luck.
    pub fn is_won(&self) -> bool {
        self.outcome == Outcome::Measured && self.is_less(BETTER)
    }

    /// Whether the challenger's least time and its median are less than this share of the best's.
    pub fn is_less(&self, share: f64) -> bool {
        let medians = median(&self.own).zip(median(&self.best));
        let less = |own: f64, best: f64| own < share * best;
        less(least(&self.own), least(&self.best)) && medians.is_some_and(|(o, b)| less(o, b))
    }

    fn is_slow(&self) -> bool {
        let limit = match self.own.len() {
            1 => SLOW_AT_ONCE,
            _ => SLOW,
        };
        least(&self.own) > limit * least(&self.best)
    }
}

/// The least of some times; infinite if there are none.
pub fn least(samples: &[f64]) -> f64 {
    samples.iter().copied().fold(f64::INFINITY, f64::min)
}

impl Field<'_> {
    /// Rounds of the original (if there is one to compare with), the best so far and a challenger.
    ///
    /// # Errors
    /// The original or the best so far failed, or put out something else than before.
    pub fn challenge(
        &self,
        original: Option<&Contestant>,
        best: &Contestant,
        challenger: &Contestant,
    ) -> Result<Trial, String> {
        let mut trial = Trial::without(Outcome::Measured, "");
        for round in 0..self.rounds {
            // One round is better than none.
            if round > 0 && self.clock.is_over() {
                break;
            }
            if let Some(original) = original {
                trial.original.push(self.trusted(original, "original")?);
            }
            trial.best.push(self.trusted(best, "best build so far")?);
            match self.one(challenger) {
                Ok(seconds) => trial.own.push(seconds),
                Err((outcome, why)) => {
                    return Ok(Trial {
                        original: trial.original,
                        ..Trial::without(outcome, why)
                    });
                }
            }
            if trial.is_slow() {
                trial.outcome = Outcome::Slow;
                break;
            }
        }
        Ok(trial)
    }

    /// Seconds of a run that has to be fine.
    fn trusted(&self, contestant: &Contestant, what: &str) -> Result<f64, String> {
        self.one(contestant).map_err(|(_, why)| {
            format!(
                "the {what} ran before, and now: {why}; let the run command do the same each time"
            )
        })
    }

    /// Seconds of a run, if it puts out what is expected.
    fn one(&self, contestant: &Contestant) -> Result<f64, (Outcome, String)> {
        match self.runs.run(&contestant.built, &contestant.sizes) {
            Ran::Failed(why) => Err((Outcome::Failed, why)),
            Ran::Fine(output, seconds) => {
                match self.expected.difference(&output, &self.runs.compared) {
                    Some(difference) => Err((Outcome::OtherOutput, difference)),
                    None => Ok(seconds),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    struct Ground {
        scratch: Scratch,
        runs: Runs,
    }

    impl Ground {
        fn new(name: &str) -> Ground {
            let scratch = Scratch::new(name).unwrap();
            let program = scratch.path().join("program");
            let runs = Runs {
                command: program.display().to_string(),
                program,
                threads: 1,
                compared: vec![],
                limit: Duration::from_secs(20),
            };
            Ground { scratch, runs }
        }

        fn contestant(&self, name: &str, script: &str) -> Contestant {
            let program = self.scratch.path().join(name);
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            Contestant::of(Built { program })
        }

        fn expected(&self, contestant: &Contestant) -> Output {
            match self.runs.run(&contestant.built, &[]) {
                Ran::Fine(output, _) => output,
                Ran::Failed(why) => panic!("{why}"),
            }
        }
    }

    #[test]
    fn outputs_decide_before_times() {
        let ground = Ground::new("trial");
        let original = ground.contestant("original", "sleep 0.3; echo same");
        let wrong = ground.contestant("wrong", "echo other");
        let fails = ground.contestant("fails", "exit 1");
        let fast = ground.contestant("fast", "echo same");
        let field = Field {
            runs: &ground.runs,
            expected: &ground.expected(&original),
            clock: Clock::start(Duration::from_secs(100)),
            rounds: 2,
        };
        let against = |c| field.challenge(Some(&original), &original, c).unwrap();
        let trial = against(&wrong);
        assert_eq!(trial.outcome, Outcome::OtherOutput);
        assert!(trial.own.is_empty() && !trial.is_won());
        assert_eq!(against(&fails).outcome, Outcome::Failed);
        let trial = against(&fast);
        assert_eq!((trial.outcome, trial.own.len()), (Outcome::Measured, 2));
        assert_eq!((trial.best.len(), trial.original.len()), (2, 2));
        assert!(trial.is_won());
        // What is slow is seen in one round.
        let trial = field.challenge(None, &fast, &original).unwrap();
        assert_eq!((trial.outcome, trial.own.len()), (Outcome::Slow, 1));
        assert!(!trial.is_won());
        assert!(field.challenge(None, &wrong, &fast).is_err());
    }

    #[test]
    fn time_that_is_over_leaves_one_round() {
        let ground = Ground::new("over");
        let a = ground.contestant("a", "echo same");
        let field = Field {
            runs: &ground.runs,
            expected: &ground.expected(&a),
            clock: Clock::start(Duration::ZERO),
            rounds: 5,
        };
        assert_eq!(field.challenge(None, &a, &a).unwrap().best.len(), 1);
    }
}
