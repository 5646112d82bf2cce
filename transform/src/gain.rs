//! Whether a generated program is worth having: [`expected`].
//!
//! A program gains by what runs in parallel, in tiles or in register tiles. The rest at best runs as it did before, and often
//! worse: statements that were loops of their own share one, with conditions in it that keep it from being vectorized.
//! So a program of which only a small part gains is not emitted, and the original stays:
//!
//! ```text
//! for k { for i: sum += r[k-i-1] * y[i];  alpha = f(sum);  for i: z[i] = y[i] + alpha * y[k-i-1];  for i: y[i] = z[i]; }
//! ```
//!
//! Each step of `k` needs the one before, and in a step only the last loop is parallel by itself: 3 units of 12.
//!
//! The share is taken of the work of all instances ([`work::weight`] each) for typical parameters. Where it cannot be estimated,
//! the program counts as worthwhile.

use crate::ast::expr;
use crate::cost;
use crate::work;
use polytile_analysis::ast::{Ast, Expr, ForKind};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Set};
use polytile_analysis::scop::Scop;
use std::collections::BTreeSet;
use std::fmt;

/// The share of the work, in percent, that has to gain.
const LEAST_SHARE: i64 = 50;

/// Why a program is not worth having.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoGain {
    /// Nothing runs in parallel or in tiles.
    Nothing,
    /// So many percent of the work do not.
    Little(i64),
    /// There is never enough work for another version.
    Short,
    /// Only threads gain, and so few loops are that long.
    Far,
    /// The innermost loops take as long as the original's, on two threads too.
    Slower,
}

impl fmt::Display for NoGain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGain::Nothing => write!(f, "no gain expected: nothing runs in parallel or in tiles"),
            NoGain::Little(percent) => write!(
                f,
                "no gain expected: {percent} % of the work does not run in parallel or in tiles"
            ),
            NoGain::Short => write!(f, "no gain expected: too few iterations"),
            NoGain::Far => write!(
                f,
                "no gain expected: only threads gain, and only with very many iterations (parallel=all)"
            ),
            NoGain::Slower => write!(f, "no gain expected: the original's loops are as fast"),
        }
    }
}

/// Whether a program for a SCoP is expected to be faster than the original.
pub fn expected(scop: &Scop, program: &Ast) -> poly::Result<Result<(), NoGain>> {
    let mut gaining = BTreeSet::new();
    collect(program, false, &mut gaining);
    if gaining.is_empty() {
        return Ok(Err(NoGain::Nothing));
    }
    let (mut all, mut part) = (0i64, 0i64);
    let values = cost::typical(scop)?;
    for s in &scop.stmts {
        let Some(work) = instances(scop, s.id, &values)? else {
            return Ok(Ok(()));
        };
        all = all.saturating_add(work);
        if gaining.contains(&s.id) {
            part = part.saturating_add(work);
        }
    }
    let percent = i128::from(part) * 100 / i128::from(all.max(1));
    let share = i64::try_from(percent).unwrap_or(100);
    Ok(if share >= LEAST_SHARE {
        Ok(())
    } else {
        Err(NoGain::Little(100 - share))
    })
}

/// Work of all instances of a statement.
fn instances(scop: &Scop, id: StmtId, values: &[i64]) -> poly::Result<Option<i64>> {
    let stmt = scop.stmt(id);
    let count = count(scop, &stmt.domain, values)?;
    Ok(count.map(|c| c.saturating_mul(work::weight(stmt))))
}

/// Points of a set for these values of the parameters.
fn count(scop: &Scop, set: &Set, values: &[i64]) -> poly::Result<Option<i64>> {
    let name = |n: &str| {
        let at = scop.params.iter().position(|p| p.name == n)?;
        Some(Expr::Int(values[at]))
    };
    let count = work::instances(set, &name)?;
    Ok(count.and_then(|c| expr::as_int(&c)))
}

/// The statements of which an instance runs in parallel or in tiles. `inside`: the program itself does.
fn collect(ast: &Ast, inside: bool, found: &mut BTreeSet<StmtId>) {
    match ast {
        Ast::For(l) => {
            let gains = matches!(l.kind, ForKind::Parallel { .. } | ForKind::Strips { .. })
                || l.step != Expr::Int(1);
            collect(&l.body, inside || gains, found);
        }
        Ast::If { then, els, .. } => {
            collect(then, inside, found);
            els.iter().for_each(|e| collect(e, inside, found));
        }
        Ast::Block(list) => list.iter().for_each(|a| collect(a, inside, found)),
        Ast::User(user) if inside => {
            found.insert(user.stmt);
        }
        Ast::MicroKernel(k) => {
            found.insert(k.tile.stmt);
        }
        Ast::User(_) | Ast::Pack(_) => {}
    }
}
