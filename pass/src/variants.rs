//! All candidates of a region, for whoever wants to choose himself: listed by option `candidates`, obeyed by `choose`.
//!
//! Candidate 0 is the original. The others are the plans of three searches (`plan`: as the options say; `apart`: no statement shares a
//! loop that need not; `fused`: all that may), each as it is, without threads, without register tiles, and without tiles. Of equal
//! ones the first is listed. The same options give the same list, so that numbers of one compilation serve the next.

use crate::candidates::{Candidate, Candidates, Origin, plan_options, script_of};
use crate::known::{Known, place, target_name};
use crate::options::Fusion;
use crate::pipeline::{Declined, Optimized};
use crate::reason::Kind;
use polytile_analysis::ast::Ast;
use polytile_analysis::deps::{DepKind, Dependence, Dependences};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::text;
use polytile_analysis::tree::{SizeParam, original};
use polytile_records::listing::{self, Listed, Predicted, Size};
use polytile_records::{Arithmetic, Candidate as Line, Edge, FORMAT, Picture, Statement};
use polytile_transform::ast::generate;
use polytile_transform::choose::Compared;
use polytile_transform::interp;
use polytile_transform::model::Time;
use polytile_transform::plan::{PlanOptions, Tiling};
use std::collections::BTreeSet;

/// Names of the plans of a search: as it is, without threads, without register tiles, without tiles.
type Names = [&'static str; 4];

const PLAN: Names = ["plan", "plan-sequential", "plan-scalar", "plan-untiled"];
const APART: Names = ["apart", "apart-sequential", "apart-scalar", "apart-untiled"];
const FUSED: Names = ["fused", "fused-sequential", "fused-scalar", "fused-untiled"];

impl Candidates<'_> {
    /// All candidates but the original, each legal; work on them counts for nothing.
    fn variants(&self, ctx: &Ctx) -> Vec<Candidate> {
        let options = self.stages.options;
        let searches = [
            (PLAN, options.fusion),
            (APART, Fusion::None),
            (FUSED, Fusion::Max),
        ];
        let mut seen = BTreeSet::new();
        let mut all = vec![];
        for (names, fusion) in searches {
            let found = {
                let _aside = ctx.aside(options.budget);
                self.found(ctx, fusion)
            };
            let Ok(found) = found else {
                continue;
            };
            for (name, plan) in names.into_iter().zip(forms(&plan_options(options))) {
                let _aside = ctx.aside(options.budget);
                let Ok(schedule) = self.planned(ctx, &found, &plan) else {
                    continue;
                };
                if !seen.insert(text::print_schedule(&schedule)) {
                    continue;
                }
                let candidate = self.candidate(name, schedule, Origin::Chosen);
                all.extend(candidate.ok().filter(|c| self.is_legal(c)));
            }
        }
        all
    }

    fn is_legal(&self, candidate: &Candidate) -> bool {
        self.legal(&candidate.schedule, Origin::Chosen).is_ok()
    }

    /// Why the original stays: somebody wants it so, or nothing else would be made of it anyway, and parts of it may be tried as ever.
    pub(crate) fn left(&self, ctx: &Ctx, why: &str) -> Declined {
        match self.searched(ctx) {
            Err(declined) => declined,
            Ok(_) => Declined {
                settled: true,
                ..Declined::because(Kind::Given, why)
            },
        }
    }

    /// The candidate that the user asks for.
    pub(crate) fn obeyed(
        &self,
        ctx: &Ctx,
        known: &Known,
        number: usize,
    ) -> Result<Optimized, Declined> {
        if number == 0 {
            return Err(self.left(ctx, "the original was chosen (option choose)"));
        }
        let variants = self.variants(ctx);
        let count = variants.len();
        let (place, hash) = (place(&self.scop), &known.hash);
        let wanted =
            format!("option 'choose' asks for candidate {number} of {place}, region {hash}");
        let Some(chosen) = variants.into_iter().nth(number - 1) else {
            return Err(Declined::error(format!(
                "{wanted}, which has candidates 0 to {count}; candidates=FILE lists them"
            )));
        };
        let chosen = Candidate {
            time: Compared::Faster,
            measured: None,
            ..chosen
        };
        let settled = self.settled(chosen, vec![], Origin::Chosen);
        settled.map_err(|declined| {
            let why = declined.reason.words;
            Declined::error(format!(
                "{wanted}, which cannot be made: {why}; choose another, or 0 for the original"
            ))
        })
    }

    /// Puts the region's candidates on the list. `order`: the schedule of the one that was taken, in text.
    pub(crate) fn list(&self, ctx: &Ctx, known: &Known, order: Option<&str>) {
        let variants = self.variants(ctx);
        let same = |c: &Candidate| order == Some(&text::print_schedule(&c.schedule));
        let chosen = variants.iter().position(same).map_or(0, |i| i + 1);
        let mut candidates = vec![self.original_line(ctx)];
        for variant in &variants {
            candidates.push(self.line(ctx, known, variant, candidates.len()));
        }
        let place = place(&self.scop);
        self.given.list(Listed {
            format: FORMAT,
            hash: known.hash.clone(),
            function: place.function.to_owned(),
            file: place.file.map(str::to_owned),
            line: place.line,
            target: target_name(self.target),
            numbers: (self.target.numbers())
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            at: (self.original.as_ref()).map_or(String::new(), |o| values(o.typical()).join(", ")),
            arithmetic: self.arithmetic(),
            chosen,
            statements: statements(&self.scop, known),
            dependences: edges(&self.scop, &self.deps),
            candidates,
            scop: known.canonical.text().to_owned(),
        });
    }

    fn arithmetic(&self) -> Option<Arithmetic> {
        let known = self.original.as_ref()?.arithmetic(self.target).ok()?;
        Some(Arithmetic {
            flops: known.flops,
            peak: known.peak,
        })
    }

    fn original_line(&self, ctx: &Ctx) -> Line {
        let _aside = ctx.aside(self.stages.options.budget);
        let body = original(&self.scop).and_then(|s| generate(&self.scop, &s));
        let body = body.ok();
        let judged = self.original.as_ref();
        Line {
            number: 0,
            name: "original".to_owned(),
            predicted: judged.map(|o| predicted(o.time())),
            bytes: judged.and_then(|o| o.bytes(self.target).ok()),
            script: None,
            code: body.as_ref().map(Ast::to_string),
            pictures: body.map_or(vec![], |body| pictures(&self.scop, &body, &[])),
            sizes: vec![],
        }
    }

    fn line(
        &self,
        ctx: &Ctx,
        known: &Known,
        variant: &Candidate,
        number: usize,
    ) -> listing::Candidate {
        let _aside = ctx.aside(self.stages.options.budget);
        let size = |s: &SizeParam| Size {
            name: s.name.clone(),
            default: s.default,
            multiple_of: s.multiple_of.max(1),
        };
        let program = (&self.scop, &variant.generated.body, &variant.schedule);
        Line {
            number,
            name: variant.name.to_owned(),
            predicted: variant.times.first().copied().map(predicted),
            bytes: (self.original.as_ref()).and_then(|o| o.bytes_of(program, self.target).ok()),
            script: script_of(&self.scop, &self.deps, &variant.schedule)
                .map(|script| known.canonical.general(&script)),
            code: Some(variant.generated.body.to_string()),
            pictures: pictures(&self.scop, &variant.generated.body, &variant.schedule.sizes),
            sizes: variant.schedule.sizes.iter().map(size).collect(),
        }
    }
}

/// Pictures of a program's order; none if it cannot be run for small sizes.
fn pictures(scop: &Scop, body: &Ast, sizes: &[SizeParam]) -> Vec<Picture> {
    let Ok(made) = interp::pictures(scop, body, sizes) else {
        return vec![];
    };
    let sizes = sizes.iter().zip(&made.sizes);
    let sizes = sizes.map(|(s, v)| format!("{} = {v}", s.name));
    let mut at = values(&made.params);
    at.extend(sizes);
    let one = |p: interp::Picture| Picture {
        statement: scop.stmt(p.stmt).name.clone(),
        dims: p.dims,
        at: at.join(", "),
        cells: p.cells,
        tiles: p.tiles,
    };
    made.pictures.into_iter().map(one).collect()
}

/// Values of parameters, which are called as in the canonical text.
fn values(params: &[i64]) -> Vec<String> {
    let all = params.iter().enumerate();
    all.map(|(n, v)| format!("P{n} = {v}")).collect()
}

fn statements(scop: &Scop, known: &Known) -> Vec<Statement> {
    let one = |s: &Stmt| Statement {
        name: s.name.clone(),
        line: s.loc.as_ref().map(|l| l.line),
        domain: known.canonical.general(&s.domain.to_string()),
    };
    scop.stmts.iter().map(one).collect()
}

/// Dependences, one for each pair of statements, kind and array.
fn edges(scop: &Scop, deps: &Dependences) -> Vec<Edge> {
    let ordering = |d: &&Dependence| !d.kind.contains(DepKind::INPUT);
    let all = deps.list.iter().filter(ordering).flat_map(|d| {
        d.arrays.iter().map(|a| Edge {
            from: scop.stmt(d.src).name.clone(),
            to: scop.stmt(d.dst).name.clone(),
            kind: text::print_kind(d.kind),
            array: scop.array(*a).name.clone(),
        })
    });
    all.collect::<BTreeSet<Edge>>().into_iter().collect()
}

fn predicted(time: Time) -> Predicted {
    Predicted {
        one: time.one,
        two: time.two,
    }
}

/// Plans, in the order of [`Names`].
fn forms(wanted: &PlanOptions) -> [PlanOptions; 4] {
    let plain = PlanOptions {
        register_tiles: false,
        ..wanted.clone()
    };
    [
        wanted.clone(),
        PlanOptions {
            parallel: false,
            ..wanted.clone()
        },
        plain.clone(),
        PlanOptions {
            tiling: Tiling::Off,
            ..plain
        },
    ]
}
