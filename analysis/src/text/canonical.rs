//! The canonical text of a SCoP: what it computes and nothing of where it stands, so that the same nest is found again in another
//! function, under other names, or after lines were added above it.
//!
//! Left out are the names of region, function and loops, and all positions. Arrays are called `A0, A1, ..` and parameters `P0, P1, ..` in
//! their order. [`Canonical::general`] and [`Canonical::own`] translate texts that name them, as scripts do.
//!
//! ```text
//! scop "gemm.b2" function "gemm" at "gemm.c" 2 3      scop "" function ""
//! array M0_c f64 memory v8 ..                         array A0 f64 memory v8 ..
//!   write { S0[i, j] -> M0_c[i, j] } ..                 write { S0[i, j] -> A0[i, j] } ..
//! ```

use super::print_scop;
use crate::scop::Scop;
use std::collections::BTreeMap;

/// A SCoP's canonical text, with its names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canonical {
    text: String,
    /// A name of the SCoP and the canonical one.
    names: Vec<(String, String)>,
}

impl Canonical {
    /// Of a SCoP.
    pub fn of(scop: &Scop) -> Canonical {
        let names = names(scop);
        let bare = print_scop(&without_positions(scop));
        Canonical {
            text: renamed(&bare, &names),
            names,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A text in which the SCoP's own names are canonical.
    pub fn general(&self, text: &str) -> String {
        renamed(text, &self.names)
    }

    /// A text in which canonical names are the SCoP's own.
    pub fn own(&self, text: &str) -> String {
        let back: Vec<(String, String)> = (self.names.iter())
            .map(|(own, canonical)| (canonical.clone(), own.clone()))
            .collect();
        renamed(text, &back)
    }
}

fn names(scop: &Scop) -> Vec<(String, String)> {
    let numbered = |letter: char, n: usize| format!("{letter}{n}");
    let arrays = scop.arrays.iter().enumerate();
    let arrays = arrays.map(|(n, a)| (a.name.clone(), numbered('A', n)));
    let params = scop.params.iter().enumerate();
    let params = params.map(|(n, p)| (p.name.clone(), numbered('P', n)));
    arrays.chain(params).collect()
}

fn without_positions(scop: &Scop) -> Scop {
    let mut bare = scop.clone();
    bare.name.clear();
    bare.function.clear();
    bare.loc = None;
    for l in &mut bare.loops {
        l.name.clear();
        l.loc = None;
    }
    bare.stmts.iter_mut().for_each(|s| s.loc = None);
    bare
}

/// Replaces whole words, all at once. What stands in quotes is no name.
fn renamed(text: &str, names: &[(String, String)]) -> String {
    let names: BTreeMap<&str, &str> = (names.iter())
        .map(|(from, to)| (from.as_str(), to.as_str()))
        .collect();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        let length = match is_word(c) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        quoted ^= c == '"';
        out += match names.get(word) {
            Some(to) if !quoted => to,
            _ => word,
        };
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;
    use crate::text::parse_scop;

    const TEXT: &str = r#"
        scop "f.b2" function "f" at "f.c" 2 3
        params n
        context { : n >= 1 }
        array x f64 [n]
        array y f64 [n]
        loop "b2" at "f.c" 2 3
        stmt S0 at "f.c" 3 5
          domain { S0[i] : 0 <= i < n }
          beta 0 0
          write { S0[i] -> y[i] }
          read { S0[i] -> x[i] }
          body (read 1)
    "#;

    fn canonical(text: &str) -> Canonical {
        Canonical::of(&parse_scop(&Ctx::new(), text).expect("a SCoP"))
    }

    #[test]
    fn names_and_positions_do_not_matter_and_the_rest_does() {
        let first = canonical(TEXT);
        let moved = TEXT.replace("\"f", "\"g").replace("2 3", "20 1");
        // Array x becomes A1, and y becomes x: names that meet the canonical ones.
        let mut called = moved;
        for (from, to) in [
            (" x f64", " A1 f64"),
            ("x[i]", "A1[i]"),
            (" y f64", " x f64"),
            ("y[i]", "x[i]"),
            ("params n", "params m"),
            ("n >", "m >"),
            ("< n", "< m"),
            ("[n]", "[m]"),
        ] {
            assert!(called.contains(from), "{from}");
            called = called.replace(from, to);
        }
        assert_eq!(first.text(), canonical(&called).text());
        let shifted = TEXT.replace("x[i]", "x[i - 1]");
        assert_ne!(first.text(), canonical(&shifted).text());
    }

    #[test]
    fn texts_are_translated_to_and_fro() {
        let c = canonical(TEXT);
        let own = "split [0] { [x1] : x1 < n } # \"n\" x y.n";
        let general = c.general(own);
        assert_eq!(general, "split [0] { [x1] : x1 < P0 } # \"n\" A0 y.n");
        assert_eq!(c.own(&general), own);
    }

    #[test]
    fn a_canonical_text_parses_to_a_scop_of_the_same_text() {
        let first = canonical(TEXT);
        assert_eq!(canonical(first.text()).text(), first.text());
    }
}
