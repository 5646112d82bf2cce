//! A record of a database in the test's own words.

use polytile_records::database::{Measured, Outcome};
use polytile_records::{Listed, Record};

/// A record in which candidate 1 won.
pub fn record(region: &Listed) -> Record {
    let measured = |number: usize, sample: f64| Measured {
        outcome: Outcome::Measured,
        samples: vec![sample],
        original: vec![1.0],
        ..Measured::of(&region.candidates[number])
    };
    let mut record = Record {
        candidates: vec![measured(0, 1.0), measured(1, 0.25)],
        ..Record::of(region, 2, "1 s")
    };
    record.choose(region, 1);
    record
}
