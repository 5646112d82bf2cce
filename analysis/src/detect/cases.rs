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
//! too many copies, choices stay in addresses, and code generation evaluates them. So do those along the outer loops of a grid of three
//! dimensions with borders, which would be 27 copies: an innermost loop is a stencil like any other if its row stays the same ([`Rims`]). So do the least and
//! the greatest of two values, unless they move along the innermost loops: `a[min(i + 1, n - 1)]` is a row like any other. Of a window
//! (`a[max(x + d, 0)]` for all `d`) the positions fall apart at which no element of it is bounded.

use super::affine::Affine;
use super::memory::Cell;
use super::model::Model;
use super::reject::Reject;
use super::values::{MAX_COPIES, Site, Stop, Values};
use super::widths::widen;
use crate::ids::{BlockId, LoopId};
use crate::poly::{DimType, Set};
use crate::region::{Address, CmpPred, InstKind, Region, Ty};
use crate::scev::{Scev, ScevKind, Wrap};
use std::collections::BTreeSet;

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
        if !address.offset.any(&mut Scev::chooses) || !site.at.nest.starts_with(nest) {
            return Ok(cell);
        }
        let mut decided = address.clone();
        match decide(self.model, &mut decided.offset, site)? {
            Some(part) if site.copies < MAX_COPIES => return Err(Stop::Choice(part)),
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

/// Takes out the choices that are the same in all iterations of a site; the iterations of one value of the first that is not.
fn decide(model: &Model, s: &mut Scev, site: Site) -> Result<Option<Set>, Reject> {
    let known = !matches!(s.kind, ScevKind::Select(..)) && s.loops().is_empty();
    let Some((cases, last)) = cases(s).filter(|_| !known) else {
        return decide_parts(model, s, site);
    };
    for (pred, lhs, rhs, value) in cases {
        let Some(holds) = iterations(model, (pred, &lhs, &rhs), site)? else {
            return Ok(None);
        };
        if holds.is_empty()? {
            continue;
        }
        if !site.domain.is_subset(&holds)? {
            return part(s, holds, [&value, &last], site);
        }
        *s = value;
        return decide(model, s, site);
    }
    *s = last;
    decide(model, s, site)
}

/// The iterations of a copy of their own where a choice gives one value where a comparison `holds` and the other elsewhere; `None`: it stays.
fn part(s: &Scev, holds: Set, values: [&Scev; 2], site: Site) -> Result<Option<Set>, Reject> {
    if stays(s, site) {
        return Ok(None);
    }
    let Some((innermost, outer)) = site.at.nest.split_last() else {
        return Ok(Some(holds));
    };
    let Some(outermost) = outer.iter().position(|l| s.loops().contains(l)) else {
        return Ok(Some(holds));
    };
    // A window: `x + d` is bounded while `x` and `d` move.
    let within = match values.map(|v| v.loops().contains(innermost)) {
        [true, false] => holds,
        [false, true] => site.domain.subtract(&holds)?,
        _ => return Ok(Some(holds)),
    };
    let rim = site.domain.subtract(&within)?;
    let rim = rim.eliminate(DimType::Set, outermost + 1, outer.len() - outermost)?;
    let inside = site.domain.subtract(&rim)?.coalesce()?;
    Ok((!inside.is_empty()?).then_some(inside))
}

/// Along which loops statements fall apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rims {
    /// The depth of the innermost loops.
    innermost: usize,
    /// Addresses choose along three loops around each other: what does not move along the innermost ones stays.
    alone: bool,
}

/// Whether a choice stays in its address, see [`Rims::of`]. Bounds of outer loops do: which row is taken is known in front of the innermost one.
fn stays(s: &Scev, site: Site) -> bool {
    let innermost: Option<&LoopId> = site.at.nest.get(site.rims.innermost);
    let moves = innermost.is_some_and(|l| s.loops().contains(l));
    match s.kind {
        ScevKind::Select(..) => site.rims.alone && !moves,
        _ => s.bounded().is_some() && !moves,
    }
}

impl Rims {
    /// Those of a region.
    pub(super) fn of(region: &Region) -> Rims {
        let (mut deepest, mut depths) = (0, BTreeSet::new());
        for (b, block) in region.blocks.iter().enumerate() {
            let nest = region.loop_nest(BlockId::from(b));
            for inst in &block.insts {
                let (InstKind::Load { addr, .. } | InstKind::Store { addr, .. }) = &inst.kind
                else {
                    continue;
                };
                deepest = deepest.max(nest.len());
                addr.offset.any(&mut |s| {
                    if matches!(s.kind, ScevKind::Select(..)) {
                        let loops = s.loops();
                        let at = |l| nest.iter().position(|x| x == l);
                        depths.extend(loops.iter().filter_map(at));
                    }
                    false
                });
            }
        }
        Rims {
            innermost: deepest.saturating_sub(1),
            alone: depths.len() >= BORDERS,
        }
    }
}

/// Along so many loops there are too many combinations of borders.
const BORDERS: usize = 3;

/// A comparison, and the value where it holds and none in front of it does.
type Case = (CmpPred, Scev, Scev, Scev);

/// What a choice comes to, and the value where no comparison holds. Remainders go around twice at most ([`Affine::around`]).
fn cases(s: &Scev) -> Option<(Vec<Case>, Scev)> {
    match &s.kind {
        ScevKind::Select(pred, parts) => {
            let [lhs, rhs, then, els] = &**parts;
            let case = (*pred, lhs.clone(), rhs.clone(), then.clone());
            Some((vec![case], els.clone()))
        }
        ScevKind::SRem(a, b) => {
            let case = |times| {
                (
                    CmpPred::Slt,
                    less(a, b, times),
                    (**b).clone(),
                    less(a, b, times),
                )
            };
            Some((vec![case(0), case(1)], less(a, b, 2)))
        }
        ScevKind::UDiv(a, b) if b.as_constant().is_none() => {
            let times = |n| Scev::constant(s.width, n);
            let case = |n| (CmpPred::Slt, less(a, b, n), (**b).clone(), times(n));
            Some((vec![case(0), case(1)], times(2)))
        }
        _ => {
            let (pred, values) = s.bounded()?;
            let [value, other] = values else {
                return None;
            };
            let case = (pred, value.clone(), other.clone(), value.clone());
            Some((vec![case], other.clone()))
        }
    }
}

/// `a - times*b`.
fn less(a: &Scev, b: &Scev, times: i128) -> Scev {
    if times == 0 {
        return a.clone();
    }
    let scev = |kind| Scev {
        width: a.width,
        kind,
    };
    let factors = vec![Scev::constant(a.width, -times), b.clone()];
    let minus = scev(ScevKind::Mul(factors, WRAP));
    scev(ScevKind::Add(vec![a.clone(), minus], WRAP))
}

/// The arithmetic of what was chosen does not wrap: where it would, the assumptions do not hold.
pub(super) const WRAP: Wrap = Wrap {
    nuw: false,
    nsw: true,
};

fn decide_parts(model: &Model, s: &mut Scev, site: Site) -> Result<Option<Set>, Reject> {
    if s.is_half_quotient() {
        return Ok(None);
    }
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
    match Affine::with_remainders(&model.params, nest).compare(pred, lhs, rhs) {
        Ok(text) => Ok(Some(site.domain.intersect(&model.set(nest.len(), &text)?)?)),
        Err(_) => Ok(None),
    }
}
