//! Values for everything that a region gets from outside.

use super::evaluate::{Given, evaluate, signed};
use crate::interp::fixed;
use polytile_analysis::ids::ValueId;
use polytile_analysis::poly::{DimType, Result, Set};
use polytile_analysis::scev::{Scev, ScevKind};
use polytile_analysis::scop::Scop;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Random numbers, the same ones in every compilation (SplitMix64; Steele, Lea and Flood 2014).
pub(super) struct Random(u64);

impl Random {
    pub fn new() -> Random {
        Random(0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number less than `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number of a range.
    pub fn within(&mut self, least: i64, most: i64) -> i64 {
        let count = most.abs_diff(least).saturating_add(1);
        least.wrapping_add((self.next() % count) as i64)
    }
}

fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Values of opaque values, and with them of all parameters.
pub(super) struct Setting {
    values: RefCell<BTreeMap<ValueId, i128>>,
    /// Of both SCoPs.
    params: [Vec<i64>; 2],
}

/// Times that parameters are drawn.
const DRAWS: usize = 4;

impl Setting {
    /// One for which both SCoPs run, with small parameters or larger ones; `None` if none was found.
    pub fn find(
        before: &Scop,
        after: &Scop,
        small: bool,
        random: &mut Random,
    ) -> Result<Option<Setting>> {
        let known = [before.known()?, after.known()?];
        for _ in 0..DRAWS {
            let Some(drawn) = drawn(before, &known[0], small, random)? else {
                continue;
            };
            let mut setting = Setting {
                values: RefCell::new(values_of(before, &drawn)),
                params: [vec![], vec![]],
            };
            let of = |scop: &Scop| -> Option<Vec<i64>> {
                let all = scop.params.iter().map(|p| setting.invariant(&p.expr));
                all.map(|x| i64::try_from(x?).ok()).collect()
            };
            let (Some(a), Some(b)) = (of(before), of(after)) else {
                continue;
            };
            if contains(&known[0], &a)? && contains(&known[1], &b)? {
                setting.params = [a, b];
                return Ok(Some(setting));
            }
        }
        Ok(None)
    }

    /// The parameters of the first or the second SCoP.
    pub fn params(&self, side: usize) -> &[i64] {
        &self.params[side]
    }

    /// An opaque value: the one that a parameter has, or any.
    pub fn value(&self, v: ValueId, width: u32) -> i128 {
        let mut values = self.values.borrow_mut();
        let any = || i128::from(mixed(v.index() as u64 + 1) % 97);
        signed(*values.entry(v).or_insert_with(any), width)
    }

    fn invariant(&self, s: &Scev) -> Option<i128> {
        let given = Given {
            iterator: &|_| None,
            value: &|v, width| Some(self.value(v, width)),
        };
        evaluate(s, &given)
    }
}

/// Values of a SCoP's parameters, small or larger ones where they may be.
fn drawn(scop: &Scop, known: &Set, small: bool, random: &mut Random) -> Result<Option<Vec<i64>>> {
    let (mut left, mut drawn) = (known.clone(), vec![]);
    for (p, param) in scop.params.iter().enumerate() {
        let constant = param.expr.as_constant().and_then(|c| i64::try_from(c).ok());
        let wishes = match constant {
            Some(c) => vec![c],
            // Recurrences of small programs are followed to their beginning.
            None if small => vec![random.within(1, 5), random.within(6, 12)],
            None => vec![random.within(13, 60), random.within(100, 900)],
        };
        let mut found = None;
        for wish in wishes {
            let fixed = left.fix_si(DimType::Param, p, wish)?;
            if !fixed.is_empty()? {
                found = Some((wish, fixed));
                break;
            }
        }
        let (value, fixed) = match found {
            Some(found) => found,
            None => match any(&left, p)? {
                Some(found) => found,
                None => return Ok(None),
            },
        };
        drawn.push(value);
        left = fixed;
    }
    Ok(Some(drawn))
}

/// Any value of a parameter.
fn any(left: &Set, p: usize) -> Result<Option<(i64, Set)>> {
    let point = left.params()?.sample_point()?;
    if point.is_void()? {
        return Ok(None);
    }
    let value = point.coordinate(DimType::Param, p)?;
    Ok(Some((value, left.fix_si(DimType::Param, p, value)?)))
}

/// The opaque values that parameters are.
fn values_of(scop: &Scop, drawn: &[i64]) -> BTreeMap<ValueId, i128> {
    let mut values = BTreeMap::new();
    for (p, value) in scop.params.iter().zip(drawn) {
        let mut expr = &p.expr;
        while let ScevKind::SExt(inner) | ScevKind::ZExt(inner) | ScevKind::Trunc(inner) =
            &expr.kind
        {
            expr = inner;
        }
        if let ScevKind::Unknown(v) = expr.kind {
            values.insert(v, i128::from(*value));
        }
    }
    values
}

fn contains(set: &Set, params: &[i64]) -> Result<bool> {
    Ok(!fixed(set, params)?.is_empty()?)
}
