//! Loops that end at a part of a size, with the number of their iterations as a parameter.
//!
//! ```text
//! for (i = 0; i < n; i += 8)        { i : 0 <= i and 8i < n }        { i : 0 <= i < q },  q = floor((n - 1) / 8) + 1
//! ```
//!
//! Eight rows that were jammed in such a loop are the rows below `8q`. In terms of `n` that is a rounding, which register
//! tiles have no bounds for.

use crate::expand::affine_scev;
use polytile_analysis::poly::{Aff, DimType, LocalSpace, Result, Set, Space};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::{Param, Scop, Stmt};

/// `scop` with such a parameter for the loop at this depth around some statements; `None`: it ends otherwise, or they differ.
pub(super) fn counted(scop: &Scop, inside: &[&Stmt], at: usize) -> Result<Option<Scop>> {
    let params = scop.context.space()?;
    let mut rests = vec![];
    let mut end: Option<(Scev, i64, Aff)> = None;
    for s in inside {
        let Some((rest, step, last)) = ends(s, at, &params)? else {
            return Ok(None);
        };
        let Some(value) = affine_scev(scop, &last)? else {
            return Ok(None);
        };
        let (first, by, _) = end.get_or_insert((value.clone(), step, last));
        if (*by, &*first) != (step, &value) {
            return Ok(None);
        }
        rests.push(rest);
    }
    let Some((value, step, last)) = end else {
        return Ok(None);
    };
    let mut counted = scop.clone();
    let expr = quotient(value, step);
    let known = scop.params.iter().find(|p| p.expr == expr);
    let name = match known {
        Some(known) => known.name.clone(),
        None => scop.unused_name((0..).map(|n| format!("q{n}"))),
    };
    for (s, rest) in inside.iter().zip(rests) {
        counted.stmts[s.id.index()].domain = rest.intersect(&below(s, at, &name)?)?;
    }
    if known.is_none() {
        let related = related(scop, &last, step, &name)?;
        counted.add_params([Param { name, expr }])?;
        counted.context = counted.context.intersect_params(&related)?;
    }
    let space = counted.context.space()?;
    for s in &mut counted.stmts {
        s.domain = s.domain.align_params(&space)?;
        for a in &mut s.accesses {
            a.relation = a.relation.align_params(&space)?;
        }
    }
    Ok(Some(counted))
}

/// A domain without the upper bound `m*i <= e` of its iterator `at`, `m`, and `e`, which moves with a parameter; `None` if it has none of
/// this form, or others.
fn ends(s: &Stmt, at: usize, params: &Space) -> Result<Option<(Set, i64, Aff)>> {
    let parts = s.domain.align_params(params)?.basic_sets()?;
    let [part] = &parts[..] else { return Ok(None) };
    let space = part.space()?;
    let zero = Aff::si_on_domain(&LocalSpace::from_space(&space)?, 0)?;
    let mut rest = Set::universe(&space)?;
    let mut found = None;
    for c in part.constraints()? {
        let aff = c.aff()?;
        let gain = aff.coefficient(DimType::In, at)?;
        if aff.involves_locals()? || (c.is_equality() && gain != 0) {
            return Ok(None);
        }
        if gain >= 0 {
            rest = rest.intersect(&match c.is_equality() {
                true => aff.eq_set(&zero)?,
                false => aff.ge_set(&zero)?,
            })?;
            continue;
        }
        let end = aff.set_coefficient_si(DimType::In, at, 0)?;
        let mut others = (0..s.depth()).map(|d| end.coefficient(DimType::In, d));
        let alone = others.try_fold(true, |all, c| Ok::<bool, _>(all && c? == 0))?;
        let mut sizes = (0..params.dim(DimType::Param)).map(|p| end.coefficient(DimType::Param, p));
        let moves = sizes.try_fold(false, |any, c| Ok::<bool, _>(any || c? != 0))?;
        if gain == -1 || !alone || !moves || found.replace((-gain, end)).is_some() {
            return Ok(None);
        }
    }
    Ok(found.map(|(step, end)| (rest, step, end)))
}

/// The instances in front of iteration `name` of the loop at this depth.
fn below(s: &Stmt, at: usize, name: &str) -> Result<Set> {
    let iterators: Vec<String> = (0..s.depth()).map(|d| format!("i{d}")).collect();
    let text = format!(
        "[{name}] -> {{ {}[{}] : i{at} < {name} }}",
        s.name,
        iterators.join(", ")
    );
    Set::parse(s.domain.ctx(), &text)
}

/// The values of the parameters for which `name` is `floor(last / step) + 1`, or 0 where `last` is negative.
fn related(scop: &Scop, last: &Aff, step: i64, name: &str) -> Result<Set> {
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let mut sum = last.constant()?.to_string();
    for (p, param) in names.iter().enumerate() {
        sum += &format!(" + {} {param}", last.coefficient(DimType::Param, p)?);
    }
    let text = format!(
        "[{}, {name}] -> {{ : exists e : e = {sum} and \
         ((e >= 0 and {step} {name} - {step} <= e < {step} {name}) or (e < 0 and {name} = 0)) }}",
        names.join(", ")
    );
    Set::parse(scop.context.ctx(), &text)
}

/// `floor(last / step) + 1`, and 0 where `last` is negative.
fn quotient(last: Scev, step: i64) -> Scev {
    let word = |c: i64| Scev::constant(64, i128::from(c));
    let of = |kind| Scev { width: 64, kind };
    let positive = of(ScevKind::SMax(vec![
        Scev::sum(vec![last, word(step)]),
        word(0),
    ]));
    of(ScevKind::UDiv(Box::new(positive), Box::new(word(step))))
}
