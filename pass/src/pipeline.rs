//! The stages, one line each: from a region to the program that takes its place.
//!
//! Nothing here touches LLVM. Every stage can be printed (`dump=STAGE`) and can be the last one (`stop-after=STAGE`).

use crate::candidates::Candidates;
use crate::given::Given;
use crate::options::{MinWork, Options, Parallel, Stage};
use crate::reason::{Kind, Reason};
use crate::summary::Summary;
use polytile_analysis::ast::Program;
use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::detect;
use polytile_analysis::ids::{ArrayId, BlockId, LoopId, ValueId};
use polytile_analysis::memory::Memories;
use polytile_analysis::poly::{self, Ctx};
use polytile_analysis::region::Region;
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::text;
use polytile_analysis::tree::Schedule;
use polytile_analysis::validate::Flaw;
use polytile_transform::choose::{Original, SURE};
use polytile_transform::equivalence::{Answer, Effort, check_rewritten};
use polytile_transform::expand::{
    expand_arrays, expand_scalars, filled_arrays, group_statements, hoist_calls, if_converted,
    local_arrays, map_scalars, merge_arms, merge_updates, neutral_first, part_extrema,
    part_residuals, shadowed, structures_of_arrays, unroll_short, version_arrays, written_anyway,
};
use polytile_transform::gain::NoGain;
use polytile_transform::model::Choices;
use polytile_transform::plan::without_copies;
use polytile_transform::reroll::{
    Alike, continued, from_zero, in_a_row, nests, reroll, sums, united, untiled,
};
use polytile_transform::space::Space;
use polytile_transform::symbolic::with_symbolic_sizes;
use polytile_transform::target::Target;
use polytile_transform::work::UNITS_PER_NS;
use polytile_transform::{guard, work};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

/// What replaces a region.
pub struct Optimized {
    /// The statements that the program executes.
    pub scop: Scop,
    /// The program.
    pub program: Program,
    /// What was done, for a reader.
    pub summary: Summary,
    /// Which version to run is found out by measuring; until then the new one, or the original.
    pub measured: Option<bool>,
    /// Its schedule in text, where candidates are listed; else empty.
    pub order: String,
    /// The region's hash, where regions are looked up.
    pub hash: Option<String>,
    /// Its tile sizes are what they are, whatever the option `tile-sizes` says: they were measured.
    pub own_sizes: bool,
}

/// Why a region stays as it is.
pub struct Declined {
    /// The reason.
    pub reason: Reason,
    /// The loop that is to blame: what is inside may still be transformed.
    pub loop_: Option<LoopId>,
    /// The block that is to blame.
    pub block: Option<BlockId>,
    /// The instruction that is to blame.
    pub inst: Option<ValueId>,
    /// Neither the region nor a part of it is worth another try.
    pub settled: bool,
    /// The budget was spent.
    pub late: bool,
    /// A self-check that failed: a bug of ours.
    pub fault: Option<String>,
    /// The user asked for something that cannot be done: the compilation stops with this.
    pub error: Option<String>,
}

impl Declined {
    pub(crate) fn because(kind: Kind, words: impl ToString) -> Declined {
        Declined {
            reason: Reason::new(kind, words.to_string()),
            loop_: None,
            block: None,
            inst: None,
            settled: false,
            late: false,
            fault: None,
            error: None,
        }
    }

    /// Neither the region nor a part of it gains.
    pub(crate) fn no_gain(why: NoGain) -> Declined {
        Declined {
            settled: true,
            ..Declined::because(Kind::NoGain, why)
        }
    }

    /// What the user asked for cannot be done.
    pub(crate) fn error(text: impl ToString) -> Declined {
        Declined {
            settled: true,
            error: Some(text.to_string()),
            ..Declined::because(Kind::Given, text)
        }
    }

    /// The same; but if the program may leave the region early, the condition is to blame, without which a part of it may be worth a try.
    fn left_early(self, found: &Scop) -> Declined {
        let Some(cell) = found.intact() else {
            return self;
        };
        if self.ends() {
            return self;
        }
        log::debug!("{}: {}", found.name, self.reason.words);
        let ways = found.stmts.iter().filter(|s| s.writes_to(cell));
        let loop_ = ways.filter_map(|s| s.iters.last()).next();
        let why = detect::RejectKind::Condition;
        // A condition between two nests is in none.
        let reject = match loop_ {
            Some(loop_) => detect::Reject::at_loop(why, *loop_),
            None => detect::Reject::new(why),
        };
        Declined {
            late: self.late,
            ..Declined::from(reject)
        }
    }

    /// Whether nothing else is to be tried: the user wanted it so, or a self-check failed.
    pub(crate) fn ends(&self) -> bool {
        self.fault.is_some() || self.error.is_some() || self.reason.kind == Kind::Stopped
    }

    /// A failed self-check; `reason` says in a user's words what that means for the region.
    pub(crate) fn fault(reason: impl ToString, fault: impl ToString) -> Declined {
        Declined {
            fault: Some(fault.to_string()),
            ..Declined::because(Kind::SelfCheck, reason)
        }
    }
}

impl From<poly::Error> for Declined {
    fn from(e: poly::Error) -> Declined {
        Declined {
            late: spent(&e),
            fault: e.is_misuse().then(|| e.to_string()),
            ..Declined::because(
                if spent(&e) { Kind::Budget } else { Kind::Size },
                e.in_words(),
            )
        }
    }
}

impl From<detect::Reject> for Declined {
    fn from(r: detect::Reject) -> Declined {
        let declined = match &r.kind {
            detect::RejectKind::Poly(e) => Declined::from(e.clone()),
            kind => Declined::because(kind.into(), &r),
        };
        Declined {
            loop_: r.loop_,
            block: r.block,
            inst: r.inst,
            ..declined
        }
    }
}

/// Whether nothing more can be done for a region.
fn spent(e: &poly::Error) -> bool {
    *e == poly::Error::Budget
}

/// Regions of more statements are made of nests, which are worth more than the region.
const SEVERAL_NESTS: usize = 40;

/// Leaves half of the work for the nests of a region if it is not finished with the other half; yields what dependences may take of this: scheduling,
/// code and estimates take two and a half to five times what all before them took.
fn leave_half(ctx: &Ctx) -> u64 {
    let done = ctx.work();
    let all = done.saturating_add(ctx.left());
    ctx.set_budget(all / 2);
    (all / 7 * 2).saturating_sub(done)
}

/// What the stages ask their caller.
pub struct Clients<'a> {
    /// Sees the region's SCoP, whatever comes of it.
    pub modelled: &'a mut dyn FnMut(&Scop),
    /// Whether code generation can emit a program, and else why not.
    pub emits: &'a dyn Fn(&Program, &Scop) -> Result<(), String>,
    /// The new version may have memory of its own.
    pub calls: bool,
    /// Loops of the function around the region.
    pub around: usize,
}

/// Runs all stages on a region, with so much work at most; what it came to, and the work.
pub fn optimize(
    region: &Region,
    target: &Target,
    (options, given): (&Options, &Given),
    budget: u64,
    clients: Clients,
) -> (Result<Optimized, Declined>, u64) {
    let ctx = Ctx::new();
    ctx.set_budget(budget);
    ctx.set_whole(options.budget);
    let stages = Stages {
        options,
        around: clients.around,
    };
    let result = stages.detected(&ctx, region).and_then(|found| {
        let result = stages.optimized(&found, (region, target, given), clients);
        result.map_err(|declined| declined.left_early(&found))
    });
    (result, ctx.work())
}

/// A SCoP after the rewrites that come before dependences.
struct Rewritten {
    /// Before statements were put together and scalars got cells.
    parted: Scop,
    /// As the search takes it.
    plain: Scop,
    /// The same with copies of fields of structures, if there may be some.
    copied: Option<Scop>,
}

/// What was found out before candidates are looked for.
struct Front<'a> {
    /// The SCoP as it was detected.
    found: &'a Scop,
    region: &'a Region,
    target: &'a Target,
    given: &'a Given,
    /// The most work that it has.
    most: Option<i64>,
}

/// The most work that a region has, if that is bounded and found soon.
fn most_work(found: &Scop) -> Result<Option<i64>, Declined> {
    let _quota = found.context.ctx().share(MOST_SHARE);
    match work::most(found) {
        Err(poly::Error::Quota) => Ok(None),
        most => Ok(most?),
    }
}

/// Whether a loop writes an array by so many statements as LLVM makes no vector of: no power of two.
fn has_odd_copies(found: &Scop) -> bool {
    let mut copies: BTreeMap<(LoopId, ArrayId), usize> = BTreeMap::new();
    for s in &found.stmts {
        if let Some(l) = s.iters.last() {
            *copies.entry((*l, s.write().array)).or_default() += 1;
        }
    }
    copies.values().any(|n| !n.is_power_of_two())
}

/// The part of the budget for it.
const MOST_SHARE: u64 = 60;

/// The loops around each statement.
fn depths(scop: &Scop) -> Vec<usize> {
    scop.stmts.iter().map(Stmt::depth).collect()
}

/// The part of the budget for walks through rewritten statements; what they have not seen then stays unseen.
const COMPARED_SHARE: u64 = 40;

/// The part of a region's time, in percent, that an inspection may take: on two threads, a quarter of the time and more is gained.
const MOST_INSPECTED: u32 = 40;

/// The stages that a user can look at.
#[derive(Clone, Copy)]
pub(crate) struct Stages<'a> {
    pub(crate) options: &'a Options,
    /// Loops of the function around the region.
    pub(crate) around: usize,
}

impl Stages<'_> {
    /// The SCoP as the search takes it, from the one that was detected.
    fn rewritten(&self, found: Scop, region: &Region) -> Result<Rewritten, Declined> {
        let alike = |a, b| region.alike(a, b);
        let found = self.rewrite("detection", found, |s| Ok(s.clone()))?;
        let scop = found.clone();
        let scop = self.rewrite("map_scalars", scop, map_scalars)?;
        let scop = self.rewrite("from_zero", scop, from_zero)?;
        let scop = self.rewrite("united", scop, |s| united(s, &alike))?;
        let scop = self.rewrite("nests", scop, |s| nests(s, &alike))?;
        let scop = self.rewrite("reroll", scop, |s| reroll(s, &alike))?;
        let scop = self.rewrite("continued", scop, |s| continued(s, &alike))?;
        let scop = self.rewrite("sums", scop, |s| sums(s, &alike))?;
        let scop = self.rewrite("in_a_row", scop, |s| in_a_row(s, &alike))?;
        let scop = self.rewrite("untiled", scop, untiled)?;
        let scop = self.rewrite("filled_arrays", scop, filled_arrays)?;
        // Before dependences: expanded scalars and arrays order less.
        let scop = self.rewrite("merge_updates", scop, merge_updates)?;
        let scop = self.rewrite("version_arrays", scop, |s| match version_arrays(s)? {
            // What stood between a scalar and its element may have gone to the copy.
            Some(versioned) => map_scalars(&versioned),
            None => Ok(s.clone()),
        })?;
        let scop = self.rewrite("hoist_calls", scop, |s| hoist_calls(s, &alike))?;
        let scop = self.rewrite("unroll_short", scop, unroll_short)?;
        let scop = self.rewrite("part_residuals", scop, part_residuals)?;
        self.compared(&found, &scop, &alike)?;
        let scop = self.rewrite("merge_arms", scop, merge_arms)?;
        let scop = self.rewrite("written_anyway", scop, written_anyway)?;
        let scop = self.rewrite("if_converted", scop, if_converted)?;
        let scop = self.rewrite("neutral_first", scop, neutral_first)?;
        let scop = match self.options.parallel {
            Parallel::Off => scop,
            Parallel::On | Parallel::All => self.rewrite("part_extrema", scop, part_extrema)?,
        };
        let parted = scop.clone();
        // What is private to an iteration of a group needs no expansion.
        let scop = self.rewrite("group_statements", scop, group_statements)?;
        let scop = self.rewrite("expand_scalars", scop, expand_scalars)?;
        let scop = self.rewrite("expand_arrays", scop, expand_arrays)?;
        let scop = self.rewrite("local_arrays", scop, local_arrays)?;
        let mut open = false;
        let scop = self.rewrite("shadowed", scop, |s| {
            let copies = shadowed(s)?;
            open = copies.is_none();
            Ok(copies.unwrap_or_else(|| s.clone()))
        })?;
        if open {
            let why = "what it writes has no copies of a known form";
            return Err(Declined::because(Kind::Exits, why));
        }
        let symbolic = |scop: Scop| -> Result<Scop, Declined> {
            let scop = self.rewrite("with_symbolic_sizes", scop, with_symbolic_sizes)?;
            self.compared(&parted, &scop, &alike)?;
            Ok(scop)
        };
        let plain = symbolic(scop.clone())?;
        let mut any = false;
        let copied = self.rewrite("structures_of_arrays", scop, |s| {
            let copied = structures_of_arrays(s)?;
            any = copied.is_some();
            Ok(copied.unwrap_or_else(|| s.clone()))
        });
        // Without copies it is a SCoP as well.
        let copied = match copied.and_then(|c| any.then(|| symbolic(c)).transpose()) {
            Err(declined) if declined.late => None,
            copied => copied?,
        };
        Ok(Rewritten {
            parted,
            plain,
            copied,
        })
    }

    /// What detection may take, with what is rewritten before the search: two grids of rows that know how long they are, on a torus, take 36 % of
    /// the budget.
    fn detection(&self) -> u64 {
        self.options.budget / 5 * 2
    }

    /// The SCoP of a region.
    fn detected(&self, ctx: &Ctx, region: &Region) -> Result<Scop, Declined> {
        self.done(Stage::Region, || text::print_region(region))?;
        let _quota = ctx.quota(self.detection());
        Ok(detect::build(ctx, region)?)
    }

    /// What comes of a SCoP.
    fn optimized(
        &self,
        found: &Scop,
        (region, target, given): (&Region, &Target, &Given),
        mut clients: Clients,
    ) -> Result<Optimized, Declined> {
        let most = match self.options.min_work {
            MinWork::Auto if !given.commands(found) => most_work(found)?,
            MinWork::Auto | MinWork::Instances(_) => None,
        };
        if self.is_short(most, guard::MIN_WORK / SURE) {
            (clients.modelled)(found);
            return Err(Declined::no_gain(NoGain::Short));
        }
        let rewritten = {
            // Together with detection.
            let ctx = found.context.ctx();
            let _quota = ctx.quota(self.detection().saturating_sub(ctx.work()));
            self.rewritten(found.clone(), region)?
        };
        let front = Front {
            found,
            region,
            target,
            given,
            most,
        };
        if let Some(copied) = rewritten.copied {
            match self.best(&front, copied, None, &mut clients) {
                // Copies may cost more than what they make possible gains.
                Err(declined) if declined.reason.kind == Kind::NoGain => {}
                best => return best,
            }
        }
        let Rewritten { plain, parted, .. } = rewritten;
        self.best(&front, plain, Some(parted), &mut clients)
    }

    /// The best program for rewritten statements.
    fn best(
        &self,
        front: &Front,
        scop: Scop,
        parted: Option<Scop>,
        clients: &mut Clients,
    ) -> Result<Optimized, Declined> {
        let Front {
            found,
            region,
            target,
            given,
            most,
        } = *front;
        let ctx = found.context.ctx();
        if scop.stmts.is_empty() {
            return Err(Declined::because(
                Kind::NoWrite,
                detect::RejectKind::NoWrite,
            ));
        }
        (clients.modelled)(&scop);
        log::debug!("{} statements, {} units", scop.stmts.len(), ctx.work());
        given.exports.keep(&scop, self.options.budget);
        self.done(Stage::Scop, || text::print_scop(&scop))?;
        if let Some(inspection) = &scop.inspection {
            // Only threads make up for it.
            let dear = self.options.min_work == MinWork::Auto && inspection.share > MOST_INSPECTED;
            if self.options.parallel == Parallel::Off || dear {
                let why = "no gain expected: addresses that depend on data would have to be compared with what is written";
                return Err(Declined::because(Kind::NoGain, why));
            }
        }
        let deps = {
            let most = self.options.budget / 4;
            let several = scop.stmts.len() > SEVERAL_NESTS && !given.commands(found);
            let _quota = ctx.quota(match several {
                true => most.min(leave_half(ctx)),
                false => most,
            });
            deps::compute(&scop, false)?
        };
        log::debug!("dependences: {} units", ctx.work());
        self.done(Stage::Deps, || text::print_deps(&scop, &deps))?;
        self.done(Stage::Space, || self.space(&scop, &deps))?;
        let commanded = given.commands(found);
        let windows = match commanded || !clients.calls {
            true => None,
            false => self.windows(&scop, &deps, &|a, b| region.alike(a, b))?,
        };
        if windows.is_none() && self.is_far(&scop, &deps, commanded)? {
            return Err(Declined::no_gain(NoGain::Far));
        }
        let compared = self.options.min_work == MinWork::Auto
            || self.options.dump.contains(&Stage::Model)
            || self.options.fusion.explores()
            || given.lists();
        // Without the original's time nothing is compared.
        let known = |original: poly::Result<Original>| match original {
            Err(e) if !e.is_misuse() => Ok(None),
            original => original.map(Some),
        };
        let original = match compared {
            false => None,
            true => known(Original::beside(found, &scop, &Choices::of(region), target))?,
        };
        let mut candidates = Candidates {
            original,
            loops: has_odd_copies(found).then_some(found.loops.len()),
            most,
            rest: without_copies(&scop, &deps)?,
            scop,
            deps,
            storage: None,
            unscripted: None,
            parted,
            windows: None,
            target,
            stages: *self,
            given,
            emits: clients.emits,
        };
        if let Some(made) = windows {
            let original = match &candidates.original {
                None => None,
                Some(original) => known(original.beside_another(&made.scop, target))?,
            };
            let own = Candidates {
                original,
                rest: None,
                parted: None,
                storage: Some(Box::new((candidates.scop.clone(), made.commands))),
                scop: made.scop,
                deps: made.deps,
                windows: None,
                ..candidates
            };
            candidates.windows = Some(Box::new((own, made.orders)));
        }
        candidates.first_that_passes(ctx)
    }

    /// Holds rewritten statements against those before; always where statements were united or taken apart, or loops merged, and each
    /// rewrite under `verify`.
    pub(crate) fn compared(
        &self,
        before: &Scop,
        after: &Scop,
        alike: &Alike,
    ) -> Result<(), Declined> {
        let (effort, parts) = match self.options.verify {
            true => (Effort::LARGE, 1),
            false if depths(before) != depths(after) => (Effort::USUAL, COMPARED_SHARE),
            false => return Ok(()),
        };
        // What is only looked at changes nothing.
        let _aside = before.context.ctx().aside(self.options.budget / parts);
        let answer = check_rewritten(before, after, alike, effort);
        log::debug!("{}: rewritten statements: {answer:?}", before.name);
        match answer {
            Answer::Other(why) => Err(Declined::fault("the analysis failed its check", why)),
            Answer::Same | Answer::Open(_) => Ok(()),
        }
    }

    /// Whether a region of so much work at most never reaches what a new version begins at, with twice as much in rewritten statements.
    pub(crate) fn is_short(&self, most: Option<i64>, least: i64) -> bool {
        let wanted = self.options.stop_after.is_some();
        !wanted && most.is_some_and(|most| most.saturating_mul(2) < least)
    }

    /// Whether a region gains by threads only, and only with very many iterations, as far as that is seen at once.
    fn is_far(&self, scop: &Scop, deps: &Dependences, commanded: bool) -> poly::Result<bool> {
        let options = self.options;
        let open = options.min_work == MinWork::Auto && options.parallel == Parallel::On;
        let wanted = commanded || options.stop_after.is_some() || !options.dump.is_empty();
        if !open || wanted {
            return Ok(false);
        }
        guard::is_plainly_far(scop, deps, self.parallel_min_work(), self.around)
    }

    /// The work from which on a loop runs on several threads.
    pub(crate) fn parallel_min_work(&self) -> i64 {
        i64::from(self.options.parallel_min_us) * 1000 * UNITS_PER_NS
    }

    /// One rewrite. One that uses the set library in a wrong way is left out.
    fn rewrite(
        &self,
        name: &str,
        scop: Scop,
        step: impl FnOnce(&Scop) -> poly::Result<Scop>,
    ) -> Result<Scop, Declined> {
        let fault = |why: &dyn Display| {
            Declined::fault("the analysis failed its check", format!("{name}: {why}"))
        };
        let new = match step(&scop) {
            Err(e) if e.is_misuse() && self.options.verify => return Err(fault(&e)),
            Err(e) if e.is_misuse() => scop,
            new => new?,
        };
        log::debug!("{name}: {} units", new.context.ctx().work());
        if self.options.verify {
            match new.validate() {
                Err(Flaw::Poly(e)) if !e.is_misuse() => return Err(e.into()),
                valid => valid.map_err(|flaw| fault(&flaw))?,
            }
        }
        Ok(new)
    }

    /// The text of the space of schedules. What is only looked at counts for nothing.
    fn space(&self, scop: &Scop, deps: &Dependences) -> String {
        let _aside = scop.context.ctx().aside(self.options.budget);
        match Space::new(scop, deps) {
            Ok(space) => space.to_string(),
            Err(e) => format!("space {:?}: not found: {}\n", scop.name, e.in_words()),
        }
    }

    /// Prints a schedule and what its tiles load, store and hold. What is only looked at counts for nothing.
    pub(crate) fn scheduled(&self, scop: &Scop, schedule: &Schedule) -> Result<(), Declined> {
        self.done(Stage::Schedule, || text::print_schedule(schedule))?;
        self.done(Stage::Memory, || {
            let _aside = scop.context.ctx().aside(self.options.budget);
            match Memories::new(scop, schedule) {
                Ok(memories) => memories.to_string(),
                Err(e) => format!("memory {:?}: not found: {}\n", scop.name, e.in_words()),
            }
        })
    }

    /// Prints a stage's result, and stops after it, if the user wants so.
    pub(crate) fn done(&self, stage: Stage, text: impl Fn() -> String) -> Result<(), Declined> {
        let stop = self.options.stop_after == Some(stage);
        if self.options.dump.contains(&stage) {
            let _ = write!(std::io::stderr(), "{}", text());
        }
        match stop {
            true => Err(Declined {
                settled: true,
                ..Declined::because(Kind::Stopped, format!("stopped after {}", stage.name()))
            }),
            false => Ok(()),
        }
    }
}
