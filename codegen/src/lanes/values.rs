//! Reads, operations and writes of a statement in the lanes of a bundle.

use super::ahead::AHEAD;
use super::form::needed;
use super::{Bundle, Known};
use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr, Value};
use crate::tile::Purpose;
use crate::tile::gain::{Gain, access_gain};
use crate::tile::transpose::contiguous;
use inkwell::values::AsValueRef;
use polytile_analysis::address_gain::changes;
use polytile_analysis::ast::{IterId, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId, ValueId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Stmt};
use std::collections::BTreeMap;

/// How an access lies in the lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lie {
    /// The same element in all lanes.
    Same,
    /// One element after the other.
    Contiguous,
    /// One element before the other.
    Reversed,
    /// Elements that lie apart.
    Apart,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// The iterators of a statement in the first lane of a vector.
    pub(super) fn bundle_at(&mut self, b: Bundle<'c>, u: &User, v: u32) -> Vec<(LoopId, Int<'c>)> {
        let ahead = self.ir.int(i64::from(v * b.lanes));
        let first = self.ir.add(b.first, ahead, Arith::Bounded);
        self.set(Key::Iter(b.iter), first);
        let args: Vec<Int<'c>> = u.args.iter().map(|a| self.expr(a)).collect();
        self.frame().values.remove(&Key::Iter(b.iter));
        let stmt = self.scop.stmt(u.stmt);
        stmt.iters.iter().copied().zip(args).collect()
    }

    /// The vector that a statement writes. Reads that are not known are made, and then known.
    pub(super) fn bundle_value(
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
                NodeKind::Index(s) => self.bundle_index((b, v), (u, s), &at),
                NodeKind::Op { inst, op, args } => {
                    let args: Vec<Value<'c>> = args.iter().map(|a| done[a]).collect();
                    let vectors = args.iter().any(|a| a.is_vector_value());
                    match vectors {
                        false => self.clone_op((op, *inst), &args),
                        true if self.is_vector_operation(op, *inst) => {
                            let origin = self.host.values[inst.index()];
                            self.vector_op((op, origin), &args, b.lanes)
                        }
                        true => self.by_lane((b, v), (op, *inst), &args),
                    }
                }
            };
            done.insert(id, value);
        }
        self.splat(done[&stmt.body.root], b.lanes)
    }

    /// A function of the iterators in all lanes; a scalar if that is the same.
    fn bundle_index(
        &mut self,
        (b, v): (Bundle<'c>, u32),
        (u, index): (&User, &Scev),
        at: &Iterators<'c>,
    ) -> Value<'c> {
        let direction = match b.lanes {
            1 => None,
            _ => direction(u, b.iter).filter(|d| changes(self.scop.stmt(u.stmt), index, d)),
        };
        let Some(direction) = direction else {
            return self.evolve(index, at).into();
        };
        let each = (0..b.lanes).map(|l| {
            let at = self.ahead(at, &direction, self.lane_of(b, v, l));
            self.evolve(index, &at).into()
        });
        let each = each.collect();
        self.gathered(each)
    }

    /// An operation on one lane after the other. Lanes without an iteration of their own take the operands of the last one that has.
    fn by_lane(
        &mut self,
        (b, v): (Bundle<'c>, u32),
        op: (&OpCode, ValueId),
        args: &[Value<'c>],
    ) -> Value<'c> {
        let mut each = vec![];
        for l in 0..b.lanes {
            let lane = self.lane_of(b, v, l);
            let own = args.iter().map(|a| match a.is_vector_value() {
                true => (self.ir.builder)
                    .build_extract_element(a.into_vector_value(), lane, "")
                    .expect("builder misuse"),
                false => *a,
            });
            let own: Vec<Value<'c>> = own.collect();
            each.push(self.clone_op(op, &own));
        }
        self.gathered(each)
    }

    /// A vector of these lanes.
    fn gathered(&mut self, lanes: Vec<Value<'c>>) -> Value<'c> {
        let mut all = self
            .vector_type(lanes[0].get_type(), lanes.len() as u32)
            .get_poison();
        for (l, value) in lanes.into_iter().enumerate() {
            all = (self.ir.builder)
                .build_insert_element(all, value, self.ir.int(l as i64), "")
                .expect("builder misuse");
        }
        all.into()
    }

    pub(super) fn bundle_read(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        v: u32,
        access: usize,
    ) -> Value<'c> {
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
        if b.lanes == 1 {
            return self.read(a, at);
        }
        let direction = direction(u, b.iter).expect("checked by runs_in_lanes");
        let (gain, lie) = lie(self.scop, stmt, a, &direction).expect("checked by runs_in_lanes");
        let vector = self.vector_type(self.access_type(a), b.lanes);
        if let Some(place) = self.contracted_place(b, u, (access, v), at) {
            return self.contracted_load(vector, &place);
        }
        let lie = match lie {
            Lie::Reversed if b.last.is_some() => Lie::Apart,
            other => other,
        };
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
            Lie::Reversed => {
                let p = self.place(a, at);
                let last = (i64::from(b.lanes) - 1) * a.ty.bytes() as i64;
                let p = self.ir.offset(p, self.ir.int(-last));
                let align = self.origin_of(a).map_or(1, |o| o.align);
                let value = self.vector_load(vector, p, None, align);
                self.finish_vector_access(value.as_value_ref(), a);
                let all = value.into_vector_value();
                let backwards: Vec<u32> = (0..b.lanes).rev().collect();
                self.shuffle(all, all, &backwards).into()
            }
            Lie::Apart => {
                let mut each = vec![];
                for p in self.lane_places((b, v), a, (&gain, &direction), at) {
                    let one = self.ir.load(self.access_type(a), p);
                    self.finish_access(crate::body::instruction(one), a);
                    each.push(one);
                }
                self.gathered(each)
            }
        }
    }

    /// The addresses of an access in all lanes.
    pub(super) fn lane_places(
        &mut self,
        (b, v): (Bundle<'c>, u32),
        access: &Access,
        (gain, direction): (&Gain, &[i64]),
        at: &Iterators<'c>,
    ) -> Vec<Ptr<'c>> {
        if self.leaves_row(access, gain) {
            return (0..b.lanes)
                .map(|l| self.lane_place((b, v, l), access, direction, at))
                .collect();
        }
        let p = self.place(access, at);
        let stride = self.gain_at(gain, at);
        let ahead = |e: &Self, l: u32| e.ir.mul(stride, e.lane_of(b, v, l), Arith::Wrapping);
        (0..b.lanes)
            .map(|l| self.ir.offset(p, ahead(self, l)))
            .collect()
    }

    /// The address of an access in a lane, which lies in a row of its own.
    fn lane_place(
        &mut self,
        (b, v, l): (Bundle<'c>, u32, u32),
        access: &Access,
        direction: &[i64],
        at: &Iterators<'c>,
    ) -> Ptr<'c> {
        let at = self.ahead(at, direction, self.lane_of(b, v, l));
        self.place(access, &at)
    }

    pub(super) fn bundle_store(&mut self, b: Bundle<'c>, u: &User, v: u32, value: Value<'c>) {
        let stmt = self.scop.stmt(u.stmt);
        let a = stmt.write();
        let at = self.bundle_at(b, u, v);
        if let Some(inst) = a.inst {
            self.locate(self.host.values[inst.index()]);
        }
        if b.lanes == 1 {
            return self.write(a, &at, value);
        }
        let direction = direction(u, b.iter).expect("checked by runs_in_lanes");
        if let Some(place) = self.contracted_place(b, u, (0, v), &at) {
            return self.contracted_store(value, &place);
        }
        let (gain, lie) = lie(self.scop, stmt, a, &direction).expect("checked by runs_in_lanes");
        if lie == Lie::Contiguous {
            let p = self.place(a, &at);
            let align = self.origin_of(a).map_or(1, |o| o.align);
            let store = self.vector_store(value, p, self.lane_mask(b, v), align);
            self.finish_vector_access(store, a);
            return;
        }
        let places = self.lane_places((b, v), a, (&gain, &direction), &at);
        let stores: Vec<_> = places.into_iter().enumerate().collect();
        for (l, p) in self.in_order(b, stores) {
            let at = self.ir.int(l as i64);
            let one = (self.ir.builder)
                .build_extract_element(value.into_vector_value(), at, "")
                .expect("builder misuse");
            let store = self.ir.store(p, one);
            self.finish_access(store, a);
        }
    }
}

/// What the iterators of a statement gain per step of `iter`; `None` if that is not the same everywhere.
pub(crate) fn direction(u: &User, iter: IterId) -> Option<Vec<i64>> {
    u.args.iter().map(|a| coefficient(a, iter)).collect()
}

/// How an access lies along a direction; `None` if that is not the same everywhere, or its elements do not fit vectors.
pub(super) fn lie(
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
        _ if gain == contiguous(access).scaled(-1) => Lie::Reversed,
        _ => Lie::Apart,
    };
    Some((gain, lie))
}
