//! Rows behind pointers, each found by its entry in the table.
//!
//! ```text
//! b[i][j] = a[i][j - 1] + a[i - 1][j]        a[i] = A[e*i + first]:  one load for a row, in front of the loop that goes along it
//! ```
//!
//! Then it does not matter where the rows lie, only that they are apart, which is found out after all other checks (`rows_apart` in
//! runtime/matrices.c). The model's matrix, whose rows lie at one distance, is an image of them: other elements there are other elements
//! here, and elements of one row lie side by side. The distance is some number that no row is longer than.
//!
//! Addresses are computed for rows that do not exist, too, at the rim of a register tile and, where a load was moved, in front of loops that
//! run no iteration. Theirs are those of the first row or the last one.

use crate::body::instruction;
use crate::distances::POINTER;
use crate::emit::Emitter;
use crate::evolution::Iterators;
use crate::frame::{Key, SLOT};
use crate::ir::{Arith, Int, Ptr};
use crate::metadata::Memory;
use crate::report::Reason;
use crate::runtime::MATRIX;
use inkwell::IntPredicate;
use inkwell::values::AsValueRef;
use llvm_sys::core::LLVMSetAlignment;
use polytile_analysis::address_gain::Gain;
use polytile_analysis::ast::{ByteRange, Expr, Program, RowsCheck};
use polytile_analysis::ids::{ArrayId, ValueId};
use polytile_analysis::of_row::row_and_bytes;
use polytile_analysis::region::Address;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Place, Scop};

/// What is taken for a row ends at the end of a cache line.
const LINE: i64 = 64;

/// Whether the rows of a program can be found by their entries.
pub(crate) fn by_table(program: &Program, scop: &Scop) -> bool {
    let tables = &program.check.rows;
    let mut accesses = scop.stmts.iter().flat_map(|s| &s.accesses);
    !tables.is_empty() && accesses.all(|a| has_row(tables, a))
}

/// Whether an access lies in a row whose number is known, if it lies in rows at all.
fn has_row(tables: &[RowsCheck], access: &Access) -> bool {
    let Place::Memory(address) = &access.place else {
        return true;
    };
    let pitches: Vec<ValueId> = tables.iter().map(|r| r.pitch).collect();
    let known = |s: &Scev| !s.values().iter().any(|v| pitches.contains(v));
    match tables.iter().find(|r| r.base == address.base) {
        None => known(&address.offset),
        Some(r) => row_and_bytes(&address.offset, r.pitch, r.element)
            .is_some_and(|(row, bytes)| known(&row) && known(&bytes)),
    }
}

impl<'e, 'c> Emitter<'e, 'c> {
    /// Whether rows may lie anywhere: they need not be where ranges and copies of the program's memory are taken from, and
    /// memory for the question may be asked for.
    pub(crate) fn rows_anywhere(&self) -> bool {
        let check = &self.program.check;
        self.by_table
            && self.options.memory
            && check.inspected.is_none()
            && check.written.is_empty()
            && check.rows.iter().all(|r| r.columns.is_some())
    }

    /// Gives an array of rows that may lie anywhere a base and a distance.
    pub(crate) fn image_of_rows(&mut self, rows: &RowsCheck) {
        let columns = rows.columns.as_ref().expect("asked before");
        let (lo, hi) = self.numbers(rows);
        let [near, far] = [lo, hi].map(|row| self.column(&columns.last, row));
        let last = self.ir.minmax("llvm.smax", near, far);
        let one = LINE / rows.element as i64;
        let up = self.ir.add(last, self.ir.int(one), Arith::Wrapping);
        let pitch = self.ir.and(up, self.ir.int(-one));
        for key in [Key::Invariant, Key::Frozen] {
            self.set(key(rows.pitch), pitch);
        }
        self.set_rows(rows, self.ir.int(0));
    }

    /// Whether a range is of rows that lie elsewhere, so that it need not be compared.
    pub(crate) fn is_image(&self, range: &ByteRange) -> bool {
        let mut tables = self.program.check.rows.iter();
        self.rows_anywhere() && tables.any(|r| r.address == range.base)
    }

    /// Goes on where all rows are apart, if they may lie anywhere.
    pub(crate) fn rows_apart(&mut self) {
        if !self.rows_anywhere() {
            return;
        }
        self.no_longer_local();
        let tables = &self.program.check.rows;
        let matrices = self.words(tables.len() as u64 * MATRIX / SLOT, "polytile.matrices");
        for (i, rows) in tables.iter().enumerate() {
            let matrix = self.field(matrices, i as u64 * MATRIX / SLOT);
            self.describe(matrix, rows);
        }
        let (ranges, several) = self.ranges_apart();
        let counts = [tables.len(), several].map(|n| self.ir.int(n as i64));
        let apart = self.ask(
            "rows_apart",
            &[
                matrices.into(),
                counts[0].into(),
                ranges.into(),
                counts[1].into(),
            ],
        );
        let apart = self.ir.cmp(IntPredicate::NE, apart, self.ir.int(0));
        self.go_on_if(apart, "polytile.apart", Reason::Rows);
    }

    /// Fills in a `polytile_matrix`.
    fn describe(&mut self, matrix: Ptr<'c>, rows: &RowsCheck) {
        let columns = rows.columns.as_ref().expect("asked before");
        let wrapping = Arith::Wrapping;
        let first_entry = self.get(Key::FirstEntry(rows.base)).into_int_value();
        let table = self.table(rows);
        let entry = self.ir.mul(first_entry, self.ir.int(POINTER), wrapping);
        let table = self.ir.ptr_to_int(self.ir.offset(table, entry));
        let (lo, hi) = self.numbers(rows);
        let count = self.ir.sub(hi, lo, wrapping);
        let count = self.ir.add(count, self.ir.int(1), wrapping);
        let element = self.ir.int(rows.element as i64);
        let first = self.column(&columns.first, lo);
        let last = self.column(&columns.last, lo);
        let several = self.ir.sub(last, first, wrapping);
        let several = self.ir.add(several, self.ir.int(1), wrapping);
        let pitch = self.get(Key::Invariant(rows.pitch)).into_int_value();
        let bytes = |columns: i64| self.ir.int(columns * rows.element as i64);
        let fields = [
            table,
            self.ir.int(POINTER * rows.step),
            count,
            self.ir.mul(first, element, wrapping),
            bytes(columns.first.1),
            self.ir.mul(several, element, wrapping),
            bytes(columns.last.1 - columns.first.1),
            self.ir.int(columns.written.into()),
            self.ir.mul(pitch, element, wrapping),
        ];
        for (i, value) in fields.into_iter().enumerate() {
            self.ir.store(self.field(matrix, i as u64), value);
        }
    }

    /// The numbers of the first row and the last one.
    fn numbers(&mut self, rows: &RowsCheck) -> (Int<'c>, Int<'c>) {
        let [lo, hi] = [Key::FirstEntry, Key::LastEntry].map(|end| {
            let entry = self.get(end(rows.base)).into_int_value();
            let ahead = self.ir.sub(entry, self.ir.int(rows.first), Arith::Wrapping);
            self.ir.sdiv(ahead, self.ir.int(rows.step))
        });
        (lo, hi)
    }

    /// A column of a row.
    fn column(&mut self, (at_0, step): &(Expr, i64), row: Int<'c>) -> Int<'c> {
        let at_0 = self.expr(at_0);
        let more = self.ir.mul(row, self.ir.int(*step), Arith::Wrapping);
        self.ir.add(at_0, more, Arith::Wrapping)
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

    /// The table that says where an address lies; `None`: its base does.
    fn table_of(&self, address: &Address) -> Option<&'e RowsCheck> {
        let mut tables = self.program.check.rows.iter();
        let found = tables.find(|r| r.base == address.base);
        found.filter(|_| self.by_table)
    }

    /// The beginning of the row that an address lies in, and the bytes from there, if a table says where that is.
    pub(crate) fn row_and_offset(
        &mut self,
        address: &Address,
        at: &Iterators<'c>,
    ) -> Option<(Ptr<'c>, Int<'c>)> {
        let rows = self.table_of(address)?;
        let found = row_and_bytes(&address.offset, rows.pitch, rows.element);
        let (row, bytes) = found.expect("asked before emission");
        let (row, bytes) = (self.evolve(&row, at), self.evolve(&bytes, at));
        let entry = self.ir.mul(row, self.ir.int(rows.step), Arith::Wrapping);
        let entry = self.ir.add(entry, self.ir.int(rows.first), Arith::Wrapping);
        let [first, last] =
            [Key::FirstEntry, Key::LastEntry].map(|end| self.get(end(rows.base)).into_int_value());
        let entry = self.ir.minmax("llvm.smax", entry, first);
        let entry = self.ir.minmax("llvm.smin", entry, last);
        let table = self.table(rows);
        let ahead = self.ir.mul(entry, self.ir.int(POINTER), Arith::Wrapping);
        let pointer = self
            .ir
            .load(self.ir.ptr_type(), self.ir.offset(table, ahead));
        // The table may be packed.
        unsafe { LLVMSetAlignment(pointer.as_value_ref(), 1) };
        let memory = Memory::Array(self.array_of_pointers(rows));
        self.mark_access(instruction(pointer), Some(memory));
        let kind = match self.at_rim {
            true => self.kinds.rim,
            false => self.kinds.row,
        };
        let mark = self.nodes.tuple(&[]);
        self.nodes.attach(instruction(pointer), kind, mark);
        Some((pointer.into_pointer_value(), bytes))
    }

    /// Emits code that computes addresses for rows that may not exist.
    pub(crate) fn at_rim<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.at_rim, true);
        let result = code(self);
        self.at_rim = around;
        result
    }

    /// Whether an access moves to another row by such a gain, and a table says where that is.
    pub(crate) fn leaves_row(&self, access: &Access, gain: &Gain) -> bool {
        let Place::Memory(address) = &access.place else {
            return false;
        };
        let rows = self.table_of(address);
        rows.is_some_and(|r| gain.symbolic.keys().any(|s| s.values().contains(&r.pitch)))
    }

    fn table(&mut self, rows: &RowsCheck) -> Ptr<'c> {
        self.invariant_integer(rows.table).into_pointer_value()
    }

    fn array_of_pointers(&self, rows: &RowsCheck) -> ArrayId {
        let found = self.scop.rows.iter().find(|r| r.base == rows.base);
        found.expect("a table of the model").table
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
