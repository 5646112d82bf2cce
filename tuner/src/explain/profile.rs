//! Where time goes, from texts of lines that name a place or a function:
//!
//! | made by | a line | its weight |
//! |---|---|---|
//! | a program of ours with `POLYTILE_VERBOSE=1` | `polytile: gemm.c:14: kernel: new version 10 (0.011597 s), original 11 (0.027791 s)` | the seconds |
//! | `perf report --stdio`, sorted by symbol or source line | `  45.30%  prog  [.] kernel.polytile.14` | the percentage |
//! | `perf script -F +srcline`, or any list of places | `  gemm.c:15` | 1 |
//!
//! A place belongs to the last nest of its file that begins at its line or above; a function of a new version names the line of its
//! nest (`kernel.polytile.14`), and any other function is divided among its nests.

use super::nests::Nest;
use crate::told::Line;

/// Weights of places and functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Profile {
    entries: Vec<(At, f64)>,
}

/// What a line names.
#[derive(Clone, PartialEq, Eq, Debug)]
enum At {
    /// A file and a line.
    Place(String, u32),
    /// A new version: function and line of its nest.
    Version(String, u32),
    /// A function.
    Function(String),
}

impl Profile {
    /// Reads a text; lines that name nothing are left out.
    pub fn parse(text: &str) -> Profile {
        let lines = text.lines().filter(|l| !l.trim_start().starts_with('#'));
        Profile {
            entries: lines.filter_map(entry).collect(),
        }
    }

    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Gives nests their weights; those that it does not name get 0.
    pub fn weigh(&self, nests: &mut [Nest]) {
        nests.iter_mut().for_each(|n| n.weight = Some(0.0));
        for (at, weight) in &self.entries {
            let hit = hits(at, nests);
            let share = weight / hit.len().max(1) as f64;
            for n in hit {
                *nests[n].weight.get_or_insert(0.0) += share;
            }
        }
    }
}

/// The nests that an entry is about.
fn hits(at: &At, nests: &[Nest]) -> Vec<usize> {
    let line = |n: &Nest| n.loc.as_ref().map(|l| l.line);
    let all = nests.iter().enumerate();
    match at {
        At::Place(file, at) => {
            let above = all.filter(|(_, n)| {
                let loc = n.loc.as_ref();
                loc.is_some_and(|l| name_of(&l.file) == name_of(file) && l.line <= *at)
            });
            let last = above.max_by_key(|(_, n)| line(n));
            last.map(|(i, _)| i).into_iter().collect()
        }
        At::Version(function, at) => {
            let own = all.filter(|(_, n)| n.function == *function && line(n) == Some(*at));
            own.map(|(i, _)| i).collect()
        }
        At::Function(function) => {
            let own = all.filter(|(_, n)| n.function == *function);
            own.map(|(i, _)| i).collect()
        }
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn entry(line: &str) -> Option<(At, f64)> {
    if let Some(own) = Line::parse(line) {
        let at = place(own.place).unwrap_or_else(|| function(own.place));
        return Some((at, own.alone.seconds));
    }
    let mut words = line.split_whitespace();
    let percent = |w: &str| w.strip_suffix('%').and_then(|n| n.parse::<f64>().ok());
    let weight = words.clone().find_map(percent);
    let named = words.clone().find_map(place);
    let symbol = words.by_ref().skip_while(|w| *w != "[.]").nth(1);
    let at = named.or_else(|| symbol.map(function))?;
    Some((at, weight.unwrap_or(1.0)))
}

/// `FILE:LINE`, with a column or not.
fn place(word: &str) -> Option<At> {
    let mut parts = word.trim_end_matches([',', ')']).splitn(3, ':');
    let (file, line) = (parts.next()?, parts.next()?.parse().ok()?);
    let named = file.contains('.') && !file.starts_with('(');
    (named && line > 0).then(|| At::Place(file.to_owned(), line))
}

/// A symbol: a new version's, or any function.
fn function(symbol: &str) -> At {
    if let Some((function, rest)) = symbol.split_once(".polytile.")
        && let Ok(line) = rest.split('.').next().unwrap_or_default().parse()
    {
        return At::Version(function.to_owned(), line);
    }
    let whole = symbol.split(".polytile").next().unwrap_or(symbol);
    At::Function(whole.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{nests, yaml};
    use super::*;

    #[test]
    fn lines_of_all_forms_are_read() {
        let place = |file: &str, line| At::Place(file.to_owned(), line);
        let one = |line: &str| entry(line).expect("it names something");
        let (at, seconds) = one(
            "polytile: gemm.c:14: kernel: new version 10 (0.5 s), original 11 (0.25 s); not enough work: 10",
        );
        assert_eq!((at, seconds), (place("gemm.c", 14), 0.75));
        let without_lines = "polytile: kernel: new version 1 (0.5 s), original 0";
        assert_eq!(one(without_lines), (At::Function("kernel".into()), 0.5));
        let (at, percent) = one("    45.30%  prog     prog              [.] kernel.polytile.14");
        assert_eq!((at, percent), (At::Version("kernel".into(), 14), 45.3));
        let (at, percent) = one(" 3.10%  prog  [.] kernel.polytile.team");
        assert_eq!((at, percent), (At::Function("kernel".into()), 3.1));
        assert_eq!(one("  src/gemm.c:15:3").0, place("src/gemm.c", 15));
        assert_eq!(entry("# Overhead  Symbol"), None);
        assert_eq!(entry("nothing here"), None);
        assert!(Profile::parse("# a.c:3\n\n").is_empty());
    }

    #[test]
    fn weights_go_to_the_nest_above() {
        let remark = |line: u32| {
            format!(
                "--- !Passed\nPass: polytile\nName: Transformed\nDebugLoc: {{ File: /s/a.c, Line: {line}, Column: 1 }}\nFunction: f\nArgs:\n...\n"
            )
        };
        let text = remark(3) + &remark(9);
        let mut nests = nests::of(&yaml::parse(&text).unwrap());
        let profile = "a.c:4\na.c:9\na.c:20\na.c:1\nb.c:9\n 4.0% x [.] f\n";
        Profile::parse(profile).weigh(&mut nests);
        assert_eq!((nests[0].weight, nests[1].weight), (Some(3.0), Some(4.0)));
        Profile::parse("8% x [.] f.polytile.9").weigh(&mut nests);
        assert_eq!((nests[0].weight, nests[1].weight), (Some(0.0), Some(8.0)));
    }
}
