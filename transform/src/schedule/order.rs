//! The order of members in a band. Any is legal; what differs is which loop is outermost and which innermost.
//!
//! * A coincident member goes outermost: it can run in parallel.
//! * Of two or more coincident members, the one with most accesses contiguous goes innermost, for vector lanes.
//!
//! Bands without a coincident member keep the order of the search (time first).

use super::band::{Found, History};
use super::fuse::Class;
use crate::simd::{inverse_columns, moves_along};
use polytile_analysis::scop::{Access, Scop, Stmt};
use polytile_analysis::stride::Stride;

/// The band with its members in a better order.
pub fn ordered(scop: &Scop, class: &Class, history: &History, found: Found) -> Found {
    let order = lanes_last(&found.coincident, |m| {
        let mut count = 0;
        for s in class {
            let mut rows = history.get(s).cloned().unwrap_or_default();
            let before = rows.len();
            rows.extend(found.rows.iter().map(|r| r[s].iters.clone()));
            count += contiguous(scop, scop.stmt(*s), &rows, before + m);
        }
        count
    });
    Found {
        rows: order.iter().map(|&m| found.rows[m].clone()).collect(),
        coincident: order.iter().map(|&m| found.coincident[m]).collect(),
    }
}

/// The order of a band's members, given how often each is contiguous.
pub fn lanes_last(coincident: &[bool], contiguous: impl Fn(usize) -> usize) -> Vec<usize> {
    let members = coincident.len();
    let free: Vec<usize> = (0..members).filter(|&m| coincident[m]).collect();
    if free.is_empty() || members < 2 {
        return (0..members).collect();
    }
    let inner = free.iter().copied().max_by_key(|&m| (contiguous(m), m));
    let mut order: Vec<usize> = free.clone();
    if let (Some(inner), true) = (inner, free.len() >= 2) {
        order.retain(|&m| m != inner);
        order.extend((0..members).filter(|m| !free.contains(m)));
        order.push(inner);
    } else {
        order.extend((0..members).filter(|m| !free.contains(m)));
    }
    order
}

/// How well a statement walks memory along one of the rows above it, by their linear parts: 2 for each access that moves by
/// one element, 1 for each that stays.
pub fn contiguous(scop: &Scop, stmt: &Stmt, rows: &[Vec<i64>], row: usize) -> usize {
    let columns = inverse_columns(rows, stmt.depth());
    let Some(step) = columns.and_then(|mut c| c[row].take()) else {
        return 0;
    };
    let walks = |a: &Access| {
        let unit = Stride::Const(i128::from(a.ty.bytes()));
        match moves_along(scop, a, &step) {
            Ok(s) if s == unit => 2,
            Ok(Stride::Zero) => 1,
            _ => 0,
        }
    };
    stmt.accesses.iter().map(walks).sum()
}
