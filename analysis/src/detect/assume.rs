//! Context and assumptions.
//!
//! The model holds for all parameter values but the forbidden ones, and "not forbidden" is a union: a subscript stays in its row
//! *or* the loops around it do not run. Each access adds its own alternatives, and a dozen accesses under a few conditions make
//! hundreds of convex pieces, each of which every later step looks at. As long as there are few of them, assumptions are exact.
//! Else the *main case* is assumed, that the deepest blocks run: of the alternatives it leaves the first. What is still too
//! complicated then is forbidden with all that lies between its parts ([`without`]).
//!
//! ```text
//! forbidden: { n >= 3 and m >= 3 and 2p < n }            allowed: n < 3 or m < 3 or 2p >= n
//! main case: { n >= 3 and m >= 3 }                       allowed: 2p >= n
//! ```

use super::affine::Parameter;
use super::model::{Model, PARAMETER_LIMIT};
use super::reject::{Reject, RejectKind};
use crate::ids::BlockId;
use crate::poly::{self, DimType, Error, Set};
use crate::region::InstKind;
use crate::scop::{Assumption, AssumptionKind};

/// Allowed parameter values in more convex pieces than this are not worked with. The kernels have up to 8.
const MOST: usize = 16;

/// All assumptions together may have so many; those of the kernels have one.
const MOST_TOGETHER: usize = 4;

/// A size that has to be greater may be that of a rest; stencils leave out rims of one or two.
const FEW: i64 = 3;

/// The part of the budget to take forbidden values away exactly.
const SUBTRACT_SHARE: u64 = 300;

/// The part of the budget to collect all assumptions exactly.
const SHARE: u64 = 30;

/// What is known about the parameters: the ranges of their types.
pub(super) fn context(model: &Model) -> Result<Set, Reject> {
    let mut facts = vec!["true".to_owned()];
    for Parameter { name, width, .. } in model.params.iter() {
        if width < 64 {
            let half = 1i128 << (width - 1);
            facts.push(format!("{} <= {name} < {half}", -half));
        }
    }
    Ok(model.set(0, &facts.join(" and "))?.params()?)
}

/// What is assumed: not forbidden, in range, and where nests were copied for empty loops, the main copy's loops entered.
pub(super) fn assumptions(
    model: &mut Model,
    context: &Set,
    domains: &[Set],
) -> Result<Vec<Assumption>, Reject> {
    if model.main.is_none() {
        match exact(model, context, domains)? {
            Some(all) => return Ok(all),
            None => model.main = Some(main_case(model)?),
        }
    }
    match collected(model, context, domains)? {
        Some(all) => Ok(all),
        None => Err(Reject::new(RejectKind::Cases)),
    }
}

/// The same, if no main case is assumed and it takes little work.
fn exact(model: &Model, context: &Set, domains: &[Set]) -> Result<Option<Vec<Assumption>>, Reject> {
    let _quota = model.ctx.share(SHARE);
    match collected(model, context, domains) {
        Err(Reject {
            kind: RejectKind::Poly(Error::Quota),
            ..
        }) => Ok(None),
        found => found,
    }
}

/// The same in few pieces; `None` if that is not possible.
fn collected(
    model: &Model,
    context: &Set,
    domains: &[Set],
) -> Result<Option<Vec<Assumption>>, Reject> {
    let mut all: Vec<Assumption> = vec![];
    // What is impossible is gone: that numbers are those of a machine says nothing more.
    let mut together = context.without_machine_bounds()?;
    let forbidden = possible(model, context)?;
    if let Some(main) = &model.main {
        together = together.intersect(main)?;
        all.push(Assumption {
            set: main.gist(context)?,
            why: AssumptionKind::NonEmpty,
        });
    }
    for kind in KINDS {
        let bad: Vec<&Set> = (forbidden.iter().filter(|(_, why)| *why == kind))
            .map(|(bad, _)| bad)
            .collect();
        let is_open = matches!(kind, AssumptionKind::Range | AssumptionKind::NonEmpty);
        if bad.is_empty() && !is_open {
            continue;
        }
        let mut set = match kind {
            AssumptionKind::Range => in_range(model)?,
            AssumptionKind::NonEmpty => entered(model, &together, domains)?,
            _ => model.set(0, "true")?.params()?,
        };
        if model.main.is_some() {
            set = set.intersect(&together)?;
        }
        for bad in bad {
            set = match &model.main {
                None => set.subtract(bad)?,
                Some(main) => within(main, &set, bad)?,
            };
        }
        let set = set.coalesce()?.gist(&together)?.coalesce()?;
        let set = match kind {
            AssumptionKind::NoTrap => with_lengths(model, set, &together)?,
            _ => set,
        };
        if !set.plain_is_universe()? {
            together = together.intersect(&set)?.coalesce()?;
            all.push(Assumption { set, why: kind });
        }
    }
    if together.is_empty()? && model.main.is_some() {
        return Ok(None);
    }
    if together.is_empty()? {
        return Err(Reject::new(RejectKind::Assumptions));
    }
    Ok((together.n_basic_set() <= MOST_TOGETHER).then_some(all))
}

/// What is forbidden of the values that the types of parameters have, each once: a window's arithmetic is the same in many accesses. What wraps with absurd
/// sizes is forbidden with these, whatever else it takes: `x - pad` of a loop that runs, of a window that is not empty.
fn possible(model: &Model, context: &Set) -> Result<Vec<(Set, AssumptionKind)>, Reject> {
    let mut met: Vec<(&Set, AssumptionKind)> = vec![];
    let mut all = vec![];
    for (bad, why) in &model.forbidden {
        let mut known = false;
        for (other, kind) in &met {
            known |= kind == why && other.plain_is_equal(bad)?;
        }
        if known {
            continue;
        }
        met.push((bad, *why));
        let parts = bad.basic_sets()?;
        if parts.iter().any(|part| part.dim(DimType::Div) > 0) {
            all.push((bad.clone(), *why));
            continue;
        }
        let mut possible = Set::empty(&bad.space()?)?;
        for part in parts {
            if !part.to_set()?.is_disjoint(context)? {
                let part = match why {
                    AssumptionKind::NoWrap => part.beyond_machine_bounds()?,
                    _ => part,
                };
                possible = possible.union(&part.to_set()?)?;
            }
        }
        if possible.n_basic_set() > 0 {
            all.push((possible, *why));
        }
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

/// A check of an index is `i == n` where the compiler knows that the counter `i` does not jump over `n`, and then no index traps with an `n` below
/// zero either. It is a length, and read as unsigned longer than any array: as a case beside the others it would leave no domain convex.
fn with_lengths(model: &Model, mut set: Set, together: &Set) -> Result<Set, Reject> {
    for Parameter { name, width, .. } in model.params.iter() {
        if width < 64 || set.n_basic_set() < 2 {
            continue;
        }
        let length = model.set(0, &format!("{name} >= 0"))?.params()?;
        let rest = set.intersect(&length)?.coalesce()?;
        if rest.n_basic_set() < set.n_basic_set() && !rest.intersect(together)?.is_empty()? {
            set = rest;
        }
    }
    Ok(set)
}

fn in_range(model: &Model) -> Result<Set, Reject> {
    let mut facts = vec!["true".to_owned()];
    for Parameter { name, width, .. } in model.params.iter() {
        if width >= 64 {
            facts.push(format!(
                "{} <= {name} <= {PARAMETER_LIMIT}",
                -PARAMETER_LIMIT
            ));
        }
    }
    Ok(model.set(0, &facts.join(" and "))?.params()?)
}

/// The parameter values for which the deepest statements run. Copies of a nest that the compiler made for empty inner
/// loops contradict each other; the deeper one counts. Where what is assumed leaves none of the deepest statements, the nest is nothing
/// but what is around it: its parts are worth more.
fn entered(model: &Model, allowed: &Set, domains: &[Set]) -> Result<Set, Reject> {
    let mut order: Vec<(usize, &Set)> = vec![];
    for d in domains.iter().filter(|d| d.tuple_dim() > 0) {
        order.push((fixed(&d.params()?)?, d));
    }
    // What runs for one value of a size only is what the compiler took out of the rest.
    order.sort_by_key(|(fixed, d)| (std::cmp::Reverse(d.tuple_dim()), *fixed));
    let order: Vec<&Set> = order.into_iter().map(|(_, d)| d).collect();
    let mut chances = vec![];
    for d in &order {
        chances.push((d.tuple_dim(), with_any_rest(model, &order, d.params()?)?));
    }
    let flags = |p: &Parameter| p.width == 1;
    let (mut set, mut cases) = together(model, allowed, &chances, &flags)?;
    if cases == Cases::Several {
        let choosing = choosing(model, &order)?;
        if !choosing.is_empty() {
            let chooses = |p: &Parameter| flags(p) || choosing.iter().any(|c| c == p.name);
            (set, cases) = together(model, allowed, &chances, &chooses)?;
        }
    }
    match cases {
        Cases::None => Err(Reject::new(RejectKind::Assumptions)),
        Cases::One | Cases::Several => Ok(set),
    }
}

/// Where a nest runs, for some number of what only it has beyond a few: the loop over further quantities that are carried along, `for (v = 4; v <
/// quantities; ..)` behind nests that treat the first four, is often empty, and the others run nevertheless.
fn with_any_rest(model: &Model, domains: &[&Set], mut runs: Set) -> Result<Set, Reject> {
    for Parameter { name, .. } in model.params.iter() {
        if !runs.involves_param(name)? {
            continue;
        }
        let few = model.set(0, &format!("{name} <= {FEW}"))?.params()?;
        let mut elsewhere = domains.iter().map(|d| d.involves_param(name));
        let everywhere = elsewhere.try_fold(true, |all, one| one.map(|one| all && one))?;
        if !everywhere && runs.is_disjoint(&few)? {
            runs = runs.for_some(name)?;
        }
    }
    Ok(runs)
}

/// How many equalities parameters have to meet.
fn fixed(params: &Set) -> poly::Result<usize> {
    match params.is_empty()? {
        true => Ok(0),
        false => Ok(params.simple_hull()?.equalities_matrix()?.len()),
    }
}

/// What there is of the deepest statements where as many run as can run together: none of them, all that can run at all, or some
/// only, as others run in other cases.
#[derive(PartialEq)]
enum Cases {
    None,
    One,
    Several,
}

/// The parameter values for which as many domains, of so many loops each, run as can run together, for some value of the parameters that choose.
fn together(
    model: &Model,
    allowed: &Set,
    chances: &[(usize, Set)],
    chooses: &dyn Fn(&Parameter) -> bool,
) -> Result<(Set, Cases), Reject> {
    let mut set = model.set(0, "true")?.params()?;
    let deepest = chances.first().map_or(0, |(depth, _)| *depth);
    let (mut some, mut left, mut other) = (false, false, false);
    for (depth, runs) in chances {
        let runs = without_choices(model, runs.remove_divs()?, chooses)?;
        let next = set.intersect(&runs)?;
        let fits = !next.intersect(allowed)?.is_empty()?;
        let is_deep = *depth == deepest;
        if fits && (is_deep || !relates(&runs, &set)?) {
            set = next.coalesce()?;
        }
        some |= is_deep && !runs.is_empty()?;
        left |= is_deep && fits;
        other |= is_deep && !fits && !runs.intersect(allowed)?.is_empty()?;
    }
    let cases = match (some && !left, other) {
        (true, _) => Cases::None,
        (false, true) => Cases::Several,
        (false, false) => Cases::One,
    };
    Ok((set, cases))
}

/// Whether what keeps something running beyond what is `known` relates sizes to each other: that a matrix has more columns than rows, where the
/// compiler made a copy of what is left behind the last row. The main case does not need it to run.
fn relates(runs: &Set, known: &Set) -> Result<bool, Reject> {
    for part in runs.gist(known)?.basic_sets()? {
        for c in part.constraints()? {
            let mut sizes = 0;
            for p in 0..part.dim(DimType::Param) {
                sizes += usize::from(c.coefficient(DimType::Param, p)? != 0);
            }
            if sizes > 1 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The parameters that only choose between nests (`if (predict == 0) .. else ..`): whether a domain runs depends on them, how far it
/// goes does not. Each choice counts, so that none of them is assumed. A size says how far loops go, and its cases stay.
fn choosing(model: &Model, domains: &[&Set]) -> Result<Vec<String>, Reject> {
    let mut found = vec![];
    'parameters: for Parameter { name, .. } in model.params.iter() {
        for d in domains {
            let Some(at) = d.find_dim_by_name(DimType::Param, name) else {
                continue;
            };
            let rest = d.for_some(name)?;
            let alone = only(d.params()?, at)?;
            if !rest.intersect_params(&alone)?.is_equal(d)? {
                continue 'parameters;
            }
        }
        found.push(name.to_owned());
    }
    Ok(found)
}

/// The values of one parameter of a set, whatever the others are.
fn only(set: Set, at: usize) -> Result<Set, Reject> {
    let behind = set.dim(DimType::Param) - at - 1;
    Ok(set
        .eliminate(DimType::Param, at + 1, behind)?
        .eliminate(DimType::Param, 0, at)?)
}

/// For some value of the parameters that choose; those of one bit do: a condition that the program computes chooses among its
/// statements, and each choice counts.
fn without_choices(
    model: &Model,
    mut set: Set,
    chooses: &dyn Fn(&Parameter) -> bool,
) -> Result<Set, Reject> {
    for parameter in model.params.iter().filter(|p| chooses(p)) {
        set = set.for_some(parameter.name)?;
    }
    Ok(set)
}

/// The parameter values for which no check of a row's length fails, in the main case: all that is said of accesses behind checks would have
/// the checks' cases as well. All values where there are no such rows, or cases are left.
pub(super) fn without_traps(model: &mut Model) -> Result<Set, Reject> {
    let all = model.set(0, "true")?.params()?;
    let measured = model.region.rows.iter().any(|r| !r.lengths.is_empty());
    if !measured || model.main.is_some() {
        return Ok(all);
    }
    // Sums over nothing are written as well; where they are a case of their own, they are left to the original.
    for main in [main_case(model)?, deepest_case(model)?] {
        if let Some(set) = untrapped(model, &main)? {
            model.main = Some(main.intersect(&never_negative(model, &set)?)?);
            return Ok(set);
        }
    }
    Ok(all)
}

/// The parameter values of a case for which no check fails, if they are one.
fn untrapped(model: &Model, main: &Set) -> Result<Option<Set>, Reject> {
    let mut set = main.clone();
    let traps = model.forbidden.iter();
    for (bad, _) in traps.filter(|(_, why)| *why == AssumptionKind::NoTrap) {
        match exactly(&set, &bad.intersect(main)?)? {
            Some(rest) => set = rest.coalesce()?,
            None => return Ok(None),
        }
    }
    let set = with_lengths(model, set, main)?;
    Ok((set.n_basic_set() == 1).then_some(set))
}

/// That those parameters are not negative which never are in a set.
fn never_negative(model: &Model, set: &Set) -> Result<Set, Reject> {
    let mut all = model.set(0, "true")?.params()?;
    for Parameter { name, .. } in model.params.iter() {
        let length = model.set(0, &format!("{name} >= 0"))?.params()?;
        if set.is_subset(&length)? {
            all = all.intersect(&length)?;
        }
    }
    Ok(all)
}

/// The allowed parameter values without the bad ones; without a little more where the model has to turn to the main case.
pub(super) fn without(model: &mut Model, allowed: &Set, bad: &Set) -> Result<Set, Reject> {
    if model.main.is_none() {
        match exactly(allowed, bad)? {
            Some(set) => return Ok(set),
            None => model.main = Some(main_case(model)?),
        }
    }
    match &model.main {
        Some(main) => within(main, allowed, bad),
        None => Ok(allowed.subtract(bad)?),
    }
}

/// The difference, if it has few pieces and takes little work.
fn exactly(allowed: &Set, bad: &Set) -> poly::Result<Option<Set>> {
    let _quota = allowed.ctx().share(SUBTRACT_SHARE);
    let difference = || {
        let rest = allowed.subtract(bad)?;
        match rest.n_basic_set() <= MOST {
            true => Ok(rest),
            false => rest.coalesce(),
        }
    };
    match difference() {
        Ok(rest) => Ok((rest.n_basic_set() <= MOST).then_some(rest)),
        Err(Error::Quota) => Ok(None),
        Err(e) => Err(e),
    }
}

/// The allowed parameter values of the main case without at least the bad ones.
fn within(main: &Set, allowed: &Set, bad: &Set) -> Result<Set, Reject> {
    let allowed = allowed.intersect(main)?.coalesce()?;
    let near = bad.intersect(main)?.coalesce()?;
    if near.is_disjoint(&allowed)? {
        return Ok(allowed);
    }
    if let Some(rest) = exactly(&allowed, &near.gist(main)?)? {
        return Ok(rest.coalesce()?);
    }
    let hull = near.remove_divs()?.simple_hull()?.to_set()?;
    match exactly(&allowed, &hull.gist(main)?)? {
        Some(rest) => Ok(rest.coalesce()?),
        None => Err(Reject::new(RejectKind::Cases)),
    }
}

/// One convex set of parameter values that contains all for which the deepest writing blocks run.
fn main_case(model: &Model) -> Result<Set, Reject> {
    let blocks = model.region.blocks.iter().enumerate();
    let writes = blocks.filter(|(_, b)| {
        let write = |k: &InstKind| {
            matches!(
                k,
                InstKind::Store { .. } | InstKind::Memset { .. } | InstKind::Memcpy { .. }
            )
        };
        b.insts.iter().any(|i| write(&i.kind))
    });
    let writes = writes.map(|(b, _)| BlockId::from(b)).collect::<Vec<_>>();
    case_of(model, &writes)
}

/// One convex set of parameter values that contains all for which the deepest blocks run.
fn deepest_case(model: &Model) -> Result<Set, Reject> {
    let all: Vec<BlockId> = (0..model.region.blocks.len()).map(BlockId::from).collect();
    case_of(model, &all)
}

fn case_of(model: &Model, blocks: &[BlockId]) -> Result<Set, Reject> {
    let mut domains = vec![];
    for b in blocks {
        let runs = model.domain(*b).remove_divs()?;
        domains.push(runs.simple_hull()?.to_set()?);
    }
    let set = entered(model, &context(model)?, &domains)?;
    Ok(set.simple_hull()?.to_set()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    fn set(ctx: &Ctx, text: &str) -> Set {
        Set::parse(ctx, &format!("[n, m, p] -> {{ : {text} }}")).expect("a set")
    }

    /// Bands between multiples of 100: the values that are left have one piece more than there are.
    fn bands(ctx: &Ctx, count: usize) -> Set {
        let bands: Vec<String> = (1..=count).map(|i| format!("n = {i}00")).collect();
        set(ctx, &bands.join(" or "))
    }

    #[test]
    fn few_pieces_are_exact() {
        let ctx = Ctx::new();
        let all = set(&ctx, "true");
        let rest = exactly(&all, &bands(&ctx, 3)).unwrap().expect("few pieces");
        assert!(
            rest.is_equal(&all.subtract(&bands(&ctx, 3)).unwrap())
                .unwrap()
        );
        assert!(exactly(&all, &bands(&ctx, MOST)).unwrap().is_none());
    }

    #[test]
    fn the_main_case_leaves_one_alternative() {
        let ctx = Ctx::new();
        let main = set(&ctx, "n >= 3 and m >= 3");
        let bad = set(&ctx, "n >= 3 and m >= 3 and 2p < n");
        let rest = within(&main, &set(&ctx, "true"), &bad).unwrap();
        assert_eq!(rest.n_basic_set(), 1);
        assert!(
            rest.is_equal(&set(&ctx, "n >= 3 and m >= 3 and 2p >= n"))
                .unwrap()
        );
        // What is outside of it is not looked at.
        let outside = set(&ctx, "n < 3 and p = m");
        assert!(
            within(&main, &rest, &outside)
                .unwrap()
                .is_equal(&rest)
                .unwrap()
        );
    }

    #[test]
    fn what_is_still_too_much_goes_with_all_between() {
        let ctx = Ctx::new();
        let main = set(&ctx, "n >= 3");
        let rest = within(&main, &main, &bands(&ctx, MOST)).unwrap();
        let expected = set(&ctx, &format!("3 <= n < 100 or n > {MOST}00"));
        assert!(rest.is_equal(&expected).unwrap());
    }
}
