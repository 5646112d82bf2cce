//! Stores under one condition on data.

use super::cells::Cells;
use polytile_analysis::guards::{alike, condition};
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::{AccessKind, Stmt};

/// The condition under which a statement of one write under a condition writes, a node of its body.
pub(super) fn under(s: &Stmt) -> Option<NodeId> {
    let [cond, ..] = s.body.node(s.body.root).choice()?;
    Some(cond)
}

/// What is asked first where a statement writes under two conditions: whether the loops around run at all.
pub(super) fn gate(s: &Stmt) -> Option<NodeId> {
    s.body.zero_unless(under(s)?).map(|[gate, _]| gate)
}

/// Whether a statement needs a node only where its [`gate`] holds.
pub(super) fn is_behind(s: &Stmt, gate: NodeId, node: NodeId) -> bool {
    let Some([_, _, els]) = s.body.node(s.body.root).choice() else {
        return false;
    };
    let ahead = [gate, els].map(|top| s.body.below(top, |_| false));
    ahead.iter().all(|nodes| !nodes.contains(&node))
}

/// Whether two statements of one write under a condition ask the same of the same elements.
pub(super) fn same(s: &Stmt, t: &Stmt, cells: &Cells) -> bool {
    match (under(s), under(t)) {
        (Some(a), Some(b)) => alike((s, a), (t, b), &|x, y| {
            cells.alike(x, y) || cells.is_one_load((s, x), (t, y))
        }),
        _ => false,
    }
}

/// Whether all of a statement's writes are made, or all under one condition.
pub(super) fn one_condition(s: &Stmt) -> bool {
    let mut writes = s.writes().iter();
    writes.all(|w| w.kind != AccessKind::MayWrite) || condition(s).is_some()
}
