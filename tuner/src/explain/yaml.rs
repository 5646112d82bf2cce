//! Remarks from YAML, as LLVM writes them: a document for each, of a few known keys.
//!
//! ```text
//! --- !Missed
//! Pass:            polytile
//! Name:            NotTransformed
//! DebugLoc:        { File: csr.c, Line: 9, Column: 3 }
//! Function:        product
//! Hotness:         30
//! Args:
//!   - String:          'loop nest not transformed: '
//!   - Reason:          a subscript depends on data
//!     DebugLoc:        { File: csr.c, Line: 11, Column: 7 }
//! ...
//! ```
//!
//! Only this form is read, not YAML at large. Remarks of other passes are skipped.

/// What a remark is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Something was done.
    Passed,
    /// Something was not.
    Missed,
    /// Something was found out.
    Analysis,
}

/// A position in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loc {
    /// The file, as the compiler was given it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 where unknown.
    pub column: u32,
}

/// A remark of Polytile's.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// What it is about.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Where; `None`: compiled without debug information.
    pub loc: Option<Loc>,
    /// The function.
    pub function: String,
    /// How often its place ran, if it was compiled with a profile.
    pub hotness: Option<u64>,
    /// Keys and texts, in order.
    pub args: Vec<(String, String)>,
}

impl Remark {
    /// The text of a key.
    pub fn arg(&self, key: &str) -> Option<&str> {
        let found = self.args.iter().find(|(k, _)| k == key);
        found.map(|(_, text)| text.as_str())
    }

    /// The number of a key.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.arg(key)?.parse().ok()
    }
}

/// The remarks of Polytile in a text.
///
/// # Errors
/// The first line that is no part of a remark: `line 7: ...`.
pub fn parse(text: &str) -> Result<Vec<Remark>, String> {
    let lines = joined(text);
    let mut remarks = vec![];
    let mut at = 0;
    while at < lines.len() {
        let (number, line) = &lines[at];
        if line.trim().is_empty() {
            at += 1;
            continue;
        }
        let Some(kind) = line.strip_prefix("--- !") else {
            return Err(format!("line {number}: no remark begins here"));
        };
        let body = &lines[at + 1..];
        let end = body.iter().position(|(_, l)| l.trim_end() == "...");
        let end = end.ok_or(format!("line {number}: this remark has no end"))?;
        remarks.extend(remark(kind.trim(), &body[..end])?);
        at += end + 2;
    }
    Ok(remarks)
}

/// Lines with their numbers, from 1; what was wrapped inside of braces is one line again.
fn joined(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = vec![];
    let mut open = false;
    for (at, line) in text.lines().enumerate() {
        match lines.last_mut() {
            Some((_, before)) if open => {
                before.truncate(before.trim_end().len());
                before.push(' ');
                before.push_str(line.trim());
            }
            _ => lines.push((at + 1, line.to_owned())),
        }
        let whole = &lines.last().expect("there is one").1;
        open = whole.contains("{ File:") && !whole.trim_end().ends_with('}');
    }
    lines
}

/// A remark, if it is one of ours.
fn remark(kind: &str, lines: &[(usize, String)]) -> Result<Option<Remark>, String> {
    let kind = match kind {
        "Passed" => Kind::Passed,
        "Missed" => Kind::Missed,
        _ => Kind::Analysis,
    };
    let mut remark = Remark {
        kind,
        name: String::new(),
        loc: None,
        function: String::new(),
        hotness: None,
        args: vec![],
    };
    let mut pass = String::new();
    for (number, line) in lines {
        let wrong = |what: &str| format!("line {number}: {what}");
        if let Some(arg) = line.strip_prefix("  - ") {
            let (key, value) = arg.split_once(':').ok_or(wrong("a key is missing"))?;
            remark.args.push((key.to_owned(), scalar(value)));
            continue;
        }
        // Positions of arguments and lines of long texts.
        if line.starts_with(' ') {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or(wrong("a key is missing"))?;
        match key {
            "Pass" => pass = scalar(value),
            "Name" => remark.name = scalar(value),
            "Function" => remark.function = scalar(value),
            "Hotness" => remark.hotness = scalar(value).parse().ok(),
            "DebugLoc" => remark.loc = Some(loc(value).ok_or(wrong("no position"))?),
            _ => {}
        }
    }
    Ok((pass == "polytile").then_some(remark))
}

/// `{ File: a.c, Line: 3, Column: 5 }`.
fn loc(text: &str) -> Option<Loc> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let (rest, column) = inner.rsplit_once(", Column:")?;
    let (file, line) = rest.rsplit_once(", Line:")?;
    Some(Loc {
        file: scalar(file.trim().strip_prefix("File:")?),
        line: line.trim().parse().ok()?,
        column: column.trim().parse().ok()?,
    })
}

/// A text, quoted or plain.
fn scalar(text: &str) -> String {
    let text = text.trim();
    let within = |quote: char| text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
    if let Some(inner) = within('\'') {
        return inner.replace("''", "'");
    }
    match within('"') {
        Some(inner) => unescaped(inner),
        None => text.to_owned(),
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r"--- !Missed
Pass:            polytile
Name:            NotTransformed
DebugLoc:        { File: '/a/very/long/path/that/is/wrapped/by/the/writer.c', 
                   Line: 7, Column: 21 }
Function:        calls
Hotness:         30
Args:
  - String:          'loop nest not transformed: '
  - Reason:          'call of ''effect'', which has effects'
    DebugLoc:        { File: a.c, Line: 9, Column: 1 }
  - Remedy:          ''
...
--- !Passed
Pass:            inline
Name:            Inlined
Function:        x
Args:
  - Callee:          f
  - Text: |
    more
...
--- !Analysis
Pass:            polytile
Name:            CodeSize
Function:        y
Args:
  - Made:            '12'
...
";

    #[test]
    fn remarks_of_polytile_are_read_and_others_skipped() {
        let remarks = parse(TEXT).unwrap();
        assert_eq!(remarks.len(), 2);
        let missed = &remarks[0];
        assert_eq!((missed.kind, missed.hotness), (Kind::Missed, Some(30)));
        assert_eq!(
            missed.arg("Reason"),
            Some("call of 'effect', which has effects")
        );
        let loc = missed.loc.as_ref().unwrap();
        assert_eq!((loc.line, loc.column), (7, 21));
        assert_eq!(
            loc.file,
            "/a/very/long/path/that/is/wrapped/by/the/writer.c"
        );
        assert_eq!(remarks[1].kind, Kind::Analysis);
        assert_eq!(remarks[1].number("Made"), Some(12));
        assert_eq!(remarks[1].loc, None);
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn what_is_no_remark_is_named_by_its_line() {
        assert_eq!(
            parse("int main;").unwrap_err(),
            "line 1: no remark begins here"
        );
        let cut = &TEXT[..TEXT.len() / 2 - 40];
        assert!(parse(cut).unwrap_err().contains("no end"));
        let bad = TEXT.replace("Line: 7", "Line: x");
        assert_eq!(parse(&bad).unwrap_err(), "line 4: no position");
    }

    #[test]
    fn texts_lose_their_quotes() {
        assert_eq!(scalar(" 'it''s' "), "it's");
        assert_eq!(scalar(r#" "a\n\"b\"" "#), "a\n\"b\"");
        assert_eq!(scalar(" plain "), "plain");
    }
}
