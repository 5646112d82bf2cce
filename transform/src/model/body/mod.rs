//! An innermost loop: what an iteration takes in lanes, without them, and along the chain that it carries.
//!
//! ```text
//! without lanes   the most of: instructions / issue width, operations and accesses / their ports, divisions, the chain
//! in lanes        the same for a vector of iterations; accesses that do not follow memory element by element
//! ```
//!
//! Whether LLVM finds lanes is read from the accesses: a value that comes round to its own statement keeps iterations in
//! order, unless it is a sum whose terms may come in any order. A loop that is marked has them.
//!
//! | module | what of it |
//! |---|---|
//! | [`checks`] | what LLVM compares in front of its vectors |
//! | [`copies`] | what LLVM packs of copies that lie side by side |
//! | [`item`] | a statement: what moves, what runs, its accesses |
//! | [`load`] | what an iteration issues |
//! | [`order`] | what keeps iterations in order, and whether LLVM finds lanes |

mod checks;
mod copies;
mod item;
mod load;
mod order;

use super::Env;
use super::facts::Facts;
use crate::ast::expr::any_leaf;
use crate::target::Target;
use item::{Item, Part};
pub(super) use load::{EXTREMUM, INTEGER, product};
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId, User};
use polytile_analysis::chain::{AnyOrder, Chain};
use polytile_analysis::ids::ArrayId;
use std::collections::BTreeSet;

/// Cycles to enter a loop without lanes, and one with them.
const ENTRY: (f64, f64) = (4.0, 18.0);

/// A branch that was not foreseen: the end of a loop of few iterations, now more and now less.
const MISPREDICTED: f64 = 12.0;

/// Iterations of which branch predictors see the end.
const FORESEEN: f64 = 32.0;

/// Instructions up to which LLVM writes a loop out whose iterations it knows.
const WRITTEN_OUT: f64 = 300.0;

/// Lanes from which on LLVM has vectors of fewer for what is left (`EpilogueVectorizationMinVF`).
const WIDE: i64 = 16;

/// Instructions in flight.
const WINDOW: f64 = 256.0;

/// Iterations of a strip.
const STRIP: f64 = 64.0;

/// Vectors of updates of a strip that run side by side.
const CHAINS: f64 = 4.0;

/// The part of the shorter one of a strip's operands and updates that does not hide behind the longer one.
const BEHIND: f64 = 0.25;

/// Cycles of a condition in front of a loop: a load, a comparison and a branch that is foreseen.
const ASKED: f64 = 3.0;

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

/// What is around an innermost loop.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// Iterations side by side.
    pub(super) lanes: Option<Lanes>,
    /// The loop around.
    pub(super) outer: Option<Outer>,
    /// Both loops run in squares of so many iterations of each.
    pub(super) square: Option<i64>,
}

/// A loop around another one: its iterator, and the first and last value in the program's own loop.
#[derive(Clone, Copy)]
pub(super) struct Outer {
    pub(super) iter: IterId,
    pub(super) first: i64,
    pub(super) last: i64,
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

/// The statements of a body, and its conditions.
#[derive(Default)]
struct Body<'a> {
    items: Vec<Item<'a>>,
    conditions: f64,
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
    if facts.original {
        body.count_copies();
        body.pack_copies(target);
    }
    let mode = lanes.map_or(Mode::Scalar, Mode::Lanes);
    body.load(mode, true, target).cycles(target) + body.conditions
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
    if facts.original {
        body.count_copies();
    }
    let asked = body.is_asked_in_front();
    let n = trips as f64;
    if let Some(lanes) = around.lanes {
        let one = body.each(Mode::Lanes(lanes), target);
        let chain = body.chain(facts, trips, false, target);
        return ENTRY.0 + n * one.max(chain) + body.conditions * n;
    }
    let updates = match &l.kind {
        ForKind::Strips { chains } => {
            let behind = body.part(facts, chains);
            let each = behind.load(Mode::Scalar, false, target).cycles(target);
            let chain = behind.chain(facts, trips, false, target);
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
    let mode = match around.square {
        Some(lanes) => Some((lanes, Mode::Square(lanes), false)),
        None => body
            .lanes(facts, (l, &now), around.outer, target)
            .map(|v| (v.width, Mode::Vector(v.width), v.masked)),
    };
    // What an iteration needs of the one before keeps lanes away, nothing else does for sure.
    if facts.original && mode.is_none() && body.chain(facts, trips, false, target) > 0.0 {
        body.pack_copies(target);
    }
    let known = facts.knows_trips(l);
    let scalar = body.each(Mode::Scalar, target) + body.conditions;
    let chain = body.chain(facts, trips, false, target);
    let chain = chain / body.packed() / body.overlap(facts, l, &now, (n, around.outer), target);
    let varies = [&l.lower, &l.upper]
        .iter()
        .any(|e| any_leaf(e, &|leaf| matches!(leaf, Expr::Iter(_))));
    let end = match n < FORESEEN && n > 2.0 && varies {
        true => MISPREDICTED,
        false => 0.0,
    };
    // A loop that is written out is neither begun nor ended.
    let entry = |mode: Mode, iterations: f64, begun: f64| {
        let slots = || body.load(mode, false, target).slots;
        let whole = known && iterations * slots() <= WRITTEN_OUT;
        if whole { 1.0 } else { begun }
    };
    let alone = entry(Mode::Scalar, n, ENTRY.0) + n * scalar.max(chain) + end;
    let free = match mode {
        Some((width, mode, masked)) => {
            let vector = body.each(mode, target) + body.waits(width, trips);
            let whole = (trips / width) as f64;
            let rest = (trips % width) as f64;
            let masked = masked || matches!(l.kind, ForKind::ShortVector { masked: true });
            let rest = match masked {
                true => vector.min(rest * vector),
                false => body.rest(mode, rest, scalar, target),
            };
            let entry = entry(mode, whole, ENTRY.1);
            let abreast = entry + whole * vector + rest + end;
            match facts.original && body.is_scattered(width, target) {
                true => abreast,
                false => alone.min(abreast),
            }
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

/// The comparisons that a condition is made of.
fn comparisons(cond: &Expr) -> u32 {
    match cond {
        Expr::Bin(BinOp::And | BinOp::Or, a, b) => comparisons(a) + comparisons(b),
        _ => 1,
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
                // How the original asks is not known.
                let asked = if facts.original { 1 } else { comparisons(cond) };
                self.conditions += f64::from(if active { asked } else { 0 });
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
                    original: facts.original,
                    now: at(envs[0]),
                    next: at(envs[1]),
                    beside: at(envs[2]),
                    active,
                    guarded,
                    asks: facts.stmt(*stmt).conditional,
                    answered: false,
                    holding: facts.holding,
                    packed: facts.stmt(*stmt).packed,
                    copies: 1,
                    part: Part::All,
                });
            }
            Ast::For(_) | Ast::MicroKernel(_) | Ast::Pack(_) => {}
        }
    }

    /// Cycles of what whole vectors leave: LLVM has shorter ones for it behind wide ones.
    fn rest(&self, mode: Mode, rest: f64, scalar: f64, target: &Target) -> f64 {
        match mode {
            Mode::Vector(width) if width >= WIDE => {
                let shorter = width / 2;
                let vector = self.each(Mode::Vector(shorter), target);
                let whole = (rest / shorter as f64).floor();
                whole * vector + (rest - whole * shorter as f64) * scalar
            }
            _ => rest * scalar,
        }
    }

    /// Conditions that the loop does not move with are asked in front of it.
    fn ask_in_front(&mut self) {
        let written = self.written();
        for item in &mut self.items {
            let moving = item.moving(false, &written);
            let asks = &item.facts.asks;
            item.asks &= asks.iter().any(|c| moving[*c]) || asks.is_empty();
            let changes = item.facts.changes.is_some_and(|c| !moving[c]);
            item.answered = changes || (item.facts.conditional && !item.asks);
        }
    }

    /// Whether nothing of it runs where a condition in front of it does not hold.
    fn is_asked_in_front(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|i| i.answered)
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

    /// How many times as fast straight code is than its operations one by one.
    fn packed(&self) -> f64 {
        let all = self.items.iter().map(|i| i.packed);
        all.fold(1.0, f64::max)
    }

    fn written(&self) -> BTreeSet<ArrayId> {
        let all = self.items.iter().flat_map(|i| &i.facts.accesses);
        all.filter(|a| a.writes).map(|a| a.array).collect()
    }
}
