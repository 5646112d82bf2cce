//! Forks that are left out for a while because the last ones were in vain.
//!
//! The thread that forks waits at the end of a region until all others have come, also those that come too late to do
//! anything. Where another program has a core, that takes milliseconds, and a loop of some hundred microseconds takes
//! several times as long as on one thread. So each place that forks notes what came of it, in two words of the module:
//!
//! ```text
//!   before:  left > 0 ?  left -= 1, one thread does it all
//!   after:   lost   = time since this thread had nothing left to do, and while it waited for pieces of others
//!            worked = time - lost                              one thread alone takes at most worked * threads
//!            time > worked * threads ?  backoff = 2 * backoff + 16 (at most 1024), left = backoff
//!                                    :  backoff -= backoff / 8, up
//! ```
//!
//! A neighbour that stays costs one late fork in a thousand runs; when it has gone, the next fork finds out. Which threads
//! do the work changes no result. The clock is the processor's counter; where there is none, nothing is left out.

use super::Result_;
use crate::emit::Emitter;
use crate::frame::SLOT;
use crate::ir::{Arith, Func, Int, Ptr};
use crate::progress::WAITED;
use inkwell::IntPredicate;
use inkwell::module::Linkage;

/// The first forks that are left out.
const LEAST: i64 = 16;
/// The most that are left out in a row.
const MOST: i64 = 1024;
/// The part of the back-off that a fork in time takes away.
const EASED: i64 = 8;

/// Where the back-off lies; in front of it, how many forks are still to be left out.
const BACKOFF: i64 = SLOT as i64;

impl<'c> Emitter<'_, 'c> {
    /// The words of a place that forks.
    pub(super) fn site(&mut self) -> Ptr<'c> {
        let words = self.ir.i64().array_type(2);
        let site = self.ir.module().add_global(words, None, "polytile.site");
        site.set_initializer(&words.const_zero());
        site.set_linkage(Linkage::Internal);
        site.set_alignment(SLOT as u32);
        site.as_pointer_value()
    }

    /// The time, in steps of a processor's counter.
    pub(crate) fn clock(&self) -> Int<'c> {
        let triple = self.ir.module().get_triple();
        let triple = triple.as_str().to_string_lossy();
        // Elsewhere the counter of cycles is not for programs.
        let name = match triple.starts_with("x86_64") {
            true => "llvm.readcyclecounter",
            false => "llvm.readsteadycounter",
        };
        self.ir.intrinsic(name, &[], &[]).into_int_value()
    }

    /// Whether a place forks this time.
    pub(super) fn is_turn(&mut self, site: Ptr<'c>) -> Int<'c> {
        let name = "polytile.turn";
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => self.helper(name, 0, Result_::I64, Self::turn_body),
        };
        let turn = self.ir.call(f, &[site.into()]).expect("returns i64");
        let zero = self.ir.int(0);
        self.ir.cmp(IntPredicate::NE, turn.into_int_value(), zero)
    }

    /// Notes what came of a fork: of so many threads, begun and, for this thread, over at these times.
    pub(super) fn note_turn(
        &mut self,
        site: Ptr<'c>,
        board: Ptr<'c>,
        [count, begun, ended]: [Int<'c>; 3],
    ) {
        let name = "polytile.joined";
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => self.helper(name, 4, Result_::None, Self::joined_body),
        };
        let waited = self.ir.offset(board, self.ir.int(WAITED));
        let waited = self.ir.load(self.ir.i64().into(), waited).into_int_value();
        let args = [
            site.into(),
            count.into(),
            begun.into(),
            ended.into(),
            waited.into(),
        ];
        self.ir.call(f, &args);
    }

    fn turn_body(&mut self, f: Func<'c>, site: Ptr<'c>, _: &[Int<'c>]) {
        let [wait, fork] = ["wait", "fork"].map(|n| self.ir.block(f, n));
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let left = self.ir.load_relaxed(site);
        let some = self.ir.cmp(IntPredicate::SGT, left, zero);
        self.ir.branch(some, wait, fork);
        self.ir.at_end(wait);
        let less = self.ir.sub(left, one, Arith::Bounded);
        self.ir.store_relaxed(site, less);
        self.ir.ret_value(zero);
        self.ir.at_end(fork);
        self.ir.ret_value(one);
    }

    fn joined_body(&mut self, f: Func<'c>, site: Ptr<'c>, words: &[Int<'c>]) {
        let &[count, begun, ended, waited] = words else {
            unreachable!("declared with four numbers");
        };
        let [late, fine] = ["late", "fine"].map(|n| self.ir.block(f, n));
        let place = self.ir.offset(site, self.ir.int(BACKOFF));
        let now = self.clock();
        let wrapping = Arith::Wrapping;
        let all = self.ir.sub(now, begun, wrapping);
        let worked = self
            .ir
            .sub(self.ir.sub(ended, begun, wrapping), waited, wrapping);
        let alone = self.ir.mul(worked, count, wrapping);
        let backoff = self.ir.load_relaxed(place);
        let lost = self.ir.cmp(IntPredicate::SGT, all, alone);
        self.ir.branch(lost, late, fine);
        self.ir.at_end(late);
        let twice = self.ir.mul(backoff, self.ir.int(2), wrapping);
        let more = self.ir.add(twice, self.ir.int(LEAST), wrapping);
        let more = self.ir.minmax("llvm.smin", more, self.ir.int(MOST));
        self.ir.store_relaxed(place, more);
        self.ir.store_relaxed(site, more);
        self.ir.ret();
        self.ir.at_end(fine);
        let up = self.ir.add(backoff, self.ir.int(EASED - 1), wrapping);
        let part = self.ir.udiv(up, self.ir.int(EASED));
        let less = self.ir.sub(backoff, part, wrapping);
        self.ir.store_relaxed(place, less);
        self.ir.ret();
    }
}
