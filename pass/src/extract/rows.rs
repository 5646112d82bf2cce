//! Arrays whose rows are reached through pointers that the nest loads.
//!
//! ```text
//! for i: for j: c[i][j] += a[i][k] * b[k][j]        double **a, **b, **c; vector<vector<double>>
//!
//! %row = load ptr, T + {8,+,8}<i>                   an entry of the table T, a pointer to a row
//! .. = load double, %row + {0,+,8}<j>               read as    base + 8*pitch*{1,+,1}<i> + {0,+,8}<j>
//! ```
//!
//! Such a pointer is no base that the nest has from before. But most tables point to rows at one distance, be they parts of one
//! block or blocks that were allocated one after the other. Then addresses are affine. So they are written like that, with a base and a
//! pitch that the version check finds out, before which nobody knows them ([`region::Rows`]); it compares all entries that
//! the nest reads. Loads of one table are told apart by their place in its entries: two pointers of one struct are two tables. Where the program counts pointers,
//! each of them is an entry, also if a loop takes two rows at a time.
//!
//! Not for tables that the nest writes as such.
//!
//! ```text
//! for i: for j: for k: .. a[i][j][k]                double ***a
//!
//! %plane = load ptr, T + {0,+,8}<i>                 the rows of T are tables themselves: one array of pointers, base + 8*pitch*{0,+,1}<i> + {0,+,8}<j>
//! %row = load ptr, %plane + {0,+,8}<j>              entry {{0,+,pitch}<i>,+,1}<j> of it
//! ```
//!
//! Tables in the rows of another table are one table, of all entries of all rows. Its entries are the elements that say how far rows lie apart.
//!
//! ```text
//! for i: for j: s += a[i][j]          Vec<Vec<f64>>          if j >= a[i].len() panic
//! ```
//!
//! Where words beside the pointers say how long rows are, and decide nothing but how far loops go and whether the program ends, they
//! are taken for one value, the same for all rows of the table. That is compared in front as well ([`region::Length`]).

use super::merged::{Merges, Place, plain};
use super::values::Table;
use crate::ffi::{Effect, Kind};
use crate::llvm::{self, Block, Value};
use llvm_sys::LLVMOpcode::{
    LLVMAShr, LLVMBr, LLVMGetElementPtr, LLVMPHI, LLVMPtrToInt, LLVMSDiv, LLVMSub,
};
use llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use llvm_sys::core::{
    LLVMGetExact, LLVMGetGEPSourceElementType, LLVMGetPointerAddressSpace, LLVMGetTypeKind,
};
use polytile_analysis::ids::{BaseId, ValueId};
use polytile_analysis::quotient::gcd;
use polytile_analysis::region::{self, Def, Ty};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use std::collections::{BTreeMap, BTreeSet};

/// Tables per region.
const MAX_TABLES: usize = 12;

/// Tables on the way to an element.
const MAX_LEVELS: usize = 3;

/// Bytes of what a vector has, at most.
const MAX_UNIT: u64 = 1 << 16;

/// Bytes of a pointer.
const POINTER: i128 = 8;

/// Elements are at most so large.
const MAX_ELEMENT: u64 = 16;

/// The tables of a region, and the loads of their entries.
#[derive(Default)]
pub struct Rows {
    tables: Vec<Entries>,
    /// Where pointers point to, as seen from where they are loaded.
    rows: BTreeMap<Value, Place>,
    /// Loads of entries of tables that the region writes.
    pub written: BTreeSet<Value>,
}

/// A table.
struct Entries {
    of: Of,
    /// The pointer from before the region that the way to the entries begins with.
    begin: Value,
    first: i128,
    step: i128,
    element: u64,
    loads: Vec<Value>,
    /// Words beside the pointers.
    lengths: Vec<Words>,
    /// What stands for the rows' distance, once somebody has asked.
    pitch: Option<ValueId>,
    /// The base that was made for the rows.
    base: Option<BaseId>,
}

/// Words beside the pointers of a table.
struct Words {
    /// Bytes from the table's base to the first one.
    first: i128,
    /// Whether it is how far they are behind the pointers that counts, in elements of so many bytes.
    unit: Option<u64>,
    /// Their loads.
    loads: Vec<Value>,
    /// What is the same for all of them: the loads, or what is computed of each.
    lengths: Vec<Value>,
}

/// Where the entries of a table lie.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// Behind a pointer from before the region.
    Base(Value),
    /// In all rows of another table.
    Rows(usize),
}

/// A pointer to a row.
struct Found {
    load: Value,
    /// What the entry is found from: the table's base, or a pointer to a row of another table.
    from: Value,
    /// Where the entry lies behind that.
    offset: Scev,
    /// Whether the program counts pointers on the way to it, so that an entry is one, however many of them a loop takes at a time.
    of_pointers: bool,
    /// Bytes of the smallest element that is accessed.
    element: u64,
}

impl Rows {
    /// Looks for tables.
    pub fn find(
        table: &mut Table<'_>,
        traps: &BTreeSet<Block>,
        exact: impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) -> Rows {
        let mut all = Rows::default();
        let (mut found, stores, merges) = loads(table, &exact);
        for _ in 0..MAX_LEVELS {
            let known = all.tables.len();
            found = all.level(table, found, (&stores, known));
            if all.tables.len() == known {
                break;
            }
            all.index(table, known, &exact);
            all.follow(table, &merges);
        }
        all.measure(table, traps, &exact);
        all
    }

    /// Makes tables, numbered from `from` on, of the entries whose place is known now, and returns the others.
    fn level(
        &mut self,
        table: &Table<'_>,
        found: Vec<Found>,
        (stores, from): (&BTreeSet<Value>, usize),
    ) -> Vec<Found> {
        let (mut fixed, mut left) = (vec![], vec![]);
        for f in found {
            let Some(of) = self.of(table, f.from) else {
                left.push(f);
                continue;
            };
            // In front of a nest only the outermost table is known to be what it is in the nest.
            if matches!(of, Of::Rows(_)) && table.inside(f.load).is_none() {
                continue;
            }
            if self.is_written(of, stores) {
                self.written.insert(f.load);
                continue;
            }
            match Linear::of(&f.offset) {
                Some(linear) if f.offset.loops().is_empty() => fixed.push((f, of, linear)),
                Some(mut linear) => {
                    if f.of_pointers {
                        linear.step = gcd(linear.step, POINTER);
                    }
                    self.add(&f, of, &linear, from);
                }
                None => {}
            }
        }
        // An entry that no loop leaves (a member of `level[at]`) says nothing of a step, but may be one of those of a table. In a row of
        // another table it is a pointer among pointers.
        for (f, of, mut linear) in fixed {
            if self.table(of, &linear).is_none() {
                if matches!(of, Of::Base(_)) || linear.constant % POINTER != 0 {
                    continue;
                }
                linear.step = POINTER;
            }
            self.add(&f, of, &linear, from);
        }
        left
    }

    /// Where the entries of a table lie that are found from a pointer; `None`: nobody knows.
    fn of(&self, table: &Table<'_>, from: Value) -> Option<Of> {
        match self.rows.get(&from) {
            Some(place) => Some(Of::Rows(place.table)),
            None => table.inside(from).is_none().then_some(Of::Base(from)),
        }
    }

    /// Whether the region writes to a table.
    fn is_written(&self, of: Of, stores: &BTreeSet<Value>) -> bool {
        match of {
            Of::Base(base) => stores.contains(&base),
            Of::Rows(rows) => stores
                .iter()
                .any(|s| self.rows.get(s).is_some_and(|place| place.table == rows)),
        }
    }

    /// Adds the load of an entry to its table, if that is not one of those before `from`, which are finished.
    fn add(&mut self, f: &Found, of: Of, linear: &Linear, from: usize) {
        match self.table(of, linear) {
            Some(t) if t >= from => self.join(t, f.load, linear, f.element),
            Some(_) => {}
            None if self.tables.len() < MAX_TABLES => self.tables.push(Entries {
                of,
                begin: match of {
                    Of::Base(base) => base,
                    Of::Rows(rows) => self.tables[rows].begin,
                },
                first: linear.constant.rem_euclid(linear.step),
                step: linear.step,
                element: f.element,
                loads: vec![f.load],
                lengths: vec![],
                pitch: None,
                base: None,
            }),
            None => {}
        }
    }

    /// The table that such an entry belongs to.
    fn table(&self, of: Of, linear: &Linear) -> Option<usize> {
        self.tables.iter().position(|t| {
            let step = gcd(t.step, linear.step);
            t.of == of && (t.first - linear.constant) % step == 0
        })
    }

    fn join(&mut self, t: usize, load: Value, linear: &Linear, element: u64) {
        let t = &mut self.tables[t];
        t.step = gcd(t.step, linear.step);
        t.first = t.first.rem_euclid(t.step);
        t.element = t.element.min(element);
        t.loads.push(load);
    }

    /// Takes lengths of rows for one value each.
    fn measure(
        &mut self,
        table: &mut Table<'_>,
        traps: &BTreeSet<Block>,
        exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) {
        if self.tables.is_empty() {
            return;
        }
        let instructions = table.blocks.clone().into_iter();
        let all: Vec<Value> = instructions.flat_map(|b| b.instructions()).collect();
        let mut between = vec![];
        for i in &all {
            if is_length(table, *i, traps) {
                self.note(table, (*i, *i, None), exact);
            } else if let Some((end, begin, bytes)) = distance(table, *i)
                && self.is_beside(table, begin, end, exact)
            {
                self.note(table, (end, *i, Some(bytes)), exact);
                between.push((end, begin, *i));
            }
        }
        for t in &self.tables {
            for words in &t.lengths {
                let one = unknown(table, t.begin, "length", Ty::Int(64));
                table.alike.extend(words.lengths.iter().map(|l| (*l, one)));
            }
        }
        for phi in all.iter().filter(|i| i.is_phi()) {
            let merged = phi.incoming().into_iter();
            let mut of = merged.map(|(_, v)| table.alike.get(&v).copied());
            if let Some(Some(one)) = of.next()
                && of.all(|other| other == Some(one))
            {
                table.alike.insert(*phi, one);
            }
        }
        for (end, begin, size) in between {
            if let Some(one) = table.alike.get(&size) {
                table.ends.insert((end, begin), *one);
            }
        }
    }

    /// Adds the load of a word beside a pointer, and what is computed of it, to its table.
    fn note(
        &mut self,
        table: &mut Table<'_>,
        (load, length, unit): (Value, Value, Option<u64>),
        exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) {
        let Some((base, offset)) = place(table, load, exact) else {
            return;
        };
        let linear = Linear::of(&offset);
        let own = self.of(table, base);
        let of = |t: &&mut Entries, l: &Linear| Some(t.of) == own && l.step % t.step == 0;
        let found = linear.and_then(|l| {
            let t = self.tables.iter_mut().find(|t| of(t, &l))?;
            Some((l.constant.rem_euclid(t.step), t))
        });
        let Some((first, t)) = found else {
            return;
        };
        let same = |w: &&mut Words| w.first == first && w.unit == unit;
        match t.lengths.iter_mut().find(same) {
            Some(words) => {
                words.loads.push(load);
                words.lengths.push(length);
            }
            None => t.lengths.push(Words {
                first,
                unit,
                loads: vec![load],
                lengths: vec![length],
            }),
        }
    }

    /// Whether a pointer that is loaded is one to a row, and the other one the next in the same entry.
    fn is_beside(
        &self,
        table: &mut Table<'_>,
        row: Value,
        next: Value,
        exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) -> bool {
        let [Some((from, a)), Some((other, b))] = [row, next].map(|v| place(table, v, exact))
        else {
            return false;
        };
        let Some(own) = self.of(table, from).filter(|_| from == other) else {
            return false;
        };
        let same = plain(&a.clone().shifted(POINTER)) == plain(&b);
        same && Linear::of(&a).is_some_and(|l| {
            let mut tables = self.tables.iter();
            tables.any(|t| {
                t.of == own && l.step % t.step == 0 && l.constant.rem_euclid(t.step) == t.first
            })
        })
    }

    /// Says for the loads of all tables from one on which rows they point to.
    fn index(
        &mut self,
        table: &mut Table<'_>,
        from: usize,
        exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) {
        for t in from..self.tables.len() {
            if !self.counts_entries(t) {
                continue;
            }
            for load in self.tables[t].loads.clone() {
                let Some(offset) = self.offset(table, t, load, exact) else {
                    continue;
                };
                let Entries { first, step, .. } = self.tables[t];
                if let Some(index) = (offset.shifted(-first)).exact_quotient(step, Wrap::default())
                {
                    let ahead = Scev::constant(64, 0);
                    let place = Place {
                        table: t,
                        index,
                        ahead,
                    };
                    self.rows.insert(load, place);
                }
            }
        }
    }

    /// Counts the distance of rows in the entries of the table in them, if all tables in them agree.
    fn counts_entries(&mut self, t: usize) -> bool {
        let Of::Rows(rows) = self.tables[t].of else {
            return true;
        };
        let step = self.tables[t].step;
        let mut others = self.tables[..t].iter().filter(|o| o.of == Of::Rows(rows));
        let agree = others.all(|o| o.step == step);
        if agree {
            self.tables[rows].element = step as u64;
        }
        agree
    }

    /// Where an entry lies behind the base of its table, or of all rows that the table lies in.
    fn offset(
        &mut self,
        table: &mut Table<'_>,
        t: usize,
        load: Value,
        exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
    ) -> Option<Scev> {
        let (from, offset) = place(table, load, exact)?;
        match self.tables[t].of {
            Of::Base(_) => Some(offset),
            Of::Rows(_) => Some(behind(self.row_offset(table, from), offset)),
        }
    }

    /// Says for PHIs which rows they point to; nothing else of them is of use.
    fn follow(&mut self, table: &mut Table<'_>, merges: &Merges) {
        let places = merges.places(table, |load| self.rows.get(&load).cloned());
        for (phi, place) in places {
            table.unused.insert(phi);
            self.rows.insert(phi, place);
        }
    }

    /// Whether a value is a pointer to a row.
    pub fn contains(&self, v: Value) -> bool {
        self.rows.contains_key(&v)
    }

    /// The base of a row, and the row's offset from it. `base` makes one for the value that stands for it.
    pub fn row(
        &mut self,
        table: &mut Table<'_>,
        load: Value,
        base: impl FnOnce(&mut Table<'_>, Value, ValueId) -> BaseId,
    ) -> (BaseId, Scev) {
        let offset = self.row_offset(table, load);
        let entries = &mut self.tables[self.rows[&load].table];
        let known = entries.base.unwrap_or_else(|| {
            let address = unknown(table, entries.begin, "rows", Ty::Ptr);
            base(table, load, address)
        });
        entries.base = Some(known);
        (known, offset)
    }

    /// How far a row lies behind the base of all rows.
    fn row_offset(&mut self, table: &mut Table<'_>, load: Value) -> Scev {
        let row = &self.rows[&load];
        let entries = &mut self.tables[row.table];
        let begin = entries.begin;
        let made = || unknown(table, begin, "pitch", Ty::Int(64));
        let pitch = *entries.pitch.get_or_insert_with(made);
        let row_offset = scaled(&row.index, i128::from(entries.element), pitch);
        behind(row_offset, row.ahead.clone())
    }

    /// Where the entries of a table lie that were loaded in front of the region.
    fn in_front(&self, table: &Table<'_>, t: &Entries) -> Vec<Scev> {
        let loads = t.loads.iter().filter(|l| table.inside(**l).is_none());
        let places = loads.filter_map(|l| self.rows.get(l));
        let offset = |place: &Place| match place.index.as_constant() {
            Some(index) => Scev::constant(64, index * t.step + t.first),
            None => {
                let factors = vec![Scev::constant(64, t.step), place.index.clone()];
                let kind = ScevKind::Mul(factors, Wrap::default());
                Scev { width: 64, kind }.shifted(t.first)
            }
        };
        places.map(offset).collect()
    }

    /// The tables as data; `base` is that of a table.
    pub fn described(
        &self,
        table: &mut Table<'_>,
        base: impl Fn(Value) -> Option<BaseId>,
    ) -> Vec<region::Rows> {
        let mut all = vec![];
        for t in &self.tables {
            let of = match t.of {
                Of::Base(raw) => base(raw),
                Of::Rows(rows) => self.tables[rows].base,
            };
            let (Some(rows), Some(pitch), Some(of)) = (t.base, t.pitch, of) else {
                continue;
            };
            all.push(region::Rows {
                table: of,
                loads: inside(table, &t.loads),
                in_front: self.in_front(table, t),
                first: t.first as u64,
                step: t.step as u64,
                base: rows,
                pitch,
                element: t.element,
                lengths: lengths(table, t),
            });
        }
        all
    }
}

/// Those of some loads that are the region's.
fn inside(table: &mut Table<'_>, loads: &[Value]) -> Vec<ValueId> {
    let own: Vec<Value> = (loads.iter().copied())
        .filter(|l| table.inside(*l).is_some())
        .collect();
    own.into_iter().map(|l| table.id(l)).collect()
}

/// The lengths of a table's rows as data.
fn lengths(table: &mut Table<'_>, t: &Entries) -> Vec<region::Length> {
    let one = |words: &Words| region::Length {
        first: words.first as u64,
        unit: words.unit,
        value: table.alike[&words.lengths[0]],
        loads: words.loads.iter().map(|l| table.id(*l)).collect(),
    };
    t.lengths.iter().map(one).collect()
}

/// Two pointers that a value says the distance of, `end - begin`, and the bytes that it counts: the size of a C++ vector.
fn distance(table: &Table<'_>, v: Value) -> Option<(Value, Value, u64)> {
    let whole = matches!(v.opcode(), LLVMAShr | LLVMSDiv) && unsafe { LLVMGetExact(v.0) != 0 };
    let by = v.operands().get(1).filter(|_| whole)?.int_constant()?;
    let bytes = match v.opcode() {
        LLVMAShr => 1u64.checked_shl(u32::try_from(by).ok()?)?,
        _ => u64::try_from(by).ok().filter(|b| *b > 0)?,
    };
    if bytes > MAX_UNIT {
        return None;
    }
    let difference = v.operand(0);
    if !difference.is_instruction() || difference.opcode() != LLVMSub {
        return None;
    }
    let pointer = |number: Value| {
        let load = (number.is_instruction() && number.opcode() == LLVMPtrToInt)
            .then(|| number.operand(0))?;
        let is_load = load.is_instruction() && load.effect() == Effect::Load;
        (is_load && table.inside(load).is_some()).then_some(load)
    };
    let [end, begin] = [0, 1].map(|n| pointer(difference.operand(n)));
    Some((end?, begin?, bytes))
}

/// Whether a value is a word that decides only where control goes.
fn is_length(table: &Table<'_>, load: Value, traps: &BTreeSet<Block>) -> bool {
    load.effect() == Effect::Load
        && llvm::ty(table.layout, load.raw_type()) == Ty::Int(64)
        && !table.unused.contains(&load)
        && decides(load, traps, MAX_STEPS)
}

/// Steps from a length to the branch that it decides.
const MAX_STEPS: u32 = 6;

/// Whether all that is computed of a value decides where control goes. What is said where the program ends is the original's to say.
fn decides(v: Value, traps: &BTreeSet<Block>, steps: u32) -> bool {
    steps > 0
        && v.users().into_iter().all(|u| match u.opcode() {
            _ if traps.contains(&u.parent()) => true,
            LLVMBr => true,
            // Each arm of a condition may have read its own.
            LLVMPHI => {
                let loads = |v: Value| v.is_instruction() && v.effect() == Effect::Load;
                let mut merged = u.incoming().into_iter();
                merged.all(|(_, v)| loads(v)) && decides(u, traps, steps - 1)
            }
            _ if u.effect() == Effect::Ignore => true,
            _ => u.effect() == Effect::Pure && decides(u, traps, steps - 1),
        })
}

/// The pointers that the region loads and accesses memory through, in the order of the program, and the bases that it writes to.
fn loads(
    table: &mut Table<'_>,
    exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
) -> (Vec<Found>, BTreeSet<Value>, Merges) {
    let (mut found, mut stores): (Vec<Found>, BTreeSet<Value>) = Default::default();
    let instructions = table.blocks.clone().into_iter();
    let all: Vec<Value> = instructions.flat_map(|b| b.instructions()).collect();
    let points =
        |i: &Value| i.effect() == Effect::Load && llvm::ty(table.layout, i.raw_type()) == Ty::Ptr;
    let mut pointers: BTreeSet<Value> = (all.iter().copied())
        .filter(|i| points(i) && !table.unused.contains(i))
        .collect();
    pointers.extend(in_front(table, &all));
    let merges = Merges::find(table, &pointers);
    if pointers.is_empty() {
        return (found, stores, merges);
    }
    for inst in all {
        for (pointer, size, writes) in accessed(table, inst) {
            let Some(s) = table.an.evolution(pointer, Some(inst.parent())) else {
                continue;
            };
            let (base, _) = table.an.split_address(s);
            if base.kind() != Kind::Unknown {
                continue;
            }
            let base = base.unknown();
            if writes {
                stores.insert(base);
            }
            let merged = merges.loads(base).map(<[Value]>::to_vec);
            let own = pointers.contains(&base).then(|| vec![base]);
            for load in own.or(merged).unwrap_or_default() {
                if let Some(f) = found.iter_mut().find(|f| f.load == load) {
                    f.element = f.element.min(size);
                } else if let Some((from, offset)) = place(table, load, exact) {
                    found.push(Found {
                        load,
                        from,
                        offset,
                        of_pointers: counts_pointers(load.operand(0)),
                        element: size,
                    });
                }
            }
        }
    }
    found.retain(|f| f.element.is_power_of_two() && f.element <= MAX_ELEMENT);
    (found, stores, merges)
}

/// Whether an address is a number of pointers behind another one, that number being a variable.
fn counts_pointers(address: Value) -> bool {
    let mut at = address;
    while at.is_instruction() && at.opcode() == LLVMGetElementPtr {
        let ty = unsafe { LLVMGetTypeKind(LLVMGetGEPSourceElementType(at.0)) };
        let counted = at.operands().split_off(1);
        if ty == LLVMPointerTypeKind && counted.iter().any(|i| i.int_constant().is_none()) {
            return true;
        }
        at = at.operand(0);
    }
    false
}

/// Pointers that PHIs of the region take from a load right in front of it: what lies where they were loaded from is the same as in the region.
fn in_front(table: &Table<'_>, all: &[Value]) -> BTreeSet<Value> {
    let phis = all.iter().filter(|i| i.is_phi());
    let incoming = phis.flat_map(|p| p.incoming());
    let loaded = incoming.filter(|(from, v)| {
        let load = v.object();
        let is_load = load.is_instruction() && load.effect() == Effect::Load;
        is_load
            && table.inside(load).is_none()
            && llvm::ty(table.layout, load.raw_type()) == Ty::Ptr
            && still_holds(load, *from)
    });
    loaded.map(|(_, v)| v.object()).collect()
}

/// Blocks on the straight way from such a load to the region.
const MAX_BLOCKS: usize = 4;

/// Whether what a load has read is still there at a block's end.
fn still_holds(load: Value, mut at: Block) -> bool {
    let stay = |list: &[Value]| list.iter().all(|i| stays(i.effect()));
    for _ in 0..MAX_BLOCKS {
        let all = at.instructions();
        if let Some(from) = all.iter().position(|i| *i == load) {
            return stay(&all[from..]);
        }
        let [before] = at.predecessors()[..] else {
            return false;
        };
        if !stay(&all) {
            return false;
        }
        at = before;
    }
    false
}

/// Whether an instruction leaves memory as it is.
fn stays(effect: Effect) -> bool {
    matches!(
        effect,
        Effect::Load | Effect::Pure | Effect::Phi | Effect::Ignore | Effect::Branch
    )
}

/// The pointers that an instruction accesses memory through, the bytes of an element, and whether it writes.
fn accessed(table: &Table<'_>, inst: Value) -> Vec<(Value, u64, bool)> {
    let bytes = |v: Value| llvm::ty(table.layout, v.raw_type()).bytes();
    match inst.effect() {
        Effect::Load => vec![(inst.operand(0), bytes(inst), false)],
        Effect::Store => vec![(inst.operand(1), bytes(inst.operand(0)), true)],
        Effect::Memset => vec![(inst.operand(0), MAX_ELEMENT, true)],
        Effect::Memcpy => vec![
            (inst.operand(0), MAX_ELEMENT, true),
            (inst.operand(1), MAX_ELEMENT, false),
        ],
        _ => vec![],
    }
}

/// The pointer that an entry which is loaded is found from, and the offset from it.
fn place(
    table: &mut Table<'_>,
    load: Value,
    exact: &impl Fn(&mut Table<'_>, Value, &mut Scev),
) -> Option<(Value, Scev)> {
    let (pointer, at) = (load.operand(0), load.parent());
    let s = table.an.evolution(pointer, Some(at))?;
    let (base, offset) = table.an.split_address(s);
    let base = (base.kind() == Kind::Unknown).then(|| base.unknown())?;
    let here = unsafe { LLVMGetPointerAddressSpace(base.raw_type()) == 0 };
    let mut offset = here.then(|| table.offset(offset, at)).flatten()?;
    exact(table, load, &mut offset);
    table.evolves(&offset).then_some((base, offset))
}

/// A value that stands for one that nobody knows yet.
fn unknown(table: &mut Table<'_>, of: Value, what: &str, ty: Ty) -> ValueId {
    let name = table.id(of);
    let name = format!("{}_{what}", table.values[name.index()].name);
    table.stand_in(
        of,
        &name,
        region::Value {
            name: String::new(),
            ty,
            def: Def::Invariant,
            scev: None,
        },
    )
}

/// What a linear expression is made of.
struct Linear {
    /// What does not move, but for unknown values.
    constant: i128,
    /// The greatest common divisor of all that is added to it; 0 if nothing is.
    step: i128,
}

impl Linear {
    fn of(s: &Scev) -> Option<Linear> {
        Some(Linear {
            constant: s.constant_part(),
            step: steps(s)?,
        })
    }
}

/// The greatest common divisor of all factors but of the constant part; `None` where something has no factor.
fn steps(s: &Scev) -> Option<i128> {
    let each = |v: &[Scev]| v.iter().try_fold(0, |d, s| Some(gcd(d, steps(s)?)));
    match &s.kind {
        ScevKind::Const(_) => Some(0),
        ScevKind::Add(terms, _) => each(terms),
        ScevKind::AddRec { operands, .. } => {
            let grown = operands[1..]
                .iter()
                .map(|s| Some(gcd(s.constant_part(), steps(s)?)));
            let first = steps(&operands[0])?;
            grown.into_iter().try_fold(first, |d, g| Some(gcd(d, g?)))
        }
        ScevKind::Mul(factors, _) => factors.iter().find_map(Scev::as_constant).map(i128::abs),
        _ => None,
    }
}

/// `s + by`: a recurrence of the loops of `by`, as far as `s` stands still in them.
fn behind(s: Scev, by: Scev) -> Scev {
    match by.kind {
        ScevKind::Const(c) => s.shifted(c),
        ScevKind::AddRec {
            loop_,
            mut operands,
            ..
        } if !s.loops().contains(&loop_) => {
            operands[0] = behind(s, operands[0].clone());
            let kind = ScevKind::AddRec {
                loop_,
                operands,
                wrap: Wrap::default(),
            };
            Scev { width: 64, kind }
        }
        kind => {
            let by = Scev { width: 64, kind };
            let kind = ScevKind::Add(vec![s, by], Wrap::default());
            Scev { width: 64, kind }
        }
    }
}

/// `s * distance * pitch`, sum by sum.
fn scaled(s: &Scev, distance: i128, pitch: ValueId) -> Scev {
    let each = |v: &[Scev]| v.iter().map(|s| scaled(s, distance, pitch)).collect();
    let width = s.width;
    let product = |factors: Vec<Scev>| ScevKind::Mul(factors, Wrap::default());
    let pitch = || Scev::unknown(width, pitch);
    let kind = match &s.kind {
        ScevKind::Const(0) => return Scev::constant(width, 0),
        ScevKind::Const(c) => product(vec![Scev::constant(width, c * distance), pitch()]),
        ScevKind::Add(terms, _) => ScevKind::Add(each(terms), Wrap::default()),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: each(operands),
            wrap: Wrap::default(),
        },
        _ => product(vec![Scev::constant(width, distance), pitch(), s.clone()]),
    };
    match kind {
        ScevKind::Mul(factors, wrap) => {
            let one = |f: &Scev| f.as_constant() == Some(1);
            let rest: Vec<Scev> = factors.into_iter().filter(|f| !one(f)).collect();
            match <[Scev; 1]>::try_from(rest) {
                Ok([only]) => only,
                Err(factors) => Scev {
                    width,
                    kind: ScevKind::Mul(factors, wrap),
                },
            }
        }
        kind => Scev { width, kind },
    }
}
