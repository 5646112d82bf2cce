//! What a statement computes: the operand tree of its memory writes.
//!
//! A body is a small directed acyclic graph. Leaves are read accesses of the statement, invariant values and
//! expressions over the iterators; inner nodes are the original instructions with new operands. The algebra of an
//! operation is visible ([`OpCode`]), its exact form stays with the instruction that `inst` names.

use crate::ids::{NodeId, ValueId};
use crate::region::{OpCode, Ty};
use crate::scev::Scev;

/// The operand tree of a statement.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Body {
    /// Nodes; operands come before their users.
    pub nodes: Vec<Node>,
    /// The value written by the statement's first write access.
    pub root: NodeId,
    /// The values of its further write accesses.
    pub others: Vec<NodeId>,
}

/// A node of a body.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Type of the value.
    pub ty: Ty,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind {
    /// The value read by access number `.0` of the statement.
    Read(usize),
    /// A value computed before the region (or a constant).
    Invariant(ValueId),
    /// A floating point constant by its bits in its own format, or an integer constant (splat bytes of memset).
    Bits(u64),
    /// An integer that depends on the iterators, in the arithmetic of its width.
    Index(Scev),
    /// The operation of instruction `inst` on `args`.
    Op {
        /// The instruction to clone.
        inst: ValueId,
        /// Its algebra.
        op: OpCode,
        /// Operands, in the instruction's order.
        args: Vec<NodeId>,
    },
}

impl Body {
    /// Appends a node.
    pub fn push(&mut self, ty: Ty, kind: NodeKind) -> NodeId {
        self.nodes.push(Node { ty, kind });
        NodeId::from(self.nodes.len() - 1)
    }

    /// The values written, in the order of the write accesses.
    pub fn values(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.root).chain(self.others.iter().copied())
    }

    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}
