//! Statements that were taken apart because something is known in some iterations of an outer loop, united again.
//!
//! Where an inner loop does not run in the first iteration of an outer one, compilers lead that iteration past it, and the
//! code behind it exists twice:
//!
//! ```text
//! for j: for i > j: { for k < j: a[i][j] -= a[i][k] * a[j][k];  a[i][j] /= a[j][j] }
//!
//! j = 0:  for i > 0: S: a[i][0] /= a[0][0]                                        (the iterator j is known to be 0)
//! j > 0:  for i > j: { for k < j: R: a[i][j] -= a[i][k] * a[j][k];  T: a[i][j] /= a[j][j] }
//! ```
//!
//! `S` and `T` are one statement if their trees are the same, the accesses of `T` are those of `S` in the iterations of `S`,
//! and the iterations of both together are one polyhedron. The order stays what it was if no other statement between them runs
//! in iterations of the common loops in which `S` does: `S` then runs where `T` would.

use super::Alike;
use super::matching::Pairing;
use crate::expand::numbered;
use polytile_analysis::poly::{DimType, Error, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Place, Scop, Stmt};

/// The part of the budget for all of a SCoP; without an answer nothing is united.
const SHARE: u64 = 30;

/// `scop` with such pairs of statements as one; `alike` compares the instructions behind operations and accesses.
pub fn united(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let _quota = scop.context.ctx().share(SHARE);
    one_by_one(scop, |scop| pair(scop, alike))
}

/// `scop` with the statements that `pair` finds as one, until it finds none or its quota ends: it says which statement goes, and what becomes of
/// the other one.
pub(super) fn one_by_one(
    scop: &Scop,
    pair: impl Fn(&Scop) -> Result<Option<(usize, Stmt)>>,
) -> Result<Scop> {
    let mut result = scop.clone();
    loop {
        let Some((gone, whole)) = (match pair(&result) {
            Err(Error::Quota) => return Ok(result),
            found => found?,
        }) else {
            return Ok(result);
        };
        let mut stmts = result.stmts.clone();
        let at = whole.id.index();
        stmts[at] = whole;
        stmts.remove(gone);
        result.stmts = numbered(stmts)?;
    }
}

/// The number of a statement that is part of another one, and that one with it.
fn pair(scop: &Scop, alike: &Alike) -> Result<Option<(usize, Stmt)>> {
    for s in &scop.stmts {
        for t in &scop.stmts {
            if s.id != t.id
                && let Some(whole) = both(scop, s, t, alike)?
            {
                return Ok(Some((s.id.index(), whole)));
            }
        }
    }
    Ok(None)
}

/// `t` with the iterations of `s`.
fn both(scop: &Scop, s: &Stmt, t: &Stmt, alike: &Alike) -> Result<Option<Stmt>> {
    let depth = t.depth();
    let shared =
        (0..depth).take_while(|&d| s.beta[d] == t.beta[d] && s.iters.get(d) == t.iters.get(d));
    let shared = shared.count();
    if s.depth() != depth || shared == 0 || shared == depth || !in_memory(s) || !in_memory(t) {
        return Ok(None);
    }
    let renamed = Stmt {
        iters: t.iters.clone(),
        ..s.clone()
    };
    let Some(pairing) = Pairing::of(t, &renamed, alike).filter(|p| p.has_no_index()) else {
        return Ok(None);
    };
    let domain = s.domain.set_tuple_name(&t.name)?;
    let mut whole = t.clone();
    for (access, &number) in whole.accesses.iter_mut().zip(&pairing.accesses) {
        let other = &s.accesses[number];
        let relation = other.relation.set_tuple_name(DimType::In, &t.name)?;
        let (a, b) = (&access.relation, &relation);
        if !(a.intersect_domain(&domain)?).is_equal(&b.intersect_domain(&domain)?)? {
            return Ok(None);
        }
        access.inst = (access.inst).filter(|x| other.inst.is_some_and(|y| alike(*x, y)));
        if let Place::Memory(address) = &mut access.place {
            unproven(&mut address.offset);
        }
    }
    whole.domain = domain.union(&t.domain)?.coalesce()?;
    let one = whole.domain.basic_sets()?.len() == 1;
    Ok((one && stays(scop, s, t, shared)?).then_some(whole))
}

fn in_memory(s: &Stmt) -> bool {
    (s.accesses.iter()).all(|a| matches!(a.place, Place::Memory(_)))
}

/// Forgets what was proven about the iterations of one statement.
pub(super) fn unproven(evolution: &mut Scev) {
    use ScevKind::{Add, AddRec, Mul};
    if let Add(_, wrap) | Mul(_, wrap) | AddRec { wrap, .. } = &mut evolution.kind {
        *wrap = Wrap::default();
    }
    evolution.operands_mut().into_iter().for_each(unproven);
}

/// Whether nothing else between two statements, which share so many loops, runs in iterations of these in which `s` does.
fn stays(scop: &Scop, s: &Stmt, t: &Stmt, shared: usize) -> Result<bool> {
    let outer = |x: &Stmt| -> Result<Set> {
        let rest = x.depth() - shared;
        let outer = x.domain.project_out(DimType::Set, shared, rest)?;
        outer.set_tuple_name(&s.name)
    };
    let own = outer(s)?;
    let place = |x: &Stmt| x.beta[shared];
    let between = place(s).min(place(t))..=place(s).max(place(t));
    for x in scop.stmts.iter().filter(|x| x.id != s.id) {
        let near = x.depth() >= shared && x.beta[..shared] == s.beta[..shared];
        if near && between.contains(&place(x)) && !outer(x)?.is_disjoint(&own)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// A division behind sums, with its first column apart; `sums` says where there are sums.
    fn apart(ctx: &Ctx, sums: &str) -> Scop {
        let text = format!(
            "scop \"f\" function \"f\"\nparams n\ncontext {{ : n >= 1 }}\narray A f64 [n][n]\n\
             stmt S0\n domain {{ S0[j, i] : j = 0 and 0 < i < n }}\n beta 0 0 0\n\
             write {{ S0[j, i] -> A[i, 0] }}\n read {{ S0[j, i] -> A[i, 0] }}\n read {{ S0[j, i] -> A[0, 0] }}\n\
             body (fdiv (read 1) (read 2))\n\
             stmt S1\n domain {{ S1[j, i, k] : j < i < n and {sums} }}\n beta 0 1 0 0\n\
             write {{ S1[j, i, k] -> A[i, j] }}\n read {{ S1[j, i, k] -> A[i, j] }}\n read {{ S1[j, i, k] -> A[i, k] }}\n\
             body (fsub (read 1) (read 2))\n\
             stmt S2\n domain {{ S2[j, i] : 0 < j < i < n }}\n beta 0 1 1\n\
             write {{ S2[j, i] -> A[i, j] }}\n read {{ S2[j, i] -> A[i, j] }}\n read {{ S2[j, i] -> A[j, j] }}\n\
             body (fdiv (read 1) (read 2))\n"
        );
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    #[test]
    fn a_column_apart_is_a_column_again() {
        let ctx = Ctx::new();
        let scop = united(&apart(&ctx, "0 <= k < j"), &|_, _| true).expect("an answer");
        assert_eq!(scop.stmts.len(), 2);
        let whole = Set::parse(&ctx, "[n] -> { S1[j, i] : 0 <= j < i < n }").expect("a set");
        assert!(scop.stmts[1].domain.is_equal(&whole).expect("an answer"));
    }

    #[test]
    fn what_would_pass_another_statement_stays_apart() {
        let ctx = Ctx::new();
        let scop = united(&apart(&ctx, "0 <= k <= j"), &|_, _| true).expect("an answer");
        assert_eq!(scop.stmts.len(), 3);
    }

    #[test]
    fn other_operations_stay_apart() {
        let ctx = Ctx::new();
        let scop = united(&apart(&ctx, "0 <= k < j"), &|_, _| false).expect("an answer");
        assert_eq!(scop.stmts.len(), 3);
    }
}
