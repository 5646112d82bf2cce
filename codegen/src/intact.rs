//! Regions that the program may leave early ([`ArrayKind::Intact`](polytile_analysis::scop::ArrayKind::Intact), `runtime/intact.c`).
//!
//! ```text
//!   check:  .., for tables of rows what must be readable of them
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
use inkwell::values::{AsValueRef, BasicMetadataValueEnum};
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
        let extents = self.before_the_cell(|e| e.extents(ranges));
        let count = self.ir.int(ranges.len() as i64);
        let args = [left.into(), extents.into(), count.into(), state.into()];
        self.go_on_if_so(("intact.begin", &args), "polytile.try", Reason::Condition);
        Some(Try { left, state })
    }

    /// Goes on if all entries of the tables may be read, not only those that the program comes to.
    pub(crate) fn tables_readable(&mut self) {
        if self.scop.intact().is_none() {
            return;
        }
        let tables = &self.program.check.rows;
        let extents: Vec<_> = tables.iter().map(|t| self.extent_of_table(t)).collect();
        let extents = self.listed(&extents);
        let count = self.ir.int(tables.len() as i64);
        self.go_on_if_readable("intact.readable", [extents.into(), count.into()]);
    }

    /// Goes on if all that is accessed of rows may be read.
    pub(crate) fn rows_readable(&mut self, matrices: Ptr<'c>, count: Int<'c>) {
        if self.scop.intact().is_some() {
            self.go_on_if_readable("intact.rows", [matrices.into(), count.into()]);
        }
    }

    fn go_on_if_readable(&mut self, name: &'static str, asked: [BasicMetadataValueEnum<'c>; 2]) {
        self.go_on_if_so((name, &asked), "polytile.readable", Reason::Condition);
    }

    /// What runs where there is no cell yet, and the parameter still is a number.
    pub(crate) fn before_the_cell<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.phase, self.arith);
        (self.phase, self.arith) = (Phase::Check, Arith::Wrapping);
        let done = run(self);
        (self.phase, self.arith) = before;
        done
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
