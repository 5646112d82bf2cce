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
//! (`a[max(x + d, 0)]` for all `d`) the positions fall apart at which no element of it is bounded. So do those of one that goes around and is written out: its
//! rims are one part each, in which choices stay ([`rim`]).

use super::affine::Affine;
use super::memory::Cell;
use super::model::Model;
use super::reject::Reject;
use super::values::{MAX_COPIES, Site, Stop, Values};
use super::widths::widen;
use crate::ids::{BlockId, LoopId};
use crate::poly::{DimType, Map, Set};
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
    if matches!(s.kind, ScevKind::SRem(..)) && stays(s, site) {
        if let Some(choice) = as_choice(model, (&cases, &last), site)? {
            *s = choice;
        }
        return Ok(None);
    }
    for (pred, lhs, rhs, value) in cases {
        let Some(holds) = iterations(model, (pred, &lhs, &rhs), site)? else {
            return Ok(None);
        };
        if holds.is_empty()? {
            continue;
        }
        if !site.domain.is_subset(&holds)? {
            return part(model, s, holds, [&value, &last], site);
        }
        *s = value;
        return decide(model, s, site);
    }
    *s = last;
    decide(model, s, site)
}

/// A remainder that stays as a choice between what it may be: a comparison in front of the innermost loop instead of a division.
fn as_choice(
    model: &Model,
    (cases, last): (&[Case], &Scev),
    site: Site,
) -> Result<Option<Scev>, Reject> {
    let mut rest = site.domain.clone();
    let mut met: Vec<&Case> = vec![];
    for case in cases {
        let (pred, lhs, rhs, _) = case;
        let Some(holds) = iterations(model, (*pred, lhs, rhs), site)? else {
            return Ok(None);
        };
        if !rest.is_disjoint(&holds)? {
            met.push(case);
            rest = rest.subtract(&holds)?;
        }
    }
    let otherwise = match rest.is_empty()? {
        true => met.pop().map_or(last, |(.., value)| value),
        false => last,
    };
    let choice = |els: Scev, (pred, lhs, rhs, then): &Case| Scev {
        width: els.width,
        kind: ScevKind::Select(
            *pred,
            Box::new([lhs.clone(), rhs.clone(), then.clone(), els]),
        ),
    };
    Ok(Some(met.into_iter().rfold(otherwise.clone(), choice)))
}

/// The iterations of a copy of their own where a choice gives one value where a comparison `holds` and the other elsewhere; `None`: it stays.
fn part(
    model: &Model,
    s: &Scev,
    holds: Set,
    values: [&Scev; 2],
    site: Site,
) -> Result<Option<Set>, Reject> {
    if stays(s, site) || is_rim(model, s, site)? {
        return Ok(None);
    }
    if let Some(rim) = rim(model, s, &holds, site)? {
        return Ok(Some(rim));
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
#[derive(Clone, Debug)]
pub(super) struct Rims {
    /// The depth of the innermost loops.
    innermost: usize,
    /// Loops along which what is stored lies side by side.
    rows: BTreeSet<LoopId>,
    /// Addresses choose along three loops around each other: what does not move along the innermost ones stays.
    alone: bool,
    /// The comparisons along one such loop alone by which addresses choose.
    edges: Vec<(LoopId, CmpPred, Scev, Scev)>,
}

/// Iterations of a rim at most.
const RIM: i64 = 16;

/// The loop that moves two numbers, if it is a single one.
fn only_loop(lhs: &Scev, rhs: &Scev) -> Option<LoopId> {
    let mut loops = lhs.loops();
    loops.extend(rhs.loops());
    let first = loops.iter().next().copied();
    first.filter(|_| loops.len() == 1)
}

/// The loop along which a choice is decided alone, and its depth, if neighbours lie side by side along it.
fn edge(s: &Scev, rims: &Rims, nest: &[LoopId]) -> Option<(LoopId, usize)> {
    let ScevKind::Select(_, parts) = &s.kind else {
        return None;
    };
    let [lhs, rhs, ..] = &**parts;
    let depth = rims.along(nest);
    let along = only_loop(lhs, rhs).filter(|l| nest.get(depth) == Some(l))?;
    Some((along, depth))
}

/// The rim behind an edge, as wide as the widest one that reaches it: of a window that goes around (`x + d < n ? x + d : x + d - n` for all `d`) no
/// position has a copy of its own there. `None`: it is no rim, or one of a single position.
fn rim(model: &Model, s: &Scev, holds: &Set, site: Site) -> Result<Option<Set>, Reject> {
    let Some((along, depth)) = edge(s, site.rims, &site.at.nest) else {
        return Ok(None);
    };
    let narrow = |set: &Set| -> Result<bool, Reject> {
        Ok(!set.is_empty()? && extent(model, set, depth)?.is_some_and(|e| e < RIM))
    };
    let beyond = site.domain.subtract(holds)?;
    let mut rim = match (narrow(holds)?, narrow(&beyond)?) {
        (true, false) => holds.clone(),
        (false, true) => beyond,
        _ => return Ok(None),
    };
    let mut wider = false;
    for (_, pred, lhs, rhs) in site.rims.edges.iter().filter(|e| e.0 == along) {
        let Some(other) = iterations(model, (*pred, lhs, rhs), site)? else {
            continue;
        };
        for side in [other.clone(), site.domain.subtract(&other)?] {
            if rim.is_subset(&side)? && !side.is_subset(&rim)? && narrow(&side)? {
                (rim, wider) = (side, true);
            }
        }
    }
    Ok(wider.then_some(rim))
}

/// Whether a copy has the iterations of a rim, in which choices stay, and one is between places along it.
fn is_rim(model: &Model, s: &Scev, site: Site) -> Result<bool, Reject> {
    if site.copies < 2 || site.rims.edges.is_empty() {
        return Ok(false);
    }
    let Some((along, depth)) = edge(s, site.rims, &site.at.nest) else {
        return Ok(false);
    };
    let Some(own) = extent(model, site.domain, depth)? else {
        return Ok(false);
    };
    let all = model.domain(model.region.loop_(along).header);
    let all = extent(model, all, depth)?;
    Ok((1..RIM).contains(&own) && all.is_none_or(|all| all > 2 * own))
}

/// The distance of the first and the last position of one loop of a nest, if that is bounded.
fn extent(model: &Model, set: &Set, depth: usize) -> Result<Option<i64>, Reject> {
    if depth >= set.tuple_dim() {
        return Ok(None);
    }
    let outer: Vec<String> = (0..depth).map(|d| format!("i{d}")).collect();
    let place = |last: &str| {
        let all = outer.iter().map(String::as_str).chain([last]);
        all.collect::<Vec<_>>().join(", ")
    };
    let prefix = model.params.prefix();
    let text = format!("{prefix}{{ [{}] -> [{}] }}", place("x"), place("y"));
    let places = set.project_out(DimType::Set, depth + 1, set.tuple_dim() - depth - 1)?;
    let pairs = Map::parse(&model.ctx, &text)?;
    let pairs = pairs.intersect_domain(&places)?.intersect_range(&places)?;
    Ok(pairs.deltas()?.dim_max_val(depth)?.as_i64())
}

/// Whether a choice stays in its address, see [`Rims::of`]. Bounds of outer loops do: which row is taken is known in front of the innermost one.
fn stays(s: &Scev, site: Site) -> bool {
    let nest = &site.at.nest;
    let moves = |depth: usize| nest.get(depth).is_some_and(|l| s.loops().contains(l));
    match s.kind {
        ScevKind::Select(..) | ScevKind::SRem(..) => {
            site.rims.alone && !moves(site.rims.along(nest)) && !s.loops().is_empty()
        }
        _ => s.bounded().is_some() && !moves(site.rims.innermost),
    }
}

impl Rims {
    /// Those of a region.
    pub(super) fn of(region: &Region) -> Rims {
        let mut rims = Rims {
            innermost: 0,
            rows: BTreeSet::new(),
            alone: false,
            edges: vec![],
        };
        let mut depths = BTreeSet::new();
        for (b, block) in region.blocks.iter().enumerate() {
            let nest = region.loop_nest(BlockId::from(b));
            for inst in &block.insts {
                let addr = match &inst.kind {
                    InstKind::Load { addr, .. } => addr,
                    InstKind::Store { addr, ty, .. } => {
                        rims.rows.extend(side_by_side(&addr.offset, *ty));
                        addr
                    }
                    _ => continue,
                };
                rims.innermost = rims.innermost.max(nest.len().saturating_sub(1));
                addr.offset.any(&mut |s| {
                    if let ScevKind::Select(pred, parts) = &s.kind {
                        let loops = s.loops();
                        let at = |l| nest.iter().position(|x| x == l);
                        depths.extend(loops.iter().filter_map(at));
                        let [lhs, rhs, ..] = &**parts;
                        let edge = only_loop(lhs, rhs);
                        let edge = edge.map(|l| (l, *pred, lhs.clone(), rhs.clone()));
                        rims.edges.extend(edge.filter(|e| !rims.edges.contains(e)));
                    }
                    false
                });
            }
        }
        rims.alone = depths.len() >= BORDERS;
        rims
    }

    /// Copies of a statement, beyond which grids of one row or column are left to the original.
    pub(super) fn few_copies(&self) -> i64 {
        if self.alone { 1 } else { FEW_COPIES }
    }

    /// The depth of the loop of a nest along which neighbours lie side by side, as far as stores tell, or of the innermost one.
    fn along(&self, nest: &[LoopId]) -> usize {
        let row = nest.iter().rposition(|l| self.rows.contains(l));
        row.unwrap_or(self.innermost)
    }
}

/// The loop along which an address moves by one element.
fn side_by_side(offset: &Scev, ty: Ty) -> Option<LoopId> {
    let ScevKind::AddRec {
        loop_, operands, ..
    } = &offset.kind
    else {
        return None;
    };
    let by = operands.get(1)?.as_constant()?.unsigned_abs();
    match by == u128::from(ty.bytes()) {
        true => Some(*loop_),
        false => side_by_side(operands.first()?, ty),
    }
}

/// Where there are more copies than these, grids of one row or column are left to the original.
const FEW_COPIES: i64 = 4;

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
