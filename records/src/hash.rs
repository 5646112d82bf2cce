//! The number by which regions are looked up: FNV-1a of the canonical text, in 64 bits.
//!
//! Equal numbers are no proof that texts are equal: whoever uses a record compares the texts as well.

/// The hash of a text, as 16 hexadecimal digits.
///
/// ```
/// assert_eq!(polytile_records::hash::of(""), "cbf29ce484222325");
/// ```
pub fn of(text: &str) -> String {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    format!("{:016x}", text.bytes().fold(BASIS, mix))
}

/// Whether a text has the form of a hash.
pub fn is_one(text: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    text.len() == 16 && text.chars().all(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_hashes_of_sixteen_digits() {
        // The published test vector of FNV-1a.
        assert_eq!(of("foobar"), "85944171f73967e8");
        assert!(is_one(&of("scop")));
        assert!(!is_one("85944171f73967e"), "a digit is missing");
        assert!(!is_one("85944171F73967E8"), "capitals");
    }
}
