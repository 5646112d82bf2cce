//! What can go wrong with one build, and the artefacts that are kept of it.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::process::Finished;

/// A defect that a build showed.
#[derive(Debug, Clone)]
pub enum Failure {
    /// The compiler failed or took too long.
    Compile(Finished),
    /// The program failed or took too long.
    Run {
        /// The sizes and threads of the run.
        run: String,
        /// How it ended.
        finished: Finished,
    },
    /// The program wrote other bytes than the reference.
    Different {
        /// The sizes and threads of the run.
        run: String,
        /// Where the first difference is.
        place: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compile(finished) => {
                write!(
                    f,
                    "compilation failed: {}\n{}",
                    finished.describe(),
                    indented(&finished.stderr)
                )
            }
            Self::Run { run, finished } => {
                write!(
                    f,
                    "run {run} failed: {}\n{}",
                    finished.describe(),
                    indented(&finished.stderr)
                )
            }
            Self::Different { run, place } => write!(f, "run {run} differs: {place}"),
        }
    }
}

/// The last lines of a message, indented below their headline.
fn indented(text: &str) -> String {
    const SHOWN: usize = 12;
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.len().saturating_sub(SHOWN);
    lines[from..]
        .iter()
        .map(|line| format!("      {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The arrays that a program dumped: its lines `array NAME TYPE COUNT`, and the file with their bytes.
#[derive(Debug, Clone, Copy)]
pub struct Dump<'a> {
    /// What the program printed.
    pub listing: &'a str,
    /// What it wrote.
    pub bytes: &'a [u8],
}

impl<'a> Dump<'a> {
    /// Name, element type and bytes of every array.
    fn arrays(self) -> Vec<(&'a str, &'a str, &'a [u8])> {
        let mut arrays = Vec::new();
        let mut rest = self.bytes;
        for line in self.listing.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let ["array", name, element, count] = words[..] else {
                continue;
            };
            let size = element_size(element) * count.parse::<usize>().unwrap_or(0);
            let (bytes, after) = rest.split_at(size.min(rest.len()));
            arrays.push((name, element, bytes));
            rest = after;
        }
        arrays
    }
}

/// Says where two dumps differ first: in which array, at which element, with which values. The actual dump may hold fewer
/// arrays than the expected one.
pub fn first_difference(expected: Dump, actual: Dump) -> String {
    let expected = expected.arrays();
    for (name, element, bytes) in actual.arrays() {
        let Some((_, _, wanted)) = expected.iter().find(|(other, _, _)| *other == name) else {
            continue;
        };
        let size = element_size(element);
        let differing: Vec<usize> = (0..bytes.len() / size)
            .filter(|index| wanted.chunks(size).nth(*index) != bytes.chunks(size).nth(*index))
            .collect();
        if let Some(&index) = differing.first() {
            let value = |all: &[u8]| {
                all.chunks(size)
                    .nth(index)
                    .map_or("nothing".into(), |raw| show(element, raw))
            };
            return format!(
                "{name}[{index}] is {} instead of {} ({} of {} elements differ)",
                value(bytes),
                value(wanted),
                differing.len(),
                bytes.len() / size
            );
        }
    }
    "no difference in a second run: the result varies".to_string()
}

fn element_size(element: &str) -> usize {
    match element {
        "double" => 8,
        "char" => 1,
        _ => 4,
    }
}

fn show(element: &str, raw: &[u8]) -> String {
    match (element, raw) {
        ("double", &[a, b, c, d, e, f, g, h]) => {
            format!("{:e}", f64::from_le_bytes([a, b, c, d, e, f, g, h]))
        }
        ("float", &[a, b, c, d]) => format!("{:e}", f32::from_le_bytes([a, b, c, d])),
        ("int", &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).to_string(),
        _ => format!("{raw:02x?}"),
    }
}

/// Copies what is needed to look at a failure into a folder of its own below `keep`.
pub fn keep(
    keep: &Path,
    name: &str,
    commands: &str,
    failure: &Failure,
    from: &Path,
) -> io::Result<PathBuf> {
    let folder = keep.join(name);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("commands.txt"), commands)?;
    fs::write(folder.join("failure.txt"), failure.to_string())?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let listing = "array s char 3\narray A double 2\noutputs 0\n";
        let mut bytes = vec![1, 2, 3];
        bytes.extend(1.5f64.to_le_bytes());
        bytes.extend(2.5f64.to_le_bytes());
        let mut changed = bytes.clone();
        changed[3 + 8..].copy_from_slice(&(-2.5f64).to_le_bytes());
        let expected = Dump {
            listing,
            bytes: &bytes,
        };
        let only_a = Dump {
            listing: "array A double 2\n",
            bytes: &changed[3..],
        };
        let text = "A[1] is -2.5e0 instead of 2.5e0 (1 of 2 elements differ)";
        assert_eq!(
            first_difference(
                expected,
                Dump {
                    listing,
                    bytes: &changed
                }
            ),
            text
        );
        assert_eq!(first_difference(expected, only_a), text);
        changed[1] = 9;
        let text = "s[1] is [09] instead of [02] (1 of 3 elements differ)";
        assert_eq!(
            first_difference(
                expected,
                Dump {
                    listing,
                    bytes: &changed
                }
            ),
            text
        );
        assert!(first_difference(expected, expected).contains("varies"));
    }
}
