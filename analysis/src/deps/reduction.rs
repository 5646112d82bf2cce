//! Reductions: statements `x = x (+) e` whose instances may run in any order.
//!
//! The body's root is a chain of one associative and commutative operation, the element that is written is read exactly
//! once, as one operand of that chain, and `e` does not use it. Integer addition (and subtraction of `e`),
//! multiplication, and, or, xor, minimum and maximum qualify; floating-point addition and multiplication only with the
//! `reassoc` flag on every operation of the chain.
//!
//! Reordering changes intermediate values, so no-wrap flags of the operations do not hold afterwards; a value that other
//! statements read in between is protected by its own dependences, which are no self-dependences.

use crate::body::{Body, NodeKind};
use crate::ids::NodeId;
use crate::poly::Result;
use crate::region::{OpCode, Ty};
use crate::scop::Stmt;

/// A statement as an update `x = x (+) e` of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// The position in [`Stmt::accesses`] of the read of `x`.
    pub read: usize,
    /// `None`: `x = x`.
    by: Option<Monoid>,
    ty: Ty,
}

impl Update {
    /// Whether updates of one cell by the two may change places. Sums and products may not: their operations may carry
    /// no-wrap flags, which hold for the intermediate values of the original order only.
    pub fn commutes_with(self, other: Update) -> bool {
        let exact =
            |m: Monoid| !matches!(m, Monoid::Add | Monoid::Mul | Monoid::FAdd | Monoid::FMul);
        self.by.is_some_and(exact) && (self.by, self.ty) == (other.by, other.ty)
    }
}

/// The update that a statement is, if it is one whose instances may run in any order.
pub fn update(s: &Stmt) -> Result<Option<Update>> {
    let body = &s.body;
    if body.nodes.is_empty() || s.is_group() {
        return Ok(None);
    }
    let write = s.write().relation.intersect_domain(&s.domain)?;
    for (position, read) in s.accesses.iter().enumerate().skip(1) {
        if read.array != s.write().array {
            continue;
        }
        if let Some(by) = accumulates(body, position)
            && read
                .relation
                .intersect_domain(&s.domain)?
                .is_equal(&write)?
            && write.is_single_valued()?
        {
            return Ok(Some(Update {
                read: position,
                by,
                ty: body.node(body.root).ty,
            }));
        }
    }
    Ok(None)
}

/// An associative and commutative operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Monoid {
    Add,
    Mul,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    FAdd,
    FMul,
}

/// The monoid of an operation, and the operands that the accumulator may be.
fn monoid(op: &OpCode) -> Option<(Monoid, &'static [usize])> {
    match op {
        OpCode::Add => Some((Monoid::Add, &[0, 1])),
        OpCode::Sub => Some((Monoid::Add, &[0])),
        OpCode::Mul => Some((Monoid::Mul, &[0, 1])),
        OpCode::And => Some((Monoid::And, &[0, 1])),
        OpCode::Or => Some((Monoid::Or, &[0, 1])),
        OpCode::Xor => Some((Monoid::Xor, &[0, 1])),
        OpCode::SMin => Some((Monoid::SMin, &[0, 1])),
        OpCode::SMax => Some((Monoid::SMax, &[0, 1])),
        OpCode::UMin => Some((Monoid::UMin, &[0, 1])),
        OpCode::UMax => Some((Monoid::UMax, &[0, 1])),
        OpCode::FAdd(f) if f.reassoc => Some((Monoid::FAdd, &[0, 1])),
        OpCode::FSub(f) if f.reassoc => Some((Monoid::FAdd, &[0])),
        OpCode::FMulAdd(f) if f.reassoc => Some((Monoid::FAdd, &[2])),
        OpCode::FMul(f) if f.reassoc => Some((Monoid::FMul, &[0, 1])),
        _ => None,
    }
}

/// The operation (if there is one) where the read is used once, at the end of a chain of one monoid that starts at the root.
fn accumulates(body: &Body, position: usize) -> Option<Option<Monoid>> {
    let reads = |id: NodeId| matches!(body.node(id).kind, NodeKind::Read(p) if p == position);
    let uses = |id: NodeId| {
        let used = |k: &NodeKind| match k {
            NodeKind::Op { args, .. } => args.iter().filter(|a| **a == id).count(),
            _ => 0,
        };
        body.nodes.iter().map(|n| used(&n.kind)).sum::<usize>()
    };
    let leaves = (0..body.nodes.len())
        .map(NodeId::from)
        .filter(|id| reads(*id))
        .count();
    if leaves != 1 || uses(body.root) != 0 {
        return None;
    }
    let depending = body.depending(|read| read == position);
    let (mut at, mut chain) = (body.root, None);
    while let NodeKind::Op { op, args, .. } = &body.node(at).kind {
        let (m, places) = monoid(op)?;
        if *chain.get_or_insert(m) != m {
            return None;
        }
        let next = places
            .iter()
            .filter_map(|p| args.get(*p))
            .find(|a| depending[a.index()]);
        match next {
            Some(next) if uses(*next) == 1 => at = *next,
            _ => return None,
        }
    }
    reads(at).then_some(chain)
}
