//! What is counted of a module (option `stats`): how much of its loops the model covers, as in Fig. 17 of Cohen, Girbal and Temam
//! (2004), and what became of its loop nests.
//!
//! A statement is an instruction in a loop that writes memory, a reference one that reads or writes it (a copy of a range does both, and
//! counts once). A reference counts as affine if it is an access of a static control part, or if its address is affine in the loops around
//! it with numbers that are known in front of them. A part that another one holds does not count again.

use crate::analyses::{Analyses, Evolution};
use crate::extract::Extracted;
use crate::ffi::{Effect, Kind as Form};
use crate::llvm::{Block, Value};
use crate::missed::Missed;
use crate::reason::Kind;
use polytile_analysis::region::InstKind;
use polytile_analysis::scop::Scop;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// What is counted.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Stats {
    /// The module's name.
    pub module: String,
    /// Functions that were looked at.
    pub functions: usize,
    /// Loops in them.
    pub loops: usize,
    /// Static control parts.
    pub parts: usize,
    /// Those of them that have parameters.
    pub parametric_parts: usize,
    /// Statements in loops.
    pub statements: usize,
    /// Those of them in static control parts.
    pub statements_in_parts: usize,
    /// References in loops.
    pub references: usize,
    /// Those of them that are affine.
    pub affine_references: usize,
    /// Loop nests that were transformed.
    pub transformed: usize,
    /// Loop nests that were not, by the kind of reason.
    pub declined: BTreeMap<Kind, usize>,
    /// Other loops that are in no static control part, by the kind of reason.
    pub loops_outside: BTreeMap<Kind, usize>,
}

/// What is known of a function while it is worked on.
#[derive(Default)]
pub struct Tally {
    stats: Stats,
    /// Headers of the loops in static control parts.
    inside: BTreeSet<Block>,
    /// Statements in loops, and whether they are in a part.
    statements: BTreeMap<Value, bool>,
    /// References in loops, and whether they are affine.
    references: BTreeMap<Value, bool>,
}

impl Tally {
    /// The loops of a function before anything is done to it.
    pub fn of(an: &Analyses, f: Value) -> Tally {
        let mut tally = Tally::default();
        let mut headers = BTreeSet::new();
        for b in f.blocks() {
            let Some(l) = an.loop_of(b) else {
                continue;
            };
            headers.insert(l.header());
            for inst in b.instructions() {
                let effect = inst.effect();
                if matches!(effect, Effect::Store | Effect::Memset | Effect::Memcpy) {
                    tally.statements.insert(inst, false);
                }
                let at = match effect {
                    Effect::Load | Effect::Memset | Effect::Memcpy => inst.operand(0),
                    Effect::Store => inst.operand(1),
                    _ => continue,
                };
                let address = an.evolution(at, Some(b));
                let affine = address.is_some_and(|a| is_affine(an, b, a));
                tally.references.insert(inst, affine);
            }
        }
        tally.stats.loops = headers.len();
        tally
    }

    /// A static control part was found.
    pub fn part(&mut self, extracted: &Extracted, scop: &Scop) {
        let before = self.inside.len();
        let headers = extracted.loops.iter().map(|l| l.header());
        self.inside.extend(headers);
        if self.inside.len() == before {
            return;
        }
        self.stats.parts += 1;
        let given = |p: &polytile_analysis::scop::Param| p.expr.as_constant().is_none();
        self.stats.parametric_parts += usize::from(scop.params.iter().any(given));
        for inst in extracted.region.blocks.iter().flat_map(|b| &b.insts) {
            let reads = matches!(inst.kind, InstKind::Load { .. });
            let value = extracted.values[inst.id.index()];
            let writes = matches!(
                inst.kind,
                InstKind::Store { .. } | InstKind::Memset { .. } | InstKind::Memcpy { .. }
            );
            let known = self.statements.get_mut(&value).filter(|_| writes);
            known.into_iter().for_each(|s| *s = true);
            let known = self.references.get_mut(&value);
            let known = known.filter(|_| reads || writes);
            known.into_iter().for_each(|r| *r = true);
        }
    }

    /// So many loop nests became new ones.
    pub fn transformed(&mut self, nests: usize) {
        self.stats.transformed += nests;
    }

    /// Loops that stay as they are.
    pub fn missed(&mut self, missed: &[Missed]) {
        for m in missed {
            let by_kind = match m.nest {
                true => &mut self.stats.declined,
                false => &mut self.stats.loops_outside,
            };
            *by_kind.entry(m.kind).or_default() += 1;
        }
    }

    /// What came of it.
    pub fn finish(mut self) -> Stats {
        let count = |all: &BTreeMap<Value, bool>| (all.len(), all.values().filter(|v| **v).count());
        let stats = &mut self.stats;
        stats.functions = 1;
        (stats.statements, stats.statements_in_parts) = count(&self.statements);
        (stats.references, stats.affine_references) = count(&self.references);
        self.stats
    }
}

/// Whether an address is affine in the loops around a block.
fn is_affine(an: &Analyses, at: Block, e: Evolution) -> bool {
    let outermost = |b: Block| {
        let loops = std::iter::successors(an.loop_of(b), |l| l.parent());
        loops.last().map(|l| l.header())
    };
    let invariant = |v: Value| !v.is_instruction() || outermost(v.parent()) != outermost(at);
    let all = |e: Evolution| e.operands().into_iter().all(|o| is_affine(an, at, o));
    let fixed = |e: Evolution| is_fixed(e, &invariant);
    match e.kind() {
        Form::Constant => true,
        Form::Unknown => invariant(e.unknown()),
        Form::Add | Form::ZExt | Form::SExt | Form::Trunc => all(e),
        Form::Mul => all(e) && e.operands().into_iter().filter(|o| !fixed(*o)).count() <= 1,
        Form::AddRec => match e.operands()[..] {
            [start, step] => is_affine(an, at, start) && fixed(step),
            _ => false,
        },
        _ => fixed(e),
    }
}

/// Whether it has one value in the whole nest.
fn is_fixed(e: Evolution, invariant: &dyn Fn(Value) -> bool) -> bool {
    match e.kind() {
        Form::Unknown => invariant(e.unknown()),
        Form::AddRec | Form::Other => false,
        _ => e.operands().into_iter().all(|o| is_fixed(o, invariant)),
    }
}

impl Stats {
    /// Adds those of a function.
    pub fn add(&mut self, other: &Stats) {
        for (sum, n) in [
            (&mut self.functions, other.functions),
            (&mut self.loops, other.loops),
            (&mut self.parts, other.parts),
            (&mut self.parametric_parts, other.parametric_parts),
            (&mut self.statements, other.statements),
            (&mut self.statements_in_parts, other.statements_in_parts),
            (&mut self.references, other.references),
            (&mut self.affine_references, other.affine_references),
            (&mut self.transformed, other.transformed),
        ] {
            *sum += n;
        }
        for (sum, all) in [
            (&mut self.declined, &other.declined),
            (&mut self.loops_outside, &other.loops_outside),
        ] {
            for (kind, n) in all {
                *sum.entry(*kind).or_default() += n;
            }
        }
    }

    /// Prints them: on the error stream as a table (`-`), or behind what a file holds, as a line of JSON.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn tell(&self, file: &Path) -> Result<(), String> {
        if file == Path::new("-") {
            let _ = write!(std::io::stderr(), "{self}");
            return Ok(());
        }
        let line = serde_json::to_string(self).expect("numbers and names") + "\n";
        // One write, so that compilations at the same time do not mix their lines.
        let mut options = std::fs::OpenOptions::new();
        let opened = options.create(true).append(true).open(file);
        opened
            .and_then(|mut f| f.write_all(line.as_bytes()))
            .map_err(|e| format!("stats file '{}' cannot be written: {e}", file.display()))
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "polytile: {}", self.module)?;
        let rows = [
            ("functions with loops", self.functions),
            ("loops", self.loops),
            ("static control parts", self.parts),
            ("  with parameters", self.parametric_parts),
            ("statements in loops", self.statements),
            ("  in static control parts", self.statements_in_parts),
            ("array references in loops", self.references),
            ("  affine", self.affine_references),
            ("loop nests transformed", self.transformed),
            ("loop nests declined", self.declined.values().sum()),
        ];
        for (what, n) in rows {
            writeln!(f, "  {what:<32}{n:>8}")?;
        }
        by_kind(f, &self.declined)?;
        let outside = self.loops_outside.values().sum::<usize>();
        writeln!(f, "  {:<32}{outside:>8}", "other loops outside of parts")?;
        by_kind(f, &self.loops_outside)
    }
}

fn by_kind(f: &mut fmt::Formatter<'_>, counts: &BTreeMap<Kind, usize>) -> fmt::Result {
    for (kind, n) in counts {
        let name = serde_json::to_value(kind).expect("a name");
        let name = name.as_str().unwrap_or_default();
        writeln!(f, "    {name:<30}{n:>8}")?;
    }
    Ok(())
}
