//! Statements that update a cell one right after the other are one statement.
//!
//! Compilers unroll short loops, so that a sum of a few terms comes as many statements:
//!
//! ```text
//! for i, j, k: { A: C[i][j] += a[k][i] * b[k][j];  B: C[i][j] += c[k][i] * d[k][j]; }
//! for i, j, k:   C[i][j] = (C[i][j] + a[k][i] * b[k][j]) + c[k][i] * d[k][j]
//! ```
//!
//! What `A` writes is read only by `B` in the same iteration, which overwrites it. As one statement they have one chain of
//! sums, which can run as a register tile, and a fraction of the dependences. The order of operations does not change.

use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{NodeId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};

/// A merged statement reads at most so often: more operands than a register tile has registers gain nothing.
const MAX_READS: usize = 24;

/// `scop` with updates of one cell in a row as one statement.
pub fn merge_updates(scop: &Scop) -> Result<Scop> {
    let mut list: Vec<Stmt> = scop.stmts.clone();
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    let mut merged: Vec<Stmt> = vec![];
    for s in list {
        match merged.last() {
            Some(before) if may_merge(before, &s)? => {
                let both = one(before, &s)?;
                merged.pop();
                merged.push(both);
            }
            _ => merged.push(s),
        }
    }
    if merged.len() == scop.stmts.len() {
        return Ok(scop.clone());
    }
    merged.sort_by_key(|s| s.id);
    let mut scop = scop.clone();
    scop.stmts = numbered(merged)?;
    Ok(scop)
}

/// The statements with numbers from 0.
pub(crate) fn numbered(mut stmts: Vec<Stmt>) -> Result<Vec<Stmt>> {
    for (number, s) in stmts.iter_mut().enumerate() {
        s.id = StmtId::from(number);
        s.name = format!("S{number}");
        s.domain = s.domain.set_tuple_name(&s.name)?;
        for a in &mut s.accesses {
            a.relation = a.relation.set_tuple_name(DimType::In, &s.name)?;
        }
    }
    Ok(stmts)
}

/// Whether `b` does nothing with the cell but to update what `a`, right before it, wrote there.
fn may_merge(a: &Stmt, b: &Stmt) -> Result<bool> {
    let neighbours = a.depth() > 0 && beside(a, b);
    let (wa, wb) = (a.write(), b.write());
    let certain = [wa, wb]
        .iter()
        .all(|w| w.kind == AccessKind::MustWrite && matches!(w.place, Place::Memory(_)));
    if !neighbours
        || !certain
        || wa.array != wb.array
        || wa.ty != wb.ty
        || a.reads().len() + b.reads().len() > MAX_READS
    {
        return Ok(false);
    }
    if !same_iterations(a, b)? {
        return Ok(false);
    }
    let cell = unnamed(&wa.relation)?;
    let updates = |r: &Access| Ok(r.ty == wa.ty && unnamed(&r.relation)?.is_equal(&cell)?);
    if !updates(wb)? || !b.reads().iter().any(|r| r.array == wa.array) {
        return Ok(false);
    }
    for r in b.reads().iter().filter(|r| r.array == wa.array) {
        if !updates(r)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn unnamed(relation: &Map) -> Result<Map> {
    relation.set_tuple_name(DimType::In, "")
}

/// Whether two statements stand in the same list of the innermost loop around them.
pub(super) fn beside(a: &Stmt, b: &Stmt) -> bool {
    let depth = a.depth();
    depth == b.depth() && a.iters == b.iters && a.beta[..depth] == b.beta[..depth]
}

/// Whether they run in the same iterations.
pub(super) fn same_iterations(a: &Stmt, b: &Stmt) -> Result<bool> {
    (a.domain.set_tuple_name("")?).is_equal(&b.domain.set_tuple_name("")?)
}

/// Both statements as one, under the name of the first.
fn one(a: &Stmt, b: &Stmt) -> Result<Stmt> {
    let named = |x: &Access| -> Result<Access> {
        Ok(Access {
            relation: x.relation.set_tuple_name(DimType::In, &a.name)?,
            ..x.clone()
        })
    };
    let mut accesses = vec![named(b.write())?];
    accesses.extend(a.reads().iter().cloned());
    // The number of each access of `b` in the new list; `None` for what `a` computes.
    let mut number = vec![None];
    for r in b.reads() {
        if r.array == a.write().array {
            number.push(None);
        } else {
            number.push(Some(accesses.len()));
            accesses.push(named(r)?);
        }
    }
    let mut body = a.body.clone();
    let mut at: Vec<NodeId> = vec![];
    for node in &b.body.nodes {
        let id = match &node.kind {
            NodeKind::Read(r) => match number[*r] {
                None => a.body.root,
                Some(n) => body.push(node.ty, NodeKind::Read(n)),
            },
            NodeKind::Op { inst, op, args } => {
                let args = args.iter().map(|n| at[n.index()]).collect();
                let (inst, op) = (*inst, op.clone());
                body.push(node.ty, NodeKind::Op { inst, op, args })
            }
            other => body.push(node.ty, other.clone()),
        };
        at.push(id);
    }
    body.root = at[b.body.root.index()];
    Ok(Stmt {
        accesses,
        body,
        ..a.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Two updates of `C[i]` per `k`; the second reads `read` too.
    fn updates(ctx: &Ctx, domain: &str, read: &str) -> Scop {
        let text = format!(
            "scop \"sums\" function \"sums\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array A f64 [m][n]\narray B f64 [m][n]\narray C f64 [n]\n\
             stmt S0\n domain {{ S0[i, k] : 0 <= i < n and 0 <= k < m }}\n beta 0 0 0\n \
             write {{ S0[i, k] -> C[i] }}\n read {{ S0[i, k] -> C[i] }}\n read {{ S0[i, k] -> A[k, i] }}\n \
             body (fadd (read 1) (read 2))\n\
             stmt S1\n domain {{ S1[i, k] : {domain} }}\n beta 0 0 1\n \
             write {{ S1[i, k] -> C[i] }}\n read {{ S1[i, k] -> {read} }}\n read {{ S1[i, k] -> C[i] }}\n \
             body (fsub (read 2) (read 1))\n"
        );
        merge_updates(&parse_scop(ctx, &text).expect("a SCoP")).expect("merged")
    }

    const ALL: &str = "0 <= i < n and 0 <= k < m";

    #[test]
    fn updates_of_one_cell_are_one_statement() {
        let ctx = Ctx::new();
        let scop = updates(&ctx, ALL, "B[k, i]");
        assert_eq!(scop.stmts.len(), 1);
        let s = &scop.stmts[0];
        let names: Vec<&str> = s
            .accesses
            .iter()
            .map(|a| scop.array(a.array).name.as_str())
            .collect();
        assert_eq!(names, ["C", "C", "A", "B"]);
        let NodeKind::Op { args, .. } = &s.body.node(s.body.root).kind else {
            panic!("an operation");
        };
        // The difference of the sum and B's element, in this order.
        assert!(matches!(s.body.node(args[0]).kind, NodeKind::Op { .. }));
        assert!(matches!(s.body.node(args[1]).kind, NodeKind::Read(3)));
    }

    #[test]
    fn other_cells_and_other_instances_stay_apart() {
        let ctx = Ctx::new();
        assert_eq!(updates(&ctx, ALL, "C[k]").stmts.len(), 2);
        let fewer = "0 <= i < n and 1 <= k < m";
        assert_eq!(updates(&ctx, fewer, "B[k, i]").stmts.len(), 2);
    }
}
