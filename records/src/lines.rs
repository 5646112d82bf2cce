//! Files of lines of JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A line that is no value of the wanted form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

/// The values of a text, one a line, and the lines that are none. Empty lines count for nothing.
pub fn parse<T: DeserializeOwned>(text: &str) -> (Vec<T>, Vec<BadLine>) {
    let (values, bad) = numbered(text);
    (values.into_iter().map(|(_, value)| value).collect(), bad)
}

/// The same, each value with its line's number.
pub(crate) fn numbered<T: DeserializeOwned>(text: &str) -> (Vec<(usize, T)>, Vec<BadLine>) {
    let (mut values, mut bad) = (vec![], vec![]);
    for (line, at) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str(line) {
            Ok(value) => values.push((at, value)),
            Err(e) => bad.push(BadLine {
                line: at,
                why: e.to_string(),
            }),
        }
    }
    (values, bad)
}

/// The values as a text, one a line.
pub fn print<T: Serialize>(values: &[T]) -> String {
    let line = |v: &T| serde_json::to_string(v).expect("names, texts and finite numbers") + "\n";
    values.iter().map(line).collect()
}

/// Appends values to a file in one write, so that compilations at the same time do not mix their lines. A file that is not there is made;
/// a last line without an end is ended first.
///
/// # Errors
/// The file cannot be opened, read or written.
pub fn append<T: Serialize>(file: &Path, values: &[T]) -> io::Result<()> {
    let mut opened = OpenOptions::new().create(true).append(true).open(file)?;
    let torn = opened.metadata()?.len() > 0 && !values.is_empty() && !ends_with_line(file)?;
    let text = if torn { "\n" } else { "" }.to_owned() + &print(values);
    opened.write_all(text.as_bytes())
}

fn ends_with_line(file: &Path) -> io::Result<bool> {
    let mut last = [0];
    let mut opened = File::open(file)?;
    opened.seek(SeekFrom::End(-1))?;
    opened.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_bad_ones_are_named() {
        let text = print(&[1, 2]) + "\nthree\n4\n";
        let (values, bad) = parse::<u32>(&text);
        assert_eq!(values, [1, 2, 4]);
        assert_eq!(bad.len(), 1);
        assert_eq!(bad[0].line, 4);
        assert!(bad[0].to_string().starts_with("line 4: "), "{}", bad[0]);
    }

    #[test]
    fn appending_keeps_what_a_file_holds() {
        let file = std::env::temp_dir().join(format!("polytile-lines-{}", std::process::id()));
        let _ = std::fs::remove_file(&file);
        append(&file, &[1]).unwrap();
        append(&file, &[2, 3]).unwrap();
        std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + "{").unwrap();
        append(&file, &[4]).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(text, "1\n2\n3\n{\n4\n");
        let nowhere = Path::new("/nonexistent/file");
        assert!(append(nowhere, &[1]).is_err());
    }
}
