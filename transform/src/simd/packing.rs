//! Which operands of a register tile are copied before use.
//!
//! | side | copied where | gain |
//! |---|---|---|
//! | row | it computes (`alpha * A[i][k]`) | once per element instead of once per register tile |
//! | row | its rows lie apart (`A[i][k]`, not `A[k][i]`) | one stream instead of one per row, no two rows in one cache set |
//! | lane | it is not contiguous along the lane (`B[j][k]`), or computes | a vector load instead of a gather |
//!
//! Rows that lie apart are not copied where the lanes are known to end within [`FEW_TILES`] register tiles: a copy would
//! cost as much as the few reads that it serves (many small products).
//!
//! A copy is read by the tiles of a whole block, so it costs little against its uses. An operand that something in the band
//! writes has no copy: it would carry old values. (Other elements of its array may be written: `A[i][j] -= A[i][k] * A[j][k]` behind a panel
//! that is done, `k < p <= j`.) Neither has one that does not change along the reduction, because a register holds it.
//!
//! In a factorization every operand is written in the band. There a lane operand that is not contiguous is copied as far
//! as the block leaves it alone ([`Copied::Final`]): `A[j][k]` of `A[i][j] -= A[i][k] * A[j][k]`, for all `k` if rows `i`
//! and rows `j` of the block are apart, else for `k` before its first column. Nothing else is copied there.

use super::plan::{Shape, directions, step_by_step};
use super::{Roles, accesses_of, computes, moves_along, operands};
use crate::cost::{at_values, extent, typical};
use crate::legality::{Relation, Row, compared};
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{Map, MultiUnionPwAff, Result};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::{Band, Copied, Pack, Side};

/// Register tiles side by side for which rows are not copied.
const FEW_TILES: i64 = 2;

/// What may be copied for the register tiles of a band.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    /// Operands that nothing in the band writes.
    Unwritten,
    /// Lane operands that need it, also where the band writes them.
    Needed,
}

/// Copies by side, one per accumulating statement at most.
#[derive(Default)]
pub(super) struct Packs {
    pub(super) row: Vec<Pack>,
    pub(super) lane: Vec<Pack>,
}

/// An accumulating statement in a band.
struct Candidate<'a> {
    scop: &'a Scop,
    stmt: &'a Stmt,
    /// The rows of the bands around the band.
    outer: &'a [MultiUnionPwAff],
    /// Steps of row, lane and reduction.
    row: Vec<i64>,
    lane: Vec<i64>,
    reduction: Vec<i64>,
    /// Each element of a row operand is read by few register tiles.
    few_uses: bool,
}

/// The copies for register tiles of `found` among the band's statements `all`; `None` if one that is needed cannot be.
pub(super) fn packs(
    scop: &Scop,
    all: &[&Stmt],
    found: &[(&Stmt, Roles)],
    outer: &[MultiUnionPwAff],
    band: &Band,
    roles: &Roles,
    shape: &Shape,
) -> Result<Option<Packs>> {
    let policy = match step_by_step(band, roles) {
        true => Policy::Needed,
        false => Policy::Unwritten,
    };
    let mut packs = Packs::default();
    let sizes = typical(scop)?;
    let columns = band.schedule.at(roles.lane)?;
    for (stmt, own) in found {
        let Some(steps) = directions(stmt, outer, band)? else {
            return Ok(None);
        };
        let [Some(row), Some(lane), Some(reduction)] =
            [roles.row, roles.lane, roles.reduction].map(|m| steps[m].clone())
        else {
            return Ok(None);
        };
        let instances = at_values(&stmt.domain, &sizes)?.to_union_set()?;
        let most = extent(&instances, &columns)?;
        let candidate = Candidate {
            few_uses: most.is_some_and(|m| m <= FEW_TILES * shape.columns()),
            scop,
            stmt,
            outer,
            row,
            lane,
            reduction,
        };
        for side in [Side::Row, Side::Lane] {
            let wanted = match policy {
                Policy::Unwritten => candidate.operands(own.accumulator, side, all)?,
                Policy::Needed => candidate.needed(own.accumulator, side, all)?,
            };
            let Some((operands, copied)) = wanted else {
                return Ok(None);
            };
            if operands.is_empty() {
                continue;
            }
            let (list, member, width) = match side {
                Side::Row => (&mut packs.row, roles.row, shape.rows),
                Side::Lane => (&mut packs.lane, roles.lane, shape.vectors * shape.lanes),
            };
            list.push(Pack {
                stmt: stmt.id,
                side,
                operands,
                member,
                width,
                reduction: roles.reduction,
                copied,
            });
        }
    }
    Ok(Some(packs))
}

impl Candidate<'_> {
    /// What one side copies; `None` if an operand must be copied and cannot be.
    fn operands(
        &self,
        accumulator: usize,
        side: Side,
        all: &[&Stmt],
    ) -> Result<Option<(Vec<NodeId>, Copied)>> {
        let (scop, stmt) = (self.scop, self.stmt);
        let list = operands(scop, stmt, accumulator, &self.row, &self.lane, side)?;
        let (mut packed, mut copied) = (vec![], Copied::All);
        for operand in list {
            let few = side == Side::Row && self.few_uses;
            let pays = computes(stmt, operand) || !few && self.apart(operand, side)?;
            let fits = pays && self.can_be_copied(operand)?;
            let beside = fits && self.written(operand, all);
            if fits && !(beside && self.overwritten(operand, all)?) {
                packed.push(operand);
                if beside {
                    copied = Copied::Final;
                }
            } else if side == Side::Lane && self.apart(operand, side)? {
                return Ok(None);
            }
        }
        Ok(Some((packed, copied)))
    }

    /// The lane operands that are not contiguous; `None` if one of them cannot be copied.
    fn needed(
        &self,
        accumulator: usize,
        side: Side,
        all: &[&Stmt],
    ) -> Result<Option<(Vec<NodeId>, Copied)>> {
        let (mut packed, mut copied) = (vec![], Copied::All);
        if side == Side::Row {
            return Ok(Some((packed, copied)));
        }
        let (scop, stmt) = (self.scop, self.stmt);
        for operand in operands(scop, stmt, accumulator, &self.row, &self.lane, side)? {
            if !self.apart(operand, side)? {
                continue;
            }
            if !self.can_be_copied(operand)? {
                return Ok(None);
            }
            packed.push(operand);
            if self.written(operand, all) {
                copied = Copied::Final;
            }
        }
        Ok(Some((packed, copied)))
    }

    /// Whether a read of an operand does not walk along memory with its side's member.
    fn apart(&self, operand: NodeId, side: Side) -> Result<bool> {
        let step = match side {
            Side::Row => &self.row,
            Side::Lane => &self.lane,
        };
        for n in accesses_of(self.stmt, operand) {
            let a = &self.stmt.accesses[n];
            let stride = moves_along(self.scop, a, step)?;
            if stride != Stride::Zero && stride != Stride::Const(i128::from(a.ty.bytes())) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether something in the band writes an array that it reads.
    fn written(&self, operand: NodeId, all: &[&Stmt]) -> bool {
        accesses_of(self.stmt, operand).iter().any(|&n| {
            let array = self.stmt.accesses[n].array;
            all.iter().any(|s| s.writes_to(array))
        })
    }

    /// Whether something in the band writes an element that it reads.
    fn overwritten(&self, operand: NodeId, all: &[&Stmt]) -> Result<bool> {
        for n in accesses_of(self.stmt, operand) {
            let read = &self.stmt.accesses[n];
            let elements = read.relation.intersect_domain(&self.stmt.domain)?;
            for &s in all {
                for write in s.writes().iter().filter(|w| w.array == read.array) {
                    let writers = write.relation.intersect_domain(&s.domain)?.reverse()?;
                    if self.meets(elements.apply_range(&writers)?, s)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether instances are in one run of the band in some of these pairs with those of another statement.
    fn meets(&self, mut pairs: Map, other: &Stmt) -> Result<bool> {
        for outer in self.outer {
            for at in 0..outer.size() {
                let row = Row::new(self.scop, &outer.at(at)?)?;
                if let (Some(a), Some(b)) = (row.of(self.stmt.id), row.of(other.id)) {
                    pairs = pairs.intersect(&compared(pairs.ctx(), a, b, Relation::Equal)?)?;
                }
            }
        }
        Ok(!pairs.is_empty()?)
    }

    /// Whether it changes along the reduction and has the type of the accumulator.
    fn can_be_copied(&self, operand: NodeId) -> Result<bool> {
        let stmt = self.stmt;
        let element = self.scop.array(stmt.write().array).ty;
        let mut changes = false;
        for n in accesses_of(stmt, operand) {
            let a = &stmt.accesses[n];
            changes |= moves_along(self.scop, a, &self.reduction)? != Stride::Zero;
        }
        Ok(changes && stmt.body.node(operand).ty == element)
    }
}
