//! What was measured of a region's candidates: a line of the tuner's database.
//!
//! The file may hold any number of records, of many programs, targets and numbers of threads. Of several for one region and target the
//! last one counts.

use crate::lines::{self, BadLine};
use crate::listing::{Arithmetic, Candidate, Edge, Listed, Picture, Place, Predicted, Statement};
use crate::{FORMAT, hash};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A region and what was measured of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Version of the format ([`crate::FORMAT`]).
    pub format: u32,
    /// The region's hash: that of `scop`.
    pub hash: String,
    /// Its function when it was measured.
    pub function: String,
    /// The file of its first loop.
    pub file: Option<String>,
    /// The line of its first loop, from 1.
    pub line: Option<u32>,
    /// The processor that it was compiled for.
    pub target: String,
    /// The threads that the program could use.
    pub threads: usize,
    /// What kind of input it was measured with: a name of the user's, or the order of magnitude of the whole program's time.
    pub size_class: String,
    /// The number of the candidate that won.
    pub chosen: usize,
    /// Its script, with arrays and parameters called as in the canonical text; `None`: the original won.
    pub script: Option<String>,
    /// The best tile sizes, in the order of the script's `size` commands; empty: the script's own.
    pub sizes: Vec<i64>,
    /// The original's loops, as a text for readers.
    #[serde(default)]
    pub before: Option<String>,
    /// The winner's, as another.
    #[serde(default)]
    pub code: Option<String>,
    /// Numbers of the processor's model, for readers ([`crate::machine`]).
    #[serde(default)]
    pub numbers: BTreeMap<String, f64>,
    /// The sizes that times were predicted for: `P0 = 1000`; empty: there are none.
    #[serde(default)]
    pub at: String,
    /// The arithmetic of the region, for these.
    #[serde(default)]
    pub arithmetic: Option<Arithmetic>,
    /// Pictures of the original's order and of the winner's, for readers.
    #[serde(default)]
    pub orders: [Vec<Picture>; 2],
    /// Statements of the region, for readers.
    #[serde(default)]
    pub statements: Vec<Statement>,
    /// Dependences between them, for readers.
    #[serde(default)]
    pub dependences: Vec<Edge>,
    /// What was measured of each candidate.
    pub candidates: Vec<Measured>,
    /// What was measured of the winner's tile sizes.
    pub tried_sizes: Vec<TriedSizes>,
    /// Canonical text of the static control part.
    pub scop: String,
}

/// A candidate and its samples.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Its number in the plugin's list.
    pub number: usize,
    /// How it was made.
    pub name: String,
    /// What the model said.
    pub predicted: Option<Predicted>,
    /// Bytes that it moves into each cache, as the plugin listed them.
    #[serde(default)]
    pub bytes: Option<[f64; 3]>,
    /// What came of it.
    pub outcome: Outcome,
    /// Seconds of the whole program, one for each run, in the order of the runs.
    pub samples: Vec<f64>,
    /// Seconds of the original beside it, in the same rounds.
    pub original: Vec<f64>,
    /// What the nest alone took, in a run that counted; `None`: no run did.
    #[serde(default)]
    pub alone: Option<Alone>,
}

/// A nest alone, in one run of the program: what its copies took, whichever version ran.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Alone {
    /// How often it was entered.
    pub entries: u64,
    /// Seconds of all entries.
    pub seconds: f64,
}

impl Measured {
    /// Of a candidate that was not tried.
    pub fn of(candidate: &Candidate) -> Measured {
        Measured {
            number: candidate.number,
            name: candidate.name.clone(),
            predicted: candidate.predicted,
            bytes: candidate.bytes,
            outcome: Outcome::NoTime,
            samples: vec![],
            original: vec![],
            alone: None,
        }
    }
}

/// What came of building and running a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It ran, and printed what the original prints.
    Measured,
    /// It was clearly slower in its first run.
    Slow,
    /// It could not be built.
    NotBuilt,
    /// It failed or took too long.
    Failed,
    /// It printed something else.
    OtherOutput,
    /// Time was over before its turn.
    NoTime,
}

/// Tile sizes and their samples.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TriedSizes {
    /// The sizes, in iterations.
    pub sizes: Vec<i64>,
    /// What came of them.
    pub outcome: Outcome,
    /// Seconds of the whole program, one for each run.
    pub samples: Vec<f64>,
}

impl Record {
    /// Of a region of which nothing was measured: the original stays.
    pub fn of(region: &Listed, threads: usize, size_class: &str) -> Record {
        let mut record = Record {
            format: FORMAT,
            hash: region.hash.clone(),
            function: region.function.clone(),
            file: region.file.clone(),
            line: region.line,
            target: region.target.clone(),
            threads,
            size_class: size_class.to_owned(),
            chosen: 0,
            script: None,
            sizes: vec![],
            before: None,
            code: None,
            numbers: region.numbers.clone(),
            at: region.at.clone(),
            arithmetic: region.arithmetic,
            orders: [vec![], vec![]],
            statements: region.statements.clone(),
            dependences: region.dependences.clone(),
            candidates: region.candidates.iter().map(Measured::of).collect(),
            tried_sizes: vec![],
            scop: region.scop.clone(),
        };
        record.choose(region, 0);
        record
    }

    /// Lets a candidate of the region win, with its own tile sizes.
    pub fn choose(&mut self, region: &Listed, number: usize) {
        let of = |number: usize| region.candidates.iter().find(|c| c.number == number);
        let (original, winner) = (of(0), of(number));
        self.chosen = number;
        self.script = winner.and_then(|c| c.script.clone());
        self.before = original.and_then(|c| c.code.clone());
        self.code = winner.and_then(|c| c.code.clone());
        self.orders = [original, winner].map(|c| c.map_or(vec![], |c| c.pictures.clone()));
        self.sizes.clear();
    }

    /// Where it is, for a reader.
    pub fn place(&self) -> Place<'_> {
        Place {
            file: self.file.as_deref(),
            line: self.line,
            function: &self.function,
        }
    }

    /// How many times as fast as the original the winner ran, by medians; `None`: it was not measured, or is the original.
    pub fn gain(&self) -> Option<f64> {
        let won = self.candidates.iter().find(|c| c.number == self.chosen)?;
        let (old, new) = (median(&won.original)?, median(&won.samples)?);
        (self.chosen != 0 && new > 0.0).then_some(old / new)
    }

    /// The original alone; `None`: that is not known, or not of all candidates that were measured, so that they are compared by the whole program.
    pub fn alone(&self) -> Option<Alone> {
        let known = |c: &&Measured| c.alone.is_some_and(|a| a.seconds > 0.0);
        let measured = self.candidates.iter().filter(|c| !c.samples.is_empty());
        let original = self.candidates.iter().find(|c| c.number == 0)?;
        measured
            .clone()
            .all(|c| known(&c))
            .then_some(original.alone)?
    }

    /// A candidate's time to the original's, of the nest alone where that is known, else of the whole program by medians; `None`: it was not
    /// measured.
    pub fn ratio(&self, candidate: &Measured) -> Option<f64> {
        let ran = matches!(candidate.outcome, Outcome::Measured | Outcome::Slow);
        let ratio = match self.alone() {
            Some(original) => candidate.alone?.seconds / original.seconds,
            None => median(&candidate.samples)? / median(&candidate.original)?,
        };
        (ran && ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// What keeps it from being used at all.
    fn flaw(&self) -> Option<String> {
        match () {
            () if self.format != FORMAT => Some(format!(
                "it has format {}, and this version reads format {FORMAT}",
                self.format
            )),
            () if self.hash != hash::of(&self.scop) => {
                Some("its text and its hash are of different regions".to_owned())
            }
            () if self.script.is_none() && self.chosen != 0 => {
                Some(format!("it has no script for candidate {}", self.chosen))
            }
            () => None,
        }
    }
}

/// The records of a database's text, and the lines that are of no use.
pub fn parse(text: &str) -> (Vec<Record>, Vec<BadLine>) {
    let (read, mut bad) = lines::numbered::<Record>(text);
    let mut records = vec![];
    for (line, record) in read {
        match record.flaw() {
            Some(why) => bad.push(BadLine { line, why }),
            None => records.push(record),
        }
    }
    bad.sort_by_key(|b| b.line);
    (records, bad)
}

/// The middle of some numbers; of an even number of them the mean of the two in the middle. `None`: there are none.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 0 => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
        _ => Some(sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let region = Listed {
            hash: hash::of("scop"),
            function: "f".into(),
            line: Some(3),
            scop: "scop".into(),
            ..Listed::default()
        };
        Record {
            chosen: 1,
            script: Some("region f {}".into()),
            sizes: vec![32],
            candidates: vec![Measured {
                number: 1,
                name: "plan".into(),
                predicted: Some(Predicted { one: 2.0, two: 1.0 }),
                bytes: Some([3.0, 2.0, 1.0]),
                outcome: Outcome::Measured,
                samples: vec![0.5, 0.25, 1.0],
                original: vec![1.0, 2.0],
                alone: None,
            }],
            ..Record::of(&region, 2, "10 ms")
        }
    }

    #[test]
    fn records_come_back() {
        let text = lines::print(&[record()]);
        let (records, bad) = parse(&text);
        assert_eq!(records, [record()]);
        assert!(bad.is_empty());
        assert_eq!(record().gain(), Some(3.0));
    }

    #[test]
    fn what_is_of_no_use_is_named_by_its_line() {
        let other = Record {
            format: 9,
            ..record()
        };
        let torn = Record {
            scop: "another".into(),
            ..record()
        };
        let bare = Record {
            script: None,
            ..record()
        };
        let text = lines::print(&[other, record(), torn, bare]) + "{\n";
        let (records, bad) = parse(&text);
        assert_eq!(records, [record()]);
        let at: Vec<usize> = bad.iter().map(|b| b.line).collect();
        assert_eq!(at, [1, 3, 4, 5]);
        assert!(bad[0].why.contains("format 9"), "{}", bad[0]);
        assert!(bad[1].why.contains("hash"), "{}", bad[1]);
        assert!(bad[2].why.contains("no script"), "{}", bad[2]);
    }

    #[test]
    fn nests_are_compared_alone_where_all_are_known_alone() {
        let mut record = record();
        let plan = record.candidates[0].clone();
        assert_eq!(record.ratio(&plan), Some(1.0 / 3.0));
        let alone = |seconds| {
            Some(Alone {
                entries: 2,
                seconds,
            })
        };
        let original = Measured {
            number: 0,
            samples: vec![],
            alone: alone(0.5),
            ..plan.clone()
        };
        record.candidates.insert(0, original);
        assert_eq!(
            record.ratio(&plan),
            Some(1.0 / 3.0),
            "the plan's is not known"
        );
        record.candidates[1].alone = alone(0.125);
        assert_eq!(record.alone(), alone(0.5));
        assert_eq!(record.ratio(&record.candidates[1]), Some(0.25));
        let failed = Measured {
            outcome: Outcome::Failed,
            ..record.candidates[1].clone()
        };
        assert_eq!(record.ratio(&failed), None);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
