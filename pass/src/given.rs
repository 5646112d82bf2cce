//! What the user gives beside options: a script, a schedule, files of other tools. All are read before any function is looked at, so that a file
//! that is missing or wrong is one error and not a remark per region; and what regions have to say of it.

use crate::database::Database;
use crate::exchange::{Exports, Imports};
use crate::machine::Numbers;
use crate::options::{Choose, Options};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text;
use polytile_records::lines;
use polytile_records::listing::Listed;
use polytile_transform::script::{Region, Script};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// Something to say of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// What was asked for was done.
    Passed(String),
    /// It was not.
    Missed(String),
}

/// Files, read.
#[derive(Default)]
pub struct Given {
    /// The script.
    pub script: Option<Script>,
    /// The text of a schedule.
    pub schedule: Option<String>,
    /// Where regions are written to.
    pub exports: Exports,
    /// Where their order is read from.
    pub imports: Imports,
    /// The tuner's database.
    pub database: Option<Database>,
    /// Numbers of the machine.
    pub numbers: Option<Numbers>,
    /// Which candidates the user chooses.
    choose: Choose,
    /// Whether candidates are listed.
    lists: bool,
    /// Those that are.
    listed: RefCell<Vec<Listed>>,
    /// Hashes of regions that were asked for a choice.
    asked: RefCell<BTreeSet<String>>,
    /// What is to be said of the region that is worked on.
    notes: RefCell<Vec<Note>>,
    /// Positions of the script's regions that were found.
    found: RefCell<BTreeSet<usize>>,
    /// Regions that were looked at.
    seen: RefCell<Vec<String>>,
}

impl Given {
    /// Whether the user says what is done to a region.
    pub fn commands(&self, scop: &Scop) -> bool {
        let names = |s: &Script| s.regions.iter().any(|r| r.names(scop));
        self.schedule.is_some()
            || self.script.as_ref().is_some_and(names)
            || self.imports.names(scop)
    }

    /// Reads the files that the options name; `module`: the source file of the module that they are for.
    ///
    /// # Errors
    /// What is wrong with the first that is wrong.
    pub fn read(options: &Options, module: &str) -> Result<Given, String> {
        let mut given = Given::default();
        if let Some(file) = &options.schedule {
            let text = contents("schedule", file)?;
            let name = file.display();
            text::parse_schedule(&Ctx::new(), &text)
                .map_err(|e| format!("schedule file '{name}': {e}"))?;
            given.schedule = Some(text);
        }
        if let Some(file) = &options.script {
            let text = contents("script", file)?;
            let script = Script::parse(&file.display().to_string(), &text);
            given.script = Some(script.map_err(|e| e.to_string())?);
        }
        given.exports = Exports::new(options, module)?;
        if let Some(path) = &options.import {
            given.imports = Imports::read(path, module)?;
        }
        given.numbers = options.machine.as_deref().map(Numbers::read).transpose()?;
        given.database = options.db.as_deref().map(Database::read);
        given.choose = options.choose.clone();
        given.lists = options.candidates.is_some();
        Ok(given)
    }

    /// Whether regions have to be known by their hashes.
    pub fn looks_up(&self) -> bool {
        self.lists || self.database.is_some() || self.choose != Choose::default()
    }

    /// Whether candidates are listed.
    pub fn lists(&self) -> bool {
        self.lists
    }

    /// The number of the candidate that the user chooses for a region.
    pub fn choice(&self, hash: &str) -> Option<usize> {
        self.asked.borrow_mut().insert(hash.to_owned());
        self.choose.of(hash)
    }

    /// Puts a region on the list, once.
    pub fn list(&self, region: Listed) {
        let mut listed = self.listed.borrow_mut();
        let same = |l: &Listed| l.hash == region.hash && l.place() == region.place();
        if !listed.iter().any(same) {
            listed.push(region);
        }
    }

    /// Writes the list: behind what a file holds, or to the error stream (`-`).
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn tell_listed(&self, file: &Path) -> Result<(), String> {
        let listed = self.listed.borrow();
        if file == Path::new("-") {
            let _ = write!(std::io::stderr(), "{}", lines::print(&listed));
            return Ok(());
        }
        lines::append(file, &listed).map_err(|e| {
            let name = file.display();
            format!("candidates file '{name}' cannot be written: {e}; name a file in a folder that is there")
        })
    }

    /// Something to say of the region that is worked on.
    pub fn note(&self, note: Note) {
        self.notes.borrow_mut().push(note);
    }

    /// What was to be said.
    pub fn notes(&self) -> Vec<Note> {
        self.notes.take()
    }

    /// The hashes that choices were given for and no region has.
    fn unknown(&self) -> Vec<String> {
        let asked = self.asked.borrow();
        let given = self.choose.by_hash.keys();
        given.filter(|h| !asked.contains(*h)).cloned().collect()
    }

    /// What the script says about a region.
    pub fn region(&self, scop: &Scop) -> Option<(&Script, &Region)> {
        let script = self.script.as_ref()?;
        let line = scop.loc.as_ref();
        let line = line.map_or(String::new(), |l| format!(":{}", l.line));
        let (statements, loops) = (scop.stmts.len(), scop.loops.len());
        let name = format!(
            "{}{line} statements {statements} loops {loops}",
            scop.function
        );
        self.seen.borrow_mut().push(name);
        // Two regions of one name come in the order of the file.
        let named = |r: &Region| r.names(scop);
        let all = script.regions.iter().enumerate();
        let all: Vec<usize> = all.filter(|(_, r)| named(r)).map(|(i, _)| i).collect();
        let new = all.iter().find(|i| !self.found.borrow().contains(*i));
        let at = *new.or(all.last())?;
        self.found.borrow_mut().insert(at);
        Some((script, &script.regions[at]))
    }

    /// Hashes of the option `choose` that no region has, as warnings; imported files that no region has taken; and the regions of the script that are in none of these functions' static control parts; an error if the function is
    /// there, else a warning (a script may be about several files).
    pub fn missed(&self, functions: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut errors, mut warnings) = self.imports.missed(functions);
        warnings.extend(self.unknown().into_iter().map(|hash| {
            format!("option 'choose': no region of this module has the hash {hash}; candidates=FILE lists them")
        }));
        warnings.extend(self.numbers.as_ref().and_then(Numbers::unused));
        let Some(script) = &self.script else {
            return (errors, warnings);
        };
        for (i, region) in script.regions.iter().enumerate() {
            if self.found.borrow().contains(&i) {
                continue;
            }
            let name = region.name();
            if functions.contains(&region.of) {
                let seen = self.seen.borrow();
                let here: Vec<&str> = seen.iter().map(String::as_str).collect();
                let here = match here.is_empty() {
                    true => "there is none".to_owned(),
                    false => format!("there are: {}", here.join(", ")),
                };
                let text = format!("no static control part is region {name}; {here}");
                errors.push(script.error(region.at, text).to_string());
            } else {
                let text = format!("region {name} is in no function of this module");
                warnings.push(script.error(region.at, text).to_string());
            }
        }
        (errors, warnings)
    }
}

fn contents(what: &str, file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file)
        .map_err(|e| format!("{what} file '{}' cannot be read: {e}", file.display()))
}
