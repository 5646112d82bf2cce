//! Records: what was found out, as lines of the database, and as a table for a reader.

use super::choices::Choices;
use polytile_records::database::{Measured, Outcome, median};
use polytile_records::{Listed, Record};
use std::fmt::Write;

/// The circumstances of all records.
#[derive(Clone, Debug)]
pub struct Circumstances {
    /// Threads that programs could use.
    pub threads: usize,
    /// What kind of input it was.
    pub size_class: String,
}

/// The record of a region.
pub fn record(
    region: &Listed,
    choices: &Choices,
    candidates: Vec<Measured>,
    circumstances: &Circumstances,
) -> Record {
    let mut record = Record {
        candidates,
        ..Record::of(region, circumstances.threads, &circumstances.size_class)
    };
    record.choose(region, choices.get(&region.hash));
    record
}

/// The order of magnitude of a time in seconds: `10 ms` for 10 to 100 ms.
pub fn size_class(seconds: f64) -> String {
    let mut micros = 1_u64;
    while micros < 1_000_000_000 && micros as f64 * 10.0 <= seconds * 1e6 {
        micros *= 10;
    }
    match micros {
        0..1_000 => format!("{micros} us"),
        1_000..1_000_000 => format!("{} ms", micros / 1_000),
        _ => format!("{} s", micros / 1_000_000),
    }
}

/// A region's candidates with their times, the winner marked, for a reader.
pub fn table(record: &Record, model: usize) -> String {
    let mut out = format!("{}\n", record.place());
    for c in &record.candidates {
        let mark = if c.number == record.chosen { "->" } else { "" };
        let by = if c.number == model {
            ", the model's choice"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "  {mark:2} {:>2} {:<18} {:>10}{by}",
            c.number,
            c.name,
            what(record, c)
        );
    }
    if !record.tried_sizes.is_empty() {
        let sizes = match &record.sizes[..] {
            [] => "the model's were the best".to_owned(),
            sizes => format!("{} were the best", super::runs::listed(sizes)),
        };
        let tried = record.tried_sizes.len();
        let _ = writeln!(out, "     {tried} sets of tile sizes: {sizes}");
    }
    out
}

fn what(record: &Record, c: &Measured) -> String {
    match (c.outcome, median(&c.samples), median(&c.original)) {
        (Outcome::Measured | Outcome::Slow, Some(own), Some(original)) => {
            let gain = original / own.max(f64::MIN_POSITIVE);
            let alone = match record.ratio(c).filter(|_| record.alone().is_some()) {
                Some(ratio) if c.number != 0 => format!(", the nest {:.2} x", ratio.recip()),
                _ => String::new(),
            };
            format!("{own:10.4} s  {gain:6.2} x the original's speed{alone}")
        }
        (Outcome::NotBuilt, ..) => "not built".to_owned(),
        (Outcome::Failed, ..) => "failed".to_owned(),
        (Outcome::OtherOutput, ..) => "other output".to_owned(),
        _ => "not measured".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_records::{Candidate, hash};

    fn region() -> Listed {
        let candidate = |number: usize, name: &str| Candidate {
            number,
            name: name.into(),
            script: (number > 0).then(|| format!("region f {{ {name} }}")),
            ..Candidate::default()
        };
        Listed {
            hash: hash::of("text"),
            function: "f".into(),
            file: Some("f.c".into()),
            line: Some(2),
            chosen: 1,
            candidates: vec![candidate(0, "original"), candidate(1, "plan")],
            scop: "text".into(),
            ..Listed::default()
        }
    }

    #[test]
    fn sizes_are_classed_by_orders_of_magnitude() {
        let classes: Vec<String> = [0.0, 9e-6, 0.02, 0.1, 1.5, 40.0].map(size_class).into();
        assert_eq!(classes, ["1 us", "1 us", "10 ms", "100 ms", "1 s", "10 s"]);
    }

    #[test]
    fn the_winner_is_marked() {
        let region = region();
        let measured = |number: usize, samples: &[f64]| Measured {
            outcome: Outcome::Measured,
            samples: samples.to_vec(),
            original: vec![2.0],
            ..Measured::of(&region.candidates[number])
        };
        let candidates = vec![measured(0, &[2.0]), measured(1, &[0.5])];
        let circumstances = Circumstances {
            threads: 2,
            size_class: "1 s".into(),
        };
        let choices = Choices::default().with(&hash::of("text"), 1);
        let record = record(&region, &choices, candidates, &circumstances);
        assert_eq!(record.script.as_deref(), Some("region f { plan }"));
        let text = table(&record, 1);
        assert!(text.starts_with("f.c:2 (f)\n"), "{text}");
        assert!(text.contains("->  1 plan"), "{text}");
        assert!(
            text.contains("4.00 x the original's speed, the model's choice"),
            "{text}"
        );
        let (read, bad) = polytile_records::database::parse(&polytile_records::lines::print(
            std::slice::from_ref(&record),
        ));
        assert_eq!((read, bad), (vec![record], vec![]));
    }
}
