//! Arguments of a command, taken one by one.

use super::ScriptError;
use super::parse::{Command, Script, Word};
use crate::rewrite::{Address, Rows, State, places};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, DimType};
use std::str::FromStr;

/// The arguments of a command that are left.
pub struct Args<'s> {
    script: &'s Script,
    command: &'s Command,
    usage: String,
    next: usize,
}

/// Why arguments are not understood.
pub type Taken<T> = Result<T, ScriptError>;

impl<'s> Args<'s> {
    /// All of a command.
    pub fn new(script: &'s Script, command: &'s Command, usage: String) -> Args<'s> {
        Args {
            script,
            command,
            usage,
            next: 1,
        }
    }

    /// An error at the next argument, with what the command takes.
    pub fn error(&self, message: &str) -> ScriptError {
        let at = match self.command.words.get(self.next) {
            Some(w) => w.at,
            None => self.command.words.last().map_or(0, |w| w.at + w.text.len()),
        };
        let usage = &self.usage;
        self.script
            .error(at, format!("{message}: {usage} expected"))
    }

    /// The next argument, if there is one.
    pub fn peek(&self) -> Option<&'s Word> {
        self.command.words.get(self.next)
    }

    /// Takes the next argument if it is this word.
    pub fn eat(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|w| w.text == word);
        self.next += usize::from(found);
        found
    }

    /// The next argument.
    pub fn word(&mut self, what: &str) -> Taken<&'s str> {
        match self.peek() {
            Some(w) => {
                self.next += 1;
                Ok(&w.text)
            }
            None => Err(self.error(&format!("{what} is missing"))),
        }
    }

    /// The next argument as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Taken<T> {
        match self.peek().map(|w| w.text.parse()) {
            Some(Ok(n)) => {
                self.next += 1;
                Ok(n)
            }
            Some(Err(_)) => Err(self.error(&format!("no {what}"))),
            None => Err(self.error(&format!("{what} is missing"))),
        }
    }

    /// All numbers that follow.
    pub fn numbers<T: FromStr>(&mut self) -> Vec<T> {
        let mut all = vec![];
        while let Some(Ok(n)) = self.peek().map(|w| w.text.parse()) {
            all.push(n);
            self.next += 1;
        }
        all
    }

    /// The next argument in braces.
    pub fn braces(&mut self, what: &str) -> Taken<&'s str> {
        match self.peek() {
            Some(w) if w.text.starts_with('{') => self.word(what),
            _ => Err(self.error(&format!("{what} in braces is missing"))),
        }
    }

    /// All that is left, as one text.
    pub fn rest(&mut self, what: &str) -> Taken<String> {
        let words: Vec<&str> = self.rest_words();
        match words.is_empty() {
            true => Err(self.error(&format!("{what} is missing"))),
            false => Ok(words.join(" ")),
        }
    }

    /// All that is left.
    pub fn rest_words(&mut self) -> Vec<&'s str> {
        let all = self.command.words[self.next..].iter();
        let words = all.map(|w| w.text.as_str()).collect();
        self.next = self.command.words.len();
        words
    }

    /// Refuses further arguments.
    pub fn end(&self) -> Taken<()> {
        match self.peek() {
            Some(w) => Err(self.error(&format!("'{}' is too much", w.text))),
            None => Ok(()),
        }
    }

    /// The address of a loop, statement or list.
    pub fn address(&mut self, state: &State) -> Taken<Address> {
        Ok(self.rows(state)?.at)
    }

    /// The address of a loop, and the statement whose row is meant.
    pub fn rows(&mut self, state: &State) -> Taken<Rows> {
        let Some(word) = self.peek() else {
            return Err(self.error("an address is missing"));
        };
        match address(state, &word.text) {
            Ok(rows) => {
                self.next += 1;
                Ok(rows)
            }
            Err(why) => Err(self.error(&why)),
        }
    }

    /// A statement.
    pub fn statement(&mut self, state: &State) -> Taken<StmtId> {
        let word = self.peek().map_or("", |w| w.text.as_str());
        match state.scop.stmt_by_name(word) {
            Some(s) => {
                self.next += 1;
                Ok(s.id)
            }
            None => Err(self.error(&format!("no statement '{word}'"))),
        }
    }
}

/// An address as it is written: `[0,1]`, `[0,*]`, `S2`, `S2@1`, `b4` (name of a loop of the source) or `file.c:12`.
pub fn address(state: &State, text: &str) -> Result<Rows, String> {
    if text.starts_with('[') {
        let at = prefix(text).ok_or_else(|| format!("'{text}' is no address"))?;
        return Ok(Rows { at, only: None });
    }
    let (name, depth) = match text.split_once('@') {
        Some((name, depth)) => {
            let depth: usize = depth.parse().map_err(|_| format!("no depth in '{text}'"))?;
            (name, Some(depth))
        }
        None => (text, None),
    };
    if let Some(stmt) = state.scop.stmt_by_name(name) {
        return of_statement(state, stmt.id, depth);
    }
    if depth.is_some() {
        return Err(format!("no statement '{name}'"));
    }
    of_loop(state, text)
}

fn prefix(text: &str) -> Option<Address> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut path = vec![];
    let mut list = inner.trim().is_empty();
    for part in inner.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        match part {
            "*" if !list => list = true,
            _ if list => return None,
            number => path.push(number.parse().ok()?),
        }
    }
    Some(Address { path, list })
}

fn of_statement(state: &State, stmt: StmtId, depth: Option<usize>) -> Result<Rows, String> {
    let places = state.places_of(stmt).map_err(|e| e.to_string())?;
    let Some(depth) = depth else {
        return match &places[..] {
            [one] => Ok(Rows {
                at: one.at.clone(),
                only: None,
            }),
            all => Err(format!("{stmt} runs at {} places", all.len())),
        };
    };
    let mut at: Vec<Address> = vec![];
    for p in &places {
        match depth.checked_sub(1).and_then(|d| p.loops.get(d)) {
            Some(l) => at.push(l.at.clone()),
            None => return Err(format!("{} loops are around {stmt}", p.loops.len())),
        }
    }
    at.dedup();
    match &at[..] {
        [one] => Ok(Rows {
            at: one.clone(),
            only: Some(stmt),
        }),
        all => Err(format!("{stmt}@{depth} is at {} places", all.len())),
    }
}

/// The loop that runs over the iterator of a loop of the source, given by name or line.
fn of_loop(state: &State, text: &str) -> Result<Rows, String> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (file, line.parse::<u32>().ok()),
        None => (text, None),
    };
    let meant = |l: &polytile_analysis::scop::LoopInfo| match (line, &l.loc) {
        (Some(line), Some(loc)) => {
            loc.line == line && (loc.file == file || loc.file.rsplit('/').next() == Some(file))
        }
        (Some(_), None) => false,
        (None, _) => l.name == text,
    };
    let all = state.scop.loops.iter().enumerate();
    let ids: Vec<usize> = all.filter(|(_, l)| meant(l)).map(|(i, _)| i).collect();
    if ids.is_empty() {
        return Err(format!("no address, statement or loop '{text}'"));
    }
    let found = loops_over(state, &ids).map_err(|e| e.to_string())?;
    match &found[..] {
        [] => Err(format!("no loop runs over '{text}' any more")),
        [one] => Ok(Rows {
            at: one.clone(),
            only: None,
        }),
        all => {
            let all: Vec<String> = all.iter().map(Address::to_string).collect();
            Err(format!("'{text}' may be {}", all.join(" or ")))
        }
    }
}

fn loops_over(state: &State, ids: &[usize]) -> poly::Result<Vec<Address>> {
    let mut found: Vec<Address> = vec![];
    for place in places(state)? {
        for l in place.loops.iter().filter(|l| !l.tile) {
            for part in l.row.pw_affs()? {
                let name = part.domain_space()?.tuple_name(DimType::Set);
                let Some(stmt) = name.and_then(|n| state.scop.stmt_by_name(&n)) else {
                    continue;
                };
                let only = |d: usize| -> poly::Result<bool> {
                    let uses = |k| part.involves_dims(DimType::In, k, 1);
                    for k in 0..stmt.depth() {
                        if uses(k)? != (k == d) {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                };
                for (d, iter) in stmt.iters.iter().enumerate() {
                    let wanted = ids.contains(&iter.index());
                    if wanted && !found.contains(&l.at) && only(d)? {
                        found.push(l.at.clone());
                    }
                }
            }
        }
    }
    Ok(found)
}
