//! Which cells hold a value: those that it was stored to or loaded from, until something else is written there.

use super::bulk;
use super::memory::{Cell, over};
use super::model::Time;
use super::reject::Reject;
use super::values::{Meaning, Site, Values};
use crate::ids::{BlockId, LoopId, ValueId};
use crate::poly::{DimType, Map, Set};
use crate::region::{Def, InstKind};
use crate::scev::{Scev, ScevKind, Wrap};

/// A value that a cell holds from some time on.
pub(super) struct Hold {
    pub cell: Cell,
    pub at: Time,
    /// Where that is so.
    pub domain: Set,
}

impl Values<'_, '_> {
    /// A cell that a value was stored to before the site, and that still holds it.
    pub(super) fn stored_before(&mut self, v: ValueId, site: Site) -> Result<Option<Cell>, Reject> {
        let stores = self.stores_of(v)?;
        self.still_holding(stores, site)
    }

    /// The first of some cells that holds its value until the site.
    pub(super) fn still_holding(
        &mut self,
        holds: Vec<Hold>,
        site: Site,
    ) -> Result<Option<Cell>, Reject> {
        let depth = site.domain.tuple_dim();
        for hold in holds {
            if site.at.nest.starts_with(&hold.cell.nest)
                && precedes(&hold.at, site.at)
                && self
                    .model
                    .includes(&padded(&hold.domain, depth)?, site.domain)?
                && self.memory.undisturbed(
                    self.model,
                    (&hold.at, false),
                    site.at,
                    &hold.cell,
                    site.domain,
                )?
            {
                return Ok(Some(hold.cell));
            }
        }
        Ok(None)
    }

    /// Whether a cell holds a value at a time, for these iterations.
    pub(super) fn is_held(
        &mut self,
        v: ValueId,
        cell: &Cell,
        at: &Time,
        domain: &Set,
    ) -> Result<bool, Reject> {
        let depth = domain.tuple_dim();
        let wanted = over(&cell.relation, depth)?.intersect_domain(domain)?;
        for hold in self.holds(v)? {
            if hold.cell.address.base != cell.address.base || !at.nest.starts_with(&hold.cell.nest)
            {
                continue;
            }
            let covered = padded(&hold.domain, depth)?;
            if precedes(&hold.at, at)
                && self.model.includes(&covered, domain)?
                && over(&hold.cell.relation, depth)?
                    .intersect_domain(domain)?
                    .is_equal(&wanted)?
                && self
                    .memory
                    .undisturbed(self.model, (&hold.at, false), at, cell, domain)?
            {
                return Ok(true);
            }
        }
        self.is_filled(v, (cell, &wanted), at, domain)
    }

    /// Whether a value is zero, and a cell holds what a memory set has left there, for these iterations.
    fn is_filled(
        &mut self,
        v: ValueId,
        (cell, wanted): (&Cell, &Map),
        at: &Time,
        domain: &Set,
    ) -> Result<bool, Reject> {
        let region = self.model.region;
        let zero =
            |v: ValueId| matches!(region.value(v).def, Def::IntConst(0) | Def::FloatConst(0));
        if !zero(v) {
            return Ok(false);
        }
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId::from(b);
            let before = at.nest.starts_with(&self.nest(b)) && !self.model.gates.is_controlled(b);
            for (i, inst) in block.insts.iter().enumerate().filter(|_| before) {
                let InstKind::Memset { addr, byte, .. } = &inst.kind else {
                    continue;
                };
                let since = self.model.time(b, i);
                if addr.base != cell.address.base || !zero(*byte) || !precedes(&since, at) {
                    continue;
                }
                let depth = domain.tuple_dim();
                let runs = padded(self.model.domain(b), depth)?;
                let Some(filled) = bulk::filled(self.model, self.memory, (b, i))? else {
                    continue;
                };
                if self.model.includes(&runs, domain)?
                    && wanted.is_subset(&over(&filled, depth)?)?
                    && self
                        .memory
                        .undisturbed(self.model, (&since, false), at, cell, domain)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The cells that hold a value, since when and where.
    pub(super) fn holds(&mut self, v: ValueId) -> Result<Vec<Hold>, Reject> {
        let mut found = self.stores_of(v)?;
        let Some((block, index, inst)) = self.inst(v) else {
            return Ok(found);
        };
        match &inst.kind {
            InstKind::Load { addr, ty } if !self.model.gates.is_controlled(block) => {
                let nest = self.nest(block);
                let cell = self.memory.cell(self.model, addr, *ty, &nest)?;
                let domain = self.model.domain(block).clone();
                found.push(Hold {
                    cell,
                    at: self.model.time(block, index),
                    domain,
                });
            }
            InstKind::Phi(incoming) if incoming.len() == 1 => {
                let inner = incoming[0].1;
                found.extend(self.held_after_loop(block, inner)?);
            }
            InstKind::Phi(_) if !self.model.gates.is_gated(block) => {
                if !self.active.contains(&v)
                    && let Meaning::Content(cell, at) = self.meaning(v)?
                {
                    let domain = self.model.domain(block).clone();
                    found.push(Hold { cell, at, domain });
                }
            }
            _ => {}
        }
        Ok(found)
    }

    /// The stores of a value.
    pub(super) fn stores_of(&mut self, v: ValueId) -> Result<Vec<Hold>, Reject> {
        let region = self.model.region;
        let mut found = vec![];
        for (b, block) in region.blocks.iter().enumerate() {
            let b = BlockId::from(b);
            if self.model.gates.is_controlled(b) {
                continue;
            }
            for (i, inst) in block.insts.iter().enumerate() {
                if let InstKind::Store { addr, ty, value } = &inst.kind
                    && *value == v
                {
                    let nest = self.nest(b);
                    let cell = self.memory.cell(self.model, addr, *ty, &nest)?;
                    let domain = self.model.domain(b).clone();
                    found.push(Hold {
                        cell,
                        at: self.model.time(b, i),
                        domain,
                    });
                }
            }
        }
        Ok(found)
    }

    /// The cells that hold, behind a loop, the last value of `inner`: stored in every iteration to a cell that the loop
    /// does not move.
    fn held_after_loop(&mut self, block: BlockId, inner: ValueId) -> Result<Vec<Hold>, Reject> {
        let region = self.model.region;
        let Some((at, ..)) = self.inst(inner) else {
            return Ok(vec![]);
        };
        let outer = self.nest(block);
        let nest = self.nest(at);
        if nest.len() != outer.len() + 1 || !nest.starts_with(&outer) {
            return Ok(vec![]);
        }
        let l = nest[outer.len()];
        if let Some(phi) = self.kept_next.get(&inner)
            && self.model.defs[phi].0 == region.loop_(l).header
        {
            let domain = self.model.domain(block).clone();
            return Ok(vec![Hold {
                cell: self.kept[phi].clone(),
                at: self.model.begin(block),
                domain,
            }]);
        }
        let latch = region.loop_(l).latch;
        let end = self.model.end(latch, 0);
        let domain = self.model.domain(region.loop_(l).header).clone();
        let mut found = vec![];
        for hold in self.stores_of(inner)? {
            let fixed = !hold.cell.address.offset.loops().contains(&l);
            if hold.cell.nest == nest
                && fixed
                && self.model.includes(&hold.domain, &domain)?
                && self.memory.undisturbed(
                    self.model,
                    (&hold.at, false),
                    &end,
                    &hold.cell,
                    &domain,
                )?
            {
                let cell =
                    self.memory
                        .cell(self.model, &hold.cell.address, hold.cell.ty, &outer)?;
                let domain = self.model.domain(block).clone();
                found.push(Hold {
                    cell,
                    at: self.model.begin(block),
                    domain,
                });
            }
        }
        Ok(found)
    }
}

/// Whether one thing comes before another in the same iteration of the loops that they share.
pub(super) fn precedes(a: &Time, b: &Time) -> bool {
    a.beta
        .iter()
        .zip(&b.beta)
        .find(|(x, y)| x != y)
        .is_some_and(|(x, y)| x < y)
}

/// A domain over a prefix of a nest as one over more of it.
pub(super) fn padded(domain: &Set, depth: usize) -> Result<Set, Reject> {
    Ok(domain.add_dims(DimType::Set, depth - domain.tuple_dim())?)
}

/// An evolution one iteration of `l` earlier; `None` where it is not linear in the iterator.
pub(super) fn one_back(s: &Scev, l: LoopId) -> Option<Scev> {
    if !s.loops().contains(&l) {
        return Some(s.clone());
    }
    let wrap = Wrap::default();
    let kind = match &s.kind {
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let [start, step] = &operands[..] else {
                return None;
            };
            let start = one_back(start, l)?;
            if *loop_ != l {
                ScevKind::AddRec {
                    loop_: *loop_,
                    operands: vec![start, one_back(step, l)?],
                    wrap,
                }
            } else {
                let minus = Scev {
                    width: s.width,
                    kind: ScevKind::Mul(vec![Scev::constant(s.width, -1), step.clone()], wrap),
                };
                let start = Scev {
                    width: s.width,
                    kind: ScevKind::Add(vec![start, minus], wrap),
                };
                ScevKind::AddRec {
                    loop_: *loop_,
                    operands: vec![start, step.clone()],
                    wrap,
                }
            }
        }
        ScevKind::Add(v, _) => ScevKind::Add(
            v.iter().map(|t| one_back(t, l)).collect::<Option<_>>()?,
            wrap,
        ),
        ScevKind::Mul(v, _) => ScevKind::Mul(
            v.iter().map(|t| one_back(t, l)).collect::<Option<_>>()?,
            wrap,
        ),
        _ => return None,
    };
    Some(Scev {
        width: s.width,
        kind,
    })
}
