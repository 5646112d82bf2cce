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
//! The counters are in `runtime/rows.c`. Alone, rows are loops like others.
//!
//! Where a row begins is hidden from LLVM: carrying addresses from one row to the next, loop strength reduction would need
//! one register for each line of a register tile, and keep them in memory (mvt of 400 rows: 20 against 16 us).

use crate::emit::Emitter;
use crate::ir::{Arith, Block, Int, Ptr};
use crate::loops::Range;
use crate::metadata::LoopCode;
use crate::team::Team;
use inkwell::IntPredicate;
use polytile_analysis::ast::{For, ForKind};

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
        let number = self.ask("row", &[team.board.into(), base.into(), total.into()]);
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
        self.helper("row.end", &[team.board.into(), own.number.into()], None);
        self.ir.jump(claim);

        self.ir.at_end(left);
        self.helper("row.leave", &[team.board.into(), own.number.into()], None);
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
        let (board, number) = (row.board.into(), row.number.into());
        let resumed = self.ask(
            "row.next",
            &[board, number, range.first.into(), range.step.into()],
        );
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
        let may = self.ask("row.may", &[board, number, j.into()]);
        let may = self.ir.cmp(IntPredicate::NE, may, self.ir.int(0));
        self.ir.branch(may, run, row.left);

        self.ir.at_end(run);
        self.body(l.iter, j, &l.body);
        self.locate_region();
        self.ir.branch(row.shared, note, latch);

        self.ir.at_end(note);
        self.helper("row.note", &[board, number, j.into()], None);
        self.ir.jump(latch);

        self.ir.at_end(latch);
        let next = self.ir.add(j, range.step, Arith::Bounded);
        let again = self.ir.cmp(IntPredicate::SLE, j, limit);
        let back = self.ir.branch(again, header, after);
        phi.add_incoming(&[(&first, start), (&next, latch)]);
        self.mark_loop(back, None, LoopCode::Scalars);
        self.ir.at_end(after);
    }
}
