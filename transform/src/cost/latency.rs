//! How long an iteration of the innermost loop waits for the one before: [`latency`].
//!
//! ```text
//! for j: a[j] = 1 - a[j-1] * b[j]        from a[j-1] to a[j]: a product and a difference, eight cycles
//! ```

use crate::live::row_of;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{self, Map, UnionPwAff};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{Access, AccessKind, Stmt};

/// Cycles of an addition or multiplication of floating-point numbers, and of a division.
const LATENCY: (usize, usize) = (4, 13);

/// Cycles from an instance of a statement to the next along the last of some rows, where that takes what the former
/// wrote; 0 if it does not.
pub fn latency(stmt: &Stmt, rows: &[UnionPwAff]) -> poly::Result<usize> {
    let mut next = None;
    let mut longest = 0;
    for (write, root) in stmt.writes().iter().zip(stmt.body.values()) {
        for n in stmt.first_read()..stmt.accesses.len() {
            let read = &stmt.accesses[n];
            let cycles = path(stmt, n, root);
            // Sets answer only where the answer matters.
            if read.array != write.array || cycles <= longest {
                continue;
            }
            if next.is_none() {
                next = Some(later(stmt, rows)?);
            }
            if let Some(Some(next)) = &next
                && carried(write, read, next)?
            {
                longest = cycles;
            }
        }
    }
    Ok(longest)
}

/// From each instance of a statement to those in later iterations of the last row and in the same one of all others; `None` if it has no such row.
fn later(stmt: &Stmt, rows: &[UnionPwAff]) -> poly::Result<Option<Map>> {
    let Some((last, outer)) = rows.split_last() else {
        return Ok(None);
    };
    let Some(last) = row_of(last, stmt.id)? else {
        return Ok(None);
    };
    let mut later = last.lt_map(&last)?;
    for row in outer {
        if let Some(row) = row_of(row, stmt.id)? {
            later = later.intersect(&row.eq_map(&row)?)?;
        }
    }
    let later = later.intersect_domain(&stmt.domain)?;
    later.intersect_range(&stmt.domain).map(Some)
}

/// Whether one of these later instances reads what a write of the earlier one leaves.
fn carried(write: &Access, read: &Access, later: &Map) -> poly::Result<bool> {
    let pairs = write.relation.apply_range(&read.relation.reverse()?)?;
    Ok(!pairs.intersect(later)?.is_empty()?)
}

/// Cycles from a read to a value of the body: the longest path.
fn path(stmt: &Stmt, read: usize, root: NodeId) -> usize {
    let body = &stmt.body;
    let mut cycles: Vec<Option<usize>> = vec![None; body.nodes.len()];
    // Arguments come before their users.
    for (at, node) in body.nodes.iter().enumerate() {
        cycles[at] = match &node.kind {
            NodeKind::Read(n) => (*n == read).then_some(0),
            // Branches are foreseen: nothing waits for a condition, and what is written in some iterations only is rarely
            // what the next one reads.
            NodeKind::Op { .. } if node.choice().is_some() => {
                let may = stmt.write().kind == AccessKind::MayWrite;
                let arms = node.choice().filter(|_| !may);
                let arms = arms.iter().flat_map(|[_, then, els]| [then, els]);
                arms.filter_map(|a| cycles[a.index()]).max()
            }
            NodeKind::Op { op, args, .. } => {
                let longest = args.iter().filter_map(|a| cycles[a.index()]).max();
                longest.map(|c| c + operation(op))
            }
            _ => None,
        };
    }
    let root = cycles.get(root.index()).copied().flatten();
    root.unwrap_or(0)
}

fn operation(op: &OpCode) -> usize {
    match op {
        OpCode::FAdd(_) | OpCode::FSub(_) | OpCode::FMul(_) | OpCode::FMulAdd(_) | OpCode::Fma => {
            LATENCY.0
        }
        OpCode::FDiv(_) => LATENCY.1,
        _ => 1,
    }
}
