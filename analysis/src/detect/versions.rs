//! Versions for arrays without gaps, inside of a nest.
//!
//! ```text
//! real(8) :: a(:, :)
//! for k: { if (s1 == 8) for i: .. a[8*i + ..]  else for i: .. a[s1*i + ..];    if (s1 == 8) for j: for i: ..  else for j: for i: .. }
//! ```
//!
//! Fortran's compiler makes a version of each innermost loop for arrays of assumed shape whose elements lie side by side. Where that is asked once around a
//! nest, the versions are nests of their own. Where several loops of an iteration ask, or a nest is too large for LLVM to take the question out of it, they
//! stay inside, and no one shape fits both. The elements are taken to lie side by side: the other versions are no part of the model, and the original runs where
//! they do not. A loop that moves along several arrays asks for all of them at once.

use crate::ids::{BlockId, ValueId};
use crate::region::{BlockIn, CmpPred, Cond, InstKind, Region, Target, Terminator};
use crate::scev::{Scev, ScevKind};
use std::collections::BTreeSet;

/// Bytes of elements.
const MAX_ELEMENT: i128 = 16;

/// The region without versions for arrays with gaps; `None` if it has none.
pub(super) fn without_gaps(region: &Region) -> Option<Region> {
    let branches = (0..region.blocks.len()).map(BlockId::from);
    let asked: Vec<(BlockId, Asked)> = branches
        .filter_map(|b| Some((b, asked(region, b)?)))
        .collect();
    let mut found = region.clone();
    for (b, asked) in asked {
        if let Terminator::Branch { then, els, .. } = &mut found.blocks[b.index()].term {
            let other = if asked.holds { els } else { then };
            *other = Target::Trap;
        }
    }
    let live = reached(&found);
    let dead = |b: BlockId| !live.contains(&b);
    if live.len() == region.blocks.len() || !is_local(region, &dead) {
        return None;
    }
    clear(&mut found, &dead);
    Some(found)
}

/// A branch that asks whether strides are the size of an element.
struct Asked {
    /// Whether the branch's condition holds if so.
    holds: bool,
}

fn asked(region: &Region, b: BlockId) -> Option<Asked> {
    let block = region.block(b);
    block.loop_?;
    let Terminator::Branch {
        cond, then, els, ..
    } = &block.term
    else {
        return None;
    };
    let (holds, strides) = sizes(cond)?;
    let (Target::Block(own), Target::Block(other)) =
        (if holds { (then, els) } else { (els, then) })
    else {
        return None;
    };
    let with_gaps = only_behind(region, b, *other);
    let without = only_behind(region, b, *own);
    let moves = |blocks: &BTreeSet<BlockId>| {
        let mut strides = strides.iter();
        strides.any(|(stride, size)| moves_by(region, blocks, *stride, *size))
    };
    (moves(&with_gaps) && !moves(&without)).then_some(Asked { holds })
}

/// Strides, each with the size of an element, and whether a condition holds where all of them are of that size; `None` if it asks for anything else.
fn sizes(cond: &Cond) -> Option<(bool, Vec<(ValueId, i128)>)> {
    let of_all = |parts: &[Cond], holds: bool| {
        let mut all = vec![];
        for part in parts {
            let (own, mut found) = sizes(part)?;
            (own == holds).then(|| all.append(&mut found))?;
        }
        Some((holds, all))
    };
    match cond {
        Cond::And(parts) => of_all(parts, true),
        Cond::Or(parts) => of_all(parts, false),
        Cond::Not(part) => sizes(part).map(|(holds, found)| (!holds, found)),
        Cond::Cmp { pred, lhs, rhs } => {
            let holds = match pred {
                CmpPred::Eq => true,
                CmpPred::Ne => false,
                _ => return None,
            };
            let (ScevKind::Unknown(stride), Some(size)) = (&lhs.kind, rhs.as_constant()) else {
                return None;
            };
            let is_size = lhs.width == 64 && (2..=MAX_ELEMENT).contains(&size);
            is_size.then(|| (holds, vec![(*stride, size)]))
        }
        _ => None,
    }
}

/// The blocks that a branch leads to on one way alone.
fn only_behind(region: &Region, from: BlockId, to: BlockId) -> BTreeSet<BlockId> {
    let mut without = region.clone();
    if let Terminator::Branch { then, els, .. } = &mut without.blocks[from.index()].term {
        for target in [then, els] {
            if *target == Target::Block(to) {
                *target = Target::Trap;
            }
        }
    }
    let others = reached(&without);
    let all = (0..region.blocks.len()).map(BlockId::from);
    all.filter(|b| !others.contains(b)).collect()
}

/// Whether elements of a size are accessed there at multiples of a value.
fn moves_by(region: &Region, blocks: &BTreeSet<BlockId>, stride: ValueId, size: i128) -> bool {
    let insts = blocks.iter().flat_map(|b| &region.block(*b).insts);
    let mut accesses = insts.filter_map(|i| match &i.kind {
        InstKind::Load { addr, ty } | InstKind::Store { addr, ty, .. } => Some((addr, ty)),
        _ => None,
    });
    let by = |s: &Scev| matches!(s.kind, ScevKind::Unknown(v) if v == stride);
    accesses.any(|(addr, ty)| i128::from(ty.bytes()) == size && addr.offset.any(&mut |s| by(s)))
}

/// The blocks that control comes to.
fn reached(region: &Region) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::from([BlockId::from(0)]);
    for b in (0..region.blocks.len()).map(BlockId::from) {
        if !found.contains(&b) {
            continue;
        }
        let targets = match &region.block(b).term {
            Terminator::Jump(to) => vec![*to],
            Terminator::Branch { then, els, .. } => vec![*then, *els],
        };
        found.extend(targets.into_iter().filter_map(|t| match t {
            Target::Block(b) => Some(b),
            _ => None,
        }));
    }
    found
}

/// Whether nothing of some blocks is used elsewhere, and their loops are theirs alone.
fn is_local(region: &Region, dead: &impl Fn(BlockId) -> bool) -> bool {
    let blocks = (0..region.blocks.len()).map(BlockId::from);
    let (gone, left): (Vec<BlockId>, Vec<BlockId>) = blocks.partition(|b| dead(*b));
    let made = |b: &BlockId| region.block(*b).insts.iter().map(|i| i.id);
    let made: BTreeSet<ValueId> = gone.iter().flat_map(made).collect();
    // What merges on a way from there is left out.
    let merges = |b: &BlockId| {
        region.block(*b).insts.iter().any(|i| match &i.kind {
            InstKind::Phi(incoming) => incoming
                .iter()
                .any(|(from, v)| made.contains(v) && !comes_from(from, dead)),
            _ => false,
        })
    };
    let whole = region.loops.iter().all(|l| dead(l.header) == dead(l.latch));
    whole && !left.iter().any(merges) && !region.live_out.iter().any(|v| made.contains(v))
}

/// Whether a way of a merge is from one of these blocks.
fn comes_from(from: &BlockIn, dead: &impl Fn(BlockId) -> bool) -> bool {
    matches!(from, BlockIn::Block(b) if dead(*b))
}

/// Leaves nothing of blocks to which control does not come.
fn clear(region: &mut Region, dead: &impl Fn(BlockId) -> bool) {
    for l in &mut region.loops {
        if dead(l.header) {
            l.backedge_count = Scev::constant(64, 0);
            l.predicates.clear();
        }
    }
    for (b, block) in region.blocks.iter_mut().enumerate() {
        if !dead(BlockId::from(b)) {
            for inst in &mut block.insts {
                if let InstKind::Phi(incoming) = &mut inst.kind {
                    incoming.retain(|(from, _)| !comes_from(from, dead));
                }
            }
            continue;
        }
        block.insts.clear();
        if let Terminator::Branch { cond, .. } = &mut block.term {
            *cond = Cond::Const(true);
        }
    }
}
