//! Which dimensions of an array are its rows.

use super::Window;
use crate::expand::users;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Aff, DimType, Result};
use polytile_analysis::scop::{AccessKind, ArrayKind, Scop, Stmt};

/// Whether the region fills an array that nobody reads behind it.
pub(super) fn is_dead(scop: &Scop, array: ArrayId) -> bool {
    let hidden = match &scop.array(array).kind {
        ArrayKind::Memory { .. } => scop.array(array).dead,
        ArrayKind::Temporary => true,
        ArrayKind::Scalar { .. } | ArrayKind::Intact => false,
    };
    hidden && users(scop, array).any(|s| s.writes_to(array))
}

/// What a dimension of an array is to nests that run row by row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It counts the rows.
    Row,
    /// It is in a row.
    Kept,
    /// It stands still in the loops of the nests.
    Fixed,
}

/// An array as a window of one row, if one of its dimensions is the row in all accesses, up to a constant.
pub(super) fn window(scop: &Scop, array: ArrayId, around: usize) -> Result<Option<Window>> {
    let mut all: Vec<(&Stmt, Vec<Aff>)> = vec![];
    for s in users(scop, array) {
        for a in s.accesses.iter().filter(|a| a.array == array) {
            let plain = a.kind != AccessKind::MayWrite && a.ty == scop.array(array).ty;
            match a.affine_subscripts()?.filter(|_| plain) {
                Some(subscripts) => all.push((s, subscripts)),
                None => return Ok(None),
            }
        }
    }
    let dims = all.first().map_or(0, |(_, subscripts)| subscripts.len());
    let mut roles = vec![];
    for d in 0..dims {
        let column = all.iter().map(|(s, subscripts)| (*s, &subscripts[d]));
        match role(&column.collect::<Vec<_>>(), around)? {
            Some(role) => roles.push(role),
            None => return Ok(None),
        }
    }
    let dims = |wanted: Role| (0..dims).filter(|d| roles[*d] == wanted).collect();
    let rows: Vec<usize> = dims(Role::Row);
    let [dim] = rows[..] else {
        return Ok(None);
    };
    Ok(Some(Window {
        array,
        rows: 1,
        dim,
        kept: dims(Role::Kept),
    }))
}

/// What a dimension is, by its subscripts in all accesses; `None`: the row and something else, or a multiple.
fn role(subscripts: &[(&Stmt, &Aff)], around: usize) -> Result<Option<Role>> {
    let mut moves = vec![];
    for (stmt, aff) in subscripts {
        let inside = (around..stmt.depth()).map(|d| aff.coefficient(DimType::In, d));
        moves.push(inside.collect::<Result<Vec<i64>>>()?);
    }
    let by_row = |m: &Vec<i64>| m.first().copied().unwrap_or(0);
    let is_row = |m: &Vec<i64>| by_row(m) == 1 && m[1..].iter().all(|c| *c == 0);
    let (_, first) = subscripts[0];
    let mut alike = true;
    let mut equal = true;
    for (_, aff) in subscripts {
        alike &= outside(first, around)? == outside(aff, around)?;
        equal &= first.constant()? == aff.constant()?;
    }
    let still = moves.iter().all(|m| m.iter().all(|c| *c == 0));
    Ok(match () {
        () if moves.iter().all(is_row) && alike => Some(Role::Row),
        () if still && alike && equal => Some(Role::Fixed),
        () if moves.iter().all(|m| by_row(m) == 0) => Some(Role::Kept),
        () => None,
    })
}

/// What parameters and the loops around add to a subscript.
fn outside(aff: &Aff, around: usize) -> Result<Vec<i64>> {
    let params = aff.space()?.dim(DimType::Param);
    let of_params = (0..params).map(|p| aff.coefficient(DimType::Param, p));
    let of_loops = (0..around).map(|d| aff.coefficient(DimType::In, d));
    of_params.chain(of_loops).collect()
}
