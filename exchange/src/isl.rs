//! isl's notation: a relation a line, under names, quoted; a file of YAML.
//!
//! ```text
//! context: "[n] -> { : n >= 1 }"
//! domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
//! schedule: "[n] -> { S0[i] -> [0, i]; S1[i] -> [1, i] }"
//! reads: "[n] -> { S1[i] -> A[i] }"
//! writes: "[n] -> { S0[i] -> A[i]; S1[i] -> B[i] }"
//! ```
//!
//! Back comes the same with another `schedule`, or a schedule tree as isl prints it (`domain` and `child`, in blocks or in one line). Relations that are not
//! there are not compared.

use crate::described::Described;
use crate::document::{Contents, Order, Piece};
use crate::flaw::AtLine;
use polytile_analysis::poly::{self, UnionMap, UnionSet};
use polytile_analysis::scop::AccessKind;
use polytile_analysis::text::ParseError;
use polytile_analysis::text::yaml::{self, Value, Yaml, quoted};

/// Access relations by their names.
const ACCESSES: [(&str, AccessKind); 3] = [
    ("reads", AccessKind::Read),
    ("writes", AccessKind::MustWrite),
    ("may_writes", AccessKind::MayWrite),
];

/// The text of a file.
pub(crate) fn print(d: &Described) -> poly::Result<String> {
    let space = d.context.space()?;
    let (mut domain, mut times) = (UnionSet::empty(&space)?, UnionMap::empty(&space)?);
    for s in &d.stmts {
        domain = domain.union(&s.domain.to_union_set()?)?;
        times = times.union(&s.times.to_union_map()?)?;
    }
    let mut out = format!("# {}\n", d.place().replace('\n', " "));
    out += &format!("context: {}\n", quoted(&d.context));
    out += &format!("domain: {}\n", quoted(&domain));
    out += &format!("schedule: {}\n", quoted(&times));
    for (name, kind) in ACCESSES {
        let mut all = UnionMap::empty(&space)?;
        for s in &d.stmts {
            for (_, map) in s.accesses.iter().filter(|(k, _)| *k == kind) {
                all = all.union(&map.intersect_domain(&s.domain)?.to_union_map()?)?;
            }
        }
        out += &format!("{name}: {}\n", quoted(&all));
    }
    Ok(out)
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Result<Contents, AtLine> {
    read(text).map_err(|e| AtLine::new(e.line, e.message))
}

fn read(text: &str) -> Result<Contents, ParseError> {
    let y = yaml::parse(text)?;
    y.only(&[
        "context",
        "domain",
        "schedule",
        "sizes",
        "child",
        "reads",
        "writes",
        "may_writes",
    ])?;
    let piece = |y: &Yaml| -> Result<Piece, ParseError> {
        Ok(Piece {
            text: y.text()?.to_owned(),
            line: y.line,
        })
    };
    let order = match (y.get("schedule"), y.get("child")) {
        (Some(_), Some(child)) => {
            return Err(child.error("a schedule and a schedule tree: one of them"));
        }
        (Some(times), None) => Order::Times(vec![piece(times)?]),
        (None, Some(_)) => Order::Tree(tree(&y)?),
        (None, None) => return Err(y.error("'schedule' or 'child' expected")),
    };
    let mut accesses = vec![];
    for (name, kind) in ACCESSES {
        if let Some(given) = y.get(name) {
            accesses.push((kind, vec![piece(given)?]));
        }
    }
    Ok(Contents {
        domain: vec![piece(y.need("domain")?)?],
        order,
        accesses,
    })
}

/// What of a file is a schedule tree.
fn tree(y: &Yaml) -> Result<Yaml, ParseError> {
    let parts = y.map()?.iter();
    let of_tree = |(key, _): &&(String, Yaml)| ["domain", "sizes", "child"].contains(&key.as_str());
    Ok(Yaml {
        line: y.line,
        value: Value::Map(parts.filter(of_tree).cloned().collect()),
    })
}
