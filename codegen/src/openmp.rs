//! Parallel loops on the OpenMP runtime.
//!
//! The code that several threads run together becomes a function, which a *team* runs (module `team`):
//!
//! ```text
//!   task(thread, own, context):  team(own, omp_get_num_threads(), context, thread)
//!   here:  worth it, more than one thread to have, and our turn?
//!            fork(task, context) : team(0, 1, context, 0)
//! ```
//!
//! One thread and many run the same function, so the body exists once. The runtime's functions are weak: in a program
//! linked without an OpenMP runtime their addresses are null and the loop runs on one thread. How many threads there are to
//! have is asked before each fork (`runtime/threads.c`), and where the last forks were in vain, some runs do without
//! (`runtime/fork.c`). A parallel loop inside another is sequential.
//!
//! What becomes a function of its own is in `outline`.
//! The context block starts with the loop's range (`first`, `last`, `step`), of which the run-time keeps notes in place of the last two; captured values follow (module `frame`).

mod outline;

pub(crate) use outline::{Arg, NOT_INHERITED};

use crate::emit::Emitter;
use crate::frame::{Key, SLOT};
use crate::ir::{Block, Func, Int, Ptr, ptr_param};
use crate::runtime::SITE;
use inkwell::IntPredicate;
use polytile_analysis::ast::Expr;
use polytile_analysis::region::OpCode;

/// Offsets of the range in the context block.
const FIRST: u64 = 0;
const LAST: u64 = SLOT;
const STEP: u64 = 2 * SLOT;
/// Where captured values start.
const CAPTURES: u64 = 3 * SLOT;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Forks where that is worth it and threads are to be had, and goes on at `done`; the block in which one thread does it
    /// all. The first `bytes` of the board are cleared before.
    pub(crate) fn fork(
        &mut self,
        team: Func<'c>,
        context: Ptr<'c>,
        (board, bytes): (Ptr<'c>, u64),
        worth: Option<&Expr>,
        done: Block<'c>,
    ) -> Block<'c> {
        let task = self.task(team).as_global_value().as_pointer_value();
        let outer = self.frame().function;
        let [ask, several, alone] = ["ask", "several", "alone"]
            .map(|name| self.ir.block(outer, &format!("polytile.{name}")));
        // What is not worth it does not wake the runtime.
        let worth = match worth {
            Some(worth) => self.cond(worth),
            None => self.ir.bool(true),
        };
        self.ir.branch(worth, ask, alone);
        self.ir.at_end(ask);
        let count = self.threads();
        let many = self.ir.cmp(IntPredicate::SGT, count, self.ir.int(1));
        self.ir.branch(many, several, alone);
        self.ir.at_end(several);
        let bytes = self.ir.int(bytes as i64);
        let fork = match self.may_set_errno() {
            true => "fork.with_errno",
            false => "fork",
        };
        let forked = self.ask(
            fork,
            &[
                self.zeros(SITE, "polytile.site").into(),
                count.into(),
                task.into(),
                context.into(),
                board.into(),
                bytes.into(),
            ],
        );
        let forked = self.ir.cmp(IntPredicate::NE, forked, self.ir.int(0));
        self.ir.branch(forked, done, alone);
        alone
    }

    /// How many threads a team of this region gets.
    pub(crate) fn threads(&mut self) -> Int<'c> {
        let known = |f: &crate::frame::Frame<'c>| f.values.contains_key(&Key::Threads);
        if self.frames.iter().any(known) {
            return self.get(Key::Threads).into_int_value();
        }
        let work = self.work();
        let pace = self.ir.int(self.program.check.pace);
        let name = match self.options.oversubscribe {
            true => "threads.oversubscribed",
            false => "threads",
        };
        self.ask(name, &[work.into(), pace.into()])
    }

    /// The same, known from here on in the whole region.
    pub(crate) fn fix_threads(&mut self) -> Int<'c> {
        let count = self.threads();
        self.set(Key::Threads, count);
        count
    }

    /// The function that every thread of a team starts with.
    fn task(&mut self, team: Func<'c>) -> Func<'c> {
        let saved = self.ir.here();
        let task = self.add_function("task", &[Arg::Ptr, Arg::Ptr, Arg::Ptr]);
        let entry = self.ir.block(task, "entry");
        self.ir.at_end(entry);
        self.no_position();
        let param = |i| ptr_param(task, i);
        let [number, own] = [0, 1].map(|i| self.ir.sext(self.number(param(i)), 64));
        let count = self.ask("team_size", &[]);
        let context = param(2);
        let errno = self.may_set_errno();
        if errno {
            self.helper("errno.begin", &[], None);
        }
        self.ir.call(
            team,
            &[own.into(), count.into(), context.into(), number.into()],
        );
        if errno {
            self.helper("errno.end", &[context.into()], None);
        }
        self.helper("over", &[context.into(), own.into()], None);
        self.ir.ret();
        self.ir.at_end(saved);
        self.locate_region();
        task
    }

    /// Whether anything that the region calls may set `errno`, which each thread has its own of.
    fn may_set_errno(&self) -> bool {
        let mut bodies = self.scop.stmts.iter().map(|s| &s.body);
        bodies.any(|body| body.any_op(&OpCode::may_set_errno))
    }

    /// The thread number that the OpenMP runtime passes by address.
    fn number(&self, place: Ptr<'c>) -> Int<'c> {
        let ty = self.ir.ctx.i32_type();
        self.ir.load(ty.into(), place).into_int_value()
    }
}
