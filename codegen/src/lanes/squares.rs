//! Steps in squares: lanes that lie apart, whose elements follow each other from step to step.
//!
//! `L` steps at a time, the elements of such a read are loaded lane by lane as vectors along the steps and transposed in
//! registers; those of such a write are collected and transposed before they are stored. That moves a square of `L x L`
//! elements by `L` loads or stores, where lane by lane would take `L * L`:
//!
//! ```text
//! for j in steps of L:   w[l] = load v[i + l][j .. j + L];   a = transpose(w)
//!                        p[s] = f(a[s], ..)                                          s = 0 .. L, one after the other
//!                        t = transpose(p);   p[i + l][j .. j + L] = t[l]
//! ```
//!
//! Reads come earlier and writes later than in the order of steps. That is right for a read in registers, and for one of
//! elements that no earlier step has written; with any other read of a written array, steps run one by one.

use super::carried::Chains;
use super::form::reads;
use super::held::{Held, Registers};
use super::values::{Lie, direction, lie};
use super::{Bundle, Known};
use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int, Value};
use crate::tile::gain::access_gain;
use crate::tile::transpose::{block_of, contiguous};
use inkwell::values::AsValueRef;
use polytile_analysis::ast::{IterId, LanePanel, User};
use polytile_analysis::scop::{Access, Scop};
use std::collections::BTreeMap;

/// Values that a square's steps have written, by user and vector.
pub(super) type Kept<'c> = BTreeMap<(usize, u32), Vec<Value<'c>>>;

/// The accesses that go in squares: user, access (0: the write), whether the steps go backwards in memory.
pub(super) type Plan = BTreeMap<(usize, usize), bool>;

/// The accesses that go in squares in a loop over the second iterator, with lanes along the first; `None`: none, or it is
/// not possible.
pub(super) fn plan(
    scop: &Scop,
    users: &[&User],
    (chains, held, panels): (&Chains, &[Held], &[LanePanel]),
    (lane, step): (IterId, IterId),
) -> Option<Plan> {
    let mut plan = Plan::new();
    let stays = |at: usize, n: usize| match n {
        0 => held.iter().any(|h| h.writer == Some(at)),
        n => held.iter().any(|h| h.reads.contains(&(at, n))) || chains.in_register((at, n)),
    };
    for (at, u) in users.iter().enumerate() {
        let stmt = scop.stmt(u.stmt);
        let (lane, step) = (direction(u, lane)?, direction(u, step)?);
        for n in [0].into_iter().chain(reads(stmt)) {
            if stays(at, n) {
                continue;
            }
            let a = &stmt.accesses[n];
            if panels.iter().any(|p| p.array == a.array) {
                continue;
            }
            let (_, lie) = lie(scop, stmt, a, &lane)?;
            if lie == Lie::Apart || lie == Lie::Reversed && n == 0 {
                plan.insert((at, n), backwards(scop, u, a, &step)?);
            }
        }
    }
    let written = |a: &Access| {
        let mut writers = (users.iter().enumerate()).filter(|(at, _)| !stays(*at, 0));
        writers.any(|(_, u)| scop.stmt(u.stmt).write().array == a.array)
    };
    let moved = |at: usize, n: usize| plan.contains_key(&(at, n));
    for (at, u) in users.iter().enumerate() {
        let stmt = scop.stmt(u.stmt);
        for n in reads(stmt) {
            if stays(at, n) || chains.old.contains(&(at, n)) {
                continue;
            }
            let a = &stmt.accesses[n];
            let late = (users.iter().enumerate())
                .any(|(w, other)| moved(w, 0) && scop.stmt(other.stmt).write().array == a.array);
            if late || moved(at, n) && written(a) {
                return None;
            }
        }
        let twice = users.iter().enumerate().any(|(other, o)| {
            other != at && moved(at, 0) && scop.stmt(o.stmt).write().array == stmt.write().array
        });
        if twice {
            return None;
        }
    }
    (!plan.is_empty()).then_some(plan)
}

/// Whether the elements of an access follow each other backwards; `None` if they do not follow each other.
fn backwards(scop: &Scop, u: &User, access: &Access, step: &[i64]) -> Option<bool> {
    let gain = access_gain(scop, scop.stmt(u.stmt), access, step)?;
    let unit = contiguous(access);
    let forwards = gain.constant == unit.constant;
    (gain.symbolic.is_empty() && gain.constant.abs() == unit.constant).then_some(!forwards)
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// As many steps as a vector has lanes, from `first` on: the rotated state.
    pub(super) fn square_steps(
        &mut self,
        b: Bundle<'c>,
        iter: IterId,
        users: &[&User],
        (registers, plan): (&Registers<'_, 'c>, &Plan),
        first: Int<'c>,
        state: Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let mut columns: BTreeMap<(usize, usize, u32), Vec<Value<'c>>> = BTreeMap::new();
        let mut kept = Kept::new();
        for (&(at, n), &backwards) in plan {
            for v in 0..b.vectors {
                if n == 0 {
                    kept.insert((at, v), vec![]);
                } else {
                    let rows = (iter, first, backwards);
                    columns.insert((at, n, v), self.square_load(b, users[at], n, v, rows));
                }
            }
        }
        let mut state = state;
        for s in 0..b.lanes as usize {
            let j = self.ir.add(first, self.ir.int(s as i64), Arith::Bounded);
            self.set(Key::Iter(iter), j);
            let shifted = self.shifted(b, users, registers, &state);
            let columns = &columns;
            let mut given = |_: &mut Self, at: usize, v: u32| -> Known<'c> {
                let of_vector = |(_, _, of): &(usize, usize, u32)| *of == v;
                let own = columns.range((at, 0, 0)..(at + 1, 0, 0));
                let own = own
                    .filter(|(key, _)| of_vector(key))
                    .map(|((_, n, _), column)| (*n, column[s]));
                let handed = shifted.range((at, 0, 0)..(at + 1, 0, 0));
                let handed = handed
                    .filter(|(key, _)| of_vector(key))
                    .map(|((_, n, _), value)| (*n, *value));
                own.chain(handed).collect()
            };
            state = self.bundle_step(b, users, registers, &state, &mut given, Some(&mut kept));
        }
        for ((at, v), values) in kept {
            let rows = (iter, first, plan[&(at, 0)]);
            self.square_store(b, users[at], v, rows, values);
        }
        state
    }

    /// The values of a read for the steps from `first` on, one vector per step.
    fn square_load(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        access: usize,
        v: u32,
        (iter, first, backwards): (IterId, Int<'c>, bool),
    ) -> Vec<Value<'c>> {
        let a = &self.scop.stmt(u.stmt).accesses[access];
        let vector = self.vector_type(self.access_type(a), b.lanes);
        let align = self.origin_of(a).map_or(1, |o| o.align);
        let mut rows = vec![];
        for p in self.square_rows(b, u, access, v, (iter, first, backwards)) {
            let value = self.vector_load(vector, p, None, align);
            self.finish_vector_access(value.as_value_ref(), a);
            rows.push(value.into_vector_value());
        }
        let mut columns = self.transpose(rows, block_of(a.ty.bytes() as u32, b.lanes));
        if backwards {
            columns.reverse();
        }
        columns.into_iter().map(Value::from).collect()
    }

    fn square_store(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        v: u32,
        rows: (IterId, Int<'c>, bool),
        mut values: Vec<Value<'c>>,
    ) {
        let a = self.scop.stmt(u.stmt).write();
        let align = self.origin_of(a).map_or(1, |o| o.align);
        if rows.2 {
            values.reverse();
        }
        let columns = values.iter().map(|v| v.into_vector_value()).collect();
        let lines = self.transpose(columns, block_of(a.ty.bytes() as u32, b.lanes));
        let places = self.square_rows(b, u, 0, v, rows);
        let stores = places.into_iter().zip(lines).collect();
        for (p, line) in self.in_order(b, stores) {
            let store = self.vector_store(line.into(), p, None, align);
            self.finish_vector_access(store, a);
        }
    }

    /// The addresses of the first element in memory of each lane's steps.
    fn square_rows(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        access: usize,
        v: u32,
        (iter, first, backwards): (IterId, Int<'c>, bool),
    ) -> Vec<crate::ir::Ptr<'c>> {
        let stmt = self.scop.stmt(u.stmt);
        let a = &stmt.accesses[access];
        let lowest = match backwards {
            true => {
                let ahead = self.ir.int(i64::from(b.lanes) - 1);
                self.ir.add(first, ahead, Arith::Bounded)
            }
            false => first,
        };
        self.set(Key::Iter(iter), lowest);
        let at = self.bundle_at(b, u, v);
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let direction = direction(u, b.iter).expect("checked by runs_in_lanes");
        let (gain, _) = lie(self.scop, stmt, a, &direction).expect("checked by runs_in_lanes");
        self.lane_places((b, v), a, (&gain, &direction), &at)
    }
}
