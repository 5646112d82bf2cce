//! D-7: Theorems 1 and 2 as properties, and D-6's functions as examples of both kinds.

use super::super::pointwise::{below, from_earlier, from_later, is_pointwise};
use super::super::samples::ALL;
use super::super::tiling::{Order, Tiling};
use super::super::touched::{Accesses, Touched};
use super::Case;
use crate::poly::{Ctx, UnionMap};
use crate::text::parse_scop;

/// `for i: A[2i] = f(A[2i - 15])` in tiles of `s1`.
fn stride(ctx: &Ctx) -> (Tiling, Touched) {
    let scop = parse_scop(
        ctx,
        "params N
         array A f64 [1000]
         stmt S0
           domain { S0[i] : 0 <= i < N }
           beta 0 0
           write { S0[i] -> A[2i] }
           read { S0[i] -> A[2i - 15] }",
    );
    let scop = scop.unwrap();
    let theta = UnionMap::parse(ctx, "[N] -> { S0[i] -> [i] : 0 <= i < N }").unwrap();
    let tiling = Tiling::of_first(&theta, 1).unwrap();
    let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
    (tiling, touched)
}

/// The interval from the first to the last element that a tile writes.
fn hull(ctx: &Ctx) -> UnionMap {
    let text = "[N, s1] -> { I[i] -> A[a] : exists lo, hi : lo >= i and lo >= 0 and lo <= i + s1 - 1 and lo <= N - 1
        and hi >= lo and hi <= i + s1 - 1 and hi <= N - 1 and 2lo <= a <= 2hi }";
    UnionMap::parse(ctx, text).unwrap()
}

#[test]
fn d7_a_hull_is_not_pointwise() {
    let ctx = Ctx::new();
    let (tiling, touched) = stride(&ctx);
    assert!(is_pointwise(&tiling, &touched.out).unwrap());
    assert!(is_pointwise(&tiling, &touched.all).unwrap());
    let hull = hull(&ctx);
    assert!(touched.out.is_subset(&hull).unwrap());
    assert!(!is_pointwise(&tiling, &hull).unwrap());
    // The largest pointwise function below it is one, and what is written is below it.
    let under = below(&tiling, &hull).unwrap();
    assert!(under.is_subset(&hull).unwrap());
    assert!(is_pointwise(&tiling, &under).unwrap());
    assert!(touched.out.is_subset(&under).unwrap());
    // Theorem 4: above it.
    for over in [from_earlier, from_later] {
        let over = over(&tiling, &hull).unwrap();
        assert!(hull.is_subset(&over).unwrap());
        assert!(is_pointwise(&tiling, &over).unwrap());
    }
}

#[test]
fn d7_accesses_are_pointwise_and_live_in_need_not_be() {
    for sample in ALL.iter().filter(|s| s.sides == 2) {
        let case = Case::new(sample.name);
        let touched = case.touched();
        let pointwise = |f| is_pointwise(&case.tiling, f).unwrap();
        assert!(pointwise(&touched.all), "{}", sample.name);
        assert!(pointwise(&touched.out), "{}", sample.name);
    }
    // What is read of A in a tile of two steps does not come in with it.
    let case = Case::new("jacobi-1d");
    assert!(!is_pointwise(&case.tiling, &case.touched().live_in).unwrap());
}

#[test]
fn d7_equal_unions_of_tiles_have_equal_unions_of_images() {
    // Theorem 1: two orders of the tiles before one have the same points, so they give the same transfers.
    for name in ["jacobi-1d", "trisolv", "floyd-warshall", "trmm"] {
        for sizes in [[1, 3], [2, 2], [3, 1]] {
            let mut case = Case::new(name);
            case.tiling = case.tiling.with_sizes(&sizes);
            let touched = case.touched();
            let inside = touched.live_in.union(&touched.out).unwrap();
            let of = |order| {
                let before = case.tiling.before(order).unwrap().to_union_map().unwrap();
                before.apply_range(&inside).unwrap()
            };
            let lattice = of(Order::Lattice);
            assert!(
                lattice.is_equal(&of(Order::Anywhere)).unwrap(),
                "{name} {sizes:?}"
            );
        }
    }
}

#[test]
fn d7_a_hull_gives_other_unions_of_images() {
    let ctx = Ctx::new();
    let (tiling, _) = stride(&ctx);
    let tiling = tiling.with_sizes(&[4]);
    let hull = hull(&ctx);
    let at_four = crate::poly::Set::parse(&ctx, "[s1] -> { : s1 = 4 }").unwrap();
    let hull = hull.intersect_params(&at_four).unwrap();
    let hull = hull.project_out_all_params().unwrap();
    let of = |order| {
        let before = tiling.before(order).unwrap().to_union_map().unwrap();
        before.apply_range(&hull).unwrap()
    };
    assert!(!of(Order::Lattice).is_equal(&of(Order::Anywhere)).unwrap());
}
