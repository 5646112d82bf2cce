//! Two loops in squares of as many iterations of each as a vector has lanes, so that what is contiguous along one of them and what is
//! contiguous along the other are both whole vectors, and transposed in registers.

mod copy;
mod statement;

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use crate::loops::Range;
use crate::metadata::LoopCode;
use polytile_analysis::ast::For;

impl<'c> Emitter<'_, 'c> {
    /// Emits a loop and the one inside in squares; `square` gets the first iterations of one. What is left on two sides runs
    /// iteration by iteration.
    fn in_squares(
        &mut self,
        (outer, inner): (&For, &For),
        lanes: u32,
        square: impl Fn(&mut Self, Int<'c>, Int<'c>),
    ) {
        let (rows, steps) = (self.range(outer), self.range(inner));
        let lanes = i64::from(lanes);
        let (left_rows, left_steps) = (self.left(rows, lanes), self.left(steps, lanes));
        let squares = |e: &Self, all: Range<'c>, left: Int<'c>| Range {
            first: all.first,
            last: e.ir.sub(left, e.ir.int(1), Arith::Bounded),
            step: e.ir.int(lanes),
        };
        let (by_row, by_step) = (
            squares(self, rows, left_rows),
            squares(self, steps, left_steps),
        );
        self.counted(by_row, None, LoopCode::Vectors, |e, h| {
            e.counted(by_step, None, LoopCode::Vectors, |e, k| square(e, h, k));
            let last = e.ir.add(h, e.ir.int(lanes - 1), Arith::Bounded);
            let (first, step) = (h, e.ir.int(1));
            let tail = Range {
                first: left_steps,
                ..steps
            };
            e.counted(tail, None, LoopCode::Scalars, |e, k| {
                e.set(Key::Iter(inner.iter), k);
                let all = Range { first, last, step };
                e.counted(all, None, LoopCode::Scalars, |e, h| {
                    e.body(outer.iter, h, &inner.body);
                });
                e.frame().values.remove(&Key::Iter(inner.iter));
            });
        });
        let tail = Range {
            first: left_rows,
            ..rows
        };
        self.counted(tail, None, LoopCode::Single, |e, h| {
            e.body(outer.iter, h, &outer.body);
        });
    }

    /// The first iteration that no group of `lanes` reaches.
    fn left(&mut self, all: Range<'c>, lanes: i64) -> Int<'c> {
        let one = self.ir.int(1);
        let count = self.ir.sub(all.last, all.first, Arith::Bounded);
        let count = self.ir.add(count, one, Arith::Bounded);
        let count = self.ir.minmax("llvm.smax", count, self.ir.int(0));
        let whole = self.ir.and(count, self.ir.int(-lanes));
        self.ir.add(all.first, whole, Arith::Bounded)
    }
}
