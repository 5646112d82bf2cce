//! Diagonals that are too short to gain: [`long_diagonals`].
//!
//! The first and last diagonals of a strip of rows miss some lanes and run as scalars, and so does a strip of which a row is
//! missing. They take about as long as the rows of the original, so that a nest gains from some columns more than there are
//! lanes on: the fewer, the longer its chain is ([`Rest`]). Where chains are short, rows that are in no strip take a bit
//! longer, and there must be a whole strip. Otherwise the original runs.
//!
//! Measured on 3 to 20000 rows of 8 to 20000 columns, 8 to 19 operations per point: at the limits the gain is 0 to 15 %.

use crate::ast::{self, scope::Scope};
use crate::live::{row_of, statements};
use polytile_analysis::ast::Expr;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{self, Map, UnionSet};
use polytile_analysis::scop::{Scop, Stmt};
use polytile_analysis::tree::{Band, LoopKind, Rest, Schedule, Tree};

/// Rows whose chains hide each other.
const SOME_ROWS: i64 = 2;

/// Columns from which on rows that run side by side, a run of points each, gain: they begin and end with each strip.
const LONG_ROW: i64 = 48;

/// The part of the budget.
const SHARE: u64 = 12;

/// A loop around diagonals.
struct Found<'t> {
    stmt: StmtId,
    band: &'t Band,
    /// Rows of a strip.
    width: i64,
    rest: Rest,
}

impl Found<'_> {
    /// Columns and rows from which on diagonals gain.
    fn least(&self) -> (i64, i64) {
        match self.rest {
            Rest::Diagonals => (self.width * 5 / 4, SOME_ROWS),
            Rest::RowsBy(run) => {
                let columns = self.width + i64::from(run) * 5 / 4;
                (columns.max(LONG_ROW), SOME_ROWS)
            }
            Rest::Rows => (self.width * 7 / 2, self.width),
        }
    }
}

/// Conditions under which diagonals gain, where all statements of greatest depth run in diagonals.
pub fn long_diagonals(scop: &Scop, schedule: &Schedule) -> poly::Result<Vec<Expr>> {
    let _quota = scop.context.ctx().share(SHARE);
    let mut found = vec![];
    collect(scop, &schedule.root, &schedule.domain, &mut found)?;
    let depth = scop.stmts.iter().map(|s| s.depth()).max().unwrap_or(0);
    let mut deepest = scop.stmts.iter().filter(|s| s.depth() == depth);
    if !deepest.all(|s| found.iter().any(|f| f.stmt == s.id)) {
        return Ok(vec![]);
    }
    let scope = Scope::new(scop, schedule)?;
    let mut conditions = vec![];
    for f in &found {
        let stmt = scop.stmt(f.stmt);
        let last = f.band.schedule.size() - 1;
        let (columns, rows) = f.least();
        for (member, same, least) in [(last - 1, Some(last), columns), (last, None, rows)] {
            let pairs = apart(stmt, f.band, (member, same), least)?;
            let holds = pairs.domain()?.params()?.gist(&scop.context)?.coalesce()?;
            if !holds.plain_is_universe()? {
                conditions.push(ast::holds(&holds, &scope.context, &scope)?);
            }
        }
    }
    Ok(conditions)
}

fn collect<'t>(
    scop: &Scop,
    tree: &'t Tree,
    domain: &UnionSet,
    found: &mut Vec<Found<'t>>,
) -> poly::Result<()> {
    match tree {
        Tree::Leaf => {}
        Tree::Mark(_, child) => collect(scop, child, domain, found)?,
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                collect(scop, &b.child, &domain.intersect(&b.filter)?, found)?;
            }
        }
        Tree::Band(band) => {
            if let Some(LoopKind::Diagonal {
                lanes,
                vectors,
                rest,
            }) = band.loops.last()
            {
                for stmt in statements(scop, domain)? {
                    let width = i64::from(lanes * vectors);
                    found.push(Found {
                        stmt,
                        band,
                        width,
                        rest: *rest,
                    });
                }
            }
            collect(scop, &band.child, domain, found)?;
        }
    }
    Ok(())
}

/// Pairs of instances at least so many steps of a member apart, with equal values of the members before the last two and of
/// one more.
fn apart(
    stmt: &Stmt,
    band: &Band,
    (member, same): (usize, Option<usize>),
    least: i64,
) -> poly::Result<Map> {
    let mut pairs = Map::from_domain_and_range(&stmt.domain, &stmt.domain)?;
    let last = band.schedule.size() - 1;
    for m in (0..last - 1).chain(same) {
        if let Some(row) = row_of(&band.schedule.at(m)?, stmt.id)? {
            pairs = pairs.intersect(&row.eq_map(&row)?)?;
        }
    }
    match row_of(&band.schedule.at(member)?, stmt.id)? {
        Some(row) => pairs.intersect(&row.add_constant_si(least - 1)?.lt_map(&row)?),
        None => Ok(pairs),
    }
}
