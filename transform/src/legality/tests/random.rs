//! Random SCoPs with random schedules: what is accepted runs like the original, what is refused has a real witness.

use super::{band, check, scop};
use crate::ast::{AstOptions, generate_with};
use crate::interp;
use crate::legality::{Rule, Violation};
use polytile_analysis::deps::{Dependences, compute};
use polytile_analysis::poly::{Ctx, DimType, Set, UnionMap};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::text::random::{self, Features};
use polytile_analysis::tree::{
    Band, Distribution, LoopKind, Schedule, SizeParam, Tile, TileSize, Tree,
};
use proptest::prelude::*;
use std::cell::Cell;

/// Rows per statement before the iterators and the position that end every schedule.
const ROWS: usize = 2;
const DEPTH: usize = 3;
const ITERATORS: [&str; DEPTH] = ["i", "j", "k"];

/// A stream of choices; zero where it ends.
struct Choices<'a> {
    list: &'a [u32],
    at: Cell<usize>,
}

impl Choices<'_> {
    fn next(&self, below: u32) -> u32 {
        let at = self.at.replace(self.at.get() + 1);
        self.list.get(at).map_or(0, |c| c % below)
    }
}

/// An affine row of a statement; mostly an iterator, or what stands there in the original order.
fn row(c: &Choices, s: &Stmt, level: usize) -> String {
    let iterator = |d: usize| {
        ITERATORS
            .get(d)
            .filter(|_| d < s.depth())
            .copied()
            .unwrap_or("0")
    };
    match c.next(10) {
        0..=4 => iterator(level).to_owned(),
        5 => iterator(1 - level).to_owned(),
        6 => format!("{} + 1", iterator(level)),
        7 => format!("{} + {}", iterator(level), iterator(1 - level)),
        8 => format!("{} + 2*{}", iterator(1), iterator(0)),
        _ => format!("-{}", iterator(level)),
    }
}

/// Random rows, then the iterators and the textual position, so that all instances are told apart.
fn schedule_rows(c: &Choices, scop: &Scop) -> String {
    let distributed = c.next(3) == 0;
    let mut maps = vec![];
    for (n, s) in scop.stmts.iter().enumerate() {
        let mut rows: Vec<String> = (0..ROWS).map(|level| row(c, s, level)).collect();
        rows.insert(
            0,
            if distributed {
                s.beta[0].to_string()
            } else {
                "0".to_owned()
            },
        );
        for (d, iterator) in ITERATORS.iter().enumerate() {
            rows.push(s.beta.get(d + 1).map_or("0".to_owned(), i64::to_string));
            let value = if d < s.depth() { iterator } else { "0" };
            rows.push(value.to_owned());
        }
        rows.push(n.to_string());
        maps.push(format!(
            "S{n}[{}] -> [{}]",
            ITERATORS[..s.depth()].join(", "),
            rows.join(", ")
        ));
    }
    maps.join("; ")
}

fn kind(c: &Choices) -> LoopKind {
    match c.next(4) {
        1 => LoopKind::Parallel(Distribution::Static),
        2 => LoopKind::Vector,
        _ => LoopKind::Sequential,
    }
}

/// The random rows as a tile band over all rows.
fn tiled(c: &Choices, scop: &Scop, map: &str, points: Band) -> Band {
    let mut b = band(scop, map, Tree::Band(Box::new(points)));
    let rows = b
        .schedule
        .drop_dims(DimType::Out, 1 + ROWS, b.schedule.size() - 1 - ROWS)
        .unwrap();
    b.schedule = rows.drop_dims(DimType::Out, 0, 1).unwrap();
    b.coincident.truncate(ROWS);
    b.loops = (0..ROWS).map(|_| kind(c)).collect();
    let size = |_| match c.next(4) {
        0 => TileSize::Param(0),
        1 => TileSize::Const(2),
        2 => TileSize::Const(1),
        _ => TileSize::Whole,
    };
    let mut sizes: Vec<TileSize> = (0..ROWS).map(size).collect();
    let mut wavefront = vec![];
    if c.next(3) == 1 {
        sizes = vec![TileSize::Param(0); ROWS];
        wavefront = vec![0, 1];
        if let n @ 0..2 = c.next(4) {
            b.loops[n as usize] = LoopKind::Parallel(Distribution::Pipelined);
            b.loops[1 - n as usize] = LoopKind::Sequential;
        }
    }
    b.tile = Some(Tile { sizes, wavefront });
    b
}

struct Case {
    scop: Scop,
    schedule: Schedule,
    deps: Dependences,
    text: String,
    is_tiled: bool,
}

fn case(ctx: &Ctx, list: &[u32]) -> Case {
    let c = Choices {
        list,
        at: Cell::new(0),
    };
    let features = Features {
        divisions: c.next(4) == 1,
        unions: c.next(4) == 1,
    };
    let text = random::scop(&mut |k| c.next(k), features);
    let scop = scop(ctx, &text);
    let map = schedule_rows(&c, &scop);
    let is_tiled = c.next(2) == 1;
    let mut root = band(&scop, &map, Tree::Leaf);
    root.loops
        .iter_mut()
        .skip(1)
        .take(ROWS)
        .for_each(|l| *l = kind(&c));
    if is_tiled {
        root = tiled(&c, &scop, &map, root);
    }
    let text = format!("{text}{map}\n{root:?}");
    case_of(text, scop, root, is_tiled)
}

fn case_of(text: String, scop: Scop, root: Band, is_tiled: bool) -> Case {
    let sizes = vec![SizeParam {
        name: "size".to_owned(),
        default: 4,
        multiple_of: 1,
        dealt: false,
    }];
    let schedule = Schedule {
        domain: scop.domain().unwrap(),
        root: Tree::Band(Box::new(root)),
        sizes,
    };
    let deps = compute(&scop, false).unwrap();
    Case {
        text,
        scop,
        schedule,
        deps,
        is_tiled,
    }
}

/// An accepted schedule's program does what the original does.
fn accepted(c: &Case) {
    let generated = generate_with(&c.scop, &c.schedule, &AstOptions::default());
    let program = generated.unwrap_or_else(|e| panic!("{e}\n{}", c.text));
    for (params, size) in [([0, 0], 1), ([1, 3], 2), ([4, 3], 3), ([5, 2], 2)] {
        let result = interp::compare(
            &c.scop,
            &program.body,
            &program.buffers,
            &c.deps,
            &params,
            &[size],
        );
        assert_eq!(
            result,
            Ok(()),
            "{params:?} size {size}\n{}\n{}",
            c.text,
            program.body
        );
    }
}

fn time(times: &UnionMap, s: &Stmt, at: &[i64], params: &[i64]) -> Vec<i64> {
    let fixed = |set: &Set, ty, values: &[i64]| {
        values
            .iter()
            .enumerate()
            .fold(set.clone(), |set, (d, v)| set.fix_si(ty, d, *v).unwrap())
    };
    let point = fixed(&fixed(&s.domain, DimType::Param, params), DimType::Set, at);
    assert!(!point.is_empty().unwrap(), "{}{at:?} is an instance", s.id);
    let time = point
        .to_union_set()
        .unwrap()
        .apply(times)
        .unwrap()
        .as_set()
        .unwrap();
    fixed(&time, DimType::Param, params)
        .points(1)
        .unwrap()
        .remove(0)
}

/// A refused pair is one that the original orders, and the schedule does not, or an unordered loop does not.
fn refused(c: &Case, v: &Violation) {
    let d = v
        .dependence
        .as_ref()
        .unwrap_or_else(|| panic!("{v}\n{}", c.text));
    let w = d
        .witness
        .as_ref()
        .unwrap_or_else(|| panic!("{v}\n{}", c.text));
    let params: Vec<i64> = w
        .params
        .iter()
        .take(c.scop.params.len())
        .map(|(_, v)| *v)
        .collect();
    let (s, t) = (c.scop.stmt(d.src), c.scop.stmt(d.dst));
    let original = polytile_analysis::deps::order::original_schedule(&c.scop).unwrap();
    assert!(
        time(&original, s, &w.src, &params) < time(&original, t, &w.dst, &params),
        "{v}\n{}",
        c.text
    );
    if !c.is_tiled {
        let times = c.schedule.flat().unwrap();
        let (x, y) = (
            time(&times, s, &w.src, &params),
            time(&times, t, &w.dst, &params),
        );
        match v.rule {
            Rule::Backwards => assert!(x > y, "{v}\n{}", c.text),
            Rule::NotParallel(m) | Rule::NotVector(m) => {
                assert!(x[..m] == y[..m] && x[m] < y[m], "{v}\n{}", c.text);
            }
            _ => panic!("{v}\n{}", c.text),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_are_right(list in proptest::collection::vec(0..240u32, 0..90)) {
        let ctx = Ctx::new();
        let c = case(&ctx, &list);
        match check(&c.scop, &c.schedule, &c.deps) {
            Ok(()) => accepted(&c),
            Err(v) => refused(&c, &v),
        }
    }
}

#[test]
fn both_verdicts_occur() {
    let ctx = Ctx::new();
    let mut state = 7u64;
    let mut count = [0; 2];
    for _ in 0..60 {
        let mut number = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(state >> 40).expect("24 bits")
        };
        let list: Vec<u32> = (0..90).map(&mut number).collect();
        let c = case(&ctx, &list);
        count[usize::from(check(&c.scop, &c.schedule, &c.deps).is_ok())] += 1;
    }
    assert!(count.iter().all(|n| *n > 8), "{count:?}");
}

/// Tiles of one iteration begin at each value of their row: at every other one where the row is scaled.
#[test]
fn tiles_of_one_iteration_step_as_their_row_does() {
    let ctx = Ctx::new();
    let text = "params n m
context { : n >= 0 and m >= 0 }
array A f64 []
stmt S0
  domain { S0[i] : 0 <= i < n }
  beta 0 0
  write { S0[i] -> A[i] }
  read { S0[i] -> A[i] }
";
    let scop = scop(&ctx, text);
    let points = band(&scop, "S0[i] -> [i]", Tree::Leaf);
    let mut tiles = band(&scop, "S0[i] -> [2*i, i]", Tree::Band(Box::new(points)));
    tiles.tile = Some(Tile {
        sizes: vec![TileSize::Const(1); ROWS],
        wavefront: vec![],
    });
    let c = case_of(text.to_owned(), scop, tiles, true);
    check(&c.scop, &c.schedule, &c.deps).unwrap();
    accepted(&c);
}
