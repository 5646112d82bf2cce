//! Which loops can run in lanes: each operation has a vector form, each access lies along the lanes in one way, and bounds
//! and conditions are the same in all lanes.

use super::values::{Lie, direction, lie};
use crate::buffers::coefficient;
use crate::emit::Emitter;
use crate::tile::gain::changes;
use crate::vector::vector_form;
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{NodeId, ValueId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, Stmt};
use std::collections::{BTreeMap, BTreeSet};

impl<'e, 'c> Emitter<'e, 'c> {
    /// Whether a loop's body has a vector form over its iterations.
    pub(super) fn runs_in_lanes(&self, l: &For) -> bool {
        l.step == Expr::Int(1) && l.anchor.is_none() && self.has_vector_form(&l.body, l.iter)
    }

    fn has_vector_form(&self, ast: &Ast, iter: IterId) -> bool {
        let fixed = |e: &Expr| coefficient(e, iter) == Some(0);
        match ast {
            Ast::Block(list) => list.iter().all(|a| self.has_vector_form(a, iter)),
            Ast::If { cond, then, els } => {
                fixed(cond)
                    && self.has_vector_form(then, iter)
                    && els.iter().all(|e| self.has_vector_form(e, iter))
            }
            Ast::For(l) => {
                let inner = matches!(l.kind, ForKind::Sequential | ForKind::Vector);
                inner
                    && [&l.lower, &l.upper, &l.step].into_iter().all(fixed)
                    && l.anchor.iter().all(fixed)
                    && self.has_vector_form(&l.body, iter)
            }
            Ast::User(u) => self.user_has_vector_form(u, iter),
            Ast::MicroKernel(_) | Ast::Pack(_) => false,
        }
    }

    pub(super) fn user_has_vector_form(&self, u: &User, iter: IterId) -> bool {
        let stmt = self.scop.stmt(u.stmt);
        if stmt.is_group() || has_vectors(stmt) {
            return false;
        }
        let Some(direction) = direction(u, iter) else {
            return false;
        };
        let lie_of = |a: &Access| lie(self.scop, stmt, a, &direction).map(|(_, lie)| lie);
        if lie_of(stmt.write()).is_none_or(|lie| lie == Lie::Same) {
            return false;
        }
        let mut varies: BTreeMap<NodeId, bool> = BTreeMap::new();
        for id in needed(stmt) {
            let node = stmt.body.node(id);
            let here = match &node.kind {
                NodeKind::Read(n) => match lie_of(&stmt.accesses[*n]) {
                    None => return false,
                    Some(lie) => lie != Lie::Same,
                },
                NodeKind::Op { .. } if stmt.body.node(id).choice().is_some() => return false,
                NodeKind::Op { inst, op, args } => {
                    let lanes = args.iter().any(|a| varies[a]);
                    if lanes && !self.is_vector_operation(op, *inst) && !op.runs_by_lane() {
                        return false;
                    }
                    lanes
                }
                NodeKind::Index(s) => changes(stmt, s, &direction),
                NodeKind::Invariant(_) | NodeKind::Bits(_) => false,
            };
            varies.insert(id, here);
        }
        true
    }

    /// Whether an operation on vectors is one of the machine's.
    pub(super) fn is_vector_operation(&self, op: &OpCode, inst: ValueId) -> bool {
        vector_form(op, self.host.values[inst.index()]).is_some()
    }
}

/// Whether a value is a vector in the program: it has lanes of its own.
pub(super) fn has_vectors(stmt: &Stmt) -> bool {
    let mut types = stmt.body.nodes.iter().map(|n| n.ty);
    types.any(|ty| matches!(ty, Ty::Other(_)))
}

/// The nodes that the root is computed from, in order.
pub(super) fn needed(stmt: &Stmt) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![stmt.body.root];
    while let Some(id) = pending.pop() {
        if found.insert(id)
            && let NodeKind::Op { args, .. } = &stmt.body.node(id).kind
        {
            pending.extend(args);
        }
    }
    found
}

/// The reads that the written value is computed from.
pub(super) fn reads(stmt: &Stmt) -> BTreeSet<usize> {
    let read = |id: NodeId| match stmt.body.node(id).kind {
        NodeKind::Read(n) => Some(n),
        _ => None,
    };
    needed(stmt).into_iter().filter_map(read).collect()
}
