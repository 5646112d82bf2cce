//! The tuner's database (option `db`): what was measured of which region.
//!
//! A database that cannot be read, or holds lines that are of no use, is something to tell and no error: the compilation goes on as
//! without them.

use polytile_records::Record;
use polytile_records::database::parse;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// At most so many lines that are of no use are named.
const NAMED: usize = 3;

/// A database.
#[derive(Default)]
pub struct Database {
    /// Its file, for messages.
    name: String,
    records: Vec<Record>,
    /// What is wrong with the file as a whole, or with lines of it.
    flaws: Vec<String>,
    /// Hashes of the regions that were looked up.
    seen: RefCell<BTreeSet<String>>,
}

impl Database {
    /// Reads a file.
    pub fn read(file: &Path) -> Database {
        let name = file.display().to_string();
        let mut database = Database {
            name,
            ..Database::default()
        };
        match std::fs::read(file) {
            Ok(bytes) => database.take(&String::from_utf8_lossy(&bytes)),
            Err(e) => database.flaws.push(format!(
                "database '{}' cannot be read: {e}; name a file that polytile tune wrote",
                database.name
            )),
        }
        database
    }

    fn take(&mut self, text: &str) {
        let (records, bad) = parse(text);
        self.records = records;
        let named = bad.iter().take(NAMED);
        let flaws = named.map(|b| {
            format!(
                "database '{}', {b}; tune again, or take the line out",
                self.name
            )
        });
        self.flaws = flaws.collect();
        if bad.len() > NAMED {
            let more = bad.len() - NAMED;
            let text = format!(
                "database '{}': {more} more lines are of no use; tune again",
                self.name
            );
            self.flaws.push(text);
        }
    }

    /// Its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with it.
    pub fn flaws(&self) -> &[String] {
        &self.flaws
    }

    /// The last record of a region for a processor; else why there is none, if there are some for it at all.
    pub fn find(&self, hash: &str, text: &str, target: &str) -> Result<Option<&Record>, String> {
        self.seen.borrow_mut().insert(hash.to_owned());
        let of_region: Vec<&Record> = self.records.iter().filter(|r| r.hash == hash).collect();
        let same = |r: &&&Record| r.scop == text;
        let fitting = of_region.iter().rev().filter(same);
        match fitting.clone().find(|r| r.target == target) {
            Some(record) => Ok(Some(record)),
            None if of_region.is_empty() => Ok(None),
            None => Err(match fitting.clone().next() {
                Some(other) => format!(
                    "its nest was measured for {}, and this is compiled for {target}; tune for this processor",
                    other.target
                ),
                None => "it has another nest of the same hash".to_owned(),
            }),
        }
    }

    /// What it has of these functions that no region was looked up for: a function, and words for it.
    pub fn stale(&self, functions: &[String]) -> Vec<(String, String)> {
        let seen = self.seen.borrow();
        let mut told = BTreeSet::new();
        let gone = self.records.iter().filter(|r| {
            functions.contains(&r.function) && !seen.contains(&r.hash) && told.insert(&r.hash)
        });
        gone.map(|r| {
            let text = format!(
                "database '{}' is stale: no nest here is the one that was measured at {}; tune again",
                self.name,
                r.place()
            );
            (r.function.clone(), text)
        })
        .collect()
    }
}
