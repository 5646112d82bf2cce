//! Sums over one member of a band of two: `y[i] += A[i][j] * x[j]`. There is no second member to reuse an operand
//! across, so the register tile has no rows: a few vectors of sums and a stream of operands.
//!
//! | form | nest | lane | reduction | the stream in the lanes |
//! |---|---|---|---|---|
//! | [`Form::Direct`] | `y[j] += A[i][j] * x[i]` | j | i | contiguous |
//! | [`Form::Transposed`] | `y[i] += A[i][j] * x[j]` | i | j | contiguous along the reduction: read in squares and transposed in registers |
//!
//! Either way each lane is a sum of its own, and its terms keep their order.

use super::reassociated::sums_in_lanes;
use super::{
    Gains, NotAccumulating, accumulator, ends_are_scaled, inverse_columns, linear_parts,
    vectorizable,
};
use crate::target::Target;
use polytile_analysis::chain::Role;
use polytile_analysis::poly::{self, MultiUnionPwAff};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::stride::Stride;

/// How a stream lies in the lanes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// All operands are contiguous or the same for all lanes.
    Direct,
    /// Some operand is contiguous along the reduction only.
    Transposed,
}

/// The roles of the directions of a sum, as positions in the list of directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamRoles {
    /// The direction of the vector lanes.
    pub lane: usize,
    /// The direction that accumulates.
    pub reduction: usize,
    /// How operands are read.
    pub form: Form,
}

/// Vectors of sums: enough chains to hide the latency of an addition behind loads (and shuffles).
const DIRECT_VECTORS: u32 = 4;

/// Rows that are transposed together at least; more would open more streams than prefetchers follow.
const TRANSPOSED_ROWS: u32 = 16;

/// Streams up to which minima and maxima are found row by row in squares: strips along the rows, where they may come in any order, need no
/// transposition, but something of each strip is done once. With one stream maxima of rows of 8 to 1000 doubles took .55 to .6 of the time of
/// strips (Zen 3), with two streams 1.2 times as long from 300 on.
const MAX_SQUARES: usize = 1;

/// Vectors of sums of one tile.
pub fn stream_vectors(form: Form, lanes: u32) -> u32 {
    match form {
        Form::Direct => DIRECT_VECTORS,
        Form::Transposed => TRANSPOSED_ROWS.div_ceil(lanes).min(DIRECT_VECTORS),
    }
}

/// The roles of two `directions` for `stmt`.
pub fn stream_roles(
    scop: &Scop,
    stmt: &Stmt,
    directions: &[Option<Vec<i64>>],
) -> poly::Result<Result<StreamRoles, NotAccumulating>> {
    let gains = Gains::new(scop, stmt, directions)?;
    let (roles, streams) = match find(stmt, &gains) {
        Ok(found) => found,
        Err(why) => return Ok(Err(why)),
    };
    if ends_are_scaled(stmt, directions, roles.reduction, &[roles.lane])? {
        return Ok(Err(NotAccumulating::ScaledEnds));
    }
    let beside = |stmt| -> poly::Result<bool> {
        Ok(sums_in_lanes(scop, stmt)? || streams > MAX_SQUARES && in_any_order(stmt)?)
    };
    Ok(match roles.form == Form::Transposed && beside(stmt)? {
        true => Err(NotAccumulating::Reassociated),
        false => Ok(roles),
    })
}

/// Whether a statement finds a minimum or maximum that has lanes along the values themselves, in strips.
pub fn in_any_order(stmt: &Stmt) -> poly::Result<bool> {
    const ANY: u32 = 128;
    Ok(match Role::of(stmt, &[stmt.write().array])? {
        Role::Chain(chain) => chain.in_lanes(stmt, ANY).any_order.is_some(),
        Role::Free | Role::Bound => false,
    })
}

/// The roles, and how many streams there are.
fn find(stmt: &Stmt, gains: &Gains) -> Result<(StreamRoles, usize), NotAccumulating> {
    let accumulator = accumulator(stmt).ok_or(NotAccumulating::NoAccumulator)?;
    if !vectorizable(&stmt.body) {
        return Err(NotAccumulating::NotVectorizable);
    }
    let element = |n: usize| i128::from(stmt.accesses[n].ty.bytes());
    let (lane, reduction) = match gains.usable()[..] {
        [a, b] if *gains.of(0, b) == Stride::Zero => (a, b),
        [a, b] if *gains.of(0, a) == Stride::Zero => (b, a),
        _ => return Err(NotAccumulating::NoSingleReduction),
    };
    if *gains.of(0, lane) != Stride::Const(element(0)) {
        return Err(NotAccumulating::NoUnitLane);
    }
    let mut form = Form::Direct;
    let mut streams = 0;
    for n in (1..stmt.accesses.len()).filter(|&n| n != accumulator) {
        let unit = Stride::Const(element(n));
        let (by_lane, by_step) = (gains.of(n, lane), gains.of(n, reduction));
        match (by_lane, by_step) {
            (Stride::Zero, _) => continue,
            (l, _) if *l == unit => {}
            (Stride::Irregular, _) => return Err(NotAccumulating::NoUnitLane),
            (_, s) if *s == unit && element(n) == element(0) => form = Form::Transposed,
            _ => return Err(NotAccumulating::NoUnitLane),
        }
        streams += usize::from(*by_step != Stride::Zero);
    }
    match streams {
        0 => Err(NotAccumulating::NoReuse),
        _ => Ok((
            StreamRoles {
                lane,
                reduction,
                form,
            },
            streams,
        )),
    }
}

/// How the iterators of a statement move by one step of each member of a band below bands with these `outer` rows.
pub fn member_steps(
    stmt: &Stmt,
    outer: &[MultiUnionPwAff],
    band: &MultiUnionPwAff,
) -> poly::Result<Option<Vec<Option<Vec<i64>>>>> {
    let mut all = vec![];
    for rows in [band].into_iter().chain(outer) {
        match linear_parts(rows, stmt)? {
            Some(rows) => all.extend(rows),
            None => return Ok(None),
        }
    }
    let mut steps = inverse_columns(&all, stmt.depth());
    if let Some(steps) = &mut steps {
        steps.truncate(band.size());
    }
    Ok(steps)
}

/// Lanes of a vector of a statement's sums; `None`: its vectors have one lane.
pub fn stream_lanes(scop: &Scop, stmt: &Stmt, target: &Target) -> Option<u32> {
    let lanes = target.lanes(scop.array(stmt.write().array).ty.bytes());
    u32::try_from(lanes).ok().filter(|l| *l >= 2)
}
