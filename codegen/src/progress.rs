//! What a team has claimed and finished: counters in memory.
//!
//! | counter | meaning |
//! |---|---|
//! | `done` | pieces finished since the fork |
//! | `next[q]` | `sweep * 2^16 + pieces` of share `q` claimed in that sweep; an older sweep: none in this one |
//! | `waited` | how long the thread that forked has waited for pieces of others |
//!
//! All only grow. Every thread knows by itself in which sweep it is and how many pieces all sweeps up to this one have
//! (`goal`), so nothing is ever reset, and a thread that comes late finds its sweep claimed and finished:
//!
//! ```text
//!   claim(board, own, sweep, shares, pieces):       a piece of 0 .. shares * pieces, or -1
//!     for q = own, own + 1, ... modulo shares:
//!       have = max(next[q], sweep * 2^16)
//!       have < sweep * 2^16 + pieces ?  compare-and-swap next[q] -> have + 1: return q * pieces + have mod 2^16
//!   finish(board, finished, goal, own):
//!     done += finished; until done >= goal: pause, after a while let other programs run
//!     own == 0: waited += how long that took
//! ```
//!
//! Claims order nothing: whoever comes here has waited for the sweep before. Results become visible through `done`, with
//! a release fence in front of the addition and an acquire fence behind the wait.
//!
//! Waiting gives way to other programs soon, but not at once: a thread that gives way loses its core for milliseconds,
//! and one that never does keeps a core from a thread of its own team where there are more threads than cores.

use crate::emit::Emitter;
use crate::ir::{Arith, Func, Int, Ptr, int_param, ptr_param};
use crate::openmp::{Arg, Result_};
use crate::team::{Parts, Team};
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::values::BasicMetadataValueEnum;

/// The most shares that a range is cut into; further threads only help others.
pub(crate) const SHARES: u64 = 32;

/// Bytes from one counter to the next: no two in one pair of cache lines.
const APART: u64 = 128;

/// Where the time that the forking thread has waited lies, in bytes: only that thread looks at it.
pub(crate) const WAITED: i64 = 64;

/// Alignment of the first one. A stack slot beyond the alignment of the stack would cost the function registers, also where
/// the original loops run; no counter crosses a cache line, wherever the first one lies.
const ALIGNED: u32 = 16;

/// Bytes of all counters.
pub(crate) const BOARD: u64 = (1 + SHARES) * APART;

/// Bits of a claim that count pieces.
const PIECE_BITS: u64 = 16;

/// Looks at the counter before others may run, some ten microseconds, and between two such times.
pub(crate) const PATIENCE: i64 = 1000;

impl<'c> Emitter<'_, 'c> {
    /// Room for so many bytes of counters of a team.
    pub(crate) fn new_board(&mut self, bytes: u64) -> Ptr<'c> {
        let outer = self.frame().function;
        let words = self.ir.i64().array_type((bytes / 8) as u32);
        let board = self.ir.alloca(outer, words, "polytile.board");
        let slot = board.as_instruction().expect("a stack slot");
        self.ir.align(slot, ALIGNED);
        board
    }

    /// Sets the counters of a team that is about to be forked to zero.
    pub(crate) fn clear_board(&mut self, board: Ptr<'c>, bytes: u64) {
        self.ir.zero(board, bytes, ALIGNED);
    }

    /// A piece that nobody has: its number, or -1. `args`: board, thread and sweep.
    pub(crate) fn claim(
        &mut self,
        args: [BasicMetadataValueEnum<'c>; 3],
        parts: Parts<'c>,
    ) -> Int<'c> {
        let name = "polytile.claim";
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => self.helper(name, 4, Result_::I64, Self::claim_body),
        };
        let [board, own, sweep] = args;
        let args = [own, sweep, parts.shares.into(), parts.pieces.into()];
        let all: Vec<_> = std::iter::once(board).chain(args).collect();
        let claimed = self.ir.call(f, &all);
        claimed.expect("returns i64").into_int_value()
    }

    /// Adds what this thread has finished and waits until `goal` pieces are.
    pub(crate) fn finish(&mut self, team: Team<'c>, finished: Int<'c>, goal: Int<'c>) {
        let name = "polytile.finish";
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => self.helper(name, 3, Result_::None, Self::finish_body),
        };
        let args = [
            team.board.into(),
            finished.into(),
            goal.into(),
            team.own.into(),
        ];
        self.ir.call(f, &args);
    }

    /// An internal function of a pointer and some integers, one per module.
    pub(crate) fn helper(
        &mut self,
        name: &str,
        words: usize,
        result: Result_,
        body: fn(&mut Self, Func<'c>, Ptr<'c>, &[Int<'c>]),
    ) -> Func<'c> {
        let saved = self.ir.here();
        let mut args = vec![Arg::Ptr];
        args.extend(vec![Arg::I64; words]);
        let f = self.add_function_named(name, &args, result);
        f.add_attribute(AttributeLoc::Function, self.ir.attribute("noinline"));
        let entry = self.ir.block(f, "entry");
        self.ir.at_end(entry);
        self.no_position();
        let board = ptr_param(f, 0);
        let words: Vec<Int<'c>> = (1..=words as u32).map(|i| int_param(f, i)).collect();
        body(self, f, board, &words);
        self.ir.at_end(saved);
        self.locate_region();
        f
    }

    fn claim_body(&mut self, f: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[own, sweep, shares, pieces] = words else {
            unreachable!("declared with four numbers");
        };
        let [share, look, free, taken, next, nothing] =
            ["share", "look", "free", "taken", "next", "nothing"].map(|n| self.ir.block(f, n));
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let word = self.ir.i64();
        let begin = self
            .ir
            .mul(sweep, self.ir.int(1 << PIECE_BITS), Arith::Wrapping);
        let end = self.ir.add(begin, pieces, Arith::Wrapping);
        let home = self.ir.urem(own, shares);
        let entry = self.ir.here();
        self.ir.jump(share);

        self.ir.at_end(share);
        let (q, tried) = (self.ir.phi(word, "q"), self.ir.phi(word, "tried"));
        let (at, so_far) = (
            q.as_basic_value().into_int_value(),
            tried.as_basic_value().into_int_value(),
        );
        let offset = self.ir.add(at, one, Arith::Bounded);
        let offset = self
            .ir
            .mul(offset, self.ir.int(APART as i64), Arith::Bounded);
        let place = self.ir.offset(board, offset);
        let seen = self.ir.load_relaxed(place);
        self.ir.jump(look);

        self.ir.at_end(look);
        let current = self.ir.phi(word, "current");
        let old = current.as_basic_value().into_int_value();
        let have = self.ir.minmax("llvm.umax", old, begin);
        let open = self.ir.cmp(IntPredicate::ULT, have, end);
        self.ir.branch(open, free, next);

        self.ir.at_end(free);
        let wanted = self.ir.add(have, one, Arith::Wrapping);
        let (now, swapped) = self.ir.swap_relaxed(place, old, wanted);
        self.ir.branch(swapped, taken, look);
        current.add_incoming(&[(&seen, share), (&now, free)]);

        self.ir.at_end(taken);
        let number = self.ir.sub(have, begin, Arith::Wrapping);
        let first = self.ir.mul(at, pieces, Arith::Bounded);
        let claimed = self.ir.add(first, number, Arith::Bounded);
        self.ir.ret_value(claimed);

        self.ir.at_end(next);
        let beyond = self.ir.add(at, one, Arith::Bounded);
        let wraps = self.ir.cmp(IntPredicate::EQ, beyond, shares);
        let beyond = self.ir.select(wraps, zero, beyond).into_int_value();
        let tries = self.ir.add(so_far, one, Arith::Bounded);
        let more = self.ir.cmp(IntPredicate::ULT, tries, shares);
        self.ir.branch(more, share, nothing);
        q.add_incoming(&[(&home, entry), (&beyond, next)]);
        tried.add_incoming(&[(&zero, entry), (&tries, next)]);

        self.ir.at_end(nothing);
        self.ir.ret_value(self.ir.int(-1));
    }

    fn finish_body(&mut self, f: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[finished, goal, own] = words else {
            unreachable!("declared with three numbers");
        };
        let names = [
            "add", "look", "late", "wait", "pause", "met", "note", "over",
        ];
        let [add, look, late, wait, pause, met, note, over] = names.map(|n| self.ir.block(f, n));
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let some = self.ir.cmp(IntPredicate::NE, finished, zero);
        self.ir.branch(some, add, look);

        self.ir.at_end(add);
        self.ir.fence_release();
        self.ir.add_relaxed(board, finished);
        self.ir.jump(look);

        self.ir.at_end(look);
        let done = self.ir.load_relaxed(board);
        let reached = self.ir.cmp(IntPredicate::UGE, done, goal);
        self.ir.branch(reached, over, late);

        self.ir.at_end(late);
        let begun = self.clock();
        self.ir.jump(wait);

        self.ir.at_end(wait);
        let looks = self.ir.phi(self.ir.i64(), "looks");
        let done = self.ir.load_relaxed(board);
        let reached = self.ir.cmp(IntPredicate::UGE, done, goal);
        self.ir.branch(reached, met, pause);

        self.ir.at_end(pause);
        let number = looks.as_basic_value().into_int_value();
        let number = self.ir.add(number, one, Arith::Bounded);
        let again = self.give_way(f, number);
        let here = self.ir.here();
        self.ir.jump(wait);
        looks.add_incoming(&[(&zero, late), (&again, here)]);

        self.ir.at_end(met);
        let forker = self.ir.cmp(IntPredicate::EQ, own, zero);
        self.ir.branch(forker, note, over);

        self.ir.at_end(note);
        let place = self.ir.offset(board, self.ir.int(WAITED));
        let before = self.ir.load(self.ir.i64().into(), place).into_int_value();
        let now = self.clock();
        let took = self.ir.sub(now, begun, Arith::Wrapping);
        let waited = self.ir.add(before, took, Arith::Wrapping);
        self.ir.store(place, waited);
        self.ir.jump(over);

        self.ir.at_end(over);
        self.ir.fence_acquire();
        self.ir.ret();
    }

    /// Waits a moment; after [`PATIENCE`] moments others may run. How many moments it has been since.
    pub(crate) fn give_way(&mut self, f: Func<'c>, moments: Int<'c>) -> Int<'c> {
        let (long, call, after) = (
            self.ir.block(f, "long"),
            self.ir.block(f, "yield"),
            self.ir.block(f, "after"),
        );
        self.ir.pause();
        let yields = self.runtime("sched_yield", &[], Result_::I32, false);
        let before = self.ir.here();
        let patient = self.ir.int(PATIENCE);
        let tired = self.ir.cmp(IntPredicate::UGE, moments, patient);
        self.ir.branch(tired, long, after);
        self.ir.at_end(long);
        let exists = self.exists(yields);
        self.ir.branch(exists, call, after);
        self.ir.at_end(call);
        self.ir.call(yields, &[]);
        self.ir.jump(after);
        self.ir.at_end(after);
        let since = self.ir.phi(self.ir.i64(), "since");
        let zero = self.ir.int(0);
        since.add_incoming(&[(&moments, before), (&zero, long), (&zero, call)]);
        since.as_basic_value().into_int_value()
    }
}
