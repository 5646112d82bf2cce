//! Accumulating statements: which of them can run as a register tile, and in which roles the members of their band stand.
//! A member is seen as the direction in which it moves the iterators ([`basis`]).
//!
//! A register tile keeps `rows x vectors` accumulators in vector registers while the reduction iterator runs. The
//! pattern is found from access relations alone:
//!
//! * the statement reads the cell that it writes (the *accumulator*);
//! * exactly one direction does not move the written cell: the *reduction*;
//! * one of the others moves it by one element, or else by a few (complex numbers as pairs): the *lane*; a further one is
//!   the *row*;
//! * every other read ignores the row or the lane (that is the reuse). One that moves with the lane by more than an
//!   element must be packed (`packing`); roles without such reads come first.
//!
//! | nest | row | lane | reduction |
//! |---|---|---|---|
//! | `C[i][j] += A[i][k] * B[k][j]` | i | j | k |
//! | `S[i][j] += D[k][i] * D[k][j]` | i | j | k |
//! | `S[i][j] += A[i][k] * A[j][k]` | i | j | k |
//!
//! What is not done here: choosing sizes of cache tiles, proving legality of the order ([`crate::legality`]).

pub(crate) mod basis;
pub(crate) mod lanes;
mod levels;
mod operands;
mod packing;
mod plan;
mod reassociated;
mod shape;
mod streams;

pub use basis::{inverse_columns, linear_part, linear_parts, steps, subscripts};
pub use operands::{accesses_of, computes, operands};
pub use plan::{RegisterTiling, accumulating_roles, register_tiling, reordered};
pub use reassociated::{lies_in_lanes, slides, sums_in_lanes};
pub use shape::{RegisterFile, register_shape};
pub use streams::{
    Form, StreamRoles, in_any_order, member_steps, stream_lanes, stream_roles, stream_vectors,
};

use polytile_analysis::address_gain::access_gain;
use polytile_analysis::ast::MAX_CELL_STRIDE;
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{self, Constraint, DimType};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Access, Place, Scop, Stmt};
use polytile_analysis::stride::Stride;

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
    /// Lane reads that are not contiguous along the lane: they must be packed.
    pub strided: usize,
}

/// Why a statement is no candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAccumulating {
    /// It does not read the cell that it writes.
    NoAccumulator,
    /// Not exactly one direction leaves the written cell in place.
    NoSingleReduction,
    /// The written cell moves by one element, or a few, in no direction.
    NoUnitLane,
    /// No second direction is reused across.
    NoReuse,
    /// An operation has no vector form.
    NotVectorizable,
    /// The original runs it in vector lanes as it is ([`reassociated`]).
    Reassociated,
    /// A bound moves with the reduction by more than one and with another direction as well: no register tile ends so.
    ScaledEnds,
}

/// Finds the roles of `directions` (steps of the iterators, one list each; `None`: not to be used) for `stmt`.
pub fn roles(
    scop: &Scop,
    stmt: &Stmt,
    directions: &[Option<Vec<i64>>],
) -> poly::Result<Result<Roles, NotAccumulating>> {
    let gains = Gains::new(scop, stmt, directions)?;
    Ok(match find_roles(scop, stmt, &gains) {
        Ok(r) if ends_are_scaled(stmt, directions, r.reduction, &[r.row, r.lane])? => {
            Err(NotAccumulating::ScaledEnds)
        }
        found => found,
    })
}

/// Whether a bound moves with the reduction by more than one and with another direction as well.
fn ends_are_scaled(
    stmt: &Stmt,
    directions: &[Option<Vec<i64>>],
    reduction: usize,
    others: &[usize],
) -> poly::Result<bool> {
    for part in stmt.domain.basic_sets()? {
        for c in part.constraints()? {
            let by = along(stmt, &c)?;
            let along = |direction: usize| directions[direction].as_ref().map_or(0, &by);
            if along(reduction).abs() > 1 && others.iter().any(|&d| along(d) != 0) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How far a bound of a statement's iterations moves along a direction.
fn along(stmt: &Stmt, bound: &Constraint) -> poly::Result<impl Fn(&Vec<i64>) -> i64> {
    let mut coefficients = vec![];
    for d in 0..stmt.depth() {
        coefficients.push(bound.coefficient(DimType::Set, d)?);
    }
    Ok(move |step: &Vec<i64>| step.iter().zip(&coefficients).map(|(s, c)| s * c).sum())
}

/// What each access gains per step of each direction.
struct Gains {
    by_access: Vec<Vec<Option<Stride>>>,
}

impl Gains {
    fn new(scop: &Scop, stmt: &Stmt, directions: &[Option<Vec<i64>>]) -> poly::Result<Gains> {
        let gain = |a: &Access, step: &Option<Vec<i64>>| match step {
            // Code generation moves the address that the program computes.
            Some(step) if access_gain(scop, stmt, a, step).is_none() => Ok(Some(Stride::Irregular)),
            Some(step) => moves_along(scop, a, step).map(Some),
            None => Ok(None),
        };
        let row = |a: &Access| {
            directions
                .iter()
                .map(|step| gain(a, step))
                .collect::<poly::Result<Vec<_>>>()
        };
        Ok(Gains {
            by_access: stmt
                .accesses
                .iter()
                .map(row)
                .collect::<poly::Result<Vec<_>>>()?,
        })
    }

    fn usable(&self) -> Vec<usize> {
        (0..self.by_access[0].len())
            .filter(|&d| self.by_access[0][d].is_some())
            .collect()
    }

    fn of(&self, access: usize, direction: usize) -> &Stride {
        self.by_access[access][direction]
            .as_ref()
            .unwrap_or(&Stride::Irregular)
    }
}

fn find_roles(scop: &Scop, stmt: &Stmt, gains: &Gains) -> Result<Roles, NotAccumulating> {
    let accumulator = accumulator(stmt).ok_or(NotAccumulating::NoAccumulator)?;
    if !vectorizable(&stmt.body) {
        return Err(NotAccumulating::NotVectorizable);
    }
    let usable = gains.usable();
    let fixed: Vec<usize> = usable
        .iter()
        .copied()
        .filter(|&d| *gains.of(0, d) == Stride::Zero)
        .collect();
    let [reduction] = fixed[..] else {
        return Err(NotAccumulating::NoSingleReduction);
    };
    let element = i128::from(scop.array(stmt.write().array).ty.bytes());
    let by = |elements: i128| {
        let moved = move |&d: &usize| *gains.of(0, d) == Stride::Const(elements * element);
        usable.iter().copied().filter(moved).collect::<Vec<_>>()
    };
    let lanes = (1..=MAX_CELL_STRIDE).map(by).find(|l| !l.is_empty());
    let lanes = lanes.ok_or(NotAccumulating::NoUnitLane)?;
    let mut found: Vec<Roles> = vec![];
    for &lane in lanes.iter().rev() {
        let others = usable.iter().rev();
        for &row in others.filter(|&&r| r != lane && r != reduction) {
            let candidate = Roles {
                accumulator,
                row,
                lane,
                reduction,
                lane_reads: 0,
                row_reads: 0,
                strided: 0,
            };
            found.extend(with_reads(candidate, stmt, gains));
        }
    }
    let best = found.into_iter().min_by_key(|r| r.strided);
    best.ok_or(NotAccumulating::NoReuse)
}

/// The roles with their reads counted, if every read ignores the row or the lane and at least one ignores each.
fn with_reads(mut found: Roles, stmt: &Stmt, gains: &Gains) -> Option<Roles> {
    let others = stmt
        .accesses
        .iter()
        .enumerate()
        .skip(1)
        .filter(|&(n, _)| n != found.accumulator);
    for (n, a) in others {
        let with_row = *gains.of(n, found.row) != Stride::Zero;
        match gains.of(n, found.lane) {
            Stride::Zero => found.row_reads += usize::from(with_row),
            Stride::Irregular => return None,
            _ if with_row => return None,
            stride => {
                found.lane_reads += 1;
                let unit = *stride == Stride::Const(i128::from(a.ty.bytes()));
                found.strided += usize::from(!unit);
            }
        }
    }
    (found.row_reads > 0 && found.lane_reads > 0).then_some(found)
}

/// The number of the only access that reads the only written cell, if the body uses it exactly once, or once to compare and once to choose.
fn accumulator(stmt: &Stmt) -> Option<usize> {
    if stmt.is_group() {
        return None;
    }
    let write = stmt.write();
    // Two loads of the cell, with a store to another array between them, are two.
    let own = |&n: &usize| {
        let a = &stmt.accesses[n];
        a.array == write.array && a.relation.is_equal(&write.relation) != Ok(false)
    };
    let own: Vec<usize> = (1..stmt.accesses.len()).filter(own).collect();
    let [n] = own[..] else {
        return None;
    };
    let a = &stmt.accesses[n];
    if a.ty != write.ty || a.place != write.place || a.place == Place::Scalar {
        return None;
    }
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
    let node = NodeId::from(node);
    let once = uses(&stmt.body, node) == 1 || is_extremum(&stmt.body, node);
    (reads(&stmt.body, n) == 1 && once).then_some(n)
}

/// Whether the body chooses between a value and something that it compares with it: `x < m ? x : m`.
fn is_extremum(body: &Body, of: NodeId) -> bool {
    let NodeKind::Op { op, args, .. } = &body.node(body.root).kind else {
        return false;
    };
    let (OpCode::Select, [condition, a, b]) = (op, &args[..]) else {
        return false;
    };
    let NodeKind::Op { op, args, .. } = &body.node(*condition).kind else {
        return false;
    };
    let compares = matches!(op, OpCode::ICmp(_) | OpCode::FCmp(_)) && args.contains(&of);
    compares && (*a == of) != (*b == of) && uses(body, of) == 2
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

pub(crate) fn has_vector_form(op: &OpCode) -> bool {
    use OpCode::*;
    let instruction = matches!(
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
    );
    instruction || op.is_lane_by_lane()
}

/// What the address of a statement's access gains in bytes in the next iteration of its loop `d`.
pub fn moves_with(scop: &Scop, stmt: &Stmt, a: &Access, d: usize) -> poly::Result<Stride> {
    let step: Vec<i64> = (0..stmt.depth()).map(|e| (d == e).into()).collect();
    moves_along(scop, a, &step)
}

/// What the address of an access gains in bytes when the iterators move by `step`, from its access relation; irregular where a subscript is rounded.
pub fn moves_along(scop: &Scop, a: &Access, step: &[i64]) -> poly::Result<Stride> {
    moves(scop, a, step, false)
}

/// The same where what is rounded may be a part of a subscript that does not move, as the parity of a row.
pub fn moves_beside(scop: &Scop, a: &Access, step: &[i64]) -> poly::Result<Stride> {
    moves(scop, a, step, true)
}

fn moves(scop: &Scop, a: &Access, step: &[i64], rounded: bool) -> poly::Result<Stride> {
    let array = scop.array(a.array);
    let subscripts = a.relation.as_pw_multi_aff()?;
    if !subscripts.isa_multi_aff()? {
        return Ok(Stride::Irregular);
    }
    let subscripts = subscripts.as_multi_aff()?;
    let mut total = Total::default();
    for d in 0..subscripts.size() {
        let aff = subscripts.at(d)?;
        let rounds = aff.involves_locals()?;
        if (rounds && !rounded) || aff.denominator()? != 1 {
            return Ok(Stride::Irregular);
        }
        let mut gain = 0;
        for (i, by) in step.iter().enumerate().filter(|&(_, &by)| by != 0) {
            if rounds {
                let rest = aff.set_coefficient_si(DimType::In, i, 0)?;
                if rest.involves_dims(DimType::In, i, 1)? {
                    return Ok(Stride::Irregular);
                }
            }
            gain += i128::from(aff.coefficient(DimType::In, i)?) * i128::from(*by);
        }
        match array.strides.get(d) {
            Some(stride) => total.add(stride, gain),
            None => return Ok(Stride::Irregular),
        }
    }
    Ok(total.stride())
}

/// A sum of strides: a constant and multiples of symbolic ones.
#[derive(Default)]
struct Total {
    constant: i128,
    symbolic: Vec<(Scev, i128)>,
}

impl Total {
    /// Adds `by` times a stride.
    fn add(&mut self, stride: &Scev, by: i128) {
        match stride.as_constant() {
            Some(c) => self.constant += c * by,
            None => match self.symbolic.iter_mut().find(|(x, _)| x == stride) {
                Some((_, n)) => *n += by,
                None => self.symbolic.push((stride.clone(), by)),
            },
        }
    }

    fn stride(mut self) -> Stride {
        self.symbolic.retain(|(_, n)| *n != 0);
        match (self.constant, &self.symbolic[..]) {
            (0, []) => Stride::Zero,
            (c, []) => Stride::Const(c),
            (0, [(e, 1)]) => Stride::Symbolic(e.clone()),
            (0, [(e, n)]) if *n > 1 => {
                let factors = vec![Scev::constant(e.width, *n), e.clone()];
                Stride::Symbolic(Scev {
                    width: e.width,
                    kind: ScevKind::Mul(factors, Wrap::default()),
                })
            }
            _ => Stride::Irregular,
        }
    }
}
