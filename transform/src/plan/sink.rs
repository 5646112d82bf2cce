//! Sinking: a member of a band moves into the parts of the sequence below it, where a sum gains rows by it.
//!
//! ```text
//! for r: for q: { for p: for s: x[q][p] += A[r][q][s] * C[s][p];   for p: A[r][q][p] = x[q][p] }
//! for r: { for q: for p: for s: x[q][p] += A[r][q][s] * C[s][p];   for q: for p: A[r][q][p] = x[q][p] }
//! ```
//!
//! That is loop distribution over whole parts: legal if, for equal values of the other members, no dependence leads from a
//! later part to an earlier one. The longer band of a part is one that may be interchanged (`nested`); if it accumulates,
//! it becomes register tiles.

use super::{Place, Planner};
use crate::parallel::coincident_member;
use crate::simd::{accumulating_roles, reordered};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly;
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};

impl Planner<'_> {
    /// The tree of a band with one member in the parts of the sequence below; `None` where that gains nothing.
    pub(super) fn sunk(&mut self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let Tree::Sequence(branches) = &band.child else {
            return Ok(None);
        };
        let shallow = |b: &Branch| matches!(&b.child, Tree::Band(b) if b.schedule.size() == 2);
        if !self.options.register_tiles
            || !band.permutable
            || band.tile.is_some()
            || !branches.iter().any(shallow)
        {
            return Ok(None);
        }
        for member in (0..band.schedule.size()).rev() {
            let others: Vec<usize> = (0..band.schedule.size()).filter(|&m| m != member).collect();
            let mut rest = reordered(band, &others)?;
            rest.schedule = rest
                .schedule
                .intersect_domain(&place.domain.universe_of()?)?;
            let mut below = match others.is_empty() {
                true => place.clone(),
                false => place.below(&rest.schedule)?,
            };
            let Some(parts) = self.parts(band, member, branches, &below)? else {
                continue;
            };
            if !others.is_empty()
                && place.parallel
                && let Some(free) = coincident_member(&rest)
            {
                rest.loops[free] = LoopKind::Parallel(Distribution::Static);
                below.parallel = false;
            }
            let mut planned = vec![];
            for (b, part) in branches.iter().zip(parts) {
                planned.push(Branch {
                    filter: b.filter.clone(),
                    child: self.band(&part, &below.inside(&b.filter)?)?,
                });
            }
            rest.child = Tree::Sequence(planned);
            return Ok(Some(match others.is_empty() {
                true => rest.child,
                false => Tree::Band(Box::new(rest)),
            }));
        }
        Ok(None)
    }

    /// The bands of all parts with the member; `None` if it may not sink or no part accumulates by it.
    fn parts(
        &self,
        band: &Band,
        member: usize,
        branches: &[Branch],
        below: &Place,
    ) -> poly::Result<Option<Vec<Band>>> {
        let mut statements: Vec<Vec<StmtId>> = vec![];
        for b in branches {
            let inside = below.inside(&b.filter)?;
            statements.push(crate::live::statements(self.scop, &inside.domain)?);
        }
        let at = |s: StmtId| statements.iter().position(|part| part.contains(&s));
        let live = below.live.inside(&below.domain)?;
        if live.edges().iter().any(|&(s, t)| at(s) > at(t)) {
            return Ok(None);
        }
        let mut gains = false;
        let mut parts = vec![];
        for (b, stmts) in branches.iter().zip(&statements) {
            let inside = below.inside(&b.filter)?;
            let row = band.schedule.at(member)?;
            let row = row.intersect_domain(&inside.domain.universe_of()?)?;
            let free = inside.live.coincident(&row)?;
            let mut part = Band::looping(&row, LoopKind::Sequential, free, b.child.clone())?;
            if let Some(longer) = self.nested(&part, &inside)? {
                part = longer;
            }
            gains |= part.schedule.size() == 3
                && !accumulating_roles(self.scop, stmts, &inside.outer, &part)?.is_empty();
            parts.push(part);
        }
        Ok(gains.then_some(parts))
    }
}
