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
        && !a.any(&mut Scev::divides)
        && a.width >= MODULAR
        && let Some(sum) = as_sum(a, s.width)
    {
        *s = sum;
        return;
    }
    s.operands_mut().into_iter().for_each(widen);
}

/// A sum in more bits; `None` if it is none. One without its high bits is what it was: `4*i*m` is `zext(trunc(4*i*m / 4))*4`.
fn as_sum(s: &Scev, width: u32) -> Option<Scev> {
    match &s.kind {
        ScevKind::Add(..)
        | ScevKind::Mul(..)
        | ScevKind::AddRec { .. }
        | ScevKind::ZExt(_)
        | ScevKind::SExt(_) => Some(widened(s, width)),
        ScevKind::Trunc(a) if s.width >= MODULAR => {
            let (sum, by) = match &a.kind {
                ScevKind::UDiv(a, by) => (a, by.as_constant().filter(|by| *by > 0)?),
                _ => (a, 1),
            };
            as_sum(sum, width)?.exact_quotient(by, WRAP)
        }
        _ => None,
    }
}

/// A number that does not wrap, read as signed, with more bits.
fn widened(s: &Scev, width: u32) -> Scev {
    let all = |v: &[Scev]| v.iter().map(|x| widened(x, width)).collect();
    let kind = match &s.kind {
        ScevKind::Const(c) => ScevKind::Const(*c),
        ScevKind::ZExt(a) | ScevKind::SExt(a)
            if a.width >= MODULAR
                && let Some(sum) = as_sum(a, width) =>
        {
            return sum;
        }
        ScevKind::Trunc(_) if let Some(sum) = as_sum(s, width) => return sum,
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
        ScevKind::Select(pred, parts) => {
            let [lhs, rhs, then, els] = &**parts;
            let [then, els] = [then, els].map(|part| widened(part, width));
            ScevKind::Select(*pred, Box::new([lhs.clone(), rhs.clone(), then, els]))
        }
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
    fn what_is_chosen_is_wide() {
        let n = Scev::unknown(32, ValueId(0));
        let choice = |width, then: Scev| {
            let parts = [
                n.clone(),
                Scev::constant(32, 0),
                then,
                Scev::constant(width, 0),
            ];
            let kind = ScevKind::Select(crate::region::CmpPred::Eq, Box::new(parts));
            Scev { width, kind }
        };
        let mut s = unsigned(before(32, choice(32, n.clone()), Wrap::default()));
        widen(&mut s);
        let kind = ScevKind::SExt(Box::new(n.clone()));
        assert_eq!(s, before(64, choice(64, Scev { width: 64, kind }), WRAP));
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
