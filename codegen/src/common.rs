//! Values that statements of one iteration have in common (local value numbering).
//!
//! ```text
//! p[i] = f(a[i], b[i]) + 1                 f(a[i], b[i]) once
//! q[i] = f(a[i], b[i]) * 2
//! ```
//!
//! Statements with one domain that share operands are one statement in the model. Where domains differ, as those of stores that
//! wrap around at different ends of a row do, they are several, and each has all of its operands. Where they run one after the other in
//! an iteration, these are computed once: LLVM has looked for common values before this pass and does not look again.
//!
//! Two reads yield the same if they are of one element and nothing in between may have written it, an operation if it clones the same
//! instruction with the same operands, a choice if both its condition and its sides do. What makes a value has a number, whether it was computed
//! already or not; what is computed on a side of a choice is known there only and is not kept.

use crate::forward::Touch;
use crate::ir::{Int, Value};
use inkwell::values::AsValueRef;
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::ast::User;
use polytile_analysis::ids::{ArrayId, LoopId, ValueId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// What is known while statements that follow each other are emitted.
pub(crate) struct Common<'c> {
    /// The statement that is being emitted.
    at: usize,
    /// Reads, by statement and number of the access, that find what others find.
    classes: BTreeMap<(usize, usize), usize>,
    numbers: BTreeMap<Shape, Number>,
    found: BTreeMap<Number, Value<'c>>,
}

/// The number of what makes a value.
pub(crate) type Number = usize;

/// What makes a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    /// It is there.
    Value(LLVMValueRef),
    /// A class of reads.
    Read(usize),
    /// A read that finds what no other one finds, by statement and number.
    Alone(usize, usize),
    /// A value from outside.
    Invariant(ValueId),
    /// A constant.
    Bits(Ty, u64),
    /// An integer that depends on iterators.
    Index(Scev, Vec<(LoopId, LLVMValueRef)>),
    /// An operation: a clone of an instruction, or a choice between what is computed.
    Op(ValueId, OpCode, Vec<Number>),
}

impl<'c> Common<'c> {
    pub(crate) fn new(scop: &Scop, users: &[&User]) -> Common<'c> {
        let mut arrays: BTreeMap<ArrayId, Vec<usize>> = BTreeMap::new();
        for (at, u) in users.iter().enumerate() {
            for a in &scop.stmt(u.stmt).accesses {
                let list = arrays.entry(a.array).or_default();
                if list.last() != Some(&at) {
                    list.push(at);
                }
            }
        }
        let mut classes = BTreeMap::new();
        for (array, list) in arrays.into_iter().filter(|(_, list)| list.len() > 1) {
            classify(
                &crate::forward::touches(scop, users, list, array),
                &mut classes,
            );
        }
        Common {
            at: 0,
            classes,
            numbers: BTreeMap::new(),
            found: BTreeMap::new(),
        }
    }

    /// Goes on to a statement.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// What makes the value of a read of the current statement.
    pub(crate) fn read(&self, number: usize) -> Shape {
        match self.classes.get(&(self.at, number)) {
            Some(class) => Shape::Read(*class),
            None => Shape::Alone(self.at, number),
        }
    }

    /// The number of what makes a value; a new one where nothing was made like that.
    pub(crate) fn number(&mut self, shape: Shape) -> Number {
        let next = self.numbers.len();
        *self.numbers.entry(shape).or_insert(next)
    }

    /// The value, if it was computed.
    pub(crate) fn get(&self, number: Number) -> Option<Value<'c>> {
        self.found.get(&number).copied()
    }

    /// Keeps a value for the statements that follow.
    pub(crate) fn keep(&mut self, number: Number, value: Value<'c>) {
        self.found.insert(number, value);
    }
}

impl Shape {
    pub(crate) fn value(value: Value) -> Shape {
        Shape::Value(value.as_value_ref())
    }

    pub(crate) fn index(scev: &Scev, at: &[(LoopId, Int)]) -> Shape {
        let at = at.iter().map(|(l, value)| (*l, value.as_value_ref()));
        Shape::Index(scev.clone(), at.collect())
    }
}

/// Numbers the reads of one array: those that find the same have one number.
fn classify(touches: &[Touch], classes: &mut BTreeMap<(usize, usize), usize>) {
    let mut open: Vec<(usize, usize)> = vec![];
    for (n, t) in touches.iter().enumerate() {
        if t.write {
            open.retain(|(first, _)| touches[*first].is_other_cell(t));
            continue;
        }
        let same = open
            .iter()
            .find(|(first, _)| touches[*first].is_same_cell(t));
        let class = same.map_or(classes.len(), |(_, class)| *class);
        if same.is_none() {
            open.push((n, class));
        }
        classes.insert((t.user, t.number), class);
    }
}
