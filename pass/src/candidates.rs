//! The programs that may take a region's place: which are made, and which is taken.
//!
//! The search and the plan make one after the other, with less and less fusion; the model of time compares each with the original
//! ([`polytile_transform::choose`]). The first that takes half of its time at most is taken, else the fastest. With `fusion=space` the interleavings of the outermost loops are made and
//! compared as well ([`space`]).

mod space;
mod written;

use crate::given::Given;
use crate::known::Known;
use crate::options::{self, Options, Stage, TileSizes};
use crate::pipeline::{Declined, Optimized, Stages};
use crate::reason::Kind;
use crate::summary;
use polytile_analysis::ast::{Ast, BinOp, Check, Expr, Program, Threads};
use polytile_analysis::deps::Dependences;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::{Place, Scop, Stmt};
use polytile_analysis::text;
use polytile_analysis::tree::Schedule;
use polytile_transform::ast::{self, AstOptions, Generated, generate_with};
use polytile_transform::choose::{Compared, Original, Report, Reports};
use polytile_transform::equivalence::{self, Answer, Final};
use polytile_transform::gain::{self, NoGain};
use polytile_transform::model::Time;
use polytile_transform::plan::{PlanOptions, Tiling, plan, with_copies};
use polytile_transform::rewrite::State;
use polytile_transform::schedule::{Fusion, SearchOptions, search};
use polytile_transform::script::{self, Script, Source, Storage};
use polytile_transform::target::Target;
use polytile_transform::work::PACE;
use polytile_transform::{guard, legality};
use std::io::Write;

/// A SCoP and what is asked for each of its schedules.
pub(crate) struct Candidates<'a> {
    /// What it takes without us; `None`: programs are not compared.
    pub(crate) original: Option<Original>,
    /// Its most work, where that is bounded and decides.
    pub(crate) most: Option<i64>,
    /// As the search takes it.
    pub(crate) scop: Scop,
    /// How many loops the program has, where others were rolled up of copies that the compiler does not pack into vectors.
    pub(crate) loops: Option<usize>,
    pub(crate) deps: Dependences,
    /// What is scheduled of it, where that is not all: copies stand around it.
    pub(crate) rest: Option<(Scop, Dependences)>,
    /// The SCoP that the user knows, and the commands that lead from it to this one.
    pub(crate) storage: Option<Box<(Scop, Vec<String>)>>,
    /// Why no script leads to its programs from the SCoP that the user knows.
    pub(crate) unscripted: Option<&'static str>,
    /// Its statements before some of them were put together, where batches may be looked for.
    pub(crate) parted: Option<Scop>,
    /// The same with windows in place of arrays, in orders of its own.
    pub(crate) windows: Option<Box<(Candidates<'a>, Vec<Schedule>)>>,
    pub(crate) target: &'a Target,
    pub(crate) stages: Stages<'a>,
    pub(crate) given: &'a Given,
    pub(crate) emits: &'a dyn Fn(&Program, &Scop) -> Result<(), String>,
}

/// The share of another's time from which on a program is preferred that shares fewer loops.
const CLEARLY: f64 = 0.95;

/// The same at the usual size and over all, with no loss at any, where the other is a gain already: it moves less memory, which the model does not
/// see in full.
const FAR: f64 = 0.7;

/// The share of the time of lanes around sums from which on register tiles are preferred: the model does not know how many of their rows are filled,
/// while lanes that move their elements one by one, or lose most of their time in short loops, are far behind.
const FAR_BELOW: f64 = 0.5;

/// Microseconds of work from which on copies that were rolled up are worth a call: short of that, how the compiler treats them is not known so well.
const ROLLED_US: i64 = 20;

/// Why a program is not taken whose loops were not generated as the schedule says.
const STEPS: &str = "statements that share loops have steps of their own";

/// A program that may take the region's place.
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) schedule: Schedule,
    pub(crate) generated: Generated,
    pub(crate) time: Compared,
    /// By size; empty: not estimated.
    pub(crate) times: Vec<Time>,
    /// The program measures which version to run; until then the new one, or the original.
    pub(crate) measured: Option<bool>,
}

impl Candidate {
    /// On one thread and on two, for all sizes.
    pub(crate) fn cycles(&self) -> f64 {
        self.times.iter().map(cycles).sum()
    }

    /// Its share of another's time, on the mean of all sizes.
    fn mean_share(&self, other: &Candidate) -> f64 {
        let both = self.times.iter().zip(&other.times);
        let shares = both.map(|(own, its)| cycles(own) / cycles(its).max(1.0));
        shares.sum::<f64>() / self.times.len().max(1) as f64
    }

    /// Whether it takes less than this share of another's time at the usual size.
    fn is_below(&self, share: f64, other: &Candidate) -> bool {
        let usual = self.times.first().zip(other.times.first());
        usual.is_some_and(|(own, its)| cycles(own) < share * cycles(its))
    }

    pub(crate) fn beats(&self, other: &Candidate) -> bool {
        match (self.time.cmp(&other.time), self.time) {
            (std::cmp::Ordering::Equal, Compared::Faster) => {
                let mut both = self.times.iter().zip(&other.times);
                both.all(|(own, its)| cycles(own) <= cycles(its))
                    && self.is_below(FAR, other)
                    && self.cycles() < FAR * other.cycles()
            }
            (std::cmp::Ordering::Equal, _) => self.mean_share(other) < CLEARLY,
            (order, _) => order.is_lt(),
        }
    }

    /// The same where it has less memory than the other one: no size loses, and together they gain; or small ones lose, and together they gain much. What
    /// a machine with more threads gives the other one alone counts as well.
    pub(crate) fn saves(&self, other: &Candidate) -> bool {
        let shares = |c: &Candidate| c.generated.body.has_parallel_loop();
        let alone = shares(other) && !shares(self);
        let mut both = self.times.iter().zip(&other.times);
        let gains = both.all(|(own, its)| match alone {
            true => own.one < its.two,
            false => cycles(own) <= cycles(its),
        });
        let total = self.cycles() / other.cycles();
        let far = !alone && self.is_below(1.0, other) && total < FAR;
        self.time <= other.time && (gains && total < CLEARLY || far)
    }
}

/// On one thread and on two.
fn cycles(time: &Time) -> f64 {
    time.one + time.two
}

/// The name of a candidate, and its times.
type Named = (String, Vec<Time>);

/// A candidate, and all that it was compared with.
type Timed = (Candidate, Vec<Named>);

/// Whose choice a schedule is.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'s> {
    /// The search's, or that of a schedule file.
    Search,
    /// A script's, with the part of it that is about the region.
    Script(&'s Script, &'s script::Region),
    /// That of another tool, with its file.
    Imported(&'s str),
    /// The user's, among the search's (option `choose`).
    Chosen,
    /// The tuner's database's.
    Stored,
}

impl Origin<'_> {
    /// It is made whether it is expected to gain or not.
    fn is_ordered(self) -> bool {
        !matches!(self, Origin::Search)
    }

    /// It is made whatever its work is.
    fn was_measured(self) -> bool {
        matches!(self, Origin::Chosen | Origin::Stored)
    }

    /// Nobody here has made its order.
    fn is_foreign(self) -> bool {
        matches!(
            self,
            Origin::Script(..) | Origin::Imported(_) | Origin::Stored
        )
    }
}

impl Candidates<'_> {
    /// The program of the user's script or schedule, of another tool's order, that of the candidate that he chose or the database has, or the best of the search's.
    pub(crate) fn first_that_passes(self, ctx: &Ctx) -> Result<Optimized, Declined> {
        let imported = self.given.imports.order(&self.scop, &self.deps);
        let imported = imported.map_err(Declined::error)?;
        if let Some((script, region)) = self.given.region(&self.scop) {
            let storage = script::storage(script, region, &self.scop, &self.deps);
            if let Some(storage) = storage.map_err(Declined::error)? {
                return self.in_storage(script, storage);
            }
            let from = imported.map(|(schedule, _)| schedule);
            let schedule = by_script((script, region), &self.scop, &self.deps, from)?;
            return self.alone(schedule, Origin::Script(script, region));
        }
        if let Some((schedule, file)) = imported {
            return self.alone(schedule, Origin::Imported(file));
        }
        if let Some(text) = &self.given.schedule {
            let schedule =
                text::parse_schedule(ctx, text).map_err(|e| Declined::because(Kind::Given, e))?;
            let made = self.alone(schedule, Origin::Search);
            return made.map_err(|declined| Declined {
                fault: None,
                ..declined
            });
        }
        if !self.given.looks_up() {
            return self.searched(ctx);
        }
        let known = Known::of(&self.scop);
        let made = match self.given.choice(&known.hash) {
            Some(number) => self.obeyed(ctx, &known, number),
            None => self
                .stored(ctx, &known)
                .unwrap_or_else(|| self.searched(ctx)),
        };
        if self.given.lists() {
            let order = made.as_ref().ok().map(|o| o.order.as_str());
            self.list(ctx, &known, order);
        }
        made.map(|made| Optimized {
            hash: Some(known.hash),
            ..made
        })
    }

    /// The program of a user's script that begins with the storage of arrays.
    fn in_storage(self, script: &Script, storage: Storage) -> Result<Optimized, Declined> {
        let Storage {
            scop,
            deps,
            region,
            commands,
        } = storage;
        let own = Candidates {
            storage: Some(Box::new((self.scop.clone(), commands))),
            scop,
            deps,
            rest: None,
            parted: None,
            windows: None,
            ..self
        };
        let schedule = by_script((script, &region), &own.scop, &own.deps, None)?;
        own.alone(schedule, Origin::Script(script, &region))
    }

    /// Where a script begins, if not with its SCoP.
    fn source(&self) -> Option<Source<'_>> {
        let (scop, commands) = self.storage.as_deref()?;
        Some(Source { scop, commands })
    }

    /// The best of the search's with the plan's tiles; without register tiles, if a self-check refuses those.
    pub(crate) fn searched(&self, ctx: &Ctx) -> Result<Optimized, Declined> {
        let options = self.stages.options;
        let mut refused = None;
        for plan in &plans(options) {
            match self.best(ctx, plan) {
                Err(declined) if declined.fault.is_some() && !options.verify => {
                    refused.get_or_insert(declined);
                }
                passed => return passed,
            }
        }
        Err(refused.expect("there is a plan"))
    }

    /// The program of one schedule.
    fn alone(&self, schedule: Schedule, origin: Origin) -> Result<Optimized, Declined> {
        self.stages.scheduled(&self.scop, &schedule)?;
        let candidate = self.candidate("plan", schedule, origin)?;
        let times = candidate.times.clone();
        self.settled(candidate, vec![("plan".to_owned(), times)], origin)
    }

    /// The first of the search's schedules that is clearly faster than the original, or else the fastest of them all.
    fn best(&self, ctx: &Ctx, options: &PlanOptions) -> Result<Optimized, Declined> {
        let wanted = self.stages.options.fusion;
        if wanted.explores() {
            return self.best_of_space(ctx, options);
        }
        if wanted == options::Fusion::Original {
            return self.alone(self.in_written_order(options)?, Origin::Search);
        }
        let several = self.original.is_some() && self.scop.stmts.len() > 1;
        if !several || self.stages.options.stop_after == Some(Stage::Schedule) {
            let first = self.planned(ctx, &self.found(ctx, wanted)?, options)?;
            // Where nothing is compared, less memory is better.
            return match self.in_windows(ctx, options, None)? {
                Some((windows, made)) if self.original.is_none() => {
                    windows.settled(made, vec![], Origin::Search)
                }
                _ => self.alone(first, Origin::Search),
            };
        }
        // Of many statements batches take least work, and the search often finds nothing.
        let mut tried = false;
        if self.scop.stmts.len() >= written::MANY {
            tried = true;
            if let Some(settled) = self.settled_batches(options, None)? {
                return settled;
            }
        }
        let (best, all) = match self.written(ctx, options)? {
            None => self.searched_or_written(ctx, options)?,
            Some(written) => self.beside_written(ctx, options, written)?,
        };
        let mut own = None;
        let saving = match self.in_lines(options, &best)? {
            Some((lines, made)) => Some((&*own.insert(lines), made)),
            None => self.in_windows(ctx, options, Some(&best))?,
        };
        let first = saving.as_ref().map_or(&best, |(_, made)| made);
        if !tried && let Some(settled) = self.settled_batches(options, Some((first, &all)))? {
            return settled;
        }
        if let Some((windows, made)) = saving
            && let Some(settled) = windows.settled_beside(made, &all)?
        {
            return settled;
        }
        self.stages.scheduled(&self.scop, &best.schedule)?;
        self.settled(best, all, Origin::Search)
    }

    /// The program with batches in lanes, if it is chosen. `other`: the best one so far, and what it was compared with.
    fn settled_batches(
        &self,
        options: &PlanOptions,
        other: Option<(&Candidate, &[Named])>,
    ) -> Result<Option<Result<Optimized, Declined>>, Declined> {
        let (best, compared) = other.unzip();
        let Some((batches, made)) = self.in_batches(options, best)? else {
            return Ok(None);
        };
        batches.settled_beside(made, compared.unwrap_or_default())
    }

    /// The program of a candidate with other storage than those that it was compared with, unless it comes to nothing.
    fn settled_beside(
        &self,
        made: Candidate,
        others: &[Named],
    ) -> Result<Option<Result<Optimized, Declined>>, Declined> {
        let name = made.name.clone();
        let mut all = others.to_vec();
        all.push((name.clone(), made.times.clone()));
        self.stages.scheduled(&self.scop, &made.schedule)?;
        Ok(match self.settled(made, all, Origin::Search) {
            Err(declined) if !declined.ends() => {
                log::debug!("no {name}: {}", declined.reason.words);
                None
            }
            settled => Some(settled),
        })
    }

    /// The program of the search's schedule, or of the one without fusion, and the times of both.
    fn fused_or_apart(&self, ctx: &Ctx, options: &PlanOptions) -> Result<Timed, Declined> {
        let wanted = self.stages.options.fusion;
        let found = self.found(ctx, wanted)?;
        let first = self.planned(ctx, &found, options)?;
        let mut best = self.candidate("plan", first, Origin::Search)?;
        let mut all = vec![("plan".to_owned(), best.times.clone())];
        // Lanes around sums are what is left where what the sums begin with shares their loops: apart from it they may be register tiles.
        let body = &best.generated.body;
        let lanes = body.has_lanes() && !body.has_register_tile();
        let unclear = self.is_unclear(&best);
        // Where the user says when new versions run, nothing is compared, whether it is printed or not.
        let compared = self.stages.options.min_work == options::MinWork::Auto
            && wanted == options::Fusion::Smart;
        let little = compared && !unclear && !self.pays(&best);
        if compared && (unclear || lanes && self.original.is_some() || little) {
            // It is there for the work that is left, and the chosen one needs some, too.
            let quota = ctx.quota(ctx.left() / 2);
            let apart = self.apart(ctx, [&found, &best.schedule], options);
            drop(quota);
            if let Some(Some(apart)) = self.tried("apart", apart)? {
                all.push(("apart".to_owned(), apart.times.clone()));
                let asked = unclear || apart.is_below(FAR_BELOW, &best) || little;
                if asked && self.prefers(&apart, &best) {
                    best = apart;
                }
            }
        }
        Ok((best, all))
    }

    /// Whether a candidate is better than another one, also because most of that one's work gains nothing.
    fn prefers(&self, this: &Candidate, other: &Candidate) -> bool {
        this.beats(other) || this.time <= other.time && !self.pays(other) && self.pays(this)
    }

    /// Whether enough of a candidate's work gains.
    fn pays(&self, made: &Candidate) -> bool {
        worthwhile(
            &self.scop,
            &made.generated.body,
            self.stages.options,
            made.time,
        )
        .is_ok()
    }

    /// Whether the original is not so far behind that nothing else is asked for.
    fn is_unclear(&self, made: &Candidate) -> bool {
        let original = self.original.as_ref();
        original.is_some_and(|o| !o.is_far_behind(&made.times))
    }

    /// The program of a schedule without fusion; `None` if the one that was found has none either, or the plan has undone it.
    fn apart(
        &self,
        ctx: &Ctx,
        [found, first]: [&Schedule; 2],
        options: &PlanOptions,
    ) -> Result<Option<Candidate>, Declined> {
        let same = |a, b| text::print_schedule(a) == text::print_schedule(b);
        let apart = self.found(ctx, options::Fusion::None)?;
        if same(&apart, found) {
            return Ok(None);
        }
        let schedule = self.planned(ctx, &apart, options)?;
        if same(&schedule, first) {
            return Ok(None);
        }
        self.candidate("apart", schedule, Origin::Search).map(Some)
    }

    /// The search's schedule.
    pub(crate) fn found(&self, ctx: &Ctx, fusion: options::Fusion) -> Result<Schedule, Declined> {
        let budget = self.stages.options.budget;
        let _quota = ctx.quota(budget / 2);
        let options = search_options(fusion, budget);
        let (scop, deps) = self.scheduled();
        let found = search(scop, deps, &options)?;
        log::trace!("found:\n{}", text::print_schedule(&found));
        Ok(found)
    }

    /// What is scheduled.
    fn scheduled(&self) -> (&Scop, &Dependences) {
        match &self.rest {
            Some((scop, deps)) => (scop, deps),
            None => (&self.scop, &self.deps),
        }
    }

    pub(crate) fn planned(
        &self,
        ctx: &Ctx,
        found: &Schedule,
        options: &PlanOptions,
    ) -> Result<Schedule, Declined> {
        let _quota = ctx.quota(self.stages.options.budget / 2);
        let (scop, deps) = self.scheduled();
        self.whole(plan(scop, deps, found, self.target, options)?, options)
    }

    /// A schedule of what is scheduled as one of the SCoP: with the copies around it.
    fn whole(&self, planned: Schedule, options: &PlanOptions) -> Result<Schedule, Declined> {
        Ok(match self.rest {
            Some(_) => with_copies(&self.scop, planned, options.parallel)?,
            None => planned,
        })
    }

    /// What was tried beside something else; `None` where that came to nothing, unless a self-check failed and those are errors.
    pub(crate) fn tried<T>(
        &self,
        what: &str,
        made: Result<T, Declined>,
    ) -> Result<Option<T>, Declined> {
        match made {
            Err(declined) if declined.fault.is_some() && self.stages.options.verify => {
                Err(declined)
            }
            Err(declined) => {
                log::debug!("{what}: {}", declined.reason.words);
                Ok(None)
            }
            Ok(made) => Ok(Some(made)),
        }
    }

    /// A schedule's loops and their time. What is still to be checked is checked where they are taken ([`Self::settled`]):
    /// that takes longer than to see that they are no gain.
    pub(crate) fn candidate(
        &self,
        name: &str,
        schedule: Schedule,
        origin: Origin,
    ) -> Result<Candidate, Declined> {
        let (scop, options) = (&self.scop, self.stages.options);
        // A user's order is refused before anything is made of it, and self-checks are asked for.
        if is_checked_first(options, origin) {
            self.legal(&schedule, origin)?;
        }
        let generated = generate_with(scop, &schedule, &self.ast_options())?;
        if !ast::settles(scop, &generated.body) {
            let why = "whether it is left early is known too late";
            log::debug!("{why}:\n{}", generated.body);
            return Err(Declined::because(Kind::Exits, why));
        }
        let (time, times) = match &self.original {
            Some(original) => {
                let times = original.estimated(scop, &generated.body, &schedule, self.target)?;
                let from_size = generated.body.has_register_tile();
                // Scalar loops have to beat vectors that LLVM may make.
                let time = match generated.body.has_vectors() {
                    true => original.compared(&times, from_size),
                    false => original.compared_with_vectors(&times, from_size, self.target)?,
                };
                (time, times)
            }
            None => (Compared::Faster, vec![]),
        };
        let time = match options.min_work {
            options::MinWork::Auto if origin.was_measured() => Compared::Faster,
            options::MinWork::Auto => time,
            options::MinWork::Instances(_) => Compared::Faster,
        };
        log::debug!(
            "{name}: {time:?}, {} units, by size {times:?}, the original {:?}",
            scop.context.ctx().work(),
            self.original.as_ref().map(Original::times)
        );
        let measured = match origin.was_measured() {
            true => None,
            false => self.measured(time, &times),
        };
        Ok(Candidate {
            name: name.to_owned(),
            schedule,
            generated,
            time,
            times,
            measured,
        })
    }

    /// Whoever made a schedule: nothing unchecked reaches code generation.
    pub(crate) fn legal(&self, schedule: &Schedule, origin: Origin) -> Result<(), Declined> {
        let options = self.stages.options;
        legality::check(&self.scop, schedule, &self.deps).map_err(|v| match &v.rule {
            _ if let Origin::Script(script, region) = origin => {
                Declined::error(script.error(region.at, format!("not emitted: {v}")))
            }
            _ if let Origin::Imported(file) = origin => {
                Declined::error(format!("{file}:1: not emitted: {v}"))
            }
            _ if let Origin::Stored = origin => Declined::because(Kind::Given, &v),
            legality::Rule::Undecided(e) => Declined::from(e.clone()),
            _ if options.schedule.is_some() => Declined::because(Kind::Given, &v),
            _ => Declined::fault("the new order failed its check", &v),
        })
    }

    /// A candidate as a program.
    fn program(
        &self,
        schedule: &Schedule,
        generated: Generated,
        (time, measured, times): (Compared, Option<bool>, &[Time]),
        origin: Origin,
    ) -> Result<Program, Declined> {
        // What is tried although it is not expected to gain is tried with any number of threads.
        let expected = match measured {
            Some(false) => Compared::Faster,
            _ => time,
        };
        Ok(Program {
            check: self.check(schedule, &generated.body, (expected, times), origin)?,
            sizes: schedule.sizes.clone(),
            buffers: generated.buffers,
            handed: ast::handed_on(&self.scop, &generated.body),
            body: generated.body,
        })
    }

    /// How loops are generated.
    fn ast_options(&self) -> AstOptions {
        let min_work = self.stages.parallel_min_work();
        let defaults = AstOptions::default();
        let mut arrays = self.scop.arrays.iter();
        AstOptions {
            parallel_min_work: min_work,
            repeated_min_work: defaults.repeated_min_work.min(min_work),
            vector_bits: self.target.vector.bits,
            masks: arrays.all(|a| self.target.masks_rests(a.ty.bytes())),
            ..defaults
        }
    }

    /// Whether the program is to measure, and which version it prefers until then.
    fn measured(&self, time: Compared, times: &[Time]) -> Option<bool> {
        let options = self.stages.options;
        let original = self.original.as_ref();
        let unsure = || original.is_none_or(|o| o.is_unsure(times));
        // How long the comparison takes depends on how many addresses there are in a row.
        let inspected = self.scop.inspection.is_some();
        let measures = match options.select {
            options::Select::Auto => inspected && options.min_work == options::MinWork::Auto,
            options::Select::Model => false,
            options::Select::Measure => inspected || unsure(),
        };
        measures.then_some(time != Compared::Never)
    }

    /// What has to hold where the new version runs.
    fn check(
        &self,
        schedule: &Schedule,
        body: &Ast,
        (time, times): (Compared, &[Time]),
        origin: Origin,
    ) -> Result<Check, Declined> {
        let (scop, options) = (&self.scop, self.stages.options);
        let mut check = guard::check(scop, schedule)?;
        if options.run_both {
            check.written = guard::written(scop, schedule)?;
        }
        if check.rows.iter().any(|r| r.through.is_some()) && !finds_rows(&check) {
            let words = "which of the pointers in its tables of tables it reads is not known";
            return Err(Declined::because(Kind::Rows, words));
        }
        match options.min_work {
            options::MinWork::Auto => {}
            options::MinWork::Instances(0) => check.work = None,
            options::MinWork::Instances(n) => {
                if let Some((_, least)) = &mut check.work {
                    *least = i64::try_from(n).unwrap_or(i64::MAX);
                }
            }
        }
        let auto = options.min_work == options::MinWork::Auto;
        if auto {
            check.worth.extend(guard::long_diagonals(scop, schedule)?);
        }
        // Loops that look like the original's are not if that decides in them where elements are.
        let differs =
            |o: &Original| o.decides() || o.loses_by_branches(times) || o.loses_by_lanes(times);
        let decides = self.original.as_ref().is_some_and(differs);
        // Nor if the compiler does not know that elements lie side by side.
        let gaps = scop.arrays.iter().any(|a| a.gaps);
        // Nor if what they read and write lies across each other and is transposed.
        // Nor where they were copies, as of three colours, beside each other.
        let made = |s: &Stmt| (self.loops.zip(s.iters.last())).is_some_and(|(n, l)| l.index() >= n);
        let own = !scop.stmts.iter().any(made);
        let spared = match &self.original {
            Some(original) if auto => {
                original.spares((times, !own), (scop, body, schedule), self.target)?
            }
            _ => 1,
        };
        if auto
            && !own
            && spared == 1
            && let Some((_, least)) = &mut check.work
        {
            *least = (*least).max(ROLLED_US * PACE);
        }
        // Nor where only marked loops have lanes, or functions are called less often.
        let marked = scop.stmts.iter().any(|s| s.body.has_lanes_where_marked());
        let calls = marked || self.original.as_ref().is_some_and(|o| o.calls_more(scop));
        // Nor where they leave memory alone that the original's fill.
        let saves = self.storage.is_some();
        let plain = !body.has_squares() && !calls && !saves;
        let alike = auto && own && !decides && !gaps && plain;
        let gains_by_threads = alike && guard::same_loops(scop, &self.deps, schedule)?;
        let own_sizes = auto && options.tile_sizes == TileSizes::Auto;
        let alone = match own_sizes {
            true => self.gains_alone((schedule, body), times)?,
            false => None,
        };
        let by_threads = own_sizes
            && (time != Compared::Faster
                || alike && guard::only_waves(scop, schedule, self.target)?
                || alike && guard::only_threads(scop, &self.deps, schedule, self.target)?);
        if scop.inspection.is_some() && !body.has_parallel_loop() {
            return Err(Declined::because(Kind::NoGain, NoGain::Nothing));
        }
        // An inspection costs what only threads bring in again.
        if by_threads || scop.inspection.is_some() {
            check.threads = Threads::Several;
        }
        if gains_by_threads || by_threads || auto && scop.inspection.is_some() {
            let several = ast::worth(body);
            check.worth.extend(several.map(|several| match &alone {
                Some(alone) => ast::expr::bin(BinOp::Or, &several, alone),
                None => several,
            }));
            // No loop is dealt to threads for less: that is seen in front of the call.
            if let Some((_, least)) = &mut check.work {
                *least = (*least).max(self.ast_options().repeated_min_work);
                // Another fork, and a part of the work.
                if scop.inspection.is_some() {
                    *least = least.saturating_mul(4);
                }
            }
        }
        if auto
            && let Some((work, least)) = &mut check.work
            && let Some(original) = &self.original
            && check.threads != Threads::Several
            && let Some(values) = original.first_gain((scop, body, schedule), self.target)?
        {
            *least = (*least).max(ast::expr::at(work, &values).unwrap_or(0));
        }
        if auto
            && check.work.is_some()
            && let Some(original) = &self.original
        {
            let least = original.least((scop, body, schedule), self.target)?;
            let from = |(p, size)| ast::expr::bin(BinOp::Le, &Expr::Int(size), &Expr::Param(p));
            check.worth.extend(least.into_iter().map(from));
        }
        if check.threads != Threads::Several
            && let Some((_, least)) = &mut check.work
            && *least <= guard::MIN_WORK_WITH_TEMPORARIES
        {
            *least /= spared;
        }
        if let Some(alone) = &alone {
            match body.has_parallel_loop() {
                true => check.threads = Threads::Several,
                false => check.worth.push(alone.clone()),
            }
        }
        check.alone = alone;
        check.alone_in_place = auto
            && check.threads == Threads::Several
            && check.apart.iter().any(|pair| pair.or_one)
            && match &self.original {
                Some(original) => original.gains_in_place(times, self.target)?,
                None => false,
            };
        let few = check.threads == Threads::Several
            && check.alone.is_none()
            && options.parallel != options::Parallel::All;
        if auto && few && !origin.was_measured() && guard::is_far(scop, &check, self.stages.around)?
        {
            return Err(Declined::no_gain(NoGain::Far));
        }
        if let Some((_, least)) = check.work
            && !origin.was_measured()
            && self.stages.is_short(self.most, least)
        {
            return Err(Declined::no_gain(NoGain::Short));
        }
        Ok(check)
    }

    /// Where one thread gains although it does not everywhere: from so many bytes on, which do not fit its caches.
    fn gains_alone(
        &self,
        (schedule, body): (&Schedule, &Ast),
        times: &[Time],
    ) -> Result<Option<Expr>, Declined> {
        let (scop, Some(original)) = (&self.scop, &self.original) else {
            return Ok(None);
        };
        if scop.inspection.is_some() || self.storage.is_some() {
            return Ok(None);
        }
        let Some(values) = original.alone_from((scop, body, schedule), times, self.target)? else {
            return Ok(None);
        };
        let Some(bytes) = guard::footprint(scop)? else {
            return Ok(None);
        };
        let least = ast::expr::at(&bytes, &values).filter(|least| *least > 0);
        Ok(least.map(|least| ast::expr::bin(BinOp::Ge, &bytes, &Expr::Int(least))))
    }

    /// A candidate's program, if it pays and can be emitted.
    pub(crate) fn settled(
        &self,
        candidate: Candidate,
        all: Vec<(String, Vec<Time>)>,
        origin: Origin,
    ) -> Result<Optimized, Declined> {
        let Candidate {
            name,
            schedule,
            generated,
            time,
            times,
            measured,
        } = candidate;
        let (scop, deps, options) = (&self.scop, &self.deps, self.stages.options);
        let done = |stage, text: &dyn Fn() -> String| self.stages.done(stage, text);
        done(Stage::Ast, &|| generated.body.to_string())?;
        if let Some(original) = &self.original {
            done(Stage::Model, &|| report(original, &name, time, &all))?;
        }
        // Less memory is a gain by itself.
        let saves = self.storage.is_some() && time == Compared::Faster;
        if !origin.is_ordered() && !saves {
            let expected = match measured {
                Some(_) => Compared::Faster,
                None => time,
            };
            worthwhile(scop, &generated.body, options, expected)?;
        }
        if !is_checked_first(options, origin) {
            self.legal(&schedule, origin)?;
        }
        let mut program = self.program(&schedule, generated, (time, measured, &times), origin)?;
        // What is only printed changes nothing.
        if options.min_work == options::MinWork::Auto
            && let (Some(original), Some((work, _))) = (&self.original, &program.check.work)
            && let Some(pace) = original.pace(work, &times)?
        {
            program.check.pace = pace;
        }
        done(Stage::Script, &|| {
            let script = match self.unscripted {
                Some(why) => Err(why.to_owned()),
                None => script::recovered(self.source(), (scop, deps), &schedule)
                    .map_err(|e| e.to_string()),
            };
            script.unwrap_or_else(|e| format!("# no script: {e}\n"))
        })?;
        let interleaves = ast::interleaves(&schedule.root, &schedule.domain)?;
        if options.verify || interleaves || matches!(origin, Origin::Stored) {
            proved(scop, &program).map_err(|failed| match interleaves {
                true => Declined::because(Kind::Size, STEPS),
                false => failed,
            })?;
        }
        (self.emits)(&program, scop).map_err(|why| Declined::fault(&why, &why))?;
        let summary = summary::of(scop, &schedule, &program);
        let order = match self.given.lists() {
            true => text::print_schedule(&schedule),
            false => String::new(),
        };
        Ok(Optimized {
            scop: scop.clone(),
            program,
            summary,
            measured,
            order,
            hash: None,
            own_sizes: matches!(origin, Origin::Stored),
        })
    }
}

/// Whether a schedule is checked before its loops are made.
fn is_checked_first(options: &Options, origin: Origin) -> bool {
    options.verify || options.schedule.is_some() || origin.is_foreign()
}

/// What makes a schedule, as a script; `None`: the set library gave up.
pub(crate) fn script_of(scop: &Scop, deps: &Dependences, schedule: &Schedule) -> Option<String> {
    script::recovered(None, (scop, deps), schedule).ok()
}

/// Refuses a program that does not do what the source does, for the least tile sizes and the usual ones.
fn proved(scop: &Scop, program: &Program) -> Result<(), Declined> {
    for sizes in &equivalence::sizes(&program.sizes) {
        let _aside = scop.context.ctx().aside(PROOF);
        let answer = equivalence::check(
            scop,
            &Final {
                body: &program.body,
                buffers: &program.buffers,
                handed: &program.handed,
                sizes,
            },
        );
        match answer {
            Answer::Other(why) => {
                let fault = format!("equivalence: {why}");
                return Err(Declined::fault("the new program failed its check", fault));
            }
            // What a limit ends is left to the checks of each step.
            Answer::Open(why) => log::debug!("not proved: {why}"),
            Answer::Same => log::debug!("proved"),
        }
    }
    Ok(())
}

/// Work for a proof.
const PROOF: u64 = 3_000_000;

/// The estimated times of the original and of all programs.
fn report(
    original: &Original,
    chosen: &str,
    time: Compared,
    all: &[(String, Vec<Time>)],
) -> String {
    let declined = time == Compared::Never;
    let mut candidates = vec![Report {
        name: "original".to_owned(),
        time: original.time(),
        chosen: declined,
    }];
    candidates.extend(all.iter().map(|(name, times)| Report {
        name: name.clone(),
        time: times[0],
        chosen: name == chosen && !declined,
    }));
    let reports = Reports {
        original,
        candidates: &candidates,
    };
    reports.to_string()
}

/// The schedule that a script leads to, from the source's order or another one on; what it prints goes to the error stream.
fn by_script(
    (script, region): (&Script, &script::Region),
    scop: &Scop,
    deps: &Dependences,
    from: Option<Schedule>,
) -> Result<Schedule, Declined> {
    let outcome = match from {
        None => script::run(script, region, scop, deps),
        Some(order) => script::run_from(script, region, State::of(scop, deps, &order)?),
    };
    let outcome = outcome.map_err(Declined::error)?;
    let _ = write!(std::io::stderr(), "{}", outcome.output);
    Ok(outcome.schedule)
}

fn search_options(fusion: options::Fusion, budget: u64) -> SearchOptions {
    let fusion = match fusion {
        options::Fusion::None => Fusion::None,
        options::Fusion::Smart
        | options::Fusion::Space
        | options::Fusion::Levels
        | options::Fusion::Original => Fusion::Smart,
        options::Fusion::Max => Fusion::Max,
    };
    // What the search leaves undecided keeps its order, and the later stages have work as well.
    let budget = budget / 4;
    SearchOptions { fusion, budget }
}

/// What the plan may do: as the options say, then without register tiles.
fn plans(options: &Options) -> Vec<PlanOptions> {
    let wanted = plan_options(options);
    let plain = PlanOptions {
        register_tiles: false,
        ..wanted.clone()
    };
    match wanted.register_tiles {
        true => vec![wanted, plain],
        false => vec![wanted],
    }
}

pub(crate) fn plan_options(options: &Options) -> PlanOptions {
    let tiling = match (&options.tile_sizes, options.tile) {
        (_, false) => Tiling::Off,
        (TileSizes::List(sizes), true) => Tiling::Fixed(sizes.iter().map(|&s| s.into()).collect()),
        (TileSizes::Auto | TileSizes::Runtime, true) => Tiling::Auto,
    };
    PlanOptions {
        tiling,
        second_level: if options.second_level {
            vec![SECOND_LEVEL]
        } else {
            vec![]
        },
        runtime_sizes: options.tile_sizes == TileSizes::Runtime,
        parallel: options.parallel != options::Parallel::Off,
        vectorize: options.vectorize,
        register_tiles: options.vectorize && options.tile,
    }
}

/// Size of second-level tiles: small enough for the first cache in three dimensions.
const SECOND_LEVEL: i64 = 16;

/// Declines a program that is not expected to gain. Who asks for the new version whatever its work gets it if there is
/// any difference.
fn worthwhile(scop: &Scop, body: &Ast, options: &Options, time: Compared) -> Result<(), Declined> {
    let forced = options.min_work == options::MinWork::Instances(0);
    // What is inside of a loop that data guards often gains more by itself, and runs in one order with all around it here.
    if !forced && time != Compared::Faster && scop.stmts.iter().any(hands_on_guarded) {
        return Err(Declined::because(Kind::NoGain, NoGain::Slower));
    }
    let expected = match (gain::expected(scop, body)?, time) {
        (Ok(()), Compared::Never) if options.schedule.is_none() => Err(NoGain::Slower),
        (expected, _) => expected,
    };
    match expected {
        // Nests apart may gain what they do not together.
        Err(why) if !forced || why == NoGain::Nothing => Err(Declined {
            settled: scop.is_one_nest(),
            ..Declined::because(Kind::NoGain, why)
        }),
        _ => Ok(()),
    }
}

/// Whether a statement hands on a scalar that is only computed where a condition on data holds.
fn hands_on_guarded(s: &Stmt) -> bool {
    let own = !matches!(s.write().place, Place::Memory(_));
    own && s
        .body
        .values()
        .any(|value| s.body.zero_unless(value).is_some())
}

/// Whether the rows behind tables in tables can be found: each is looked for by its own pointer, and nothing else is done with them.
fn finds_rows(check: &Check) -> bool {
    check.inspected.is_none()
        && check.written.is_empty()
        && (check.rows.iter()).all(|r| r.columns.is_some() && r.knows_entries())
}
