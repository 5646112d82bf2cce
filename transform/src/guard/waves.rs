//! Programs that gain by threads alone, though their loops are not the original's: [`only_waves`].
//!
//! Tiles that run in waves are there for threads where the model sees no traffic that they save:
//!
//! ```text
//! for i: for j: s[i][j] = max(s[i-1][j-1] + .., s[i-1][j], s[i][j-1])      each row fits the cache, and so does the next
//! ```
//!
//! On one thread such tiles cost their loops and gain nothing: the original runs there.

use crate::cost::{Model, typical};
use crate::live::statements;
use crate::target::Target;
use polytile_analysis::poly::{self, MultiUnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Schedule, Tree};

/// Whether all statements of greatest depth run in tiles of that kind.
pub fn only_waves(scop: &Scop, schedule: &Schedule, target: &Target) -> poly::Result<bool> {
    let walk = Walk {
        scop,
        target,
        typical: typical(scop)?,
        depth: scop.stmts.iter().map(|s| s.depth()).max().unwrap_or(0),
    };
    walk.tree(&schedule.root, &schedule.domain, &mut vec![])
}

struct Walk<'a> {
    scop: &'a Scop,
    target: &'a Target,
    typical: Vec<i64>,
    /// Of the deepest statements.
    depth: usize,
}

impl Walk<'_> {
    fn tree(
        &self,
        tree: &Tree,
        domain: &UnionSet,
        outer: &mut Vec<MultiUnionPwAff>,
    ) -> poly::Result<bool> {
        Ok(match tree {
            Tree::Leaf => statements(self.scop, domain)?
                .iter()
                .all(|s| self.scop.stmt(*s).depth() < self.depth),
            Tree::Mark(_, child) => self.tree(child, domain, outer)?,
            Tree::Sequence(list) | Tree::Set(list) => {
                for b in list {
                    if !self.tree(&b.child, &domain.intersect(&b.filter)?, outer)? {
                        return Ok(false);
                    }
                }
                true
            }
            Tree::Band(band) if self.is_wave(band, domain, outer)? => true,
            Tree::Band(band) => {
                outer.push(band.schedule.clone());
                let all = self.tree(&band.child, domain, outer)?;
                outer.pop();
                all
            }
        })
    }

    /// Whether a band is one of tiles in waves that save no traffic, and below it are loops alone.
    fn is_wave(
        &self,
        band: &Band,
        domain: &UnionSet,
        outer: &[MultiUnionPwAff],
    ) -> poly::Result<bool> {
        let waves = band.tile.as_ref().is_some_and(|t| !t.wavefront.is_empty());
        let rows: usize = outer.iter().map(MultiUnionPwAff::size).sum();
        if !waves || rows + band.schedule.size() != self.depth || !plain(&band.child) {
            return Ok(false);
        }
        let points = Band {
            tile: None,
            child: Tree::Leaf,
            ..band.clone()
        };
        let model = Model::new(self.scop, outer, &points, domain, &self.typical)?;
        Ok(model.is_some_and(|m| m.sizes(self.target).is_none()))
    }
}

/// Loops one iteration after the other, without tiles and marks.
fn plain(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Mark(..) => false,
        Tree::Sequence(list) | Tree::Set(list) => list.iter().all(|b| plain(&b.child)),
        Tree::Band(b) => b.tile.is_none() && b.is_sequential() && plain(&b.child),
    }
}
