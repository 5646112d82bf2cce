//! The lines of a file, without comments.

use crate::flaw::AtLine;

/// The rest of a file.
pub(super) struct Lines<'a> {
    /// Number and words.
    all: Vec<(usize, Vec<&'a str>)>,
    at: usize,
}

/// A line's number and words.
pub(super) type Line<'l, 'a> = (usize, &'l [&'a str]);

impl<'a> Lines<'a> {
    /// All lines that have words.
    pub(super) fn of(text: &'a str) -> Lines<'a> {
        let words = |line: &'a str| -> Vec<&'a str> {
            let code = line.split('#').next().unwrap_or_default();
            code.split_whitespace().collect()
        };
        let all = text.lines().zip(1..).map(|(l, n)| (n, words(l)));
        Lines {
            all: all.filter(|(_, words)| !words.is_empty()).collect(),
            at: 0,
        }
    }

    /// The number of the line that comes next, or of the last one.
    pub(super) fn number(&self) -> usize {
        let line = self.all.get(self.at).or(self.all.last());
        line.map_or(1, |(n, _)| *n)
    }

    /// An error at that line.
    pub(super) fn error(&self, message: impl Into<String>) -> AtLine {
        AtLine::new(self.number(), message)
    }

    /// The next line, which stays.
    pub(super) fn peek(&self) -> Option<Line<'_, 'a>> {
        let (n, words) = self.all.get(self.at)?;
        Some((*n, words))
    }

    /// The next line.
    pub(super) fn next(&mut self, expected: &str) -> Result<Line<'_, 'a>, AtLine> {
        let Some((n, words)) = self.all.get(self.at) else {
            return Err(self.error(format!("the file ends where {expected} is expected")));
        };
        self.at += 1;
        Ok((*n, words))
    }

    /// A line that has this word and no other.
    pub(super) fn word(&mut self, word: &str) -> Result<usize, AtLine> {
        let (n, words) = self.next(word)?;
        match words {
            [only] if *only == word => Ok(n),
            _ => Err(AtLine::new(
                n,
                format!("{word} expected, not '{}'", words.join(" ")),
            )),
        }
    }

    /// A line of whole numbers.
    pub(super) fn numbers<T: std::str::FromStr>(
        &mut self,
        what: &str,
    ) -> Result<(usize, Vec<T>), AtLine> {
        let (n, words) = self.next(what)?;
        let parsed: Option<Vec<T>> = words.iter().map(|w| w.parse().ok()).collect();
        match parsed {
            Some(numbers) => Ok((n, numbers)),
            None => Err(AtLine::new(
                n,
                format!("{what} expected, not '{}'", words.join(" ")),
            )),
        }
    }

    /// A line of one whole number.
    pub(super) fn number_of(&mut self, what: &str) -> Result<usize, AtLine> {
        let (n, numbers) = self.numbers(what)?;
        match numbers[..] {
            [one] => Ok(one),
            _ => Err(AtLine::new(n, format!("{what} expected: one number"))),
        }
    }

    /// The lines up to one that has only this word.
    pub(super) fn until(&mut self, end: &str) -> Result<Vec<Line<'_, 'a>>, AtLine> {
        let rest = &self.all[self.at.min(self.all.len())..];
        let length = rest.iter().position(|(_, words)| words[..] == [end]);
        let Some(length) = length else {
            return Err(self.error(format!("no {end}")));
        };
        let first = self.at;
        self.at += length + 1;
        let lines = self.all[first..first + length].iter();
        Ok(lines.map(|(n, words)| (*n, &words[..])).collect())
    }
}
