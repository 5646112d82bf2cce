//! What was done to a region, as the remark on it says:
//!
//! ```text
//! 2 statements, 4 tile loops, 1 parallel loop, 1 vector loop, 1 register tile, 2 packed operands; bands of 3; tiles of
//! 96 x 1104 x 240, 8 x 24 x all; at run time: 3 conditions, 2 pairs of arrays apart, enough work
//! ```

use crate::remarks::{Remark, counted, noun};
use polytile_analysis::ast::{Ast, Check, Expr, ForKind, Program};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Schedule, Tile, TileSize, Tree};

/// At most so many different tilings are named.
const TILINGS: usize = 4;

/// What was done.
pub struct Summary {
    /// Key in YAML records, how many, of what.
    counts: Vec<(&'static str, usize, &'static str)>,
    /// Members of each outermost band of two or more.
    bands: Vec<usize>,
    /// Different tilings, outermost ones first: `96 x 1104 x 240`.
    tilings: Vec<String>,
    /// What is checked at run time.
    checks: Vec<String>,
    /// Which interleavings of its loops were compared, and which were not.
    pub(crate) interleavings: Option<String>,
}

/// Summarizes the way from a SCoP to its program.
pub fn of(scop: &Scop, schedule: &Schedule, program: &Program) -> Summary {
    let mut features = Features::default();
    features.visit(&program.body);
    let mut shape = Shape::default();
    shape.visit(&schedule.root, schedule, false);
    Summary {
        counts: vec![
            ("Statements", scop.stmts.len(), "statement"),
            ("TileLoops", features.steps, "tile loop"),
            ("ParallelLoops", features.parallel, "parallel loop"),
            ("Teams", features.teams, "team loop"),
            ("VectorLoops", features.vector, "vector loop"),
            ("RegisterTiles", features.kernels, "register tile"),
            ("PackedOperands", features.packs, "packed operand"),
        ],
        bands: shape.bands,
        tilings: shape.tilings,
        checks: checks(&program.check),
        interleavings: None,
    }
}

impl Summary {
    /// Adds it to a remark.
    pub fn tell(&self, mut remark: Remark) -> Remark {
        let mut between = "";
        for (key, count, what) in self.counts.iter().filter(|(_, count, _)| *count > 0) {
            remark = remark
                .text(between)
                .value(key, count)
                .text(format!(" {}", noun(*count, what)));
            between = ", ";
        }
        let bands: Vec<String> = self.bands.iter().map(usize::to_string).collect();
        for (lead, key, list) in [
            ("; bands of ", "Bands", &bands),
            ("; tiles of ", "TileSizes", &self.tilings),
            ("; at run time: ", "Checks", &self.checks),
        ] {
            if !list.is_empty() {
                remark = remark.text(lead).value(key, list.join(", "));
            }
        }
        if let Some(words) = &self.interleavings {
            remark = remark
                .text("; interleavings: ")
                .value("Interleavings", words);
        }
        remark
    }
}

/// What has to hold for the new version to run.
fn checks(check: &Check) -> Vec<String> {
    let some = |n: usize, what: &str, more: &str| (n > 0).then(|| counted(n, what) + more);
    let parts = [
        some(
            check.conditions.len() + check.worth.len() + check.poly_checks.len(),
            "condition",
            "",
        ),
        some(check.apart.len(), "pair", " of arrays apart"),
        check.inspected.as_ref().map(|inspected| {
            let arrays = counted(inspected.written.len(), "array");
            format!("addresses compared with {arrays}")
        }),
        check.work.as_ref().map(|_| "enough work".to_string()),
        (check.alone.as_ref()).map(|_| "several threads or arrays beyond the cache".to_string()),
    ];
    parts.into_iter().flatten().collect()
}

/// What the program has that the original has not.
#[derive(Default)]
struct Features {
    parallel: usize,
    teams: usize,
    vector: usize,
    steps: usize,
    kernels: usize,
    packs: usize,
}

impl Features {
    fn visit(&mut self, ast: &Ast) {
        match ast {
            Ast::For(l) => {
                match l.kind {
                    ForKind::Parallel { .. } => self.parallel += 1,
                    ForKind::Team { .. } => self.teams += 1,
                    ForKind::Vector
                    | ForKind::ShortVector { .. }
                    | ForKind::Squares { .. }
                    | ForKind::Lanes { .. }
                    | ForKind::Diagonal { .. }
                    | ForKind::Strips { .. } => {
                        self.vector += 1;
                    }
                    ForKind::Sequential | ForKind::Stage => {}
                }
                self.steps += usize::from(l.step != Expr::Int(1));
                self.visit(&l.body);
            }
            Ast::If { then, els, .. } => {
                self.visit(then);
                els.iter().for_each(|e| self.visit(e));
            }
            Ast::Block(list) => list.iter().for_each(|a| self.visit(a)),
            Ast::User(_) => {}
            Ast::MicroKernel(_) => self.kernels += 1,
            Ast::Pack(_) => self.packs += 1,
        }
    }
}

/// Bands and tiles of a schedule.
#[derive(Default)]
struct Shape {
    bands: Vec<usize>,
    tilings: Vec<String>,
}

impl Shape {
    /// `inside`: below a tile band, where bands repeat its members.
    fn visit(&mut self, tree: &Tree, schedule: &Schedule, inside: bool) {
        match tree {
            Tree::Band(band) => self.band(band, schedule, inside),
            Tree::Sequence(branches) | Tree::Set(branches) => {
                branches
                    .iter()
                    .for_each(|b| self.visit(&b.child, schedule, inside));
            }
            Tree::Mark(_, child) => self.visit(child, schedule, inside),
            Tree::Leaf => {}
        }
    }

    fn band(&mut self, band: &Band, schedule: &Schedule, inside: bool) {
        let members = band.schedule.size();
        if members > 1 && band.permutable && !inside {
            self.bands.push(members);
        }
        if let Some(tile) = &band.tile {
            let text = tiling(tile, schedule);
            if self.tilings.len() < TILINGS && !self.tilings.contains(&text) {
                self.tilings.push(text);
            }
        }
        self.visit(&band.child, schedule, inside || band.tile.is_some());
    }
}

/// Sizes in the order of the members, where the program's environment does not override them.
fn tiling(tile: &Tile, schedule: &Schedule) -> String {
    let size = |size: &TileSize| match size {
        TileSize::Const(n) => n.to_string(),
        TileSize::Param(p) => schedule.sizes[*p].default.to_string(),
        TileSize::Whole => "all".to_string(),
    };
    let sizes: Vec<String> = tile.sizes.iter().map(size).collect();
    sizes.join(" x ")
}
