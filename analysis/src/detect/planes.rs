//! Fields of one array that nothing moves between: each is named by a constant.
//!
//! ```text
//! double lhs[5][37][37][37]    lhs[0][i][j][k] .. lhs[4][i][j][k]    constants 0, 405224, .. and strides 10952, 296, 8
//! double f[9][512][512]        f[q][y - cy[q]][x - cx[q]]            the same, a row and an element beside
//! ```
//!
//! No loop moves by a whole field, so the strides of loops do not show how long it is, and a subscript of the outermost dimension would
//! have to count through all fields: every dependence of two fields then asks whether one loop reaches the other's rows. Where the
//! constants of all accesses lie at or near multiples of one length, that length is a dimension of its own. That subscripts stay in their
//! field is an assumption as any other.

use std::collections::BTreeSet;

/// The bytes of a field of an array whose accesses have these constant offsets and whose loops move by `outer` bytes at most.
///
/// Fields are at least [`MIN_FIELDS`], and each lies within a [`NEAR`]th of its length of where it should.
pub(super) fn length(constants: &BTreeSet<i128>, outer: i128) -> Option<i128> {
    let first = *constants.first()?;
    let apart = constants.iter().map(|c| rounded(c - first, outer));
    let shortest = NEAR * outer;
    let apart: BTreeSet<i128> = apart.filter(|c| *c >= shortest).collect();
    // A field beside the first one may be some rows off (`f[1][y - 1][x]`).
    let nearest = apart.iter().take(MAX_FIELDS).flat_map(|c| {
        let off = -MAX_ROWS_OFF..=MAX_ROWS_OFF;
        off.map(move |rows| c + rows * outer)
    });
    let found = nearest.filter_map(|length| Some((deviation(constants, length)?, length)));
    found.min().map(|(_, length)| length)
}

/// How far constants lie from multiples of a length at most; `None` where that are too few multiples, or too far.
fn deviation(constants: &BTreeSet<i128>, length: i128) -> Option<i128> {
    let fields = constants.iter().map(|c| rounded(*c, length) / length);
    let fields: BTreeSet<i128> = fields.collect();
    let largest = constants.iter().map(|c| (c - rounded(*c, length)).abs());
    let largest = largest.max()?;
    let span = fields.last()? - fields.first()?;
    let dense = span < 2 * fields.len() as i128;
    (fields.len() >= MIN_FIELDS && dense && largest * NEAR <= length).then_some(largest)
}

/// The multiple of `size` that is nearest to `c`.
fn rounded(c: i128, size: i128) -> i128 {
    (2 * c + size).div_euclid(2 * size) * size
}

/// Two places of one array are more often rows of it.
const MIN_FIELDS: usize = 3;

/// More fields than this say nothing new of how long one is.
const MAX_FIELDS: usize = 32;

/// How many rows beside its field an access may be that says where the field is.
const MAX_ROWS_OFF: i128 = 2;

/// The part of a field that is near its beginning.
const NEAR: i128 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(constants: &[i128], outer: i128) -> Option<i128> {
        length(&constants.iter().copied().collect(), outer)
    }

    #[test]
    fn fields_at_the_same_place() {
        let plane = 37 * 37 * 37 * 8;
        let fields: Vec<i128> = (0..5).map(|m| m * plane + 10952 + 296 + 8).collect();
        assert_eq!(of(&fields, 10952), Some(plane));
    }

    #[test]
    fn fields_at_places_beside_each_other() {
        let (row, plane) = (512 * 8, 512 * 512 * 8);
        let around = [-row - 8, -row, -row + 8, -8, 0, 8, row - 8, row, row + 8];
        let fields = around.iter().enumerate();
        let fields: Vec<i128> = fields.map(|(q, off)| q as i128 * plane + off).collect();
        assert_eq!(of(&fields, row), Some(plane));
    }

    #[test]
    fn rows_of_a_stencil_are_no_fields() {
        let row = 1000 * 8;
        assert_eq!(of(&[-row, -8, 0, 8, row], row), None);
        assert_eq!(of(&[0, 100 * row], row), None, "two are too few");
        assert_eq!(
            of(&[0, 50 * row, 130 * row, 151 * row], row),
            None,
            "and not at any places"
        );
    }
}
