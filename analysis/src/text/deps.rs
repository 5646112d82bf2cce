//! The text form of dependences, one a line: `S0 -> S1 flow anti A B: { S0[i] -> S1[i'] : i < i' }`.

use super::lexer::{Cursor, ParseError};
use crate::deps::{DepKind, Dependence, Dependences};
use crate::ids::{ArrayId, StmtId};
use crate::poly::{BasicMap, Ctx};
use crate::scop::Scop;
use std::fmt::Write;

const KINDS: [(&str, DepKind); 6] = [
    ("flow", DepKind::FLOW),
    ("anti", DepKind::ANTI),
    ("output", DepKind::OUTPUT),
    ("input", DepKind::INPUT),
    ("reduction", DepKind::REDUCTION),
    ("commutes", DepKind::COMMUTES),
];

/// The words of a set of kinds.
pub fn print_kind(kind: DepKind) -> String {
    let words: Vec<&str> = KINDS
        .iter()
        .filter(|(_, k)| kind.contains(*k))
        .map(|(w, _)| *w)
        .collect();
    words.join(" ")
}

/// The text of dependences.
pub fn print_deps(scop: &Scop, deps: &Dependences) -> String {
    let mut out = String::new();
    for d in &deps.list {
        let arrays: Vec<&str> = d
            .arrays
            .iter()
            .map(|a| scop.array(*a).name.as_str())
            .collect();
        let kind = print_kind(d.kind);
        writeln!(
            out,
            "{} -> {} {kind} {}: {}",
            d.src,
            d.dst,
            arrays.join(" "),
            d.relation
        )
        .expect("writing to a string");
    }
    out
}

/// Reads dependences.
pub fn parse_deps(ctx: &Ctx, scop: &Scop, text: &str) -> Result<Dependences, ParseError> {
    let mut c = Cursor::new(text);
    let mut list = vec![];
    while !c.at_end() {
        let src = StmtId(c.id('S')?);
        if !c.eat("->") {
            return Err(c.error("'->' expected"));
        }
        let dst = StmtId(c.id('S')?);
        let mut kind = DepKind::empty();
        while let Some((_, k)) = KINDS.iter().find(|(w, _)| *w == c.peek()) {
            c.word()?;
            kind |= *k;
        }
        let mut arrays = vec![];
        while !c.sees('{') && !c.sees('[') {
            let here = c;
            let word = c.word()?;
            let name = word.trim_end_matches(':');
            let found = scop.arrays.iter().position(|a| a.name == name);
            arrays.push(
                found
                    .map(ArrayId::from)
                    .ok_or_else(|| here.error(format!("no array '{name}'")))?,
            );
        }
        let here = c;
        let relation = BasicMap::parse(ctx, c.isl()?).map_err(|e| here.error(e.to_string()))?;
        list.push(Dependence {
            src,
            dst,
            kind,
            arrays,
            relation,
        });
    }
    Ok(Dependences::new(list))
}
