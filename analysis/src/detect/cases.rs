//! Addresses with choices, in a part of the iterations: where it is known which value is chosen, the choice goes.
//!
//! ```text
//! for i: for j: a[i][j] = b[i == n - 1 ? 0 : i + 1][j] + b[i == 0 ? n - 1 : i - 1][j];        // neighbours on a ring
//!
//! i = n - 1: a[i][j] = b[0][j] + ..        0 < i < n - 1: a[i][j] = b[i + 1][j] + b[i - 1][j]        i = 0: ..
//! ```
//!
//! A statement is split into copies for the parts of its iterations until nothing is left to choose (index-set splitting, as
//! [`super::pieces`] does for PHIs): the copy for the inside of the domain is a stencil like any other. Where that would be
//! too many copies, choices stay in addresses, and code generation evaluates them.

use super::affine::Affine;
use super::memory::Cell;
use super::model::Model;
use super::reject::Reject;
use super::values::{Site, Stop, Values};
use super::widths::widen;
use crate::ids::LoopId;
use crate::poly::Set;
use crate::region::{Address, CmpPred, Ty};
use crate::scev::{Scev, ScevKind, Wrap};

impl Values<'_, '_> {
    /// The cell of an address of an instruction in `nest`, in the iterations of a site.
    pub(super) fn cell_at(
        &self,
        address: &Address,
        ty: Ty,
        nest: &[LoopId],
        site: Site,
    ) -> Result<Cell, Stop> {
        let cell = self.memory.cell(self.model, address, ty, nest)?;
        if !address.offset.any(&mut is_choice) || !site.at.nest.starts_with(nest) {
            return Ok(cell);
        }
        let mut decided = address.clone();
        match decide(self.model, &mut decided.offset, site)? {
            Some(part) if site.may_split => return Err(Stop::Choice(part)),
            Some(_) => return Ok(cell),
            None => {}
        }
        widen(&mut decided.offset);
        let here = self
            .memory
            .cell_within(self.model, &decided, ty, &site.at.nest, site.domain)?;
        Ok(here.unwrap_or(cell))
    }
}

pub(super) fn is_choice(s: &Scev) -> bool {
    match &s.kind {
        ScevKind::Select(..) | ScevKind::SRem(..) => true,
        ScevKind::UDiv(_, b) => b.as_constant().is_none(),
        _ => false,
    }
}

/// Takes out the choices that are the same in all iterations of a site; the iterations of one value of the first that is not.
fn decide(model: &Model, s: &mut Scev, site: Site) -> Result<Option<Set>, Reject> {
    let width = s.width;
    let (holds, then, els) = match &s.kind {
        ScevKind::Select(pred, parts) => {
            let [lhs, rhs, then, els] = &**parts;
            let holds = iterations(model, (*pred, lhs, rhs), site)?;
            (holds, then.clone(), els.clone())
        }
        ScevKind::SRem(a, b) => {
            let holds = iterations(model, (CmpPred::Slt, a, b), site)?;
            let kind = ScevKind::Mul(vec![Scev::constant(width, -1), (**b).clone()], WRAP);
            let minus = Scev { width, kind };
            let kind = ScevKind::Add(vec![(**a).clone(), minus], WRAP);
            (holds, (**a).clone(), Scev { width, kind })
        }
        ScevKind::UDiv(a, b) if b.as_constant().is_none() => {
            let holds = iterations(model, (CmpPred::Slt, a, b), site)?;
            (holds, Scev::constant(width, 0), Scev::constant(width, 1))
        }
        _ => return decide_parts(model, s, site),
    };
    let Some(holds) = holds else {
        return Ok(None);
    };
    *s = if holds.is_empty()? {
        els
    } else if site.domain.is_subset(&holds)? {
        then
    } else {
        return Ok(Some(holds));
    };
    decide(model, s, site)
}

/// The arithmetic of what was chosen does not wrap: where it would, the assumptions do not hold.
pub(super) const WRAP: Wrap = Wrap {
    nuw: false,
    nsw: true,
};

fn decide_parts(model: &Model, s: &mut Scev, site: Site) -> Result<Option<Set>, Reject> {
    for part in s.operands_mut() {
        if let Some(open) = decide(model, part, site)? {
            return Ok(Some(open));
        }
    }
    Ok(None)
}

/// The iterations of a site for which a comparison holds; `None` if that is not known.
fn iterations(
    model: &Model,
    (pred, lhs, rhs): (CmpPred, &Scev, &Scev),
    site: Site,
) -> Result<Option<Set>, Reject> {
    let nest = &site.at.nest;
    match Affine::in_address(&model.params, nest).compare(pred, lhs, rhs) {
        Ok(text) => Ok(Some(site.domain.intersect(&model.set(nest.len(), &text)?)?)),
        Err(_) => Ok(None),
    }
}
