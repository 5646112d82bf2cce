//! Tables of pointers in the rows of other tables: which entries the program reads ([`through`]).
//!
//! ```text
//! for 0 < i < n - 1: for 0 < j < m - 1: .. a[i-1][j], a[i+1][j], a[i][j-1], a[i][j+1]
//!
//! numbers (i, j):   0 <= i <= n - 1
//!                   0, 1 - i, i - n + 2 <= j <= m - 1, m - 2 + i, m + n - 3 - i          no corners
//! ```
//!
//! What the program does not read of such a table may not even be there, as the pointer to the table is one that was loaded. So entries
//! are looked at in front of a nest one by one, between bounds that are exact.
//!
//! So are those of a table whose entries lie behind each other, where a nest leaves out some in the middle ([`parts`]): elimination updates all rows
//! but one, whose pointer was loaded in front of the nest, and rows are to be apart from that one.

use super::rows::Form;
use crate::ast::{expr, holds, scope::Scope};
use crate::work::UNITS_PER_NS;
use polytile_analysis::ast::{Between, Bound, Entries, Expr, Through};
use polytile_analysis::ids::ParamId;
use polytile_analysis::poly::{self, BasicSet, DimType, Error, Map, Set};
use polytile_analysis::scop::{Rows, Scop};

/// Work for the question which entries are read.
const SHARE: u64 = 60;

/// To find out that rows are apart takes some nanoseconds for each.
const ROW_WORK: i64 = 40 * UNITS_PER_NS;

/// Parts of the entries.
const MAX_PARTS: usize = 8;

/// Lower or upper bounds of a number.
const MAX_BOUNDS: usize = 8;

/// Coefficients of bounds.
const MAX_STEP: i64 = 1 << 20;

/// The table that a table's entries lie in, and those that are read; `None` if its entries lie behind each other.
pub(super) fn through(
    scop: &Scop,
    (at, late): (usize, &[ParamId]),
    known: &Set,
    scope: &Scope,
) -> poly::Result<Option<Through>> {
    let tables = scop.tables_to(at);
    let [outer @ .., _] = &tables[..] else {
        return Ok(None);
    };
    let Some(table) = outer.last().copied() else {
        return Ok(None);
    };
    let _quota = scop.context.ctx().clone().share(SHARE);
    let entries = match entries(scop, (outer, &scop.rows[at], late), known, scope) {
        Err(Error::Quota) => None,
        entries => entries?,
    };
    // What is first in the parts is not known.
    let single = |all: &Vec<Entries>| scop.rows[at].lengths.is_empty() || all.len() == 1;
    Ok(Some(Through {
        table,
        entries: entries.filter(single),
        work: ROW_WORK,
    }))
}

/// The parts of a table's entries that the program reads, where some between the first one and the last one are left out.
pub(super) fn parts(
    scop: &Scop,
    (at, late): (usize, &[ParamId]),
    known: &Set,
    scope: &Scope,
) -> poly::Result<Vec<Entries>> {
    let rows = &scop.rows[at];
    // Where the program may leave early, all rows in between are asked for, too.
    let whole = scop.intact().is_some() || rows.entries.basic_sets()?.len() < 2;
    if scop.tables_to(at).len() > 1 || whole {
        return Ok(vec![]);
    }
    let _quota = scop.context.ctx().clone().share(SHARE);
    match entries(scop, (&[], rows, late), known, scope) {
        Err(Error::Quota) => Ok(vec![]),
        Err(e) => Err(e),
        Ok(Some(parts)) if parts.len() > 1 => Ok(parts),
        Ok(_) => Ok(vec![]),
    }
}

fn entries(
    scop: &Scop,
    (outer, rows, late): (&[usize], &Rows, &[ParamId]),
    known: &Set,
    scope: &Scope,
) -> poly::Result<Option<Vec<Entries>>> {
    let table = scop.array(rows.table);
    let Some(form) = Form::of(scop, table, outer) else {
        return Ok(None);
    };
    let pointers = form.unit / table.ty.bytes() as i64;
    let read = rows.entries.intersect_params(known)?;
    let read = scop.without(&read, late)?.reset_tuple_id()?;
    let read = read.apply(&form.columns(scop)?)?;
    let numbers: String = (0..outer.len()).map(|d| format!("r{d}, ")).collect();
    let (first, step) = (rows.first, rows.step);
    let text = format!("{{ [{numbers}c] -> [{numbers}e] : {pointers}c = {first} + {step}e }}");
    let read = read.apply(&Map::parse(scop.context.ctx(), &text)?)?;
    let read = read.coalesce()?;
    if let Some(parts) = in_parts(scop, &read, scope)? {
        return Ok(Some(parts));
    }
    // Every second row and the rows between them, each a part with a condition on remainders, are all rows together.
    let hull = read.remove_divs()?.simple_hull()?.to_set()?;
    match hull.is_subset(&read)? {
        true => in_parts(scop, &hull, scope),
        false => Ok(None),
    }
}

/// A set in few parts between bounds; `None` where that is not possible.
fn in_parts(scop: &Scop, read: &Set, scope: &Scope) -> poly::Result<Option<Vec<Entries>>> {
    let mut all = vec![];
    for part in disjoint(read)? {
        match part_of(scop, &part, scope)? {
            Some(entries) if all.len() < MAX_PARTS => all.push(entries),
            _ => return Ok(None),
        }
    }
    Ok(Some(all))
}

/// The same elements, each in one part.
fn disjoint(set: &Set) -> poly::Result<Vec<BasicSet>> {
    let mut done: Option<Set> = None;
    let mut parts = vec![];
    for part in set.basic_sets()? {
        let part = part.to_set()?;
        match &done {
            None => parts.extend(part.basic_sets()?),
            Some(done) => parts.extend(part.subtract(done)?.basic_sets()?),
        }
        done = Some(match done {
            None => part,
            Some(done) => done.union(&part)?,
        });
    }
    Ok(parts)
}

/// Bounds of the numbers of a part that has all integers between some.
fn part_of(scop: &Scop, part: &BasicSet, scope: &Scope) -> poly::Result<Option<Entries>> {
    let dims = part.dim(DimType::Set);
    let mut numbers = vec![];
    for d in 0..dims {
        let known = part.project_out(DimType::Set, d + 1, dims - d - 1)?;
        match between(scop, &known.remove_redundancies()?)? {
            Some(found) => numbers.push(found),
            None => return Ok(None),
        }
    }
    let when = part.params()?.to_set()?.gist(&scope.context)?.coalesce()?;
    let some = match when.plain_is_universe()? {
        true => Expr::Int(1),
        false => holds(&when, &scope.context, scope)?,
    };
    Ok(Some(Entries { some, numbers }))
}

/// The bounds of the last dimension of a set; `None` unless all integers between them are in it.
fn between(scop: &Scop, set: &BasicSet) -> poly::Result<Option<Between>> {
    let (params, dims) = (set.dim(DimType::Param), set.dim(DimType::Set));
    let names = (0..params).map(|p| set.dim_name(DimType::Param, p));
    let id = |name: Option<String>| {
        let at = name.and_then(|n| scop.params.iter().position(|p| p.name == n));
        ParamId::from(at.expect("parameters have names"))
    };
    let ids: Vec<ParamId> = names.map(id).collect();
    let (equal, less) = (set.equalities_matrix()?, set.inequalities_matrix()?);
    let mut found = Between::default();
    let signs = |row: Vec<i64>| {
        let other = row.iter().map(|c| -c).collect();
        [row, other]
    };
    for row in equal.into_iter().flat_map(signs).chain(less) {
        let [constant, others @ ..] = &row[..] else {
            return Ok(None);
        };
        if others.len() != params + dims {
            // Something is a multiple of a number.
            return Ok(None);
        }
        let (of_params, of_numbers) = others.split_at(params);
        let [steps @ .., own] = of_numbers else {
            return Ok(None);
        };
        if *own == 0 {
            continue;
        }
        if own.abs() != 1 || others.iter().any(|c| c.abs() > MAX_STEP) {
            return Ok(None);
        }
        let mut at_0 = Expr::Int(-own * constant);
        for (p, c) in ids.iter().zip(of_params) {
            let term = expr::mul(&Expr::Int(-own * c), &Expr::Param(*p));
            at_0 = expr::add(&at_0, &term);
        }
        let steps = steps.iter().map(|c| -own * c).collect();
        let bounds = match own {
            1 => &mut found.lower,
            _ => &mut found.upper,
        };
        bounds.push(Bound { at_0, steps });
    }
    let several = 1..=MAX_BOUNDS;
    let bounded = several.contains(&found.lower.len()) && several.contains(&found.upper.len());
    Ok(bounded.then_some(found))
}
