//! Which projects there are, read from their folder.
//!
//! A file `NAME.project` holds fields. Lines that are indented belong to the field above them; `#` begins a comment line:
//!
//! ```text
//! # A comment.
//! languages: C
//! source: debian zlib
//! configure:
//!     ./configure --static
//! build: make -j$JOBS
//! test: make check
//! passed: PASS:
//! compare: ./minigzip < zlib.h | od -A n -t x1
//! time: ./minigzip -9 < input > /dev/null
//! ```
//!
//! Commands are shell scripts. They run in the project's own folder, with `CC`, `CXX`, `FC` and `JOBS` set; what `compare`
//! and `time` print must be the same bytes in all builds. A folder `NAME` beside the file is copied there as `polytile`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::apps::language::Language;

/// One project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Project {
    /// The name of its file without the extension.
    pub name: String,
    /// What its sources are written in.
    pub languages: Vec<Language>,
    /// Commands that must be installed.
    pub needs: Vec<String>,
    /// Where its sources come from.
    pub source: Source,
    /// Run with the compiler alone in all builds: what it asks the compiler is no compilation of the project.
    pub configure: String,
    /// Makes it; compilations are timed.
    pub build: String,
    /// Run once after building, not timed: inputs of what follows.
    pub prepare: String,
    /// Its own tests.
    pub test: String,
    /// A line of the tests' output that holds this is a test that passed.
    pub passed: Option<String>,
    /// A line that holds this is a test that failed.
    pub failed: Option<String>,
    /// Prints what must be the same bytes in all builds.
    pub compare: String,
    /// The same, of a run of some seconds that is timed.
    pub time: String,
    /// A folder of files of our own.
    pub own: Option<PathBuf>,
}

/// Where sources come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A source package of Debian.
    Debian(String),
    /// A crate and its version.
    Crate(String, String),
    /// A folder, relative to the file of the project.
    Folder(PathBuf),
}

impl Default for Source {
    fn default() -> Self {
        Self::Folder(PathBuf::new())
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Debian(package) => write!(f, "Debian's {package}"),
            Self::Crate(name, version) => write!(f, "crate {name} {version}"),
            Self::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The folder of the projects in this source tree.
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("projects")
}

/// The projects of a folder, in alphabetical order.
pub fn read_folder(folder: &Path) -> Result<Vec<Project>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|one| one == "project"))
        .collect();
    files.sort();
    files.into_iter().map(|file| read(&file)).collect()
}

fn read(file: &Path) -> Result<Project, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut project = parse(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let stem = file.file_stem().unwrap_or_default();
    project.name = stem.to_string_lossy().into_owned();
    let own = file.with_extension("");
    project.own = own.is_dir().then_some(own);
    if let Source::Folder(path) = &mut project.source {
        *path = file.parent().unwrap_or(Path::new(".")).join(&*path);
    }
    Ok(project)
}

/// A field with the number of its line and its lines.
struct Field {
    line: usize,
    name: String,
    text: String,
}

fn parse(text: &str) -> Result<Project, String> {
    let mut project = Project::default();
    let mut seen: Vec<String> = vec![];
    for field in fields(text)? {
        if seen.contains(&field.name) {
            return Err(format!("line {}: a second `{}`", field.line, field.name));
        }
        set(&mut project, &field).map_err(|error| format!("line {}: {error}", field.line))?;
        seen.push(field.name);
    }
    for needed in ["languages", "source", "build"] {
        if !seen.iter().any(|one| one == needed) {
            return Err(format!("no line `{needed}: ..`"));
        }
    }
    Ok(project)
}

fn fields(text: &str) -> Result<Vec<Field>, String> {
    let mut all: Vec<Field> = vec![];
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        if line.starts_with(' ') {
            let Some(field) = all.last_mut() else {
                return Err(format!("line {}: belongs to no field", index + 1));
            };
            field.text.push_str(line.trim());
            field.text.push('\n');
            continue;
        }
        let (name, rest) = line
            .split_once(':')
            .ok_or(format!("line {}: no `field: ..`: {line}", index + 1))?;
        let mut text = rest.trim().to_string();
        if !text.is_empty() {
            text.push('\n');
        }
        all.push(Field {
            line: index + 1,
            name: name.to_string(),
            text,
        });
    }
    Ok(all)
}

fn set(project: &mut Project, field: &Field) -> Result<(), String> {
    let text = || field.text.clone();
    let words = || field.text.split_whitespace().map(str::to_string).collect();
    match field.name.as_str() {
        "languages" => project.languages = languages(&field.text)?,
        "needs" => project.needs = words(),
        "source" => project.source = source(&field.text)?,
        "configure" => project.configure = text(),
        "build" => project.build = text(),
        "prepare" => project.prepare = text(),
        "test" => project.test = text(),
        "passed" => project.passed = Some(field.text.trim().to_string()),
        "failed" => project.failed = Some(field.text.trim().to_string()),
        "compare" => project.compare = text(),
        "time" => project.time = text(),
        other => return Err(format!("no such field: {other}")),
    }
    Ok(())
}

fn languages(text: &str) -> Result<Vec<Language>, String> {
    let one = |word: &str| {
        let found = Language::ALL
            .into_iter()
            .find(|one| one.to_string() == word);
        found.ok_or(format!("no such language: {word} (C, C++, Fortran, Rust)"))
    };
    text.split_whitespace().map(one).collect()
}

fn source(text: &str) -> Result<Source, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["debian", package] => Ok(Source::Debian((*package).to_string())),
        ["crate", name, version] => Ok(Source::Crate((*name).to_string(), (*version).to_string())),
        ["folder", path] => Ok(Source::Folder(path.into())),
        _ => Err(format!(
            "no source: {} (debian PACKAGE, crate NAME VERSION, folder PATH)",
            text.trim()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_lines_and_faults_have_numbers() {
        let text = "# zlib\nlanguages: C C++\nsource: debian zlib\nbuild:\n  make a\n\n    make b\npassed: PASS:\n";
        let project = parse(text).unwrap();
        assert_eq!(project.languages, [Language::C, Language::Cpp]);
        assert_eq!(project.source, Source::Debian("zlib".into()));
        assert_eq!(project.build, "make a\nmake b\n");
        assert_eq!(project.passed.as_deref(), Some("PASS:"));
        let fault = |text: &str| parse(text).unwrap_err();
        assert_eq!(fault("  make\n"), "line 1: belongs to no field");
        assert_eq!(fault("language: C\n"), "line 1: no such field: language");
        assert!(fault("\nlanguages: D\n").starts_with("line 2: no such language: D"));
        assert!(fault("source: http://x\n").starts_with("line 1: no source: http://x"));
        assert_eq!(fault("build: a\nbuild: b\n"), "line 2: a second `build`");
        assert_eq!(fault("build: a\n"), "no line `languages: ..`");
    }

    #[test]
    fn the_projects_of_this_tree_are_read() {
        let all = read_folder(&default_folder()).unwrap();
        assert!(all.len() >= 10, "{}", all.len());
        for project in &all {
            assert!(
                !project.test.is_empty() || !project.compare.is_empty(),
                "{}",
                project.name
            );
        }
    }
}
