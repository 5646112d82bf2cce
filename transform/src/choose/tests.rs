//! What is chosen for nests whose answer is known.

use super::{Compared, Original, sizes, times};
use crate::ast::generate;
use crate::cost::near;
use crate::model::{Choices, Time};
use crate::plan::{PlanOptions, plan};
use crate::schedule::{SearchOptions, search};
use crate::target::Target;
use crate::testing::sample;
use polytile_analysis::deps;
use polytile_analysis::poly::{Ctx, Set};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::original;
use std::cell::Cell;

fn zen5() -> Target {
    Target::lookup("x86_64-pc-linux-gnu", "znver5", "")
}

/// The plan's shares of the original's time on one thread and on two.
fn shares(scop: &Scop) -> (f64, f64) {
    let deps = deps::compute(scop, false).unwrap();
    let found = search(scop, &deps, &SearchOptions::default()).unwrap();
    let schedule = plan(scop, &deps, &found, &zen5(), &PlanOptions::default()).unwrap();
    let body = generate(scop, &schedule).unwrap();
    let original = Original::new(scop, &Choices::default(), &zen5()).unwrap();
    let new = original.estimated(scop, &body, &schedule, &zen5()).unwrap()[0];
    let old = original.time();
    (new.one / old.one, new.two / old.one)
}

#[test]
fn the_original_order_takes_the_original_s_time() {
    let ctx = Ctx::new();
    for name in ["gemm", "mvt", "jacobi-2d"] {
        let scop = sample(&ctx, name);
        let schedule = original(&scop).unwrap();
        let body = generate(&scop, &schedule).unwrap();
        let old = Original::new(&scop, &Choices::default(), &zen5()).unwrap();
        let new = old.estimated(&scop, &body, &schedule, &zen5()).unwrap();
        assert_eq!(new, old.times, "{name}");
        assert_eq!(old.compared(&new, false), Compared::Never, "{name}");
    }
}

#[test]
fn register_tiles_of_products_gain_several_times() {
    let ctx = Ctx::new();
    let (one, two) = shares(&sample(&ctx, "gemm"));
    assert!(one < 0.5, "{one}");
    assert!(two < 0.6 * one, "{two}");
}

#[test]
fn a_gain_at_one_size_is_none_where_another_loses() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "gemm");
    let mut original = Original::new(&scop, &Choices::default(), &zen5()).unwrap();
    original.times = vec![
        Time {
            one: 1000.0,
            two: 1000.0
        };
        2
    ];
    let new = |a: (f64, f64), b: (f64, f64)| [a, b].map(|(one, two)| Time { one, two });
    let compared = |a, b| original.compared(&new(a, b), false);
    assert_eq!(compared((800.0, 800.0), (1000.0, 1000.0)), Compared::Faster);
    assert_eq!(
        compared((800.0, 400.0), (1100.0, 1100.0)),
        Compared::ByThreads
    );
    assert_eq!(compared((800.0, 850.0), (1100.0, 1100.0)), Compared::Never);
    assert_eq!(
        compared((950.0, 500.0), (1000.0, 1000.0)),
        Compared::ByThreads
    );
    assert_eq!(compared((950.0, 950.0), (1000.0, 1000.0)), Compared::Never);
    // The second size is the small one, at which the original runs.
    let from_size = |a, b| original.compared(&new(a, b), true);
    assert_eq!(
        from_size((400.0, 400.0), (1500.0, 1500.0)),
        Compared::Faster
    );
    assert_eq!(
        from_size((600.0, 400.0), (1500.0, 900.0)),
        Compared::ByThreads
    );
}

#[test]
fn a_gain_by_threads_is_none_where_they_lose_at_another_size() {
    let mut original =
        Original::new(&sample(&Ctx::new(), "gemm"), &Choices::default(), &zen5()).unwrap();
    let time = |one: f64, two: f64| Time { one, two };
    let (large, small) = (time(1e8, 1e8), time(1e6, 1e6));
    let new = [time(1.2e8, 0.6e8), time(3e6, 1.5e6)];
    original.times = vec![large, small];
    assert_eq!(original.compared(&new, false), Compared::Never);
    // Too little for threads: the original runs.
    original.times = vec![large, time(1e4, 1e4)];
    let new = [new[0], time(3e4, 1.5e4)];
    assert_eq!(original.compared(&new, false), Compared::ByThreads);
}

#[test]
fn an_estimate_near_the_original_s_time_is_not_sure() {
    let ctx = Ctx::new();
    let mut original = Original::new(&sample(&ctx, "gemm"), &Choices::default(), &zen5()).unwrap();
    let time = |one: f64, two: f64| Time { one, two };
    original.times = vec![time(1000.0, 1000.0); 2];
    let unsure = |a, b| original.is_unsure(&[a, b]);
    assert!(unsure(time(300.0, 300.0), time(800.0, 800.0)));
    assert!(!unsure(time(300.0, 200.0), time(350.0, 300.0)));
    // Never the model's choice, but it loses little, or much.
    assert!(unsure(time(1000.0, 1000.0), time(1100.0, 1100.0)));
    assert!(!unsure(time(1000.0, 1000.0), time(1300.0, 1300.0)));
    // By threads.
    assert!(unsure(time(1000.0, 500.0), time(1300.0, 700.0)));
    assert!(!unsure(time(1000.0, 250.0), time(1000.0, 300.0)));
}

#[test]
fn parameters_that_others_bound_leave_iterations() {
    let ctx = Ctx::new();
    let mut scop = sample(&ctx, "gemm");
    let set = |text: &str| Set::parse(&ctx, text).unwrap();
    // A step of a loop around the region, and a size that is greater than its first value.
    scop.context = set("[ni, nj, nk] -> { : ni >= 0 and 0 <= nj < ni and nk > ni }");
    assert_eq!(near(&scop, 1000).unwrap(), [1000, 499, 2001]);
    // Bounds that do not depend on others are sizes.
    scop.context = set("[ni, nj, nk] -> { : 0 <= ni <= 30 and nj >= 0 and nk >= 0 }");
    assert_eq!(near(&scop, 1000).unwrap(), [30, 1000, 1000]);
}

#[test]
fn arrays_of_many_dimensions_are_judged_for_smaller_sizes() {
    let ctx = Ctx::new();
    assert_eq!(sizes(&sample(&ctx, "gemm"))[0], 1000);
    assert!(sizes(&sample(&ctx, "heat-3d"))[0] < 200);
}

#[test]
fn known_sizes_are_judged_once() {
    let asked = Cell::new(0);
    let time = |(values, holding): (&[i64], f64)| {
        asked.set(asked.get() + 1);
        let one = values[0] as f64 * holding;
        Ok(Time {
            one,
            two: one / 2.0,
        })
    };
    let times = times((&[vec![64], vec![80], vec![64]], &[1.0, 0.5]), time).unwrap();
    assert_eq!(
        times.iter().map(|t| t.one).collect::<Vec<_>>(),
        [64.0, 32.0, 80.0, 40.0, 64.0, 32.0]
    );
    assert_eq!(asked.get(), 4);
}

#[test]
fn one_thread_begins_where_a_program_gains_for_large_sizes_alone() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "jacobi-2d");
    let schedule = original(&scop).unwrap();
    let body = generate(&scop, &schedule).unwrap();
    let mut old = Original::new(&scop, &Choices::default(), &zen5()).unwrap();
    let all = |cycles: f64| Time {
        one: cycles,
        two: cycles,
    };
    old.times = vec![all(100.0); old.sizes.len()];
    let largest = *old.sizes.iter().max().unwrap();
    let from = |gains: &dyn Fn(i64) -> bool| {
        let share = |size: &i64| all(if gains(*size) { 50.0 } else { 100.0 });
        let new: Vec<Time> = old.sizes.iter().map(share).collect();
        old.alone_from((&scop, &body, &schedule), &new, &zen5())
            .unwrap()
    };
    assert_eq!(from(&|_| true), None);
    assert_eq!(from(&|_| false), None);
    // The program is the original itself, so no size between is found to gain.
    let values = from(&|size| size == largest).expect("it gains there");
    assert_eq!(values, near(&scop, largest).unwrap());
}
