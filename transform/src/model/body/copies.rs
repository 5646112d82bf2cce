//! Copies side by side: what LLVM packs of straight code in which its loop vectorizer finds no lanes.
//!
//! ```text
//! for l { c[i][0] += a[i][l]*b[l][0]; c[i][1] += a[i][l]*b[l][1]; .. }          a short loop over j that was written out
//! ```
//!
//! The elements that one copy accesses lie behind those of the copy before, or are the same, and LLVM knows that arrays are apart: it asks nothing
//! at run time for straight code.

use super::Body;
use super::item::{Item, LINE};
use crate::model::facts::{Home, Kind, NodeFacts};
use crate::target::Target;

impl Body<'_> {
    /// Takes runs of copies for vectors of as many elements as there are, the rest for shorter ones.
    pub(super) fn pack_copies(&mut self, target: &Target) {
        let mut first = 0;
        while first < self.items.len() {
            let more = self.items[first..].windows(2);
            let run = 1 + more.take_while(|two| two[1].follows(&two[0])).count();
            let bytes = self.items[first].facts.nodes[self.items[first].facts.roots[0]].bytes;
            let vector = (LINE as i64).min(i64::from(target.core.loop_bits) / 8);
            let lanes = ((vector / bytes.max(1)).max(1)) as usize;
            let pieces = run / lanes + (run % lanes).count_ones() as usize;
            for item in &mut self.items[first..first + run] {
                item.packed = item.packed.max(run as f64 / pieces as f64);
            }
            first += run;
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
                    let memory = a.home == Home::Memory && a.own.is_none();
                    (a.array, a.bytes) == (b.array, b.bytes) && moves && memory
                })
        };
        let plain = self.active && other.active && !own.conditional && !self.guarded;
        // Bytes are widened on their way, and products of long integers take long in vectors.
        let word = |n: &NodeFacts| match n.kind {
            Kind::Float | Kind::Fused => n.bytes >= 4,
            Kind::Simple => n.bytes == 4,
            Kind::Read(_) | Kind::Invariant | Kind::Free => true,
            _ => false,
        };
        let plain = plain && own.nodes.iter().all(word);
        plain && computes && beside()
    }
}
