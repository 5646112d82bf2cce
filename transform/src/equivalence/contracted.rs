//! Whether a SCoP whose arrays are windows does what the source does, in its own order: [`check`].
//!
//! Instances of the new SCoP are instances of the source, several of them perhaps the same one: `origin` says which. With the same
//! operands each computes the same value, so this is left:
//!
//! 1. each read finds what the same read of the source finds: the value of an instance with the same origin as the source's writer, or what
//!    was in the same cell before;
//! 2. of each cell that the program sees afterwards the last writer is the source's, in the same place.
//!
//! Both are equalities of the exact flow of values (Feautrier 1991), for all values of the parameters. A cell of a window that is used again too
//! early gives a read another writer, and so does a row that is computed again from what was overwritten.

use super::{Answer, Checked, Stop, answered};
use polytile_analysis::deps::order::original_schedule;
use polytile_analysis::ids::{ArrayId, StmtId};
use polytile_analysis::poly::{Map, Result, UnionAccessInfo, UnionMap, UnionSet};
use polytile_analysis::scop::{AccessKind, ArrayKind, Scop, Stmt};
use std::collections::BTreeMap;

/// Whether `after` leaves behind what `before` does; `origins` are its instances in terms of `before`, statements without one are the
/// same; `windows` are the arrays with other cells.
pub fn check(
    before: &Scop,
    after: &Scop,
    (origins, windows): (&BTreeMap<StmtId, Map>, &[ArrayId]),
) -> Answer {
    let both = before
        .narrowed()
        .and_then(|before| Ok((before, after.narrowed()?)));
    answered(match both {
        Ok((before, after)) => checked(&before, &after, (origins, windows)),
        Err(e) => Err(Stop::Poly(e)),
    })
}

fn checked(
    before: &Scop,
    after: &Scop,
    (origins, windows): (&BTreeMap<StmtId, Map>, &[ArrayId]),
) -> Checked<()> {
    let both = Both::new(
        [Side::new(before)?, Side::new(after)?],
        union_of(after, origins)?,
        windows,
    )?;
    let instances = after.domain()?.intersect_params(&after.context)?;
    let meant = instances.apply(&both.origin)?;
    if !meant.is_subset(&before.domain()?)? {
        return Err(Stop::Wrong(
            "an instance is none of the source's".to_owned(),
        ));
    }
    if !instances.is_subset(&both.origin.domain()?)? {
        return Err(Stop::Wrong("an instance has no origin".to_owned()));
    }
    for s in &before.stmts {
        let mut asked = s.writes().iter().filter(|w| both.is_asked(w.array));
        if asked.any(|w| w.kind == AccessKind::MayWrite) {
            return Err(Stop::Open("a write depends on data"));
        }
        for n in 0..s.accesses.len() {
            both.access(s, n)?;
        }
    }
    for array in (0..before.arrays.len()).map(ArrayId::from) {
        let written = before.stmts.iter().any(|s| s.writes_to(array));
        if written && both.is_asked(array) && both.outlives(array) {
            both.last_values(array)?;
        }
    }
    Ok(())
}

/// A SCoP with its order.
struct Side<'a> {
    scop: &'a Scop,
    order: UnionMap,
}

impl<'a> Side<'a> {
    fn new(scop: &'a Scop) -> Result<Side<'a>> {
        Ok(Side {
            scop,
            order: original_schedule(scop)?,
        })
    }

    /// The instances of an access with their cells.
    fn access(&self, stmt: StmtId, n: usize) -> Result<UnionMap> {
        let stmt = self.scop.stmt(stmt);
        let domain = stmt.domain.intersect_params(&self.scop.context)?;
        let map = stmt.accesses[n].relation.intersect_domain(&domain)?;
        map.to_union_map()
    }

    fn writes(&self, array: ArrayId) -> Result<UnionMap> {
        let all = |a: &polytile_analysis::scop::Access| {
            a.array == array && a.kind == AccessKind::MustWrite
        };
        self.scop
            .accesses(all)?
            .intersect_params(&self.scop.context)
    }

    /// From writers to the reads of an access that find what they wrote.
    fn flow(&self, sink: &UnionMap, array: ArrayId) -> Result<UnionMap> {
        let info = UnionAccessInfo::from_sink(sink)?
            .set_must_source(&self.writes(array)?)?
            .set_schedule_map(&self.order)?;
        info.compute_flow()?.must_dependence()
    }

    /// The writers whose values are there in the end.
    fn last(&self, array: ArrayId) -> Result<UnionSet> {
        let writes = self.writes(array)?;
        let overwritten = self.flow(&writes, array)?.domain()?;
        writes.domain()?.subtract(&overwritten)
    }
}

/// Both SCoPs.
struct Both<'a> {
    sides: [Side<'a>; 2],
    origin: UnionMap,
    windows: &'a [ArrayId],
    /// Both run the same instances in the same order: what is in no window is what it was.
    in_order: bool,
}

impl<'a> Both<'a> {
    fn new(sides: [Side<'a>; 2], origin: UnionMap, windows: &'a [ArrayId]) -> Result<Both<'a>> {
        let [old, new] = [&sides[0], &sides[1]];
        let same = origin.is_subset(&origin.domain()?.identity()?)?;
        Ok(Both {
            in_order: same && new.order.is_subset(&old.order)?,
            sides,
            origin,
            windows,
        })
    }

    /// Whether the flow through an array may have become another one.
    fn is_asked(&self, array: ArrayId) -> bool {
        !self.in_order || self.windows.contains(&array)
    }

    fn outlives(&self, array: ArrayId) -> bool {
        let of = self.sides[0].scop.array(array);
        match &of.kind {
            ArrayKind::Memory { .. } => !of.dead || !self.windows.contains(&array),
            ArrayKind::Scalar { live_out } => live_out.is_some(),
            ArrayKind::Temporary => false,
            ArrayKind::Intact => true,
        }
    }

    /// An access finds its cell, and a read its value.
    fn access(&self, stmt: &Stmt, n: usize) -> Checked<()> {
        let access = &stmt.accesses[n];
        let array = access.array;
        let [old, new] = [&self.sides[0], &self.sides[1]];
        let wrong = |what: &str| {
            let name = &old.scop.array(array).name;
            Err(Stop::Wrong(format!("{} {what} {name}", stmt.name)))
        };
        let is_window = self.windows.contains(&array);
        let cells = new.access(stmt.id, n)?;
        if !is_window {
            let meant = self.origin.apply_range(&old.access(stmt.id, n)?)?;
            if !cells.is_subset(&meant)? {
                return wrong("accesses another element of");
            }
        }
        let written = old.scop.stmts.iter().any(|s| s.writes_to(array));
        // A window begins with nothing of what was in the array.
        if access.kind != AccessKind::Read || !written && !is_window || !self.is_asked(array) {
            return Ok(());
        }
        let twice = |s: &Stmt| s.writes().iter().filter(|w| w.array == array).count() > 1;
        if old.scop.stmts.iter().any(twice) {
            return Err(Stop::Open("a statement writes an array twice"));
        }
        let was = old.flow(&old.access(stmt.id, n)?, array)?;
        let is = new.flow(&cells, array)?;
        let meant = is.apply_domain(&self.origin)?.apply_range(&self.origin)?;
        if !meant.is_subset(&was)? {
            return wrong("finds another value in");
        }
        let finds = is.range()?;
        let should = cells
            .domain()?
            .intersect(&was.range()?.apply(&self.origin.reverse()?)?)?;
        if !should.is_subset(&finds)? || is_window && !cells.domain()?.is_subset(&finds)? {
            return wrong("finds what was before in");
        }
        Ok(())
    }

    /// What an array holds in the end was written by the same instances.
    fn last_values(&self, array: ArrayId) -> Checked<()> {
        let (was, is) = (self.sides[0].last(array)?, self.sides[1].last(array)?);
        match is.apply(&self.origin)?.is_equal(&was)? {
            true => Ok(()),
            false => {
                let name = &self.sides[0].scop.array(array).name;
                Err(Stop::Wrong(format!("the last values of {name} are others")))
            }
        }
    }
}

/// Origins of all instances.
fn union_of(after: &Scop, origins: &BTreeMap<StmtId, Map>) -> Result<UnionMap> {
    let mut all = UnionMap::empty(&after.context.space()?)?;
    for s in &after.stmts {
        let own = match origins.get(&s.id) {
            Some(origin) => origin.clone(),
            None => s.domain.identity()?,
        };
        all = all.union(&own.intersect_domain(&s.domain)?.to_union_map()?)?;
    }
    Ok(all)
}
