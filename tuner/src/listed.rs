//! The regions of a program with their candidates, as the plugin lists them during a build.

use crate::builds::{self, Builds, Lines};
use crate::scratch::Scratch;
use polytile_records::{Listed, lines};
use std::collections::BTreeSet;
use std::fs;

/// The regions of a program, those first that the model takes for the longest. `options`: beside what lists them.
///
/// # Errors
/// The build fails, or has no region with a candidate.
pub fn listed(
    builds: &mut Builds,
    scratch: &Scratch,
    options: &str,
) -> Result<Vec<Listed>, String> {
    let list = scratch.path().join("candidates");
    let _ = fs::remove_file(&list);
    let asked = format!("candidates={}", list.display());
    builds.run(&builds::joined(options, &asked), Lines::Wanted)?;
    let text = fs::read_to_string(&list).map_err(|_| {
        "the plugin did not run in this build: let it compile all again (make -B), by clang or flang 22, with -O1 or more; another compiler needs the plugin in its own command".to_owned()
    })?;
    let (all, bad) = lines::parse::<Listed>(&text);
    if let Some(bad) = bad.first() {
        return Err(format!(
            "the plugin's list is not understood, {bad}; use the plugin of this program's version"
        ));
    }
    let mut seen = BTreeSet::new();
    let mut regions: Vec<Listed> = (all.into_iter())
        .filter(|r| r.candidates.len() > 1 && seen.insert(r.hash.clone()))
        .collect();
    if regions.is_empty() {
        return Err("no nest of this program has a candidate beside the original; -Rpass-missed=polytile says why, and polytile explain in plain words".to_owned());
    }
    let time = |r: &Listed| r.candidates[0].predicted.map_or(0.0, |p| p.one);
    regions.sort_by(|a, b| time(b).total_cmp(&time(a)));
    Ok(regions)
}
