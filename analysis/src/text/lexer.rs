//! Words, quoted names and isl texts, with positions for errors.

use std::fmt;
use std::str::FromStr;

/// Why a text was not understood, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What was expected, or what is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// The result of parsing.
pub type Parsed<T> = Result<T, ParseError>;

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

const BREAKS: &str = "()[]{}\"=#,;";

impl<'a> Cursor<'a> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// An error at this position.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        let before = &self.text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    /// Skips separators and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed =
                rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Whether nothing but a line end, a semicolon or a comment follows on this line.
    pub fn at_line_end(&self) -> bool {
        let rest = self.rest().trim_start_matches([' ', '\t', '\r', ',']);
        rest.is_empty() || rest.starts_with(['\n', ';', '#'])
    }

    /// Whether nothing follows.
    pub fn at_end(&mut self) -> bool {
        self.skip();
        self.rest().is_empty()
    }

    /// The next word without moving; empty if something else follows.
    pub fn peek(&mut self) -> &'a str {
        self.skip();
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_whitespace() || BREAKS.contains(c))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    /// The next word.
    pub fn word(&mut self) -> Parsed<&'a str> {
        let word = self.peek();
        if word.is_empty() {
            return Err(self.error("a word expected"));
        }
        self.at += word.len();
        Ok(word)
    }

    /// The next word as a value.
    pub fn value<T: FromStr>(&mut self, what: &str) -> Parsed<T> {
        let word = self.peek();
        let value = word
            .parse()
            .map_err(|_| self.error(format!("{what} expected, found '{word}'")))?;
        self.at += word.len();
        Ok(value)
    }

    /// Passes this word if it is the next one.
    pub fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    /// Whether this character follows.
    pub fn sees(&mut self, c: char) -> bool {
        self.skip();
        self.rest().starts_with(c)
    }

    /// Passes this character if it follows.
    pub fn eat_char(&mut self, c: char) -> bool {
        let found = self.sees(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Passes this character.
    pub fn expect(&mut self, c: char) -> Parsed<()> {
        if self.eat_char(c) {
            Ok(())
        } else {
            Err(self.error(format!("'{c}' expected")))
        }
    }

    /// A dense id: a prefix and a number, as in `v7`.
    pub fn id(&mut self, prefix: char) -> Parsed<u32> {
        let word = self.peek();
        let number = word.strip_prefix(prefix).and_then(|n| n.parse().ok());
        let number = number.ok_or_else(|| {
            self.error(format!("'{prefix}' and a number expected, found '{word}'"))
        })?;
        self.at += word.len();
        Ok(number)
    }

    /// Whether a dense id of this prefix follows.
    pub fn sees_id(&mut self, prefix: char) -> bool {
        self.peek()
            .strip_prefix(prefix)
            .is_some_and(|n| n.parse::<u32>().is_ok())
    }

    /// A text in double quotes; a backslash takes the next character as it is.
    pub fn quoted(&mut self) -> Parsed<String> {
        self.expect('"')?;
        let mut out = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += i + 1;
                    return Ok(out);
                }
                '\\' => out.extend(chars.next().map(|(_, c)| c)),
                _ => out.push(c),
            }
        }
        Err(self.error("no closing quote"))
    }

    /// A text in isl's notation: up to the brace that closes the first one.
    pub fn isl(&mut self) -> Parsed<&'a str> {
        self.skip();
        let rest = self.rest();
        if !rest.starts_with(['{', '[']) {
            return Err(self.error("a set or map expected"));
        }
        let mut depth = 0usize;
        for (i, c) in rest.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => {
                    self.at += i + 1;
                    return Ok(&rest[..=i]);
                }
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Err(self.error("no closing brace"))
    }
}

/// A text in double quotes, as [`Cursor::quoted`] reads it.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
