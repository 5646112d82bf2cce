//! D-1, D-2: what the tiles of jacobi-1d load and store (Figures 4 and 5 of the paper).

use super::super::full::full;
use super::super::tiling::Order;
use super::super::transfers::exact;
use super::{Case, same};
use crate::poly::UnionMap;

/// The printed set, for all origins and sizes.
const LOAD: &str = "
    I[I1, I2] -> A[m] : 1 <= m + 2I1 - I2 <= s2 and 0 <= I1 < M and 1 <= m < N and I2 >= 2 - s2 + 2I1;
    I[I1, I2] -> A[m] : I2 < m <= I2 + s2 and 1 <= m < N and 1 - s1 <= I1 <= -1 and I2 >= 2 - s2 and M >= 1;
    I[I1, I2] -> A[1] : I2 = 2I1 + 1 and 0 <= I1 < M;
    I[I1, I2] -> A[m] : 0 <= m <= 1 and I2 = 1 and 1 - s1 <= I1 <= -1 and M >= 1;
    I[I1, I2] -> A[0] : 0 <= I1 < M and 2 - s2 <= I2 - 2I1 <= 1;
    I[I1, I2] -> A[0] : 1 - s1 <= I1 <= -1 and 2 - s2 <= I2 <= 0 and M >= 1";

/// Tiles all of whose points are instances.
const FULL: &str = "0 <= I1 <= M - s1 and 2I1 + 2s1 <= I2 and I2 + s2 <= 2I1 + N - 1";

#[test]
fn d1_loads_are_the_printed_set() {
    let case = Case::new("jacobi-1d");
    let context = case.context("N >= 3 and s1 >= 1 and s2 >= 1");
    let transfers = case.transfers();
    assert!(same(&transfers.load, &case.relation(LOAD), &context));
    // Another set is seen.
    let wrong = case.relation(&LOAD.replace("I2 < m <= I2 + s2", "I2 <= m <= I2 + s2"));
    assert!(!same(&transfers.load, &wrong, &context));
}

#[test]
fn d1_full_tiles_load_a_row_and_store_two() {
    let case = Case::new("jacobi-1d");
    let full = full(&case.tiling).unwrap();
    let named = case.relation(&format!("I[I1, I2] -> [] : {FULL} and s1 >= 1 and s2 >= 1"));
    let expected = named.domain().unwrap().as_set().unwrap();
    assert!(full.is_equal(&expected).unwrap());

    let everywhere = case.context("0 = 0");
    let inside = |map: &UnionMap| map.intersect_domain(&full.to_union_set().unwrap()).unwrap();
    let printed = |text: &str| inside(&case.relation(text));
    let transfers = case.transfers();
    let load = printed("I[I1, I2] -> A[m] : I2 - 2I1 < m <= I2 - 2I1 + s2");
    assert!(same(&inside(&transfers.load), &load, &everywhere));
    let store = printed(
        "I[I1, I2] -> A[m] : 1 <= m + 2s1 + 2I1 - I2 <= s2;
         I[I1, I2] -> B[m] : 2 <= m + 2s1 + 2I1 - I2 <= s2 + 1",
    );
    assert!(same(&inside(&transfers.store), &store, &everywhere));
}

#[test]
fn d2_tiles_of_two_by_three() {
    let case = Case::new("jacobi-1d");
    let small = Case {
        ctx: case.ctx.clone(),
        scop: case.scop.clone(),
        tiling: case.tiling.clone().with_sizes(&[2, 3]),
    };
    // Origins I = (2 T1, 3 T2), in the same equations or in those of the lattice.
    let counted = small.relation("T[T1, T2] -> I[2T1, 3T2]");
    let expected = small.relation(
        "T[T1, T2] -> A[m] : 0 <= 2T1 < M and 2 <= m < N and 1 <= m + 4T1 - 3T2 <= 3;
         T[T1, T2] -> A[m] : 0 <= m <= 1 and N >= 3 and 0 <= 2T1 < M and -1 <= 4T1 - 3T2 <= 1",
    );
    let context = small.context("N >= 3");
    for order in [Order::Anywhere, Order::Lattice] {
        let found = exact(&small.tiling, &small.touched(), order, None).unwrap();
        let load = counted.apply_range(&found.load).unwrap();
        assert!(same(&load, &expected, &context), "{order:?}");
    }
    // The general set at these sizes.
    let load = counted.apply_range(&case.transfers().load).unwrap();
    let sizes = case.context("N >= 3 and s1 = 2 and s2 = 3");
    assert!(same(&load, &expected, &sizes));
}

#[test]
fn d1_strips_of_both_dimensions_read_and_write_once() {
    let case = Case::new("jacobi-1d");
    let case = Case {
        tiling: case.tiling.clone().with_strip(2),
        ..case
    };
    let transfers = case.transfers();
    assert!(!transfers.load.is_empty().unwrap());
    let context = case.context("s1 >= 1 and s2 >= 1 and N >= 4");
    let loading = transfers
        .load
        .intersect_params(&context)
        .unwrap()
        .domain()
        .unwrap();
    let storing = transfers
        .store
        .intersect_params(&context)
        .unwrap()
        .domain()
        .unwrap();
    let tiles = |text: &str| {
        case.relation(&format!("I[I1, I2] -> [] : {text}"))
            .domain()
            .unwrap()
    };
    assert!(loading.is_subset(&tiles("-s1 < I1 <= 0")).unwrap());
    assert!(storing.is_subset(&tiles("M - s1 <= I1 < M")).unwrap());
    assert!(!storing.is_empty().unwrap());
}
