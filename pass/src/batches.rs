//! The region with independent problems in lanes: one more SCoP, in which each has copies of what they share, and whose program is a candidate beside the
//! others.

use crate::candidates::{Candidate, Candidates, Origin};
use crate::options::{Fusion, MinWork};
use crate::pipeline::Declined;
use polytile_analysis::deps;
use polytile_analysis::scop::Scop;
use polytile_transform::choose::Compared;
use polytile_transform::expand::{batches, expand_scalars};
use polytile_transform::plan::{PlanOptions, batches_in_lanes};
use polytile_transform::symbolic::with_symbolic_sizes;

/// The part of the budget for it.
const SHARE: u64 = 8;

impl<'a> Candidates<'a> {
    /// The same with copies for each problem of its batches, and the program that runs these in lanes, where it is faster than another one; or, without one,
    /// where it is far ahead of the original.
    pub(crate) fn in_batches(
        &self,
        options: &PlanOptions,
        other: Option<&Candidate>,
    ) -> Result<Option<(Candidates<'a>, Candidate)>, Declined> {
        // Where the user says when new versions run, nothing is compared.
        let open = self.stages.options.min_work == MinWork::Auto
            && self.stages.options.fusion == Fusion::Smart
            && options.register_tiles
            && self.scop.intact().is_none()
            && self.scop.inspection.is_none();
        let (Some(original), Some(parted)) = (&self.original, &self.parted) else {
            return Ok(None);
        };
        let ahead = |other: &Candidate| match other.generated.body.has_vectors() {
            true => !original.is_little_behind(&other.times),
            false => original.is_far_behind(&other.times),
        };
        if !open || other.is_some_and(ahead) {
            return Ok(None);
        }
        let ctx = self.scop.context.ctx();
        let _quota = ctx.quota((ctx.left() / 2).min(self.stages.options.budget / SHARE));
        let made = self.tried("batches", self.batched(parted, options))?;
        let gains = |made: &Candidate| {
            let better = match other {
                Some(other) => made.beats(other),
                None => original.is_far_behind(&made.times),
            };
            made.time != Compared::Never && better
        };
        Ok(made.flatten().filter(|(_, made)| gains(made)))
    }

    fn batched(
        &self,
        parted: &Scop,
        options: &PlanOptions,
    ) -> Result<Option<(Candidates<'a>, Candidate)>, Declined> {
        let Some(found) = batches(parted)? else {
            return Ok(None);
        };
        let scop = with_symbolic_sizes(&expand_scalars(&found.scop)?)?;
        let deps = deps::compute(&scop, false)?;
        let order = batches_in_lanes((&scop, &deps), &found.copies, self.target, options)?;
        let (Some(order), Some(original)) = (order, &self.original) else {
            return Ok(None);
        };
        let own = Candidates {
            original: Some(original.beside_another(&scop, self.target)?),
            deps,
            rest: None,
            storage: None,
            parted: None,
            unscripted: Some("no command makes copies for each problem of a batch"),
            scop,
            windows: None,
            ..*self
        };
        let made = own.candidate("batches", order, Origin::Search)?;
        Ok(Some((own, made)))
    }
}
