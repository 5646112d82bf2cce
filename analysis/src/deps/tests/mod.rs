//! Dependences of known nests, reductions, and random SCoPs against enumeration.

mod random;

use super::{DepKind, Dependences, compute, update, value_flow};
use crate::ids::StmtId;
use crate::poly::{BasicMap, Ctx, UnionMap};
use crate::scop::Scop;
use crate::text::{parse_scop, samples};

fn sample(ctx: &Ctx, name: &str) -> Scop {
    parse_scop(ctx, samples::text(name).unwrap()).unwrap()
}

fn parsed(ctx: &Ctx, text: &str) -> Scop {
    parse_scop(ctx, text).unwrap_or_else(|e| panic!("{e}"))
}

fn deps(scop: &Scop) -> Dependences {
    compute(scop, false).unwrap()
}

#[test]
fn counts_of_known_nests() {
    let ctx = Ctx::new();
    let mut wrong = vec![];
    for (name, count) in [
        ("gemm", 2),
        ("lu", 10),
        ("jacobi-2d", 12),
        ("heat-3d", 16),
        ("seidel-2d", 9),
        ("fdtd-2d", 14),
        ("floyd-warshall", 9),
        ("nussinov", 27),
        ("doitgen", 18),
        ("durbin", 39),
    ] {
        let found = deps(&sample(&ctx, name)).list.len();
        if found != count {
            wrong.push((name, count, found));
        }
    }
    assert!(wrong.is_empty(), "(name, expected, found): {wrong:?}");
}

#[test]
fn the_product_has_two_dependences() {
    let ctx = Ctx::new();
    let d = deps(&sample(&ctx, "gemm"));
    let all = DepKind::FLOW | DepKind::ANTI | DepKind::OUTPUT;
    let expected = [
        (
            0,
            1,
            "S0[i, j] -> S1[i, k, j] : 0 <= i < ni and 0 <= j < nj and 0 <= k < nk",
        ),
        (
            1,
            1,
            "S1[i, k, j] -> S1[i, l, j] : 0 <= i < ni and 0 <= j < nj and 0 <= k < l < nk",
        ),
    ];
    assert_eq!(d.list.len(), 2);
    for (d, (src, dst, pairs)) in d.list.iter().zip(expected) {
        assert_eq!((d.src, d.dst, d.kind), (StmtId(src), StmtId(dst), all));
        let text = format!("[ni, nj, nk] -> {{ {pairs} and ni >= 4 and nj >= 4 and nk >= 4 }}");
        assert!(
            d.relation
                .is_equal(&BasicMap::parse(&ctx, &text).unwrap())
                .unwrap(),
            "{}",
            d.relation
        );
    }
}

#[test]
fn input_dependences_on_request_only() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "gemm");
    let input = |d: &Dependences| d.list.iter().filter(|d| d.kind == DepKind::INPUT).count();
    let with = compute(&s, true).unwrap();
    assert_eq!(input(&deps(&s)), 0);
    // A[i, k] along j, B[k, j] along i, C[i, j] from S0 to S1 and along k.
    assert_eq!(input(&with), 4);
    assert_eq!(with.list.len(), 6);
    assert_eq!(with.ordering(false).count(), 2);
}

#[test]
fn machine_bounds_of_parameters_stay_out() {
    let ctx = Ctx::new();
    let text = |context: &str| {
        format!(
            "params n\ncontext {{ : {context} }}\narray A f64 [n]\nstmt S0 domain {{ S0[i] : 0 <= i < n }} beta 0 0
             write {{ S0[i] -> A[i] }} read {{ S0[i] -> A[i - 1] }}"
        )
    };
    let relation = |context: &str| deps(&parsed(&ctx, &text(context))).list[0].relation.clone();
    let wide = relation("2 <= n <= 2147483647");
    assert!(wide.is_equal(&relation("n >= 2")).unwrap());
    assert!(!wide.is_equal(&relation("n >= 3")).unwrap());
    // They still say what cannot happen.
    assert_eq!(deps(&parsed(&ctx, &text("n <= 1"))).list.len(), 0);
}

#[test]
fn value_flow_names_the_last_writer() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "gemm");
    let f = value_flow(&s, None).unwrap();
    let expected = "[ni, nj, nk] -> { S0[i, j] -> S1[i, 0, j] : 0 <= i < ni and 0 <= j < nj and ni, nj, nk >= 4; \
                    S1[i, k, j] -> S1[i, k + 1, j] : 0 <= i < ni and 0 <= j < nj and 0 <= k < nk - 1 and ni, nj, nk >= 4 }";
    assert!(
        f.certain
            .is_equal(&UnionMap::parse(&ctx, expected).unwrap())
            .unwrap(),
        "{}",
        f.certain
    );
    assert!(f.possible.is_equal(&f.certain).unwrap());
    let outside: Vec<String> = f
        .from_outside
        .maps()
        .unwrap()
        .iter()
        .map(|m| m.range().unwrap().tuple_name().unwrap())
        .collect();
    for array in ["A", "B", "C"] {
        assert!(outside.iter().any(|o| o == array), "{array}");
    }
}

#[test]
fn the_flow_of_an_array_is_found_once() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "gemm");
    let (c, deps) = (s.stmts[0].writes()[0].array, deps(&s));
    let ask = |deps: &Dependences| {
        let before = ctx.work();
        let flow = deps.flow_of(&s, c).unwrap();
        let ends = deps.overwritten(&s, c).unwrap();
        (ctx.work() - before, flow, ends)
    };
    let (first, flow, ends) = ask(&deps);
    // Copies know it, too.
    let (again, same, same_ends) = ask(&deps.clone());
    assert!(again * 10 < first, "{first} units, then {again}");
    assert!(same.possible.is_equal(&flow.possible).unwrap());
    assert!(same_ends.is_equal(&ends).unwrap() && !ends.is_empty().unwrap());
}

#[test]
fn value_flow_in_another_order() {
    let ctx = Ctx::new();
    let s = parsed(
        &ctx,
        "array a f64 [9]
         array b f64 [9]
         stmt S0 domain { S0[i] : 0 <= i < 9 } beta 0 0 write { S0[i] -> a[i] }
         stmt S1 domain { S1[i] : 0 <= i < 9 } beta 1 0 write { S1[i] -> b[i] } read { S1[i] -> a[i] }",
    );
    let fused = UnionMap::parse(&ctx, "{ S0[i] -> [i, 0]; S1[i] -> [i, 1] }").unwrap();
    let swapped = UnionMap::parse(&ctx, "{ S0[i] -> [i, 1]; S1[i] -> [i, 0] }").unwrap();
    let original = value_flow(&s, None).unwrap().certain;
    assert!(
        value_flow(&s, Some(&fused))
            .unwrap()
            .certain
            .is_equal(&original)
            .unwrap()
    );
    assert!(
        value_flow(&s, Some(&swapped))
            .unwrap()
            .certain
            .is_empty()
            .unwrap()
    );
}

/// A sum over `i` with this body; `read` is an access beside the accumulator.
fn reduction(ctx: &Ctx, ty: &str, read: &str, body: &str) -> Scop {
    parsed(
        ctx,
        &format!(
            "params n\ncontext {{ : n >= 2 }}\narray s {ty} [1]\narray x {ty} [n]
             stmt S0 domain {{ S0[i] : 0 <= i < n }} beta 0 0
               write {{ S0[i] -> s[0] }} read {{ S0[i] -> s[0] }} read {{ S0[i] -> {read} }} body {body}"
        ),
    )
}

#[test]
fn reductions() {
    let ctx = Ctx::new();
    for (ty, body, expected) in [
        ("i32", "(add (read 1) (read 2))", true),
        (
            "i32",
            "(add (read 2) (add (mul (read 2) (read 2)) (read 1)))",
            true,
        ),
        ("i32", "(sub (read 1) (read 2))", true),
        ("i32", "(sub (read 2) (read 1))", false),
        ("i64", "(mul (read 2) (read 1))", true),
        ("i64", "(add (mul (read 2) (read 1)) (read 2))", false),
        ("i8", "(xor (read 1) (read 2))", true),
        ("i8", "(and (read 1) (read 2))", true),
        ("i8", "(or (read 1) (read 2))", true),
        ("i32", "(smax (read 1) (read 2))", true),
        ("i32", "(smin (read 1) (smax (read 2) (read 2)))", true),
        ("i32", "(umin (read 1) (read 2))", true),
        ("i32", "(smax (smin (read 1) (read 2)) (read 2))", false),
        ("i32", "(shl (read 1) (read 2))", false),
        ("f64", "(fadd (read 1) (read 2))", false),
        ("f64", "(fadd.reassoc (read 1) (read 2))", true),
        (
            "f64",
            "(fadd.reassoc (fadd (read 1) (read 2)) (read 2))",
            false,
        ),
        ("f64", "(fmul.reassoc (read 1) (read 2))", true),
        ("f64", "(fmuladd.reassoc (read 2) (read 2) (read 1))", true),
        ("f64", "(fmuladd.reassoc (read 1) (read 2) (read 2))", false),
        ("f64", "(fsub.reassoc (read 1) (read 2))", true),
        ("i32", "(read 1)", true),
        ("i32", "(add (read 1) (read 1))", false),
        ("i32", "(add (read 1) (mul (read 1) (read 2)))", false),
        ("i32", "{ i32 read 1, i32 op v1 add n0 n0, root n1 }", false),
    ] {
        let s = reduction(&ctx, ty, "x[i]", body);
        assert_eq!(
            update(&s.stmts[0]).unwrap().is_some(),
            expected,
            "{ty} {body}"
        );
        let flagged = deps(&s)
            .list
            .iter()
            .all(|d| d.kind.contains(DepKind::REDUCTION));
        assert_eq!(flagged, expected, "{ty} {body}");
        assert_eq!(deps(&s).ordering(true).count(), usize::from(!expected));
    }
}

#[test]
fn an_operand_that_is_the_sum_is_no_reduction() {
    let ctx = Ctx::new();
    // x may be the sum itself in iteration 0: that pair stays.
    let s = reduction(&ctx, "i32", "s[i]", "(add (read 1) (read 2))");
    let d = deps(&s);
    let (free, kept): (Vec<_>, Vec<_>) = d
        .list
        .iter()
        .partition(|d| d.kind.contains(DepKind::REDUCTION));
    assert!(!free.is_empty() && !kept.is_empty());
    assert!(kept.iter().all(|d| d.orders()));
    // Another cell is read than written.
    let s = parsed(
        &ctx,
        "params n\ncontext { : n >= 2 }\narray s i32 [n]
         stmt S0 domain { S0[i] : 1 <= i < n } beta 0 0 write { S0[i] -> s[i] } read { S0[i] -> s[i - 1] }
           body (add (read 1) (bits 1))",
    );
    assert_eq!(update(&s.stmts[0]).unwrap(), None);
}

#[test]
fn updates_by_several_statements_commute() {
    let ctx = Ctx::new();
    let two = |first: &str, second: &str| {
        let s = parsed(
            &ctx,
            &format!(
                "params n\ncontext {{ : n >= 2 }}\narray s i32 [n]\narray x i32 [n]\n\
                 stmt S0 domain {{ S0[i] : 0 <= i < n }} beta 0 0 write {{ S0[i] -> s[i] }} read {{ S0[i] -> s[i] }} \
                 read {{ S0[i] -> x[i] }} body {first}\n\
                 stmt S1 domain {{ S1[i] : 0 <= i < n }} beta 0 1 write {{ S1[i] -> s[i] }} read {{ S1[i] -> s[i] }} \
                 read {{ S1[i] -> x[i] }} body {second}"
            ),
        );
        let list = deps(&s).list;
        assert!(
            list.iter()
                .all(|d| (d.src, d.dst) == (StmtId(0), StmtId(1)))
        );
        list.iter().all(|d| d.commutes())
    };
    let max = "(smax (read 1) (read 2))";
    assert!(two(max, "(smax (read 2) (read 1))"));
    assert!(!two(max, "(smin (read 1) (read 2))"));
    assert!(!two(max, "(umax (read 1) (read 2))"));
    // Sums may carry no-wrap flags.
    let sum = "(add (read 1) (read 2))";
    assert!(!two(sum, sum));
    assert!(!two("(read 1)", "(read 1)"));
}

/// Transforms of sixteen by sixteen numbers: rows are written by their numbers, read by their numbers, and each pair has a relation of
/// its own. None is compared with all others.
#[test]
fn many_numbers_for_subscripts_are_told_apart_cheaply() {
    let ctx = Ctx::new();
    let rows = |n: usize| {
        let made = (0..n).map(|k| format!("write {{ S0[i] -> A[{k}, i] }} "));
        // No line.
        let used = (0..n).map(|k| format!("read {{ S1[i] -> A[i, {}] }} ", k * k));
        format!(
            "stmt S0 domain {{ S0[i] : 0 <= i < 256 }} beta 0 0 {}\n\
             stmt S1 domain {{ S1[i] : 0 <= i < 16 }} beta 1 0 write {{ S1[i] -> B[i] }} {}\n",
            made.collect::<String>(),
            used.collect::<String>()
        )
    };
    let cost = |n: usize| {
        let text = format!(
            "params a b c d e f\ncontext {{ : a >= 4 and b >= 4 and c >= 4 and d >= 4 and e >= 4 and f >= 4 }}\narray A f64 [256]\narray B f64 []\n{}",
            rows(n)
        );
        let scop = parsed(&ctx, &text);
        let before = ctx.work();
        assert_eq!(deps(&scop).list.len(), n * n);
        ctx.work() - before
    };
    let (few, many) = (cost(4), cost(16));
    assert!(many < 17 * few, "{few} {many}");
}

/// A sum of the elements of a line, as the compiler unrolls it, takes the line; a few elements are taken one by one.
#[test]
fn reads_of_all_elements_of_a_line_are_one() {
    let ctx = Ctx::new();
    let relations = |elements: &[i64]| {
        let reads = elements
            .iter()
            .map(|k| format!("read {{ S1[i] -> A[i, {k}] }} "));
        let text = format!(
            "params n\ncontext {{ : n >= 4 }}\narray A f64 [16]\narray B f64 []\n\
             stmt S0 domain {{ S0[i, k] : 0 <= i < n and 0 <= k < 16 }} beta 0 0 0 write {{ S0[i, k] -> A[i, k] }}\n\
             stmt S1 domain {{ S1[i] : 0 <= i < n }} beta 1 0 write {{ S1[i] -> B[i] }} {}\n",
            reads.collect::<String>()
        );
        let list = deps(&parsed(&ctx, &text)).list;
        assert!(list.iter().all(|d| d.kind == DepKind::FLOW));
        let all: Vec<String> = list.iter().map(|d| d.relation.to_string()).collect();
        all
    };
    let line: Vec<i64> = (2..14).collect();
    let all = relations(&line);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].contains("2 <= k <= 13"), "{}", all[0]);
    assert_eq!(relations(&[2, 3, 4]).len(), 3);
    assert_eq!(relations(&[0, 2, 3, 5, 7, 8, 11, 15]).len(), 8);
}

/// What is written under a condition is read, too, and ends the life of no earlier value.
#[test]
fn may_writes_leave_what_was_there() {
    let ctx = Ctx::new();
    let text = |kind: &str| {
        format!(
            "params n\ncontext {{ : n >= 4 }}\narray A f64 [0]\narray B f64 [0]\n\
             stmt S0 domain {{ S0[i] : 0 <= i < n }} beta 0 0 write {{ S0[i] -> A[i] }} body (inv v0)\n\
             stmt S1 domain {{ S1[i] : 0 <= i < n }} beta 1 0 {kind} {{ S1[i] -> A[i] }} read {{ S1[i] -> B[i] }} \
             read {{ S1[i] -> A[i] }} body (choose (fcmp.2 (read 1) (inv v0)) (read 1) (read 2))\n\
             stmt S2 domain {{ S2[i] : 0 <= i < n }} beta 2 0 write {{ S2[i] -> B[i] }} read {{ S2[i] -> A[i] }} body (read 1)"
        )
    };
    let scop = parsed(&ctx, &text("may-write"));
    assert_eq!(scop.validate(), Ok(()));
    let pairs = |s: u32, t: u32| {
        let between = |d: &&super::Dependence| (d.src, d.dst) == (StmtId(s), StmtId(t));
        let kinds = deps(&scop)
            .list
            .iter()
            .filter(between)
            .map(|d| d.kind)
            .collect::<Vec<_>>();
        kinds.into_iter().fold(DepKind::INPUT, |all, k| all | k)
    };
    let ordered = |kind: DepKind, wanted: DepKind| kind & wanted == wanted;
    assert!(ordered(pairs(0, 1), DepKind::FLOW | DepKind::OUTPUT));
    assert!(ordered(pairs(0, 2), DepKind::FLOW));
    assert!(ordered(pairs(1, 2), DepKind::FLOW | DepKind::ANTI));
    // S2 may read what S0 wrote.
    let flow = value_flow(&scop, None).unwrap();
    let first = "[n] -> { S0[i] -> S2[i] : 0 <= i < n and n >= 4 }";
    let first = UnionMap::parse(&ctx, first).unwrap();
    assert!(first.is_subset(&flow.possible).unwrap());
    assert!(first.intersect(&flow.certain).unwrap().is_empty().unwrap());
    // Nothing is a reduction that a condition decides about.
    assert!(update(scop.stmt(StmtId(1))).unwrap().is_none());
}

/// `y[i] = x[p[i]]`: what is gathered orders nothing, its index does.
fn gather(index: &str) -> String {
    format!(
        "params n
        array Y i32 [n]
        array P i32 [n]
        stmt S0
          domain {{ S0[i] : 0 <= i < n }}
          beta 0 0
          write {{ S0[i] -> Y[i] }}
          read {{ S0[i] -> {index} }}
          body (gather (other \"getelementptr\" (inv v0) (read 1)))"
    )
}

#[test]
fn gathers_depend_on_their_index_alone() {
    let ctx = Ctx::new();
    let apart = parsed(&ctx, &gather("P[i]"));
    assert!(apart.stmts[0].body.gathers());
    assert!(deps(&apart).list.is_empty());
    let again = parsed(&ctx, &crate::text::print_scop(&apart));
    assert_eq!(again.stmts[0].body, apart.stmts[0].body);
    let written = deps(&parsed(&ctx, &gather("Y[i + 1]")));
    let kinds: Vec<DepKind> = written.list.iter().map(|d| d.kind).collect();
    assert_eq!(kinds, [DepKind::ANTI]);
}
