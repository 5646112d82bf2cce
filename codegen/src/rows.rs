//! Rows of tiles that a team works on at the same time, each some tiles behind the row before: a pipeline.
//!
//! ```text
//! parallel rows i:  stage j:  tile (i, j)          needs  (i-1, j)  and  (i, j-1),  and by them all (i', j') before it
//!
//!   while a row can be claimed:                    the first one that may go on
//!     for its tiles j that are left:
//!       until row i-1 is finished up to j: pause;  after a while leave the row to whoever comes, and claim another
//!       tile (i, j);  note: row i is finished up to j
//!     until row i-1 is finished: pause;            after a while leave it, exhausted
//!     note: row i is finished
//! ```
//!
//! Tiles in waves would all wait for the last one of a wave. Here a thread waits for its neighbour alone, and walks along
//! its row, whose data its caches know. One that sleeps holds up others with the one tile that it has begun; rows that
//! need not wait for that tile go on. The first unfinished row waits for none: whoever has it goes on, and where nobody
//! has it, it is the first to be claimed. So some tile is always under way, with any number of threads.
//!
//! | counter | meaning |
//! |---|---|
//! | `low` | rows finished since the fork, in all pipelines of the team; they finish in order |
//! | `state` of row `g`, counted so | `4 * (g / 64)`, and 1 while a thread has it, 2 when no tile is left |
//! | `progress` of row `g` | its last finished tile `j + 2^63`, 0 before the first |
//!
//! Row `g` uses counters number `g mod 64`: it begins when row `g - 64` is finished, which leaves them so. Nothing is ever
//! reset otherwise, so a thread that comes late finds that its rows are over. Alone, rows are loops like others.
//!
//! Where a row begins is hidden from LLVM: carrying addresses from one row to the next, loop strength reduction would need
//! one register for each line of a register tile, and keep them in memory (mvt of 400 rows: 20 against 16 us).

use crate::emit::Emitter;
use crate::ir::{Arith, Block, Func, Int, Ptr};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::openmp::Result_;
use crate::progress::{BOARD, PATIENCE};
use crate::team::Team;
use inkwell::IntPredicate;
use inkwell::values::BasicMetadataValueEnum;
use polytile_analysis::ast::{For, ForKind};

/// Rows that may be under way at the same time.
const WINDOW: i64 = 64;

/// `log2` of [`WINDOW`].
const WINDOW_BITS: u64 = 6;

/// Where the counters of pipelines begin on the board.
const LOW: u64 = BOARD;

/// Where those of rows begin.
const SLOTS: u64 = LOW + 128;

/// Bytes of those of a row.
const SLOT: u64 = 64;

/// Where the progress of a row lies among its counters.
const PROGRESS: i64 = 8;

/// Bytes of all counters of a team with pipelines.
pub(crate) const BOARD_WITH_ROWS: u64 = SLOTS + SLOT * WINDOW as u64;

/// The row that a thread works on.
#[derive(Clone, Copy)]
pub(crate) struct Row<'c> {
    /// Whether others work on other rows.
    shared: Int<'c>,
    board: Ptr<'c>,
    /// Its number in all pipelines of the team.
    number: Int<'c>,
    /// Where a thread goes that has waited too long.
    left: Block<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// Claims and runs rows until all are finished. Alone, or where it is not worth more than one thread: all at once.
    pub(crate) fn rows(&mut self, team: Team<'c>, l: &For) {
        let ForKind::Parallel { worth, private, .. } = &l.kind else {
            unreachable!("rows are parallel");
        };
        let function = self.frame().function;
        let [claim, row, run, end, left, over] = [
            "polytile.claim",
            "polytile.row",
            "polytile.run",
            "polytile.end",
            "polytile.left",
            "polytile.over",
        ]
        .map(|name| self.ir.block(function, name));
        let range = self.range(l);
        self.locate_region();
        let (word, one) = (self.ir.i64(), self.ir.int(1));
        let worth = match worth {
            Some(worth) => self.cond(worth),
            None => self.ir.bool(true),
        };
        let rows = self.trips(range);
        let whole = self.ir.minmax("llvm.umin", rows, one);
        let total = self.ir.select(worth, rows, whole).into_int_value();
        let base = self.ir.load(word.into(), team.rows).into_int_value();
        let several = self.ir.cmp(IntPredicate::SGT, team.count, one);
        let shared = self.ir.logical_and(several, worth);
        let before = self.ir.here();
        self.ir.branch(several, claim, run);

        self.ir.at_end(claim);
        let number = self.row_helper("polytile.row", &[team.board], &[base, total]);
        let none = self.ir.cmp(IntPredicate::SLT, number, self.ir.int(0));
        self.ir.branch(none, over, row);

        self.ir.at_end(row);
        let at = self.ir.sub(number, base, Arith::Bounded);
        let at = self.ir.mul(at, range.step, Arith::Bounded);
        let at = self.ir.add(range.first, at, Arith::Bounded);
        let last = self.ir.select(worth, at, range.last).into_int_value();
        self.ir.jump(run);

        self.ir.at_end(run);
        let mut merged = vec![];
        let none = self.ir.int(0);
        for (alone, own) in [(range.first, at), (range.last, last), (none, number)] {
            let phi = self.ir.phi(word, "");
            phi.add_incoming(&[(&alone, before), (&own, row)]);
            merged.push(phi.as_basic_value().into_int_value());
        }
        let part = Range {
            first: merged[0],
            last: merged[1],
            step: range.step,
        };
        let own = Row {
            shared,
            board: team.board,
            number: merged[2],
            left,
        };
        self.frame().team = None;
        self.with_own_copies(private, |e| {
            e.counted(part, None, LoopCode::Scalars, |e, i| {
                e.frame().row = Some(own);
                let i = e.ir.hidden(i);
                e.body(l.iter, i, &l.body);
                e.frame().row = None;
            });
        });
        self.frame().team = Some(team);
        self.locate_region();
        self.ir.branch(several, end, over);

        self.ir.at_end(end);
        self.row_helper("polytile.row.end", &[team.board], &[own.number]);
        self.ir.jump(claim);

        self.ir.at_end(left);
        self.row_helper("polytile.row.leave", &[team.board], &[own.number]);
        self.ir.jump(claim);

        self.ir.at_end(over);
        let next = self.ir.add(base, total, Arith::Bounded);
        self.ir.store(team.rows, next);
    }

    /// The tiles of a row.
    pub(crate) fn stage(&mut self, l: &For, row: Row<'c>) {
        let range = self.range(l);
        let function = self.frame().function;
        let [resume, start, header, wait, run, note, latch, after] = [
            "resume", "start", "tile", "wait", "ready", "note", "next", "tiles",
        ]
        .map(|name| self.ir.block(function, &format!("polytile.{name}")));
        self.locate_region();
        let word = self.ir.i64();
        let before = self.ir.here();
        self.ir.branch(row.shared, resume, start);

        self.ir.at_end(resume);
        let args = [row.number, range.first, range.step];
        let resumed = self.row_helper("polytile.row.next", &[row.board], &args);
        self.ir.jump(start);

        self.ir.at_end(start);
        let first = self.ir.phi(word, "first");
        first.add_incoming(&[(&range.first, before), (&resumed, resume)]);
        let first = first.as_basic_value().into_int_value();
        let limit = self.ir.sub(range.last, range.step, Arith::Bounded);
        let any = self.ir.cmp(IntPredicate::SLE, first, range.last);
        self.ir.branch(any, header, after);

        self.ir.at_end(header);
        let phi = self.ir.phi(word, "i");
        let j = phi.as_basic_value().into_int_value();
        self.ir.branch(row.shared, wait, run);

        self.ir.at_end(wait);
        let may = self.row_helper("polytile.row.may", &[row.board], &[row.number, j]);
        let may = self.ir.cmp(IntPredicate::NE, may, self.ir.int(0));
        self.ir.branch(may, run, row.left);

        self.ir.at_end(run);
        self.body(l.iter, j, &l.body);
        self.locate_region();
        self.ir.branch(row.shared, note, latch);

        self.ir.at_end(note);
        let place = self.row_counter(row.board, row.number, PROGRESS);
        let done = self.ir.add(j, self.ir.int(i64::MIN), Arith::Wrapping);
        self.ir.fence_release();
        self.ir.store_relaxed(place, done);
        self.ir.jump(latch);

        self.ir.at_end(latch);
        let next = self.ir.add(j, range.step, Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLE, j, limit);
        let back = self.ir.branch(again, header, after);
        phi.add_incoming(&[(&first, start), (&next, latch)]);
        self.mark_loop(back, None, LoopCode::Scalars);
        self.ir.at_end(after);
    }

    /// Calls a helper of pipelines.
    fn row_helper(&mut self, name: &str, board: &[Ptr<'c>], words: &[Int<'c>]) -> Int<'c> {
        let f = match self.ir.module().get_function(name) {
            Some(f) => f,
            None => {
                let body = match name {
                    "polytile.row" => Self::row_body,
                    "polytile.row.may" => Self::may_body,
                    "polytile.row.next" => Self::next_body,
                    "polytile.row.end" => Self::end_body,
                    "polytile.row.leave" => Self::leave_body,
                    _ => unreachable!("{name} is no helper of pipelines"),
                };
                self.helper(name, words.len(), Result_::I64, body)
            }
        };
        let mut args: Vec<BasicMetadataValueEnum<'c>> = board.iter().map(|&b| b.into()).collect();
        args.extend(words.iter().map(|&w| BasicMetadataValueEnum::from(w)));
        let result = self.ir.call(f, &args);
        result.expect("returns i64").into_int_value()
    }

    /// The address of a counter of a row.
    fn row_counter(&self, board: Ptr<'c>, row: Int<'c>, at: i64) -> Ptr<'c> {
        let slot = self.ir.and(row, self.ir.int(WINDOW - 1));
        let offset = self.ir.mul(slot, self.ir.int(SLOT as i64), Arith::Bounded);
        let first = self.ir.int(SLOTS as i64 + at);
        let offset = self.ir.add(offset, first, Arith::Bounded);
        self.ir.offset(board, offset)
    }

    /// The state of a row that nobody has and that is not exhausted.
    fn unclaimed(&self, row: Int<'c>) -> Int<'c> {
        let epoch = self.ir.ashr(row, WINDOW_BITS);
        self.ir.mul(epoch, self.ir.int(4), Arith::Bounded)
    }

    fn low(&self, board: Ptr<'c>) -> Ptr<'c> {
        self.ir.offset(board, self.ir.int(LOW as i64))
    }

    /// `row(base, total)`: claims the first row of `base .. base + total` that may go on; -1 when all are finished.
    fn row_body(&mut self, f: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[base, total] = words else {
            unreachable!("declared with two numbers");
        };
        let names = [
            "scan", "begin", "look", "open", "check", "take", "got", "next", "idle", "over",
        ];
        let [scan, begin, look, open, check, take, got, next, idle, over] =
            names.map(|n| self.ir.block(f, n));
        let (zero, one, word) = (self.ir.int(0), self.ir.int(1), self.ir.i64());
        let end = self.ir.add(base, total, Arith::Bounded);
        let entry = self.ir.here();
        self.ir.jump(scan);

        self.ir.at_end(scan);
        let looks = self.ir.phi(word, "looks");
        let low = self.ir.load_relaxed(self.low(board));
        self.ir.fence_acquire();
        let all = self.ir.cmp(IntPredicate::SGE, low, end);
        self.ir.branch(all, over, begin);

        self.ir.at_end(begin);
        let reach = self.ir.add(low, self.ir.int(WINDOW), Arith::Bounded);
        let limit = self.ir.minmax("llvm.smin", end, reach);
        self.ir.jump(look);

        self.ir.at_end(look);
        let row = self.ir.phi(word, "row");
        let g = row.as_basic_value().into_int_value();
        let place = self.row_counter(board, g, 0);
        let state = self.ir.load_relaxed(place);
        let free = self.unclaimed(g);
        let kept = self.ir.and(state, self.ir.int(!2));
        let nobody = self.ir.cmp(IntPredicate::EQ, kept, free);
        self.ir.branch(nobody, open, next);

        self.ir.at_end(open);
        let first = self.ir.cmp(IntPredicate::EQ, g, low);
        self.ir.branch(first, take, check);

        self.ir.at_end(check);
        let left = self.ir.cmp(IntPredicate::EQ, state, free);
        let above = self.ir.sub(g, one, Arith::Bounded);
        let above = self.row_counter(board, above, PROGRESS);
        let above = self.ir.load_relaxed(above);
        let own = self.row_counter(board, g, PROGRESS);
        let own = self.ir.load_relaxed(own);
        let ahead = self.ir.cmp(IntPredicate::UGT, above, own);
        let may = self.ir.and(left, ahead);
        self.ir.branch(may, take, next);

        self.ir.at_end(take);
        let taken = self.ir.add(state, one, Arith::Bounded);
        let (_, swapped) = self.ir.swap_relaxed(place, state, taken);
        self.ir.branch(swapped, got, next);

        self.ir.at_end(got);
        self.ir.fence_acquire();
        self.ir.ret_value(g);

        self.ir.at_end(next);
        let further = self.ir.add(g, one, Arith::Bounded);
        row.add_incoming(&[(&low, begin), (&further, next)]);
        let more = self.ir.cmp(IntPredicate::SLT, further, limit);
        self.ir.branch(more, look, idle);

        self.ir.at_end(idle);
        let number = looks.as_basic_value().into_int_value();
        let number = self.ir.add(number, one, Arith::Bounded);
        let again = self.give_way(f, number);
        let here = self.ir.here();
        self.ir.jump(scan);
        looks.add_incoming(&[(&zero, entry), (&again, here)]);

        self.ir.at_end(over);
        self.ir.ret_value(self.ir.int(-1));
    }

    /// `may(row, j)`: 1 when the row before is finished up to `j`, 0 after a while.
    fn may_body(&mut self, f: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[row, j] = words else {
            unreachable!("declared with two numbers");
        };
        let wanted = self.ir.add(j, self.ir.int(i64::MIN), Arith::Wrapping);
        let above = self.ir.sub(row, self.ir.int(1), Arith::Bounded);
        let above = self.row_counter(board, above, PROGRESS);
        let (yes, no) = self.patiently(f, |e| {
            let progress = e.ir.load_relaxed(above);
            let far = e.ir.cmp(IntPredicate::UGE, progress, wanted);
            let low = e.ir.load_relaxed(e.low(board));
            let over = e.ir.cmp(IntPredicate::SGE, low, row);
            e.ir.logical_or(far, over)
        });
        self.ir.at_end(yes);
        self.ir.ret_value(self.ir.int(1));
        self.ir.at_end(no);
        self.ir.ret_value(self.ir.int(0));
    }

    /// `next(row, first, step)`: the first tile that is left.
    fn next_body(&mut self, _: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[row, first, step] = words else {
            unreachable!("declared with three numbers");
        };
        let place = self.row_counter(board, row, PROGRESS);
        let progress = self.ir.load_relaxed(place);
        let none = self.ir.cmp(IntPredicate::EQ, progress, self.ir.int(0));
        let last = self
            .ir
            .add(progress, self.ir.int(i64::MIN), Arith::Wrapping);
        let next = self.ir.add(last, step, Arith::Wrapping);
        let next = self.ir.select(none, first, next).into_int_value();
        self.ir.ret_value(next);
    }

    /// `end(row)`: a row without further tiles is finished when the one before is; after a while it is left, exhausted.
    fn end_body(&mut self, f: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[row] = words else {
            unreachable!("declared with a number");
        };
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let (yes, no) = self.patiently(f, |e| {
            let low = e.ir.load_relaxed(e.low(board));
            e.ir.cmp(IntPredicate::SGE, low, row)
        });
        let state = |e: &Self| e.row_counter(board, row, 0);
        self.ir.at_end(yes);
        self.ir
            .store_relaxed(self.row_counter(board, row, PROGRESS), zero);
        let later = self.ir.add(row, self.ir.int(WINDOW), Arith::Bounded);
        self.ir.store_relaxed(state(self), self.unclaimed(later));
        self.ir.fence_release();
        let finished = self.ir.add(row, one, Arith::Bounded);
        self.ir.store_relaxed(self.low(board), finished);
        self.ir.ret_value(zero);
        self.ir.at_end(no);
        let exhausted = self
            .ir
            .add(self.unclaimed(row), self.ir.int(2), Arith::Bounded);
        self.ir.fence_release();
        self.ir.store_relaxed(state(self), exhausted);
        self.ir.ret_value(zero);
    }

    /// `leave(row)`: whoever comes may go on with it.
    fn leave_body(&mut self, _: Func<'c>, board: Ptr<'c>, words: &[Int<'c>]) {
        let &[row] = words else {
            unreachable!("declared with a number");
        };
        self.ir.fence_release();
        let place = self.row_counter(board, row, 0);
        self.ir.store_relaxed(place, self.unclaimed(row));
        self.ir.ret_value(self.ir.int(0));
    }

    /// Waits until something holds, but not for long: the blocks where it does, and where it does not.
    fn patiently(
        &mut self,
        f: Func<'c>,
        holds: impl FnOnce(&mut Self) -> Int<'c>,
    ) -> (Block<'c>, Block<'c>) {
        let [wait, pause, yes, no] = ["wait", "pause", "yes", "no"].map(|n| self.ir.block(f, n));
        let (zero, one) = (self.ir.int(0), self.ir.int(1));
        let entry = self.ir.here();
        self.ir.jump(wait);
        self.ir.at_end(wait);
        let looks = self.ir.phi(self.ir.i64(), "looks");
        let number = looks.as_basic_value().into_int_value();
        let met = holds(self);
        self.ir.branch(met, yes, pause);
        self.ir.at_end(pause);
        self.ir.pause();
        let more = self.ir.add(number, one, Arith::Bounded);
        let tired = self.ir.cmp(IntPredicate::UGE, more, self.ir.int(PATIENCE));
        self.ir.branch(tired, no, wait);
        looks.add_incoming(&[(&zero, entry), (&more, pause)]);
        self.ir.at_end(yes);
        self.ir.fence_acquire();
        (yes, no)
    }
}
