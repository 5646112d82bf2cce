//! The conditions of C3 of the cases that sets can show: nothing is invented, strips on threads, empty tiles, the first tile of a strip.

use super::super::approximated::Approximation;
use super::super::samples::{ALL, sample};
use super::super::tiling::{Order, Tiling};
use super::super::touched::{Accesses, Touched};
use super::super::transfers::{exact, strips_are_independent};
use super::Case;
use crate::poly::{Ctx, Set, UnionMap};
use crate::text::parse_scop;

#[test]
fn c3_no_load_and_no_store_is_invented() {
    for sample in ALL {
        let case = Case::new(sample.name);
        let accesses = Accesses::of(&case.scop).unwrap();
        assert!(accesses.are_exact().unwrap());
        let touched = case.touched();
        let transfers = case.transfers();
        let instances = case.tiling.instances().unwrap();
        let reads = instances.apply_range(&accesses.reads).unwrap();
        assert!(transfers.load.is_subset(&reads).unwrap(), "{}", sample.name);
        let store = &transfers.store;
        assert!(store.is_subset(&touched.out).unwrap(), "{}", sample.name);
    }
}

#[test]
fn c3_writes_under_conditions_make_transfers_that_a_host_must_not_have() {
    let ctx = Ctx::new();
    let scop = parse_scop(
        &ctx,
        "params N
         array A f64 [1000]
         stmt S0
           domain { S0[i] : 0 <= i < N }
           beta 0 0
           may-write { S0[i] -> A[i] }",
    );
    let scop = scop.unwrap();
    let theta = UnionMap::parse(&ctx, "[N] -> { S0[i] -> [i] : 0 <= i < N }").unwrap();
    let tiling = Tiling::of_first(&theta, 1).unwrap();
    let accesses = Accesses::of(&scop).unwrap();
    assert!(!accesses.are_exact().unwrap());
    let touched = Touched::of(&tiling, &accesses).unwrap();
    let found = Approximation::of(&touched, None);
    let found = found.transfers(&tiling, Order::Anywhere).unwrap().transfers;
    // All is stored, so all is loaded, though the program reads nothing and writes nothing for sure.
    assert!(found.store.is_equal(&touched.may_out).unwrap());
    assert!(found.load.is_equal(&touched.may_out).unwrap());
    assert!(touched.live_in.is_empty().unwrap() && touched.out.is_empty().unwrap());
}

#[test]
fn c3_strips_on_threads_must_not_share_what_they_write() {
    let independent = |name: &str, strip: usize| {
        let mut case = Case::new(name);
        case.tiling = case.tiling.with_strip(strip);
        let tiling = case.tiling.clone();
        // Sizes that are parameters are at least one.
        let tiling = tiling
            .clone()
            .within(&tiling.sizes_from(1).unwrap())
            .unwrap();
        strips_are_independent(&tiling, &case.touched()).unwrap()
    };
    // The sums of a product stay in a strip, steps of a stencil need their neighbours' values.
    assert!(independent("gemm", 1));
    assert!(independent("gemm", 2));
    assert!(independent("mvt-1", 1));
    assert!(!independent("jacobi-1d", 1));
    assert!(!independent("seidel-2d", 2));
    assert!(!independent("lu", 1));
    // All tiles in one strip: there is no other one.
    assert!(independent("jacobi-1d", 2));
}

#[test]
fn c3_empty_tiles_move_nothing() {
    for name in ["jacobi-1d", "trisolv", "gemm", "trmm"] {
        let case = Case::new(name);
        let tiles = case.tiling.instances().unwrap().domain().unwrap();
        let transfers = case.transfers();
        for moved in [&transfers.load, &transfers.store] {
            assert!(moved.domain().unwrap().is_subset(&tiles).unwrap(), "{name}");
        }
        // A program without iterations.
        let none = case.scop.params.iter().map(|p| format!("{} <= 0", p.name));
        let none: Vec<String> = none.collect();
        let none = case.context(&none.join(" and "));
        let load = transfers.load.intersect_params(&none).unwrap();
        assert!(load.is_empty().unwrap(), "{name}");
    }
}

#[test]
fn c3_the_first_tile_is_the_one_that_holds_the_first_iteration() {
    let ctx = Ctx::new();
    let scop = sample("gemm").scop(&ctx);
    let theta = "[ni, nj, nk] -> { S0[i, j] -> [j, 0, i, 0]; S1[i, j, k] -> [j, k, i, 1] }";
    let theta = UnionMap::parse(&ctx, theta).unwrap();
    let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
    let tiling = Tiling::of_first(&theta, 3).unwrap();
    let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
    let load = exact(&tiling, &touched, Order::Anywhere, None)
        .unwrap()
        .load;
    let of_b = load.intersect_range(&crate::poly::UnionSet::parse(&ctx, "{ B[k, j] }").unwrap());
    let tiles = of_b.unwrap().domain().unwrap();
    // On a lattice with an origin at -1, B is loaded at -1; a test for the counter's zero would never load it.
    let at = |text: &str| {
        let text = format!(
            "[ni, nj, nk, s1, s2, s3] -> {{ : {text} and ni >= 9 and nj >= 9 and nk >= 9 and s1 = 4 and s2 = 4 }}"
        );
        let context = Set::parse(&ctx, &text).unwrap();
        let third = crate::poly::UnionSet::parse(&ctx, "{ I[0, 0, -1] }").unwrap();
        let tiles = tiles.intersect_params(&context).unwrap();
        !tiles.intersect(&third).unwrap().is_empty().unwrap()
    };
    assert!(at("s3 = 4"));
    // There it holds no iteration.
    assert!(!at("s3 = 1"));
}
