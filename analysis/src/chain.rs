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
use crate::region::{OpCode, Ty};
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
    /// Its iterations may run side by side, too.
    pub any_order: Option<AnyOrder>,
}

/// An update whose iterations may run in any order with equal bits: a minimum or maximum of floating-point numbers that takes what is strictly
/// beyond, or `fmin` or `fmax` of what has no sign.
///
/// NaN is beyond nothing and nothing is beyond NaN; for the functions it is no number in any order. Equal numbers have equal bits, but for zeros of both
/// signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnyOrder {
    /// So many of them side by side, in a vector.
    pub lanes: u32,
    /// No operand is a negative zero: else a result that is a zero is found in order.
    pub one_zero: bool,
}

impl Chain {
    /// The same in lanes of vectors of so many bits, where its iterations may run in any order.
    #[must_use]
    pub fn in_lanes(mut self, stmt: &Stmt, bits: u32) -> Chain {
        let (&[write], &[operand]) = (&self.writes[..], &self.operands[..]) else {
            return self;
        };
        let body = &stmt.body;
        let Some(root) = body.values().nth(write) else {
            return self;
        };
        let array = stmt.accesses[write].array;
        let mut reads = stmt.first_read()..stmt.accesses.len();
        let read = reads.find(|n| stmt.accesses[*n].array == array);
        let strictly = read.and_then(|read| beyond(body, root, read));
        let found = strictly.or_else(|| other_number(body, root, read?));
        let ty = body.node(operand).ty;
        let lanes = bits / (8 * ty.bytes() as u32).max(1);
        if found == Some(operand) && matches!(ty, Ty::Float(32 | 64)) && lanes > 1 {
            self.any_order = Some(AnyOrder {
                lanes,
                one_zero: strictly.is_some() && is_not_negative(body, operand),
            });
        }
        self
    }
}

/// Operations that are looked through for a sign.
const DEPTH: usize = 4;

fn operation(body: &Body, n: NodeId) -> Option<(&OpCode, &[NodeId])> {
    match &body.node(n).kind {
        NodeKind::Op { op, args, .. } => Some((op, &args[..])),
        _ => None,
    }
}

/// The value beside a cell in `fmin` or `fmax`, if it has no sign. They take a number for NaN, and of zeros of both signs either one, as the back end
/// likes.
pub fn other_number(body: &Body, root: NodeId, read: usize) -> Option<NodeId> {
    let cell = |n: &NodeId| body.node(*n).kind == NodeKind::Read(read);
    match operation(body, root)? {
        (OpCode::Call(name), [a, b])
            if matches!(name.as_str(), "llvm.minnum" | "llvm.maxnum") && cell(a) != cell(b) =>
        {
            let other = if cell(a) { *b } else { *a };
            is_not_negative(body, other).then_some(other)
        }
        _ => None,
    }
}

/// The value that takes the place of a cell only if it is strictly beyond it, where `root` is such a choice of floating-point numbers.
pub fn beyond(body: &Body, root: NodeId, read: usize) -> Option<NodeId> {
    let cell = |n: &NodeId| body.node(*n).kind == NodeKind::Read(read);
    let operation = |n: NodeId| operation(body, n);
    let (OpCode::Select, [c, a, b]) = operation(root)? else {
        return None;
    };
    let (OpCode::FCmp(order), [p, q]) = operation(*c)? else {
        return None;
    };
    let (taken, other) = match (cell(a), cell(b)) {
        (false, true) => (order.is_strict(), a),
        (true, false) => (order.inverse().is_strict(), b),
        _ => return None,
    };
    let compared = (p == other && cell(q)) || (cell(p) && q == other);
    (taken && compared).then_some(*other)
}

/// Whether a number has no sign, unless it is NaN.
fn is_not_negative(body: &Body, at: NodeId) -> bool {
    has_no_sign(body, at, DEPTH)
}

fn has_no_sign(body: &Body, at: NodeId, depth: usize) -> bool {
    let NodeKind::Op { op, args, .. } = &body.node(at).kind else {
        return false;
    };
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let all = |args: &[NodeId]| args.iter().all(|a| has_no_sign(body, *a, depth));
    match (op, &args[..]) {
        (OpCode::Call(name), _) => name == "llvm.fabs",
        (OpCode::FMul(_), [a, b]) => a == b || all(args),
        (OpCode::FAdd(_) | OpCode::FDiv(_), _) | (OpCode::Sqrt, _) => all(args),
        (OpCode::FMulAdd(_) | OpCode::Fma, [a, b, c]) => {
            (a == b || all(&[*a, *b])) && has_no_sign(body, *c, depth)
        }
        (OpCode::Select, [_, a, b]) => all(&[*a, *b]),
        _ => false,
    }
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
            any_order: None,
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
    use crate::region::{FCmpPred, FastMath};

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

    /// `x` takes the place of cell `s` where `x order s`; `x`: what comes of an element.
    fn choice(order: u8, of_element: impl Fn(&mut Body, NodeId) -> NodeId) -> (Body, NodeId) {
        let mut body = Body::default();
        let double = Ty::Float(64);
        let op = |op, args: &[NodeId]| NodeKind::Op {
            inst: ValueId(0),
            op,
            args: args.to_vec(),
        };
        let cell = body.push(double, NodeKind::Read(1));
        let element = body.push(double, NodeKind::Read(2));
        let x = of_element(&mut body, element);
        let less = op(OpCode::FCmp(FCmpPred(order)), &[x, cell]);
        let less = body.push(Ty::Int(1), less);
        let chosen = op(OpCode::Select, &[less, x, cell]);
        body.root = body.push(double, chosen);
        (body, x)
    }

    #[test]
    fn what_is_strictly_beyond_may_come_in_any_order() {
        for (order, strict) in [(2, true), (4, true), (3, false), (5, false), (10, false)] {
            let (body, x) = choice(order, |_, element| element);
            let found = beyond(&body, body.root, 1);
            assert_eq!(found, strict.then_some(x), "{order}");
        }
    }

    #[test]
    fn distances_and_squares_have_no_negative_zero() {
        let sign = |name: &str, times: usize| {
            let (body, x) = choice(4, |body, element| {
                let (op, args) = match name {
                    "product" => (OpCode::FMul(FastMath::default()), vec![element; times]),
                    call => (OpCode::Call(call.to_owned()), vec![element]),
                };
                let inst = ValueId(0);
                body.push(Ty::Float(64), NodeKind::Op { inst, op, args })
            });
            is_not_negative(&body, x)
        };
        assert!(sign("llvm.fabs", 1) && sign("product", 2));
        assert!(!sign("llvm.floor", 1));
        let (body, element) = choice(4, |_, element| element);
        assert!(!is_not_negative(&body, element));
    }
}
