//! Loops that read along rows and write along columns, in squares that are transposed in registers.
//!
//! ```text
//! for i: for j: B[j][i] = A[i][j]
//!
//! for i in steps of 8: for j in steps of 8:  load 8 rows of A;  transpose;  store 8 rows of B          // squares of 8
//! ```
//!
//! Whichever loop is inside, one of the two accesses has an element here and there, which LLVM gathers or scatters. In squares each
//! access has whole vectors. Each statement has them in the direction in which fewer are to be transposed.
//!
//! Where the outer loop is dealt to threads, they get it by [`DEALT`] iterations.
//!
//! Nothing but a statement or some are in both loops, write each element in one iteration, and touch what is written there only: then iterations may
//! run in any order.

use super::block;
use super::expr::{bin, coefficient, mentions, replace};
use super::split::replaced;
use crate::target::lanes;
use polytile_analysis::address_gain::{InSquare, changes, in_square};
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId, SquareVectors, User};
use polytile_analysis::body::NodeKind;
use polytile_analysis::poly::{DimType, Error, Result};
use polytile_analysis::scop::{Access, AccessKind, Place, Scop, Stmt};
use polytile_analysis::tree::Distribution;

/// More lanes have no place in registers: of bytes, a part of a vector has to do.
const MAX_LANES: u32 = 16;

/// Iterations of a loop in squares that a thread takes at once: whole lines of what is contiguous along it.
const DEALT: i64 = 64;

/// The program with such loops marked; `bits` is the size of a vector.
pub(super) fn marked(
    ast: Ast,
    (scop, bits): (&Scop, u32),
    fresh: &mut dyn FnMut() -> IterId,
) -> Result<Ast> {
    let mut of = |a: Ast| marked(a, (scop, bits), fresh);
    Ok(match ast {
        Ast::Block(list) => Ast::Block(list.into_iter().map(of).collect::<Result<_>>()?),
        Ast::If { cond, then, els } => Ast::If {
            cond,
            then: Box::new(of(*then)?),
            els: els.map(|e| of(*e).map(Box::new)).transpose()?,
        },
        Ast::For(l) => match squares(&l, scop, bits)? {
            Some((kind, inner)) => in_squares(*l, kind, inner, fresh),
            None if matches!(l.kind, ForKind::Lanes { .. } | ForKind::Diagonal { .. }) => {
                Ast::For(l)
            }
            None => {
                let body = of(l.body.clone())?;
                Ast::For(Box::new(For { body, ..*l }))
            }
        },
        other => other,
    })
}

/// A loop with the one inside in squares.
fn in_squares(l: For, kind: ForKind, inner: For, fresh: &mut dyn FnMut() -> IterId) -> Ast {
    let mut squares = For {
        kind,
        body: Ast::For(Box::new(inner)),
        ..l.clone()
    };
    if !matches!(l.kind, ForKind::Parallel { .. }) {
        return Ast::For(Box::new(squares));
    }
    let iter = fresh();
    squares.lower = Expr::Iter(iter);
    let last = bin(BinOp::Add, &squares.lower, &Expr::Int(DEALT - 1));
    squares.upper = bin(BinOp::Min, &last, &l.upper);
    Ast::For(Box::new(For {
        iter,
        step: Expr::Int(DEALT),
        body: Ast::For(Box::new(squares)),
        ..l
    }))
}

/// What a loop and the one inside become, if they are such loops.
fn squares(outer: &For, scop: &Scop, bits: u32) -> Result<Option<(ForKind, For)>> {
    let Some(inner) = &inner(outer) else {
        return Ok(None);
    };
    let Some(users) = alike(&inner.body) else {
        return Ok(None);
    };
    let single = |l: &For| l.step == Expr::Int(1) && l.anchor.is_none();
    let plain = |l: &For| matches!(l.kind, ForKind::Sequential | ForKind::Vector) && single(l);
    let shared = matches!(
        &outer.kind,
        ForKind::Parallel { distribution: Distribution::Static, private, .. } if private.is_empty()
    );
    let rectangle = ![&inner.lower, &inner.upper]
        .iter()
        .any(|e| mentions(e, outer.iter));
    if !(plain(outer) || shared && single(outer)) || !plain(inner) || !rectangle {
        return Ok(None);
    }
    let stmts: Vec<&Stmt> = users.iter().map(|u| scop.stmt(u.stmt)).collect();
    let Some(vectors) = directions(scop, &stmts, (outer, inner), users[0]) else {
        return Ok(None);
    };
    let lanes = (lanes(bits, stmts[0].write().ty.bytes()) as u32).min(MAX_LANES);
    if lanes < 2 || !any_order(scop, &stmts)? {
        return Ok(None);
    }
    let inner = For {
        kind: ForKind::Vector,
        ..inner.clone()
    };
    Ok(Some((ForKind::Squares { lanes, vectors }, inner)))
}

/// The loop in another one; loops over the same iterations as one.
fn inner(outer: &For) -> Option<For> {
    let list = match &outer.body {
        Ast::Block(list) => &list[..],
        one => std::slice::from_ref(one),
    };
    let loops: Option<Vec<&For>> = list
        .iter()
        .map(|a| match a {
            Ast::For(l) => Some(&**l),
            _ => None,
        })
        .collect();
    let loops = loops?;
    let (first, others) = loops.split_first()?;
    let mut bodies = vec![first.body.clone()];
    for l in others {
        let same = (&l.lower, &l.upper, &l.step) == (&first.lower, &first.upper, &first.step);
        let plain = matches!(l.kind, ForKind::Sequential | ForKind::Vector) && l.anchor.is_none();
        if !same || !plain || !l.body.has_no_loop() {
            return None;
        }
        let leaf = |e: &Expr| (*e == Expr::Iter(l.iter)).then_some(Expr::Iter(first.iter));
        bodies.push(replaced(&l.body, &|e| replace(e, &leaf)));
    }
    Some(For {
        body: block(bodies),
        ..(*first).clone()
    })
}

/// The statements of a body that is nothing but statements, if they run in the same iterations.
fn alike(body: &Ast) -> Option<Vec<&User>> {
    let users = body.plain_users()?;
    let first = &users.first()?.args;
    users.iter().all(|u| u.args == *first).then_some(users)
}

/// By statement, the direction of vectors in which fewer are to be transposed; `None` if there is nothing to transpose, or no such form.
fn directions(
    scop: &Scop,
    stmts: &[&Stmt],
    (outer, inner): (&For, &For),
    user: &User,
) -> Option<Vec<SquareVectors>> {
    let step = |l: &For| -> Option<Vec<i64>> {
        let of = |e: &Expr| coefficient(e, l.iter).map(|(c, _)| c);
        user.args.iter().map(of).collect()
    };
    let (out, own) = (step(outer)?, step(inner)?);
    let element = stmts[0].write().ty.bytes();
    let count = |along: &[i64], across: &[i64]| -> Vec<Option<usize>> {
        let each = stmts.iter();
        each.map(|s| transposed(scop, s, element, (along, across)))
            .collect()
    };
    let (by_inner, by_outer) = (count(&own, &out), count(&out, &own));
    let none = |all: &[Option<usize>]| all.iter().all(|n| *n == Some(0));
    if none(&by_inner) || none(&by_outer) {
        return None;
    }
    let better = |(inner, outer): (&Option<usize>, &Option<usize>)| match (inner, outer) {
        (None, None) => None,
        (Some(a), Some(b)) if b < a => Some(SquareVectors::Outer),
        (None, Some(_)) => Some(SquareVectors::Outer),
        (Some(_), _) => Some(SquareVectors::Inner),
    };
    by_inner.iter().zip(&by_outer).map(better).collect()
}

/// How many accesses have to be transposed where vectors, of elements of so many bytes, have the direction `along`; `None` if it cannot be done so.
fn transposed(
    scop: &Scop,
    stmt: &Stmt,
    element: u64,
    (along, across): (&[i64], &[i64]),
) -> Option<usize> {
    let mut count = 0;
    for a in &stmt.accesses {
        let lie = in_square(scop, stmt, a, (along, across))?;
        let written = a.kind != AccessKind::Read;
        let plain = a.kind != AccessKind::MayWrite && matches!(a.place, Place::Memory(_));
        let fits = lie == InSquare::Same || (plain && a.ty.bytes() == element);
        if !fits || (written && lie == InSquare::Same) {
            return None;
        }
        count += usize::from(matches!(lie, InSquare::Across | InSquare::AcrossBack));
    }
    let in_lanes = stmt.body.nodes.iter().all(|n| match &n.kind {
        NodeKind::Op { op, .. } => crate::simd::has_vector_form(op) && n.choice().is_none(),
        NodeKind::Index(s) => !changes(stmt, s, along),
        _ => true,
    });
    in_lanes.then_some(count)
}

/// Whether iterations of these statements may run in any order.
fn any_order(scop: &Scop, stmts: &[&Stmt]) -> Result<bool> {
    match are_apart(scop, stmts) {
        Err(Error::Quota) => Ok(false),
        apart => apart,
    }
}

/// Whether no iteration touches an element that another one writes.
fn are_apart(scop: &Scop, stmts: &[&Stmt]) -> Result<bool> {
    let known = scop.known()?;
    for (at, stmt) in stmts.iter().enumerate() {
        let domain = stmt.domain.intersect_params(&known)?;
        for (n, w) in stmt.writes().iter().enumerate() {
            for (other, s) in stmts.iter().enumerate() {
                for (m, a) in s.accesses.iter().enumerate() {
                    let itself = (other, m) == (at, n);
                    if !itself && a.array == w.array && !is_own(stmt, w, a)? {
                        return Ok(false);
                    }
                }
            }
            if !w.relation.intersect_domain(&domain)?.is_bijective()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether an access is to the element that a statement writes in the same iteration.
fn is_own(stmt: &Stmt, write: &Access, access: &Access) -> Result<bool> {
    if access.relation.dim(DimType::In) != write.relation.dim(DimType::In) {
        return Ok(false);
    }
    let relation = access.relation.set_tuple_name(DimType::In, &stmt.name)?;
    relation.is_equal(&write.relation)
}

#[cfg(test)]
mod tests {
    use crate::ast::{AstOptions, Generated, generate_with};
    use crate::testing::flat_schedule;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// The loops of `B[..] = A[..]`, with squares of eight elements.
    fn loops(write: &str, read: &str, schedule: &str) -> String {
        let ctx = Ctx::new();
        let place = |(i, j): (&str, &str)| format!("(rec L1 (rec L0 0 {i}) {j})");
        let (row, column) = (("(mul 8 (sext v1:32))", "8"), ("8", "(mul 8 (sext v1:32))"));
        let lie = |access: &str| match access.contains("[j, i]") {
            true => place(column),
            false => place(row),
        };
        let text = format!(
            "scop \"f\" function \"f\"\nparam n = v1:32\ncontext {{ : n >= 9 }}\nloop \"i\"\nloop \"j\"\n\
             array A f64 memory v2 strides ((mul 8 (sext v1:32)) 8) extents ((sext v1:32))\n\
             array B f64 memory v3 strides ((mul 8 (sext v1:32)) 8) extents ((sext v1:32))\n\
             stmt S0\n iters L0 L1\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}\n beta 0 0 0\n\
             write {{ S0[i, j] -> {write} }} f64 memory m3 {}\n read {{ S0[i, j] -> {read} }} f64 memory m2 {}\n body (read 1)\n",
            lie(write),
            lie(read)
        );
        let scop = parse_scop(&ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let options = AstOptions {
            vector_bits: 512,
            ..AstOptions::default()
        };
        let schedule = flat_schedule(&scop, schedule);
        let Generated { body, .. } = generate_with(&scop, &schedule, &options).expect("loops");
        body.to_string()
    }

    #[test]
    fn a_transposition_runs_in_squares() {
        for (write, read) in [("B[j, i]", "A[i, j]"), ("B[i, j]", "A[j, i]")] {
            let text = loops(write, read, "{ S0[i, j] -> [i, j] }");
            assert!(text.contains("// squares of 8"), "{text}");
        }
    }

    #[test]
    fn other_loops_stay() {
        for (write, read) in [
            ("B[i, j]", "A[i, j]"),
            ("A[j, i]", "A[i, j]"),
            ("B[j, i]", "B[i, j]"),
        ] {
            let text = loops(write, read, "{ S0[i, j] -> [i, j] }");
            assert!(!text.contains("squares"), "{text}");
        }
    }
}
