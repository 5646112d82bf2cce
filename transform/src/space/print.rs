//! The text of a space, as `print<polytile-space>` shows it.
//!
//! ```text
//! space "gemver" function "gemver": 4 statements, 7 dependences
//! L: schedules of 2 rows (Lemma 3): 30 coefficients and 14 choices; 58 inequalities and 35 of choices; K = 4 for coefficients -1 .. 1
//!   S0 -> S1 flow:
//!     S1.n - S0.n + S1.i - S0.j >= -K d[<p]
//!     S1.1 + S1.n - S0.1 - S0.n >= d[p] - 2 K d[<p]
//!     ..
//! I: 2 levels of 4 statements: 24 dimensions, 128 constraints, 365 points; O, each level: 12, 58, 75
//! F, level 1: 6 dimensions, 28 constraints, 8 points
//!   groups {S0} {S1} {S2} {S3}
//!   in order S0 <= S1, S0 <= S3, ..
//!   apart {S0} {S2}
//!   S0 S1 by (i, j) (j, i)
//!   point [{S0}] [{S1} {S2}] [{S3}]
//!   partitions 8, connected 8; tests 9 by permutations, 1 by programs
//!   {S0 S1}: S0 -> j, S1 -> i; distances u = 0, w = 0
//! ```
//!
//! In the rows of `L`, `S1.1` is the constant of the row of `S1`, `S1.n` its coefficient of a parameter and `S1.i` of an iterator; `d[p]` is the choice of the row itself and `d[<p]` the sum of
//! the choices before.

use super::describe::{BOX, Fused, LevelSpace, Space};
use super::legal::{Demand, Legal};
use super::level::{Groups, members};
use super::preorder::{binomial, interleavings};
use crate::schedule::fuse::Class;
use crate::schedule::rows::Row;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::DimType;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::print_kind;
use std::fmt::{self, Display, Formatter};

impl Display for Space<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let scop = self.scop;
        write!(f, "space {:?} function {:?}: ", scop.name, scop.function)?;
        write!(f, "{}", counted(scop.stmts.len(), "statement"))?;
        match &self.legal {
            Some(legal) => write_legal(f, scop, legal, self.counted)?,
            None => writeln!(f, "\nL: not written down: a dependence is too large")?,
        }
        write_interleavings(f, scop.stmts.len(), self.levels)?;
        write_level(f, scop, &self.outermost, "")
    }
}

/// `1 point`, `2 points`.
fn counted(n: impl Display, what: &str) -> String {
    let n = n.to_string();
    let s = if n == "1" { "" } else { "s" };
    format!("{n} {what}{s}")
}

fn write_legal(
    f: &mut Formatter<'_>,
    scop: &Scop,
    legal: &Legal,
    points: Option<(u64, u128)>,
) -> fmt::Result {
    let (coefficients, choices) = legal.dims();
    let (farkas, own) = legal.sizes();
    writeln!(
        f,
        ", {} by level",
        counted(legal.dependences().len(), "dependence")
    )?;
    writeln!(
        f,
        "L: schedules of {} (Lemma 3): {} and {}; {} and {own} of choices; K = {} for coefficients {} .. {}",
        counted(legal.levels(), "row"),
        counted(coefficients, "coefficient"),
        counted(choices, "choice"),
        counted_inequalities(farkas),
        legal.k(),
        BOX.iters.0,
        BOX.iters.1,
    )?;
    for (d, demands) in legal.each_demand() {
        writeln!(f, "  {} -> {} {}:", d.src, d.dst, print_kind(d.kind))?;
        for demand in demands {
            writeln!(f, "    {}", inequality(scop, legal, &demand))?;
        }
    }
    match points {
        Some((schedules, points)) => writeln!(
            f,
            "  of these coefficients and constants {} .. {}: {}, {}",
            BOX.constants.0,
            BOX.constants.1,
            counted(schedules, "schedule"),
            counted(points, "point"),
        ),
        None => writeln!(f, "  too many schedules to count"),
    }
}

fn counted_inequalities(n: usize) -> String {
    match n {
        1 => "1 inequality".to_owned(),
        n => format!("{n} inequalities"),
    }
}

/// What a dependence demands of row `p` of a schedule.
fn inequality(scop: &Scop, legal: &Legal, demand: &Demand) -> String {
    let params = scop.params.len();
    let name = |(at, c): &(usize, i64)| {
        let name = match legal.unknown(*at) {
            (s, 0) => format!("{s}.1"),
            (s, p) if p <= params => format!("{s}.{}", scop.params[p - 1].name),
            (s, i) => format!("{s}.{}", iterator(scop, s, i - 1 - params)),
        };
        (*c, name)
    };
    let left = sum(demand.terms.iter().map(name));
    let chosen = (demand.strong, "d[p]".to_owned());
    let slack = (-demand.weight, "K d[<p]".to_owned());
    format!("{left} >= {}", sum([chosen, slack].into_iter()))
}

/// The name of an iterator.
fn iterator(scop: &Scop, s: StmtId, at: usize) -> String {
    let name = scop.stmt(s).domain.dim_name(DimType::Set, at);
    name.unwrap_or_else(|| format!("i{at}"))
}

/// A sum of terms; 0 if there are none.
fn sum(terms: impl Iterator<Item = (i64, String)>) -> String {
    let mut text = String::new();
    for (c, what) in terms.filter(|(c, _)| *c != 0) {
        let sign = match (c < 0, text.is_empty()) {
            (true, true) => "-",
            (false, true) => "",
            (true, false) => " - ",
            (false, false) => " + ",
        };
        text += sign;
        match (c.abs(), what.as_str()) {
            (c, "1") => text += &c.to_string(),
            (1, _) => text += &what,
            (c, _) => text += &format!("{c} {what}"),
        }
    }
    match text.is_empty() {
        true => "0".to_owned(),
        false => text,
    }
}

fn write_interleavings(f: &mut Formatter<'_>, n: usize, levels: usize) -> fmt::Result {
    let dims = n * n.saturating_sub(1);
    let constraints = 5 * binomial(n, 2) + 7 * binomial(n, 3);
    let links = 2 * binomial(n, 2) * (levels as u128 - 1);
    let many = |points: Option<u128>| points.map_or("many".to_owned(), |p| p.to_string());
    writeln!(
        f,
        "I: {} of {}: {} dimensions, {} constraints, {} points; O, each level: {dims}, {constraints}, {}",
        counted(levels, "level"),
        counted(n, "statement"),
        levels * dims,
        levels as u128 * constraints + links,
        many(interleavings(n, levels)),
        many(interleavings(n, 1)),
    )
}

fn write_level(
    f: &mut Formatter<'_>,
    scop: &Scop,
    level: &LevelSpace,
    indent: &str,
) -> fmt::Result {
    write!(f, "{indent}F, level {}: ", level.depth + 1)?;
    match &level.pruned {
        Some(p) => {
            let constraints = counted(p.constraints, "constraint");
            write!(f, "{}, {constraints}, ", counted(p.dims, "dimension"))?;
        }
        None => write!(f, "too many classes to look at, ")?,
    }
    match level.points {
        Some(points) => writeln!(f, "{}", counted(points, "point"))?,
        None => writeln!(f, "too many points to count")?,
    }
    let group = |g: usize| class(&level.groups[g]);
    let groups: Vec<String> = (0..level.groups.len()).map(group).collect();
    writeln!(f, "{indent}  groups {}", groups.join(" "))?;
    let order = (0..groups.len()).flat_map(|h| {
        let groups = &groups;
        members(level.before[h]).map(move |g| format!("{} <= {}", groups[g], groups[h]))
    });
    let order: Vec<String> = order.collect();
    if !order.is_empty() {
        writeln!(f, "{indent}  in order {}", order.join(", "))?;
    }
    let apart = level.pruned.as_ref().map_or(&[][..], |p| &p.apart);
    for set in apart {
        writeln!(f, "{indent}  apart {}", together(&groups, *set))?;
    }
    let more = if level.partitions.1 { " and more" } else { "" };
    let tests = level.tests;
    for (s, t, pairs) in &level.permutations {
        let name = |(a, b): &(usize, usize)| {
            format!("({}, {})", iterator(scop, *s, *a), iterator(scop, *t, *b))
        };
        let names: Vec<String> = pairs.iter().map(name).collect();
        let names = if names.is_empty() {
            "no permutation".to_owned()
        } else {
            names.join(" ")
        };
        writeln!(f, "{indent}  {s} {t} by {names}")?;
    }
    for point in &level.listed {
        let of = |c: &Groups| format!("[{}]", together(&groups, *c));
        let classes: Vec<String> = point.iter().map(of).collect();
        writeln!(f, "{indent}  point {}", classes.join(" "))?;
    }
    write!(
        f,
        "{indent}  partitions {}{more}, connected {}; tests {} by permutations, {} by programs",
        level.partitions.0, level.connected, tests.by_units, tests.by_program
    )?;
    if tests.by_order > 0 {
        write!(f, ", {} by order", tests.by_order)?;
    }
    match tests.open {
        0 => writeln!(f)?,
        open => writeln!(f, ", {open} open")?,
    }
    for fused in &level.fused {
        write_fused(f, scop, fused, indent)?;
    }
    Ok(())
}

fn write_fused(f: &mut Formatter<'_>, scop: &Scop, fused: &Fused, indent: &str) -> fmt::Result {
    write!(f, "{indent}  {}: ", class(&fused.class))?;
    let Some(found) = &fused.rows else {
        return writeln!(f, "no row");
    };
    let row = |(s, r): (&StmtId, &Row)| format!("{s} -> {}", affine(scop, *s, r));
    let rows: Vec<String> = found.rows.iter().map(row).collect();
    let (u, w) = found.bound;
    writeln!(f, "{}; distances u = {u}, w = {w}", rows.join(", "))?;
    match &fused.inside {
        Some(inside) => write_level(f, scop, inside, &format!("{indent}    ")),
        None => Ok(()),
    }
}

/// A row as a sum.
fn affine(scop: &Scop, s: StmtId, row: &Row) -> String {
    let iters = row.iters.iter().enumerate();
    let iters = iters.map(|(i, c)| (*c, iterator(scop, s, i)));
    let params = row.params.iter().zip(&scop.params);
    let params = params.map(|(c, p)| (*c, p.name.clone()));
    sum(iters.chain(params).chain([(row.constant, "1".to_owned())]))
}

/// `{S0 S1}`.
fn class(stmts: &Class) -> String {
    let names: Vec<String> = stmts.iter().map(ToString::to_string).collect();
    format!("{{{}}}", names.join(" "))
}

/// Groups that share a class.
fn together(groups: &[String], set: Groups) -> String {
    let names: Vec<&str> = members(set).map(|g| groups[g].as_str()).collect();
    names.join(" ")
}
