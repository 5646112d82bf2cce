//! The search: one number after the other, by steps of a half, while the error gets clearly less.

use std::collections::BTreeMap;

/// Numbers of a machine by their names.
pub type Numbers = BTreeMap<String, f64>;

/// A number is tried times these.
const FACTORS: [f64; 4] = [2.0, 0.5, 1.4, 0.7];

/// No number goes farther than so many times its first value, or that part of it.
const FARTHEST: f64 = 4.0;

/// All numbers are gone through so often at most.
const ROUNDS: usize = 3;

/// A change is taken that leaves so much of the error at most: what gains less may be chance.
const ENOUGH: f64 = 0.99;

/// There is nothing to learn from an error that is less.
const GOOD: f64 = 0.01;

/// The numbers with the least error that is found. `error`: that of some numbers; `None`: they cannot be judged. `over`: time is.
///
/// # Errors
/// The first one of `error`.
pub fn fitted(
    start: &Numbers,
    error: &mut dyn FnMut(&Numbers) -> Result<Option<f64>, String>,
    over: &dyn Fn() -> bool,
) -> Result<Numbers, String> {
    let mut best = start.clone();
    let Some(mut least) = error(&best)? else {
        return Ok(best);
    };
    if least < GOOD {
        return Ok(best);
    }
    for _ in 0..ROUNDS {
        let before = least;
        for name in start.keys() {
            let mut tried = vec![];
            for factor in FACTORS {
                // A number that twice and half of it change nothing is not asked for.
                if over() || tried.len() == 2 && tried.iter().all(|e| *e == Some(least)) {
                    break;
                }
                let value = best[name] * factor;
                let far = value / start[name];
                if !(1.0 / FARTHEST..=FARTHEST).contains(&far) {
                    continue;
                }
                let mut other = best.clone();
                other.insert(name.clone(), value);
                tried.push(error(&other)?);
                if let Some(Some(e)) = tried.last()
                    && *e < least * ENOUGH
                {
                    (best, least) = (other, *e);
                    break;
                }
            }
        }
        if over() || least >= before {
            break;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(list: &[(&str, f64)]) -> Numbers {
        list.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect()
    }

    #[test]
    fn numbers_are_found_and_those_without_effect_stay() {
        let start = numbers(&[("fork", 1.0), ("rate", 10.0), ("wait", 5.0)]);
        let mut asked = 0;
        let mut error = |n: &Numbers| {
            asked += 1;
            Ok(Some(
                (n["fork"] / 2.0).ln().abs() + (n["rate"] / 5.0).ln().abs() + 0.02,
            ))
        };
        let found = fitted(&start, &mut error, &|| false).unwrap();
        assert_eq!(
            found,
            numbers(&[("fork", 2.0), ("rate", 5.0), ("wait", 5.0)])
        );
        assert!(asked < 40, "{asked}");
    }

    #[test]
    fn no_number_goes_far_and_what_cannot_be_judged_is_not_taken() {
        let start = numbers(&[("rate", 1.0), ("unit", 1.0)]);
        let mut error = |n: &Numbers| Ok((n["unit"] == 1.0).then(|| 10.0 - n["rate"].ln()));
        let found = fitted(&start, &mut error, &|| false).unwrap();
        assert_eq!(found["unit"], 1.0);
        assert!((1.5..=FARTHEST).contains(&found["rate"]), "{found:?}");
    }

    #[test]
    fn nothing_is_asked_when_time_is_over_and_errors_come_through() {
        let start = numbers(&[("rate", 1.0)]);
        let found = fitted(&start, &mut |n| Ok(Some(n["rate"])), &|| true);
        assert_eq!(found.unwrap(), start);
        let mut asked = 0;
        let mut right = |_: &Numbers| {
            asked += 1;
            Ok(Some(0.0))
        };
        assert_eq!(fitted(&start, &mut right, &|| false).unwrap(), start);
        assert_eq!(asked, 1);
        let failed = fitted(&start, &mut |_| Err("no build".to_owned()), &|| false);
        assert_eq!(failed.unwrap_err(), "no build");
    }
}
