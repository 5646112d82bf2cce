//! Which nests are tiled on a known processor.

use super::{Model, Nearby, near, typical};
use crate::target::Target;
use crate::testing::{bare_scop, flat_schedule, sample};
use crate::tile::bands;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::Band;

fn model(name: &str, flat: &str) -> Model {
    let ctx = Ctx::new();
    let scop = sample(&ctx, name);
    let schedule = flat_schedule(&scop, flat);
    let values = typical(&scop).unwrap();
    let found = bands(&schedule.root);
    // The outermost band above the deepest statement.
    let last = scop.stmts.iter().rev().max_by_key(|s| s.depth()).unwrap();
    let space = last.domain.space().unwrap();
    let covers = |b: &&&Band| b.schedule.domain().unwrap().contains(&space).unwrap();
    let band = found.iter().find(covers).unwrap();
    let domain = schedule.domain.intersect(&band.schedule.domain().unwrap());
    let model = Model::new(&scop, &[], band, &domain.unwrap(), &values);
    model.unwrap().expect("affine")
}

fn zen5() -> Target {
    Target::lookup("x86_64-pc-linux-gnu", "znver5", "")
}

const GEMM: &str = "{ S0[i,j] -> [i,0,j]; S1[i,k,j] -> [i,k,j] }";

#[test]
fn typical_parameters_respect_the_context() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    assert_eq!(typical(&scop).unwrap(), [1000, 1000, 1000]);
    let text = "[ni, nj, nk] -> { : 4 <= ni <= 30 and nj >= 2000 and nk = 2ni }";
    scop.context = polytile_analysis::poly::Set::parse(&ctx, text).unwrap();
    assert_eq!(typical(&scop).unwrap(), [30, 2000, 60]);
}

#[test]
fn first_and_last_rows_lie_apart() {
    let ctx = Ctx::new();
    // The bounds come in either order, and the last row is some rows behind or ahead of what is passed.
    for (params, ends) in [("hi, lo", [1000, 500]), ("lo, hi", [1000, 1999])] {
        for margin in [-2, 0, 1, 3] {
            let context = format!("{{ : lo <= hi + {margin} }}");
            let domain = format!("{{ S0[i] : 0 <= i <= hi + {margin} - lo }}");
            let scop = bare_scop(&ctx, params, &context, &[(&domain, "0 0")]);
            let values = typical(&scop).unwrap();
            for (value, expected) in values.iter().zip(ends) {
                assert!(
                    (value - expected).abs() <= 3,
                    "{params} {margin}: {values:?}"
                );
            }
        }
    }
}

#[test]
fn ends_of_a_range_of_which_nothing_is_known_lie_apart() {
    let ctx = Ctx::new();
    let domain = "{ S0[i] : 0 <= i <= hi - lo; S0[i = 0] : lo > hi }";
    let scop = bare_scop(&ctx, "lo, hi", "{ : }", &[(domain, "0 0")]);
    assert_eq!(typical(&scop).unwrap(), [500, 1000]);
}

#[test]
fn a_nest_is_not_judged_by_the_condition_under_which_it_does_nothing() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    let parse = |text: &str| polytile_analysis::poly::Set::parse(&ctx, text).unwrap();
    scop.params[2].expr.width = 1;
    scop.context = parse("[ni, nj, nk] -> { : -1 <= nk <= 0 and (nk = -1 or 3 <= ni <= 37) }");
    for (s, text) in [
        (
            0,
            "[ni, nj, nk] -> { S0[i, j] : nk = 0 and 0 <= i < ni and 0 <= j < nj }",
        ),
        (
            1,
            "[ni, nj, nk] -> { S1[i, k, j] : nk = 0 and 0 <= i, k < ni and 0 <= j < nj }",
        ),
    ] {
        scop.stmts[s].domain = parse(text);
    }
    // With `nk = -1` there would be no bound for rows that do not exist.
    assert_eq!(typical(&scop).unwrap(), [37, 1000, 0]);
}

#[test]
fn matrix_products_are_tiled() {
    let m = model("gemm", GEMM);
    assert_eq!(m.extents, [1000, 1000, 1000]);
    assert_eq!(m.references.len(), 3);
    assert!(!m.skewed);
    let target = zen5();
    let l2 = target.l2 as f64 / 2.0;
    // Untiled, all of B passes for every row of C.
    assert!((m.traffic(&[1000, 1000, 1000], l2) / 8e9 - 1.0).abs() < 0.01);
    let sizes = m.sizes(&target).expect("tiling pays");
    assert!(m.traffic(&sizes, l2) < 8e8, "{sizes:?}");
    // The rows of B stay long.
    assert!(sizes[2] >= 128, "{sizes:?}");
}

#[test]
fn streams_are_not_tiled() {
    let m = model("mvt", "{ S0[i,j] -> [0,i,j]; S1[i,j] -> [1,j,i] }");
    assert_eq!(m.sizes(&zen5()), None);
    let m = model(
        "atax",
        "{ S0[i] -> [0,i,0,0]; S1[i] -> [1,i,0,0]; S2[i,j] -> [1,i,1,j]; S3[i,j] -> [1,i,2,j] }",
    );
    assert_eq!(m.sizes(&zen5()), None);
}

#[test]
fn small_products_are_not_tiled() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    let text = "[ni, nj, nk] -> { : ni = 60 and nj = 70 and nk = 80 }";
    scop.context = polytile_analysis::poly::Set::parse(&ctx, text).unwrap();
    let schedule = flat_schedule(&scop, GEMM);
    let found = bands(&schedule.root);
    let values = typical(&scop).unwrap();
    let m = Model::new(&scop, &[], found[0], &schedule.domain, &values)
        .unwrap()
        .unwrap();
    assert_eq!(m.extents, [60, 80, 70]);
    assert_eq!(m.sizes(&zen5()), None);
}

#[test]
fn time_skewed_stencils_are_seen() {
    let m = model(
        "jacobi-2d",
        "{ S0[t,i,j] -> [t,2t+i,2t+j,0]; S1[t,i,j] -> [t,2t+i+1,2t+j+1,1] }",
    );
    assert!(m.skewed);
    assert!(m.sizes(&zen5()).is_some());
}

#[test]
fn windows_leave_room() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    let text = "[ni, nj, nk] -> { : nk >= 5 and ni > 0 and nk <= 5 - ni + nj }";
    scop.context = polytile_analysis::poly::Set::parse(&ctx, text).unwrap();
    // As wide as its window, the image would have five columns.
    let [window, image, columns] = typical(&scop).unwrap()[..] else {
        panic!("three sizes");
    };
    assert!(window >= 500 && columns >= 500 && image >= window + columns - 5);
}

#[test]
fn what_all_sizes_share_is_found_out_once() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    let text = "[ni, nj, nk] -> { : ni >= 0 and 0 <= nj < ni and nk > ni }";
    scop.context = polytile_analysis::poly::Set::parse(&ctx, text).unwrap();
    let sizes = [1000, 120, 4000];
    let start = ctx.work();
    let apart = sizes.map(|size| near(&scop, size).unwrap());
    let middle = ctx.work();
    let nearby = Nearby::of(&scop).unwrap();
    let together = sizes.map(|size| nearby.near(size).unwrap());
    assert_eq!(apart, together);
    let (apart, together) = (middle - start, ctx.work() - middle);
    assert!(4 * together < 3 * apart, "{together} beside {apart}");
}

/// A SCoP with a statement that reads `I` and writes `O`.
fn filter(ctx: &Ctx, params: &str, domain: &str, (reads, writes): (&str, &str)) -> Scop {
    let text = format!(
        "params {params}\ncontext {{ : }}\narray I f64 []\narray O f64 []\nstmt S0\n  domain {domain}\n  beta 0 0 0\n  write {writes}\n  read {reads}\n"
    );
    polytile_analysis::text::parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn windows_are_small_beside_what_they_slide_over() {
    let ctx = Ctx::new();
    let values = |params: &str, domain: &str, accesses: (&str, &str)| {
        typical(&filter(&ctx, params, domain, accesses)).unwrap()
    };
    let sum = ("{ S0[i, j] -> I[i + j] }", "{ S0[i, j] -> O[i] }");
    let valid = "{ S0[i, j] : 0 <= i <= n - k and 0 <= j < k }";
    assert_eq!(values("n, k", valid, sum), [1000, 8]);
    let long = "{ S0[i, j] : 0 <= i < n and 0 <= j < k }";
    assert_eq!(values("n, k", long, sum), [1000, 16]);
    // Its ends may be two of which nothing is known, and rows may be read in pieces.
    let ends = "{ S0[i, j] : 0 <= i < n and 0 <= j <= hi - lo }";
    let clamped = (
        "{ S0[i, j] -> I[i + j + lo] : i + j + lo >= 0; S0[i, j] -> I[0] : i + j + lo < 0 }",
        "{ S0[i, j] -> O[i] }",
    );
    assert_eq!(values("n, lo, hi", ends, clamped), [1000, 8, 16]);
    // So is what shifts it.
    let padded = ("{ S0[i, j] -> I[i + j - pad] }", "{ S0[i, j] -> O[i] }");
    assert_eq!(values("n, k, pad", long, padded), [1000, 16, 16]);
    // No window: what both loops write, what has no end of its own, and rows of an array of one dimension.
    let full = ("{ S0[i, j] -> I[i + j] }", "{ S0[i, j] -> O[i + j] }");
    assert_eq!(values("n, k", long, full), [1000, 1000]);
    let same = "{ S0[i, j] : 0 <= i < n and 0 <= j < n }";
    assert_eq!(values("n, k", same, sum), [1000, 1000]);
    let rows = ("{ S0[i, j] -> I[100i + j] }", "{ S0[i, j] -> O[i] }");
    assert_eq!(values("n, k", long, rows), [1000, 1000]);
}
