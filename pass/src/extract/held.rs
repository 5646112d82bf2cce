//! Loads of sizes and pointers that the program repeats because a write of the nest might change what they read.
//!
//! ```text
//! struct image { int w, h; unsigned char *p; };         for y < d->h: for x < d->w: d->p[y * d->w + x] = ..
//! ```
//!
//! A byte may be stored over `d->w`, so `d->w`, `d->h` and `d->p` are loaded again and again, and no bound, no row and no
//! base is invariant. They are if no write of the region touches them, which the version check can find out: each such
//! cell is *held*, one more array that must not overlap with what is written. Its value is loaded once in front of the nest,
//! where the first of the program's loads would run anyway or memory is known to be there ([`prepare`]).
//!
//! While the nest is tried, its loads have that value's uses; then the program's own loads get them back
//! ([`Prepared::restore`]), for the original version has to be what it was.

use super::delimit::Span;
use super::graph::Graph;
use crate::analyses::{Analyses, Loop};
use crate::ffi::Effect;
use crate::llvm::{Block, Value};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::{LLVMIntegerTypeKind, LLVMPointerTypeKind};
use llvm_sys::core::{
    LLVMBuildLoad2, LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMGetAlignment,
    LLVMGetNumOperands, LLVMGetOperand, LLVMGetTypeContext, LLVMGetTypeKind,
    LLVMPositionBuilderBefore, LLVMSetAlignment, LLVMSetOperand,
};
use std::collections::BTreeSet;

/// Cells held per nest.
const MAX_CELLS: usize = 16;

/// So far the way from a load to an address or a branch is followed.
const MAX_STEPS: u32 = 8;

/// A cell that is read in front of a nest.
#[derive(Clone)]
pub struct Cell {
    /// Its address.
    pub pointer: Value,
    /// The load in front of the nest.
    pub value: Value,
    /// The program's loads in the nest.
    pub loads: Vec<Value>,
}

/// A nest whose loads were replaced.
pub struct Prepared {
    /// Header of its outermost loop.
    pub header: Block,
    /// What is held.
    pub cells: Vec<Cell>,
    /// Uses that were changed: instruction, operand, what it was.
    changed: Vec<(Value, u32, Value)>,
}

impl Prepared {
    /// The instruction after which a region has to begin.
    pub fn last(&self) -> Value {
        self.cells
            .last()
            .expect("nothing is prepared without a cell")
            .value
    }

    /// Gives the program its own loads back.
    pub fn restore(&self) {
        for (user, i, was) in &self.changed {
            unsafe { LLVMSetOperand(user.0, *i, was.0) };
        }
    }
}

/// Replaces the loads of the first nest of a region that has such, but for those with one of these headers.
pub fn prepare(
    an: &Analyses,
    graph: &Graph,
    span: &Span,
    tried: &BTreeSet<Block>,
) -> Option<Prepared> {
    let nests = span.loops.iter().map(|l| graph.loops[*l].raw);
    nests
        .filter(|l| !tried.contains(&l.header()))
        .find_map(|nest| Nest::new(an, graph, nest)?.prepare())
}

/// A loop with all that is in it.
struct Nest<'a> {
    an: &'a Analyses,
    nest: Loop,
    blocks: BTreeSet<Block>,
    order: Vec<Block>,
    /// The end of the block in front of it.
    before: Value,
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

    fn contains(&self, v: Value) -> bool {
        v.is_instruction() && self.blocks.contains(&v.parent())
    }

    fn instructions(&self) -> impl Iterator<Item = Value> {
        self.order.iter().flat_map(|b| b.instructions())
    }

    fn prepare(&self) -> Option<Prepared> {
        let written = self.written();
        let mut cells: Vec<(Value, Vec<Value>)> = vec![];
        for load in self.instructions().filter(|i| i.effect() == Effect::Load) {
            let pointer = load.operand(0);
            let fits = !self.contains(pointer)
                && load.users().iter().all(|u| self.contains(*u))
                && !written.contains(&object(pointer))
                && self.steers(load);
            if !fits {
                continue;
            }
            let same = |c: &&mut (Value, Vec<Value>)| {
                c.0 == pointer && c.1[0].raw_type() == load.raw_type()
            };
            match cells.iter_mut().find(same) {
                Some((_, loads)) => loads.push(load),
                None => cells.push((pointer, vec![load])),
            }
        }
        cells.retain(|(_, loads)| self.may_load(loads));
        cells.truncate(MAX_CELLS);
        if cells.is_empty() {
            return None;
        }
        let mut changed = vec![];
        let cells = cells.into_iter().map(|(pointer, loads)| {
            let value = load_before(self.before, loads[0]);
            for load in &loads {
                replace(*load, value, &mut changed);
            }
            Cell {
                pointer,
                value,
                loads,
            }
        });
        Some(Prepared {
            header: self.nest.header(),
            cells: cells.collect(),
            changed,
        })
    }

    /// The objects that are written through an address which the nest does not load.
    fn written(&self) -> BTreeSet<Value> {
        let to = |i: Value| match i.effect() {
            Effect::Store => Some(object(i.operand(1))),
            Effect::Memset | Effect::Memcpy => Some(object(i.operand(0))),
            _ => None,
        };
        self.instructions().filter_map(to).collect()
    }

    /// Whether addresses or branches depend on what is loaded.
    fn steers(&self, load: Value) -> bool {
        match unsafe { LLVMGetTypeKind(load.raw_type()) } {
            LLVMPointerTypeKind => true,
            LLVMIntegerTypeKind => self.leads_on(load, MAX_STEPS),
            _ => false,
        }
    }

    fn leads_on(&self, v: Value, steps: u32) -> bool {
        let users = v.users().into_iter().filter(|u| self.contains(*u));
        steps > 0
            && users.into_iter().any(|u| match u.opcode() {
                LLVMGetElementPtr => u.operand(0) != v,
                LLVMICmp => u.users().iter().any(|b| b.opcode() == LLVMBr),
                LLVMSExt | LLVMZExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                    self.leads_on(u, steps - 1)
                }
                _ => false,
            })
    }

    /// Whether memory is there in front of the nest: it is known to be, or the program accesses it in any case.
    fn may_load(&self, loads: &[Value]) -> bool {
        let end = self.nest.latch().terminator();
        loads.iter().any(|l| self.an.instruction_dominates(*l, end))
            || self.an.may_load(loads[0], self.before)
    }
}

/// The object that an address belongs to, as far as the program says.
fn object(pointer: Value) -> Value {
    let mut at = pointer;
    while at.is_instruction() && at.opcode() == LLVMGetElementPtr {
        at = at.operand(0);
    }
    at
}

/// A load like this one, in front of an instruction.
fn load_before(at: Value, like: Value) -> Value {
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(like.raw_type()));
        LLVMPositionBuilderBefore(builder, at.0);
        let load = LLVMBuildLoad2(builder, like.raw_type(), like.operand(0).0, c"".as_ptr());
        LLVMSetAlignment(load, LLVMGetAlignment(like.0));
        LLVMDisposeBuilder(builder);
        Value(load)
    }
}

fn replace(was: Value, by: Value, changed: &mut Vec<(Value, u32, Value)>) {
    for user in was.users() {
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
