//! Cells that are changed under conditions, and whose content the compiler carries beside them.
//!
//! ```text
//! f[i] = 0;                                            s = phi [0, before the loop], [t, latch]
//! for j: if (near(i, j)) f[i] += g(i, j);              near:  x = s + g;  f[i] = x;
//!                                                      meet:  t = phi [x, near], [s, else]
//! ```
//!
//! The store stays where it is, for it may not run at all, but the load has gone. Such a PHI is the content of the cell if it begins as that, if each
//! value that it may take in an iteration but its own is stored to the cell on the way on which it is taken, and if nothing else is written there.

use super::gates::successors;
use super::memory::Cell;
use super::model::Time;
use super::reject::Reject;
use super::values::Values;
use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly::Set;
use crate::region::{BlockIn, InstKind, Region, Target};
use std::collections::BTreeSet;

/// PHIs beyond which nobody looks.
const MAX_PHIS: usize = 16;

/// What an iteration of a loop may make of a value that is carried through it.
struct Update {
    /// Other values, and the blocks that they come from.
    new: Vec<(BlockId, ValueId)>,
    /// Blocks from which it comes as it was.
    kept: Vec<BlockId>,
    /// PHIs in between: the block that one comes from, and its own.
    through: Vec<(BlockId, BlockId)>,
}

impl Values<'_, '_> {
    /// The cell that a header PHI's value is in, since when; `first`: the iterations that it begins in.
    pub(super) fn updated_cell(
        &mut self,
        (l, phi): (LoopId, ValueId),
        (init, next): (ValueId, ValueId),
        first: &Set,
    ) -> Result<Option<(Cell, Time)>, Reject> {
        let region = self.model.region;
        let (header, latch) = (region.loop_(l).header, region.loop_(l).latch);
        let Some(update) = self
            .update((l, phi), next)
            .filter(|u| u.is_whole(region, l))
        else {
            return Ok(None);
        };
        let nest = self.nest(header);
        let (begin, end) = (self.model.begin(header), self.model.end(latch, 0));
        let domain = self.model.domain(header).clone();
        let mut stores = vec![];
        let mut found: Option<Cell> = None;
        for (b, value) in &update.new {
            let store = region
                .block(*b)
                .insts
                .iter()
                .rev()
                .find_map(|i| match &i.kind {
                    InstKind::Store { addr, ty, value: v } if v == value => Some((i.id, addr, *ty)),
                    _ => None,
                });
            let Some((id, addr, ty)) = store.filter(|s| !s.1.offset.loops().contains(&l)) else {
                return Ok(None);
            };
            let cell = self.memory.cell(self.model, addr, ty, &nest)?;
            if found
                .as_ref()
                .is_some_and(|f| f.address != cell.address || f.ty != cell.ty)
            {
                return Ok(None);
            }
            found = Some(cell);
            stores.push(id);
        }
        let Some(cell) = found else { return Ok(None) };
        let alone = self.memory.undisturbed_but(
            self.model,
            (&begin, false),
            &end,
            (&cell, &domain),
            &stores,
        )?;
        match alone && self.is_held(init, &cell, &begin, first)? {
            true => Ok(Some((cell, begin))),
            false => Ok(None),
        }
    }

    /// What becomes of a header PHI's value; `None` if PHIs outside of the loop's own blocks have a part in it.
    fn update(&self, (l, phi): (LoopId, ValueId), next: ValueId) -> Option<Update> {
        let region = self.model.region;
        let mut update = Update {
            new: vec![],
            kept: vec![],
            through: vec![],
        };
        let merges = |v: ValueId| {
            let (block, _, inst) = self.inst(v)?;
            let own = region.block(block).loop_ == Some(l) && region.headed(block).is_none();
            match &inst.kind {
                InstKind::Phi(incoming) if own => Some((block, incoming)),
                _ => None,
            }
        };
        let mut seen = BTreeSet::from([next]);
        let mut left = vec![next];
        while let Some(v) = left.pop() {
            if seen.len() > MAX_PHIS {
                return None;
            }
            let (_, incoming) = merges(v)?;
            for (from, v) in incoming {
                let BlockIn::Block(from) = from else {
                    return None;
                };
                match merges(*v) {
                    _ if *v == phi => update.kept.push(*from),
                    Some((block, _)) => {
                        update.through.push((*from, block));
                        if seen.insert(*v) {
                            left.push(*v);
                        }
                    }
                    None => update.new.push((*from, *v)),
                }
            }
        }
        Some(update)
    }
}

impl Update {
    /// Whether what has become of the value on the way is what it is in the end: no way leads from there to a block from which it comes as it was, or as
    /// something else.
    fn is_whole(&self, region: &Region, l: LoopId) -> bool {
        self.new.iter().all(|(b, _)| {
            let behind = behind(region, l, *b);
            let others = self.new.iter().map(|(o, _)| o).filter(|o| *o != b);
            region.block(*b).loop_ == Some(l)
                && self.new.iter().filter(|(o, _)| o == b).count() == 1
                && !others.chain(&self.kept).any(|o| behind.contains(o))
                && (self.through.iter()).all(|(o, p)| !behind.contains(o) || behind.contains(p))
        })
    }
}

/// A block, and those that an iteration of a loop may run behind it.
fn behind(region: &Region, l: LoopId, b: BlockId) -> BTreeSet<BlockId> {
    let (mut seen, mut left) = (BTreeSet::from([b]), vec![b]);
    while let Some(b) = left.pop() {
        for to in successors(region, b) {
            if let Target::Block(to) = to
                && to != region.loop_(l).header
                && seen.insert(to)
            {
                left.push(to);
            }
        }
    }
    seen
}
