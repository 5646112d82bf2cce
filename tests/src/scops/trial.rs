//! One random SCoP on the way to a program.

use super::faults::Emitted;
use super::generate;
use super::place::give_places;
use super::space;
use super::tally::Tally;
use crate::fuzz::random::Random;
use polytile_analysis::deps;
use polytile_analysis::poly::{self, Ctx};
use polytile_analysis::scop::{ArrayKind, Scop};
use polytile_analysis::text;
use polytile_transform::ast::{self, AstOptions, generate_with};
use polytile_transform::equivalence::{self, Answer, Final};
use polytile_transform::expand::{
    expand_arrays, expand_scalars, group_statements, map_scalars, merge_updates, version_arrays,
};
use polytile_transform::interp::{self, Execution};
use polytile_transform::legality::{self, Rule};
use polytile_transform::plan::{PlanOptions, Tiling, plan};
use polytile_transform::schedule::{Fusion, SearchOptions, search};
use polytile_transform::script;
use polytile_transform::symbolic::with_symbolic_sizes;
use polytile_transform::target::Target;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Work for one trial, as for a region.
const BUDGET: u64 = 3_000_000;

/// Of so many seeds one takes a schedule by chance as well.
const SAMPLED: u64 = 3;

/// Work for a proof.
const PROOF: u64 = 1_000_000;

/// The largest value of a parameter, by the depth of the nests: some thousand instances.
const LARGEST: [i64; 5] = [16, 16, 14, 9, 5];

/// Why a trial has no program.
#[derive(Debug)]
pub enum End {
    /// Too much work, or something that is declined.
    Declined(String),
    /// A bug.
    Wrong(String),
}

impl From<poly::Error> for End {
    fn from(e: poly::Error) -> End {
        match e.is_misuse() {
            true => End::Wrong(format!("set library: {e}")),
            false => End::Declined(e.to_string()),
        }
    }
}

/// The trials of a seed; what one was about where something is wrong.
pub fn run(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = generate::text(&mut random);
    let mut own = Tally::default();
    let ended = caught(|| trial(&text, &mut random, &mut own)).map(|end| {
        own.add(match end {
            Some(_) => "declined",
            None => "programs",
        });
    });
    // Loops for rows by chance take longer to make than all of a plan.
    let sampled = match seed % SAMPLED {
        0 => caught(|| space::trial(seed, &mut own)).map(|end| {
            if end.is_some() {
                own.add("samples: declined");
            }
        }),
        _ => Ok(()),
    };
    tally.merge(own);
    let both = ended.and(sampled);
    both.map_err(|why| format!("seed {seed}: {why}\n{text}"))
}

/// What a trial came to: why it was declined, or what is wrong.
fn caught(trial: impl FnOnce() -> Result<(), End>) -> Result<Option<String>, String> {
    match catch_unwind(AssertUnwindSafe(trial)) {
        Ok(Ok(())) => Ok(None),
        Ok(Err(End::Declined(why))) => Ok(Some(why)),
        Ok(Err(End::Wrong(why))) => Err(why),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
            Err(text
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default())
        }
    }
}

/// A program on the way from a SCoP, and what it is held against.
pub struct Made {
    /// As the search takes it.
    pub scop: Scop,
    /// Its dependences.
    pub deps: deps::Dependences,
    /// Values of all parameters.
    pub params: Vec<i64>,
    /// Its order.
    pub schedule: polytile_analysis::tree::Schedule,
    /// The loops.
    pub program: Emitted,
    /// What it was planned for.
    pub told: String,
}

impl Made {
    /// The least and the usual tile sizes.
    pub fn sizes(&self) -> Vec<Vec<i64>> {
        equivalence::sizes(&self.schedule.sizes)
    }

    /// What the interpreter says of a program in place of this one.
    pub fn compared(&self, program: &Emitted, sizes: &[i64]) -> Result<(), interp::Difference> {
        let (body, buffers) = (&program.body, &program.buffers);
        let _aside = self.scop.context.ctx().aside(BUDGET);
        interp::compare(&self.scop, body, buffers, &self.deps, &self.params, sizes)
    }

    /// What the equivalence check says of it, with so much work.
    pub fn proved(&self, program: &Emitted, sizes: &[i64], units: u64) -> Answer {
        let last = Final {
            body: &program.body,
            buffers: &program.buffers,
            handed: &program.handed,
            sizes,
        };
        let _aside = self.scop.context.ctx().aside(units);
        equivalence::check(&self.scop, &last)
    }
}

fn trial(text: &str, random: &mut Random, tally: &mut Tally) -> Result<(), End> {
    let made = make(text, random, tally)?;
    {
        // As the optimizer's plans are printed: what each consists of.
        let _aside = made.scop.context.ctx().aside(BUDGET);
        if let Ok(script) = script::recovered(None, (&made.scop, &made.deps), &made.schedule) {
            tally.steps(&script);
        }
    }
    for sizes in made.sizes() {
        let compared = made.compared(&made.program, &sizes);
        if let Err(interp::Difference::Fault(interp::Fault::Poly(e))) = compared {
            return Err(e.into());
        }
        if let Err(interp::Difference::Fault(interp::Fault::Endless)) = compared {
            tally.add("too many empty iterations");
        } else if let Err(why) = compared {
            let what = format!("{why} at {:?}, sizes {sizes:?}, {}", made.params, made.told);
            return Err(End::Wrong(format!("{what}\n{}", made.program.body)));
        }
        match made.proved(&made.program, &sizes, PROOF) {
            Answer::Same => tally.add("proved"),
            Answer::Open(why) => tally.add(&format!("not proved: {why}")),
            Answer::Other(why) => {
                let what = format!("not the source: {why}, sizes {sizes:?}, {}", made.told);
                return Err(End::Wrong(format!("{what}\n{}", made.program.body)));
            }
        }
    }
    Ok(())
}

/// A SCoP as the search takes it.
pub struct Prepared {
    /// It.
    pub scop: Scop,
    /// Its dependences.
    pub deps: deps::Dependences,
    /// Values of all parameters.
    pub params: Vec<i64>,
}

/// What there is to schedule of a text.
pub fn prepare(text: &str, random: &mut Random, tally: &mut Tally) -> Result<Prepared, End> {
    let ctx = Ctx::new();
    ctx.set_budget(BUDGET);
    let mut source = match text::parse_scop(&ctx, text) {
        Ok(source) => source,
        // What is changed in a sample may be no SCoP any more.
        Err(e) => return Err(End::Declined(format!("{e:?}"))),
    };
    give_places(&mut source)?;
    valid("the source", &source)?;
    let scop = rewritten(&source, random, tally)?;
    let depth = source.stmts.iter().map(|s| s.depth()).max().unwrap_or(0);
    let largest = LARGEST[depth.min(LARGEST.len() - 1)];
    let mut params = vec![];
    for _ in &source.params {
        params.push(random.range(4, largest));
    }
    let all = all_params(&scop, &params);
    let before = original(&source, &params)?;
    let after = original(&scop, &all)?;
    same_results(&source, &before, &after).map_err(End::Wrong)?;
    let deps = deps::compute(&scop, false)?;
    Ok(Prepared {
        scop,
        deps,
        params: all,
    })
}

/// The program of a SCoP.
pub fn make(text: &str, random: &mut Random, tally: &mut Tally) -> Result<Made, End> {
    let Prepared { scop, deps, params } = prepare(text, random, tally)?;
    let fusion = random.pick(&[Fusion::None, Fusion::Smart, Fusion::Smart, Fusion::Max]);
    let options = SearchOptions {
        fusion,
        budget: BUDGET / 4,
    };
    let found = search(&scop, &deps, &options)?;
    legal("the search's", &scop, &found, &deps)?;
    let cpu = random.pick(&["x86-64", "x86-64-v3", "znver4", "znver5"]);
    let target = Target::lookup("x86_64-pc-linux-gnu", cpu, "");
    let options = plan_options(random);
    let schedule = plan(&scop, &deps, &found, &target, &options)?;
    legal("the plan's", &scop, &schedule, &deps).map_err(|e| {
        with(
            e,
            &format!("{cpu} {options:?}\n{}", text::print_schedule(&schedule)),
        )
    })?;
    let ast_options = AstOptions {
        parallel_min_work: 0,
        repeated_min_work: 0,
        vector_bits: target.vector.bits,
        ..AstOptions::default()
    };
    let generated = generate_with(&scop, &schedule, &ast_options)?;
    tally.plan(&text::print_schedule(&schedule), &generated.body);
    tally.rules();
    let told = format!("{cpu} {options:?}");
    let program = Emitted {
        handed: ast::handed_on(&scop, &generated.body),
        body: generated.body,
        buffers: generated.buffers,
    };
    Ok(Made {
        scop,
        deps,
        params,
        schedule,
        program,
        told,
    })
}

fn with(end: End, more: &str) -> End {
    match end {
        End::Wrong(why) => End::Wrong(format!("{why}\n{more}")),
        declined => declined,
    }
}

fn valid(what: &str, scop: &Scop) -> Result<(), End> {
    let wrong = |flaw| {
        End::Wrong(format!(
            "{what} is no SCoP: {flaw}\n{}",
            text::print_scop(scop)
        ))
    };
    match scop.validate() {
        Err(polytile_analysis::validate::Flaw::Poly(e)) => Err(e.into()),
        found => found.map_err(wrong),
    }
}

/// The rewrites before dependences, each left out now and then.
fn rewritten(source: &Scop, random: &mut Random, tally: &mut Tally) -> Result<Scop, End> {
    type Step = (&'static str, fn(&Scop) -> poly::Result<Scop>);
    let steps: [Step; 7] = [
        ("map_scalars", map_scalars),
        ("merge_updates", merge_updates),
        ("version_arrays", |s| {
            Ok(version_arrays(s)?.unwrap_or_else(|| s.clone()))
        }),
        ("group_statements", group_statements),
        ("expand_scalars", expand_scalars),
        ("expand_arrays", expand_arrays),
        ("with_symbolic_sizes", with_symbolic_sizes),
    ];
    let mut scop = source.clone();
    for (name, step) in steps {
        if random.chance(10) {
            continue;
        }
        let new = step(&scop)?;
        valid(name, &new)?;
        if text::print_scop(&new) != text::print_scop(&scop) {
            tally.add(name);
        }
        scop = new;
    }
    Ok(scop)
}

fn plan_options(random: &mut Random) -> PlanOptions {
    let sizes = |random: &mut Random| (0..3).map(|_| random.range(1, 6)).collect();
    PlanOptions {
        tiling: match random.below(5) {
            0 => Tiling::Off,
            1 | 2 => Tiling::Fixed(sizes(random)),
            _ => Tiling::Auto,
        },
        second_level: match random.chance(10) {
            true => vec![random.range(2, 4)],
            false => vec![],
        },
        runtime_sizes: random.chance(30),
        parallel: random.chance(70),
        vectorize: random.chance(85),
        register_tiles: random.chance(80),
    }
}

/// Our own schedules are legal, or it was too much work to tell.
fn legal(
    whose: &str,
    scop: &Scop,
    schedule: &polytile_analysis::tree::Schedule,
    deps: &deps::Dependences,
) -> Result<(), End> {
    legality::check(scop, schedule, deps).map_err(|v| match &v.rule {
        Rule::Undecided(e) => e.clone().into(),
        _ => End::Wrong(format!("{whose} schedule is illegal: {v}")),
    })
}

/// The parameters' values, with those of constants that became parameters.
fn all_params(scop: &Scop, given: &[i64]) -> Vec<i64> {
    let mut all = given.to_vec();
    for p in &scop.params[given.len()..] {
        let value = p.expr.as_constant().expect("a constant stands for itself");
        all.push(i64::try_from(value).expect("a small number"));
    }
    all
}

fn original(scop: &Scop, params: &[i64]) -> Result<Execution, End> {
    interp::original(scop, params).map_err(|f| match f {
        interp::Fault::Endless => End::Declined("too many instances".to_owned()),
        f => End::Wrong(format!(
            "the original order: {f}\n{}",
            text::print_scop(scop)
        )),
    })
}

/// Whether memory, and scalars that live on, end with the same values: rewrites change none.
fn same_results(source: &Scop, before: &Execution, after: &Execution) -> Result<(), String> {
    let lives =
        |a: polytile_analysis::ids::ArrayId| match source.arrays.get(a.index()).map(|a| &a.kind) {
            Some(
                ArrayKind::Memory { .. }
                | ArrayKind::Scalar { live_out: Some(_) }
                | ArrayKind::Intact,
            ) => true,
            Some(ArrayKind::Scalar { live_out: None } | ArrayKind::Temporary) | None => false,
        };
    let cells = before.memory.keys().chain(after.memory.keys());
    for cell in cells.filter(|c| lives(c.0)) {
        if before.memory.get(cell) != after.memory.get(cell) {
            return Err(format!("the rewrites change the value of {cell:?}"));
        }
    }
    Ok(())
}
