//! Tiled programs run every instance once and respect the dependences, for all sizes.

use super::points::sweeps;
use super::{BandTiling, Size, bands, tile};
use crate::ast::stats::Stats;
use crate::ast::{expr, generate};
use crate::live::Live;
use crate::testing::{
    TILABLE, bare_scop, check_run, flat_schedule, has_parallel, instances, run, sample,
};
use polytile_analysis::ast::{Ast, Expr};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Distribution, LoopKind, Schedule};

const RUNTIME: Size = Size::Runtime {
    default: 32,
    multiple_of: 1,
};

/// Tiles the outermost band.
fn tiled(scop: &Scop, flat: &str, sizes: Vec<Vec<Size>>, wavefront: Vec<usize>) -> Schedule {
    let schedule = flat_schedule(scop, flat);
    let mut loops = vec![];
    if let Some(&first) = wavefront.first() {
        loops = vec![LoopKind::Sequential; sizes[0].len()];
        loops[first] = LoopKind::Parallel(Distribution::Static);
    }
    let tiling = BandTiling {
        levels: sizes,
        wavefront,
        loops,
        ..BandTiling::default()
    };
    tile(scop, &schedule, &[Some(tiling)])
}

fn rows(scop: &Scop, flat: &str) -> usize {
    let schedule = flat_schedule(scop, flat);
    bands(&schedule.root)[0].schedule.size()
}

/// Small deterministic numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as i64) % below
    }
}

fn try_sizes(scop: &Scop, schedule: &Schedule, seed: u64) {
    let ast = generate(scop, schedule).unwrap();
    let mut numbers = Numbers(seed);
    for _ in 0..4 {
        let params: Vec<i64> = scop.params.iter().map(|_| 4 + numbers.next(4)).collect();
        let sizes: Vec<i64> = schedule.sizes.iter().map(|_| 1 + numbers.next(7)).collect();
        check_run(scop, &ast, &params, &sizes);
    }
}

#[test]
fn run_time_sizes() {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let schedule = tiled(&scop, flat, vec![vec![RUNTIME; rows(&scop, flat)]], vec![]);
        try_sizes(&scop, &schedule, 1);
    }
}

#[test]
fn constant_sizes() {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let n = rows(&scop, flat) as i64;
        let sizes = (0..n).map(|m| Size::Const(2 + (m * 3) % 4)).collect();
        let schedule = tiled(&scop, flat, vec![sizes], vec![]);
        try_sizes(&scop, &schedule, 2);
    }
}

#[test]
fn some_members_whole() {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let n = rows(&scop, flat);
        let sizes = (0..n).map(|m| if m % 2 == 0 { Size::Whole } else { RUNTIME });
        let schedule = tiled(&scop, flat, vec![sizes.collect()], vec![]);
        try_sizes(&scop, &schedule, 3);
    }
}

#[test]
fn two_levels() {
    let ctx = Ctx::new();
    for (name, flat) in [TILABLE[0], TILABLE[2], TILABLE[6], TILABLE[9]] {
        let scop = sample(&ctx, name);
        let n = rows(&scop, flat);
        let inner = vec![Size::Const(2); n];
        let schedule = tiled(&scop, flat, vec![vec![RUNTIME; n], inner], vec![]);
        try_sizes(&scop, &schedule, 4);
    }
}

#[test]
fn waves_of_tiles() {
    let ctx = Ctx::new();
    for (name, flat) in &TILABLE[2..] {
        let scop = sample(&ctx, name);
        let n = rows(&scop, flat);
        for wave in [vec![0, 1], (0..n).collect()] {
            let schedule = tiled(&scop, flat, vec![vec![RUNTIME; n]], wave);
            let ast = generate(&scop, &schedule).unwrap();
            assert!(has_parallel(&ast), "{name}\n{ast}");
            try_sizes(&scop, &schedule, 5);
        }
    }
}

#[test]
fn tiles_wait_for_their_neighbours() {
    let ctx = Ctx::new();
    for (name, flat) in &TILABLE[2..] {
        let scop = sample(&ctx, name);
        let flat = flat_schedule(&scop, flat);
        let members = bands(&flat.root)[0].schedule.size();
        let unequal = |m: usize| if m == 0 { Size::Const(3) } else { RUNTIME };
        let unequal = vec![(0..members).map(unequal).collect()];
        let equal = vec![vec![RUNTIME; members]];
        let last = [0, members - 1];
        for (rows, wavefront, levels) in [
            (0, [0, 1], &equal),
            (1, [0, 1], &equal),
            (members - 1, last, &equal),
            (0, last, &unequal),
        ] {
            let mut loops = vec![LoopKind::Sequential; members];
            loops[rows] = LoopKind::Parallel(Distribution::Pipelined);
            let tiling = BandTiling {
                levels: levels.clone(),
                wavefront: wavefront.to_vec(),
                loops,
                ..BandTiling::default()
            };
            let schedule = tile(&scop, &flat, &[Some(tiling)]);
            let ast = generate(&scop, &schedule).unwrap();
            assert!(ast.has_stage(), "{name}\n{ast}");
            try_sizes(&scop, &schedule, 6);
        }
    }
}

#[test]
fn gemm_is_the_ideal_program() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "gemm");
    let schedule = tiled(&scop, TILABLE[0].1, vec![vec![RUNTIME; 3]], vec![]);
    let ast = generate(&scop, &schedule).unwrap();
    // One copy of the point loops for the first tile in k, where S0 runs, and one for the others.
    let s = Stats::of(&ast);
    assert_eq!((s.loops, s.ifs, s.min_max, s.users), (9, 1, 6, 3), "{ast}");
    assert!(!ast.to_string().contains("FIRST"), "{ast}");
}

#[test]
fn sweeps_order_statements_in_a_step() {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let schedule = flat_schedule(&scop, flat);
        let deps = polytile_analysis::deps::compute(&scop, false).unwrap();
        let live = Live::at_root(&deps).unwrap();
        let band = bands(&schedule.root)[0];
        let points = sweeps(&scop, &live, band, &schedule.domain).unwrap();
        let points = points.unwrap();
        let whole = Schedule {
            root: points.clone(),
            ..schedule.clone()
        };
        try_sizes(&scop, &whole, 6);
        let tiling = BandTiling {
            levels: vec![vec![RUNTIME; band.schedule.size()]],
            points: Some(points),
            ..BandTiling::default()
        };
        let tiles = tile(&scop, &schedule, &[Some(tiling)]);
        try_sizes(&scop, &tiles, 7);
        if name.starts_with("jacobi") || name.starts_with("heat") {
            let s = Stats::of(&generate(&scop, &tiles).unwrap());
            assert_eq!((s.ifs, s.users), (0, 2), "{name}");
        }
    }
}

#[test]
fn tile_loops_end_where_the_program_does() {
    let ctx = Ctx::new();
    // The pieces end at different parameters; the range of n's type bounds their hull, far away.
    let domain = "{ S0[i, j] : n <= 1073741824 and 8 < n + m <= 2147483651 and i >= 0 and 2i <= n + m and 0 <= j <= 8 + 4i;
                    S0[0, j] : m <= 8 - n and 0 <= j <= 8 - 2n }";
    let context = "{ : -2147483648 <= n <= 2147483647 and -1099511627776 <= m <= 1099511627776 }";
    let scop = bare_scop(
        &ctx,
        "n m",
        context,
        &[(&domain.replace('\n', " "), "0 0 0")],
    );
    let sizes = vec![vec![Size::Const(24), Size::Const(16)]];
    let schedule = tiled(&scop, "{ S0[i, j] -> [i, j] }", sizes, vec![]);
    let ast = generate(&scop, &schedule).unwrap();
    for params in [[5, 30], [5, 2], [-3, 2], [40, 61]] {
        let mut ends = vec![];
        ends_of_outer_loops(&ast, &params, &mut ends);
        assert!(
            !ends.is_empty() && ends.iter().all(|e| *e < 100),
            "{ends:?}\n{ast}"
        );
        let mut got = run(&ast, &params, &[]);
        got.sort();
        let expected = instances(&scop, &params);
        assert_eq!(got, expected, "parameters {params:?}\n{ast}");
    }
}

/// The last iterations of the loops that are in no loop.
fn ends_of_outer_loops(ast: &Ast, params: &[i64], ends: &mut Vec<i64>) {
    match ast {
        Ast::For(l) => ends.extend(expr::eval(&l.upper, &|leaf| match leaf {
            Expr::Param(p) => Some(params[p.index()]),
            _ => None,
        })),
        Ast::If { then, els, .. } => {
            ends_of_outer_loops(then, params, ends);
            els.iter()
                .for_each(|e| ends_of_outer_loops(e, params, ends));
        }
        Ast::Block(list) => list
            .iter()
            .for_each(|a| ends_of_outer_loops(a, params, ends)),
        _ => {}
    }
}

#[test]
fn steps_that_inequalities_with_floors_decide_lose_no_instance() {
    let ctx = Ctx::new();
    // for (i < n) for (j = (i + 1)/3; j < 7; j += 2) if (j % 3 == 1): without the condition of its own, S0[0, 2] did not run in tiles of 3 x 4.
    let domain = "{ S0[i, j] : 0 <= i < n and j >= 0 and 9*floor((1 + i)/6) <= -4 + 2i + 3j
        and -4 + i - 6j <= 12*floor((4 + i - 3j)/9) <= 1 + i - 6j }";
    let scop = bare_scop(&ctx, "n", "{ : 2 <= n <= 17 }", &[(domain, "0 0 0")]);
    for [height, width] in [[3, 4], [2, 3], [5, 6], [4, 1]] {
        let sizes = vec![vec![Size::Const(height), Size::Const(width)]];
        let schedule = tiled(&scop, "{ S0[i, j] -> [i, j] }", sizes, vec![]);
        let ast = generate(&scop, &schedule).unwrap();
        for n in [2, 7, 17] {
            let mut got = run(&ast, &[n], &[]);
            got.sort();
            assert_eq!(
                got,
                instances(&scop, &[n]),
                "{height} x {width}, n = {n}\n{ast}"
            );
        }
    }
}
