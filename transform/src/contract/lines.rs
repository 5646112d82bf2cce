//! Lines of one nest: temporary arrays with a line for each iteration of a loop, of which one line is enough where the lines follow each other.
//!
//! ```text
//! for i: { for j: c[i][j] = f(c[i][j-1], a[i][j]);                 for i: { for j: c'[0][j] = f(c'[0][j-1], a[i][j]);
//!          for j descending: a[i][j] = g(a[i][j+1], c[i][j]) }  ->          for j descending: a[i][j] = g(a[i][j+1], c'[0][j]) }
//! ```
//!
//! Copies per line ([`crate::expand::expand_arrays`]) are there for lanes, which keep them in panels. Where the lines stay in order they are memory that
//! is touched once and never again, page by page from the system; a line stays in the nearest cache, and each thread may have its own.

use super::windows::window;
use super::{Member, Rows, Window};
use crate::expand::{shared_depth, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::Result;
use polytile_analysis::scop::{ArrayKind, Scop, Stmt};

/// The nests whose temporary arrays may be lines, each with all of them. Whether values stay the same is asked where it is carried out.
pub fn lines(scop: &Scop) -> Result<Vec<Rows>> {
    let mut found: Vec<(Vec<i64>, Vec<Window>)> = vec![];
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let depth = shared_depth(scop, array);
        let kind = &scop.array(array).kind;
        if depth == 0 || *kind != ArrayKind::Temporary || scop.array(array).strides.len() < 2 {
            continue;
        }
        let (Some(first), Some(line)) =
            (users(scop, array).next(), window(scop, array, depth - 1)?)
        else {
            continue;
        };
        let nest = &first.beta[..depth];
        match found.iter_mut().find(|(known, _)| known == nest) {
            Some((_, lines)) => lines.push(line),
            None => found.push((nest.to_vec(), vec![line])),
        }
    }
    let rows = found.into_iter().map(|(nest, windows)| Rows {
        around: nest.len() - 1,
        members: members(scop, &nest),
        windows,
        block: None,
    });
    Ok(rows.collect())
}

/// The statements of a nest.
fn members(scop: &Scop, nest: &[i64]) -> Vec<Member> {
    let inside = |s: &&Stmt| s.depth() >= nest.len() && s.beta.starts_with(nest);
    let member = |s: &Stmt| Member {
        stmt: s.id,
        nest: 0,
        shift: 0,
        lead: 0,
    };
    scop.stmts.iter().filter(inside).map(member).collect()
}
