//! Dimensions that are one number in a whole relation: what tells most relations apart without solving anything.
//!
//! `rhs[0][i][j]` and `rhs[1][i][j]` have no element in common, whatever the iterations are.

use super::{DimType, Map, Result};

/// The numbers of some dimensions of a relation, as far as they are seen by looking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed(Vec<Option<i64>>);

impl Fixed {
    /// Of all dimensions of these kinds.
    pub fn of(relation: &Map, kinds: &[DimType]) -> Result<Fixed> {
        let all = kinds
            .iter()
            .flat_map(|&ty| (0..relation.dim(ty)).map(move |at| (ty, at)));
        let number = |(ty, at)| Ok(relation.plain_val_if_fixed(ty, at)?.as_i64());
        all.map(number).collect::<Result<_>>().map(Fixed)
    }

    /// The places of these dimensions, the last one first.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        let all = self.0.iter().enumerate().rev();
        all.filter(|(_, number)| number.is_some()).map(|(at, _)| at)
    }

    /// Whether a dimension has another number than in a point: then the point is in no pair of the relation. `false` decides nothing.
    pub fn excludes(&self, point: &[i64]) -> bool {
        let mut both = self.0.iter().zip(point);
        both.any(|(a, b)| a.is_some_and(|a| a != *b))
    }

    /// Whether a dimension has another number in another relation: then they have nothing in common. `false` decides nothing.
    pub fn is_apart(&self, other: &Fixed) -> bool {
        let mut both = self.0.iter().zip(&other.0);
        both.any(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a != b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::Ctx;

    #[test]
    fn other_numbers_are_apart_and_unknown_ones_may_meet() {
        let ctx = Ctx::new();
        let of = |text| Fixed::of(&Map::parse(&ctx, text).unwrap(), &[DimType::Out]).unwrap();
        let (zero, one) = (of("{ [i] -> [0, i] }"), of("{ [i] -> [1, i] }"));
        assert!(zero.is_apart(&one));
        assert_eq!(
            of("{ [i] -> [4, i, 5] }").places().collect::<Vec<_>>(),
            [2, 0]
        );
        assert!(!zero.is_apart(&of("{ [i] -> [0, 3] }")));
        assert!(zero.excludes(&[1, 7]) && !zero.excludes(&[0, 7]));
        assert!(!zero.is_apart(&of("{ [i] -> [i, 3] }")));
        assert!(!zero.is_apart(&of("{ [i] -> [a, 3] : 1 <= a <= 2 }")));
        assert!(!zero.is_apart(&of("{ [i] -> [1, i] : i > 3; [i] -> [0, i] : i < 3 }")));
    }
}
