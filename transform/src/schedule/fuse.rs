//! Clusters: which statements share a band.
//!
//! Strongly connected components of the open dependences are merged pairwise as long as nothing is lost by it: as many
//! rows, as many coincident ones, and a coincident first row where both had one. Pairs with a dependence come first, then
//! pairs that share an array, then statements of lower depth that a deeper one depends on or feeds. A statement without
//! loops stays beside those of others: as one of their iterations it would be a condition in them, or part them.

use super::band::{Found, History, Open, Search};
use super::rows::{Row, Rows};
use crate::expand::has_chain;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Error, Result};
use polytile_analysis::scop::{ArrayKind, Scop, Stmt};
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
    for d in open.iter().filter(|d| d.is_inside(stmts)) {
        graph.add_edge(d.src.0, d.dst.0, ());
    }
    let classes = tarjan_scc(&graph)
        .into_iter()
        .map(|c| c.into_iter().map(StmtId).collect())
        .collect();
    topological(classes, open)
}

/// Classes in an order that respects dependences; ties by the first statement.
fn topological(mut classes: Vec<Class>, open: &[Open]) -> Vec<Class> {
    classes.sort_by_key(|c| c.first().copied());
    let edges = Edges::new(&classes, open);
    let mut left: Vec<usize> = (0..classes.len()).collect();
    let mut order = vec![];
    while !left.is_empty() {
        let ready = |i: &usize| left.iter().all(|k| !edges.edge(*k, *i));
        let at = left.iter().position(ready).unwrap_or(0);
        order.push(std::mem::take(&mut classes[left.remove(at)]));
    }
    order
}

/// The graph of dependences between classes.
struct Edges {
    count: usize,
    direct: Vec<bool>,
    /// Also over further classes.
    path: Vec<bool>,
}

impl Edges {
    fn new(classes: &[Class], open: &[Open]) -> Edges {
        let count = classes.len();
        let class_of: BTreeMap<StmtId, usize> = classes
            .iter()
            .enumerate()
            .flat_map(|(i, c)| c.iter().map(move |s| (*s, i)))
            .collect();
        let mut direct = vec![false; count * count];
        for d in open {
            if let (Some(a), Some(b)) = (class_of.get(&d.src), class_of.get(&d.dst)) {
                direct[a * count + b] |= a != b;
            }
        }
        let mut path = direct.clone();
        for k in 0..count {
            for i in 0..count {
                if !path[i * count + k] {
                    continue;
                }
                for j in 0..count {
                    path[i * count + j] |= path[k * count + j];
                }
            }
        }
        Edges {
            count,
            direct,
            path,
        }
    }

    fn edge(&self, from: usize, to: usize) -> bool {
        self.direct[from * self.count + to]
    }

    fn connected(&self, i: usize, j: usize) -> bool {
        self.edge(i, j) || self.edge(j, i)
    }

    /// Whether a path leads from one of two classes to the other through a third. There are no cycles.
    fn between(&self, i: usize, j: usize) -> bool {
        let through = |a: usize, b: usize| {
            (0..self.count).any(|k| k != b && self.edge(a, k) && self.path[k * self.count + b])
        };
        through(i, j) || through(j, i)
    }
}

/// What a merge may lose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Price {
    Nothing,
    /// Rows inside of a coincident one, where lines are handed on, see [`Fuser::hand_on_lines`].
    RowsAlongLines,
}

/// Merges that may be tried.
const TRIES: usize = 400;

/// A class under merging.
struct Cluster {
    /// Its number, for memory of refusals.
    id: usize,
    class: Class,
    found: Found,
    /// Dimensions that its deepest statement has left.
    depth: usize,
    /// Whether it has borders only, see [`Fuser::border`].
    border: bool,
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
    /// Merges classes; each comes with its band. Where the time or the number of tries is over, what is merged stays.
    pub fn fuse(&self, classes: Vec<Class>) -> Result<Vec<(Class, Found)>> {
        let mut list: Vec<Cluster> = vec![];
        for class in classes {
            let mut border = true;
            for s in &class {
                border = border && self.border(*s)?;
            }
            list.push(self.cluster(list.len(), class, border)?);
        }
        if self.policy != Fusion::None {
            self.merge(&mut list, Price::Nothing)?;
            self.merge(&mut list, Price::RowsAlongLines)?;
        }
        Ok(list.into_iter().map(|c| (c.class, c.found)).collect())
    }

    fn cluster(&self, id: usize, class: Class, border: bool) -> Result<Cluster> {
        let found = self
            .search
            .band(&class, self.open, self.history, self.component)?;
        let depth = self.depth(&class);
        Ok(Cluster {
            id,
            class,
            found,
            depth,
            border,
        })
    }

    fn merge(&self, list: &mut Vec<Cluster>, price: Price) -> Result<()> {
        let mut refused: BTreeSet<(usize, usize)> = BTreeSet::new();
        let first = list.iter().map(|c| c.id + 1).max().unwrap_or(0);
        let mut pairs = self.pairs(list, price);
        for next in first..first + TRIES {
            let fresh = |&(i, j): &(usize, usize)| !refused.contains(&ids(&list[i], &list[j]));
            let Some((i, j)) = pairs.iter().copied().find(fresh) else {
                return Ok(());
            };
            let union: Class = list[i].class.union(&list[j].class).copied().collect();
            let border = list[i].border && list[j].border;
            let both = match self.cluster(next, union, border) {
                Ok(both) => both,
                Err(Error::Quota) => return Ok(()),
                Err(e) => return Err(e),
            };
            if !self.accept(&list[i], &list[j], &both.found, price) {
                refused.insert(ids(&list[i], &list[j]));
                continue;
            }
            list.remove(j);
            list.remove(i);
            list.push(both);
            let order = topological(list.iter().map(|c| c.class.clone()).collect(), self.open);
            list.sort_by_key(|c| order.iter().position(|o| *o == c.class));
            pairs = self.pairs(list, price);
        }
        Ok(())
    }

    /// The pairs that may be merged, `(i, j)` with `i < j`, best first.
    fn pairs(&self, list: &[Cluster], price: Price) -> Vec<(usize, usize)> {
        let classes: Vec<Class> = list.iter().map(|c| c.class.clone()).collect();
        let edges = Edges::new(&classes, self.open);
        let arrays: Vec<BTreeSet<ArrayId>> = classes
            .iter()
            .map(|c| arrays(self.search.scop, c))
            .collect();
        let mut pairs = vec![];
        for i in 0..list.len() {
            for j in i + 1..list.len() {
                let same = list[i].depth == list[j].depth;
                let thin = same && list[i].border != list[j].border;
                if thin && self.policy != Fusion::Max {
                    continue;
                }
                let lines = || self.hand_on_lines(&arrays[i], &arrays[j]);
                if price == Price::RowsAlongLines && !lines() {
                    continue;
                }
                let shares = || !arrays[i].is_disjoint(&arrays[j]);
                let rank = match (same, edges.connected(i, j)) {
                    (true, true) => 0,
                    (true, false) if shares() => 1,
                    (false, true) if list[i].depth.min(list[j].depth) > 0 => 2,
                    _ => continue,
                };
                if !edges.between(i, j) {
                    pairs.push((rank, j - i, i, j));
                }
            }
        }
        pairs.sort();
        pairs.into_iter().map(|(_, _, i, j)| (i, j)).collect()
    }

    /// Dimensions that the deepest statement of a class has left.
    fn depth(&self, class: &Class) -> usize {
        let left = |s: &StmtId| self.search.left(*s, self.history);
        class.iter().map(left).max().unwrap_or(0)
    }

    /// Whether a statement is one of some copies of a store for parts of its iterations, or of a loop nest, is for one row or column only, and
    /// depends on no other copy: in the loops of the others it would be a condition, beside them it is a loop.
    fn border(&self, s: StmtId) -> Result<bool> {
        let scop = self.search.scop;
        let stmt = scop.stmt(s);
        let (inst, own) = (stmt.write().inst, extent(stmt)?);
        let mut any = false;
        for c in scop.stmts.iter().filter(|c| c.id != s) {
            let stores = inst.is_some() && c.write().inst == inst;
            let larger = (stores || c.iters == stmt.iters) && extent(c)? > own;
            let ends = |d: &Open| (d.src, d.dst) == (s, c.id) || (d.src, d.dst) == (c.id, s);
            if (stores || larger) && self.open.iter().any(ends) {
                return Ok(false);
            }
            any = any || larger;
        }
        Ok(any)
    }

    fn accept(&self, a: &Cluster, b: &Cluster, both: &Found, price: Price) -> bool {
        if both.rows.is_empty() {
            return false;
        }
        let (a_rows, b_rows) = (a.found.rows.len(), b.found.rows.len());
        if self.policy == Fusion::Max {
            return both.rows.len() >= a_rows.max(b_rows).min(1);
        }
        let count = |f: &Found| f.coincident.iter().filter(|c| **c).count();
        let first = |f: &Found| f.coincident.first() == Some(&true);
        if a.depth == b.depth {
            let enough = match price {
                Price::Nothing => a_rows.max(b_rows),
                Price::RowsAlongLines if first(both) => 1,
                Price::RowsAlongLines => return false,
            };
            let rows = both.rows.len() >= enough;
            let parallel = count(both) >= count(&a.found).min(count(&b.found));
            rows && parallel && (!(first(&a.found) && first(&b.found)) || first(both))
        } else {
            let deep = if a.depth > b.depth { a } else { b };
            let (class, deep) = (&deep.class, &deep.found);
            both.rows.len() == deep.rows.len()
                && count(both) >= count(deep)
                && (!first(deep) || first(both))
                && skew(both, class) <= skew(deep, class)
        }
    }

    /// Whether classes have an array in common that holds copies of lines with chains. What is used up where it was filled never goes to memory, which
    /// is worth more than a row along the line: of a sweep back there is none that a sweep forth could share.
    fn hand_on_lines(&self, a: &BTreeSet<ArrayId>, b: &BTreeSet<ArrayId>) -> bool {
        let scop = self.search.scop;
        let line = |x: &ArrayId| scop.array(*x).kind == ArrayKind::Temporary && has_chain(scop, *x);
        a.intersection(b).any(line)
    }
}

/// Iterators of a statement that have more than one value. A diagonal is as large as the rest.
fn extent(s: &Stmt) -> Result<usize> {
    let mut most = 0;
    for part in s.domain.remove_divs()?.basic_sets()? {
        let before = 1 + part.dim(DimType::Param);
        let one = |row: &&Vec<i64>| {
            let own = row.iter().skip(before).take(s.depth());
            own.filter(|c| **c != 0).count() == 1
        };
        let fixed = part.equalities_matrix()?.iter().filter(one).count();
        most = most.max(s.depth().saturating_sub(fixed));
    }
    Ok(most)
}

/// How many iterators the rows of a class add to others. A deep nest is not skewed for the sake of a shallow one: its
/// inner rows become coincident by that, but run along diagonals of its arrays.
fn skew(band: &Found, class: &Class) -> usize {
    let added = |row: &Row| {
        row.iters
            .iter()
            .filter(|c| **c != 0)
            .count()
            .saturating_sub(1)
    };
    let of_class = |rows: &Rows| {
        class
            .iter()
            .filter_map(|s| rows.get(s))
            .map(added)
            .sum::<usize>()
    };
    band.rows.iter().map(of_class).sum()
}

/// The numbers of two classes, the smaller one first.
fn ids(a: &Cluster, b: &Cluster) -> (usize, usize) {
    (a.id.min(b.id), a.id.max(b.id))
}

/// The arrays that a class accesses.
fn arrays(scop: &Scop, class: &Class) -> BTreeSet<ArrayId> {
    class
        .iter()
        .flat_map(|s| &scop.stmt(*s).accesses)
        .map(|x| x.array)
        .collect()
}
