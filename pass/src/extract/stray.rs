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
use polytile_analysis::ids::{BaseId, ValueId};
use polytile_analysis::region::{Block, InstKind};
use std::collections::BTreeSet;

/// A refusal because of the last such write, if there is one that is not known to be apart from what the loops access.
pub(super) fn refusal(
    blocks: &[Block],
    no_alias: &[(BaseId, BaseId)],
    raw: &[Value],
) -> Option<Refusal> {
    let looped = blocks.iter().filter(|b| b.loop_.is_some());
    let named = looped.flat_map(|b| b.insts.iter().flat_map(|i| bases(&i.kind)));
    let named: BTreeSet<BaseId> = named.collect();
    let may_meet = |b: BaseId| {
        let apart = |c: &BaseId| no_alias.contains(&(b.min(*c), b.max(*c)));
        !named.contains(&b) && !named.iter().all(apart)
    };
    let front = blocks.iter().take_while(|b| b.loop_.is_none());
    let written = front.flat_map(|b| b.insts.iter().filter_map(|i| Some((i.id, write(&i.kind)?))));
    let strays = written.filter(|(_, base)| may_meet(*base));
    strays.last().map(|(v, _): (ValueId, _)| Refusal {
        blame: Blame::Upto(raw[v.index()]),
        reason: Reason::new(
            Kind::Pointer,
            "what is written in front of the nest may be part of its arrays",
        ),
        at: Some(raw[v.index()]),
    })
}

fn write(kind: &InstKind) -> Option<BaseId> {
    match kind {
        InstKind::Store { addr, .. } | InstKind::Memset { addr, .. } => Some(addr.base),
        InstKind::Memcpy { dst, .. } => Some(dst.base),
        _ => None,
    }
}

fn bases(kind: &InstKind) -> Vec<BaseId> {
    match kind {
        InstKind::Load { addr, .. }
        | InstKind::Store { addr, .. }
        | InstKind::Memset { addr, .. } => vec![addr.base],
        InstKind::Memcpy { dst, src, .. } => vec![dst.base, src.base],
        InstKind::Phi(_) | InstKind::Op { .. } | InstKind::Index => vec![],
    }
}
