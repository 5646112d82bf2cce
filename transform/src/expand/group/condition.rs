//! Stores under one condition on data.

use super::cells::Cells;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::NodeId;
use polytile_analysis::scop::{AccessKind, Stmt};
use std::collections::BTreeSet;

/// The condition under which a statement of one write under a condition writes, a node of its body.
pub(super) fn under(s: &Stmt) -> Option<NodeId> {
    let [cond, ..] = s.body.node(s.body.root).choice()?;
    Some(cond)
}

/// Whether two statements of one write under a condition ask the same of the same elements.
pub(super) fn same(s: &Stmt, t: &Stmt, cells: &Cells) -> bool {
    match (under(s), under(t)) {
        (Some(a), Some(b)) => alike((s, a), (t, b), cells, &mut BTreeSet::new()),
        _ => false,
    }
}

/// Whether two nodes compute the same from the same elements. `done`: pairs that do.
fn alike(
    (s, a): (&Stmt, NodeId),
    (t, b): (&Stmt, NodeId),
    cells: &Cells,
    done: &mut BTreeSet<(NodeId, NodeId)>,
) -> bool {
    if done.contains(&(a, b)) {
        return true;
    }
    let (x, y) = (s.body.node(a), t.body.node(b));
    let same = match (&x.kind, &y.kind) {
        (NodeKind::Read(n), NodeKind::Read(m)) => cells.alike(&s.accesses[*n], &t.accesses[*m]),
        (
            NodeKind::Op { inst, op, args },
            NodeKind::Op {
                inst: i,
                op: o,
                args: others,
            },
        ) => {
            let mut both = args.iter().zip(others);
            (inst, op, args.len()) == (i, o, others.len())
                && both.all(|(a, b)| alike((s, *a), (t, *b), cells, done))
        }
        _ => x == y,
    };
    if same {
        done.insert((a, b));
    }
    same
}

/// Whether all of a statement's writes are made, or all under one condition.
pub(super) fn one_condition(s: &Stmt) -> bool {
    let may = |k: AccessKind| k == AccessKind::MayWrite;
    if s.writes().iter().all(|w| !may(w.kind)) {
        return true;
    }
    let mut conditions = s
        .body
        .values()
        .map(|v| s.body.node(v).choice().map(|[c, ..]| c));
    let first = conditions.next().flatten();
    s.writes().iter().all(|w| may(w.kind)) && first.is_some() && conditions.all(|c| c == first)
}
