//! What a program says of its regions when it ends: with `POLYTILE_VERBOSE=1`, a line for each on its error stream.
//!
//! ```text
//! polytile: gemm.c:14: kernel [5f0c..]: new version 10 (0.011597 s), original 11 (0.027791 s); arrays overlap: 11
//! polytile: gemm.c:30: main: no run with enough work
//! ```
//!
//! The original's time is there in programs compiled with `report=all`, and the hash where candidates are chosen in them.

use polytile_records::database::Alone;
use std::collections::BTreeMap;

/// A line.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<'t> {
    /// `gemm.c:14`, or the function where lines are not known.
    pub place: &'t str,
    /// The region's hash.
    pub hash: Option<&'t str>,
    /// Entries and seconds of both versions.
    pub alone: Alone,
}

impl<'t> Line<'t> {
    /// Reads a line; `None`: it is another's.
    pub fn parse(line: &'t str) -> Option<Line<'t>> {
        let own = line.trim_start().strip_prefix("polytile: ")?;
        let (place, counts) = match own.split_once(": new version ") {
            Some((place, counts)) => (place, counts.split(';').next()),
            None => (own.split_once(": no run")?.0, None),
        };
        let (place, hash) = match place.split_once(" [") {
            Some((place, hash)) => (place, hash.strip_suffix(']')),
            None => (place, None),
        };
        let alone = counts.map_or(Some(Alone::default()), alone)?;
        Some(Line {
            place: place.split(": ").next().unwrap_or(place),
            hash,
            alone,
        })
    }
}

/// `10 (0.011597 s), original 11 (0.027791 s)`.
fn alone(counts: &str) -> Option<Alone> {
    let mut sum = Alone::default();
    for version in counts.split(", original ") {
        let mut words = version.split(' ');
        sum.entries += words.next()?.parse::<u64>().ok()?;
        if let Some(seconds) = words.next() {
            sum.seconds += seconds.strip_prefix('(')?.parse::<f64>().ok()?;
        }
    }
    Some(sum)
}

/// Regions by their hashes; copies of one count together.
pub fn by_hash(text: &str) -> BTreeMap<String, Alone> {
    let mut all: BTreeMap<String, Alone> = BTreeMap::new();
    for line in text.lines().filter_map(Line::parse) {
        if let Some(hash) = line.hash {
            let sum = all.entry(hash.to_owned()).or_default();
            sum.entries += line.alone.entries;
            sum.seconds += line.alone.seconds;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let all = "polytile: gemm.c:14: kernel [5f0c]: new version 10 (0.5 s), original 11 (0.25 s); not enough work: 10";
        let line = Line::parse(all).unwrap();
        assert_eq!((line.place, line.hash), ("gemm.c:14", Some("5f0c")));
        assert_eq!((line.alone.entries, line.alone.seconds), (21, 0.75));
        let new = Line::parse("polytile: kernel: new version 1 (0.5 s), original 0").unwrap();
        assert_eq!((new.place, new.hash), ("kernel", None));
        assert_eq!((new.alone.entries, new.alone.seconds), (1, 0.5));
        let none = Line::parse("polytile: a.c:3: f: no run with enough work").unwrap();
        assert_eq!((none.place, none.alone), ("a.c:3", Alone::default()));
        for other in ["", "polytile: no such option", "x: new version 1"] {
            assert_eq!(Line::parse(other), None, "{other}");
        }
    }

    #[test]
    fn copies_count_together() {
        let text = "polytile: f [a]: new version 1 (0.5 s), original 0 (0.0 s)\nnoise\n\
                    polytile: g [a]: new version 2 (0.25 s), original 1 (1.0 s)\npolytile: f [b]: no run\n";
        let all = by_hash(text);
        assert_eq!((all["a"].entries, all["a"].seconds), (4, 1.75));
        assert_eq!(all["b"], Alone::default());
    }
}
