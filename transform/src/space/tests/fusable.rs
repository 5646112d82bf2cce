//! `F` of the outermost level: what may share a loop.

use super::super::level::{Groups, Level, Tests, members};
use super::super::points;
use super::super::{partition, pruned::Pruned};
use super::programs::*;
use super::{level, pruned, with};
use crate::schedule::ilp::Ilp;
use polytile_analysis::ids::StmtId;
use std::collections::BTreeSet;

/// Dimensions, constraints and points of `F`, the points counted in two ways.
fn f(text: Text) -> (usize, usize, u128) {
    level(text, |level| {
        let system = pruned(level).system();
        let points = points::count(level).unwrap().unwrap();
        assert_eq!(system.count(100_000).map(u128::from), Some(points));
        assert_eq!(level.tests().open, 0);
        (system.dims, system.rows.len(), points)
    })
}

#[test]
fn f_of_the_programs_of_table_1() {
    assert_eq!(f(GEMVER), (6, 28, 8), "gemver");
    assert_eq!(f(BICG), (10, 52, 26), "bicg");
    assert_eq!(f(ADVECT3D), (9, 43, 26), "advect3d");
    assert_eq!(f(DOITGEN_3D), (3, 10, 4), "doitgen");
}

#[test]
fn f_of_other_programs() {
    assert_eq!(f(THREE_MAT_MAT), (4, 14, 6), "ThreeMatMat");
    assert_eq!(f(ATAX), (8, 39, 16), "atax");
    assert_eq!(f(TWO_MM), (8, 39, 16), "2mm");
    assert_eq!(f(MVT), (2, 5, 3), "mvt");
    assert_eq!(f(COVARIANCE), (25, 220, 192), "covariance");
    assert_eq!(f(CORRELATION_6), (26, 200, 604), "mean and corcol");
    assert_eq!(f(THREE_MM).2, 352, "3mm");
}

#[test]
fn f_of_one_point() {
    assert_eq!(f(DOITGEN).2, 1, "doitgen with sums of one row");
    assert_eq!(f(JACOBI_2D).2, 1, "jacobi-2d");
    assert_eq!(f(LUDCMP).2, 1, "ludcmp");
}

#[test]
fn f_of_a_factorization_without_its_scalar() {
    level(LUDCMP_EXPANDED, |level| {
        // The counts are those without the propagation of §4.3; with it three pairs more are fixed.
        level.propagate(false);
        let system = pruned(level).system();
        let apart = level.unfusable(14, 1 << 16).unwrap();
        let cuts = apart.iter().filter(|c| c.count_ones() > 2).count();
        let told = (
            system.dims,
            system.rows.len() - cuts,
            points::count(level).unwrap(),
            level.tests().open,
        );
        assert_eq!(
            told,
            (125, 1853, Some(347_204_724), 0),
            "{cuts} cuts, {:?}",
            level.tests()
        );
    });
}

#[test]
fn distinct_dependences() {
    let count = |text| with(text, |_, ground| ground.open.len());
    let all = [
        (THREE_MAT_MAT, 5),
        (GEMVER, 7),
        (BICG, 4),
        (ADVECT3D, 6),
        (DOITGEN_3D, 5),
        (ATAX, 6),
        (TWO_MM, 6),
        (MVT, 2),
        (COVARIANCE, 16),
        (CORRELATION_6, 6),
        (THREE_MM, 10),
        (DOITGEN, 21),
        (JACOBI_2D, 17),
        (LUDCMP_OLD, 145),
        (LUDCMP, 139),
        (CORRELATION, 39),
    ];
    let found: Vec<usize> = all.iter().map(|(text, _)| count(*text)).collect();
    assert_eq!(found, all.map(|(_, n)| n));
}

/// Orders that are legal, and how classes were decided, with propagation or without.
fn decided(text: Text, propagates: bool) -> (Option<u64>, Option<u128>, Tests) {
    level(text, |level| {
        level.propagate(propagates);
        let orders = pruned(level).system().count(1_000_000);
        (orders, points::count(level).unwrap(), level.tests())
    })
}

#[test]
fn propagation_changes_no_order_and_saves_programs() {
    let mut saved = 0;
    for text in [
        GEMVER,
        BICG,
        ADVECT3D,
        DOITGEN_3D,
        THREE_MAT_MAT,
        ATAX,
        TWO_MM,
        COVARIANCE,
        CORRELATION_6,
        LUDCMP_EXPANDED,
    ] {
        let (on, off) = (decided(text, true), decided(text, false));
        assert_eq!((on.0, on.1), (off.0, off.1));
        let asked = |t: Tests| t.by_units + t.by_program;
        assert!(asked(on.2) <= asked(off.2));
        assert_eq!(off.2.by_order, 0);
        saved += asked(off.2) - asked(on.2);
    }
    assert!(saved > 0);
}

#[test]
fn order_without_the_closure_leaves_a_dimension_too_many() {
    level(GEMVER, |level| {
        let direct = level.direct().to_vec();
        let system = level.pruned(&direct, 1 << 16).unwrap().system();
        // No dependence leads from the update of A to x += z, but one over x += A y does.
        assert_eq!(
            (system.dims, system.rows.len(), system.count(100)),
            (7, 35, Some(8))
        );
        assert_eq!(pruned(level).system().dims, 6);
    });
}

/// Acyclic partitions, and those of them whose classes hang together.
fn partitions(text: Text) -> (usize, usize) {
    level(text, |level| {
        let found = partition::acyclic(level, 10_000).unwrap();
        assert!(!found.more);
        let connected = |p: &&partition::Partition| p.iter().all(|c| level.is_connected(*c));
        (
            found.list.len(),
            found.list.iter().filter(connected).count(),
        )
    })
}

#[test]
fn partitions_leave_out_orders_that_change_nothing() {
    assert_eq!(partitions(THREE_MAT_MAT), (5, 4));
    assert_eq!(partitions(GEMVER), (8, 8));
    assert_eq!(partitions(BICG), (14, 8));
    assert_eq!(partitions(ADVECT3D), (15, 15));
    assert_eq!(partitions(DOITGEN_3D), (4, 4));
    assert_eq!(partitions(ATAX), (12, 8));
    assert_eq!(partitions(TWO_MM), (12, 8));
    assert_eq!(partitions(MVT), (2, 2));
    assert_eq!(partitions(COVARIANCE), (128, 64));
    assert_eq!(partitions(CORRELATION_6), (148, 48));
    assert_eq!(partitions(JACOBI_2D), (1, 1));
}

const R: StmtId = StmtId(0);
const S: StmtId = StmtId(1);
const T: StmtId = StmtId(2);

#[test]
fn permutations_that_fuse_three_products() {
    level(THREE_MAT_MAT, |level| {
        let all: Vec<(usize, usize)> = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).collect();
        assert_eq!(level.unit_pairs(R, S), all);
        assert_eq!(level.unit_pairs(R, T), [(0, 0), (1, 2)]);
        assert_eq!(level.unit_pairs(S, T), [(0, 2), (1, 1)]);
        // The only ones that agree: j, i, k, as in Figure 2 (a).
        let mut agree = vec![];
        for (a, b) in level.unit_pairs(R, S) {
            for c in 0..3 {
                if level.unit_pairs(R, T).contains(&(a, c))
                    && level.unit_pairs(S, T).contains(&(b, c))
                {
                    agree.push((a, b, c));
                }
            }
        }
        assert_eq!(agree, [(1, 0, 2)]);
    });
}

/// The pairs of iterators of which rows that fuse two statements may have a positive coefficient, as the paper words it; with `first` no iterator before them.
fn worded(level: &mut Level, s: StmtId, t: StmtId, first: bool) -> Vec<(usize, usize)> {
    let class = BTreeSet::from([s, t]);
    let mut found = vec![];
    for (a, b) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
        let mut program = level.program(&class, false).unwrap();
        let mut ask = |stmt: StmtId, iter: usize| {
            let unit = |at: usize, sign: i64| -> Vec<i64> {
                (0..3).map(|i| if i == at { sign } else { 0 }).collect()
            };
            program.positive(stmt, &unit(iter, 1));
            if first {
                (0..iter).for_each(|i| zero(&mut program, stmt, &unit(i, 1)));
            }
        };
        ask(s, a);
        ask(t, b);
        if level.solve(&class, program).unwrap().is_some() {
            found.push((a, b));
        }
    }
    found
}

/// The product of a statement's row with a unit vector is 0.
fn zero(program: &mut Ilp, stmt: StmtId, unit: &[i64]) {
    program.absent(stmt, unit.iter().position(|c| *c == 1).unwrap());
}

#[test]
fn permutations_as_the_paper_words_them_are_others() {
    level(THREE_MAT_MAT, |level| {
        assert_eq!(worded(level, R, T, false).len(), 6);
        assert_eq!(worded(level, S, T, false).len(), 6);
        assert_eq!(worded(level, R, T, true).len(), 4);
        assert_eq!(worded(level, S, T, true).len(), 5);
    });
}

#[test]
fn trap_4_lemma_6_with_skews_fuses_what_cannot_be_fused() {
    level(VECTOR_CHAIN, |level| {
        let class = |list: &[StmtId]| -> BTreeSet<StmtId> { list.iter().copied().collect() };
        let mut fuses = |s: StmtId, a: usize, t: StmtId, b: usize| {
            let class = class(&[s, t]);
            let mut program = level.program(&class, false).unwrap();
            for (stmt, iter) in [(s, a), (t, b)] {
                program.positive(stmt, &[i64::from(iter == 0), i64::from(iter == 1)]);
            }
            level.solve(&class, program).unwrap().is_some()
        };
        // With skews some iterators agree for each two of them (independent ones always do).
        let mut agree = 0;
        for (a, b, c) in (0..8).map(|n| (n & 1, n >> 1 & 1, n >> 2)) {
            agree += usize::from(fuses(R, a, S, b) && fuses(S, b, T, c) && fuses(R, a, T, c));
        }
        assert!(agree > 0, "the printed lemma says yes");
        // With permutations none do, and the joint program has no solution.
        let (first, second) = (level.unit_pairs(R, S), level.unit_pairs(S, T));
        assert!(
            first
                .iter()
                .all(|(_, b)| second.iter().all(|(c, _)| b != c))
        );
        assert!(!level.is_fusable(0b111).unwrap());
        assert!(level.is_fusable(0b011).unwrap() && level.is_fusable(0b110).unwrap());
    });
}

#[test]
fn trap_5_a_path_of_two_edges_keeps_one_of_them() {
    assert_eq!(f(VECTOR_CHAIN).2, 3);
    // One less on the right side forbids the pairs as well.
    let mut strict = Pruned::all(3);
    let mut pairs_only = Pruned::all(3);
    for p in [&mut strict, &mut pairs_only] {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let ordered = super::super::pruned::Allowed {
                precedes: true,
                equal: true,
                succeeds: false,
            };
            p.allow(i, j, ordered);
        }
    }
    assert_eq!(pairs_only.system().count(100), Some(4));
    let mut system = pairs_only.system();
    let edges = [system_e(0, 1), system_e(1, 2)];
    let cut = |most| super::super::system::Row::of(most, edges.map(|e| (e, -1)));
    system.rows.push(cut(1));
    assert_eq!(system.count(100), Some(3));
    system.rows.push(cut(0));
    assert_eq!(system.count(100), Some(1));
}

/// The variable of an ordered pair among three ordered pairs.
fn system_e(i: usize, j: usize) -> usize {
    super::super::system::pair(i, j)
}

fn groups(text: Text) -> Vec<usize> {
    level(text, |level| {
        level.groups().iter().map(BTreeSet::len).collect()
    })
}

#[test]
fn groups_that_must_be_fused() {
    let mut old = groups(LUDCMP_OLD);
    // y[0] = b[0] waits for nothing.
    old.sort_unstable();
    assert_eq!(old, [1, 1, 3, 3, 6]);
    assert_eq!(groups(LUDCMP), [6, 3, 3]);
    assert_eq!(groups(DOITGEN), [3]);
    assert_eq!(groups(JACOBI_2D), [2]);
    assert_eq!(f(LUDCMP_OLD), (6, 42, 2));
}

#[test]
fn independent_statements_run_in_both_orders() {
    level(BICG, |level| {
        let place = |stmt: u32, level: &Level| {
            let has = |g: &usize| level.groups()[*g].contains(&StmtId(stmt));
            (0..4).find(has).unwrap()
        };
        let (s, q) = (place(2, level), place(3, level));
        let mut orders = BTreeSet::new();
        assert!(
            points::each(level, &mut |classes| {
                let at = |g: usize| classes.iter().position(|c| c >> g & 1 == 1);
                orders.insert(at(s).cmp(&at(q)));
                true
            })
            .unwrap()
        );
        assert_eq!(orders.len(), 3);
    });
    assert_eq!(f(BICG_TURNED).2, f(BICG).2);
}

#[test]
fn a_statement_without_a_loop_shares_none() {
    level(NO_LOOP, |level| {
        let alone = level.groups().iter().position(|g| g.contains(&R)).unwrap();
        let classes = classes(level);
        let with: Vec<&Groups> = classes.iter().filter(|c| *c >> alone & 1 == 1).collect();
        assert_eq!(with, [&(1 << alone)]);
        // The other two may share one.
        assert!(classes.iter().any(|c| c.count_ones() == 2));
    });
}

/// The classes of all points.
fn classes(level: &mut Level) -> BTreeSet<Groups> {
    let mut classes = BTreeSet::new();
    assert!(
        points::each(level, &mut |point| {
            classes.extend(point);
            true
        })
        .unwrap()
    );
    classes
}

/// Classes, and those of them that have a row without any distance.
fn parallel(text: Text) -> (usize, usize) {
    level(text, |level| {
        let all = classes(level);
        let zero = |c: &&Groups| level.best(**c).unwrap().unwrap().bound == (0, 0);
        (all.len(), all.iter().filter(zero).count())
    })
}

#[test]
fn classes_with_a_parallel_row() {
    assert_eq!(parallel(THREE_MAT_MAT), (7, 6));
    assert_eq!(parallel(GEMVER), (10, 7));
    assert_eq!(parallel(ATAX), (13, 9));
    assert_eq!(parallel(BICG), (15, 15));
    assert_eq!(parallel(ADVECT3D), (15, 14));
    assert_eq!(parallel(DOITGEN_3D).0, 6);
    assert_eq!(parallel(TWO_MM).0, 13);
    assert_eq!(parallel(COVARIANCE), (42, 26));
    assert_eq!(parallel(THREE_MM), (49, 41));
}

/// Points whose fused classes have rows without parametric distances, and without any.
fn near_points(text: Text) -> (usize, usize) {
    level(text, |level| {
        let mut points = vec![];
        assert!(
            points::each(level, &mut |p| {
                points.push(p.to_vec());
                true
            })
            .unwrap()
        );
        let mut bound = |class: Groups| match class.count_ones() {
            1 => (0, 0),
            _ => level.best(class).unwrap().unwrap().bound,
        };
        let mut counts = (0, 0);
        for p in points {
            let bounds: Vec<(i64, i64)> = p.into_iter().map(&mut bound).collect();
            counts.0 += usize::from(bounds.iter().all(|b| b.0 == 0));
            counts.1 += usize::from(bounds.iter().all(|b| *b == (0, 0)));
        }
        counts
    })
}

#[test]
fn points_with_near_and_with_parallel_classes() {
    assert_eq!(near_points(THREE_MAT_MAT), (5, 5));
    assert_eq!(near_points(GEMVER), (4, 4));
    assert_eq!(near_points(BICG), (26, 26));
    assert_eq!(near_points(ADVECT3D), (26, 25));
    assert_eq!(near_points(DOITGEN_3D), (4, 4));
    assert_eq!(near_points(ATAX), (10, 10));
    assert_eq!(near_points(TWO_MM), (16, 16));
    assert_eq!(near_points(COVARIANCE), (112, 112));
}

#[test]
fn distances_of_full_fusion() {
    let bound = |text| {
        level(text, |level| {
            let all = points::all(level.groups().len());
            level.best(all).unwrap().map(|s| s.bound)
        })
    };
    assert_eq!(bound(ADVECT3D), Some((0, 1)));
    assert_eq!(bound(THREE_MAT_MAT), Some((1, 0)));
    assert_eq!(bound(COVARIANCE).map(|b| b.0), Some(1));
    assert_eq!(bound(VECTOR_CHAIN), None);
}

#[test]
fn the_row_of_three_fused_products_has_no_skew() {
    level(THREE_MAT_MAT, |level| {
        let best = level.best(0b111).unwrap().unwrap();
        let unit = |s: StmtId| best.rows[&s].iters.clone();
        assert_eq!(unit(R), [0, 1, 0]);
        assert_eq!(unit(S), [1, 0, 0]);
        assert_eq!(unit(T), [0, 0, 1]);
    });
}

#[test]
fn how_far_constants_may_be_apart_changes_nothing() {
    for text in [
        THREE_MAT_MAT,
        GEMVER,
        BICG,
        ATAX,
        DOITGEN_3D,
        TWO_MM,
        MVT,
        VECTOR_CHAIN,
    ] {
        let count = |nearest| {
            with(text, |_, ground| {
                let mut level = ground.outermost_near(nearest).unwrap();
                points::count(&mut level).unwrap()
            })
        };
        let any = count(None);
        assert_eq!(count(Some(0)), any);
        assert_eq!(count(Some(1)), any);
    }
}

#[test]
fn fifteen_statements_have_tens_of_millions_of_orders() {
    level(CORRELATION, |level| {
        let system = pruned(level).system();
        assert_eq!((system.dims, system.rows.len()), (134, 2525));
        let points = points::count(level).unwrap();
        let points = points.expect("counted within the limit");
        assert!((10_000_000..100_000_000).contains(&points), "{points}");
        assert_eq!(level.tests().open, 0);
        assert!(members(level.before()[14]).count() < 14);
    });
}
