//! What a statement computes: the operand tree of its memory writes.
//!
//! A body is a small directed acyclic graph. Leaves are read accesses of the statement, invariant values and
//! expressions over the iterators; inner nodes are the original instructions with new operands. The algebra of an
//! operation is visible ([`OpCode`]), its exact form stays with the instruction that `inst` names. What is in an arm of a
//! choice ([`OpCode::Choose`]) is computed where the arm is chosen only ([`Needs`]).

use crate::ids::{NodeId, ValueId};
use crate::region::{CmpPred, OpCode, Ty};
use crate::scev::Scev;
use std::collections::BTreeSet;

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

    /// The node that is such a one, appended where there is none: one choice between the same is as good as another one,
    /// whichever branch it comes from (a load behind each way of a branch leaves one beside that of what was stored), and a
    /// choice of what is the same either way is that.
    pub fn common(&mut self, ty: Ty, kind: NodeKind) -> NodeId {
        if let NodeKind::Op { op, args, .. } = &kind
            && let (OpCode::Choose | OpCode::Select, [_, then, els]) = (op, &args[..])
            && then == els
        {
            return *then;
        }
        let choices = |a: &NodeKind, b: &NodeKind| match (a, b) {
            (NodeKind::Op { op, args, .. }, NodeKind::Op { op: o, args: b, .. }) => {
                *op == OpCode::Choose && op == o && args == b
            }
            _ => false,
        };
        let alike = |n: &Node| n.ty == ty && (n.kind == kind || choices(&n.kind, &kind));
        match self.nodes.iter().position(alike) {
            Some(known) => NodeId::from(known),
            None => self.push(ty, kind),
        }
    }

    /// The values written, in the order of the write accesses.
    pub fn values(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(self.root).chain(self.others.iter().copied())
    }

    /// Whether it reads memory that no access names.
    pub fn gathers(&self) -> bool {
        let gathers = |n: &Node| match &n.kind {
            NodeKind::Op { op, .. } => op.gathers(),
            _ => false,
        };
        self.nodes.iter().any(gathers)
    }

    /// Whether nothing is computed: elements are read and written, or constants written.
    pub fn only_moves(&self) -> bool {
        self.computes_only(|_| false)
    }

    /// Whether nothing is computed but which of several elements is moved.
    pub fn only_chooses(&self) -> bool {
        self.computes_only(|op| {
            matches!(
                op,
                OpCode::ICmp(_)
                    | OpCode::FCmp(_)
                    | OpCode::Select
                    | OpCode::Choose
                    | OpCode::And
                    | OpCode::Or
                    | OpCode::Xor
            )
        })
    }

    /// Whether all operations are among these, and no value is one of iterators.
    fn computes_only(&self, these: impl Fn(&OpCode) -> bool) -> bool {
        self.nodes.iter().all(|n| match &n.kind {
            NodeKind::Op { op, .. } => these(op),
            NodeKind::Index(_) => false,
            _ => true,
        })
    }

    /// Whether vectors of iterations would take longer than one after the other, because most of the work is to look
    /// elements up in tables: each is loaded by itself and put into its vector, a byte or two without an instruction for it.
    /// Where a choice has a lookup in an arm, scalars branch there and guess wrong now and then.
    /// In thirds of a scalar floating-point operation, as measured on Zen 4.
    pub fn looks_up_most(&self) -> bool {
        let looks_up = |n: &Node| matches!(&n.kind, NodeKind::Op { op, .. } if op.gathers());
        let branches = |arms: &[NodeId]| {
            let below = |a: &NodeId| self.below(*a, |_| false);
            let mut inside = arms.iter().flat_map(below);
            inside.any(|n| looks_up(self.node(n)))
        };
        let weight = |n: &Node| match &n.kind {
            NodeKind::Op {
                op: OpCode::Choose,
                args,
                ..
            } if branches(&args[1..]) => 12,
            NodeKind::Op { op, .. } => match op {
                OpCode::Gather if n.ty.bytes() < 4 => -12,
                OpCode::Gather => -6,
                OpCode::FDiv(_) | OpCode::Sqrt => 30,
                op if op.is_function() => 30,
                _ if matches!(n.ty, Ty::Float(_)) => 3,
                _ => 1,
            },
            _ => 0,
        };
        self.nodes.iter().map(weight).sum::<i64>() < 0
    }

    /// Condition and value of what is 0 where the condition does not hold, as a scalar is that only has a value there.
    pub fn zero_unless(&self, value: NodeId) -> Option<[NodeId; 2]> {
        let NodeKind::Op {
            op: OpCode::Choose | OpCode::Select,
            args,
            ..
        } = &self.node(value).kind
        else {
            return None;
        };
        let [cond, then, els] = args[..] else {
            return None;
        };
        (self.node(els).kind == NodeKind::Bits(0)).then_some([cond, then])
    }

    /// The operation and the operands of a minimum or a maximum of integers, also where it is written as a choice between what is compared.
    pub fn extremum(&self, value: NodeId) -> Option<(OpCode, [NodeId; 2])> {
        use OpCode::{Choose, ICmp, SMax, SMin, Select, UMax, UMin};
        let operation = |id: NodeId| match &self.node(id).kind {
            NodeKind::Op { op, args, .. } => Some((op, &args[..])),
            _ => None,
        };
        let (cond, then, els) = match operation(value)? {
            (op @ (SMin | SMax | UMin | UMax), [a, b]) => return Some((op.clone(), [*a, *b])),
            (Choose | Select, [cond, then, els]) => (*cond, *then, *els),
            _ => return None,
        };
        let (ICmp(pred), [a, b]) = operation(cond)? else {
            return None;
        };
        let (least, greatest) = match pred {
            CmpPred::Slt | CmpPred::Sle => (SMin, SMax),
            CmpPred::Sgt | CmpPred::Sge => (SMax, SMin),
            CmpPred::Ult | CmpPred::Ule => (UMin, UMax),
            CmpPred::Ugt | CmpPred::Uge => (UMax, UMin),
            CmpPred::Eq | CmpPred::Ne => return None,
        };
        match matches!(self.node(value).ty, Ty::Int(_)) {
            true if (then, els) == (*a, *b) => Some((least, [then, els])),
            true if (then, els) == (*b, *a) => Some((greatest, [then, els])),
            _ => None,
        }
    }

    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What a node is made of, the node included; what is below some nodes is left out. Each node is met once: a step of
    /// `h = rotate(h, 5) ^ x[i]` uses the one before twice, and an unrolled loop has many such steps in one tree.
    pub fn below(&self, root: NodeId, ends: impl Fn(NodeId) -> bool) -> BTreeSet<NodeId> {
        let (mut met, mut pending) = (BTreeSet::from([root]), vec![root]);
        while let Some(at) = pending.pop() {
            match &self.node(at).kind {
                NodeKind::Op { args, .. } if !ends(at) => {
                    pending.extend(args.iter().filter(|a| met.insert(**a)));
                }
                _ => {}
            }
        }
        met
    }

    /// Which nodes depend on the values of some accesses.
    pub fn depending(&self, on: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut depending: Vec<bool> = vec![];
        for node in &self.nodes {
            depending.push(match &node.kind {
                NodeKind::Read(n) => on(*n),
                NodeKind::Op { args, .. } => args.iter().any(|a| depending[a.index()]),
                NodeKind::Invariant(_) | NodeKind::Bits(_) | NodeKind::Index(_) => false,
            });
        }
        depending
    }

    /// Whether LLVM finds lanes for it in marked loops only: it calls the C library for a square root ([`OpCode::is_root_with_errno`]), or has a
    /// loop that ends by itself ([`OpCode::Ragged`]).
    pub fn has_lanes_where_marked(&self) -> bool {
        let marked =
            |op: &OpCode| op.is_root_with_errno() || *op == OpCode::Ragged { abreast: true };
        self.any_op(&marked)
    }

    /// Whether one of its operations is such a one.
    pub fn any_op(&self, wanted: &dyn Fn(&OpCode) -> bool) -> bool {
        self.nodes
            .iter()
            .any(|n| matches!(&n.kind, NodeKind::Op { op, .. } if wanted(op)))
    }

    /// Whether something of it is computed under a condition.
    pub fn chooses(&self) -> bool {
        self.nodes.iter().any(|n| n.choice().is_some())
    }

    /// How many nodes are computed for one, in all arms of all choices.
    pub fn expanded(&self, id: NodeId) -> usize {
        let needs = Needs::new(self);
        let mut count = 0;
        self.expand(&needs, id, &mut BTreeSet::new(), &mut count);
        count
    }

    fn expand(&self, needs: &Needs, id: NodeId, done: &mut BTreeSet<NodeId>, count: &mut usize) {
        // Whoever asks declines long before.
        if *count > self.nodes.len() * 64 || done.contains(&id) {
            return;
        }
        *count += 1;
        if let Some([cond, then, els]) = self.node(id).choice() {
            self.expand(needs, cond, done, count);
            for both in needs.both(then, els) {
                self.expand(needs, both, done, count);
            }
            self.expand(needs, then, &mut done.clone(), count);
            self.expand(needs, els, &mut done.clone(), count);
        } else if let NodeKind::Op { args, .. } = &self.node(id).kind {
            args.iter()
                .for_each(|a| self.expand(needs, *a, done, count));
        }
        done.insert(id);
    }
}

impl Node {
    /// Condition and arms, if it is a choice.
    pub fn choice(&self) -> Option<[NodeId; 3]> {
        match &self.kind {
            NodeKind::Op {
                op: OpCode::Choose,
                args,
                ..
            } => args.as_slice().try_into().ok(),
            _ => None,
        }
    }
}

/// For each node of a body, the nodes that are computed whenever it is.
pub struct Needs(Vec<Vec<u64>>);

impl Needs {
    /// Of all nodes.
    pub fn new(body: &Body) -> Needs {
        let words = body.nodes.len().div_ceil(64);
        let mut all: Vec<Vec<u64>> = vec![];
        for (n, node) in body.nodes.iter().enumerate() {
            let mut own = vec![0; words];
            own[n / 64] |= 1 << (n % 64);
            let mut add = |part: &dyn Fn(usize) -> u64| {
                for (w, word) in own.iter_mut().enumerate() {
                    *word |= part(w);
                }
            };
            if let Some([cond, then, els]) = node.choice() {
                add(&|w| all[cond.index()][w] | all[then.index()][w] & all[els.index()][w]);
            } else if let NodeKind::Op { args, .. } = &node.kind {
                args.iter().for_each(|a| add(&|w| all[a.index()][w]));
            }
            all.push(own);
        }
        Needs(all)
    }

    /// What is computed for either of two nodes, operands first.
    pub fn both(&self, a: NodeId, b: NodeId) -> Vec<NodeId> {
        let (a, b) = (&self.0[a.index()], &self.0[b.index()]);
        let common = |n: &usize| a[n / 64] & b[n / 64] & (1 << (n % 64)) != 0;
        let all = 0..a.len() * 64;
        all.filter(common).map(NodeId::from).collect()
    }

    /// What is computed whenever a node is, operands first.
    pub fn of(&self, id: NodeId) -> Vec<NodeId> {
        self.both(id, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Choices one after the other, each of which uses the one before on both sides.
    fn chain(length: usize) -> Body {
        let mut body = Body::default();
        let cond = body.push(Ty::Int(1), NodeKind::Read(1));
        let mut at = body.push(Ty::Float(64), NodeKind::Read(2));
        for _ in 0..length {
            let ty = Ty::Float(64);
            let op = |op, args| NodeKind::Op {
                inst: ValueId(0),
                op,
                args,
            };
            let then = body.push(ty, op(OpCode::FNeg, vec![at]));
            let els = body.push(ty, op(OpCode::Sqrt, vec![at]));
            at = body.push(ty, op(OpCode::Choose, vec![cond, then, els]));
        }
        body.root = at;
        body
    }

    #[test]
    fn choices_of_choices_stay_small() {
        let body = chain(20);
        assert!(body.chooses());
        assert_eq!(body.expanded(body.root), body.nodes.len());
    }

    #[test]
    fn what_one_side_needs_is_not_needed() {
        let body = chain(2);
        let needs = Needs::new(&body);
        // The condition, the first operand, the first choice, and the second.
        let needed: Vec<u32> = needs.of(body.root).iter().map(|n| n.0).collect();
        assert_eq!(needed, [0, 1, 4, 7]);
        assert_eq!(needs.both(NodeId(5), NodeId(6)), needs.of(NodeId(4)));
    }
}
