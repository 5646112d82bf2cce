//! Scalar evolutions as affine expressions over iterators and parameters.
//!
//! An expression becomes isl's text: iterator `d` of the nest is `i<d>`, a parameter has its name. Where the program's
//! arithmetic could wrap, the text stands for the value without wrapping, and the values for which that is wrong are
//! noted as [`Suspicion`]s; they become assumptions on the parameters ([`super::model`]).

use super::chains::{self, Chain, Stride};
use super::choices::choice;
use super::linear::{self, Linear};
use super::polynomial::{Factor, Poly};
use super::products::stands_still;
use super::sizes;
use crate::ids::{LoopId, ValueId};
use crate::region::{CmpPred, Def, Region, Ty};
use crate::scev::{Scev, ScevKind};
use crate::scop::AssumptionKind;
use std::collections::BTreeMap;

/// Parameters: region-invariant integers, and expressions of them that bounds need and that are not affine.
pub(super) struct Params {
    values: BTreeMap<ValueId, (String, u32)>,
    /// `n/m` as a bound or as a size: what it is made of does not matter there.
    opaque: Vec<(Scev, String)>,
    /// `B*T` as a bound or as the number of a row, by its factors.
    products: Vec<(Vec<ValueId>, String)>,
    /// `H - R` or `n/2` as a size, which others are multiplied with.
    sums: Vec<(Linear, String)>,
    /// Strides of arrays that do not divide each other, in order.
    chains: Vec<Chain>,
    /// What fits between two of them.
    ratios: Vec<(Stride, Stride, String)>,
}

/// What sizes of arrays are made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Size {
    /// A value of the program.
    Value(ValueId),
    /// A sum of several, or a quotient.
    Sum(usize),
    /// A quotient by another one.
    Quotient(usize),
}

/// A parameter.
pub(super) struct Parameter<'p> {
    /// The size that it is; none for an expression that only bounds iterators.
    pub size: Option<Size>,
    pub name: &'p str,
    /// Bits.
    pub width: u32,
    /// What it is computed from.
    pub expr: Scev,
}

/// Iterations for which the affine reading would be wrong.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Suspicion {
    /// A condition over iterators and parameters.
    pub bad: String,
    pub why: AssumptionKind,
}

/// A polynomial that stands for integer arithmetic of the program as long as its values lie in a range.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wide {
    pub poly: Poly,
    /// The least and the greatest value.
    pub range: (Option<i64>, Option<i64>),
    /// Conditions over iterators and parameters under which the value counts.
    pub under: Vec<String>,
}

/// A conversion in one nest.
pub(super) struct Affine<'a> {
    pub params: &'a Params,
    pub nest: &'a [LoopId],
    pub suspicions: Vec<Suspicion>,
    /// Polynomials that are no affine expressions, and are taken not to wrap.
    pub wide: Vec<Wide>,
    /// Iterations for which a remainder by a parameter is not what it is taken for.
    pub around: Vec<String>,
    /// Whether remainders by parameters are understood.
    remainders: bool,
}

/// Not an affine expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NotAffine;

impl Params {
    /// All invariant integers that occur in evolutions of the region, and the expressions that conditions are made of.
    pub fn of(region: &Region) -> Params {
        let mut values: BTreeMap<ValueId, (String, u32)> = BTreeMap::new();
        let mut visit = |s: &Scev| {
            s.any(&mut |part| {
                if let ScevKind::Unknown(v) = part.kind
                    && is_invariant(region, v)
                {
                    let next = values.len();
                    let name = || format!("{}_{next}", identifier(&region.value(v).name));
                    let width = super::width_of(region, v);
                    values.entry(v).or_insert_with(|| (name(), width));
                }
                false
            });
        };
        super::model::each_evolution(region, &mut visit);
        let mut opaque: Vec<(Scev, String)> = vec![];
        let mut products: Vec<Vec<ValueId>> = vec![];
        let known = |v| is_invariant(region, v);
        super::model::each_in_conditions(region, &mut |s| {
            s.any(&mut |part| {
                if let Some((factors, _)) = linear::product(part, &known) {
                    products.push(factors);
                    return false;
                }
                let new = is_opaque(region, part) && !opaque.iter().any(|(known, _)| known == part);
                if new {
                    opaque.push((part.clone(), format!("p_expr_{}", opaque.len())));
                }
                false
            });
        });
        let sums = sizes::sums(region);
        let mut params = Params {
            values,
            opaque,
            products: vec![],
            sums,
            chains: vec![],
            ratios: vec![],
        };
        let moves = chains::moves(region, &params);
        let places = chains::described(region, &params);
        params.chains = chains::independent(moves.iter(), &places);
        products.extend(chains::rows(&moves, &params));
        params.add_products(products);
        let written = chains::independent(moves.iter().filter(|m| m.written), &places);
        for (outer, inner) in written.iter().flat_map(|c| chains::open_pairs(c)) {
            if params.ratio(outer, inner).is_none() {
                let name = format!("p_fit_{}", params.ratios.len());
                params.ratios.push((outer.clone(), inner.clone(), name));
            }
        }
        params
    }

    fn add_products(&mut self, products: Vec<Vec<ValueId>>) {
        for factors in products {
            if self.product(&factors).is_none() {
                let name = format!("p_expr_{}", self.opaque.len() + self.products.len());
                self.products.push((factors, name));
            }
        }
    }

    /// All of them, in the order of the parameter space.
    pub fn iter(&self) -> impl Iterator<Item = Parameter<'_>> {
        let values = self.values.iter().map(|(v, (name, width))| Parameter {
            size: Some(Size::Value(*v)),
            name,
            width: *width,
            expr: Scev::unknown(*width, *v),
        });
        let opaque = self.opaque.iter().map(|(s, name)| Parameter {
            size: self.quotient(s),
            name,
            width: s.width,
            expr: s.clone(),
        });
        let products = self.products.iter().map(|(factors, name)| {
            let factors = factors.iter().map(|v| Factor {
                param: Size::Value(*v),
                plus: 0,
            });
            Parameter {
                size: None,
                name,
                width: 64,
                expr: chains::factors(self, factors),
            }
        });
        let sums = self
            .sums
            .iter()
            .enumerate()
            .map(|(i, (s, name))| Parameter {
                size: Some(Size::Sum(i)),
                name,
                width: 64,
                expr: s.evolution(&|v| self.values.get(&v).map_or(64, |(_, width)| *width)),
            });
        let ratios = self.ratios.iter().map(|(outer, inner, name)| Parameter {
            size: None,
            name,
            width: 64,
            expr: chains::quotient(self, outer, inner),
        });
        let composed = opaque.chain(products).chain(sums);
        values.chain(composed).chain(ratios)
    }

    /// The parameter that a product of values is.
    pub fn product(&self, factors: &[ValueId]) -> Option<&str> {
        let found = self.products.iter().find(|(known, _)| known == factors);
        found.map(|(_, name)| name.as_str())
    }

    /// Independent strides in their order.
    pub fn chain(&self, strides: &[Stride]) -> Option<Chain> {
        let same = |c: &&Chain| c.len() == strides.len() && c.iter().all(|s| strides.contains(s));
        self.chains.iter().find(same).cloned()
    }

    /// What fits between two strides that do not divide each other.
    pub fn ratio(&self, outer: &Stride, inner: &Stride) -> Option<&str> {
        let found = self
            .ratios
            .iter()
            .find(|(a, b, _)| a == outer && b == inner);
        found.map(|(_, _, name)| name.as_str())
    }

    pub fn name(&self, v: ValueId) -> Option<&str> {
        self.values.get(&v).map(|(name, _)| name.as_str())
    }

    /// The parameter that a size is.
    pub fn size(&self, size: Size) -> Option<Parameter<'_>> {
        self.iter().find(|p| p.size == Some(size))
    }

    /// What the size that is a sum is a sum of.
    pub fn parts(&self, size: Size) -> Option<Vec<(ValueId, i128)>> {
        match size {
            Size::Sum(at) => self.sums[at].0.parts(),
            Size::Value(_) | Size::Quotient(_) => None,
        }
    }

    /// The size that a sum or a quotient is a multiple of, the multiple, and the constant in it.
    pub fn sum(&self, s: &Scev) -> Option<(Size, i128, i128)> {
        let sum = linear::of(s, &|v| self.values.contains_key(&v))?;
        let all = self.sums.iter().enumerate();
        let found = all.filter_map(|(at, (known, _))| Some((at, sum.parts_of(known)?)));
        let (at, (times, constant)) = found.min_by_key(|(_, (_, constant))| constant.abs())?;
        Some((Size::Sum(at), times, constant))
    }

    /// The size that the greatest or the least of several values is, as text.
    fn extremum(&self, s: &Scev) -> Option<String> {
        let (size, 1, plus) = self.sum(s)? else {
            return None;
        };
        let name = self.size(size)?.name;
        Some(format!("({name} + {plus})"))
    }

    /// How sizes that are the greatest or the least of several values compare with these, each with its name.
    pub fn extremes(&self) -> Vec<(String, CmpPred, Vec<Scev>)> {
        let width = |v: ValueId| self.values.get(&v).map_or(64, |(_, width)| *width);
        let compared = |(sum, name): &(Linear, String)| {
            let (pred, parts) = sum.extremes(&width)?;
            Some((name.clone(), pred, parts))
        };
        self.sums.iter().filter_map(compared).collect()
    }

    /// The size that a quotient by another one is: pieces of equal length (`x.len() / n`). (Results of filters that go on by several elements at
    /// once, `(h - 3) / stride + 1`, are left alone: what lies `stride` apart would be taken to lie far apart.)
    pub fn quotient(&self, s: &Scev) -> Option<Size> {
        let at = |s: &Scev| self.opaque.iter().position(|(known, _)| known == s);
        matches!(&s.kind, ScevKind::UDiv(a, _) if !matches!(a.kind, ScevKind::Add(..)))
            .then(|| at(s))?
            .map(Size::Quotient)
    }

    /// The parameter that a product is a multiple of, and the multiple.
    fn product_of(&self, s: &Scev) -> Option<(&str, i128)> {
        let (factors, times) = linear::product(s, &|v| self.values.contains_key(&v))?;
        Some((self.product(&factors)?, times))
    }

    /// The parameter that an expression is.
    fn opaque(&self, s: &Scev) -> Option<&str> {
        let found = self.opaque.iter().find(|(known, _)| known == s);
        found.map(|(_, name)| name.as_str())
    }

    /// `[n, m] -> `.
    pub fn prefix(&self) -> String {
        let names: Vec<&str> = self.iter().map(|p| p.name).collect();
        format!("[{}] -> ", names.join(", "))
    }
}

pub(super) fn is_invariant(region: &Region, v: ValueId) -> bool {
    let value = region.value(v);
    value.def == Def::Invariant && matches!(value.ty, Ty::Int(_))
}

/// Whether an expression has one value in the region, and none that is affine: a product of parameters, or a quotient by one.
fn is_opaque(region: &Region, s: &Scev) -> bool {
    let not_affine = match &s.kind {
        ScevKind::Mul(v, _) => v.iter().filter(|t| t.as_constant().is_none()).count() > 1,
        ScevKind::UDiv(_, b) | ScevKind::SRem(_, b) => b.as_constant().is_none(),
        _ => false,
    };
    s.width >= MODULAR && s.width <= 64 && not_affine && stands_still(region, s)
}

/// A name that isl reads as one.
pub(super) fn identifier(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    format!("p{clean}")
}

impl<'a> Affine<'a> {
    pub fn new(params: &'a Params, nest: &'a [LoopId]) -> Affine<'a> {
        Affine {
            params,
            nest,
            suspicions: vec![],
            wide: vec![],
            around: vec![],
            remainders: false,
        }
    }

    /// For an address or a condition, whose remainders by parameters may go around twice: `x % n` with `0 <= x < 3*n`. The caller asks
    /// [`Model::goes_around`](super::model::Model::goes_around) of that.
    pub fn with_remainders(params: &'a Params, nest: &'a [LoopId]) -> Affine<'a> {
        Affine {
            remainders: true,
            ..Affine::new(params, nest)
        }
    }

    /// The value of an evolution, read as a signed integer.
    pub fn text(&mut self, s: &Scev) -> Result<String, NotAffine> {
        if let Some(name) = self.params.opaque(s) {
            return Ok(name.to_owned());
        }
        match &s.kind {
            ScevKind::Const(c) => Ok(c.to_string()),
            ScevKind::Unknown(v) => self.params.name(*v).map(str::to_owned).ok_or(NotAffine),
            ScevKind::Add(v, _) if let Some((a, b)) = remainder(v) => self.around(a, b),
            ScevKind::Add(v, w) => {
                let terms = self.all(v)?;
                Ok(self.narrow(s.width, w.nsw, format!("({})", terms.join(" + "))))
            }
            ScevKind::Mul(v, w) => {
                if let Some((name, factor)) = self.params.product_of(s) {
                    return Ok(self.narrow(s.width, w.nsw, format!("({factor}*{name})")));
                }
                let constant: Vec<i128> = v.iter().filter_map(Scev::as_constant).collect();
                if constant.len() + 1 < v.len() {
                    return Err(NotAffine);
                }
                let factor: i128 = constant.iter().product();
                let text = match v.iter().find(|t| t.as_constant().is_none()) {
                    Some(t) => format!("{factor}*{}", self.text(t)?),
                    None => factor.to_string(),
                };
                Ok(self.narrow(s.width, w.nsw, format!("({text})")))
            }
            ScevKind::AddRec {
                loop_,
                operands,
                wrap,
            } => {
                let [start, step] = &operands[..] else {
                    return Err(NotAffine);
                };
                let Some(step) = step.as_constant() else {
                    return Err(NotAffine);
                };
                let at = self.nest.iter().position(|l| l == loop_).ok_or(NotAffine)?;
                let start = self.text(start)?;
                Ok(self.narrow(s.width, wrap.nsw, format!("({start} + {step}*i{at})")))
            }
            ScevKind::UDiv(a, b) => {
                let Some(c) = b.as_constant().filter(|&c| c > 0) else {
                    return Err(NotAffine);
                };
                let a = self.text(a)?;
                self.suspect(format!("{a} < 0"), AssumptionKind::NoWrap);
                Ok(format!("floor({a}/{c})"))
            }
            ScevKind::SRem(a, b) => self.signed_around(a, b),
            ScevKind::Select(pred, parts) => {
                let [lhs, rhs, then, els] = &**parts;
                let condition = self.compare(*pred, lhs, rhs)?;
                let then = self.under(&condition, |a| a.text(then))?;
                let els = self.under(&format!("not {condition}"), |a| a.text(els))?;
                Ok(choice(&condition, &then, &els))
            }
            ScevKind::SMax(v) | ScevKind::SMin(v) | ScevKind::UMax(v) | ScevKind::UMin(v) => {
                // What its parts take for granted is noted, also where it is a parameter.
                let parts = match s.kind {
                    ScevKind::SMax(_) | ScevKind::SMin(_) => self.all(v)?,
                    _ => self.not_negative(v)?,
                };
                let which = match s.kind {
                    ScevKind::SMax(_) | ScevKind::UMax(_) => "max",
                    _ => "min",
                };
                let size = self.params.extremum(s);
                Ok(size.unwrap_or_else(|| format!("{which}({})", nest(which, parts))))
            }
            ScevKind::ZExt(a) if may_wrap(a) => {
                Ok(format!("(({}) mod {})", self.modular(a)?, range(a.width)))
            }
            ScevKind::SExt(a) if may_wrap(a) => {
                let a = (self.modular(a)?, a.width);
                Ok(signed(&a.0, a.1))
            }
            // Read as a signed integer, a bit that is set is -1.
            ScevKind::ZExt(bit) if bit.width == 1 => Ok(format!("(-{})", self.text(bit)?)),
            ScevKind::ZExt(a) => {
                let a = self.text(a)?;
                self.suspect(format!("{a} < 0"), AssumptionKind::NoWrap);
                Ok(a)
            }
            ScevKind::SExt(a) => self.text(a),
            ScevKind::Trunc(a) => {
                let a = self.text(a)?;
                Ok(self.narrow(s.width, false, a))
            }
            ScevKind::Unknowable => Err(NotAffine),
        }
    }

    /// `a mod b` of a dividend below `3*b`: `(i + 1 + n) % n` reaches `2*n`.
    pub fn around(&mut self, a: &Scev, b: &Scev) -> Result<String, NotAffine> {
        self.remainder_of(a, b, |a, _| format!("{a} < 0"))
    }

    /// The remainder of a division towards zero: a dividend above `-b` that is negative is its own remainder, as in `(i - 1) % n + n`.
    fn signed_around(&mut self, a: &Scev, b: &Scev) -> Result<String, NotAffine> {
        self.remainder_of(a, b, |a, b| format!("{a} <= -({b})"))
    }

    /// A remainder of what is not too small.
    fn remainder_of(
        &mut self,
        a: &Scev,
        b: &Scev,
        below: impl Fn(&str, &str) -> String,
    ) -> Result<String, NotAffine> {
        if !self.remainders {
            return Err(NotAffine);
        }
        let (a, b) = (self.text(a)?, self.text(b)?);
        let more = format!("({} or {a} >= 3*({b}))", below(&a, &b));
        if !self.around.contains(&more) {
            self.around.push(more);
        }
        let twice = choice(
            &format!("({a} < 2*({b}))"),
            &format!("({a} - {b})"),
            &format!("({a} - 2*({b}))"),
        );
        Ok(choice(&format!("({a} < {b})"), &a, &twice))
    }

    /// A conversion of what has a meaning only where a condition holds.
    pub fn under<T>(&mut self, condition: &str, convert: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::take(&mut self.suspicions);
        let (outer, within) = (std::mem::take(&mut self.around), |bad: &str| {
            format!("({condition} and ({bad}))")
        });
        let before = self.wide.len();
        let converted = convert(self);
        for w in &mut self.wide[before..] {
            w.under.push(condition.to_owned());
        }
        let suspicions = std::mem::replace(&mut self.suspicions, outside);
        let inner = std::mem::replace(&mut self.around, outer);
        for s in suspicions {
            self.suspect(within(&s.bad), s.why);
        }
        self.around.extend(inner.iter().map(|bad| within(bad)));
        converted
    }

    /// The value of an evolution, if it is affine; else nothing is noted.
    pub fn tried(&mut self, s: &Scev) -> Result<String, NotAffine> {
        let (suspicions, around) = (self.suspicions.len(), self.around.len());
        let text = self.text(s);
        if text.is_err() {
            self.suspicions.truncate(suspicions);
            self.around.truncate(around);
        }
        text
    }

    /// The polynomial of an evolution of few bits that is not affine: sums and products of `width` bits are the polynomial's
    /// value modulo `2^width`, whatever wraps in between, and so equal to it where it lies in the range of the type.
    pub fn wide(&mut self, s: &Scev, width: u32, signed: bool) -> Result<Poly, NotAffine> {
        let poly = Poly::of(s, self)?;
        let range = match signed {
            true => (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1),
            false => (0, (1i64 << width) - 1),
        };
        self.stays_in(poly.clone(), (Some(range.0), Some(range.1)));
        Ok(poly)
    }

    /// Notes that a polynomial is taken to have values in a range.
    pub fn stays_in(&mut self, poly: Poly, range: (Option<i64>, Option<i64>)) {
        let wide = Wide {
            poly,
            range,
            under: vec![],
        };
        if !self.wide.contains(&wide) {
            self.wide.push(wide);
        }
    }

    fn all(&mut self, v: &[Scev]) -> Result<Vec<String>, NotAffine> {
        v.iter().map(|s| self.text(s)).collect()
    }

    fn not_negative(&mut self, v: &[Scev]) -> Result<Vec<String>, NotAffine> {
        let all = self.all(v)?;
        for a in &all {
            self.suspect(format!("{a} < 0"), AssumptionKind::NoWrap);
        }
        Ok(all)
    }

    pub fn suspect(&mut self, bad: String, why: AssumptionKind) {
        let s = Suspicion { bad, why };
        if !self.suspicions.contains(&s) {
            self.suspicions.push(s);
        }
    }

    /// Text that equals the value of an evolution modulo its range: nothing in it is reduced twice.
    fn modular(&mut self, s: &Scev) -> Result<String, NotAffine> {
        let mut list = |v: &[Scev]| -> Result<Vec<String>, NotAffine> {
            v.iter().map(|s| self.modular(s)).collect()
        };
        match &s.kind {
            ScevKind::Add(v, _) => Ok(format!("({})", list(v)?.join(" + "))),
            ScevKind::Mul(v, _) if v.len() == 2 && v[0].as_constant().is_some() => {
                Ok(format!("({})", list(v)?.join("*")))
            }
            ScevKind::AddRec {
                loop_, operands, ..
            } if operands.len() == 2 => {
                let at = self.nest.iter().position(|l| l == loop_).ok_or(NotAffine)?;
                let step = operands[1].as_constant().ok_or(NotAffine)?;
                Ok(format!("({} + {step}*i{at})", self.modular(&operands[0])?))
            }
            ScevKind::Trunc(a) => self.modular(a),
            _ => self.text(s),
        }
    }

    /// The value of an operation of `width` bits. Few bits are meant to wrap; of the others, the values that do not fit are
    /// noted. 64 bits never wrap: parameters are bounded.
    fn narrow(&mut self, width: u32, proven: bool, text: String) -> String {
        if !proven && width < MODULAR {
            return signed(&text, width);
        }
        if !proven && width < 64 {
            let half = 1i128 << (width - 1);
            self.suspect(
                format!("({text} < {} or {text} >= {half})", -half),
                AssumptionKind::NoWrap,
            );
        }
        text
    }

    /// A comparison as a condition. Of unsigned numbers one is a size, which is not below zero: one that loops move by may be, and is greater
    /// than any size then (`if (x - r + d > 639u) continue;`).
    pub fn compare(&mut self, pred: CmpPred, lhs: &Scev, rhs: &Scev) -> Result<String, NotAffine> {
        let (l, r) = (self.text(lhs)?, self.text(rhs)?);
        let moves = |s: &Scev| !s.loops().is_empty();
        let [moves_l, moves_r] = [lhs, rhs].map(moves);
        let below = |e: &mut Self, (a, moves_a): (&str, bool), op: &str, (b, moves_b)| {
            if moves_b && !moves_a {
                e.suspect(format!("{a} < 0"), AssumptionKind::NoWrap);
                return format!("({b} < 0 or {a} {op} {b})");
            }
            e.suspect(format!("{b} < 0"), AssumptionKind::NoWrap);
            format!("(0 <= {a} {op} {b})")
        };
        let (left, right) = ((&*l, moves_l), (&*r, moves_r));
        Ok(match pred {
            CmpPred::Eq => format!("({l} = {r})"),
            CmpPred::Ne => format!("({l} != {r})"),
            CmpPred::Slt => format!("({l} < {r})"),
            CmpPred::Sle => format!("({l} <= {r})"),
            CmpPred::Sgt => format!("({l} > {r})"),
            CmpPred::Sge => format!("({l} >= {r})"),
            CmpPred::Ult => below(self, left, "<", right),
            CmpPred::Ule => below(self, left, "<=", right),
            CmpPred::Ugt => below(self, right, "<", left),
            CmpPred::Uge => below(self, right, "<=", left),
        })
    }
}

/// Arithmetic of fewer bits than this is taken modulo its range (`j % 8` is `j` in three bits); with more, wrapping is an
/// accident that is assumed not to happen.
pub(super) const MODULAR: u32 = 16;

/// Dividend and divisor of the remainder that a sum `a - b * (a / b)` is.
fn remainder(terms: &[Scev]) -> Option<(&Scev, &Scev)> {
    let [x, y] = terms else {
        return None;
    };
    [(x, y), (y, x)].into_iter().find_map(|(a, minus)| {
        let ScevKind::Mul(factors, _) = &minus.kind else {
            return None;
        };
        let divisor = factors.iter().find_map(|f| match &f.kind {
            ScevKind::UDiv(dividend, divisor) if **dividend == *a => Some(&**divisor),
            _ => None,
        })?;
        let has = |p: &dyn Fn(&Scev) -> bool| factors.iter().filter(|f| p(f)).count() == 1;
        let fits = has(&|f| f.as_constant() == Some(-1)) && has(&|f| f == divisor);
        (fits && factors.len() == 3 && divisor.as_constant().is_none()).then_some((a, divisor))
    })
}

/// Whether a value is computed modulo its range.
pub(super) fn may_wrap(s: &Scev) -> bool {
    let proven = match &s.kind {
        ScevKind::Add(_, w) | ScevKind::Mul(_, w) | ScevKind::AddRec { wrap: w, .. } => w.nsw,
        ScevKind::Trunc(_) => false,
        _ => true,
    };
    s.width < MODULAR && !proven
}

/// The number of values of so many bits.
fn range(width: u32) -> i128 {
    1 << width
}

/// The signed number of `width` bits that equals `text` modulo its range.
fn signed(text: &str, width: u32) -> String {
    let half = range(width - 1);
    format!("((({text}) + {half}) mod {} - {half})", range(width))
}

/// `a, f(b, f(c, d))` for a function of two arguments.
fn nest(f: &str, mut terms: Vec<String>) -> String {
    let mut last = terms.pop().unwrap_or_default();
    while terms.len() > 1 {
        let before = terms.pop().unwrap_or_default();
        last = format!("{f}({before}, {last})");
    }
    match terms.pop() {
        Some(first) => format!("{first}, {last}"),
        None => format!("{last}, {last}"),
    }
}
