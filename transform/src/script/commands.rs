//! The table of commands.

use super::args::{Args, Taken};
use crate::rewrite::band::{Merge, Unband};
use crate::rewrite::complete::Complete;
use crate::rewrite::embed::{Embed, Unembed};
use crate::rewrite::fission::Fission;
use crate::rewrite::flags::{Flag, Flags};
use crate::rewrite::fuse::Fuse;
use crate::rewrite::grain::Grain;
use crate::rewrite::hyperplanes::HyperplaneBand;
use crate::rewrite::interchange::Interchange;
use crate::rewrite::kinds::Run;
use crate::rewrite::mapping::Mapping;
use crate::rewrite::marks::{Put, Unmark};
use crate::rewrite::motion::Reorder;
use crate::rewrite::peel::Peel;
use crate::rewrite::prototile::PrototileBand;
use crate::rewrite::reshape::Reshape;
use crate::rewrite::reverse::Reverse;
use crate::rewrite::shift::Shift;
use crate::rewrite::skew::Skew;
use crate::rewrite::split::{Collapse, Split};
use crate::rewrite::strip::{Linearize, Strip};
use crate::rewrite::tile::{Declare, Size, TileBand, Untile};
use crate::rewrite::unimodular::Unimodular;
use crate::rewrite::unroll::Unroll;
use crate::rewrite::{Refusal, State, Step, Structure};
use polytile_analysis::tree::SizeParam;

/// What a command asks for.
pub enum Action {
    /// A step.
    Step(Box<dyn Step>),
    /// `print`, and what.
    Print(String),
    /// Forgets so many steps.
    Undo(usize),
    /// Does so many forgotten steps again.
    Redo(usize),
    /// Gives the state a name.
    Checkpoint(String),
    /// Back to a named state.
    Revert(String),
    /// When legality is checked.
    Check(Check),
    /// Shifts until the state is legal.
    Correct,
    /// The schedule of a text.
    Tree(String),
}

/// When legality is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// After every step.
    Each,
    /// At the end of the script.
    End,
    /// Not by the script; the compiler checks what it emits in any case.
    Never,
}

/// What keeps a command from being understood.
pub enum Misread {
    /// Its arguments.
    Args(super::ScriptError),
    /// What it says.
    Refusal(Refusal),
}

impl From<super::ScriptError> for Misread {
    fn from(e: super::ScriptError) -> Misread {
        Misread::Args(e)
    }
}

impl From<Structure> for Misread {
    fn from(s: Structure) -> Misread {
        Misread::Refusal(s.into())
    }
}

impl From<Refusal> for Misread {
    fn from(r: Refusal) -> Misread {
        Misread::Refusal(r)
    }
}

type Read = Result<Action, Misread>;

/// A command.
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Reads its arguments.
    pub read: fn(&str, &mut Args, &State) -> Read,
}

impl Spec {
    /// `name arguments`.
    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.takes).trim().to_owned()
    }
}

/// All commands. A loop is `[0,1]`, `S2@1`, a name or `file.c:12`; a row is the same, and `S2@1` the row of `S2` only.
#[rustfmt::skip]
pub const COMMANDS: &[Spec] = &[
    Spec { name: "window", takes: "ARRAY [ROWS] .. [block ROWS|alone]", doc: "arrays that nests hand on to each other, and nobody reads behind them, have so many rows; in front of all other commands",
           read: |_, _, _| Err(Structure::Decided("storage is decided in front of all other commands".to_owned()).into()) },
    Spec { name: "interchange", takes: "LOOP [LEVELS]", doc: "swap a loop with the one inside it, or LEVELS - 1 further in",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Interchange { at, levels: optional(a, "LEVELS")?.unwrap_or(2) })) } },
    Spec { name: "reverse", takes: "ROW", doc: "run a loop from its last iteration to its first",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |_| Ok(Reverse(at))) } },
    Spec { name: "skew", takes: "ROW DEPTH FACTOR", doc: "add FACTOR times the row at a depth",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |a| Ok(Skew { at, depth: a.number("DEPTH")?, factor: a.number("FACTOR")? })) } },
    Spec { name: "shift", takes: "ROW EXPRESSION", doc: "add an expression of the parameters: run so many iterations later",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |a| Ok(Shift { at, by: a.rest("EXPRESSION")? })) } },
    Spec { name: "reshape", takes: "ROW [minus] { S0[i] -> [i] }", doc: "add a function of the statements' own iterators",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |a| { let minus = a.eat("minus"); Ok(Reshape { at, minus, by: a.braces("a function")?.to_owned() }) }) } },
    Spec { name: "unimodular", takes: "LOOP [1,1; 1,0]", doc: "multiply the rows of a nest by a matrix",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| { let matrix = matrix(a)?; Ok(Unimodular { at, matrix }) }) } },
    Spec { name: "grain", takes: "ROW FACTOR", doc: "multiply a row",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |a| Ok(Grain { at, factor: a.number("FACTOR")?, densify: false })) } },
    Spec { name: "densify", takes: "ROW FACTOR", doc: "divide a row whose values are multiples",
           read: |_, a, s| { let at = a.rows(s)?; step(a, |a| Ok(Grain { at, factor: a.number("FACTOR")?, densify: true })) } },
    Spec { name: "mapping", takes: "STATEMENT { [i, j] -> [j, i] }", doc: "the times of a statement's instances; consecutive ones are one step",
           read: |_, a, s| { let stmt = a.statement(s)?; step(a, |a| Ok(Mapping { parts: vec![(stmt, a.braces("a map")?.to_owned())] })) } },
    Spec { name: "complete", takes: "{ S0[k, i] -> [i] }", doc: "keep these first rows and find the rest of a legal order",
           read: |_, a, _| step(a, |a| Ok(Complete { rows: a.braces("rows")?.to_owned() })) },
    Spec { name: "correct", takes: "", doc: "shift statements until the order is legal",
           read: |_, a, _| done(a, Action::Correct) },
    Spec { name: "fuse", takes: "LOOP", doc: "fuse a loop with the one that follows it",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Fuse(at))) } },
    Spec { name: "fission", takes: "LOOP CHILDREN", doc: "cut a loop behind so many of its children",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Fission { at, children: a.number("CHILDREN")? })) } },
    Spec { name: "reorder", takes: "LIST POSITION ..", doc: "the children of a list, as [0,*], in another order",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Reorder { at, order: a.numbers() })) } },
    Spec { name: "embed", takes: "NODE EXPRESSION", doc: "put a loop of one iteration around what is there",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Embed { at, value: a.rest("EXPRESSION")? })) } },
    Spec { name: "unembed", takes: "LOOP", doc: "take a loop of one iteration away",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Unembed(at))) } },
    Spec { name: "split", takes: "LOOP { [x] : x < 5 }", doc: "the iterations with this value first, then the others",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Split { at, condition: a.braces("a condition")?.to_owned() })) } },
    Spec { name: "collapse", takes: "LOOP", doc: "join a part of a split loop with the next",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Collapse(at))) } },
    Spec { name: "peel", takes: "LOOP first|last COUNT", doc: "make iterations at an end a loop of their own",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| { let first = end_of(a)?; Ok(Peel { at, first, count: a.number("COUNT")? }) }) } },
    Spec { name: "unroll", takes: "LOOP COPIES", doc: "so many iterations one after the other in the code",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Unroll { at, copies: a.number("COPIES")? })) } },
    Spec { name: "strip", takes: "LOOP SIZE", doc: "a loop over strips of so many iterations around a loop",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Strip { at, size: a.number("SIZE")? })) } },
    Spec { name: "linearize", takes: "LOOP", doc: "take a loop over strips away",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Linearize(at))) } },
    Spec { name: "size", takes: "NAME DEFAULT [multiple N] [dealt]", doc: "declare a tile size that is known at run time",
           read: |_, a, _| step(a, |a| Ok(Declare(declared(a)?))) },
    Spec { name: "tile", takes: "LOOP SIZE|NAME|whole .. [by { S0[i, j] -> [i, j] }] [wave MEMBER ..]", doc: "tiles in the rows of a nest, or in rows of their own",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| tiles(at, a)) } },
    Spec { name: "hyperplanes", takes: "LOOP [1,1; 1,-1] SIZE.. [uneven]", doc: "tiles between families of parallel hyperplanes, a line of the matrix and a distance for each",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| { let normals = matrix(a)?; Ok(HyperplaneBand { at, normals, spacings: a.numbers(), uneven: a.eat("uneven") }) }) } },
    Spec { name: "prototile", takes: "LOOP [4,0; 2,4] { [x, y] : .. }", doc: "tiles of one shape at the points of a lattice",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| { let vectors = matrix(a)?; Ok(PrototileBand { at, vectors, shape: a.braces("a shape")?.to_owned() }) }) } },
    Spec { name: "untile", takes: "LOOP", doc: "take a band of tiles away",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Untile(at))) } },
    Spec { name: "band", takes: "LOOP LOOPS", doc: "make nested loops one band",
           read: |_, a, s| { let at = a.address(s)?; step(a, |a| Ok(Merge { at, loops: a.number("LOOPS")? })) } },
    Spec { name: "unband", takes: "LOOP", doc: "make each loop of a band a band of its own",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Unband(at))) } },
    Spec { name: "parallel", takes: "LOOP [static|dynamic CHUNK|pipelined]", doc: "deal iterations to threads", read: kind },
    Spec { name: "vector", takes: "LOOP", doc: "run iterations of an innermost loop in lanes", read: kind },
    Spec { name: "lanes", takes: "LOOP VECTORSxLANES [rows]", doc: "run the loops inside once for vectors of iterations", read: kind },
    Spec { name: "diagonal", takes: "LOOP VECTORSxLANES [rows [STEPS]]", doc: "lanes along a diagonal of this loop and the one around it", read: kind },
    Spec { name: "sequential", takes: "LOOP", doc: "run iterations one after the other", read: kind },
    Spec { name: "register_tile", takes: "NODE { stmt: S1, row: 0, rows: 8, lane: 1, vectors: 3, lanes: 8, reduction: 2 }", doc: "execute the accumulating statement below as a register tile", read: mark },
    Spec { name: "pack", takes: "NODE { stmt: S1, side: row, operands: [ 2 ], member: 0, width: 8, reduction: 2 }", doc: "copy operands of the register tiles below to a buffer", read: mark },
    Spec { name: "private", takes: "LOOP [ARRAY ..]", doc: "copies of temporary arrays for the threads of a parallel loop", read: mark },
    Spec { name: "contracted", takes: "LOOP [ARRAY ..]", doc: "lanes keep what they write to these arrays in panels", read: mark },
    Spec { name: "strips", takes: "LOOP [ARRAY ..]", doc: "compute what is added to cells of these arrays for a strip of iterations in lanes, then add it in order", read: mark },
    Spec { name: "mark", takes: "NODE \"TEXT\"", doc: "a note for a reader", read: mark },
    Spec { name: "unmark", takes: "NODE", doc: "take the innermost mark away",
           read: |_, a, s| { let at = a.address(s)?; step(a, |_| Ok(Unmark(at))) } },
    Spec { name: "flags", takes: "[LOOP PERMUTABLE COINCIDENT ..]", doc: "find which bands are permutable and which loops coincident, or state it for one",
           read: |_, a, s| match a.peek() {
               None => Ok(Action::Step(Box::new(Flags))),
               Some(_) => { let at = a.address(s)?; step(a, |a| flag(at, a)) } } },
    Spec { name: "tree", takes: "{ SCHEDULE TREE }", doc: "a whole schedule, in the text form of dump=schedule",
           read: |_, a, _| { let text = a.braces("a schedule tree")?.to_owned(); done(a, Action::Tree(text)) } },
    Spec { name: "print", takes: "code|diff|schedule|beta|domains|deps|images|parallel|script", doc: "print what there is now on the error stream",
           read: |_, a, _| { let what = a.word("what to print")?.to_owned(); if !super::show::KINDS.contains(&&*what) { return Err(a.error(&format!("'{what}' cannot be printed")).into()); } done(a, Action::Print(what)) } },
    Spec { name: "undo", takes: "[STEPS]", doc: "forget the last steps",
           read: |_, a, _| { let n = optional(a, "STEPS")?.unwrap_or(1); done(a, Action::Undo(n)) } },
    Spec { name: "redo", takes: "[STEPS]", doc: "do forgotten steps again",
           read: |_, a, _| { let n = optional(a, "STEPS")?.unwrap_or(1); done(a, Action::Redo(n)) } },
    Spec { name: "checkpoint", takes: "NAME", doc: "give the state a name",
           read: |_, a, _| { let name = a.word("NAME")?.to_owned(); done(a, Action::Checkpoint(name)) } },
    Spec { name: "revert", takes: "NAME", doc: "back to a named state",
           read: |_, a, _| { let name = a.word("NAME")?.to_owned(); done(a, Action::Revert(name)) } },
    Spec { name: "check", takes: "on|off|end", doc: "ask for legality after every step (on), never, or at the end; emission asks in any case",
           read: |_, a, _| { let when = when(a)?; done(a, Action::Check(when)) } },
    Spec { name: "assume-legal", takes: "", doc: "check off; what is not legal is still not emitted",
           read: |_, a, _| done(a, Action::Check(Check::Never)) },
];

/// The command of a name.
pub fn find(name: &str) -> Option<&'static Spec> {
    COMMANDS.iter().find(|c| c.name == name)
}

/// The command whose name is most alike, if one is.
pub fn nearest(name: &str) -> Option<&'static str> {
    let common = |other: &str| {
        let equal = name.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        equal.count()
    };
    let best = COMMANDS.iter().max_by_key(|c| common(c.name))?;
    (common(best.name) >= 3).then_some(best.name)
}

fn step<S: Step + 'static>(a: &mut Args, make: impl FnOnce(&mut Args) -> Taken<S>) -> Read {
    let made = make(a)?;
    a.end()?;
    Ok(Action::Step(Box::new(made)))
}

fn done(a: &Args, action: Action) -> Read {
    a.end()?;
    Ok(action)
}

fn kind(name: &str, a: &mut Args, state: &State) -> Read {
    let at = a.address(state)?;
    let rest = a.rest_words();
    Ok(Action::Step(Box::new(Run::of(&at, name, &rest)?)))
}

fn mark(name: &str, a: &mut Args, state: &State) -> Read {
    let at = a.address(state)?;
    let rest = a.rest("what the mark says")?;
    Ok(Action::Step(Box::new(Put::of(&at, name, &rest)?)))
}

fn optional(a: &mut Args, what: &str) -> Taken<Option<usize>> {
    match a.peek() {
        None => Ok(None),
        Some(_) => a.number(what).map(Some),
    }
}

fn when(a: &mut Args) -> Taken<Check> {
    for (word, when) in [
        ("on", Check::Each),
        ("off", Check::Never),
        ("end", Check::End),
    ] {
        if a.eat(word) {
            return Ok(when);
        }
    }
    Err(a.error("no time to check"))
}

fn end_of(a: &mut Args) -> Taken<bool> {
    match (a.eat("first"), a.eat("last")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => Err(a.error("first or last is missing")),
    }
}

fn matrix(a: &mut Args) -> Taken<Vec<Vec<i64>>> {
    let text = a.peek().map_or("", |w| w.text.as_str());
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let line = |l: &str| -> Option<Vec<i64>> {
        let entries = l.split([',', ' ']).filter(|e| !e.is_empty());
        entries.map(|e| e.parse().ok()).collect()
    };
    let lines = inner.and_then(|t| t.split([';', '\n']).map(line).collect());
    match lines {
        Some(lines) => {
            a.word("a matrix")?;
            Ok(lines)
        }
        None => Err(a.error("no matrix")),
    }
}

fn declared(a: &mut Args) -> Taken<SizeParam> {
    let name = a.word("NAME")?.to_owned();
    let default = a.number("DEFAULT")?;
    let multiple_of = match a.eat("multiple") {
        true => a.number("N")?,
        false => 1,
    };
    Ok(SizeParam {
        name,
        default,
        multiple_of,
        dealt: a.eat("dealt"),
    })
}

fn tiles(at: crate::rewrite::Address, a: &mut Args) -> Taken<TileBand> {
    let mut sizes = vec![];
    while let Some(word) = a.peek() {
        let size = match word.text.as_str() {
            "by" | "wave" => break,
            "whole" => Size::Whole,
            other => match other.parse() {
                Ok(n) => Size::Const(n),
                Err(_) => Size::Named(other.to_owned()),
            },
        };
        a.word("SIZE")?;
        sizes.push(size);
    }
    if sizes.is_empty() {
        return Err(a.error("sizes are missing"));
    }
    let by = match a.eat("by") {
        true => Some(a.braces("rows")?.to_owned()),
        false => None,
    };
    let wave = match a.eat("wave") {
        true => a.numbers(),
        false => vec![],
    };
    Ok(TileBand {
        at,
        sizes,
        by,
        wave,
    })
}

fn flag(at: crate::rewrite::Address, a: &mut Args) -> Taken<Flag> {
    let all: Vec<u8> = a.numbers();
    match all.split_first() {
        Some((permutable, coincident)) => Ok(Flag {
            at,
            permutable: *permutable != 0,
            coincident: coincident.iter().map(|c| *c != 0).collect(),
        }),
        None => Err(a.error("flags are missing")),
    }
}
