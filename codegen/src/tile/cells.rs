//! The cells of a register tile, between memory and the accumulators.
//!
//! Where the lanes' cells lie side by side, a vector of them is one load and one store. Where they lie `s` elements apart
//! (the real parts of complex numbers that are pairs), it is `s` vectors of memory, of which only the lanes' elements are
//! touched, and shuffles:
//!
//! ```text
//! s = 2, L = 4:   memory w[0]   c0 .  c1 .      mask 1010      c = w[0][0], w[0][2], w[1][0], w[1][2]
//!                 memory w[1]   c2 .  c3 .      mask 1010
//! ```
//!
//! What lies between may be cells of another statement, or of another thread, or end the array.

use super::gain::access_gain;
use super::masks::{Mask, Masks};
use super::transpose::contiguous;
use super::{Box_, Emitter};
use crate::ir::{Ptr, Value};
use inkwell::values::{AsValueRef, VectorValue};
use polytile_analysis::ast::{MAX_CELL_STRIDE, MicroKernel};
use polytile_analysis::scop::{Access, Scop, Stmt};

/// Elements from one lane's cell to the next; `None` if that is no small number.
pub(super) fn cell_stride(scop: &Scop, stmt: &Stmt, m: &MicroKernel) -> Option<u32> {
    let write = stmt.write();
    let gain = access_gain(scop, stmt, write, &m.lane_step)?;
    let elements = |n: i128| contiguous(write).scaled(n) == gain;
    (1..=MAX_CELL_STRIDE)
        .find(|n| elements(*n))?
        .try_into()
        .ok()
}

/// One vector of cells in memory that lie apart.
struct Apart<'c> {
    /// The cell of the first lane.
    first: Ptr<'c>,
    /// Elements from lane to lane.
    stride: u32,
    lanes: u32,
    /// The lanes that exist, if not all do.
    mask: Option<Value<'c>>,
}

impl Apart<'_> {
    /// The lane whose cell is this element of all that the vectors cover.
    fn lane_at(&self, element: u32) -> Option<u32> {
        element
            .is_multiple_of(self.stride)
            .then_some(element / self.stride)
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    pub(super) fn load_cells(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: Option<&Masks<'c>>,
    ) -> Vec<Value<'c>> {
        // A sum that the program keeps in a register tells nothing about its cell; its store does.
        let (read, write) = (&b.stmt.accesses[b.accumulator], b.stmt.write());
        let access = &Access {
            inst: read.inst.or(write.inst),
            ..read.clone()
        };
        let ty = self.access_type(access);
        let zero = self.ir.int(0);
        let mut all = vec![];
        for cell in b.cells() {
            let p = self.tile_place(b, b.accumulator, cell, zero);
            let mask = masks.map_or(Mask::All, |m| m.cell(cell));
            all.push(match b.cell_stride {
                1 => self.lanes_load(access, ty, p, mask, b.m.tile.lanes),
                _ => {
                    let apart = self.cells_apart(b, p, mask);
                    self.load_apart(access, &apart)
                }
            });
        }
        match masks {
            Some(masks) => self.alive_cells(b, masks, all),
            None => all,
        }
    }

    pub(super) fn store_cells(
        &mut self,
        b: &Box_<'_, 'c>,
        masks: Option<&Masks<'c>>,
        acc: &[Value<'c>],
    ) {
        let access = b.stmt.write();
        let zero = self.ir.int(0);
        if let Some(inst) = access.inst {
            self.locate(self.host.values[inst.index()]);
        }
        for cell in b.cells() {
            let p = self.tile_place(b, 0, cell, zero);
            let mask = masks.map_or(Mask::All, |m| m.cell(cell));
            let value = acc[b.position(cell)];
            if b.cell_stride == 1 {
                let mask = self.lanes_of(mask, b.m.tile.lanes);
                let store = self.vector_store(value, p, mask, self.align_of(access));
                self.finish_vector_access(store, access);
            } else {
                let apart = self.cells_apart(b, p, mask);
                self.store_apart(access, &apart, value.into_vector_value());
            }
        }
    }

    fn cells_apart(&self, b: &Box_<'_, 'c>, first: Ptr<'c>, mask: Mask<'c>) -> Apart<'c> {
        let lanes = b.m.tile.lanes;
        Apart {
            first,
            stride: b.cell_stride,
            lanes,
            mask: self.lanes_of(mask, lanes),
        }
    }

    fn load_apart(&mut self, access: &Access, cells: &Apart<'c>) -> Value<'c> {
        let lanes = cells.lanes;
        let ty = self.vector_type(self.access_type(access), lanes);
        let mut all: Option<VectorValue<'c>> = None;
        for w in 0..cells.stride {
            let (p, mask) = self.vector_apart(access, cells, w);
            let loaded = self.vector_load(ty, p, Some(mask), self.align_of(access));
            self.finish_vector_access(loaded.as_value_ref(), access);
            let loaded = loaded.into_vector_value();
            let picks = |l: u32| match (l * cells.stride / lanes == w, w) {
                (true, 0) => l * cells.stride,
                (true, _) => lanes + l * cells.stride % lanes,
                (false, _) => l,
            };
            let picks: Vec<u32> = (0..lanes).map(picks).collect();
            all = Some(self.shuffle(all.unwrap_or(loaded), loaded, &picks));
        }
        all.expect("a stride is not 0").into()
    }

    fn store_apart(&mut self, access: &Access, cells: &Apart<'c>, value: VectorValue<'c>) {
        for w in 0..cells.stride {
            let (p, mask) = self.vector_apart(access, cells, w);
            let own = |e: u32| (w * cells.lanes + e) / cells.stride;
            let picks: Vec<u32> = (0..cells.lanes).map(own).collect();
            let spread = self.shuffle(value, value, &picks);
            let store = self.vector_store(spread.into(), p, Some(mask), self.align_of(access));
            self.finish_vector_access(store, access);
        }
    }

    /// The address of one of the vectors that cells lie in, and its elements that are cells of existing lanes.
    fn vector_apart(&self, access: &Access, cells: &Apart<'c>, w: u32) -> (Ptr<'c>, Value<'c>) {
        let lanes = cells.lanes;
        let bytes = i64::from(w * lanes) * access.ty.bytes() as i64;
        let p = self.ir.offset(cells.first, self.ir.int(bytes));
        let every = cells
            .mask
            .unwrap_or_else(|| self.splat(self.ir.bool(true).into(), lanes))
            .into_vector_value();
        let none = every.get_type().const_zero();
        let pick = |e: u32| cells.lane_at(w * lanes + e).unwrap_or(lanes);
        let picks: Vec<u32> = (0..lanes).map(pick).collect();
        (p, self.shuffle(every, none, &picks).into())
    }
}
