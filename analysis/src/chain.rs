//! Statements whose instances wait for each other through some cells, with operands that do not: [`Role::of`].
//!
//! ```text
//! s = s + sqrt(x[j]) / y[j]                     the quotient is free, the sum is not
//! s = v[j] / u[j] < s ? v[j] / u[j] : s
//! (b[j], s) = (f(a[j]), s + g(a[j]))            so is all that is written elsewhere
//! ```

use crate::body::{Body, NodeKind};
use crate::ids::{ArrayId, NodeId, StmtId};
use crate::poly;
use crate::region::Ty;
use crate::scop::{AccessKind, Stmt};
use std::collections::BTreeSet;

/// A statement that accumulates.
#[derive(Clone, PartialEq, Debug)]
pub struct Chain {
    /// The statement.
    pub stmt: StmtId,
    /// Positions of its accesses that write the cells.
    pub writes: Vec<usize>,
    /// The operands: the largest nodes of its body that do not depend on a cell, but for what is known before the loops. What is left of
    /// the cells' values depends on the cells and on these alone.
    pub operands: Vec<NodeId>,
}

/// What a statement is for the cells that others wait for.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// It does not touch their arrays.
    Free,
    /// It accumulates in cells, and nothing else that it writes depends on them.
    Chain(Chain),
    /// It touches them in another way, or an operand is no number of up to 64 bits.
    Bound,
}

impl Role {
    /// For the cells of these arrays.
    ///
    /// # Errors
    /// What comparing access relations comes to.
    pub fn of(stmt: &Stmt, cells: &[ArrayId]) -> poly::Result<Role> {
        if !stmt.accesses.iter().any(|a| cells.contains(&a.array)) {
            return Ok(Role::Free);
        }
        let body = &stmt.body;
        let certain = stmt
            .writes()
            .iter()
            .all(|w| w.kind == AccessKind::MustWrite);
        if !certain || body.nodes.is_empty() || body.chooses() {
            return Ok(Role::Bound);
        }
        let Some((writes, own)) = cells_of(stmt, cells)? else {
            return Ok(Role::Bound);
        };
        let through = body.depending(|n| own.contains(&n));
        let mut operands = BTreeSet::new();
        for (n, root) in body.values().enumerate() {
            // A cell accumulates, and nothing else depends on it.
            if through[root.index()] != writes.contains(&n) {
                return Ok(Role::Bound);
            }
            if writes.contains(&n) {
                collect(body, root, &through, &mut operands);
            }
        }
        let operands: Vec<NodeId> = operands.into_iter().collect();
        if !operands.iter().all(|n| is_number(body.node(*n).ty)) {
            return Ok(Role::Bound);
        }
        Ok(Role::Chain(Chain {
            stmt: stmt.id,
            writes,
            operands,
        }))
    }
}

/// The accesses that write cells, and those that read them back; `None` if an access to their arrays is another one.
fn cells_of(stmt: &Stmt, cells: &[ArrayId]) -> poly::Result<Option<(Vec<usize>, BTreeSet<usize>)>> {
    let mut writes: Vec<usize> = vec![];
    for (n, w) in stmt.writes().iter().enumerate() {
        if cells.contains(&w.array) {
            if writes.iter().any(|o| stmt.accesses[*o].array == w.array) {
                return Ok(None);
            }
            writes.push(n);
        }
    }
    let mut own = BTreeSet::new();
    let reads = stmt.accesses.iter().enumerate().skip(stmt.first_read());
    for (n, read) in reads.filter(|(_, r)| cells.contains(&r.array)) {
        let write = writes.iter().map(|w| &stmt.accesses[*w]);
        let Some(write) = write.clone().find(|w| w.array == read.array) else {
            return Ok(None);
        };
        if read.ty != write.ty || !read.relation.is_equal(&write.relation)? {
            return Ok(None);
        }
        own.insert(n);
    }
    Ok(Some((writes, own)))
}

fn is_number(ty: Ty) -> bool {
    matches!(ty, Ty::Float(16 | 32 | 64) | Ty::Int(8 | 16 | 32 | 64))
}

/// The operands below a node that depends on a cell.
fn collect(body: &Body, at: NodeId, through: &[bool], found: &mut BTreeSet<NodeId>) {
    let below = body.below(at, |n| !through[n.index()]);
    let known = |n: &NodeId| {
        let kind = &body.node(*n).kind;
        through[n.index()] || matches!(kind, NodeKind::Invariant(_) | NodeKind::Bits(_))
    };
    found.extend(below.into_iter().filter(|n| !known(n)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ValueId;
    use crate::region::OpCode;

    /// `x1 = x0 + x0, x2 = x1 + x1, ..` has a path for each subset of its nodes, and one operand.
    #[test]
    fn nodes_with_several_users_are_looked_at_once() {
        let mut body = Body::default();
        let op = |args| NodeKind::Op {
            inst: ValueId(0),
            op: OpCode::Add,
            args,
        };
        let (cell, free) = (NodeKind::Read(1), NodeKind::Read(2));
        let cell = body.push(Ty::Int(32), cell);
        let free = body.push(Ty::Int(32), free);
        let mut at = body.push(Ty::Int(32), op(vec![cell, free]));
        for _ in 0..100 {
            at = body.push(Ty::Int(32), op(vec![at, at]));
        }
        let through = body.depending(|n| n == 1);
        let mut found = BTreeSet::new();
        collect(&body, at, &through, &mut found);
        assert_eq!(found, BTreeSet::from([free]));
    }
}
