//! Held cells that the first iteration of a nest reads, whichever way it takes.
//!
//! ```text
//! for y: for x: if (y == h - 1 || x == 0 || ..) to->data[..] = ..; else to->data[..] = f(..)
//!
//! y = x = 0:    y == h - 1: to->data is read;    else x == 0: to->data is read
//! ```
//!
//! All counters have their first values where the first iteration comes for the first time, which decides some conditions. Where
//! one is open, the cell has to be read on both ways.

use super::held::{Cell, Contents, MAX_BLOCKS, MAX_STEPS, Nest};
use super::opcode::int_predicate;
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::LLVMPointerTypeKind;
use llvm_sys::core::LLVMGetTypeKind;
use polytile_analysis::region::CmpPred;
use std::collections::BTreeSet;

impl Nest<'_> {
    /// Whether the first iteration runs one of these loads.
    pub(super) fn loads_at_first(&self, loads: &[Value], contents: &Contents) -> bool {
        let wanted: BTreeSet<Block> = loads.iter().map(|l| l.parent()).collect();
        let mut walk = Walk {
            wanted,
            contents,
            left: 2 * MAX_BLOCKS,
        };
        self.comes_to(self.nest.header(), &mut walk, &mut BTreeSet::new())
    }

    /// Whether a cell is an entry of a table of which the nest reads pointers at places that move: that is an array of rows.
    pub(super) fn is_table(&self, cell: &Cell) -> bool {
        let pointer = |i: &Value| unsafe { LLVMGetTypeKind(i.raw_type()) } == LLVMPointerTypeKind;
        let mut loads = (self.instructions()).filter(|i| i.effect() == Effect::Load && pointer(i));
        let object = cell.pointer.object();
        loads.any(|i| self.contains(i.operand(0)) && i.operand(0).object() == object)
    }

    /// Whether all ways from a block come to what is wanted before they leave the nest or come back to where they have been.
    fn comes_to(&self, at: Block, walk: &mut Walk, been: &mut BTreeSet<Block>) -> bool {
        if walk.left == 0 || !self.blocks.contains(&at) || !been.insert(at) {
            return false;
        }
        walk.left -= 1;
        if walk.wanted.contains(&at) {
            been.remove(&at);
            return true;
        }
        let t = at.terminator();
        let mut to = t.successors();
        if t.opcode() != LLVMBr {
            return false;
        }
        if let ([yes, no], Some(c)) = (to.as_slice(), t.condition())
            && let Some(holds) = self
                .decided(c, walk.contents)
                .or_else(|| self.outcome(c, &mut 0))
        {
            to = vec![if holds { *yes } else { *no }];
        }
        let all = to.into_iter().all(|b| self.comes_to(b, walk, been));
        been.remove(&at);
        all
    }

    /// The outcome of a condition in the first iteration; `None`: not a matter of constants.
    pub(super) fn outcome(&self, c: Value, steps: &mut usize) -> Option<bool> {
        *steps += 1;
        if *steps > MAX_STEPS {
            return None;
        }
        if let Some(known) = c.int_constant() {
            return Some(known != 0);
        }
        if !self.contains(c) {
            return None;
        }
        let of = |i: u32, steps: &mut usize| self.outcome(c.operand(i), steps);
        match c.opcode() {
            LLVMFreeze => of(0, steps),
            LLVMICmp => self.compared(c),
            LLVMAnd => both(of(0, steps), of(1, steps), false),
            LLVMOr => both(of(0, steps), of(1, steps), true),
            LLVMXor => Some(of(0, steps)? != of(1, steps)?),
            LLVMSelect => match of(0, steps) {
                Some(true) => of(1, steps),
                Some(false) => of(2, steps),
                None => None,
            },
            _ => None,
        }
    }

    fn compared(&self, c: Value) -> Option<bool> {
        let (a, b) = (self.number(c.operand(0))?, self.number(c.operand(1))?);
        let natural = a >= 0 && b >= 0;
        match int_predicate(c) {
            CmpPred::Eq => Some(a == b),
            CmpPred::Ne => Some(a != b),
            CmpPred::Ult | CmpPred::Slt if natural => Some(a < b),
            CmpPred::Ule | CmpPred::Sle if natural => Some(a <= b),
            CmpPred::Ugt | CmpPred::Sgt if natural => Some(a > b),
            CmpPred::Uge | CmpPred::Sge if natural => Some(a >= b),
            _ => None,
        }
    }

    /// A constant, or the one that a counter begins at.
    fn number(&self, v: Value) -> Option<i128> {
        if !v.is_instruction() || !v.is_phi() || !self.contains(v) {
            return v.int_constant();
        }
        let around = self.an.loop_of(v.parent())?;
        let incoming = v.incoming();
        if around.header() != v.parent() || incoming.len() != 2 {
            return None;
        }
        let mut from = incoming.into_iter();
        let first = from.find(|(b, _)| *b != around.latch())?.1;
        first.int_constant()
    }
}

/// Ways through the first iteration.
struct Walk<'c> {
    /// Blocks that they should come to.
    wanted: BTreeSet<Block>,
    contents: &'c Contents,
    /// So many blocks may still be looked at.
    left: usize,
}

/// `and` or `or` of two outcomes, one of which may be enough.
fn both(a: Option<bool>, b: Option<bool>, enough: bool) -> Option<bool> {
    match (a, b) {
        (Some(x), _) | (_, Some(x)) if x == enough => Some(enough),
        (Some(_), Some(_)) => Some(!enough),
        _ => None,
    }
}
