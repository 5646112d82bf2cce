//! Sums of wide iterators instead of wide sums of narrow ones.
//!
//! ```text
//! for (int i = 0; i < n; i++)  if (i > 0) .. b[zext(i - 1)][j] ..        zext({-1,+,1}:32)  ->  {-1,+,1}:64
//! ```
//!
//! The model took the sum in 32 bits for one that does not wrap and is not negative. It assumed that of the iterations of the
//! domain only: there both forms have the same value. Code generation steps through addresses from where no iteration is: a
//! register tile of the steps `k0 <= k < n` counts from `k = 0`. There the narrow sum is `2^32 - 1` and not `-1`, and all
//! addresses counted from it are wrong. A compiler can also see that the wide sum grows with the iterator, even where a loop
//! has only a part of the iterations. Sums that are truncated (`zext(trunc(4*i*m / 4))*4`) hide that altogether.

use super::affine::MODULAR;
use super::cases::WRAP;
use super::linear::gcd;
use crate::region::Address;
use crate::scev::{Scev, ScevKind};

/// The address in a form that is affine in the iterators outside the domain, too.
pub(super) fn affine_everywhere(address: &Address) -> Address {
    let mut address = address.clone();
    widen(&mut address.offset);
    address
}

/// Makes an offset that was modelled affine in the iterators outside the domain, too. Few bits are meant to wrap, and stay.
pub(super) fn widen(s: &mut Scev) {
    if let ScevKind::ZExt(a) | ScevKind::SExt(a) = &s.kind
        && !a.loops().is_empty()
        && !a.any(&mut Scev::is_choice)
        && a.width >= MODULAR
        && is_sum(a)
    {
        *s = widened(a, s.width);
        return;
    }
    s.operands_mut().into_iter().for_each(widen);
}

fn is_sum(s: &Scev) -> bool {
    matches!(
        s.kind,
        ScevKind::Add(..)
            | ScevKind::Mul(..)
            | ScevKind::AddRec { .. }
            | ScevKind::ZExt(_)
            | ScevKind::SExt(_)
    ) || without_high_bits(s).is_some()
}

/// The sum that was divided and truncated, and the divisor: `4*(i*m)` without its high bits is four times this.
fn without_high_bits(s: &Scev) -> Option<(&Scev, i128)> {
    let ScevKind::Trunc(a) = &s.kind else {
        return None;
    };
    let (sum, by) = match &a.kind {
        ScevKind::UDiv(a, by) => (a, by.as_constant()?),
        _ => (a, 1),
    };
    let fits = s.width >= MODULAR && is_sum(sum) && by > 0;
    (fits && exact_quotient(&widened(sum, sum.width), by).is_some()).then_some((sum, by))
}

/// A sum of multiples of a number divided by it; `None` if it is not seen to be one.
fn exact_quotient(s: &Scev, by: i128) -> Option<Scev> {
    let all =
        |v: &[Scev]| -> Option<Vec<Scev>> { v.iter().map(|s| exact_quotient(s, by)).collect() };
    let kind = match &s.kind {
        _ if by == 1 => return Some(s.clone()),
        ScevKind::Const(c) => (c % by == 0).then_some(ScevKind::Const(c / by))?,
        ScevKind::Add(v, _) => ScevKind::Add(all(v)?, WRAP),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands)?,
            wrap: WRAP,
        },
        ScevKind::Mul(v, _) => {
            let (constants, mut rest): (Vec<Scev>, Vec<Scev>) =
                v.iter().cloned().partition(|f| f.as_constant().is_some());
            let constant: i128 = constants.iter().filter_map(Scev::as_constant).product();
            let common = gcd(constant, by);
            if common != by {
                let divided = |f: &Scev| exact_quotient(f, by / common);
                let found = rest.iter().enumerate();
                let (at, factor) = found.filter_map(|(n, f)| Some((n, divided(f)?))).next()?;
                rest[at] = factor;
            }
            rest.insert(0, Scev::constant(s.width, constant / common));
            ScevKind::Mul(rest, WRAP)
        }
        _ => return None,
    };
    let width = s.width;
    Some(Scev { width, kind })
}

/// A number that does not wrap, read as signed, with more bits.
fn widened(s: &Scev, width: u32) -> Scev {
    let all = |v: &[Scev]| v.iter().map(|x| widened(x, width)).collect();
    if let Some((sum, by)) = without_high_bits(s) {
        return exact_quotient(&widened(sum, width), by).expect("it is one");
    }
    let kind = match &s.kind {
        ScevKind::Const(c) => ScevKind::Const(*c),
        ScevKind::ZExt(a) | ScevKind::SExt(a) if a.width >= MODULAR && is_sum(a) => {
            return widened(a, width);
        }
        ScevKind::ZExt(a) if a.width < width => ScevKind::ZExt(a.clone()),
        ScevKind::SExt(a) if a.width < width => ScevKind::SExt(a.clone()),
        ScevKind::Add(v, _) => ScevKind::Add(all(v), WRAP),
        ScevKind::Mul(v, _) => ScevKind::Mul(all(v), WRAP),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands),
            wrap: WRAP,
        },
        _ if s.width == width => return s.clone(),
        _ if s.width > width => ScevKind::Trunc(Box::new(s.clone())),
        _ => ScevKind::SExt(Box::new(s.clone())),
    };
    Scev { width, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{LoopId, ValueId};
    use crate::scev::Wrap;

    fn before(width: u32, start: Scev, wrap: Wrap) -> Scev {
        let kind = ScevKind::AddRec {
            loop_: LoopId(0),
            operands: vec![start, Scev::constant(width, 1)],
            wrap,
        };
        Scev { width, kind }
    }

    fn unsigned(a: Scev) -> Scev {
        let kind = ScevKind::ZExt(Box::new(a));
        Scev { width: 64, kind }
    }

    #[test]
    fn a_wide_sum_begins_below_zero() {
        let mut s = unsigned(before(32, Scev::constant(32, -1), Wrap::default()));
        widen(&mut s);
        assert_eq!(s, before(64, Scev::constant(64, -1), WRAP));
    }

    #[test]
    fn a_start_that_is_no_sum_is_read_as_signed() {
        let n = Scev::unknown(32, ValueId(0));
        let mut s = unsigned(before(32, n.clone(), Wrap::default()));
        widen(&mut s);
        let kind = ScevKind::SExt(Box::new(n));
        assert_eq!(s, before(64, Scev { width: 64, kind }, WRAP));
    }

    #[test]
    fn a_multiple_without_its_high_bits_is_the_multiple() {
        let n = Scev::unknown(32, ValueId(0));
        let double = |width, s: Scev| {
            let kind = ScevKind::Mul(vec![Scev::constant(width, 2), s], WRAP);
            Scev { width, kind }
        };
        let rows = |step: Scev| {
            let kind = ScevKind::AddRec {
                loop_: LoopId(0),
                operands: vec![Scev::constant(64, 0), step],
                wrap: WRAP,
            };
            Scev { width: 64, kind }
        };
        // 2*i*zext(2*n), divided by four, in 30 bits.
        let moved = rows(double(64, unsigned(double(32, n.clone()))));
        let divided = |by| {
            let (moved, by) = (Box::new(moved.clone()), Box::new(Scev::constant(64, by)));
            let kind = ScevKind::UDiv(moved, by);
            let kind = ScevKind::Trunc(Box::new(Scev { width: 64, kind }));
            unsigned(Scev { width: 30, kind })
        };
        let mut s = divided(4);
        widen(&mut s);
        let text = format!("{s:?}");
        assert!(!text.contains("Trunc") && !text.contains("UDiv"), "{text}");
        assert_eq!(s.loops(), moved.loops());
        // Nothing says that it is a multiple of eight.
        let mut s = divided(8);
        let same = s.clone();
        widen(&mut s);
        assert_eq!(s, same);
    }

    #[test]
    fn few_bits_and_invariant_values_stay() {
        for inner in [
            before(3, Scev::constant(3, -1), Wrap::default()),
            Scev::unknown(32, ValueId(0)),
        ] {
            let mut s = unsigned(inner);
            let same = s.clone();
            widen(&mut s);
            assert_eq!(s, same);
        }
    }
}
