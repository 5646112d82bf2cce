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
//!   the iterations that are left: one bundle with masks, or one vector after the other (module `rest`)
//! ```
//!
//! Elements that stand still in the inner loop are in registers there (module `held`).
//!
//! Where neither loop has independent iterations, lanes lie along their diagonals (module `diagonal`). A loop without lanes
//! has one (module `one`).
//!
//! An access that stays where it is along the lanes is a scalar, one that walks over its elements a vector load or store;
//! lanes that lie apart are read and written one by one, in squares (module `squares`), or together with their neighbours (module
//! `neighbours`), except elements that stand still.

mod ahead;
mod carried;
mod contracted;
mod diagonal;
mod form;
mod held;
mod neighbours;
mod one;
mod rest;
mod rows;
mod shifted;
mod squares;
mod values;

pub(crate) use carried::{Address, address};
pub(crate) use values::direction;

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Int, Value, constant};
use crate::loops::Range;
use crate::metadata::LoopCode;
use carried::{Chains, Rotation};
use held::{Held, Registers};
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, For, IterId, LanePanel, User};
use polytile_analysis::tree::Supply;
use std::collections::BTreeMap;

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

/// Values of a statement's reads that are in registers, by access.
type Known<'c> = BTreeMap<usize, Value<'c>>;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a loop whose iterations run in lanes; one after the other where its body has no vector form.
    pub(crate) fn lanes_loop(
        &mut self,
        l: &For,
        range: Range<'c>,
        (lanes, vectors): (u32, u32),
        (supply, panels): (Supply, &[LanePanel]),
    ) {
        if !self.runs_in_lanes(l) {
            return self.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        }
        self.panels = panels.to_vec();
        let ends = (range.first, range.last);
        let width = (i64::from(lanes * vectors), LoopCode::Vectors);
        let (_, left) = self.stepped(ends, width, None, vec![], |e, first, _| {
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
        let rest = (left, range.last);
        match vectors.is_power_of_two() && self.has_no_gaps(&l.body, l.iter) {
            true => self.masked_rest(l, rest, (lanes, vectors), supply),
            false => self.vectors_left(l, rest, lanes, supply),
        }
        self.panels.clear();
    }

    fn bundle(&mut self, b: Bundle<'c>, ast: &Ast) {
        match ast {
            Ast::Block(list) => {
                let user = |a: &Ast| matches!(a, Ast::User(_));
                for part in list.chunk_by(|a, b| user(a) && user(b)) {
                    match part {
                        [one] => self.bundle(b, one),
                        several => {
                            let users: Vec<&User> = several.iter().flat_map(Ast::users).collect();
                            self.bundle_users(b, &users);
                        }
                    }
                }
            }
            Ast::User(u) => self.bundle_users(b, &[u]),
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
        let users = l
            .body
            .plain_users()
            .filter(|_| constant(range.step) == Some(1));
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
        let steps = held::Steps {
            iter: l.iter,
            ends: Some((&l.lower, &l.upper)),
        };
        let all = held::held(self.scop, &users, steps);
        // Squares read ahead, so that what stays current in memory is not held beside them.
        let alone: Vec<Held> = all.iter().filter(|h| !h.current).cloned().collect();
        let squares = squares::plan(
            self.scop,
            &users,
            (&chains, &alone, &self.panels),
            (b.iter, l.iter),
        );
        let held = match squares {
            Some(_) => alone,
            None => all,
        };
        self.chain_loop(b, l.iter, range, &users, (chains, held, squares));
    }

    /// A loop with what it carries from step to step in registers.
    fn chain_loop(
        &mut self,
        b: Bundle<'c>,
        iter: IterId,
        range: Range<'c>,
        users: &[&User],
        (chains, held, squares): (Chains, Vec<Held>, Option<squares::Plan>),
    ) {
        let code = match b.lanes {
            1 => LoopCode::Scalars,
            _ => LoopCode::Vectors,
        };
        let function = self.frame().function;
        let enter = self.ir.block(function, "polytile.chain");
        let done = self.ir.block(function, "polytile.after");
        let entered = self.ir.cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, enter, done);
        self.ir.at_end(enter);
        self.set(Key::Iter(iter), range.first);
        let mut state = vec![];
        for from in chains.rotations.iter().flat_map(|r| &r.initial) {
            state.extend(self.before_the_first(b, users, *from));
        }
        let (registers, sums) = self.registers(b, users, (&chains, held));
        state.extend(sums);
        let mut first = range.first;
        if let Some(plan) = squares {
            let width = (i64::from(b.lanes), code);
            (state, first) =
                self.stepped((first, range.last), width, None, state, |e, j, state| {
                    e.square_steps(b, iter, users, (&registers, &plan), j, state.to_vec())
                });
        }
        (state, _) = self.stepped(
            (first, range.last),
            (1, code),
            None,
            state,
            |e, j, state| {
                e.set(Key::Iter(iter), j);
                let mut nothing = |_: &mut Self, _, _| Known::new();
                e.bundle_step(b, users, &registers, state, &mut nothing, None)
            },
        );
        self.set(Key::Iter(iter), range.first);
        let mut sums = state.split_off(registers.rotated(b.vectors)).into_iter();
        for h in &registers.sums {
            for (v, value) in (0..b.vectors).zip(sums.by_ref()) {
                if let Some(writer) = h.writer.filter(|_| !h.current) {
                    self.bundle_store(b, users[writer], v, value);
                }
            }
        }
        self.frame().values.remove(&Key::Iter(iter));
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// What stays in registers in a loop, and the values of sums before it.
    fn registers<'a>(
        &mut self,
        b: Bundle<'c>,
        users: &[&User],
        (chains, held): (&'a Chains, Vec<Held>),
    ) -> (Registers<'a, 'c>, Vec<Value<'c>>) {
        let mut registers = Registers {
            rotations: &chains.rotations,
            shifts: &chains.shifts,
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
                        // What all lanes read is one element, and lanes are handed on.
                        newest.insert((r, v), self.splat(known[&access], b.lanes));
                    }
                }
                if let Some(h) = registers.sum_of(at) {
                    sums[h * b.vectors as usize + v as usize] = value;
                    if !registers.sums[h].current {
                        continue;
                    }
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
