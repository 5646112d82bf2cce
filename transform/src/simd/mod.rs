//! Accumulating statements: which of them can run as a register tile, and in which roles their iterators stand.
//!
//! A register tile keeps `rows x vectors` accumulators in vector registers while the reduction iterator runs. The
//! pattern is found from access relations alone:
//!
//! * the statement reads the cell that it writes (the *accumulator*);
//! * exactly one iterator does not move the written cell: the *reduction*;
//! * one of the others moves it by one element: the *lane*; a further one is the *row*;
//! * every other read ignores the row or the lane (that is the reuse), and moves by 0 or 1 element with the lane.
//!
//! | nest | row | lane | reduction |
//! |---|---|---|---|
//! | `C[i][j] += A[i][k] * B[k][j]` | i | j | k |
//! | `S[i][j] += D[k][i] * D[k][j]` | i | j | k |
//!
//! What is not done here: choosing sizes of cache tiles, proving legality of the order ([`crate::legality`]).

mod shape;

pub use shape::{RegisterFile, register_shape};

use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::{LoopId, NodeId};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, Place, Scop, Stmt};
use polytile_analysis::stride::{Stride, stride};

/// The roles of a statement's iterators in a register tile, as positions in its iteration vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// Number of the access that reads the accumulator.
    pub accumulator: usize,
    /// The unrolled iterator.
    pub row: usize,
    /// The iterator of the vector lanes.
    pub lane: usize,
    /// The iterator that accumulates.
    pub reduction: usize,
    /// Vector loads per reduction step: reads that move with the lane.
    pub lane_reads: usize,
    /// Reads that move with the row (a scalar load and a splat each).
    pub row_reads: usize,
}

/// Why a statement is no candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAccumulating {
    /// It does not read the cell that it writes.
    NoAccumulator,
    /// Not exactly one iterator leaves the written cell in place.
    NoSingleReduction,
    /// The written cell moves by one element with no iterator.
    NoUnitLane,
    /// No second iterator is reused across.
    NoReuse,
    /// An operation has no vector form.
    NotVectorizable,
}

/// Finds the roles of `stmt`'s iterators.
pub fn roles(scop: &Scop, stmt: &Stmt) -> Result<Roles, NotAccumulating> {
    let accumulator = accumulator(stmt).ok_or(NotAccumulating::NoAccumulator)?;
    if !vectorizable(&stmt.body) {
        return Err(NotAccumulating::NotVectorizable);
    }
    let fixed: Vec<usize> = (0..stmt.depth())
        .filter(|&d| moves(stmt.write(), stmt.iters[d]) == Stride::Zero)
        .collect();
    let [reduction] = fixed[..] else {
        return Err(NotAccumulating::NoSingleReduction);
    };
    let element = i128::from(scop.array(stmt.write().array).ty.bytes());
    let lanes: Vec<usize> = (0..stmt.depth())
        .filter(|&d| moves(stmt.write(), stmt.iters[d]) == Stride::Const(element))
        .collect();
    if lanes.is_empty() {
        return Err(NotAccumulating::NoUnitLane);
    }
    for &lane in lanes.iter().rev() {
        for row in (0..stmt.depth())
            .rev()
            .filter(|&r| r != lane && r != reduction)
        {
            if let Some(found) = try_roles(stmt, accumulator, row, lane, reduction) {
                return Ok(found);
            }
        }
    }
    Err(NotAccumulating::NoReuse)
}

fn try_roles(
    stmt: &Stmt,
    accumulator: usize,
    row: usize,
    lane: usize,
    reduction: usize,
) -> Option<Roles> {
    let mut found = Roles {
        accumulator,
        row,
        lane,
        reduction,
        lane_reads: 0,
        row_reads: 0,
    };
    let mut row_only = false;
    let mut lane_only = false;
    let others = stmt
        .accesses
        .iter()
        .enumerate()
        .skip(1)
        .filter(|&(n, _)| n != accumulator);
    for (_, a) in others {
        let with_row = moves(a, stmt.iters[row]) != Stride::Zero;
        let lane_stride = moves(a, stmt.iters[lane]);
        let with_lane = lane_stride != Stride::Zero;
        if with_row && with_lane {
            return None;
        }
        if with_lane && lane_stride != Stride::Const(i128::from(a.ty.bytes())) {
            return None;
        }
        if with_lane {
            found.lane_reads += 1;
            lane_only = true;
        } else if with_row {
            found.row_reads += 1;
            row_only = true;
        }
    }
    (row_only && lane_only).then_some(found)
}

/// The number of the read access that reads the written cell, if the body uses it exactly once.
fn accumulator(stmt: &Stmt) -> Option<usize> {
    let write = stmt.write();
    let n = (1..stmt.accesses.len()).find(|&n| {
        let a = &stmt.accesses[n];
        a.array == write.array
            && a.ty == write.ty
            && a.place == write.place
            && matches!(a.place, Place::Memory(_))
    })?;
    let reads = |body: &Body, n: usize| {
        body.nodes
            .iter()
            .filter(|x| x.kind == NodeKind::Read(n))
            .count()
    };
    let node = stmt
        .body
        .nodes
        .iter()
        .position(|x| x.kind == NodeKind::Read(n))?;
    (reads(&stmt.body, n) == 1 && uses(&stmt.body, NodeId::from(node)) == 1).then_some(n)
}

fn uses(body: &Body, of: NodeId) -> usize {
    let args = body.nodes.iter().filter_map(|n| match &n.kind {
        NodeKind::Op { args, .. } => Some(args),
        _ => None,
    });
    args.flatten().filter(|&&a| a == of).count()
}

/// Whether each operation has a vector form of the same meaning per lane, all of one element width.
fn vectorizable(body: &Body) -> bool {
    let root = body.node(body.root).ty;
    body.nodes.iter().all(|n| match &n.kind {
        NodeKind::Read(_) | NodeKind::Bits(_) | NodeKind::Invariant(_) => true,
        NodeKind::Index(_) => false,
        NodeKind::Op { op, .. } => has_vector_form(op) && (n.ty == root || n.ty == Ty::Int(1)),
    })
}

fn has_vector_form(op: &OpCode) -> bool {
    use OpCode::*;
    matches!(
        op,
        FAdd(_)
            | FSub(_)
            | FMul(_)
            | FDiv(_)
            | FNeg
            | FMulAdd(_)
            | Fma
            | Add
            | Sub
            | Mul
            | And
            | Or
            | Xor
            | Shl
            | LShr
            | AShr
            | ICmp(_)
            | FCmp(_)
            | Select
            | SMin
            | SMax
            | UMin
            | UMax
    )
}

/// How an access moves with a loop, in bytes.
pub fn moves(a: &Access, loop_: LoopId) -> Stride {
    match &a.place {
        Place::Memory(address) => stride(&address.offset, loop_),
        Place::Scalar => Stride::Zero,
        Place::Temporary(subscripts) => {
            let found: Vec<Stride> = subscripts.iter().map(|s| stride(s, loop_)).collect();
            match found.split_last() {
                Some((last, rest)) if rest.iter().all(|s| *s == Stride::Zero) => match last {
                    Stride::Const(c) => Stride::Const(c * i128::from(a.ty.bytes())),
                    other => other.clone(),
                },
                Some(_) => Stride::Irregular,
                None => Stride::Zero,
            }
        }
    }
}
