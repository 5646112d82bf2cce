//! The order of members in a band. Any is legal; what differs is which loop is outermost and which innermost.
//!
//! * A coincident member goes outermost: it can run in parallel.
//! * Of two or more coincident members, the one with most accesses contiguous goes innermost, for vector lanes.
//!
//! Bands without a coincident member keep the order of the search (time first).

use super::band::Found;
use super::fuse::Class;
use crate::simd::{inverse_columns, moves_along};
use polytile_analysis::scop::Scop;
use polytile_analysis::stride::Stride;

/// The band with its members in a better order.
pub fn ordered(scop: &Scop, class: &Class, found: Found) -> Found {
    let members = found.rows.len();
    let coincident: Vec<usize> = (0..members).filter(|&m| found.coincident[m]).collect();
    if coincident.is_empty() || members < 2 {
        return found;
    }
    let contiguous = |m: usize| contiguous(scop, class, &found, m);
    let inner = coincident
        .iter()
        .copied()
        .max_by_key(|&m| (contiguous(m), m));
    let mut order: Vec<usize> = coincident.clone();
    if let (Some(inner), true) = (inner, coincident.len() >= 2) {
        order.retain(|&m| m != inner);
        order.extend((0..members).filter(|m| !coincident.contains(m)));
        order.push(inner);
    } else {
        order.extend((0..members).filter(|m| !coincident.contains(m)));
    }
    Found {
        rows: order.iter().map(|&m| found.rows[m].clone()).collect(),
        coincident: order.iter().map(|&m| found.coincident[m]).collect(),
    }
}

/// Accesses of the class that move by at most one element along a member.
fn contiguous(scop: &Scop, class: &Class, found: &Found, member: usize) -> usize {
    let mut count = 0;
    for s in class {
        let stmt = scop.stmt(*s);
        let rows: Vec<Vec<i64>> = found.rows.iter().map(|r| r[s].iters.clone()).collect();
        let Some(columns) = inverse_columns(&rows, stmt.depth()) else {
            continue;
        };
        let Some(step) = &columns[member] else {
            continue;
        };
        for a in &stmt.accesses {
            let unit = Stride::Const(i128::from(a.ty.bytes()));
            count += match moves_along(scop, a, step) {
                Ok(s) if s == unit => 2,
                Ok(Stride::Zero) => 1,
                _ => 0,
            };
        }
    }
    count
}
