//! Scalars that live in the array element which takes their value in the end (DeLICM; Kruse and Grosser, CGO 2018).
//!
//! ```text
//! for i, j: { s = 0;       for k  s       += A[i][k] * B[k][j];  C[i][j] = s; }
//! for i, j: { C[i][j] = 0; for k  C[i][j] += A[i][k] * B[k][j]; }
//! ```
//!
//! An expanded scalar costs a temporary as large as the array, and the copy of it; the element costs nothing. A scalar
//! `s` may live in the element that the statement `w: C[f(i)] = s` writes, over the `d` loops of `w`, if
//!
//! * all users of `s` stand in these loops, and no value of `s` crosses one of their iterations or comes from outside;
//! * `w` runs in each iteration in which `s` is written (no store is invented), and after all writes of `s`;
//! * nothing else in the same iteration touches that element, except the first write of `s` itself: `s = C[f(i)]`.
//!
//! What then copies an element to itself is dropped.
//!
//! Detection does the same for sums that header PHIs carry (`detect/delicm.rs` of the analysis crate), before there are
//! statements: there a value of the cell has other users, may leave the region, and its store may run without the loop, none of
//! which can be told from scalars. Here any number of statements may write the scalar; the flow of values, which detection does
//! not have, says which.

use super::merge::numbered;
use super::{is_private, shared_depth, users};
use polytile_analysis::body::NodeKind;
use polytile_analysis::deps::value_flow;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, Scop, Stmt};

/// `scop` with scalars in the elements that take their values.
pub fn map_scalars(scop: &Scop) -> Result<Scop> {
    let homes: Vec<(ArrayId, StmtId)> = (0..scop.arrays.len())
        .map(ArrayId::from)
        .filter(|&a| scop.array(a).kind == ArrayKind::Scalar { live_out: None })
        .filter_map(|a| taker(scop, a).map(|w| (a, w)))
        .collect();
    if homes.is_empty() {
        return Ok(scop.clone());
    }
    let flow = value_flow(scop, None)?;
    let mut mapped = scop.clone();
    for (scalar, taker) in homes {
        let depth = scop.stmt(taker).depth();
        let private = is_private(scop, scalar, depth, &flow.possible, &flow.from_outside)?;
        if private && is_free(&mapped, scalar, taker)? {
            apply(&mut mapped, scalar, taker)?;
        }
    }
    without_self_copies(mapped)
}

/// The statement that only copies the scalar to memory, in the loops that all users share, after all writes.
fn taker(scop: &Scop, scalar: ArrayId) -> Option<StmtId> {
    let copies = |s: &&Stmt| {
        let write = s.write();
        matches!(scop.array(write.array).kind, ArrayKind::Memory { .. })
            && write.kind == AccessKind::MustWrite
            && write.ty == scop.array(scalar).ty
            && write.ty == scop.array(write.array).ty
            && matches!(s.body.node(s.body.root).kind, NodeKind::Read(r) if s.accesses[r].array == scalar)
    };
    let depth = shared_depth(scop, scalar);
    let found = users(scop, scalar).find(copies)?;
    let last = users(scop, scalar)
        .filter(|s| s.write().array == scalar)
        .all(|s| s.write().ty == scop.array(scalar).ty && s.beta[depth] < found.beta[depth]);
    (depth > 0 && found.depth() == depth && last).then_some(found.id)
}

/// Whether the element is written anyhow wherever the scalar is, and is touched by nothing else in between.
fn is_free(scop: &Scop, scalar: ArrayId, taker: StmtId) -> Result<bool> {
    let taker = scop.stmt(taker);
    let depth = taker.depth();
    let taken = taker.domain.intersect_params(&scop.context)?;
    let first = users(scop, scalar).min_by_key(|s| s.beta[depth]);
    for s in &scop.stmts {
        if s.depth() < depth || s.beta[..depth] != taker.beta[..depth] {
            continue;
        }
        let domain = s.domain.intersect_params(&scop.context)?;
        let iteration = iteration_of(s, taker)?;
        if s.write().array == scalar && !domain.apply(&iteration)?.is_subset(&taken)? {
            return Ok(false);
        }
        let initial = first.is_some_and(|f| f.id == s.id)
            && s.depth() == depth
            && s.write().array == scalar
            && s.reads().iter().all(|r| r.array != scalar);
        let element = iteration.apply_range(&taker.write().relation)?;
        for (number, a) in s.accesses.iter().enumerate() {
            let own = s.id == taker.id && number == 0;
            if a.array != taker.write().array || own || (initial && number > 0) {
                continue;
            }
            let touched = a.relation.intersect_domain(&domain)?;
            if !touched.intersect(&element)?.is_empty()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// From the instances of a statement to the taker's instance in the same iteration of the taker's loops.
fn iteration_of(s: &Stmt, taker: &Stmt) -> Result<Map> {
    let anywhere = Set::universe(&taker.domain.space()?)?;
    let mut map = Map::from_domain_and_range(&s.domain, &anywhere)?;
    for d in 0..taker.depth() {
        map = map.equate(DimType::In, d, DimType::Out, d)?;
    }
    Ok(map)
}

/// Puts every access to the scalar to the taker's element.
fn apply(scop: &mut Scop, scalar: ArrayId, taker: StmtId) -> Result<()> {
    let taker = scop.stmt(taker).clone();
    let home = taker.write();
    for s in &mut scop.stmts {
        let iters = s.depth();
        let name = s.name.clone();
        for a in s.accesses.iter_mut().filter(|a| a.array == scalar) {
            let relation = home
                .relation
                .insert_dims(DimType::In, taker.depth(), iters - taker.depth())?
                .set_tuple_name(DimType::In, &name)?;
            *a = Access {
                kind: a.kind,
                relation,
                ..home.clone()
            };
        }
    }
    Ok(())
}

/// Drops statements that write what they read, and numbers the others anew.
fn without_self_copies(mut scop: Scop) -> Result<Scop> {
    let idle = |s: &Stmt| -> Result<bool> {
        let NodeKind::Read(r) = s.body.node(s.body.root).kind else {
            return Ok(false);
        };
        let (from, to) = (&s.accesses[r], s.write());
        Ok(from.array == to.array
            && from.ty == to.ty
            && from
                .relation
                .intersect_domain(&s.domain)?
                .is_equal(&to.relation.intersect_domain(&s.domain)?)?)
    };
    let mut kept = vec![];
    for s in scop.stmts {
        if !idle(&s)? {
            kept.push(s);
        }
    }
    scop.stmts = numbered(kept)?;
    Ok(scop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `s = first; for k < m: s += A[i][k]; r[i] = s` with another read in the sum.
    fn sums(ctx: &Ctx, first: &str, read: &str, last: &str) -> Scop {
        let text = format!(
            "scop \"rows\" function \"rows\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array A f64 [n][m]\narray r f64 [n]\narray s f64 scalar\n\
             stmt S0\n domain {{ S0[i] : 0 <= i < n }}\n beta 0 0\n write {{ S0[i] -> s[] }}\n{first}\n\
             stmt S1\n domain {{ S1[i, k] : 0 <= i < n and 0 <= k < m }}\n beta 0 1 0\n write {{ S1[i, k] -> s[] }}\n \
             read {{ S1[i, k] -> s[] }}\n read {{ S1[i, k] -> {read} }}\n body (fadd (read 1) (read 2))\n\
             stmt S2\n domain {{ S2[i] : {last} }}\n beta 0 2\n write {{ S2[i] -> r[i] }}\n \
             read {{ S2[i] -> s[] }}\n body (read 1)\n"
        );
        map_scalars(&parse_scop(ctx, &text).expect("a SCoP")).expect("mapped")
    }

    const ZERO: &str = " body (bits 0)";

    #[test]
    fn a_sum_lives_in_its_element() {
        let ctx = Ctx::new();
        let scop = sums(&ctx, ZERO, "A[i, k]", "0 <= i < n");
        assert_eq!(scop.stmts.len(), 2);
        let text = scop.stmts[1].write().relation.to_string();
        assert!(text.contains("-> r[i]"), "{text}");
        assert_eq!(scop.stmts[0].write().array, scop.stmts[1].accesses[1].array);
    }

    #[test]
    fn an_element_that_is_the_first_value_needs_no_copy() {
        let ctx = Ctx::new();
        let first = " read { S0[i] -> r[i] }\n body (read 1)";
        let scop = sums(&ctx, first, "A[i, k]", "0 <= i < n");
        assert_eq!(scop.stmts.len(), 1);
        assert_eq!(
            (scop.stmts[0].depth(), scop.stmts[0].name.as_str()),
            (2, "S0")
        );
    }

    #[test]
    fn earlier_elements_may_be_read_and_the_own_not() {
        let ctx = Ctx::new();
        assert_eq!(sums(&ctx, ZERO, "r[i - 1]", "0 <= i < n").stmts.len(), 2);
        assert_eq!(sums(&ctx, ZERO, "r[i]", "0 <= i < n").stmts.len(), 3);
        assert_eq!(sums(&ctx, ZERO, "r[k]", "0 <= i < n").stmts.len(), 3);
    }

    #[test]
    fn no_store_is_invented() {
        let ctx = Ctx::new();
        assert_eq!(sums(&ctx, ZERO, "A[i, k]", "1 <= i < n").stmts.len(), 3);
    }
}
