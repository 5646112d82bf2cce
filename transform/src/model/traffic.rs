//! Bytes that a program moves into each cache.
//!
//! The recursion of [`crate::cost`], on a loop program in the middle of its loops:
//!
//! ```text
//! T(loop) = F(loop)            if the body's footprint over one iteration fits three quarters of it: every line comes once
//!         = trips * T(body)    otherwise
//! T(one; another) = F(both) if both fit, else T(one) + T(another)
//! ```
//!
//! `F` is the memory in boxes around the elements that the references touch; references to one array whose boxes meet
//! share one. What is written goes back as well: into memory that takes as long as it takes to come, into another cache it is on its way while
//! other lines come.

use super::facts::{Facts, Home, subscript};
use super::registers;
use super::walk::{SAMPLES, looked_at};
use super::{Env, Judged, LINE};
use crate::ast::expr;
use crate::target::Target;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, MicroKernel, PackStore, Panel, User};
use polytile_analysis::ids::{NodeId, StmtId};
use polytile_analysis::scop::{ArrayKind, Scop};
use std::collections::BTreeMap;

/// The part of a cache that holds what an iteration takes from the one before, in halves: the rest is passing through.
const REUSED: f64 = 1.5;

/// The box around two boxes may be so many times as large as both.
const MORE: f64 = 1.1;

/// What a reference reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Memory {
    Array(usize),
    Buffer(usize),
}

/// A reference in the middle of all loops.
struct Reference {
    memory: Memory,
    bytes: f64,
    /// Subscripts of the middle.
    at: Vec<i64>,
    /// By loop, outermost first, and dimension: what one iteration adds.
    moves: Vec<Vec<i64>>,
    /// Written as well.
    writes: bool,
}

impl Reference {
    /// Whether it is to the same elements in all iterations: several statements read what one would read once.
    fn is_same(&self, other: &Reference) -> bool {
        (self.memory, &self.at, &self.moves) == (other.memory, &other.at, &other.moves)
    }
}

/// A program in the middle of its loops.
enum Node {
    Loop(f64, Vec<Node>),
    /// A loop of which so many iterations run together, square by square of the loop inside.
    Squares(f64, f64, Vec<Node>),
    Reference(Reference),
}

/// Bytes of a program, or a part of it.
pub(super) struct Traffic {
    nodes: Vec<Node>,
    /// All that the program touches.
    boxes: Boxes,
    /// Bytes of it.
    held: f64,
}

/// The boxes around elements, by what they are of.
type Boxes = BTreeMap<Memory, Vec<Extent>>;

/// A loop around the current place.
struct Around<'a> {
    l: &'a For,
    offset: i64,
}

struct Builder<'a> {
    facts: &'a Facts,
    judged: &'a Judged<'a>,
}

impl Traffic {
    pub(super) fn new(facts: &Facts, judged: &Judged, ast: &Ast, env: &Env) -> Traffic {
        let builder = Builder { facts, judged };
        let mut nodes = vec![];
        builder.node(ast, env, &mut vec![], &mut nodes);
        let mut boxes = Boxes::new();
        boxes_of(&nodes, &mut vec![], &mut boxes);
        Traffic {
            held: Footprint::of(&boxes, 0.0).held,
            nodes,
            boxes,
        }
    }

    /// Bytes that come into a cache, and how much of it goes back. What fits is there: the program around the region worked on it a moment ago.
    fn into(&self, cache: Cache) -> f64 {
        match self.held <= cache.capacity {
            true => 0.0,
            false => self.nodes.iter().map(|n| moved(n, 0, cache)).sum(),
        }
    }
}

/// A cache that bytes come into.
#[derive(Clone, Copy)]
struct Cache {
    /// Bytes of it that hold what is used again.
    capacity: f64,
    /// What a byte that goes back counts beside one that comes.
    back: f64,
}

/// Bytes that come into the first, second and third level, for the third one with those that go back, for each of several nests that follow each
/// other. Half of a cache holds what is used again; the rest is passing through.
pub(super) fn by_level(nests: &[Traffic], target: &Target) -> Vec<[f64; 3]> {
    let boxes = together(nests);
    let into = |level: u64, back: f64| {
        let capacity = level as f64 / 2.0;
        into(nests, &boxes, Cache { capacity, back })
    };
    let come = [target.l1, target.l2, target.l3].map(|level| into(level, 0.0));
    let all = into(target.l3, 1.0);
    let levels = (0..nests.len()).map(|n| {
        let [first, second, third] = [0, 1, 2].map(|level| come[level][n]);
        let second = second.min(first);
        [first, second, third.min(second) + (all[n] - third)]
    });
    levels.collect()
}

/// Bytes of the temporary arrays that several nests touch, each as far as one of them does.
pub(super) fn own(nests: &[Traffic], scop: &Scop) -> f64 {
    let mut most: BTreeMap<usize, f64> = BTreeMap::new();
    for n in nests {
        for (memory, extents) in &n.boxes {
            if let Memory::Array(array) = memory
                && scop.arrays[*array].kind == ArrayKind::Temporary
            {
                let bytes = extents.iter().map(Extent::volume).sum();
                let known = most.entry(*array).or_default();
                *known = known.max(bytes);
            }
        }
    }
    most.values().sum()
}

/// The boxes of all nests.
fn together(nests: &[Traffic]) -> Boxes {
    if let [only] = nests {
        return only.boxes.clone();
    }
    let mut boxes = Boxes::new();
    for n in nests {
        boxes_of(&n.nodes, &mut vec![], &mut boxes);
    }
    boxes
}

/// Bytes that come into a cache for each nest; `boxes`: those of all. What all of them touch comes once, unless it fits; it does not come again if it
/// fits as what two iterations touch does.
fn into(nests: &[Traffic], boxes: &Boxes, cache: Cache) -> Vec<f64> {
    let mut each: Vec<f64> = nests.iter().map(|n| n.into(cache)).collect();
    let once = Footprint::of(boxes, cache.back);
    if nests.len() < 2 || once.held <= cache.capacity {
        return each;
    }
    let all: f64 = each.iter().sum();
    if all < once.moved {
        let touched = nests.iter().map(|n| n.held);
        let more = (once.moved - all) / touched.clone().sum::<f64>();
        each.iter_mut()
            .zip(touched)
            .for_each(|(e, t)| *e += more * t);
    } else if once.held <= REUSED * cache.capacity {
        each.iter_mut().for_each(|e| *e *= once.moved / all);
    }
    each
}

/// Bytes that a node below so many loops moves.
fn moved(node: &Node, depth: usize, cache: Cache) -> f64 {
    let Cache { capacity, back } = cache;
    match node {
        Node::Reference(r) => LINE.max(r.bytes) * if r.writes { 1.0 + back } else { 1.0 },
        Node::Squares(trips, together, body) => {
            let mut spans = vec![0.0; depth];
            spans.push(together.min(*trips));
            match footprint(body, &mut spans.clone(), back).held <= capacity {
                true => spans[depth] = *trips,
                false => {
                    return (trips / together).max(1.0) * footprint(body, &mut spans, back).moved;
                }
            }
            footprint(body, &mut spans, back).moved
        }
        Node::Loop(trips, body) => {
            let trips = trips.max(0.0);
            let mut spans = vec![0.0; depth];
            spans.push(trips.min(1.0));
            // Between two iterations that touch an element lies one iteration.
            if footprint(body, &mut spans.clone(), back).held <= REUSED * capacity {
                spans[depth] = trips;
                return footprint(body, &mut spans, back).moved;
            }
            if body.len() > 1 {
                let one = footprint(body, &mut spans, back);
                if one.held <= capacity {
                    return trips * one.moved;
                }
            }
            trips * body.iter().map(|n| moved(n, depth + 1, cache)).sum::<f64>()
        }
    }
}

/// The boxes around all references.
#[derive(Default)]
struct Footprint {
    /// Bytes that lie in a cache.
    held: f64,
    /// Bytes that come, and go back.
    moved: f64,
}

/// The footprint of nodes; `spans`: iterations of the loops around; `back`: what a byte that goes back counts.
fn footprint(nodes: &[Node], spans: &mut Vec<f64>, back: f64) -> Footprint {
    let mut boxes = Boxes::new();
    boxes_of(nodes, spans, &mut boxes);
    Footprint::of(&boxes, back)
}

impl Footprint {
    fn of(boxes: &Boxes, back: f64) -> Footprint {
        let mut all = Footprint::default();
        for e in boxes.values().flatten() {
            let bytes = e.volume();
            all.held += bytes;
            all.moved += bytes + back * bytes.min(e.written);
        }
        all
    }
}

/// A box of elements.
#[derive(Clone)]
struct Extent {
    bytes: f64,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// References touch no more bytes than this, in whole lines.
    touched: f64,
    /// What each loop around adds, while all references move alike.
    moves: Option<Vec<Vec<i64>>>,
    /// Those of them that are written.
    written: f64,
}

impl Extent {
    fn volume(&self) -> f64 {
        let extents = self.lo.iter().zip(&self.hi).map(|(l, h)| h - l + 1.0);
        let extents: Vec<f64> = extents.collect();
        let Some((last, outer)) = extents.split_last() else {
            return LINE;
        };
        let rows: f64 = outer.iter().product();
        let lines = (last * self.bytes / LINE).ceil().max(1.0);
        (rows * lines * LINE).min(self.touched.max(LINE))
    }

    fn meets(&self, other: &Extent) -> bool {
        let apart = |d: usize| {
            let near = if d + 1 == self.lo.len() { 8.0 } else { 1.0 };
            self.lo[d] > other.hi[d] + near || other.lo[d] > self.hi[d] + near
        };
        self.lo.len() == other.lo.len() && !(0..self.lo.len()).any(apart)
    }

    /// The box around both, if it is not much more than the two: a row and a column of a matrix meet in a corner.
    fn joined(&self, other: &Extent) -> Option<Extent> {
        if !self.meets(other) {
            return None;
        }
        let mut both = self.clone();
        both.join(other);
        (both.volume() <= MORE * (self.volume() + other.volume())).then_some(both)
    }

    fn join(&mut self, other: &Extent) {
        for d in 0..self.lo.len() {
            self.lo[d] = self.lo[d].min(other.lo[d]);
            self.hi[d] = self.hi[d].max(other.hi[d]);
        }
        // What moves alike touches nearly the same.
        let alike = self.moves.is_some() && self.moves == other.moves;
        let both = |a: f64, b: f64| if alike { a.max(b) } else { a + b };
        self.touched = both(self.touched, other.touched);
        self.written = both(self.written, other.written);
        if !alike {
            self.moves = None;
        }
    }
}

fn boxes_of(nodes: &[Node], spans: &mut Vec<f64>, found: &mut Boxes) {
    for node in nodes {
        match node {
            Node::Loop(trips, body) | Node::Squares(trips, _, body) => {
                spans.push(*trips);
                boxes_of(body, spans, found);
                spans.pop();
            }
            Node::Reference(r) => {
                let (mut lo, mut hi): (Vec<f64>, Vec<f64>) =
                    r.at.iter().map(|&a| (a as f64, a as f64)).unzip();
                let mut touched = 1.0;
                let mut along: f64 = 1.0;
                for (moves, span) in r.moves.iter().zip(spans.iter()) {
                    if moves.iter().any(|m| *m != 0) {
                        touched *= span.max(1.0);
                    }
                    if moves.last().is_some_and(|m| m.abs() == 1) {
                        along = along.max(*span);
                    }
                    // The middle of an even number of iterations is the one behind it.
                    let before = (span / 2.0).floor();
                    let behind = (span - 1.0 - before).max(0.0);
                    for (d, m) in moves.iter().enumerate() {
                        let (m, far) = (*m as f64, m.unsigned_abs() as f64);
                        lo[d] -= far * if m > 0.0 { before } else { behind };
                        hi[d] += far * if m > 0.0 { behind } else { before };
                    }
                }
                // Neighbours along a row share lines.
                touched *= (LINE / along).max(r.bytes);
                let mut here = Extent {
                    bytes: r.bytes,
                    lo,
                    hi,
                    touched,
                    moves: Some(r.moves.clone()),
                    written: if r.writes { touched.max(LINE) } else { 0.0 },
                };
                let list = found.entry(r.memory).or_default();
                while let Some((at, both)) = list
                    .iter()
                    .enumerate()
                    .find_map(|(at, b)| Some((at, b.joined(&here)?)))
                {
                    list.swap_remove(at);
                    here = both;
                }
                list.push(here);
            }
        }
    }
}

impl Builder<'_> {
    fn node<'t>(&self, ast: &'t Ast, env: &Env, around: &mut Vec<Around<'t>>, out: &mut Vec<Node>) {
        match ast {
            Ast::Block(list) => list.iter().for_each(|a| self.node(a, env, around, out)),
            Ast::If { cond, then, els } => match (env.value(cond) != 0, els) {
                (true, _) => self.node(then, env, around, out),
                (false, Some(els)) => self.node(els, env, around, out),
                (false, None) => {}
            },
            Ast::For(l) => {
                let (first, trips) = env.range(l);
                if trips == 0 {
                    return;
                }
                let offset = trips / 2 * env.value(&l.step).max(1);
                let mut inside = env.clone();
                inside.set(l.iter, first + offset);
                around.push(Around { l, offset });
                let mut body = vec![];
                self.node(&l.body, &inside, around, &mut body);
                around.pop();
                let usual = self.usual(l, trips, env, around);
                out.push(match l.kind {
                    ForKind::Squares { lanes, .. } => Node::Squares(usual, lanes.into(), body),
                    _ => Node::Loop(usual, body),
                });
            }
            Ast::User(u) => {
                let except = self.in_panels(u, env, around, out);
                self.references(u.stmt, &u.args, &except, env, around, out);
            }
            Ast::Pack(p) => self.pack(p, env, around, out),
            Ast::MicroKernel(k) => self.kernel(k, env, around, out),
        }
    }

    /// The mean of a loop's iterations over those of the loops around it, which has so many of them in their middle: waves of
    /// tiles and triangles are shorter at their ends.
    fn usual(&self, l: &For, trips: i64, env: &Env, around: &[Around]) -> f64 {
        let mut usual = trips as f64;
        for (n, a) in around.iter().enumerate() {
            let iter = a.l.iter;
            if !expr::mentions(&l.lower, iter) && !expr::mentions(&l.upper, iter) {
                continue;
            }
            let (first, all) = env.range(a.l);
            let step = env.value(&a.l.step).max(1);
            let at = |part: i64| {
                let mut env = env.clone();
                env.set(iter, first + part * all / 6 * step);
                for inner in &around[n + 1..] {
                    let (first, trips) = env.range(inner.l);
                    let step = env.value(&inner.l.step).max(1);
                    env.set(inner.l.iter, first + trips / 2 * step);
                }
                env.range(l).1 as f64
            };
            let mean = (at(1) + trips as f64 + at(5)) / 3.0;
            usual *= mean / (trips as f64).max(1.0);
        }
        usual
    }

    /// The environment with one more iteration of a loop around.
    fn bumped<'e>(&self, env: &Env<'e>, around: &[Around], at: usize) -> Env<'e> {
        let mut env = env.clone();
        for (n, a) in around.iter().enumerate().skip(at) {
            let step = env.value(&a.l.step).max(1);
            let first = env.range(a.l).0;
            let more = if n == at { step } else { 0 };
            env.set(a.l.iter, first + a.offset + more);
        }
        env
    }

    /// The references of an instance; `except`: accesses that come from a buffer.
    fn references(
        &self,
        stmt: StmtId,
        args: &[Expr],
        except: &[usize],
        env: &Env,
        around: &[Around],
        out: &mut Vec<Node>,
    ) {
        let point = |env: &Env| -> Vec<i64> { args.iter().map(|a| env.value(a)).collect() };
        let here = point(env);
        let there: Vec<Vec<i64>> = (0..around.len())
            .map(|at| point(&self.bumped(env, around, at)))
            .collect();
        self.at_points(stmt, &here, &there, except, out);
    }

    /// The references of an instance to panels of the lanes around, lane by lane a row of its own; the accesses that they are.
    fn in_panels(&self, u: &User, env: &Env, around: &[Around], out: &mut Vec<Node>) -> Vec<usize> {
        let mut accesses = vec![];
        for (lanes, a) in around.iter().enumerate() {
            for panel in a.l.kind.lane_panels() {
                for p in panel.places.iter().filter(|p| p.stmt == u.stmt) {
                    let along = |env: &Env| {
                        let mut at = 0;
                        for (d, row) in p.rows.iter().enumerate() {
                            let steps = row.steps.iter().zip(&u.args);
                            let moved: i64 = steps.map(|(s, a)| s * env.value(a)).sum();
                            let extent =
                                d.checked_sub(1).map_or(1, |d| env.value(&panel.extents[d]));
                            at = at * extent + env.value(&row.start) + moved;
                        }
                        at
                    };
                    let at = along(env);
                    let moves = (0..around.len()).map(|n| match n == lanes {
                        true => vec![1, 0],
                        false => vec![0, along(&self.bumped(env, around, n)) - at],
                    });
                    let own = &self.facts.stmt(u.stmt).accesses[p.access];
                    out.push(Node::Reference(Reference {
                        memory: Memory::Buffer(panel.buffer),
                        bytes: own.bytes as f64,
                        at: vec![0, at],
                        moves: moves.collect(),
                        writes: own.writes,
                    }));
                    accesses.push(p.access);
                }
            }
        }
        accesses
    }

    fn at_points(
        &self,
        stmt: StmtId,
        here: &[i64],
        there: &[Vec<i64>],
        except: &[usize],
        out: &mut Vec<Node>,
    ) {
        let facts = self.facts.stmt(stmt);
        for (n, a) in facts.accesses.iter().enumerate() {
            if a.home == Home::Register || except.contains(&n) {
                continue;
            }
            let at: Vec<i64> = a.rows.iter().map(|row| subscript(row, here)).collect();
            let by = |point: &Vec<i64>| -> Vec<i64> {
                let rows = a.rows.iter().zip(&at);
                rows.map(|(row, x)| subscript(row, point) - x).collect()
            };
            let new = Reference {
                memory: Memory::Array(a.array.index()),
                bytes: a.strides.last().map_or(a.bytes, |s| s.abs()) as f64,
                moves: there.iter().map(by).collect(),
                at,
                writes: a.writes,
            };
            let same = out.iter_mut().find_map(|known| match known {
                Node::Reference(r) if r.is_same(&new) => Some(r),
                _ => None,
            });
            match same {
                Some(known) => known.writes |= new.writes,
                None => out.push(Node::Reference(new)),
            }
        }
    }

    fn pack(&self, p: &PackStore, env: &Env, around: &[Around], out: &mut Vec<Node>) {
        let reads = self.reads(p.stmt, &p.operands);
        let except = self.others(p.stmt, &reads);
        self.references(p.stmt, &p.args, &except, env, around, out);
        for n in 0..p.operands.len() {
            let more = i64::from(n as u32 * p.width);
            let of = |env: &Env| env.value(&p.index) + more;
            out.push(self.buffer((p.buffer, p.stmt, true), &of, env, around, &[]));
        }
    }

    /// A reference to a buffer; `further`: what more loops inside add.
    fn buffer(
        &self,
        (buffer, stmt, writes): (usize, StmtId, bool),
        of: &dyn Fn(&Env) -> i64,
        env: &Env,
        around: &[Around],
        further: &[i64],
    ) -> Node {
        let at = of(env);
        let loops = 0..around.len();
        let moves = loops.map(|n| vec![of(&self.bumped(env, around, n)) - at]);
        let bytes = self.facts.stmt(stmt).accesses[0].bytes;
        Node::Reference(Reference {
            memory: Memory::Buffer(buffer),
            bytes: bytes as f64,
            at: vec![at],
            moves: moves.chain(further.iter().map(|f| vec![*f])).collect(),
            writes,
        })
    }

    /// Accesses that some nodes read.
    fn reads(&self, stmt: StmtId, nodes: &[NodeId]) -> Vec<usize> {
        let stmt = self.judged.scop.stmt(stmt);
        let all = nodes
            .iter()
            .flat_map(|n| crate::simd::accesses_of(stmt, *n));
        all.collect()
    }

    /// The other accesses.
    fn others(&self, stmt: StmtId, these: &[usize]) -> Vec<usize> {
        let all = 0..self.facts.stmt(stmt).accesses.len();
        all.filter(|n| !these.contains(n)).collect()
    }

    /// A register tile: loops over steps, rows and lanes.
    fn kernel(&self, k: &MicroKernel, env: &Env, around: &[Around], out: &mut Vec<Node>) {
        let (first, last) = (env.value(&k.first), env.value(&k.last));
        let steps = (last - first + 1).max(0);
        // Loops around may be tiles of the steps.
        let middle = |env: &Env| env.value(&k.first) + steps / 2;
        let base = |env: &Env| -> Vec<i64> {
            let args = k.args.iter().zip(&k.reduction_step);
            args.map(|(a, s)| env.value(a) + s * middle(env)).collect()
        };
        let here = base(env);
        let plus = |by: &[i64]| here.iter().zip(by).map(|(a, b)| a + b).collect();
        let mut there: Vec<Vec<i64>> = (0..around.len())
            .map(|at| base(&self.bumped(env, around, at)))
            .collect();
        there.extend([
            plus(&k.reduction_step),
            plus(&k.row_step),
            plus(&k.lane_step),
        ]);
        let mut inside = vec![];
        let mut except = vec![];
        for panel in [&k.row_panel, &k.lane_panel].into_iter().flatten() {
            except.extend(self.reads(k.tile.stmt, &panel.operands));
            inside.push(self.panel(k, panel, &middle, env, around));
        }
        self.at_points(k.tile.stmt, &here, &there, &except, &mut inside);
        let (rows, lanes) = self.usual_cells(k, env, around);
        let row = Node::Loop(lanes, inside);
        let step = Node::Loop(rows, vec![row]);
        out.push(Node::Loop(steps as f64, vec![step]));
    }

    /// Rows and lanes of a register tile that have cells: in the mean over short loops around it, of which the last tile is a good part.
    fn usual_cells(&self, k: &MicroKernel, env: &Env, around: &[Around]) -> (f64, f64) {
        let of = |env: &Env| {
            let (rows, lanes) = registers::cells(k, env);
            (rows as f64, lanes as f64)
        };
        let middle = of(env);
        around.iter().fold(middle, |usual, a| {
            let at = looked_at(a.l, env, SAMPLES);
            let mut mean = (0.0, 0.0);
            for value in &at {
                let mut env = env.clone();
                env.set(a.l.iter, *value);
                let (rows, lanes) = of(&env);
                mean.0 += rows / at.len() as f64;
                mean.1 += lanes / at.len() as f64;
            }
            let share = |mean: f64, middle: f64| mean / middle.max(1.0);
            (
                usual.0 * share(mean.0, middle.0),
                usual.1 * share(mean.1, middle.1),
            )
        })
    }

    /// Reads of a panel; `middle`: the middle step.
    fn panel(
        &self,
        k: &MicroKernel,
        p: &Panel,
        middle: &dyn Fn(&Env) -> i64,
        env: &Env,
        around: &[Around],
    ) -> Node {
        let per_step = p.operands.len() as i64 * i64::from(p.width);
        let of = |env: &Env| env.value(&p.start) + (middle(env) - env.value(&p.origin)) * per_step;
        // All of a step is one piece: rows and lanes stand for it.
        let width = i64::from(p.width);
        let further = match k.row_panel.as_ref() == Some(p) {
            true => [per_step, per_step / width.max(1), 0],
            false => [per_step, 0, per_step / width.max(1)],
        };
        self.buffer((p.buffer, k.tile.stmt, false), &of, env, around, &further)
    }
}
