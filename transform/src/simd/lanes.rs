//! Statements in lanes of a loop around them: which iterator the lanes are ([`lane`]).

use super::{has_vector_form, linear_part};
use polytile_analysis::address_gain::changes;
use polytile_analysis::body::NodeKind;
use polytile_analysis::poly::{self, DimType, UnionPwAff};
use polytile_analysis::region::OpCode;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::Stmt;

/// The iterator of a statement that runs in lanes along `row`; `None` where it has no vector form, or where what its lanes run differs.
///
/// # Errors
/// What reading the row and the domain comes to.
pub(crate) fn lane(stmt: &Stmt, row: &UnionPwAff) -> poly::Result<Option<usize>> {
    let Some(lane) = along(stmt, row)? else {
        return Ok(None);
    };
    let along: Vec<i64> = (0..stmt.depth()).map(|d| (d == lane).into()).collect();
    let fixed = |s: &Scev| !changes(stmt, s, &along);
    Ok(vectorizable(stmt, fixed).then_some(lane))
}

/// The same where some of its operations may run for one lane after the other.
///
/// # Errors
/// What reading the row and the domain comes to.
pub(crate) fn mixed_lane(stmt: &Stmt, row: &UnionPwAff) -> poly::Result<Option<usize>> {
    let ops = stmt.body.nodes.iter().all(|n| match &n.kind {
        NodeKind::Op { op, .. } => has_vector_form(op) || *op == OpCode::Cast || op.runs_by_lane(),
        _ => true,
    });
    Ok(along(stmt, row)?.filter(|_| ops && !stmt.body.chooses()))
}

/// The iterator that `row` is, if nothing ties it to others and the statement has one write.
fn along(stmt: &Stmt, row: &UnionPwAff) -> poly::Result<Option<usize>> {
    let Some(lane) = linear_part(row, stmt)?.as_deref().and_then(unit) else {
        return Ok(None);
    };
    Ok((!stmt.is_group() && alone(stmt, lane)?).then_some(lane))
}

/// The only dimension that a row moves with, if it does so by 1.
fn unit(row: &[i64]) -> Option<usize> {
    let mut moving = row.iter().enumerate().filter(|(_, c)| **c != 0);
    match (moving.next(), moving.next()) {
        (Some((d, 1)), None) => Some(d),
        _ => None,
    }
}

/// Whether no constraint ties an iterator to another one.
fn alone(stmt: &Stmt, d: usize) -> poly::Result<bool> {
    for part in stmt.domain.basic_sets()? {
        for c in part.constraints()? {
            let mut tied = 0;
            for e in (0..stmt.depth()).filter(|&e| e != d) {
                tied += usize::from(c.coefficient(DimType::Set, e)? != 0);
            }
            if tied > 0 && c.coefficient(DimType::Set, d)? != 0 {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether all that depends on memory has a vector form, where functions of iterators that are not `fixed` for all lanes have none.
pub(crate) fn vectorizable(stmt: &Stmt, fixed: impl Fn(&Scev) -> bool) -> bool {
    if stmt.body.chooses() {
        return false;
    }
    let mut varies: Vec<bool> = vec![];
    for node in &stmt.body.nodes {
        varies.push(match &node.kind {
            NodeKind::Read(_) => true,
            NodeKind::Invariant(_) | NodeKind::Bits(_) => false,
            NodeKind::Index(s) if !fixed(s) => return false,
            NodeKind::Index(_) => false,
            NodeKind::Op { op, args, .. } => {
                let here = args.iter().any(|a| varies[a.index()]);
                if here && !has_vector_form(op) && *op != OpCode::Cast {
                    return false;
                }
                here
            }
        });
    }
    true
}
