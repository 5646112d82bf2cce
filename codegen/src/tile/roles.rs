//! Whether a statement can run as a register tile, and what its parts change with.

use super::cells::cell_stride;
use super::gain::{access_gain, changes};
use super::panel::{Slot, slots};
use super::transpose::{contiguous, is_transposable};
use crate::vector::vector_form;
use llvm_sys::prelude::LLVMValueRef;
use polytile_analysis::ast::{MicroKernel, TileConstraint};
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::{Access, Scop, Stmt};
use polytile_analysis::tree::Side;
use std::collections::{BTreeMap, BTreeSet};

/// Which iterators of the box a value changes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Varies {
    pub(crate) row: bool,
    pub(crate) lane: bool,
    pub(crate) reduction: bool,
}

impl Varies {
    pub(super) fn or(self, other: Varies) -> Varies {
        Varies {
            row: self.row || other.row,
            lane: self.lane || other.lane,
            reduction: self.reduction || other.reduction,
        }
    }
}

/// Why a statement cannot run as this tile; nothing if it can.
pub(crate) fn obstacle(
    scop: &Scop,
    m: &MicroKernel,
    inst: impl Fn(&NodeKind) -> LLVMValueRef,
) -> Option<&'static str> {
    let stmt = scop.stmt(m.tile.stmt);
    let sides = [
        m.args.len(),
        m.row_step.len(),
        m.lane_step.len(),
        m.reduction_step.len(),
    ];
    assert!(
        sides.iter().all(|n| *n == stmt.depth()),
        "directions are those of the iterators"
    );
    assert!(accumulator(stmt).is_some(), "register tiles hold sums");
    let packed = slots(m);
    let needed = needed(stmt, &packed);
    let write = access_varies(scop, m, stmt.write());
    if write.row != m.tile.row.is_some() || !write.lane || write.reduction {
        return Some("the cell that it writes does not move with row and lane alone");
    }
    let cell = [Some(0), accumulator(stmt)];
    for n in accesses_of(stmt, &needed, &packed) {
        let a = &stmt.accesses[n];
        let step = access_gain(scop, stmt, a, &m.reduction_step);
        match access_gain(scop, stmt, a, &m.lane_step) {
            Some(g) if g.is_zero() || g == contiguous(a) => {}
            Some(_) if cell.contains(&Some(n)) && cell_stride(scop, stmt, m).is_some() => {}
            Some(g) if !cell.contains(&Some(n)) && is_transposable(a, &g, step.as_ref()) => {}
            _ => return Some("an access is contiguous neither in the lanes nor in the reduction"),
        }
    }
    let varies = node_varies(scop, m);
    for id in needed.iter().filter(|id| !packed.contains_key(id)) {
        let (node, varies) = (stmt.body.node(*id), varies[id.index()]);
        match &node.kind {
            NodeKind::Index(_) if varies.lane => return Some("an index changes with the lane"),
            NodeKind::Op { .. } if node.choice().is_some() => {
                return Some("a value is computed under a condition");
            }
            NodeKind::Op { op, .. }
                if varies.lane && vector_form(op, inst(&node.kind)).is_none() =>
            {
                return Some("an operation has no vector form");
            }
            _ => {}
        }
    }
    let mixed = |c: &&TileConstraint| c.reduction != 0 && (c.row != 0 || c.lane != 0);
    if m.constraints
        .iter()
        .filter(mixed)
        .any(|c| c.reduction.abs() != 1)
    {
        return Some("a constraint scales the reduction");
    }
    None
}

/// The read of the written cell.
pub(super) fn accumulator(stmt: &Stmt) -> Option<usize> {
    let write = stmt.write();
    (1..stmt.accesses.len()).find(|&n| {
        let a = &stmt.accesses[n];
        a.array == write.array && a.ty == write.ty && a.place == write.place
    })
}

/// The accesses among `used`, but for those to the cell, whose lanes lie apart.
pub(super) fn transposed(scop: &Scop, m: &MicroKernel, used: &BTreeSet<usize>) -> BTreeSet<usize> {
    let stmt = scop.stmt(m.tile.stmt);
    let apart = |n: &usize| {
        let a = &stmt.accesses[*n];
        let gain = access_gain(scop, stmt, a, &m.lane_step);
        let cell = *n == 0 || Some(*n) == accumulator(stmt);
        !cell && gain.is_some_and(|g| !g.is_zero() && g != contiguous(a))
    };
    used.iter().copied().filter(apart).collect()
}

pub(super) fn access_varies(scop: &Scop, m: &MicroKernel, a: &Access) -> Varies {
    let stmt = scop.stmt(m.tile.stmt);
    let moves =
        |direction: &[i64]| access_gain(scop, stmt, a, direction).is_none_or(|g| !g.is_zero());
    Varies {
        row: moves(&m.row_step),
        lane: moves(&m.lane_step),
        reduction: moves(&m.reduction_step),
    }
}

pub(super) fn node_varies(scop: &Scop, m: &MicroKernel) -> Vec<Varies> {
    let stmt = scop.stmt(m.tile.stmt);
    let accumulator = accumulator(stmt);
    let mut all: Vec<Varies> = vec![];
    let packed = slots(m);
    for (id, node) in stmt.body.nodes.iter().enumerate() {
        all.push(match &node.kind {
            _ if packed.contains_key(&NodeId::from(id)) => Varies {
                row: packed[&NodeId::from(id)].side == Side::Row,
                lane: packed[&NodeId::from(id)].side == Side::Lane,
                reduction: true,
            },
            NodeKind::Read(n) if Some(*n) == accumulator => Varies {
                row: true,
                lane: true,
                reduction: true,
            },
            NodeKind::Read(n) => access_varies(scop, m, &stmt.accesses[*n]),
            NodeKind::Invariant(_) | NodeKind::Bits(_) => Varies::default(),
            NodeKind::Index(s) => Varies {
                row: changes(stmt, s, &m.row_step),
                lane: changes(stmt, s, &m.lane_step),
                reduction: changes(stmt, s, &m.reduction_step),
            },
            NodeKind::Op { args, .. } => args
                .iter()
                .map(|a| all[a.index()])
                .fold(Varies::default(), Varies::or),
        });
    }
    all
}

/// The nodes that the root is computed from; packed ones are there already.
pub(super) fn needed(stmt: &Stmt, packed: &BTreeMap<NodeId, Slot>) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut pending = vec![stmt.body.root];
    while let Some(id) = pending.pop() {
        if found.insert(id)
            && !packed.contains_key(&id)
            && let NodeKind::Op { args, .. } = &stmt.body.node(id).kind
        {
            pending.extend(args);
        }
    }
    found
}

/// The accesses that the box makes: those of needed nodes, and those to the cell.
pub(super) fn accesses_of(
    stmt: &Stmt,
    needed: &BTreeSet<NodeId>,
    packed: &BTreeMap<NodeId, Slot>,
) -> BTreeSet<usize> {
    let unpacked = needed.iter().filter(|id| !packed.contains_key(id));
    let read = unpacked.filter_map(|id| match stmt.body.node(*id).kind {
        NodeKind::Read(n) => Some(n),
        _ => None,
    });
    read.chain(accumulator(stmt)).chain([0]).collect()
}
