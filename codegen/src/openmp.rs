//! Parallel loops on the OpenMP runtime.
//!
//! The loop's body becomes a function over a part of the iterations, and the runtime's *task* deals out such parts:
//!
//! ```text
//!   part(first, last, context, own): loop over [first, last]; own: the thread's number in the team
//!   task(thread, own, context):  static:   bounds = __kmpc_for_static_init_8(...); part(bounds); fini
//!                                dynamic:  while __kmpc_dispatch_next_8(...): part(bounds)
//!   here:  enough work and a runtime? fork(task, context) : part(first, last, context, 0)
//! ```
//!
//! One thread and many run the same `part`, so the body exists once. The runtime's functions are weak: in a program
//! linked without an OpenMP runtime their addresses are null and the loop runs on one thread. The runtime itself obeys
//! `OMP_NUM_THREADS` and gives a caller that is already parallel a team of one. A parallel loop inside another is
//! sequential.
//!
//! What becomes a function of its own is in `outline`, the tasks in `shares`, the runtime's functions in `runtime`.
//! The context block starts with the loop's range (`first`, `last`, `step`); captured values follow (module `frame`).

mod outline;
mod runtime;
mod shares;

pub(crate) use runtime::{Arg, Result_};

use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Block, Func, Ptr};
use crate::loops::Range;
use inkwell::IntPredicate;
use polytile_analysis::ast::{Expr, For};
use polytile_analysis::tree::Distribution;

/// Offsets of the range in the context block.
const FIRST: u64 = 0;
const LAST: u64 = SLOT;
const STEP: u64 = 2 * SLOT;
/// Where captured values start.
const CAPTURES: u64 = 3 * SLOT;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a parallel loop over `range`.
    pub(crate) fn parallel_loop(
        &mut self,
        l: &For,
        range: Range<'c>,
        distribution: Distribution,
        worth: Option<&Expr>,
    ) {
        let outer = self.frame().function;
        self.no_longer_local();
        let part = self.outline(l);
        let task = self.task(part.function, distribution);
        let done = self.ir.block(outer, "polytile.joined");
        let nonempty = self.ir.block(outer, "polytile.parallel");
        self.locate_region();
        let entered = self.ir.cmp(IntPredicate::SLE, range.first, range.last);
        self.ir.branch(entered, nonempty, done);
        self.ir.at_end(nonempty);
        let context = self.fill_context(&part, range);
        let alone = self.fork(task, context, worth, done, |_| {});
        self.ir.at_end(alone);
        self.ir.call(
            part.function,
            &[
                range.first.into(),
                range.last.into(),
                context.into(),
                self.ir.int(0).into(),
            ],
        );
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// Forks where there is a runtime and enough work, after what `prepare` emits, and goes on at `done`; the block in
    /// which one thread does it all.
    pub(crate) fn fork(
        &mut self,
        task: Func<'c>,
        context: Ptr<'c>,
        worth: Option<&Expr>,
        done: Block<'c>,
        prepare: impl FnOnce(&mut Self),
    ) -> Block<'c> {
        let outer = self.frame().function;
        let fork = self.runtime(
            "__kmpc_fork_call",
            &[Arg::Ptr, Arg::I32, Arg::Ptr],
            Result_::None,
            true,
        );
        let mut many = self.exists(fork);
        if let Some(worth) = worth {
            let worth = self.cond(worth);
            many = self.ir.and(worth, many);
        }
        let (forked, alone) = (
            self.ir.block(outer, "polytile.fork"),
            self.ir.block(outer, "polytile.alone"),
        );
        self.ir.branch(many, forked, alone);
        self.ir.at_end(forked);
        prepare(self);
        let one = self.i32(1);
        let ident = self.ident();
        let task = task.as_global_value().as_pointer_value();
        self.ir.call(
            fork,
            &[ident.into(), one.into(), task.into(), context.into()],
        );
        self.ir.jump(done);
        alone
    }
}
