//! Copies of arrays per thread.

use super::{band, scop, whole, with_params};
use crate::legality::{Rule, check};
use polytile_analysis::deps::compute;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Ctx, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Distribution, LoopKind, Mark, Schedule, Tree};

/// For each `i` a temporary row is filled and its element `i + from` is taken; the row is array 1.
fn rows(kind: &str, from: i64) -> String {
    format!(
        "params n\ncontext {{ : n >= 4 }}\narray r f64 [n]\narray t f64 {kind} [n]\n\
         stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j <= i }}\n beta 0 0 0\n write {{ S0[i, j] -> t[j] }}\n \
         body (bits 0)\n\
         stmt S1\n domain {{ S1[i] : -{from} <= i < n }}\n beta 0 1\n write {{ S1[i] -> r[i] }}\n \
         read {{ S1[i] -> t[i + {from}] }}\n body (read 1)\n"
    )
}

/// The verdict on copies of an array for the threads of the loop over `i`.
fn verdict(text: &str, array: u32) -> Option<Rule> {
    let ctx = Ctx::new();
    let scop = scop(&ctx, text);
    let mut schedule = whole(
        &scop,
        band(
            &scop,
            "S0[i, j] -> [i, 0, j]; S1[i] -> [i, 1, 0]",
            Tree::Leaf,
        ),
    );
    let Tree::Band(rows) = &mut schedule.root else {
        unreachable!("a band was put there");
    };
    rows.loops[0] = LoopKind::Parallel(Distribution::Static);
    let private = Mark::Private(vec![ArrayId(array)]);
    schedule.root = Tree::Mark(private, Box::new(schedule.root));
    let deps = compute(&scop, false).unwrap();
    check(&scop, &schedule, &deps).err().map(|v| v.rule)
}

#[test]
fn rows_that_are_filled_and_used_in_one_iteration() {
    assert_eq!(verdict(&rows("temporary", 0), 1), None);
}

#[test]
fn other_arrays_still_order_iterations() {
    // Only `r` has copies, and it is no temporary array.
    let rule = verdict(&rows("temporary", 0), 0);
    assert_eq!(rule, Some(Rule::NotPrivate("not a temporary array")));
    let shared = rows("temporary", 0).replace("-> r[i]", "-> r[0]");
    assert_eq!(verdict(&shared, 1), Some(Rule::NotParallel(0)));
}

#[test]
fn values_of_the_program_have_no_copies() {
    let rule = verdict(&rows("", 0), 1);
    assert_eq!(rule, Some(Rule::NotPrivate("not a temporary array")));
}

#[test]
fn values_that_cross_iterations() {
    // Iteration i fills t[0..i]; without the first row, later ones read what an earlier iteration wrote.
    let text = rows("temporary", 0).replace("0 <= j <= i }", "i <= j <= i + 1 and j < n }");
    assert_eq!(verdict(&text, 1), None);
    let crossing = text
        .replace("t[i + 0]", "t[i - 1]")
        .replace("-0 <= i", "1 <= i");
    let rule = verdict(&crossing, 1);
    assert_eq!(rule, Some(Rule::NotPrivate("a value crosses iterations")));
}

fn refused(scop: &Scop, root: Tree) -> Option<Rule> {
    let deps = compute(scop, false).unwrap();
    let schedule = Schedule {
        domain: scop.domain().unwrap(),
        root,
        sizes: vec![],
    };
    check(scop, &schedule, &deps).err().map(|v| v.rule)
}

fn private(below: Tree) -> Tree {
    Tree::Mark(Mark::Private(vec![ArrayId(1)]), Box::new(below))
}

fn parallel(scop: &Scop, rows: &str) -> Tree {
    let mut band = band(scop, rows, Tree::Leaf);
    band.loops[0] = LoopKind::Parallel(Distribution::Static);
    Tree::Band(Box::new(band))
}

#[test]
fn copies_belong_to_one_parallel_loop() {
    let ctx = Ctx::new();
    let scop = scop(&ctx, &rows("temporary", 0));
    assert_eq!(
        refused(&scop, private(Tree::Leaf)),
        Some(Rule::NotPrivate("no band below"))
    );
    let inner = parallel(&scop, "S0[i, j] -> [0, j]; S1[i] -> [1, 0]");
    let outer = band(&scop, "S0[i, j] -> [i]; S1[i] -> [i]", private(inner));
    assert_eq!(
        refused(&scop, Tree::Band(Box::new(outer))),
        Some(Rule::NotPrivate("a value crosses iterations"))
    );
}

/// `for t, i: { for j: c[j] = a[t][i][j];  for j: b[t][i][j] = c[j] }`, where the values of `c` may be those of a step before.
fn in_steps(ctx: &Ctx, back: i64) -> Scop {
    let text = format!(
        "params n\ncontext {{ : n >= 4 }}\narray a f64 [n][n][n]\narray c f64 temporary [n]\n\
         array b f64 [n][n][n]\n\
         stmt S0\n domain {{ S0[t, i, j] : 0 <= t < n and 0 <= i < n and 0 <= j < n }}\n beta 0 0 0 0\n \
         write {{ S0[t, i, j] -> c[j] }}\n read {{ S0[t, i, j] -> a[t, i, j] }}\n body (read 1)\n\
         stmt S1\n domain {{ S1[t, i, j] : {back} <= t < n and 0 <= i < n and 0 <= j < n }}\n beta 0 0 1 0\n \
         write {{ S1[t, i, j] -> b[t, i, j] }}\n read {{ S1[t, i, j] -> c[j] }}\n body (read 1)\n"
    );
    scop(ctx, &text)
}

#[test]
fn each_step_around_the_loop_begins_with_new_copies() {
    let ctx = Ctx::new();
    let scop = in_steps(&ctx, 0);
    let loops = || {
        let inner = parallel(&scop, "S0[t, i, j] -> [i, 0, j]; S1[t, i, j] -> [i, 1, j]");
        let outer = band(
            &scop,
            "S0[t, i, j] -> [t]; S1[t, i, j] -> [t]",
            private(inner),
        );
        Tree::Band(Box::new(outer))
    };
    assert_eq!(refused(&scop, loops()), None);
    // In another order of the steps the last write of a line is none of the same step.
    let inner = parallel(&scop, "S0[t, i, j] -> [i, 0, j]; S1[t, i, j] -> [i, 1, j]");
    let late = band(
        &scop,
        "S0[t, i, j] -> [t]; S1[t, i, j] -> [t + 1]",
        private(inner),
    );
    assert!(refused(&scop, Tree::Band(Box::new(late))).is_some());
}

#[test]
fn all_accesses_are_below_the_loop() {
    let ctx = Ctx::new();
    let once = rows("temporary", 0).replace("0 <= i < n and 0 <= j <= i", "i = 0 and 0 <= j < n");
    let scop = scop(&ctx, &once);
    let branch = |stmt: &str, child: Tree| Branch {
        filter: UnionSet::parse(&ctx, &with_params(&scop, &format!("{{ {stmt} }}"))).unwrap(),
        child,
    };
    let rows = || parallel(&scop, "S0[i, j] -> [i, 0, j]; S1[i] -> [i, 1, 0]");
    let apart = vec![branch("S0[i, j]", private(rows())), branch("S1[i]", rows())];
    assert_eq!(
        refused(&scop, Tree::Sequence(apart)),
        Some(Rule::NotPrivate("accessed outside of the loop"))
    );
}
