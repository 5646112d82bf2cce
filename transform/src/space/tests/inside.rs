//! Rows that satisfy the most dependences, and programs that differ inside of their outermost loops.

use super::super::explore::{Bounds, Explored, explore};
use super::programs::*;
use super::with;
use crate::ast::generate;
use crate::legality;
use crate::schedule::rows::Rows;
use crate::testing::check_run;
use polytile_analysis::deps::compute;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Tree};

const BOUNDS: Bounds = Bounds {
    most: 8,
    inside: 8,
    budget: 1_000_000,
};

/// The candidates of a program, each proved and run on some sizes.
fn explored(scop: &Scop) -> Explored {
    explored_within(scop, &BOUNDS)
}

fn explored_within(scop: &Scop, bounds: &Bounds) -> Explored {
    let deps = compute(scop, false).unwrap();
    let found = explore(scop, &deps, bounds).unwrap();
    for c in &found.candidates {
        legality::check(scop, &c.schedule, &deps).unwrap_or_else(|v| panic!("{}: {v}", c.name));
        let ast = generate(scop, &c.schedule).unwrap();
        for n in [0, 1, 2, 5] {
            check_run(scop, &ast, &vec![n; scop.params.len()], &[]);
        }
    }
    found
}

/// The names of those that differ inside.
fn names(found: &Explored) -> Vec<&str> {
    let names = found.candidates.iter().map(|c| c.name.as_str());
    names.filter(|n| n.contains([':', ' '])).collect()
}

fn band(tree: &Tree) -> &Band {
    match tree {
        Tree::Band(band) => band,
        other => panic!("a band, not {other:?}"),
    }
}

#[test]
fn a_row_that_satisfies_all_leaves_a_parallel_loop() {
    with(GAUSS_SEIDEL, |scop, ground| {
        let mut level = ground.outermost().unwrap();
        let shortest = level.best(1).unwrap().unwrap();
        let most = level.most_satisfied(1).unwrap().unwrap();
        let row = |rows: &Rows| rows[&StmtId(0)].iters.clone();
        // The row of steps leaves what goes along a row; in the other one that is 1 apart, and what comes from the step before 1, 2 and 3.
        assert_eq!(row(&shortest.rows), [1, 0]);
        let left = level.unsatisfied(1, &shortest.rows).unwrap();
        assert_eq!((left, most.unsatisfied), (Some(1), 0));
        assert_eq!(row(&most.rows), [2, 1]);
        let found = explored(scop);
        assert_eq!(names(&found), ["{S0 first}"]);
        let own = &found.candidates[1].schedule.root;
        assert_eq!(band(own).coincident, [false]);
        assert_eq!(band(&band(own).child).coincident, [true]);
    });
}

/// Rows from the rows before, turned round.
const TURNED: Text = ("n", &["i j | 1<=i<n j<n | 0 0 0 | A[i,j] = A[i-1,n-j]"]);

#[test]
fn a_band_ends_where_no_row_is_permutable() {
    with(TURNED, |scop, ground| {
        let mut level = ground.outermost().unwrap();
        let most = level.most_satisfied(1).unwrap().unwrap();
        assert_eq!(
            (most.unsatisfied, &most.rows[&StmtId(0)].iters[..]),
            (0, &[1, 0][..])
        );
        // The shortest row satisfies as much, so there is nothing to add.
        let found = explored(scop);
        assert_eq!((found.candidates.len(), found.inner), (1, 0));
        let own = &found.candidates[0].schedule.root;
        assert_eq!(band(own).coincident, [false]);
        assert_eq!(band(&band(own).child).coincident, [true]);
    });
}

#[test]
fn not_all_may_be_satisfied_by_one_row() {
    // Distances 0 along k and parallel rows: nothing is satisfied but what a sum hands on.
    with(MATMUL, |_, ground| {
        let most = ground
            .outermost()
            .unwrap()
            .most_satisfied(1)
            .unwrap()
            .unwrap();
        assert_eq!(
            (most.unsatisfied, &most.rows[&StmtId(0)].iters[..]),
            (0, &[0, 0, 1][..])
        );
    });
    with(JACOBI_1D, |_, ground| {
        // Three steps of B and one of A between two sweeps, more than constants that are equal can tell apart.
        let mut level = ground.outermost().unwrap();
        let (shortest, most) = (
            level.best(1).unwrap().unwrap(),
            level.most_satisfied(1).unwrap().unwrap(),
        );
        assert_eq!(most.unsatisfied, 0);
        assert!(most.bound > shortest.bound, "{most:?} {shortest:?}");
    });
}

#[test]
fn loops_part_inside_of_loops() {
    let ctx = Ctx::new();
    // What was found, how many have the loops of another candidate, how many are beyond the limit.
    for (text, inside, counts) in [
        (THREE_MAT_MAT, THREE, (6, 3, 0)),
        (GEMVER, SWEEPS, (9, 8, 0)),
        // All statements of one loop part below it as the search has it.
        (BICG, &[][..], (8, 8, 0)),
        (DOITGEN_3D, &["{S0,S1,S2: {S0}{S1}{S2}}"], (4, 3, 0)),
    ] {
        let found = explored(&scop(&ctx, text));
        assert_eq!(names(&found), inside);
        assert_eq!((found.inner, found.same, found.dropped), counts);
    }
}

const THREE: &[&str] = &[
    "{S0,S1,S2: {S0,S1,S2}}",
    "{S0,S1,S2: {S0}{S1}{S2}}",
    "{S0,S1,S2: {S1}{S0,S2}}",
];

const SWEEPS: &[&str] = &["{S0,S1,S2,S3: {S0}{S1}{S2}{S3}}"];

#[test]
fn what_is_beyond_the_limit_is_told() {
    let one = Bounds {
        inside: 1,
        ..BOUNDS
    };
    let found = explored_within(&scop(&Ctx::new(), COVARIANCE), &one);
    assert_eq!(names(&found).len(), 1);
    assert!(found.dropped > 0);
}
