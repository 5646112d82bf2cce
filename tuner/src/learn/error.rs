//! How far the model is off: the logarithm of predicted to measured ratios, without its sign.

use super::predicted::Ratios;
use super::samples::Nest;
use polytile_records::database::median;

/// Smaller shares of an error are noise.
const NOISE: f64 = 0.01;

/// Errors of some nests.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Off {
    /// That of the middle candidate.
    pub median: f64,
    /// That of all nests, each with the mean of its candidates: many candidates of one nest count as one.
    pub mean: f64,
}

impl Off {
    /// Of nests for which all is predicted.
    pub fn of(nests: &[&Nest], ratios: &Ratios) -> Off {
        let mut all = vec![];
        let mut sum = 0.0;
        for nest in nests {
            let error = |s: &super::samples::Sample| {
                let predicted = ratios[&(nest.hash.clone(), s.number)];
                (predicted[usize::from(s.threads)] - s.ratio).abs()
            };
            let errors: Vec<f64> = nest.samples.iter().map(error).collect();
            sum += errors.iter().sum::<f64>() / errors.len() as f64;
            all.extend(errors);
        }
        Off {
            median: median(&all).unwrap_or(0.0),
            mean: sum / nests.len().max(1) as f64,
        }
    }

    /// Whether it is clearly less, and the middle one no more.
    pub fn is_less(&self, other: &Off) -> bool {
        self.mean < other.mean * (1.0 - NOISE) && self.median <= other.median * (1.0 + NOISE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::Sample;
    use super::*;

    #[test]
    fn nests_count_alike_and_threads_have_their_own_times() {
        let sample = |number, threads, ratio| Sample {
            number,
            threads,
            ratio,
        };
        let nest = |hash: &str, samples| Nest {
            hash: hash.to_owned(),
            samples,
        };
        let one = nest("a", vec![sample(1, false, 1.0), sample(2, true, 1.0)]);
        let two = nest("b", vec![sample(1, false, -1.0)]);
        let ratios = Ratios::from([
            (("a".to_owned(), 1), [1.5, 9.0]),
            (("a".to_owned(), 2), [9.0, 0.5]),
            (("b".to_owned(), 1), [1.0, 9.0]),
        ]);
        let off = Off::of(&[&one, &two], &ratios);
        assert_eq!((off.median, off.mean), (0.5, 1.25));
    }

    #[test]
    fn less_is_clearly_less() {
        let off = |median, mean| Off { median, mean };
        assert!(off(1.0, 0.9).is_less(&off(1.0, 1.0)));
        assert!(!off(1.0, 0.995).is_less(&off(1.0, 1.0)));
        assert!(!off(1.1, 0.9).is_less(&off(1.0, 1.0)));
    }
}
