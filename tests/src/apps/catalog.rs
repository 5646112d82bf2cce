//! Which applications there are, read from their folder.
//!
//! Run without arguments, an application takes its usual sizes. The comment on top of its source names small ones:
//!
//! ```text
//! // Arguments: cells per side, steps. In tests: 20 4
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use super::language::Language;

/// What stands in front of the small sizes.
const SMALL: &str = "In tests: ";

/// One application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct App {
    /// The name of its file without the extension.
    pub name: String,
    /// Its source.
    pub source: PathBuf,
    /// What it is written in.
    pub language: Language,
    /// Arguments of a run of some milliseconds.
    pub small: Vec<String>,
}

/// The folder of the applications in this source tree.
pub fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("apps")
}

/// The applications of a folder, in alphabetical order.
pub fn read_folder(folder: &Path) -> Result<Vec<App>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut sources: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    sources.sort();
    let app = |source: PathBuf| {
        let language = Language::of(&source)?;
        Some(read(source, language))
    };
    sources.into_iter().filter_map(app).collect()
}

fn read(source: PathBuf, language: Language) -> Result<App, String> {
    let text =
        fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
    let small = small(&text).ok_or(format!("{}: no line `{SMALL}..`", source.display()))?;
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    Ok(App {
        name: name.into_owned(),
        source,
        language,
        small,
    })
}

fn small(text: &str) -> Option<Vec<String>> {
    let (_, words) = text.lines().find_map(|line| line.split_once(SMALL))?;
    Some(words.split_whitespace().map(str::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_application_is_found_with_its_small_sizes() {
        let all = read_folder(&default_folder()).unwrap();
        assert!(all.len() >= 20);
        for language in Language::ALL {
            assert!(all.iter().any(|app| app.language == language));
        }
        let numbers = |app: &App| app.small.iter().all(|one| one.parse::<u32>().is_ok());
        assert!(all.iter().all(|app| !app.small.is_empty() && numbers(app)));
    }

    #[test]
    fn small_sizes_stand_on_top() {
        let text = "! A solver.\n! Arguments: a, b. In tests: 9 2\nprogram p\n";
        assert_eq!(small(text).unwrap(), ["9", "2"]);
        assert_eq!(small("int main() {}\n"), None);
    }
}
