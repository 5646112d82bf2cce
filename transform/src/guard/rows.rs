//! Tables of pointers to rows: [`checks`].
//!
//! How far rows lie apart is a parameter that only the table knows, and the table may be read where the program reads it. So
//! what says that is tested first: all assumptions, for some distance of rows, and that each table is read at all.
//!
//! A program that ends because a row is too short reads no further entries. So the first entry's length is looked at alone, and all that is assumed of
//! it, before other entries are.

use super::{nested, range, ranges};
use crate::ast::{expr, holds, scope::Scope, value};
use polytile_analysis::ast::{Columns, Expr, RowsCheck};
use polytile_analysis::ids::{ArrayId, ParamId, ValueId};
use polytile_analysis::poly::{self, DimType, Error, Map, PwAff, Set};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Array, ArrayKind, Rows, Scop};

/// Conditions by the step in which what they are of is read.
type OfLengths = Vec<Vec<Expr>>;

/// The conditions to test before any table is read, those to test when lengths are known, and the tables.
pub(super) fn checks(
    scop: &Scop,
    scope: &Scope,
) -> poly::Result<(Vec<Expr>, OfLengths, Vec<RowsCheck>)> {
    if scop.rows.is_empty() {
        return Ok((vec![], vec![], vec![]));
    }
    let late = scop.pitches();
    let mut before: Vec<Expr> = ranges(scop)?;
    let is_late = |e: &Expr| matches!(e, Expr::Param(p) if late.contains(p));
    before.retain(|c| !expr::any_leaf(c, &is_late));
    let mut known = scop.known()?;
    for r in &scop.rows {
        known = known.intersect(&r.entries.params()?)?;
        if let Some(measured) = &r.measured {
            known = known.intersect(&measured.params()?)?;
        }
    }
    let lengths = scop.lengths();
    let measured = scop.without(&known, &scop.distances())?.coalesce()?;
    let known = scop.without(&measured, &lengths)?.coalesce()?;
    before.extend(condition(&known, &scop.context, scope)?);
    let steps = scop.steps_of_tables()?;
    let steps = steps.unwrap_or_else(|| vec![1; scop.rows.len()]);
    let of_lengths = of_lengths(scop, &steps, (measured, known), scope)?;
    let useful = scop.useful()?;
    let tables = 0..scop.rows.len();
    let tables = tables.map(|r| table(scop, (r, &steps), &useful, scope));
    let tables = tables.collect::<poly::Result<_>>()?;
    Ok((before, of_lengths, tables))
}

/// What has to be `measured` of lengths, by the steps in which they are read, where what does not depend on them is `known`.
fn of_lengths(
    scop: &Scop,
    levels: &[usize],
    (measured, known): (Set, Set),
    scope: &Scope,
) -> poly::Result<OfLengths> {
    let says = |level: usize, s: &Scev| match s.kind {
        ScevKind::Unknown(v) => {
            let mut rows = scop.rows.iter().zip(levels);
            rows.any(|(r, l)| *l > level && r.lengths.iter().any(|l| l.value == v))
        }
        _ => false,
    };
    let (mut all, mut known) = (vec![], known);
    for level in 1..=levels.iter().copied().max().unwrap_or(0) {
        let mut later = scop.lengths();
        later.retain(|p| scop.param(*p).expr.any(&mut |s| says(level, s)));
        let own = scop.without(&measured, &later)?.coalesce()?;
        let conditions = match scop.lengths().is_empty() {
            true => None,
            false => condition(&own, &known.intersect(&scop.context)?, scope)?,
        };
        all.push(conditions.into_iter().collect());
        known = own;
    }
    Ok(all)
}

/// That a set has the parameters, of which others are known to; `None`: all of those are.
fn condition(set: &Set, context: &Set, scope: &Scope) -> poly::Result<Option<Expr>> {
    let open = set.gist(context)?.coalesce()?;
    Ok(match open.plain_is_universe()? {
        true => None,
        false => Some(holds(&open, context, scope)?),
    })
}

fn table(
    scop: &Scop,
    (at, steps): (usize, &[usize]),
    known: &Set,
    scope: &Scope,
) -> poly::Result<RowsCheck> {
    let late = scop.after_table(at, steps);
    let rows = &scop.rows[at];
    let array = scop.array(rows.table);
    let through = nested::through(scop, (at, &late), known, scope)?;
    let (lo, hi) = match through {
        Some(_) => (Expr::Int(0), Expr::Int(0)),
        None => ends(scop, (&rows.entries, rows, &late), known, scope)?,
    };
    let measured = match &rows.measured {
        Some(measured) => ends(scop, (measured, rows, &late), known, scope)?,
        None => (lo.clone(), hi.clone()),
    };
    let ArrayKind::Memory { base } = array.kind else {
        panic!("tables are memory of the program");
    };
    let columns = columns(scop, at, known, scope)?;
    let parts = match columns.as_ref().is_some_and(Columns::are_alike) {
        true => nested::parts(scop, (at, &late), known, scope)?,
        false => vec![],
    };
    Ok(RowsCheck {
        table: base,
        lo,
        hi,
        first: rows.first,
        step: rows.step,
        base: rows.base,
        address: rows.address,
        pitch: rows.pitch,
        element: rows.element,
        step_of_lengths: steps[at],
        lengths: rows.lengths.clone(),
        measured,
        columns,
        through,
        parts,
    })
}

/// The first one of some entries of a table, and the last one.
fn ends(
    scop: &Scop,
    (entries, rows, late): (&Set, &Rows, &[ParamId]),
    known: &Set,
    scope: &Scope,
) -> poly::Result<(Expr, Expr)> {
    let entries = entries.intersect_params(known)?;
    let (lo, hi) = range::exact_ends(&scop.without(&entries, late)?.coalesce()?, scope)?;
    let array = scop.array(rows.table);
    let end = |ends: Vec<Expr>| {
        let terms = ends.iter().zip(&array.strides).map(|(subscript, stride)| {
            let bytes = stride.as_constant().and_then(|s| i64::try_from(s).ok());
            let bytes = bytes.expect("entries lie at constant distances");
            expr::mul(subscript, &Expr::Int(bytes / array.ty.bytes() as i64))
        });
        terms.fold(Expr::Int(0), |sum, t| expr::add(&sum, &t))
    };
    Ok((end(lo), end(hi)))
}

/// Work for the question which columns are accessed.
const SHARE: u64 = 30;

/// An interval with affine ends that has what is accessed of each row that a table's entries point to.
fn columns(scop: &Scop, at: usize, known: &Set, scope: &Scope) -> poly::Result<Option<Columns>> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match columns_of_rows(scop, at, known, scope) {
        Err(Error::Quota) => Ok(None),
        columns => columns,
    }
}

fn columns_of_rows(
    scop: &Scop,
    at: usize,
    known: &Set,
    scope: &Scope,
) -> poly::Result<Option<Columns>> {
    let rows = &scop.rows[at];
    // Lengths of rows are known by then.
    let late = scop.distances();
    let known = scop.without(known, &late)?;
    let ids = (0..scop.arrays.len()).map(ArrayId::from);
    let kind = ArrayKind::Memory { base: rows.address };
    let arrays: Vec<ArrayId> = ids.filter(|id| scop.array(*id).kind == kind).collect();
    let [id] = arrays[..] else {
        return Ok(None);
    };
    let (array, tables) = (scop.array(id), scop.tables_to(at));
    let (touched, element) = range::touched(scop, id, range::whole)?;
    let Some((touched, form)) = touched.zip(Form::of(scop, array, &tables)) else {
        return Ok(None);
    };
    let mut writes = scop.stmts.iter().flat_map(|s| s.writes());
    let written = writes.any(|a| a.array == id);
    let touched = scop
        .without(&touched, &late)?
        .intersect_params(&known)?
        .reset_tuple_id()?
        .apply(&form.columns(scop)?)?;
    let nested = tables.len() > 1;
    if !nested && !is_list(scop.array(rows.table)) {
        return Ok(None);
    }
    let column = tables.len();
    if !touched.dim_has_lower_bound(DimType::Set, column)?
        || !touched.dim_has_upper_bound(DimType::Set, column)?
    {
        return Ok(None);
    }
    let in_row = match nested {
        true => None,
        false => ends_in_row(&touched, scope)?,
    };
    let (first, last) = match in_row {
        Some(ends) => ends,
        None => ends_in_all(&touched, scope)?,
    };
    let bytes = |(at_0, step): (Expr, i64), more: u64| {
        let at_0 = expr::mul(&at_0, &Expr::Int(form.unit));
        let at_0 = expr::add(&at_0, &Expr::Int(more as i64));
        (at_0, step * form.unit + form.slant)
    };
    Ok(Some(Columns {
        first: bytes(first, 0),
        end: bytes(last, element),
        written,
    }))
}

/// How an array of rows lies in memory: a dimension for each table on the way, and what is in a row.
pub(super) struct Form {
    /// Bytes that what is modelled as a row is longer than a row.
    slant: i64,
    /// Bytes from one column to the next.
    pub unit: i64,
    /// Dimensions for tables.
    rows: usize,
    /// Columns from one to the next in each of the other dimensions.
    steps: Vec<i64>,
}

impl Form {
    /// That of an array which is reached through these tables; `None` if it lies otherwise.
    pub fn of(scop: &Scop, array: &Array, tables: &[usize]) -> Option<Form> {
        let (outer, inner) = array.strides.split_at_checked(tables.len())?;
        let slant = match (tables, outer) {
            _ if are_rows(scop, tables, outer) => 0,
            ([only], [stride]) => slant(stride, &scop.rows[*only])?,
            _ => return None,
        };
        let bytes = |s: &Scev| s.as_constant().and_then(|s| i64::try_from(s).ok());
        let inner: Vec<i64> = inner.iter().map(bytes).collect::<Option<_>>()?;
        let unit = *inner.last()?;
        let whole = unit > 0 && inner.iter().all(|s| s % unit == 0);
        whole.then(|| Form {
            slant,
            unit,
            rows: outer.len(),
            steps: inner.iter().map(|s| s / unit).collect(),
        })
    }

    /// From subscripts to the numbers of entries and the column.
    pub fn columns(&self, scop: &Scop) -> poly::Result<Map> {
        let numbers: String = (0..self.rows).map(|d| format!("r{d}, ")).collect();
        let others: Vec<String> = (0..self.steps.len()).map(|d| format!("c{d}")).collect();
        let terms = self.steps.iter().zip(&others);
        let column: Vec<String> = terms.map(|(s, c)| format!("{s}{c}")).collect();
        let text = format!(
            "{{ [{numbers}{}] -> [{numbers}{}] }}",
            others.join(", "),
            column.join(" + ")
        );
        Map::parse(scop.context.ctx(), &text)
    }
}

/// Whether strides are those of rows in rows: the last one is that of one row, and each of the others as many rows as its own table's rows
/// have entries.
fn are_rows(scop: &Scop, tables: &[usize], strides: &[Scev]) -> bool {
    let Some(innermost) = tables.last() else {
        return strides.is_empty();
    };
    let element = i128::from(scop.rows[*innermost].element);
    let mut expected: Vec<ValueId> = vec![];
    tables.iter().zip(strides).rev().all(|(t, stride)| {
        expected.push(scop.rows[*t].pitch);
        let mut wanted = expected.clone();
        wanted.sort();
        factors(stride).is_some_and(|(bytes, mut found)| {
            found.sort();
            bytes == element && found == wanted
        })
    })
}

/// The constant and the values that a product is made of.
fn factors(s: &Scev) -> Option<(i128, Vec<ValueId>)> {
    match &s.kind {
        ScevKind::Const(c) => Some((*c, vec![])),
        ScevKind::Unknown(v) => Some((1, vec![*v])),
        ScevKind::Mul(parts, _) => parts.iter().try_fold((1, vec![]), |(bytes, mut all), p| {
            let (more, values) = factors(p)?;
            all.extend(values);
            Some((bytes * more, all))
        }),
        _ => None,
    }
}

/// A column of each row: that in row 0, and what each row adds.
type Column = (Expr, i64);

/// The first column that is accessed in each row and the last one, if they are affine in the number of the row.
fn ends_in_row(accessed: &Set, scope: &Scope) -> poly::Result<Option<(Column, Column)>> {
    // Columns of a row, the number of the row as a parameter.
    let row = accessed.dim(DimType::Param);
    let columns = accessed
        .move_dims(DimType::Param, row, DimType::Set, 0, 1)?
        .set_dim_name(DimType::Param, row, ROW)?
        .coalesce()?;
    let [first, last] =
        [columns.dim_min(0)?, columns.dim_max(0)?].map(|end| affine(&end, &columns, scope));
    Ok(first?.zip(last?))
}

/// The first column that is accessed in any row, and the last one: most stencils leave out the corners.
fn ends_in_all(accessed: &Set, scope: &Scope) -> poly::Result<(Column, Column)> {
    let rows = accessed.tuple_dim() - 1;
    let columns = accessed.project_out(DimType::Set, 0, rows)?.coalesce()?;
    let [first, last] = [columns.dim_min(0)?, columns.dim_max(0)?].map(|end| value(&end, scope));
    Ok(((first?, 0), (last?, 0)))
}

/// How many bytes what is modelled as a row, of this stride, is longer than one: none where it is one, an element where it is a row and an
/// element.
fn slant(row: &Scev, rows: &Rows) -> Option<i64> {
    let element = i128::from(rows.element);
    let is_pitch = |s: &Scev| s.kind == ScevKind::Unknown(rows.pitch);
    let elements = match &row.kind {
        ScevKind::Mul(factors, _) => match &factors[..] {
            [bytes, elements] if bytes.as_constant() == Some(element) => elements,
            _ => return None,
        },
        _ if element == 1 => row,
        _ => return None,
    };
    let more = match &elements.kind {
        ScevKind::Add(terms, _) => match &terms[..] {
            [more, pitch] if is_pitch(pitch) => more.as_constant()?,
            _ => return None,
        },
        _ => is_pitch(elements).then_some(0)?,
    };
    i64::try_from(more * element).ok()
}

/// The name of the parameter that numbers rows.
const ROW: &str = "row";

/// The end of an interval of columns as what it would be in row 0, and what each row adds.
fn affine(end: &PwAff, columns: &Set, scope: &Scope) -> poly::Result<Option<(Expr, i64)>> {
    let end = end.gist(&columns.params()?)?.coalesce()?;
    let pieces = end.pieces()?;
    let [(_, end)] = &pieces[..] else {
        return Ok(None);
    };
    if end.denominator()? != 1 {
        return Ok(None);
    }
    let row = columns.find_dim_by_name(DimType::Param, ROW);
    let row = row.expect("a dimension that was made");
    let step = end.coefficient(DimType::Param, row)?;
    let at_0 = end.set_coefficient_si(DimType::Param, row, 0)?;
    if at_0.involves_dims(DimType::Param, row, 1)? {
        return Ok(None);
    }
    let at_0 = value(&PwAff::from_aff(&at_0)?, scope)?;
    Ok(Some((at_0, step)))
}

/// Whether a table is one pointer behind the other.
fn is_list(table: &Array) -> bool {
    let [stride] = &table.strides[..] else {
        return false;
    };
    stride.as_constant() == Some(table.ty.bytes().into())
}
