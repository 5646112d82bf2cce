//! The elements that an access touches, each once (Ancourt and Irigoin 1991, §4.4; P9).
//!
//! The image of a domain under `a = F i + f` may have holes and be no convex set. Hermite's form `F U = [L 0]` solves the equations: with
//! `i = U (e, k)` the elements are `a = L e + f`, different ones for different `e`, and there is one loop per dimension of the image.
//! What is left is to eliminate the `k` exactly. Pairs of bounds for which plain elimination is not exact keep their integer divisions,
//! as a condition inside of the loops (T1).
//!
//! ```text
//! for i < n, j < n: A[6i + 9j]        e = 2i + 3j, a = 3e:     e = 0 .. 5n - 5, if there is a k
//! for j <= i < n: A[i - j][2i + j]    a = [e1, 2 e1 + 3 e2]:   e1 = 0 .. n - 1, e2 = 0 .. n - 1 - e1
//! ```
//!
//! What this does not do: two `k` that are both left with such pairs would need a loop more, which is not built.

use super::echelon::{self, Loops, form};
use super::eliminate::{Pair, Projection, project};
use super::system::{Row, Stop, System};
use crate::lattice::{Matrix, hermite, product};
use std::fmt::Write;

/// Loops over the elements of an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// The loops over `e`.
    pub loops: Loops,
    /// What has to hold inside of them.
    pub guard: Vec<Pair>,
    /// `L`, and in front of it the constant and the parameters of `f`: a row for each dimension of the array, over parameters and `e`.
    pub element: Vec<Row>,
}

/// The image of a domain over `params` parameters and iterators under these subscripts, each a row of the same variables. `known` are
/// facts about the parameters.
///
/// # Errors
/// Numbers or systems that are too large, or variables that cannot be eliminated exactly.
pub fn image(
    domain: &System,
    params: usize,
    subscripts: &[Row],
    known: &System,
) -> Result<Image, Stop> {
    let linear: Matrix = subscripts
        .iter()
        .map(|r| r[1 + params..].to_vec())
        .collect();
    let mut all = domain.clone();
    for row in &known.rows {
        let mut long = row.clone();
        long.resize(domain.variables + 1, 0);
        all.add(long);
    }
    let (basis, changed, rank) = solved(&all, params, &linear)?;
    let first = params + rank;
    let (shadow, guard) = without(changed, first)?;
    let short = |r: &Row| r[..=first].to_vec();
    let rows: Vec<Row> = shadow.rows.iter().map(short).collect();
    let mut seen = System::of(first, &rows);
    seen.void |= shadow.void;
    let element = subscripts.iter().zip(&basis).map(|(s, l)| {
        let mut row = s[..=params].to_vec();
        row.extend(&l[..rank]);
        row
    });
    Ok(Image {
        loops: echelon::loops(&seen, params, known)?,
        guard,
        element: element.collect(),
    })
}

/// `F U`, the domain over parameters, `e` and `k`, and how many `e` there are.
fn solved(
    domain: &System,
    params: usize,
    linear: &Matrix,
) -> Result<(Matrix, System, usize), Stop> {
    let form = hermite(linear).ok_or(Stop::Large)?;
    let mut changed = System::new(domain.variables);
    changed.void = domain.void;
    for row in &domain.rows {
        let (outer, inner) = row.split_at(1 + params);
        let inner = product(&vec![inner.to_vec()], &form.unimodular).ok_or(Stop::Large)?;
        let mut all = outer.to_vec();
        all.extend(&inner[0]);
        changed.add(all);
    }
    let rank = form.rank();
    Ok((form.form, changed, rank))
}

/// Eliminates all variables from one on: the exact ones first, and one at most with divisions.
fn without(mut system: System, first: usize) -> Result<(System, Vec<Pair>), Stop> {
    let mut left: Vec<usize> = (first..system.variables).collect();
    loop {
        let mut tried: Vec<(usize, Projection)> = vec![];
        for (at, v) in left.iter().enumerate() {
            tried.push((at, project(&system, *v)?));
        }
        let best = tried
            .into_iter()
            .min_by_key(|(_, p)| (p.pseudo.len(), p.plain.rows.len()));
        let Some((at, best)) = best else {
            return Ok((system, vec![]));
        };
        match (best.pseudo.is_empty(), left.len()) {
            (true, _) => system = best.plain,
            (false, 1) => return Ok((best.plain, best.pseudo)),
            (false, _) => return Err(Stop::Long),
        }
        left.remove(at);
    }
}

impl Image {
    /// Calls `visit` for each element, given values of the parameters.
    pub fn run(&self, params: &[i64], visit: &mut dyn FnMut(&[i64])) {
        self.loops.run(params, &mut |point| {
            // The variable of a pair is eliminated: any value will do.
            let padded = |p: &Pair| {
                let mut all = point.to_vec();
                all.resize(p.lower.len() - 1, 0);
                all
            };
            if self.guard.iter().all(|p| p.holds(&padded(p))) {
                let value = |r: &Row| super::system::value(r, point);
                let element: Vec<i128> = self.element.iter().map(value).collect();
                let small = |v: &i128| i64::try_from(*v).expect("a small number");
                visit(&element.iter().map(small).collect::<Vec<i64>>());
            }
        });
    }

    /// The loops as text: a line for each, the condition, and the element.
    pub fn text(&self, params: &[&str], array: &str) -> String {
        let own: Vec<String> = (1..=self.loops.levels.len())
            .map(|d| format!("e{d}"))
            .collect();
        let mut names = params.to_vec();
        names.extend(own.iter().map(String::as_str));
        let mut out = self.loops.text(&names).expect("text");
        let side = |row: &Row, variable: usize, sign: i64| {
            let mut row: Row = row.iter().map(|v| v * sign).collect();
            let factor = row.remove(variable + 1).abs();
            (form(&row[..=names.len()], &names), factor)
        };
        for p in &self.guard {
            let (lower, b) = side(&p.lower, p.variable, -1);
            let (upper, a) = side(&p.upper, p.variable, 1);
            let _ = writeln!(out, "if ceil(({lower})/{b}) <= floor(({upper})/{a})");
        }
        let subscripts = self
            .element
            .iter()
            .map(|r| format!("[{}]", form(r, &names)));
        let _ = writeln!(out, "{array}{}", subscripts.collect::<String>());
        out
    }
}
