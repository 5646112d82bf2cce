//! Index-set splitting: a band without coincident member falls apart where two accesses meet.
//!
//! ```text
//! for k: for i: for j: p[i][j] = min(p[i][j], p[i][k] + p[k][j])
//! ```
//!
//! In a step of `k` every dependence goes from or to the row `i = k` or the column `j = k`: there the cell that is
//! written is the one that all others read. On either side of the hyperplane `i = k` nothing depends on anything else
//! along `i`, and the same holds of `j`. With the instances in three parts one after the other, before, on and behind the
//! hyperplane, each part has a coincident member:
//!
//! ```text
//! for k: { parallel for i < k: ..; i = k: ..; parallel for i > k: .. }
//!        each of them: { vector for j < k; j = k; vector for j > k }
//! ```
//!
//! Hyperplanes that are tried are those on which a subscript of a write equals the same subscript of a read of that
//! array (Griebl, Feautrier and Lengauer 2000 call the general method index set splitting). The parts follow each other
//! as the values of the member do, so the order of instances is one that the permutable band allows.

use super::{Place, Planner};
use crate::schedule::order;
use crate::simd::{inverse_columns, linear_parts};
use polytile_analysis::poly::{self, DimType, MultiUnionPwAff, PwAff, Set};
use polytile_analysis::scop::{AccessKind, Stmt};
use polytile_analysis::tree::{Band, Branch, Distribution, LoopKind, Tree};

/// An affine function whose zeros part the instances, with what it gains per step of the member that it parts.
struct Hyperplane {
    value: PwAff,
    ascending: bool,
}

impl Planner<'_> {
    /// The loops of a permutable band of one statement, split so that the outermost is coincident in all parts; `None`
    /// where no hyperplane does that.
    pub(super) fn split(&self, band: &Band, place: &Place) -> poly::Result<Option<Tree>> {
        let stmts = crate::live::statements(self.scop, &place.domain)?;
        let &[id] = &stmts[..] else {
            return Ok(None);
        };
        if !band.permutable || band.child.has_bands() {
            return Ok(None);
        }
        let stmt = self.scop.stmt(id);
        let mut above = vec![];
        for rows in &place.outer {
            match linear_parts(rows, stmt)? {
                Some(rows) => above.extend(rows),
                None => return Ok(None),
            }
        }
        let Some(rows) = linear_parts(&band.schedule, stmt)? else {
            return Ok(None);
        };
        let before = above.len();
        above.extend(rows);
        let Some(columns) = inverse_columns(&above, stmt.depth()) else {
            return Ok(None);
        };
        let Some(columns) = columns[before..].iter().cloned().collect() else {
            return Ok(None);
        };
        let columns: Vec<Vec<i64>> = columns;
        let members = band.schedule.size();
        let lanes = (0..members)
            .max_by_key(|&m| (order::contiguous(self.scop, stmt, &above, before + m), m));
        let mut members: Vec<usize> = (0..members).filter(|m| Some(*m) != lanes).collect();
        members.extend(lanes);
        let splitter = Splitter {
            stmt,
            band,
            columns,
        };
        let (tree, coincident) = splitter.member(&members, place)?;
        Ok(coincident.then_some(tree))
    }
}

struct Splitter<'a> {
    stmt: &'a Stmt,
    band: &'a Band,
    /// How the iterators move by one step of each member.
    columns: Vec<Vec<i64>>,
}

impl Splitter<'_> {
    /// The loops of these members, and whether the outermost is coincident in all parts.
    fn member(&self, members: &[usize], place: &Place) -> poly::Result<(Tree, bool)> {
        let Some((&m, rest)) = members.split_first() else {
            return Ok((self.band.child.clone(), false));
        };
        let row = self.band.schedule.at(m)?;
        if place.live.coincident(&row)? {
            return Ok((self.looped(m, rest, place, true)?, true));
        }
        for h in self.hyperplanes(m)? {
            if let Some(parts) = self.parts(m, &h, place)? {
                let mut branches = vec![];
                for (part, free) in parts {
                    let mut inside = place.inside(&part.to_union_set()?)?;
                    inside.parallel &= free;
                    let child = self.looped(m, rest, &inside, free)?;
                    branches.push(Branch {
                        filter: part.to_union_set()?,
                        child,
                    });
                }
                return Ok((Tree::Sequence(branches), true));
            }
        }
        Ok((self.looped(m, rest, place, false)?, false))
    }

    /// The loop of a member around the loops of others.
    fn looped(&self, m: usize, rest: &[usize], place: &Place, free: bool) -> poly::Result<Tree> {
        let row = self.band.schedule.at(m)?;
        let row = row.intersect_domain(&place.domain.universe_of()?)?;
        let mut below = place.below(&MultiUnionPwAff::from_union_pw_aff(&row)?)?;
        below.parallel &= !free;
        let (child, _) = self.member(rest, &below)?;
        let kind = match place.parallel && free {
            true => LoopKind::Parallel(Distribution::Static),
            false => LoopKind::Sequential,
        };
        Tree::looping(&row, kind, free, child)
    }

    /// The instances before, on and behind a hyperplane in the order of a member, and whether the member is coincident
    /// there; `None` if it is not so both before and behind.
    fn parts(
        &self,
        m: usize,
        h: &Hyperplane,
        place: &Place,
    ) -> poly::Result<Option<[(Set, bool); 3]>> {
        let row = self.band.schedule.at(m)?;
        let all = place.domain.extract_set(&self.stmt.domain.space()?)?;
        let zero = PwAff::si_on_domain(&all, 0)?;
        let (less, on, more) = (
            all.intersect(&h.value.lt_set(&zero)?)?,
            all.intersect(&h.value.eq_set(&zero)?)?,
            all.intersect(&h.value.gt_set(&zero)?)?,
        );
        for side in [&less, &more] {
            let live = place.live.inside(&side.to_union_set()?)?;
            if side.is_empty()? || !live.coincident(&row)? {
                return Ok(None);
            }
        }
        let (first, last) = match h.ascending {
            true => (less, more),
            false => (more, less),
        };
        Ok(Some([(first, true), (on, false), (last, true)]))
    }

    /// Where a subscript of a write equals that of a read of the same array, at one value of a member for each value of
    /// the loops around it.
    fn hyperplanes(&self, m: usize) -> poly::Result<Vec<Hyperplane>> {
        let mut found: Vec<Hyperplane> = vec![];
        let accesses = &self.stmt.accesses;
        for w in accesses.iter().filter(|a| a.kind != AccessKind::Read) {
            for r in accesses {
                if r.kind != AccessKind::Read || r.array != w.array {
                    continue;
                }
                let (w, r) = (w.relation.as_pw_multi_aff()?, r.relation.as_pw_multi_aff()?);
                if !w.isa_multi_aff()? || !r.isa_multi_aff()? {
                    continue;
                }
                let (w, r) = (w.as_multi_aff()?, r.as_multi_aff()?);
                for d in 0..w.size() {
                    let h = w.at(d)?.sub(&r.at(d)?)?;
                    if h.involves_locals()? || h.denominator()? != 1 {
                        continue;
                    }
                    let along = |step: &[i64]| -> poly::Result<i64> {
                        let mut gain = 0;
                        for (i, by) in step.iter().enumerate() {
                            gain += h.coefficient(DimType::In, i)? * by;
                        }
                        Ok(gain)
                    };
                    let mut only = true;
                    for (o, step) in self.columns.iter().enumerate() {
                        only &= o == m || along(step)? == 0;
                    }
                    let gain = along(&self.columns[m])?;
                    if only && gain.abs() == 1 {
                        found.push(Hyperplane {
                            value: PwAff::from_aff(&h)?,
                            ascending: gain == 1,
                        });
                    }
                }
            }
        }
        Ok(found)
    }
}
