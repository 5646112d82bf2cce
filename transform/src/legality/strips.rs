//! Loops whose iterations are independent but for the cells that some statements accumulate in.
//!
//! ```text
//! for j: { b[j] = f(a[j]);  s = s + g(a[j]) }
//!
//! for strips J: { vector j in J: { b[j] = f(a[j]);  v[j - J] = g(a[j]) };   for j in J: s = s + v[j - J] }
//! ```
//!
//! Everything but the updates runs as in a vector loop, so that only dependences through the cells may lead from one iteration to
//! another, and nothing else may touch the cells' arrays: then the updates, which keep their order, depend on nothing but what was
//! computed for them, and nothing in the loop depends on them.

use super::flags;
use super::walk::{Here, Walker};
use super::{Rule, Walked};
use polytile_analysis::chain::Role;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::tree::{LoopKind, Tree};

/// Refuses strips in the loop of `below` around the updates of cells of these arrays.
pub(super) fn check(w: &Walker, cells: &[ArrayId], below: &Tree, here: &Here) -> Walked<()> {
    let refuse = |why| w.refuse(Rule::NotStrips(why));
    let Tree::Band(band) = below else {
        return refuse("no band below");
    };
    if band.tile.is_some() || band.loops[..] != [LoopKind::Sequential] || band.child.has_bands() {
        return refuse("no innermost sequential loop below");
    }
    if cells.iter().any(|a| a.index() >= w.scop.arrays.len()) {
        return refuse("no such array");
    }
    let mut chains: Vec<StmtId> = vec![];
    for &s in here.instances.keys() {
        match Role::of(w.scop.stmt(s), cells)? {
            Role::Free => {}
            Role::Chain(_) => chains.push(s),
            Role::Bound => return refuse("a cell's array is touched in another way"),
        }
    }
    let through = |r: &&super::walk::Residual| {
        let ends = [r.dependence.src, r.dependence.dst];
        ends.iter().all(|s| chains.contains(s))
            && r.dependence.arrays.iter().all(|a| cells.contains(a))
    };
    let free: Vec<_> = here
        .residual
        .iter()
        .filter(|r| !through(r))
        .cloned()
        .collect();
    flags::vector(w, band, &free)
}
