//! What may share a loop at one level: groups that must, an order of groups, and classes that may (Pouchet et al. 2011, §3.2 and §4.2).
//!
//! A level is a set of statements with the dependences that the rows around it leave, and these rows. For it:
//!
//! * *Groups*: statements on a cycle of dependences must share the loop (`mustFuse` and `mergeNodes` of Figure 3; the strongly connected components are what merging pairs comes to,
//!   and a cycle through third statements is one as well).
//! * *Order*: a path of dependences from one group to another leaves no choice but to run the first one before the second one, or with it (`canDistributeAndSwap`). The closure
//!   matters: with direct dependences only, `A += ..; x += A; x += z; w += A x` (gemver) keeps a dimension that no legal order uses.
//! * *Fusability* (Definition 7): a class may share the loop if there is a row for each of its statements with non-negative coefficients, some iterator in each, independent of the rows
//!   around, constants at most `nearest` apart, no parameters, that satisfies all dependences inside the class weakly. A statement without a loop left never may. Without parameters there is no
//!   shift by a parametric distance, which would be distribution by another name.
//!
//! Classes are tested bottom-up and remembered: one with a part that may not share the loop may not either, nor one that needs such a part in its loop because that has to run between two of its
//! groups (the propagation of §4.3). A permutation that serves ([`super::unit`]) needs no integer program; what no
//! permutation decides is decided by the joint one. What that cannot decide within its limits counts as not fusable ([`Tests::open`]).

mod rows;

use super::pruned::{Allowed, Pruned};
use super::unit::Units;
use crate::schedule::band::{History, Open, Search};
use crate::schedule::fuse::{Class, components};
use crate::schedule::ilp::Solution;
use crate::schedule::numbered;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// A set of groups, a bit for each.
pub type Groups = u64;

/// More groups than this are not looked at.
pub const MOST_GROUPS: usize = 60;

/// How classes were decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tests {
    /// By a permutation.
    pub by_units: usize,
    /// By an integer program.
    pub by_program: usize,
    /// By the order of groups: what has to run in between may not share the loop.
    pub by_order: usize,
    /// Not at all, because a limit was hit; they count as not fusable.
    pub open: usize,
}

/// Integer programs that one level may ask for; classes beyond stay open.
const MOST_PROGRAMS: usize = 600;

/// One level.
pub(super) struct Level<'a, 's> {
    search: &'a Search<'s>,
    /// In an order that respects dependences and prefers the text.
    groups: Vec<Class>,
    /// Dependences inside the level.
    open: Vec<Open>,
    /// What the rows around leave of each statement.
    kernels: BTreeMap<StmtId, Vec<Vec<i64>>>,
    /// Per group: those with a dependence to it.
    direct: Vec<Groups>,
    /// Per group: those with a path of dependences to it.
    before: Vec<Groups>,
    units: Units,
    /// How far constants of a class may be apart.
    nearest: Option<i64>,
    /// What may not share the loop is told to the groups around it.
    propagates: bool,
    /// Classes that are decided.
    known: BTreeMap<Groups, bool>,
    /// The smallest classes that are not fusable.
    refused: Vec<Groups>,
    tests: Tests,
    best: BTreeMap<Groups, Option<Solution>>,
}

impl<'a, 's> Level<'a, 's> {
    /// The level of these statements, below the rows of `history` that leave `open`; constants of a class are at most `nearest` apart (`None`: any number of iterations).
    ///
    /// # Errors
    /// [`Error::Limit`] if there are more than [`MOST_GROUPS`] groups.
    pub(super) fn new(
        search: &'a Search<'s>,
        stmts: &Class,
        open: &[Open],
        history: &History,
        nearest: Option<i64>,
    ) -> Result<Level<'a, 's>> {
        let inside = open.iter().filter(|d| d.is_inside(stmts));
        let open: Vec<Open> = inside.cloned().collect();
        let groups = components(stmts, &open);
        if groups.len() > MOST_GROUPS {
            return Err(Error::Limit(MOST_GROUPS));
        }
        let direct = direct(&groups, &open);
        let left = |s: &StmtId| (*s, search.kernel(*s, history));
        let kernels: BTreeMap<_, _> = stmts.iter().map(left).collect();
        let moves = |s: StmtId, k: &Vec<Vec<i64>>| {
            let depth = search.scop.stmt(s).depth();
            let moved = |i: &usize| k.iter().any(|v| v[*i] != 0);
            (s, (0..depth).filter(moved).collect())
        };
        let free = kernels.iter().map(|(s, k)| moves(*s, k)).collect();
        Ok(Level {
            search,
            units: Units::new(search.scop.params.len(), &free, &open),
            before: closure(&direct),
            direct,
            groups,
            open,
            kernels,
            nearest,
            propagates: true,
            known: BTreeMap::new(),
            refused: vec![],
            tests: Tests::default(),
            best: BTreeMap::new(),
        })
    }

    /// The groups.
    pub(super) fn groups(&self) -> &[Class] {
        &self.groups
    }

    /// Per group: those that must not run after it.
    pub(super) fn before(&self) -> &[Groups] {
        &self.before
    }

    /// Per group: those with a dependence to it.
    pub(super) fn direct(&self) -> &[Groups] {
        &self.direct
    }

    /// How classes were decided so far.
    pub(super) fn tests(&self) -> Tests {
        self.tests
    }

    /// The statements of a class.
    pub(super) fn stmts(&self, class: Groups) -> Class {
        members(class)
            .flat_map(|g| self.groups[g].iter().copied())
            .collect()
    }

    /// The class of some statements; `None` if they are no whole groups.
    pub(super) fn class(&self, stmts: &Class) -> Option<Groups> {
        let within = |g: &usize| self.groups[*g].is_subset(stmts);
        let class = (0..self.groups.len())
            .filter(within)
            .fold(0, |all, g| all | 1 << g);
        (self.stmts(class) == *stmts).then_some(class)
    }

    /// The permutations that fuse two statements.
    pub(super) fn unit_pairs(&self, s: StmtId, t: StmtId) -> Vec<(usize, usize)> {
        self.units.pairs(s, t)
    }

    /// Whether a class may share the loop. One group always may.
    ///
    /// # Errors
    /// [`Error::Quota`] and [`Error::Budget`].
    pub(super) fn is_fusable(&mut self, class: Groups) -> Result<bool> {
        if class.count_ones() < 2 {
            return Ok(true);
        }
        if let Some(known) = self.known.get(&class) {
            return Ok(*known);
        }
        let has_refused = |all: Groups| self.refused.iter().any(|r| r & all == *r);
        if has_refused(class) {
            self.known.insert(class, false);
            return Ok(false);
        }
        if self.propagates && has_refused(self.closed(class)) {
            self.tests.by_order += 1;
            self.known.insert(class, false);
            self.refused.push(class);
            return Ok(false);
        }
        for (i, j) in pairs(class).filter(|_| class.count_ones() > 2) {
            if !self.is_fusable(1 << i | 1 << j)? {
                self.known.insert(class, false);
                return Ok(false);
            }
        }
        let found = self.decide(class)?;
        self.known.insert(class, found);
        if !found {
            self.refused.push(class);
        }
        Ok(found)
    }

    /// A class with all groups that have to run between two of its own: they share its loop, whether they may or not (the propagation rules of §4.3, for sets instead of
    /// neighbours).
    fn closed(&self, class: Groups) -> Groups {
        let ahead = members(class).fold(0, |all, g| all | self.before[g]);
        let between = members(ahead & !class).filter(|g| self.before[*g] & class != 0);
        between.fold(class, |all, g| all | 1 << g)
    }

    /// Whether propagation is on; it is, unless a test asks what it is good for.
    #[cfg(test)]
    pub(super) fn propagate(&mut self, on: bool) {
        self.propagates = on;
    }

    fn decide(&mut self, class: Groups) -> Result<bool> {
        let stmts = self.stmts(class);
        self.search.ctx.spend(1)?;
        if stmts.iter().any(|s| self.kernels[s].is_empty()) {
            return Ok(false);
        }
        let list: Vec<StmtId> = stmts.iter().copied().collect();
        if self.nearest.is_none() && self.units.joint(&list).is_some() {
            self.tests.by_units += 1;
            return Ok(true);
        }
        if self.tests.by_program >= MOST_PROGRAMS {
            self.tests.open += 1;
            return Ok(false);
        }
        self.tests.by_program += 1;
        let Some(program) = self.program(&stmts, false) else {
            return Ok(false);
        };
        Ok(self.solve(&stmts, program)?.is_some())
    }

    /// The smallest classes that may not share the loop, ascending by size. Only those are looked for that have at most `largest` groups.
    ///
    /// # Errors
    /// [`Error::Quota`], [`Error::Budget`], and [`Error::Limit`] after so many classes.
    pub(super) fn unfusable(&mut self, largest: usize, limit: usize) -> Result<Vec<Groups>> {
        let all = self.groups.len();
        // All classes of one size that are fusable, to be made larger by groups behind their last one.
        let mut layer: Vec<Groups> = (0..all).map(|g| 1 << g).collect();
        let mut looked = 0;
        for _ in 2..=largest {
            let mut next = vec![];
            for class in layer {
                let last = Groups::BITS - 1 - class.leading_zeros();
                for g in last as usize + 1..all {
                    looked += 1;
                    if looked > limit {
                        return Err(Error::Limit(limit));
                    }
                    let larger = class | 1 << g;
                    if self.is_fusable(larger)? {
                        next.push(larger);
                    }
                }
            }
            layer = next;
        }
        let mut found = self.refused.clone();
        found.retain(|c| {
            let others = self.refused.iter().filter(|o| *o != c);
            others.into_iter().all(|o| o & c != *o)
        });
        found.sort_by_key(|c| (c.count_ones(), *c));
        Ok(found)
    }

    /// `F` of this level over its statements, in the order of the text: which relations pairs may have, and a cut for each smallest set of groups that may not share the loop.
    /// `before` tells the order of groups, [`Level::before`] as a rule.
    ///
    /// # Errors
    /// Those of [`Level::unfusable`].
    pub(super) fn pruned(&mut self, before: &[Groups], limit: usize) -> Result<Pruned> {
        let unfusable = self.unfusable(self.groups.len(), limit)?;
        let of: Vec<(StmtId, usize)> = numbered(&self.groups).into_iter().collect();
        let mut pruned = Pruned::all(of.len());
        for (j, (_, h)) in of.iter().enumerate() {
            for (i, (_, g)) in of.iter().enumerate().take(j) {
                let apart = Allowed {
                    precedes: before[*g] >> h & 1 == 0,
                    equal: !unfusable.contains(&(1 << g | 1 << h)),
                    succeeds: before[*h] >> g & 1 == 0,
                };
                pruned.allow(i, j, if g == h { Allowed::FUSED } else { apart });
            }
        }
        let first = |group: usize| of.iter().position(|(_, g)| *g == group);
        for class in unfusable.iter().filter(|c| c.count_ones() > 2) {
            pruned.cut(members(*class).filter_map(first).collect());
        }
        Ok(pruned)
    }

    /// The arrays that a group accesses.
    pub(super) fn arrays(&self, group: usize) -> BTreeSet<ArrayId> {
        let stmts = self.groups[group].iter();
        let accesses = stmts.flat_map(|s| &self.search.scop.stmt(*s).accesses);
        accesses.map(|a| a.array).collect()
    }

    /// Whether the groups of a class hang together by arrays that they share.
    pub(super) fn is_connected(&self, class: Groups) -> bool {
        let mut left: Vec<BTreeSet<ArrayId>> = members(class).map(|g| self.arrays(g)).collect();
        let Some(mut reached) = left.pop() else {
            return true;
        };
        while let Some(next) = left.iter().position(|a| !a.is_disjoint(&reached)) {
            reached.extend(left.remove(next));
        }
        left.is_empty()
    }
}

/// The groups of a class, ascending.
pub(super) fn members(class: Groups) -> impl Iterator<Item = usize> {
    (0..Groups::BITS as usize).filter(move |g| class >> g & 1 == 1)
}

/// The pairs of groups of a class.
fn pairs(class: Groups) -> impl Iterator<Item = (usize, usize)> {
    members(class).flat_map(move |j| {
        members(class)
            .take_while(move |i| *i < j)
            .map(move |i| (i, j))
    })
}

/// For each group those with a dependence to it.
fn direct(groups: &[Class], open: &[Open]) -> Vec<Groups> {
    let of = numbered(groups);
    let mut direct = vec![0; groups.len()];
    for d in open {
        let (g, h) = (of[&d.src], of[&d.dst]);
        if g != h {
            direct[h] |= 1 << g;
        }
    }
    direct
}

/// For each group those with a path to it. Groups are in a topological order.
fn closure(direct: &[Groups]) -> Vec<Groups> {
    let mut before: Vec<Groups> = vec![];
    for own in direct {
        let further = members(*own).map(|g| before[g]);
        before.push(further.fold(*own, |all, g| all | g));
    }
    before
}
