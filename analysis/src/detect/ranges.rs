//! Integer arithmetic that is polynomial, and the ranges that its values have to stay in.
//!
//! ```text
//! int n;  a[i*n + j]            sext({0,+,n}<i> + j)      of 32 bits, without a promise that it does not wrap
//! ```
//!
//! Sums and products of 32 bits have the polynomial's value modulo 2^32, whatever wraps in between. So the address is that of row
//! `i` and column `j` wherever `-2^31 <= i*n + j < 2^31`, and that is the assumption. No set of parameters expresses it: `n` is
//! multiplied with an iterator, whose extremes are parameters. What is noted instead is, for each product of parameters, all
//! values of the affine expression that it is multiplied with ([`PolyRange`]); the version check evaluates the extremes in
//! wide arithmetic, once.
//!
//! A check of bounds in the program (`i*n + j < len`, else a panic) is taken to hold in the same way ([`always`]).
//!
//! The sum of the terms' extremes bounds the polynomial. It is a little too careful where different terms cannot have their extremes
//! together, which matters to nobody but arrays of nearly 2^31 elements; what one product of parameters is multiplied with is one
//! expression, so `(i - j)*n` with `j <= i` is known not to be negative.

use super::affine::{Affine, NotAffine, Wide};
use super::choices::tuple;
use super::model::{Model, iterators};
use super::polynomial::{Monomial, Poly, digit_text};
use super::reject::{Reject, RejectKind};
use super::rows::without_remainders;
use crate::ids::{LoopId, ParamId};
use crate::poly::{Map, Set};
use crate::region::{CmpPred, Cond};
use crate::scev::Scev;
use crate::scop::{PolyRange, PolyTerm};
use crate::text::same_poly_range;

/// A polynomial that is taken to stay in a range, where it counts.
pub(super) struct Noted {
    wide: Wide,
    /// The loops of its iterators.
    nest: Vec<LoopId>,
    /// The iterations.
    domain: Set,
}

/// Notes polynomials for the iterations of a domain.
pub(super) fn note(
    model: &mut Model,
    found: Vec<Wide>,
    nest: &[LoopId],
    domain: &Set,
) -> Result<(), Reject> {
    for mut wide in found {
        let mut domain = domain.clone();
        for condition in std::mem::take(&mut wide.under) {
            domain = domain.intersect(&model.set(nest.len(), &condition)?)?;
        }
        let known = model
            .wide
            .iter()
            .position(|n| n.wide == wide && n.nest == nest);
        match known {
            Some(at) => model.wide[at].domain = model.wide[at].domain.union(&domain)?,
            None => model.wide.push(Noted {
                wide,
                nest: nest.to_vec(),
                domain,
            }),
        }
    }
    Ok(())
}

/// The ranges of all that was noted, those of the same products and bounds as one where that loses nothing.
pub(super) fn poly_ranges(model: &Model) -> Result<Vec<PolyRange>, Reject> {
    let mut all: Vec<PolyRange> = vec![];
    for noted in &model.wide {
        let range = poly_range(model, noted)?;
        if known(&all, &range)? {
            continue;
        }
        match all.iter_mut().find(|r| may_share(r, &range)) {
            Some(known) => {
                for (a, b) in known.terms.iter_mut().zip(range.terms) {
                    a.values = a.values.union(&b.values)?.coalesce()?;
                }
            }
            None => all.push(range),
        }
    }
    Ok(all)
}

/// Whether the same range is among these.
fn known(all: &[PolyRange], range: &PolyRange) -> Result<bool, Reject> {
    for r in all {
        if same_poly_range(r, range)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a range of all values of both is as good: neighbours in memory differ by little beside bounds that lie far on both
/// sides. A bound at zero would be missed by a neighbour's terms.
fn may_share(a: &PolyRange, b: &PolyRange) -> bool {
    let products = |r: &PolyRange| {
        r.terms
            .iter()
            .map(|t| t.factors.clone())
            .collect::<Vec<_>>()
    };
    let far = |r: &PolyRange| r.least.is_none_or(|l| l <= -i64::from(i32::MAX));
    (a.least, a.greatest) == (b.least, b.greatest) && far(a) && products(a) == products(b)
}

fn poly_range(model: &Model, noted: &Noted) -> Result<PolyRange, Reject> {
    let mut terms = vec![];
    for (product, sum) in noted.wide.poly.by_product() {
        let text = digit_text(&sum, model, &noted.nest)
            .ok_or_else(|| Reject::new(RejectKind::Assumptions))?;
        let relation = format!(
            "{}{{ [{}] -> {} }}",
            model.params.prefix(),
            iterators(noted.nest.len()),
            tuple(&[text])
        );
        let relation = Map::parse(&model.ctx, &relation)?;
        terms.push(PolyTerm {
            factors: factors(model, product)?,
            values: without_remainders(relation.intersect_domain(&noted.domain)?.range()?)?
                .coalesce()?,
        });
    }
    let (least, greatest) = noted.wide.range;
    Ok(PolyRange {
        terms,
        least,
        greatest,
    })
}

fn factors(model: &Model, product: &Monomial) -> Result<Vec<ParamId>, Reject> {
    let at = |p| model.params.iter().position(|known| known.size == Some(p));
    let ids = product.iter().map(|f| match f.plus {
        0 => at(f.param).map(ParamId::from),
        _ => None,
    });
    let ids: Option<Vec<ParamId>> = ids.collect();
    ids.ok_or_else(|| Reject::new(RejectKind::Assumptions))
}

/// Takes a condition to have this value in all iterations of a domain; false if it is not made of comparisons of polynomials.
/// Nothing is noted then.
pub(super) fn always(
    model: &mut Model,
    (cond, wanted): (&Cond, bool),
    nest: &[LoopId],
    domain: &Set,
) -> Result<bool, Reject> {
    let mut affine = Affine::with_remainders(&model.params, nest);
    let found = compared(cond, wanted, &mut affine);
    let Affine {
        suspicions,
        around,
        wide,
        ..
    } = affine;
    if found.is_err() || !around.is_empty() {
        return Ok(false);
    }
    model.record(suspicions, domain)?;
    note(model, wide, nest, domain)?;
    Ok(true)
}

/// The comparisons of a condition that has this value, as ranges of differences.
fn compared(cond: &Cond, wanted: bool, affine: &mut Affine) -> Result<(), NotAffine> {
    match (cond, wanted) {
        (Cond::Not(c), _) => compared(c, !wanted, affine),
        (Cond::And(v), true) | (Cond::Or(v), false) => {
            v.iter().try_for_each(|c| compared(c, wanted, affine))
        }
        (Cond::Cmp { pred, lhs, rhs }, _) => {
            let pred = if wanted { *pred } else { pred.negated() };
            match pred {
                CmpPred::Slt => below(lhs, rhs, 1, true, affine),
                CmpPred::Sle => below(lhs, rhs, 0, true, affine),
                CmpPred::Sgt => below(rhs, lhs, 1, true, affine),
                CmpPred::Sge => below(rhs, lhs, 0, true, affine),
                CmpPred::Ult => below(lhs, rhs, 1, false, affine),
                CmpPred::Ule => below(lhs, rhs, 0, false, affine),
                CmpPred::Ugt => below(rhs, lhs, 1, false, affine),
                CmpPred::Uge => below(rhs, lhs, 0, false, affine),
                CmpPred::Eq | CmpPred::Ne => Err(NotAffine),
            }
        }
        _ => Err(NotAffine),
    }
}

/// `a + least <= b`, both of which are what their polynomials are: in the range of their type.
fn below(
    a: &Scev,
    b: &Scev,
    least: i64,
    signed: bool,
    affine: &mut Affine,
) -> Result<(), NotAffine> {
    let (small, large) = (Poly::sum(a, affine)?, Poly::sum(b, affine)?);
    // Half of the range serves unsigned values of 64 bits as well.
    let top = match a.width {
        64.. => i64::MAX,
        width if signed => (1 << (width - 1)) - 1,
        width => (1 << width) - 1,
    };
    let bottom = if signed { -top - 1 } else { 0 };
    affine.stays_in(small.clone(), (Some(bottom), None));
    affine.stays_in(large.clone(), (None, Some(top)));
    affine.stays_in(large.minus(&small), (Some(least), None));
    Ok(())
}
