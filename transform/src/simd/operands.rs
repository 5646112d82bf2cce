//! The operands of an accumulating statement by side: the largest parts of its body that change with the row (and the
//! reduction) only, or with the lane only.
//!
//! In `C[i][j] += alpha * A[i][k] * B[k][j]` the row operand is `alpha * A[i][k]`, with the rounding of the source, and the
//! lane operand is `B[k][j]`. Packing evaluates an operand once per element instead of once per use.

use super::moves_along;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly;
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::Side;

/// What a node's value changes with.
#[derive(Clone, Copy, Default)]
struct Varies {
    row: bool,
    lane: bool,
    accumulator: bool,
}

impl Varies {
    fn or(self, other: Varies) -> Varies {
        Varies {
            row: self.row || other.row,
            lane: self.lane || other.lane,
            accumulator: self.accumulator || other.accumulator,
        }
    }

    /// The side that a node belongs to, if it is one only.
    fn side(self) -> Option<Side> {
        match (self.row, self.lane, self.accumulator) {
            (true, false, false) => Some(Side::Row),
            (false, true, false) => Some(Side::Lane),
            _ => None,
        }
    }
}

/// The operands of one side, in the order of the body; `accumulator` is the access that reads the accumulated cell, `row`
/// and `lane` are the steps of the iterators.
pub fn operands(
    scop: &Scop,
    stmt: &Stmt,
    accumulator: usize,
    row: &[i64],
    lane: &[i64],
    side: Side,
) -> poly::Result<Vec<NodeId>> {
    let mut varies: Vec<Varies> = vec![];
    for node in &stmt.body.nodes {
        let v = match &node.kind {
            NodeKind::Read(n) if *n == accumulator => Varies {
                accumulator: true,
                ..Varies::default()
            },
            NodeKind::Read(n) => {
                let moved =
                    |step| moves_along(scop, &stmt.accesses[*n], step).map(|s| s != Stride::Zero);
                Varies {
                    row: moved(row)?,
                    lane: moved(lane)?,
                    accumulator: false,
                }
            }
            // Whether an index changes with a direction is not looked at: it belongs to no side.
            NodeKind::Index(_) => Varies {
                row: true,
                lane: true,
                accumulator: false,
            },
            NodeKind::Invariant(_) | NodeKind::Bits(_) => Varies::default(),
            NodeKind::Op { args, .. } => args
                .iter()
                .map(|a| varies[a.index()])
                .fold(Varies::default(), Varies::or),
        };
        varies.push(v);
    }
    let mut found = vec![];
    let mut pending = vec![stmt.body.root];
    while let Some(id) = pending.pop() {
        if varies[id.index()].side() == Some(side) {
            found.push(id);
        } else if let NodeKind::Op { args, .. } = &stmt.body.node(id).kind {
            pending.extend(args);
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Whether an operand is more than a read: packing it saves arithmetic.
pub fn computes(stmt: &Stmt, operand: NodeId) -> bool {
    matches!(stmt.body.node(operand).kind, NodeKind::Op { .. })
}

/// The accesses that an operand reads.
pub fn accesses_of(stmt: &Stmt, operand: NodeId) -> Vec<usize> {
    let mut found = vec![];
    let mut pending = vec![operand];
    while let Some(id) = pending.pop() {
        match &stmt.body.node(id).kind {
            NodeKind::Read(n) => found.push(*n),
            NodeKind::Op { args, .. } => pending.extend(args),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
