//! The statement's values in one step of the reduction, by place in the box. What ignores the row or the lane is computed once
//! for all of them.

use super::alive::Lone;
use super::gain::Gain;
use super::masks::{Mask, Masks};
use super::roles::Varies;
use super::{Along, Box_, Cell};
use crate::body::instruction;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::Key;
use crate::ir::{Arith, Int, Ptr, Value};
use inkwell::types::BasicTypeEnum;
use inkwell::values::AsValueRef;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::scop::Access;
use std::collections::BTreeMap;

/// Values of one step of the reduction.
pub(super) struct Step<'a, 'c> {
    pub(super) k: Int<'c>,
    pub(super) accumulators: &'a [Value<'c>],
    pub(super) masks: Option<&'a Masks<'c>>,
    pub(super) done: BTreeMap<(NodeId, Cell), Value<'c>>,
    pub(super) splats: BTreeMap<(NodeId, u32), Value<'c>>,
    /// The lanes of the only vector that is evaluated.
    pub(super) lone: Option<Lone<'c>>,
}

fn place_of(varies: Varies, (r, v): Cell) -> Cell {
    (
        if varies.row { r } else { 0 },
        if varies.lane { v } else { 0 },
    )
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// The value of a body's node in a step.
    pub(super) fn tile_node(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &mut Step<'_, 'c>,
        id: NodeId,
        cell: Cell,
    ) -> Value<'c> {
        let varies = b.nodes[id.index()];
        let cell = place_of(varies, cell);
        if let Some(v) = b
            .outer
            .get(&(id, cell))
            .or_else(|| step.done.get(&(id, cell)))
        {
            return *v;
        }
        let node = b.stmt.body.node(id);
        let value = match &node.kind {
            _ if b.packed.contains_key(&id) => self.panel_load(b, step, b.packed[&id], cell),
            NodeKind::Read(n) if *n == b.accumulator => step.accumulators[b.position(cell)],
            NodeKind::Read(n) => self.tile_read(b, step, *n, cell),
            NodeKind::Index(s) => {
                let at = self.iterators(b, cell.0, step.k);
                self.evolve(s, &at).into()
            }
            NodeKind::Invariant(v) => self.get(Key::Invariant(*v)),
            NodeKind::Bits(bits) => self.bits(node.ty, *bits),
            NodeKind::Op { inst, op, args } if varies.lane => {
                let origin = self.host.values[inst.index()];
                let args: Vec<Value<'c>> = args
                    .iter()
                    .map(|a| self.tile_vector(b, step, *a, cell))
                    .collect();
                self.vector_op((op, origin), &args, b.m.tile.lanes)
            }
            NodeKind::Op { inst, op, args } => {
                let args: Vec<Value<'c>> = args
                    .iter()
                    .map(|a| self.tile_node(b, step, *a, cell))
                    .collect();
                self.clone_op((op, *inst), &args)
            }
        };
        let value = match node.kind {
            NodeKind::Op { .. } if !b.packed.contains_key(&id) => value,
            NodeKind::Read(n) if n == b.accumulator && step.lone.is_none() => value,
            _ => self.alive(b, step, (id, cell), value),
        };
        step.done.insert((id, cell), value);
        value
    }

    /// The value of a node as a vector; a scalar is splatted once per row and step, at its first use.
    pub(super) fn tile_vector(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &mut Step<'_, 'c>,
        id: NodeId,
        cell: Cell,
    ) -> Value<'c> {
        let value = self.tile_node(b, step, id, cell);
        if value.is_vector_value() {
            return value;
        }
        let key = (id, place_of(b.nodes[id.index()], cell).0);
        *step
            .splats
            .entry(key)
            .or_insert_with(|| self.splat(value, b.m.tile.lanes))
    }

    fn tile_read(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &Step<'_, 'c>,
        n: usize,
        cell: Cell,
    ) -> Value<'c> {
        let access = &b.stmt.accesses[n];
        let varies = b.accesses[n];
        if let Some(inst) = access.inst {
            self.locate(self.host.values[inst.index()]);
        }
        let ty = self.access_type(access);
        let mask = match step.masks {
            Some(masks) => self.operand_mask(b, masks, varies, cell),
            None => Mask::All,
        };
        if b.transposed.contains(&n) {
            let lanes = b.m.tile.lanes;
            let places = self.places_of_lanes(b, n, cell, step.k);
            let mask = self.lanes_of(mask, lanes);
            return self.gather(access, (ty, lanes), places, mask);
        }
        let p = self.tile_place(b, n, cell, step.k);
        if varies.lane {
            return self.lanes_load(access, ty, p, mask, b.m.tile.lanes);
        }
        let p = match mask {
            Mask::All => p,
            Mask::Uniform(_) if b.existing.contains(&n) => p,
            Mask::Uniform(exists) => {
                let dummy = self.dummy();
                self.ir.select(exists, p, dummy).into_pointer_value()
            }
            Mask::Lanes(_) => unreachable!("scalar operands have one mask for all lanes"),
        };
        let value = self.ir.load(ty, p);
        self.finish_access(instruction(value), access);
        value
    }

    pub(super) fn lanes_load(
        &mut self,
        access: &Access,
        ty: BasicTypeEnum<'c>,
        p: Ptr<'c>,
        mask: Mask<'c>,
        lanes: u32,
    ) -> Value<'c> {
        let mask = self.lanes_of(mask, lanes);
        let value = self.vector_load(self.vector_type(ty, lanes), p, mask, self.align_of(access));
        self.finish_vector_access(value.as_value_ref(), access);
        value
    }

    /// The address of an access in a row, of a vector's first lane.
    pub(super) fn tile_place(
        &mut self,
        b: &Box_<'_, 'c>,
        n: usize,
        cell: Cell,
        k: Int<'c>,
    ) -> Ptr<'c> {
        let varies = b.accesses[n];
        let (r, v) = place_of(varies, cell);
        let access = &b.stmt.accesses[n];
        let mut base = b.bases.get(&(n, r)).copied();
        if base.is_none() && b.inputs.places.contains_key(&n) {
            base = Some(self.first_of_row(b, n, r));
        }
        let p = match base {
            Some(base) => {
                let per_step = self.gain_value(b, n, Along::Steps);
                let offset = self.ir.mul(k, per_step, Arith::Wrapping);
                self.ir.offset(base, offset)
            }
            None => {
                let at = self.iterators(b, r, k);
                self.place(access, &at)
            }
        };
        if v == 0 {
            return p;
        }
        let ahead = self.ir.int(i64::from(v * b.m.tile.lanes));
        let element = access.ty.bytes() as i64;
        let bytes = match b.transposed.contains(&n) {
            true => self.gain_value(b, n, Along::Lanes),
            false if n == 0 || n == b.accumulator => {
                self.ir.int(element * i64::from(b.cell_stride))
            }
            false => self.ir.int(element),
        };
        let ahead = self.ir.mul(ahead, bytes, Arith::Wrapping);
        self.ir.offset(p, ahead)
    }

    /// The bytes that an access gains, the same everywhere.
    pub(super) fn gain_value(&mut self, b: &Box_<'_, 'c>, n: usize, along: Along) -> Int<'c> {
        let given = b.inputs.places.get(&n);
        if let Some(bytes) = given.and_then(|place| place.gains[along as usize]) {
            return bytes;
        }
        let gain = b.gain(n, along).expect("asked for where it is known");
        // Which iterators there are makes no difference.
        self.gain_at(gain, &[])
    }

    /// What an access gains, unless a table says where that is.
    pub(super) fn gain_within_row<'b>(
        &self,
        b: &'b Box_<'_, 'c>,
        n: usize,
        along: Along,
    ) -> Option<&'b Gain> {
        let access = &b.stmt.accesses[n];
        b.gain(n, along).filter(|g| !self.leaves_row(access, g))
    }

    /// The bytes of a gain, which is the same for all iterators.
    pub(crate) fn gain_at(&mut self, gain: &Gain, at: &Iterators<'c>) -> Int<'c> {
        let mut sum = self.ir.int(gain.constant as i64);
        for (s, n) in &gain.symbolic {
            let s = self.evolve(s, at);
            let s = self.ir.sext(s, 64);
            let term = self.ir.mul(s, self.ir.int(*n as i64), Arith::Wrapping);
            sum = self.ir.add(sum, term, Arith::Wrapping);
        }
        sum
    }

    /// The statement's iterators in a row of the box, at its first lane.
    pub(super) fn iterators(
        &mut self,
        b: &Box_<'_, 'c>,
        r: u32,
        k: Int<'c>,
    ) -> Vec<(LoopId, Int<'c>)> {
        let mut at = vec![];
        for (d, l) in b.stmt.iters.iter().enumerate() {
            let row = self.ir.int(b.m.row_step[d] * i64::from(r));
            let value = self.ir.add(b.inputs.args[d], row, Arith::Bounded);
            let steps = self
                .ir
                .mul(k, self.ir.int(b.m.reduction_step[d]), Arith::Bounded);
            at.push((*l, self.ir.add(value, steps, Arith::Bounded)));
        }
        at
    }

    pub(super) fn align_of(&self, access: &Access) -> u32 {
        self.origin_of(access).map_or(1, |o| o.align)
    }
}
