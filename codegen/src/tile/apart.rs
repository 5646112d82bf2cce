//! Steps of a triangle in functions of their own.
//!
//! Where a constraint ties the reduction to rows or lanes, the full steps of a box are its middle, and a few steps in front
//! of or behind it run under masks:
//!
//! ```text
//! main:        head(first, middle.0 - 1)       rows come one by one
//!              c = load;  for k in middle: c = op(a, b, c);  store c
//!              tail(middle.1 + 1, last)
//! head, tail:  c = load;  for k: c = masked op;  store c
//! ```
//!
//! With one loop behind the other the same accumulators live through all of them, and the register allocator
//! keeps in memory throughout what the masked steps have no register for: a sum through memory takes three times as long
//! (trmm on 16 registers). Between functions nothing is kept. The sums pass through their cells, as between blocks of the
//! reduction.

use super::inputs::Steps;
use super::reduce::Masking;
use super::{Box_, Cells};
use crate::emit::Emitter;
use crate::ir::{Arith, Int};
use inkwell::IntPredicate;

impl<'e, 'c> Emitter<'e, 'c> {
    /// A box in which a constraint ties the reduction to rows or lanes.
    pub(super) fn triangular_box(&mut self, b: &mut Box_<'_, 'c>) {
        let function = self.frame().function;
        let middle = self.middle(b);
        let is_full = self.is_full(b, middle);
        let [full, edge, done] =
            ["full", "edge", "shaped"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(is_full, full, edge);
        self.ir.at_end(full);
        self.middle_of_box(b, middle);
        self.ir.jump(done);
        self.ir.at_end(edge);
        let steps = self.steps(b, Cells::Some);
        self.run_steps(&steps, b.first, b.last);
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// A box all of whose cells exist in the steps of its middle.
    fn middle_of_box(&mut self, b: &mut Box_<'_, 'c>, middle: (Int<'c>, Int<'c>)) {
        let comes =
            b.m.constraints
                .iter()
                .any(|c| super::is_mixed(c) && c.reduction > 0);
        let goes =
            b.m.constraints
                .iter()
                .any(|c| super::is_mixed(c) && c.reduction < 0);
        let steps = self.steps(b, Cells::All);
        let one = self.ir.int(1);
        if comes {
            let before = self.ir.sub(middle.0, one, Arith::Bounded);
            self.some_steps(&steps, b.first, before);
        }
        self.prepare(b, None);
        let mut acc = self.load_cells(b, None);
        self.fetch_next(b);
        acc = self.reduce_all(b, middle, acc, Masking::None);
        self.store_cells(b, None, &acc);
        if goes {
            let behind = self.ir.add(middle.1, one, Arith::Bounded);
            self.some_steps(&steps, behind, b.last);
        }
    }

    /// The function for steps in which these cells exist.
    fn steps(&mut self, b: &Box_<'_, 'c>, cells: Cells) -> Steps<'c> {
        self.of_inputs("steps", &b.inputs, |e, inputs| {
            let mut b = e.box_from(b.m, inputs);
            match cells {
                Cells::All => e.at_rim(|e| {
                    e.prepare(&mut b, None);
                    let acc = e.load_cells(&b, None);
                    let masking = Masking::PerStep(Cells::All);
                    let acc = e.reduce(&b, (b.first, b.last), acc, masking);
                    e.store_cells(&b, None, &acc);
                }),
                Cells::Some => {
                    let middle = e.middle(&b);
                    e.edge_box(&mut b, middle);
                }
            }
        })
    }

    /// Runs a range of steps, which may be empty.
    fn some_steps(&mut self, steps: &Steps<'c>, first: Int<'c>, last: Int<'c>) {
        let function = self.frame().function;
        let [run, done] =
            ["steps", "stepped"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        let any = self.ir.cmp(IntPredicate::SLE, first, last);
        self.ir.branch(any, run, done);
        self.ir.at_end(run);
        self.run_steps(steps, first, last);
        self.ir.jump(done);
        self.ir.at_end(done);
    }
}
