//! D-5: random instances of the programs of Table 1, with sizes of the table, sequential and pipelined; one element less fails.

use super::super::super::cells::Subscripts;
use super::super::{Schedule, Steps};
use super::{Instance, differs};
use crate::ast::random::Numbers;
use polytile_analysis::memory::lifetimes::{Overlap, conflicts, live};
use polytile_analysis::memory::modulo::{Sizes, sizes};
use polytile_analysis::memory::samples::{Sample, sample};
use polytile_analysis::memory::tiling::{Order, Tiling};
use polytile_analysis::memory::touched::{Accesses, Touched};
use polytile_analysis::memory::transfers::{Transfers, exact};
use polytile_analysis::memory::unbounded::sizes_of_any_domain;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use std::collections::{BTreeMap, BTreeSet};

/// Random instances of each program.
const INSTANCES: usize = 50;

/// A program with what its tiles move and hold.
struct Case {
    scop: Scop,
    tiling: Tiling,
    transfers: Transfers,
    /// Sequential and pipelined.
    sizes: [BTreeMap<String, Sizes>; 2],
}

impl Case {
    /// With sizes for the program's domain, or for any.
    fn new(sample: &Sample, strip: usize, any: bool) -> Case {
        let ctx = Ctx::new();
        let scop = sample.scop(&ctx);
        let tiling = sample.tiling(&scop).unwrap().with_strip(strip);
        let least = tiling.sizes_from(1).unwrap();
        let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
        let transfers = exact(&tiling, &touched, Order::Anywhere, None).unwrap();
        let sizes = [Overlap::Sequential, Overlap::Pipelined].map(|overlap| {
            if any {
                let found = sizes_of_any_domain(&tiling, &scop, |_| true, &least, overlap);
                return found.unwrap().unwrap();
            }
            let live = live(&tiling, &touched.all).unwrap();
            let conflicts = conflicts(&tiling, &live, &transfers, overlap).unwrap();
            sizes(&conflicts, &least).unwrap()
        });
        Case {
            scop,
            tiling,
            transfers,
            sizes,
        }
    }

    fn steps(&self, at: &Instance) -> Steps {
        Steps::new(&self.scop, &self.tiling, &self.transfers, &at.values()).unwrap()
    }
}

/// Asserts that each tile loads and stores what the definition says: what it reads first in its strip, and what it writes last in it.
fn check_definition(case: &Case, at: &Instance, steps: &Steps) {
    let subscripts: Vec<Vec<Subscripts>> = (case.scop.stmts.iter())
        .map(|s| {
            s.accesses
                .iter()
                .map(|a| Subscripts::new(&a.relation, &at.params).unwrap())
                .collect()
        })
        .collect();
    let cell = |s: usize, a: usize, i: &[i64]| {
        let array = case.scop.stmts[s].accesses[a].array;
        (array, subscripts[s][a].at(i).unwrap().unwrap())
    };
    for strip in &steps.strips {
        let mut held = BTreeSet::new();
        let mut last = BTreeMap::new();
        for (k, step) in strip.iter().enumerate() {
            let mut load = BTreeSet::new();
            for (s, i) in &step.instances {
                let stmt = case.scop.stmt(*s);
                for a in stmt.first_read()..stmt.accesses.len() {
                    let read = cell(s.index(), a, i);
                    if held.insert(read.clone()) {
                        load.insert(read);
                    }
                }
                for a in 0..stmt.first_read() {
                    let written = cell(s.index(), a, i);
                    held.insert(written.clone());
                    last.insert(written, k);
                }
            }
            assert_eq!(step.load, load, "{:?}", at.named);
        }
        for (k, step) in strip.iter().enumerate() {
            let store = last.iter().filter(|(_, at)| **at == k);
            let store: BTreeSet<_> = store.map(|(cell, _)| cell.clone()).collect();
            assert_eq!(step.store, store, "{:?}", at.named);
        }
    }
}

/// Runs instances of a program.
fn check(name: &str, strip: usize, any: bool, most: i64) {
    let case = Case::new(&sample(name), strip, any);
    let mut numbers = Numbers(name.len() as u64 + 7);
    // Sizes over one, and those of them of which one less gave other results.
    let (mut all, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for n in 0..INSTANCES {
        let at = Instance::random(&case.scop, &case.tiling, &mut numbers, most);
        let steps = case.steps(&at);
        check_definition(&case, &at, &steps);
        let schedules = [Schedule::Sequential, Schedule::Pipelined(n as u64)];
        for (sizes, schedule) in case.sizes.iter().zip(schedules) {
            let moduli = at.moduli(&case.scop, sizes);
            let differs = |moduli: &[_]| differs(&case.scop, &steps, &at, moduli, schedule);
            let place = format!("{name} {:?} {:?} {moduli:?}", at.named, at.offset);
            assert!(!differs(&moduli), "{place}");
            for (array, d) in folded(&moduli) {
                let key = (
                    case.scop.arrays[array].name.clone(),
                    d,
                    schedule == Schedule::Sequential,
                );
                let mut less = moduli.clone();
                less[array][d] -= 1;
                if !needed.contains(&key) && differs(&less) {
                    needed.insert(key.clone());
                }
                all.insert(key);
            }
        }
    }
    assert_eq!(all, needed, "{name}: sizes of which one less is not enough");
}

/// Arrays and dimensions with more than one cell, and fewer than elements.
fn folded(moduli: &[Vec<i64>]) -> Vec<(usize, usize)> {
    let of = |(array, sizes): (usize, &Vec<i64>)| {
        let some = |m: i64| m > 1 && m < super::EVERYTHING;
        let dims = sizes.iter().enumerate();
        let dims = dims.filter(|(_, m)| some(**m)).map(|(d, _)| (array, d));
        dims.collect::<Vec<_>>()
    };
    moduli.iter().enumerate().flat_map(of).collect()
}

#[test]
fn d5_stencils() {
    check("jacobi-1d", 1, false, 14);
    check("jacobi-1d", 2, false, 14);
}

#[test]
fn d5_stencils_of_planes() {
    check("jacobi-2d", 1, true, 7);
    check("seidel-2d", 1, true, 7);
    check("fdtd-2d", 1, true, 7);
}

#[test]
fn d5_products() {
    check("gemm", 1, false, 7);
    check("gemm", 2, false, 7);
    check("gemm", 3, false, 7);
    check("syrk", 1, false, 7);
    check("syr2k", 1, false, 7);
    check("doitgen", 1, false, 6);
    check("trmm", 1, false, 9);
}

#[test]
fn d5_vectors_and_factorizations() {
    check("mvt-1", 1, false, 10);
    check("mvt-2", 1, false, 10);
    check("atax", 1, false, 10);
    check("trisolv", 1, false, 10);
    check("lu", 1, false, 8);
    check("floyd-warshall", 1, false, 10);
}

#[test]
fn c3_small_programs_and_large_tiles() {
    for name in ["jacobi-1d", "gemm", "trisolv", "atax"] {
        let case = Case::new(&sample(name), 1, false);
        let count = case.scop.params.len();
        for n in 0..4 {
            for (size, offset) in [(1, 0), (2, -7), (5, 3), (9, -1)] {
                let names = case.scop.params.iter().map(|p| p.name.clone());
                let params = vec![n; count];
                let mut named: BTreeMap<String, i64> = names.zip(params.clone()).collect();
                named.extend(case.tiling.params().iter().map(|s| ((*s).to_owned(), size)));
                let offset = vec![offset; case.tiling.sides.len()];
                let at = Instance {
                    named,
                    params,
                    offset,
                };
                let steps = case.steps(&at);
                check_definition(&case, &at, &steps);
                for (sizes, schedule) in case
                    .sizes
                    .iter()
                    .zip([Schedule::Sequential, Schedule::Pipelined(1)])
                {
                    let moduli = at.moduli(&case.scop, sizes);
                    let place = format!("{name} {:?} {moduli:?}", at.named);
                    assert!(
                        !differs(&case.scop, &steps, &at, &moduli, schedule),
                        "{place}"
                    );
                }
            }
        }
    }
}
