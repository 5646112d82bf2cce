//! Forwards: a coincident member along which sums move down their cells runs up instead, so that it can be their lanes.
//!
//! ```text
//! for i: for j from n - 1 down to 0: for k < j:  b[i][j] += x[i][k] * a[k][j]        j' = n - 1 - j counts up
//! ```
//!
//! Iterators count up, so the search finds `(j', k, i)`, along which cells move by -1. Where `j'` carries no dependence its
//! direction is free, and `n - 1 - j'`, the subscript of the cell, takes its place.

use super::{Place, Planner};
use crate::live::statements;
use crate::simd::{inverse_columns, linear_parts, moves_along};
use polytile_analysis::poly::{self, Aff, DimType, LocalSpace, MultiUnionPwAff, PwAff, UnionPwAff};
use polytile_analysis::scop::Stmt;
use polytile_analysis::stride::Stride;
use polytile_analysis::tree::Band;

/// How a statement's accesses move along a member.
#[derive(PartialEq, Eq)]
enum Way {
    /// The cell of a sum moves back by one element, and nothing moves forwards by one.
    Back,
    /// Something moves forwards by one element.
    Forth,
    /// Neither.
    Neutral,
}

impl Planner<'_> {
    /// The band with members turned round; `None`: nothing changes.
    pub(super) fn forwards(&self, band: &Band, place: &Place) -> poly::Result<Option<Band>> {
        if !self.options.register_tiles || !band.permutable {
            return Ok(None);
        }
        let mut turned: Option<Band> = None;
        let stmts = statements(self.scop, &place.domain)?;
        for m in (0..band.schedule.size()).filter(|&m| band.coincident[m]) {
            let mut back: Option<&Stmt> = None;
            let mut forth = false;
            for &id in &stmts {
                let stmt = self.scop.stmt(id);
                match self.way(stmt, band, m, place)? {
                    Way::Back => back = Some(stmt),
                    Way::Forth => forth = true,
                    Way::Neutral => {}
                }
            }
            let (Some(stmt), false) = (back, forth) else {
                continue;
            };
            let now = turned.get_or_insert_with(|| band.clone());
            let mut rows = now.schedule.union_pw_affs()?;
            rows[m] = self.turned(&rows[m], stmt)?;
            now.schedule = MultiUnionPwAff::from_union_pw_affs(&now.schedule.space()?, &rows)?;
        }
        Ok(turned)
    }

    fn way(&self, stmt: &Stmt, band: &Band, m: usize, place: &Place) -> poly::Result<Way> {
        let mut rows = vec![];
        for part in place.outer.iter().chain([&band.schedule]) {
            match linear_parts(part, stmt)? {
                Some(parts) => rows.extend(parts),
                None => return Ok(Way::Neutral),
            }
        }
        let at = rows.len() - band.schedule.size() + m;
        let columns = inverse_columns(&rows, stmt.depth());
        let Some(step) = columns.and_then(|mut c| c[at].take()) else {
            return Ok(Way::Neutral);
        };
        let mut way = Way::Neutral;
        let write = stmt.write();
        let sums = !stmt.is_group() && stmt.reads().iter().any(|r| r.place == write.place);
        for a in &stmt.accesses {
            let bytes = i128::from(a.ty.bytes());
            match moves_along(self.scop, a, &step)? {
                Stride::Const(c) if c == bytes => return Ok(Way::Forth),
                Stride::Const(c) if c == -bytes && sums && a.place == write.place => {
                    way = Way::Back;
                }
                _ => {}
            }
        }
        Ok(way)
    }

    /// A row in the other direction, from where the last subscript of a statement's cell is without iterators.
    fn turned(&self, row: &UnionPwAff, stmt: &Stmt) -> poly::Result<UnionPwAff> {
        let subscripts = stmt.write().relation.as_pw_multi_aff()?.as_multi_aff()?;
        let last = subscripts.at(subscripts.size() - 1)?;
        let mut turned = UnionPwAff::empty(&row.space()?)?;
        for part in row.pw_affs()? {
            let space = part.domain_space()?;
            let mut from = Aff::si_on_domain(&LocalSpace::from_space(&space)?, last.constant()?)?;
            for (p, param) in self.scop.params.iter().enumerate() {
                let c = last.coefficient(DimType::Param, p)?;
                if c != 0 {
                    let value = Aff::param_on_domain_space(&space, &param.name)?;
                    from = from.add(&value.scale_si(c)?)?;
                }
            }
            turned = turned.add_pw_aff(&PwAff::from_aff(&from)?.sub(&part)?)?;
        }
        Ok(turned)
    }
}
