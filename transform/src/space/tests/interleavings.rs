//! `O` and `I`, without any program.

use super::super::preorder::{Preorder, Relation, fubini, interleavings};
use super::super::pruned::{Allowed, Pruned};
use super::super::system::{Row, System, e, p};
use super::programs;
use polytile_analysis::poly::Ctx;
use polytile_analysis::tree::Tree;

const FUBINI: [u128; 15] = [
    1,
    1,
    3,
    13,
    75,
    541,
    4683,
    47293,
    545_835,
    7_087_261,
    102_247_563,
    1_622_632_573,
    28_091_567_595,
    526_858_348_381,
    10_641_342_970_443,
];

#[test]
fn fubini_numbers_are_the_points_of_o() {
    for (n, a) in FUBINI.iter().enumerate().take(7) {
        let count = System::preorders(n).count(100_000).unwrap();
        assert_eq!(u128::from(count), *a, "{n}");
    }
    for (n, a) in FUBINI.iter().enumerate() {
        assert_eq!(fubini(n), Some(*a), "{n}");
    }
    assert_eq!(fubini(31), None);
}

#[test]
fn o_has_the_dimensions_and_constraints_of_table_1() {
    for (n, dims, rows) in [
        (3, 6, 22),
        (4, 12, 58),
        (6, 30, 215),
        (7, 42, 350),
        (14, 182, 3003),
    ] {
        let system = System::preorders(n);
        assert_eq!((system.dims, system.rows.len()), (dims, rows), "{n}");
        let pruned = Pruned::all(n).system();
        assert_eq!((pruned.dims, pruned.rows.len()), (dims, rows), "{n}");
    }
}

#[test]
fn trap_1_the_last_line_of_o_is_needed() {
    let mut system = System::preorders(3);
    assert_eq!(system.count(100), Some(13));
    system.rows.pop();
    assert_eq!(system.count(100), Some(17));
    // As it is printed: `e_ij + p_ij + p_jk <= 1 + p_ik + e_ik`.
    let printed = [
        (e(0, 1), -1),
        (p(0, 1), -1),
        (p(1, 2), -1),
        (p(0, 2), 1),
        (e(0, 2), 1),
    ];
    system.rows.push(Row::of(1, printed));
    assert_eq!(system.count(100), Some(17));
}

#[test]
fn trap_2_fourteen_statements_have_ten_trillion_orders() {
    let a = fubini(14).unwrap();
    assert!(a > 10 * 1_000_000_000_000, "and not about 10^12: {a}");
}

#[test]
fn points_of_i() {
    let counted = |n, d| System::interleavings(n, d).count(100_000).unwrap();
    for (n, points) in [
        (2, vec![3, 5, 7, 9]),
        (3, vec![13, 37, 73, 121]),
        (4, vec![75, 365, 1015]),
        (5, vec![541, 4501]),
    ] {
        for (d, expected) in points.into_iter().enumerate() {
            assert_eq!(counted(n, d + 1), expected, "{n} {d}");
            assert_eq!(interleavings(n, d + 1), Some(expected.into()), "{n} {d}");
        }
    }
    assert_eq!(interleavings(4, 4), Some(2169));
    assert_eq!(interleavings(5, 3), Some(17641));
}

#[test]
fn trap_3_what_shares_a_loop_may_part_inside() {
    let mut system = System::interleavings(3, 2);
    let inner = System::preorders(3).dims;
    let links = |r: &Row| {
        r.terms.iter().any(|(v, _)| *v < inner) && r.terms.iter().any(|(v, _)| *v >= inner)
    };
    system.rows.retain(|r| !links(r));
    for j in 0..3 {
        for i in 0..j {
            let (p, e) = (p(i, j), e(i, j));
            system.rows.push(Row::of(0, [(inner + p, 1), (p, -1)]));
            // As it is printed: `e + p' <= p + e` instead of `e' + p' <= p + e`.
            system
                .rows
                .push(Row::of(0, [(p, 1), (e, 1), (e, -1), (inner + p, -1)]));
        }
    }
    assert_eq!(system.count(1000), Some(33));
    assert_eq!(System::interleavings(3, 2).count(1000), Some(37));
}

#[test]
fn chains_of_refinements_are_the_points_of_i() {
    let all = Preorder::all(3);
    let chains = all
        .iter()
        .flat_map(|a| all.iter().filter(|b| a.is_refined_by(b)));
    assert_eq!(chains.count(), 37);
}

/// The order that a point of `O` says.
fn order(n: usize, point: &[bool]) -> Preorder {
    let relation = |i, j| match (point[p(i, j)], point[e(i, j)]) {
        (true, false) => Relation::Precedes,
        (false, true) => Relation::Equal,
        (false, false) => Relation::Succeeds,
        (true, true) => panic!("both"),
    };
    Preorder::of_relations(n, relation).expect("a point is an order")
}

#[test]
fn preorders_points_and_nested_sequences_are_the_same() {
    let ctx = Ctx::new();
    let five = (
        "n",
        &[
            "i | i<n | 0 0 | a[i] =",
            "i | i<n | 1 0 | b[i] =",
            "i | i<n | 2 0 | c[i] =",
            "i | i<n | 3 0 | d[i] =",
            "i | i<n | 4 0 | e[i] =",
        ][..],
    );
    let scop = programs::scop(&ctx, five);
    let mut points = vec![];
    let mut trees = 0;
    assert!(System::preorders(5).each(1 << 20, &mut |point| {
        let found = order(5, point);
        let tree = found.tree(&scop, &mut |_| Ok(Tree::Leaf)).unwrap();
        assert_eq!(Preorder::of_tree(&scop, &tree).unwrap(), found);
        trees += 1;
        points.push(found);
        true
    }));
    assert_eq!(trees, 541);
    points.sort();
    let mut all = Preorder::all(5);
    all.sort();
    assert_eq!(points, all);
}

#[test]
fn positions_with_one_order_are_one_value() {
    let one = Preorder::of_positions(&[10, -3, 10]);
    assert_eq!(one, Preorder::of_positions(&[1, 0, 1]));
    assert_eq!(one.classes(), [vec![1], vec![0, 2]]);
    let cyclic = |i: usize, j: usize| match (i, j) {
        (0, 2) => Relation::Succeeds,
        _ => Relation::Precedes,
    };
    assert_eq!(Preorder::of_relations(3, cyclic), None);
}

/// Dimensions, constraints and points of `O` with these pairs restricted.
fn counts(n: usize, allowed: impl Fn(usize, usize) -> Allowed) -> (usize, usize, u64) {
    let mut pruned = Pruned::all(n);
    for j in 0..n {
        for i in 0..j {
            pruned.allow(i, j, allowed(i, j));
        }
    }
    let system = pruned.system();
    (
        system.dims,
        system.rows.len(),
        system.count(10_000_000).unwrap(),
    )
}

const ORDERED: Allowed = Allowed {
    succeeds: false,
    ..Allowed::ALL
};
const STRICT: Allowed = Allowed {
    precedes: true,
    equal: false,
    succeeds: false,
};

#[test]
fn varcovar_is_a_chain_with_one_free_pair() {
    let free = |i, j| match (i, j) {
        (3, 4) => Allowed::ALL,
        _ => ORDERED,
    };
    assert_eq!(counts(7, free), (22, 193, 96));
}

#[test]
fn correl_has_one_statement_beside_a_diamond() {
    // One unordered with all others, and a <= {b, c} <= d <= e.
    let diamond = |i, j| match (i, j) {
        (0, _) | (2, 3) => Allowed::ALL,
        _ => ORDERED,
    };
    assert_eq!(counts(6, diamond), (21, 162, 176));
}

#[test]
fn ludcmp_has_five_groups_of_which_four_pairs_stay_apart() {
    let group = |s: usize| match s {
        0..6 => 0,
        6 => 1,
        7..10 => 2,
        10 => 3,
        _ => 4,
    };
    let allowed = |i, j| match (group(i), group(j)) {
        (g, h) if g == h => Allowed::FUSED,
        (0, 3) | (0, 4) | (1, 2) | (1, 4) => STRICT,
        _ => ORDERED,
    };
    assert_eq!(counts(14, allowed), (40, 443, 8));
}

#[test]
fn atax_as_it_is_printed_mixes_two_settings() {
    // S0 <= S3, S1 <= S2 <= S3: all pairs fusable.
    let order = |i, j| match (i, j) {
        (0, 1) | (0, 2) => Allowed::ALL,
        _ => ORDERED,
    };
    assert_eq!(counts(4, order), (8, 39, 16));
    let apart = |i, j| match (i, j) {
        (0, 1) | (0, 2) => Allowed::ALL,
        (1, 3) | (2, 3) => STRICT,
        _ => ORDERED,
    };
    assert_eq!(counts(4, apart), (6, 25, 10));
}
