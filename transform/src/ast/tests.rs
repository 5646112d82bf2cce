//! Generated programs: the examples of Kelly and Pugh (1995) and what every program must do.

use super::stats::Stats;
use super::{AstOptions, expr, generate, generate_with};
use crate::testing::{bare_scop, check_run, flat_schedule, instances, run, sample};
use polytile_analysis::ast::{Ast, Expr, ForKind};
use polytile_analysis::poly::{Ctx, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Branch, Distribution, LoopKind, Schedule, Tree};

/// Gaussian elimination without pivoting; iterators count from 0.
fn elimination(ctx: &Ctx) -> Scop {
    bare_scop(
        ctx,
        "n",
        "{ : n >= 0 }",
        &[
            ("{ S0[k, i] : 0 <= k and 0 <= i < n - k - 1 }", "0 0 0"),
            (
                "{ S1[k, i, j] : 0 <= k and 0 <= i < n - k - 1 and 0 <= j < n - k - 1 }",
                "0 0 1 0",
            ),
        ],
    )
}

/// The instances run are those of the SCoP.
fn complete(scop: &Scop, schedule: &Schedule, params: &[&[i64]]) {
    let ast = generate(scop, schedule).unwrap();
    for p in params {
        let mut got = run(&ast, p, &[]);
        got.sort();
        assert_eq!(got, instances(scop, p), "parameters {p:?}\n{ast}");
    }
}

#[test]
fn elimination_by_inner_products_needs_no_conditions() {
    let ctx = Ctx::new();
    let scop = elimination(&ctx);
    // i = k + 1 + i', j = k + 1 + j': the loops of the text count from k + 1.
    let schedule = flat_schedule(
        &scop,
        "{ S0[k, i] -> [k + i + 1, k, 1, 0]; S1[k, i, j] -> [k + i + 1, k + j + 1, 0, k] }",
    );
    let ast = generate(&scop, &schedule).unwrap();
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.users), (5, 0, 3), "{ast}");
    complete(&scop, &schedule, &[&[0], &[1], &[2], &[7]]);
}

#[test]
fn all_loop_orders_of_elimination_are_free_of_conditions() {
    let ctx = Ctx::new();
    let scop = elimination(&ctx);
    // With i and j counted from 0: i = k + 1 + i0, j = k + 1 + j0.
    let (i, j) = ("k + i + 1", "k + j + 1");
    let orders = [
        (
            format!("S0[k, i] -> [k, 0, {i}, 0]; S1[k, i, j] -> [k, 1, {i}, {j}]"),
            4,
        ),
        (
            format!("S0[k, i] -> [k, 0, {i}, 0]; S1[k, i, j] -> [k, 1, {j}, {i}]"),
            4,
        ),
        (
            format!("S0[k, i] -> [{i}, k, 0, 0]; S1[k, i, j] -> [{i}, k, 1, {j}]"),
            3,
        ),
        (
            format!("S0[k, i] -> [k, 1, {i}, 0]; S1[k, i, j] -> [{j}, 0, k, {i}]"),
            4,
        ),
        (
            format!("S0[k, i] -> [k, 0, {i}, k]; S1[k, i, j] -> [{j}, 0, {i}, k]"),
            5,
        ),
    ];
    for (map, loops) in orders {
        let schedule = flat_schedule(&scop, &format!("{{ {map} }}"));
        let ast = generate(&scop, &schedule).unwrap();
        let s = Stats::of(&ast);
        assert_eq!((s.loops, s.if_cost), (loops, 0), "{map}\n{ast}");
        complete(&scop, &schedule, &[&[0], &[1], &[2], &[6]]);
    }
}

#[test]
fn blocked_lu_needs_no_conditions() {
    let ctx = Ctx::new();
    let scop = elimination(&ctx);
    // The text's k, i and j count from 1: k1 = k + 1, i1 = k + i + 2, j1 = k + j + 2.
    let schedule = flat_schedule(
        &scop,
        "{ S0[k, i] -> [64*floor(k/64) + 1, 64*floor((k + i + 2)/64), k + 1, k + 1, k + i + 2]; \
           S1[k, i, j] -> [64*floor(k/64) + 1, 64*floor((k + i + 2)/64), k + j + 2, k + 1, k + i + 2] }",
    );
    let ast = generate(&scop, &schedule).unwrap();
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.users), (9, 0, 3), "{ast}");
    complete(&scop, &schedule, &[&[0], &[1], &[2], &[3], &[65], &[67]]);
}

#[test]
fn triangular_update_needs_no_conditions() {
    let ctx = Ctx::new();
    let scop = bare_scop(
        &ctx,
        "np morb",
        "{ : }",
        &[
            (
                "{ S0[p, q, i] : 0 <= q <= p < np and 0 <= i < morb }",
                "0 0 0 0",
            ),
            (
                "{ S1[p, q, i] : 0 <= q <= p < np and 0 <= i < morb }",
                "0 0 0 1",
            ),
        ],
    );
    let schedule = flat_schedule(
        &scop,
        "{ S0[p, q, i] -> [i, q, p, 0]; S1[p, q, i] -> [i, p, q, 1] }",
    );
    let ast = generate(&scop, &schedule).unwrap();
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.users), (4, 0, 4), "{ast}");
    complete(&scop, &schedule, &[&[0, 3], &[1, 1], &[5, 2]]);
}

#[test]
fn triangular_solve_needs_no_conditions() {
    let ctx = Ctx::new();
    // Iterators from 0: the text's i is i + 2, its j is j + 1.
    let scop = bare_scop(
        &ctx,
        "n",
        "{ : }",
        &[
            ("{ S0[i] : 0 <= i < n - 1 }", "0 0"),
            ("{ S1[i, j] : 0 <= j <= i < n - 1 }", "0 1 0"),
            ("{ S2[i] : 0 <= i < n - 1 }", "0 2"),
        ],
    );
    let schedule = flat_schedule(
        &scop,
        "{ S0[i] -> [0, i + 2, 0, 0]; S1[i, j] -> [1, j + 1, 0, i + 2]; S2[i] -> [1, i + 1, 1, 0] }",
    );
    let ast = generate(&scop, &schedule).unwrap();
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.users), (3, 0, 3), "{ast}");
    complete(&scop, &schedule, &[&[0], &[1], &[2], &[6]]);
}

#[test]
fn banded_update_needs_no_conditions() {
    let ctx = Ctx::new();
    // In the text's own iterators, whose bounds are no counters from 0.
    let scop = bare_scop(
        &ctx,
        "n b",
        "{ : b >= 1 }",
        &[(
            "{ S0[i, j, k] : 1 <= i <= n and i <= j <= n and j <= i + 2b - 2 and 1 <= k <= n and \
              i - b < k < i + b and j - b < k < j + b }",
            "0 0 0 0",
        )],
    );
    let schedule = flat_schedule(&scop, "{ S0[i, j, k] -> [j - i + 1, k - j, k] }");
    let ast = generate(&scop, &schedule).unwrap();
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.min_max, s.users), (3, 0, 5, 1), "{ast}");
    complete(&scop, &schedule, &[&[0, 1], &[4, 2], &[5, 30]]);
}

#[test]
fn the_original_order_gives_the_original_program() {
    let ctx = Ctx::new();
    for (name, _) in polytile_analysis::text::samples::ALL {
        let scop = sample(&ctx, name);
        let schedule = polytile_analysis::tree::original(&scop).unwrap();
        let ast = generate(&scop, &schedule).unwrap();
        let loops: std::collections::BTreeSet<_> =
            scop.stmts.iter().flat_map(|s| s.iters.iter()).collect();
        // The text of nussinov has a condition on its innermost but one loop.
        let ifs = usize::from(*name == "nussinov");
        let s = Stats::of(&ast);
        assert_eq!(
            (s.loops, s.ifs, s.users),
            (loops.len(), ifs, scop.stmts.len()),
            "{name}\n{ast}"
        );
        check_run(&scop, &ast, &vec![5; scop.params.len()], &[]);
        check_run(&scop, &ast, &vec![4; scop.params.len()], &[]);
    }
}

#[test]
fn parallel_loops_are_worth_their_work_at_the_place() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "lu");
    // k outermost; the rows below it are updated in parallel.
    let mut schedule = flat_schedule(
        &scop,
        "{ S0[i,j,k] -> [k,i,j,1]; S1[i,j] -> [j,i,j,0]; S2[i,j,k] -> [k,i,i+j,1] }",
    );
    let Tree::Band(band) = &mut schedule.root else {
        panic!("a band")
    };
    band.loops[1] = LoopKind::Parallel(Distribution::Static);
    let ast = generate(&scop, &schedule).unwrap();
    let Ast::For(outer) = &ast else {
        panic!("{ast}")
    };
    let work = |e: &Expr, n, k| {
        expr::eval(e, &|leaf| match leaf {
            Expr::Param(_) => Some(n),
            Expr::Iter(_) => Some(k),
            _ => None,
        })
    };
    let Ast::For(inner) = &outer.body else {
        panic!("{ast}")
    };
    let ForKind::Parallel {
        worth: Some(worth), ..
    } = &inner.kind
    else {
        panic!("{ast}")
    };
    // The whole matrix below k counts, so early steps are worth a fork and late ones are not.
    assert_eq!(work(worth, 1000, 10), Some(1), "{worth}");
    assert_eq!(work(worth, 1000, 995), Some(0), "{worth}");
    assert_eq!(work(worth, 10, 0), Some(0), "{worth}");
}

#[test]
fn one_team_goes_through_all_steps() {
    let ctx = Ctx::new();
    let scop = crate::testing::sample(&ctx, "jacobi-2d");
    let deps = polytile_analysis::deps::compute(&scop, false).unwrap();
    let target = crate::target::Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    let found = crate::schedule::search(&scop, &deps, &Default::default()).unwrap();
    let planned = crate::plan(&scop, &deps, &found, &target, &Default::default()).unwrap();
    let Ast::For(steps) = generate(&scop, &planned).unwrap() else {
        panic!("a loop over time");
    };
    let ForKind::Team { worth: Some(worth) } = &steps.kind else {
        panic!("{:?}", steps.kind);
    };
    // Steps of 20 microseconds or more; the number of steps does not matter.
    let at = |n: i64| expr::eval(worth, &|_| Some(n)).unwrap();
    assert_eq!((at(20), at(1000)), (0, 1));
    let free = generate_with(
        &scop,
        &planned,
        &AstOptions {
            repeated_min_work: 0,
            ..AstOptions::default()
        },
    );
    let Ast::For(steps) = free.unwrap().body else {
        panic!("a loop over time");
    };
    assert_eq!(steps.kind, ForKind::Team { worth: None });
}

#[test]
fn one_tile_is_not_worth_threads() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "seidel-2d");
    let deps = polytile_analysis::deps::compute(&scop, false).unwrap();
    let target = crate::target::Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    let found = crate::schedule::search(&scop, &deps, &Default::default()).unwrap();
    let planned = crate::plan(&scop, &deps, &found, &target, &Default::default()).unwrap();
    let Ast::For(waves) = generate(&scop, &planned).unwrap() else {
        panic!("a loop over waves");
    };
    let ForKind::Team { worth: Some(worth) } = &waves.kind else {
        panic!("{:?}", waves.kind);
    };
    // Few steps on a large square are one tile per wave.
    let at = |tsteps: i64, n: i64| {
        let value = |leaf: &Expr| match leaf {
            Expr::Param(p) if scop.params[p.index()].name == "n" => Some(n),
            _ => Some(tsteps),
        };
        expr::eval(worth, &value).unwrap()
    };
    assert_eq!((at(20, 1000), at(500, 1000)), (0, 1));
}

#[test]
fn steps_of_their_own_are_seen() {
    let ctx = Ctx::new();
    let stmts = [
        ("{ S0[k] : 0 <= k < 3n }", "0 0"),
        ("{ S1[j] : 0 <= j < n }", "1 0"),
        ("{ S2[j] : 0 <= j < n }", "1 1"),
    ];
    let scop = bare_scop(&ctx, "n", "{ : n >= 2 }", &stmts);
    let seen = |flat: &str| {
        let schedule = flat_schedule(&scop, flat);
        super::interleaves(&schedule.root, &schedule.domain).unwrap()
    };
    assert!(seen(
        "{ S0[k] -> [k, 0]; S1[j] -> [3j, 1]; S2[j] -> [3j + 1, 2] }"
    ));
    assert!(seen(
        "{ S0[k] -> [0, k]; S1[j] -> [1, 2j]; S2[j] -> [1, 2j + 1] }"
    ));
    assert!(!seen(
        "{ S0[k] -> [2k, 0]; S1[j] -> [2j, 1]; S2[j] -> [2j + 4, 2] }"
    ));
    assert!(!seen(
        "{ S0[k] -> [k, 0]; S1[j] -> [j, 1]; S2[j] -> [n, 2] }"
    ));
}

#[test]
fn parameters_that_only_filters_have_are_known() {
    let ctx = Ctx::new();
    let scop = bare_scop(
        &ctx,
        "m, n",
        "{ : n >= 0 and m >= 0 }",
        &[("{ S0[i] : 0 <= i < n }", "0 0")],
    );
    let mut schedule = flat_schedule(&scop, "{ S0[i] -> [i] }");
    let part = |condition: &str| {
        let filter = format!("[m, n] -> {{ S0[i] : {condition} }}");
        Branch {
            filter: UnionSet::parse(&ctx, &filter).unwrap(),
            child: schedule.root.clone(),
        }
    };
    schedule.root = Tree::Sequence(vec![part("i >= m"), part("i < m")]);
    complete(&scop, &schedule, &[&[0, 3], &[2, 5], &[7, 4]]);
    let ast = generate(&scop, &schedule).unwrap();
    assert_eq!(
        run(&ast, &[1, 3], &[]).first(),
        Some(&instances(&scop, &[1, 3])[1]),
        "{ast}"
    );
}

#[test]
fn what_register_tiles_leave_does_not_ask_for_the_ends_of_tiles_around_them() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "cholesky");
    let deps = polytile_analysis::deps::compute(&scop, false).unwrap();
    let target = crate::target::Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    let found = crate::schedule::search(&scop, &deps, &Default::default()).unwrap();
    let planned = crate::plan(&scop, &deps, &found, &target, &Default::default()).unwrap();
    let ast = generate(&scop, &planned).unwrap();
    check_run(&scop, &ast, &[30], &[]);
    // Tiles of 8 and 24 in those of 96.
    let text = ast.to_string();
    let (around, left) = text.split_once("tile 8x3x8 ").expect("a register tile");
    assert!(around.contains("+ 95") && !left.contains("+ 95"), "{text}");
}
