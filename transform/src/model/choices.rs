//! What the original decides in addresses, remainders and choices between subscripts, and for which loads and stores ([`Choices`]).
//!
//! ```text
//! for j: b[i][j] = a[i][(j + 1 + n) % n];        a division an iteration, and no lanes
//! ```
//!
//! A check in front of a trap (the bounds of a slice) is a choice as well: LLVM makes no vectors of a loop that may leave by one, nor of one
//! that it has no count of.
//!
//! Detection splits such a statement for the parts of its iterations in which it is known what is chosen, so the SCoP does not
//! show what the program computes. What does not move in the innermost loop is computed in front of it.

use super::guards::Guards;
use polytile_analysis::ids::{BlockId, LoopId, ValueId};
use polytile_analysis::region::{Cond, InstKind, Region, Target, Terminator};
use polytile_analysis::scev::{Scev, ScevKind};
use std::collections::{BTreeMap, BTreeSet};

/// The remainders and choices in the addresses of a region's loads and stores, and what runs under conditions.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    /// By instruction: numbers of different expressions, and whether each divides.
    addresses: BTreeMap<ValueId, Vec<(usize, bool)>>,
    /// Numbers of checks of which LLVM may know after how many iterations they fail.
    counted: BTreeSet<usize>,
    guards: Guards,
}

impl Choices {
    /// None.
    pub(super) const fn none() -> Choices {
        Choices {
            addresses: BTreeMap::new(),
            counted: BTreeSet::new(),
            guards: Guards {
                accesses: BTreeSet::new(),
                by_counters: false,
            },
        }
    }

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
        let counted = check(region, &mut addresses);
        Choices {
            addresses,
            counted,
            guards: Guards::of(region),
        }
    }

    /// The same without the checks of which LLVM may know when they fail: it makes vectors of some such loops, whose end comes before. `None` where there are none.
    pub fn but_for_counted(&self) -> Option<Choices> {
        let mut others = self.clone();
        let counted = std::mem::take(&mut others.counted);
        for found in others.addresses.values_mut() {
            found.retain(|(check, _)| !counted.contains(check));
        }
        others.addresses.retain(|_, found| !found.is_empty());
        (!counted.is_empty()).then_some(others)
    }

    /// Whether no address has any.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Whether an instruction runs in some iterations of its innermost loop only.
    pub(super) fn guards(&self, inst: ValueId) -> bool {
        self.guards.accesses.contains(&inst)
    }

    /// Whether counters decide in innermost loops what is loaded or stored.
    pub fn guards_by_counters(&self) -> bool {
        self.guards.by_counters
    }

    /// Those of an instruction.
    pub(super) fn at(&self, inst: Option<ValueId>) -> &[(usize, bool)] {
        let found = inst.and_then(|inst| self.addresses.get(&inst));
        found.map_or(&[], Vec::as_slice)
    }
}

/// The checks of each innermost loop that move with it, as choices of all its addresses; those that are counted.
fn check(
    region: &Region,
    addresses: &mut BTreeMap<ValueId, Vec<(usize, bool)>>,
) -> BTreeSet<usize> {
    let mut counted = BTreeSet::new();
    let innermost = |b: usize| region.loop_nest(BlockId::from(b)).last().copied();
    let mut checks: BTreeMap<LoopId, Vec<(usize, bool)>> = BTreeMap::new();
    for (b, block) in region.blocks.iter().enumerate() {
        let (
            Terminator::Branch {
                cond, then, els, ..
            },
            Some(l),
        ) = (&block.term, innermost(b))
        else {
            continue;
        };
        if [then, els].contains(&&Target::Trap) && moves(cond, l) {
            checks.entry(l).or_default().push((usize::MAX - b, false));
            if is_counted(cond, l) {
                counted.insert(usize::MAX - b);
            }
        }
    }
    // What is not counted has no vectors whatever is checked in it.
    for (l, loop_) in region.loops.iter().enumerate() {
        if loop_.uncounted {
            let number = usize::MAX - region.blocks.len() - l;
            checks
                .entry(LoopId::from(l))
                .or_default()
                .push((number, false));
        }
    }
    for (b, block) in region.blocks.iter().enumerate() {
        let Some(found) = innermost(b).and_then(|l| checks.get(&l)) else {
            continue;
        };
        for inst in &block.insts {
            if let InstKind::Load { .. } | InstKind::Store { .. } = inst.kind {
                addresses.entry(inst.id).or_default().extend(found);
            }
        }
    }
    counted
}

/// Whether a counter that goes by one is compared with what does not move.
fn is_counted(cond: &Cond, l: LoopId) -> bool {
    let counts = |s: &Scev| match &s.kind {
        ScevKind::AddRec {
            loop_, operands, ..
        } => *loop_ == l && matches!(&operands[..], [_, step] if step.as_constant() == Some(1)),
        _ => false,
    };
    let still = |s: &Scev| !s.loops().contains(&l);
    match cond {
        Cond::Cmp { lhs, rhs, .. } => counts(lhs) && still(rhs) || counts(rhs) && still(lhs),
        Cond::Not(c) => is_counted(c, l),
        _ => false,
    }
}

/// Whether a condition has another value in other iterations of a loop.
pub(super) fn moves(cond: &Cond, l: LoopId) -> bool {
    match cond {
        Cond::Cmp { lhs, rhs, .. } => lhs.loops().contains(&l) || rhs.loops().contains(&l),
        Cond::And(all) | Cond::Or(all) => all.iter().any(|c| moves(c, l)),
        Cond::Not(c) => moves(c, l),
        _ => false,
    }
}

/// The outermost choices that move with a loop.
fn collect<'s>(s: &'s Scev, l: LoopId, found: &mut dyn FnMut(&'s Scev, bool)) {
    if s.is_half_quotient() {
        return;
    }
    if !s.chooses() {
        let parts = s.operands().into_iter();
        parts.for_each(|part| collect(part, l, found));
    } else if s.loops().contains(&l) {
        found(s, s.divides());
    }
}
