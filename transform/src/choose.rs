//! Which program takes a region's place: candidates, judged by one model of time.
//!
//! The original is a candidate like the others: its own loops, with its own scalars, as the front door saw them.

use crate::ast::{generate, handed_on};
use crate::cost::near;
use crate::model::{self, Choices, Judged, Time};
use crate::target::Target;
use polytile_analysis::ast::Ast;
use polytile_analysis::poly;
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Schedule, original};
use std::fmt;

#[cfg(test)]
mod tests;

/// What parameters are taken to be that nothing is known about, by the dimensions of the largest array, up to three: programs
/// are compared for each of these.
const SIZES: [&[i64]; 3] = [&[1000, 120, 100_000], &[1000, 120, 4000], &[120, 40, 500]];

/// The new program's share of the original's time from which on it is no gain.
const GAIN: f64 = 0.9;

/// The same for its time on two threads: the second one could do other work, and what it waits for is not all foreseen.
const THREADS_GAIN: f64 = 0.8;

/// The share from which on it is a loss.
const LOSS: f64 = 1.05;

/// The share from which on a program is so much faster that no other is looked for.
const CLEAR: f64 = 0.5;

/// Between these shares of the original's time the estimate is not sure enough for what a measurement would say.
const UNSURE: std::ops::RangeInclusive<f64> = 0.4..=1.15;

/// A program beside the original.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Compared {
    /// Faster, or nothing can be said.
    Faster,
    /// Not faster on one thread.
    ByThreads,
    /// Not faster on two threads either.
    Never,
}

/// What the region does without us.
pub struct Original {
    scop: Scop,
    decides: bool,
    /// What all candidates are judged for: rewrites may add arrays of more dimensions.
    sizes: &'static [i64],
    /// By size.
    typical: Vec<Vec<i64>>,
    times: Vec<Time>,
}

impl Original {
    /// Of the SCoP that the front door's region is, before anything was rewritten, and what the program decides in addresses.
    ///
    /// # Errors
    /// What generating its loops comes to.
    pub fn new(scop: &Scop, choices: &Choices, target: &Target) -> poly::Result<Original> {
        let body = generate(scop, &original(scop)?)?;
        let (mut typical, mut times) = (vec![], vec![]);
        let sizes = sizes(scop);
        for size in sizes {
            let values = near(scop, *size)?;
            let judged = Judged {
                scop,
                body: &body,
                handed: &[],
                sizes: &[],
                typical: &values,
                original: true,
                choices,
            };
            times.push(model::time(&judged, target)?);
            typical.push(values);
        }
        Ok(Original {
            scop: scop.clone(),
            decides: !choices.is_empty(),
            sizes,
            typical,
            times,
        })
    }

    /// Whether it chooses between subscripts or divides for them in its innermost loops, which no candidate does.
    pub fn decides(&self) -> bool {
        self.decides
    }

    /// How long it takes for typical parameters.
    pub fn time(&self) -> Time {
        self.times[0]
    }

    /// The times of a program for a schedule, by size.
    ///
    /// # Errors
    /// What reading the access relations comes to.
    pub fn estimated(
        &self,
        scop: &Scop,
        body: &Ast,
        schedule: &Schedule,
        target: &Target,
    ) -> poly::Result<Vec<Time>> {
        let sizes: Vec<i64> = schedule.sizes.iter().map(|s| s.default).collect();
        let handed = handed_on(scop, body);
        let none = Choices::default();
        let of = |size: &i64| {
            let judged = Judged {
                scop,
                body,
                handed: &handed,
                sizes: &sizes,
                typical: &near(scop, *size)?,
                original: false,
                choices: &none,
            };
            model::time(&judged, target)
        };
        self.sizes.iter().map(of).collect()
    }

    /// Whether a program with these times might be slower where it is taken for faster, or faster where it is taken for slower:
    /// its share of the original's time lies near 1 for all sizes.
    pub fn is_unsure(&self, new: &[Time]) -> bool {
        let both = || new.iter().zip(&self.times);
        let one = both().map(|(n, o)| n.one / o.one.max(1.0));
        let worst = one.fold(0.0, f64::max);
        match self.compared(new) {
            Compared::Faster | Compared::Never => UNSURE.contains(&worst),
            Compared::ByThreads => {
                let two = both().map(|(n, o)| n.two / o.one.max(1.0));
                UNSURE.contains(&two.fold(0.0, f64::max))
            }
        }
    }

    /// Whether a program with these times takes half of the original's time at most on one thread, for all sizes.
    pub fn is_far_behind(&self, new: &[Time]) -> bool {
        let mut both = new.iter().zip(&self.times);
        both.all(|(n, o)| n.one <= CLEAR * o.one)
    }

    /// A program with these times ([`Original::estimated`]) beside it.
    pub fn compared(&self, new: &[Time]) -> Compared {
        let of = |cycles: fn(&Time) -> f64| -> Vec<f64> {
            let both = new.iter().zip(&self.times);
            both.map(|(n, o)| cycles(n) / o.one.max(1.0)).collect()
        };
        // It gains at some size, and nowhere does it lose.
        let gains = |shares: &[f64]| {
            let ends = |of: fn(f64, f64) -> f64| shares.iter().copied().reduce(of);
            ends(f64::min) < Some(GAIN) && ends(f64::max) <= Some(LOSS)
        };
        match () {
            () if gains(&of(|t| t.one)) => Compared::Faster,
            // Below some work nothing runs in parallel, and the original runs.
            () if of(|t| t.two).iter().any(|share| *share < THREADS_GAIN) => Compared::ByThreads,
            () => Compared::Never,
        }
    }
}

/// The same where elements are gathered along one loop: lists are long, and shorter ones stay as they were.
const LISTS: &[i64] = &[1000, 120, 100_000, 4_000_000];

/// The sizes that a SCoP is looked at for.
fn sizes(scop: &Scop) -> &'static [i64] {
    let list = |s: &Stmt| s.depth() <= 1 && s.body.gathers();
    if scop.stmts.iter().any(list) {
        return LISTS;
    }
    let dims = scop.arrays.iter().map(|a| a.strides.len()).max();
    SIZES[dims.unwrap_or(1).clamp(1, SIZES.len()) - 1]
}

/// A candidate as it is reported.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name.
    pub name: &'static str,
    /// Its time.
    pub time: Time,
    /// It is the one.
    pub chosen: bool,
}

/// The report on a region: a line per candidate, with the values of the parameters that they were judged for.
pub struct Reports<'a> {
    /// The original.
    pub original: &'a Original,
    /// All of them.
    pub candidates: &'a [Report],
}

impl fmt::Display for Reports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scop = &self.original.scop;
        let line = scop.loc.as_ref().map_or(0, |l| l.line);
        let values = scop.params.iter().zip(&self.original.typical[0]);
        let values: Vec<String> = values.map(|(p, v)| format!("{}={v}", p.name)).collect();
        for c in self.candidates {
            write!(
                f,
                "model {} {line} candidate {} one={:.0} two={:.0}",
                scop.function, c.name, c.time.one, c.time.two
            )?;
            let at = if values.is_empty() { "" } else { " at " };
            let chosen = if c.chosen { " chosen" } else { "" };
            writeln!(f, "{at}{}{chosen}", values.join(","))?;
        }
        Ok(())
    }
}
