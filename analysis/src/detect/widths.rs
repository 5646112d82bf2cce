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
//! has only a part of the iterations.

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
    )
}

/// A number that does not wrap, read as signed, with more bits.
fn widened(s: &Scev, width: u32) -> Scev {
    let all = |v: &[Scev]| v.iter().map(|x| widened(x, width)).collect();
    let kind = match &s.kind {
        ScevKind::Const(c) => ScevKind::Const(*c),
        ScevKind::ZExt(a) | ScevKind::SExt(a) if a.width >= MODULAR && is_sum(a) => {
            return widened(a, width);
        }
        ScevKind::ZExt(a) => ScevKind::ZExt(a.clone()),
        ScevKind::SExt(a) => ScevKind::SExt(a.clone()),
        ScevKind::Add(v, _) => ScevKind::Add(all(v), WRAP),
        ScevKind::Mul(v, _) => ScevKind::Mul(all(v), WRAP),
        ScevKind::AddRec {
            loop_, operands, ..
        } => ScevKind::AddRec {
            loop_: *loop_,
            operands: all(operands),
            wrap: WRAP,
        },
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
