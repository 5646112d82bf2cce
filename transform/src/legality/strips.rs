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
use polytile_analysis::chain::free_operands;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::tree::{LoopKind, Tree};

/// Refuses strips in the loop of `below` around the updates of these statements.
pub(super) fn check(w: &Walker, stmts: &[StmtId], below: &Tree, here: &Here) -> Walked<()> {
    let refuse = |why| w.refuse(Rule::NotStrips(why));
    let Tree::Band(band) = below else {
        return refuse("no band below");
    };
    if band.tile.is_some() || band.loops[..] != [LoopKind::Sequential] || band.child.has_bands() {
        return refuse("no innermost sequential loop below");
    }
    let mut cells: Vec<ArrayId> = vec![];
    for &s in stmts {
        if free_operands(w.scop.stmt(s))?.is_none() {
            return refuse("a statement does not accumulate in one cell");
        }
        cells.push(w.scop.stmt(s).write().array);
    }
    let others = here.instances.keys().filter(|s| !stmts.contains(s));
    let mut touched = others.flat_map(|s| &w.scop.stmt(*s).accesses);
    if touched.any(|a| cells.contains(&a.array)) {
        return refuse("another statement touches the cells' array");
    }
    let own = stmts.iter().map(|s| (s, w.scop.stmt(*s).write().array));
    for (s, cell) in own {
        let mut reads = stmts.iter().filter(|t| *t != s);
        let elsewhere = |t: &StmtId| {
            let t = w.scop.stmt(*t);
            t.write().array != cell && t.reads().iter().any(|r| r.array == cell)
        };
        if reads.any(elsewhere) {
            return refuse("another statement reads the cells' array");
        }
    }
    let through = |r: &&super::walk::Residual| {
        let ends = [r.dependence.src, r.dependence.dst];
        ends.iter().all(|s| stmts.contains(s))
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
