//! The loop over the reduction: accumulators are vector PHIs, and each step updates them row by row, which is the order
//! that LLVM's register allocator keeps without spills.

use super::masks::{Mask, Masks};
use super::transpose::Ready;
use super::values::Step;
use super::{Box_, Cells};
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Value, feed};
use crate::metadata::LoopCode;
use inkwell::IntPredicate;
use inkwell::values::AsValueRef;
use std::collections::BTreeMap;

/// How a reduction loop is masked.
#[derive(Clone, Copy)]
pub(super) enum Masking<'m, 'c> {
    /// All instances exist.
    None,
    /// The same cells exist in all steps; those that do not are never stored.
    Fixed(&'m Masks<'c>),
    /// Which instances exist changes from step to step.
    PerStep(Cells),
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// The loops over steps that exist for the same cells; the accumulators after them.
    pub(super) fn reduce_all(
        &mut self,
        b: &Box_<'_, 'c>,
        (first, last): (Int<'c>, Int<'c>),
        acc: Vec<Value<'c>>,
        masking: Masking<'_, 'c>,
    ) -> Vec<Value<'c>> {
        // Rows of a box that do not exist could not be replaced by any.
        let whole = matches!(masking, Masking::None) || b.m.tile.rows == 1 && !b.alone;
        if b.transposed.is_empty() || !whole {
            return self.reduce(b, (first, last), acc, masking);
        }
        let (acc, left) = self.reduce_squares(b, (first, last), acc, masking);
        self.reduce(b, (left, last), acc, masking)
    }

    /// The loop over the reduction; the accumulators after it.
    pub(super) fn reduce(
        &mut self,
        b: &Box_<'_, 'c>,
        (first, last): (Int<'c>, Int<'c>),
        acc: Vec<Value<'c>>,
        masking: Masking<'_, 'c>,
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        self.locate_region();
        let header = self.ir.block(function, "polytile.reduce");
        let after = self.ir.block(function, "polytile.reduced");
        let entered = self.ir.cmp(IntPredicate::SLE, first, last);
        let before = self.ir.here();
        self.ir.branch(entered, header, after);

        self.ir.at_end(header);
        let phi = self.ir.phi(self.ir.i64(), "k");
        let (phis, current) = self.ir.phis(&acc, "c");
        let k = phi.as_basic_value().into_int_value();
        let updated = self.reduction_step(b, k, &current, masking, Ready::new());
        self.locate_region();
        let latch = self.ir.here();
        let next = self.ir.add(k, self.ir.int(1), Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLT, k, last);
        let back = self.ir.branch(again, header, after);
        self.mark_loop(back, None, LoopCode::Vectors);
        phi.add_incoming(&[(&first, before), (&next, latch)]);
        let carried = [(&acc[..], before), (&updated[..], latch)];
        feed(&phis, carried);

        self.ir.at_end(after);
        let (merged, result) = self.ir.phis(&acc, "");
        feed(&merged, carried);
        result
    }

    pub(super) fn reduction_step(
        &mut self,
        b: &Box_<'_, 'c>,
        k: Int<'c>,
        acc: &[Value<'c>],
        masking: Masking<'_, 'c>,
        ready: Ready<'c>,
    ) -> Vec<Value<'c>> {
        let per_step = match masking {
            Masking::PerStep(cells) => Some(self.instances(b, k, cells)),
            Masking::None | Masking::Fixed(_) => None,
        };
        let masks = match masking {
            Masking::Fixed(m) => Some(m),
            Masking::None | Masking::PerStep(_) => per_step.as_ref(),
        };
        if let Some(masks) = masks.filter(|_| b.alone) {
            return self.cells_that_exist(b, k, acc, masks);
        }
        let mut step = Step {
            k,
            accumulators: acc,
            masks,
            done: ready,
            splats: BTreeMap::new(),
            lone: None,
        };
        let by_rows = per_step.as_ref().and_then(|m| m.by_rows(b));
        for id in &b.needed {
            let varies = b.nodes[id.index()];
            if varies.reduction && !varies.row && (varies.lane || by_rows.is_some()) {
                for cell in b.places(varies) {
                    self.tile_node(b, &mut step, *id, cell);
                }
            }
        }
        if let Some(exist) = by_rows {
            return self.rows_that_exist(b, step, &exist);
        }
        let lanes = b.m.tile.lanes;
        let mut updated = vec![];
        for cell in b.cells() {
            let value = self.tile_node(b, &mut step, b.stmt.body.root, cell);
            let new = self.splat(value, lanes);
            updated.push(match &per_step {
                Some(masks) => self.update(masks.cell(cell), new, acc[b.position(cell)]),
                None => new,
            });
        }
        updated
    }

    /// One step in which whole rows exist or do not: a branch per row, which is the same in most steps.
    fn rows_that_exist(
        &mut self,
        b: &Box_<'_, 'c>,
        shared: Step<'_, 'c>,
        exist: &[Int<'c>],
    ) -> Vec<Value<'c>> {
        let function = self.frame().function;
        let (lanes, vectors) = (b.m.tile.lanes, b.m.tile.vectors);
        let mut updated = vec![];
        for (r, exists) in (0..).zip(exist) {
            let row = self.ir.block(function, "polytile.row");
            let after = self.ir.block(function, "polytile.norow");
            let before = self.ir.here();
            self.ir.branch(*exists, row, after);
            self.ir.at_end(row);
            // What this row computes is not known in others.
            let mut step = Step {
                masks: None,
                done: shared.done.clone(),
                splats: BTreeMap::new(),
                ..shared
            };
            let mut new = vec![];
            for v in 0..vectors {
                let value = self.tile_node(b, &mut step, b.stmt.body.root, (r, v));
                new.push(self.splat(value, lanes));
            }
            let end = self.ir.here();
            self.ir.jump(after);
            self.ir.at_end(after);
            for (v, new) in (0..vectors).zip(new) {
                let old = shared.accumulators[b.position((r, v))];
                let phi = self.ir.phi(old.get_type(), "");
                phi.add_incoming(&[(&old, before), (&new, end)]);
                updated.push(phi.as_basic_value());
            }
        }
        updated
    }

    pub(super) fn update(&self, mask: Mask<'c>, new: Value<'c>, old: Value<'c>) -> Value<'c> {
        match mask {
            Mask::All => new,
            Mask::Uniform(c) => self.ir.select(c, new, old),
            Mask::Lanes(m) => self.vector_select(m.into(), new, old),
        }
    }

    /// A lane-wise select.
    pub(super) fn vector_select(
        &self,
        mask: Value<'c>,
        yes: Value<'c>,
        no: Value<'c>,
    ) -> Value<'c> {
        let made = unsafe {
            llvm_sys::core::LLVMBuildSelect(
                self.ir.builder.as_mut_ptr(),
                mask.as_value_ref(),
                yes.as_value_ref(),
                no.as_value_ref(),
                c"".as_ptr(),
            )
        };
        unsafe { Value::new(made) }
    }
}
