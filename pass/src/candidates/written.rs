//! The original's order on threads ([`polytile_transform::plan::as_written`]) as a candidate: for nests of very many statements, for which the search may
//! find nothing within its work, and for `fusion=original`.

use super::{Candidate, Candidates, Origin, Timed};
use crate::options::MinWork;
use crate::pipeline::Declined;
use polytile_analysis::ast::{Ast, For, ForKind};
use polytile_analysis::poly::{self, Ctx};
use polytile_analysis::tree::{LoopKind, Schedule, Tree};
use polytile_transform::choose::Compared;
use polytile_transform::plan::{PlanOptions, as_written};

/// From so many statements on. Up to here the search ends within its work, with few exceptions.
pub(super) const MANY: usize = 24;

/// The part of the work that is left which the search of such a nest may take: what it finds beside the original's order is seldom much.
const SHARE: u64 = 4;

impl Candidates<'_> {
    /// The source's order with parallel and vector loops.
    pub(crate) fn in_written_order(&self, options: &PlanOptions) -> Result<Schedule, Declined> {
        let (scop, deps) = self.scheduled();
        self.whole(as_written(scop, deps, self.target, options)?, options)
    }

    /// The same as a candidate, if there are so many statements that it is asked for first, and it gains.
    pub(super) fn written(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
    ) -> Result<Option<Candidate>, Declined> {
        match self.scop.stmts.len() < MANY {
            true => Ok(None),
            false => self.gaining_as_written(ctx, options),
        }
    }

    /// What the search finds, or the order of the source: where nothing else gains, if all its loops are on threads (systems of constant size,
    /// one after the other, whose loops are too short for tiles) or it is far ahead of the original, and where it is faster than what the search has
    /// put into loops without lanes (a row is filled, filtered and copied back).
    pub(super) fn searched_or_written(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
    ) -> Result<Timed, Declined> {
        let (best, mut all) = self.fused_or_apart(ctx, options)?;
        let never = best.time == Compared::Never;
        let asked = never || self.is_unclear(&best) && fuses_without_lanes(&best.generated.body);
        if asked
            && self.scop.stmts.len() < MANY
            && let Some(written) = self.gaining_as_written(ctx, options)?
        {
            all.push((written.name.clone(), written.times.clone()));
            let better = match never {
                true => is_parallel(&written.generated.body) || !self.is_unclear(&written),
                false => written.beats(&best),
            };
            if better {
                return Ok((written, all));
            }
        }
        Ok((best, all))
    }

    fn gaining_as_written(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
    ) -> Result<Option<Candidate>, Declined> {
        let compared = self.original.is_some() && self.stages.options.min_work == MinWork::Auto;
        if !compared {
            return Ok(None);
        }
        let _quota = ctx.quota(ctx.left() / 2);
        let made = self
            .in_written_order(options)
            .and_then(|schedule| self.candidate("original's order", schedule, Origin::Search));
        let made = self.tried("original's order", made)?;
        Ok(made.filter(|c| c.time != Compared::Never))
    }

    /// The better one of it and what the search finds beside it. Where the search does not end and no nest has most of the statements, each of
    /// them is a region for which it may.
    pub(super) fn beside_written(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
        written: Candidate,
    ) -> Result<Timed, Declined> {
        let times = (written.name.clone(), written.times.clone());
        let quota = ctx.quota(ctx.left() / SHARE);
        let searched = self.fused_or_apart(ctx, options);
        drop(quota);
        Ok(match self.tried("the search", searched)? {
            None if written.time == Compared::ByThreads && falls_apart(&written.schedule.root)? => {
                return Err(poly::Error::Quota.into());
            }
            None => (written, vec![times]),
            Some((best, mut all)) => {
                all.push(times);
                let better = self.prefers(&written, &best);
                (if better { written } else { best }, all)
            }
        })
    }
}

/// Whether all loops of a program are on threads, who meet once, or once in each step of a loop around.
fn is_parallel(body: &Ast) -> bool {
    match body {
        Ast::For(l) => match l.kind {
            ForKind::Parallel { .. } => !l.kind.is_pipelined(),
            ForKind::Team { .. } | ForKind::Sequential => is_parallel(&l.body),
            _ => false,
        },
        Ast::Block(list) => {
            let all = |a: &Ast| is_parallel(a) || a.has_no_loop();
            list.iter().all(all) && list.iter().any(is_parallel)
        }
        _ => false,
    }
}

/// Whether a schedule is nests one after the other, in steps or not, none of which has more than half of the statements, or too many for the search.
fn falls_apart(tree: &Tree) -> poly::Result<bool> {
    match tree {
        Tree::Sequence(list) | Tree::Set(list) => {
            let sizes = list.iter().map(|b| Ok(b.filter.sets()?.len()));
            let sizes: Vec<usize> = sizes.collect::<poly::Result<_>>()?;
            let all: usize = sizes.iter().sum();
            match sizes.iter().position(|size| 2 * size > all) {
                Some(most) => falls_apart(&list[most].child),
                None => Ok(sizes.iter().all(|size| *size < MANY)),
            }
        }
        Tree::Mark(_, child) => falls_apart(child),
        Tree::Band(band) if band.loops[0] == LoopKind::Sequential => falls_apart(&band.child),
        _ => Ok(false),
    }
}

/// Whether an innermost loop runs several statements, one iteration after the other.
fn fuses_without_lanes(body: &Ast) -> bool {
    let fuses = |l: &For| {
        let several = matches!(&l.body, Ast::Block(list) if list.len() > 1);
        several && l.kind == ForKind::Sequential && l.body.has_no_loop()
    };
    body.find_loop(&fuses).is_some()
}
