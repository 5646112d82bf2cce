//! The part of YAML that schedule trees are written in: block mappings and lists by indentation, flow lists and
//! mappings on one line, plain words and quoted texts, comments.

use super::lexer::{ParseError, Parsed, quote};

/// A value with the line that it starts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Yaml {
    /// Its line, from 1.
    pub line: usize,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A word, or a quoted text.
    Text(String),
    /// Values one after the other.
    List(Vec<Yaml>),
    /// Values by key, in the order of the text.
    Map(Vec<(String, Yaml)>),
}

impl Yaml {
    /// Something that is wrong with it.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            column: 1,
            message: message.into(),
        }
    }

    /// Its text.
    ///
    /// # Errors
    /// It is none.
    pub fn text(&self) -> Parsed<&str> {
        match &self.value {
            Value::Text(t) => Ok(t),
            _ => Err(self.error("a text expected")),
        }
    }

    /// Its number.
    ///
    /// # Errors
    /// It is none.
    pub fn number<T: std::str::FromStr>(&self) -> Parsed<T> {
        self.text()?
            .parse()
            .map_err(|_| self.error("a number expected"))
    }

    /// Its values.
    ///
    /// # Errors
    /// It is no list.
    pub fn list(&self) -> Parsed<&[Yaml]> {
        match &self.value {
            Value::List(l) => Ok(l),
            _ => Err(self.error("a list expected")),
        }
    }

    /// Its keys and values.
    ///
    /// # Errors
    /// It is no mapping.
    pub fn map(&self) -> Parsed<&[(String, Yaml)]> {
        match &self.value {
            Value::Map(m) => Ok(m),
            _ => Err(self.error("a mapping expected")),
        }
    }

    /// The value of a key of a mapping.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        match &self.value {
            Value::Map(m) => m.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The value of a key that must be there.
    ///
    /// # Errors
    /// It is not.
    pub fn need(&self, key: &str) -> Parsed<&Yaml> {
        self.get(key)
            .ok_or_else(|| self.error(format!("'{key}' expected")))
    }

    /// Refuses keys that are not listed.
    ///
    /// # Errors
    /// The first that is not.
    pub fn only(&self, keys: &[&str]) -> Parsed<()> {
        for (k, v) in self.map()? {
            if !keys.contains(&k.as_str()) {
                return Err(v.error(format!(
                    "unknown key '{k}'; one of {} expected",
                    keys.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// A line without its indentation and comment.
struct Line<'a> {
    number: usize,
    indent: usize,
    text: &'a str,
}

/// Reads a document.
///
/// # Errors
/// The first line that is no part of one.
pub fn parse(text: &str) -> Parsed<Yaml> {
    let mut lines: Vec<Line> = vec![];
    for (i, raw) in text.lines().enumerate() {
        let body = strip_comment(raw).trim_end();
        let inner = body.trim_start_matches(' ');
        if !inner.is_empty() {
            lines.push(Line {
                number: i + 1,
                indent: body.len() - inner.len(),
                text: inner,
            });
        }
    }
    let mut at = 0;
    let whole = block(&mut lines, &mut at)?;
    match lines.get(at) {
        Some(l) => Err(ParseError {
            line: l.number,
            column: l.indent + 1,
            message: "wrong indentation".into(),
        }),
        None => Ok(whole),
    }
}

fn strip_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (i, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..i],
            _ => {}
        }
    }
    line
}

/// The block that starts at line `at`, as far as lines are indented like the first.
fn block(lines: &mut [Line], at: &mut usize) -> Parsed<Yaml> {
    let Some(first) = lines.get(*at) else {
        return Err(ParseError {
            line: lines.last().map_or(1, |l| l.number),
            column: 1,
            message: "a value expected".into(),
        });
    };
    let (line, indent) = (first.number, first.indent);
    if first.text.starts_with(['{', '[', '"']) {
        *at += 1;
        return inline(lines[*at - 1].text, line);
    }
    let value = if first.text == "-" || first.text.starts_with("- ") {
        Value::List(list(lines, at, indent)?)
    } else {
        Value::Map(mapping(lines, at, indent)?)
    };
    Ok(Yaml { line, value })
}

fn list(lines: &mut [Line], at: &mut usize, indent: usize) -> Parsed<Vec<Yaml>> {
    let mut items = vec![];
    while let Some(l) = lines.get_mut(*at).filter(|l| l.indent == indent) {
        let Some(rest) = l.text.strip_prefix('-') else {
            break;
        };
        let inner = rest.trim_start_matches(' ');
        if inner.is_empty() {
            *at += 1;
        } else {
            // The item begins on this line: what follows the dash is its first line.
            l.indent += l.text.len() - inner.len();
            l.text = inner;
        }
        items.push(block(lines, at)?);
    }
    Ok(items)
}

fn mapping(lines: &mut [Line], at: &mut usize, indent: usize) -> Parsed<Vec<(String, Yaml)>> {
    let mut entries: Vec<(String, Yaml)> = vec![];
    while let Some(l) = lines
        .get(*at)
        .filter(|l| l.indent == indent && !l.text.starts_with("- "))
    {
        let fail = |message: &str| ParseError {
            line: l.number,
            column: indent + 1,
            message: message.into(),
        };
        let (key, rest) = l
            .text
            .split_once(':')
            .ok_or_else(|| fail("'key: value' expected"))?;
        let (line, rest) = (l.number, rest.trim());
        *at += 1;
        let value = if !rest.is_empty() {
            inline(rest, line)?
        } else if lines
            .get(*at)
            .is_some_and(|n| n.indent > indent || (n.indent == indent && n.text.starts_with('-')))
        {
            block(lines, at)?
        } else {
            Yaml {
                line,
                value: Value::Text(String::new()),
            }
        };
        entries.push((key.trim().to_owned(), value));
    }
    Ok(entries)
}

/// A value on one line.
fn inline(text: &str, line: usize) -> Parsed<Yaml> {
    let mut rest = text;
    let value = flow(&mut rest, line)?;
    if rest.trim().is_empty() {
        Ok(value)
    } else {
        Err(ParseError {
            line,
            column: 1,
            message: format!("unexpected '{}'", rest.trim()),
        })
    }
}

fn flow(rest: &mut &str, line: usize) -> Parsed<Yaml> {
    *rest = rest.trim_start();
    let value = if let Some(inner) = rest.strip_prefix('[') {
        *rest = inner;
        Value::List(flow_items(rest, ']', line, flow)?)
    } else if let Some(inner) = rest.strip_prefix('{') {
        *rest = inner;
        Value::Map(flow_items(rest, '}', line, flow_entry)?)
    } else {
        Value::Text(word(rest, line, &[',', ']', '}'])?)
    };
    Ok(Yaml { line, value })
}

fn flow_entry(rest: &mut &str, line: usize) -> Parsed<(String, Yaml)> {
    let key = word(rest, line, &[':', ',', '}'])?;
    *rest = rest.trim_start();
    *rest = rest.strip_prefix(':').ok_or(ParseError {
        line,
        column: 1,
        message: "':' expected".into(),
    })?;
    Ok((key, flow(rest, line)?))
}

fn flow_items<T>(
    rest: &mut &str,
    close: char,
    line: usize,
    item: impl Fn(&mut &str, usize) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut items = vec![];
    loop {
        *rest = rest.trim_start().trim_start_matches(',').trim_start();
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return Ok(items);
        }
        if rest.is_empty() {
            return Err(ParseError {
                line,
                column: 1,
                message: format!("'{close}' expected"),
            });
        }
        items.push(item(rest, line)?);
    }
}

fn word(rest: &mut &str, line: usize, ends: &[char]) -> Parsed<String> {
    *rest = rest.trim_start();
    if !rest.starts_with('"') {
        let end = rest.find(ends).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        *rest = after;
        return Ok(word.trim().to_owned());
    }
    let mut out = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => {
                *rest = &rest[i + 1..];
                return Ok(out);
            }
            '\\' => out.extend(chars.next().map(|(_, c)| c)),
            _ => out.push(c),
        }
    }
    Err(ParseError {
        line,
        column: 1,
        message: "no closing quote".into(),
    })
}

/// A text as a quoted word.
pub fn quoted(text: &impl ToString) -> String {
    quote(&text.to_string())
}
