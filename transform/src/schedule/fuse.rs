//! Clusters: which statements share a band.
//!
//! Strongly connected components of the open dependences are merged pairwise as long as nothing is lost by it: as many
//! rows, as many coincident ones, and a coincident first row where both had one. Pairs with a dependence come first, then
//! pairs that share an array, then statements of lower depth that a deeper one depends on or feeds.

use super::band::{Found, History, Open, Search};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Result;
use polytile_analysis::scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// Which statements share loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fusion {
    /// None that are not strongly connected.
    None,
    /// Those that keep parallelism, permutability and dimensionality.
    #[default]
    Smart,
    /// All that may.
    Max,
}

/// Statements that are scheduled together.
pub type Class = BTreeSet<StmtId>;

/// Strongly connected components, in an order that respects dependences and prefers the text.
pub fn components(stmts: &Class, open: &[Open]) -> Vec<Class> {
    let mut graph: DiGraphMap<u32, ()> = DiGraphMap::new();
    for s in stmts {
        graph.add_node(s.0);
    }
    for d in open
        .iter()
        .filter(|d| stmts.contains(&d.src) && stmts.contains(&d.dst))
    {
        graph.add_edge(d.src.0, d.dst.0, ());
    }
    let classes = tarjan_scc(&graph)
        .into_iter()
        .map(|c| c.into_iter().map(StmtId).collect())
        .collect();
    topological(classes, open)
}

/// Classes in an order that respects dependences; ties by the first statement.
pub fn topological(mut classes: Vec<Class>, open: &[Open]) -> Vec<Class> {
    classes.sort_by_key(|c| c.first().copied());
    let mut order = vec![];
    while !classes.is_empty() {
        let ready = (0..classes.len()).find(|&i| {
            let waits = |d: &Open| classes[i].contains(&d.dst) && !classes[i].contains(&d.src);
            !open
                .iter()
                .any(|d| waits(d) && classes.iter().any(|c| c.contains(&d.src)))
        });
        order.push(classes.remove(ready.unwrap_or(0)));
    }
    order
}

/// A merge under way.
pub struct Fuser<'a, 's> {
    pub search: &'a Search<'s>,
    pub open: &'a [Open],
    pub history: &'a History,
    pub component: &'a BTreeMap<StmtId, usize>,
    pub policy: Fusion,
}

impl Fuser<'_, '_> {
    /// Merges classes; each comes with its band.
    pub fn fuse(&self, classes: Vec<Class>) -> Result<Vec<(Class, Found)>> {
        let mut list: Vec<(Class, Found)> = vec![];
        for c in classes {
            let found = self
                .search
                .band(&c, self.open, self.history, self.component)?;
            list.push((c, found));
        }
        if self.policy == Fusion::None {
            return Ok(list);
        }
        let mut refused: BTreeSet<(Class, Class)> = BTreeSet::new();
        while let Some((i, j)) = self.candidate(&list, &refused) {
            let union: Class = list[i].0.union(&list[j].0).copied().collect();
            let band = self
                .search
                .band(&union, self.open, self.history, self.component)?;
            if self.accept(&list[i], &list[j], &band) {
                list.remove(j);
                list.remove(i);
                list.push((union, band));
                let order = topological(list.iter().map(|(c, _)| c.clone()).collect(), self.open);
                list.sort_by_key(|(c, _)| order.iter().position(|o| o == c));
            } else {
                refused.insert((list[i].0.clone(), list[j].0.clone()));
            }
        }
        Ok(list)
    }

    /// The best pair that was not refused yet: `(i, j)` with `i < j`.
    fn candidate(
        &self,
        list: &[(Class, Found)],
        refused: &BTreeSet<(Class, Class)>,
    ) -> Option<(usize, usize)> {
        let mut best: Option<((usize, usize), (usize, usize))> = None;
        for i in 0..list.len() {
            for j in i + 1..list.len() {
                if refused.contains(&(list[i].0.clone(), list[j].0.clone()))
                    || self.between(list, i, j)
                {
                    continue;
                }
                let (a, b) = (&list[i].0, &list[j].0);
                let same = self.depth(a) == self.depth(b);
                let rank = match (same, self.connected(a, b), shares(self.search.scop, a, b)) {
                    (true, true, _) => 0,
                    (true, false, true) => 1,
                    (false, true, _) => 2,
                    _ => continue,
                };
                let key = (rank, j - i);
                if best.is_none_or(|(k, _)| key < k) {
                    best = Some((key, (i, j)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    fn connected(&self, a: &Class, b: &Class) -> bool {
        let joins = |d: &Open| {
            (a.contains(&d.src) && b.contains(&d.dst)) || (b.contains(&d.src) && a.contains(&d.dst))
        };
        self.open.iter().any(joins)
    }

    /// Whether a path of dependences leads from one class to the other through a third.
    fn between(&self, list: &[(Class, Found)], i: usize, j: usize) -> bool {
        let edge = |a: usize, b: usize| {
            self.open
                .iter()
                .any(|d| list[a].0.contains(&d.src) && list[b].0.contains(&d.dst))
        };
        for (from, to) in [(i, j), (j, i)] {
            let mut pending: Vec<usize> = (0..list.len())
                .filter(|&k| k != i && k != j && edge(from, k))
                .collect();
            let mut seen: BTreeSet<usize> = pending.iter().copied().collect();
            while let Some(k) = pending.pop() {
                if edge(k, to) {
                    return true;
                }
                for n in (0..list.len()).filter(|&n| n != i && n != j && edge(k, n)) {
                    if seen.insert(n) {
                        pending.push(n);
                    }
                }
            }
        }
        false
    }

    /// Dimensions that the deepest statement of a class has left.
    fn depth(&self, class: &Class) -> usize {
        let left = |s: &StmtId| {
            let rows = self.history.get(s).map_or(&[][..], |v| v);
            super::rows::kernel(rows, self.search.scop.stmt(*s).depth()).len()
        };
        class.iter().map(left).max().unwrap_or(0)
    }

    fn accept(&self, a: &(Class, Found), b: &(Class, Found), both: &Found) -> bool {
        if both.rows.is_empty() {
            return false;
        }
        let (da, db) = (self.depth(&a.0), self.depth(&b.0));
        if da.min(db) == 0 && both.rows.is_empty() {
            return false;
        }
        if self.policy == Fusion::Max {
            return both.rows.len() >= a.1.rows.len().max(b.1.rows.len()).min(1);
        }
        let count = |f: &Found| f.coincident.iter().filter(|c| **c).count();
        let first = |f: &Found| f.coincident.first() == Some(&true);
        if da == db {
            let rows = both.rows.len() >= a.1.rows.len().max(b.1.rows.len());
            let parallel = count(both) >= count(&a.1).min(count(&b.1));
            rows && parallel && (!(first(&a.1) && first(&b.1)) || first(both))
        } else {
            let deep = if da > db { &a.1 } else { &b.1 };
            both.rows.len() == deep.rows.len()
                && count(both) >= count(deep)
                && (!first(deep) || first(both))
        }
    }
}

/// Whether two classes access a common array.
fn shares(scop: &Scop, a: &Class, b: &Class) -> bool {
    let arrays = |c: &Class| -> BTreeSet<_> {
        c.iter()
            .flat_map(|s| &scop.stmt(*s).accesses)
            .map(|x| x.array)
            .collect()
    };
    !arrays(a).is_disjoint(&arrays(b))
}
