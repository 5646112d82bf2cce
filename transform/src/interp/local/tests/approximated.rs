//! D-6: writes under conditions on data, and hulls (2.6 of the cases). Without what the paper does for them, programs come out wrong.

use super::super::super::Instance as Ran;
use super::super::{Schedule, Steps, Values, original_of};
use super::are_different;
use crate::ast::random::Numbers;
use polytile_analysis::ids::StmtId;
use polytile_analysis::memory::approximated::Approximation;
use polytile_analysis::memory::tiling::{Order, Tiling};
use polytile_analysis::memory::touched::{Accesses, Touched};
use polytile_analysis::memory::transfers::{Transfers, exact};
use polytile_analysis::poly::{Ctx, Set, UnionMap};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::parse_scop;
use std::collections::BTreeMap;

/// `for i: { if (p[i]) A[i] = g(i); C[i] = A[i - 2]; }` in tiles of `s1`.
const MAY_WRITE: &str = "params N
    array A f64 [1000]
    array C f64 [1000]
    stmt S0
      domain { S0[i] : 0 <= i < N }
      beta 0 0
      may-write { S0[i] -> A[i] }
    stmt S1
      domain { S1[i] : 0 <= i < N }
      beta 0 1
      write { S1[i] -> C[i] }
      read { S1[i] -> A[i - 2] }";

/// `for i: A[2i] = f(A[2i - 15])`.
const STRIDE: &str = "params N
    array A f64 [1000]
    stmt S0
      domain { S0[i] : 0 <= i < N }
      beta 0 0
      write { S0[i] -> A[2i] }
      read { S0[i] -> A[2i - 15] }";

fn tiled(ctx: &Ctx, text: &str, theta: &str) -> (Scop, Tiling, Touched) {
    let scop = parse_scop(ctx, text).unwrap();
    let theta = UnionMap::parse(ctx, &format!("[N] -> {{ {theta} }}")).unwrap();
    let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
    let tiling = Tiling::of_first(&theta, 1).unwrap();
    let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
    (scop, tiling, touched)
}

/// What came of random instances: how many were right, and how many elements were loaded.
#[derive(Debug, PartialEq)]
struct Outcome {
    right: usize,
    all: usize,
    loads: usize,
}

/// Runs a program with local memories that hold all elements; aligned origins, if `offsets` is not set.
fn outcome(
    scop: &Scop,
    tiling: &Tiling,
    transfers: &Transfers,
    settings: &[(i64, i64, i64, u64)],
) -> Outcome {
    let (mut right, mut loads) = (0, 0);
    for &(n, size, offset, seed) in settings {
        let named = BTreeMap::from([("N".to_owned(), n), ("s1".to_owned(), size)]);
        let values = Values {
            named: &named,
            offset: &[offset],
        };
        let steps = Steps::new(scop, tiling, transfers, &values).unwrap();
        // S0 runs by chance, where it is under a condition.
        let unsure = scop.stmts.len() > 1;
        let happens = |(s, at): &Ran| {
            let coin = Numbers(seed * 1000 + at[0] as u64).next(1 << 20);
            *s != StmtId(0) || !unsure || coin % 2 == 0
        };
        let all: Vec<Vec<i64>> = scop.arrays.iter().map(|_| vec![]).collect();
        let found = steps
            .run(scop, &[n], &all, Schedule::Sequential, &happens)
            .unwrap();
        let expected = original_of(scop, &[n], &happens).unwrap();
        right += usize::from(!are_different(scop, &found, &expected));
        loads += steps.loads();
    }
    Outcome {
        right,
        all: settings.len(),
        loads,
    }
}

/// Instances of the program's size, sizes of tiles and origins by chance.
fn random() -> Vec<(i64, i64, i64, u64)> {
    let mut numbers = Numbers(3);
    let mut one = |n| {
        (
            20 + numbers.next(40),
            1 + numbers.next(6),
            numbers.next(13) - 6,
            n,
        )
    };
    (0..40).map(&mut one).collect()
}

fn relation(ctx: &Ctx, text: &str) -> UnionMap {
    UnionMap::parse(ctx, &format!("[N, s1] -> {{ {text} }}")).unwrap()
}

#[test]
fn d6_what_may_be_written_is_loaded_before() {
    let ctx = Ctx::new();
    let (scop, tiling, touched) = tiled(&ctx, MAY_WRITE, "S0[i] -> [i, 0]; S1[i] -> [i, 1]");
    let found = Approximation::of(&touched, None);
    let found = found.transfers(&tiling, Order::Anywhere).unwrap();
    let context = Set::parse(&ctx, "[N, s1] -> { : N >= 1 and s1 >= 1 }").unwrap();
    let inside = |m: &UnionMap| m.intersect_params(&context).unwrap();
    let store = relation(
        &ctx,
        "I[i] -> A[m] : i <= m < i + s1 and 0 <= m < N; I[i] -> C[m] : i <= m < i + s1 and 0 <= m < N",
    );
    assert!(
        inside(&found.transfers.store)
            .is_equal(&inside(&store))
            .unwrap()
    );
    let load = relation(
        &ctx,
        "I[i] -> A[m] : 0 <= m < N and i <= m < i + s1; I[i] -> A[m] : -2 <= m < 0 and m < N - 2 and i <= m + 2 < i + s1",
    );
    assert!(
        inside(&found.transfers.load)
            .is_equal(&inside(&load))
            .unwrap(),
        "{}",
        found.transfers.load
    );
    let outcome_of = |t| outcome(&scop, &tiling, t, &random());
    assert_eq!(outcome_of(&found.transfers).right, 40);

    // As if what may be written were written: what is stored was not loaded.
    let certain = Touched {
        out: touched.may_out.clone(),
        ..touched
    };
    let wrong = exact(&tiling, &certain, Order::Anywhere, None).unwrap();
    let outcome = outcome_of(&wrong);
    assert_eq!(outcome.right, 0, "{outcome:?}");
}

/// The hull of what a tile writes, in place of what it writes.
fn hull(ctx: &Ctx, touched: &Touched) -> Approximation {
    let hull = relation(
        ctx,
        "I[i] -> A[a] : exists lo, hi : i <= lo and 0 <= lo and lo <= hi and hi < i + s1 and hi < N and 2lo <= a <= 2hi",
    );
    Approximation {
        most_out: hull,
        ..Approximation::of(touched, None)
    }
}

#[test]
fn d6_a_hull_needs_the_pointwise_correction() {
    let ctx = Ctx::new();
    let (scop, tiling, touched) = tiled(&ctx, STRIDE, "S0[i] -> [i]");
    let approximation = hull(&ctx, &touched);
    let aligned = [(64, 4, 0, 0)];

    // Theorem 4: right at any origin and size.
    let corrected = approximation.corrected(&tiling).unwrap().transfers;
    assert_eq!(outcome(&scop, &tiling, &corrected, &random()).right, 40);
    let at_four = outcome(&scop, &tiling, &corrected, &aligned);
    assert_eq!(
        at_four,
        Outcome {
            right: 1,
            all: 1,
            loads: 71
        }
    );

    // Without it, loads vanish: odd elements between the hulls of aligned tiles lie in those of others.
    let plain = approximation
        .transfers(&tiling, Order::Anywhere)
        .unwrap()
        .transfers;
    let found = outcome(&scop, &tiling, &plain, &random());
    assert!(found.right < 40, "{found:?}");
    let at_four = outcome(&scop, &tiling, &plain, &aligned);
    assert_eq!(
        at_four,
        Outcome {
            right: 0,
            all: 1,
            loads: 56
        }
    );

    // In the lattice alone, sizes have to be numbers.
    let four = tiling.clone().with_sizes(&[4]);
    let touched = Touched::of(&four, &Accesses::of(&scop).unwrap()).unwrap();
    let sizes = Set::parse(&ctx, "[s1] -> { : s1 = 4 }").unwrap();
    let mut approximation = hull(&ctx, &touched);
    approximation.most_out = approximation.most_out.intersect_params(&sizes).unwrap();
    let lattice = approximation
        .transfers(&four, Order::Lattice)
        .unwrap()
        .transfers;
    let at_four = outcome(&scop, &four, &lattice, &aligned);
    assert_eq!(
        at_four,
        Outcome {
            right: 1,
            all: 1,
            loads: 70
        }
    );
}

#[test]
fn d6_loads_are_enough_and_never_late() {
    // (7) and (8) as sets.
    let ctx = Ctx::new();
    let (_, tiling, touched) = tiled(&ctx, MAY_WRITE, "S0[i] -> [i, 0]; S1[i] -> [i, 1]");
    let (_, stride, touched_stride) = tiled(&ctx, STRIDE, "S0[i] -> [i]");
    let may = Approximation::of(&touched, None);
    let of_hull = hull(&ctx, &touched_stride);
    let cases = [
        (
            &tiling,
            &may,
            may.transfers(&tiling, Order::Anywhere).unwrap(),
        ),
        (&stride, &of_hull, of_hull.corrected(&stride).unwrap()),
    ];
    for (tiling, approximation, found) in cases {
        let until = tiling.until().unwrap().to_union_map().unwrap();
        let before = tiling
            .before(Order::Anywhere)
            .unwrap()
            .to_union_map()
            .unwrap();
        let loaded = until.apply_range(&found.transfers.load).unwrap();
        assert!(found.required.is_subset(&loaded).unwrap());
        let written = before.apply_range(&approximation.most_out).unwrap();
        assert!(found.transfers.load.is_disjoint(&written).unwrap());
    }
}
