//! Tables of pointers to rows: [`checks`].
//!
//! How far rows lie apart is a parameter that only the table knows, and the table may be read where the program reads it. So
//! what says that is tested first: all assumptions, for some distance of rows, and that each table is read at all.
//!
//! A program that ends because a row is too short reads no further entries. So the first entry's length is looked at alone, and all that is assumed of
//! it, before other entries are.

use super::{range, ranges};
use crate::ast::{expr, holds, scope::Scope};
use polytile_analysis::ast::{Columns, Expr, RowsCheck};
use polytile_analysis::ids::{ArrayId, ParamId};
use polytile_analysis::poly::{self, DimType, Error, PwAff, Set};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Array, ArrayKind, Rows, Scop};

/// The conditions to test before any table is read, those to test when lengths are known, and the tables.
pub(super) fn checks(
    scop: &Scop,
    scope: &Scope,
) -> poly::Result<(Vec<Expr>, Vec<Expr>, Vec<RowsCheck>)> {
    if scop.rows.is_empty() {
        return Ok((vec![], vec![], vec![]));
    }
    let late = scop.pitches();
    let mut before: Vec<Expr> = ranges(scop)?;
    let is_late = |e: &Expr| matches!(e, Expr::Param(p) if late.contains(p));
    before.retain(|c| !expr::any_leaf(c, &is_late));
    let all = scop.known()?;
    let mut known = all.clone();
    for r in &scop.rows {
        known = known.intersect(&r.entries.params()?)?;
    }
    let lengths = scop.lengths();
    let unknown: Vec<ParamId> = late.into_iter().filter(|p| !lengths.contains(p)).collect();
    let measured = scop.without(&known, &unknown)?.coalesce()?;
    let known = scop.without(&measured, &lengths)?.coalesce()?;
    before.extend(condition(&known, &scop.context, scope)?);
    let of_lengths = match lengths.is_empty() {
        true => None,
        false => condition(&measured, &known.intersect(&scop.context)?, scope)?,
    };
    let tables = scop.rows.iter().map(|r| table(scop, r, &all, scope));
    let tables = tables.collect::<poly::Result<_>>()?;
    Ok((before, of_lengths.into_iter().collect(), tables))
}

/// That a set has the parameters, of which others are known to; `None`: all of those are.
fn condition(set: &Set, context: &Set, scope: &Scope) -> poly::Result<Option<Expr>> {
    let open = set.gist(context)?.coalesce()?;
    Ok(match open.plain_is_universe()? {
        true => None,
        false => Some(holds(&open, context, scope)?),
    })
}

fn table(scop: &Scop, rows: &Rows, known: &Set, scope: &Scope) -> poly::Result<RowsCheck> {
    let entries = rows.entries.intersect_params(known)?;
    let (lo, hi) = range::exact_ends(&scop.without_pitches(&entries)?.coalesce()?, scope)?;
    let array = scop.array(rows.table);
    let end = |ends: Vec<Expr>| {
        let terms = ends.iter().zip(&array.strides).map(|(subscript, stride)| {
            let bytes = stride.as_constant().and_then(|s| i64::try_from(s).ok());
            let bytes = bytes.expect("entries lie at constant distances");
            expr::mul(subscript, &Expr::Int(bytes / array.ty.bytes() as i64))
        });
        terms.fold(Expr::Int(0), |sum, t| expr::add(&sum, &t))
    };
    let ArrayKind::Memory { base } = array.kind else {
        panic!("tables are memory of the program");
    };
    Ok(RowsCheck {
        table: base,
        lo: end(lo),
        hi: end(hi),
        first: rows.first,
        step: rows.step,
        base: rows.base,
        address: rows.address,
        pitch: rows.pitch,
        element: rows.element,
        lengths: rows.lengths.clone(),
        columns: columns(scop, rows, known, scope)?,
    })
}

/// Work for the question which columns are accessed.
const SHARE: u64 = 30;

/// An interval with affine ends that has the columns which are accessed of each row that the table's entries point to.
fn columns(scop: &Scop, rows: &Rows, known: &Set, scope: &Scope) -> poly::Result<Option<Columns>> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match columns_of_rows(scop, rows, known, scope) {
        Err(Error::Quota) => Ok(None),
        columns => columns,
    }
}

fn columns_of_rows(
    scop: &Scop,
    rows: &Rows,
    known: &Set,
    scope: &Scope,
) -> poly::Result<Option<Columns>> {
    let known = scop.without_pitches(known)?;
    let ids = (0..scop.arrays.len()).map(ArrayId::from);
    let kind = ArrayKind::Memory { base: rows.address };
    let arrays: Vec<ArrayId> = ids.filter(|id| scop.array(*id).kind == kind).collect();
    let [array] = arrays[..] else {
        return Ok(None);
    };
    let (accessed, element) = range::accessed(scop, array, range::whole)?;
    let slant = slant(scop.array(array), rows).filter(|_| element == rows.element);
    let Some((accessed, slant)) = accessed.zip(slant) else {
        return Ok(None);
    };
    let mut writes = scop.stmts.iter().flat_map(|s| s.writes());
    let written = writes.any(|a| a.array == array);
    let accessed = scop
        .without_pitches(&accessed)?
        .intersect_params(&known)?
        .reset_tuple_id()?;
    if !is_list(scop.array(rows.table)) {
        return Ok(None);
    }
    if !accessed.dim_has_lower_bound(DimType::Set, 1)?
        || !accessed.dim_has_upper_bound(DimType::Set, 1)?
    {
        return Ok(None);
    }
    let (first, last) = match ends_in_row(&accessed, scope)? {
        Some(ends) => ends,
        None => ends_in_all(&accessed, scope)?,
    };
    let slanted = |(at_0, step): (Expr, i64)| (at_0, step + slant);
    Ok(Some(Columns {
        first: slanted(first),
        last: slanted(last),
        written,
    }))
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
    let columns = accessed.project_out(DimType::Set, 0, 1)?.coalesce()?;
    let [first, last] =
        [columns.dim_min(0)?, columns.dim_max(0)?].map(|end| range::value(&end, scope));
    Ok(((first?, 0), (last?, 0)))
}

/// How many columns a subscript of the array's last dimension is behind the column that it means, in each row more than in the
/// one before: 1 where what is modelled as a row is a row and an element, 0 where it is a row.
fn slant(array: &Array, rows: &Rows) -> Option<i64> {
    let [row, column] = &array.strides[..] else {
        return None;
    };
    let element = i128::from(rows.element);
    if column.as_constant() != Some(element) {
        return None;
    }
    let is_pitch = |s: &Scev| s.kind == ScevKind::Unknown(rows.pitch);
    let elements = match &row.kind {
        ScevKind::Mul(factors, _) => match &factors[..] {
            [bytes, elements] if bytes.as_constant() == Some(element) => elements,
            _ => return None,
        },
        _ if element == 1 => row,
        _ => return None,
    };
    match &elements.kind {
        ScevKind::Add(terms, _) => match &terms[..] {
            [more, pitch] if is_pitch(pitch) => i64::try_from(more.as_constant()?).ok(),
            _ => None,
        },
        _ => is_pitch(elements).then_some(0),
    }
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
    let at_0 = range::value(&PwAff::from_aff(&at_0)?, scope)?;
    Ok(Some((at_0, step)))
}

/// Whether a table is one pointer behind the other.
fn is_list(table: &Array) -> bool {
    let [stride] = &table.strides[..] else {
        return false;
    };
    stride.as_constant() == Some(table.ty.bytes().into())
}
