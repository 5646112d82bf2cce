//! The policies `fusion=space` and `fusion=levels`: the interleavings of the outermost loops, and of those inside, one program each, ranked by the model of time.
//!
//! [`polytile_transform::space`] makes a bounded list of schedules. Each is planned like the search's own, and so is the search's: the fastest program is taken. What was left out, and why, is a
//! part of the remark on the nest.

use super::{Candidate, Candidates, Origin};
use crate::options;
use crate::pipeline::{Declined, Optimized};
use polytile_analysis::poly::Ctx;
use polytile_analysis::text;
use polytile_transform::plan::PlanOptions;
use polytile_transform::space::{self, Explored, explore::Bounds};

/// Interleavings that are planned and compared.
const MOST: usize = 8;

/// Those that differ inside of the outermost loops.
const MOST_INSIDE: usize = 8;

/// The part of the budget for the search of each.
const SHARE: u64 = 16;

/// What became of the interleavings.
#[derive(Default)]
struct Compared {
    /// Programs whose time was estimated.
    programs: usize,
    /// Plans that another one had made already.
    same: usize,
    /// Without a program, within the work that there was for one.
    without: usize,
}

impl Candidate {
    /// Whether the model of time takes it for faster.
    fn is_faster(&self, other: &Candidate) -> bool {
        match self.time.cmp(&other.time) {
            std::cmp::Ordering::Equal => self.cycles() < other.cycles(),
            order => order.is_lt(),
        }
    }
}

impl Candidates<'_> {
    /// The fastest program of the search's schedule and of the interleavings.
    pub(super) fn best_of_space(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
    ) -> Result<Optimized, Declined> {
        let found = self.found(ctx, options::Fusion::Smart)?;
        let first = self.planned(ctx, &found, options)?;
        // Of one statement there is the row with which it begins.
        let least = match self.stages.options.fusion {
            options::Fusion::Levels => 1,
            _ => 2,
        };
        if self.original.is_none() || self.scop.stmts.len() < least {
            return self.alone(first, Origin::Search);
        }
        let mut seen = vec![text::print_schedule(&first)];
        let mut best = self.candidate("plan", first, Origin::Search)?;
        let mut all = vec![("plan".to_owned(), best.times.clone())];
        let explored = self.explored(ctx)?;
        let mut compared = Compared::default();
        for (at, point) in explored.candidates.iter().enumerate() {
            // The others, and the stages behind, need some work, too.
            let quota = ctx.quota(ctx.left() / (explored.candidates.len() - at + 2) as u64);
            let candidate = self.of_point(ctx, point, options, &mut seen);
            drop(quota);
            match self.tried("an interleaving", candidate)? {
                None => compared.without += 1,
                Some(None) => compared.same += 1,
                Some(Some(candidate)) => {
                    compared.programs += 1;
                    all.push((candidate.name.clone(), candidate.times.clone()));
                    if candidate.is_faster(&best) {
                        best = candidate;
                    }
                }
            }
        }
        let words = words(&explored, &compared, &best.name);
        log::info!("{}: {words}", self.scop.function);
        self.stages.scheduled(&self.scop, &best.schedule)?;
        let mut optimized = self.settled(best, all, Origin::Search)?;
        optimized.summary.interleavings = Some(words);
        Ok(optimized)
    }

    /// The interleavings; none, if it takes too much work to find them.
    fn explored(&self, ctx: &Ctx) -> Result<Explored, Declined> {
        let budget = self.stages.options.budget;
        let (scop, deps) = self.scheduled();
        let _quota = ctx.quota(ctx.left() / 3);
        let bounds = Bounds {
            most: MOST,
            inside: match self.stages.options.fusion {
                options::Fusion::Levels => MOST_INSIDE,
                _ => 0,
            },
            budget: budget / SHARE,
        };
        match space::explore(scop, deps, &bounds) {
            Err(e) if !e.is_misuse() => {
                log::info!("{}: no interleavings: {e}", self.scop.function);
                Ok(Explored::default())
            }
            explored => Ok(explored?),
        }
    }

    /// The program of an interleaving; `None` if its plan is one that was seen.
    fn of_point(
        &self,
        ctx: &Ctx,
        point: &space::Candidate,
        options: &PlanOptions,
        seen: &mut Vec<String>,
    ) -> Result<Option<Candidate>, Declined> {
        let schedule = self.planned(ctx, &point.schedule, options)?;
        let text = text::print_schedule(&schedule);
        if seen.contains(&text) {
            return Ok(None);
        }
        seen.push(text);
        self.candidate(&point.name, schedule, Origin::Search)
            .map(Some)
    }
}

/// `12 or more, 8 compared, 3 apart from each other in nothing, ..; {S0S1}{S2} is the fastest`.
fn words(explored: &Explored, compared: &Compared, name: &str) -> String {
    let (count, more) = explored.partitions;
    let more = if more { " and more" } else { "" };
    let mut words = vec![
        format!("{count}{more}"),
        format!("{} compared", compared.programs),
    ];
    for (count, what) in [
        (explored.inner, "more inside of loops"),
        (compared.same + explored.same, "with a plan that was known"),
        (explored.unconnected, "with loops that share no array"),
        (explored.dropped, "dropped"),
        (explored.without + compared.without, "without a program"),
    ] {
        if count > 0 {
            words.push(format!("{count} {what}"));
        }
    }
    words.push(match name {
        "plan" => "the search's own is taken".to_owned(),
        name => format!("{name} is taken"),
    });
    words.join(", ")
}
