//! Tile sizes, in one binary: sizes are read at the program's start (`tile-sizes=runtime`, `POLYTILE_TILE_SIZES`), so that nothing is
//! compiled again.
//!
//! One size after the other is doubled, then halved, as long as that gains (coordinate descent). Only the region in question
//! reads its sizes; all others have those of the database so far.

use super::runs::listed;
use super::search::told;
use super::trial::{Contestant, Field};
use crate::builds::Built;
use crate::progress::Progress;
use polytile_records::Size;
use polytile_records::database::{Outcome, TriedSizes};

/// So many sizes are read at run time (`codegen/runtime/table.c`); the rest keep their defaults.
const TABLE: usize = 16;

/// No tile is larger.
const MAX_SIZE: i64 = 1 << 20;

/// The best sizes, and all that were tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The best.
    pub best: Vec<i64>,
    /// All.
    pub tried: Vec<TriedSizes>,
}

/// Looks for the best sizes of a build, from its defaults on.
///
/// # Errors
/// The build fails with its defaults.
pub fn descend(
    field: &Field,
    built: &Built,
    sizes: &[Size],
    (what, progress): (&str, &Progress),
) -> Result<Found, String> {
    let mut best: Vec<i64> = sizes.iter().map(|s| s.default).collect();
    let mut tried: Vec<TriedSizes> = vec![];
    let contestant = |sizes: &[i64]| Contestant {
        built: built.clone(),
        sizes: sizes.to_vec(),
    };
    for (at, size) in sizes.iter().enumerate().take(TABLE) {
        for step in [Step::Double, Step::Halve] {
            while let Some(next) = step.of(best[at], size.multiple_of) {
                let mut other = best.clone();
                other[at] = next;
                if field.clock.is_over() || tried.iter().any(|t| t.sizes == other) {
                    break;
                }
                let name = format!("{what}: tile sizes {}", listed(&other));
                progress.doing(&name);
                let trial = field.challenge(None, &contestant(&best), &contestant(&other))?;
                progress.done(&format!("{name}: {}", told(&trial)));
                enter(&mut tried, &best, Outcome::Measured, &trial.best);
                enter(&mut tried, &other, trial.outcome, &trial.own);
                match trial.is_won() {
                    true => best = other,
                    false => break,
                }
            }
        }
    }
    Ok(Found { best, tried })
}

fn enter(tried: &mut Vec<TriedSizes>, sizes: &[i64], outcome: Outcome, samples: &[f64]) {
    match tried.iter_mut().find(|t| t.sizes == sizes) {
        Some(known) => known.samples.extend(samples),
        None => tried.push(TriedSizes {
            sizes: sizes.to_vec(),
            outcome,
            samples: samples.to_vec(),
        }),
    }
}

/// How a size is changed.
#[derive(Clone, Copy)]
enum Step {
    Double,
    Halve,
}

impl Step {
    /// The next size, a multiple of what it has to be; `None`: there is none.
    fn of(self, size: i64, multiple: i64) -> Option<i64> {
        let next = match self {
            Step::Double => size * 2,
            Step::Halve => (size / 2 / multiple).max(1) * multiple,
        };
        (next != size && next <= MAX_SIZE).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::scratch::Scratch;
    use crate::tune::runs::{Ran, Runs};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    #[test]
    fn sizes_stay_multiples_and_in_bounds() {
        assert_eq!(Step::Double.of(12, 4), Some(24));
        assert_eq!(Step::Halve.of(12, 4), Some(4));
        assert_eq!(Step::Halve.of(4, 4), None);
        assert_eq!(Step::Halve.of(1, 1), None);
        assert_eq!(Step::Double.of(MAX_SIZE, 1), None);
    }

    #[test]
    fn the_fastest_size_is_found() {
        let scratch = Scratch::new("sizes").unwrap();
        let built = Built {
            program: scratch.path().join("built"),
        };
        // 64 and 8 are the best; the defaults cost .2 s each, and all else .6 s.
        let script = "#!/bin/sh
            first=${POLYTILE_TILE_SIZES%,*} second=${POLYTILE_TILE_SIZES#*,} wait=0
            case $first in 64) ;; 32) wait=2 ;; *) wait=6 ;; esac
            case $second in 8) ;; 16) wait=$((wait + 2)) ;; *) wait=$((wait + 6)) ;; esac
            sleep $((wait / 10)).$((wait % 10)); echo same";
        fs::write(&built.program, script).unwrap();
        fs::set_permissions(&built.program, fs::Permissions::from_mode(0o755)).unwrap();
        let program = scratch.path().join("program");
        let runs = Runs {
            command: program.display().to_string(),
            program,
            threads: 1,
            compared: vec![],
            limit: Duration::from_secs(20),
        };
        let Ran::Fine(expected, _) = runs.run(&built, &[64, 8]) else {
            panic!("it runs");
        };
        let clock = Clock::start(Duration::from_secs(100));
        let field = Field {
            runs: &runs,
            expected: &expected,
            clock,
            rounds: 1,
        };
        let size = |default| Size {
            name: "s".into(),
            default,
            multiple_of: 1,
        };
        let progress = Progress::new(clock, true);
        let found = descend(&field, &built, &[size(32), size(16)], ("x", &progress)).unwrap();
        assert_eq!(found.best, [64, 8]);
        assert!(
            found
                .tried
                .iter()
                .any(|t| t.sizes == [32, 16] && !t.samples.is_empty())
        );
        assert!(
            found
                .tried
                .iter()
                .any(|t| t.sizes == [64, 4] && t.outcome == Outcome::Slow)
        );
    }
}
