//! Loads of sizes and pointers that the program repeats because a write of the nest might change what they read.
//!
//! ```text
//! struct image { int w, h; unsigned char *p; };         for y < d->h: for x < d->w: d->p[y * d->w + x] = ..
//! ```
//!
//! A byte may be stored over `d->w`, so `d->w`, `d->h` and `d->p` are loaded again and again, and no bound, no row and no
//! base is invariant. They are if no write of the region touches them, which the version check can find out: each such
//! cell is *held*, one more array that must not overlap with what is written. Its value is loaded once in front of the nest,
//! where the first of the program's loads would run anyway or memory is known to be there ([`prepare`]). Where conditions that do not change in the nest
//! say whether the loads run, they say whether the cell is read: else something that holds zero is. Where conditions of the first iteration say
//! so, they have to hold (`assured.rs`); where nothing does, the cell has to be in one page with something that is read in any case (`near.rs`).
//!
//! While the nest is tried, its loads have that value's uses; then the program's own loads get them back
//! ([`Prepared::restore`]), for the original version has to be what it was.

use super::delimit::Span;
use super::graph::Graph;
use super::guarded::{hold_before, load_before};
use super::invariant::copies;
use super::objects::ranges;
use super::opcode::int_predicate;
use crate::analyses::{Analyses, Loop};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::{LLVMIntegerTypeKind, LLVMPointerTypeKind};
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use std::collections::{BTreeMap, BTreeSet};

/// Cells held per nest. A description of an array in three dimensions has ten.
const MAX_CELLS: usize = 256;

/// Ranges of bytes that they may make up: each is compared with all that is written.
const MAX_RANGES: usize = 32;

/// So many values on the way from a load to an address or a branch are looked at.
pub(super) const MAX_STEPS: usize = 64;

/// So many blocks may lie between earlier loads and the nest.
pub(super) const MAX_BLOCKS: usize = 32;

/// A cell that is read in front of a nest.
#[derive(Clone)]
pub struct Cell {
    /// Its address.
    pub pointer: Value,
    /// What it holds in front of the nest.
    pub value: Value,
    /// The program's loads in the nest.
    pub loads: Vec<Value>,
    /// PHIs that merge them.
    pub merges: Vec<Value>,
    /// Conditions that are known in front of the nest, and their outcomes, without which it does not read the cell.
    pub(super) when: Vec<(Value, bool)>,
    /// Where these do not hold, nobody knows whether the nest reads it.
    pub(super) is_required: bool,
}

/// A nest whose loads were replaced.
pub struct Prepared {
    /// Header of its outermost loop.
    pub header: Block,
    /// What is held.
    pub cells: Vec<Cell>,
    /// The instruction after which a region has to begin.
    pub last: Value,
    /// Uses that were changed: instruction, operand, what it was.
    changed: Vec<(Value, u32, Value)>,
}

impl Prepared {
    /// Gives the program its own loads back.
    pub fn restore(&self) {
        for (user, i, was) in &self.changed {
            unsafe { LLVMSetOperand(user.0, *i, was.0) };
        }
    }
}

/// Replaces the loads of the last nest of a region that has such, but for those with one of these headers.
pub fn prepare(
    an: &Analyses,
    graph: &Graph,
    span: &Span,
    tried: &BTreeSet<Block>,
) -> Option<Prepared> {
    let nests = span.loops.iter().map(|l| graph.loops[*l].raw);
    nests
        .rev()
        .filter(|l| !tried.contains(&l.header()))
        .find_map(|nest| Nest::new(an, graph, nest)?.prepare())
}

/// A loop with all that is in it.
pub(super) struct Nest<'a> {
    pub(super) an: &'a Analyses,
    pub(super) nest: Loop,
    pub(super) blocks: BTreeSet<Block>,
    order: Vec<Block>,
    /// The end of the block in front of it.
    pub(super) before: Value,
}

impl<'a> Nest<'a> {
    fn new(an: &'a Analyses, graph: &Graph, nest: Loop) -> Option<Nest<'a>> {
        let inside = |b: &Block| {
            let around = std::iter::successors(an.loop_of(*b), |l| l.parent());
            around.into_iter().any(|l| l == nest)
        };
        let mut order: Vec<(usize, Block)> = graph
            .position
            .iter()
            .map(|(b, i)| (*i, *b))
            .filter(|(_, b)| inside(b))
            .collect();
        order.sort();
        let order: Vec<Block> = order.into_iter().map(|(_, b)| b).collect();
        let before = nest.preheader()?.terminator();
        Some(Nest {
            an,
            nest,
            blocks: order.iter().copied().collect(),
            order,
            before,
        })
    }

    pub(super) fn contains(&self, v: Value) -> bool {
        v.is_instruction() && self.blocks.contains(&v.parent())
    }

    pub(super) fn instructions(&self) -> impl Iterator<Item = Value> {
        self.order.iter().flat_map(|b| b.instructions())
    }

    fn phis(&self) -> impl Iterator<Item = Value> {
        self.instructions().filter(|i| i.is_phi())
    }

    fn prepare(&self) -> Option<Prepared> {
        let mut cells = self.cells();
        let contents = self.contents(&cells);
        let first = self.first_iteration(&contents);
        let known = |c: &mut Cell| {
            self.may_load(&c.loads, &first)
                || !self.is_table(c) && self.loads_at_first(&c.loads, &contents)
                || self.is_guarded(c)
        };
        let open: Vec<Cell> = cells.extract_if(.., |c| !known(c)).collect();
        let assured = cells.len();
        let (open, later) = self.assured(open, &mut cells);
        let near = cells.len();
        self.near(open, &mut cells);
        if cells.is_empty() || cells.len() > MAX_CELLS || ranges(self.an, &cells).len() > MAX_RANGES
        {
            return None;
        }
        let (mut changed, mut last) = (vec![], self.before);
        let mut made = BTreeMap::new();
        let (iterations, exist) = self.later_iterations(later)?;
        for cell in &mut cells[assured..near] {
            cell.when.extend(exist.iter().map(|e| (*e, true)));
        }
        for cell in &mut cells {
            for (condition, _) in &mut cell.when {
                *condition = match cell.is_required {
                    true => self.known_first(*condition, &iterations, &mut made),
                    false => self.at_first(*condition, &mut made),
                };
            }
            let hold = hold_before(self.before, &cell.when);
            last = load_before(self.before, cell.loads[0], hold);
            // One value of one cell: what is computed from it in front of the nest and in it is the same, rows and bases above all.
            cell.value = self.known_before(&contents, cell).unwrap_or(last);
            self.hold(cell, &contents, &mut changed);
        }
        self.settle(&mut changed);
        // Casts and copies come after the loads; a region begins after the last of them all.
        let last = std::iter::successors(Some(last), |i| i.next());
        let last = last
            .take_while(|i| *i != self.before)
            .last()
            .expect("the load itself");
        Some(Prepared {
            header: self.nest.header(),
            last,
            cells,
            changed,
        })
    }

    /// Puts the value of a cell in the place of its loads, and of PHIs that merge them.
    fn hold(&self, cell: &mut Cell, contents: &Contents, changed: &mut Vec<(Value, u32, Value)>) {
        for load in &cell.loads {
            self.replace(*load, cell.value, changed);
        }
        // They have values where the loads do not run, too.
        for phi in self
            .phis()
            .filter(|_| cell.when.is_empty() || cell.is_required)
        {
            let Some(content) = contents.known.get(&phi).filter(|c| c.is_of(cell)) else {
                continue;
            };
            let value = match content.cast {
                None => cell.value,
                Some((opcode, ty)) => cast_before(self.before, cell.value, opcode, ty),
            };
            self.replace(phi, value, changed);
            if self.is_local(phi) {
                cell.merges.push(phi);
            }
        }
    }

    /// What may be held: read in the nest through an address from before it, of an object that the nest does not write as
    /// such, and used for addresses or branches.
    fn cells(&self) -> Vec<Cell> {
        let written = self.written();
        let mut cells: Vec<Cell> = vec![];
        for load in self.instructions().filter(|i| i.effect() == Effect::Load) {
            let pointer = load.operand(0);
            let fits = !self.contains(pointer)
                && self.is_local(load)
                && !written.contains(&pointer.object());
            if !fits {
                continue;
            }
            let same =
                |c: &&mut Cell| c.pointer == pointer && c.value.raw_type() == load.raw_type();
            match cells.iter_mut().find(same) {
                Some(cell) => cell.loads.push(load),
                None => cells.push(Cell {
                    pointer,
                    value: load,
                    loads: vec![load],
                    merges: vec![],
                    when: vec![],
                    is_required: false,
                }),
            }
        }
        cells.retain(|c| c.loads.iter().any(|l| self.steers(*l)));
        cells
    }

    /// Replaces a value where the nest uses it. What comes behind keeps a PHI, which now merges the replacement with itself.
    fn replace(&self, was: Value, by: Value, changed: &mut Vec<(Value, u32, Value)>) {
        for user in was.users().into_iter().filter(|u| self.contains(*u)) {
            for i in 0..u32::try_from(unsafe { LLVMGetNumOperands(user.0) }).unwrap_or(0) {
                unsafe {
                    if LLVMGetOperand(user.0, i) == was.0 {
                        LLVMSetOperand(user.0, i, by.0);
                        changed.push((user, i, was));
                    }
                }
            }
        }
    }

    /// Whether only the nest uses a value of it.
    fn is_local(&self, v: Value) -> bool {
        v.users().iter().all(|u| self.contains(*u))
    }

    /// The values that are what a cell holds: loads, and what merges loads of one cell, as redundancy elimination leaves it.
    fn contents(&self, cells: &[Cell]) -> Contents {
        let mut known = BTreeMap::new();
        for cell in cells {
            let content = Content {
                pointer: cell.pointer,
                ty: cell.loads[0].raw_type(),
                cast: None,
            };
            known.extend(cell.loads.iter().map(|l| (*l, content)));
            let loads = cell.pointer.users().into_iter().filter(|u| {
                u.is_instruction() && u.effect() == Effect::Load && u.raw_type() == content.ty
            });
            let merged = self.phis().flat_map(|p| p.incoming()).map(|(_, v)| v);
            let merged = merged.filter(|v| v.is_instruction() && v.raw_type() == content.ty);
            let before = loads.chain(merged).filter(|v| {
                !self.contains(*v)
                    && self.an.instruction_dominates(*v, self.before)
                    && self.is_held(*v, cell)
            });
            known.extend(before.map(|v| (v, content)));
        }
        let mut contents = Contents { known };
        let phis: Vec<Value> = self.phis().collect();
        // Guess by one incoming value, then drop what another one refutes.
        while let Some((phi, c)) = phis.iter().find_map(|p| {
            let new = !contents.known.contains_key(p);
            let mut incoming = p.incoming().into_iter();
            let guess = incoming.find_map(|(_, v)| contents.of(v));
            Some((*p, guess.filter(|_| new)?))
        }) {
            contents.known.insert(phi, c);
        }
        while let Some(wrong) = phis.iter().find(|p| {
            let own = contents.known.get(p);
            let differs = |v: Value| v != **p && contents.of(v).as_ref() != own;
            own.is_some() && p.incoming().into_iter().any(|(_, v)| differs(v))
        }) {
            contents.known.remove(wrong);
        }
        contents
    }

    /// The first value from before the nest that is what a cell holds.
    fn known_before(&self, contents: &Contents, cell: &Cell) -> Option<Value> {
        let own = contents.known.iter().filter(|(v, c)| {
            c.is_of(cell) && c.cast.is_none() && !self.blocks.contains(&v.parent())
        });
        own.map(|(v, _)| *v).reduce(|a, b| {
            let turned = self.an.instruction_dominates(b, a);
            if turned { b } else { a }
        })
    }

    /// Whether a value from before the nest is what a cell holds in front of it. On all ways back from there, nothing of the cell's
    /// type is written up to a load of the cell, which is this value by the PHIs on the way: so redundancy elimination leaves it.
    fn is_held(&self, v: Value, cell: &Cell) -> bool {
        let keeps = |i: &Value| {
            let other = || self.an.other_type(*i, cell.loads[0]);
            is_harmless(i) || i.effect() == Effect::Store && other()
        };
        // A PHI of a loop in which the address is computed brings what was at another one.
        let is_fixed = |phi: Value| {
            let p = cell.pointer;
            !p.is_instruction()
                || p.parent() != phi.parent() && self.an.instruction_dominates(p, phi)
        };
        let mut seen: BTreeSet<(Block, Value)> = BTreeSet::new();
        let mut pending = vec![(self.before.parent(), v)];
        while let Some((b, v)) = pending.pop() {
            if !seen.insert((b, v)) {
                continue;
            }
            if seen.len() > MAX_BLOCKS || !v.is_instruction() {
                return false;
            }
            let behind = b.instructions();
            let mut behind = behind.iter().rev().take_while(|i| **i != v || v.is_phi());
            if !behind.all(keeps) {
                return false;
            }
            match (v.parent() == b, v.is_phi()) {
                (true, true) if !is_fixed(v) => return false,
                (true, true) => pending.extend(v.incoming()),
                (true, false) => {
                    let loads = v.effect() == Effect::Load && v.operand(0) == cell.pointer;
                    if !loads || v.raw_type() != cell.loads[0].raw_type() {
                        return false;
                    }
                }
                (false, _) => {
                    let from = b.predecessors();
                    if from.is_empty() {
                        return false;
                    }
                    pending.extend(from.into_iter().map(|p| (p, v)));
                }
            }
        }
        true
    }

    /// Blocks that run in the first iteration: branches go where the same comparison went in front of the nest.
    fn first_iteration(&self, contents: &Contents) -> BTreeSet<Block> {
        let mut run = BTreeSet::new();
        let mut at = Some(self.nest.header());
        while let Some(b) = at.filter(|b| self.blocks.contains(b) && run.insert(*b)) {
            let t = b.terminator();
            if t.opcode() != LLVMBr {
                break;
            }
            at = match (t.successors().as_slice(), t.condition()) {
                ([only], _) => Some(*only),
                ([yes, no], Some(c)) => self
                    .decided(c, contents)
                    .map(|holds| if holds { *yes } else { *no }),
                _ => None,
            };
        }
        run
    }

    /// The outcome of a comparison of a cell's content, if the way to the nest had the same.
    pub(super) fn decided(&self, c: Value, contents: &Contents) -> Option<bool> {
        if !c.is_instruction() || c.opcode() != LLVMICmp {
            return None;
        }
        let content = contents.of(c.operand(0))?;
        let before = contents
            .known
            .iter()
            .filter(|(v, k)| **k == content && !self.contains(**v));
        let tests = before.flat_map(|(v, _)| v.users());
        self.way_taken(tests.filter(|u| is_same_test(*u, c) && u.operand(1) == c.operand(1)))
    }

    /// The outcome that all ways to the nest have of one of these tests.
    fn way_taken(&self, mut tests: impl Iterator<Item = Value>) -> Option<bool> {
        let target = self.before.parent();
        tests.find_map(|test| {
            let branches = test.users().into_iter().filter(|b| b.opcode() == LLVMBr);
            branches.into_iter().find_map(|b| {
                let to = b.successors();
                let taken =
                    |n: usize| to[0] != to[1] && self.an.edge_dominates(b.parent(), to[n], target);
                if taken(0) {
                    Some(true)
                } else {
                    taken(1).then_some(false)
                }
            })
        })
    }

    /// Replaces what the nest computes from cells alone and scalar evolution takes as it is: branches that go where they went in front of
    /// the nest by what they did there, the rest by a copy in front.
    fn settle(&self, changed: &mut Vec<(Value, u32, Value)>) {
        for c in self.instructions().filter(|i| i.opcode() == LLVMICmp) {
            let operands = c.operands();
            if operands.iter().any(|o| self.contains(*o)) || operands[0].is_constant() {
                continue;
            }
            let before = operands[0].users();
            let before = before
                .into_iter()
                .filter(|u| is_same_test(*u, c) && u.operands() == operands && !self.contains(*u));
            if let Some(holds) = self.way_taken(before) {
                let known = unsafe { LLVMConstInt(c.raw_type(), holds.into(), 0) };
                self.replace(c, Value(known), changed);
            }
        }
        for (was, copy) in copies(self.instructions(), &self.blocks, self.before) {
            self.replace(was, copy, changed);
        }
    }

    /// The objects that are written through an address which the nest does not load.
    fn written(&self) -> BTreeSet<Value> {
        let to = |i: Value| match i.effect() {
            Effect::Store => Some(i.operand(1).object()),
            Effect::Memset | Effect::Memcpy => Some(i.operand(0).object()),
            _ => None,
        };
        self.instructions().filter_map(to).collect()
    }

    /// Whether addresses or branches depend on what is loaded.
    fn steers(&self, load: Value) -> bool {
        steers(load, |u| self.contains(u))
    }

    /// Whether memory is there in front of the nest: it is known to be, or the program accesses it in any case.
    fn may_load(&self, loads: &[Value], first: &BTreeSet<Block>) -> bool {
        let end = self.nest.latch().terminator();
        let runs = |l: &Value| {
            first.contains(&l.parent())
                || self.an.instruction_dominates(*l, end) && self.stays_before(l.parent())
        };
        loads.iter().any(runs) || self.an.may_load(loads[0], self.before)
    }
}

impl Nest<'_> {
    /// Whether no way from the beginning of the nest leaves it in front of a block: a check that fails ends the program first.
    fn stays_before(&self, target: Block) -> bool {
        let mut seen = BTreeSet::from([self.nest.header()]);
        let mut pending = vec![self.nest.header()];
        while let Some(b) = pending.pop() {
            if b == target {
                continue;
            }
            for to in b.successors() {
                if !self.blocks.contains(&to) {
                    return false;
                }
                if seen.insert(to) {
                    pending.push(to);
                }
            }
        }
        true
    }
}

/// Whether addresses or branches among these instructions depend on what is loaded.
pub(super) fn steers(load: Value, among: impl Fn(Value) -> bool) -> bool {
    match unsafe { LLVMGetTypeKind(load.raw_type()) } {
        LLVMPointerTypeKind => true,
        LLVMIntegerTypeKind => leads_on(load, among),
        _ => false,
    }
}

fn leads_on(v: Value, among: impl Fn(Value) -> bool) -> bool {
    let mut seen = BTreeSet::from([v]);
    let mut pending = vec![v];
    while let Some(v) = pending.pop() {
        for u in v.users().into_iter().filter(|u| among(*u)) {
            match u.opcode() {
                LLVMGetElementPtr if u.operand(0) != v => return true,
                LLVMICmp if u.users().iter().any(|b| b.opcode() == LLVMBr) => return true,
                LLVMPHI | LLVMSExt | LLVMZExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMMul
                | LLVMShl | LLVMCall
                    if (u.opcode() != LLVMCall || is_extremum(u))
                        && seen.len() < MAX_STEPS
                        && seen.insert(u) =>
                {
                    pending.push(u);
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether a value is the smaller or larger one of two integers.
pub(super) fn is_extremum(v: Value) -> bool {
    let extrema = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax"];
    v.opcode() == LLVMCall && matches!(v.callee(), (name, true) if extrema.contains(&name.as_str()))
}

/// Whether two values are comparisons of integers or addresses in the same way.
fn is_same_test(u: Value, c: Value) -> bool {
    u.is_instruction() && u.opcode() == LLVMICmp && int_predicate(u) == int_predicate(c)
}

/// Whether an instruction writes nothing.
pub(super) fn is_harmless(i: &Value) -> bool {
    use Effect::{Branch, Ignore, Load, Phi, Pure};
    matches!(i.effect(), Load | Pure | Phi | Ignore | Branch)
}

/// What a value is: the content of a cell, maybe extended.
#[derive(Clone, Copy, PartialEq)]
struct Content {
    pointer: Value,
    ty: LLVMTypeRef,
    cast: Option<(LLVMOpcode, LLVMTypeRef)>,
}

impl Content {
    fn is_of(&self, cell: &Cell) -> bool {
        self.pointer == cell.pointer && self.ty == cell.loads[0].raw_type()
    }
}

/// The values that are contents of cells.
pub(super) struct Contents {
    known: BTreeMap<Value, Content>,
}

impl Contents {
    fn of(&self, v: Value) -> Option<Content> {
        if let Some(c) = self.known.get(&v) {
            return Some(*c);
        }
        if !v.is_instruction() || !matches!(v.opcode(), LLVMSExt | LLVMZExt) {
            return None;
        }
        let inner = self.known.get(&v.operand(0)).filter(|c| c.cast.is_none())?;
        Some(Content {
            cast: Some((v.opcode(), v.raw_type())),
            ..*inner
        })
    }
}

fn cast_before(at: Value, v: Value, opcode: LLVMOpcode, ty: LLVMTypeRef) -> Value {
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(ty));
        LLVMPositionBuilderBefore(builder, at.0);
        let cast = LLVMBuildCast(builder, opcode, v.0, ty, c"".as_ptr());
        LLVMDisposeBuilder(builder);
        Value(cast)
    }
}
