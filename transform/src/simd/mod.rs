//! Accumulating statements: which of them can run as a register tile, and in which roles the members of their band stand.
//! A member is seen as the direction in which it moves the iterators ([`basis`]).
//!
//! A register tile keeps `rows x vectors` accumulators in vector registers while the reduction iterator runs. The
//! pattern is found from access relations alone:
//!
//! * the statement reads the cell that it writes (the *accumulator*);
//! * exactly one direction does not move the written cell: the *reduction*;
//! * one of the others moves it by one element: the *lane*; a further one is the *row*;
//! * every other read ignores the row or the lane (that is the reuse), and moves by 0 or 1 element with the lane.
//!
//! | nest | row | lane | reduction |
//! |---|---|---|---|
//! | `C[i][j] += A[i][k] * B[k][j]` | i | j | k |
//! | `S[i][j] += D[k][i] * D[k][j]` | i | j | k |
//!
//! What is not done here: choosing sizes of cache tiles, proving legality of the order ([`crate::legality`]).

mod basis;
mod shape;

pub use basis::{inverse_columns, linear_part, linear_parts};
pub use shape::{RegisterFile, register_shape};

use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::NodeId;
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, Place, Scop, Stmt};
use polytile_analysis::stride::{Stride, stride};

/// The roles of directions in a register tile, as positions in the list of directions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roles {
    /// Number of the access that reads the accumulator.
    pub accumulator: usize,
    /// The unrolled direction.
    pub row: usize,
    /// The direction of the vector lanes.
    pub lane: usize,
    /// The direction that accumulates.
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
    /// Not exactly one direction leaves the written cell in place.
    NoSingleReduction,
    /// The written cell moves by one element in no direction.
    NoUnitLane,
    /// No second direction is reused across.
    NoReuse,
    /// An operation has no vector form.
    NotVectorizable,
}

/// Finds the roles of `directions` (steps of the iterators, one list each; `None`: not to be used) for `stmt`.
pub fn roles(
    scop: &Scop,
    stmt: &Stmt,
    directions: &[Option<Vec<i64>>],
) -> Result<Roles, NotAccumulating> {
    let accumulator = accumulator(stmt).ok_or(NotAccumulating::NoAccumulator)?;
    if !vectorizable(&stmt.body) {
        return Err(NotAccumulating::NotVectorizable);
    }
    let usable: Vec<usize> = (0..directions.len())
        .filter(|&d| directions[d].is_some())
        .collect();
    let gain = |a: &Access, d: usize| match &directions[d] {
        Some(step) => moves_along(a, stmt, step),
        None => Stride::Irregular,
    };
    let fixed = usable
        .iter()
        .copied()
        .filter(|&d| gain(stmt.write(), d) == Stride::Zero);
    let [reduction] = fixed.collect::<Vec<_>>()[..] else {
        return Err(NotAccumulating::NoSingleReduction);
    };
    let element = i128::from(scop.array(stmt.write().array).ty.bytes());
    let unit = |&d: &usize| gain(stmt.write(), d) == Stride::Const(element);
    let lanes: Vec<usize> = usable.iter().copied().filter(unit).collect();
    if lanes.is_empty() {
        return Err(NotAccumulating::NoUnitLane);
    }
    for &lane in lanes.iter().rev() {
        for &row in usable
            .iter()
            .rev()
            .filter(|&&r| r != lane && r != reduction)
        {
            let others = stmt
                .accesses
                .iter()
                .enumerate()
                .skip(1)
                .filter(|&(n, _)| n != accumulator);
            let candidate = Roles {
                accumulator,
                row,
                lane,
                reduction,
                lane_reads: 0,
                row_reads: 0,
            };
            if let Some(found) = with_reads(candidate, others.map(|(_, a)| a), &gain) {
                return Ok(found);
            }
        }
    }
    Err(NotAccumulating::NoReuse)
}

/// The roles with their reads counted, if every read ignores the row or the lane and at least one ignores each.
fn with_reads<'a>(
    mut found: Roles,
    reads: impl Iterator<Item = &'a Access>,
    gain: &dyn Fn(&Access, usize) -> Stride,
) -> Option<Roles> {
    for a in reads {
        let with_row = gain(a, found.row) != Stride::Zero;
        match gain(a, found.lane) {
            Stride::Zero => found.row_reads += usize::from(with_row),
            Stride::Const(c) if c == i128::from(a.ty.bytes()) && !with_row => found.lane_reads += 1,
            _ => return None,
        }
    }
    (found.row_reads > 0 && found.lane_reads > 0).then_some(found)
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

/// What the address of an access gains in bytes when the iterators of `stmt` move by `step`.
pub fn moves_along(a: &Access, stmt: &Stmt, step: &[i64]) -> Stride {
    let moved = stmt.iters.iter().zip(step).filter(|&(_, &by)| by != 0);
    let mut total = Total::default();
    for (&loop_, &by) in moved {
        let exact = match &a.place {
            Place::Memory(address) => total.add(stride(&address.offset, loop_), by, 1),
            Place::Scalar => true,
            Place::Temporary(subscripts) => subscripts.iter().enumerate().all(|(d, s)| {
                let innermost = d + 1 == subscripts.len();
                match stride(s, loop_) {
                    Stride::Zero => true,
                    Stride::Const(c) if innermost => total.add(Stride::Const(c), by, a.ty.bytes()),
                    _ => false,
                }
            }),
        };
        if !exact {
            return Stride::Irregular;
        }
    }
    total.stride()
}

/// A sum of strides: a constant and multiples of symbolic ones.
#[derive(Default)]
struct Total {
    constant: i128,
    symbolic: Vec<(Scev, i128)>,
}

impl Total {
    /// Adds `by * scale` times a stride; false if it is irregular.
    fn add(&mut self, s: Stride, by: i64, scale: u64) -> bool {
        let by = i128::from(by) * i128::from(scale);
        match s {
            Stride::Zero => {}
            Stride::Const(c) => self.constant += c * by,
            Stride::Symbolic(e) => match self.symbolic.iter_mut().find(|(x, _)| *x == e) {
                Some((_, n)) => *n += by,
                None => self.symbolic.push((e, by)),
            },
            Stride::Irregular => return false,
        }
        true
    }

    fn stride(mut self) -> Stride {
        self.symbolic.retain(|(_, n)| *n != 0);
        match (self.constant, &self.symbolic[..]) {
            (0, []) => Stride::Zero,
            (c, []) => Stride::Const(c),
            (0, [(e, 1)]) => Stride::Symbolic(e.clone()),
            _ => Stride::Irregular,
        }
    }
}
