//! Options: one table, one parser.
//!
//! | host | way in |
//! |---|---|
//! | opt, rustc (`-C passes`), lld (`--lto-newpm-passes`) | `polytile<NAME=VALUE;NAME=VALUE>` |
//! | opt, clang, flang | `-polytile-NAME=VALUE` (clang, flang: behind `-mllvm`) |
//! | all | environment variable `POLYTILE`, `NAME=VALUE;NAME=VALUE` |
//!
//! A later row is overruled by an earlier one. A switch without a value is on. A list is separated by `,`, or by `x`
//! (tile sizes) and `+` (stages) inside of `polytile<..>`, where pass pipelines do not allow a comma.
//!
//! To add an option, add a field to [`Options`] and a line to [`TABLE`]; defaults are parsed from the table as well.

use polytile_exchange::Form;
use polytile_records::hash;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// A stage of the pipeline, in order. It can be printed, and the pipeline can stop after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// What the front door saw.
    Region,
    /// Domains, accesses and bodies.
    Scop,
    /// Dependences.
    Deps,
    /// All legal schedules, and the interleavings of loops.
    Space,
    /// The new schedule.
    Schedule,
    /// What its tiles load, store and hold.
    Memory,
    /// The loop program.
    Ast,
    /// What was done, as a script.
    Script,
    /// The candidates and their estimated times.
    Model,
}

impl Stage {
    const ALL: [(&'static str, Stage); 9] = [
        ("region", Stage::Region),
        ("scop", Stage::Scop),
        ("deps", Stage::Deps),
        ("space", Stage::Space),
        ("schedule", Stage::Schedule),
        ("memory", Stage::Memory),
        ("ast", Stage::Ast),
        ("script", Stage::Script),
        ("model", Stage::Model),
    ];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        Stage::ALL[self as usize].0
    }
}

/// Which statements share loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fusion {
    /// None that are not strongly connected.
    None,
    /// Those that keep parallelism, permutability and dimensionality.
    #[default]
    Smart,
    /// All that may.
    Max,
    /// Those that the model of time takes for fastest, of the interleavings of the outermost loops that are legal.
    Space,
    /// The same, and of interleavings inside of these loops.
    Levels,
    /// Those that share them in the source, in the source's order.
    Original,
}

impl Fusion {
    /// Whether interleavings are compared.
    pub fn explores(self) -> bool {
        matches!(self, Fusion::Space | Fusion::Levels)
    }
}

/// Where tile sizes come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TileSizes {
    /// From the model of the target's caches.
    #[default]
    Auto,
    /// From the environment at program start, the model's as defaults.
    Runtime,
    /// These, per member of a tiled band; the last one repeats.
    List(Vec<u32>),
}

/// From which amount of work on the transformed version runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MinWork {
    /// From the cost model.
    #[default]
    Auto,
    /// This many statement instances.
    Instances(u64),
}

/// Which loops run on several threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// None.
    Off,
    /// Those that gain by it with as many iterations as programs commonly have.
    #[default]
    On,
    /// All that gain by it with any number of iterations.
    All,
}

/// Who chooses between the original and the new version of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Select {
    /// The program where it compares addresses that depend on data first, the model of time elsewhere.
    #[default]
    Auto,
    /// The model of time.
    Model,
    /// The program measures, where the model is not sure.
    Measure,
}

/// What a program can tell of its regions when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Report {
    /// Nothing.
    Off,
    /// What came of entries into new versions.
    #[default]
    On,
    /// What came of all entries.
    All,
}

/// Which candidates take their regions' places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choose {
    /// In all regions that are not named.
    pub everywhere: Option<usize>,
    /// By the region's hash.
    pub by_hash: BTreeMap<String, usize>,
}

impl Choose {
    /// What is asked for a region.
    pub fn of(&self, hash: &str) -> Option<usize> {
        self.by_hash.get(hash).copied().or(self.everywhere)
    }
}

/// All choices of the user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // described in TABLE
pub struct Options {
    pub stop_after: Option<Stage>,
    pub dump: BTreeSet<Stage>,
    pub only: Option<String>,
    pub schedule: Option<PathBuf>,
    pub script: Option<PathBuf>,
    pub candidates: Option<PathBuf>,
    pub choose: Choose,
    pub db: Option<PathBuf>,
    pub machine: Option<PathBuf>,
    pub export: BTreeSet<Form>,
    pub export_dir: Option<PathBuf>,
    pub import: Option<PathBuf>,
    pub fusion: Fusion,
    pub tile: bool,
    pub tile_sizes: TileSizes,
    pub second_level: bool,
    pub vectorize: bool,
    pub parallel: Parallel,
    pub parallel_min_us: u32,
    pub min_work: MinWork,
    pub select: Select,
    pub report: Report,
    pub budget: u64,
    pub verify: bool,
    pub run_both: bool,
    pub log: Option<log::LevelFilter>,
    pub stats: Option<PathBuf>,
}

/// One option.
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// The values that it takes.
    pub values: &'static str,
    /// Its default, as text; empty for none.
    pub default: &'static str,
    /// What it does.
    pub doc: &'static str,
    set: fn(&mut Options, &str) -> Option<()>,
}

/// All options.
#[rustfmt::skip]
pub const TABLE: &[Spec] = &[
    Spec { name: "stop-after", values: "region|scop|deps|space|schedule|memory|ast|script|model", default: "",
           doc: "stop after this stage and leave the program as it is",
           set: |o, v| { o.stop_after = Some(choice(v, &Stage::ALL)?); Some(()) } },
    Spec { name: "dump", values: "list of region|scop|deps|space|schedule|memory|ast|script|model", default: "",
           doc: "print the results of these stages on the error stream",
           set: |o, v| { for s in v.split([',', '+']) { o.dump.insert(choice(s, &Stage::ALL)?); } Some(()) } },
    Spec { name: "only", values: "NAME", default: "",
           doc: "look at no other function than this one",
           set: |o, v| { o.only = Some(text(v)?); Some(()) } },
    Spec { name: "schedule", values: "FILE", default: "",
           doc: "take the schedules from this file, as stop-after=schedule prints them; illegal ones are refused",
           set: |o, v| { o.schedule = Some(text(v)?.into()); Some(()) } },
    Spec { name: "script", values: "FILE", default: "",
           doc: "do to regions what this script says (docs/scripts.md), instead of searching; dump=script prints what was done as one",
           set: |o, v| { o.script = Some(text(v)?.into()); Some(()) } },
    Spec { name: "export", values: "list of openscop|jscop|isl", default: "",
           doc: "write each static control part to a file of its own for other polyhedral tools: OpenScop, Polly's JSON, isl's notation; named by source file, function and line, in the directory of export-dir",
           set: |o, v| { for f in v.split([',', '+']) { o.export.insert(choice(f, &Form::ALL)?); } Some(()) } },
    Spec { name: "export-dir", values: "DIRECTORY", default: "",
           doc: "where export writes its files; a file of the same name is replaced",
           set: |o, v| { o.export_dir = Some(text(v)?.into()); Some(()) } },
    Spec { name: "import", values: "FILE|DIRECTORY", default: "",
           doc: "take the order of regions from files of other tools (.scop, .jscop, .isl), named as export names them; it is checked, and a script goes on from there",
           set: |o, v| { o.import = Some(text(v)?.into()); Some(()) } },
    Spec { name: "candidates", values: "FILE|-", default: "",
           doc: "list the candidates of each region with their predicted times and their scripts: a line of JSON for each region behind what the file holds, or on the error stream (-)",
           set: |o, v| { o.candidates = Some(text(v)?.into()); Some(()) } },
    Spec { name: "choose", values: "list of N (all regions) and HASH:N (the region of this hash)", default: "",
           doc: "let candidate N, as candidates=FILE lists it, take a region's place, whatever the model of time says; 0 is the original",
           set: |o, v| { o.choose = choose(v)?; Some(()) } },
    Spec { name: "db", values: "FILE", default: "",
           doc: "take what the tuner (polytile tune) measured from this file: its scripts pass the proof again, and what does not fit is a remark",
           set: |o, v| { o.db = Some(text(v)?.into()); Some(()) } },
    Spec { name: "machine", values: "FILE", default: "",
           doc: "judge programs with the numbers of a processor that this file has (polytile learn) in the place of the built-in ones",
           set: |o, v| { o.machine = Some(text(v)?.into()); Some(()) } },
    Spec { name: "fusion", values: "none|smart|max|space|levels|original", default: "smart",
           doc: "which statements share loops; space: of the interleavings of loops that are legal, some are made and the one is taken that the model of time takes for fastest; levels: those inside of the outermost loops as well; original: loops and their order stay as they are written, on threads and in vectors",
           set: |o, v| { o.fusion = choice(v, &[("none", Fusion::None), ("smart", Fusion::Smart), ("max", Fusion::Max), ("space", Fusion::Space), ("levels", Fusion::Levels), ("original", Fusion::Original)])?; Some(()) } },
    Spec { name: "tile", values: "on|off", default: "on",
           doc: "tile permutable bands",
           set: |o, v| { o.tile = switch(v)?; Some(()) } },
    Spec { name: "tile-sizes", values: "auto|runtime|list of 1..1048576", default: "auto",
           doc: "cache tile sizes: from a model of the target, from the environment variable POLYTILE_TILE_SIZES at program start, or these",
           set: |o, v| { o.tile_sizes = tile_sizes(v)?; Some(()) } },
    Spec { name: "second-level", values: "on|off", default: "off",
           doc: "tile the tiles again, for the second cache level",
           set: |o, v| { o.second_level = switch(v)?; Some(()) } },
    Spec { name: "vectorize", values: "on|off", default: "on",
           doc: "emit register tiles and vector loops",
           set: |o, v| { o.vectorize = switch(v)?; Some(()) } },
    Spec { name: "parallel", values: "on|off|all", default: "on",
           doc: "run parallel loops with OpenMP; all: also where only that gains, and only with very many iterations, as copies and fills of one loop do",
           set: |o, v| { o.parallel = choice(v, &[("on", Parallel::On), ("off", Parallel::Off), ("all", Parallel::All)])?; Some(()) } },
    Spec { name: "parallel-min-us", values: "0..1000000", default: "100",
           doc: "estimated microseconds of work from which on a loop runs on several threads",
           set: |o, v| { o.parallel_min_us = number(v, 0..=1_000_000)?; Some(()) } },
    Spec { name: "min-work", values: "auto|0..4294967295", default: "auto",
           doc: "statement instances from which on the transformed version runs",
           set: |o, v| { o.min_work = if v == "auto" { MinWork::Auto } else { MinWork::Instances(number(v, 0..=u32::MAX)?.into()) }; Some(()) } },
    Spec { name: "select", values: "auto|model|measure", default: "auto",
           doc: "who chooses between the original and the new version of a region: the model of time, or, where that is not sure, the program, by the time that its first runs take; auto: the program where addresses that depend on data have to be compared before the new version runs",
           set: |o, v| { o.select = choice(v, &[("auto", Select::Auto), ("model", Select::Model), ("measure", Select::Measure)])?; Some(()) } },
    Spec { name: "report", values: "on|off|all", default: "on",
           doc: "whether programs heed POLYTILE_DISABLE=1 (original versions only) and POLYTILE_VERBOSE=1 (at the end, how often which version of a region ran, and why the original); all: also entries with too little work, the original's time, and the hashes of regions where candidates are chosen",
           set: |o, v| { o.report = choice(v, &[("on", Report::On), ("off", Report::Off), ("all", Report::All)])?; Some(()) } },
    Spec { name: "budget", values: "0..4294967295", default: "6000000",
           doc: "units of work (elementary operations of exact arithmetic, 2 to 10 in a microsecond) that all stages together may take per region; a function may take four times as much, a module forty times, each with what its new versions cost the passes that follow and a little more for every instruction that it has",
           set: |o, v| { o.budget = number(v, 0..=u32::MAX)?.into(); Some(()) } },
    Spec { name: "verify", values: "on|off|run", default: "off",
           doc: "stop the compilation where a self-check fails, instead of leaving the function as it was; run: the program runs both versions of each region, the new one on copies, and ends at the first byte that differs",
           set: |o, v| { (o.verify, o.run_both) = choice(v, &[("on", (true, false)), ("off", (false, false)), ("run", (false, true))])?; Some(()) } },
    Spec { name: "stats", values: "FILE|-", default: "",
           doc: "count what the model covers and why nests are declined: a table on the error stream (-), or a line of JSON for each module behind what the file holds",
           set: |o, v| { o.stats = Some(text(v)?.into()); Some(()) } },
    Spec { name: "log", values: "off|error|warn|info|debug|trace", default: "off",
           doc: "print what single steps consider on the error stream, for work on Polytile itself",
           set: |o, v| { o.log = Some(v.parse().ok()?); Some(()) } },
];

/// A text that is no option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The option does not take this value.
    Value {
        /// The option.
        name: &'static str,
        /// The text.
        value: String,
        /// What it takes.
        values: &'static str,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => {
                let all: Vec<&str> = TABLE.iter().map(|s| s.name).collect();
                let all = all.join(", ");
                write!(
                    f,
                    "unknown option '{name}'; valid options: {all} (POLYTILE=help explains them)"
                )
            }
            OptionError::Value {
                name,
                value,
                values,
            } => write!(
                f,
                "option '{name}' does not take the value '{value}', but {values}"
            ),
        }
    }
}

impl Spec {
    /// `name=values`, with the default.
    fn usage(&self) -> String {
        let Spec { name, values, .. } = self;
        match self.default {
            "" => format!("{name}={values}"),
            default => format!("{name}={values} ({default})"),
        }
    }

    /// Sets the option to a value; a switch without a value is on.
    fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
        let given = match value {
            None if self.values.starts_with("on|off") => "on",
            other => other.unwrap_or(""),
        };
        (self.set)(options, given).ok_or_else(|| OptionError::Value {
            name: self.name,
            value: given.to_string(),
            values: self.values,
        })
    }
}

impl Options {
    /// The defaults of the table.
    pub fn new() -> Options {
        let mut options = Options::default();
        for spec in TABLE.iter().filter(|s| !s.default.is_empty()) {
            spec.apply(&mut options, Some(spec.default))
                .expect("defaults are valid");
        }
        options
    }

    /// Applies `NAME=VALUE;NAME=VALUE`.
    ///
    /// # Errors
    /// The first text that is no option.
    pub fn apply(&mut self, text: &str) -> Result<(), OptionError> {
        for item in text.split(';').map(str::trim).filter(|i| !i.is_empty()) {
            let (name, value) = match item.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (item, None),
            };
            if name == "help" {
                help();
                continue;
            }
            let spec = TABLE.iter().find(|s| s.name == name);
            spec.ok_or_else(|| OptionError::Unknown(name.to_string()))?
                .apply(self, value)?;
        }
        Ok(())
    }
}

/// Prints the table on the error stream.
fn help() {
    let mut err = std::io::stderr();
    for spec in TABLE {
        let _ = writeln!(err, "{}\n    {}", spec.usage(), spec.doc);
    }
}

fn choice<T: Copy>(value: &str, among: &[(&str, T)]) -> Option<T> {
    among.iter().find(|(n, _)| *n == value).map(|(_, t)| *t)
}

fn switch(value: &str) -> Option<bool> {
    choice(value, &[("on", true), ("off", false)])
}

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_string())
}

fn number(value: &str, range: RangeInclusive<u32>) -> Option<u32> {
    value.parse().ok().filter(|n| range.contains(n))
}

/// `N` or `HASH:N`, separated by `,` or `+`.
fn choose(value: &str) -> Option<Choose> {
    let mut all = Choose::default();
    for item in value.split([',', '+']) {
        match item.split_once(':') {
            Some((of, n)) if hash::is_one(of) => {
                all.by_hash.insert(of.to_owned(), n.parse().ok()?);
            }
            Some(_) => return None,
            None => all.everywhere = Some(item.parse().ok()?),
        }
    }
    Some(all)
}

/// No tile is larger: products of sizes must stay far from overflow.
const MAX_TILE: u32 = 1 << 20;

fn tile_sizes(value: &str) -> Option<TileSizes> {
    Some(match value {
        "auto" => TileSizes::Auto,
        "runtime" => TileSizes::Runtime,
        list => TileSizes::List(
            list.split([',', 'x'])
                .map(|n| number(n, 1..=MAX_TILE))
                .collect::<Option<_>>()?,
        ),
    })
}
