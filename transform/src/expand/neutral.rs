//! Minima and maxima of integers that begin with elements of their own array begin with the neutral element, and take these up like all others.
//!
//! ```text
//! for i: for j: { b[i][j] = max(b[i][j-1], b[i-1][j]);
//!                 for k: b[i][j] = max(b[i][j], b[i][k] + b[k][j]) }
//!
//! for i: for j: { b[i][j] = -2^31;
//!                 b[i][j] = max(b[i][j], max(b[i][j-1], b[i-1][j]));
//!                 for k: b[i][j] = max(b[i][j], b[i][k] + b[k][j]) }
//! ```
//!
//! A plain store comes before all updates of its cell, and what it stores needs whole rows of elements that are done; then no update can come before
//! these are. As an update it waits for them, and others do not wait for it: a dynamic program over intervals runs in tiles. A minimum or
//! maximum of integers is the same in any order.

use super::merge::numbered;
use super::put_in_front;
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::deps::update;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::region::{OpCode, Ty};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};

/// `scop` with such stores as updates of what they begin with.
///
/// # Errors
/// Those of the set library.
pub fn neutral_first(scop: &Scop) -> Result<Scop> {
    let mut new = scop.clone();
    for s in &scop.stmts {
        if let Some(with) = later_update(scop, s)? {
            begin(&mut new, s.id, with);
        }
    }
    match new.stmts.len() == scop.stmts.len() {
        true => Ok(new),
        false => {
            new.stmts = numbered(new.stmts)?;
            Ok(new)
        }
    }
}

/// The root of an update in a loop behind a store of the same cells, which is made of other elements of the array.
fn later_update<'s>(scop: &'s Scop, s: &Stmt) -> Result<Option<&'s NodeKind>> {
    let write = s.write();
    let plain = !s.is_group()
        && write.kind == AccessKind::MustWrite
        && matches!(write.place, Place::Memory(_))
        && matches!(write.ty, Ty::Int(8..=64))
        && s.reads().iter().any(|r| r.array == write.array);
    if !plain || reads_own_cell(scop, s)? {
        return Ok(None);
    }
    let depth = s.depth();
    for t in &scop.stmts {
        let behind = t.depth() > depth
            && t.beta[..depth] == s.beta[..depth]
            && t.beta[depth] > s.beta[depth];
        if !behind || t.write().array != write.array || t.write().ty != write.ty {
            continue;
        }
        let root = &t.body.node(t.body.root).kind;
        if let NodeKind::Op { op, .. } = root
            && neutral(op, write.ty).is_some()
            && update(t)?.is_some()
            && same_cells(s, t)?
        {
            return Ok(Some(root));
        }
    }
    Ok(None)
}

/// Whether some instance of a statement reads the cell that it writes, or a part of it: that would be the neutral element.
fn reads_own_cell(scop: &Scop, s: &Stmt) -> Result<bool> {
    let write = s.write();
    for r in s.reads().iter().filter(|r| r.array == write.array) {
        let both = r.relation.intersect(&write.relation)?;
        let some = both
            .intersect_domain(&s.domain)?
            .intersect_params(&scop.context)?;
        if r.ty != write.ty || !some.is_empty()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether each instance of an update in further loops changes the cell that the store of the same outer iteration has written.
fn same_cells(s: &Stmt, t: &Stmt) -> Result<bool> {
    let (depth, inner) = (s.depth(), t.depth() - s.depth());
    let own = s.write().relation.set_tuple_name(DimType::In, &t.name)?;
    let all = t.write().relation.intersect_domain(&t.domain)?;
    let outer = all.project_out(DimType::In, depth, inner)?;
    outer.set_tuple_name(DimType::In, &t.name)?.is_subset(&own)
}

/// What changes nothing, as the bits of an integer.
fn neutral(op: &OpCode, ty: Ty) -> Option<u64> {
    let Ty::Int(width @ 1..=64) = ty else {
        return None;
    };
    let all = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    match op {
        OpCode::SMax => Some(sign),
        OpCode::SMin => Some(all ^ sign),
        OpCode::UMax => Some(0),
        OpCode::UMin => Some(all),
        _ => None,
    }
}

/// Has a store write the neutral element first, and then change it.
fn begin(scop: &mut Scop, id: StmtId, root: &NodeKind) {
    let of = (scop.stmts.iter_mut().find(|s| s.id == id)).expect("a statement of the SCoP");
    let (NodeKind::Op { inst, op, .. }, ty) = (root, of.write().ty) else {
        return;
    };
    let Some(bits) = neutral(op, ty) else {
        return;
    };
    let mut body = Body::default();
    body.root = body.push(ty, NodeKind::Bits(bits));
    let first = Stmt {
        accesses: vec![of.write().clone()],
        body,
        ..of.clone()
    };
    of.accesses.push(Access {
        kind: AccessKind::Read,
        inst: None,
        ..of.write().clone()
    });
    let cell = of.body.push(ty, NodeKind::Read(of.accesses.len() - 1));
    let (inst, op, args) = (*inst, op.clone(), vec![cell, of.body.root]);
    of.body.root = of.body.push(ty, NodeKind::Op { inst, op, args });
    put_in_front(scop, first);
}
