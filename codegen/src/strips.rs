//! Loops in strips: what accumulating statements add is computed for a strip of iterations in vector lanes, and added in order.
//!
//! ```text
//! for J = first, first + 64, ..:
//!   last of the strip = min(J + 63, last)
//!   for j in the strip:  everything but the updates; strip[j - J] = operand       independent, for the vectorizer
//!   for j in the strip:  s = s + strip[j - J]                                     in order
//! ```
//!
//! A strip stays in the first level cache, and is short enough for the processor to begin the next one while the sums of this one
//! are not finished.

use crate::body::Instance;
use crate::emit::Emitter;
use crate::ir::{Arith, Int, Ptr, Value, constant};
use crate::loops::Range;
use crate::metadata::LoopCode;
use inkwell::types::BasicType;
use polytile_analysis::ast::{Chain, For};
use polytile_analysis::ids::{NodeId, StmtId};
use polytile_analysis::region::Ty;
use std::collections::BTreeMap;

/// Iterations of a strip.
const STRIP: u32 = 64;

/// The loop in strips around the current place.
#[derive(Clone)]
pub(crate) struct Strips<'c> {
    /// Where operands of one iteration after the other lie.
    slots: BTreeMap<(StmtId, NodeId), (Ty, Ptr<'c>)>,
    /// The place of the current iteration in the strip.
    at: Int<'c>,
    /// Updates run; else everything but these.
    updates: bool,
}

impl<'c> Strips<'c> {
    /// Whether a statement is one of those that accumulate.
    fn has(&self, stmt: StmtId) -> bool {
        self.slots.keys().any(|(s, _)| *s == stmt)
    }

    /// Whether all of a statement that runs here runs now.
    pub(crate) fn passes(&self, stmt: StmtId) -> Passes {
        match (self.has(stmt), self.updates) {
            (false, false) => Passes::All,
            (false, true) => Passes::Nothing,
            (true, false) => Passes::Operands,
            (true, true) => Passes::Update,
        }
    }
}

/// What runs of a statement in a part of a loop in strips.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passes {
    All,
    Nothing,
    Operands,
    Update,
}

impl<'c> Emitter<'_, 'c> {
    /// Emits a loop in strips.
    pub(crate) fn strips_loop(&mut self, l: &For, range: Range<'c>, chains: &[Chain]) {
        if constant(range.step) != Some(1) {
            return self.counted(range, None, LoopCode::Scalars, |e, i| {
                e.body(l.iter, i, &l.body);
            });
        }
        let slots = self.slots(chains);
        let strip = Range {
            step: self.ir.int(STRIP.into()),
            ..range
        };
        self.counted(strip, None, LoopCode::Scalars, |e, first| {
            let end =
                e.ir.add(first, e.ir.int(i64::from(STRIP) - 1), Arith::Bounded);
            let last = e.ir.minmax("llvm.smin", end, range.last);
            let part = Range {
                first,
                last,
                step: range.step,
            };
            e.one_strip(l, part, &slots);
        });
    }

    /// One strip.
    fn one_strip(
        &mut self,
        l: &For,
        part: Range<'c>,
        slots: &BTreeMap<(StmtId, NodeId), (Ty, Ptr<'c>)>,
    ) {
        for updates in [false, true] {
            let group = unsafe { (self.host.distinct_node)(self.ir.ctx.raw()) };
            let group = (!updates).then_some(group);
            self.groups.extend(group);
            self.counted(part, group, LoopCode::Scalars, |e, i| {
                let at = e.ir.sub(i, part.first, Arith::Bounded);
                e.strips = Some(Strips {
                    slots: slots.clone(),
                    at,
                    updates,
                });
                e.body(l.iter, i, &l.body);
                e.strips = None;
            });
            if group.is_some() {
                self.groups.pop();
            }
        }
    }

    /// Memory for a strip of each operand.
    fn slots(&mut self, chains: &[Chain]) -> BTreeMap<(StmtId, NodeId), (Ty, Ptr<'c>)> {
        let mut slots = BTreeMap::new();
        let function = self.frame().function;
        for chain in chains {
            for &node in &chain.operands {
                let ty = self.scop.stmt(chain.stmt).body.node(node).ty;
                let element = self.plain_type(ty).expect("checked before emission");
                let array = element.array_type(STRIP);
                let slot = self.ir.alloca(function, array, "polytile.strip");
                slots.insert((chain.stmt, node), (ty, slot));
            }
        }
        slots
    }

    /// Where the operands of a statement in the current iteration lie.
    fn places(&mut self, stmt: StmtId) -> Vec<(NodeId, Ty, Ptr<'c>)> {
        let strips = self.strips.clone().expect("in a loop in strips");
        let mut places = vec![];
        for ((_, node), (ty, slot)) in strips.slots.iter().filter(|((s, _), _)| *s == stmt) {
            let bytes = self.ir.int(ty.bytes() as i64);
            let offset = self.ir.mul(strips.at, bytes, Arith::Bounded);
            places.push((*node, *ty, self.ir.offset(*slot, offset)));
        }
        places
    }

    /// Puts the operands of an instance into the strip.
    pub(crate) fn keep_operands(&mut self, instance: &mut Instance<'_, 'c>) {
        for (node, _, place) in self.places(instance.stmt.id) {
            let value = self.node(instance, node);
            let store = self.ir.store(place, value);
            self.mark_access(store, None);
        }
    }

    /// Takes them from there.
    pub(crate) fn kept_operands(&mut self, stmt: StmtId) -> Vec<(NodeId, Value<'c>)> {
        let places = self.places(stmt).into_iter();
        let load = |(node, ty, place)| {
            let ty = self.plain_type(ty).expect("checked before emission");
            (node, self.ir.load(ty, place))
        };
        places.map(load).collect()
    }
}
