//! Points by chance.

use super::super::legal::{Bounds, Legal};
use super::super::sample::{Sample, sample};
use super::programs::*;
use super::with;
use crate::ast::generate;
use crate::interp;
use crate::legality;
use crate::testing::check_run;
use polytile_analysis::deps::{Dependences, compute};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::print_schedule;

const BOX: Bounds = Bounds {
    iters: (-1, 2),
    params: (0, 1),
    constants: (0, 2),
};

/// A generator of numbers, the same for the same seed (xorshift).
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit.max(1)
    }
}

/// Programs, and how many samples to take: loops for rows that weave three nests of three loops take seconds to make.
const PROGRAMS: [(Text, u64); 7] = [
    (GEMVER, 6),
    (THREE_MAT_MAT, 2),
    (GAUSS_SEIDEL, 16),
    (JACOBI_1D, 16),
    (NEIGHBOURS, 16),
    (DOITGEN, 2),
    (LUDCMP, 1),
];

/// Calls `see` with samples of a program; how many there were.
fn each(text: Text, seeds: u64, mut see: impl FnMut(&Scop, &Dependences, u64, &Sample)) -> usize {
    with(text, |scop, _| {
        let deps = compute(scop, false).unwrap();
        let mut found = 0;
        for seed in 0..seeds {
            if let Some(s) = sample(scop, &deps, &BOX, &mut random(seed)).unwrap() {
                see(scop, &deps, seed, &s);
                found += 1;
            }
        }
        found
    })
}

#[test]
fn samples_are_legal_points_and_run_as_the_original() {
    for (text, seeds) in PROGRAMS {
        let found = each(text, seeds, |scop, deps, seed, s| {
            let told = || format!("seed {seed}\n{}", print_schedule(&s.schedule));
            legality::check(scop, &s.schedule, deps).unwrap_or_else(|v| panic!("{v}\n{}", told()));
            let ground = super::super::Ground::new(scop, deps).unwrap();
            let system = |k| Legal::new(scop, &ground.open, s.len(), k).unwrap();
            // Iterators and parameters of a point may be any of the box.
            let k = system(0).sufficient(&BOX).unwrap();
            let choices = system(k).choices(s.rows());
            for (ways, chosen) in choices.iter().zip(s.chosen()) {
                assert!(ways.contains(chosen), "{}", told());
            }
            let ast = generate(scop, &s.schedule).unwrap();
            for n in [0, 1, 4] {
                check_run(scop, &ast, &vec![n; scop.params.len()], &[]);
            }
        });
        assert!(2 * found >= seeds as usize, "{found} of {seeds}: {text:?}");
    }
}

#[test]
fn a_seed_is_a_schedule_and_seeds_differ() {
    let mut texts = vec![];
    each(GEMVER, 10, |scop, deps, seed, s| {
        let again = sample(scop, deps, &BOX, &mut random(seed))
            .unwrap()
            .unwrap();
        let text = print_schedule(&s.schedule);
        assert_eq!(print_schedule(&again.schedule), text);
        texts.push(text);
    });
    let all = texts.len();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > all / 2, "{} of {all}", texts.len());
    assert!(
        texts.iter().any(|t| t.contains('-')),
        "some coefficient is negative"
    );
}

#[test]
fn samples_backwards_are_refused() {
    for (text, _) in PROGRAMS {
        each(text, 4, |scop, deps, _, s| {
            let turned = s.reversed(scop).unwrap().unwrap();
            assert!(legality::check(scop, &turned, deps).is_err());
        });
    }
}

#[test]
fn what_runs_otherwise_is_refused() {
    let (mut refused, mut accepted) = (0, 0);
    for (text, seeds) in PROGRAMS {
        each(text, seeds, |scop, deps, seed, s| {
            let mut draw = random(seed + 100);
            let changed = s.perturbed(scop, &mut draw).unwrap().unwrap();
            if legality::check(scop, &changed, deps).is_err() {
                refused += 1;
                return;
            }
            accepted += 1;
            let ast = generate(scop, &changed).unwrap();
            let params = vec![4; scop.params.len()];
            let same = interp::compare(scop, &ast, &[], deps, &params, &[]);
            same.unwrap_or_else(|d| panic!("{d}\n{}", print_schedule(&changed)));
        });
    }
    assert!(
        refused > 5 && accepted > 5,
        "{refused} refused, {accepted} accepted"
    );
}
