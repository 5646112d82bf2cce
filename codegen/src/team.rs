//! Parallel loops, and sequential loops with parallel loops inside, that all threads go through together: a sweep per step.
//!
//! Forking for each sweep costs more than waiting for its end (measured: 0.33 against 0.13 microseconds with bound
//! threads), and threads that stay keep their part of the arrays in their caches. So the whole loop becomes one function
//! that every thread of a team runs:
//!
//! ```text
//!   team(own, count, context, number):        own: the thread's number among `count`
//!     for step:                               every thread counts for itself
//!       parallel loop   ->  while a piece can be claimed: run it; then wait until all pieces are finished
//!       anything else   ->  the same with one piece
//! ```
//!
//! A parallel loop by itself is such a loop of one step. One with too little work in one step is one piece. Alone nothing is claimed and nobody waits. Which
//! thread runs what changes no result: iterations of a parallel loop do not depend on each other.
//!
//! # Why not a barrier
//!
//! A barrier needs every thread. Where another program has one of the cores for some milliseconds, a thread that has
//! nothing left to do, or has not begun, is missing from it, and all wait: a Jacobi sweep of 0.7 ms on two threads took
//! 2.9 to 4 times as long beside one busy process, longer than on one thread. What has to be waited for is the work and
//! not the threads (`runtime/sweeps.c`): a thread that sleeps holds up others with the one piece that it has begun, the
//! rest is done without it, and when it comes back it walks through the steps that are over and joins.
//!
//! Each thread has a share of the pieces, always the same part of the range, whose data its caches know. It takes from
//! the shares of others when its own is finished: that also evens out sweeps with unequal iterations.

use crate::emit::Emitter;
use crate::frame::{Key, SLOT};
use crate::ir::{Arith, Int, Ptr, int_param};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::openmp::Arg;
use crate::runtime::{BOARD, BOARD_WITH_ROWS};
use inkwell::IntPredicate;
use polytile_analysis::ast::{Ast, Expr, For, ForKind};
use polytile_analysis::tree::Distribution;

/// The threads that run a function together.
#[derive(Clone, Copy)]
pub(crate) struct Team<'c> {
    /// The thread's number in the team.
    pub(crate) own: Int<'c>,
    /// How many they are.
    pub(crate) count: Int<'c>,
    /// Where they note what is claimed and what is finished.
    pub(crate) board: Ptr<'c>,
    /// Local variable: sweeps before this place.
    sweep: Ptr<'c>,
    /// Local variable: their pieces.
    goal: Ptr<'c>,
    /// Local variable: rows of pipelines before this place.
    pub(crate) rows: Ptr<'c>,
}

/// Alignment of a team's counters.
const ALIGNED: u32 = 16;

/// How a range is cut.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'c> {
    /// Shares, one per thread.
    pub(crate) shares: Int<'c>,
    /// Pieces of each.
    pub(crate) pieces: Int<'c>,
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Emits a loop that a team runs.
    pub(crate) fn team_loop(&mut self, l: &For, worth: Option<&Expr>) {
        self.team(l.body.has_stage(), worth, |e, _| {
            let range = e.range(l);
            e.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        });
    }

    /// Emits a parallel loop that a team runs by itself.
    pub(crate) fn parallel_loop(&mut self, l: &For, worth: Option<&Expr>) {
        self.team(false, worth, |e, team| e.dealt(team, l, None));
    }

    /// Emits code that a team runs; `stages`: with pipelines in it.
    fn team(&mut self, stages: bool, worth: Option<&Expr>, code: impl FnOnce(&mut Self, Team<'c>)) {
        let outer = self.frame().function;
        self.no_longer_local();
        let bytes = match stages {
            true => BOARD_WITH_ROWS,
            false => BOARD,
        };
        let board = self.new_board(bytes);
        self.set(Key::Board, board);
        let args = [Arg::I64, Arg::I64, Arg::Ptr, Arg::I64];
        let part = self.outlined("team", &args, |e, function| {
            e.open_scopes();
            let word = |i| int_param(function, i);
            let [sweep, goal, rows] = ["sweep", "goal", "rows"].map(|name| {
                let place = e.ir.alloca(function, e.ir.i64(), name);
                e.ir.store(place, e.ir.int(0));
                place
            });
            let team = Team {
                own: word(0),
                count: word(1),
                board: e.get_ptr(Key::Board),
                sweep,
                goal,
                rows,
            };
            e.set(Key::Thread, team.own);
            e.frame().team = Some(team);
            code(e, team);
        });
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
        let alone = self.fork(part.function, context, (board, bytes), worth, done);
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
                for run in list.chunk_by(|a, b| !a.has_parallel_loop() && !b.has_parallel_loop()) {
                    match run {
                        [one] if one.has_parallel_loop() => self.ast(one),
                        _ => self.by_first(team, run),
                    }
                }
            }
            Ast::For(l) => match &l.kind {
                ForKind::Parallel { worth, .. } => self.dealt(team, l, worth.as_ref()),
                _ if l.body.has_parallel_loop() => self.loop_(l),
                _ => self.by_first(team, std::slice::from_ref(ast)),
            },
            Ast::If { cond, then, els } if ast.has_parallel_loop() => {
                self.conditional(cond, then, els.as_deref());
            }
            _ => self.by_first(team, std::slice::from_ref(ast)),
        }
    }

    /// What only one thread does: whichever comes first.
    fn by_first(&mut self, team: Team<'c>, list: &[Ast]) {
        self.locate_region();
        let one = self.ir.int(1);
        let whole = Range {
            first: one,
            last: one,
            step: one,
        };
        let parts = Parts {
            shares: one,
            pieces: one,
        };
        self.sweep(team, whole, parts, |e, _| {
            list.iter().for_each(|a| e.ast(a))
        });
    }

    /// A parallel loop: whoever has time takes the next piece, unless it is not `worth` more than one thread.
    fn dealt(&mut self, team: Team<'c>, l: &For, worth: Option<&Expr>) {
        let ForKind::Parallel {
            distribution,
            private,
            ..
        } = &l.kind
        else {
            unreachable!("only parallel loops are dealt");
        };
        // On demand all take from one share, in the order of the iterations.
        let in_order = match distribution {
            Distribution::Static => false,
            Distribution::Dynamic { .. } => true,
            Distribution::Pipelined => return self.rows(team, l),
        };
        let range = self.range(l);
        self.locate_region();
        let one = self.ir.int(1);
        let mut shares = self.ask("shares", &[team.count.into()]);
        if let Some(worth) = worth {
            let worth = self.cond(worth);
            shares = self.ir.select(worth, shares, one).into_int_value();
        }
        let several = self.ir.cmp(IntPredicate::SGT, shares, one);
        let several = self.ir.zext(several, 64);
        let trips = self.trips(range);
        let parts = match in_order {
            true => Parts {
                shares: one,
                pieces: self.ask("pieces.in_order", &[trips.into(), several.into()]),
            },
            false => Parts {
                shares,
                pieces: self.ask("pieces", &[trips.into(), shares.into(), several.into()]),
            },
        };
        self.sweep(team, range, parts, |e, part| {
            e.with_own_copies(private, |e| {
                e.part(l, part);
            });
        });
    }

    /// Claims and runs pieces of a range until there are none, then waits until all are finished. Alone: all at once.
    fn sweep(
        &mut self,
        team: Team<'c>,
        range: Range<'c>,
        parts: Parts<'c>,
        body: impl FnOnce(&mut Self, Range<'c>),
    ) {
        let function = self.frame().function;
        let [claim, piece, run, again, finish, met] = [
            "polytile.claim",
            "polytile.piece",
            "polytile.run",
            "polytile.again",
            "polytile.finish",
            "polytile.met",
        ]
        .map(|name| self.ir.block(function, name));
        let word = self.ir.i64();
        let one = self.ir.int(1);
        let number = self.ir.load(word.into(), team.sweep).into_int_value();
        let goal = self.ir.load(word.into(), team.goal).into_int_value();
        let total = self.ir.mul(parts.shares, parts.pieces, Arith::Bounded);
        let goal = self.ir.add(goal, total, Arith::Bounded);
        let several = self.ir.cmp(IntPredicate::SGT, team.count, one);
        let before = self.ir.here();
        self.ir.branch(several, claim, run);

        self.ir.at_end(claim);
        let done = self.ir.phi(word, "done");
        let done_now = done.as_basic_value().into_int_value();
        let claimed = self.ask(
            "claim",
            &[
                team.board.into(),
                team.own.into(),
                number.into(),
                parts.shares.into(),
                parts.pieces.into(),
            ],
        );
        let none = self.ir.cmp(IntPredicate::SLT, claimed, self.ir.int(0));
        self.ir.branch(none, finish, piece);

        self.ir.at_end(piece);
        let part = self.piece(range, claimed, total);
        self.ir.jump(run);

        self.ir.at_end(run);
        let mine = self.ir.phi(word, "mine");
        mine.add_incoming(&[(&self.ir.int(0), before), (&done_now, piece)]);
        let mut ends = vec![];
        for (name, all, own) in [
            ("first", range.first, part.first),
            ("last", range.last, part.last),
        ] {
            let phi = self.ir.phi(word, name);
            phi.add_incoming(&[(&all, before), (&own, piece)]);
            ends.push(phi.as_basic_value().into_int_value());
        }
        let part = Range {
            first: ends[0],
            last: ends[1],
            step: range.step,
        };
        self.frame().team = None;
        body(self, part);
        self.frame().team = Some(team);
        self.locate_region();
        self.ir.branch(several, again, met);

        self.ir.at_end(again);
        let mine = mine.as_basic_value().into_int_value();
        let more = self.ir.add(mine, one, Arith::Bounded);
        self.ir.jump(claim);
        done.add_incoming(&[(&self.ir.int(0), before), (&more, again)]);

        self.ir.at_end(finish);
        let (board, own) = (team.board.into(), team.own.into());
        self.helper("finish", &[board, done_now.into(), goal.into(), own], None);
        self.ir.jump(met);

        self.ir.at_end(met);
        let next = self.ir.add(number, one, Arith::Bounded);
        self.ir.store(team.sweep, next);
        self.ir.store(team.goal, goal);
    }

    /// How many iterations a range has.
    pub(crate) fn trips(&mut self, range: Range<'c>) -> Int<'c> {
        let Range { first, last, step } = range;
        self.ask("trips", &[first.into(), last.into(), step.into()])
    }

    /// The `at`-th of `total` equal parts of a range.
    fn piece(&mut self, range: Range<'c>, at: Int<'c>, total: Int<'c>) -> Range<'c> {
        let one = self.ir.int(1);
        let trips = self.trips(range);
        let edge = |e: &mut Self, n: Int<'c>| {
            let (first, step) = (range.first.into(), range.step.into());
            e.ask("edge", &[first, step, trips.into(), n.into(), total.into()])
        };
        let next = self.ir.add(at, one, Arith::Bounded);
        let (first, end) = (edge(self, at), edge(self, next));
        Range {
            first,
            last: self.ir.sub(end, one, Arith::Bounded),
            step: range.step,
        }
    }

    /// Room for so many bytes of counters of a team. A slot beyond the alignment of the stack would cost the function registers.
    fn new_board(&mut self, bytes: u64) -> Ptr<'c> {
        let outer = self.frame().function;
        let words = self.ir.i64().array_type((bytes / SLOT) as u32);
        let board = self.ir.alloca(outer, words, "polytile.board");
        let slot = board.as_instruction().expect("a stack slot");
        self.ir.align(slot, ALIGNED);
        board
    }
}
