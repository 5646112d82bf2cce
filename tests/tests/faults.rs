//! Faults put into programs: what the interpreter sees of them, the equivalence check refuses.

use polytile_tests::fuzz::random::Random;
use polytile_tests::scops::faults::{Emitted, FAULTS, storage_faults, with_fault};
use polytile_tests::scops::generate;
use polytile_tests::scops::tally::Tally;
use polytile_tests::scops::trial::{Made, make};
use polytile_transform::equivalence::Answer;
use polytile_transform::interp::{Difference, Fault};
use std::collections::BTreeMap;

/// Programs that get faults: the first so many of the generator's that have a plan.
const PROGRAMS: usize = 30;

/// Programs that are looked at for kinds of faults of which none was refused in the first ones.
const MOST_PROGRAMS: usize = 90;

/// Work for a proof: programs that take more than half of it get no faults.
const PROOF: u64 = 300_000;

/// Sites of a fault in a program that are tried.
const SITES: usize = 2;

/// What became of a fault's sites.
#[derive(Default, Debug)]
struct Count {
    /// The interpreter sees them, and the check refuses them.
    caught: usize,
    /// The check refuses them, and the interpreter sees nothing.
    refused: usize,
    /// Nobody sees anything: an equal program.
    equal: usize,
    /// The check or the interpreter ends in a limit.
    open: usize,
}

#[test]
fn faults_are_refused() {
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut programs, mut missed) = (0, vec![]);
    let harmless = |c: &Count| c.caught + c.refused == 0;
    for seed in 1.. {
        // Some kinds need rare plans: a few programs more, until each has been seen.
        if programs >= PROGRAMS && !counts.values().any(harmless) || programs == MOST_PROGRAMS {
            break;
        }
        let mut random = Random::new(seed);
        let text = generate::text(&mut random);
        let Ok(made) = make(&text, &mut random, &mut Tally::default()) else {
            continue;
        };
        let sizes = made.sizes().pop().expect("the usual ones");
        // Without a proof of the right program, none of a wrong one is to be had.
        if made.proved(&made.program, &sizes, PROOF / 2) != Answer::Same {
            continue;
        }
        programs += 1;
        let mut tried = |name, changed: &Emitted| {
            let count = counts.entry(name).or_default();
            if let Some(why) = judged(&made, changed, &sizes, count) {
                missed.push(format!("seed {seed}, {name}: {why}\n{}", changed.body));
            }
        };
        for fault in FAULTS {
            let all = (0..).map_while(|n| with_fault(fault, n, &made.program, &made.scop));
            for changed in all.take(SITES) {
                tried(fault.0, &changed);
            }
        }
        for (name, changed) in storage_faults(&made.program, &made.scop) {
            tried(name, &changed);
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    let all = counts.values();
    assert!(
        all.clone().count() >= 50 && !all.clone().any(harmless),
        "{counts:?}"
    );
}

/// Counts a fault; what the interpreter saw, if the check did not.
fn judged(made: &Made, changed: &Emitted, sizes: &[i64], count: &mut Count) -> Option<String> {
    let seen = made.compared(changed, sizes);
    match (made.proved(changed, sizes, PROOF), seen) {
        (Answer::Other(_), Err(_)) => count.caught += 1,
        (Answer::Other(_), Ok(())) => count.refused += 1,
        (Answer::Open(_), _) => count.open += 1,
        (Answer::Same, Ok(())) => count.equal += 1,
        (Answer::Same, Err(Difference::Fault(Fault::Poly(_)))) => count.open += 1,
        (Answer::Same, Err(why)) => return Some(why.to_string()),
    }
    None
}
