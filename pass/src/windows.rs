//! The region with arrays that nobody reads afterwards as windows: one more SCoP, whose programs are candidates beside the others.

use crate::candidates::{Candidate, Candidates, Origin};
use crate::options::{Fusion, Stage};
use crate::pipeline::{Declined, Stages};
use polytile_analysis::ast::{Ast, ForKind};
use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::poly::{self, Ctx};
use polytile_analysis::scop::{Array, ArrayKind, Scop};
use polytile_analysis::tree::Schedule;
use polytile_transform::choose::Compared;
use polytile_transform::contract::{contracted, lines, selected, united};
use polytile_transform::model::MAPPED;
use polytile_transform::plan::PlanOptions;
use polytile_transform::reroll::Alike;
use polytile_transform::rewrite::flags::Flags;
use polytile_transform::rewrite::{State, Step};
use polytile_transform::script::window;

/// Lists of nests that are rewritten, one after the other.
const MOST_LISTS: usize = 4;

/// The part of the budget for all of it.
const SHARE: u64 = 4;

/// A SCoP with windows, and its own order.
pub(crate) struct Windows {
    pub(crate) scop: Scop,
    pub(crate) deps: Dependences,
    /// Its own order; and with loops of a row united, where some may be.
    pub(crate) orders: Vec<Schedule>,
    /// The commands of a script that lead to it.
    pub(crate) commands: Vec<String>,
}

impl Stages<'_> {
    /// The SCoP with windows, if it has dead arrays that nests hand on to each other, and the user leaves the order to us.
    pub(crate) fn windows(
        &self,
        scop: &Scop,
        deps: &Dependences,
        alike: &Alike,
    ) -> Result<Option<Windows>, Declined> {
        // What leaves early begins again.
        let open =
            matches!(self.options.fusion, Fusion::Smart | Fusion::Max) && scop.intact().is_none();
        let dead = scop.arrays.iter().any(|a| a.dead);
        if !open || !dead || self.options.stop_after.is_some_and(|s| s < Stage::Ast) {
            return Ok(None);
        }
        let _quota = scop.context.ctx().share(SHARE);
        let found = match in_windows(scop, deps) {
            Ok(found) => found,
            Err(e) if e.is_misuse() && self.options.verify => return Err(e.into()),
            // It is one more candidate, never needed.
            Err(e) => {
                log::debug!("no windows: {e}");
                None
            }
        };
        if let Some(found) = &found {
            self.compared(scop, &found.scop, alike)?;
        }
        Ok(found)
    }
}

fn in_windows(scop: &Scop, deps: &Dependences) -> poly::Result<Option<Windows>> {
    let mut now: Option<(Scop, Dependences)> = None;
    let mut commands = vec![];
    for _ in 0..MOST_LISTS {
        let (scop, deps) = now.as_ref().map_or((scop, deps), |(s, d)| (s, d));
        let mut next = None;
        for rows in selected(scop, deps)? {
            let forms = [rows.clone(), rows.in_one()];
            for rows in &forms[usize::from(rows.block.is_none())..] {
                if let Ok(made) = contracted(scop, rows)? {
                    commands.push(window(scop, rows));
                    next = Some(made);
                    break;
                }
            }
            if next.is_some() {
                break;
            }
        }
        let Some(scop) = next else {
            break;
        };
        let deps = deps::compute(&scop, false)?;
        now = Some((scop, deps));
    }
    let Some((scop, deps)) = now else {
        return Ok(None);
    };
    let order = State::original(&scop, &deps)?;
    let Ok(State {
        schedule: order, ..
    }) = Flags.apply(&order)
    else {
        return Ok(None);
    };
    let mut orders = vec![];
    orders.extend(united(&scop, &deps, &order)?);
    orders.push(order);
    Ok(Some(Windows {
        scop,
        deps,
        orders,
        commands,
    }))
}

/// The SCoP with one line of arrays that have a line for each iteration, and the commands of a script that lead to it; `None`: there are none.
fn with_lines(scop: &Scop) -> poly::Result<Option<(Scop, Vec<String>)>> {
    let _quota = scop.context.ctx().share(SHARE);
    let mut now: Option<Scop> = None;
    let mut commands = vec![];
    for rows in lines(scop)? {
        let before = now.as_ref().unwrap_or(scop);
        if let Ok(made) = contracted(before, &rows)? {
            commands.push(window(before, &rows));
            now = Some(made);
        }
    }
    Ok(now.map(|scop| (scop, commands)))
}

impl<'a> Candidates<'a> {
    /// The same with one line of arrays that have a line for each iteration, where a program leaves so many of them in memory that the system is
    /// asked for it; and its best program, if that saves something.
    pub(crate) fn in_lines(
        &self,
        options: &PlanOptions,
        other: &Candidate,
    ) -> Result<Option<(Candidates<'a>, Candidate)>, Declined> {
        let temporary = |a: &Array| a.kind == ArrayKind::Temporary;
        let some = self.scop.arrays.iter().any(temporary);
        let asked = some && self.rest.is_none() && self.windows.is_none();
        let Some(original) = self.original.as_ref().filter(|_| asked) else {
            return Ok(None);
        };
        let (body, schedule) = (&other.generated.body, &other.schedule);
        if original.memory_of((&self.scop, body, schedule))? < MAPPED {
            return Ok(None);
        }
        let ctx = self.scop.context.ctx();
        let _quota = ctx.quota(ctx.left() / 2);
        let made = with_lines(&self.scop).and_then(|found| {
            let Some((scop, commands)) = found else {
                return Ok(None);
            };
            Ok(Some(Candidates {
                original: Some(original.beside_another(&scop, self.target)?),
                deps: deps::compute(&scop, false)?,
                rest: None,
                parted: None,
                storage: Some(Box::new((self.scop.clone(), commands))),
                scop,
                windows: None,
                ..*self
            }))
        });
        let Some(own) = self.tried("lines", made.map_err(Declined::from))?.flatten() else {
            return Ok(None);
        };
        let made = own
            .in_written_order(options)
            .and_then(|schedule| own.candidate("lines", schedule, Origin::Search));
        let gains = |made: &Candidate| {
            made.time != Compared::Never && (made.saves(other) || made.beats(other))
        };
        let made = self.tried("lines", made)?.filter(gains);
        Ok(made.map(|made| (own, made)))
    }
}

impl Candidates<'_> {
    /// The best program with windows that saves something beside another one; `None`: there is none.
    pub(crate) fn in_windows(
        &self,
        ctx: &Ctx,
        options: &PlanOptions,
        other: Option<&Candidate>,
    ) -> Result<Option<(&Candidates<'_>, Candidate)>, Declined> {
        let Some((windows, orders)) = self.windows.as_deref() else {
            return Ok(None);
        };
        let _quota = ctx.quota(ctx.left() / 2);
        let mut best: Option<Candidate> = None;
        let mut all = vec![];
        if orders.is_empty() {
            all.push(
                windows
                    .in_written_order(options)
                    .and_then(|schedule| windows.candidate("lines", schedule, Origin::Search)),
            );
        }
        all.extend(
            orders
                .iter()
                .map(|order| windows.in_order(ctx, order, options)),
        );
        for made in all {
            let Some(made) = windows.tried("no windows", made)? else {
                continue;
            };
            let first = best.as_ref().is_none_or(|b| made.cycles() < b.cycles());
            if first && other.is_none_or(|other| made.saves(other)) {
                best = Some(made);
            }
        }
        Ok(best.map(|made| (windows, made)))
    }

    /// The program of an order; on one thread, where rows that wait for each other are too little work to share.
    fn in_order(
        &self,
        ctx: &Ctx,
        order: &Schedule,
        options: &PlanOptions,
    ) -> Result<Candidate, Declined> {
        let made = self.of_order(ctx, order, options)?;
        if !options.parallel || deals_rows(&made.generated.body) {
            return Ok(made);
        }
        let alone = PlanOptions {
            parallel: false,
            ..options.clone()
        };
        let alone = self.of_order(ctx, order, &alone)?;
        Ok(if made.saves(&alone) { made } else { alone })
    }

    fn of_order(
        &self,
        ctx: &Ctx,
        order: &Schedule,
        options: &PlanOptions,
    ) -> Result<Candidate, Declined> {
        let schedule = self.planned(ctx, order, options)?;
        self.candidate("windows", schedule, Origin::Search)
    }
}

/// Whether all loops that run on several threads are outermost.
fn deals_rows(body: &Ast) -> bool {
    match body {
        Ast::Block(list) => list.iter().all(deals_rows),
        Ast::For(l) if matches!(l.kind, ForKind::Parallel { .. }) => true,
        other => !other.has_parallel_loop(),
    }
}
