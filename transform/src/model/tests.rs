//! What the model knows of the original's branches, of vectors that wait for stores, of nests in teams and of memory from the system.

use super::guards::Guards;
use super::{Judged, bytes, time};
use crate::ast::generate;
use crate::target::Target;
use crate::testing::{flagged, flat_schedule};
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId};
use polytile_analysis::ids::{BaseId, BlockId, LoopId, ValueId};
use polytile_analysis::poly::Ctx;
use polytile_analysis::region::{
    Address, Block, CmpPred, Cond, Def, Inst, InstKind, Loop, Region, Target as To, Terminator, Ty,
    Value,
};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::text::parse_scop;
use polytile_analysis::tree::original;

/// The load that the branch is around, and the one in front of it.
const INSIDE: ValueId = ValueId(1);
const ALWAYS: ValueId = ValueId(0);

fn load(id: ValueId) -> Inst {
    let addr = Address {
        base: BaseId(0),
        offset: Scev::constant(64, 0),
    };
    Inst {
        id,
        kind: InstKind::Load {
            addr,
            ty: Ty::Float(32),
        },
        loc: None,
    }
}

/// A loop with a load, and another one where a condition holds.
fn branch(cond: Cond) -> Region {
    let block = |insts, term| Block {
        name: String::new(),
        loop_: Some(LoopId(0)),
        insts,
        term,
    };
    let value = |def| Value {
        name: String::new(),
        ty: Ty::Float(32),
        def,
        scev: None,
    };
    let fork = Terminator::Branch {
        cond,
        bit: ALWAYS,
        then: To::Block(BlockId(1)),
        els: To::Block(BlockId(2)),
    };
    Region {
        function: String::new(),
        name: String::new(),
        loc: None,
        values: vec![value(Def::Inst(BlockId(0))), value(Def::Inst(BlockId(1)))],
        loops: vec![Loop {
            name: String::new(),
            parent: None,
            header: BlockId(0),
            latch: BlockId(2),
            backedge_count: Scev::constant(64, 99),
            predicates: vec![],
            uncounted: false,
            loc: None,
        }],
        blocks: vec![
            block(vec![load(ALWAYS)], fork),
            block(vec![load(INSIDE)], Terminator::Jump(To::Block(BlockId(2)))),
            block(vec![], Terminator::Jump(To::Back(LoopId(0)))),
        ],
        bases: vec![],
        no_alias: vec![],
        required: vec![],
        held: vec![],
        inspection: None,
        rows: vec![],
        strided: vec![],
        outer_strides: vec![],
        live_out: vec![],
        tries: false,
        alike: vec![],
    }
}

fn below(lhs: Scev) -> Cond {
    Cond::Cmp {
        pred: CmpPred::Slt,
        lhs,
        rhs: Scev::constant(64, 9),
    }
}

#[test]
fn branches_that_move_guard_what_is_inside() {
    let counter = Scev {
        width: 64,
        kind: ScevKind::AddRec {
            loop_: LoopId(0),
            operands: vec![Scev::constant(64, 0), Scev::constant(64, 1)],
            wrap: Wrap::default(),
        },
    };
    let rim = Guards::of(&branch(below(counter)));
    assert!(rim.accesses.contains(&INSIDE) && !rim.accesses.contains(&ALWAYS));
    assert!(rim.by_counters);
    let data = Guards::of(&branch(Cond::Opaque(ALWAYS)));
    assert!(data.accesses.contains(&INSIDE) && !data.by_counters);
    // LLVM takes what stays the same out of the loop.
    let still = Guards::of(&branch(below(Scev::constant(64, 3))));
    assert!(still.accesses.is_empty() && !still.by_counters);
}

/// The time on one thread of a chain of two nests, the second of which takes up what the first one writes so many elements back.
fn chained(back: i64, schedule: &str) -> f64 {
    let text = format!(
        "
        params n
        context {{ : 8 <= n <= 100000 }}
        array A f32 [n + 8]
        array T f32 [n + 8]
        array B f32 [n + 8]
        stmt S0
          domain {{ S0[i] : 0 <= i < n }}
          beta 0 0
          write {{ S0[i] -> T[8 + i] }}
          read {{ S0[i] -> A[i] }}
          body (fmul (read 1) (read 1))
        stmt S1
          domain {{ S1[i] : 0 <= i < n }}
          beta 1 0
          write {{ S1[i] -> B[i] }}
          read {{ S1[i] -> T[8 + i - {back}] }}
          body (fmul (read 1) (read 1))
        "
    );
    cycles(&text, schedule, "znver3")
}

/// Cycles of a SCoP on one thread, for parameters of 1000.
fn cycles(text: &str, schedule: &str, cpu: &str) -> f64 {
    let scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
    let schedule = flagged(&scop, &flat_schedule(&scop, schedule));
    cycles_of(&scop, &generate(&scop, &schedule).unwrap(), 1000, cpu)
}

/// Cycles of a program on one thread, for a parameter of `n`.
fn cycles_of(scop: &Scop, body: &Ast, n: i64, cpu: &str) -> f64 {
    let target = Target::lookup("x86_64-pc-linux-gnu", cpu, "");
    let typical = [n];
    time(&Judged::plain(scop, body, &typical), &target)
        .unwrap()
        .one
}

/// What is asked of a program as it is, for a parameter of `n`.
fn as_it_is<T>(text: &str, n: i64, cpu: &str, ask: impl Fn(&Judged, &Target) -> T) -> T {
    let scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
    let body = generate(&scop, &original(&scop).unwrap()).unwrap();
    let typical = [n];
    let judged = Judged {
        original: true,
        ..Judged::plain(&scop, &body, &typical)
    };
    let target = Target::lookup("x86_64-pc-linux-gnu", cpu, "");
    ask(&judged, &target)
}

/// Bytes that a program as it is moves into the first cache, for a parameter of `n`.
fn into_first(text: &str, n: i64, cpu: &str) -> f64 {
    as_it_is(text, n, cpu, |judged, target| {
        bytes(judged, target).unwrap()[0]
    })
}

/// Cycles of a program as it is on one thread, for a parameter of `n`.
fn cycles_as_it_is(text: &str, n: i64, cpu: &str) -> f64 {
    as_it_is(text, n, cpu, |judged, target| {
        time(judged, target).unwrap().one
    })
}

/// A statement that sums up the columns of `A`, as nest `at`.
fn sums(at: usize, to: &str) -> String {
    format!(
        "
        stmt S{at}
          domain {{ S{at}[i, j] : 0 <= i < n and 0 <= j < n }}
          beta {at} 0 0
          write {{ S{at}[i, j] -> {to}[j] }}
          read {{ S{at}[i, j] -> {to}[j] }}
          read {{ S{at}[i, j] -> A[i, j] }}
          body (fadd (read 1) (read 2))
        "
    )
}

#[test]
fn a_vector_waits_for_the_two_stores_that_it_lies_across() {
    let together = "{ S0[i] -> [i, 0]; S1[i] -> [i, 1] }";
    let apart = "{ S0[i] -> [0, i]; S1[i] -> [1, i] }";
    assert!(chained(0, together) < chained(0, apart));
    assert!(chained(1, together) > 2.0 * chained(0, together));
    assert!(chained(1, together) > chained(1, apart));
    // A whole vector of eight is handed on as it is.
    assert_eq!(chained(8, together), chained(0, together));
}

#[test]
fn a_row_of_sums_stays_in_the_cache_beside_a_row_that_passes() {
    let text = format!(
        "
        params n
        context {{ : 1 <= n <= 100000 }}
        array A f64 [n][n]
        array S f64 [n]
        {}",
        sums(0, "S")
    );
    let first = |n: i64| into_first(&text, n, "znver3") / (8.0 * (n * n) as f64);
    // Two rows of 1000 are half of the first cache, of 4000 all of it twice. What goes back is free.
    assert!(first(1000) < 1.1, "{}", first(1000));
    assert!(first(4000) > 1.9, "{}", first(4000));
}

/// Bytes into the first cache, in those that `n` columns of `n` lines have: so many statements take the least sum of a row's and a column's elements.
fn columns(n: i64, statements: usize) -> f64 {
    let mut text = "
        params n
        context { : 1 <= n <= 100000 }
        array A i32 [n][n]
        "
    .to_owned();
    for s in 0..statements {
        text += &format!(
            "
            stmt S{s}
              domain {{ S{s}[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }}
              beta 0 0 0 {s}
              write {{ S{s}[i, j, k] -> A[i, j] }}
              read {{ S{s}[i, j, k] -> A[k, j] }}
              read {{ S{s}[i, j, k] -> A[i, k] }}
              read {{ S{s}[i, j, k] -> A[i, j] }}
              body (smin (read 3) (add (read 1) (read 2)))
            "
        );
    }
    into_first(&text, n, "znver4") / (64.0 * (n * n * n) as f64)
}

#[test]
fn what_statements_read_alike_comes_once_and_one_element_goes_back() {
    let one = columns(1000, 1);
    assert!((0.9..1.2).contains(&one), "{one}");
    assert_eq!(one, columns(1000, 2));
}

/// Cycles of shortest ways through each point, stored in this way.
fn shortest_ways(write: &str, body: &str) -> f64 {
    let text = format!(
        "
        params n
        context {{ : 8 <= n <= 100000 }}
        array D i32 [n][n]
        array R i32 [n]
        stmt S0
          domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}
          beta 0 0 0
          {write} {{ S0[i, j] -> D[i, j] }}
          read {{ S0[i, j] -> R[i] }}
          read {{ S0[i, j] -> R[j] }}
          read {{ S0[i, j] -> D[i, j] }}
          body ({body})
        "
    );
    cycles(&text, "{ S0[i, j] -> [i, j] }", "znver5")
}

#[test]
fn what_is_asked_is_read_without_a_mask() {
    let way = "(add (read 1) (read 2))";
    let stored = shortest_ways("write", &format!("smin {way} (read 3)"));
    let masked = shortest_ways(
        "may-write",
        &format!("choose (icmp.slt {way} (read 3)) {way} (read 3)"),
    );
    assert!(masked < 2.0 * stored, "{masked} {stored}");
}

/// Cycles of turning points of two components, one at a time, so many times each; `apart`: the components lie so far from each other.
fn turned(apart: i64) -> f64 {
    let text = format!(
        "
        params n
        context {{ : 8 <= n <= 100000 }}
        array P f64 [n + 1, 40]
        stmt S0
          domain {{ S0[i, t] : 0 <= i < n and 0 <= t < 40 }}
          beta 0 0 0
          write {{ S0[i, t] -> P[i, 0] }}
          write {{ S0[i, t] -> P[i, {apart}] }}
          read {{ S0[i, t] -> P[i, 0] }}
          read {{ S0[i, t] -> P[i, {apart}] }}
          body {{
            f64 read 2
            f64 read 3
            f64 op v1 fadd n0 n1
            f64 op v2 fmul n0 n1
            root n2 n3
          }}
        "
    );
    cycles(&text, "{ S0[i, t] -> [i, t] }", "znver4")
}

#[test]
fn elements_of_a_vector_just_stored_are_waited_for() {
    assert!(turned(1) > 2.0 * turned(20));
}

/// Two nests that sum up an array of `n * n` numbers each, and their loops on threads, in one team or each in its own.
fn twice(n: i64, team: bool) -> f64 {
    let text = format!(
        "
        params n
        context {{ : 1 <= n <= 100000 }}
        array A f64 [n][n]
        array S f64 [n]
        array R f64 [n]
        {}{}",
        sums(0, "S"),
        sums(1, "R")
    );
    let scop = parse_scop(&Ctx::new(), &text).expect("a SCoP");
    let mut body = generate(&scop, &original(&scop).unwrap()).unwrap();
    if team {
        body = Ast::For(Box::new(For {
            iter: IterId(1000),
            lower: Expr::Int(0),
            upper: Expr::Int(0),
            step: Expr::Int(1),
            anchor: None,
            kind: ForKind::Team { worth: None },
            body,
        }));
    }
    cycles_of(&scop, &body, n, "znver4")
}

#[test]
fn nests_of_a_team_find_in_caches_what_others_find() {
    // The third level is half of the array, less than the array, and more.
    for n in [1000, 1500, 1800, 2000, 3000] {
        assert_eq!(twice(n, true), twice(n, false), "{n}");
    }
}

#[test]
fn temporary_arrays_take_pages() {
    let of = |kind: &str, n: i64| {
        let text = "
            params n
            context { : 1 <= n <= 100000000 }
            array A f64 [n]
            array T f64 [n]
            stmt S0
              domain { S0[i] : 0 <= i < n }
              beta 0 0
              write { S0[i] -> T[i] }
              read { S0[i] -> A[i] }
              body (fmul (read 1) (read 1))
            ";
        let mut scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
        if kind == "temporary" {
            scop.arrays[1].kind = ArrayKind::Temporary;
        }
        let body = generate(&scop, &original(&scop).unwrap()).unwrap();
        cycles_of(&scop, &body, n, "znver4")
    };
    let more = |n: i64| of("temporary", n) - of("memory", n);
    let page = Target::lookup("x86_64-pc-linux-gnu", "znver4", "")
        .core
        .page;
    // An allocator has small ones at hand.
    assert_eq!(more(1000), 0.0);
    let pages = 8.0 * 1e6 / 4096.0;
    assert!((more(1_000_000) / (pages * page) - 1.0).abs() < 0.01);
}

/// Cycles of the original for each iteration of two loops, of 11 rows and 1000 columns, the inner one of which writes row `row` (of `i` and `k`) of `A` and reads `other`
/// elements of the same array.
fn rowwise(row: &str, other: &str) -> f64 {
    let text = format!(
        "
        params k
        context {{ : 0 <= k < 6 }}
        array A f64 [13, 1000]
        stmt S0
          domain {{ S0[i, j] : 0 <= i < 11 and 0 <= j < 1000 }}
          beta 0 0 0
          write {{ S0[i, j] -> A[{row}, j] }}
          read {{ S0[i, j] -> A[{row}, j] }}
          read {{ S0[i, j] -> A[{other}] }}
          body (fadd (read 1) (read 2))
        "
    );
    cycles_as_it_is(&text, 5, "znver5") / (11.0 * 1000.0)
}

#[test]
fn rows_that_are_compared_for_all_iterations_around_make_no_vectors() {
    let vectors = rowwise("i", "i + 1, j");
    assert!(vectors < 0.5, "{vectors}");
    // Row 5 is one of the rows that are written, or lies behind all of them.
    assert!(rowwise("i", "k, j") > 1.5 * vectors);
    assert!(rowwise("i", "k + 7, j") < 1.2 * vectors);
    // What stays in the same array is not compared.
    assert!(rowwise("i", "i + 1, 7") > 1.5 * vectors);
    // It begins where the row ends.
    assert!(rowwise("i", "i + 1, 0") < 1.2 * vectors);
}

/// Cycles for each of so many terms of a sum of products that is one statement of a loop.
fn terms(count: usize) -> f64 {
    let mut reads = String::new();
    let mut sum = "(read 1)".to_string();
    for n in 0..count {
        reads += &format!("read {{ S0[i, j] -> A[j + {n}] }}\n");
        let read = n + 2;
        sum = format!("(fadd (read {read}) (fadd (fmul (read {read}) (read {read})) {sum}))");
    }
    let text = format!(
        "
        params n
        context {{ : 1 <= n <= 100000 }}
        array A f64 [n + 200]
        array B f64 [n]
        stmt S0
          domain {{ S0[i, j] : 0 <= i < n and 0 <= j < n }}
          beta 0 0 0
          write {{ S0[i, j] -> B[j] }}
          read {{ S0[i, j] -> B[j] }}
          {reads}
          body {sum}
        "
    );
    cycles(&text, "{ S0[i, j] -> [i, j] }", "znver5") / count as f64
}

#[test]
fn long_sums_wait_for_themselves_where_no_window_holds_the_next_ones() {
    assert!(terms(200) > 1.3 * terms(20), "{} {}", terms(200), terms(20));
}

/// Cycles of the original of `for l: c[0] += a[l]*b[l][0]; c[d] += a[l]*b[l][d]; ..` for eight elements at a distance.
fn written_out(distance: i64) -> f64 {
    let one = |n: i64| {
        let at = n * distance;
        format!(
            "
            stmt S{n}
              domain {{ S{n}[l] : 0 <= l < n }}
              beta 0 {n}
              write {{ S{n}[l] -> C[{at}] }}
              read {{ S{n}[l] -> C[{at}] }}
              read {{ S{n}[l] -> A[l] }}
              read {{ S{n}[l] -> B[l, {at}] }}
              body (fadd (read 1) (fmul (read 2) (read 3)))
            "
        )
    };
    let text = format!(
        "
        params n
        context {{ : 1 <= n <= 100000 }}
        array A f64 [n]
        array B f64 [n][32]
        array C f64 [32]
        {}",
        (0..8).map(one).collect::<String>()
    );
    cycles_as_it_is(&text, 100, "znver4")
}

#[test]
fn copies_side_by_side_are_vectors_of_straight_code() {
    assert!(2.0 * written_out(1) < written_out(3));
}

/// Cycles of a loop of so many rows as it is, which are `columns` long and each computed by `body` from rows of `of`.
fn rows_of(columns: &str, (of, body): (&str, &str), cpu: &str) -> f64 {
    let text = format!(
        "
        params n
        context {{ : 1 <= n <= 100000 }}
        array A {of} [n][n]
        array B {of} [n][n]
        stmt S0
          domain {{ S0[i, j] : 0 <= i < n and 0 <= j < {columns} }}
          beta 0 0 0
          write {{ S0[i, j] -> A[i, j] }}
          read {{ S0[i, j] -> B[i, j] }}
          body {body}
        "
    );
    cycles_as_it_is(&text, 100, cpu)
}

#[test]
fn few_iterations_run_under_a_mask() {
    let square = ("f32", "(fmul (read 1) (read 1))");
    let of = |columns: &str, cpu: &str| rows_of(columns, square, cpu);
    // Ten are no whole vectors of eight; one of sixteen computes them.
    assert!(of("10", "znver4") < 0.7 * of("10", "znver3"));
    // Eight are a vector of eight, if not of sixteen.
    assert!(of("8", "znver4") <= of("10", "znver4"));
    assert!(of("8", "znver3") < 0.7 * of("10", "znver3"));
}

#[test]
fn sixteen_bytes_of_a_vector_share_a_step_of_the_divider() {
    let quotient = "(fdiv (read 1) (read 1))";
    let of = |ty: &str| rows_of("n", (ty, quotient), "znver4");
    let ratio = of("f32") / of("f64");
    assert!((0.2..0.5).contains(&ratio), "{ratio}");
}
