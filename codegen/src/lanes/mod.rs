//! Outer loops in vector lanes (outer-loop vectorization, Nuzman and Zaks 2008).
//!
//! Where the inner loops carry recurrences and the iterations of the loop around them are independent, the lanes are
//! iterations of the outer loop: each lane runs the chain of one iteration, in its order.
//!
//! ```text
//! for i: for j: p[i][j] = f(p[i][j-1], u[j][i])          lanes of i
//!
//!   for i in steps of V*L:                                V vectors of L lanes side by side, to hide the chains' latency
//!     for j:  p(v) = f(p(v), u[j][i + vL ..])             v = 0 .. V; p lives in registers (module `carried`)
//!             p[i + vL + l][j] = lane l of p(v)
//!   for i in steps of L: the same with one vector;  the iterations that are left: scalars, or one bundle with masks
//! ```
//!
//! Where no lanes lie apart, the last iterations run in one bundle with masks (module `rest`), else as scalars. Elements that
//! stand still in the inner loop are in registers there (module `held`).
//!
//! An access that stays where it is along the lanes is a scalar, one that walks over its elements a vector load or store;
//! lanes that lie apart are read and written one by one, or in squares (module `squares`).

mod ahead;
mod carried;
mod held;
mod rest;
mod squares;

use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr, Value, constant};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::tile::Purpose;
use crate::tile::gain::{Gain, access_gain, changes};
use crate::tile::transpose::contiguous;
use crate::vector::vector_form;
use ahead::AHEAD;
use carried::Rotation;
use held::{Held, Registers};
use inkwell::IntPredicate;
use inkwell::values::AsValueRef;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::region::Ty;
use polytile_analysis::scop::{Access, Stmt};
use polytile_analysis::tree::Supply;
use std::collections::{BTreeMap, BTreeSet};

/// Iterations of the outer loop that run together.
#[derive(Clone, Copy)]
struct Bundle<'c> {
    iter: IterId,
    /// The iterator in lane 0 of vector 0.
    first: Int<'c>,
    lanes: u32,
    vectors: u32,
    /// The last iteration, where there are not enough for all lanes: more than half of the vectors are full, or there is
    /// only one.
    last: Option<Int<'c>>,
    /// The loop inside that runs.
    inside: Option<IterId>,
    /// Where its elements come from.
    supply: Supply,
}

/// How an access lies in the lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lie {
    /// The same element in all lanes.
    Same,
    /// One element after the other.
    Contiguous,
    /// Elements that lie apart.
    Apart,
}

/// Values of a statement's reads that are in registers, by access.
type Known<'c> = BTreeMap<usize, Value<'c>>;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a loop whose iterations run in lanes; one after the other where its body has no vector form.
    pub(crate) fn lanes_loop(
        &mut self,
        l: &For,
        range: Range<'c>,
        (lanes, vectors): (u32, u32),
        supply: Supply,
    ) {
        if !self.runs_in_lanes(l) {
            return self.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        }
        let mut left = range.first;
        let masked = vectors.is_power_of_two() && self.has_no_gaps(&l.body, l.iter);
        let widths = match vectors {
            1 => vec![1],
            _ if masked => vec![vectors],
            _ => vec![vectors, 1],
        };
        for vectors in widths {
            let width = i64::from(lanes * vectors);
            let (_, next) = self.stepped((left, range.last), width, None, vec![], |e, first, _| {
                let bundle = Bundle {
                    iter: l.iter,
                    first,
                    lanes,
                    vectors,
                    last: None,
                    inside: None,
                    supply,
                };
                e.bundle(bundle, &l.body);
                vec![]
            });
            left = next;
        }
        if masked {
            return self.masked_rest(l, (left, range.last), (lanes, vectors), supply);
        }
        let rest = Range {
            first: left,
            ..range
        };
        self.counted(rest, None, LoopCode::Vectors, |e, i| {
            e.body(l.iter, i, &l.body);
        });
    }

    fn bundle(&mut self, b: Bundle<'c>, ast: &Ast) {
        match ast {
            Ast::Block(list) => list.iter().for_each(|a| self.bundle(b, a)),
            Ast::User(u) => {
                let mut same = Known::new();
                for v in 0..b.vectors {
                    let mut known = same.clone();
                    let value = self.bundle_value(b, u, v, &mut known);
                    same = scalars(known);
                    self.bundle_store(b, u, v, value);
                }
            }
            Ast::For(l) => self.bundle_loop(b, l),
            Ast::If { cond, then, els } => {
                let function = self.frame().function;
                let cond = self.cond(cond);
                let [yes, no, after] = ["then", "else", "endif"]
                    .map(|n| self.ir.block(function, &format!("polytile.{n}")));
                self.ir.branch(cond, yes, no);
                self.ir.at_end(yes);
                self.bundle(b, then);
                self.ir.jump(after);
                self.ir.at_end(no);
                if let Some(els) = els {
                    self.bundle(b, els);
                }
                self.ir.jump(after);
                self.ir.at_end(after);
            }
            Ast::MicroKernel(_) | Ast::Pack(_) => unreachable!("checked by runs_in_lanes"),
        }
    }

    /// A sequential loop that all lanes go through together.
    fn bundle_loop(&mut self, b: Bundle<'c>, l: &For) {
        let range = self.range(l);
        let users = users(&l.body).filter(|_| constant(range.step) == Some(1));
        let Some(users) = users else {
            return self.counted(range, None, LoopCode::Vectors, |e, i| {
                e.set(Key::Iter(l.iter), i);
                e.bundle(b, &l.body);
                e.frame().values.remove(&Key::Iter(l.iter));
            });
        };
        let b = Bundle {
            inside: Some(l.iter),
            ..b
        };
        let chains = carried::chains(self.scop, &users, l.iter);
        let squares = squares::plan(self.scop, &users, &chains, (b.iter, l.iter));
        let held = match squares {
            None => held::held(self.scop, &users, l.iter),
            Some(_) => vec![],
        };
        let function = self.frame().function;
        let enter = self.ir.block(function, "polytile.chain");
        let done = self.ir.block(function, "polytile.after");
        let entered = self.ir.cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, enter, done);
        self.ir.at_end(enter);
        self.set(Key::Iter(l.iter), range.first);
        let mut state = vec![];
        for (u, n) in chains.rotations.iter().flat_map(|r| &r.initial) {
            for v in 0..b.vectors {
                state.push(self.bundle_read(b, users[*u], v, *n));
            }
        }
        let (registers, sums) = self.registers(b, &users, (&chains.rotations, held));
        state.extend(sums);
        let mut first = range.first;
        if let Some(plan) = squares {
            let width = i64::from(b.lanes);
            (state, first) =
                self.stepped((first, range.last), width, None, state, |e, j, state| {
                    e.square_steps(b, l.iter, &users, (&registers, &plan), j, state.to_vec())
                });
        }
        (state, _) = self.stepped((first, range.last), 1, None, state, |e, j, state| {
            e.set(Key::Iter(l.iter), j);
            let mut nothing = |_: &mut Self, _, _| Known::new();
            e.bundle_step(b, &users, &registers, state, &mut nothing, None)
        });
        self.set(Key::Iter(l.iter), range.first);
        let mut sums = state.split_off(registers.rotated(b.vectors)).into_iter();
        for writer in registers.sums.iter().filter_map(|h| h.writer) {
            for (v, value) in (0..b.vectors).zip(sums.by_ref()) {
                self.bundle_store(b, users[writer], v, value);
            }
        }
        self.frame().values.remove(&Key::Iter(l.iter));
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// What stays in registers in a loop, and the values of sums before it.
    fn registers<'a>(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        (rotations, held): (&'a [Rotation], Vec<Held>),
    ) -> (Registers<'a, 'c>, Vec<Value<'c>>) {
        let mut registers = Registers {
            rotations,
            sums: vec![],
            fixed: BTreeMap::new(),
        };
        let mut state = vec![];
        for h in held {
            for v in 0..b.vectors {
                let value = self.bundle_read(b, users[h.initial.0], v, h.initial.1);
                match h.writer {
                    Some(_) => state.push(value),
                    None => {
                        let known = h.reads.iter().map(|(u, n)| ((*u, v, *n), value));
                        registers.fixed.extend(known);
                    }
                }
            }
            registers.sums.extend(h.writer.is_some().then_some(h));
        }
        (registers, state)
    }

    /// One step of the users of a loop: the rotated state. Written values go to `kept` where it has a place for them.
    fn bundle_step(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        registers: &Registers<'_, 'c>,
        state: &[Value<'c>],
        given: &mut dyn FnMut(&mut Self, usize, u32) -> Known<'c>,
        mut kept: Option<&mut squares::Kept<'c>>,
    ) -> Vec<Value<'c>> {
        // By rotation and vector: the value of this step.
        let mut newest: BTreeMap<(usize, u32), Value<'c>> = BTreeMap::new();
        let rotations = registers.rotations;
        let starts = starts(rotations, b.vectors);
        let mut sums = state[registers.rotated(b.vectors)..].to_vec();
        for (at, u) in users.iter().enumerate() {
            let mut same = Known::new();
            for v in 0..b.vectors {
                let mut known = given(self, at, v);
                known.extend(same);
                for (r, rotation) in rotations.iter().enumerate() {
                    for (n, distance) in rotation.reads_of(at) {
                        let value = match distance {
                            0 => newest.get(&(r, v)).copied(),
                            d => Some(state[starts[r] + ((d - 1) * b.vectors + v) as usize]),
                        };
                        known.extend(value.map(|value| (n, value)));
                    }
                }
                known.extend(registers.held_by(at, v, (&sums, b.vectors)));
                let value = self.bundle_value(b, u, v, &mut known);
                same = scalars(known.clone());
                for (r, rotation) in rotations.iter().enumerate() {
                    let (user, access) = rotation.source;
                    if user == at && access == 0 {
                        newest.insert((r, v), value);
                    } else if user == at {
                        newest.insert((r, v), known[&access]);
                    }
                }
                if let Some(h) = registers.sum_of(at) {
                    sums[h * b.vectors as usize + v as usize] = value;
                    continue;
                }
                match kept.as_mut().and_then(|k| k.get_mut(&(at, v))) {
                    Some(place) => place.push(value),
                    None => self.bundle_store(b, u, v, value),
                }
            }
        }
        let mut rotated = vec![];
        for (r, rotation) in rotations.iter().enumerate() {
            for k in 0..rotation.initial.len() as u32 {
                for v in 0..b.vectors {
                    rotated.push(match k {
                        0 => newest[&(r, v)],
                        k => state[starts[r] + ((k - 1) * b.vectors + v) as usize],
                    });
                }
            }
        }
        rotated.extend(sums);
        rotated
    }

    /// The iterators of a statement in the first lane of a vector.
    fn bundle_at(&mut self, b: Bundle<'c>, u: &User, v: u32) -> Vec<(LoopId, Int<'c>)> {
        let ahead = self.ir.int(i64::from(v * b.lanes));
        let first = self.ir.add(b.first, ahead, Arith::Bounded);
        self.set(Key::Iter(b.iter), first);
        let args: Vec<Int<'c>> = u.args.iter().map(|a| self.expr(a)).collect();
        self.frame().values.remove(&Key::Iter(b.iter));
        let stmt = self.scop.stmt(u.stmt);
        stmt.iters.iter().copied().zip(args).collect()
    }

    /// The vector that a statement writes. Reads that are not known are made, and then known.
    fn bundle_value(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        v: u32,
        known: &mut Known<'c>,
    ) -> Value<'c> {
        let stmt = self.scop.stmt(u.stmt);
        let at = self.bundle_at(b, u, v);
        let mut done: BTreeMap<NodeId, Value<'c>> = BTreeMap::new();
        for id in needed(stmt) {
            let node = stmt.body.node(id);
            let value = match &node.kind {
                NodeKind::Read(n) => match known.get(n) {
                    Some(value) => *value,
                    None => {
                        let value = self.bundle_load(b, u, (*n, v), &at);
                        known.insert(*n, value);
                        value
                    }
                },
                NodeKind::Invariant(value) => self.get(Key::Invariant(*value)),
                NodeKind::Bits(bits) => self.bits(node.ty, *bits),
                NodeKind::Index(s) => self.evolve(s, &at).into(),
                NodeKind::Op { inst, args, .. } => {
                    let args: Vec<Value<'c>> = args.iter().map(|a| done[a]).collect();
                    match args.iter().any(|a| a.is_vector_value()) {
                        true => self.vector_op(self.host.values[inst.index()], &args, b.lanes),
                        false => self.clone_op(*inst, &args),
                    }
                }
            };
            done.insert(id, value);
        }
        self.splat(done[&stmt.body.root], b.lanes)
    }

    fn bundle_read(&mut self, b: Bundle<'c>, u: &User, v: u32, access: usize) -> Value<'c> {
        let at = self.bundle_at(b, u, v);
        let value = self.bundle_load(b, u, (access, v), &at);
        self.splat(value, b.lanes)
    }

    /// What a read finds in all lanes; a scalar if that is the same.
    fn bundle_load(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        (access, v): (usize, u32),
        at: &Iterators<'c>,
    ) -> Value<'c> {
        let stmt = self.scop.stmt(u.stmt);
        let a = &stmt.accesses[access];
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let direction = direction(u, b.iter).expect("checked by runs_in_lanes");
        let (gain, lie) = lie(self.scop, stmt, a, &direction).expect("checked by runs_in_lanes");
        let vector = self.vector_type(self.access_type(a), b.lanes);
        match lie {
            Lie::Same => self.read(a, at),
            Lie::Contiguous => {
                let p = self.place(a, at);
                let align = self.origin_of(a).map_or(1, |o| o.align);
                if self.begins_line(b, u, (access, v)) {
                    self.request(self.ir.offset(p, self.ir.int(AHEAD)), Purpose::Read);
                }
                let value = self.vector_load(vector, p, self.lane_mask(b, v), align);
                self.finish_vector_access(value.as_value_ref(), a);
                value
            }
            Lie::Apart => {
                let mut all = vector.get_poison();
                for (l, p) in self
                    .lane_places(b.lanes, a, &gain, at)
                    .into_iter()
                    .enumerate()
                {
                    let one = self.ir.load(self.access_type(a), p);
                    self.finish_access(crate::body::instruction(one), a);
                    let at = self.ir.int(l as i64);
                    all = (self.ir.builder.build_insert_element(all, one, at, ""))
                        .expect("builder misuse");
                }
                all.into()
            }
        }
    }

    /// The addresses of an access in all lanes.
    fn lane_places(
        &mut self,
        lanes: u32,
        access: &Access,
        gain: &Gain,
        at: &Iterators<'c>,
    ) -> Vec<Ptr<'c>> {
        let p = self.place(access, at);
        let mut stride = self.ir.int(gain.constant as i64);
        for (s, n) in &gain.symbolic {
            let s = self.evolve(s, at);
            let s = self.ir.sext(s, 64);
            let term = self.ir.mul(s, self.ir.int(*n as i64), Arith::Wrapping);
            stride = self.ir.add(stride, term, Arith::Wrapping);
        }
        let ahead = |e: &Self, l: u32| e.ir.mul(stride, e.ir.int(l.into()), Arith::Wrapping);
        (0..lanes)
            .map(|l| self.ir.offset(p, ahead(self, l)))
            .collect()
    }

    fn bundle_store(&mut self, b: Bundle<'c>, u: &User, v: u32, value: Value<'c>) {
        let stmt = self.scop.stmt(u.stmt);
        let a = stmt.write();
        let at = self.bundle_at(b, u, v);
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let direction = direction(u, b.iter).expect("checked by runs_in_lanes");
        let (gain, lie) = lie(self.scop, stmt, a, &direction).expect("checked by runs_in_lanes");
        if lie == Lie::Contiguous {
            let p = self.place(a, &at);
            let align = self.origin_of(a).map_or(1, |o| o.align);
            let store = self.vector_store(value, p, self.lane_mask(b, v), align);
            self.finish_vector_access(store, a);
            return;
        }
        for (l, p) in self
            .lane_places(b.lanes, a, &gain, &at)
            .into_iter()
            .enumerate()
        {
            let at = self.ir.int(l as i64);
            let one = (self.ir.builder)
                .build_extract_element(value.into_vector_value(), at, "")
                .expect("builder misuse");
            let store = self.ir.store(p, one);
            self.finish_access(store, a);
        }
    }

    /// Whether a loop's body has a vector form over its iterations.
    fn runs_in_lanes(&self, l: &For) -> bool {
        l.step == Expr::Int(1) && l.anchor.is_none() && self.has_vector_form(&l.body, l.iter)
    }

    fn has_vector_form(&self, ast: &Ast, iter: IterId) -> bool {
        let fixed = |e: &Expr| coefficient(e, iter) == Some(0);
        match ast {
            Ast::Block(list) => list.iter().all(|a| self.has_vector_form(a, iter)),
            Ast::If { cond, then, els } => {
                fixed(cond)
                    && self.has_vector_form(then, iter)
                    && els.iter().all(|e| self.has_vector_form(e, iter))
            }
            Ast::For(l) => {
                let inner = matches!(l.kind, ForKind::Sequential | ForKind::Vector);
                inner
                    && [&l.lower, &l.upper, &l.step].into_iter().all(fixed)
                    && l.anchor.iter().all(fixed)
                    && self.has_vector_form(&l.body, iter)
            }
            Ast::User(u) => self.user_has_vector_form(u, iter),
            Ast::MicroKernel(_) | Ast::Pack(_) => false,
        }
    }

    fn user_has_vector_form(&self, u: &User, iter: IterId) -> bool {
        let stmt = self.scop.stmt(u.stmt);
        let Some(direction) = direction(u, iter) else {
            return false;
        };
        let lie_of = |a: &Access| lie(self.scop, stmt, a, &direction).map(|(_, lie)| lie);
        if lie_of(stmt.write()).is_none_or(|lie| lie == Lie::Same) {
            return false;
        }
        let mut varies: BTreeMap<NodeId, bool> = BTreeMap::new();
        for id in needed(stmt) {
            let node = stmt.body.node(id);
            let here = match &node.kind {
                NodeKind::Read(n) => match lie_of(&stmt.accesses[*n]) {
                    None => return false,
                    Some(lie) => lie != Lie::Same,
                },
                NodeKind::Index(s) if changes(stmt, s, &direction) => return false,
                NodeKind::Op { inst, args, .. } => {
                    let lanes = args.iter().any(|a| varies[a]);
                    if lanes && vector_form(self.host.values[inst.index()]).is_none() {
                        return false;
                    }
                    lanes
                }
                NodeKind::Index(_) | NodeKind::Invariant(_) | NodeKind::Bits(_) => false,
            };
            varies.insert(id, here);
        }
        true
    }
}

/// What is the same in all lanes, of all vectors: iterations are independent, so that none writes what another reads.
fn scalars(known: Known<'_>) -> Known<'_> {
    let same = |(_, value): &(usize, Value<'_>)| !value.is_vector_value();
    known.into_iter().filter(same).collect()
}

/// Where the state of each rotation starts.
fn starts(rotations: &[Rotation], vectors: u32) -> Vec<usize> {
    let mut at = 0;
    let mut all = vec![];
    for r in rotations {
        all.push(at);
        at += r.initial.len() * vectors as usize;
    }
    all
}

/// The statements of a body that consists of nothing else.
fn users(body: &Ast) -> Option<Vec<&User>> {
    match body {
        Ast::User(u) => Some(vec![u]),
        Ast::Block(list) => list
            .iter()
            .map(|a| match a {
                Ast::User(u) => Some(u),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// What the iterators of a statement gain per step of `iter`; `None` if that is not the same everywhere.
fn direction(u: &User, iter: IterId) -> Option<Vec<i64>> {
    u.args.iter().map(|a| coefficient(a, iter)).collect()
}

/// How an access lies along a direction; `None` if that is not the same everywhere, or its elements do not fit vectors.
fn lie(
    scop: &polytile_analysis::scop::Scop,
    stmt: &Stmt,
    access: &Access,
    direction: &[i64],
) -> Option<(Gain, Lie)> {
    if !matches!(access.ty, Ty::Int(8 | 16 | 32 | 64) | Ty::Float(32 | 64)) {
        return None;
    }
    let gain = access_gain(scop, stmt, access, direction)?;
    let lie = match () {
        _ if gain.is_zero() => Lie::Same,
        _ if gain == contiguous(access) => Lie::Contiguous,
        _ => Lie::Apart,
    };
    Some((gain, lie))
}

/// The nodes that the root is computed from, in order.
fn needed(stmt: &Stmt) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![stmt.body.root];
    while let Some(id) = pending.pop() {
        if found.insert(id)
            && let NodeKind::Op { args, .. } = &stmt.body.node(id).kind
        {
            pending.extend(args);
        }
    }
    found
}

/// The reads that the written value is computed from.
fn reads(stmt: &Stmt) -> BTreeSet<usize> {
    let read = |id: NodeId| match stmt.body.node(id).kind {
        NodeKind::Read(n) => Some(n),
        _ => None,
    };
    needed(stmt).into_iter().filter_map(read).collect()
}
