//! Chains along the innermost member.
//!
//! ```text
//! for t: for i: for j: a[i][j] = (a[i-1][j-1] + .. + a[i][j-1] + .. + a[i+1][j+1]) / 9
//! ```
//!
//! Each iteration of `j` waits for the one before, here for six additions and a division, while the processor could issue
//! several iterations in that time. Other rows of the tile do not wait for this one as a whole, but stand behind it in
//! program order: a processor that looks ahead some hundred operations meets the next row only where rows are short. With
//! tiles of `n` iterations of the innermost member, where two rows fit what it looks ahead, their chains overlap.
//!
//! | symbol | here |
//! |---|---|
//! | latency of a chain, in cycles | longest path from the read that the iteration before wrote to the root of the body |
//! | operations of an iteration | its reads, its write and its operations |
//! | `n` | [`LOOK_AHEAD`] / 2 / operations |

use super::{Place, Planner, members};
use crate::cost::latency;
use crate::live::statements;
use polytile_analysis::body::NodeKind;
use polytile_analysis::poly;
use polytile_analysis::tree::Band;

/// Operations that a processor looks ahead, about.
const LOOK_AHEAD: usize = 320;

/// Operations that it issues in a cycle, about.
const PER_CYCLE: usize = 4;

/// A chain is one if its latency is so many times the time that issuing takes.
const MIN_RATIO: usize = 2;

/// Shorter rows cost more than they hide.
const MIN_LENGTH: i64 = 4;

/// Cycles that a point takes which is started alone, in a short loop: some, and so many tenths per operation.
const ALONE: (usize, usize) = (6, 4);

/// The chain along the innermost member of a band.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chain {
    /// Cycles from an iteration to the next.
    latency: usize,
    /// Operations of an iteration.
    operations: usize,
}

impl Chain {
    /// Whether iterations mostly wait for each other.
    pub(super) fn is_long(self) -> bool {
        self.latency * PER_CYCLE >= MIN_RATIO * self.operations
    }

    /// So many iterations are half of what the processor looks ahead.
    pub(super) fn run(self) -> i64 {
        let n = LOOK_AHEAD / 2 / self.operations / 4 * 4;
        i64::try_from(n).map_or(MIN_LENGTH, |n| n.max(MIN_LENGTH))
    }

    /// Cycles of an iteration where the chains of two rows go on at the same time.
    pub(super) fn halved(self) -> usize {
        self.latency / 2
    }

    /// Cycles of an iteration among independent ones, of which each loop has few.
    pub(super) fn alone(self) -> usize {
        ALONE.0 + ALONE.1 * self.operations / 10
    }
}

impl Planner<'_> {
    /// So many iterations of a band's innermost member belong in a tile for its chain; `None`: it has no long chain.
    pub(super) fn chain(&self, band: &Band, place: &Place) -> poly::Result<Option<i64>> {
        let chain = self.chain_of(band, place)?;
        Ok(chain.filter(|c| c.is_long()).map(Chain::run))
    }

    /// The chain along a band's innermost member; `None`: some statement computes nothing.
    pub(super) fn chain_of(&self, band: &Band, place: &Place) -> poly::Result<Option<Chain>> {
        let (mut longest, mut operations) = (0, 0);
        let rows = members(place.outer.iter().chain([&band.schedule]))?;
        for id in statements(self.scop, &place.domain)? {
            let stmt = self.scop.stmt(id);
            if stmt.body.nodes.is_empty() {
                return Ok(None);
            }
            let operation = |k: &NodeKind| matches!(k, NodeKind::Read(_) | NodeKind::Op { .. });
            let nodes = stmt.body.nodes.iter().filter(|n| operation(&n.kind));
            operations += 1 + nodes.count();
            longest = longest.max(latency(stmt, &rows)?);
        }
        Ok((operations > 0).then_some(Chain {
            latency: longest,
            operations,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_very_long_chains_run_by_diagonals_where_lanes_are_missing() {
        let chain = |latency, operations| Chain {
            latency,
            operations,
        };
        let (five, nine, table) = (chain(16, 11), chain(37, 19), chain(4, 13));
        assert!(five.is_long() && five.halved() < five.alone());
        assert!(nine.is_long() && nine.halved() > nine.alone());
        assert!(!table.is_long());
        assert_eq!((five.run(), nine.run()), (12, 8));
    }
}
