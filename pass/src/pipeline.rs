//! The stages, one line each: from a region to the program that takes its place.
//!
//! Nothing here touches LLVM. Every stage can be printed (`dump=STAGE`) and can be the last one (`stop-after=STAGE`).

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
use polytile_transform::ast::{self, AstOptions, generate_with};
use polytile_transform::expand::{
    expand_arrays, expand_scalars, map_scalars, merge_updates, version_arrays,
};
use polytile_transform::gain::{self, Compared, NoGain};
use polytile_transform::plan::{PlanOptions, Tiling, plan};
use polytile_transform::reroll::{reroll, united};
use polytile_transform::schedule::{Fusion, SearchOptions, search};
use polytile_transform::symbolic::with_symbolic_sizes;
use polytile_transform::target::Target;
use polytile_transform::work::UNITS_PER_NS;
use polytile_transform::{guard, legality};
use std::io::Write;
use std::time::Duration;

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
}

impl Declined {
    fn because(reason: impl ToString) -> Declined {
        Declined {
            reason: reason.to_string(),
            loop_: None,
            block: None,
            settled: false,
            late: false,
        }
    }
}

impl From<poly::Error> for Declined {
    fn from(e: poly::Error) -> Declined {
        Declined {
            late: spent(&e),
            ..Declined::because(e)
        }
    }
}

impl From<detect::Reject> for Declined {
    fn from(r: detect::Reject) -> Declined {
        Declined {
            reason: r.to_string(),
            late: matches!(&r.kind, detect::RejectKind::Poly(e) if spent(e)),
            loop_: r.loop_,
            block: r.block,
            settled: false,
        }
    }
}

/// Whether nothing more can be done for a region.
fn spent(e: &poly::Error) -> bool {
    matches!(e, poly::Error::Budget | poly::Error::Deadline)
}

/// Runs all stages on a region, with so much work at most; what it came to, and the work. `modelled` sees its SCoP, whatever
/// comes of it.
pub fn optimize(
    region: &Region,
    target: &Target,
    options: &Options,
    budget: u64,
    modelled: impl FnOnce(&Scop),
) -> (Result<Optimized, Declined>, u64) {
    let ctx = Ctx::new();
    ctx.set_budget(budget);
    let result = stages(&ctx, region, target, options, modelled);
    (result, ctx.work())
}

fn stages(
    ctx: &Ctx,
    region: &Region,
    target: &Target,
    options: &Options,
    modelled: impl FnOnce(&Scop),
) -> Result<Optimized, Declined> {
    // What is not declined by then never ends.
    let _last_resort = ctx.deadline(Duration::from_secs(options.deadline.into()));
    let stages = Stages { options };
    stages.done(Stage::Region, || text::print_region(region))?;
    let scop = {
        let _quota = ctx.quota(options.budget / 5 * 2);
        let found = detect::build(ctx, region)?;
        let alike = |a, b| region.alike(a, b);
        let rolled = reroll(&united(&map_scalars(&found)?, &alike)?, &alike)?;
        // Before dependences: expanded scalars and arrays order less.
        let merged = merge_updates(&rolled)?;
        let versioned = match version_arrays(&merged)? {
            // What stood between a scalar and its element may have gone to the copy.
            Some(versioned) => map_scalars(&versioned)?,
            None => merged,
        };
        let expanded = expand_arrays(&expand_scalars(&versioned)?)?;
        with_symbolic_sizes(&expanded)?
    };
    modelled(&scop);
    stages.done(Stage::Scop, || text::print_scop(&scop))?;
    let deps = {
        let _quota = ctx.quota(options.budget / 4);
        deps::compute(&scop, false)?
    };
    stages.done(Stage::Deps, || text::print_deps(&scop, &deps))?;
    let schedule = schedule(ctx, &scop, &deps, target, options)?;
    stages.done(Stage::Schedule, || text::print_schedule(&schedule))?;
    // Whoever made it: nothing unchecked reaches code generation.
    legality::check(&scop, &schedule, &deps).map_err(|v| Declined {
        late: matches!(&v.rule, legality::Rule::Undecided(e) if spent(e)),
        ..Declined::because(v)
    })?;
    let time = match options.min_work == options::MinWork::Auto {
        true => gain::compared(&scop, &deps, &schedule, target)?,
        false => Compared::Faster,
    };
    let program = program(&scop, &deps, &schedule, target, options, time)?;
    stages.done(Stage::Ast, || program.body.to_string())?;
    worthwhile(&scop, &program, options, time)?;
    let summary = summary::of(&scop, &schedule, &program);
    Ok(Optimized {
        scop,
        program,
        summary,
    })
}

struct Stages<'a> {
    options: &'a Options,
}

impl Stages<'_> {
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

/// The schedule: the user's, or the search's with the plan's tiles.
fn schedule(
    ctx: &Ctx,
    scop: &Scop,
    deps: &Dependences,
    target: &Target,
    options: &Options,
) -> Result<Schedule, Declined> {
    if let Some(file) = &options.schedule {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| {
            Declined::because(format!("schedule file '{name}' cannot be read: {e}"))
        })?;
        return text::parse_schedule(ctx, &text)
            .map_err(|e| Declined::because(format!("schedule file '{name}': {e}")));
    }
    // What the search leaves undecided keeps its order, and the later stages have work as well.
    let budget = options.budget / 4;
    let fusion = match options.fusion {
        options::Fusion::None => Fusion::None,
        options::Fusion::Smart => Fusion::Smart,
        options::Fusion::Max => Fusion::Max,
    };
    let _quota = ctx.quota(options.budget / 2);
    let found = search(scop, deps, &SearchOptions { fusion, budget })?;
    Ok(plan(scop, deps, &found, target, &plan_options(options))?)
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
