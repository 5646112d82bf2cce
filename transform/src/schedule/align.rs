//! Alignment: rows that follow a subscript of the cell that is written.
//!
//! Several rows are often equally short for the bounding function, because some dependence is far in any case. In a
//! factorization all of these are legal as the second row, and all have a distance of the order of `n`:
//!
//! ```text
//! for i, j < i, k < j:   S0: A[i][j] -= A[i][k] * A[k][j]
//! for i, j < i:          S1: A[i][j] /= A[j][j]
//! for i, j >= i, k < i:  S2: A[i][j] -= A[i][k] * A[k][j]
//!
//! S0 -> j, S1 -> j, S2 -> k       leaves  S0 -> i + k, S1 -> i + j, S2 -> i + j    (skewed)
//! S0 -> j, S1 -> j, S2 -> j       leaves  S0 -> k,     S1 -> j,     S2 -> k        (a box of updates)
//! ```
//!
//! Where statements write the same array, following its subscripts makes a tile own a block of its cells, and leaves
//! plain rows for the rest. Such rows are proposed here; the search takes one if it is as short as what it found. If what it found is
//! skewed, statements with fewer loops (`for k < j: b[j][k] = A[j][k] * A[k][k]`, whose second row can only be `j` again) may stand
//! still in the proposed one.

use super::rows::Rows;
use crate::simd::subscripts;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::Result;
use polytile_analysis::scop::{ArrayKind, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// Coefficients of iterators for some of the statements of a class.
pub type Proposal = BTreeMap<StmtId, Vec<i64>>;

/// The subscripts of the array that most statements of the class write, if two or more do.
pub fn proposals(scop: &Scop, class: &BTreeSet<StmtId>) -> Result<Vec<Proposal>> {
    let mut writers: BTreeMap<ArrayId, Vec<StmtId>> = BTreeMap::new();
    for s in class {
        let write = scop.stmt(*s).write();
        if matches!(scop.array(write.array).kind, ArrayKind::Memory { .. }) {
            writers.entry(write.array).or_default().push(*s);
        }
    }
    let most = writers.values().max_by_key(|list| list.len());
    let Some(writers) = most.filter(|list| list.len() >= 2) else {
        return Ok(vec![]);
    };
    let mut proposals: Vec<Proposal> = vec![];
    for s in writers {
        let Some(rows) = subscripts(scop.stmt(*s), scop.stmt(*s).write())? else {
            return Ok(vec![]);
        };
        proposals.resize_with(proposals.len().max(rows.len()), Proposal::new);
        for (proposal, row) in proposals.iter_mut().zip(rows) {
            proposal.insert(*s, row);
        }
    }
    let usable = |p: &Proposal| p.len() == writers.len() && p.values().flatten().all(|c| *c >= 0);
    Ok(proposals.into_iter().filter(usable).collect())
}

/// Whether a row is already one of the proposals.
pub fn follows(row: &Rows, proposal: &Proposal) -> bool {
    proposal.iter().all(|(s, iters)| row[s].iters == *iters)
}

/// Whether a row takes more of some statement's iterators than the proposal.
pub fn skewed(row: &Rows, proposal: &Proposal) -> bool {
    let sum = |iters: &[i64]| iters.iter().map(|c| c.abs()).sum::<i64>();
    proposal
        .iter()
        .any(|(s, iters)| sum(&row[s].iters) > sum(iters))
}
