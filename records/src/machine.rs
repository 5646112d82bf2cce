//! Numbers of a machine's model (option `machine`), as `polytile learn` writes them.
//!
//! ```text
//! { "format": 1, "target": "znver3, 256 bits", "numbers": { "memory_rate": 3.5, "fork": 12000.0 } }
//! ```

use crate::FORMAT;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers for a processor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Version of the format ([`crate::FORMAT`]).
    pub format: u32,
    /// The processor, as lists of candidates name it.
    pub target: String,
    /// By their names; the others stay as they are.
    pub numbers: BTreeMap<String, f64>,
}

impl Machine {
    /// Numbers for a processor.
    pub fn new(target: &str, numbers: BTreeMap<String, f64>) -> Machine {
        Machine {
            format: FORMAT,
            target: target.to_owned(),
            numbers,
        }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// It is no such file, or one of another version.
    pub fn parse(text: &str) -> Result<Machine, String> {
        let read: Machine = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match read.format {
            FORMAT => Ok(read),
            other => Err(format!(
                "it has format {other}, and this version reads format {FORMAT}"
            )),
        }
    }

    /// The text of a file.
    pub fn print(&self) -> String {
        serde_json::to_string_pretty(self).expect("names and finite numbers") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_come_back_and_others_are_refused() {
        let numbers = BTreeMap::from([("fork".to_owned(), 12_000.5)]);
        let machine = Machine::new("znver3, 256 bits", numbers);
        let text = machine.print();
        assert_eq!(Machine::parse(&text).unwrap(), machine);
        let other = text.replace("\"format\": 1", "\"format\": 7");
        assert!(Machine::parse(&other).unwrap_err().contains("format 7"));
        assert!(Machine::parse(&text[1..]).unwrap_err().contains("line 2"));
    }
}
