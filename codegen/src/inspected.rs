//! Reads that have no subscripts, compared with what is written: the region's inspector is asked, after all other checks.
//!
//! ```text
//!   threads:    inputs = {values of the program}, ranges = {first byte and end of each written array}
//!               br inspect(threads, inspector, inputs, ranges), refused, inspected
//! ```

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Int, Ptr};
use crate::report::Reason;
use crate::runtime::SITE;
use inkwell::IntPredicate;
use polytile_analysis::ast::{ByteRange, Inspected};

/// What inspect.c answers but for 0: something is read that is written, or the threads were left out.
const CLASH: i64 = 1;
const NOT_ASKED: i64 = 2;

impl<'c> Emitter<'_, 'c> {
    /// Goes to the original version if something is read that is written.
    pub(crate) fn inspect(&mut self) {
        let program = self.program;
        let Some(inspected) = &program.check.inspected else {
            return;
        };
        let inspector = self.host.inspector.expect("the host has an inspector");
        let inspector = unsafe { Ptr::new(inspector) };
        let (inputs, written) = (self.inputs(inspected), self.written(inspected));
        let threads = self.threads();
        let answer = self.ask(
            "inspect",
            &[
                self.zeros(2 * SITE, "polytile.sites").into(),
                threads.into(),
                inspector.into(),
                inputs.into(),
                written.into(),
            ],
        );
        let is_not = |n| self.ir.cmp(IntPredicate::NE, answer, self.ir.int(n));
        let parts = [
            (is_not(NOT_ASKED), Reason::Threads),
            (is_not(CLASH), Reason::Overlap),
        ];
        self.go_on_if_all(&parts, "polytile.inspected");
    }

    /// What the inspector gets of the program, a word each.
    fn inputs(&mut self, inspected: &Inspected) -> Ptr<'c> {
        let count = inspected.inputs.len().max(1);
        let place = self.words(count as u64, "polytile.inputs");
        for (i, v) in inspected.inputs.iter().enumerate() {
            let value = self.get(Key::Invariant(*v));
            self.ir.store(self.field(place, i as u64), value);
        }
        place
    }

    /// First byte and end of each array.
    fn written(&mut self, inspected: &Inspected) -> Ptr<'c> {
        let place = self.words(2 * inspected.written.len() as u64, "polytile.written");
        for (i, ranges) in inspected.written.iter().enumerate() {
            let (first, end) = self.around(ranges);
            self.ir.store(self.field(place, 2 * i as u64), first);
            self.ir.store(self.field(place, 2 * i as u64 + 1), end);
        }
        place
    }

    /// First byte and end of ranges and of what lies between them; the end is in front if none has bytes.
    fn around(&mut self, ranges: &[ByteRange]) -> (Int<'c>, Int<'c>) {
        let (mut first, mut end) = (self.ir.int(-1), self.ir.int(0));
        for range in ranges {
            let (low, high) = self.bounds(range);
            let [mut low, mut high] = [low, high].map(|wide| self.ir.trunc(wide, 64));
            if let Some(touched) = &range.touched {
                let touched = self.cond(touched);
                let (none, nothing) = (self.ir.int(-1), self.ir.int(0));
                low = self.ir.select(touched, low, none).into_int_value();
                high = self.ir.select(touched, high, nothing).into_int_value();
            }
            first = self.ir.minmax("llvm.umin", first, low);
            end = self.ir.minmax("llvm.umax", end, high);
        }
        (first, end)
    }
}
