//! `L_m`: schedules in small boxes by the exact test, by Lemma 2 and by Lemma 3.

use super::super::Ground;
use super::super::legal::{Bounds, Legal, each_schedule, satisfying};
use super::programs::*;
use super::with;
use crate::schedule::band::Open;
use crate::schedule::rows::{Rows, schedule};
use polytile_analysis::poly::{Map, UnionMap};
use polytile_analysis::scop::Scop;

/// What a row of the table says.
#[derive(Debug, PartialEq)]
struct Counts {
    candidates: u64,
    exact: u64,
    lemma_2: u64,
    points: u128,
    /// Schedules of Lemma 3 for `K` = 0, 1, 2.
    lemma_3: [u64; 3],
}

fn legal(ground: &Ground, levels: usize, k: i64) -> Legal {
    Legal::new(ground.search.scop, &ground.open, levels, k).unwrap()
}

/// Whether no pair of a dependence runs backwards, or at one time, in the lexicographic order.
fn is_legal(scop: &Scop, open: &[Open], rows: &[Rows]) -> bool {
    let times = schedule(scop, rows).unwrap();
    let times = UnionMap::from_multi_union_pw_aff(&times).unwrap();
    let time_of = |name: &str| -> Map {
        let maps = times.maps().unwrap();
        let of = |m: &&Map| {
            m.tuple_name(polytile_analysis::poly::DimType::In)
                .as_deref()
                == Some(name)
        };
        maps.iter().find(of).unwrap().clone()
    };
    open.iter().all(|d| {
        let (x, y) = (
            time_of(&scop.stmt(d.src).name),
            time_of(&scop.stmt(d.dst).name),
        );
        let late = Map::lex_le(&x.range().unwrap().space().unwrap()).unwrap();
        // Pairs of instances of which the second is not after the first.
        let wrong = y.apply_range(&late).unwrap();
        let wrong = wrong.apply_range(&x.reverse().unwrap()).unwrap();
        let relation = d.relation.to_map().unwrap().reverse().unwrap();
        relation.intersect(&wrong).unwrap().is_empty().unwrap()
    })
}

fn counts(ground: &Ground, levels: usize, bounds: &Bounds) -> Counts {
    let system = legal(ground, levels, 0);
    let mut found = Counts {
        candidates: 0,
        exact: 0,
        lemma_2: 0,
        points: 0,
        lemma_3: [0; 3],
    };
    assert!(each_schedule(&system, bounds, 10_000, &mut |rows| {
        found.candidates += 1;
        let ways = ground
            .open
            .iter()
            .map(|d| satisfying(d, rows).len() as u128);
        let ways: u128 = ways.product();
        let exact = is_legal(ground.search.scop, &ground.open, rows);
        assert!(exact || ways == 0, "Lemma 2 is sufficient");
        found.exact += u64::from(exact);
        found.lemma_2 += u64::from(ways > 0);
        found.points += ways;
    }));
    for (k, schedules) in (0..).zip(&mut found.lemma_3) {
        *schedules = legal(ground, levels, k).count(bounds, 10_000).unwrap().0;
    }
    // With the K that loses nothing, the projections are the same, and so are the points.
    let enough = system.sufficient(bounds).unwrap();
    let all = legal(ground, levels, enough).count(bounds, 10_000);
    assert_eq!(all, Some((found.lemma_2, found.points)));
    let mut smallest = 0;
    while legal(ground, levels, smallest).count(bounds, 10_000) != all {
        smallest = (2 * smallest).max(1);
    }
    assert!(smallest <= enough.max(1), "{smallest} of {enough}");
    found
}

fn row(
    text: Text,
    dependences: usize,
    levels: usize,
    iters: (i64, i64),
    constants: (i64, i64),
) -> Counts {
    with(text, |_, ground| {
        assert_eq!(ground.open.len(), dependences);
        let bounds = Bounds {
            iters,
            params: (0, 0),
            constants,
        };
        counts(ground, levels, &bounds)
    })
}

fn expected(candidates: u64, exact: u64, lemma_2: u64, points: u128, lemma_3: [u64; 3]) -> Counts {
    Counts {
        candidates,
        exact,
        lemma_2,
        points,
        lemma_3,
    }
}

#[test]
fn products() {
    let rows = |levels| row(MATMUL, 1, levels, (0, 1), (0, 0));
    assert_eq!(rows(1), expected(8, 4, 4, 4, [4; 3]));
    assert_eq!(rows(2), expected(64, 48, 48, 64, [48; 3]));
    assert_eq!(rows(3), expected(512, 448, 448, 768, [448; 3]));
}

#[test]
fn a_k_of_0_loses_schedules_of_gauss_and_seidel() {
    let rows = |levels, iters| row(GAUSS_SEIDEL, 4, levels, iters, (0, 0));
    assert_eq!(rows(1, (0, 3)), expected(16, 3, 3, 3, [3; 3]));
    assert_eq!(rows(2, (0, 2)), expected(81, 28, 28, 146, [19, 28, 28]));
    assert_eq!(rows(2, (-1, 2)), expected(256, 45, 45, 184, [19, 45, 45]));
}

#[test]
fn the_lemmas_are_sufficient_and_not_necessary() {
    let rows = |levels, iters| row(NEIGHBOURS, 2, levels, iters, (0, 1));
    assert_eq!(rows(1, (0, 1)), expected(16, 5, 5, 5, [5; 3]));
    assert_eq!(
        rows(2, (0, 1)),
        expected(256, 105, 105, 200, [75, 105, 105])
    );
    // 424 schedules are legal, and 421 satisfy each dependence in one row.
    assert_eq!(
        rows(2, (-1, 1)),
        expected(1296, 424, 421, 772, [259, 385, 421])
    );
}

#[test]
fn two_statements_in_time() {
    let rows = row(JACOBI_1D, 11, 1, (0, 2), (0, 1));
    assert_eq!(rows, expected(324, 1, 1, 1, [1; 3]));
}

#[test]
fn dimensions_are_choices_per_dependence_and_coefficients_per_statement() {
    with(THREE_MAT_MAT, |_, ground| {
        let system = legal(ground, 3, 1);
        // Three rows of three statements with three iterators, one parameter and a constant.
        assert_eq!(system.dims(), (3 * 3 * 5, 3 * 5));
        // A product demands k >= 0 and, strongly, k >= 1; one of C and F that n >= 4 holds (the corners of what G reads, relative to n) 17 inequalities.
        let demands: Vec<usize> = system.each_demand().map(|(_, d)| d.len()).collect();
        let all: usize = demands.iter().sum();
        assert_eq!(demands, [2, 17, 2, 17, 2]);
        assert_eq!(system.sizes(), (3 * all, 2 * 15 + 5));
    });
}
