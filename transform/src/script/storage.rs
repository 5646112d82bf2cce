//! `window`: the storage of arrays, decided in front of all steps.
//!
//! Steps change the order of a SCoP whose storage is settled. A window changes both ([`crate::contract`]), so its commands come first, and what follows
//! names the loops of the new SCoP:
//!
//! ```text
//! region blur:8 {
//!   window tmp 8 block 64      # rows of tmp, and of the blocks that threads take
//!   parallel [0]
//! }
//! ```

use super::parse::{Command, Region, Script};
use super::{ScriptError, args::Args, commands};
use crate::contract::{Rows, contracted, selected};
use polytile_analysis::deps::{self, Dependences};
use polytile_analysis::poly;
use polytile_analysis::scop::Scop;

/// The command.
pub(super) const NAME: &str = "window";

/// More rows are no window.
const MOST_ROWS: i64 = 1 << 20;

/// A SCoP with windows, and the commands that are left.
pub struct Storage {
    /// The SCoP.
    pub scop: Scop,
    /// Its dependences.
    pub deps: Dependences,
    /// What follows.
    pub region: Region,
    /// The commands that led here.
    pub commands: Vec<String>,
}

/// What the first commands of a region make of its storage; `None`: nothing.
///
/// # Errors
/// A command that is not understood or refused, because no nests hand the array on to each other, or a value would get lost.
pub fn storage(
    script: &Script,
    region: &Region,
    scop: &Scop,
    deps: &Dependences,
) -> Result<Option<Storage>, ScriptError> {
    let count = region.body.iter().take_while(|c| c.name() == NAME).count();
    let (first, rest) = region.body.split_at(count);
    let mut now = None;
    for command in first {
        let (scop, deps) = match &now {
            None => (scop, deps),
            Some(Storage { scop, deps, .. }) => (scop, deps),
        };
        let text = words(command);
        let fail = |why: String| script.error(command.at(), format!("{text}: {why}"));
        let set = |e: poly::Error| fail(e.to_string());
        let mut commands = now
            .as_ref()
            .map_or(vec![], |s: &Storage| s.commands.clone());
        let rows = proposed(script, command, (scop, deps))?;
        let scop = contracted(scop, &rows).map_err(set)?.map_err(fail)?;
        commands.push(text.clone());
        now = Some(Storage {
            deps: deps::compute(&scop, false).map_err(set)?,
            scop,
            region: Region {
                body: rest.to_vec(),
                ..region.clone()
            },
            commands,
        });
    }
    Ok(now)
}

fn words(command: &Command) -> String {
    let words: Vec<&str> = command.words.iter().map(|w| w.text.as_str()).collect();
    words.join(" ")
}

/// The nests that hand the first array of a command on, with the rows that it says.
fn proposed(
    script: &Script,
    command: &Command,
    (scop, deps): (&Scop, &Dependences),
) -> Result<Rows, ScriptError> {
    let fail = |why: String| script.error(command.at(), format!("{}: {why}", words(command)));
    let spec = commands::find(NAME).expect("it is in the table");
    let mut args = Args::new(script, command, spec.usage());
    let name = args.word("ARRAY")?.to_owned();
    let array = scop.arrays.iter().position(|a| a.name == name);
    let array = array.ok_or_else(|| fail(format!("unknown array '{name}'")))?;
    let all = selected(scop, deps).map_err(|e| fail(e.to_string()))?;
    let has = |r: &&Rows| r.windows.iter().any(|w| w.array.index() == array);
    let Some(mut rows) = all.iter().find(has).cloned() else {
        let why = "no nests hand it on to each other row by row, or it is read behind them";
        return Err(fail(why.to_owned()));
    };
    let mut of = name;
    while let Some(word) = args.peek() {
        match word.text.as_str() {
            "alone" => {
                args.eat("alone");
                rows = rows.in_one();
            }
            "block" => {
                args.eat("block");
                rows.block = Some(positive(&mut args)?);
            }
            text if text.parse::<i64>().is_ok() => {
                let n = positive(&mut args)?;
                let named = |a: usize| scop.arrays[a].name == of;
                let mut windows = rows.windows.iter_mut();
                let window = windows.find(|w| named(w.array.index()));
                let window = window.ok_or_else(|| fail(format!("'{of}' is no window")))?;
                window.rows = n.unsigned_abs().next_power_of_two().cast_signed();
            }
            _ => of = args.word("ARRAY")?.to_owned(),
        }
    }
    Ok(rows)
}

/// A number of rows.
fn positive(args: &mut Args) -> Result<i64, ScriptError> {
    match args.number("ROWS")? {
        n if (1..=MOST_ROWS).contains(&n) => Ok(n),
        _ => Err(args.error("no number of rows")),
    }
}

/// The command for these windows.
pub fn window(scop: &Scop, rows: &Rows) -> String {
    let of = |w: &crate::contract::Window| format!(" {} {}", scop.array(w.array).name, w.rows);
    let windows: String = rows.windows.iter().map(of).collect();
    let block = rows
        .block
        .map_or(" alone".to_owned(), |b| format!(" block {b}"));
    format!("{NAME}{windows}{block}")
}
