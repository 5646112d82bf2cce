//! Rows that a loop in lanes walks side by side are asked for ahead.
//!
//! ```text
//! for j (lanes): for i in 16 rows: a[i][j ..] = f(a[i][j ..])          request a[i][j + AHEAD ..]
//! ```
//!
//! The rows are as many streams, each in a page of its own, which is more than hardware follows.

use super::Bundle;
use super::values::direction;
use crate::emit::Emitter;
use crate::memory::LINE;
use crate::tile::gain::access_gain;
use polytile_analysis::ast::User;
use polytile_analysis::tree::Supply;

/// How far ahead, in bytes: a few lines, less than a page.
pub(super) const AHEAD: i64 = 512;

impl<'c> Emitter<'_, 'c> {
    /// Whether a read that is contiguous in the lanes moves from row to row in the loop inside, and its vector `v` is the
    /// first in a line.
    pub(super) fn begins_line(&self, b: Bundle<'c>, u: &User, (access, v): (usize, u32)) -> bool {
        let Some(rows) = b.inside.filter(|_| b.supply == Supply::Rows) else {
            return false;
        };
        let stmt = self.scop.stmt(u.stmt);
        let a = &stmt.accesses[access];
        let first = u64::from(v * b.lanes) * a.ty.bytes();
        let moves = |d: Vec<i64>| access_gain(self.scop, stmt, a, &d).is_some_and(|g| !g.is_zero());
        first.is_multiple_of(LINE) && direction(u, rows).is_some_and(moves)
    }
}
