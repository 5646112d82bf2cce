//! Relations as matrices, and back as texts in isl's notation.
//!
//! isl's rows have the columns constant, parameters, input, output, integer divisions ([`polytile_analysis::poly::Rows`]); OpenScop's have whether they are
//! inequalities, output, input, integer divisions, parameters, constant. What defines an integer division is in the rows of both.

use crate::flaw::AtLine;
use polytile_analysis::poly::{self, BasicMap, BasicSet, DimType, Error, Map, Rows, Set};
use std::ops::Range;

/// The numbers of dimensions, as OpenScop counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Dims {
    pub(super) output: usize,
    pub(super) input: usize,
    pub(super) local: usize,
    pub(super) params: usize,
}

impl Dims {
    /// Columns of a row.
    pub(super) fn columns(self) -> usize {
        2 + self.output + self.input + self.local + self.params
    }
}

/// A convex part: rows as OpenScop has them.
struct Part {
    dims: Dims,
    rows: Rows,
}

/// A set under a word, with the names of its dimensions for a reader; parameters alone where it has none.
pub(super) fn of_set(word: &str, set: &Set, names: &[&str]) -> poly::Result<String> {
    let params = param_names(set.dim(DimType::Param), |p| set.dim_name(DimType::Param, p));
    // Constraints on parameters alone have neither output nor input.
    let output = match set.is_params() {
        true => 0,
        false => set.dim(DimType::Set),
    };
    let mut all = vec![];
    for b in set.basic_sets()? {
        let rows = (b.equalities_matrix()?, b.inequalities_matrix()?);
        let space = b.space()?;
        let again = BasicSet::from_constraint_matrices(&space, &rows.0, &rows.1)?;
        if !again.is_equal(&b)? {
            return Err(incomplete());
        }
        all.push(part(&rows, [set.dim(DimType::Param), 0, output]));
    }
    if all.is_empty() {
        all.push(nothing(output, 0, set.dim(DimType::Param)));
    }
    Ok(printed(word, &all, &columns(names, &[], &params)))
}

/// A map under a word; `array`: the number that stands in front of its output.
pub(super) fn of_map(
    word: &str,
    map: &Map,
    names: &[&str],
    array: Option<usize>,
) -> poly::Result<String> {
    let params = param_names(map.dim(DimType::Param), |p| map.dim_name(DimType::Param, p));
    let sizes = [DimType::Param, DimType::In, DimType::Out].map(|ty| map.dim(ty));
    let mut all = vec![];
    for b in map.basic_maps()? {
        let rows = (b.equalities_matrix()?, b.inequalities_matrix()?);
        let again = BasicMap::from_constraint_matrices(&b.space()?, &rows.0, &rows.1)?;
        if !again.is_equal(&b)? {
            return Err(incomplete());
        }
        all.push(part(&rows, sizes));
    }
    if all.is_empty() {
        all.push(nothing(sizes[2], sizes[1], sizes[0]));
    }
    all.iter_mut().for_each(Part::in_order);
    let mut outputs: Vec<String> = (1..=sizes[2])
        .map(|n| match array {
            Some(_) => format!("[{n}]"),
            None => format!("c{n}"),
        })
        .collect();
    if let Some(number) = array {
        all.iter_mut().for_each(|p| p.lead(number));
        outputs.insert(0, "Arr".to_owned());
    }
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    Ok(printed(word, &all, &columns(&outputs, names, &params)))
}

/// isl has left out what defines an integer division.
fn incomplete() -> Error {
    Error::Unsupported("constraints that do not say all of a relation".into())
}

fn param_names(n: usize, name: impl Fn(usize) -> Option<String>) -> Vec<String> {
    (0..n).map(|p| name(p).unwrap_or_default()).collect()
}

/// Heads of the columns: output, input, parameters; `None` stands for integer divisions.
fn columns(output: &[&str], input: &[&str], params: &[String]) -> Vec<Option<String>> {
    let named = |n: &&str| Some((*n).to_owned());
    let mut all: Vec<Option<String>> = output.iter().chain(input).map(named).collect();
    all.push(None);
    all.extend(params.iter().cloned().map(Some));
    all
}

/// isl's rows with OpenScop's columns.
fn part((equal, least): &(Rows, Rows), [params, input, output]: [usize; 3]) -> Part {
    let before = 1 + params + input + output;
    let first = equal.iter().chain(least).next();
    let local = first.map_or(0, |row| row.len() - before);
    let dims = Dims {
        output,
        input,
        local,
        params,
    };
    let moved = |kind: i64, row: &Vec<i64>| -> Vec<i64> {
        let part = |range: Range<usize>| row[range].to_vec();
        let inputs = 1 + params..1 + params + input;
        let outputs = inputs.end..before;
        let mut out = vec![kind];
        out.extend(part(outputs));
        out.extend(part(inputs));
        out.extend(part(before..before + local));
        out.extend(part(1..1 + params));
        out.push(row[0]);
        out
    };
    let rows = (equal.iter().map(|r| moved(0, r))).chain(least.iter().map(|r| moved(1, r)));
    Part {
        dims,
        rows: rows.collect(),
    }
}

/// A part without elements: `-1 >= 0`.
fn nothing(output: usize, input: usize, params: usize) -> Part {
    let dims = Dims {
        output,
        input,
        local: 0,
        params,
    };
    let mut row = vec![0; dims.columns()];
    row[0] = 1;
    row[dims.columns() - 1] = -1;
    Part {
        dims,
        rows: vec![row],
    }
}

impl Part {
    /// Equations of output dimensions in the order of these, with -1 for them, as other tools write them.
    fn in_order(&mut self) {
        let outputs = 1..=self.dims.output;
        let first = |row: &Vec<i64>| outputs.clone().find(|c| row[*c] != 0);
        for row in self.rows.iter_mut().filter(|r| r[0] == 0) {
            if first(row).is_some_and(|c| row[c] > 0) {
                row.iter_mut().for_each(|n| *n = -*n);
            }
        }
        self.rows.sort_by_key(|r| (r[0], first(r).unwrap_or(0)));
    }

    /// Puts an output dimension in front of the others that has this value.
    fn lead(&mut self, value: usize) {
        self.dims.output += 1;
        for row in &mut self.rows {
            row.insert(1, 0);
        }
        let mut row = vec![0; self.dims.columns()];
        row[1] = -1;
        row[self.dims.columns() - 1] = i64::try_from(value).expect("a number of an array");
        self.rows.insert(0, row);
    }
}

fn printed(word: &str, parts: &[Part], heads: &[Option<String>]) -> String {
    let mut out = format!("{word}\n");
    if parts.len() > 1 {
        out += &format!("{}\n", parts.len());
    }
    for p in parts {
        let Dims {
            output,
            input,
            local,
            params,
        } = p.dims;
        let (rows, columns) = (p.rows.len(), p.dims.columns());
        out += &format!("{rows} {columns} {output} {input} {local} {params}\n");
        let mut names = vec!["# e/i".to_owned()];
        for head in heads {
            match head {
                Some(name) => names.push(name.clone()),
                None => names.extend((0..local).map(|l| format!("l{l}"))),
            }
        }
        names.push("1".to_owned());
        out += &(names.join(" | ") + "\n");
        for row in &p.rows {
            let row: Vec<String> = row.iter().map(|n| format!("{n:4}")).collect();
            out += &(row.join(" ") + "\n");
        }
    }
    out
}

/// A relation that was read: its parts, and its line.
pub(super) struct Read {
    pub(super) line: usize,
    pub(super) parts: Vec<(Dims, Rows)>,
}

/// What the tuples of a relation are.
pub(super) enum Tuples<'a> {
    /// The iterators of this statement.
    Domain(&'a str),
    /// From the iterators of this statement to times.
    Times(&'a str),
    /// From the iterators of this statement to elements of these arrays.
    Elements(&'a str, &'a [String]),
}

impl Read {
    /// The relation in isl's notation.
    pub(super) fn text(&self, params: &[String], tuples: &Tuples) -> Result<String, AtLine> {
        let mut parts = vec![];
        for (dims, rows) in &self.parts {
            if dims.params != params.len() {
                let text = format!(
                    "{} parameters have names, not {}",
                    params.len(),
                    dims.params
                );
                return Err(AtLine::new(self.line, text));
            }
            parts.push(self.part(*dims, rows, params, tuples)?);
        }
        let text = format!("[{}] -> {{ {} }}", params.join(", "), parts.join("; "));
        Ok(text)
    }

    fn part(
        &self,
        dims: Dims,
        rows: &Rows,
        params: &[String],
        tuples: &Tuples,
    ) -> Result<String, AtLine> {
        let names = |letter: &str, n: usize| -> Vec<String> {
            (0..n).map(|i| format!("{letter}{i}_")).collect()
        };
        let outputs = names("out", dims.output);
        let inputs = names("in", dims.input);
        let locals = names("local", dims.local);
        let tuple = match tuples {
            Tuples::Domain(stmt) => format!("{stmt}[{}]", outputs.join(", ")),
            Tuples::Times(stmt) => {
                format!("{stmt}[{}] -> [{}]", inputs.join(", "), outputs.join(", "))
            }
            Tuples::Elements(stmt, arrays) => {
                let array = self.array(dims, rows, arrays)?;
                let subscripts = outputs.get(1..).unwrap_or_default().join(", ");
                format!("{stmt}[{}] -> {array}[{subscripts}]", inputs.join(", "))
            }
        };
        let all = [&outputs, &inputs, &locals, params].map(|n| n.iter());
        let all: Vec<&String> = all.into_iter().flatten().collect();
        // The number of the array is no dimension of isl's.
        let skipped = usize::from(matches!(tuples, Tuples::Elements(..)));
        let mut constraints = vec![];
        for row in rows.iter().filter(|r| skipped == 0 || r[1] == 0) {
            constraints.push(constraint(row, &all));
        }
        let constraints = match constraints.is_empty() {
            true => "true".to_owned(),
            false => constraints.join(" and "),
        };
        let condition = match locals.is_empty() {
            true => constraints,
            false => format!("exists {} : {constraints}", locals.join(", ")),
        };
        Ok(format!("{tuple} : {condition}"))
    }

    /// The array of an access: its first output dimension has a number.
    fn array<'n>(&self, dims: Dims, rows: &Rows, arrays: &'n [String]) -> Result<&'n str, AtLine> {
        let wrong = |text: &str| AtLine::new(self.line, text);
        if dims.output == 0 {
            return Err(wrong("an access names no array"));
        }
        let mut about = rows.iter().filter(|r| r[1] != 0);
        let (Some(row), None) = (about.next(), about.next()) else {
            return Err(wrong("an access names one array, in one row"));
        };
        let (last, between) = (row[row.len() - 1], &row[2..row.len() - 1]);
        let plain = row[0] == 0 && between.iter().all(|c| *c == 0);
        if !plain || last % row[1] != 0 {
            return Err(wrong("the number of an array is a number"));
        }
        let name = usize::try_from(-last / row[1]).ok();
        let name = name.and_then(|n| arrays.get(n.checked_sub(1)?));
        name.map(String::as_str)
            .ok_or_else(|| wrong("an array of this number has no name"))
    }
}

/// A row as isl writes it.
fn constraint(row: &[i64], names: &[&String]) -> String {
    let (kind, row) = (row[0], &row[1..]);
    let terms = row.iter().zip(names).filter(|(c, _)| **c != 0);
    let mut sum: Vec<String> = terms.map(|(c, n)| format!("{c}*{n}")).collect();
    sum.push(row[names.len()].to_string());
    let sign = if kind == 0 { "=" } else { ">=" };
    format!("{} {sign} 0", sum.join(" + "))
}
