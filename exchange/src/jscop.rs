//! Polly's form of SCoPs: JSON, with sets and relations in isl's notation.
//!
//! ```text
//! { "arrays": [ { "name": "A", "sizes": [ "*", "m" ], "type": "double" } ],
//!   "context": "[n, m] -> { : n >= 1 }",
//!   "name": "f.b1",
//!   "statements": [ {
//!     "accesses": [ { "kind": "write", "relation": "[n, m] -> { S0[i, j] -> A[i, j] }" } ],
//!     "domain": "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }",
//!     "name": "S0",
//!     "schedule": "[n, m] -> { S0[i, j] -> [i, j] }" } ] }
//! ```
//!
//! Kinds of accesses are `read`, `write` and `may_write`. Schedules may have different lengths: shorter ones end in zeros.

use crate::described::{Described, type_name};
use crate::document::{Contents, Order, Piece};
use crate::flaw::AtLine;
use polytile_analysis::scop::AccessKind;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

const KINDS: [(&str, AccessKind); 3] = [
    ("read", AccessKind::Read),
    ("write", AccessKind::MustWrite),
    ("may_write", AccessKind::MayWrite),
];

#[derive(Serialize)]
struct Written {
    arrays: Vec<WrittenArray>,
    context: String,
    name: String,
    statements: Vec<WrittenStatement>,
}

#[derive(Serialize)]
struct WrittenArray {
    name: String,
    sizes: Vec<String>,
    #[serde(rename = "type")]
    ty: String,
}

#[derive(Serialize)]
struct WrittenStatement {
    accesses: Vec<WrittenAccess>,
    domain: String,
    name: String,
    schedule: String,
}

#[derive(Serialize)]
struct WrittenAccess {
    kind: &'static str,
    relation: String,
}

/// The text of a file.
pub(crate) fn print(d: &Described) -> String {
    let arrays = d.scop.arrays.iter().map(|a| WrittenArray {
        name: a.name.clone(),
        sizes: (d.sizes(a).into_iter())
            .map(|size| size.unwrap_or_else(|| "*".to_owned()))
            .collect(),
        ty: type_name(a.ty),
    });
    let access = |(kind, relation): &(AccessKind, _)| WrittenAccess {
        kind: (KINDS.iter().find(|(_, k)| k == kind))
            .expect("all kinds are listed")
            .0,
        relation: format!("{relation}"),
    };
    let statements = d.stmts.iter().map(|s| WrittenStatement {
        accesses: s.accesses.iter().map(access).collect(),
        domain: s.domain.to_string(),
        name: s.name.clone(),
        schedule: s.times.to_string(),
    });
    let written = Written {
        arrays: arrays.collect(),
        context: d.context.to_string(),
        name: d.scop.name.clone(),
        statements: statements.collect(),
    };
    serde_json::to_string_pretty(&written).expect("names and texts") + "\n"
}

/// What is read of a file: values as they are written, which says where they are.
#[derive(Deserialize)]
struct Read<'a> {
    #[serde(borrow)]
    statements: Vec<ReadStatement<'a>>,
}

#[derive(Deserialize)]
struct ReadStatement<'a> {
    #[serde(borrow)]
    accesses: Vec<ReadAccess<'a>>,
    #[serde(borrow)]
    domain: &'a RawValue,
    #[serde(borrow)]
    schedule: &'a RawValue,
}

#[derive(Deserialize)]
struct ReadAccess<'a> {
    #[serde(borrow)]
    kind: &'a RawValue,
    #[serde(borrow)]
    relation: &'a RawValue,
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Result<Contents, AtLine> {
    let read: Read = serde_json::from_str(text).map_err(|e| {
        // It says where by itself, in front of what we say.
        let said = e.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        AtLine::new(e.line().max(1), said)
    })?;
    let piece = |value| piece(text, value);
    let (mut domain, mut times) = (vec![], vec![]);
    let mut accesses: Vec<(AccessKind, Vec<Piece>)> =
        KINDS.iter().map(|(_, kind)| (*kind, vec![])).collect();
    for s in &read.statements {
        domain.push(piece(s.domain)?);
        times.push(piece(s.schedule)?);
        for a in &s.accesses {
            let kind = piece(a.kind)?;
            let at = KINDS.iter().position(|(name, _)| *name == kind.text);
            let at = at.ok_or_else(|| {
                let kinds = KINDS.map(|(name, _)| name).join(", ");
                AtLine::new(
                    kind.line,
                    format!("no kind '{}'; {kinds} expected", kind.text),
                )
            })?;
            accesses[at].1.push(piece(a.relation)?);
        }
    }
    Ok(Contents {
        domain,
        order: Order::Times(times),
        accesses,
    })
}

/// A text, and the line on which it stands in all of the file's text, of which it is a part.
fn piece(whole: &str, value: &RawValue) -> Result<Piece, AtLine> {
    let at = value.get().as_ptr() as usize - whole.as_ptr() as usize;
    let line = whole[..at].matches('\n').count() + 1;
    let text = serde_json::from_str(value.get());
    let text = text.map_err(|_| AtLine::new(line, "a text expected"))?;
    Ok(Piece { text, line })
}
