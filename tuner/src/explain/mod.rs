//! `polytile explain`: what became of each loop nest, in plain words, and what its programmer can do; hottest first where a profile is given.
//!
//! | file | subject |
//! |---|---|
//! | [`yaml`] | remarks from the file that `-fsave-optimization-record` writes |
//! | [`nests`] | the remarks of a nest, together |
//! | [`profile`] | weights of nests, from several forms of text |
//! | [`words`] | the sentences |

pub mod nests;
pub mod profile;
pub mod words;
pub mod yaml;

use nests::{Fate, Nest};
use profile::Profile;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Remarks: PROGRAM.opt.yaml, which clang writes with -fsave-optimization-record (and -g1, for lines)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where time goes: what POLYTILE_VERBOSE=1 prints, or perf report --stdio, or perf script -F +srcline, as text. Hotness in the remarks
    /// themselves (compiled with a profile and -fdiagnostics-show-hotness) counts where there is no such file
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Single loops that are in no nest as well
    #[arg(long)]
    pub all: bool,
}

/// Prints what became of each nest.
///
/// # Errors
/// A file that cannot be read, or holds something else.
pub fn explain(args: &Args) -> Result<(), String> {
    let mut nests = read(&args.files)?;
    nests.retain(|n| args.all || n.is_nest());
    if let Some(file) = &args.profile {
        weigh(&mut nests, file)?;
    }
    print!("{}", told(nests));
    Ok(())
}

/// The nests of remarks files, in the order of the source.
///
/// # Errors
/// A file that cannot be read, holds something else, or nothing of Polytile's.
pub fn read(files: &[PathBuf]) -> Result<Vec<Nest>, String> {
    let mut remarks = vec![];
    for file in files {
        let name = file.display();
        let bytes = fs::read(file).map_err(|e| {
            format!("remarks file '{name}' cannot be read: {e}; clang writes it with -fsave-optimization-record")
        })?;
        let own = yaml::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|e| format!("'{name}' is no remarks file, {e}; give the .opt.yaml that clang writes with -fsave-optimization-record"))?;
        if own.is_empty() {
            return Err(format!(
                "remarks file '{name}' has no remarks of Polytile; compile with -fpass-plugin=libpolytile.so, -O1 or more and -fsave-optimization-record"
            ));
        }
        remarks.extend(own);
    }
    Ok(nests::of(&remarks))
}

/// Gives nests the weights of a profile.
///
/// # Errors
/// It cannot be read, or names no place.
pub fn weigh(nests: &mut [Nest], file: &Path) -> Result<(), String> {
    let name = file.display();
    let bytes = fs::read(file).map_err(|e| format!("profile '{name}' cannot be read: {e}"))?;
    let profile = Profile::parse(&String::from_utf8_lossy(&bytes));
    if profile.is_empty() {
        return Err(format!(
            "profile '{name}' names no line and no function; give what POLYTILE_VERBOSE=1, perf report --stdio or perf script -F +srcline prints"
        ));
    }
    profile.weigh(nests);
    Ok(())
}

/// All nests, hottest first if any is weighed.
fn told(mut nests: Vec<Nest>) -> String {
    let weight = |n: &Nest| n.weight.unwrap_or(0.0);
    let sum: f64 = nests.iter().map(weight).sum();
    if sum > 0.0 {
        nests.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    }
    let mut out = heading(nests.iter()) + "\n";
    for (at, nest) in nests.iter().enumerate() {
        let share = match nest.weight {
            Some(own) if sum > 0.0 => format!(", {:.0} % of the time in nests", 100.0 * own / sum),
            _ => String::new(),
        };
        let _ = writeln!(out, "\n{}. {}{share}", at + 1, nest.place());
        out += &words::nest(nest);
    }
    out
}

/// How many nests there are, and how many of them were transformed.
pub fn heading<'n>(nests: impl Iterator<Item = &'n Nest>) -> String {
    let (mut all, mut done) = (0, 0);
    for n in nests {
        all += 1;
        done += usize::from(matches!(n.fate, Fate::Transformed(_)));
    }
    let plural = if all == 1 { "" } else { "s" };
    format!(
        "{all} loop nest{plural}: {done} transformed, {} left as they were.",
        all - done
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "--- !Missed
Pass:            polytile
Name:            NotTransformed
DebugLoc:        { File: a.c, Line: 4, Column: 20 }
Function:        hist
Args:
  - String:          'loop nest not transformed: '
  - Reason:          a subscript depends on data
...
--- !Passed
Pass:            polytile
Name:            Transformed
DebugLoc:        { File: a.c, Line: 9, Column: 3 }
Function:        product
Args:
  - String:          'loop nest transformed: '
  - Statements:      '1'
...
";

    fn nests() -> Vec<Nest> {
        nests::of(&yaml::parse(TWO).unwrap())
    }

    #[test]
    fn nests_come_in_order_and_the_hottest_first_with_a_profile() {
        let plain = told(nests());
        assert!(
            plain.starts_with("2 loop nests: 1 transformed, 1 left as they were.\n"),
            "{plain}"
        );
        assert!(
            plain.contains("1. a.c:4 in hist\n") && plain.contains("2. a.c:9 in product\n"),
            "{plain}"
        );
        let mut hot = nests();
        Profile::parse("  75.00%  a.c:10\n  25.00%  a.c:5\n").weigh(&mut hot);
        let hot = told(hot);
        assert!(
            hot.contains("1. a.c:9 in product, 75 % of the time in nests\n"),
            "{hot}"
        );
        assert!(
            hot.contains("2. a.c:4 in hist, 25 % of the time in nests\n"),
            "{hot}"
        );
    }

    #[test]
    fn what_is_no_remarks_file_is_named() {
        let said = read(&["/nonexistent.yaml".into()]).unwrap_err();
        assert!(
            said.contains("'/nonexistent.yaml' cannot be read"),
            "{said}"
        );
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let said = read(&[manifest]).unwrap_err();
        assert!(said.contains("is no remarks file, line 1"), "{said}");
    }
}
