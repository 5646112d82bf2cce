//! An innermost loop: what an iteration takes in lanes, without them, and along the chain that it carries.
//!
//! ```text
//! without lanes   the most of: instructions / issue width, operations and accesses / their ports, divisions, the chain
//! in lanes        the same for a vector of iterations; accesses that do not follow memory element by element
//! ```
//!
//! Whether LLVM finds lanes is read from the accesses: a value that comes round to its own statement keeps iterations in
//! order, unless it is a sum whose terms may come in any order. A loop that is marked has them.

use super::Env;
use super::facts::{AccessFacts, Facts, Home, Kind, StmtFacts};
use crate::target::Target;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, User};
use polytile_analysis::chain::{AnyOrder, Chain};
use polytile_analysis::ids::ArrayId;
use std::collections::BTreeSet;

/// Latencies in cycles: of an operation on integers, and of one in floating point, if the target does not say.
const SIMPLE: f64 = 1.0;

/// Cycles to enter a loop without lanes, and one with them.
const ENTRY: (f64, f64) = (4.0, 18.0);

/// A branch that was not foreseen: the end of a loop of few iterations.
const MISPREDICTED: f64 = 12.0;

/// How many branches by data are not foreseen.
const UNFORESEEN: f64 = 0.1;

/// How many of them where a loop goes in another direction than the program's: neighbours in a row decide alike, and the same things are asked
/// row after row.
const UNFAMILIAR: f64 = 0.25;

/// Iterations of which branch predictors see the end.
const FORESEEN: f64 = 32.0;

/// Instructions in flight.
const WINDOW: f64 = 256.0;

/// Iterations through which a chain is followed.
const STEPS: usize = 24;

/// Cycles of a call of a mathematical function.
const CALL: f64 = 40.0;

/// Lanes that gain where the longest of several loops holds up the others.
const ABREAST: f64 = 4.0;

/// How many times as long it takes to look up a byte or two: there are no instructions for it.
const SMALL: f64 = 1.4;

/// Iterations of a strip.
const STRIP: f64 = 64.0;

/// Vectors of updates of a strip that run side by side.
const CHAINS: f64 = 4.0;

/// The part of the shorter one of a strip's operands and updates that does not hide behind the longer one.
const BEHIND: f64 = 0.25;

/// Cycles of a load that finds its element near.
const LOAD: f64 = 5.0;

/// Cycles of a division of indices of 32 bits, one of several side by side.
const DIVIDED: f64 = 7.0;

/// Share of a floating-point operation's time on its port that one on vectors of integers takes.
const INTEGER: f64 = 0.5;

/// Cycles of a condition in front of a loop: a load, a comparison and a branch that is foreseen.
const ASKED: f64 = 3.0;

/// Instructions to ask for a lane of a mask, and to move its element, where no instruction masks such accesses.
const BY_LANE: f64 = 3.0;

/// Cycles until a load gets what two stores have written that are not in the cache yet, less what the processor does meanwhile: measured on Zen 3 with
/// rows of sums that the next statement takes one element further back.
const WAIT: f64 = 18.0;

/// Vectors of stores that wait to be written.
const QUEUED: i64 = 4;

/// Elements between neighbours that LLVM loads as one group of vectors.
const GROUP: i64 = 4;

/// Iterations side by side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lanes {
    /// The iterator of the lanes.
    pub(super) iter: IterId,
    /// Lanes of a vector, and vectors.
    pub(super) lanes: i64,
    pub(super) vectors: i64,
    /// Lanes follow a diagonal: elements come from registers of the lane before.
    pub(super) diagonal: bool,
}

/// A statement of the body.
#[derive(Clone)]
struct Item<'a> {
    facts: &'a StmtFacts,
    /// Its iterators in one iteration, and in the next.
    now: Vec<i64>,
    next: Vec<i64>,
    /// One lane further.
    beside: Vec<i64>,
    /// It runs in this iteration.
    active: bool,
    /// A condition of iterators decides.
    guarded: bool,
    /// A condition on data decides in each iteration.
    asks: bool,
    /// Share of these iterations in which it holds.
    holding: f64,
    /// What of it runs.
    part: Part,
}

/// What runs of a statement.
#[derive(Clone, Default)]
enum Part {
    /// All.
    #[default]
    All,
    /// In a loop in strips: so many operands, and these nodes below them.
    Ahead(usize, BTreeSet<usize>),
    /// The rest, with the operands read back.
    Update(usize, BTreeSet<usize>),
}

/// The statements of a body, and its conditions.
#[derive(Default)]
struct Body<'a> {
    items: Vec<Item<'a>>,
    conditions: f64,
}

/// What one iteration issues.
#[derive(Clone, Copy, Default, Debug)]
struct Load {
    slots: f64,
    floats: f64,
    loads: f64,
    stores: f64,
    /// Cycles of the divider and of calls.
    alone: f64,
}

impl Load {
    /// Adds a part of what another one issues.
    fn add(&mut self, other: &Load, part: f64) {
        self.slots += other.slots * part;
        self.floats += other.floats * part;
        self.loads += other.loads * part;
        self.stores += other.stores * part;
        self.alone += other.alone * part;
    }

    fn cycles(&self, target: &Target) -> f64 {
        let core = &target.core;
        let ports = [
            self.slots / f64::from(core.issue),
            self.floats / f64::from(target.vector.per_cycle.max(1)),
            self.loads / f64::from(target.vector.loads_per_cycle.max(1)),
            self.stores / f64::from(core.stores),
        ];
        ports.into_iter().fold(0.0, f64::max) + self.alone
    }
}

/// Cycles of statements and conditions without loops, once.
pub(super) fn straight(
    facts: &Facts,
    ast: &Ast,
    env: &Env,
    lanes: Option<Lanes>,
    target: &Target,
) -> f64 {
    let mut body = Body::default();
    body.collect(facts, ast, [env, env, &beside(env, lanes)], (true, false));
    let mode = lanes.map_or(Mode::Scalar, Mode::Lanes);
    body.load(mode, true, target).cycles(target) + body.conditions
}

/// What is around an innermost loop.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// Iterations side by side.
    pub(super) lanes: Option<Lanes>,
    /// The iterator of the loop around.
    pub(super) iter: Option<IterId>,
    /// Both loops run in squares of so many iterations of each.
    pub(super) square: Option<i64>,
}

/// Cycles of an innermost loop.
pub(super) fn innermost(facts: &Facts, l: &For, env: &Env, around: Around, target: &Target) -> f64 {
    let (first, trips) = env.range(l);
    if trips == 0 {
        return ENTRY.0 / 2.0;
    }
    let step = env.value(&l.step).max(1);
    let mut now = env.clone();
    now.set(l.iter, first + trips / 2 * step);
    let mut next = env.clone();
    next.set(l.iter, first + trips / 2 * step + step);
    let mut body = Body::default();
    let envs = [&now, &next, &beside(&now, around.lanes)];
    body.collect(facts, &l.body, envs, (true, false));
    body.ask_in_front();
    let asked = body.is_asked_in_front();
    let n = trips as f64;
    if let Some(lanes) = around.lanes {
        let one = body.load(Mode::Lanes(lanes), false, target).cycles(target);
        let chain = body.chain(trips, false, target);
        return ENTRY.0 + n * one.max(chain) + body.conditions * n;
    }
    let updates = match &l.kind {
        ForKind::Strips { chains } => {
            let behind = body.part(facts, chains);
            let each = behind.load(Mode::Scalar, false, target).cycles(target);
            let chain = behind.chain(trips, false, target);
            let strips = (n / STRIP).ceil();
            let any_order = chains.iter().map(|c| c.any_order);
            match any_order.collect::<Option<Vec<AnyOrder>>>().as_deref() {
                Some(&[AnyOrder { lanes, .. }]) => {
                    let lanes = f64::from(lanes);
                    let at_once = (each / lanes).max(chain / (lanes * CHAINS));
                    n * at_once + strips * (ENTRY.0 + ENTRY.1 + chain * (2.0 + lanes.log2()))
                }
                _ => n * each.max(chain) + strips * (ENTRY.0 + ENTRY.1),
            }
        }
        _ => 0.0,
    };
    let scalar = body.load(Mode::Scalar, false, target).cycles(target) + body.conditions;
    let chain = body.chain(trips, false, target);
    let chain = chain / body.packed() / body.overlap(facts, l, &now, (n, around.iter), target);
    let end = match n < FORESEEN && n > 2.0 {
        true => MISPREDICTED,
        false => 0.0,
    };
    let alone = ENTRY.0 + n * scalar.max(chain) + end;
    let mode = match around.square {
        Some(lanes) => Some((lanes, Mode::Square(lanes))),
        None => body
            .lanes(facts, l, trips, target)
            .map(|width| (width, Mode::Vector(width))),
    };
    let free = match mode {
        Some((width, mode)) => {
            let vector = body.load(mode, false, target).cycles(target) + body.waits(width, trips);
            let whole = (trips / width) as f64;
            let rest = (trips % width) as f64;
            let rest = match l.kind {
                ForKind::ShortVector { masked: true } => vector.min(rest * vector),
                _ => rest * scalar,
            };
            alone.min(ENTRY.1 + whole * vector + rest + end)
        }
        None => alone,
    };
    // The processor begins the next strip while the updates of one are not finished.
    let all = free.max(updates) + BEHIND * free.min(updates);
    match asked {
        true => ASKED + facts.holding * all,
        false => all,
    }
}

/// The environment one lane further.
fn beside<'a>(env: &Env<'a>, lanes: Option<Lanes>) -> Env<'a> {
    let mut beside = env.clone();
    if let Some(l) = lanes {
        let at = env.iters.get(l.iter.0 as usize).copied().unwrap_or(0);
        beside.set(l.iter, at + 1);
    }
    beside
}

/// How iterations run.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// One by one.
    Scalar,
    /// So many at once, by LLVM.
    Vector(i64),
    /// So many at once, in a vector of a square.
    Square(i64),
    /// In lanes of a loop around.
    Lanes(Lanes),
}

impl<'a> Body<'a> {
    fn collect(
        &mut self,
        facts: &'a Facts,
        ast: &Ast,
        envs: [&Env; 3],
        (active, guarded): (bool, bool),
    ) {
        match ast {
            Ast::Block(list) => {
                for a in list {
                    self.collect(facts, a, envs, (active, guarded));
                }
            }
            Ast::If { cond, then, els } => {
                self.conditions += f64::from(u8::from(active));
                let holds = envs[0].value(cond) != 0;
                self.collect(facts, then, envs, (active && holds, true));
                if let Some(els) = els {
                    self.collect(facts, els, envs, (active && !holds, true));
                }
            }
            Ast::User(User { stmt, args }) => {
                let at = |env: &Env| args.iter().map(|a: &Expr| env.value(a)).collect();
                self.items.push(Item {
                    facts: facts.stmt(*stmt),
                    now: at(envs[0]),
                    next: at(envs[1]),
                    beside: at(envs[2]),
                    active,
                    guarded,
                    asks: facts.stmt(*stmt).conditional,
                    holding: facts.holding,
                    part: Part::All,
                });
            }
            Ast::For(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
        }
    }

    /// Conditions that the loop does not move with are asked in front of it.
    fn ask_in_front(&mut self) {
        let written = self.written();
        for item in self.items.iter_mut().filter(|i| i.asks) {
            let moving = item.moving(false, &written);
            item.asks = item.facts.asks.iter().any(|c| moving[*c]) || item.facts.asks.is_empty();
        }
    }

    /// Whether nothing of it runs where a condition in front of it does not hold.
    fn is_asked_in_front(&self) -> bool {
        let asked = |i: &Item| i.facts.conditional && !i.asks;
        !self.items.is_empty() && self.items.iter().all(asked)
    }

    /// Leaves what a loop in strips does first; the updates that follow.
    fn part(&mut self, facts: &Facts, chains: &[Chain]) -> Body<'a> {
        let mut behind = Body::default();
        for item in &mut self.items {
            let own = |c: &&Chain| std::ptr::eq(facts.stmt(c.stmt), item.facts);
            let Some(chain) = chains.iter().find(own) else {
                continue;
            };
            let passed = chain.operands.len();
            let mut first: Vec<usize> = chain.operands.iter().map(|n| n.index()).collect();
            let others = item.facts.roots.iter().enumerate();
            first.extend(
                others
                    .filter(|(n, _)| !chain.writes.contains(n))
                    .map(|(_, r)| *r),
            );
            let first = item.facts.below(&first);
            behind.items.push(Item {
                part: Part::Update(passed, first.clone()),
                ..item.clone()
            });
            item.part = Part::Ahead(passed, first);
        }
        behind
    }

    /// What an iteration issues. `once`: there is no loop around it, so that nothing is invariant.
    fn load(&self, mode: Mode, once: bool, target: &Target) -> Load {
        let mut load = Load::default();
        if !once {
            load.slots += match mode {
                Mode::Vector(_) => 0.75,
                Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.5,
            };
        }
        let mut seen = BTreeSet::new();
        let (mut elements, mut choices) = (BTreeSet::new(), BTreeSet::new());
        for (number, item) in self.items.iter().enumerate() {
            if !item.active && !matches!(mode, Mode::Vector(_)) {
                continue;
            }
            let (mut all, mut behind) = (Load::default(), Load::default());
            let asked = item.asked(mode);
            let own = item.facts.alone.then_some(number);
            let moving = item.moving(once, &self.written());
            for (n, node) in item.facts.nodes.iter().enumerate() {
                if !moving[n] || !item.part.runs(n) || item.is_answered(n) {
                    continue;
                }
                let shared = node.inst.map(|i| (i, item.now.clone(), own));
                if shared.is_some_and(|s| !seen.insert(s)) {
                    continue;
                }
                let to = if asked.runs(n) { &mut all } else { &mut behind };
                operation(to, node.kind, node.bytes, mode, target);
                if (node.kind, mode) == (Kind::Choice, Mode::Scalar) && item.turns() {
                    to.alone += (UNFAMILIAR - UNFORESEEN) * MISPREDICTED;
                }
            }
            item.part.passed(&mut all, mode, item.facts, target);
            for (number, a) in item.facts.accesses.iter().enumerate() {
                if !item.facts.touches(number, &item.part) {
                    continue;
                }
                let to = match item.facts.touches(number, &asked) {
                    true => &mut all,
                    false => &mut behind,
                };
                for choice in a.choices.iter().filter(|c| choices.insert(**c)) {
                    match choice.1 {
                        true => to.alone += DIVIDED,
                        false => to.slots += 1.0,
                    }
                }
                let element = (a.writes, a.array, a.address(&item.now));
                if elements.insert(element) {
                    item.access(to, a, (mode, once), target);
                }
            }
            all.add(&behind, item.holding);
            load.add(&all, 1.0 / item.facts.packed);
        }
        load
    }

    /// Cycles that a vector of iterations waits for stores to reach the cache: what it loads lies across two vectors that it has just stored, of
    /// which no processor hands on parts.
    fn waits(&self, width: i64, trips: i64) -> f64 {
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

    /// How many times as fast straight code is than its operations one by one.
    fn packed(&self) -> f64 {
        let all = self.items.iter().map(|i| i.facts.packed);
        all.fold(1.0, f64::max)
    }

    fn written(&self) -> BTreeSet<ArrayId> {
        let all = self.items.iter().flat_map(|i| &i.facts.accesses);
        all.filter(|a| a.writes).map(|a| a.array).collect()
    }

    /// How many iterations LLVM runs at once; `None`: it does not.
    fn lanes(&self, facts: &Facts, l: &For, trips: i64, target: &Target) -> Option<i64> {
        let nodes = || self.items.iter().flat_map(|i| &i.facts.nodes);
        let accesses = || self.items.iter().flat_map(|i| &i.facts.accesses);
        // Lanes that are taken out for a product and put back cost LLVM more than the others gain.
        let single = |k: Kind| match k {
            Kind::Call => true,
            Kind::RootWithErrno | Kind::Row => !self.runs_whole(l),
            Kind::Index { by_lane, .. } => by_lane > 0,
            _ => false,
        };
        let chosen = |i: &Item| i.facts.divides_where_chosen || i.loads_by_branch(target);
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
        if !matches!(
            l.kind,
            ForKind::Vector | ForKind::ShortVector { .. } | ForKind::Strips { .. }
        ) {
            let apart = accesses().any(|a| facts.has_gaps(a.array));
            if apart || self.chain(trips, true, target) > 0.0 || self.fails_checks(facts) {
                return None;
            }
            width = width.min(self.distance(trips)?);
        } else if self.items.iter().any(|i| i.facts.looks_up) {
            return None;
        }
        (width > 1 && trips >= width).then_some(width)
    }

    /// Whether a loop that is known to have independent iterations computes all of its body in each of them.
    fn runs_whole(&self, l: &For) -> bool {
        let marked = matches!(
            l.kind,
            ForKind::Vector | ForKind::Strips { .. } | ForKind::Parallel { .. }
        );
        let chooses = |i: &Item| i.facts.nodes.iter().any(|n| n.kind == Kind::Choice);
        let whole = |i: &Item| !i.is_masked() && !chooses(i);
        marked && self.conditions == 0.0 && self.items.iter().all(whole)
    }

    /// Whether LLVM's vector loop never runs: it compares rows of a matrix with unknown distance for all iterations of the loop
    /// around at once, where something that does not move may lie in them, too.
    fn fails_checks<'s>(&'s self, facts: &Facts) -> bool {
        let all = || {
            let of = |i: &'s Item<'s>| i.facts.accesses.iter().map(move |a| (i, a));
            self.items.iter().flat_map(of)
        };
        let moves = |(i, a): &(&Item, &AccessFacts)| a.home == Home::Memory && i.gain(a) != 0;
        let writes = || all().filter(|x| moves(x) && x.1.writes);
        let rows = writes().any(|(s, w)| {
            all().filter(|x| moves(x)).any(|(t, a)| {
                let same = a.array == w.array && !a.constant && s.gain(w) == t.gain(a);
                same && a.address(&t.now) != w.address(&s.now) && a.rows.len() > 1
            })
        });
        let still = |(i, a): &(&Item, &AccessFacts)| {
            !a.writes
                && a.home == Home::Memory
                && i.gain(a) == 0
                && writes().any(|(_, w)| facts.may_overlap(a.array, w.array))
        };
        rows && all().any(|x| still(&x))
    }

    /// The least distance at which a later iteration needs memory that an earlier one wrote further down in the body; `None`:
    /// not known.
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
                    for a in t.facts.accesses.iter().filter(|a| a.array == w.array) {
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
    fn chain(&self, trips: i64, in_order: bool, target: &Target) -> f64 {
        let mut edges = vec![];
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
                        if k < 0 || (k == 0 && p >= q) || (in_order && p == q && t.facts.reorders) {
                            continue;
                        }
                        edges.push((p, q, k as usize, t.facts.path(n, &t.part, target)));
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

    /// How many chains of a short loop run at once: those of the next iterations of the loop around it begin anew.
    fn overlap(
        &self,
        facts: &Facts,
        l: &For,
        now: &Env,
        (trips, around): (f64, Option<IterId>),
        target: &Target,
    ) -> f64 {
        let Some(around) = around else { return 1.0 };
        let mut further = now.clone();
        let at = now.iters.get(around.0 as usize).copied().unwrap_or(0);
        further.set(around, at + 1);
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
}

impl Item<'_> {
    /// Which nodes change with the loop.
    fn moving(&self, once: bool, written: &BTreeSet<ArrayId>) -> Vec<bool> {
        let mut moving: Vec<bool> = vec![];
        let still = self.now == self.next;
        for node in &self.facts.nodes {
            let moves = match node.kind {
                _ if once => !matches!(node.kind, Kind::Invariant | Kind::Read(_) | Kind::Free),
                Kind::Read(a) => {
                    let a = &self.facts.accesses[a];
                    a.home != Home::Memory || self.gain(a) != 0 || written.contains(&a.array)
                }
                Kind::Invariant => false,
                Kind::Index { .. } => !still,
                // Compilers leave calls where they are.
                Kind::Call | Kind::Row | Kind::RootWithErrno => true,
                _ => node.args.iter().any(|a| moving[*a]),
            };
            moving.push(moves);
        }
        moving
    }

    /// Whether the next iteration is not the next one of the statement's innermost loop in the program, from either side.
    fn turns(&self) -> bool {
        let mut outer = self.now.iter().zip(&self.next).rev().skip(1);
        outer.any(|(now, next)| now != next)
    }

    /// Whether a write is under a mask in vectors.
    fn is_masked(&self) -> bool {
        self.guarded || self.asks
    }

    /// Whether a node is the choice to write, and that is known in front of the loop.
    fn is_answered(&self, node: usize) -> bool {
        self.facts.conditional && !self.asks && self.facts.roots.contains(&node)
    }

    /// What runs whether its condition holds or not: what is asked, where that is a branch; else all.
    fn asked(&self, mode: Mode) -> Part {
        match matches!(mode, Mode::Scalar) && self.asks && !self.facts.asks.is_empty() {
            true => Part::Ahead(0, self.facts.below(&self.facts.asks)),
            false => Part::All,
        }
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

    /// Bytes that an access moves per iteration.
    fn gain(&self, a: &AccessFacts) -> i64 {
        a.address(&self.next) - a.address(&self.now)
    }

    fn access(
        &self,
        load: &mut Load,
        a: &AccessFacts,
        (mode, once): (Mode, bool),
        target: &Target,
    ) {
        if a.home == Home::Register {
            return;
        }
        let gain = self.gain(a);
        // What stays the same is loaded in front of the loop, if it is loaded at all.
        let invariant = gain == 0 && !once && a.home == Home::Memory;
        if invariant && !(matches!(mode, Mode::Vector(_)) && self.guards(a)) {
            return;
        }
        let (elements, (count, shuffles)) = match mode {
            Mode::Scalar => (1, (1.0, 0.0)),
            Mode::Vector(width) => (width, self.by_vector(a, gain, width, target)),
            Mode::Square(width) => (width, in_square(a, gain, width)),
            Mode::Lanes(lanes) => {
                let gain = if once { 0 } else { gain };
                let elements = lanes.lanes * lanes.vectors;
                (elements, self.by_lanes(a, gain, lanes, target))
            }
        };
        let elements = elements as f64;
        load.slots += count + shuffles;
        if a.writes && self.guards(a) && matches!(mode, Mode::Vector(_)) && gain.abs() == a.bytes {
            load.alone += count * (target.core.masked_store - 1.0);
        }
        match a.writes {
            true => load.stores += count,
            false if count < elements => load.loads += count,
            false => load.loads += count * narrow(target.vector.loads_per_cycle),
        }
    }

    /// Whether it loads by lanes where data choose: no instruction masks such loads, and LLVM sees no gain in a branch for each lane.
    fn loads_by_branch(&self, target: &Target) -> bool {
        let masked =
            |a: &AccessFacts, gain: i64| target.vector.masks.allow(a.bytes, gain.abs() == a.bytes);
        let mut chosen = self
            .facts
            .accesses
            .iter()
            .filter(|a| a.chosen && a.home == Home::Memory);
        chosen.any(|a| self.gain(a) != 0 && !masked(a, self.gain(a)))
    }

    /// Whether an access runs in some iterations only.
    fn guards(&self, a: &AccessFacts) -> bool {
        a.guarded.unwrap_or(self.is_masked())
    }

    /// Accesses and shuffles for a vector of iterations.
    fn by_vector(&self, a: &AccessFacts, gain: i64, width: i64, target: &Target) -> (f64, f64) {
        let n = width as f64;
        let vectors = (n * a.bytes as f64 * 8.0 / f64::from(target.core.loop_bits)).max(1.0);
        let guarded = self.guards(a);
        let masked = if guarded { 1.0 } else { 0.0 };
        let apart = gain.abs() / a.bytes.max(1);
        match a.home {
            Home::Memory if guarded && !target.vector.masks.allow(a.bytes, apart == 1) => {
                (n, n * BY_LANE)
            }
            Home::Memory if gain == a.bytes => (vectors, masked),
            Home::Memory if gain == -a.bytes => (vectors, vectors + masked),
            Home::Memory if apart <= GROUP && !guarded => (vectors * apart as f64, n),
            _ if a.writes => (n * if guarded { 2.0 } else { 1.0 }, n),
            _ => (n, n * f64::from(target.core.gather)),
        }
    }

    /// Accesses and shuffles for a bundle of lanes.
    fn by_lanes(&self, a: &AccessFacts, gain: i64, lanes: Lanes, target: &Target) -> (f64, f64) {
        let vectors = lanes.vectors as f64;
        let beside = a.address(&self.beside) - a.address(&self.now);
        match a.home {
            Home::Memory if beside == 0 => (1.0, 0.0),
            Home::Memory if beside == a.bytes => (vectors, 0.0),
            Home::Memory if lanes.diagonal || gain.abs() == a.bytes => (vectors, 3.0 * vectors),
            _ => {
                let n = (lanes.lanes * lanes.vectors) as f64;
                (n, n * f64::from(target.core.gather))
            }
        }
    }
}

impl Part {
    /// Whether a node is evaluated.
    fn runs(&self, node: usize) -> bool {
        match self {
            Part::All => true,
            Part::Ahead(_, first) => first.contains(&node),
            Part::Update(_, first) => !first.contains(&node),
        }
    }

    /// Whether nothing is written yet.
    fn is_ahead(&self) -> bool {
        matches!(self, Part::Ahead(..))
    }

    /// What goes through the strip's memory.
    fn passed(&self, load: &mut Load, mode: Mode, facts: &StmtFacts, target: &Target) {
        let bytes = facts.nodes[facts.roots[0]].bytes;
        let each = match mode {
            Mode::Vector(width) => (width * bytes * 8) as f64 / f64::from(target.core.loop_bits),
            Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.0,
        };
        match self {
            Part::All => {}
            Part::Ahead(count, _) => {
                load.stores += each.max(1.0) * *count as f64;
                load.slots += each.max(1.0) * *count as f64;
            }
            Part::Update(count, _) => {
                load.loads += *count as f64;
                load.slots += *count as f64;
            }
        }
    }
}

impl StmtFacts {
    /// These nodes and all that they are made of.
    fn below(&self, nodes: &[usize]) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut open = nodes.to_vec();
        while let Some(n) = open.pop() {
            if found.insert(n) {
                open.extend(&self.nodes[n].args);
            }
        }
        found
    }

    /// Whether an access belongs to a part of the statement.
    fn touches(&self, access: usize, part: &Part) -> bool {
        let first = |nodes: &BTreeSet<usize>| match self.roots.get(access) {
            Some(root) => nodes.contains(root),
            None => nodes
                .iter()
                .any(|n| self.nodes[*n].kind == Kind::Read(access)),
        };
        match part {
            Part::All => true,
            Part::Ahead(_, nodes) => first(nodes),
            Part::Update(_, nodes) => !first(nodes),
        }
    }

    /// Cycles from a read to the written value: the longest path.
    fn path(&self, read: usize, part: &Part, target: &Target) -> f64 {
        let mut cycles: Vec<Option<f64>> = vec![];
        for node in &self.nodes {
            // Branches are foreseen: nothing waits for a condition, and what is written in some iterations only is rarely
            // what the next one reads.
            let args = match (node.kind, self.conditional) {
                (Kind::Choice, true) => &[],
                (Kind::Choice, false) => &node.args[1..],
                _ => &node.args[..],
            };
            let longest = args.iter().filter_map(|a| cycles[*a]);
            let longest = longest.reduce(f64::max);
            cycles.push(match node.kind {
                Kind::Read(n) => (n == read).then_some(0.0),
                kind => longest.map(|c| c + latency(kind, target)),
            });
        }
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

/// What a scalar counts among full vectors of which so many are taken in a cycle: even where there is one, its halves have a unit each.
fn narrow(per_cycle: u32) -> f64 {
    f64::from(per_cycle) / f64::from(per_cycle.max(2))
}

fn latency(kind: Kind, target: &Target) -> f64 {
    let core = &target.core;
    match kind {
        Kind::Float => f64::from(core.add),
        Kind::Fused => f64::from(target.vector.latency),
        Kind::Divide => f64::from(core.divide.1),
        Kind::Root | Kind::RootWithErrno => f64::from(core.divide.1) * 1.4,
        Kind::Whole => f64::from(core.divide.1) * 1.5,
        Kind::Call | Kind::Row => CALL,
        Kind::Simple => SIMPLE,
        Kind::Gather => LOAD,
        Kind::Read(_) | Kind::Invariant | Kind::Index { .. } | Kind::Free | Kind::Choice => 0.0,
    }
}

/// Accesses and shuffles for a vector of a square: all are whole, and what lies across the vectors is transposed.
fn in_square(a: &AccessFacts, gain: i64, lanes: i64) -> (f64, f64) {
    match gain == a.bytes || gain == 0 {
        true => (1.0, 0.0),
        false => (1.0, (lanes as f64).log2()),
    }
}

/// Adds an operation to what an iteration issues.
fn operation(load: &mut Load, kind: Kind, bytes: i64, mode: Mode, target: &Target) {
    let bits = bytes as f64 * 8.0;
    let (count, width) = match mode {
        Mode::Scalar => (1.0, 1.0),
        Mode::Vector(w) => {
            let vectors = (w as f64 * bits / f64::from(target.core.loop_bits)).max(1.0);
            (vectors, w as f64)
        }
        Mode::Square(w) => (1.0, w as f64),
        Mode::Lanes(l) => (l.vectors as f64, (l.vectors * l.lanes) as f64),
    };
    match kind {
        Kind::Read(_) | Kind::Invariant | Kind::Free => {}
        Kind::Index {
            operations,
            by_lane,
        } => {
            let (all, by_lane) = (f64::from(operations), f64::from(by_lane));
            load.slots += 0.5 + (all - by_lane) * count + by_lane * width;
        }
        Kind::Simple => {
            load.slots += count;
            if !matches!(mode, Mode::Scalar) {
                load.floats += INTEGER * count;
            }
        }
        Kind::Choice => {
            load.slots += count;
            if matches!(mode, Mode::Scalar) {
                load.alone += UNFORESEEN * MISPREDICTED;
            }
        }
        Kind::Float | Kind::Fused => {
            load.slots += count;
            load.floats += match mode {
                Mode::Scalar => narrow(target.vector.per_cycle),
                Mode::Vector(_) | Mode::Square(_) | Mode::Lanes(_) => count,
            };
        }
        Kind::Divide | Kind::Root | Kind::RootWithErrno => {
            let each = f64::from(target.core.divide.0);
            let each = if kind == Kind::Divide {
                each
            } else {
                each * 1.5
            };
            // Two lanes of a vector share a step of the divider.
            load.alone += each * bytes as f64 / 8.0 * (width / 2.0).max(1.0);
            load.slots += count;
        }
        Kind::Whole => load.alone += f64::from(target.core.divide.0) * 1.5 * width,
        Kind::Call => load.alone += CALL * width,
        Kind::Row => {
            let lanes = match mode {
                Mode::Vector(_) => ABREAST,
                Mode::Scalar | Mode::Square(_) | Mode::Lanes(_) => 1.0,
            };
            load.alone += CALL * (width / lanes).max(1.0);
        }
        Kind::Gather => {
            let into_vector = f64::from(target.core.lookup) * if bytes < 4 { SMALL } else { 1.0 };
            load.loads += width * narrow(target.vector.loads_per_cycle);
            load.slots += if width > 1.0 {
                width * into_vector
            } else {
                1.0
            };
        }
    }
}

/// When an access meets what another wrote.
enum Between {
    Never,
    /// So many iterations later, or earlier.
    After(i64),
    Unknown,
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
