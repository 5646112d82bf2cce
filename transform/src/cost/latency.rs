//! How long an iteration of the innermost loop waits for the one before: [`latency`].
//!
//! ```text
//! for j: a[j] = 1 - a[j-1] * b[j]        from a[j-1] to a[j]: a product and a difference, eight cycles
//! ```

use crate::live::row_of;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{self, UnionPwAff};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{Access, AccessKind, Stmt};

/// Cycles of an addition or multiplication of floating-point numbers, and of a division.
const LATENCY: (usize, usize) = (4, 13);

/// Cycles from an instance of a statement to the next along the last of some rows, where that takes what the former
/// wrote; 0 if it does not.
pub fn latency(stmt: &Stmt, rows: &[UnionPwAff]) -> poly::Result<usize> {
    let mut longest = 0;
    for (write, root) in stmt.writes().iter().zip(stmt.body.values()) {
        for n in stmt.first_read()..stmt.accesses.len() {
            if carried(stmt, write, n, rows)? {
                longest = longest.max(path(stmt, n, root));
            }
        }
    }
    Ok(longest)
}

/// Whether an earlier iteration of the last row, in the same one of all others, writes what this access reads.
fn carried(stmt: &Stmt, write: &Access, read: usize, rows: &[UnionPwAff]) -> poly::Result<bool> {
    let access = &stmt.accesses[read];
    if access.array != write.array {
        return Ok(false);
    }
    let pairs = write.relation.apply_range(&access.relation.reverse()?)?;
    let mut pairs = pairs
        .intersect_domain(&stmt.domain)?
        .intersect_range(&stmt.domain)?;
    let Some((last, outer)) = rows.split_last() else {
        return Ok(false);
    };
    for row in outer {
        if let Some(row) = row_of(row, stmt.id)? {
            pairs = pairs.intersect(&row.eq_map(&row)?)?;
        }
    }
    match row_of(last, stmt.id)? {
        Some(row) => Ok(!pairs.intersect(&row.lt_map(&row)?)?.is_empty()?),
        None => Ok(false),
    }
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
