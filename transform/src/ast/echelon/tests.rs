//! Programs without isl's generator: every share of its work is one unit.

use crate::ast::generate;
use crate::testing::{TILABLE, check_run, flat_schedule, has_parallel, instances, run, sample};
use crate::tile::{BandTiling, Size, tile};
use polytile_analysis::ast::Ast;
use polytile_analysis::poly::{Ctx, Error};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::parse_scop;
use polytile_analysis::tree::{Distribution, LoopKind, Schedule};

fn starved(scop: &Scop, schedule: &Schedule) -> Result<Ast, Error> {
    scop.context.ctx().set_whole(1);
    generate(scop, schedule)
}

fn seidel(ctx: &Ctx) -> (Scop, Schedule) {
    let scop = sample(ctx, "seidel-2d");
    let flat = TILABLE.iter().find(|(name, _)| *name == "seidel-2d");
    let schedule = flat_schedule(&scop, flat.unwrap().1);
    (scop, schedule)
}

#[test]
fn skewed_loops_are_made_of_rows() {
    let ctx = Ctx::new();
    let (scop, schedule) = seidel(&ctx);
    let body = starved(&scop, &schedule).unwrap();
    assert_eq!(body.to_string().matches("for (").count(), 3, "{body}");
    for params in [[4, 4], [5, 6], [6, 9]] {
        check_run(&scop, &body, &params, &[]);
    }
}

#[test]
fn tiles_of_all_kinds_are_made_of_the_closed_form() {
    let size = Size::Runtime {
        default: 4,
        multiple_of: 1,
    };
    for (sizes, wavefront, loops) in [
        (
            vec![Size::Const(3), Size::Const(4), Size::Const(2)],
            vec![],
            vec![],
        ),
        (vec![size, size, Size::Whole], vec![], vec![]),
        (vec![size, size, size], vec![0, 1, 2], vec![]),
        (vec![size, size, size], vec![0, 2], vec![]),
        (
            vec![size, size, size],
            vec![0, 1],
            vec![
                LoopKind::Parallel(Distribution::Static),
                LoopKind::Sequential,
                LoopKind::Sequential,
            ],
        ),
    ] {
        let ctx = Ctx::new();
        let (scop, schedule) = seidel(&ctx);
        let parallel = !loops.is_empty();
        let tiling = BandTiling {
            levels: vec![sizes],
            wavefront,
            loops,
            ..BandTiling::default()
        };
        let tiled = tile(&scop, &schedule, &[Some(tiling)]);
        let body = starved(&scop, &tiled).unwrap();
        assert_eq!(has_parallel(&body), parallel, "{body}");
        let values: Vec<Vec<i64>> = [[1, 2, 3], [3, 3, 3], [20, 1, 4]]
            .iter()
            .map(|v| v[..tiled.sizes.len()].to_vec())
            .collect();
        for sizes in values {
            for params in [[4, 4], [5, 7]] {
                check_run(&scop, &body, &params, &sizes);
            }
        }
    }
}

const TRIANGLE: &str = "params n m\ncontext { : n >= 1 and m >= 1 }\narray A f64 [100]\nstmt S0\n  \
    domain { S0[i, j] : 0 <= j <= i < n and i + j < m }\n  beta 0 0 0\n  write { S0[i, j] -> A[j] }\n";

#[test]
fn bounds_divide_and_guards_stand_in_front() {
    let ctx = Ctx::new();
    let scop = parse_scop(&ctx, TRIANGLE).unwrap();
    // Rows in the basis (i + j, i), moved by a parameter.
    let schedule = flat_schedule(&scop, "{ S0[i, j] -> [i + j, i - n] }");
    let body = starved(&scop, &schedule).unwrap();
    assert!(body.to_string().contains("floord("), "{body}");
    for params in [[1, 1], [5, 3], [4, 30], [7, 8]] {
        let mut order = run(&body, &params, &[]);
        order.sort();
        assert_eq!(order, instances(&scop, &params), "{body}");
    }
}

#[test]
fn what_rows_do_not_serve_stays_given_up() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "gemm");
    let flat = TILABLE[0].1;
    let several = flat_schedule(&scop, flat);
    assert_eq!(starved(&scop, &several).unwrap_err(), Error::Quota);
    // Rows that are no unimodular change, and domains with divisions.
    let ctx = Ctx::new();
    let scop = parse_scop(&ctx, TRIANGLE).unwrap();
    let gaps = flat_schedule(&scop, "{ S0[i, j] -> [i + j, i - j] }");
    assert_eq!(starved(&scop, &gaps).unwrap_err(), Error::Quota);
    let ctx = Ctx::new();
    let text = TRIANGLE.replace("i + j < m", "i + j < m and i mod 3 = 0");
    let scop = parse_scop(&ctx, &text).unwrap();
    let holes = flat_schedule(&scop, "{ S0[i, j] -> [i, j] }");
    assert_eq!(starved(&scop, &holes).unwrap_err(), Error::Quota);
}
