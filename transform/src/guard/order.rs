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
use crate::simd::{linear_part, reordered};
use crate::target::Target;
use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{self, UnionPwAff, UnionSet};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::tree::{Band, LoopKind, Schedule, Tree, iterator, original};
use std::collections::BTreeMap;

/// Whether the innermost loops of the original carry no dependence but those of reductions, and its order is kept, but for
/// statements that are in fewer loops together, and for tiles that save no traffic.
pub fn only_threads(
    scop: &Scop,
    deps: &Dependences,
    schedule: &Schedule,
    target: &Target,
) -> poly::Result<bool> {
    let before = original(scop)?;
    if !free(&before.root, &before.domain, &in_memory(scop, deps)?)? {
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
    Ok(old
        .zip(new)
        .is_some_and(|(old, new)| shares_no_more(&new, &old)))
}

/// What the original carries from one iteration to the next through memory, where it could be in registers. Scalars are in
/// registers in either program, also where their last value's cell stands for them, and sums have lanes
/// ([`super::same_loops`]).
fn in_memory(scop: &Scop, deps: &Dependences) -> poly::Result<Live> {
    let loads = |s: StmtId, array: ArrayId| {
        let mut reads = scop.stmt(s).reads().iter();
        reads.any(|r| r.array == array && r.inst.is_some())
    };
    let memory = |d: &Dependence| {
        let mut through = d.arrays.iter();
        through.any(|a| {
            matches!(scop.array(*a).kind, ArrayKind::Memory { .. })
                && (loads(d.src, *a) || loads(d.dst, *a))
        })
    };
    Live::of(deps.ordering(true).filter(|d| memory(d)))
}

/// Whether no two statements have more loops in common in one program than in another.
fn shares_no_more(new: &[Item], old: &[Item]) -> bool {
    let (mut before, mut after) = (Paths::new(), Paths::new());
    paths(old, &mut vec![], &mut before);
    paths(new, &mut vec![], &mut after);
    let common = |of: &Paths, s: StmtId, t: StmtId| {
        let (Some(a), Some(b)) = (of.get(&s), of.get(&t)) else {
            return 0;
        };
        a.iter().zip(b).take_while(|(a, b)| a == b).count()
    };
    let ids: Vec<StmtId> = after.keys().copied().collect();
    let mut pairs = ids.iter().flat_map(|s| ids.iter().map(move |t| (*s, *t)));
    pairs.all(|(s, t)| s == t || common(&after, s, t) <= common(&before, s, t))
}

/// The loops around each statement, by their positions.
type Paths = BTreeMap<StmtId, Vec<usize>>;

fn paths(items: &[Item], above: &mut Vec<usize>, found: &mut Paths) {
    for (at, item) in items.iter().enumerate() {
        match item {
            Item::Stmt(s) => {
                found.insert(*s, above.clone());
            }
            Item::Loop(inside) => {
                above.push(at);
                paths(inside, above, found);
                above.pop();
            }
        }
    }
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
            Tree::Band(band) if band.tile.is_some() => {
                match saves_nothing(self.scop, self.target, &self.typical, band, domain)? {
                    true => self.order(&band.child, domain, depth),
                    false => Ok(None),
                }
            }
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
        let mut loops = 0;
        for m in 0..band.schedule.size() {
            let row = band.schedule.at(m)?;
            if self.stands_still(&row, domain)? {
                continue;
            }
            if !self.counts_as(&row, domain, depth + loops)? {
                return Ok(None);
            }
            loops += 1;
        }
        let inner = self.order(&band.child, domain, depth + loops)?;
        let wrap = |items, _| vec![Item::Loop(items)];
        Ok(inner.map(|items| (0..loops).fold(items, wrap)))
    }

    /// Whether a row is no loop.
    fn stands_still(&self, row: &UnionPwAff, domain: &UnionSet) -> poly::Result<bool> {
        for id in statements(self.scop, domain)? {
            let moves = linear_part(row, self.scop.stmt(id))?;
            if moves.is_none_or(|m| m.iter().any(|c| *c != 0)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a row is the iterator of a loop of the original, for all instances.
    fn counts_as(&self, row: &UnionPwAff, domain: &UnionSet, depth: usize) -> poly::Result<bool> {
        counts_as(self.scop, row, domain, depth)
    }
}

/// Whether a row is the iterator of a loop of the original, for all instances.
fn counts_as(scop: &Scop, row: &UnionPwAff, domain: &UnionSet, depth: usize) -> poly::Result<bool> {
    let stmts: Vec<_> = statements(scop, domain)?
        .iter()
        .map(|s| scop.stmt(*s))
        .collect();
    if stmts.iter().any(|s| s.depth() <= depth) {
        return Ok(false);
    }
    let same = iterator(scop, &stmts, depth)?.at(0)?;
    let equal = row.sub(&same)?.zero_union_set()?;
    domain.is_subset(&equal)
}

/// Whether tiles bring no less into the caches than the loops alone, in the original's order where they are its loops.
pub(crate) fn saves_nothing(
    scop: &Scop,
    target: &Target,
    typical: &[i64],
    band: &Band,
    domain: &UnionSet,
) -> poly::Result<bool> {
    let members = band.schedule.size();
    let mut order: Vec<(usize, usize)> = vec![];
    for m in 0..members {
        let row = band.schedule.at(m)?;
        let mut depth = m;
        for d in 0..members {
            if counts_as(scop, &row, domain, d)? {
                depth = d;
            }
        }
        order.push((depth, m));
    }
    order.sort_unstable();
    let order: Vec<usize> = order.into_iter().map(|(_, m)| m).collect();
    let points = Band {
        tile: None,
        child: Tree::Leaf,
        ..reordered(band, &order)?
    };
    let model = Model::new(scop, &[], &points, domain, typical)?;
    Ok(model.is_some_and(|m| m.sizes(target).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{flagged, flat_schedule, sample};
    use polytile_analysis::deps::compute;
    use polytile_analysis::ids::ValueId;
    use polytile_analysis::poly::Ctx;

    fn threads(name: &str, flat: &str) -> bool {
        let ctx = Ctx::new();
        let mut scop = sample(&ctx, name);
        // Every element is loaded where it is read.
        for a in scop.stmts.iter_mut().flat_map(|s| &mut s.accesses) {
            a.inst = Some(ValueId(0));
        }
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
