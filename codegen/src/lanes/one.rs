//! Sequential loops without lanes that find elements again: one lane of one vector.
//!
//! ```text
//! for k: b[i][j] -= a[k][i] * b[k][j]          s = b[i][j];  for k: { s -= a[k][i] * b[k][j];  b[i][j] = s }
//! ```
//!
//! LLVM has looked for such values before this pass, and for most does not look again. Handed on through memory, each step
//! of a chain would wait for the store of the one before, which takes several times as long as the operation.

use super::form::has_vectors;
use super::{Bundle, carried, held};
use crate::emit::Emitter;
use crate::ir::constant;
use crate::loops::Range;
use polytile_analysis::ast::{For, IterId, User};
use polytile_analysis::tree::Supply;

/// No loop of a program: lanes that are none gain nothing.
const NO_LANES: IterId = IterId(u32::MAX);

impl<'c> Emitter<'_, 'c> {
    /// Emits a loop of statements that hands elements on from step to step; `false`: it does not, and nothing was emitted.
    pub(crate) fn carrying_loop(&mut self, l: &For, range: Range<'c>) -> bool {
        // What is read or written under a condition has no place in front of the loop or behind it.
        let single = |u: &&User| {
            let stmt = self.scop.stmt(u.stmt);
            !stmt.is_group() && !stmt.body.chooses() && !has_vectors(stmt)
        };
        let users = l.body.plain_users().filter(|list| list.iter().all(single));
        let users = users.filter(|_| constant(range.step) == Some(1));
        let Some(users) = users else {
            return false;
        };
        let chains = carried::chains(self.scop, &users, l.iter);
        let steps = held::Steps {
            iter: l.iter,
            ends: Some((&l.lower, &l.upper)),
        };
        let mut held = held::held(self.scop, &users, steps);
        // What each read finds right where it was written has no memory to start from.
        let stored = |h: &held::Held| {
            let stmt = self.scop.stmt(users[h.initial.0].stmt);
            !(self.program.handed).contains(&stmt.accesses[h.initial.1].array)
        };
        held.retain(|h| h.writer.is_some() && stored(h));
        if chains.rotations.iter().all(|r| r.initial.is_empty()) && held.is_empty() {
            return false;
        }
        let bundle = Bundle {
            iter: NO_LANES,
            first: range.first,
            lanes: 1,
            vectors: 1,
            last: None,
            inside: Some(l.iter),
            supply: Supply::Near,
        };
        self.chain_loop(bundle, l.iter, range, &users, (chains, held, None));
        true
    }
}
