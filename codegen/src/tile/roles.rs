//! Whether a statement can run as a register tile, and what its parts change with.

use super::gain::{Gain, access_gain, changes};
use super::panel::{Slot, slots};
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
    if sides.iter().any(|n| *n != stmt.depth()) {
        return Some("its directions are not those of its iterators");
    }
    if accumulator(stmt).is_none() {
        return Some("it does not read the cell that it writes");
    }
    let packed = slots(m);
    let needed = needed(stmt, &packed);
    let write = access_varies(scop, m, stmt.write());
    if !write.row || !write.lane || write.reduction {
        return Some("the cell that it writes does not move with row and lane alone");
    }
    for n in accesses_of(stmt, &needed, &packed) {
        let a = &stmt.accesses[n];
        let contiguous = Gain {
            constant: i128::from(a.ty.bytes()),
            ..Gain::default()
        };
        match access_gain(scop, stmt, a, &m.lane_step) {
            Some(g) if g.is_zero() || g == contiguous => {}
            _ => return Some("an access is not contiguous in the lanes"),
        }
    }
    let varies = node_varies(scop, m);
    for id in needed.iter().filter(|id| !packed.contains_key(id)) {
        let (node, varies) = (stmt.body.node(*id), varies[id.index()]);
        match &node.kind {
            NodeKind::Index(_) if varies.lane => return Some("an index changes with the lane"),
            NodeKind::Op { .. } if varies.lane && vector_form(inst(&node.kind)).is_none() => {
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
