//! Records, the table, and what is wrong.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::build::{Built, Tests};
use super::compilers::Variant;
use crate::bed::measure::{Contender, Times};
use crate::bench::results::geometric_mean;
use crate::bench::table::align;

/// Projects whose runs take this much longer than the compiler's alone are listed.
pub const SLOWER: f64 = 1.02;

/// What is known of one project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The project.
    pub name: String,
    /// Why it was left out: no sources, a command that is missing, or the compiler alone does not build it.
    pub skipped: Option<String>,
    /// Why builds with the plugin did not come to an end.
    pub broken: BTreeMap<Variant, String>,
    /// Its builds.
    pub builds: BTreeMap<Variant, Built>,
    /// What its timed runs showed.
    pub times: Option<Times>,
}

impl Record {
    /// Everything that is wrong with its builds with the plugin.
    pub fn defects(&self) -> Vec<String> {
        let mut all: Vec<String> = vec![];
        for (variant, reason) in &self.broken {
            all.push(format!("{variant}: {reason}"));
        }
        let Some(alone) = self.builds.get(&Variant::Alone) else {
            return all;
        };
        for (variant, built) in &self.builds {
            if let (Some(tests), Some(expected)) = (&built.tests, &alone.tests)
                && worse(tests, expected)
            {
                all.push(format!("{variant}: its tests: {}", describe(tests)));
            }
            if built.output != alone.output {
                all.push(format!("{variant}: other bytes"));
            }
        }
        if let Some(times) = &self.times {
            let runs = times
                .failed
                .iter()
                .map(|failed| format!("timed run: {failed}"));
            all.extend(runs);
            let runs = times.different.iter();
            all.extend(runs.map(|one| format!("timed run: other bytes: {one:?}")));
        }
        all
    }

    /// How many times as long its compilation takes.
    pub fn compilation(&self, variant: Variant) -> Option<f64> {
        let seconds = |variant| Some(self.builds.get(&variant)?.cost.total());
        let alone = seconds(Variant::Alone)?;
        (alone > 0.0).then_some(seconds(variant)? / alone)
    }

    /// How many times as fast as without the plugin it is.
    pub fn speedup(&self, contender: Contender) -> Option<f64> {
        let seconds = |contender| self.times.as_ref()?.seconds.get(&contender).copied();
        Some(seconds(Contender::Original)? / seconds(contender)?)
    }

    /// False of a program that is the same without the plugin: what its times differ by is noise.
    fn is_changed(&self) -> bool {
        let built = self.builds.get(&Variant::Default);
        built.is_some_and(|built| built.cost.transformed > 0)
    }

    fn tests(&self, variant: Variant) -> String {
        let built = self.builds.get(&variant);
        built
            .and_then(|built| built.tests.as_ref())
            .map_or("-".to_string(), short)
    }

    fn equal(&self) -> String {
        let Some(alone) = self.builds.get(&Variant::Alone) else {
            return "-".to_string();
        };
        if alone.output.is_none() && self.times.is_none() {
            return "-".to_string();
        }
        let differ = |built: &Built| built.output != alone.output;
        let timed = self
            .times
            .as_ref()
            .is_some_and(|times| !times.different.is_empty());
        let told = if timed || self.builds.values().any(differ) {
            "NO"
        } else {
            "yes"
        };
        told.to_string()
    }

    fn row(&self) -> Vec<String> {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
        };
        let cost = |variant| self.builds.get(&variant).map(|built| &built.cost);
        let default = cost(Variant::Default);
        let count = |count: Option<u64>| count.map_or("-".to_string(), |count| count.to_string());
        let original = self.times.as_ref();
        let original = original.and_then(|times| times.seconds.get(&Contender::Original));
        vec![
            self.name.clone(),
            self.tests(Variant::Alone),
            self.tests(Variant::Default),
            self.tests(Variant::All),
            self.equal(),
            number(cost(Variant::Alone).map(|cost| cost.total()), 1),
            number(default.map(|cost| cost.total()), 1),
            number(self.compilation(Variant::Default), 2),
            number(self.compilation(Variant::All), 2),
            number(original.map(|seconds| seconds * 1e3), 0),
            number(self.speedup(Contender::One), 2),
            number(self.speedup(Contender::Two), 2),
            count(default.map(|cost| cost.transformed)),
            count(cost(Variant::All).map(|cost| cost.transformed)),
            count(default.map(|cost| cost.declined.values().sum())),
        ]
    }
}

/// True of tests that are worse than those of another build.
fn worse(tests: &Tests, expected: &Tests) -> bool {
    (expected.succeeded && !tests.succeeded)
        || tests.passed < expected.passed
        || tests.failed > expected.failed
}

/// Numbers where tests are told apart, a word where they are not.
fn short(tests: &Tests) -> String {
    match (tests.passed, tests.failed, tests.succeeded) {
        (0, 0, true) => "pass".to_string(),
        (0, 0, false) => "FAIL".to_string(),
        (passed, 0, true) => passed.to_string(),
        (passed, failed, _) => format!("{passed}, {failed} FAIL"),
    }
}

fn describe(tests: &Tests) -> String {
    let Tests {
        passed,
        failed,
        end,
        ..
    } = tests;
    format!("{passed} passed, {failed} failed, {end}")
}

/// The table, the means, and lists of what is wrong, slow, or left out.
pub fn summary(records: &[Record], dearest: usize) -> String {
    let heading = [
        "project",
        "tests: alone",
        "default",
        "all",
        "same bytes",
        "compile s: alone",
        "default",
        "quotient",
        "all",
        "run ms: alone",
        "x 1 thread",
        "x 2 threads",
        "nests transformed",
        "all",
        "declined",
    ];
    let built: Vec<&Record> = records.iter().filter(|one| one.skipped.is_none()).collect();
    let mut grid = vec![heading.map(String::from).to_vec()];
    grid.extend(built.iter().map(|record| record.row()));
    let mut text = align(&grid);
    means(&built, &mut text);
    for record in &built {
        dear(record, dearest, &mut text);
    }
    for record in records {
        if let Some(reason) = &record.skipped {
            let _ = writeln!(text, "skipped {}: {reason}", record.name);
        }
        for defect in record.defects() {
            let _ = writeln!(text, "WRONG {}: {defect}", record.name);
        }
    }
    text
}

fn means(records: &[&Record], text: &mut String) {
    let mut quotients: Vec<(f64, &str)> = records
        .iter()
        .filter_map(|one| Some((one.compilation(Variant::Default)?, one.name.as_str())))
        .collect();
    quotients.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((worst, name)) = quotients.last() {
        let _ = writeln!(
            text,
            "\ncompile time: {:.2} times the compiler's alone in the median, {worst:.2} in the worst project ({name})",
            quotients[quotients.len() / 2].0
        );
    }
    for (contender, threads) in [
        (Contender::One, "one thread"),
        (Contender::Two, "two threads"),
    ] {
        let all = || {
            records
                .iter()
                .filter_map(|one| Some((one.speedup(contender)?, *one)))
        };
        let Some(mean) = geometric_mean(all().map(|(speedup, _)| speedup)) else {
            continue;
        };
        let slow: Vec<String> = all()
            .filter(|(speedup, record)| speedup * SLOWER < 1.0 && record.is_changed())
            .map(|(speedup, record)| format!("{} {speedup:.2}", record.name))
            .collect();
        let _ = writeln!(
            text,
            "{mean:.2} times as fast in the geometric mean on {threads}; slower by over 2 %: {}",
            if slow.is_empty() {
                "none".to_string()
            } else {
                slow.join(", ")
            }
        );
    }
}

/// The files of a project whose compilations take most longer.
fn dear(record: &Record, count: usize, text: &mut String) {
    let cost = |variant| record.builds.get(&variant).map(|built| &built.cost);
    let (Some(alone), Some(with)) = (cost(Variant::Alone), cost(Variant::Default)) else {
        return;
    };
    let all = with.dearest(alone, count);
    if all.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "{}: takes longest to compile, alone and with the plugin:",
        record.name
    );
    for (name, without, with) in all {
        let _ = writeln!(text, "  {without:7.2} {with:7.2} s  {name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::cost::Cost;

    fn built(seconds: f64, passed: usize, output: &str) -> Built {
        Built {
            cost: Cost {
                seconds: [("a.c".to_string(), seconds)].into(),
                modules: 1,
                parts: 2,
                transformed: 1,
                declined: [("data".to_string(), 3)].into(),
            },
            tests: Some(Tests {
                succeeded: true,
                passed,
                failed: 0,
                end: "exit status 0".into(),
            }),
            output: Some(output.into()),
            timed: None,
        }
    }

    fn record(name: &str, seconds: f64, passed: usize, output: &str) -> Record {
        let contenders = [Contender::Original, Contender::One, Contender::Two];
        Record {
            name: name.to_string(),
            builds: [
                (Variant::Alone, built(2.0, 5, "1\n")),
                (Variant::Default, built(seconds, passed, output)),
            ]
            .into(),
            times: Some(Times {
                name: name.to_string(),
                seconds: contenders.into_iter().zip([1.0, 0.5, 2.0]).collect(),
                different: vec![],
                failed: vec![],
            }),
            ..Record::default()
        }
    }

    #[test]
    fn fewer_tests_and_other_bytes_are_defects() {
        assert!(record("good", 2.1, 5, "1\n").defects().is_empty());
        assert_eq!(
            record("bad", 2.1, 4, "2\n").defects(),
            [
                "default: its tests: 4 passed, 0 failed, exit status 0",
                "default: other bytes"
            ]
        );
        let mut broken = record("broken", 2.1, 5, "1\n");
        broken
            .broken
            .insert(Variant::All, "build: signal 11".into());
        assert_eq!(broken.defects(), ["all: build: signal 11"]);
    }

    #[test]
    fn the_table_has_median_worst_and_reasons() {
        let absent = Record {
            name: "absent".into(),
            skipped: Some("no network".into()),
            ..Record::default()
        };
        let mut same = record("d", 2.0, 5, "1\n");
        let cost = &mut same.builds.get_mut(&Variant::Default).unwrap().cost;
        cost.transformed = 0;
        let records = [
            same,
            record("a", 2.0, 5, "1\n"),
            record("b", 3.0, 5, "2\n"),
            record("c", 2.5, 5, "1\n"),
            absent,
        ];
        let text = summary(&records, 1);
        assert!(
            text.contains(
                "1.25 times the compiler's alone in the median, 1.50 in the worst project (b)"
            ),
            "{text}"
        );
        assert!(text.contains(
            "2.00 times as fast in the geometric mean on one thread; slower by over 2 %: none"
        ));
        assert!(text.contains("on two threads; slower by over 2 %: a 0.50, b 0.50, c 0.50"));
        assert!(text.contains("     2.00    3.00 s  a.c"));
        assert!(text.contains("skipped absent: no network"));
        assert!(text.contains("WRONG b: default: other bytes"));
    }

    #[test]
    fn records_survive_a_file() {
        let record = record("a", 2.0, 5, "1\n");
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}
