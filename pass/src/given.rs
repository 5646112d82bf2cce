//! What the user gives beside options: a script, a schedule. Both are read before any function is looked at, so that a file
//! that is missing or wrong is one error and not a remark per region.

use crate::options::Options;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text;
use polytile_transform::script::{Region, Script};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// Files, read.
#[derive(Default)]
pub struct Given {
    /// The script.
    pub script: Option<Script>,
    /// The text of a schedule.
    pub schedule: Option<String>,
    /// Positions of the script's regions that were found.
    found: RefCell<BTreeSet<usize>>,
    /// Regions that were looked at.
    seen: RefCell<Vec<String>>,
}

impl Given {
    /// Whether the user says what is done to a region.
    pub fn commands(&self, scop: &Scop) -> bool {
        let names = |s: &Script| s.regions.iter().any(|r| r.names(scop));
        self.schedule.is_some() || self.script.as_ref().is_some_and(names)
    }

    /// Reads the files that the options name.
    ///
    /// # Errors
    /// What is wrong with the first that is wrong.
    pub fn read(options: &Options) -> Result<Given, String> {
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
        Ok(given)
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

    /// The regions of the script that are in none of these functions' static control parts; an error if the function is
    /// there, else a warning (a script may be about several files).
    pub fn missed(&self, functions: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut errors, mut warnings) = (vec![], vec![]);
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
