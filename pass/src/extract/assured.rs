//! Held cells that a nest reads if its first iteration takes one way, which is known in front of it.
//!
//! ```text
//! for i < a->r: for j < b->c: { for k < a->c: ..  assert(i < c->r && j < c->c);  c->d[..] = s; }
//!
//! c->d is read if    b->c > 0 and 0 < c->r and 0 < c->c
//! ```
//!
//! Conditions that checks and empty loops bring along are computed for the first iteration, from values from before the nest, counters where they
//! begin, and cells that are held themselves: nothing is written on the way that might be one of these, so that the way is the one that the program takes. In
//! inner loops it may be a later iteration (`later.rs`). Whether cells are read by later iterations of others alone stays open. So where these conditions do not hold, the new version does not run ([`Cell::required`]).

use super::guarded::copy_before;
use super::held::{Cell, MAX_STEPS, Nest, is_extremum, is_harmless};
use super::later::{Iterations, Later};
use crate::analyses::Loop;
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::*;
use std::collections::{BTreeMap, BTreeSet};

/// So many blocks are looked at on ways to a cell.
const MAX_WAY: usize = 64;

/// Conditions and their outcomes.
type Conditions = Vec<(Value, bool)>;

impl Nest<'_> {
    /// Parts cells that are read where conditions hold from those of which nobody knows. What is read behind conditions on other cells comes behind
    /// these. The others come back, and what has to be known of inner loops.
    pub(super) fn assured(
        &self,
        mut open: Vec<Cell>,
        held: &mut Vec<Cell>,
    ) -> (Vec<Cell>, Vec<Later>) {
        let mut all_later: Vec<Later> = vec![];
        let from = held.len();
        let mut loads: BTreeSet<Value> = held.iter().flat_map(|c| c.loads.clone()).collect();
        let next = |open: &[Cell], held: &[Cell], loads: &BTreeSet<Value>, later: &[Later]| {
            let known = |later: &[Later]| {
                let mut when = held[from..].iter().flat_map(|c| &c.when);
                when.all(|c| self.may_be(*c, later))
            };
            open.iter().enumerate().find_map(|(i, cell)| {
                let found = self.read_where(cell, loads, later)?;
                known(&found.1).then_some((i, found))
            })
        };
        while let Some((at, (when, later))) = next(&open, held, &loads, &all_later) {
            let mut cell = open.remove(at);
            loads.extend(&cell.loads);
            cell.when = when;
            cell.is_required = true;
            held.push(cell);
            all_later = later;
        }
        (open, all_later)
    }

    /// Conditions under which the first iteration reads a cell, and what has to be known of inner loops, for others before it as well.
    fn read_where(
        &self,
        cell: &Cell,
        held: &BTreeSet<Value>,
        later: &[Later],
    ) -> Option<(Conditions, Vec<Later>)> {
        if self.is_table(cell) {
            return None;
        }
        let mut way = Way {
            loads: &cell.loads,
            held,
            known: BTreeMap::new(),
            later: later.to_vec(),
            is_clear: true,
        };
        let when = self.reads_from(self.nest.header(), &mut way)?;
        let later = std::mem::take(&mut way.later);
        let reaches = |l: &Later| self.is_known_at(l.counter, l.at, (&BTreeSet::new(), &mut 0));
        let known = way.is_clear
            && later.iter().all(reaches)
            && later.iter().all(|l| self.may_be((l.counter, true), &later))
            && when.iter().all(|c| self.may_be(*c, &later));
        (known && !(when.is_empty() && later.is_empty())).then_some((when, later))
    }

    /// Conditions under which the first time that a block runs leads to what is wanted.
    fn reads_from(&self, at: Block, way: &mut Way<'_>) -> Option<Conditions> {
        if let Some(known) = way.known.get(&at) {
            return known.clone();
        }
        if way.known.len() == MAX_WAY || !self.blocks.contains(&at) {
            return None;
        }
        // A way back leads to nothing new.
        way.known.insert(at, None);
        let found = self.reads_in(at, way);
        way.known.insert(at, found.clone());
        found
    }

    fn reads_in(&self, at: Block, way: &mut Way<'_>) -> Option<Conditions> {
        let instructions = at.instructions();
        let passes = |i: &Value| self.leaves(i, way);
        let mut run = instructions.iter().take_while(|i| passes(i));
        if run.any(|i| way.loads.contains(i)) {
            return Some(vec![]);
        }
        if !instructions.iter().all(passes) {
            return None;
        }
        self.reads_behind(at, way)
    }

    fn reads_behind(&self, at: Block, way: &mut Way<'_>) -> Option<Conditions> {
        if let Some(l) = self.begins(at)
            && !way.loads.iter().any(|load| self.is_in(load.parent(), l))
        {
            let end = self.end_of(l, |i| self.leaves(i, way))?;
            return self.reads_from(end, way);
        }
        let t = at.terminator();
        if t.opcode() != LLVMBr {
            return None;
        }
        let (yes, no, c) = match (t.successors().as_slice(), t.condition()) {
            ([only], _) => return self.reads_from(*only, way),
            ([yes, no], Some(c)) => (*yes, *no, c),
            _ => return None,
        };
        let (yes, no) = (self.reads_from(yes, way), self.reads_from(no, way));
        let (found, outcome) = match (yes, no) {
            // More than it takes, on either way.
            (Some(yes), Some(no)) => return Some(all_of(yes, no)),
            (Some(found), None) => (found, true),
            (None, Some(found)) => (found, false),
            (None, None) => return None,
        };
        match self.later(c, outcome, at) {
            // Conditions on one counter are enough.
            Some(later) if way.later.contains(&later) => return Some(found),
            Some(later) if way.later.iter().all(|l| l.header() != later.header()) => {
                way.later.push(later);
                return Some(found);
            }
            _ => {}
        }
        way.is_clear &= self.is_known_at(c, at, (way.held, &mut 0));
        Some(all_of(vec![(c, outcome)], found))
    }

    /// The loop inside of the nest that begins with a block.
    fn begins(&self, at: Block) -> Option<Loop> {
        let l = self.an.loop_of(at)?;
        (l.header() == at && l != self.nest).then_some(l)
    }

    fn is_in(&self, b: Block, l: Loop) -> bool {
        let mut around = std::iter::successors(self.an.loop_of(b), |l| l.parent());
        around.any(|o| o == l)
    }

    /// Whether an instruction changes none of the cells that a way is about.
    fn leaves(&self, i: &Value, way: &Way<'_>) -> bool {
        let to = match i.effect() {
            Effect::Store => i.operand(1),
            Effect::Memset => i.operand(0),
            _ => return is_harmless(i),
        };
        let (to, mut cells) = (to.object(), way.loads.iter().chain(way.held));
        cells.all(|l| (self.an).no_alias((l.operand(0).object(), *l), (to, *i), false))
    }

    /// The one block that a loop leads to, which ends and is of nothing but such instructions.
    pub(super) fn end_of(&self, l: Loop, passes: impl Fn(&Value) -> bool) -> Option<Block> {
        let own = self.blocks.iter().filter(|b| self.is_in(**b, l));
        let own: BTreeSet<Block> = own.copied().collect();
        let mut all = own.iter().flat_map(|b| b.instructions());
        if !all.all(|i| passes(&i)) {
            return None;
        }
        let mut loops = own.iter().filter_map(|b| self.an.loop_of(*b));
        if !loops.all(|l| self.an.backedge_count(l).is_some()) {
            return None;
        }
        let to = own.iter().flat_map(|b| b.successors());
        let to: BTreeSet<Block> = to.filter(|b| !own.contains(b)).collect();
        (to.len() == 1).then(|| to.into_iter().next())?
    }

    /// Whether a value is known in front of the nest where a block runs for the first time.
    fn is_known_at(
        &self,
        v: Value,
        at: Block,
        (held, steps): (&BTreeSet<Value>, &mut usize),
    ) -> bool {
        *steps += 1;
        if !self.contains(v) || held.contains(&v) {
            return true;
        }
        if *steps > MAX_STEPS {
            return false;
        }
        if v.is_phi() {
            let begun = self.begun_with(v).filter(|_| self.is_around(v, at));
            return begun.is_some_and(|v| self.is_known_at(v, at, (held, steps)));
        }
        let mut operands = v.operands().into_iter();
        is_plain(v) && operands.all(|o| self.is_known_at(o, at, (held, steps)))
    }

    /// Whether the loop that a PHI belongs to is still in its first iteration where a block runs for the first time.
    fn is_around(&self, phi: Value, at: Block) -> bool {
        let own = self.an.loop_of(phi.parent());
        own.is_some_and(|l| self.is_in(at, l))
    }

    /// Adds the PHIs of loops' heads that a value is made of; whether these are all.
    fn counters(&self, v: Value, found: &mut BTreeSet<Value>, steps: &mut usize) -> bool {
        *steps += 1;
        if !self.contains(v) || found.contains(&v) {
            return true;
        }
        if v.is_phi() {
            found.insert(v);
            return true;
        }
        let mut operands = v.operands().into_iter();
        *steps <= MAX_STEPS && operands.all(|o| self.counters(o, found, steps))
    }

    /// Whether all of a condition may be computed for these iterations of inner loops, and it may have this outcome.
    fn may_be(&self, (condition, outcome): (Value, bool), later: &[Later]) -> bool {
        let mut counters = BTreeSet::new();
        if !self.counters(condition, &mut counters, &mut 0) {
            return false;
        }
        let of = |phi: &Value, l: &Later| l.header() == phi.parent();
        let moved = counters
            .iter()
            .filter(|phi| later.iter().any(|l| of(phi, l)));
        let moved: Vec<&Value> = moved.collect();
        match moved.is_empty() {
            true => self.outcome(condition, &mut 0) != Some(!outcome),
            false => moved.into_iter().all(|phi| self.goes_evenly(*phi)),
        }
    }

    /// What a PHI at the head of a loop is in the first iteration.
    fn begun_with(&self, phi: Value) -> Option<Value> {
        let l = self.an.loop_of(phi.parent())?;
        let mut outside = (phi.incoming().into_iter()).filter(|(b, _)| !self.is_in(*b, l));
        match (l.header() == phi.parent(), outside.next(), outside.next()) {
            (true, Some((_, v)), None) => Some(v),
            _ => None,
        }
    }

    /// A value that [`Nest::is_known_at`], computed in front of the nest, in these iterations of loops and the first one of others. Held cells have
    /// their values already.
    pub(super) fn known_first(
        &self,
        v: Value,
        iterations: &Iterations,
        made: &mut BTreeMap<Value, Value>,
    ) -> Value {
        if !self.contains(v) {
            return v;
        }
        if let Some(known) = made.get(&v) {
            return *known;
        }
        let value = match v.is_phi() {
            true => {
                let begun = self.begun_with(v).expect("asked before");
                let begun = self.known_first(begun, iterations, made);
                match iterations.get(&v.parent()) {
                    Some(iteration) => self.counted(v, begun, *iteration),
                    None => begun,
                }
            }
            false => {
                let operands = v.operands().into_iter();
                let operands = operands.map(|o| self.known_first(o, iterations, made));
                let operands: Vec<Value> = operands.collect();
                copy_before(self.before, v, &operands)
            }
        };
        made.insert(v, value);
        value
    }
}

/// Ways to the loads of a cell.
struct Way<'h> {
    loads: &'h [Value],
    /// Loads of cells whose values are known in front of the nest.
    held: &'h BTreeSet<Value>,
    /// What is known of blocks that ways have come to.
    known: BTreeMap<Block, Option<Conditions>>,
    /// What has to be known of inner loops.
    later: Vec<Later>,
    /// All conditions that decide are known.
    is_clear: bool,
}

/// Nothing that may trap or reads memory: not all conditions need to be reached.
fn is_plain(v: Value) -> bool {
    match v.opcode() {
        LLVMICmp | LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMSExt | LLVMZExt | LLVMTrunc
        | LLVMAnd | LLVMOr | LLVMXor | LLVMSelect | LLVMFreeze => true,
        _ => is_extremum(v),
    }
}

fn all_of(mut a: Conditions, b: Conditions) -> Conditions {
    for c in b {
        if !a.contains(&c) {
            a.push(c);
        }
    }
    a
}
