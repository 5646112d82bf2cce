//! Records, means, and what is printed.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::build::Builds;
use super::language::Language;
use crate::bed::measure::{Contender, Times, defect};
use crate::bed::results::SLOWER;
use crate::bench::results::geometric_mean;
use crate::bench::table::align;

/// Compilations that take this much longer with the plugin are listed.
const SLOW_COMPILATION: f64 = 1.5;

/// What is known of one application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The application.
    pub name: String,
    /// What it is written in.
    pub language: Language,
    /// Why it was left out.
    pub skipped: Option<String>,
    /// Why it was not built.
    pub broken: Option<String>,
    /// How it was built.
    pub builds: Option<Builds>,
    /// What its runs showed.
    pub times: Option<Times>,
}

impl Record {
    /// What is wrong with it: no build, a failed run, other bytes.
    pub fn defect(&self) -> Option<String> {
        defect(self.broken.as_deref(), self.times.as_ref())
    }

    /// How many times as fast as without the plugin it is.
    pub fn speedup(&self, contender: Contender) -> Option<f64> {
        let seconds = |contender| self.times.as_ref()?.seconds.get(&contender).copied();
        Some(seconds(Contender::Original)? / seconds(contender)?)
    }

    /// How many times as long its compilation takes with the plugin.
    pub fn compilation(&self) -> Option<f64> {
        let builds = self.builds.as_ref()?;
        Some(builds.polytile_seconds / builds.original_seconds)
    }

    fn row(&self) -> Vec<String> {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
        };
        let builds = self.builds.as_ref();
        let original = self.times.as_ref().and_then(|times| {
            let seconds = times.seconds.get(&Contender::Original)?;
            Some(seconds * 1e3)
        });
        let nests = builds.map(Builds::nests);
        let count = |count: Option<usize>| count.map_or("-".to_string(), |count| count.to_string());
        vec![
            self.name.clone(),
            self.language.to_string(),
            number(builds.map(|builds| builds.original_seconds), 2),
            number(builds.map(|builds| builds.polytile_seconds), 2),
            number(self.compilation(), 2),
            number(original, 0),
            number(self.speedup(Contender::One), 2),
            number(self.speedup(Contender::Two), 2),
            count(nests.map(|(transformed, _)| transformed)),
            count(nests.map(|(_, declined)| declined)),
        ]
    }
}

/// A line per application, the means, and lists of what is wrong, slow, or left out.
pub fn summary(records: &[Record]) -> String {
    let heading = [
        "application",
        "language",
        "compile s: clang",
        "polytile",
        "quotient",
        "run ms: clang",
        "x 1 thread",
        "x 2 threads",
        "nests transformed",
        "not",
    ];
    let ran: Vec<&Record> = records.iter().filter(|one| one.skipped.is_none()).collect();
    let mut grid = vec![heading.map(String::from).to_vec()];
    grid.extend(ran.iter().map(|record| record.row()));
    let mut text = align(&grid);
    means(&ran, &mut text);
    lists(records, &mut text);
    text
}

fn means(records: &[&Record], text: &mut String) {
    let mean = |value: &dyn Fn(&Record) -> Option<f64>| {
        let found = geometric_mean(records.iter().filter_map(|record| value(record)));
        found.map_or("-".to_string(), |mean| format!("{mean:.2}"))
    };
    let _ = writeln!(
        text,
        "\ngeometric means: {} times clang's speed on one thread, {} on two; {} times its compile time",
        mean(&|record| record.speedup(Contender::One)),
        mean(&|record| record.speedup(Contender::Two)),
        mean(&Record::compilation)
    );
}

fn lists(records: &[Record], text: &mut String) {
    for (contender, heading) in [
        (Contender::One, "one thread"),
        (Contender::Two, "two threads"),
    ] {
        let slow = |record: &Record| {
            let speedup = record.speedup(contender)?;
            (speedup * SLOWER < 1.0).then(|| format!("{} {speedup:.2}", record.name))
        };
        list(
            records,
            &format!("slower than clang by over 5 % on {heading}"),
            slow,
            text,
        );
    }
    let long = |record: &Record| {
        let quotient = record.compilation()?;
        (quotient > SLOW_COMPILATION).then(|| format!("{} {quotient:.1}", record.name))
    };
    let heading = format!("compile time over {SLOW_COMPILATION} times clang's");
    list(records, &heading, long, text);
    for record in records {
        if let Some(reason) = &record.skipped {
            let _ = writeln!(text, "skipped {}: {reason}", record.name);
        }
        if let Some(defect) = record.defect() {
            let _ = writeln!(text, "WRONG {}: {defect}", record.name);
        }
    }
}

fn list(
    records: &[Record],
    heading: &str,
    entry: impl Fn(&Record) -> Option<String>,
    text: &mut String,
) {
    let entries: Vec<String> = records.iter().filter_map(entry).collect();
    let _ = writeln!(text, "{heading}: {}", entries.len());
    for chunk in entries.chunks(8) {
        let _ = writeln!(text, "  {}", chunk.join(", "));
    }
}

/// What was said of the loop nests of each application.
pub fn remarks(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let Some(builds) = &record.builds else {
            continue;
        };
        let _ = writeln!(text, "\n{}", record.name);
        for remark in &builds.remarks {
            let file = remark.place.rsplit('/').next().unwrap_or_default();
            let verdict = if remark.transformed {
                "transformed:"
            } else {
                "not:"
            };
            let _ = writeln!(text, "  {file} {verdict} {}", remark.text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apps::build::Remark;

    fn record(name: &str, seconds: [f64; 3], different: Vec<Contender>) -> Record {
        let contenders = [Contender::Original, Contender::One, Contender::Two];
        let remark = |transformed, text: &str| Remark {
            place: "/p/a.c:1:2".into(),
            transformed,
            text: text.into(),
        };
        Record {
            name: name.to_string(),
            language: Language::C,
            skipped: None,
            broken: None,
            builds: Some(Builds {
                original: "a".into(),
                polytile: "b".into(),
                original_seconds: 0.5,
                polytile_seconds: 1.0,
                remarks: vec![remark(true, "1 statement"), remark(false, "it has 2 exits")],
            }),
            times: Some(Times {
                name: name.to_string(),
                seconds: contenders.into_iter().zip(seconds).collect(),
                different,
                failed: vec![],
            }),
        }
    }

    #[test]
    fn means_and_lists() {
        let good = record("good", [1.0, 0.25, 0.125], vec![]);
        let slow = record("slow", [1.0, 1.0, 2.0], vec![Contender::Two]);
        let absent = Record {
            skipped: Some("no compiler".into()),
            builds: None,
            times: None,
            ..record("absent", [1.0; 3], vec![])
        };
        let text = summary(&[good.clone(), slow.clone(), absent]);
        assert!(text.contains("2.00 times clang's speed on one thread, 2.00 on two; 2.00 times"));
        assert!(
            text.contains("on one thread: 0\n") && text.contains("on two threads: 1\n  slow 0.50")
        );
        assert!(text.contains("skipped absent: no compiler"));
        assert!(text.contains("WRONG slow: other bytes: [Two]"));
        assert_eq!(
            (good.defect(), good.builds.unwrap().nests()),
            (None, (1, 1))
        );
        assert!(remarks(&[slow]).contains("  a.c:1:2 not: it has 2 exits\n"));
    }

    #[test]
    fn records_survive_a_file() {
        let record = record("a", [1.0, 0.5, 0.25], vec![]);
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}
