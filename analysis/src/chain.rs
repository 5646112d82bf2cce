//! Statements whose instances wait for each other through one cell, with operands that do not: [`free_operands`].
//!
//! ```text
//! s = s + sqrt(x[j]) / y[j]          the quotient is free, the sum is not
//! s = v[j] / u[j] < s ? v[j] / u[j] : s
//! ```

use crate::body::{Body, NodeKind};
use crate::ids::NodeId;
use crate::poly;
use crate::region::Ty;
use crate::scop::{AccessKind, Stmt};
use std::collections::BTreeSet;

/// The operands of an accumulating statement that do not depend on the written cell: the largest nodes that read something else, in
/// order. All that is left depends on the cell, on these and on what is known before the loops.
///
/// `None`: the statement does not accumulate in the cell that it writes, writes several cells or under a condition, chooses what it
/// computes, reads the cell's array elsewhere, or an operand is no number of up to 64 bits.
///
/// # Errors
/// What comparing access relations comes to.
pub fn free_operands(stmt: &Stmt) -> poly::Result<Option<Vec<NodeId>>> {
    let (body, write) = (&stmt.body, stmt.write());
    let plain = !stmt.is_group() && write.kind == AccessKind::MustWrite;
    if !plain || body.nodes.is_empty() || body.chooses() {
        return Ok(None);
    }
    let mut own = BTreeSet::new();
    for (n, read) in stmt.accesses.iter().enumerate().skip(1) {
        if read.array == write.array {
            if read.ty != write.ty || !read.relation.is_equal(&write.relation)? {
                return Ok(None);
            }
            own.insert(n);
        }
    }
    let through = on_cell(body, &own);
    if !through[body.root.index()] {
        return Ok(None);
    }
    let mut found = BTreeSet::new();
    collect(body, body.root, &through, &mut found);
    let found: Vec<NodeId> = found.into_iter().collect();
    Ok(found
        .iter()
        .all(|n| is_number(body.node(*n).ty))
        .then_some(found))
}

fn is_number(ty: Ty) -> bool {
    matches!(ty, Ty::Float(16 | 32 | 64) | Ty::Int(8 | 16 | 32 | 64))
}

/// Which nodes depend on the cell.
fn on_cell(body: &Body, own: &BTreeSet<usize>) -> Vec<bool> {
    let mut through: Vec<bool> = vec![];
    for node in &body.nodes {
        through.push(match &node.kind {
            NodeKind::Read(n) => own.contains(n),
            NodeKind::Op { args, .. } => args.iter().any(|a| through[a.index()]),
            NodeKind::Invariant(_) | NodeKind::Bits(_) | NodeKind::Index(_) => false,
        });
    }
    through
}

/// The operands below a node that depends on the cell.
fn collect(body: &Body, at: NodeId, through: &[bool], found: &mut BTreeSet<NodeId>) {
    let NodeKind::Op { args, .. } = &body.node(at).kind else {
        return;
    };
    for &a in args {
        match &body.node(a).kind {
            _ if through[a.index()] => collect(body, a, through, found),
            NodeKind::Invariant(_) | NodeKind::Bits(_) => {}
            _ => {
                found.insert(a);
            }
        }
    }
}
