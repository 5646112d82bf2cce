//! What plans consist of, counted.

use polytile_analysis::ast::Ast;
use std::collections::BTreeMap;
use std::fmt;

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
