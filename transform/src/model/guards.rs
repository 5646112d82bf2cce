//! Which loads and stores of the original run in some iterations of their innermost loop only: [`Guards`].
//!
//! ```text
//! for x: if (x + 1 < w) s += k[2] * in[x+1];     no lanes without AVX-512: k[2] may be read in some of them only
//! ```
//!
//! Iteration domains do not tell: what branches have in common is parted there, and which iterations have loops of their own depends on how
//! loops are generated. So branches are looked at where the program has them. LLVM takes those out of a loop that stay the same in it.

use super::choices::moves;
use polytile_analysis::ids::{LoopId, ValueId};
use polytile_analysis::region::{Cond, Inst, InstKind, Region, Target, Terminator};
use polytile_analysis::scev::Scev;
use std::collections::BTreeSet;

/// What runs in some iterations of its innermost loop only.
#[derive(Clone, Default, Debug)]
pub(super) struct Guards {
    /// Loads and stores.
    pub(super) accesses: BTreeSet<ValueId>,
    /// For some of them counters decide, which loops of their own do without.
    pub(super) by_counters: bool,
}

impl Guards {
    /// Of all innermost loops of a region.
    pub(super) fn of(region: &Region) -> Guards {
        let mut found = Guards::default();
        for l in (0..region.loops.len()).map(LoopId::from) {
            if region.loops.iter().any(|other| other.parent == Some(l)) {
                continue;
            }
            found.by_counters |= !accesses(region, l, &|cond| moves(cond, l)).is_empty();
            let all = accesses(region, l, &|cond| moves(cond, l) || is_data(region, cond));
            found.accesses.extend(all);
        }
        found
    }
}

/// The loads and stores of a loop that do not run in each of its iterations, as branches say whose conditions vary.
fn accesses(region: &Region, l: LoopId, varies: &dyn Fn(&Cond) -> bool) -> Vec<ValueId> {
    let access = |i: &&Inst| matches!(i.kind, InstKind::Load { .. } | InstKind::Store { .. });
    let blocks = region.blocks.iter().zip(shares(region, l, varies));
    let some = blocks.filter(|(block, share)| block.loop_ == Some(l) && *share < 1.0);
    some.flat_map(|(block, _)| block.insts.iter().filter(access))
        .map(|i| i.id)
        .collect()
}

/// The part of a loop's iterations in which each of its blocks runs, if branches that vary go either way as often.
fn shares(region: &Region, l: LoopId, varies: &dyn Fn(&Cond) -> bool) -> Vec<f64> {
    let mut shares = vec![0.0f64; region.blocks.len()];
    shares[region.loop_(l).header.index()] = 1.0;
    // Successors are later blocks.
    for (b, block) in region.blocks.iter().enumerate() {
        if block.loop_ != Some(l) {
            continue;
        }
        let (targets, part) = match &block.term {
            Terminator::Jump(to) => (vec![to], 1.0),
            Terminator::Branch {
                cond, then, els, ..
            } => {
                // Nobody goes to a trap.
                let ends = [then, els].contains(&&Target::Trap);
                let part = if !ends && varies(cond) { 0.5 } else { 1.0 };
                (vec![then, els], part)
            }
        };
        for to in targets {
            if let Target::Block(to) = to {
                let to = to.index();
                shares[to] = (shares[to] + part * shares[b]).min(1.0);
            }
        }
    }
    shares
}

/// Whether data decide, of which an innermost loop takes others in each iteration.
fn is_data(region: &Region, cond: &Cond) -> bool {
    let read = |s: &Scev| s.values().iter().any(|v| region.is_innermost(*v));
    match cond {
        Cond::Const(_) => false,
        Cond::Cmp { lhs, rhs, .. } => read(lhs) || read(rhs),
        Cond::And(all) | Cond::Or(all) => all.iter().any(|c| is_data(region, c)),
        Cond::Not(c) => is_data(region, c),
        Cond::Phi(all) => all.iter().any(|(_, c)| is_data(region, c)),
        Cond::Opaque(v) => region.is_innermost(*v),
    }
}
