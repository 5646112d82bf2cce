//! Records, judgements and what follows from them.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::build::{Builds, Candidate};
use super::measure::{Contender, Times, defect};

/// A loop counts as slower from this quotient of times on.
pub const SLOWER: f64 = 1.05;
/// A version that was chosen may be this much slower than the original before the decision counts as wrong.
const CHOSEN_WRONGLY: f64 = 1.03;
/// A version that was declined has to be this much faster than the original for the decision to count as wrong.
const DECLINED_WRONGLY: f64 = 1.10;

/// What is known of one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The program.
    pub name: String,
    /// Why it was not built.
    pub broken: Option<String>,
    /// How it was built.
    pub builds: Option<Builds>,
    /// What its runs showed.
    pub times: Option<Times>,
}

/// A decision that the measurement contradicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// The new version runs and is slower than the original.
    Chosen,
    /// The original runs and the new version is faster.
    Declined,
}

impl Record {
    /// Seconds of a contender; where its program is another's equal, the other's.
    pub fn seconds(&self, contender: Contender) -> Option<f64> {
        let (times, builds) = (self.times.as_ref()?, self.builds.as_ref()?);
        let own = times.seconds.get(&contender).copied();
        own.or_else(|| match contender {
            Contender::One | Contender::Two | Contender::Unbound if builds.untouched => {
                times.seconds.get(&Contender::Original).copied()
            }
            Contender::ForcedOne if builds.unforced => self.seconds(Contender::One),
            Contender::ForcedTwo if builds.unforced => self.seconds(Contender::Two),
            _ => None,
        })
    }

    /// Time of a contender over that of the original: above 1 is slower.
    pub fn ratio(&self, contender: Contender) -> Option<f64> {
        Some(self.seconds(contender)? / self.seconds(Contender::Original)?)
    }

    /// The class: what stands before the first slash.
    pub fn class(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }

    /// What went wrong with it beside being slow: no build, other bytes, a failed run.
    pub fn defect(&self) -> Option<String> {
        defect(self.broken.as_deref(), self.times.as_ref())
    }

    /// The first reason why a nest keeps its code.
    pub fn reason(&self) -> Option<&str> {
        let remarks = &self.builds.as_ref()?.polytile.remarks;
        let declined = remarks
            .iter()
            .find(|remark| !remark.contains("loop nest transformed"))?;
        declined.split_once(": ").map(|(_, text)| text)
    }

    /// True where some nest was transformed.
    pub fn transformed(&self) -> bool {
        let remarks = self
            .builds
            .as_ref()
            .map_or(&[][..], |builds| &builds.polytile.remarks);
        remarks
            .iter()
            .any(|remark| remark.contains("loop nest transformed"))
    }

    /// The decision on so many threads, one or two, if it is wrong.
    pub fn wrong(&self, threads: usize) -> Option<Wrong> {
        let (chosen, forced) = contenders(threads);
        let (chosen, forced) = (self.ratio(chosen)?, self.ratio(forced).unwrap_or(1.0));
        if chosen > CHOSEN_WRONGLY && !self.builds.as_ref()?.untouched {
            return Some(Wrong::Chosen);
        }
        (forced * DECLINED_WRONGLY < chosen.min(1.0)).then_some(Wrong::Declined)
    }

    /// How much longer it takes than the best of original, chosen and forced version.
    pub fn regret(&self, threads: usize) -> Option<f64> {
        let (chosen, forced) = contenders(threads);
        let chosen = self.ratio(chosen)?;
        let best = chosen.min(1.0).min(self.ratio(forced).unwrap_or(1.0));
        Some(chosen / best)
    }

    /// True where the predictions are for the sizes that the program runs with.
    pub fn sizes_known(&self) -> bool {
        let candidates = self
            .builds
            .as_ref()
            .map_or(&[][..], |builds| &builds.polytile.candidates);
        candidates.iter().all(|one| one.at.is_empty())
    }

    /// Predicted cycles on so many threads of the original and of the chosen program, over all nests.
    pub fn predicted(&self, threads: usize) -> Option<(f64, f64)> {
        let candidates = &self.builds.as_ref()?.polytile.candidates;
        let cycles = |one: &Candidate| if threads == 1 { one.one } else { one.two };
        let original = candidates.iter().filter(|one| one.name == "original");
        let chosen = candidates.iter().filter(|one| one.chosen);
        let (original, chosen): (Vec<f64>, Vec<f64>) =
            (original.map(cycles).collect(), chosen.map(cycles).collect());
        (!original.is_empty() && original.len() == chosen.len())
            .then(|| (original.iter().sum(), chosen.iter().sum()))
    }
}

fn contenders(threads: usize) -> (Contender, Contender) {
    match threads {
        1 => (Contender::One, Contender::ForcedOne),
        _ => (Contender::Two, Contender::ForcedTwo),
    }
}

/// The geometric mean; `None` of nothing.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = values.map(f64::ln).collect();
    (!logarithms.is_empty())
        .then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
}

/// The records of a file of one record a line; none where there is no file. A line that was cut off is dropped.
pub fn read(path: &Path) -> Vec<Record> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Adds records to a file.
pub fn append(path: &Path, records: &[Record]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(failed)?;
    for record in records {
        let line = serde_json::to_string(record).map_err(|error| error.to_string())?;
        writeln!(file, "{line}").map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bed::build::Built;
    use std::collections::BTreeMap;

    /// A record with the times of the original and of the others in the order of [`Contender`].
    pub fn record(name: &str, original: f64, others: &[(Contender, f64)]) -> Record {
        let built = Built {
            program: "p".into(),
            seconds: 0.1,
            remarks: vec![],
            candidates: vec![],
        };
        let mut seconds: BTreeMap<Contender, f64> = others.iter().copied().collect();
        seconds.insert(Contender::Original, original);
        Record {
            name: name.to_string(),
            broken: None,
            builds: Some(Builds {
                original: built.clone(),
                polytile: built.clone(),
                forced: built,
                untouched: false,
                unforced: false,
            }),
            times: Some(Times {
                name: name.to_string(),
                seconds,
                different: vec![],
                failed: vec![],
            }),
        }
    }

    #[test]
    fn decisions_are_judged() {
        let slow = record(
            "a/b",
            1.0,
            &[(Contender::One, 1.04), (Contender::ForcedOne, 1.04)],
        );
        assert_eq!((slow.wrong(1), slow.class()), (Some(Wrong::Chosen), "a"));
        let missed = record(
            "a/b",
            1.0,
            &[(Contender::One, 1.0), (Contender::ForcedOne, 0.8)],
        );
        assert_eq!(missed.wrong(1), Some(Wrong::Declined));
        assert_eq!(missed.regret(1), Some(1.25));
        let good = record(
            "a/b",
            1.0,
            &[(Contender::One, 0.5), (Contender::ForcedOne, 0.5)],
        );
        assert_eq!((good.wrong(1), good.regret(1)), (None, Some(1.0)));
        assert_eq!(good.wrong(2), None);
    }

    #[test]
    fn records_survive_a_file() {
        let path = std::env::temp_dir().join(format!("polytile-records-{}", std::process::id()));
        let all = [record("a/b", 1.0, &[(Contender::Two, 0.25)])];
        append(&path, &all).unwrap();
        append(&path, &all).unwrap();
        assert_eq!(read(&path), [all[0].clone(), all[0].clone()]);
        fs::remove_file(path).unwrap();
        assert!((mean([1.0, 4.0].into_iter()).unwrap() - 2.0).abs() < 1e-12);
    }
}
