//! Files of other polyhedral tools: those that regions are written to (`export`, `export-dir`), and those that their order is read from (`import`).
//!
//! A file is a region's by its name ([`file_name`]): the module's source file, function, line, and a number where several regions begin there. Of
//! files of one name that is taken whose instances are the region's.

use crate::options::Options;
use polytile_analysis::deps::Dependences;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Schedule;
use polytile_exchange::{Document, Flaw, Form, file_name};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Regions that are written to files.
#[derive(Default)]
pub struct Exports {
    forms: BTreeSet<Form>,
    folder: PathBuf,
    /// The module's source file.
    module: String,
    regions: RefCell<Vec<Exported>>,
    /// Regions that have no such form.
    lost: RefCell<Vec<String>>,
}

/// A region in the forms that are asked for.
struct Exported {
    /// Its name without number.
    name: String,
    number: usize,
    texts: Vec<(Form, String)>,
}

impl Exports {
    /// What the options ask for; `module`: its source file.
    ///
    /// # Errors
    /// A form without a directory, or a directory without a form; one that is none.
    pub fn new(options: &Options, module: &str) -> Result<Exports, String> {
        let forms = options.export.clone();
        let folder = match (&options.export_dir, forms.is_empty()) {
            (None, true) => return Ok(Exports::default()),
            (None, false) => {
                return Err(
                    "option 'export' needs export-dir=DIRECTORY: where files are written to".into(),
                );
            }
            (Some(_), true) => {
                return Err("option 'export-dir' needs export=openscop, jscop or isl: what is written there".into());
            }
            (Some(folder), false) => folder.clone(),
        };
        let wrong = |why: &str| {
            let name = folder.display();
            Err(format!(
                "export directory '{name}' cannot be used: {why}; name one that is there"
            ))
        };
        match std::fs::metadata(&folder) {
            Err(e) => wrong(&e.to_string()),
            Ok(found) if !found.is_dir() => wrong("it is a file"),
            Ok(_) => Ok(Exports {
                forms,
                folder,
                module: module.to_owned(),
                ..Exports::default()
            }),
        }
    }

    /// Keeps a region, once.
    pub fn keep(&self, scop: &Scop, budget: u64) {
        if self.forms.is_empty() {
            return;
        }
        // What is only looked at changes nothing.
        let _aside = scop.context.ctx().aside(budget);
        let name = file_name::in_module(&self.module, &file_name::of_region(scop));
        let mut texts = vec![];
        for form in &self.forms {
            match form.print(scop) {
                Ok(text) => texts.push((*form, text)),
                Err(e) => {
                    let why = e.in_words();
                    self.lost
                        .borrow_mut()
                        .push(format!("region {name} is not exported: {why}"));
                    return;
                }
            }
        }
        let mut regions = self.regions.borrow_mut();
        let same = |r: &&Exported| r.name == name;
        if regions.iter().filter(same).any(|r| r.texts == texts) {
            return;
        }
        let number = 1 + regions.iter().filter(same).count();
        regions.push(Exported {
            name,
            number,
            texts,
        });
    }

    /// Writes the files; what is to be said of regions that have none.
    ///
    /// # Errors
    /// What is wrong with the first that cannot be written.
    pub fn write(&self) -> Result<Vec<String>, String> {
        for region in self.regions.borrow().iter() {
            for (form, text) in &region.texts {
                let name = file_name::numbered(&region.name, region.number);
                let file = self.folder.join(format!("{name}.{}", form.ending()));
                std::fs::write(&file, text).map_err(|e| {
                    format!("export file '{}' cannot be written: {e}", file.display())
                })?;
            }
        }
        Ok(self.lost.take())
    }
}

/// A file of another tool.
struct Imported {
    /// Its name without directory and ending.
    name: String,
    document: Document,
    used: Cell<bool>,
    /// Why the last region of its name is another one.
    flaw: RefCell<Option<Flaw>>,
}

/// Files that regions take their order from.
#[derive(Default)]
pub struct Imports {
    files: Vec<Imported>,
    /// The module's source file.
    module: String,
}

impl Imports {
    /// Reads a file, or those of a directory that have the ending of a form; `module`: the source file of the module that they are for.
    ///
    /// # Errors
    /// What cannot be read, or is none.
    pub fn read(path: &Path, module: &str) -> Result<Imports, String> {
        let of = |files| Imports {
            files,
            module: module.to_owned(),
        };
        let unread = |e: std::io::Error| {
            format!(
                "import file or directory '{}' cannot be read: {e}",
                path.display()
            )
        };
        if !std::fs::metadata(path).map_err(unread)?.is_dir() {
            let form = Form::of(path).ok_or_else(|| {
                let endings = Form::ALL.map(|(_, form)| format!(".{}", form.ending()));
                let (name, endings) = (path.display(), endings.join(", "));
                format!("import file '{name}' has none of the endings that tell forms: {endings}")
            })?;
            return Ok(of(vec![imported(path, form)?]));
        }
        let mut files = vec![];
        for entry in std::fs::read_dir(path).map_err(unread)? {
            files.push(entry.map_err(unread)?.path());
        }
        files.sort();
        let formed = files.iter().filter_map(|f| Some((f, Form::of(f)?)));
        let all = formed.map(|(file, form)| imported(file, form));
        all.collect::<Result<_, _>>().map(of)
    }

    /// Whether there are files of a region's name.
    pub fn names(&self, scop: &Scop) -> bool {
        self.of(scop).next().is_some()
    }

    /// Files of a region's name, in this module or in any.
    fn of(&self, scop: &Scop) -> impl Iterator<Item = &Imported> {
        let region = file_name::of_region(scop);
        let names = [file_name::in_module(&self.module, &region), region];
        let named = move |f: &&Imported| names.iter().any(|n| file_name::is_of_region(&f.name, n));
        self.files.iter().filter(named)
    }

    /// The order that a file gives a region, and the file's name.
    ///
    /// # Errors
    /// An order that is illegal or none; two files that are the region's.
    pub fn order(
        &self,
        scop: &Scop,
        deps: &Dependences,
    ) -> Result<Option<(Schedule, &str)>, String> {
        let mut fitting = vec![];
        for file in self.of(scop) {
            match file.document.fits(scop) {
                Ok(()) => fitting.push(file),
                Err(flaw) => *file.flaw.borrow_mut() = Some(flaw),
            }
        }
        fitting.iter().for_each(|f| f.used.set(true));
        match fitting[..] {
            [] => Ok(None),
            [one] => {
                let order = one.document.order(scop, deps);
                let order = order.map_err(|flaw| flaw.to_string())?;
                Ok(Some((order, one.document.file())))
            }
            [first, second, ..] => {
                let (first, second) = (first.document.file(), second.document.file());
                Err(format!(
                    "{second}:1: {first} is about the same region; leave one of them out"
                ))
            }
        }
    }

    /// Files that no region has taken: errors if they are of these functions, else warnings (files may be about several modules).
    pub fn missed(&self, functions: &[String]) -> (Vec<String>, Vec<String>) {
        let (mut errors, mut warnings) = (vec![], vec![]);
        let module = file_name::in_module(&self.module, "");
        for file in self.files.iter().filter(|f| !f.used.get()) {
            let name = file.document.file();
            let own = file.name.strip_prefix(&module).unwrap_or(&file.name);
            let here = functions.iter().any(|f| file_name::is_of_function(own, f));
            match &*file.flaw.borrow() {
                Some(flaw) => errors.push(flaw.to_string()),
                None if here => {
                    errors.push(format!(
                        "{name}:1: no static control part of this module has this name"
                    ));
                }
                None => {
                    warnings.push(format!(
                        "{name}:1: its name is that of no function of this module"
                    ));
                }
            }
        }
        (errors, warnings)
    }
}

fn imported(path: &Path, form: Form) -> Result<Imported, String> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("import file '{file}' cannot be read: {e}"))?;
    let document = form.parse(&file, &text).map_err(|flaw| flaw.to_string())?;
    let name = path.file_stem().unwrap_or_default();
    Ok(Imported {
        name: name.to_string_lossy().into_owned(),
        document,
        used: Cell::new(false),
        flaw: RefCell::default(),
    })
}
