//! Context and assumptions.

use super::model::{Model, PARAMETER_LIMIT};
use super::reject::{Reject, RejectKind};
use super::width_of;
use crate::poly::{DimType, Set};
use crate::scop::{Assumption, AssumptionKind};

/// What is known about the parameters: the ranges of their types.
pub(super) fn context(model: &Model) -> Result<Set, Reject> {
    let mut facts = vec!["true".to_owned()];
    for (v, name) in model.params.iter() {
        let width = width_of(model.region, v);
        if width < 64 {
            let half = 1i128 << (width - 1);
            facts.push(format!("{} <= {name} < {half}", -half));
        }
    }
    Ok(model.set(0, &facts.join(" and "))?.params()?)
}

/// What is assumed: not forbidden, in range, and where nests were copied for empty loops, the main copy's loops entered.
pub(super) fn assumptions(
    model: &Model,
    context: &Set,
    domains: &[Set],
) -> Result<Vec<Assumption>, Reject> {
    let mut all: Vec<Assumption> = vec![];
    let mut together = context.clone();
    for kind in KINDS {
        let mut set = match kind {
            AssumptionKind::Range => in_range(model)?,
            AssumptionKind::NonEmpty => entered(model, &together, domains)?,
            _ => model.set(0, "true")?.params()?,
        };
        for (bad, _) in model.forbidden.iter().filter(|(_, why)| *why == kind) {
            set = set.subtract(bad)?;
        }
        let set = set.coalesce()?.gist(&together)?.coalesce()?;
        if !set.plain_is_universe()? {
            together = together.intersect(&set)?.coalesce()?;
            all.push(Assumption { set, why: kind });
        }
    }
    if together.is_empty()? {
        return Err(Reject::new(RejectKind::Assumptions));
    }
    Ok(all)
}

/// The order in which assumptions are taken.
const KINDS: [AssumptionKind; 6] = [
    AssumptionKind::Range,
    AssumptionKind::NoWrap,
    AssumptionKind::NoTrap,
    AssumptionKind::Stride,
    AssumptionKind::InBounds,
    AssumptionKind::NonEmpty,
];

fn in_range(model: &Model) -> Result<Set, Reject> {
    let mut facts = vec!["true".to_owned()];
    for (v, name) in model.params.iter() {
        if width_of(model.region, v) >= 64 {
            facts.push(format!(
                "{} <= {name} <= {PARAMETER_LIMIT}",
                -PARAMETER_LIMIT
            ));
        }
    }
    Ok(model.set(0, &facts.join(" and "))?.params()?)
}

/// The parameter values for which the deepest statements run. Copies of a nest that the compiler made for empty inner
/// loops contradict each other; the deeper one counts.
fn entered(model: &Model, allowed: &Set, domains: &[Set]) -> Result<Set, Reject> {
    let mut set = model.set(0, "true")?.params()?;
    let mut order: Vec<&Set> = domains.iter().filter(|d| d.tuple_dim() > 0).collect();
    order.sort_by_key(|d| std::cmp::Reverse(d.tuple_dim()));
    for d in order {
        let runs = without_flags(model, d.params()?.remove_divs()?)?;
        let next = set.intersect(&runs)?;
        if !next.intersect(allowed)?.is_empty()? {
            set = next.coalesce()?;
        }
    }
    Ok(set)
}

/// For some value of the parameters of one bit: a condition that the program computes chooses among its statements, and each
/// choice counts.
fn without_flags(model: &Model, mut set: Set) -> Result<Set, Reject> {
    for (v, name) in model.params.iter() {
        if width_of(model.region, v) == 1
            && let Some(at) = set.find_dim_by_name(DimType::Param, name)
        {
            set = set.eliminate(DimType::Param, at, 1)?;
        }
    }
    Ok(set)
}
