//! Regions that the program may leave early ([`ArrayKind::Intact`](polytile_analysis::scop::ArrayKind::Intact), `runtime/intact.c`).
//!
//! ```text
//!   check:  ..
//!   start:  several threads, where only they gain
//!           begin(left, what must be readable, &state)               no: refused
//!           cell = 1
//!           loops;  cell = 0 where the program would leave;  if cell: results
//!           br cell, finish, failed
//!   failed: end(left, state);  br refused                           the original runs, and so it does for some time
//! ```

use crate::emit::{Emitter, Phase};
use crate::frame::{Key, SLOT};
use crate::ir::{Arith, Int, Ptr};
use crate::report::Reason;
use crate::runtime::LEFT;
use inkwell::IntPredicate;
use inkwell::values::AsValueRef;
use llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
use llvm_sys::core::{LLVMSetAlignment, LLVMSetOrdering};
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::scop::Access;

/// A try that may be in vain.
#[derive(Clone, Copy)]
pub(crate) struct Try<'c> {
    /// What is remembered of earlier tries.
    left: Ptr<'c>,
    /// Of floating point, in front.
    state: Ptr<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// Goes on if the region may be tried.
    pub(crate) fn begin_try(&mut self) -> Option<Try<'c>> {
        self.scop.intact()?;
        let program = self.program;
        let left = self.zeros(LEFT, "polytile.left");
        let state = self.words(1, "polytile.state");
        let ranges = &program.check.readable;
        // There is no cell yet: the parameter still is a number.
        let (phase, arith) = (self.phase, self.arith);
        (self.phase, self.arith) = (Phase::Check, Arith::Wrapping);
        let extents = self.extents(ranges);
        (self.phase, self.arith) = (phase, arith);
        let count = self.ir.int(ranges.len() as i64);
        let args = [left.into(), extents.into(), count.into(), state.into()];
        let may = self.ask("intact.begin", &args);
        let may = self.ir.cmp(IntPredicate::NE, may, self.ir.int(0));
        self.go_on_if(may, "polytile.try", Reason::Condition);
        Some(Try { left, state })
    }

    /// Gives up if the program would have left.
    pub(crate) fn end_try(&mut self, tried: Option<Try<'c>>) {
        let Some(Try { left, state }) = tried else {
            return;
        };
        let intact = self.still_intact();
        let intact = self.ir.cmp(IntPredicate::NE, intact, self.ir.int(0));
        let function = self.frame().function;
        let [finish, failed] =
            ["finish", "failed"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(intact, finish, failed);
        self.ir.at_end(failed);
        let before = self.ir.load(self.ir.i64().into(), state);
        self.helper(
            "intact.end",
            &[left.into(), before.into_int_value().into()],
            None,
        );
        self.give_up(self.ir.int(Reason::Condition as i64));
        self.ir.at_end(finish);
    }

    /// What is known so far of whether the program goes through the whole region.
    pub(crate) fn still_intact(&mut self) -> Int<'c> {
        let array = self.scop.intact().expect("the program may leave");
        let cell = self.get_ptr(Key::Cell(array));
        let value = self.ir.load(self.ir.i64().into(), cell);
        self.of_all_threads(value.as_value_ref());
        value.into_int_value()
    }

    /// Makes an access to the cell one that other threads may make at the same time.
    pub(crate) fn of_all_threads(&self, access: LLVMValueRef) {
        unsafe {
            LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
            LLVMSetAlignment(access, SLOT as u32);
        }
    }

    /// Whether an access is one to the cell.
    pub(crate) fn is_intact(&self, access: &Access) -> bool {
        self.scop.intact() == Some(access.array)
    }
}
