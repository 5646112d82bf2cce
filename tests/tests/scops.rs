//! A short run of random SCoPs, always the same.

use polytile_tests::scops::{tally::Tally, trial};

#[test]
fn random_scops_keep_their_values() {
    let mut tally = Tally::default();
    for seed in 1..=60 {
        if let Err(what) = trial::run(seed, &mut tally) {
            panic!("{what}");
        }
    }
    // The generator reaches plans, and not only what is declined.
    assert!(tally.count("programs") > 40, "{tally}");
    assert!(tally.count("register tiles") > 5, "{tally}");
    // So do samples of the space of schedules, and what is wrong with them is seen.
    assert!(tally.count("samples: run as the source") > 10, "{tally}");
    assert!(tally.count("samples: refused backwards") > 5, "{tally}");
    assert!(tally.count("samples: refused with a change") > 1, "{tally}");
}
