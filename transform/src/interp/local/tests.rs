//! D-5 and D-6 of the paper's cases: tiles with local memories compute what the program computes, and with one element less, or with loads that are too late, they do not.

mod approximated;
mod exact;

use super::super::Memory;
use super::{Schedule, Steps, Values, differences, original_of};
use crate::ast::random::Numbers;
use polytile_analysis::memory::modulo::Sizes;
use polytile_analysis::memory::tiling::Tiling;
use polytile_analysis::poly::{DimType, PwAff};
use polytile_analysis::scop::Scop;
use std::collections::BTreeMap;

/// More elements than an array has.
const EVERYTHING: i64 = 1 << 20;

/// Values of the parameters and sizes, and an origin of the lattice.
struct Instance {
    named: BTreeMap<String, i64>,
    params: Vec<i64>,
    offset: Vec<i64>,
}

impl Instance {
    /// Parameters from `least` on, so many; sizes of 1 to 4.
    fn random(scop: &Scop, tiling: &Tiling, numbers: &mut Numbers, most: i64) -> Instance {
        let params: Vec<i64> = scop.params.iter().map(|_| 1 + numbers.next(most)).collect();
        let names = scop.params.iter().map(|p| p.name.clone());
        let mut named: BTreeMap<String, i64> = names.zip(params.iter().copied()).collect();
        for size in tiling.params() {
            named.insert(size.to_owned(), 1 + numbers.next(4));
        }
        let offset = tiling.sides.iter().map(|_| numbers.next(21) - 10).collect();
        Instance {
            named,
            params,
            offset,
        }
    }

    fn values(&self) -> Values<'_> {
        Values {
            named: &self.named,
            offset: &self.offset,
        }
    }

    /// Sizes of local memories as numbers. What has no size has all elements; what is not accessed has one.
    fn moduli(&self, scop: &Scop, sizes: &BTreeMap<String, Sizes>) -> Vec<Vec<i64>> {
        let of = |size: &Option<PwAff>| size.as_ref().map_or(EVERYTHING, |s| self.value(s));
        let of_array = |name: &String| match sizes.get(name) {
            Some(sizes) => sizes.moduli.iter().map(of).collect(),
            None => vec![],
        };
        scop.arrays.iter().map(|a| of_array(&a.name)).collect()
    }

    /// The value of a function of the parameters; 1 where it has none.
    fn value(&self, function: &PwAff) -> i64 {
        let mut here = function.domain().unwrap();
        for p in 0..here.dim(DimType::Param) {
            let name = here.dim_name(DimType::Param, p).unwrap();
            here = here.fix_si(DimType::Param, p, self.named[&name]).unwrap();
        }
        let value = function.intersect_params(&here).unwrap().max_val().unwrap();
        value.as_i64().unwrap_or(1)
    }
}

/// Whether tiles with local memories of these sizes give another memory than the program.
fn differs(
    scop: &Scop,
    steps: &Steps,
    at: &Instance,
    moduli: &[Vec<i64>],
    schedule: Schedule,
) -> bool {
    let all = |_: &super::Instance| true;
    let found = steps.run(scop, &at.params, moduli, schedule, &all).unwrap();
    let expected = original_of(scop, &at.params, &all).unwrap();
    are_different(scop, &found, &expected)
}

fn are_different(scop: &Scop, a: &Memory, b: &Memory) -> bool {
    differences(scop, a, b).unwrap() > 0
}
