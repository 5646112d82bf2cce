//! The numbers of a core that measured programs can correct, by their names.
//!
//! What is here is measured on a machine rather than read in a manual: rates of caches and memory, what threads cost, what does not run at the rate of
//! arithmetic. Sizes of caches and registers, latencies and counts of units stay as they are.

use super::{Core, Target};

/// A number.
struct Number {
    name: &'static str,
    get: fn(&Core) -> f64,
    set: fn(&mut Core, f64),
}

/// All of them.
#[rustfmt::skip]
const ALL: [Number; 11] = [
    Number { name: "l2_rate", get: |c| c.l2_rate, set: |c, v| c.l2_rate = v },
    Number { name: "l3_rate", get: |c| c.l3_rate, set: |c, v| c.l3_rate = v },
    Number { name: "memory_rate", get: |c| c.memory_rate, set: |c, v| c.memory_rate = v },
    Number { name: "shared", get: |c| c.shared, set: |c, v| c.shared = v },
    Number { name: "page", get: |c| c.page, set: |c, v| c.page = v },
    Number { name: "fork", get: |c| c.fork, set: |c, v| c.fork = v },
    Number { name: "wait", get: |c| c.wait, set: |c, v| c.wait = v },
    Number { name: "masked_store", get: |c| c.masked_store, set: |c, v| c.masked_store = v },
    Number { name: "split", get: |c| c.split, set: |c, v| c.split = v },
    Number { name: "gather", get: |c| c.gather.into(), set: |c, v| c.gather = v as f32 },
    Number { name: "lookup", get: |c| c.lookup.into(), set: |c, v| c.lookup = v as f32 },
];

/// What a number is no larger than: estimates must stay finite.
const LARGEST: f64 = 1e9;

/// What a number is no smaller than.
const LEAST: f64 = 1e-3;

impl Target {
    /// The numbers that [`Target::with_number`] changes.
    pub fn numbers(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        ALL.iter().map(|n| (n.name, (n.get)(&self.core)))
    }

    /// The same processor with another number.
    ///
    /// # Errors
    /// There is no such number, or it has no such value.
    pub fn with_number(mut self, name: &str, value: f64) -> Result<Target, String> {
        let Some(number) = ALL.iter().find(|n| n.name == name) else {
            let names: Vec<&str> = ALL.iter().map(|n| n.name).collect();
            return Err(format!(
                "no number '{name}'; there are {}",
                names.join(", ")
            ));
        };
        if !(LEAST..=LARGEST).contains(&value) {
            return Err(format!(
                "number '{name}': {value} is not from {LEAST} to {LARGEST}"
            ));
        }
        (number.set)(&mut self.core, value);
        Ok(self)
    }
}
