//! The acceptance list of the paper's cases, point by point.

mod fusable;
mod inside;
mod interleavings;
mod lemma3;
mod programs;
mod samples;
mod schedules;

use super::Ground;
use super::level::Level;
use super::pruned::Pruned;
use polytile_analysis::deps::compute;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use programs::Text;

/// Calls `see` with a program.
fn with<T>(text: Text, see: impl FnOnce(&Scop, &Ground) -> T) -> T {
    let ctx = Ctx::new();
    let scop = programs::scop(&ctx, text);
    let deps = compute(&scop, false).unwrap();
    see(&scop, &Ground::new(&scop, &deps).unwrap())
}

/// Calls `see` with the outermost level of a program.
fn level<T>(text: Text, see: impl FnOnce(&mut Level) -> T) -> T {
    with(text, |_, ground| see(&mut ground.outermost().unwrap()))
}

/// `F` of a level.
fn pruned(level: &mut Level) -> Pruned {
    let before = level.before().to_vec();
    level.pruned(&before, 1 << 16).unwrap()
}
