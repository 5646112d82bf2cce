//! Texts parse back to equal values; wrong texts are refused where they are wrong.

use super::scev::{parse_scev, print_scev};
use super::{
    parse_deps, parse_schedule, parse_scop, print_deps, print_schedule, print_scop, same_schedule,
    same_scop, samples,
};
use crate::body::NodeKind;
use crate::deps::compute;
use crate::ids::LoopId;
use crate::poly::Ctx;
use crate::region::OpCode;
use crate::scop::{Place, Scop};
use crate::tree::{Schedule, original};

fn scop(ctx: &Ctx, text: &str) -> Scop {
    parse_scop(ctx, text).unwrap_or_else(|e| panic!("{e}"))
}

fn round_trip(ctx: &Ctx, text: &str) {
    let first = scop(ctx, text);
    let printed = print_scop(&first);
    let second = parse_scop(ctx, &printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert!(same_scop(&first, &second).unwrap(), "{printed}");
}

#[test]
fn samples_come_back_equal() {
    let ctx = Ctx::new();
    for (_, text) in samples::ALL {
        round_trip(&ctx, text);
    }
}

const FULL: &str = r#"
scop "f:entry" function "f" at "a b.c" 3 5
param n = (sext v0:32)
param m = v1
context { : n >= 1 }
assume no-wrap { : m <= 2147483647 }
assume stride { : m >= n }
poly-range -2147483648 2147483647
  times { [v] : 0 <= v < m }
  times n m { [v] : 0 <= v < n }
poly-range 1 *
  times m { [1] }
loop "for.i" at "a b.c" 3 5
loop "for.j" descending
array A f64 memory v5 strides ((mul nsw 8 v1) 8) extents (v1) origin v7 -3 (mul -8 v1) origin v8 1 -8 common (mul 8 v1) gaps hidden dead blank
array B i16 memory v6 strides (2) extents ()
array s i32 scalar live-out v9
array t f32 temporary strides (4) extents (v0:32)
no-overlap A B
inspected v5 v6 with v1 end 25
stmt S0 at "a b.c" 4 7
  iters L0 L1
  domain { S0[i, j] : 0 <= i < n and 0 <= j < m }
  beta 0 0 0
  may-write { S0[i, j] -> A[i, j] } f64 memory m0 (rec L1 nuw nsw (rec L0 0 (mul nsw 8 v1)) 8) inst v20
  read { S0[i, j] -> B[i] } i16 memory m1 (rec L0 0 2)
  read { S0[i, j] -> s[] } i32 scalar
  read { S0[i, j] -> t[j] } f32 temporary ((rec L1 0 1))
  body {
    i16 read 1
    f64 op v21 cast n0
    f64 op v22 call "a \"b\"" n1 n1
    i1 op v23 icmp.sle n0 n0
    f64 op v24 fmuladd.reassoc.contract n1 n2 n2
    f64 inv v30
    f64 op v25 select n3 n4 n5
    i32 index (trunc:32 (udiv (smax v1 7) 3))
    root n6
  }
stmt S1
  domain { S1[] : n >= 5 }
  beta 1
  write { S1[] -> s[] }
  body { i32 bits 7, root n0 }
"#;

#[test]
fn every_item_comes_back() {
    let ctx = Ctx::new();
    round_trip(&ctx, FULL);
    let s = scop(&ctx, FULL);
    assert_eq!(s.stmts[0].body.nodes.len(), 8);
    assert_eq!(s.arrays[3].extents.len(), 1);
    assert_eq!(s.loops[1].name, "for.j");
    assert!(s.loops[1].descending);
}

#[test]
fn a_change_is_seen() {
    let ctx = Ctx::new();
    let original = scop(&ctx, FULL);
    for (old, new) in [
        ("n >= 5", "n >= 6"),
        ("bits 7", "bits 8"),
        ("S0[i, j] -> A[i, j]", "S0[i, j] -> A[j, i]"),
        ("inst v20", "inst v21"),
        ("m <= 2147483647", "m <= 2147483646"),
        ("beta 1", "beta 2"),
        ("no-overlap A B", ""),
        ("v6 with v1", "with v6 v1"),
        ("end 25", "end 26"),
        ("live-out v9", ""),
    ] {
        let changed = scop(&ctx, &FULL.replacen(old, new, 1));
        assert!(!same_scop(&original, &changed).unwrap(), "{old}");
    }
}

#[test]
fn short_forms_mean_what_the_table_says() {
    let ctx = Ctx::new();
    let s = scop(&ctx, samples::text("atax").unwrap());
    assert_eq!(s.stmts[0].iters, [LoopId(0)]);
    assert_eq!(s.stmts[1].iters, [LoopId(1)]);
    assert_eq!(s.stmts[2].iters, [LoopId(1), LoopId(2)]);
    assert_eq!(s.stmts[3].iters, [LoopId(1), LoopId(3)]);
    assert_eq!(print_scev(&s.arrays[0].strides[0]), "(mul 8 v1)");
    assert_eq!(s.arrays[0].extents.len(), 1);
    assert!(matches!(s.stmts[0].write().place, Place::Memory(_)));
    let body = &s.stmts[2].body;
    assert!(
        matches!(&body.node(body.root).kind, NodeKind::Op { op: OpCode::FAdd(_), args, .. } if args.len() == 2)
    );
}

#[test]
fn evolutions_come_back() {
    for text in [
        "7",
        "-3:32",
        "v12:8",
        "?",
        "(add nuw nsw 1 v3)",
        "(rec:32 L4 nsw 0:32 8:32 1:32)",
        "(udiv (zext v0:32) 2)",
        "(umin v1 v2 v3)",
        "(trunc:16 (smin v1 170141183460469231731687303715884105727))",
    ] {
        assert_eq!(print_scev(&parse_scev(text).unwrap()), text);
    }
}

#[test]
fn errors_name_the_place() {
    let ctx = Ctx::new();
    let message = |text: &str| parse_scop(&ctx, text).unwrap_err().to_string();
    assert_eq!(message("params n\n  bogus 3"), "2:3: no item 'bogus'");
    assert_eq!(message("array A q64"), "1:8: a type expected, found 'q64'");
    assert_eq!(message("array A f64 [n]"), "1:14: no parameter 'n'");
    let stmt = |rest: &str| {
        message(&format!(
            "array A f64 [4]\nstmt S0 domain {{ S0[i] : 0 <= i < 4 }} {rest}"
        ))
    };
    assert_eq!(
        stmt("beta 0 write { S0[i] -> A[i] }"),
        "2:5: S0: beta needs 2 positions"
    );
    assert_eq!(
        stmt("beta 0 0 read { S0[i] -> A[i] }"),
        "2:5: S0: a write expected, and none behind the reads"
    );
    assert_eq!(
        stmt("beta 0 0 write { S0[i] -> B[i] }"),
        "2:54: no array 'B'"
    );
    assert_eq!(
        stmt("beta 0 0 write { S0[i, j] -> A[i] }"),
        "2:5: S0: an access of another statement: { S0[i, j] -> A[i] }"
    );
    assert!(message("context { : n >= 1 }").starts_with("1:9: { : n >= 1 }: "));
    assert_eq!(message("context { : "), "1:9: no closing brace");
}

fn schedule_round_trip(ctx: &Ctx, first: &Schedule) -> String {
    let text = print_schedule(first);
    let second = parse_schedule(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(same_schedule(first, &second).unwrap(), "{text}");
    text
}

#[test]
fn original_schedules_come_back() {
    let ctx = Ctx::new();
    for (_, text) in samples::ALL {
        schedule_round_trip(&ctx, &original(&scop(&ctx, text)).unwrap());
    }
}

#[test]
fn an_original_schedule_reads_like_the_program() {
    let ctx = Ctx::new();
    let text = print_schedule(&original(&scop(&ctx, samples::text("durbin").unwrap())).unwrap());
    let lines: Vec<&str> = text
        .lines()
        .map(|l| l.split_once(": \"").map_or(l, |(key, _)| key))
        .collect();
    assert_eq!(
        lines[1..12],
        [
            "child:",
            "  sequence:",
            "  - filter",
            "  - filter",
            "  - filter",
            "  - filter",
            "    child:",
            "      schedule",
            "      permutable: 0",
            "      coincident: [ 0 ]",
            "      child:",
        ]
    );
}

const TILED: &str = r#"
domain: "[n] -> { S0[i, j] : 0 <= i, j < n; S1[i] : 0 <= i < n }"
sizes:
- name: s0            # a comment
  default: 32
  multiple_of: 8
- { name: s1, default: 48 }
child:
  schedule: "[{ S0[i, j] -> [(i)]; S1[i] -> [(i)] }, { S0[i, j] -> [(i + j)]; S1[i] -> [(2i)] }]"
  permutable: 1
  coincident: [1, 0]
  loops: [ parallel-dynamic-4, sequential ]
  tile: [ s0, 16 ]
  wavefront: [0, 1]
  child:
    mark: "points \"inside\""
    child:
      sequence:
      - filter: "[n] -> { S0[i, j] }"
        child:
          register_tile: { stmt: S0, row: 0, rows: 8, lane: 1, vectors: 3, lanes: 8, reduction: 2 }
          child:
            schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
            loops: [ sequential, vector ]
            tile: [ whole, s1 ]
      - filter: "[n] -> { S1[i] }"
        child:
          set:
          - filter: "[n] -> { S1[i] : i >= 5 }"
          - filter: "[n] -> { S1[i] : i < 5 }"
"#;

#[test]
fn every_node_comes_back() {
    let ctx = Ctx::new();
    let s = parse_schedule(&ctx, TILED).unwrap();
    let text = schedule_round_trip(&ctx, &s);
    for line in [
        "- { name: s0, default: 32, multiple_of: 8 }",
        "- { name: s1, default: 48, multiple_of: 1 }",
        "  tile: [ s0, 16 ]",
        "  wavefront: [ 0, 1 ]",
        "  loops: [ parallel-dynamic-4, sequential ]",
        r#"    mark: "points \"inside\"""#,
        "          register_tile: { stmt: S0, row: 0, rows: 8, lane: 1, vectors: 3, lanes: 8, reduction: 2 }",
        "            tile: [ whole, s1 ]",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is not in\n{text}");
    }
    for (old, new) in [
        ("16 ]", "17 ]"),
        ("i >= 5", "i >= 4"),
        ("(i + j)", "(j)"),
        ("[1, 0]", "[1, 1]"),
        ("whole", "s0"),
    ] {
        let other = parse_schedule(&ctx, &TILED.replacen(old, new, 1)).unwrap();
        assert!(!same_schedule(&s, &other).unwrap(), "{old}");
    }
}

#[test]
fn lanes_come_back_with_their_supply() {
    let ctx = Ctx::new();
    for word in [
        "lanes-2x8",
        "lanes-4x2",
        "lanes-2x8-rows",
        "diagonal-2x8",
        "diagonal-2x8-rows",
        "diagonal-2x8-rows-12",
    ] {
        let text = TILED.replace("vector ]", &format!("{word} ]"));
        let first = parse_schedule(&ctx, &text).unwrap();
        let printed = schedule_round_trip(&ctx, &first);
        assert!(printed.contains(&format!("sequential, {word} ]")));
    }
}

#[test]
fn schedule_errors_name_the_line() {
    let ctx = Ctx::new();
    let message = |old: &str, new: &str| {
        let text = TILED.replacen(old, new, 1);
        parse_schedule(&ctx, &text).unwrap_err().to_string()
    };
    assert_eq!(
        message("tile: [ s0, 16 ]", "tile: [ s3, 16 ]"),
        "13:1: no size 's3'"
    );
    assert_eq!(
        message("coincident: [1, 0]", "coincident: [1]"),
        "11:1: 2 entries expected"
    );
    assert_eq!(message("vector ]", "vectr ]"), "24:1: no loop kind 'vectr'");
    assert_eq!(
        message("wavefront", "wave"),
        "14:1: unknown key 'wave'; one of schedule, permutable, coincident, loops, tile, wavefront, child expected"
    );
    assert_eq!(
        message(
            "      - filter: \"[n] -> { S1[i] }",
            "     - filter: \"[n] -> { S1[i] }"
        ),
        "26:6: wrong indentation"
    );
}

#[test]
fn dependences_come_back() {
    let ctx = Ctx::new();
    for name in ["gemm", "heat-3d", "durbin"] {
        let scop = scop(&ctx, samples::text(name).unwrap());
        let deps = compute(&scop, true).unwrap();
        let text = print_deps(&scop, &deps);
        let again = parse_deps(&ctx, &scop, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(deps.list.len(), again.list.len());
        for (a, b) in deps.list.iter().zip(&again.list) {
            assert_eq!(
                (a.src, a.dst, a.kind, &a.arrays),
                (b.src, b.dst, b.kind, &b.arrays)
            );
            assert!(a.relation.is_equal(&b.relation).unwrap());
        }
    }
}
