//! Seconds and statistics of the compilations of a build.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// What the compilations of one build cost and did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// User seconds of each call of a compiler, by what was compiled.
    pub seconds: BTreeMap<String, f64>,
    /// Modules that the plugin looked at.
    pub modules: u64,
    /// Static control parts in them.
    pub parts: u64,
    /// Loop nests that have a new version.
    pub transformed: u64,
    /// Those that have none, by the kind of reason.
    pub declined: BTreeMap<String, u64>,
}

/// One line of the plugin's statistics.
#[derive(Debug, Deserialize)]
struct Line {
    parts: u64,
    transformed: u64,
    #[serde(default)]
    declined: BTreeMap<String, u64>,
}

impl Cost {
    /// Reads what the scripts of a build and the plugin have written. Names are relative to the folder of the build.
    pub fn read(seconds: &Path, stats: &Path, folder: &Path) -> Result<Self, String> {
        let mut cost = Self::default();
        let noted = fs::read_to_string(seconds).unwrap_or_default();
        for line in noted.lines() {
            let (name, seconds) =
                call(line, folder).ok_or(format!("{}: {line}", seconds.display()))?;
            *cost.seconds.entry(name).or_default() += seconds;
        }
        let lines = fs::read_to_string(stats).unwrap_or_default();
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| format!("{}: {error}: {line}", stats.display()))?;
            cost.add(line);
        }
        Ok(cost)
    }

    fn add(&mut self, line: Line) {
        self.modules += 1;
        self.parts += line.parts;
        self.transformed += line.transformed;
        for (reason, count) in line.declined {
            *self.declined.entry(reason).or_default() += count;
        }
    }

    /// Seconds of all calls.
    pub fn total(&self) -> f64 {
        self.seconds.values().sum()
    }

    /// Of each call the lesser time of two builds; what is in one of them only is left as it is.
    pub fn least(&mut self, other: &Self) {
        for (name, seconds) in &mut self.seconds {
            if let Some(again) = other.seconds.get(name) {
                *seconds = seconds.min(*again);
            }
        }
    }

    /// The calls that take most seconds more than in another build, with both times.
    pub fn dearest(&self, alone: &Self, count: usize) -> Vec<(String, f64, f64)> {
        let both = |(name, with): (&String, &f64)| {
            let without = alone.seconds.get(name)?;
            Some((name.clone(), *without, *with))
        };
        let mut all: Vec<(String, f64, f64)> = self.seconds.iter().filter_map(both).collect();
        all.sort_by(|a, b| (b.2 - b.1).total_cmp(&(a.2 - a.1)));
        all.truncate(count);
        all
    }
}

/// What was compiled in a call, in words that are the same in all builds, and its seconds.
fn call(line: &str, folder: &Path) -> Option<(String, f64)> {
    let mut parts = line.splitn(3, '\t');
    let seconds: f64 = parts.next()?.parse().ok()?;
    let place = parts.next()?;
    let arguments = parts.next()?;
    let here = within(Path::new(place), folder);
    let words: Vec<&str> = arguments.split(' ').collect();
    let crate_name = words.windows(2).find(|two| two[0] == "--crate-name");
    let source = words.iter().find(|word| is_source(word));
    let name = match (crate_name, source) {
        (Some(two), _) => {
            let kind = if words.contains(&"--test") {
                " (tests)"
            } else {
                ""
            };
            format!("{}{kind}", two[1])
        }
        (None, Some(source)) => within(&Path::new(place).join(source), folder),
        (None, None) => format!("links in {here}"),
    };
    Some((name, seconds))
}

/// A path relative to the folder of the build, where it lies there. CMake names sources by whole paths.
fn within(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .display()
        .to_string()
}

fn is_source(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    let known = [
        "c", "cc", "cpp", "cxx", "C", "f", "F", "f90", "F90", "S", "s",
    ];
    !word.starts_with('-') && extension.is_some_and(|one| known.contains(&one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_names_that_all_builds_share() {
        let folder = Path::new("/cache/builds/z/alone/src");
        let name = |line: &str| call(line, folder);
        assert_eq!(
            name("0.120\t/cache/builds/z/alone/src/lib\t-O2 -c -o a.o a.c"),
            Some(("lib/a.c".to_string(), 0.12))
        );
        assert_eq!(
            name("0.5\t/cache/builds/z/alone/src/made\t-c /cache/builds/z/alone/src/b.c -o b.o"),
            Some(("b.c".to_string(), 0.5))
        );
        assert_eq!(
            name("1.5\t/elsewhere\trustc --crate-name ndarray --test src/lib.rs"),
            Some(("ndarray (tests)".to_string(), 1.5))
        );
        assert_eq!(
            name("0.01\t/cache/builds/z/alone/src\ta.o -o a"),
            Some(("links in ".to_string(), 0.01))
        );
        assert_eq!(name("times"), None);
    }

    #[test]
    fn the_least_of_two_builds_counts() {
        let cost = |a: f64, b: f64| Cost {
            seconds: [("a".to_string(), a), ("b".to_string(), b)].into(),
            ..Cost::default()
        };
        let mut with = cost(3.0, 1.5);
        with.least(&cost(2.0, 4.0));
        assert_eq!(with, cost(2.0, 1.5));
        assert_eq!(with.total(), 3.5);
        assert_eq!(
            with.dearest(&cost(1.5, 0.5), 1),
            [("b".to_string(), 0.5, 1.5)]
        );
    }
}
