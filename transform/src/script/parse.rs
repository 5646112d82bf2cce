//! From the text of a script to regions, macros and commands.
//!
//! A command is a line, or ends at a semicolon; brackets, braces and quotes may span lines and hold anything. `#` begins a comment.

use super::ScriptError;
use super::commands;
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// A script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// Where it was read from.
    pub file: String,
    text: String,
    /// In the order of the file.
    pub regions: Vec<Region>,
    /// Macros, by name.
    pub defines: BTreeMap<String, Define>,
}

/// What is to be done to a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its function, or the file of its first loop.
    pub of: String,
    /// The line of its first loop.
    pub line: Option<u32>,
    /// How many statements it has.
    pub statements: Option<usize>,
    /// How many loops it has.
    pub loops: Option<usize>,
    /// What to do.
    pub body: Vec<Command>,
    /// Where in the text.
    pub at: usize,
}

/// A macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// Names that calls give texts for.
    pub params: Vec<String>,
    /// What a call does.
    pub body: Vec<Command>,
}

/// A command: a name and arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The first is the name.
    pub words: Vec<Word>,
}

/// A word, or a text in brackets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// As written.
    pub text: String,
    /// Where in the text of the script.
    pub at: usize,
}

impl Command {
    /// What is to be done.
    pub fn name(&self) -> &str {
        &self.words[0].text
    }

    /// Where it begins.
    pub fn at(&self) -> usize {
        self.words[0].at
    }
}

/// Macros call macros at most so deep: a macro that calls itself ends.
pub(super) const MAX_CALLS: usize = 20;

impl Script {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The first thing that is no part of a script, with its position.
    pub fn parse(file: &str, text: &str) -> Result<Script, ScriptError> {
        let mut script = Script {
            file: file.to_owned(),
            text: text.to_owned(),
            regions: vec![],
            defines: BTreeMap::new(),
        };
        let mut commands = script.commands(text, 0)?;
        let regions: Vec<Command> = {
            let (defines, rest) = commands.drain(..).partition(|c| c.name() == "define");
            let defines: Vec<Command> = defines;
            for c in &defines {
                script.define(c)?;
            }
            rest
        };
        for c in &regions {
            let region = script.region(c)?;
            script.regions.push(region);
        }
        script.names_known()?;
        Ok(script)
    }

    /// An error at a position of the text.
    pub fn error(&self, at: usize, message: impl Into<String>) -> ScriptError {
        let before = &self.text[..at.min(self.text.len())];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        ScriptError {
            file: self.file.clone(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            message: message.into(),
        }
    }

    /// The commands of a text that begins at `base`.
    fn commands(&self, text: &str, base: usize) -> Result<Vec<Command>, ScriptError> {
        let mut commands = vec![];
        let mut words = vec![];
        let mut at = 0;
        let mut close = |words: &mut Vec<Word>| {
            if !words.is_empty() {
                let words = std::mem::take(words);
                commands.push(Command { words });
            }
        };
        while let Some(c) = text[at..].chars().next() {
            match c {
                '\n' | ';' => {
                    close(&mut words);
                    at += 1;
                }
                '#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
                c if c.is_whitespace() || c == ',' => at += c.len_utf8(),
                _ => {
                    let end = self.word_end(text, at, base)?;
                    words.push(Word {
                        text: text[at..end].to_owned(),
                        at: base + at,
                    });
                    at = end;
                }
            }
        }
        close(&mut words);
        Ok(commands)
    }

    /// Where the word at a position ends: at the closing bracket if it begins with one.
    fn word_end(&self, text: &str, at: usize, base: usize) -> Result<usize, ScriptError> {
        let mut open: Vec<char> = vec![];
        let mut chars = text[at..].char_indices();
        let bracketed = text[at..].starts_with(['[', '{', '"']);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    let mut escaped = false;
                    let closes = |(_, c): &(usize, char)| {
                        let closes = *c == '"' && !escaped;
                        escaped = *c == '\\' && !escaped;
                        closes
                    };
                    let Some((end, _)) = chars.by_ref().find(closes) else {
                        return Err(self.error(base + at + i, "no closing quote"));
                    };
                    if bracketed && open.is_empty() {
                        return Ok(at + end + 1);
                    }
                }
                '#' if !open.is_empty() => {
                    chars.by_ref().find(|(_, c)| *c == '\n');
                }
                '(' => open.push(')'),
                '[' => open.push(']'),
                '{' if i > 0 && open.is_empty() => return Ok(at + i),
                '{' => open.push('}'),
                ')' | ']' | '}' => {
                    if open.pop() != Some(c) {
                        return Err(self.error(base + at + i, format!("'{c}' closes nothing")));
                    }
                    if bracketed && open.is_empty() {
                        return Ok(at + i + 1);
                    }
                }
                c if open.is_empty() && (c.is_whitespace() || c == ';' || c == ',' || c == '#') => {
                    return Ok(at + i);
                }
                _ => {}
            }
        }
        match open.last() {
            Some(c) => Err(self.error(base + at, format!("no closing '{c}'"))),
            None => Ok(text.len()),
        }
    }

    /// The commands inside of braces.
    fn block(&self, word: &Word) -> Result<Vec<Command>, ScriptError> {
        let inner = word.text.strip_prefix('{');
        match inner.and_then(|t| t.strip_suffix('}')) {
            Some(inner) => self.commands(inner, word.at + 1),
            None => Err(self.error(word.at, "'{' expected")),
        }
    }

    /// `define NAME(params) { .. }`.
    fn define(&mut self, c: &Command) -> Result<(), ScriptError> {
        const USAGE: &str = "define NAME(PARAMETER ..) { COMMANDS } expected";
        let [_, head, body] = &c.words[..] else {
            return Err(self.error(c.at(), USAGE));
        };
        let split = head.text.strip_suffix(')').and_then(|t| t.split_once('('));
        let Some((name, params)) = split else {
            return Err(self.error(head.at, USAGE));
        };
        if commands::find(name).is_some() || self.defines.contains_key(name) {
            return Err(self.error(head.at, format!("'{name}' is defined already")));
        }
        let define = Define {
            params: params
                .split([',', ' '])
                .filter(|p| !p.is_empty())
                .map(str::to_owned)
                .collect(),
            body: self.block(body)?,
        };
        self.defines.insert(name.to_owned(), define);
        Ok(())
    }

    /// `region FUNCTION[:LINE] [statements N [loops N]] { .. }`.
    fn region(&self, c: &Command) -> Result<Region, ScriptError> {
        const USAGE: &str = "region FUNCTION[:LINE] [statements N [loops N]] { COMMANDS } expected";
        let usage = || self.error(c.at(), USAGE);
        if c.name() != "region" {
            return Err(self.error(
                c.at(),
                format!("'{}' outside of a region: {USAGE}", c.name()),
            ));
        }
        let count = |n: &Word| n.text.parse().map_err(|_| self.error(n.at, USAGE));
        let (address, statements, loops, body) = match &c.words[1..] {
            [a, body] => (a, None, None, body),
            [a, word, n, body] if word.text == "statements" => (a, Some(count(n)?), None, body),
            [a, word, n, other, m, body] if word.text == "statements" && other.text == "loops" => {
                (a, Some(count(n)?), Some(count(m)?), body)
            }
            _ => return Err(usage()),
        };
        let (of, line) = match address.text.rsplit_once(':') {
            Some((of, line)) => {
                let line = line.parse().map_err(|_| self.error(address.at, USAGE))?;
                (of, Some(line))
            }
            None => (&*address.text, None),
        };
        Ok(Region {
            of: of.to_owned(),
            line,
            statements,
            loops,
            body: self.block(body)?,
            at: c.at(),
        })
    }

    /// Refuses names of commands that there are not, before anything is run.
    fn names_known(&self) -> Result<(), ScriptError> {
        let bodies = self.regions.iter().map(|r| &r.body);
        let bodies = bodies.chain(self.defines.values().map(|d| &d.body));
        for c in bodies.flatten() {
            let (name, _) = call(c);
            if commands::find(name).is_none() && !self.defines.contains_key(name) {
                let near = commands::nearest(name);
                let near = near.map_or(String::new(), |n| format!("; did you mean '{n}'?"));
                return Err(self.error(c.at(), format!("unknown command '{name}'{near}")));
            }
        }
        Ok(())
    }

    /// The body of a macro with the texts of a call in place of its parameters.
    pub(super) fn expanded(&self, c: &Command) -> Result<Option<Vec<Command>>, ScriptError> {
        let (name, given) = call(c);
        let Some(define) = self.defines.get(name) else {
            return Ok(None);
        };
        if given.len() != define.params.len() {
            let params = define.params.join(", ");
            return Err(self.error(c.at(), format!("{name}({params}) expected")));
        }
        let texts: Vec<(&str, &str)> = define
            .params
            .iter()
            .map(String::as_str)
            .zip(given.iter().map(String::as_str))
            .collect();
        let word = |w: &Word| Word {
            text: substituted(&w.text, &texts),
            at: w.at,
        };
        let command = |c: &Command| Command {
            words: c.words.iter().map(word).collect(),
        };
        Ok(Some(define.body.iter().map(command).collect()))
    }
}

/// The name of a command and the arguments of a call: `name(a, b)` or `name a b`.
fn call(c: &Command) -> (&str, Vec<String>) {
    let first = c.name();
    let others = c.words[1..].iter().map(|w| w.text.clone());
    match first.strip_suffix(')').and_then(|t| t.split_once('(')) {
        Some((name, inner)) => {
            let mut given = arguments(inner);
            given.extend(others);
            (name, given)
        }
        None => (first, others.collect()),
    }
}

/// Texts between commas that are in no brackets.
fn arguments(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(p) = parts.last_mut() {
            p.push(c);
        }
    }
    let trimmed = parts.iter().map(|p| p.trim().to_owned());
    trimmed.filter(|p| !p.is_empty()).collect()
}

/// A text with other words for some of its words.
fn substituted(text: &str, words: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    let part = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(c) = rest.chars().next() {
        let end = match part(c) {
            true => rest.find(|c| !part(c)).unwrap_or(rest.len()),
            false => c.len_utf8(),
        };
        let word = &rest[..end];
        let found = words.iter().find(|(name, _)| *name == word);
        out += found.map_or(word, |(_, text)| text);
        rest = &rest[end..];
    }
    out
}

impl Region {
    /// Whether this is about a static control part.
    pub fn names(&self, scop: &Scop) -> bool {
        let loc = scop.loc.as_ref().map(|l| (&*l.file, l.line));
        let file = |(file, _): (&str, u32)| {
            file == self.of || file.rsplit('/').next() == Some(self.of.as_str())
        };
        let of = self.of == scop.function || self.of == "*" || loc.is_some_and(file);
        let line = self.line.is_none_or(|l| loc.is_some_and(|(_, at)| at == l));
        let as_many = |wanted: Option<usize>, there: usize| wanted.is_none_or(|n| n == there);
        of && line
            && as_many(self.statements, scop.stmts.len())
            && as_many(self.loops, scop.loops.len())
    }

    /// As it is written.
    pub fn name(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.of),
            None => self.of.clone(),
        }
    }
}
