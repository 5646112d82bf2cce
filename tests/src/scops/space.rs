//! Schedules by chance: points of the space of all legal schedules of a random SCoP (`polytile_transform::space::sample`).
//!
//! Where the search finds schedules that are good, these are only legal: rows that are reversed, skewed, scaled and shifted, statements torn apart and woven into each other. Each must pass
//! the legality check, and its program must do what the source does. Backwards it must be refused; with one coefficient changed it is refused, or does what the source does all the same.

use super::trial::{End, Prepared, prepare};
use super::{generate, tally::Tally};
use crate::fuzz::random::Random;
use polytile_analysis::text;
use polytile_analysis::tree::Schedule;
use polytile_transform::interp::{self, Difference, Fault};
use polytile_transform::legality::{self, Rule};
use polytile_transform::space::{legal::Bounds, sample::sample};

/// Work for one schedule and its program.
const WORK: u64 = 1_000_000;

/// A trial of a seed.
pub(super) fn trial(seed: u64, tally: &mut Tally) -> Result<(), End> {
    let mut random = Random::new(seed);
    let text = generate::text(&mut random);
    // What rewrites do to it is counted for the plans.
    let found = prepare(&text, &mut random, &mut Tally::default())?;
    let bounds = bounds(&mut random);
    let sampled = {
        let _aside = found.scop.context.ctx().aside(WORK);
        let mut draw = |limit| random.below(limit);
        sample(&found.scop, &found.deps, &bounds, &mut draw)?
    };
    let Some(sampled) = sampled else {
        tally.add("samples: no legal row in the box");
        return Ok(());
    };
    let told = |s: &Schedule| format!("{:?}\n{}", found.params, text::print_schedule(s));
    let _aside = found.scop.context.ctx().aside(WORK);
    match verdict(&found, &sampled.schedule)? {
        Ok(()) => tally.add("samples: legal"),
        Err(why) => {
            let what = format!(
                "a sampled schedule is illegal: {why} at {}",
                told(&sampled.schedule)
            );
            return Err(End::Wrong(what));
        }
    }
    run(&found, &sampled.schedule, tally)?;
    let ordered = found.deps.ordering(false).any(|d| !d.commutes());
    if let (true, Some(turned)) = (ordered, sampled.reversed(&found.scop)?) {
        match verdict(&found, &turned)? {
            Err(_) => tally.add("samples: refused backwards"),
            Ok(()) => return Err(End::Wrong(format!("legal backwards at {}", told(&turned)))),
        }
    }
    let changed = sampled.perturbed(&found.scop, &mut |limit| random.below(limit))?;
    if let Some(changed) = changed {
        match verdict(&found, &changed)? {
            Err(_) => tally.add("samples: refused with a change"),
            Ok(()) => {
                tally.add("samples: legal with a change");
                run(&found, &changed, tally)?;
            }
        }
    }
    Ok(())
}

fn bounds(random: &mut Random) -> Bounds {
    Bounds {
        iters: random.pick(&[(-1, 1), (-1, 2), (0, 2), (-2, 2)]),
        params: random.pick(&[(0, 0), (0, 1), (-1, 1)]),
        constants: random.pick(&[(0, 0), (0, 2), (-1, 1)]),
    }
}

/// What the legality check says; an end where it does not know.
fn verdict(found: &Prepared, schedule: &Schedule) -> Result<Result<(), String>, End> {
    match legality::check(&found.scop, schedule, &found.deps) {
        Ok(()) => Ok(Ok(())),
        Err(v) => match &v.rule {
            Rule::Undecided(e) => Err(e.clone().into()),
            _ => Ok(Err(v.to_string())),
        },
    }
}

/// The program of a schedule does what the source does.
fn run(found: &Prepared, schedule: &Schedule, tally: &mut Tally) -> Result<(), End> {
    let body = polytile_transform::ast::generate(&found.scop, schedule)?;
    match interp::compare(&found.scop, &body, &[], &found.deps, &found.params, &[]) {
        Ok(()) => tally.add("samples: run as the source"),
        Err(Difference::Fault(Fault::Poly(e))) => return Err(e.into()),
        Err(Difference::Fault(Fault::Endless)) => tally.add("samples: too many empty iterations"),
        Err(why) => {
            let what = format!(
                "{why} at {:?}\n{}\n{body}",
                found.params,
                text::print_schedule(schedule)
            );
            return Err(End::Wrong(what));
        }
    }
    Ok(())
}
