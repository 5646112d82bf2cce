//! The order of members in a band. Any is legal; what differs is which loop is outermost and which innermost.
//!
//! * A coincident member goes outermost: it can run in parallel.
//! * Of two or more coincident members, the one with most accesses contiguous goes innermost, for vector lanes.
//!
//! Bands without a coincident member keep the order of the search (time first).
//!
//! Iterators count from 0, so a loop over part of a matrix may walk it askew ([`leaning`]):
//!
//! ```text
//! for j: for i >= j: a[i][j] = ..     is     for i0: for i1: a[i0 + i1][i0] = ..
//! ```
//!
//! Along neither of them `a` is contiguous. Along `i0` with `i0 + i1` fixed it is: rows `i0 + i1` and `i0` are as good, for
//! whatever is coincident in two rows is coincident in their sum.

use super::band::{Found, History};
use super::fuse::Class;
use super::rows::Rows;
use crate::simd::{moves_beside, steps};
use polytile_analysis::scop::{Access, Scop, Stmt};
use polytile_analysis::stride::Stride;

/// Bytes by which elements of an array of structures follow each other at most: two lines of a cache.
const STRUCTURE: i128 = 128;

/// How many times as well a member that carries something walks memory as any coincident one, for it to stay innermost.
const FAR: usize = 3;

/// The band with its members in a better order.
pub fn ordered(scop: &Scop, class: &Class, history: &History, found: Found) -> Found {
    let found = leaning(scop, class, history, found);
    let order = lanes_last(&found.coincident, |m| {
        walks(scop, class, history, &found.rows, m)
    });
    Found {
        rows: order.iter().map(|&m| found.rows[m].clone()).collect(),
        coincident: order.iter().map(|&m| found.coincident[m]).collect(),
    }
}

/// How well the statements of a class walk memory along one of some rows.
fn walks(scop: &Scop, class: &Class, history: &History, rows: &[Rows], m: usize) -> usize {
    let mut count = 0;
    for s in class {
        let mut all = history.get(s).cloned().unwrap_or_default();
        let before = all.len();
        all.extend(rows.iter().map(|r| r[s].iters.clone()));
        count += contiguous(scop, scop.stmt(*s), &all, before + m);
    }
    count
}

/// The band with one coincident member replaced by its sum with another, if along no member half of the accesses are
/// contiguous, and then along some member twice as many are.
fn leaning(scop: &Scop, class: &Class, history: &History, found: Found) -> Found {
    let free: Vec<usize> = (0..found.rows.len())
        .filter(|&m| found.coincident[m])
        .collect();
    let best = |rows: &[Rows]| -> usize {
        let scores = free.iter().map(|&m| walks(scop, class, history, rows, m));
        scores.max().unwrap_or(0)
    };
    let accesses: usize = class.iter().map(|s| scop.stmt(*s).accesses.len()).sum();
    let before = best(&found.rows);
    if free.len() < 2 || before >= accesses {
        return found;
    }
    let pairs = free
        .iter()
        .flat_map(|&on| free.iter().map(move |&m| (m, on)));
    for (m, on) in pairs.filter(|(m, on)| m != on) {
        let mut rows = found.rows.clone();
        rows[m] = sum(&found.rows[m], &found.rows[on]);
        if best(&rows) > accesses.max(2 * before) {
            return Found { rows, ..found };
        }
    }
    found
}

/// The sum of two rows.
fn sum(a: &Rows, b: &Rows) -> Rows {
    let mut sum = a.clone();
    for (s, row) in &mut sum {
        let (own, other) = (&mut row.iters, &b[s]);
        let iters = own.iter_mut().zip(&other.iters);
        let params = row.params.iter_mut().zip(&other.params);
        iters.chain(params).for_each(|(x, y)| *x += y);
        row.constant += other.constant;
    }
    sum
}

/// The order of a band's members, given how often each is contiguous.
pub fn lanes_last(coincident: &[bool], contiguous: impl Fn(usize) -> usize) -> Vec<usize> {
    let members = coincident.len();
    let free: Vec<usize> = (0..members).filter(|&m| coincident[m]).collect();
    if free.is_empty() || members < 2 {
        return (0..members).collect();
    }
    let inner = free.iter().copied().max_by_key(|&m| (contiguous(m), m));
    // A chain along contiguous elements is no reason to walk them from far to far.
    let far = |m: usize| inner.is_some_and(|i| contiguous(m) >= FAR * contiguous(i).max(1));
    if (0..members).any(|m| !coincident[m] && far(m)) {
        let mut order = free;
        order.extend((0..members).filter(|&m| !coincident[m]));
        return order;
    }
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
/// one element, 1 for each that stays or moves by a structure.
pub fn contiguous(scop: &Scop, stmt: &Stmt, rows: &[Vec<i64>], row: usize) -> usize {
    let all = steps(rows, stmt.depth());
    let Some(step) = all.and_then(|mut all| all[row].take()) else {
        return 0;
    };
    let walks = |a: &Access| {
        let unit = Stride::Const(i128::from(a.ty.bytes()));
        match moves_beside(scop, a, &step) {
            Ok(s) if s == unit => 2,
            Ok(Stride::Zero) => 1,
            Ok(Stride::Const(bytes)) if bytes.abs() <= STRUCTURE => 1,
            _ => 0,
        }
    };
    stmt.accesses.iter().map(walks).sum()
}
