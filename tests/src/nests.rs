//! The loop nests of a C program, read from its preprocessed text: what the plugin has to say something about, found without
//! the plugin's help.
//!
//! ```text
//! # 12 "gemm.c"                            the next line is line 12 of gemm.c
//! for (int i = 0; i < n; i++)              nest from line 12 to 14 of gemm.c, two levels
//!     for (int j = 0; j < m; j++)
//!         C[i][j] *= beta;
//! ```
//!
//! Statements are told apart by their first word; all else is skipped up to its semicolon.

use std::ops::RangeInclusive;

/// An outermost loop with loops in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nest {
    /// The file that it is in, as the preprocessor names it.
    pub file: String,
    /// Its lines there.
    pub lines: RangeInclusive<u32>,
    /// Loops around its innermost statement, itself included.
    pub levels: usize,
}

/// The nests of two or more levels, in the order of the text.
pub fn of(preprocessed: &str) -> Vec<Nest> {
    let mut reader = Reader {
        tokens: tokens(preprocessed),
        at: 0,
        found: vec![],
    };
    while reader.at < reader.tokens.len() {
        match reader.word() {
            "{" => drop(reader.statement()),
            _ => reader.at += 1,
        }
    }
    reader.found.retain(|n| n.levels > 1);
    reader.found
}

/// A word, number, string or sign, and where it stands.
struct Token<'t> {
    text: &'t str,
    file: &'t str,
    line: u32,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut file, mut line) = ("", 0);
    let mut all = vec![];
    for row in text.lines() {
        line += 1;
        if let Some(marker) = row.strip_prefix("# ") {
            let mut parts = marker.splitn(3, ['"', ' ']);
            if let (Some(number), Some(_), Some(rest)) = (parts.next(), parts.next(), parts.next())
                && let Ok(number) = number.parse::<u32>()
            {
                file = rest.split('"').next().unwrap_or_default();
                line = number.saturating_sub(1);
                continue;
            }
        }
        let mut rest = row.trim_start();
        while !rest.is_empty() {
            let (text, after) = rest.split_at(length(rest));
            all.push(Token { text, file, line });
            rest = after.trim_start();
        }
    }
    all
}

/// Length of the first token.
fn length(text: &str) -> usize {
    let first = text.chars().next().expect("there is text");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if is_word(first) {
        return text.find(|c| !is_word(c)).unwrap_or(text.len());
    }
    if first != '"' && first != '\'' {
        return first.len_utf8();
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == first => return at + 1,
            _ => {}
        }
    }
    text.len()
}

struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    found: Vec<Nest>,
}

impl<'t> Reader<'t> {
    /// The next token; empty at the end.
    fn word(&self) -> &'t str {
        self.tokens.get(self.at).map_or("", |t| t.text)
    }

    /// Reads a statement; how many loops deep it is.
    fn statement(&mut self) -> usize {
        match self.word() {
            "{" => self.block(),
            "for" | "while" => {
                let begin = self.at;
                self.at += 1;
                self.parentheses();
                self.loop_(begin)
            }
            "do" => {
                let begin = self.at;
                self.at += 1;
                let depth = self.loop_(begin);
                self.simple();
                depth
            }
            "if" | "switch" => {
                self.at += 1;
                self.parentheses();
                let depth = self.statement();
                if self.word() != "else" {
                    return depth;
                }
                self.at += 1;
                depth.max(self.statement())
            }
            "case" | "default" => {
                while !matches!(self.word(), ":" | "") {
                    self.at += 1;
                }
                self.at += 1;
                self.statement()
            }
            _ => self.simple(),
        }
    }

    fn block(&mut self) -> usize {
        self.at += 1;
        let mut depth = 0;
        while !matches!(self.word(), "}" | "") {
            depth = depth.max(self.statement());
        }
        self.at += 1;
        depth
    }

    /// The body of a loop that begins at a token.
    fn loop_(&mut self, begin: usize) -> usize {
        let before = self.found.len();
        let levels = self.statement() + 1;
        // Only the outermost one is a nest of its own.
        self.found.truncate(before);
        let (first, last) = (
            &self.tokens[begin],
            &self.tokens[self.at.min(self.tokens.len()) - 1],
        );
        self.found.push(Nest {
            file: first.file.to_string(),
            lines: first.line..=last.line,
            levels,
        });
        levels
    }

    /// Up to the semicolon, or to the end of the block.
    fn simple(&mut self) -> usize {
        let mut open = 0usize;
        loop {
            match self.word() {
                "" => break,
                "(" | "{" | "[" => open += 1,
                "}" if open == 0 => break,
                ")" | "}" | "]" => open = open.saturating_sub(1),
                ";" if open == 0 => {
                    self.at += 1;
                    break;
                }
                // A label.
                ":" if open == 0 => {
                    self.at += 1;
                    return self.statement();
                }
                "?" if open == 0 => self.choice(),
                _ => {}
            }
            self.at += 1;
        }
        0
    }

    /// `? a :`, whose colon is none of a label.
    fn choice(&mut self) {
        let mut open = 0usize;
        loop {
            self.at += 1;
            match self.word() {
                "" | ";" => return,
                ":" if open == 0 => return,
                "?" => self.choice(),
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open = open.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn parentheses(&mut self) {
        let mut open = 0usize;
        loop {
            match self.word() {
                "" => return,
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u32, u32, usize)> {
        let nests = of(text).into_iter();
        nests
            .map(|n| (*n.lines.start(), *n.lines.end(), n.levels))
            .collect()
    }

    #[test]
    fn nests_begin_and_end_where_their_statements_do() {
        let text = "# 1 \"f.c\"\nvoid f(int n) {\n  for (int i = 0; i < n; i++)\n    for (;;)\n      if (i) a();\n      \
                    else b();\n  for (;;) c = \"for (\";\n  do {\n    while (x ? y : z)\n      d();\n  } while (e);\n}\n";
        assert_eq!(lines(text), [(2, 5, 2), (7, 10, 2)]);
        assert!(of(text).iter().all(|n| n.file == "f.c"));
    }

    #[test]
    fn marks_of_the_preprocessor_give_the_lines() {
        let text = "# 40 \"g.h\" 1\nint v[] = {1, 2};\n# 7 \"f.c\" 2\nint f() { out: for (;;) { switch (v) { case 1: for (;;) {} } }\n\
                    for (;;) w; }\n";
        assert_eq!(lines(text), [(7, 7, 2)]);
    }

    #[test]
    fn a_nest_of_three_levels_is_one_nest() {
        let text = "# 1 \"f.c\"\nvoid f() { for (;;) {\nfor (;;) a;\nfor (;;) while (1)\nb; } }\n";
        assert_eq!(lines(text), [(1, 4, 3)]);
    }
}
