//! Which builds and runs a profile asks for.

use super::sizes::{self, SizeSet};
use crate::catalog::Kernel;
use crate::toolchain::{Aliasing, Arrays, Build, Level, Placement};

/// How much is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Four builds per kernel, chosen so that two neighbouring kernels cover every pair of choices; four sets of sizes.
    Quick,
    /// Every build and every set of sizes.
    Full,
}

/// The user's restrictions of the builds; an empty list allows everything.
#[derive(Debug, Clone, Default)]
pub struct Restriction {
    /// Allowed placements.
    pub placements: Vec<Placement>,
    /// Allowed array declarations.
    pub arrays: Vec<Arrays>,
    /// Allowed aliasing facts.
    pub aliasing: Vec<Aliasing>,
    /// Allowed levels.
    pub levels: Vec<Level>,
}

impl Restriction {
    fn allows(&self, build: &Build) -> bool {
        fn among<Choice: PartialEq>(allowed: &[Choice], choice: &Choice) -> bool {
            allowed.is_empty() || allowed.contains(choice)
        }
        among(&self.placements, &build.placement)
            && among(&self.arrays, &build.arrays)
            && among(&self.aliasing, &build.aliasing)
            && among(&self.levels, &build.level)
    }

    fn is_empty(&self) -> bool {
        self.placements.is_empty()
            && self.arrays.is_empty()
            && self.aliasing.is_empty()
            && self.levels.is_empty()
    }
}

/// One program to compile and the runs of it.
#[derive(Debug, Clone)]
pub struct Item {
    /// The kernel.
    pub kernel: Kernel,
    /// How it is built.
    pub build: Build,
    /// Options of the plugin, as in `POLYTILE`.
    pub options: String,
    /// The constants of the source.
    pub extents: Vec<i32>,
    /// The sizes it runs with; exactly one set, equal to the extents, where the sizes are compiled in.
    pub sets: Vec<SizeSet>,
    /// Thread counts of each run.
    pub threads: Vec<u32>,
}

impl Item {
    /// The array declarations under which the reference has the same layout: with the sizes compiled in, arrays are as
    /// contiguous as with run-time extents.
    pub fn reference_arrays(&self) -> Arrays {
        if self.build.placement == Placement::Inline {
            Arrays::Vla
        } else {
            self.build.arrays
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// How much.
    pub profile: Profile,
    /// Which builds.
    pub restriction: Restriction,
    /// Option strings; each makes a further build.
    pub options: Vec<String>,
    /// Thread counts.
    pub threads: Vec<u32>,
    /// These sizes instead of the profile's.
    pub sizes: Option<Vec<i32>>,
}

/// All programs of a request, kernel by kernel.
pub fn items(kernels: &[Kernel], request: &Request) -> Vec<Item> {
    let mut items = Vec::new();
    for (position, kernel) in kernels.iter().enumerate() {
        let sets = size_sets(kernel, request);
        let extents = sizes::extents(kernel, &sets);
        for build in builds(position, request) {
            for options in &request.options {
                let item = Item {
                    kernel: kernel.clone(),
                    build,
                    options: options.clone(),
                    extents: extents.clone(),
                    sets: sets.clone(),
                    threads: request.threads.clone(),
                };
                items.extend(split_fixed(item, request.profile));
            }
        }
    }
    items
}

/// The sets of sizes of a kernel under a request.
pub fn size_sets(kernel: &Kernel, request: &Request) -> Vec<SizeSet> {
    match (&request.sizes, request.profile) {
        (Some(sizes), _) => {
            let given = kernel
                .dimensions
                .iter()
                .enumerate()
                .map(|(at, _)| sizes[at.min(sizes.len() - 1)])
                .collect();
            vec![SizeSet {
                name: "given",
                sizes: given,
            }]
        }
        (None, Profile::Quick) => sizes::quick(kernel),
        (None, Profile::Full) => sizes::full(kernel),
    }
}

/// Where the sizes are compiled in, a program per set: in the quick profile only the largest set and the primes.
fn split_fixed(item: Item, profile: Profile) -> Vec<Item> {
    if item.build.placement != Placement::Inline {
        return vec![item];
    }
    let wanted =
        |set: &&SizeSet| profile == Profile::Full || set.name == "tiles" || set.name == "given";
    let sets: Vec<SizeSet> = item.sets.iter().filter(wanted).cloned().collect();
    sets.into_iter()
        .map(|set| Item {
            extents: set.sizes.clone(),
            sets: vec![set],
            ..item.clone()
        })
        .collect()
}

/// The builds of the kernel at `position`.
fn builds(position: usize, request: &Request) -> Vec<Build> {
    let all = every_build()
        .into_iter()
        .filter(|build| request.restriction.allows(build));
    // A user who names builds wants all of them.
    if request.profile == Profile::Full || !request.restriction.is_empty() {
        return all.collect();
    }
    all.filter(|build| build.placement != Placement::InlineRuntime && in_quarter(build, position))
        .collect()
}

fn every_build() -> Vec<Build> {
    let mut builds = Vec::new();
    for placement in [
        Placement::Noinline,
        Placement::InlineRuntime,
        Placement::Inline,
    ] {
        for arrays in [Arrays::Vla, Arrays::Const] {
            for aliasing in [Aliasing::Plain, Aliasing::Restrict] {
                for level in [Level::O2, Level::O3] {
                    builds.push(Build {
                        placement,
                        arrays,
                        aliasing,
                        level,
                    });
                }
            }
        }
    }
    builds
}

/// A quarter of the sixteen builds: the arrays and the aliasing follow from the placement and the level and the parity
/// of the kernel's position, so that every pair of choices meets in two neighbouring kernels.
fn in_quarter(build: &Build, position: usize) -> bool {
    let bits = [
        build.placement == Placement::Inline,
        build.level == Level::O3,
        build.arrays == Arrays::Const,
        build.aliasing == Aliasing::Restrict,
    ]
    .map(usize::from);
    let [inline, o3, constant, restrict] = bits;
    constant == (inline + o3 + position) % 2 && restrict == (o3 + position / 2) % 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{default_folder, kernels};

    fn request(profile: Profile) -> Request {
        Request {
            profile,
            restriction: Restriction::default(),
            options: vec![String::new()],
            threads: vec![1, 2],
            sizes: None,
        }
    }

    #[test]
    fn quick_builds_cover_every_pair_in_four_kernels() {
        let request = request(Profile::Quick);
        let covered: Vec<Build> = (0..4)
            .flat_map(|position| builds(position, &request))
            .collect();
        assert!((0..4).all(|position| builds(position, &request).len() == 4));
        for a in every_build()
            .iter()
            .filter(|b| b.placement != Placement::InlineRuntime)
        {
            let with = |pair: &dyn Fn(&Build) -> bool| covered.iter().any(pair);
            assert!(
                with(&|b| b.placement == a.placement && b.arrays == a.arrays),
                "{a}"
            );
            assert!(
                with(&|b| b.placement == a.placement && b.aliasing == a.aliasing),
                "{a}"
            );
            assert!(
                with(&|b| b.placement == a.placement && b.level == a.level),
                "{a}"
            );
            assert!(
                with(&|b| b.arrays == a.arrays && b.aliasing == a.aliasing),
                "{a}"
            );
            assert!(with(&|b| b.arrays == a.arrays && b.level == a.level), "{a}");
            assert!(
                with(&|b| b.aliasing == a.aliasing && b.level == a.level),
                "{a}"
            );
        }
    }

    #[test]
    fn compiled_in_sizes_are_the_extents() {
        let all = kernels(&default_folder()).unwrap();
        for item in items(&all, &request(Profile::Full)) {
            if item.build.placement == Placement::Inline {
                assert_eq!(item.sets.len(), 1);
                assert_eq!(item.sets[0].sizes, item.extents);
                assert_eq!(item.reference_arrays(), Arrays::Vla);
            } else {
                assert_eq!(item.reference_arrays(), item.build.arrays);
            }
        }
    }

    #[test]
    fn given_sizes_replace_the_sets_and_the_last_repeats() {
        let all = kernels(&default_folder()).unwrap();
        let gemm = all.iter().find(|kernel| kernel.name == "gemm").unwrap();
        let request = Request {
            sizes: Some(vec![5, 9]),
            ..request(Profile::Quick)
        };
        assert_eq!(size_sets(gemm, &request)[0].sizes, [5, 9, 9]);
    }
}
