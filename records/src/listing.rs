//! The candidates of a region, as the plugin lists them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A region and what may take its place.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Listed {
    /// Version of the format ([`crate::FORMAT`]).
    pub format: u32,
    /// The region's hash: that of `scop` ([`crate::hash::of`]).
    pub hash: String,
    /// Its function.
    pub function: String,
    /// The file of its first loop, as the debug information has it.
    pub file: Option<String>,
    /// The line of its first loop, from 1.
    pub line: Option<u32>,
    /// The processor that it is compiled for: the model's name and the width of vectors in bits.
    pub target: String,
    /// The numbers of its model that measurements can correct ([`crate::machine`]).
    #[serde(default)]
    pub numbers: BTreeMap<String, f64>,
    /// The values of parameters that times are predicted for: `P0 = 1000, P1 = 1000`; empty: it has none.
    pub at: String,
    /// The arithmetic of the original, for these; `None`: not known.
    #[serde(default)]
    pub arithmetic: Option<Arithmetic>,
    /// The number of the candidate that the model of time takes.
    pub chosen: usize,
    /// Its statements, in the order of the source.
    #[serde(default)]
    pub statements: Vec<Statement>,
    /// What must keep its order: dependences between statements.
    #[serde(default)]
    pub dependences: Vec<Edge>,
    /// All of them; each stands at the place of its number, and number 0 is the original.
    pub candidates: Vec<Candidate>,
    /// Canonical text of the static control part: positions, names of functions, loops and arrays left out.
    pub scop: String,
}

/// What may take a region's place.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Candidate {
    /// What option `choose` calls it.
    pub number: usize,
    /// How it was made, in a word.
    pub name: String,
    /// What the model of time says; `None`: nothing, as where the option `min-work` decides.
    pub predicted: Option<Predicted>,
    /// The script that makes it (docs/scripts.md), with arrays and parameters called as in the canonical text; `None`: the original.
    pub script: Option<String>,
    /// Bytes that it moves into the caches of the first, second and third level in one entry, and back; `None`: not known.
    #[serde(default)]
    pub bytes: Option<[f64; 3]>,
    /// Its loops, as a text for readers.
    #[serde(default)]
    pub code: Option<String>,
    /// Pictures of its order, for readers.
    #[serde(default)]
    pub pictures: Vec<Picture>,
    /// Tile sizes that are values at run time, in the order of `POLYTILE_TILE_SIZES`.
    pub sizes: Vec<Size>,
}

/// The iterations of a statement along two of its loops, for small sizes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// The statement's name.
    pub statement: String,
    /// The two loops, outermost from 0.
    #[serde(default = "outermost")]
    pub dims: [usize; 2],
    /// The sizes: `P0 = 14, s0 = 4`.
    pub at: String,
    /// Values of the two iterators, each pair once, in the order in which they first run.
    pub cells: Vec<[i64; 2]>,
    /// Levels of tiles, coarse ones first: the number of the tile in which each cell first runs, in the order in which tiles begin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<Vec<u32>>,
}

/// What lists without [`Picture::dims`] are about.
fn outermost() -> [usize; 2] {
    [0, 1]
}

/// Floating-point operations of a region, and what the processor can do of them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Arithmetic {
    /// Operations of one entry at typical sizes; a product and a sum in one are two.
    pub flops: f64,
    /// Operations that a core does at most per cycle.
    pub peak: f64,
}

/// A statement of a region.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// Its name in scripts: `S0`.
    pub name: String,
    /// Its line, from 1.
    pub line: Option<u32>,
    /// Its iteration domain, in isl's notation with canonical names.
    pub domain: String,
}

/// Dependences from a statement to one that has to come later, of all kinds together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The name of the earlier statement.
    pub from: String,
    /// The name of the later one.
    pub to: String,
    /// `flow`, `anti`, `output`, or several of them.
    pub kind: String,
    /// The array, by its name in the source as far as it is known.
    pub array: String,
}

/// Predicted times, in cycles of a processor.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Predicted {
    /// On one thread.
    pub one: f64,
    /// On two.
    pub two: f64,
}

/// A tile size that is a value at run time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Size {
    /// Its name in the script.
    pub name: String,
    /// Its value where nobody says another, in iterations.
    pub default: i64,
    /// It is rounded to a multiple of this.
    pub multiple_of: i64,
}

impl Listed {
    /// Where it is, for a reader: `gemm.c:14 (kernel)`.
    pub fn place(&self) -> Place<'_> {
        Place {
            file: self.file.as_deref(),
            line: self.line,
            function: &self.function,
        }
    }
}

/// Where a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place<'a> {
    /// File of its first loop.
    pub file: Option<&'a str>,
    /// Line of its first loop.
    pub line: Option<u32>,
    /// Its function.
    pub function: &'a str,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line} ({})", self.function),
            (None, Some(line)) => write!(f, "line {line} of {}", self.function),
            (_, None) => write!(f, "a nest of {}", self.function),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_as_far_as_they_are_known() {
        let mut place = Place {
            file: Some("a.c"),
            line: Some(7),
            function: "f",
        };
        assert_eq!(place.to_string(), "a.c:7 (f)");
        place.file = None;
        assert_eq!(place.to_string(), "line 7 of f");
        place.line = None;
        assert_eq!(place.to_string(), "a nest of f");
    }
}
