//! A SCoP as OpenScop.

use super::relation::{of_map, of_set};
use crate::described::{Described, Statement};
use polytile_analysis::poly::{self, DimType, Map};
use polytile_analysis::scop::AccessKind;

/// The text of a file.
pub(crate) fn print(d: &Described) -> poly::Result<String> {
    let mut out = format!("<OpenScop>\n# {}\n", d.place().replace('\n', " "));
    out += "\n# Language\nC\n\n# Context\n";
    out += &of_set("CONTEXT", &d.context, &[])?;
    out += &strings(&d.params());
    out += &format!("\n# Number of statements\n{}\n", d.stmts.len());
    for s in &d.stmts {
        out += &statement(d, s)?;
    }
    out += "\n# Extensions\n<arrays>\n# Number of arrays\n";
    out += &format!("{}\n", d.scop.arrays.len());
    for (i, a) in d.scop.arrays.iter().enumerate() {
        out += &format!("{} {}\n", i + 1, a.name);
    }
    Ok(out + "</arrays>\n</OpenScop>\n")
}

/// The names of parameters.
fn strings(names: &[&str]) -> String {
    match names {
        [] => "\n# No parameters\n0\n".to_owned(),
        names => format!(
            "\n# Parameters have names\n1\n<strings>\n{}\n</strings>\n",
            names.join(" ")
        ),
    }
}

fn statement(d: &Described, s: &Statement) -> poly::Result<String> {
    let mut out = format!("\n# Statement {}: number of relations\n", s.name);
    out += &format!("{}\n\n", 2 + s.accesses.len());
    let iters: Vec<String> = (0..s.domain.dim(DimType::Set))
        .map(|i| format!("i{i}"))
        .collect();
    let iters: Vec<&str> = iters.iter().map(String::as_str).collect();
    out += &of_set("DOMAIN", &s.domain, &iters)?;
    out += "\n";
    out += &of_map("SCATTERING", &s.times, &iters, None)?;
    for (kind, relation) in &s.accesses {
        let word = match kind {
            AccessKind::Read => "READ",
            AccessKind::MustWrite => "WRITE",
            AccessKind::MayWrite => "MAY_WRITE",
        };
        out += "\n";
        out += &of_map(word, relation, &iters, Some(number(d, relation)))?;
    }
    out += "\n# Number of statement extensions\n1\n<body>\n# Number of original iterators\n";
    out += &format!("{}\n", iters.len());
    if !iters.is_empty() {
        out += &format!("{}\n", iters.join(" "));
    }
    Ok(out + &body(s, &iters)? + "</body>\n")
}

/// The number of the array that a relation leads to, from 1.
fn number(d: &Described, relation: &Map) -> usize {
    let name = relation.tuple_name(DimType::Out).unwrap_or_default();
    let at = d.scop.arrays.iter().position(|a| a.name == name);
    at.expect("an access is of an array") + 1
}

/// What a statement does, for a reader and for tools that print code: each element that it writes is what the statement makes of what it reads.
fn body(s: &Statement, iters: &[&str]) -> poly::Result<String> {
    let elements = |wanted: &dyn Fn(AccessKind) -> bool| -> poly::Result<Vec<String>> {
        let all = s.accesses.iter().filter(|(k, _)| wanted(*k));
        all.map(|(_, map)| element(map, iters)).collect()
    };
    let reads = elements(&|k| k == AccessKind::Read)?.join(", ");
    let writes = elements(&|k| k != AccessKind::Read)?;
    let writes = writes.iter().map(|w| format!("{w} = {}({reads});", s.name));
    Ok(writes.collect::<Vec<_>>().join(" ") + "\n")
}

/// An element as C names it.
fn element(map: &Map, iters: &[&str]) -> poly::Result<String> {
    let name = map.tuple_name(DimType::Out).unwrap_or_default();
    let expr = map.as_pw_multi_aff()?;
    let mut out = name;
    for d in 0..map.dim(DimType::Out) {
        out += &format!("[{}]", subscript(&expr.at(d)?, iters)?);
    }
    Ok(out)
}

/// A subscript, if it is the same affine expression for all instances.
fn subscript(expr: &poly::PwAff, iters: &[&str]) -> poly::Result<String> {
    let pieces = expr.pieces()?;
    let [(_, aff)] = &pieces[..] else {
        return Ok("..".to_owned());
    };
    if aff.involves_locals()? || aff.denominator()? != 1 {
        return Ok("..".to_owned());
    }
    let mut terms = vec![];
    for (i, name) in iters.iter().enumerate() {
        terms.push((aff.coefficient(DimType::In, i)?, (*name).to_owned()));
    }
    for p in 0..aff.dim(DimType::Param) {
        let name = expr.space()?.dim_name(DimType::Param, p);
        terms.push((
            aff.coefficient(DimType::Param, p)?,
            name.unwrap_or_default(),
        ));
    }
    terms.retain(|(c, _)| *c != 0);
    let constant = aff.constant()?;
    let mut words: Vec<String> = terms.iter().map(|(c, name)| term(*c, name)).collect();
    if constant != 0 || words.is_empty() {
        words.push(constant.to_string());
    }
    Ok(words.join(" + "))
}

fn term(factor: i64, name: &str) -> String {
    match factor {
        1 => name.to_owned(),
        c => format!("{c}*{name}"),
    }
}
