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
//!
//! ```text
//! b[i][j][k] = a[i][j][k - 1]                a[i] = A[e*i + first],  a[i][j] = a[i][f*j + second]: a load for each table on the way
//! ```
//!
//! The entries of tables in tables are read only where the program reads them: in front of loops that run, and at rims those which are between
//! bounds ([`polytile_analysis::ast::Entries`]).

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
use polytile_analysis::ast::{Apart, Bound, ByteRange, Entries, Expr, Program, RowsCheck};
use polytile_analysis::ids::{ArrayId, ValueId};
use polytile_analysis::of_row::row_and_bytes;
use polytile_analysis::region::Address;
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, Place, Scop};

/// Words of a `polytile_matrix` in front of what is accessed of rows.
const BEGIN: u64 = 3;

/// Whether the rows of a program can be found by their entries.
pub(crate) fn by_table(program: &Program, scop: &Scop) -> bool {
    let tables = &program.check.rows;
    let mut accesses = scop.stmts.iter().flat_map(|s| &s.accesses);
    !tables.is_empty()
        && tables.iter().all(RowsCheck::knows_entries)
        && accesses.all(|a| has_row(tables, a))
}

/// Whether an access lies in a row whose number is known, if it lies in rows at all.
fn has_row(tables: &[RowsCheck], access: &Access) -> bool {
    let Place::Memory(address) = &access.place else {
        return true;
    };
    let pitches: Vec<ValueId> = tables.iter().map(|r| r.pitch).collect();
    let known = |s: &Scev| !s.values().iter().any(|v| pitches.contains(v));
    match way_to(tables, address) {
        Way::None => known(&address.offset),
        Way::Unknown => false,
        Way::Entries(entries, bytes) => known(&bytes) && entries.iter().all(|(_, n)| known(n)),
    }
}

/// How an address is found.
enum Way {
    /// Without tables.
    None,
    /// By the entries of these tables, outermost first, and bytes from where the last one points to.
    Entries(Vec<(usize, Scev)>, Scev),
    /// Nobody knows.
    Unknown,
}

fn way_to(tables: &[RowsCheck], address: &Address) -> Way {
    let Some(at) = tables.iter().position(|r| r.base == address.base) else {
        return Way::None;
    };
    match entries(tables, at, &address.offset) {
        Some((entries, bytes)) => Way::Entries(entries, bytes),
        None => Way::Unknown,
    }
}

/// The entries of the tables on the way to what lies so far behind the base of all rows of one, and its place in the row.
fn entries(tables: &[RowsCheck], at: usize, offset: &Scev) -> Option<(Vec<(usize, Scev)>, Scev)> {
    let rows = &tables[at];
    let (number, bytes) = row_and_bytes(offset, rows.pitch, rows.element)?;
    let Some(through) = &rows.through else {
        return Some((vec![(at, number)], bytes));
    };
    // The number counts the entries of all rows of the other table.
    let (width, step) = (number.width, i128::from(rows.step * POINTER));
    let parts = vec![Scev::constant(width, step), number];
    let kind = ScevKind::Mul(parts, Wrap::default());
    let (mut way, in_row) = entries(tables, through.table, &Scev { width, kind })?;
    way.push((at, in_row.exact_quotient(step, Wrap::default())?));
    Some((way, bytes))
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
        let end = match rows.through {
            Some(_) => self.expr(&columns.end.0),
            None => {
                let (lo, hi) = self.numbers(rows);
                let [near, far] = [lo, hi].map(|row| self.column(&columns.end, row));
                self.ir.minmax("llvm.smax", near, far)
            }
        };
        let element = self.ir.int(rows.element as i64);
        let up = self.ir.int(rows.element as i64 - 1);
        let pitch = self.ir.sdiv(self.ir.add(end, up, Arith::Wrapping), element);
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
        let parts = |r: &'e RowsCheck| match (&r.through, r.parts()) {
            (None, []) => vec![(r, None)],
            (_, parts) => parts.iter().map(|p| (r, Some(p))).collect(),
        };
        let parts: Vec<_> = tables.iter().flat_map(parts).collect();
        let count = parts.len();
        let matrices = self.words(count as u64 * MATRIX / SLOT, "polytile.matrices");
        for (i, (rows, part)) in parts.into_iter().enumerate() {
            let matrix = self.field(matrices, i as u64 * MATRIX / SLOT);
            match part {
                None => self.describe(matrix, rows),
                Some(part) => self.describe_part(matrix, rows, part),
            }
        }
        self.worth_counting(matrices, count);
        let (ranges, several) = self.ranges_apart();
        let counts = [count, several].map(|n| self.ir.int(n as i64));
        let args = [
            matrices.into(),
            counts[0].into(),
            ranges.into(),
            counts[1].into(),
        ];
        self.go_on_if_so(("rows_apart", &args), "polytile.apart", Reason::Rows);
        self.rows_readable(matrices, counts[0]);
    }

    /// Goes on where there is work enough for so many rows, if they are looked for in tables in tables.
    fn worth_counting(&mut self, matrices: Ptr<'c>, count: usize) {
        let tables = self.program.check.rows.iter();
        let least = tables.filter_map(|r| Some(r.through.as_ref()?.work)).max();
        let (Some(least), Some((work, _))) = (least, &self.program.check.work) else {
            return;
        };
        let count = self.ir.int(count as i64);
        let rows = self.ask("rows_counted", &[matrices.into(), count.into()]);
        let work = self.expr(work);
        let most = self.ir.sdiv(work, self.ir.int(least));
        let worth = self.ir.cmp(IntPredicate::SLE, rows, most);
        self.go_on_if(worth, "polytile.worth", Reason::Work);
    }

    /// Fills in a `polytile_matrix`.
    fn describe(&mut self, matrix: Ptr<'c>, rows: &RowsCheck) {
        let first_entry = self.get(Key::FirstEntry(rows.base)).into_int_value();
        let table = self.table(rows);
        let entry = (self.ir).mul(first_entry, self.ir.int(POINTER), Arith::Wrapping);
        let table = self.ir.ptr_to_int(self.ir.offset(table, entry));
        let (lo, hi) = self.numbers(rows);
        let count = self.ir.sub(hi, lo, Arith::Wrapping);
        let count = self.ir.add(count, self.ir.int(1), Arith::Wrapping);
        let several = [table, self.ir.int(POINTER * rows.step), count];
        let accessed = self.accessed_of_row(rows, lo);
        let none = [self.ir.int(0), self.ir.int(0)];
        self.fill(matrix, several.into_iter().chain(accessed).chain(none));
    }

    /// The same of a part of the entries of a table in tables.
    fn describe_part(&mut self, matrix: Ptr<'c>, rows: &'e RowsCheck, part: &Entries) {
        self.describe_way(matrix, rows, part);
        let accessed = self.accessed_of_row(rows, self.ir.int(0));
        let from = self.field(matrix, BEGIN);
        self.fill(from, accessed.into_iter());
    }

    /// What it says of the way to the entries.
    pub(crate) fn describe_way(&mut self, matrix: Ptr<'c>, rows: &'e RowsCheck, part: &Entries) {
        let tables = self.tables_to(rows);
        let outermost = self.table(tables[0]);
        let table = self.ir.ptr_to_int(outermost);
        let some = self.cond(&part.some);
        let some = self.ir.zext(some, 64);
        let mut words = vec![];
        for (of, between) in tables.iter().zip(&part.numbers) {
            words.extend([of.first, of.step].map(|n| self.ir.int(n * POINTER)));
            for bounds in [&between.lower, &between.upper] {
                words.push(self.ir.int(bounds.len() as i64));
                for bound in bounds {
                    words.push(self.expr(&bound.at_0));
                    words.extend(bound.steps.iter().map(|s| self.ir.int(*s)));
                }
            }
        }
        let numbers = self.words(words.len() as u64, "polytile.numbers");
        self.fill(numbers, words.into_iter());
        self.fill(matrix, [table, self.ir.int(0), some].into_iter());
        let numbers = self.ir.ptr_to_int(numbers);
        let tables = self.ir.int(tables.len() as i64);
        let end = self.field(matrix, MATRIX / SLOT - 2);
        self.fill(end, [numbers, tables].into_iter());
    }

    /// The numbers of the first entry of a part.
    pub(crate) fn first_of(&mut self, part: &Entries) -> Vec<Int<'c>> {
        let mut found: Vec<Int<'c>> = vec![];
        for between in &part.numbers {
            let mut bounds = vec![];
            for bound in &between.lower {
                bounds.push(self.bound(bound, &found));
            }
            let first = bounds.into_iter();
            let first = first.reduce(|a, b| self.ir.minmax("llvm.smax", a, b));
            found.push(first.expect("numbers have lower bounds"));
        }
        found
    }

    /// A bound of a number, by those before.
    fn bound(&mut self, bound: &Bound, before: &[Int<'c>]) -> Int<'c> {
        let mut value = self.expr(&bound.at_0);
        for (step, outer) in bound.steps.iter().zip(before).filter(|(s, _)| **s != 0) {
            let more = self.ir.mul(*outer, self.ir.int(*step), Arith::Wrapping);
            value = self.ir.add(value, more, Arith::Wrapping);
        }
        value
    }

    /// What a `polytile_matrix` says of what is accessed of rows, from a row on.
    fn accessed_of_row(&mut self, rows: &RowsCheck, row: Int<'c>) -> [Int<'c>; 6] {
        let columns = rows.columns.as_ref().expect("asked before");
        let wrapping = Arith::Wrapping;
        let first = self.column(&columns.first, row);
        let end = self.column(&columns.end, row);
        let pitch = self.get(Key::Invariant(rows.pitch)).into_int_value();
        let element = self.ir.int(rows.element as i64);
        [
            first,
            self.ir.int(columns.first.1),
            self.ir.sub(end, first, wrapping),
            self.ir.int(columns.end.1 - columns.first.1),
            self.ir.int(columns.written.into()),
            self.ir.mul(pitch, element, wrapping),
        ]
    }

    /// Stores words behind each other.
    fn fill(&mut self, block: Ptr<'c>, words: impl Iterator<Item = Int<'c>>) {
        for (i, word) in words.enumerate() {
            self.ir.store(self.field(block, i as u64), word);
        }
    }

    /// The tables on the way to rows, outermost first.
    pub(crate) fn tables_to(&self, rows: &'e RowsCheck) -> Vec<&'e RowsCheck> {
        let outer = rows
            .through
            .as_ref()
            .map(|t| &self.program.check.rows[t.table]);
        let mut way = outer.map_or(vec![], |outer| self.tables_to(outer));
        way.push(rows);
        way
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
        for Apart { ranges: [a, b], .. } in &check.apart {
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
        let Way::Entries(way, bytes) = way_to(&self.program.check.rows, address) else {
            panic!("asked before emission");
        };
        let numbers: Vec<Int<'c>> = way.iter().map(|(_, n)| self.evolve(n, at)).collect();
        let tables = way
            .iter()
            .map(|(table, _)| &self.program.check.rows[*table]);
        let bytes = self.evolve(&bytes, at);
        let numbers = match (&rows.through, self.at_rim) {
            (Some(through), true) => self.existing(through.parts(), numbers),
            _ => numbers,
        };
        let mut pointer = self.table(&self.program.check.rows[way[0].0]);
        for (of, number) in tables.zip(numbers) {
            let entry = self.ir.mul(number, self.ir.int(of.step), Arith::Wrapping);
            let mut entry = self.ir.add(entry, self.ir.int(of.first), Arith::Wrapping);
            if rows.through.is_none() {
                entry = self.nearest(of, entry);
            }
            pointer = self.pointer_in(of, (pointer, entry), rows.through.is_some());
        }
        Some((pointer, bytes))
    }

    /// The entry of a table that is nearest to one that there may not be.
    fn nearest(&mut self, rows: &RowsCheck, entry: Int<'c>) -> Int<'c> {
        let [first, last] =
            [Key::FirstEntry, Key::LastEntry].map(|end| self.get(end(rows.base)).into_int_value());
        let entry = self.ir.minmax("llvm.smax", entry, first);
        self.ir.minmax("llvm.smin", entry, last)
    }

    /// Numbers of entries that exist: these if they do, others else.
    fn existing(&mut self, parts: &[Entries], numbers: Vec<Int<'c>>) -> Vec<Int<'c>> {
        let mut exists = self.ir.bool(false);
        for part in parts {
            let mut is_in = self.cond(&part.some);
            let nearest = self.nearest_of(part, &numbers);
            for (own, near) in numbers.iter().zip(nearest) {
                let same = self.ir.cmp(IntPredicate::EQ, *own, near);
                is_in = self.both(is_in, same);
            }
            exists = self.ir.logical_or(exists, is_in);
        }
        // Some part has entries, or nothing would run.
        let mut otherwise = numbers.clone();
        for part in parts {
            let some = self.cond(&part.some);
            let nearest = self.nearest_of(part, &numbers);
            let each = otherwise.into_iter().zip(nearest);
            let select = |(o, n): (Int<'c>, Int<'c>)| self.ir.select(some, n, o).into_int_value();
            otherwise = each.map(select).collect();
        }
        let each = numbers.into_iter().zip(otherwise);
        each.map(|(n, o)| self.ir.select(exists, n, o).into_int_value())
            .collect()
    }

    /// Numbers of entries of a part, near to these.
    fn nearest_of(&mut self, part: &Entries, numbers: &[Int<'c>]) -> Vec<Int<'c>> {
        let mut found: Vec<Int<'c>> = vec![];
        for (between, number) in part.numbers.iter().zip(numbers) {
            let mut near = *number;
            let bounds = between.lower.iter().map(|b| (b, "llvm.smax"));
            for (bound, end) in bounds.chain(between.upper.iter().map(|b| (b, "llvm.smin"))) {
                let value = self.bound(bound, &found);
                near = self.ir.minmax(end, near, value);
            }
            found.push(near);
        }
        found
    }

    /// Loads an entry of a table.
    fn pointer_in(
        &mut self,
        rows: &RowsCheck,
        (table, entry): (Ptr<'c>, Int<'c>),
        nested: bool,
    ) -> Ptr<'c> {
        let ahead = self.ir.mul(entry, self.ir.int(POINTER), Arith::Wrapping);
        let pointer = self
            .ir
            .load(self.ir.ptr_type(), self.ir.offset(table, ahead));
        // The table may be packed.
        unsafe { LLVMSetAlignment(pointer.as_value_ref(), 1) };
        let memory = Memory::Array(self.array_of_pointers(rows));
        self.mark_access(instruction(pointer), Some(memory));
        let kind = match (self.at_rim, nested) {
            (true, _) => self.kinds.rim,
            (false, true) => self.kinds.inner,
            (false, false) => self.kinds.row,
        };
        let mark = self.nodes.tuple(&[]);
        self.nodes.attach(instruction(pointer), kind, mark);
        pointer.into_pointer_value()
    }

    /// Emits code that computes addresses for rows that may not exist.
    pub(crate) fn at_rim<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.at_rim, true);
        let result = code(self);
        self.at_rim = around;
        result
    }

    /// The table that says where an access lies.
    pub(crate) fn table_of_access(&self, access: &Access) -> Option<&'e RowsCheck> {
        match &access.place {
            Place::Memory(address) => self.table_of(address),
            _ => None,
        }
    }

    /// Whether an access moves to another row by such a gain, and a table says where that is.
    pub(crate) fn leaves_row(&self, access: &Access, gain: &Gain) -> bool {
        let rows = self.table_of_access(access);
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
