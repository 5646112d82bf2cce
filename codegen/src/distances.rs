//! Rows behind pointers: whether they lie at one distance, where that is asked for (module `by_table`: mostly it is not).
//!
//! ```text
//!   check:    conditions that the table's entries depend on      refused unless all hold
//!   lengths:  T[e + behind] = T[lo + behind]                      for words beside the pointers, and all that is assumed of them
//!   rows:     lo < hi
//!   line:     first = T[lo], distance = T[lo + step] - first
//!             T[e] = first + k * distance                        for all entries e that the program reads   (runtime/checks.c)
//!             base = first - row(lo) * distance
//!   ..        the rest of the check, with base and pitch
//! ```
//!
//! The last row is compared in 128 bits as well: then no address of a row wraps, and rows ascend. The base is a number of which
//! LLVM does not see where it comes from: it reaches all rows, and not only that of the pointer which was loaded.

use crate::emit::Emitter;
use crate::frame::{Key, SLOT};
use crate::ir::{Arith, Int, Ptr};
use crate::report::Reason;
use crate::runtime::MATRIX;
use inkwell::IntPredicate;
use inkwell::values::{AsValueRef, BasicMetadataValueEnum};
use llvm_sys::core::LLVMSetAlignment;
use polytile_analysis::ast::{Entries, RowsCheck};
use polytile_analysis::ids::{ParamId, ValueId};
use polytile_analysis::scop::Length;

/// Bytes of a pointer.
pub(crate) const POINTER: i64 = 8;

/// Bits of sums of addresses.
const WIDE: u32 = 128;

/// What a table says.
struct Line<'c> {
    /// Whether its rows lie at one distance; nothing else holds if not.
    fine: Int<'c>,
    /// Where row 0 would be.
    base: Int<'c>,
    /// Elements from a row to the next.
    pitch: Int<'c>,
}

/// A function of the run-time and what it is asked.
type Question<'c> = (&'static str, Vec<BasicMetadataValueEnum<'c>>);

impl<'e, 'c> Emitter<'e, 'c> {
    /// Goes on where all tables may be read and their rows lie at one distance each, and gives the parameters their values.
    pub(crate) fn rows_in_line(&mut self) {
        let program = self.program;
        let mut all = self.ir.bool(true);
        for c in &program.check.before_rows {
            let holds = self.cond(c);
            all = self.both(all, holds);
        }
        for c in &program.check.poly_checks {
            let holds = self.stays_in_range(c);
            all = self.both(all, holds);
        }
        self.go_on_if(all, "polytile.rows", Reason::Condition);
        self.tables_readable();
        self.lengths_alike();
        let tables = &program.check.rows;
        for rows in tables.iter().filter(|r| r.through.is_none()) {
            self.ends_of_table(rows);
        }
        if self.rows_anywhere() {
            return tables.iter().for_each(|r| self.image_of_rows(r));
        }
        for rows in tables {
            let line = self.row_distance(rows);
            self.go_on_if(line.fine, "polytile.line", Reason::Rows);
            for key in [Key::Invariant, Key::Frozen] {
                self.set(key(rows.pitch), line.pitch);
            }
            self.set_rows(rows, line.base);
        }
    }

    /// Goes on where the words beside the pointers are the same in all entries, and gives those parameters their values. The first
    /// entries' are judged alone: a row that is too short ends the program. So are those of all tables before tables in their rows are read.
    fn lengths_alike(&mut self) {
        let program = self.program;
        for (before, conditions) in program.check.of_lengths.iter().enumerate() {
            let tables = program.check.rows.iter();
            let tables = tables.filter(|r| r.step_of_lengths == before + 1);
            let lengths = tables.flat_map(|r| r.lengths.iter().map(move |l| (r, l)));
            let lengths: Vec<_> = lengths.collect();
            let mut found = vec![];
            for (rows, length) in lengths {
                let (first, alike) = match &rows.through {
                    None => self.first_length(rows, length),
                    Some(through) => self.first_length_through(rows, &through.parts()[0], length),
                };
                for key in [Key::Invariant, Key::Frozen] {
                    self.set(key(length.value), first);
                }
                found.push(alike);
            }
            if found.is_empty() {
                continue;
            }
            let params = self.scop.lengths().into_iter();
            let params: Vec<ParamId> = params.filter(|p| self.is_measured(*p)).collect();
            self.params(&params);
            let mut long = self.ir.bool(true);
            for c in conditions {
                let holds = self.cond(c);
                long = self.both(long, holds);
            }
            self.go_on_if(long, "polytile.lengths", Reason::Condition);
            for (name, said) in found {
                self.go_on_if_so((name, &said), "polytile.lengths", Reason::Condition);
            }
        }
    }

    /// Whether all lengths that a parameter is computed from are known by now.
    fn is_measured(&self, p: ParamId) -> bool {
        let rows = self.program.check.rows.iter();
        let mut lengths = rows.flat_map(|r| &r.lengths).map(|l| l.value);
        let expr = &self.scop.param(p).expr;
        let needs = |v: &ValueId| expr.values().contains(v);
        let frame = self.frames.last().expect("a function");
        lengths.all(|v| !needs(&v) || frame.values.contains_key(&Key::Invariant(v)))
    }

    /// The word so far behind the first pointer of a table, and what says whether those of all entries are alike.
    fn first_length(&mut self, rows: &RowsCheck, length: &Length) -> (Int<'c>, Question<'c>) {
        let [lo, hi] = [&rows.measured.0, &rows.measured.1].map(|end| self.expr(end));
        let table = self.invariant_integer(rows.table).into_pointer_value();
        let (first, word) = self.length(table, lo, length);
        let last = self.ir.sub(hi, lo, Arith::Wrapping);
        let at = self.ir.add(lo, self.ir.int(length.behind), Arith::Wrapping);
        let back = self.ir.int(length.unit.map_or(0, |_| length.behind));
        let said = [last, self.ir.int(rows.step), back, word].map(Into::into);
        let from = self.address_of(table, at).into();
        (first, ("alike", [&[from], &said[..]].concat()))
    }

    /// The length that an entry says, and what is compared with that of others.
    fn length(&mut self, table: Ptr<'c>, at: Int<'c>, length: &Length) -> (Int<'c>, Int<'c>) {
        let behind = (self.ir).add(at, self.ir.int(length.behind), Arith::Wrapping);
        let word = self.entry(table, behind);
        let Some(bytes) = length.unit else {
            return (word, word);
        };
        let row = self.entry(table, at);
        let distance = self.ir.sub(word, row, Arith::Wrapping);
        let elements = self.ir.sdiv(distance, self.ir.int(bytes as i64));
        (elements, distance)
    }

    /// The same of a table in the rows of another one.
    fn first_length_through(
        &mut self,
        rows: &'e RowsCheck,
        part: &Entries,
        length: &Length,
    ) -> (Int<'c>, Question<'c>) {
        let tables = self.tables_to(rows);
        let numbers = self.first_of(part);
        let mut table = self.invariant_integer(tables[0].table).into_pointer_value();
        let mut at = self.ir.int(0);
        for (depth, (of, number)) in tables.iter().zip(numbers).enumerate() {
            if depth > 0 {
                let pointer = self.entry(table, at);
                table = self.ir.int_to_ptr(pointer);
            }
            let ahead = self.ir.mul(number, self.ir.int(of.step), Arith::Wrapping);
            at = self.ir.add(ahead, self.ir.int(of.first), Arith::Wrapping);
        }
        let (first, word) = self.length(table, at, length);
        let matrix = self.words(MATRIX / SLOT, "polytile.lengths");
        self.describe_way(matrix, rows, part);
        let bytes = self.ir.int(length.behind * POINTER);
        let distance = self.ir.int(length.unit.is_some().into());
        let said = [bytes, distance, word].map(Into::into);
        let said = [&[matrix.into()], &said[..]].concat();
        (first, ("alike_through", said))
    }

    /// Says where row 0 of an array is.
    pub(crate) fn set_rows(&mut self, rows: &RowsCheck, base: Int<'c>) {
        let base = self.ir.int_to_ptr(self.ir.hidden(base));
        self.set(Key::Base(rows.base), base);
        for key in [Key::Invariant, Key::Frozen] {
            self.set(key(rows.address), base);
        }
    }

    /// Goes on where a table has a first entry and a last one, which are two.
    fn ends_of_table(&mut self, rows: &RowsCheck) {
        let (lo, hi) = (self.expr(&rows.lo), self.expr(&rows.hi));
        let several = self.ir.cmp(IntPredicate::SLT, lo, hi);
        self.go_on_if(several, "polytile.line", Reason::Rows);
        self.set(Key::FirstEntry(rows.base), lo);
        self.set(Key::LastEntry(rows.base), hi);
    }

    fn row_distance(&mut self, rows: &RowsCheck) -> Line<'c> {
        let [lo, hi] =
            [Key::FirstEntry, Key::LastEntry].map(|e| self.get(e(rows.base)).into_int_value());
        let table = self.invariant_integer(rows.table).into_pointer_value();
        let first = self.entry(table, lo);
        let step = self.ir.int(rows.step);
        let next = self.ir.add(lo, step, Arith::Wrapping);
        let second = self.entry(table, next);
        let distance = self.ir.sub(second, first, Arith::Wrapping);
        let after = (lo, hi, first, distance);
        let all = self.ir.sub(hi, lo, Arith::Wrapping);
        let from = self.address_of(table, lo);
        let said = [all, step, first, distance].map(Into::into);
        let in_line = self.ask("in_line", &[&[from.into()], &said[..]].concat());
        let equal = self.ir.cmp(IntPredicate::NE, in_line, self.ir.int(0));
        let element = self.ir.int(rows.element as i64);
        let pitch = self.ir.sdiv(distance, element);
        let rest = self.ir.srem(distance, element);
        let whole = self.ir.cmp(IntPredicate::EQ, rest, self.ir.int(0));
        let ascends = self.ir.cmp(IntPredicate::SGT, distance, self.ir.int(0));
        let mut fine = self.both(equal, whole);
        fine = self.both(fine, ascends);
        let (base, exact) = self.first_row(table, rows, after);
        fine = self.both(fine, exact);
        Line { fine, base, pitch }
    }

    /// Where row 0 would be, and whether that and all rows to the last are addresses.
    fn first_row(
        &mut self,
        table: Ptr<'c>,
        rows: &RowsCheck,
        (lo, hi, first, distance): (Int<'c>, Int<'c>, Int<'c>, Int<'c>),
    ) -> (Int<'c>, Int<'c>) {
        let step = self.ir.int(rows.step);
        let number = |e: &Self, entry: Int<'c>| {
            let ahead = e.ir.sub(entry, e.ir.int(rows.first), Arith::Wrapping);
            let number = e.ir.sdiv(ahead, step);
            let far = e.ir.mul(
                e.ir.sext(number, WIDE),
                e.ir.sext(distance, WIDE),
                Arith::Wrapping,
            );
            (far, e.ir.srem(ahead, step))
        };
        let ((to_lo, rest_lo), (to_hi, rest_hi)) = (number(self, lo), number(self, hi));
        let last = self.entry(table, hi);
        let wide = self.ir.zext(first, WIDE);
        let base = self.ir.sub(wide, to_lo, Arith::Wrapping);
        let end = self.ir.add(base, to_hi, Arith::Wrapping);
        let narrow = self.ir.trunc(base, 64);
        let exact = self
            .ir
            .cmp(IntPredicate::EQ, base, self.ir.zext(narrow, WIDE));
        let arrives = self.ir.cmp(IntPredicate::EQ, end, self.ir.zext(last, WIDE));
        let mut fine = self.both(exact, arrives);
        for rest in [rest_lo, rest_hi] {
            let on_entry = self.ir.cmp(IntPredicate::EQ, rest, self.ir.int(0));
            fine = self.both(fine, on_entry);
        }
        (narrow, fine)
    }

    fn address_of(&self, table: Ptr<'c>, entry: Int<'c>) -> Ptr<'c> {
        let bytes = self.ir.mul(entry, self.ir.int(POINTER), Arith::Wrapping);
        self.ir.offset(table, bytes)
    }

    /// A pointer of a table as a number.
    fn entry(&self, table: Ptr<'c>, at: Int<'c>) -> Int<'c> {
        let place = self.address_of(table, at);
        let pointer = self.ir.load(self.ir.ptr_type(), place);
        // The table may be packed.
        unsafe { LLVMSetAlignment(pointer.as_value_ref(), 1) };
        let pointer = self.ir.freeze(pointer).into_pointer_value();
        self.ir.ptr_to_int(pointer)
    }
}
