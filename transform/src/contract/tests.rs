//! Which nests are taken, what is refused, and execution of what is made of them.

use super::rewrite::rewritten;
use super::{Rows, Window, contracted, lines, selected, united};
use crate::equivalence::{Answer, check_contracted};
use crate::expand::{subscripts, temporary};
use crate::interp::{self, Memory};
use crate::rewrite::flags::Flags;
use crate::rewrite::{State, Step};
use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Ctx, Set};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{ArrayKind, Place, Scop};
use polytile_analysis::text::{parse_scop, print_scop};
use polytile_analysis::tree::Tree;

/// `for y, x: T[y][x] = in[y][x]; for y, x: out[y][x] = T[y + first][x] + T[y + last][x]`, for rows from 2 on; `to`: what the second nest writes.
fn two(first: i64, last: i64, to: &str, dead: &str) -> (Ctx, Scop) {
    let ctx = Ctx::new();
    let text = format!(
        "scop \"two\" function \"two\"\nparams h w\ncontext {{ : h >= 5 and w >= 1 }}\n\
         array in f64 [h][w]\narray out f64 [h][w]\narray T f64 [h][w] {dead}\n\
         stmt S0\n domain {{ S0[y, x] : 0 <= y < h and 0 <= x < w }}\n beta 0 0 0\n \
         write {{ S0[y, x] -> T[y, x] }}\n read {{ S0[y, x] -> in[y, x] }}\n body (fadd (read 1) (bits 1))\n\
         stmt S1\n domain {{ S1[y, x] : 2 <= y < h - 2 and 0 <= x < w }}\n beta 1 0 0\n \
         write {{ S1[y, x] -> {to}[y, x] }}\n read {{ S1[y, x] -> T[y + {first}, x] }}\n \
         read {{ S1[y, x] -> T[y + {last}, x] }}\n body (fadd (read 1) (read 2))\n"
    );
    let scop = parse_scop(&ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    (ctx, scop)
}

fn deps_of(scop: &Scop) -> Dependences {
    deps::compute(scop, false).expect("dependences")
}

fn only(scop: &Scop) -> Rows {
    let found = selected(scop, &deps_of(scop)).expect("an answer");
    let [rows] = &found[..] else {
        panic!("{found:?}");
    };
    rows.clone()
}

fn answer(scop: &Scop, rows: &Rows) -> Answer {
    let (with, origins) = rewritten(scop, rows).expect("an answer").expect("a SCoP");
    with.validate()
        .unwrap_or_else(|e| panic!("{e}\n{}", print_scop(&with)));
    let windows: Vec<ArrayId> = rows.windows.iter().map(|w| w.array).collect();
    check_contracted(scop, &with, (&origins, &windows))
}

fn refusal(scop: &Scop, rows: &Rows) -> String {
    match answer(scop, rows) {
        Answer::Other(why) => why,
        other => panic!("{other:?}"),
    }
}

/// Both leave the same in memory but in T, which nobody reads.
fn leave_the_same(scop: &Scop, with: &Scop, sizes: &[[i64; 2]]) {
    let memory = |scop: &Scop, params: &[i64]| -> Memory {
        let done = interp::original(scop, params).expect("it runs");
        let seen = |cell: &(&interp::Cell, &u64)| cell.0.0 != ArrayId::from(2);
        let all = done.memory.iter().filter(seen);
        all.map(|(c, v)| (c.clone(), *v)).collect()
    };
    for params in sizes {
        assert_eq!(memory(scop, params), memory(with, params), "{params:?}");
    }
}

#[test]
fn a_later_nest_follows_as_many_rows_behind_as_it_needs() {
    let (_ctx, scop) = two(-1, 2, "out", "dead");
    let rows = only(&scop);
    assert_eq!(rows.to_string(), "2 nests, A2 of 4 rows, blocks of 64 rows");
    let of: Vec<(i64, i64)> = rows.members.iter().map(|m| (m.shift, m.lead)).collect();
    assert_eq!(of, [(0, 3), (2, 0)]);
    let with = contracted(&scop, &rows)
        .expect("an answer")
        .expect("a SCoP");
    assert_eq!(with.arrays[2].kind, ArrayKind::Temporary);
    leave_the_same(&scop, &with, &[[5, 3], [64, 2], [67, 1], [140, 2]]);
}

#[test]
fn what_is_read_behind_is_left_alone() {
    let (_ctx, scop) = two(-1, 2, "out", "");
    assert!(
        selected(&scop, &deps_of(&scop))
            .expect("an answer")
            .is_empty()
    );
}

#[test]
fn a_window_of_too_few_rows_is_refused() {
    let (_ctx, scop) = two(-1, 2, "out", "dead");
    let mut rows = only(&scop);
    rows.windows[0].rows = 2;
    let why = refusal(&scop, &rows);
    assert!(why.contains("finds another value in T"), "{why}");
}

#[test]
fn a_nest_that_follows_too_closely_is_refused() {
    let (_ctx, scop) = two(-1, 2, "out", "dead");
    let mut rows = only(&scop);
    rows.members[1].shift = 1;
    let why = refusal(&scop, &rows);
    assert!(why.contains(" in T"), "{why}");
}

#[test]
fn a_block_that_computes_too_few_rows_again_is_refused() {
    let (_ctx, scop) = two(-1, 2, "out", "dead");
    let mut rows = only(&scop);
    rows.members[0].lead = 2;
    // With a multiple of the window's rows, the block before would have left the row where it is looked for.
    rows.block = Some(65);
    let why = refusal(&scop, &rows);
    assert!(why.contains(" in T"), "{why}");
}

#[test]
fn in_place_there_are_no_blocks() {
    let (_ctx, scop) = two(-1, 2, "in", "dead");
    let rows = only(&scop);
    assert!(rows.block.is_some());
    let why = refusal(&scop, &rows);
    assert!(why.contains("finds another value in in"), "{why}");
    let with = contracted(&scop, &rows.in_one()).expect("an answer");
    let with = with.expect("a SCoP");
    leave_the_same(&scop, &with, &[[5, 3], [70, 2]]);
}

#[test]
fn what_was_in_an_array_before_is_not_in_its_window() {
    let (_ctx, mut scop) = two(-1, 2, "out", "dead");
    let params = &scop.stmts[0].domain;
    // The first row is not written.
    let fewer = params.lower_bound_si(polytile_analysis::poly::DimType::Set, 0, 2);
    scop.stmts[0].domain = fewer.expect("a set");
    let why = refusal(&scop, &only(&scop));
    assert!(why.contains("finds what was before in T"), "{why}");
}

#[test]
fn what_nests_only_read_is_no_window() {
    // The second nest reads what the first one does, too.
    let (_ctx, mut scop) = two(-1, 2, "out[y, x] }\n read { S1[y, x] -> in", "dead");
    scop.arrays[0].dead = true;
    let mut rows = only(&scop);
    assert_eq!(rows.windows.len(), 1);
    rows.windows.push(Window {
        array: ArrayId::from(0),
        ..rows.windows[0].clone()
    });
    let why = refusal(&scop, &rows);
    assert!(why.contains("finds what was before in in"), "{why}");
}

#[test]
fn rows_far_away_are_no_window() {
    let (_ctx, scop) = two(-2, 2, "out", "dead");
    let mut far = scop.clone();
    for (n, by) in [(1, -2), (2, 100)] {
        let text = format!("[h, w] -> {{ S1[y, x] -> T[y + {by}, x] }}");
        far.stmts[1].accesses[n].relation =
            polytile_analysis::poly::Map::parse(far.context.ctx(), &text).expect("a map");
    }
    assert!(
        !selected(&scop, &deps_of(&scop))
            .expect("an answer")
            .is_empty()
    );
    assert!(
        selected(&far, &deps_of(&far))
            .expect("an answer")
            .is_empty()
    );
}

#[test]
fn loops_of_a_row_that_take_each_others_elements_are_united() {
    let lists = |last: i64| {
        let (_ctx, scop) = two(0, last, "out", "dead");
        let with = contracted(&scop, &only(&scop)).expect("an answer");
        let with = with.expect("a SCoP");
        let deps = deps_of(&with);
        let order = State::original(&with, &deps).expect("an order");
        let order = Flags.apply(&order).expect("flags").schedule;
        united(&with, &deps, &order)
            .expect("an answer")
            .is_some_and(|s| matches!(&s.root, Tree::Band(_)))
    };
    assert!(lists(0));
}

/// `for i, j: c[i][j] = c[i][j - 1] + in[i][j]` from `j = 1` on, `c[i][0] = 1`, then `for j: out[i][j] = c[read]` for `j < w - less`, with temporary `c`.
fn sums(read: &str, less: i64) -> (Ctx, Scop) {
    let ctx = Ctx::new();
    let text = format!(
        "scop \"sums\" function \"sums\"\nparams h w\ncontext {{ : h >= 1 and w >= 1 }}\n\
         array in f64 [h][w]\narray out f64 [h][w]\narray c f64 [h][w]\n\
         stmt S0\n domain {{ S0[i] : 0 <= i < h }}\n beta 0 0\n write {{ S0[i] -> c[i, 0] }}\n body (bits 1)\n\
         stmt S1\n domain {{ S1[i, j] : 0 <= i < h and 0 <= j < w - 1 }}\n beta 0 1 0\n \
         write {{ S1[i, j] -> c[i, j + 1] }}\n read {{ S1[i, j] -> c[i, j] }}\n \
         read {{ S1[i, j] -> in[i, j + 1] }}\n body (fadd (read 1) (read 2))\n\
         stmt S2\n domain {{ S2[i, j] : 0 <= i < h and 0 <= j < w - {less} }}\n beta 0 2 0\n \
         write {{ S2[i, j] -> out[i, j] }}\n read {{ S2[i, j] -> c[{read}] }}\n body (fadd (read 1) (read 1))\n"
    );
    let mut scop = parse_scop(&ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let before = scop.clone();
    for s in &mut scop.stmts {
        let loops = s.iters.clone();
        for a in s.accesses.iter_mut().filter(|a| a.array == ArrayId(2)) {
            let place = subscripts(&before, a, &loops).expect("an answer");
            a.place = Place::Temporary(place.expect("affine"));
        }
    }
    let of = &before.arrays[2];
    scop.arrays[2] = temporary(
        of.name.clone(),
        of.ty,
        vec![size(&before, 0), size(&before, 1)],
    );
    (ctx, scop)
}

/// A parameter as a size.
fn size(scop: &Scop, param: usize) -> Scev {
    scop.params[param].expr.clone()
}

#[test]
fn lines_that_follow_each_other_are_one_line() {
    let (_ctx, scop) = sums("i, j + 2", 2);
    let [rows] = &lines(&scop).expect("an answer")[..] else {
        panic!("one nest");
    };
    assert_eq!(rows.to_string(), "1 nests, A2 of 1 rows");
    let with = contracted(&scop, rows)
        .expect("an answer")
        .expect("it keeps all values");
    assert_eq!(
        with.arrays[2].extents[0],
        Scev::constant(64, 1),
        "{}",
        print_scop(&with)
    );
    assert!(with.assumptions.is_empty());
    leave_the_same(&scop, &with, &[[1, 1], [3, 2], [4, 7]]);
}

#[test]
fn reads_that_find_nothing_are_assumed_away() {
    let (ctx, scop) = sums("i, w - 3", 0);
    let rows = &lines(&scop).expect("an answer")[0];
    let with = contracted(&scop, rows)
        .expect("an answer")
        .expect("it keeps all values");
    let [assumed] = &with.assumptions[..] else {
        panic!("{}", print_scop(&with));
    };
    let some = Set::parse(&ctx, "[h, w] -> { : w >= 3 }").expect("a set");
    let known = |set: &Set| set.intersect(&scop.context).expect("a set");
    assert!(
        known(&assumed.set)
            .is_equal(&known(&some))
            .expect("comparable")
    );
    // Behind each line nothing is written, whatever its size.
    let (_ctx, scop) = sums("i, j + 2", 1);
    let rows = &lines(&scop).expect("an answer")[0];
    assert!(contracted(&scop, rows).expect("an answer").is_err());
}

#[test]
fn lines_that_take_from_each_other_stay() {
    let (_ctx, scop) = sums("i - 1, j + 2", 2);
    for rows in lines(&scop).expect("an answer") {
        assert!(contracted(&scop, &rows).expect("an answer").is_err());
    }
}
