//! Addresses in rows behind pointers: which row, and where in it.
//!
//! What such an address is behind the base of its array is a sum with a parameter for the rows' distance, the pitch. What that is
//! multiplied by numbers the row, and the rest is the same in all rows:
//!
//! ```text
//! a[i + 1][j]     8*pitch*(i + 1) + 8*j        row i + 1, byte 8*j
//! ```

use crate::ids::ValueId;
use crate::scev::{Scev, ScevKind, Wrap};

/// The number of the row in which an address lies, and the bytes from the row's beginning, where elements have so many bytes; `None`
/// if it is not such a sum.
pub fn row_and_bytes(offset: &Scev, pitch: ValueId, element: u64) -> Option<(Scev, Scev)> {
    let zero = || Scev::constant(offset.width, 0);
    let (row, rest) = parts(offset, pitch)?;
    let number = row.map_or_else(
        || Some(zero()),
        |row| row.exact_quotient(element.into(), Wrap::default()),
    );
    Some((number?, rest.unwrap_or_else(zero)))
}

/// What a value is multiplied by in a sum, and what is left of the sum without it; `None` for zero.
type Parts = (Option<Scev>, Option<Scev>);

fn parts(s: &Scev, by: ValueId) -> Option<Parts> {
    let is_it = |part: &Scev| part.kind == ScevKind::Unknown(by);
    let wrap = Wrap::default();
    match &s.kind {
        _ if !s.any(&mut |part| is_it(part)) => Some((None, Some(s.clone()))),
        ScevKind::Unknown(_) => Some((Some(Scev::constant(s.width, 1)), None)),
        ScevKind::Add(terms, _) => {
            let split: Vec<Parts> = terms.iter().map(|t| parts(t, by)).collect::<Option<_>>()?;
            let (rows, rest): (Vec<_>, Vec<_>) = split.into_iter().unzip();
            let sum = |parts: Vec<Option<Scev>>| {
                let parts: Vec<Scev> = parts.into_iter().flatten().collect();
                (!parts.is_empty()).then(|| s.of_parts(parts, |parts| ScevKind::Add(parts, wrap)))
            };
            Some((sum(rows), sum(rest)))
        }
        ScevKind::Mul(factors, _) => {
            let at = factors
                .iter()
                .position(|f| f.any(&mut |part| is_it(part)))?;
            let mut others = factors.clone();
            let (row, rest) = parts(&others.remove(at), by)?;
            if others.iter().any(|f| f.any(&mut |part| is_it(part))) {
                return None;
            }
            let product = |part: Scev| {
                let mut all = others.clone();
                if part.as_constant() != Some(1) || all.is_empty() {
                    all.push(part);
                }
                s.of_parts(all, |all| ScevKind::Mul(all, wrap))
            };
            Some((row.map(product), rest.map(product)))
        }
        ScevKind::AddRec {
            loop_, operands, ..
        } => {
            let split: Vec<Parts> =
                (operands.iter().map(|o| parts(o, by))).collect::<Option<_>>()?;
            let (rows, rest): (Vec<_>, Vec<_>) = split.into_iter().unzip();
            let recurrence = |operands: Vec<Option<Scev>>| {
                let zero = || Scev::constant(s.width, 0);
                let some = operands.iter().any(Option::is_some);
                let operands = operands.into_iter().map(|o| o.unwrap_or_else(zero));
                let kind = ScevKind::AddRec {
                    loop_: *loop_,
                    operands: operands.collect(),
                    wrap,
                };
                let width = s.width;
                some.then_some(Scev { width, kind })
            };
            Some((recurrence(rows), recurrence(rest)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::LoopId;

    const PITCH: ValueId = ValueId(7);

    fn of(kind: ScevKind) -> Scev {
        Scev { width: 64, kind }
    }

    fn constant(c: i128) -> Scev {
        Scev::constant(64, c)
    }

    fn pitch() -> Scev {
        Scev::unknown(64, PITCH)
    }

    fn product(factors: Vec<Scev>) -> Scev {
        of(ScevKind::Mul(factors, Wrap::default()))
    }

    fn sum(terms: Vec<Scev>) -> Scev {
        of(ScevKind::Add(terms, Wrap::default()))
    }

    fn counted(loop_: u32, start: Scev, step: Scev) -> Scev {
        of(ScevKind::AddRec {
            loop_: LoopId(loop_),
            operands: vec![start, step],
            wrap: Wrap::default(),
        })
    }

    #[test]
    fn rows_are_what_the_pitch_is_multiplied_by() {
        // a[i + 1][j + 2] as a recurrence of j around one of i
        let row = product(vec![constant(8), pitch()]);
        let of_i = counted(0, sum(vec![constant(16), row.clone()]), row);
        let offset = counted(1, of_i, constant(8));
        let (row, bytes) = row_and_bytes(&offset, PITCH, 8).expect("a row and a column");
        let i = counted(0, constant(1), constant(1));
        assert_eq!(row, counted(1, i, constant(0)));
        assert_eq!(
            bytes,
            counted(1, counted(0, constant(16), constant(0)), constant(8))
        );
    }

    #[test]
    fn what_has_no_pitch_lies_in_the_first_row() {
        let offset = counted(0, constant(0), constant(4));
        assert_eq!(
            row_and_bytes(&offset, PITCH, 4),
            Some((constant(0), offset))
        );
    }

    #[test]
    fn products_of_sums_are_taken_apart() {
        // 8 * n * (pitch + 1)
        let n = Scev::unknown(64, ValueId(1));
        let offset = product(vec![
            constant(8),
            n.clone(),
            sum(vec![pitch(), constant(1)]),
        ]);
        let found = row_and_bytes(&offset, PITCH, 8);
        assert_eq!(found, Some((n.clone(), product(vec![constant(8), n]))));
    }

    #[test]
    fn no_row_has_a_fraction_for_a_number() {
        let offset = product(vec![constant(4), pitch()]);
        assert_eq!(row_and_bytes(&offset, PITCH, 8), None);
        let square = product(vec![constant(8), pitch(), pitch()]);
        assert_eq!(row_and_bytes(&square, PITCH, 8), None);
        let rest = of(ScevKind::SRem(Box::new(pitch()), Box::new(constant(3))));
        assert_eq!(row_and_bytes(&rest, PITCH, 1), None);
    }
}
