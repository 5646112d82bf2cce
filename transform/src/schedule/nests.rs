//! The search below loops that are given: which statements share a loop, level by level (Pouchet et al. 2011, §4.4).
//!
//! ```text
//! {S0, S1: {S0} {S1}} {S2}       for .. { for .. S0; for .. S1 }  for .. S2
//! ```
//!
//! What is not given is the search's choice: the rows of each loop's band, and everything below the last loops. The order is not trusted, as that of [`super::search`] is not.

use super::band::{Found, History, Open, Search};
use super::fuse::{Class, components};
use super::rows::Rows;
use super::{Finder, SearchOptions, numbered};
use polytile_analysis::deps::Dependences;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Result;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Schedule, Tree, original};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Loops that are given.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// The statements that share them.
    pub stmts: BTreeSet<StmtId>,
    /// The only row of their band; `None`: those that the search finds.
    pub row: Option<Rows>,
    /// What is inside of the band, in order; nothing: the search's choice.
    pub inside: Vec<Nest>,
}

impl Nest {
    /// Loops of which no more is given than their statements.
    pub fn of(stmts: BTreeSet<StmtId>) -> Nest {
        Nest {
            stmts,
            ..Nest::default()
        }
    }
}

/// `{S0,S1}`, with a row of its own `{S0,S1 first}`, with loops inside `{S0,S1: {S0}{S1}}`.
impl fmt::Display for Nest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.stmts.iter().map(ToString::to_string).collect();
        write!(f, "{{{}", names.join(","))?;
        if self.row.is_some() {
            write!(f, " first")?;
        }
        if !self.inside.is_empty() {
            write!(f, ": ")?;
        }
        self.inside.iter().try_for_each(|n| write!(f, "{n}"))?;
        write!(f, "}}")
    }
}

/// A schedule with these loops, outermost ones in their order. `None` if statements of one of them have no loop to share.
///
/// # Errors
/// [`polytile_analysis::poly::Error::Quota`] where the budget of the options, or a quota, does not suffice; those of the set library.
pub fn search_nests(
    scop: &Scop,
    deps: &Dependences,
    options: &SearchOptions,
    nests: &[Nest],
) -> Result<Option<Schedule>> {
    let source = original(scop)?;
    let finder = Finder::new(scop, options, &source)?;
    let root = finder.nests(&finder.open(deps)?, &History::new(), nests)?;
    Ok(root.map(|root| Schedule { root, ..source }))
}

/// What the band of one of these outermost loops leaves: dependences, and the rows so far. `None` if there is no band.
///
/// # Errors
/// Those of [`search_nests`].
pub(crate) fn below(
    scop: &Scop,
    deps: &Dependences,
    options: &SearchOptions,
    (nests, at): (&[Nest], usize),
) -> Result<Option<(Vec<Open>, History)>> {
    let source = original(scop)?;
    let finder = Finder::new(scop, options, &source)?;
    let (open, history) = (finder.open(deps)?, History::new());
    let component = parts(nests, &open);
    match finder.begun(&nests[at], &open, &history, &component)? {
        Some(found) if !found.rows.is_empty() => {
            let stmts = &nests[at].stmts;
            let found = super::order::ordered(scop, stmts, &history, found);
            finder.below(stmts, &open, &history, &found).map(Some)
        }
        _ => Ok(None),
    }
}

/// The strongly connected components of all statements of some loops, by their numbers.
fn parts(nests: &[Nest], open: &[Open]) -> BTreeMap<StmtId, usize> {
    let all: Class = nests.iter().flat_map(|n| &n.stmts).copied().collect();
    numbered(&components(&all, open))
}

impl Finder<'_> {
    /// A sequence of loops.
    fn nests(&self, open: &[Open], history: &History, nests: &[Nest]) -> Result<Option<Tree>> {
        let component = parts(nests, open);
        let mut branches = vec![];
        for nest in nests {
            let Some(found) = self.begun(nest, open, history, &component)? else {
                return Ok(None);
            };
            let Some(child) = self.nest(nest, found, open, history)? else {
                return Ok(None);
            };
            branches.push(Branch {
                filter: self.instances(&nest.stmts)?,
                child,
            });
        }
        Ok(Some(match branches.len() {
            1 => branches.remove(0).child,
            _ => Tree::Sequence(branches),
        }))
    }

    /// The band of a loop; `None` if its statements have none to share.
    fn begun(
        &self,
        nest: &Nest,
        open: &[Open],
        history: &History,
        component: &BTreeMap<StmtId, usize>,
    ) -> Result<Option<Found>> {
        let stmts = &nest.stmts;
        if let Some(row) = &nest.row {
            let own: Vec<&Open> = open.iter().filter(|d| d.is_inside(stmts)).collect();
            return Ok(Some(Found {
                coincident: vec![self.search.coincident(row, &own)?],
                rows: vec![row.clone()],
            }));
        }
        let found = self.search.band(stmts, open, history, component)?;
        if !found.rows.is_empty() || components(stmts, open).len() == 1 {
            return Ok(Some(found));
        }
        let far = Search {
            far: true,
            ..self.search.clone()
        };
        let found = far.band(stmts, open, history, component)?;
        Ok((!found.rows.is_empty()).then_some(found))
    }

    /// A loop with what is inside.
    fn nest(
        &self,
        nest: &Nest,
        found: Found,
        open: &[Open],
        history: &History,
    ) -> Result<Option<Tree>> {
        let stmts = &nest.stmts;
        if nest.inside.is_empty() {
            return self.cluster(stmts, found, open, history).map(Some);
        }
        if found.rows.is_empty() {
            return Ok(None);
        }
        let found = super::order::ordered(self.search.scop, stmts, history, found);
        let (rest, inner) = self.below(stmts, open, history, &found)?;
        match self.nests(&rest, &inner, &nest.inside)? {
            Some(child) => self.band(found, child).map(Some),
            None => Ok(None),
        }
    }
}
