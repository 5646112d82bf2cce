//! What is wrong with a file.

use std::fmt;

/// Something that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

impl std::error::Error for Flaw {}

/// The same, while the file's name is not needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AtLine {
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl AtLine {
    pub(crate) fn new(line: usize, message: impl Into<String>) -> AtLine {
        AtLine {
            line,
            message: message.into(),
        }
    }

    pub(crate) fn of(self, file: &str) -> Flaw {
        Flaw {
            file: file.to_owned(),
            line: self.line,
            message: self.message,
        }
    }
}
