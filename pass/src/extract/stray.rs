//! Writes in front of a region's loops, to what no loop names by the same pointer.
//!
//! ```text
//! std::vec![V { .. }; n]:  while (p != last) *p++ = ..;  *last = ..;        for i: for j: acc[i] += ..
//! ```
//!
//! The last element is cleared through the pointer that the loop before has come to, and the nest has the vector's own. Together they would have to be
//! apart, which they never are. A region loses nothing without such writes: it begins behind them.

use super::refusal::{Blame, Refusal};
use crate::llvm::Value;
use crate::reason::{Kind, Reason};
use polytile_analysis::ids::BaseId;
use polytile_analysis::region::{Block, Inst};
use std::collections::BTreeSet;

/// A refusal because of the last such write, if there is one that is not known to be apart from what the loops access.
pub(super) fn refusal(
    blocks: &[Block],
    no_alias: &[(BaseId, BaseId)],
    raw: &[Value],
) -> Option<Refusal> {
    let looped = blocks.iter().filter(|b| b.loop_.is_some());
    let named = looped.flat_map(|b| b.insts.iter().flat_map(|i| i.kind.addresses()));
    let named: BTreeSet<BaseId> = named.map(|a| a.base).collect();
    let may_meet = |b: BaseId| {
        let apart = |c: &BaseId| no_alias.contains(&(b.min(*c), b.max(*c)));
        !named.contains(&b) && !named.iter().all(apart)
    };
    let front = blocks.iter().take_while(|b| b.loop_.is_none());
    let stray = |i: &&Inst| i.kind.written().is_some_and(|a| may_meet(a.base));
    let strays = front.flat_map(|b| &b.insts).filter(stray);
    strays.last().map(|i| Refusal {
        blame: Blame::Upto(raw[i.id.index()]),
        reason: Reason::new(
            Kind::Pointer,
            "what is written in front of the nest may be part of its arrays",
        ),
        at: Some(raw[i.id.index()]),
    })
}
