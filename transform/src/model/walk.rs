//! Loops around bodies: trip counts, lanes, register tiles, threads; see [`time`].

use super::body::{self, Around, Lanes, Outer};
use super::facts::Facts;
use super::registers;
use super::traffic::{Traffic, by_level, own};
use super::{Env, Judged, Time};
use crate::ast::expr;
use crate::target::Target;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, PackStore};
use polytile_analysis::ids::StmtId;

/// Parts of a loop that are looked at, where its iterations differ.
const PARTS: i64 = 3;

/// Samples of one place through all loops around it.
pub(super) const SAMPLES: usize = 81;

/// Loops of so few iterations are gone through one by one.
const FEW: i64 = 3;

/// Cycles of a loop's own per iteration, where its body is not innermost.
const STEP: f64 = 3.0;

/// What two threads bring where tiles wait for others.
const PIPELINED: f64 = 1.7;

/// The side of a square that no loop fills: what is left beside squares runs one by one.
const NO_SQUARE: i64 = 1 << 32;

/// Bytes of a page.
const PAGE: f64 = 4096.0;

/// Bytes from which on allocators get a block of its own from the system: glibc's until it has seen one go.
pub const MAPPED: f64 = 131_072.0;

/// The part of the shorter one of arithmetic and memory that does not hide behind the longer one.
const EXPOSED: f64 = 0.25;

/// Whether conditions and bounds are the same in all lanes; where they are not, code generation has no vectors.
fn is_uniform(ast: &Ast, iter: IterId) -> bool {
    let same = |e: &Expr| !expr::mentions(e, iter);
    match ast {
        Ast::Block(list) => list.iter().all(|a| is_uniform(a, iter)),
        Ast::If { cond, then, els } => {
            same(cond) && is_uniform(then, iter) && els.iter().all(|e| is_uniform(e, iter))
        }
        Ast::For(l) => same(&l.lower) && same(&l.upper) && is_uniform(&l.body, iter),
        Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => true,
    }
}

/// The time of a program: arithmetic, and memory behind it, nest by nest.
pub(super) fn time(facts: &Facts, judged: &Judged, target: &Target) -> Time {
    let walk = Walk { facts, target };
    let env = Env::new(judged);
    let nests = nests(judged.body);
    let traffic = traffic_of(&nests, facts, judged);
    let mut total = Time::default();
    for (Nest { ast, team }, bytes) in nests.iter().zip(by_level(&traffic, target)) {
        let compute = match team {
            Some(team) => walk.in_team(ast, *team, &env),
            None => walk.ast(ast, &env, &Place::default()),
        };
        let memory = walk.memory(bytes, ast.has_parallel_loop());
        let both = |c: f64, m: f64| c.max(m) + EXPOSED * c.min(m);
        log::debug!("model: arithmetic {compute:?}, memory {memory:?}");
        let nest = Time {
            one: both(compute.one, memory.one),
            two: both(compute.two, memory.two),
        };
        total = total.plus(nest);
    }
    let own = own(&traffic, judged.scop);
    total.plus(walk.pages(own, judged.body.has_parallel_loop()))
}

/// A nest of a program.
pub(super) struct Nest<'a> {
    ast: &'a Ast,
    /// When the team is worth it that runs it among others, if that depends, and whether it is the first of them.
    team: Option<(Option<&'a Expr>, bool)>,
}

/// Nests one after the other, those of one team as well: they leave to each other in the caches what they would without it.
pub(super) fn nests(ast: &Ast) -> Vec<Nest<'_>> {
    match ast {
        Ast::Block(list) => list.iter().flat_map(nests).collect(),
        Ast::For(l) => match &l.kind {
            ForKind::Team { worth } if l.is_once() => {
                let mut inside = nests(&l.body);
                for (n, nest) in inside.iter_mut().enumerate() {
                    nest.team = Some((worth.as_ref(), n == 0));
                }
                inside
            }
            _ => vec![Nest { ast, team: None }],
        },
        _ => vec![Nest { ast, team: None }],
    }
}

/// The bytes that each of the nests moves.
pub(super) fn traffic_of(nests: &[Nest], facts: &Facts, judged: &Judged) -> Vec<Traffic> {
    let env = Env::new(judged);
    let of = |nest: &Nest| Traffic::new(facts, judged, nest.ast, &env);
    nests.iter().map(of).collect()
}

/// What is around a place.
#[derive(Clone, Default)]
struct Place {
    around: Around,
    /// Threads are awake.
    team: bool,
    /// In a parallel loop.
    parallel: bool,
    /// Samples so far.
    samples: usize,
    /// First and last value of the program's loop that the next one is a piece of.
    whole: Option<(i64, i64)>,
}

impl Place {
    /// The place in a team that is worth it under a condition, and whether the team begins there.
    fn in_team(&self, worth: Option<&Expr>, env: &Env) -> (Place, bool) {
        let worth = worth.is_none_or(|w| env.value(w) != 0);
        let inside = Place {
            team: worth || self.team,
            parallel: self.parallel || !worth,
            ..self.clone()
        };
        (inside, worth && !self.team)
    }

    /// A loop here as what is around those in it.
    fn outer(&self, l: &For, env: &Env) -> Outer {
        let (first, last) = self.whole.unwrap_or(ends(l, env));
        Outer {
            iter: l.iter,
            first,
            last,
        }
    }
}

/// First and last value of a loop.
fn ends(l: &For, env: &Env) -> (i64, i64) {
    let (first, trips) = env.range(l);
    (
        first,
        first + (trips - 1).max(0) * env.value(&l.step).max(1),
    )
}

/// First and last value of the loop that each member of a list is a piece of, one of several for the same statement.
fn wholes(list: &[Ast], env: &Env) -> Vec<Option<(i64, i64)>> {
    let loops = list.iter().map(|a| match a {
        Ast::For(l) => first_stmt(a).map(|stmt| (stmt, ends(l, env))),
        _ => None,
    });
    let loops: Vec<Option<(StmtId, (i64, i64))>> = loops.collect();
    let whole = |(stmt, _): &(StmtId, (i64, i64))| {
        let pieces = loops.iter().flatten().filter(|p| p.0 == *stmt);
        pieces
            .map(|p| p.1)
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    let each = loops.iter().map(|l| l.as_ref().and_then(whole));
    each.collect()
}

/// The statement that comes first in a program.
fn first_stmt(ast: &Ast) -> Option<StmtId> {
    match ast {
        Ast::User(u) => Some(u.stmt),
        Ast::For(l) => first_stmt(&l.body),
        Ast::Block(list) => list.iter().find_map(first_stmt),
        Ast::If { then, .. } => first_stmt(then),
        Ast::MicroKernel(_) | Ast::Pack(_) => None,
    }
}

struct Walk<'a> {
    facts: &'a Facts,
    target: &'a Target,
}

impl Walk<'_> {
    /// Cycles that a program's bytes take.
    fn memory(&self, [first, second, third]: [f64; 3], parallel: bool) -> Time {
        let core = &self.target.core;
        log::debug!("model: bytes into the caches {first:.0} {second:.0} {third:.0}");
        let near = (first - second).max(0.0) / core.l2_rate;
        let far = |threads: f64, shared: f64| {
            (second / core.l3_rate / threads).max(third / core.memory_rate / shared)
        };
        let one = near + far(1.0, 1.0);
        Time {
            one,
            two: match parallel {
                true => near / 2.0 + far(2.0, core.shared),
                false => one,
            },
        }
    }

    /// Cycles until so much memory of the program's own is there: an allocator has larger blocks from the system, which hands them out page by
    /// page as they are touched, in each entry that finds none kept.
    fn pages(&self, bytes: f64, parallel: bool) -> Time {
        if bytes < MAPPED {
            return Time::default();
        }
        let core = &self.target.core;
        let one = bytes / PAGE * core.page;
        Time {
            one,
            two: if parallel { one / core.shared } else { one },
        }
    }

    fn ast(&self, ast: &Ast, env: &Env, place: &Place) -> Time {
        match ast {
            Ast::Block(list) => self.block(list, env, place),
            Ast::For(l) => self.loop_(l, env, place),
            Ast::If { cond, then, els } => {
                let test = Time::same(1.0 + expr::size(cond) as f64 / 8.0);
                let taken = match (env.value(cond) != 0, els) {
                    (true, _) => self.ast(then, env, place),
                    (false, Some(els)) => self.ast(els, env, place),
                    (false, None) => Time::default(),
                };
                test.plus(taken)
            }
            Ast::User(_) => {
                let cycles = body::straight(self.facts, ast, env, place.around.lanes, self.target);
                Time::same(cycles)
            }
            Ast::MicroKernel(k) => Time::same(registers::tile(self.facts, k, env, self.target)),
            Ast::Pack(p) => Time::same(self.pack(p)),
        }
    }

    fn block(&self, list: &[Ast], env: &Env, place: &Place) -> Time {
        let wholes = wholes(list, env);
        let all = list.iter().zip(wholes).map(|(a, whole)| {
            let place = Place {
                whole,
                ..place.clone()
            };
            self.member(a, env, &place)
        });
        all.fold(Time::default(), Time::plus)
    }

    /// One of several programs that follow each other.
    fn member(&self, ast: &Ast, env: &Env, place: &Place) -> Time {
        let mut time = self.ast(ast, env, place);
        if place.team && !place.parallel && ast.has_parallel_loop() {
            time.two += self.target.core.wait;
        }
        time
    }

    /// A nest of a team.
    fn in_team(&self, ast: &Ast, (worth, first): (Option<&Expr>, bool), env: &Env) -> Time {
        let (inside, begins) = Place::default().in_team(worth, env);
        let mut time = self.member(ast, env, &inside);
        if begins && first {
            time.two += self.target.core.fork;
        }
        time
    }

    fn loop_(&self, l: &For, env: &Env, place: &Place) -> Time {
        match &l.kind {
            ForKind::Parallel { worth, .. } => {
                let worth = worth.as_ref().is_none_or(|w| env.value(w) != 0);
                self.parallel(l, env, place, worth && !place.parallel)
            }
            ForKind::Team { worth } => {
                let (inside, begins) = place.in_team(worth.as_ref(), env);
                let mut time = self.iterations(l, env, &inside);
                if begins {
                    time.two += self.target.core.fork;
                }
                time
            }
            ForKind::Lanes { .. } if !is_uniform(&l.body, l.iter) => self.iterations(l, env, place),
            ForKind::Lanes { lanes, vectors, .. } => {
                let lanes = Lanes {
                    iter: l.iter,
                    lanes: (*lanes).into(),
                    vectors: (*vectors).into(),
                    diagonal: false,
                };
                self.in_lanes(l, env, place, lanes)
            }
            ForKind::Diagonal { lanes, vectors, .. } => {
                let lanes = Lanes {
                    iter: l.iter,
                    lanes: (*lanes).into(),
                    vectors: (*vectors).into(),
                    diagonal: true,
                };
                self.in_lanes(l, env, place, lanes)
            }
            ForKind::Sequential
            | ForKind::Stage
            | ForKind::Vector
            | ForKind::ShortVector { .. }
            | ForKind::Squares { .. }
            | ForKind::Strips { .. } => self.iterations(l, env, place),
        }
    }

    /// A loop dealt to threads.
    fn parallel(&self, l: &For, env: &Env, place: &Place, worth: bool) -> Time {
        let inside = Place {
            parallel: true,
            ..place.clone()
        };
        let one = self.iterations(l, env, &inside).one;
        let (_, trips) = env.range(l);
        let shares = trips as f64 / ((trips + 1) / 2).max(1) as f64;
        let gain = match l.kind.is_pipelined() {
            true => shares.min(PIPELINED),
            false => shares.max(1.0),
        };
        let core = &self.target.core;
        let start = if place.team { core.wait } else { core.fork };
        Time {
            one,
            two: match worth {
                true => one / gain + start,
                false => one,
            },
        }
    }

    /// A bundle of lanes after the other.
    fn in_lanes(&self, l: &For, env: &Env, place: &Place, lanes: Lanes) -> Time {
        let (first, trips) = env.range(l);
        let width = (lanes.lanes * lanes.vectors).max(1);
        let bundles = (trips + width - 1) / width;
        let mut inside = env.clone();
        inside.set(l.iter, first + trips / 2);
        let place = Place {
            around: Around {
                lanes: Some(lanes),
                outer: Some(place.outer(l, env)),
                square: None,
            },
            whole: None,
            ..place.clone()
        };
        let one = self.ast(&l.body, &inside, &place);
        one.plus(Time::same(STEP)).times(bundles as f64)
    }

    /// One iteration after the other.
    fn iterations(&self, l: &For, env: &Env, place: &Place) -> Time {
        if innermost(&l.body) {
            let cycles = body::innermost(self.facts, l, env, place.around, self.target);
            return Time::same(cycles);
        }
        let (_, trips) = env.range(l);
        if trips == 0 {
            return Time::same(STEP);
        }
        let at = looked_at(l, env, place.samples);
        let each = |square: Option<i64>| {
            let place = Place {
                around: Around {
                    outer: Some(place.outer(l, env)),
                    square,
                    ..place.around
                },
                samples: place.samples.max(1) * at.len(),
                whole: None,
                ..place.clone()
            };
            let mut total = Time::default();
            let mut inside = env.clone();
            for value in &at {
                inside.set(l.iter, *value);
                total = total.plus(self.ast(&l.body, &inside, &place));
            }
            total.times(1.0 / at.len() as f64).plus(Time::same(STEP))
        };
        match l.kind {
            ForKind::Squares { lanes, .. } => {
                let rest = trips % i64::from(lanes);
                let whole = each(Some(lanes.into())).times((trips - rest) as f64);
                match rest {
                    0 => whole,
                    _ => whole.plus(each(Some(NO_SQUARE)).times(rest as f64)),
                }
            }
            _ => each(None).times(trips as f64),
        }
    }

    /// A copy of an operand.
    fn pack(&self, p: &PackStore) -> f64 {
        1.2 * p.operands.len() as f64
    }
}

/// Values of a loop's iterator for which its body is looked at, each for as many iterations as the others; the body was looked at `samples`
/// times for the loops around. Empty: the loop has no iteration.
pub(super) fn looked_at(l: &For, env: &Env, samples: usize) -> Vec<i64> {
    let (first, trips) = env.range(l);
    let step = env.value(&l.step).max(1);
    let parts = match () {
        () if trips <= FEW => trips,
        () if samples * PARTS as usize <= SAMPLES && depends(&l.body, l.iter) => PARTS,
        () => 1,
    };
    let middle = |part: i64| (2 * part + 1) * trips / (2 * parts);
    (0..parts)
        .map(|part| first + middle(part).min(trips - 1) * step)
        .collect()
}

/// Whether there is no loop in it.
fn innermost(ast: &Ast) -> bool {
    ast.has_no_loop()
}

/// Whether what a program does depends on an iterator of a loop around.
fn depends(ast: &Ast, iter: IterId) -> bool {
    let on = |e: &Expr| expr::mentions(e, iter);
    match ast {
        Ast::For(l) => {
            on(&l.lower)
                || on(&l.upper)
                || l.anchor.as_ref().is_some_and(on)
                || depends(&l.body, iter)
        }
        Ast::If { cond, then, els } => {
            on(cond) || depends(then, iter) || els.iter().any(|e| depends(e, iter))
        }
        Ast::Block(list) => list.iter().any(|a| depends(a, iter)),
        Ast::MicroKernel(k) => on(&k.first) || on(&k.last),
        Ast::User(_) | Ast::Pack(_) => false,
    }
}
