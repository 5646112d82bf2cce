//! OpenScop as what it says.

use super::lines::Lines;
use super::relation::{Dims, Read, Tuples};
use crate::document::{Contents, Order, Piece};
use crate::flaw::AtLine;
use polytile_analysis::poly::Rows;
use polytile_analysis::scop::AccessKind;

/// Parts of a relation and dimensions of a part are no more: numbers that a broken file may have.
const MOST: usize = 10_000;

/// A statement.
struct Statement {
    domain: Read,
    scattering: Read,
    accesses: Vec<(AccessKind, Read)>,
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Result<Contents, AtLine> {
    let mut lines = Lines::of(text);
    lines.word("<OpenScop>")?;
    lines.next("the language")?;
    lines.word("CONTEXT")?;
    relation(&mut lines)?;
    let params = params(&mut lines)?;
    let number = lines.number_of("the number of statements")?;
    let mut stmts = vec![];
    for _ in 0..number {
        stmts.push(statement(&mut lines)?);
    }
    let arrays = extensions(&mut lines)?;
    contents(&params, &stmts, arrays.as_deref())
}

/// Texts in isl's notation.
fn contents(
    params: &[String],
    stmts: &[Statement],
    arrays: Option<&[String]>,
) -> Result<Contents, AtLine> {
    let piece = |read: &Read, tuples: &Tuples| -> Result<Piece, AtLine> {
        Ok(Piece {
            text: read.text(params, tuples)?,
            line: read.line,
        })
    };
    let (mut domain, mut times) = (vec![], vec![]);
    let kinds = [
        AccessKind::Read,
        AccessKind::MustWrite,
        AccessKind::MayWrite,
    ];
    let mut accesses: Vec<(AccessKind, Vec<Piece>)> = match arrays {
        Some(_) => kinds.map(|k| (k, vec![])).into(),
        None => vec![],
    };
    for (i, s) in stmts.iter().enumerate() {
        let name = format!("S{i}");
        domain.push(piece(&s.domain, &Tuples::Domain(&name))?);
        times.push(piece(&s.scattering, &Tuples::Times(&name))?);
        let Some(arrays) = arrays else { continue };
        for (kind, read) in &s.accesses {
            let of_kind = accesses.iter_mut().find(|(k, _)| k == kind);
            let (_, list) = of_kind.expect("all kinds are listed");
            list.push(piece(read, &Tuples::Elements(&name, arrays))?);
        }
    }
    Ok(Contents {
        domain,
        order: Order::Times(times),
        accesses,
    })
}

/// Names of the parameters.
fn params(lines: &mut Lines) -> Result<Vec<String>, AtLine> {
    if lines.number_of("whether parameters have names (0 or 1)")? == 0 {
        return Ok(vec![]);
    }
    lines.word("<strings>")?;
    let named = lines.until("</strings>")?;
    let words = named.iter().flat_map(|(_, words)| words.iter());
    Ok(words.map(|w| (*w).to_owned()).collect())
}

fn statement(lines: &mut Lines) -> Result<Statement, AtLine> {
    let begin = lines.number();
    let number = lines.number_of("the number of relations of a statement")?;
    let (mut domain, mut scattering) = (None, None);
    let mut accesses = vec![];
    for _ in 0..number {
        let (n, words) = lines.next("a relation")?;
        let word = words.join(" ");
        let read = match word.as_str() {
            "DOMAIN" | "SCATTERING" | "READ" | "WRITE" | "MAY_WRITE" => relation(lines)?,
            _ => {
                let text = "DOMAIN, SCATTERING, READ, WRITE or MAY_WRITE expected, not";
                return Err(AtLine::new(n, format!("{text} '{word}'")));
            }
        };
        let read = Read { line: n, ..read };
        match word.as_str() {
            "DOMAIN" => domain = Some(read),
            "SCATTERING" => scattering = Some(read),
            "READ" => accesses.push((AccessKind::Read, read)),
            "WRITE" => accesses.push((AccessKind::MustWrite, read)),
            _ => accesses.push((AccessKind::MayWrite, read)),
        }
    }
    statement_extensions(lines)?;
    let lacks = |what: &str| AtLine::new(begin, format!("a statement without {what}"));
    Ok(Statement {
        domain: domain.ok_or_else(|| lacks("DOMAIN"))?,
        scattering: scattering.ok_or_else(|| lacks("SCATTERING"))?,
        accesses,
    })
}

/// What is said of a statement beside its relations changes nothing.
fn statement_extensions(lines: &mut Lines) -> Result<(), AtLine> {
    for _ in 0..lines.number_of("the number of extensions of a statement")? {
        let (n, words) = lines.next("an extension")?;
        let end = ending(n, words)?;
        lines.until(&end)?;
    }
    Ok(())
}

/// The end of an extension that begins so.
fn ending(line: usize, words: &[&str]) -> Result<String, AtLine> {
    let name = match words {
        [word] => word.strip_prefix('<').filter(|w| w.ends_with('>')),
        _ => None,
    };
    let name = name.ok_or_else(|| {
        let text = format!("an extension <name> expected, not '{}'", words.join(" "));
        AtLine::new(line, text)
    })?;
    Ok(format!("</{name}"))
}

/// The extensions of the whole file: the names of arrays, if they are there.
fn extensions(lines: &mut Lines) -> Result<Option<Vec<String>>, AtLine> {
    let mut arrays = None;
    loop {
        let (n, words) = lines.next("</OpenScop>")?;
        match words {
            ["</OpenScop>"] => return Ok(arrays),
            ["<arrays>"] => arrays = Some(names_of_arrays(lines)?),
            words => {
                let end = ending(n, words)?;
                lines.until(&end)?;
            }
        }
    }
}

fn names_of_arrays(lines: &mut Lines) -> Result<Vec<String>, AtLine> {
    let number = lines.number_of("the number of arrays")?;
    let mut names = vec![String::new(); number.min(MOST)];
    for (n, words) in lines.until("</arrays>")? {
        let at = match words {
            [at, _] => at.parse::<usize>().ok(),
            _ => None,
        };
        let place = at.and_then(|at| names.get_mut(at.checked_sub(1)?));
        let Some(place) = place else {
            let text = "the number of an array, up to how many there are, and its name expected";
            return Err(AtLine::new(n, text));
        };
        words[1].clone_into(place);
    }
    Ok(names)
}

/// A relation, behind its word.
fn relation(lines: &mut Lines) -> Result<Read, AtLine> {
    let line = lines.number();
    let several = lines.peek().is_some_and(|(_, words)| words.len() == 1);
    let parts = match several {
        true => lines.number_of("the number of parts of a relation")?,
        false => 1,
    };
    if parts == 0 || parts > MOST {
        return Err(AtLine::new(line, "a relation has a part, and not too many"));
    }
    let parts = (0..parts).map(|_| part(lines)).collect::<Result<_, _>>()?;
    Ok(Read { line, parts })
}

fn part(lines: &mut Lines) -> Result<(Dims, Rows), AtLine> {
    let what = "rows, columns, output, input and local dimensions, parameters";
    let (n, sizes) = lines.numbers::<usize>(what)?;
    let [rows, columns, output, input, local, params] = sizes[..] else {
        return Err(AtLine::new(n, format!("{what} expected: six numbers")));
    };
    if sizes.iter().any(|s| *s > MOST) {
        return Err(AtLine::new(
            n,
            format!("a relation is no larger than {MOST}"),
        ));
    }
    let dims = Dims {
        output,
        input,
        local,
        params,
    };
    if columns != dims.columns() {
        let text = format!(
            "{columns} columns, and its dimensions make {}",
            dims.columns()
        );
        return Err(AtLine::new(n, text));
    }
    let mut all = vec![];
    for _ in 0..rows {
        let (n, row) = lines.numbers::<i64>("a row of a relation")?;
        if row.len() != columns {
            let text = format!("a row of {} numbers, not {columns}", row.len());
            return Err(AtLine::new(n, text));
        }
        if !(0..=1).contains(&row[0]) {
            return Err(AtLine::new(n, "a row begins with 0 (=) or 1 (>=)"));
        }
        all.push(row);
    }
    Ok((dims, all))
}
