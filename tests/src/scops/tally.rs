//! What plans consist of, counted.

use log::{LevelFilter, Log, Metadata, Record};
use polytile_analysis::ast::Ast;
use polytile_transform::plan::RULES;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What to look for in the texts of schedules and programs, and what it says of the plan.
const SIGNS: &[(&str, &str)] = &[
    ("register_tile", "register tiles"),
    ("wavefront: [", "tiles in waves"),
    ("pack: {", "packed operands"),
    ("// parallel Static", "parallel loops, equal parts"),
    ("// parallel Dynamic", "parallel loops, parts as they come"),
    ("// parallel Pipelined", "rows of tiles that wait"),
    ("private", "private arrays"),
    ("// vector", "vector loops"),
    ("lanes", "lanes of an outer loop"),
    ("// diagonal", "diagonals"),
    ("// team", "teams"),
    ("panel", "panels"),
    ("tile 1x", "register tiles without rows"),
];

/// Counts by name.
#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<String, usize>,
}

impl Tally {
    /// One more.
    pub fn add(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    /// How often something was counted.
    pub fn count(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// A plan.
    pub fn plan(&mut self, schedule: &str, program: &Ast) {
        let program = program.to_string();
        for (sign, name) in SIGNS {
            if schedule.contains(sign) || program.contains(sign) {
                self.add(name);
            }
        }
    }

    /// The steps of a script: the first word of each line.
    pub fn steps(&mut self, script: &str) {
        for line in script.lines().map(str::trim) {
            let word = line.split([' ', '(']).next().unwrap_or_default();
            let names = |c: char| c.is_ascii_lowercase() || c == '-' || c == '_';
            let word = word.trim_start_matches('-');
            if !word.is_empty() && word != "region" && word.chars().all(names) {
                self.add(&format!("step: {word}"));
            }
        }
    }

    /// The rules that fired since this was asked last.
    pub fn rules(&mut self) {
        let mut fired = FIRED.lock().unwrap_or_else(PoisonError::into_inner);
        for rule in fired.drain(..) {
            self.add(&format!("rule: {rule}"));
        }
    }

    /// The counts of another one.
    pub fn merge(&mut self, other: Tally) {
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            writeln!(f, "{count:8}  {what}")?;
        }
        Ok(())
    }
}

/// Rules that fired and were not counted yet.
static FIRED: Mutex<Vec<String>> = Mutex::new(vec![]);

struct Rules;

impl Log for Rules {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.target() == RULES
    }

    fn log(&self, record: &Record) {
        if self.enabled(record.metadata()) {
            let mut fired = FIRED.lock().unwrap_or_else(PoisonError::into_inner);
            fired.push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// From now on the rules of plans are noted, for [`Tally::rules`].
pub fn note_rules() {
    if log::set_logger(&Rules).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
}
