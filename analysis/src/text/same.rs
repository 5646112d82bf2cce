//! Equality of SCoPs and schedules: sets and relations by their elements, all else by value.

use crate::poly::{self, UnionMap};
use crate::scop::{Access, Array, PolyRange, Rows, Scop, Stmt};
use crate::tree::{Band, Branch, Schedule, Tree};

/// Whether both SCoPs are equal: same names and numbers, equal sets and relations.
pub fn same_scop(a: &Scop, b: &Scop) -> poly::Result<bool> {
    let plain = a.name == b.name
        && a.function == b.function
        && a.loc == b.loc
        && a.params == b.params
        && a.no_overlap == b.no_overlap
        && a.read_behind == b.read_behind
        && a.inspection == b.inspection
        && a.loops == b.loops
        && a.arrays.len() == b.arrays.len()
        && a.arrays
            .iter()
            .zip(&b.arrays)
            .all(|(a, b)| same_array(a, b))
        && a.stmts.len() == b.stmts.len()
        && a.assumptions.len() == b.assumptions.len()
        && a.poly_ranges.len() == b.poly_ranges.len()
        && a.rows.len() == b.rows.len();
    if !plain || !a.context.is_equal(&b.context)? {
        return Ok(false);
    }
    for (a, b) in a.assumptions.iter().zip(&b.assumptions) {
        if a.why != b.why || !a.set.is_equal(&b.set)? {
            return Ok(false);
        }
    }
    for (a, b) in a.poly_ranges.iter().zip(&b.poly_ranges) {
        if !same_poly_range(a, b)? {
            return Ok(false);
        }
    }
    for (a, b) in a.rows.iter().zip(&b.rows) {
        if !same_rows(a, b)? {
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

/// Whether both ranges are equal.
pub fn same_poly_range(a: &PolyRange, b: &PolyRange) -> poly::Result<bool> {
    let factors = |r: &PolyRange| {
        r.terms
            .iter()
            .map(|t| t.factors.clone())
            .collect::<Vec<_>>()
    };
    if (a.least, a.greatest, factors(a)) != (b.least, b.greatest, factors(b)) {
        return Ok(false);
    }
    for (a, b) in a.terms.iter().zip(&b.terms) {
        if !a.values.is_equal(&b.values)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn same_rows(a: &Rows, b: &Rows) -> poly::Result<bool> {
    let plain = |r: &Rows| {
        let table = (r.table, r.first, r.step);
        let lengths = r.lengths.clone();
        (table, r.base, r.address, r.pitch, r.element, lengths)
    };
    Ok(plain(a) == plain(b)
        && a.measured.is_some() == b.measured.is_some()
        && a.entries.is_equal(&b.entries)?
        && a.measured().is_equal(b.measured())?)
}

fn same_array(a: &Array, b: &Array) -> bool {
    a.name == b.name
        && a.kind == b.kind
        && a.ty == b.ty
        && a.strides == b.strides
        && a.extents == b.extents
        && a.origin == b.origin
        && a.gaps == b.gaps
        && a.hidden == b.hidden
        && a.dead == b.dead
        && a.blank == b.blank
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

/// Whether both schedules are equal: same tree, equal sets and functions.
pub fn same_schedule(a: &Schedule, b: &Schedule) -> poly::Result<bool> {
    Ok(a.sizes == b.sizes && a.domain.is_equal(&b.domain)? && same_tree(&a.root, &b.root)?)
}

fn same_tree(a: &Tree, b: &Tree) -> poly::Result<bool> {
    match (a, b) {
        (Tree::Leaf, Tree::Leaf) => Ok(true),
        (Tree::Band(a), Tree::Band(b)) => same_band(a, b),
        (Tree::Sequence(a), Tree::Sequence(b)) | (Tree::Set(a), Tree::Set(b)) => {
            same_branches(a, b)
        }
        (Tree::Mark(m, a), Tree::Mark(n, b)) => Ok(m == n && same_tree(a, b)?),
        _ => Ok(false),
    }
}

fn same_band(a: &Band, b: &Band) -> poly::Result<bool> {
    let plain = a.permutable == b.permutable
        && a.coincident == b.coincident
        && a.loops == b.loops
        && a.tile == b.tile
        && a.schedule.size() == b.schedule.size();
    let map = |b: &Band| UnionMap::from_multi_union_pw_aff(&b.schedule);
    Ok(plain && map(a)?.is_equal(&map(b)?)? && same_tree(&a.child, &b.child)?)
}

fn same_branches(a: &[Branch], b: &[Branch]) -> poly::Result<bool> {
    for (a, b) in a.iter().zip(b) {
        if !a.filter.is_equal(&b.filter)? || !same_tree(&a.child, &b.child)? {
            return Ok(false);
        }
    }
    Ok(a.len() == b.len())
}
