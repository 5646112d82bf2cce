//! Loop-invariant code motion of calls (Aho, Lam, Sethi and Ullman 2006, section 9.5): what a function yields in all iterations of a loop is
//! computed in front of it.
//!
//! ```text
//! for i: p[i] -= m[i] / (1 - pow(b, t))                     c = pow(b, t);  for i: p[i] -= m[i] / (1 - c)
//! for i, j: x[i][j] = (x[i][j] - m[i]) / sqrt(v[i])         for i { c = sqrt(v[i]);  for j: x[i][j] = (x[i][j] - m[i]) / c }
//! ```
//!
//! A compiler leaves such calls where they are: they may set `errno`, and what they read may be what the loop writes. The SCoP knows which
//! arrays are apart, and nothing in it looks at `errno`. A call runs in front of a loop if and only if the loop has an iteration, and with
//! the same operands, so what it says there is said as well.
//!
//! Conditions: the statement writes in all its iterations and chooses nothing, arrays that are read are not written in the SCoP.

use super::array::prefix;
use super::{last_iteration, new_scalar, numbered, put_in_front, scalar_cell, users};
use crate::reroll::Alike;
use polytile_analysis::body::{Node, NodeKind};
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::region::Ty;
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{AccessKind, Place, Scop, Stmt};
use std::collections::BTreeMap;

/// `scop` with calls in front of the loops in which they yield the same; `alike`: instructions that differ in operands alone.
///
/// # Errors
/// Those of the set library.
pub fn hoist_calls(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let mut new = scop.clone();
    // A program that may end early calls functions up to that point only.
    if scop.intact().is_some() {
        return Ok(new);
    }
    // What was hoisted may hold calls that go further out.
    let mut at = 0;
    while at < new.stmts.len() {
        let found = invariants(&new, &new.stmts[at])?;
        for (root, depth) in &found {
            if may_expand(&new, &new.stmts[at], *depth)? {
                hoist(&mut new, (at, *root), *depth, alike)?;
            }
        }
        if !found.is_empty() {
            new.stmts[at].prune();
        }
        at += 1;
    }
    if new.stmts.len() > scop.stmts.len() {
        new.stmts = numbered(new.stmts)?;
    }
    Ok(new)
}

/// Whether the loops around a call have ends of a closed form: without them its value could not be expanded, and would order iterations.
fn may_expand(scop: &Scop, stmt: &Stmt, depth: usize) -> Result<bool> {
    for d in 0..depth {
        if !last_iteration(scop, &stmt.domain, d, &mut vec![])? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The calls, of which none is an operand of another, that yield the same in all iterations of the innermost loops, and how many loops are
/// around them then.
fn invariants(scop: &Scop, stmt: &Stmt) -> Result<Vec<(NodeId, usize)>> {
    let body = &stmt.body;
    let function = |n: &Node| matches!(&n.kind, NodeKind::Op { op, .. } if op.is_function());
    if !stmt.runs_whole() || body.gathers() || !body.nodes.iter().any(function) {
        return Ok(vec![]);
    }
    let mut depths: Vec<Option<usize>> = vec![];
    for node in &body.nodes {
        depths.push(depth_of(scop, stmt, node, &depths)?);
    }
    let mut found = BTreeMap::new();
    let mut pending: Vec<NodeId> = body.values().collect();
    while let Some(at) = pending.pop() {
        let node = body.node(at);
        match (depths[at.index()], &node.kind) {
            (Some(d), _)
                if d < stmt.depth() && function(node) && matches!(node.ty, Ty::Float(_)) =>
            {
                found.insert(at, d);
            }
            (_, NodeKind::Op { args, .. }) => pending.extend(args),
            _ => {}
        }
    }
    Ok(found.into_iter().collect())
}

/// The outermost loops with which a node changes; `None`: it has to stay. `known`: those of the nodes before it.
fn depth_of(
    scop: &Scop,
    stmt: &Stmt,
    node: &Node,
    known: &[Option<usize>],
) -> Result<Option<usize>> {
    let inside = |l| stmt.iters.iter().position(|own| *own == l).map(|p| p + 1);
    let innermost = |all: Option<Vec<usize>>| Some(all?.into_iter().max().unwrap_or(0));
    let loops = |s: &Scev| innermost(s.loops().into_iter().map(inside).collect());
    Ok(match &node.kind {
        NodeKind::Invariant(_) | NodeKind::Bits(_) => Some(0),
        NodeKind::Index(s) => loops(s),
        NodeKind::Read(n) => {
            let read = &stmt.accesses[*n];
            let Place::Memory(address) = &read.place else {
                return Ok(None);
            };
            if users(scop, read.array).any(|s| s.writes_to(read.array)) {
                return Ok(None);
            }
            let mut depth = loops(&address.offset);
            for d in 0..stmt.depth() {
                if read.relation.involves_dims(DimType::In, d, 1)? {
                    depth = depth.map(|known| known.max(d + 1));
                }
            }
            depth
        }
        NodeKind::Op { op, .. } if op.gathers() => None,
        NodeKind::Op { args, .. } => innermost(args.iter().map(|a| known[a.index()]).collect()),
    })
}

/// Computes a node of a statement with so many loops around it, in front of the loop inside.
fn hoist(scop: &mut Scop, (at, root): (usize, NodeId), depth: usize, alike: &Alike) -> Result<()> {
    let ty = scop.stmts[at].body.node(root).ty;
    let mut call = in_front(&scop.stmts[at], root, depth)?;
    let array = match known(scop, &call, alike)? {
        Some(array) => array,
        None => {
            let array = new_scalar(scop, "call", ty);
            call.accesses[0] = scalar_cell(scop, &call, (array, AccessKind::MustWrite))?;
            put_in_front(scop, call);
            array
        }
    };
    let read = scalar_cell(scop, &scop.stmts[at], (array, AccessKind::Read))?;
    let stmt = &mut scop.stmts[at];
    stmt.accesses.push(read);
    stmt.body.nodes[root.index()].kind = NodeKind::Read(stmt.accesses.len() - 1);
    Ok(())
}

/// A statement that computes one node of another with so many loops around it; what it writes is still to be found.
fn in_front(stmt: &Stmt, root: NodeId, depth: usize) -> Result<Stmt> {
    let inner = stmt.depth() - depth;
    let mut call = stmt.clone();
    call.iters.truncate(depth);
    call.beta.truncate(depth + 1);
    (call.body.root, call.body.others) = (root, vec![]);
    call.accesses.drain(1..stmt.first_read());
    for node in &mut call.body.nodes {
        if let NodeKind::Read(n) = &mut node.kind {
            *n -= stmt.first_read() - 1;
        }
    }
    call.prune();
    call.domain = prefix(&stmt.domain, depth)?.set_tuple_name(&stmt.name)?;
    for a in &mut call.accesses {
        let relation = a.relation.project_out(DimType::In, depth, inner)?;
        a.relation = relation.set_tuple_name(DimType::In, &stmt.name)?;
    }
    Ok(call)
}

/// What a statement writes that computes the same earlier in the same iteration.
fn known(scop: &Scop, call: &Stmt, alike: &Alike) -> Result<Option<ArrayId>> {
    let depth = call.depth();
    for s in scop.stmts.iter().filter(|s| s.iters == call.iters) {
        let before = s.beta[..depth] == call.beta[..depth] && s.beta[depth] < call.beta[depth];
        let whole = s.domain.set_tuple_name(&call.name)?;
        if before && computes_the_same(s, call, alike) && call.domain.is_subset(&whole)? {
            return Ok(Some(s.write().array));
        }
    }
    Ok(None)
}

/// Whether two statements write the same to scalars in the same iteration.
fn computes_the_same(a: &Stmt, b: &Stmt, alike: &Alike) -> bool {
    let read = |s: &Stmt| -> Vec<(ArrayId, Place)> {
        let reads = s.reads().iter();
        reads.map(|r| (r.array, r.place.clone())).collect()
    };
    let nodes = a.body.nodes.iter().zip(&b.body.nodes);
    let same = |x: &Node, y: &Node| match (&x.kind, &y.kind) {
        (
            NodeKind::Op {
                inst: i,
                op: o,
                args: r,
            },
            NodeKind::Op {
                inst: j,
                op: p,
                args: q,
            },
        ) => alike(*i, *j) && o == p && r == q,
        (x, y) => x == y,
    };
    a.write().place == Place::Scalar
        && !a.is_group()
        && a.runs_whole()
        && a.body.root == b.body.root
        && a.body.nodes.len() == b.body.nodes.len()
        && nodes.into_iter().all(|(x, y)| same(x, y))
        && read(a) == read(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `for i, j: x[i][j] *= CALL`, and what has come of it: the domains of the statements in front, and their beta vectors.
    fn hoisted(call: &str, reads: &str) -> Vec<(String, Vec<i64>)> {
        let ctx = Ctx::new();
        let text = format!(
            "scop \"f\" function \"f\"\nparams n, m\ncontext {{ : n >= 1 }}\narray x f64 [n][m]\narray v f64 [n]\narray w f64 [m]\n\
             stmt S0\n domain {{ S0[i, j] : 0 <= i < n and i <= j < m }}\n beta 0 0 0\n\
             write {{ S0[i, j] -> x[i, j] }}\n read {{ S0[i, j] -> x[i, j] }}\n{reads} body (fmul (read 1) {call})\n"
        );
        let scop = parse_scop(&ctx, &text).expect("a SCoP");
        let new = hoist_calls(&scop, &|a, b| a == b).expect("no error");
        let inner = &new.stmts[0];
        assert_eq!(inner.depth(), 2);
        let cells = new.stmts[1..].iter().map(|s| s.write().array);
        let reads: Vec<ArrayId> = inner.reads().iter().map(|r| r.array).collect();
        for cell in cells.filter(|_| new.stmts.len() == 2) {
            assert!(reads.contains(&cell));
        }
        let domain = |s: &Stmt| s.domain.intersect_params(&scop.context).expect("a set");
        let front = new.stmts[1..].iter();
        front
            .map(|s| (domain(s).to_string(), s.beta.clone()))
            .collect()
    }

    #[test]
    fn a_call_of_what_stands_still_is_made_once() {
        let found = hoisted("(call \"pow\" (inv v1) (inv v2))", "");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, [0]);
        let v = " read { S0[i, j] -> v[i] }\n";
        let found = hoisted("(call \"sqrt\" (read 2))", v);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, [0, 0]);
        assert!(
            found[0].0.contains("i < m"),
            "where the loop runs: {}",
            found[0].0
        );
    }

    #[test]
    fn calls_in_calls_go_as_far_as_they_can() {
        let v = " read { S0[i, j] -> v[i] }\n";
        let found = hoisted("(call \"pow\" (read 2) (call \"exp\" (inv v1)))", v);
        let places: Vec<Vec<i64>> = found.into_iter().map(|f| f.1).collect();
        assert_eq!(places, [vec![1, 0], vec![0]]);
    }

    fn hoisted_from(domain: &str) -> usize {
        let ctx = Ctx::new();
        let text = format!(
            "scop \"f\" function \"f\"\nparams n, m\ncontext {{ : n >= 1 }}\narray x f64 [n][m]\narray v f64 [n]\n\
             stmt S0\n domain {{ S0[i, j] : {domain} }}\n beta 0 0 0\n write {{ S0[i, j] -> x[i, j] }}\n\
             read {{ S0[i, j] -> v[i] }}\n body (call \"exp\" (read 1))\n"
        );
        let scop = parse_scop(&ctx, &text).expect("a SCoP");
        let new = hoist_calls(&scop, &|a, b| a == b).expect("no error");
        new.stmts.len() - 1
    }

    #[test]
    fn loops_with_steps_have_extents() {
        assert_eq!(hoisted_from("0 <= 2i < n and 0 <= j < m"), 1);
        assert_eq!(hoisted_from("0 <= 2i < n and i < m and 0 <= j < m"), 1);
    }

    #[test]
    fn loops_without_ends_of_a_closed_form_keep_their_calls() {
        let ends = "(0 <= 2i < n or 0 <= 3i < m) and 0 <= j < m";
        assert_eq!(hoisted_from(ends), 0);
    }

    #[test]
    fn the_same_call_is_made_once() {
        let call = "(call \"exp\" (inv v1))";
        assert_eq!(hoisted(&format!("(fadd {call} {call})"), "").len(), 1);
    }

    #[test]
    fn what_moves_or_is_written_stays() {
        let w = " read { S0[i, j] -> w[j] }\n";
        assert!(hoisted("(call \"exp\" (read 2))", w).is_empty());
        let x = " read { S0[i, j] -> x[i, 0] }\n";
        assert!(hoisted("(call \"exp\" (read 2))", x).is_empty());
        assert!(hoisted("(sqrt (inv v1))", "").is_empty());
    }
}
