//! Elements of contracted arrays: vectors in a buffer of the thread's own, one per step and vector of lanes.
//!
//! ```text
//! p[i][j] in lane l of vector v:    panel[row(j) * W + v*L + l]          W lanes in a bundle of vectors with L lanes
//! ```

use super::Bundle;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::ir::{Arith, Ptr, Value};
use crate::metadata::Memory;
use inkwell::types::VectorType;
use polytile_analysis::ast::{PanelPlace, User};

/// A vector in a panel.
pub(super) struct PanelVector<'c> {
    place: Ptr<'c>,
    buffer: usize,
    align: u32,
}

impl<'c> Emitter<'_, 'c> {
    /// Where vector `v` of an access lies, if its array is contracted.
    pub(super) fn contracted_place(
        &mut self,
        b: Bundle<'c>,
        u: &User,
        (access, v): (usize, u32),
        at: &Iterators<'c>,
    ) -> Option<PanelVector<'c>> {
        let a = &self.scop.stmt(u.stmt).accesses[access];
        let panel = self.panels.iter().find(|p| p.array == a.array)?;
        let own = |p: &&PanelPlace| p.stmt == u.stmt && p.access == access;
        let place = panel.places.iter().find(own);
        let place = place.expect("all accesses have a place").clone();
        let (buffer, width) = (panel.buffer, i64::from(panel.width));
        let extents = panel.extents.clone();
        let mut row = self.ir.int(0);
        for (d, own) in place.rows.iter().enumerate() {
            if d > 0 {
                let extent = self.expr(&extents[d - 1]);
                row = self.ir.mul(row, extent, Arith::Bounded);
            }
            let start = self.expr(&own.start);
            row = self.ir.add(row, start, Arith::Bounded);
            for ((_, i), step) in at.iter().zip(&own.steps) {
                if *step != 0 {
                    let term = self.ir.mul(*i, self.ir.int(*step), Arith::Bounded);
                    row = self.ir.add(row, term, Arith::Bounded);
                }
            }
        }
        let first = self.ir.mul(row, self.ir.int(width), Arith::Bounded);
        let ahead = self.ir.int(i64::from(v * b.lanes));
        let index = self.ir.add(first, ahead, Arith::Bounded);
        Some(PanelVector {
            place: self.buffer_place(buffer, index),
            buffer,
            align: b.lanes * a.ty.bytes() as u32,
        })
    }

    pub(super) fn contracted_load(&mut self, ty: VectorType<'c>, p: &PanelVector<'c>) -> Value<'c> {
        let value = self.vector_load(ty, p.place, None, p.align);
        let load = crate::body::instruction(value);
        self.mark_access(load, Some(Memory::Buffer(p.buffer)));
        value
    }

    pub(super) fn contracted_store(&mut self, value: Value<'c>, p: &PanelVector<'c>) {
        let store = self.ir.store(p.place, value);
        self.ir.align(store, p.align);
        self.mark_access(store, Some(Memory::Buffer(p.buffer)));
    }
}
