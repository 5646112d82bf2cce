//! Sizes that are 0, 1, prime, and larger than several tiles.

use crate::catalog::{Dimension, Kernel, SizeClass};

/// One choice of all sizes of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeSet {
    /// What is special about it.
    pub name: &'static str,
    /// The sizes, in the kernel's order.
    pub sizes: Vec<i32>,
}

/// The few sets of the quick profile: empty, single, small primes, and primes larger than several tiles.
pub fn quick(kernel: &Kernel) -> Vec<SizeSet> {
    distinct(
        kernel,
        vec![
            ("zero", uniform(kernel, 0)),
            ("one", uniform(kernel, 1)),
            ("primes", spread(kernel, small_prime)),
            ("tiles", spread(kernel, tiles_prime)),
        ],
    )
}

/// The quick sets and more: each size empty alone, tiny sizes, powers of two, and the MEDIUM class.
pub fn full(kernel: &Kernel) -> Vec<SizeSet> {
    let mut sets: Vec<(&'static str, Vec<i32>)> = quick(kernel)
        .into_iter()
        .map(|set| (set.name, set.sizes))
        .collect();
    for empty in 0..kernel.dimensions.len() {
        let mut sizes = spread(kernel, small_prime);
        sizes[empty] = 0;
        sets.push(("one empty", sizes));
    }
    sets.push(("two", uniform(kernel, 2)));
    sets.push(("three", uniform(kernel, 3)));
    sets.push((
        "power of two",
        kernel.dimensions.iter().map(power_of_two).collect(),
    ));
    sets.push(("small", kernel.class_sizes(SizeClass::Small)));
    sets.push(("medium", kernel.class_sizes(SizeClass::Medium)));
    distinct(kernel, sets)
}

/// Raises every set to the kernel's minima and drops repetitions.
fn distinct(kernel: &Kernel, sets: Vec<(&'static str, Vec<i32>)>) -> Vec<SizeSet> {
    let mut result: Vec<SizeSet> = Vec::new();
    for (name, sizes) in sets {
        let sizes = kernel.raise_to_minima(&sizes);
        if result.iter().all(|set| set.sizes != sizes) {
            result.push(SizeSet { name, sizes });
        }
    }
    result
}

fn uniform(kernel: &Kernel, size: i32) -> Vec<i32> {
    vec![size; kernel.dimensions.len()]
}

/// A size per dimension, unequal among the dimensions.
fn spread(kernel: &Kernel, size: impl Fn(&Dimension, i32) -> i32) -> Vec<i32> {
    kernel
        .dimensions
        .iter()
        .enumerate()
        .map(|(position, dimension)| size(dimension, position as i32))
        .collect()
}

fn small_prime(dimension: &Dimension, position: i32) -> i32 {
    if dimension.is_time() {
        3
    } else {
        next_prime(dimension.sizes[SizeClass::Mini as usize] / 2 + 2 * position)
    }
}

fn tiles_prime(dimension: &Dimension, position: i32) -> i32 {
    if dimension.is_time() {
        11
    } else {
        next_prime(dimension.sizes[SizeClass::Small as usize] * 8 / 5 + 3 * position)
    }
}

fn power_of_two(dimension: &Dimension) -> i32 {
    if dimension.is_time() {
        8
    } else {
        (dimension.sizes[SizeClass::Small as usize] as u32).next_power_of_two() as i32
    }
}

/// The least prime that is not below `from`.
fn next_prime(from: i32) -> i32 {
    let is_prime = |n: i32| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0);
    (from..)
        .find(|&n| is_prime(n))
        .expect("there is a prime above every number")
}

/// Constant extents that hold every one of the sets, and a little more, so that no row is contiguous with the next.
pub fn extents(kernel: &Kernel, sets: &[SizeSet]) -> Vec<i32> {
    (0..kernel.dimensions.len())
        .map(|position| {
            sets.iter()
                .map(|set| set.sizes[position])
                .max()
                .unwrap_or(0)
                + 3
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{default_folder, kernels};

    #[test]
    fn primes() {
        assert_eq!([0, 2, 8, 90].map(next_prime), [2, 2, 11, 97]);
    }

    #[test]
    fn every_kernel_gets_legal_and_distinct_sets() {
        for kernel in kernels(&default_folder()).unwrap() {
            for sets in [quick(&kernel), full(&kernel)] {
                assert!(sets.len() >= 3, "{}", kernel.name);
                let extents = extents(&kernel, &sets);
                for set in &sets {
                    assert_eq!(kernel.raise_to_minima(&set.sizes), set.sizes);
                    assert!(
                        set.sizes
                            .iter()
                            .zip(&extents)
                            .all(|(size, extent)| size < extent)
                    );
                    assert_eq!(
                        sets.iter().filter(|other| other.sizes == set.sizes).count(),
                        1
                    );
                }
            }
        }
    }
}
