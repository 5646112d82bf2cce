//! The search for a schedule, after Pluto (Bondhugula, Hartono, Ramanujam, Sadayappan, PLDI 2008; Pouchet et al. 2011, §4.1).
//!
//! ```text
//! schedule(C, D):  clusters = strongly connected components of C under D, merged where nothing is lost   (fuse)
//!   for each cluster K, in dependence order:
//!     band = as many rows as have non-negative distance on all of D                                     (band)
//!     child = schedule(K, what the band leaves of D)
//! ```
//!
//! | symbol | here |
//! |---|---|
//! | `theta_S(x)` | [`rows::Row`] |
//! | dependence polyhedron and its dual | [`band::Open`], [`farkas::Cone`] |
//! | bounding function `u.n + w` | [`ilp::Ilp::bounded`] |
//! | choice among rows that are equally short | [`align`] |
//! | linear independence | [`independent`] |
//!
//! Where no row is found for a cluster, its statements share the source's loop if they have one in common; else it keeps its original order. The result is not trusted: [`crate::legality`] checks it.

mod align;
pub(crate) mod band;
pub(crate) mod farkas;
pub(crate) mod fuse;
mod generators;
pub(crate) mod ilp;
pub(crate) mod independent;
pub(crate) mod lexmin;
pub mod nests;
pub mod order;
pub(crate) mod rows;

pub use fuse::Fusion;

use band::{Found, History, Open, Search};
use fuse::{Class, Fuser, components};
use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Error, Result, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, LoopKind, Schedule, Tree, original};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Steps of the search's own algorithms (products of numbers) that take as long as one operation of isl.
pub(crate) const STEPS_PER_UNIT: u64 = 64;

/// Choices of the search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Which statements share loops.
    pub fusion: Fusion,
    /// Units of work after which what is not decided keeps its original order.
    pub budget: u64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions {
            fusion: Fusion::Smart,
            budget: u64::MAX,
        }
    }
}

/// A legal schedule with bands as deep as possible.
pub fn search(scop: &Scop, deps: &Dependences, options: &SearchOptions) -> Result<Schedule> {
    let source = original(scop)?;
    let root = match Finder::new(scop, options, &source)?.root(deps) {
        Err(Error::Quota) => return Ok(source),
        root => root?,
    };
    Ok(Schedule { root, ..source })
}

struct Finder<'s> {
    search: Search<'s>,
    fusion: Fusion,
    /// The original order, for clusters without a row.
    source: Tree,
}

impl<'s> Finder<'s> {
    fn new(scop: &'s Scop, options: &SearchOptions, source: &Schedule) -> Result<Finder<'s>> {
        let budget = options.budget;
        Ok(Finder {
            search: Search {
                // With fusion it is rather no row: what is left in the source's order may be the better one, and the plan without stands beside it.
                sources: options.fusion == Fusion::None,
                until: Cell::new(scop.context.ctx().work().saturating_add(budget)),
                reserve: Cell::new(budget / 2),
                ..Search::new(scop)?
            },
            fusion: options.fusion,
            source: source.root.clone(),
        })
    }

    fn root(&self, deps: &Dependences) -> Result<Tree> {
        let open = self.open(deps)?;
        let all: Class = self.search.scop.stmts.iter().map(|s| s.id).collect();
        self.tree(&all, &open, &History::new())
    }

    /// All dependences that order instances.
    fn open(&self, deps: &Dependences) -> Result<Vec<Open>> {
        let open = |d: &Dependence| {
            let relation = d.relation.clone();
            self.search.open(d.src, d.dst, d.kind, relation)
        };
        deps.ordering(false).map(open).collect()
    }

    fn tree(&self, stmts: &Class, open: &[Open], history: &History) -> Result<Tree> {
        let classes = components(stmts, open);
        let component = numbered(&classes);
        let done = |c: &Class| c.iter().all(|s| self.search.left(*s, history) == 0);
        if classes.len() == 1 && done(&classes[0]) {
            return Ok(if classes[0].len() == 1 {
                Tree::Leaf
            } else {
                self.source.clone()
            });
        }
        let fuser = Fuser {
            search: &self.search,
            open,
            history,
            component: &component,
            policy: self.fusion,
        };
        let clusters = match fuser.fuse(classes.clone()) {
            Ok(c) => c,
            Err(Error::Quota) => return Ok(self.source.clone()),
            Err(e) => return Err(e),
        };
        let single = clusters.len() == 1;
        let mut branches = vec![];
        for (class, found) in clusters {
            let child = self.cluster(&class, found, open, history)?;
            if single {
                return Ok(child);
            }
            branches.push(Branch {
                filter: self.instances(&class)?,
                child,
            });
        }
        Ok(Tree::Sequence(branches))
    }

    fn cluster(
        &self,
        class: &Class,
        found: Found,
        open: &[Open],
        history: &History,
    ) -> Result<Tree> {
        if found.rows.is_empty() {
            if class.len() == 1 && class.iter().all(|s| self.search.left(*s, history) == 0) {
                return Ok(Tree::Leaf);
            }
            let parts = components(class, open);
            return if parts.len() > 1 {
                self.apart(parts, open, history)
            } else {
                Ok(self.source.clone())
            };
        }
        let found = order::ordered(self.search.scop, class, history, found);
        self.search.go_on();
        let child = match self.below(class, open, history, &found) {
            Ok((rest, inner)) => self.tree(class, &rest, &inner)?,
            // What equal rows leave runs in the original order.
            Err(Error::Quota) => self.source.clone(),
            Err(e) => return Err(e),
        };
        self.band(found, child)
    }

    /// The dependences that a band leaves, and all rows so far.
    fn below(
        &self,
        class: &Class,
        open: &[Open],
        history: &History,
        found: &Found,
    ) -> Result<(Vec<Open>, History)> {
        let rest = self.search.residual(class, open, &found.rows)?;
        let mut inner = history.clone();
        for row in &found.rows {
            for (s, r) in row {
                inner.entry(*s).or_default().push(r.iters.clone());
            }
        }
        Ok((rest, inner))
    }

    fn band(&self, found: Found, child: Tree) -> Result<Tree> {
        let members = found.rows.len();
        Ok(Tree::Band(Box::new(Band {
            schedule: rows::schedule(self.search.scop, &found.rows)?,
            permutable: true,
            coincident: found.coincident,
            loops: vec![LoopKind::Sequential; members],
            tile: None,
            child,
        })))
    }

    /// Components one after the other.
    fn apart(&self, parts: Vec<Class>, open: &[Open], history: &History) -> Result<Tree> {
        let mut branches = vec![];
        for part in parts {
            branches.push(Branch {
                filter: self.instances(&part)?,
                child: self.tree(&part, open, history)?,
            });
        }
        Ok(Tree::Sequence(branches))
    }

    fn instances(&self, class: &Class) -> Result<UnionSet> {
        let mut all = UnionSet::empty(&self.search.scop.context.space()?)?;
        for s in class {
            all = all.union(&self.search.scop.stmt(*s).domain.to_union_set()?)?;
        }
        Ok(all)
    }
}

/// For each statement the number of its class.
pub(crate) fn numbered(classes: &[Class]) -> BTreeMap<StmtId, usize> {
    let stmts = |(i, c): (usize, &Class)| c.iter().map(move |s| (*s, i)).collect::<Vec<_>>();
    classes.iter().enumerate().flat_map(stmts).collect()
}

#[cfg(test)]
mod tests;
