//! A sequential loop that all threads go through together, with parallel loops inside: a sweep per step.
//!
//! Forking for each sweep costs more than meeting at a barrier after it (measured: 0.33 against 0.13 microseconds with
//! bound threads), and threads that stay keep their part of the arrays in their caches. So the whole loop becomes one
//! function that every thread of a team runs:
//!
//! ```text
//!   team(own, count, context, number):        own: the thread's number among `count`
//!     for step:                               every thread counts for itself
//!       parallel loop   ->  the own-th of `count` equal parts of its range; barrier
//!       anything else   ->  own == 0 ? do it; barrier
//!   task(thread, own, context):  team(own, omp_get_num_threads(), context, thread)
//!   here:  enough work and a runtime? fork(task, context) : team(0, 1, context, 0)
//! ```
//!
//! A parallel loop with too little work in one step is done by the first thread. Alone there are no barriers. Which
//! thread runs what changes no result: iterations of a parallel loop do not depend on each other.

use crate::emit::Emitter;
use crate::frame::Key;
use crate::ir::{Arith, Int};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::openmp::{Arg, Result_};
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, Expr, For, ForKind};

/// The threads that run a function together.
#[derive(Clone, Copy)]
pub(crate) struct Team<'c> {
    /// The thread's number in the team.
    own: Int<'c>,
    /// How many they are.
    count: Int<'c>,
    /// The thread's number for the runtime.
    number: Int<'c>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a loop that a team runs.
    pub(crate) fn team_loop(&mut self, l: &For, worth: Option<&Expr>) {
        let outer = self.frame().function;
        self.no_longer_local();
        let args = [Arg::I64, Arg::I64, Arg::Ptr, Arg::I64];
        let part = self.outlined("team", &args, |e, function| {
            let word = |i| {
                function
                    .get_nth_param(i)
                    .expect("a parameter that was just declared")
                    .into_int_value()
            };
            let team = Team {
                own: word(0),
                count: word(1),
                number: word(3),
            };
            e.set(Key::Thread, team.own);
            e.frame().team = Some(team);
            let range = e.range(l);
            e.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        });
        let task = self.team_task(part.function);
        let none = self.ir.int(0);
        let context = self.fill_context(
            &part,
            Range {
                first: none,
                last: none,
                step: none,
            },
        );
        let done = self.ir.block(outer, "polytile.joined");
        let alone = self.fork(task, context, worth, done);
        self.ir.at_end(alone);
        let one = self.ir.int(1);
        self.ir.call(
            part.function,
            &[none.into(), one.into(), context.into(), none.into()],
        );
        self.ir.jump(done);
        self.ir.at_end(done);
    }

    /// Emits part of a team's program.
    pub(crate) fn by_team(&mut self, team: Team<'c>, ast: &Ast) {
        match ast {
            Ast::Block(list) => {
                for run in list.chunk_by(|a, b| !deals(a) && !deals(b)) {
                    match run {
                        [one] if deals(one) => self.ast(one),
                        _ => self.by_first(team, run),
                    }
                }
            }
            Ast::For(l) if matches!(l.kind, ForKind::Parallel { .. }) => self.dealt(team, l),
            Ast::For(l) if deals(&l.body) => self.loop_(l),
            Ast::If { cond, then, els } if deals(ast) => {
                self.conditional(cond, then, els.as_deref());
            }
            _ => self.by_first(team, std::slice::from_ref(ast)),
        }
    }

    /// What only the first thread does.
    fn by_first(&mut self, team: Team<'c>, list: &[Ast]) {
        let function = self.frame().function;
        let (first, after) = (
            self.ir.block(function, "polytile.first"),
            self.ir.block(function, "polytile.others"),
        );
        self.locate_region();
        let mine = self.ir.cmp(IntPredicate::EQ, team.own, self.ir.int(0));
        self.ir.branch(mine, first, after);
        self.ir.at_end(first);
        self.frame().team = None;
        list.iter().for_each(|a| self.ast(a));
        self.frame().team = Some(team);
        self.ir.jump(after);
        self.ir.at_end(after);
        self.meet(team);
    }

    /// A parallel loop: each thread takes its part.
    fn dealt(&mut self, team: Team<'c>, l: &For) {
        let ForKind::Parallel { worth, .. } = &l.kind else {
            unreachable!("only parallel loops are dealt");
        };
        let range = self.range(l);
        let function = self.frame().function;
        let (many, few, run) = (
            self.ir.block(function, "polytile.shares"),
            self.ir.block(function, "polytile.whole"),
            self.ir.block(function, "polytile.share"),
        );
        self.locate_region();
        let one = self.ir.int(1);
        let mut several = self.ir.cmp(IntPredicate::SGT, team.count, one);
        if let Some(worth) = worth {
            let worth = self.cond(worth);
            several = self.ir.and(worth, several);
        }
        self.ir.branch(several, many, few);
        self.ir.at_end(many);
        let own = self.share(team, range);
        let many = self.ir.here();
        self.ir.jump(run);
        self.ir.at_end(few);
        let mine = self.ir.cmp(IntPredicate::EQ, team.own, self.ir.int(0));
        let nothing = self.ir.sub(range.first, one, Arith::Bounded);
        let last = self.ir.select(mine, range.last, nothing).into_int_value();
        self.ir.jump(run);
        self.ir.at_end(run);
        let mut ends = vec![];
        for (name, a, b) in [("first", own.first, range.first), ("last", own.last, last)] {
            let phi = self.ir.phi(self.ir.i64(), name);
            phi.add_incoming(&[(&a, many), (&b, few)]);
            ends.push(phi.as_basic_value().into_int_value());
        }
        let range = Range {
            first: ends[0],
            last: ends[1],
            step: range.step,
        };
        self.frame().team = None;
        self.counted(range, None, LoopCode::Scalars, |e, i| {
            e.body(l.iter, i, &l.body);
        });
        self.frame().team = Some(team);
        self.meet(team);
    }

    /// The own-th of `count` equal parts of a range.
    fn share(&mut self, team: Team<'c>, range: Range<'c>) -> Range<'c> {
        let one = self.ir.int(1);
        let span = self.ir.sub(range.last, range.first, Arith::Bounded);
        let ahead = self.ir.add(span, range.step, Arith::Bounded);
        let ahead = self.ir.minmax("llvm.smax", ahead, self.ir.int(0));
        let trips = self.ir.udiv(ahead, range.step);
        let edge = |e: &mut Self, n: Int<'c>| {
            let all = e.ir.mul(trips, n, Arith::Bounded);
            let at = e.ir.udiv(all, team.count);
            let at = e.ir.mul(at, range.step, Arith::Bounded);
            e.ir.add(range.first, at, Arith::Bounded)
        };
        let next = self.ir.add(team.own, one, Arith::Bounded);
        let (first, end) = (edge(self, team.own), edge(self, next));
        Range {
            first,
            last: self.ir.sub(end, one, Arith::Bounded),
            step: range.step,
        }
    }

    /// Waits for all threads of the team.
    fn meet(&mut self, team: Team<'c>) {
        let function = self.frame().function;
        let (wait, after) = (
            self.ir.block(function, "polytile.barrier"),
            self.ir.block(function, "polytile.met"),
        );
        let several = self.ir.cmp(IntPredicate::SGT, team.count, self.ir.int(1));
        self.ir.branch(several, wait, after);
        self.ir.at_end(wait);
        let barrier = self.runtime(
            "__kmpc_barrier",
            &[Arg::Ptr, Arg::I32],
            Result_::None,
            false,
        );
        let ident = self.ident();
        let number = self.ir.trunc(team.number, 32);
        self.ir.call(barrier, &[ident.into(), number.into()]);
        self.ir.jump(after);
        self.ir.at_end(after);
    }
}

/// Whether there is a parallel loop in it.
pub(crate) fn deals(ast: &Ast) -> bool {
    match ast {
        Ast::For(l) => matches!(l.kind, ForKind::Parallel { .. }) || deals(&l.body),
        Ast::Block(list) => list.iter().any(deals),
        Ast::If { then, els, .. } => deals(then) || els.iter().any(|e| deals(e)),
        Ast::User(_) | Ast::MicroKernel(_) | Ast::Pack(_) => false,
    }
}
