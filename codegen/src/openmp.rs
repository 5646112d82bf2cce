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
//! have is asked before each fork (`threads`), and where the last forks were in vain, some runs do without (`turns`).
//! A parallel loop inside another is sequential.
//!
//! What becomes a function of its own is in `outline`, the runtime's functions in `runtime`.
//! The context block starts with the loop's range (`first`, `last`, `step`); captured values follow (module `frame`).

mod outline;
mod runtime;
mod threads;
mod turns;

pub(crate) use runtime::{Arg, Result_};

use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Block, Func, Int, Ptr, ptr_param};
use inkwell::IntPredicate;
use polytile_analysis::ast::Expr;

/// Offsets of the range in the context block.
const FIRST: u64 = 0;
const LAST: u64 = SLOT;
const STEP: u64 = 2 * SLOT;
/// Where captured values start.
const CAPTURES: u64 = 3 * SLOT;

impl<'e, 'c> Emitter<'e, 'c> {
    /// Forks where that is worth it and threads are to be had, and goes on at `done`; the block in which one thread does it
    /// all.
    pub(crate) fn fork(
        &mut self,
        team: Func<'c>,
        (context, board): (Ptr<'c>, Ptr<'c>),
        worth: Option<&Expr>,
        done: Block<'c>,
        prepare: impl FnOnce(&mut Self),
    ) -> Block<'c> {
        let task = self.task(team);
        let outer = self.frame().function;
        let [ask, several, forked, alone] = ["ask", "several", "fork", "alone"]
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
        let site = self.site();
        let turn = self.is_turn(site);
        self.ir.branch(turn, forked, alone);
        self.ir.at_end(forked);
        prepare(self);
        let ident = self.ident();
        self.limit_team(ident, count);
        let begun = self.clock();
        let fork = self.runtime("__kmpc_fork_call", FORK, Result_::None, true);
        let one = self.i32(1);
        let task = task.as_global_value().as_pointer_value();
        self.ir.call(
            fork,
            &[ident.into(), one.into(), task.into(), context.into()],
        );
        let ended = self.field(context, LAST);
        self.note_turn(site, board, [count, begun, ended]);
        self.ir.jump(done);
        alone
    }

    /// The function that every thread of a team starts with.
    fn task(&mut self, team: Func<'c>) -> Func<'c> {
        let saved = self.ir.here();
        let task = self.add_function("task", &[Arg::Ptr, Arg::Ptr, Arg::Ptr]);
        let [entry, first, done] = ["entry", "first", "done"].map(|n| self.ir.block(task, n));
        self.ir.at_end(entry);
        self.no_position();
        let param = |i| ptr_param(task, i);
        let words = [self.number(param(0)), self.number(param(1))];
        let size = self.runtime("omp_get_num_threads", &[], Result_::I32, false);
        let count = self.ir.call(size, &[]).expect("returns i32");
        let [number, own, count] =
            [words[0], words[1], count.into_int_value()].map(|w| self.ir.sext(w, 64));
        let context = param(2);
        self.ir.call(
            team,
            &[own.into(), count.into(), context.into(), number.into()],
        );
        // When the thread that forked has nothing left to do: from here on it waits for threads, not for work.
        let forker = self.ir.cmp(IntPredicate::EQ, own, self.ir.int(0));
        self.ir.branch(forker, first, done);
        self.ir.at_end(first);
        let ended = self.clock();
        let place = self.ir.offset(context, self.ir.int(LAST as i64));
        self.ir.store(place, ended);
        self.ir.jump(done);
        self.ir.at_end(done);
        self.ir.ret();
        self.ir.at_end(saved);
        self.locate_region();
        task
    }

    /// The thread number that the runtime passes by address.
    fn number(&self, place: Ptr<'c>) -> Int<'c> {
        let ty = self.ir.ctx.i32_type();
        self.ir.load(ty.into(), place).into_int_value()
    }

    fn field(&self, context: Ptr<'c>, offset: u64) -> Int<'c> {
        let place = self.ir.offset(context, self.ir.int(offset as i64));
        self.ir.load(self.ir.i64().into(), place).into_int_value()
    }
}

/// Arguments of `__kmpc_fork_call` in front of the task's own.
const FORK: &[Arg] = &[Arg::Ptr, Arg::I32, Arg::Ptr];
