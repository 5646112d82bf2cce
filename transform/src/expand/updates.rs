//! Conditional updates of cells that the region writes anyway: stores in each iteration.
//!
//! ```text
//! for j: m[j] = a[0][j];                                          for j: m[j] = a[0][j];
//! for i: for j: if (a[i][j] > m[j]) m[j] = a[i][j];     ->        for i: for j: m[j] = a[i][j] > m[j] ? a[i][j] : m[j];
//! ```
//!
//! A compiler invents no store. Here each cell is one that another statement stores to whatever the data are, so memory that may not be
//! written, or that another thread looks at, would be a fault of the program as it is. What is left is a selection, as one that was
//! written without a branch: sums' register tiles and lanes serve it. The update has to compare the cell itself: the condition of a
//! minimum or a maximum is found out in each iteration whatever comes of it. Conditions that hold for other reasons may hold seldom,
//! and they may be asked once for a whole loop.
//!
//! What this does not do: updates of several cells under one condition (a maximum and where it was).

use super::arms::always;
use super::converted::{Certain, convert, reached};
use polytile_analysis::body::NodeKind;
use polytile_analysis::poly::{Error, Result, Set};
use polytile_analysis::region::OpCode;
use polytile_analysis::scop::{AccessKind, Place, Scop, Stmt};

/// The part of the budget; without an answer the updates stay.
const SHARE: u64 = 40;

/// `scop` with stores of such updates in each iteration.
///
/// # Errors
/// What isl comes to, but for its quota.
pub fn written_anyway(scop: &Scop) -> Result<Scop> {
    // A program that may end early writes what it says it does up to that point only.
    if scop.intact().is_some() || !scop.stmts.iter().any(compares_its_cell) {
        return Ok(scop.clone());
    }
    let _quota = scop.context.ctx().share(SHARE);
    match converted(scop) {
        Err(Error::Quota) => Ok(scop.clone()),
        other => other,
    }
}

fn converted(scop: &Scop) -> Result<Scop> {
    let mut certain = Certain::new(scop);
    let mut new = scop.clone();
    for stmt in &mut new.stmts {
        if !compares_its_cell(stmt) || !is_alone(scop, stmt) || !is_written(scop, stmt)? {
            continue;
        }
        let mut one = always(stmt)?;
        convert(&mut one, &mut certain)?;
        if !one.body.chooses() {
            *stmt = one;
        }
    }
    Ok(new)
}

/// Whether a statement stores to memory under a comparison of the very cell, and keeps what is there otherwise.
fn compares_its_cell(s: &Stmt) -> bool {
    let Some([cond, _, old]) = s.body.node(s.body.root).choice() else {
        return false;
    };
    let own = |n: usize| {
        let (read, write) = (&s.accesses[n], s.write());
        (read.array, read.ty) == (write.array, write.ty) && read.place == write.place
    };
    let reads_own = |id: &_| matches!(s.body.node(*id).kind, NodeKind::Read(n) if own(n));
    let compares = match &s.body.node(cond).kind {
        NodeKind::Op {
            op: OpCode::FCmp(_) | OpCode::ICmp(_),
            args,
            ..
        } => args.iter().any(reads_own),
        _ => false,
    };
    let memory = matches!(s.write().place, Place::Memory(_));
    memory && !s.is_group() && s.write().kind == AccessKind::MayWrite && compares && reads_own(&old)
}

/// Whether everything else in the same loops that may write is such an update, too.
fn is_alone(scop: &Scop, stmt: &Stmt) -> bool {
    let beside = |s: &&Stmt| s.id != stmt.id && s.iters == stmt.iters;
    let may_write = |s: &Stmt| s.writes().iter().any(|a| a.kind == AccessKind::MayWrite);
    let mut others = scop.stmts.iter().filter(beside);
    !others.any(|s| may_write(s) && !compares_its_cell(s))
}

/// Whether other statements write all cells of a statement, whatever the data are.
fn is_written(scop: &Scop, stmt: &Stmt) -> Result<bool> {
    let own = stmt.write();
    let mut all: Option<Set> = None;
    for s in scop.stmts.iter().filter(|s| s.id != stmt.id) {
        for a in s.writes() {
            let same = (a.array, a.ty) == (own.array, own.ty);
            let certain = a.kind == AccessKind::MustWrite && a.relation.is_function()?;
            if !same || !certain {
                continue;
            }
            let cells = reached(scop, s, a)?;
            all = Some(match all {
                Some(all) => all.union(&cells)?,
                None => cells,
            });
        }
    }
    match all {
        Some(all) => reached(scop, stmt, own)?.is_subset(&all.coalesce()?),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// Whether the maxima of columns are stored in each iteration, where this is written beside, and where the condition compares this.
    fn is_converted(beside: &str, compared: &str) -> bool {
        let ctx = Ctx::new();
        let text = format!(
            "scop \"c\" function \"c\"\nparams n, m\ncontext {{ : n >= 1 }}\narray A f64 [n][m]\narray M f64 [m]\n\
             stmt S0\n domain {{ S0[j] : 0 <= j < m }}\n beta 0 0\n write {{ S0[j] -> {beside} }}\n body (bits 0)\n\
             stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 1 0 0\n \
             may-write {{ S1[i, j] -> M[j] }}\n read {{ S1[i, j] -> A[i, j] }}\n read {{ S1[i, j] -> M[j] }}\n \
             body (choose (fcmp.2 (read 1) {compared}) (read 1) (read 2))\n"
        );
        let scop = written_anyway(&parse_scop(&ctx, &text).expect("a SCoP")).expect("converted");
        scop.validate().expect("a SCoP");
        let s = &scop.stmts[1];
        s.write().kind == AccessKind::MustWrite && !s.body.chooses()
    }

    #[test]
    fn maxima_of_initialized_cells_are_stored_in_each_iteration() {
        assert!(is_converted("M[j]", "(read 2)"));
    }

    #[test]
    fn cells_that_may_stay_as_they_are_are_not_stored_to() {
        assert!(!is_converted("A[0, j]", "(read 2)"));
        assert!(!is_converted("M[1 + j]", "(read 2)"));
    }

    #[test]
    fn conditions_that_do_not_compare_the_cell_stay() {
        assert!(!is_converted("M[j]", "(inv v0)"));
    }
}
