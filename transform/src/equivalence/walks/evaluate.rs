//! Scalar evolutions as numbers.

use polytile_analysis::ids::{LoopId, ValueId};
use polytile_analysis::region::CmpPred;
use polytile_analysis::scev::{Scev, ScevKind};

/// What an evolution depends on.
pub(super) struct Given<'a> {
    /// The iterator of a loop.
    pub iterator: &'a dyn Fn(LoopId) -> Option<i64>,
    /// An opaque value of so many bits.
    pub value: &'a dyn Fn(ValueId, u32) -> Option<i128>,
}

/// A number as a signed one of so many bits.
pub(super) fn signed(x: i128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    x << unused >> unused
}

/// A number as an unsigned one of so many bits.
fn unsigned(x: i128, width: u32) -> i128 {
    match width {
        0..=126 => x & ((1 << width) - 1),
        _ => x,
    }
}

/// The value of an evolution, signed; `None` if something in it is not known.
pub(super) fn evaluate(s: &Scev, given: &Given) -> Option<i128> {
    let of = |s: &Scev| evaluate(s, given);
    let all = |list: &[Scev]| list.iter().map(of).collect::<Option<Vec<i128>>>();
    let low =
        |list: Vec<i128>| -> Vec<i128> { list.into_iter().map(|x| unsigned(x, s.width)).collect() };
    let value = match &s.kind {
        ScevKind::Const(c) => *c,
        ScevKind::Unknown(v) => (given.value)(*v, s.width)?,
        ScevKind::Add(list, _) => all(list)?.into_iter().fold(0, i128::wrapping_add),
        ScevKind::Mul(list, _) => {
            let product = |a: i128, b: i128| signed(a.wrapping_mul(b), s.width);
            all(list)?.into_iter().fold(1, product)
        }
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let i = i128::from((given.iterator)(*loop_)?);
            match all(operands)?[..] {
                [start, step] => start.wrapping_add(step.wrapping_mul(i)),
                [start, step, second] => start
                    .wrapping_add(step.wrapping_mul(i))
                    .wrapping_add(second.wrapping_mul(i * (i - 1) / 2)),
                _ => return None,
            }
        }
        ScevKind::UDiv(a, b) => unsigned(of(a)?, s.width).checked_div(unsigned(of(b)?, s.width))?,
        ScevKind::SRem(a, b) => of(a)?.checked_rem(of(b)?)?,
        ScevKind::Select(pred, parts) => {
            let width = parts[0].width;
            match holds(*pred, of(&parts[0])?, of(&parts[1])?, width) {
                true => of(&parts[2])?,
                false => of(&parts[3])?,
            }
        }
        ScevKind::SMax(list) => all(list)?.into_iter().max()?,
        ScevKind::SMin(list) => all(list)?.into_iter().min()?,
        ScevKind::UMax(list) => low(all(list)?).into_iter().max()?,
        ScevKind::UMin(list) => low(all(list)?).into_iter().min()?,
        ScevKind::ZExt(a) => unsigned(of(a)?, a.width),
        ScevKind::SExt(a) | ScevKind::Trunc(a) => of(a)?,
        ScevKind::Unknowable => return None,
    };
    Some(signed(value, s.width))
}

fn holds(pred: CmpPred, a: i128, b: i128, width: u32) -> bool {
    let (u, v) = (unsigned(a, width), unsigned(b, width));
    match pred {
        CmpPred::Eq => a == b,
        CmpPred::Ne => a != b,
        CmpPred::Slt => a < b,
        CmpPred::Sle => a <= b,
        CmpPred::Sgt => a > b,
        CmpPred::Sge => a >= b,
        CmpPred::Ult => u < v,
        CmpPred::Ule => u <= v,
        CmpPred::Ugt => u > v,
        CmpPred::Uge => u >= v,
    }
}
