//! A small seeded generator of random numbers (SplitMix64): the same seed gives the same program everywhere.

/// The generator's state.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator for a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D,
        }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number in `0..limit`; 0 where the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            0
        } else {
            (self.bits() % limit as u64) as usize
        }
    }

    /// A number in `from..=to`.
    pub fn range(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as usize) as i64
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    pub fn pick<Choice: Clone>(&mut self, choices: &[Choice]) -> Choice {
        choices[self.below(choices.len())].clone()
    }

    /// One of the choices, each as often as its weight says.
    pub fn weighted<Choice: Clone>(&mut self, choices: &[(usize, Choice)]) -> Choice {
        let mut at = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            if at < *weight {
                return choice.clone();
            }
            at -= weight;
        }
        unreachable!("the weights sum to more than every position")
    }

    /// Puts the items in a random order.
    pub fn shuffle<Item>(&mut self, items: &mut [Item]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let (mut left, mut right, mut other) = (Random::new(7), Random::new(7), Random::new(8));
        let of = |random: &mut Random| (0..8).map(|_| random.bits()).collect::<Vec<_>>();
        assert_eq!(of(&mut left), of(&mut right));
        assert_ne!(of(&mut left), of(&mut other));
    }

    #[test]
    fn weights_are_kept() {
        let mut random = Random::new(1);
        let heavy = (0..1000)
            .filter(|_| random.weighted(&[(9, true), (1, false)]))
            .count();
        assert!((850..950).contains(&heavy), "{heavy}");
        assert!((0..100).all(|_| (2..=5).contains(&random.range(2, 5))));
    }
}
