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
use crate::ir::Value;
use inkwell::basic_block::BasicBlock;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::region::Ty;
use polytile_analysis::scop::Stmt;
use std::collections::{BTreeMap, BTreeSet};

/// So many operations are rather computed than branched around.
const MAX_SPECULATED: usize = 4;

impl<'c> Emitter<'_, 'c> {
    /// The value of a choice.
    pub(crate) fn chosen(&mut self, instance: &mut Instance<'_, 'c>, id: NodeId) -> Value<'c> {
        let choice = instance.stmt.body.node(id).choice();
        let [cond, then, els] = choice.expect("a choice");
        let holds = self.node(instance, cond).into_int_value();
        if let Some(known) = holds.get_zero_extended_constant() {
            return self.node(instance, if known == 0 { els } else { then });
        }
        let both = instance.needs.as_ref().map(|n| n.both(then, els));
        for shared in both.into_iter().flatten() {
            self.node(instance, shared);
        }
        if is_calm(instance.stmt, &instance.done, [then, els]) {
            let then = self.node(instance, then);
            let els = self.node(instance, els);
            return self.ir.select(holds, then, els);
        }
        let function = self.frame().function;
        let [yes, no, join] =
            ["then", "else", "join"].map(|n| self.ir.block(function, &format!("polytile.{n}")));
        self.ir.branch(holds, yes, no);
        let then = self.side(instance, yes, |e, i| e.node(i, then), join);
        let els = self.side(instance, no, |e, i| e.node(i, els), join);
        self.ir.at_end(join);
        let phi = self.ir.phi(then.0.get_type(), "");
        phi.add_incoming(&[(&then.0, then.1), (&els.0, els.1)]);
        phi.as_basic_value()
    }

    /// Emits something where a condition holds; choices by the same condition are made there.
    pub(crate) fn where_it_holds<'s>(
        &mut self,
        instance: &mut Instance<'s, 'c>,
        cond: NodeId,
        emit: impl FnOnce(&mut Self, &mut Instance<'s, 'c>),
    ) {
        let holds = self.node(instance, cond).into_int_value();
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
        let result = emit(self, instance);
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
