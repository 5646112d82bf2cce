//! How the arrays of a kernel lie to each other in memory.
//!
//! What a version checks about overlap depends on where arrays begin and end, and programs allocate them back to back: a
//! range that is a row too long is found only where another array begins right behind. So each run takes another order
//! of the arrays and another gap.

use std::fmt;

use super::sizes::SizeSet;

/// One layout, as `kernel.h` takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The number of a permutation.
    pub order: usize,
    /// Bytes between two arrays.
    pub gap: usize,
}

/// None, as in a structure; malloc's; enough for a canary of a page.
const GAPS: [usize; 3] = [0, 16, 4096];
/// Neighbouring runs take orders that differ in the first arrays and in the last; a prime, so that all orders come.
const STEP: usize = 5039;

impl Layout {
    /// In the order of the source, far apart.
    pub const APART: Layout = Layout {
        order: 0,
        gap: 4096,
    };

    /// The layout of a run. The gap follows from the run's number alone, so that the runs of a set have all of them.
    pub fn of_run(number: usize, set: &SizeSet) -> Layout {
        let sizes: usize = set.sizes.iter().map(|&size| size as usize).sum();
        Layout {
            order: (number / GAPS.len() + sizes) * STEP,
            gap: GAPS[number % GAPS.len()],
        }
    }

    /// Arguments of the kernel's program.
    pub fn arguments(self) -> [String; 3] {
        [
            "-l".to_string(),
            self.order.to_string(),
            self.gap.to_string(),
        ]
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "arrays in order {} with gaps of {}",
            self.order, self.gap
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn runs_see_all_gaps_and_many_orders() {
        let set = SizeSet {
            name: "given",
            sizes: vec![7, 9],
        };
        let all: Vec<Layout> = (0..18).map(|number| Layout::of_run(number, &set)).collect();
        for three in all.chunks(3) {
            assert_eq!(
                three.iter().map(|layout| layout.gap).collect::<Vec<_>>(),
                GAPS
            );
        }
        // Three arrays have six orders.
        let orders: BTreeSet<usize> = all.iter().map(|layout| layout.order % 6).collect();
        assert_eq!(orders.len(), 6);
    }
}
