//! What rows and lanes that do not exist compute on: copies of what others do.
//!
//! Their results are never stored, but what they do can be seen: a quotient of two zeros raises a flag of the floating point
//! environment that the program does not raise, or ends a program that has asked for traps. What has no meaning in memory
//! (the rest of a packed panel) may even be a signalling NaN. So they compute what some instance that exists computes:
//!
//! ```text
//! 3 rows, 5 columns of a box of 4 x 8:      a row operand of row 3                  is that of row 0
//!                                           a lane operand of lanes 5, 6, 7         is that of lane 0
//!                                           the sums of row 3 and lanes 5, 6, 7     begin with those of row 0 and lane 0
//! ```
//!
//! Rows and lanes of such a box come and go for themselves, so each of its places copies a place that exists. Where the end
//! of a box is a triangle, no row and lane are there in all steps. If the statement divides, each vector there is evaluated for
//! itself, in steps in which it exists at all, and its idle lanes copy one that exists. Other statements add and multiply
//! the program's own numbers there, in combinations that it may not have.

use super::masks::{Mask, Masks, is_mixed};
use super::roles::Varies;
use super::values::Step;
use super::{Box_, Cell};
use crate::emit::Emitter;
use crate::ir::{Int, Value};
use crate::vector::lane_by_lane;
use inkwell::values::VectorValue;
use llvm_sys::LLVMOpcode;
use llvm_sys::core::{LLVMGetInstructionOpcode, LLVMIsAInstruction};
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::ast::{MicroKernel, TileConstraint};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use std::collections::BTreeMap;

/// Places of a box that exist whenever any does.
#[derive(Clone, Copy, Default)]
pub(super) struct Live {
    /// A row.
    row: Option<u32>,
    /// A vector and one of its lanes.
    lane: Option<(u32, u32)>,
    /// Rows and lanes come and go for themselves, and with them all steps.
    apart: bool,
}

impl Live {
    pub(super) fn of(m: &MicroKernel) -> Live {
        let end = |coefficient: fn(&TileConstraint) -> i64, count: u32| {
            let all = || m.constraints.iter().map(coefficient);
            match (all().all(|c| c <= 0), all().all(|c| c >= 0)) {
                (true, _) => Some(0),
                (_, true) => Some(count - 1),
                _ => None,
            }
        };
        let lanes = m.tile.lanes;
        let row = end(|c| c.row, m.tile.rows);
        let lane = end(|c| c.lane, m.tile.vectors * lanes).map(|l| (l / lanes, l % lanes));
        let single = |c: &TileConstraint| !is_mixed(c) && (c.row == 0 || c.lane == 0);
        Live {
            row,
            lane,
            apart: row.is_some() && lane.is_some() && m.constraints.iter().all(single),
        }
    }
}

/// The lanes of a vector that is evaluated for itself.
#[derive(Clone, Copy)]
pub(super) struct Lone<'c> {
    /// Those that exist.
    mask: VectorValue<'c>,
    /// One of them.
    lane: Int<'c>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Whether vectors of a box whose rows and lanes do not come and go for themselves are evaluated for themselves.
    pub(super) fn evaluated_alone(&self, b: &Box_<'_, 'c>) -> bool {
        let divides = |id: &NodeId| match &b.stmt.body.node(*id).kind {
            NodeKind::Op { inst, .. } => traps_on_some(self.host.values[inst.index()]),
            _ => false,
        };
        let mut computed = b.needed.iter().filter(|id| !b.packed.contains_key(id));
        !b.live.apart && computed.any(divides)
    }

    /// The value of an operand in a place of the box, or of a place that exists where this one does not.
    pub(super) fn alive(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &mut Step<'_, 'c>,
        (id, (r, v)): (NodeId, Cell),
        mut value: Value<'c>,
    ) -> Value<'c> {
        let varies = b.nodes[id.index()];
        if let Some(Lone { mask, lane }) = step.lone {
            return match value.is_vector_value() {
                true => self.copied(mask, value, (value, lane)),
                false => value,
            };
        }
        let Some(masks) = step.masks else {
            return value;
        };
        if let Some((vector, lane)) = b.live.lane
            && value.is_vector_value()
            && (b.live.apart || !varies.row)
            && let Mask::Lanes(mask) = self.operand_mask(b, masks, varies, (r, v))
        {
            let source = match v == vector {
                true => value,
                false => self.tile_node(b, step, id, (r, vector)),
            };
            let lane = self.ir.int(lane.into());
            value = self.copied(mask, value, (source, lane));
        }
        let node = &b.stmt.body.node(id).kind;
        let exists = matches!(node, NodeKind::Read(n) if b.existing.contains(n));
        if let Some(row) = b.live.row
            && b.live.apart
            && varies.row
            && row != r
            && !exists
            && let Some(exists) = self.row_exists(b, masks, r)
        {
            let other = self.tile_node(b, step, id, (row, v));
            value = self.ir.select(exists, value, other);
        }
        value
    }

    /// The same of the sums that a box begins with.
    pub(super) fn alive_cells(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: &Masks<'c>,
        cells: Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let (Some(row), Some((vector, lane)), true) = (b.live.row, b.live.lane, b.live.apart)
        else {
            return cells;
        };
        let lane = self.ir.int(lane.into());
        let mut alive = cells.clone();
        for (r, v) in b.cells() {
            if let Mask::Lanes(mask) = masks.cell((r, v)) {
                let source = cells[b.position((r, vector))];
                let at = b.position((r, v));
                alive[at] = self.copied(mask, cells[at], (source, lane));
            }
        }
        for (r, v) in b.cells().filter(|(r, _)| *r != row) {
            if let Some(exists) = self.row_exists(b, masks, r) {
                let (own, other) = (b.position((r, v)), b.position((row, v)));
                alive[own] = self.ir.select(exists, alive[own], alive[other]);
            }
        }
        alive
    }

    /// Whether a row exists, if it may not.
    pub(super) fn row_exists(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: &Masks<'c>,
        r: u32,
    ) -> Option<Int<'c>> {
        let row = Varies {
            row: true,
            ..Varies::default()
        };
        match self.operand_mask(b, masks, row, (r, 0)) {
            Mask::All => None,
            mask => Some(self.lane_exists(mask)),
        }
    }

    /// A row of a panel that exists: this one, or another in its place.
    pub(super) fn row_of_panel(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: Option<&Masks<'c>>,
        r: u32,
    ) -> Int<'c> {
        let own = self.ir.int(r.into());
        let other = b.live.row.filter(|row| b.live.apart && *row != r);
        let (Some(other), Some(masks)) = (other, masks) else {
            return own;
        };
        match self.row_exists(b, masks, r) {
            Some(exists) => {
                let other = self.ir.int(other.into());
                self.ir.select(exists, own, other).into_int_value()
            }
            None => own,
        }
    }

    /// One step of a box whose vectors are evaluated for themselves.
    pub(super) fn cells_that_exist(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        acc: &[Value<'c>],
        masks: &Masks<'c>,
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        let lanes = b.m.tile.lanes;
        let mut updated = vec![];
        for cell in b.cells() {
            let old = acc[b.position(cell)];
            let mask = masks.cell(cell);
            let [run, after] =
                ["cell", "nocell"].map(|name| self.ir.block(function, &format!("polytile.{name}")));
            let exists = self.lane_exists(mask);
            let before = self.ir.here();
            self.ir.branch(exists, run, after);
            self.ir.at_end(run);
            let only = masks.only(b, cell, self.ir.bool(false));
            let mut step = Step {
                k,
                accumulators: acc,
                masks: Some(&only),
                done: BTreeMap::new(),
                splats: BTreeMap::new(),
                lone: self.lone(mask),
            };
            let value = self.tile_node(b, &mut step, b.stmt.body.root, cell);
            let value = self.splat(value, lanes);
            let new = self.update(mask, value, old);
            let end = self.ir.here();
            self.ir.jump(after);
            self.ir.at_end(after);
            let phi = self.ir.phi(old.get_type(), "");
            phi.add_incoming(&[(&old, before), (&new, end)]);
            updated.push(phi.as_basic_value());
        }
        updated
    }

    fn lone(&self, mask: Mask<'c>) -> Option<Lone<'c>> {
        let Mask::Lanes(mask) = mask else {
            return None;
        };
        let bits = self.ir.int_type(mask.get_type().get_size());
        let word = self.ir.bitcast(mask.into(), bits.into());
        let any = self.ir.bool(true);
        let args = [word.into_int_value().into(), any.into()];
        let lane = self.ir.intrinsic("llvm.cttz", &[bits.into()], &args);
        let lane = self.ir.zext(lane.into_int_value(), 64);
        Some(Lone { mask, lane })
    }

    /// A vector whose lanes outside of a mask are a lane of another one.
    fn copied(
        &self,
        mask: VectorValue<'c>,
        value: Value<'c>,
        (source, lane): (Value<'c>, Int<'c>),
    ) -> Value<'c> {
        let lanes = mask.get_type().get_size();
        let builder = &self.ir.builder;
        let one = builder.build_extract_element(source.into_vector_value(), lane, "");
        let all = self.splat(one.expect("builder misuse"), lanes);
        self.vector_select(mask.into(), value, all)
    }
}

/// Whether an operation may trap, or raise a flag for invalid operands, on ordinary numbers.
fn traps_on_some(inst: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    if inst.is_null() || unsafe { LLVMIsAInstruction(inst).is_null() } {
        return false;
    }
    match unsafe { LLVMGetInstructionOpcode(inst) } {
        LLVMFDiv | LLVMFRem | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => true,
        LLVMFPToUI | LLVMFPToSI => true,
        LLVMCall => lane_by_lane(inst).is_none_or(|name| name == "llvm.sqrt"),
        _ => false,
    }
}
