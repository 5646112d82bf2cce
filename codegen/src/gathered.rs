//! Rows behind pointers that do not lie at one distance: copied to where they do, for as long as the new version runs.
//!
//! ```text
//!   line:     pitch = all tables' rows lie at one distance ? that : a row of a copy
//!             ..                                             the rest of the check, but for ranges of rows that are copied
//!   start:    br at one distance, given, copy
//!   copy:     block = gather(matrices, ranges, work)         0? br refused        (runtime/matrices.c)
//!   given:    base = phi [of the tables, start], [of the copies, copy]
//!             loops
//!             scatter(matrices, block)
//!   discard:  free(block); br refused                        where memory is missing after this
//! ```
//!
//! The copies are apart from everything; that the rows themselves are is for `gather` to find out, from the ranges that the
//! version check would compare with them.

use crate::distances::{Line, POINTER};
use crate::emit::Emitter;
use crate::frame::{Key, SLOT};
use crate::ir::{Arith, Int, Ptr, Value, feed};
use crate::report::Reason;
use crate::runtime::MATRIX;
use inkwell::IntPredicate;
use polytile_analysis::ast::{ByteRange, Expr, RowsCheck};

/// The field of a `polytile_matrix` that code generation reads.
const COPY: u64 = 10;

/// Copies begin with a cache line.
const LINE: i64 = 64;

/// Tables of which nobody knew whether their rows lie at one distance.
pub(crate) struct Scattered<'c> {
    /// Whether they do.
    fine: Int<'c>,
    lines: Vec<Line<'c>>,
}

/// Copies of rows.
#[derive(Clone, Copy)]
pub(crate) struct Gathered<'c> {
    /// What `gather` was told.
    matrices: Ptr<'c>,
    /// How many.
    count: usize,
    /// Their block, or 0.
    block: Int<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// The pitch of each array: as `lines` say if all are fine, else that of the copies.
    pub(crate) fn pitches(&mut self, fine: Int<'c>, lines: Vec<Line<'c>>) -> Vec<Int<'c>> {
        let tables = &self.program.check.rows;
        let mut pitches = vec![];
        for (rows, line) in tables.iter().zip(&lines) {
            let columns = rows.copy.as_ref().expect("asked before");
            let (lo, hi) = self.numbers(rows, line);
            let [near, far] = [lo, hi].map(|row| self.column(&columns.last, row));
            let last = self.ir.minmax("llvm.smax", near, far);
            let one = LINE / rows.element as i64;
            let up = self.ir.add(last, self.ir.int(one), Arith::Wrapping);
            let copied = self.ir.and(up, self.ir.int(-one));
            let pitch = self.ir.select(fine, line.pitch, copied);
            pitches.push(pitch.into_int_value());
        }
        self.scattered = Some(Scattered { fine, lines });
        pitches
    }

    /// Whether rows are copied that this range is of, so that it need not be compared.
    pub(crate) fn is_copied(&self, range: &ByteRange) -> Option<Int<'c>> {
        let scattered = self.scattered.as_ref()?;
        let of_rows = self
            .program
            .check
            .rows
            .iter()
            .any(|r| r.address == range.base);
        let no = self.ir.bool(false);
        of_rows.then(|| self.ir.cmp(IntPredicate::EQ, scattered.fine, no))
    }

    /// Copies rows unless all lie at one distance, and gives the arrays their bases.
    pub(crate) fn gather_rows(&mut self) {
        let Some(Scattered { fine, lines }) = self.scattered.take() else {
            return;
        };
        self.no_longer_local();
        let tables = &self.program.check.rows;
        let matrices = self.words(lines.len() as u64 * MATRIX / SLOT, "polytile.matrices");
        for (i, (rows, line)) in tables.iter().zip(&lines).enumerate() {
            let matrix = self.field(matrices, i as u64 * MATRIX / SLOT);
            self.describe(matrix, rows, line);
        }
        let (ranges, several) = self.ranges_apart();
        let work = self.work();
        // What is found out here for the first time is known from here on.
        let function = self.frame().function;
        let [copy, given] = ["polytile.copy", "polytile.given"].map(|b| self.ir.block(function, b));
        let start = self.ir.here();
        self.ir.branch(fine, given, copy);
        self.ir.at_end(copy);
        let counts = [lines.len(), several].map(|n| self.ir.int(n as i64));
        let block = self.ask(
            "gather",
            &[
                matrices.into(),
                counts[0].into(),
                ranges.into(),
                counts[1].into(),
                work.into(),
            ],
        );
        let there = self.ir.cmp(IntPredicate::NE, block, self.ir.int(0));
        self.go_on_if(there, "polytile.copied", Reason::Rows);
        let mut copied: Vec<Value<'c>> = vec![block.into()];
        for (i, (rows, line)) in tables.iter().zip(&lines).enumerate() {
            let base = self.base_of_copies(matrices, i as u64, rows, line);
            copied.push(base.into());
        }
        let end = self.ir.here();
        self.ir.jump(given);
        self.ir.at_end(given);
        let mut found: Vec<Value<'c>> = vec![self.ir.int(0).into()];
        found.extend(lines.iter().map(|l| Value::from(l.base)));
        let (phis, values) = self.ir.phis(&found, "");
        feed(&phis, [(&found[..], start), (&copied[..], end)]);
        let block = values[0].into_int_value();
        self.discard(block);
        for (rows, base) in tables.iter().zip(&values[1..]) {
            self.set_rows(rows, base.into_int_value());
        }
        self.copies = Some(Gathered {
            matrices,
            count: lines.len(),
            block,
        });
    }

    /// Writes changed copies back, and frees them.
    pub(crate) fn scatter(&mut self) {
        let Some(copies) = self.copies.take() else {
            return;
        };
        let count = self.ir.int(copies.count as i64);
        let arguments = [copies.matrices.into(), count.into(), copies.block.into()];
        self.helper("scatter", &arguments, None);
    }

    /// From here on who gives up frees the copies first.
    fn discard(&mut self, block: Int<'c>) {
        let outer = self.refusal.expect("the new version has begun");
        let inner = self.refusal("polytile.discard");
        let here = self.ir.here();
        self.ir.at_end(inner.block);
        let block = self.ir.int_to_ptr(block);
        self.free(Some(block));
        self.ir.jump(outer.block);
        if let (Some(outer), Some(inner)) = (outer.why, inner.why) {
            let block = self.ir.here();
            outer.add_incoming(&[(&inner.as_basic_value(), block)]);
        }
        self.ir.at_end(here);
        self.refusal = Some(inner);
    }

    /// Fills in a `polytile_matrix`.
    fn describe(&mut self, matrix: Ptr<'c>, rows: &RowsCheck, line: &Line<'c>) {
        let copy = rows.copy.as_ref().expect("asked before");
        let wrapping = Arith::Wrapping;
        let entry = self.ir.mul(line.ends.0, self.ir.int(POINTER), wrapping);
        let table = self.ir.ptr_to_int(self.ir.offset(line.table, entry));
        let (lo, hi) = self.numbers(rows, line);
        let count = self
            .ir
            .add(self.ir.sub(hi, lo, wrapping), self.ir.int(1), wrapping);
        let element = self.ir.int(rows.element as i64);
        let first = self.column(&copy.first, lo);
        let last = self.column(&copy.last, lo);
        let columns = self
            .ir
            .add(self.ir.sub(last, first, wrapping), self.ir.int(1), wrapping);
        let pitch = self.pitch_in_bytes(rows);
        let bytes = |columns: i64| self.ir.int(columns * rows.element as i64);
        let fields = [
            table,
            self.ir.int(POINTER * rows.step),
            count,
            self.ir.mul(first, element, wrapping),
            bytes(copy.first.1),
            self.ir.mul(columns, element, wrapping),
            bytes(copy.last.1 - copy.first.1),
            element,
            self.ir.int(copy.written.into()),
            pitch,
        ];
        for (i, value) in fields.into_iter().enumerate() {
            self.ir.store(self.field(matrix, i as u64), value);
        }
    }

    /// Where row 0 of a matrix's copies would be.
    fn base_of_copies(
        &mut self,
        matrices: Ptr<'c>,
        i: u64,
        rows: &RowsCheck,
        line: &Line<'c>,
    ) -> Int<'c> {
        let place = self.field(matrices, i * MATRIX / SLOT + COPY);
        let copy = self.ir.load(self.ir.i64().into(), place).into_int_value();
        let (number, _) = self.numbers(rows, line);
        let pitch = self.pitch_in_bytes(rows);
        let before = self.ir.mul(number, pitch, Arith::Wrapping);
        self.ir.sub(copy, before, Arith::Wrapping)
    }

    /// The numbers of the first row and the last one.
    fn numbers(&self, rows: &RowsCheck, line: &Line<'c>) -> (Int<'c>, Int<'c>) {
        let number = |entry: Int<'c>| {
            let ahead = self.ir.sub(entry, self.ir.int(rows.first), Arith::Wrapping);
            self.ir.sdiv(ahead, self.ir.int(rows.step))
        };
        (number(line.ends.0), number(line.ends.1))
    }

    /// A column of a row.
    fn column(&mut self, (at_0, step): &(Expr, i64), row: Int<'c>) -> Int<'c> {
        let at_0 = self.expr(at_0);
        let more = self.ir.mul(row, self.ir.int(*step), Arith::Wrapping);
        self.ir.add(at_0, more, Arith::Wrapping)
    }

    fn pitch_in_bytes(&mut self, rows: &RowsCheck) -> Int<'c> {
        let pitch = self.get(Key::Invariant(rows.pitch)).into_int_value();
        let element = self.ir.int(rows.element as i64);
        self.ir.mul(pitch, element, Arith::Wrapping)
    }

    /// The ranges that must be apart from rows, and how many.
    fn ranges_apart(&mut self) -> (Ptr<'c>, usize) {
        let check = &self.program.check;
        let is_rows = |r: &ByteRange| check.rows.iter().any(|rows| rows.address == r.base);
        let mut others: Vec<&ByteRange> = vec![];
        for (a, b) in &check.no_overlap {
            match (is_rows(a), is_rows(b)) {
                (true, false) if !others.contains(&b) => others.push(b),
                (false, true) if !others.contains(&a) => others.push(a),
                _ => {}
            }
        }
        let place = self.words(2 * others.len().max(1) as u64, "polytile.ranges");
        for (i, range) in others.iter().enumerate() {
            let (first, end) = self.bounds(range);
            let [first, mut end] = [first, end].map(|wide| self.ir.trunc(wide, 64));
            if let Some(touched) = &range.touched {
                let touched = self.cond(touched);
                end = self.ir.select(touched, end, first).into_int_value();
            }
            self.ir.store(self.field(place, 2 * i as u64), first);
            self.ir.store(self.field(place, 2 * i as u64 + 1), end);
        }
        (place, others.len())
    }

    /// So many words of the stack.
    pub(crate) fn words(&mut self, count: u64, name: &str) -> Ptr<'c> {
        let ty = self.ir.i64().array_type(count as u32);
        let function = self.frame().function;
        self.ir.alloca(function, ty, name)
    }

    /// A word of a block of words.
    pub(crate) fn field(&self, block: Ptr<'c>, number: u64) -> Ptr<'c> {
        self.ir.offset(block, self.ir.int((number * SLOT) as i64))
    }
}
