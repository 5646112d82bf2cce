//! The cells of the next box are fetched while this one computes.
//!
//! A box begins by loading its cells, which nothing has touched since the last block of the reduction; the vector units
//! would wait for them. Where the next box is known ([`MicroKernel::next`](polytile_analysis::ast::MicroKernel::next)),
//! its cache lines are requested before this box's loop over the reduction. A request is no access: behind the end of an
//! array it does nothing.

use super::{Along, Box_, Varies};
use crate::emit::Emitter;
use crate::ir::{Arith, Ptr};
use crate::memory::LINE;
use inkwell::intrinsics::Intrinsic;
use polytile_analysis::tree::Side;

/// Arguments of the request: to be kept in all caches, data.
const KEEP: u64 = 3;
const DATA: u64 = 1;

/// What a line is requested for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// To be read.
    Read,
    /// To be written.
    Write,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Requests the cells of the box that runs next.
    pub(super) fn fetch_next(&mut self, b: &Box_<'_, 'c>) {
        let (along, boxes) = match b.m.next {
            Some(Side::Row) => (Along::Rows, b.m.tile.rows),
            Some(Side::Lane) => (Along::Lanes, b.m.tile.vectors * b.m.tile.lanes),
            None => return,
        };
        let access = &b.stmt.accesses[b.accumulator];
        if self.gain_within_row(b, b.accumulator, along).is_none() {
            return;
        }
        let per_step = self.gain_value(b, b.accumulator, along);
        let ahead = self
            .ir
            .mul(per_step, self.ir.int(boxes.into()), Arith::Wrapping);
        let width = u64::from(b.m.tile.vectors * b.m.tile.lanes) * access.ty.bytes();
        let width = width * u64::from(b.cell_stride);
        // The last byte as well: rows need not begin at the beginning of a line.
        let places: Vec<u64> = (0..width)
            .step_by(LINE as usize)
            .chain([width - 1])
            .collect();
        let zero = self.ir.int(0);
        for cell in b.places(Varies {
            lane: false,
            ..b.accesses[b.accumulator]
        }) {
            let row = self.tile_place(b, b.accumulator, cell, zero);
            let row = self.ir.offset(row, ahead);
            for at in &places {
                let line = self.ir.offset(row, self.ir.int(*at as i64));
                self.request(line, Purpose::Write);
            }
        }
    }

    /// Requests the cache line at an address, which need not be one of the program.
    pub(crate) fn request(&self, p: Ptr<'c>, purpose: Purpose) {
        let f = Intrinsic::find("llvm.prefetch")
            .and_then(|i| i.get_declaration(self.ir.module(), &[self.ir.ptr_type()]))
            .expect("LLVM has prefetches");
        let word = |n: u64| self.ir.int_type(32).const_int(n, false).into();
        let args = [
            p.into(),
            word(u64::from(purpose == Purpose::Write)),
            word(KEEP),
            word(DATA),
        ];
        self.ir
            .builder
            .build_call(f, &args, "")
            .expect("builder misuse");
    }
}
