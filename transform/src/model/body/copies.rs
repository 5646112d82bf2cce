//! Copies side by side: what LLVM packs of straight code in which its loop vectorizer finds no lanes.
//!
//! ```text
//! for l { c[i][0] += a[i][l]*b[l][0]; c[i][1] += a[i][l]*b[l][1]; .. }          a short loop over j that was written out
//! ```
//!
//! The elements that one copy accesses lie behind those of the copy before, or are the same. Straight code is packed where LLVM knows that arrays
//! are apart: it asks nothing at run time for it. Lanes of a loop in which copies fill all of an iteration's part of memory are as those of a loop
//! over single elements.

use super::Body;
use super::item::Item;
use crate::model::LINE;
use crate::model::facts::{AccessFacts, Home, Kind};
use crate::target::Target;

/// Accesses that LLVM's loop vectorizer takes for one group.
const MOST: i64 = 8;

impl Body<'_> {
    /// Counts the copies in each run of them.
    pub(super) fn count_copies(&mut self) {
        for run in self.items.chunk_by_mut(|one, next| next.follows(one)) {
            let copies = run.len() as i64;
            run.iter_mut().for_each(|item| item.copies = copies);
        }
    }

    /// Takes runs of copies for vectors of as many elements as there are, the rest for shorter ones.
    pub(super) fn pack_copies(&mut self, target: &Target) {
        for item in &mut self.items {
            let alone = item.facts.accesses.iter().all(|a| a.own.is_none());
            if item.copies == 1 || !alone || !item.computes_words() {
                continue;
            }
            let bytes = item.facts.nodes[item.facts.roots[0]].bytes.max(1);
            let vector = (LINE as i64).min(i64::from(target.core.loop_bits) / 8);
            let lanes = (vector / bytes).max(1);
            let pieces = item.copies / lanes + i64::from((item.copies % lanes).count_ones());
            item.packed = item.packed.max(item.copies as f64 / pieces as f64);
        }
    }
}

impl Item<'_> {
    /// Whether it does one element further what another one does.
    fn follows(&self, other: &Item) -> bool {
        let (own, others) = (&self.facts, &other.facts);
        let computes = own.nodes.len() == others.nodes.len()
            && own
                .nodes
                .iter()
                .zip(&others.nodes)
                .all(|(a, b)| (a.kind, &a.args, a.bytes) == (b.kind, &b.args, b.bytes));
        let beside = || {
            let mut both = own.accesses.iter().zip(&others.accesses);
            own.accesses.len() == others.accesses.len()
                && both.all(|(a, b)| {
                    let gain = a.address(&self.now) - b.address(&other.now);
                    let moves = gain == a.bytes || gain == 0 && !a.writes;
                    let memory = a.home == Home::Memory;
                    (a.array, a.bytes) == (b.array, b.bytes) && moves && memory
                })
        };
        let plain = self.active && other.active && !own.conditional && !self.guarded;
        plain && computes && beside()
    }

    /// Whether it and the other copies fill what an access moves by per iteration.
    pub(super) fn fills(&self, a: &AccessFacts, gain: i64) -> bool {
        (2..=MOST).contains(&self.copies) && gain.abs() == self.copies * a.bytes
    }

    /// Whether vectors take what it computes as they take words: bytes are widened on their way, and products of long integers take long.
    fn computes_words(&self) -> bool {
        self.facts.nodes.iter().all(|n| match n.kind {
            Kind::Float | Kind::Fused => n.bytes >= 4,
            Kind::Simple | Kind::Product => n.bytes == 4,
            Kind::Read(_) | Kind::Invariant | Kind::Free => true,
            _ => false,
        })
    }
}
