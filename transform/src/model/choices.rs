//! What the original decides in addresses: remainders and choices between subscripts ([`Choices`]).
//!
//! ```text
//! for j: b[i][j] = a[i][(j + 1 + n) % n];        a division an iteration, and no lanes
//! ```
//!
//! Detection splits such a statement for the parts of its iterations in which it is known what is chosen, so the SCoP does not
//! show what the program computes. What does not move in the innermost loop is computed in front of it.

use polytile_analysis::ids::{BlockId, LoopId, ValueId};
use polytile_analysis::region::{InstKind, Region};
use polytile_analysis::scev::{Scev, ScevKind};
use std::collections::BTreeMap;

/// The remainders and choices in the addresses of a region's loads and stores.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    /// By instruction: numbers of different expressions, and whether each divides.
    addresses: BTreeMap<ValueId, Vec<(usize, bool)>>,
}

impl Choices {
    /// Of all instructions of a region, each in its innermost loop.
    pub fn of(region: &Region) -> Choices {
        let mut known: Vec<&Scev> = vec![];
        let mut addresses = BTreeMap::new();
        for (b, block) in region.blocks.iter().enumerate() {
            let Some(innermost) = region.loop_nest(BlockId::from(b)).last().copied() else {
                continue;
            };
            for inst in &block.insts {
                let (InstKind::Load { addr, .. } | InstKind::Store { addr, .. }) = &inst.kind
                else {
                    continue;
                };
                let mut found = vec![];
                collect(&addr.offset, innermost, &mut |s, divides| {
                    let at = known.iter().position(|k| *k == s).unwrap_or(known.len());
                    if at == known.len() {
                        known.push(s);
                    }
                    found.push((at, divides));
                });
                if !found.is_empty() {
                    addresses.insert(inst.id, found);
                }
            }
        }
        Choices { addresses }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Those of an instruction.
    pub(super) fn at(&self, inst: Option<ValueId>) -> &[(usize, bool)] {
        let found = inst.and_then(|inst| self.addresses.get(&inst));
        found.map_or(&[], Vec::as_slice)
    }
}

/// The outermost choices that move with a loop.
fn collect<'s>(s: &'s Scev, l: LoopId, found: &mut dyn FnMut(&'s Scev, bool)) {
    if !s.is_choice() {
        let parts = s.operands().into_iter();
        parts.for_each(|part| collect(part, l, found));
    } else if s.loops().contains(&l) {
        found(s, !matches!(s.kind, ScevKind::Select(..)));
    }
}
