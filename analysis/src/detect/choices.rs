//! Choices in formulas: `c ? a : b` as a name that has one of two values.
//!
//! isl's formulas have no choices. A text carries them in brackets of its own, `⟦c¦a¦b⟧`, and where it becomes a set or a map,
//! each turns into a quantified name:
//!
//! ```text
//! 2*⟦i = n - 1¦0¦i + 1⟧ >= 5     exists (e0 : ((i = n - 1) and e0 = 0 or not (i = n - 1) and e0 = i + 1) and 2*e0 >= 5)
//! ```
//!
//! The name has exactly one value for given iterators and parameters, so that it may stand outside of any negation.

const OPEN: char = '⟦';
const BETWEEN: char = '¦';
const CLOSE: char = '⟧';

/// The text of `cond ? then : els`.
pub(super) fn choice(cond: &str, then: &str, els: &str) -> String {
    match then == els {
        true => then.to_owned(),
        false => format!("{OPEN}{cond}{BETWEEN}{then}{BETWEEN}{els}{CLOSE}"),
    }
}

/// A condition that may have choices in it as a formula.
pub(super) fn formula(cond: &str) -> String {
    let mut text = cond.to_owned();
    let mut names = vec![];
    let mut known = vec![];
    // The last to open has no other in it.
    while let Some(open) = text.rfind(OPEN) {
        let Some(length) = text[open..].find(CLOSE) else {
            unreachable!("choices are closed");
        };
        let whole = text[open..open + length + CLOSE.len_utf8()].to_owned();
        let inner = whole.trim_start_matches(OPEN).trim_end_matches(CLOSE);
        let parts: Vec<&str> = inner.split(BETWEEN).collect();
        let [cond, then, els] = parts[..] else {
            unreachable!("choices have three parts");
        };
        let name = format!("e{}", names.len());
        known.push(format!(
            "(({cond} and {name} = {then}) or (not ({cond}) and {name} = {els}))"
        ));
        text = text.replace(&whole, &name);
        names.push(name);
    }
    match names.is_empty() {
        true => text,
        false => format!(
            "exists ({} : {} and ({text}))",
            names.join(", "),
            known.join(" and ")
        ),
    }
}

/// `[a, b]` with a condition for what of it has choices: the tuple of a map's range.
pub(super) fn tuple(elements: &[String]) -> String {
    if !elements.iter().any(|e| e.contains(OPEN)) {
        return format!("[{}]", elements.join(", "));
    }
    let names: Vec<String> = (0..elements.len()).map(|d| format!("a{d}")).collect();
    let equal = names
        .iter()
        .zip(elements)
        .map(|(n, e)| format!("{n} = {e}"));
    let equal: Vec<String> = equal.collect();
    format!("[{}] : {}", names.join(", "), formula(&equal.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::{Ctx, Map, Set};

    #[test]
    fn choices_become_names() {
        let ctx = Ctx::new();
        let set = |cond: &str| {
            let text = format!(
                "[n] -> {{ [i] : 0 <= i < n and n = 4 and ({}) }}",
                formula(cond)
            );
            Set::parse(&ctx, &text).unwrap().points(9).unwrap()
        };
        let next = choice("(i = n - 1)", "0", "i + 1");
        assert_eq!(set(&format!("{next} = 0")), [[3]]);
        assert_eq!(set(&format!("not ({next} >= 2)")), [[0], [3]]);
        let nested = choice("(i >= 1)", &next, &choice("(n = 4)", "7", "8"));
        assert_eq!(set(&format!("2*({nested}) - 1 >= 5")), [[0], [2]]);
        assert_eq!(choice("(i = 0)", "1", "1"), "1");
    }

    #[test]
    fn choices_as_subscripts() {
        let ctx = Ctx::new();
        let text = |elements: &[String]| format!("[n] -> {{ [i] -> {} }}", tuple(elements));
        let next = choice("(i = n - 1)", "0", "i + 1");
        let map = Map::parse(&ctx, &text(&["i".to_owned(), format!("2*{next}")])).unwrap();
        let same = "[n] -> { [i] -> [i, 2i + 2] : i != n - 1; [i] -> [i, 0] : i = n - 1 }";
        assert!(map.is_equal(&Map::parse(&ctx, same).unwrap()).unwrap());
    }
}
