//! Right rewrites, and each of them made wrong.

use super::*;
use crate::expand::{expand_scalars, map_scalars, merge_updates};
use crate::reroll::reroll;
use polytile_analysis::poly::{Ctx, DimType, Map};
use polytile_analysis::text::parse_scop;

const EFFORT: Effort = Effort::LARGE;

fn scop(ctx: &Ctx, stmts: &str) -> Scop {
    let head = "scop \"f\" function \"f\"\nparams n m\ncontext { : n >= 1 and m >= 9 }\n\
                array A f64 [n][m]\narray B f64 [n][m]\narray s f64 scalar\n";
    let text = format!("{head}{stmts}");
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Three channels of a row, taken apart.
fn channels(ctx: &Ctx) -> Scop {
    let mut text = String::new();
    for c in 0..3 {
        text += &format!(
            "stmt S{c}\n domain {{ S{c}[i, x] : 0 < i < n and 0 <= x and 3x + 2 < m }}\n beta 0 0 {c}\n\
             write {{ S{c}[i, x] -> A[i, 3x + {c}] }}\n read {{ S{c}[i, x] -> A[i - 1, 3x + {c}] }}\n\
             read {{ S{c}[i, x] -> B[i, 3x + {c}] }}\n body (fsub (read 1) (read 2))\n"
        );
    }
    scop(ctx, &text)
}

/// A sum in a scalar.
fn sum(ctx: &Ctx) -> Scop {
    scop(
        ctx,
        "stmt S0\n domain { S0[i] : 0 <= i < n }\n beta 0 0\n write { S0[i] -> s[] }\n read { S0[i] -> A[i, 0] }\n body (read 1)\n\
         stmt S1\n domain { S1[i, j] : 0 <= i < n and 0 < j < m }\n beta 0 1 0\n write { S1[i, j] -> s[] }\n read { S1[i, j] -> s[] }\n\
         read { S1[i, j] -> B[i, j] }\n body (fadd (read 1) (read 2))\n\
         stmt S2\n domain { S2[i] : 0 <= i < n }\n beta 0 2\n write { S2[i] -> A[i, 1] }\n read { S2[i] -> s[] }\n body (read 1)\n",
    )
}

/// Two updates of one element.
fn updates(ctx: &Ctx) -> Scop {
    let mut text = String::new();
    for (k, read) in ["B[i, 0]", "B[i, 1]"].iter().enumerate() {
        text += &format!(
            "stmt S{k}\n domain {{ S{k}[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 0 0 {k}\n write {{ S{k}[i, j] -> A[i, j] }}\n\
             read {{ S{k}[i, j] -> A[i, j] }}\n read {{ S{k}[i, j] -> {read} }}\n body (fadd (read 1) (read 2))\n"
        );
    }
    scop(ctx, &text)
}

fn answer(before: &Scop, after: &Scop) -> Answer {
    check(before, after, &|_, _| true, EFFORT)
}

/// Each of these SCoPs with what a rewrite makes of it.
fn rewritten(ctx: &Ctx) -> Vec<(Scop, Scop)> {
    let (a, b, c) = (channels(ctx), sum(ctx), updates(ctx));
    let rolled = reroll(&a, &|_, _| true).expect("an answer");
    let mapped = map_scalars(&b).expect("an answer");
    let expanded = expand_scalars(&b).expect("an answer");
    let merged = merge_updates(&c).expect("an answer");
    assert_eq!((rolled.stmts.len(), merged.stmts.len()), (1, 1));
    assert_ne!(mapped.stmts.len(), b.stmts.len());
    assert!(
        expanded
            .arrays
            .iter()
            .any(|a| a.kind == ArrayKind::Temporary)
    );
    vec![(a, rolled), (b.clone(), mapped), (b, expanded), (c, merged)]
}

#[test]
fn right_rewrites_are_the_same() {
    let ctx = Ctx::new();
    for (before, after) in rewritten(&ctx) {
        assert_eq!(answer(&before, &before), Answer::Same);
        assert_eq!(answer(&before, &after), Answer::Same);
    }
}

/// The SCoP with one change, by what it is.
fn faults(scop: &Scop) -> Vec<(String, Scop)> {
    let mut list = vec![];
    let mut push = |what: String, change: &dyn Fn(&mut Scop)| {
        let mut wrong = scop.clone();
        change(&mut wrong);
        list.push((what, wrong));
    };
    for (k, s) in scop.stmts.iter().enumerate() {
        for (n, a) in s.accesses.iter().enumerate() {
            let out = a.relation.dim(DimType::Out);
            // An element of its own for each iteration is any other one, too.
            if out > 0 && matches!(scop.array(a.array).kind, ArrayKind::Memory { .. }) {
                let name = &scop.array(a.array).name;
                let dims: Vec<String> = (0..out).map(|d| format!("a{d}")).collect();
                let text = format!("{{ {name}[{0}] -> {name}[{0} + 1] }}", dims.join(", "));
                let next = Map::parse(scop.context.ctx(), &text).expect("a map");
                push(format!("S{k}, access {n} moved"), &|wrong| {
                    let relation = a.relation.apply_range(&next).expect("a map");
                    wrong.stmts[k].accesses[n].relation = relation;
                });
            }
        }
        for (n, node) in s.body.nodes.iter().enumerate() {
            if let NodeKind::Op { op, .. } = &node.kind {
                if !op.commutes() {
                    push(format!("S{k}, node {n} turned around"), &|wrong| {
                        turn_around(wrong, k, n);
                    });
                }
                push(format!("S{k}, node {n} is no {op:?}"), &|wrong| {
                    if let NodeKind::Op { op, .. } = &mut wrong.stmts[k].body.nodes[n].kind {
                        *op = polytile_analysis::region::OpCode::Xor;
                    }
                });
            }
        }
        push(format!("S{k} without its last iterations"), &|wrong| {
            let domain = &s.domain;
            let inner = s.depth() - 1;
            let next = format!(
                "{{ {0}[{1}] -> {0}[{1} + 1] }}",
                s.name,
                (0..=inner)
                    .map(|d| format!("i{d}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            let next = Map::parse(domain.ctx(), &next).expect("a map");
            let before = domain
                .apply(&next.reverse().expect("a map"))
                .expect("a set");
            wrong.stmts[k].domain = domain.intersect(&before).expect("a set");
        });
        if k + 1 < scop.stmts.len() {
            push(format!("S{k} runs last"), &|wrong| {
                wrong.stmts[k].beta[1] = 9
            });
        }
    }
    list
}

/// Changes the order of the operands of an operation.
fn turn_around(scop: &mut Scop, stmt: usize, node: usize) {
    if let NodeKind::Op { args, .. } = &mut scop.stmts[stmt].body.nodes[node].kind {
        args.reverse();
    }
}

#[test]
fn operands_that_commute_may_come_in_any_order() {
    let ctx = Ctx::new();
    let before = updates(&ctx);
    let mut after = merge_updates(&before).expect("an answer");
    let root = after.stmts[0].body.root.index();
    turn_around(&mut after, 0, root);
    assert_eq!(answer(&before, &after), Answer::Same);
    let before = channels(&ctx);
    let mut after = before.clone();
    let root = after.stmts[1].body.root.index();
    turn_around(&mut after, 1, root);
    assert!(matches!(answer(&before, &after), Answer::Other(_)));
}

#[test]
fn wrong_rewrites_are_found() {
    let ctx = Ctx::new();
    for (before, after) in rewritten(&ctx) {
        for (what, wrong) in faults(&after) {
            let found = answer(&before, &wrong);
            assert!(matches!(found, Answer::Other(_)), "{what}: {found:?}");
        }
    }
}
