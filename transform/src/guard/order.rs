//! Programs that gain by threads alone, because their order is the original's: [`only_threads`].
//!
//! ```text
//! for i: a[i] = b[i] + 1                                 dealt to threads, and nothing else
//! for i: for j: a[i][j] = a[i-1][j] + b[i][j]            strips of columns, row by row in each: the rows fit the cache anyway
//! ```
//!
//! On one thread the new loops do what the old ones did, through a function with a block of captured values, in strips or
//! pieces. The original does the same and never worse.

use super::same::free;
use crate::cost::{Model, typical};
use crate::live::{Live, statements};
use crate::target::Target;
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, UnionPwAff, UnionSet};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::tree::{Band, LoopKind, Schedule, Tree, iterator, original};

/// Whether the innermost loops of the original carry no dependence, and its order is kept, but for tiles that save no traffic.
pub fn only_threads(
    scop: &Scop,
    deps: &Dependences,
    schedule: &Schedule,
    target: &Target,
) -> poly::Result<bool> {
    if scop.arrays.iter().any(|a| a.kind == ArrayKind::Temporary) {
        return Ok(false);
    }
    let before = original(scop)?;
    if !free(&before.root, &before.domain, &Live::at_root(deps)?)? {
        return Ok(false);
    }
    let walk = Walk {
        scop,
        target,
        typical: typical(scop)?,
    };
    let (old, new) = (
        walk.order(&before.root, &before.domain, 0)?,
        walk.order(&schedule.root, &schedule.domain, 0)?,
    );
    Ok(new.is_some() && old == new)
}

/// Loops that count as the original's iterators do, and what they contain, in order.
#[derive(PartialEq, Eq, Debug)]
enum Item {
    Stmt(StmtId),
    Loop(Vec<Item>),
}

struct Walk<'a> {
    scop: &'a Scop,
    target: &'a Target,
    typical: Vec<i64>,
}

impl Walk<'_> {
    /// The order of a tree below `depth` loops; `None` if it cannot be said in these terms.
    fn order(
        &self,
        tree: &Tree,
        domain: &UnionSet,
        depth: usize,
    ) -> poly::Result<Option<Vec<Item>>> {
        match tree {
            Tree::Leaf => Ok(match statements(self.scop, domain)?[..] {
                [one] => Some(vec![Item::Stmt(one)]),
                _ => None,
            }),
            Tree::Mark(..) => Ok(None),
            Tree::Sequence(list) | Tree::Set(list) => {
                let mut all = vec![];
                for b in list {
                    let part = domain.intersect(&b.filter)?;
                    match self.order(&b.child, &part, depth)? {
                        Some(items) => all.extend(items),
                        None => return Ok(None),
                    }
                }
                Ok(Some(all))
            }
            Tree::Band(band) if band.tile.is_some() => match self.saves_nothing(band, domain)? {
                true => self.order(&band.child, domain, depth),
                false => Ok(None),
            },
            Tree::Band(band) => self.band(band, domain, depth),
        }
    }

    fn band(
        &self,
        band: &Band,
        domain: &UnionSet,
        depth: usize,
    ) -> poly::Result<Option<Vec<Item>>> {
        let known = |l: &LoopKind| {
            matches!(
                l,
                LoopKind::Sequential | LoopKind::Parallel(_) | LoopKind::Vector
            )
        };
        if !band.loops.iter().all(known) {
            return Ok(None);
        }
        for m in 0..band.schedule.size() {
            if !self.counts_as(&band.schedule.at(m)?, domain, depth + m)? {
                return Ok(None);
            }
        }
        let inner = self.order(&band.child, domain, depth + band.schedule.size())?;
        let wrap = |items, _| vec![Item::Loop(items)];
        Ok(inner.map(|items| (0..band.schedule.size()).fold(items, wrap)))
    }

    /// Whether a row is the iterator of a loop of the original, for all instances.
    fn counts_as(&self, row: &UnionPwAff, domain: &UnionSet, depth: usize) -> poly::Result<bool> {
        let stmts: Vec<_> = statements(self.scop, domain)?
            .iter()
            .map(|s| self.scop.stmt(*s))
            .collect();
        if stmts.iter().any(|s| s.depth() <= depth) {
            return Ok(false);
        }
        let same = iterator(self.scop, &stmts, depth)?.at(0)?;
        let equal = row.sub(&same)?.zero_union_set()?;
        domain.is_subset(&equal)
    }

    /// Whether tiles bring no less into the caches than the loops alone.
    fn saves_nothing(&self, band: &Band, domain: &UnionSet) -> poly::Result<bool> {
        let points = Band {
            tile: None,
            child: Tree::Leaf,
            ..band.clone()
        };
        let model = Model::new(self.scop, &[], &points, domain, &self.typical)?;
        Ok(model.is_some_and(|m| m.sizes(self.target).is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{flagged, flat_schedule, sample};
    use polytile_analysis::deps::compute;
    use polytile_analysis::poly::Ctx;

    fn threads(name: &str, flat: &str) -> bool {
        let ctx = Ctx::new();
        let scop = sample(&ctx, name);
        let deps = compute(&scop, false).unwrap();
        let schedule = flagged(&scop, &flat_schedule(&scop, flat));
        only_threads(
            &scop,
            &deps,
            &schedule,
            &Target::lookup("x86_64-pc-linux-gnu", "znver5", ""),
        )
        .unwrap()
    }

    #[test]
    fn the_original_order_gains_threads() {
        assert!(threads(
            "jacobi-2d",
            "{ S0[t,i,j] -> [t,0,i,j]; S1[t,i,j] -> [t,1,i,j] }"
        ));
    }

    #[test]
    fn another_order_may_gain_more() {
        let interchanged = "{ S0[t,i,j] -> [t,0,j,i]; S1[t,i,j] -> [t,1,i,j] }";
        let fused = "{ S0[t,i,j] -> [t,i,0,j]; S1[t,i,j] -> [t,i+1,1,j] }";
        assert!(!threads("jacobi-2d", interchanged));
        assert!(!threads("jacobi-2d", fused));
        // Its innermost loop carries a dependence that the schedule's does not wait for.
        assert!(!threads("floyd-warshall", "{ S0[k,i,j] -> [k,i,j] }"));
    }
}
