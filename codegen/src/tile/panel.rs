//! Packed operands of a register tile.
//!
//! A node of the body that was copied is a load, and what it is computed from is not needed any more:
//!
//! ```text
//! p      = buffer + start - origin * n * width        (once; elements)
//! row    operand i, row r:     scalar p + k * n * width + i * width + r
//! lane   operand i, vector v:  vector p + k * n * width + i * width + v * lanes
//! ```
//!
//! Rows and lanes of a box that do not exist have places in the panel nevertheless. What lies there has no meaning and
//! ends in cells or steps that are masked, so loads from panels need no masks; nothing computes on it, though
//! ([`alive`](super::alive)).

use super::values::Step;
use super::{Box_, Cell};
use crate::emit::Emitter;
use crate::error::EmitError;
use crate::ir::{Arith, Ptr, Value};
use crate::memory::ALIGN;
use crate::metadata::Memory;
use inkwell::values::{AsValueRef, InstructionValue};
use polytile_analysis::ast::{Buffer, MicroKernel, Panel};
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::Stmt;
use polytile_analysis::tree::Side;
use std::collections::BTreeMap;

/// Where a packed node lies.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) side: Side,
    /// Position among the panel's operands.
    operand: usize,
}

/// The packed nodes of a body.
pub(super) fn slots(m: &MicroKernel) -> BTreeMap<NodeId, Slot> {
    let mut found = BTreeMap::new();
    for (side, panel) in sides(m) {
        for (operand, node) in panel.operands.iter().enumerate() {
            found.entry(*node).or_insert(Slot { side, operand });
        }
    }
    found
}

fn sides(m: &MicroKernel) -> impl Iterator<Item = (Side, &Panel)> {
    let row = m.row_panel.iter().map(|p| (Side::Row, p));
    row.chain(m.lane_panel.iter().map(|p| (Side::Lane, p)))
}

/// Whether the panels of a tile are as wide as it is and lie in buffers of their operands' types.
pub(crate) fn check_panels(
    m: &MicroKernel,
    stmt: &Stmt,
    buffers: &[Buffer],
) -> Result<(), EmitError> {
    for (side, panel) in sides(m) {
        crate::buffers::check_elements(panel.buffer, buffers, &stmt.body, &panel.operands)?;
        let needed = match side {
            Side::Row => m.tile.rows,
            Side::Lane => m.tile.vectors * m.tile.lanes,
        };
        assert!(panel.width >= needed, "panels are as wide as their tile");
    }
    Ok(())
}

/// The panels of a box: operand 0 of row or lane 0 at `k == 0`.
#[derive(Clone, Copy, Default)]
pub(super) struct Panels<'c> {
    pub(super) row: Option<Ptr<'c>>,
    pub(super) lane: Option<Ptr<'c>>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    pub(super) fn open_panels(&mut self, m: &MicroKernel) -> Panels<'c> {
        let mut panels = Panels::default();
        for (side, panel) in sides(m) {
            let start = self.expr(&panel.start);
            let origin = self.expr(&panel.origin);
            let steps = self.ir.int(step_elements(panel));
            let before = self.ir.mul(origin, steps, Arith::Bounded);
            let index = self.ir.sub(start, before, Arith::Bounded);
            let place = Some(self.buffer_place(panel.buffer, index));
            match side {
                Side::Row => panels.row = place,
                Side::Lane => panels.lane = place,
            }
        }
        panels
    }

    /// The value of a packed node in step `k`.
    pub(super) fn panel_load(
        &mut self,
        b: &Box_<'_, 'c>,
        step: &Step<'_, 'c>,
        slot: Slot,
        (r, v): Cell,
    ) -> Value<'c> {
        let (panel, base, within) = match slot.side {
            Side::Row => {
                let row = self.row_of_panel(b, step.masks, r);
                (&b.m.row_panel, b.inputs.panels.row, row)
            }
            Side::Lane => {
                let lane = self.ir.int((v * b.m.tile.lanes).into());
                (&b.m.lane_panel, b.inputs.panels.lane, lane)
            }
        };
        let panel = panel.as_ref().expect("slots come from panels");
        let base = base.expect("open panels have addresses");
        let ty = self.program.buffers[panel.buffer].ty;
        let bytes = ty.bytes() as i64;
        let per_step = self.ir.int(step_elements(panel) * bytes);
        let ahead = self.ir.mul(step.k, per_step, Arith::Bounded);
        let at_step = self.ir.offset(base, ahead);
        let operand = self.ir.int(slot.operand as i64 * i64::from(panel.width));
        let element = self.ir.add(operand, within, Arith::Bounded);
        let element = self.ir.mul(element, self.ir.int(bytes), Arith::Bounded);
        let place = self.ir.offset(at_step, element);
        let ty = self.plain_type(ty).expect("checked before emission");
        let value = match slot.side {
            Side::Row => self.ir.load(ty, place),
            Side::Lane => {
                // Panels begin at multiples of their width.
                let vector = i64::from(b.m.tile.lanes) * bytes;
                let align = power(i64::from(panel.width) * bytes).min(power(vector));
                let ty = self.vector_type(ty, b.m.tile.lanes);
                self.vector_load(ty, place, None, align.min(ALIGN) as u32)
            }
        };
        let load = unsafe { InstructionValue::new(value.as_value_ref()) };
        self.mark_access(load, Some(Memory::Buffer(panel.buffer)));
        value
    }
}

/// Elements from one step to the next.
fn step_elements(panel: &Panel) -> i64 {
    panel.operands.len() as i64 * i64::from(panel.width)
}

/// The largest power of two that divides a positive number.
fn power(n: i64) -> i64 {
    n & -n
}
