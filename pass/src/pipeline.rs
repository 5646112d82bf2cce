//! The stages, one line each: from a region to the program that takes its place.
//!
//! Nothing here touches LLVM. Every stage can be printed (`dump=STAGE`) and can be the last one (`stop-after=STAGE`).

use crate::given::Given;
use crate::options::{self, Options, Stage, TileSizes};
use crate::summary::{self, Summary};
use polytile_analysis::ast::{Program, Threads};
use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::detect;
use polytile_analysis::ids::{BlockId, LoopId};
use polytile_analysis::poly::{self, Ctx};
use polytile_analysis::region::Region;
use polytile_analysis::scop::Scop;
use polytile_analysis::text;
use polytile_analysis::tree::Schedule;
use polytile_analysis::validate::Flaw;
use polytile_transform::ast::{self, AstOptions, generate_with};
use polytile_transform::choose::{Original, Report, Reports, estimated};
use polytile_transform::expand::{
    expand_arrays, expand_scalars, group_statements, map_scalars, merge_updates, version_arrays,
};
use polytile_transform::gain::{self, Compared, NoGain};
use polytile_transform::plan::{PlanOptions, Tiling, plan};
use polytile_transform::reroll::{reroll, united};
use polytile_transform::schedule::{Fusion, SearchOptions, search};
use polytile_transform::script::{self, Script};
use polytile_transform::symbolic::with_symbolic_sizes;
use polytile_transform::target::Target;
use polytile_transform::work::UNITS_PER_NS;
use polytile_transform::{guard, legality};
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
}

/// Why a region stays as it is.
pub struct Declined {
    /// The reason, for a reader.
    pub reason: String,
    /// The loop that is to blame: what is inside may still be transformed.
    pub loop_: Option<LoopId>,
    /// The block that is to blame.
    pub block: Option<BlockId>,
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
    fn because(reason: impl ToString) -> Declined {
        Declined {
            reason: reason.to_string(),
            loop_: None,
            block: None,
            settled: false,
            late: false,
            fault: None,
            error: None,
        }
    }

    /// What the user asked for cannot be done.
    fn error(text: impl ToString) -> Declined {
        Declined {
            settled: true,
            error: Some(text.to_string()),
            ..Declined::because(text)
        }
    }

    /// A failed self-check; `reason` says in a user's words what that means for the region.
    fn fault(reason: impl ToString, fault: impl ToString) -> Declined {
        Declined {
            fault: Some(fault.to_string()),
            ..Declined::because(reason)
        }
    }
}

impl From<poly::Error> for Declined {
    fn from(e: poly::Error) -> Declined {
        Declined {
            late: spent(&e),
            fault: e.is_misuse().then(|| e.to_string()),
            ..Declined::because(e.in_words())
        }
    }
}

impl From<detect::Reject> for Declined {
    fn from(r: detect::Reject) -> Declined {
        let declined = match &r.kind {
            detect::RejectKind::Poly(e) => Declined::from(e.clone()),
            _ => Declined::because(&r),
        };
        Declined {
            loop_: r.loop_,
            block: r.block,
            ..declined
        }
    }
}

/// Whether nothing more can be done for a region.
fn spent(e: &poly::Error) -> bool {
    *e == poly::Error::Budget
}

/// What the stages ask their caller.
pub struct Clients<'a> {
    /// Sees the region's SCoP, whatever comes of it.
    pub modelled: &'a mut dyn FnMut(&Scop),
    /// Whether code generation can emit a program, and else why not.
    pub emits: &'a dyn Fn(&Program, &Scop) -> Result<(), String>,
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
    let result = stages(&ctx, region, target, (options, given), clients);
    (result, ctx.work())
}

fn stages(
    ctx: &Ctx,
    region: &Region,
    target: &Target,
    (options, given): (&Options, &Given),
    clients: Clients,
) -> Result<Optimized, Declined> {
    let stages = Stages { options };
    stages.done(Stage::Region, || text::print_region(region))?;
    let (found, scop) = {
        let _quota = ctx.quota(options.budget / 5 * 2);
        let found = detect::build(ctx, region)?;
        (found.clone(), stages.rewritten(found, region)?)
    };
    if scop.stmts.is_empty() {
        return Err(Declined::because(detect::RejectKind::NoWrite));
    }
    (clients.modelled)(&scop);
    stages.done(Stage::Scop, || text::print_scop(&scop))?;
    let deps = {
        let _quota = ctx.quota(options.budget / 4);
        deps::compute(&scop, false)?
    };
    stages.done(Stage::Deps, || text::print_deps(&scop, &deps))?;
    let candidates = Candidates {
        found,
        scop,
        deps,
        target,
        stages,
        given,
        emits: clients.emits,
    };
    candidates.first_that_passes(ctx)
}

struct Stages<'a> {
    options: &'a Options,
}

impl Stages<'_> {
    /// The SCoP as the search takes it, from the one that was detected.
    fn rewritten(&self, found: Scop, region: &Region) -> Result<Scop, Declined> {
        let alike = |a, b| region.alike(a, b);
        let scop = self.rewrite("detection", found, |s| Ok(s.clone()))?;
        let scop = self.rewrite("map_scalars", scop, map_scalars)?;
        let scop = self.rewrite("united", scop, |s| united(s, &alike))?;
        let scop = self.rewrite("reroll", scop, |s| reroll(s, &alike))?;
        // Before dependences: expanded scalars and arrays order less.
        let scop = self.rewrite("merge_updates", scop, merge_updates)?;
        let scop = self.rewrite("version_arrays", scop, |s| match version_arrays(s)? {
            // What stood between a scalar and its element may have gone to the copy.
            Some(versioned) => map_scalars(&versioned),
            None => Ok(s.clone()),
        })?;
        // What is private to an iteration of a group needs no expansion.
        let scop = self.rewrite("group_statements", scop, group_statements)?;
        let scop = self.rewrite("expand_scalars", scop, expand_scalars)?;
        let scop = self.rewrite("expand_arrays", scop, expand_arrays)?;
        self.rewrite("with_symbolic_sizes", scop, with_symbolic_sizes)
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
        if self.options.verify {
            match new.validate() {
                Err(Flaw::Poly(e)) if !e.is_misuse() => return Err(e.into()),
                valid => valid.map_err(|flaw| fault(&flaw))?,
            }
        }
        Ok(new)
    }

    /// Prints a stage's result, and stops after it, if the user wants so.
    fn done(&self, stage: Stage, text: impl Fn() -> String) -> Result<(), Declined> {
        let stop = self.options.stop_after == Some(stage);
        if self.options.dump.contains(&stage) {
            let _ = write!(std::io::stderr(), "{}", text());
        }
        match stop {
            true => Err(Declined {
                settled: true,
                ..Declined::because(format!("stopped after {}", stage.name()))
            }),
            false => Ok(()),
        }
    }
}

/// A SCoP and what is asked for each of its schedules.
struct Candidates<'a> {
    /// As it was detected.
    found: Scop,
    /// As the search takes it.
    scop: Scop,
    deps: Dependences,
    target: &'a Target,
    stages: Stages<'a>,
    given: &'a Given,
    emits: &'a dyn Fn(&Program, &Scop) -> Result<(), String>,
}

impl Candidates<'_> {
    /// The user's script or schedule, or the search's with the plan's tiles; without register tiles, if a self-check refuses those.
    fn first_that_passes(self, ctx: &Ctx) -> Result<Optimized, Declined> {
        let options = self.stages.options;
        if let Some((script, region)) = self.given.region(&self.scop) {
            let schedule = by_script(script, region, &self.scop, &self.deps)?;
            return self.program(&schedule, Some((script, region)));
        }
        if let Some(text) = &self.given.schedule {
            let schedule = text::parse_schedule(ctx, text).map_err(Declined::because)?;
            return self.program(&schedule, None).map_err(|declined| Declined {
                fault: None,
                ..declined
            });
        }
        let found = {
            let _quota = ctx.quota(options.budget / 2);
            search(&self.scop, &self.deps, &search_options(options))?
        };
        let mut refused = None;
        for plan in &plans(options) {
            match self.planned(ctx, &found, plan) {
                Err(declined) if declined.fault.is_some() && !options.verify => {
                    refused.get_or_insert(declined);
                }
                passed => return passed,
            }
        }
        Err(refused.expect("there is a plan"))
    }

    fn planned(
        &self,
        ctx: &Ctx,
        found: &Schedule,
        options: &PlanOptions,
    ) -> Result<Optimized, Declined> {
        let schedule = {
            let _quota = ctx.quota(self.stages.options.budget / 2);
            plan(&self.scop, &self.deps, found, self.target, options)?
        };
        self.program(&schedule, None)
    }

    /// A schedule's program, if it is legal, pays and can be emitted.
    fn program(
        &self,
        schedule: &Schedule,
        scripted: Option<(&Script, &script::Region)>,
    ) -> Result<Optimized, Declined> {
        let (scop, deps, target) = (&self.scop, &self.deps, self.target);
        let options = self.stages.options;
        let done = |stage, text: &dyn Fn() -> String| self.stages.done(stage, text);
        done(Stage::Schedule, &|| text::print_schedule(schedule))?;
        // Whoever made it: nothing unchecked reaches code generation.
        legality::check(scop, schedule, deps).map_err(|v| match &v.rule {
            _ if let Some((script, region)) = scripted => {
                Declined::error(script.error(region.at, format!("not emitted: {v}")))
            }
            legality::Rule::Undecided(e) => Declined::from(e.clone()),
            _ if options.schedule.is_some() => Declined::because(&v),
            _ => Declined::fault("the new order failed its check", &v),
        })?;
        let time = match options.min_work == options::MinWork::Auto {
            true => gain::compared(scop, deps, schedule, target)?,
            false => Compared::Faster,
        };
        let program = program(scop, deps, schedule, target, options, time)?;
        done(Stage::Ast, &|| program.body.to_string())?;
        self.reported(&program, schedule)?;
        if scripted.is_none() {
            worthwhile(scop, &program, options, time)?;
        }
        done(Stage::Script, &|| {
            script::recovered(scop, deps, schedule)
                .unwrap_or_else(|e| format!("# no script: {e}\n"))
        })?;
        (self.emits)(&program, scop).map_err(|why| Declined::fault(&why, &why))?;
        let summary = summary::of(scop, schedule, &program);
        Ok(Optimized {
            scop: scop.clone(),
            program,
            summary,
        })
    }

    /// Prints the estimated times of the original and of a program.
    fn reported(&self, program: &Program, schedule: &Schedule) -> Result<(), Declined> {
        if !self.stages.options.dump.contains(&Stage::Model) {
            return Ok(());
        }
        let original = Original::new(&self.found, self.target)?;
        let new = estimated(&self.scop, &program.body, schedule, self.target)?;
        let candidates = [
            Report {
                name: "original",
                time: original.time,
                chosen: false,
            },
            Report {
                name: "plan",
                time: new,
                chosen: true,
            },
        ];
        let reports = Reports {
            original: &original,
            candidates: &candidates,
        };
        self.stages.done(Stage::Model, || reports.to_string())
    }
}

/// The schedule that a script leads to; what it prints goes to the error stream.
fn by_script(
    script: &Script,
    region: &script::Region,
    scop: &Scop,
    deps: &Dependences,
) -> Result<Schedule, Declined> {
    let outcome = script::run(script, region, scop, deps).map_err(Declined::error)?;
    let _ = write!(std::io::stderr(), "{}", outcome.output);
    Ok(outcome.schedule)
}

fn search_options(options: &Options) -> SearchOptions {
    let fusion = match options.fusion {
        options::Fusion::None => Fusion::None,
        options::Fusion::Smart => Fusion::Smart,
        options::Fusion::Max => Fusion::Max,
    };
    // What the search leaves undecided keeps its order, and the later stages have work as well.
    let budget = options.budget / 4;
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

fn plan_options(options: &Options) -> PlanOptions {
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
        parallel: options.parallel,
        vectorize: options.vectorize,
        register_tiles: options.vectorize && options.tile,
    }
}

/// Size of second-level tiles: small enough for the first cache in three dimensions.
const SECOND_LEVEL: i64 = 16;

fn program(
    scop: &Scop,
    deps: &Dependences,
    schedule: &Schedule,
    target: &Target,
    options: &Options,
    time: Compared,
) -> Result<Program, Declined> {
    let mut check = guard::check(scop, schedule)?;
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
        check
            .conditions
            .extend(guard::long_diagonals(scop, schedule)?);
    }
    let gains_by_threads = auto && guard::same_loops(scop, deps, schedule)?;
    let own_sizes = auto && options.tile_sizes == TileSizes::Auto;
    let by_threads = own_sizes
        && (time != Compared::Faster
            || guard::only_waves(scop, schedule, target)?
            || guard::only_threads(scop, deps, schedule, target)?);
    if by_threads {
        check.threads = Threads::Several;
    }
    let min_work = i64::from(options.parallel_min_us) * 1000 * UNITS_PER_NS;
    let defaults = AstOptions::default();
    let ast_options = AstOptions {
        parallel_min_work: min_work,
        repeated_min_work: defaults.repeated_min_work.min(min_work),
        ..defaults
    };
    let generated = generate_with(scop, schedule, &ast_options)?;
    if gains_by_threads || by_threads {
        check.conditions.extend(ast::worth(&generated.body));
    }
    Ok(Program {
        check,
        sizes: schedule.sizes.clone(),
        buffers: generated.buffers,
        handed: ast::handed_on(scop, &generated.body),
        body: generated.body,
    })
}

/// Declines a program that is not expected to gain. Who asks for the new version whatever its work gets it if there is
/// any difference.
fn worthwhile(
    scop: &Scop,
    program: &Program,
    options: &Options,
    time: Compared,
) -> Result<(), Declined> {
    let forced = options.min_work == options::MinWork::Instances(0);
    let expected = match (gain::expected(scop, &program.body)?, time) {
        (Ok(()), Compared::Never) if options.schedule.is_none() => Err(NoGain::Slower),
        (expected, _) => expected,
    };
    match expected {
        // Nests apart may gain what they do not together.
        Err(why) if !forced || why == NoGain::Nothing => Err(Declined {
            settled: scop.outermost_loops() == 1,
            ..Declined::because(why)
        }),
        _ => Ok(()),
    }
}
