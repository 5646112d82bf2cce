//! The forms, by their names and the endings of files.

use crate::described::Described;
use crate::{Document, Flaw, isl, jscop, openscop};
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;
use std::path::Path;

/// A form of files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Form {
    /// OpenScop 1.0.
    OpenScop,
    /// Polly's JSON.
    Jscop,
    /// isl's notation.
    Isl,
}

impl Form {
    /// All, by the names that users give them.
    pub const ALL: [(&str, Form); 3] = [
        ("openscop", Form::OpenScop),
        ("jscop", Form::Jscop),
        ("isl", Form::Isl),
    ];

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Form::OpenScop => "scop",
            Form::Jscop => "jscop",
            Form::Isl => "isl",
        }
    }

    /// The form of a file, by its ending.
    pub fn of(file: &Path) -> Option<Form> {
        let ending = file.extension()?.to_str()?;
        let all = Form::ALL.into_iter().map(|(_, form)| form);
        all.into_iter().find(|f| f.ending() == ending)
    }

    /// A SCoP in the source's order.
    ///
    /// # Errors
    /// What the set library comes to.
    pub fn print(self, scop: &Scop) -> poly::Result<String> {
        let described = Described::of(scop)?;
        match self {
            Form::OpenScop => openscop::print(&described),
            Form::Jscop => Ok(jscop::print(&described)),
            Form::Isl => isl::print(&described),
        }
    }

    /// Reads a file. What its relations say is looked at when there is a SCoP for it.
    ///
    /// # Errors
    /// The first thing that is no part of such a file.
    pub fn parse(self, file: &str, text: &str) -> Result<Document, Flaw> {
        let read = match self {
            Form::OpenScop => openscop::parse(text),
            Form::Jscop => jscop::parse(text),
            Form::Isl => isl::parse(text),
        };
        match read {
            Ok(contents) => Ok(Document::new(file, contents)),
            Err(at) => Err(at.of(file)),
        }
    }
}
