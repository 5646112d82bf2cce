//! Tables of pointers to rows: [`checks`].
//!
//! How far rows lie apart is a parameter that only the table knows, and the table may be read where the program reads it. So
//! what says that is tested first: all assumptions, for some distance of rows, and that each table is read at all.

use super::{range, ranges};
use crate::ast::{convert, expr, scope::Scope};
use polytile_analysis::ast::{Columns, Expr, RowsCheck};
use polytile_analysis::poly::{self, AstBuild, DimType, Error, Map, Set};
use polytile_analysis::scop::{AccessKind, ArrayKind, Rows, Scop};

/// The conditions to test before any table is read, and the tables.
pub(super) fn checks(scop: &Scop, scope: &Scope) -> poly::Result<(Vec<Expr>, Vec<RowsCheck>)> {
    if scop.rows.is_empty() {
        return Ok((vec![], vec![]));
    }
    let late = scop.pitches();
    let mut before: Vec<Expr> = ranges(scop)?;
    let is_late = |e: &Expr| matches!(e, Expr::Param(p) if late.contains(p));
    before.retain(|c| !expr::any_leaf(c, &is_late));
    let mut known = scop.known()?;
    for r in &scop.rows {
        known = known.intersect(&r.entries.params()?)?;
    }
    let known = scop.without_pitches(&known)?.coalesce()?;
    let open = known.gist(&scop.context)?.coalesce()?;
    if !open.plain_is_universe()? {
        let build = AstBuild::from_context(&scop.context)?;
        before.push(convert::convert(&build.expr_from_set(&open)?, scope)?);
    }
    let tables = scop.rows.iter().map(|r| table(scop, r, scope));
    Ok((before, tables.collect::<poly::Result<_>>()?))
}

fn table(scop: &Scop, rows: &Rows, scope: &Scope) -> poly::Result<RowsCheck> {
    let entries = rows.entries.intersect_params(&scop.known()?)?;
    let (lo, hi) = range::ends(&scop.without_pitches(&entries)?.coalesce()?, scope)?;
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
        copy: columns(scop, rows, scope)?,
    })
}

/// Work for the question which columns are accessed.
const SHARE: u64 = 30;

/// The columns that are accessed of each row, if they are the same ones of all rows that the table's entries point to.
fn columns(scop: &Scop, rows: &Rows, scope: &Scope) -> poly::Result<Option<Columns>> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match whole_rows(scop, rows, scope) {
        Err(Error::Quota) => Ok(None),
        columns => columns,
    }
}

fn whole_rows(scop: &Scop, rows: &Rows, scope: &Scope) -> poly::Result<Option<Columns>> {
    let known = scop.without_pitches(&scop.known()?)?;
    let mut accessed: Option<Set> = None;
    let (mut written, mut array) = (false, None);
    for stmt in &scop.stmts {
        for a in &stmt.accesses {
            let of = scop.array(a.array);
            if of.kind != (ArrayKind::Memory { base: rows.address }) {
                continue;
            }
            if array.is_some_and(|array| array != a.array) || of.ty.bytes() != rows.element {
                return Ok(None);
            }
            array = Some(a.array);
            written |= a.kind != AccessKind::Read;
            let part = a.relation.intersect_domain(&stmt.domain)?.range()?;
            accessed = Some(match accessed {
                None => part,
                Some(all) => all.union(&part)?,
            });
        }
    }
    let Some(accessed) = accessed.filter(|a| a.tuple_dim() == 2) else {
        return Ok(None);
    };
    let accessed = scop
        .without_pitches(&accessed)?
        .intersect_params(&known)?
        .reset_tuple_id()?;
    let Some(numbers) = numbers(scop, rows, &known)? else {
        return Ok(None);
    };
    let columns = accessed.project_out(DimType::Set, 0, 1)?.coalesce()?;
    let all = numbers.product(&columns)?.flatten()?;
    let convex = |s: &Set| s.is_equal(&s.simple_hull()?.to_set()?);
    if !accessed.is_equal(&all)? || !convex(&columns)? || !convex(&numbers)? {
        return Ok(None);
    }
    let (first, last) = range::ends(&columns, scope)?;
    let [first, last] = [first, last].map(|e| e.into_iter().next());
    Ok(first.zip(last).map(|(first, last)| Columns {
        first,
        last,
        written,
    }))
}

/// The numbers of the rows that are reached, where entries are an array of one dimension.
fn numbers(scop: &Scop, rows: &Rows, known: &Set) -> poly::Result<Option<Set>> {
    let table = scop.array(rows.table);
    let [stride] = &table.strides[..] else {
        return Ok(None);
    };
    if stride.as_constant() != Some(table.ty.bytes().into()) {
        return Ok(None);
    }
    let entries = scop
        .without_pitches(&rows.entries)?
        .intersect_params(known)?;
    let (step, first) = (rows.step, rows.first);
    let number = format!("{{ [e] -> [r] : e = {step} r + {first} }}");
    let number = Map::parse(entries.ctx(), &number)?;
    let numbers = entries.reset_tuple_id()?.apply(&number)?.coalesce()?;
    Ok(Some(numbers))
}
