//! What a database says of the nests of a build.

use polytile_records::database::Measured;
use polytile_records::{Listed, Record};
use std::collections::BTreeMap;

/// A nest and what was measured of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// Its region's hash.
    pub hash: String,
    /// Its candidates.
    pub samples: Vec<Sample>,
}

/// A candidate that was measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Its number.
    pub number: usize,
    /// On several threads.
    pub threads: bool,
    /// Its time to the original's: the logarithm of their quotient.
    pub ratio: f64,
}

/// The nests that were measured for a processor and are among the regions, by their hashes.
pub fn nests(records: &[Record], regions: &[Listed], target: &str) -> Vec<Nest> {
    let mut all: BTreeMap<&str, Vec<Sample>> = BTreeMap::new();
    for record in records.iter().filter(|r| r.target == target) {
        let same = |r: &&Listed| r.hash == record.hash && r.scop == record.scop;
        let Some(region) = regions.iter().find(same).filter(|r| r.target == target) else {
            continue;
        };
        let samples = record.candidates.iter();
        let samples = samples.filter_map(|c| sample(c, region, record));
        all.entry(&record.hash).or_default().extend(samples);
    }
    let all = all.into_iter().filter(|(_, samples)| !samples.is_empty());
    all.map(|(hash, samples)| Nest {
        hash: hash.to_owned(),
        samples,
    })
    .collect()
}

/// A candidate, if it was measured and is still the region's.
fn sample(measured: &Measured, region: &Listed, record: &Record) -> Option<Sample> {
    let listed = region.candidates.get(measured.number)?;
    if measured.number == 0 || listed.name != measured.name {
        return None;
    }
    Some(Sample {
        number: measured.number,
        threads: record.threads > 1,
        ratio: record.ratio(measured)?.ln(),
    })
}
