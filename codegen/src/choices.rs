//! Choices by data in scalar code: branches around what only one side computes.
//!
//! ```text
//! b[i] = choose(a[i] > t, c[i] / a[i], b[i])      may-write
//!
//!   br (a[i] > t), then, join
//! then: store c[i] / a[i]
//! ```
//!
//! A side that may trap, that loads, or that raises flags is computed where it is chosen only; what is nothing of that becomes a
//! select. What both sides need is computed in front of the branch, so that choices of choices stay small.

use crate::body::Instance;
use crate::emit::Emitter;
use crate::ir::{Value, feed};
use inkwell::basic_block::BasicBlock;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::region::Ty;
use polytile_analysis::scop::Stmt;
use std::collections::{BTreeMap, BTreeSet};

/// So many operations are rather computed than branched around.
const MAX_SPECULATED: usize = 4;

impl<'c> Emitter<'_, 'c> {
    /// The values of some nodes. Choices by one condition that all of this needs are made under one branch: what several of them need on one side is
    /// computed once.
    pub(crate) fn values(&mut self, instance: &mut Instance<'_, 'c>, ids: &[NodeId]) {
        let body = &instance.stmt.body;
        let needed = instance.needs.iter();
        let needed = needed.flat_map(|needs| ids.iter().flat_map(|id| needs.of(*id)));
        let choices: BTreeSet<NodeId> = needed
            .filter(|id| body.node(*id).choice().is_some())
            .collect();
        let by = |id: NodeId| body.node(id).choice().map(|c| c[0]);
        for first in &choices {
            let mut alike: Vec<NodeId> = vec![];
            for id in choices.range(first..) {
                if by(*id) != by(*first) || instance.done.contains_key(id) {
                    continue;
                }
                let below = body.below(*id, |_| false);
                if alike.iter().all(|a| !below.contains(a)) {
                    alike.push(*id);
                }
            }
            if alike.first() == Some(first) {
                self.choose_together(instance, &alike);
            }
        }
        for id in ids {
            self.node(instance, *id);
        }
    }

    /// Makes choices by one condition.
    pub(crate) fn choose_together(&mut self, instance: &mut Instance<'_, 'c>, ids: &[NodeId]) {
        let mut open = vec![];
        for id in ids {
            let number = self.value_number(instance, *id);
            match self.computed(number) {
                Some(value) => drop(instance.done.insert(*id, value)),
                None => open.push((*id, number)),
            }
        }
        if open.is_empty() {
            return;
        }
        let ids: Vec<NodeId> = open.iter().map(|(id, _)| *id).collect();
        self.make_choices(instance, &ids);
        for (id, number) in open {
            self.keep_common(instance, number, instance.done[&id]);
        }
    }

    fn make_choices(&mut self, instance: &mut Instance<'_, 'c>, ids: &[NodeId]) {
        let choice = |id: &NodeId| instance.stmt.body.node(*id).choice().expect("a choice");
        let choices: Vec<[NodeId; 3]> = ids.iter().map(choice).collect();
        let holds = self.node(instance, choices[0][0]).into_int_value();
        let [thens, elses] =
            [1, 2].map(|side| -> Vec<NodeId> { choices.iter().map(|c| c[side]).collect() });
        if let Some(known) = holds.get_zero_extended_constant() {
            let chosen = if known == 0 { elses } else { thens };
            self.values(instance, &chosen);
            for (id, from) in ids.iter().zip(chosen) {
                let value = instance.done[&from];
                instance.done.insert(*id, value);
            }
            return;
        }
        for [_, then, els] in &choices {
            let both = instance.needs.as_ref().map(|n| n.both(*then, *els));
            for shared in both.into_iter().flatten() {
                self.node(instance, shared);
            }
        }
        let calm =
            |[_, then, els]: &[NodeId; 3]| is_calm(instance.stmt, &instance.done, [*then, *els]);
        if choices.iter().all(calm) {
            for (id, [_, then, els]) in ids.iter().zip(choices) {
                let then = self.node(instance, then);
                let els = self.node(instance, els);
                let value = self.ir.select(holds, then, els);
                instance.done.insert(*id, value);
            }
            return;
        }
        let function = self.frame().function;
        let [yes, no, join] =
            ["then", "else", "join"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(holds, yes, no);
        let (then, yes) = self.side(instance, yes, |e, i| e.all(i, &thens), join);
        let (els, no) = self.side(instance, no, |e, i| e.all(i, &elses), join);
        self.ir.at_end(join);
        let (phis, values) = self.ir.phis(&then, "");
        feed(&phis, [(&then, yes), (&els, no)]);
        instance.done.extend(ids.iter().copied().zip(values));
    }

    fn all(&mut self, instance: &mut Instance<'_, 'c>, ids: &[NodeId]) -> Vec<Value<'c>> {
        self.values(instance, ids);
        ids.iter().map(|id| instance.done[id]).collect()
    }

    /// Emits something where a condition holds; choices by the same condition are made there.
    pub(crate) fn where_it_holds<'s>(
        &mut self,
        instance: &mut Instance<'s, 'c>,
        cond: NodeId,
        emit: impl FnOnce(&mut Self, &mut Instance<'s, 'c>),
    ) {
        let holds = self.node(instance, cond).into_int_value();
        if holds.get_zero_extended_constant() == Some(1) {
            return emit(self, instance);
        }
        let function = self.frame().function;
        let [yes, join] =
            ["then", "join"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(holds, yes, join);
        let known = holds.get_type().const_int(1, false);
        let emit = |e: &mut Self, i: &mut Instance<'s, 'c>| {
            i.done.insert(cond, known.into());
            emit(e, i);
        };
        self.side(instance, yes, emit, join);
        self.ir.at_end(join);
    }

    /// Emits one side of a branch; what it gives, and its last block. What was computed there is known there only.
    fn side<'s, T>(
        &mut self,
        instance: &mut Instance<'s, 'c>,
        from: BasicBlock<'c>,
        emit: impl FnOnce(&mut Self, &mut Instance<'s, 'c>) -> T,
        to: BasicBlock<'c>,
    ) -> (T, BasicBlock<'c>) {
        self.ir.at_end(from);
        let before = instance.done.clone();
        instance.sides += 1;
        let result = emit(self, instance);
        instance.sides -= 1;
        instance.done = before;
        let last = self.ir.here();
        self.ir.jump(to);
        (result, last)
    }
}

/// Whether the sides of a choice may be computed whichever is chosen, and rather so than under a branch.
fn is_calm<'c>(stmt: &Stmt, done: &BTreeMap<NodeId, Value<'c>>, sides: [NodeId; 2]) -> bool {
    let mut found = BTreeSet::new();
    let mut pending = sides.to_vec();
    while let Some(id) = pending.pop() {
        if done.contains_key(&id) {
            continue;
        }
        let node = stmt.body.node(id);
        match &node.kind {
            NodeKind::Read(_) => return false,
            NodeKind::Invariant(_) | NodeKind::Bits(_) | NodeKind::Index(_) => {}
            NodeKind::Op { op, args, .. } => {
                if !(op.is_harmless() || node.choice().is_some())
                    || found.insert(id) && found.len() > MAX_SPECULATED
                {
                    return false;
                }
                pending.extend(args);
            }
        }
        if matches!(node.ty, Ty::Other(_)) {
            return false;
        }
    }
    true
}
