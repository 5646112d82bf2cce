//! Equality of SCoPs: sets and relations by their elements, all else by value.

use crate::poly;
use crate::scop::{Access, Array, Scop, Stmt};

/// Whether both SCoPs are equal: same names and numbers, equal sets and relations.
pub fn same_scop(a: &Scop, b: &Scop) -> poly::Result<bool> {
    let plain = a.name == b.name
        && a.function == b.function
        && a.loc == b.loc
        && a.params == b.params
        && a.no_overlap == b.no_overlap
        && a.loops == b.loops
        && a.arrays.len() == b.arrays.len()
        && a.arrays
            .iter()
            .zip(&b.arrays)
            .all(|(a, b)| same_array(a, b))
        && a.stmts.len() == b.stmts.len()
        && a.assumptions.len() == b.assumptions.len();
    if !plain || !a.context.is_equal(&b.context)? {
        return Ok(false);
    }
    for (a, b) in a.assumptions.iter().zip(&b.assumptions) {
        if a.why != b.why || !a.set.is_equal(&b.set)? {
            return Ok(false);
        }
    }
    for (a, b) in a.stmts.iter().zip(&b.stmts) {
        if !same_stmt(a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_array(a: &Array, b: &Array) -> bool {
    a.name == b.name
        && a.kind == b.kind
        && a.ty == b.ty
        && a.strides == b.strides
        && a.extents == b.extents
}

fn same_stmt(a: &Stmt, b: &Stmt) -> poly::Result<bool> {
    let plain = a.id == b.id
        && a.name == b.name
        && a.iters == b.iters
        && a.beta == b.beta
        && a.body == b.body
        && a.loc == b.loc
        && a.accesses.len() == b.accesses.len();
    if !plain || !a.domain.is_equal(&b.domain)? {
        return Ok(false);
    }
    for (a, b) in a.accesses.iter().zip(&b.accesses) {
        if !same_access(a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_access(a: &Access, b: &Access) -> poly::Result<bool> {
    let plain = a.kind == b.kind
        && a.array == b.array
        && a.place == b.place
        && a.ty == b.ty
        && a.inst == b.inst;
    Ok(plain && a.relation.is_equal(&b.relation)?)
}
