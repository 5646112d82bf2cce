//! Tables of pointers to rows: [`checks`].
//!
//! How far rows lie apart is a parameter that only the table knows, and the table may be read where the program reads it. So
//! what says that is tested first: all assumptions, for some distance of rows, and that each table is read at all.

use super::{range, ranges};
use crate::ast::{convert, expr, scope::Scope};
use polytile_analysis::ast::{Expr, RowsCheck};
use polytile_analysis::poly::{self, AstBuild};
use polytile_analysis::scop::{ArrayKind, Rows, Scop};

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
    })
}
