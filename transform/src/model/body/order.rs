//! What keeps iterations in order: what later ones take from earlier ones, the chain of operations that comes round, and what waits for stores.

use super::item::{Item, Part};
use super::load::CALL;
use super::{Body, Mode, Outer, WINDOW};
use crate::model::Env;
use crate::model::facts::{AccessFacts, Facts, Home, Kind, NodeFacts, StmtFacts};
use crate::target::{Masks, Target};
use polytile_analysis::ast::{For, ForKind};
use polytile_analysis::ids::ArrayId;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Latencies in cycles: of an operation on integers, and of one in floating point, if the target does not say.
const SIMPLE: f64 = 1.0;

/// Cycles from factors to their product, of integers.
const PRODUCT: f64 = 3.0;

/// Cycles of a load that finds its element near.
const LOAD: f64 = 5.0;

/// Cycles until a load gets what two stores have written that are not in the cache yet, less what the processor does meanwhile: measured on Zen 3 with
/// rows of sums that the next statement takes one element further back. On Zen 4 one takes as long that gets an element of the vector just stored.
const WAIT: f64 = 18.0;

/// Cycles until a load has what a store of the same bytes has just written.
const HANDED_ON: f64 = 7.0;

/// Instructions up to which LLVM unrolls a loop, and finds in registers what iterations hand on.
const UNROLLED: f64 = 20.0;

/// Vectors of stores that wait to be written.
const QUEUED: i64 = 4;

/// Iterations through which a chain is followed.
const STEPS: usize = 24;

/// Known iterations from which on LLVM makes vectors that leave a rest, or compares whether arrays lie apart.
const TINY: i64 = 16;

/// Places that LLVM asks for at most (`VectorizeSCEVCheckThreshold`).
const WRAPS: usize = 16;

/// Iterations that LLVM runs at once.
#[derive(Clone, Copy)]
pub(super) struct Vectors {
    pub(super) width: i64,
    /// What is left runs under a mask.
    pub(super) masked: bool,
}

/// When an access meets what another wrote.
enum Between {
    Never,
    /// So many iterations later, or earlier.
    After(i64),
    Unknown,
}

impl Body<'_> {
    /// How LLVM runs iterations at once; `None`: it does not.
    pub(super) fn lanes(
        &self,
        facts: &Facts,
        (l, env): (&For, &Env),
        outer: Option<Outer>,
        target: &Target,
    ) -> Option<Vectors> {
        let (_, trips) = env.range(l);
        let nodes = || self.items.iter().flat_map(|i| &i.facts.nodes);
        let accesses = || self.items.iter().flat_map(|i| &i.facts.accesses);
        // Lanes that are taken out for a product and put back cost LLVM more than the others gain.
        let single = |k: Kind| match k {
            Kind::Call => true,
            Kind::RootWithErrno | Kind::Row => !self.runs_whole(l),
            Kind::Index { by_lane, .. } => by_lane > 0,
            _ => false,
        };
        let chosen =
            |i: &Item| !i.answered && (i.facts.divides_where_chosen || i.loads_by_branch(target));
        if self.items.iter().any(chosen)
            || nodes().any(|n| single(n.kind))
            || accesses().any(|a| !a.choices.is_empty())
        {
            return None;
        }
        let widest = nodes()
            .filter(|n| n.kind != Kind::Invariant)
            .map(|n| n.bytes)
            .chain(accesses().map(|a| a.bytes))
            .max()?;
        let mut width = i64::from(target.core.loop_bits) / 8 / widest.max(1);
        let known = facts.knows_trips(l);
        let tiny = known && trips < TINY && !is_marked(l);
        let mut masked = false;
        if tiny {
            let floor = 1 << trips.max(1).ilog2();
            // What is left has no loop of its own.
            match trips % width.min(floor) {
                0 => width = width.min(floor),
                _ if target.vector.masks == Masks::All => masked = true,
                _ => return None,
            }
        } else if known {
            width = self.narrowed(width, trips, target);
        }
        if !is_marked(l) {
            if tiny && self.needs_checks(facts) {
                return None;
            }
            let apart = accesses().any(|a| facts.has_gaps(a.array));
            if apart || self.chain(facts, trips, true, target) > 0.0 {
                return None;
            }
            width = width.min(self.distance(trips)?);
            let unlikely = facts.wraps && self.moving() > WRAPS;
            if unlikely || self.is_checked_in_vain(facts, (l, env), outer) {
                return None;
            }
        } else if self.items.iter().any(|i| i.facts.looks_up) || self.updates_between() {
            return None;
        }
        (width > 1 && (masked || trips >= width)).then_some(Vectors { width, masked })
    }

    /// As wide as that or less, as takes least for so many iterations with what is left of them.
    fn narrowed(&self, widest: i64, trips: i64, target: &Target) -> i64 {
        let widths = std::iter::successors(Some(widest), |w| Some(w / 2));
        let fitting = widths.take_while(|w| *w > 1).filter(|w| *w <= trips);
        let scalar = self.each(Mode::Scalar, target);
        let cycles = |w: i64| {
            let vectors = (trips / w) as f64 * self.each(Mode::Vector(w), target);
            vectors + (trips % w) as f64 * scalar
        };
        let all = fitting.map(|w| (cycles(w), w));
        all.reduce(|a, b| if b.0 < a.0 { b } else { a })
            .map_or(widest, |(_, w)| w)
    }

    /// Elements of matrices that the loop moves through: LLVM asks for each whether its place wraps, if it does not know.
    fn moving(&self) -> usize {
        let mut places = BTreeSet::new();
        for item in &self.items {
            let all = item.facts.accesses.iter();
            let moves = all.filter(|a| a.home == Home::Memory && item.gain(a) != 0);
            let rows = moves.filter(|a| a.rows.len() > 1);
            places.extend(rows.map(|a| (a.array, a.address(&item.now))));
        }
        places.len()
    }

    /// Whether a loop that is known to have independent iterations computes all of its body in each of them.
    fn runs_whole(&self, l: &For) -> bool {
        let short = matches!(l.kind, ForKind::ShortVector { .. });
        let chooses = |i: &Item| i.facts.nodes.iter().any(|n| n.kind == Kind::Choice);
        let whole = |i: &Item| !i.is_masked() && !chooses(i);
        is_marked(l) && !short && self.conditions == 0.0 && self.items.iter().all(whole)
    }

    /// The least distance at which a later iteration needs memory that an earlier one wrote further down in the body; `None`:
    /// not known ([`Body::is_checked_in_vain`] says more of places that move side by side, and of those that stay).
    fn distance(&self, trips: i64) -> Option<i64> {
        let mut least = i64::MAX;
        for (p, s) in self.items.iter().enumerate() {
            for w in s.facts.accesses.iter().filter(|a| a.writes) {
                if w.home == Home::Register {
                    continue;
                }
                if w.home == Home::Somewhere || (s.gain(w) == 0 && !s.facts.reorders) {
                    return None;
                }
                for (q, t) in self.items.iter().enumerate() {
                    // What stays where it is beside what moves is looked at on its own.
                    let alike = |a: &&AccessFacts| {
                        a.array == w.array
                            && (a.home == Home::Somewhere || (s.gain(w) == 0) == (t.gain(a) == 0))
                    };
                    for a in t.facts.accesses.iter().filter(alike) {
                        match between((s, w), (t, a), trips) {
                            Between::Never => {}
                            Between::Unknown => return None,
                            Between::After(k) if k > 0 && q <= p => least = least.min(k),
                            Between::After(_) => {}
                        }
                    }
                }
            }
        }
        Some(least)
    }

    /// Cycles per iteration of the longest chain that comes round; `in_order`: of those alone that keep the order of
    /// iterations.
    pub(super) fn chain(&self, facts: &Facts, trips: i64, in_order: bool, target: &Target) -> f64 {
        let mut edges = vec![];
        let short = LazyCell::new(|| self.load(Mode::Scalar, false, target).slots <= UNROLLED);
        for (p, s) in self.items.iter().enumerate().filter(|(_, i)| i.active) {
            for w in s
                .facts
                .accesses
                .iter()
                .filter(|a| a.writes && !s.part.is_ahead())
            {
                for (q, t) in self.items.iter().enumerate().filter(|(_, i)| i.active) {
                    let reads = t.facts.accesses.iter().enumerate();
                    for (n, a) in reads.filter(|(_, a)| !a.writes && a.array == w.array) {
                        let Between::After(mut k) = between((s, w), (t, a), trips) else {
                            continue;
                        };
                        if s.gain(w) == 0 {
                            k = i64::from(p >= q);
                        }
                        // What a register takes round has no load of its own.
                        let loaded = a.own.is_some() && a.own != w.own;
                        let changes = loaded && self.may_change(facts, s, w);
                        let any_order = p == q && t.facts.reorders && !changes;
                        if k < 0 || (k == 0 && p >= q) || (in_order && any_order) {
                            continue;
                        }
                        let handed = match () {
                            () if s.stays_in_memory(w) => WAIT,
                            () if changes || a.made && s.hands_on_in_memory(w, k) && !*short => {
                                HANDED_ON
                            }
                            () => 0.0,
                        };
                        let latency = handed + t.facts.path(n, &t.part, target);
                        edges.push((p, q, k as usize, latency));
                    }
                }
            }
        }
        if edges.iter().all(|e| e.2 == 0) {
            return 0.0;
        }
        let mut ready = vec![vec![0.0f64; self.items.len()]; STEPS];
        for i in 0..STEPS {
            for q in 0..self.items.len() {
                for &(p, _, k, latency) in edges.iter().filter(|e| e.1 == q) {
                    if k <= i {
                        ready[i][q] = ready[i][q].max(ready[i - k][p] + latency);
                    }
                }
            }
        }
        let at = |i: usize| ready[i].iter().copied().fold(0.0, f64::max);
        (at(STEPS - 1) - at(STEPS / 2 - 1)) / (STEPS - STEPS / 2) as f64
    }

    /// Whether a cell that all iterations of the loop store is in memory, as other accesses may be to it for all that LLVM knows.
    fn may_change(&self, facts: &Facts, item: &Item, cell: &AccessFacts) -> bool {
        let all = self.items.iter().flat_map(|i| &i.facts.accesses);
        let mut others = all.filter(|a| a.home != Home::Register);
        cell.home == Home::Memory
            && item.gain(cell) == 0
            && others.any(|a| facts.may_overlap(cell.array, a.array))
    }

    /// Cycles of an iteration, or a vector of them: what it issues, and what it waits for itself where no window holds enough of the next ones.
    pub(super) fn each(&self, mode: Mode, target: &Target) -> f64 {
        let load = self.load(mode, false, target);
        let abreast = 1.0 + WINDOW / load.slots.max(1.0);
        load.cycles(target).max(self.depth(target) / abreast)
    }

    /// Cycles from the first load of an iteration to its last result.
    fn depth(&self, target: &Target) -> f64 {
        let mut written: BTreeMap<(ArrayId, i64), f64> = BTreeMap::new();
        let mut last = 0.0f64;
        for item in self.items.iter().filter(|i| i.active) {
            let place = |a: &AccessFacts| match a.home {
                Home::Memory => (a.array, a.address(&item.now)),
                Home::Register | Home::Somewhere => (a.array, 0),
            };
            let leaf = |node: &NodeFacts| match node.kind {
                Kind::Read(n) => {
                    let a = &item.facts.accesses[n];
                    let load = if a.home == Home::Register { 0.0 } else { LOAD };
                    Some(written.get(&place(a)).copied().unwrap_or(load))
                }
                kind => Some(latency(kind, target)),
            };
            let ready = item.facts.ready(leaf, |node| 0..node.args.len(), target);
            let writes = item.facts.accesses.iter().filter(|a| a.writes);
            for (a, root) in writes.zip(&item.facts.roots) {
                let at = ready[*root].unwrap_or(0.0);
                written.insert(place(a), at);
                last = last.max(at);
            }
        }
        last
    }

    /// How many chains of a short loop run at once: those of the next iterations of the loop around it begin anew.
    pub(super) fn overlap(
        &self,
        facts: &Facts,
        l: &For,
        now: &Env,
        (trips, outer): (f64, Option<Outer>),
        target: &Target,
    ) -> f64 {
        let Some(Outer { iter, .. }) = outer else {
            return 1.0;
        };
        let mut further = now.clone();
        let at = now.iters.get(iter.0 as usize).copied().unwrap_or(0);
        further.set(iter, at + 1);
        let mut there = Body::default();
        let envs = [&further, &further, &further];
        there.collect(facts, &l.body, envs, (true, false));
        let anew = self.items.iter().zip(&there.items).all(|(a, b)| {
            let writes = a.facts.accesses.iter().filter(|w| w.writes);
            writes
                .filter(|w| w.home == Home::Memory)
                .all(|w| w.address(&a.now) != w.address(&b.now))
        });
        if !anew {
            return 1.0;
        }
        let slots = self.load(Mode::Scalar, false, target).slots;
        (1.0 + WINDOW / (slots * trips)).min(8.0)
    }

    /// Cycles that a vector of iterations waits for stores to reach the cache: what it loads lies across two vectors that it has just stored, of
    /// which no processor hands on parts.
    pub(super) fn waits(&self, width: i64, trips: i64) -> f64 {
        let stores = |a: &&AccessFacts| a.writes && a.home == Home::Memory;
        let across = self.items.iter().any(|s| {
            let mut stored = s.facts.accesses.iter().filter(stores);
            stored.any(|w| {
                s.gain(w) != 0
                    && self
                        .items
                        .iter()
                        .any(|t| t.reads_across((s, w), width, trips))
            })
        });
        let apart = if across { WAIT } else { 0.0 };
        WAIT * self.waiting_for_masks(width, trips) as f64 + apart
    }

    /// How many statements read what one has just stored under a mask, which no processor hands on: each waits for the one before.
    fn waiting_for_masks(&self, width: i64, trips: i64) -> usize {
        let stores = |s: &Item, a: &&AccessFacts| {
            a.writes && a.home == Home::Memory && s.guards(a) && s.gain(a) != 0
        };
        let masked: Vec<_> = (self.items.iter().enumerate())
            .flat_map(|(p, s)| {
                s.facts
                    .accesses
                    .iter()
                    .filter(move |a| stores(s, a))
                    .map(move |w| (p, s, w))
            })
            .collect();
        let waits = |(q, t): &(usize, &Item)| {
            masked
                .iter()
                .any(|(p, s, w)| t.reads_lately((*s, w), p < q, width, trips))
        };
        self.items.iter().enumerate().filter(waits).count()
    }
}

impl Item<'_> {
    /// Whether all iterations of the loop store this cell and LLVM holds it in no register: what one statement stores side by side it packs into a
    /// vector, of which the next iteration takes the elements.
    fn stays_in_memory(&self, written: &AccessFacts) -> bool {
        let mut others = self.facts.accesses.iter().filter(|a| a.writes);
        let at = |a: &AccessFacts| a.address(&self.now);
        let beside = |a: &AccessFacts| (at(a) - at(written)).abs() == written.bytes;
        self.gain(written) == 0
            && written.home == Home::Memory
            && others.any(|a| a.array == written.array && beside(a))
    }

    /// Whether what it writes reaches an iteration so many later in memory: LLVM holds it in a register (`LoopLoadElimination`) where that is the next
    /// one, and the next element.
    fn hands_on_in_memory(&self, written: &AccessFacts, later: i64) -> bool {
        let gain = self.gain(written);
        let next = later == 1 && gain.abs() == written.bytes;
        written.home == Home::Memory && gain != 0 && later > 0 && !next
    }

    /// Whether it reads what another item has written a few iterations before, and no whole vectors.
    fn reads_across(&self, written: (&Item, &AccessFacts), width: i64, trips: i64) -> bool {
        let across = |k: i64| k > 0 && k < QUEUED * width && k % width != 0;
        self.reads_after(written, trips, across)
    }

    /// Whether it reads what another item has written a few iterations before, or in the same one if that is `earlier`.
    fn reads_lately(
        &self,
        written: (&Item, &AccessFacts),
        earlier: bool,
        width: i64,
        trips: i64,
    ) -> bool {
        let lately = |k: i64| k < QUEUED * width && (k > 0 || k == 0 && earlier);
        self.reads_after(written, trips, lately)
    }

    /// Whether it reads what another item has written so many iterations before.
    fn reads_after(
        &self,
        written: (&Item, &AccessFacts),
        trips: i64,
        many: impl Fn(i64) -> bool,
    ) -> bool {
        let mut reads = self.facts.accesses.iter().filter(|a| !a.writes);
        reads.any(|a| matches!(between(written, (self, a), trips), Between::After(k) if many(k)))
    }
}

impl StmtFacts {
    /// Cycles until each node has its value, by the longest path from leaves: `leaf` says when one has its own, and `args` which operands are waited for.
    /// `None`: it waits for no leaf.
    fn ready(
        &self,
        leaf: impl Fn(&NodeFacts) -> Option<f64>,
        args: impl Fn(&NodeFacts) -> Range<usize>,
        target: &Target,
    ) -> Vec<Option<f64>> {
        let mut ready: Vec<Option<f64>> = vec![];
        for node in &self.nodes {
            let longest = node.args[args(node)].iter().filter_map(|a| ready[*a]);
            let longest = longest.reduce(f64::max);
            ready.push(match node.args.is_empty() {
                true => leaf(node),
                false => longest.map(|c| c + latency(node.kind, target)),
            });
        }
        ready
    }

    /// Cycles from a read to the written value: the longest path.
    fn path(&self, read: usize, part: &Part, target: &Target) -> f64 {
        // Branches are foreseen: nothing waits for a condition, and what is written in some iterations only is rarely
        // what the next one reads.
        let args = |node: &NodeFacts| match (node.kind, self.conditional) {
            (Kind::Choice, true) => node.args.len()..node.args.len(),
            (Kind::Choice, false) => 1..node.args.len(),
            _ => 0..node.args.len(),
        };
        let leaf = |node: &NodeFacts| (node.kind == Kind::Read(read)).then_some(0.0);
        let cycles = self.ready(leaf, args, target);
        // A sum goes round through its own cell; anything else counts for what is written first.
        let array = self.accesses[read].array;
        let own = |n: usize| self.accesses[n].array == array;
        let sums = (0..self.roots.len()).any(own);
        let roots = self.roots.iter().enumerate().filter(|(n, r)| match part {
            Part::Update(_, first) => !first.contains(r),
            Part::All | Part::Ahead(..) if sums => own(*n),
            Part::All | Part::Ahead(..) => *n == 0,
        });
        let to = |(_, r): (usize, &usize)| cycles.get(*r).copied().flatten();
        roots.filter_map(to).fold(0.0, f64::max)
    }
}

/// Whether LLVM is told that iterations are independent.
fn is_marked(l: &For) -> bool {
    match &l.kind {
        ForKind::Vector | ForKind::ShortVector { .. } | ForKind::Strips { .. } => true,
        ForKind::Parallel { private, .. } => private.is_empty(),
        _ => false,
    }
}

fn between((s, w): (&Item, &AccessFacts), (t, a): (&Item, &AccessFacts), trips: i64) -> Between {
    if w.array != a.array {
        return Between::Never;
    }
    if w.home == Home::Register {
        return Between::After(0);
    }
    if w.home == Home::Somewhere || a.home == Home::Somewhere {
        return Between::Unknown;
    }
    let (gain, same) = (s.gain(w), t.gain(a) == s.gain(w));
    let apart = w.address(&s.now) - a.address(&t.now);
    match (same, gain) {
        (true, 0) if apart == 0 => Between::After(0),
        (true, 0) => Between::Never,
        (true, _) if apart % gain != 0 => Between::Never,
        (true, _) => match apart / gain {
            k if k.abs() >= trips => Between::Never,
            k => Between::After(k),
        },
        (false, _) => {
            // Ranges around the middle of the loop.
            let half = trips / 2 + 1;
            let reach = |g: i64| g.abs().saturating_mul(half);
            match apart.abs() > reach(gain).saturating_add(reach(t.gain(a))) {
                true => Between::Never,
                false => Between::Unknown,
            }
        }
    }
}

fn latency(kind: Kind, target: &Target) -> f64 {
    let core = &target.core;
    match kind {
        Kind::Float | Kind::Extremum => f64::from(core.add),
        Kind::Fused => f64::from(target.vector.latency),
        Kind::Divide => f64::from(core.divide.1),
        Kind::Root | Kind::RootWithErrno => f64::from(core.divide.1) * 1.4,
        Kind::Whole => f64::from(core.divide.1) * 1.5,
        Kind::Call | Kind::Row => CALL,
        Kind::Simple => SIMPLE,
        Kind::Product => PRODUCT,
        Kind::Gather => LOAD,
        Kind::Read(_) | Kind::Invariant | Kind::Index { .. } | Kind::Free | Kind::Choice => 0.0,
    }
}
