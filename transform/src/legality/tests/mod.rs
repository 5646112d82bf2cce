//! Verdicts of the literature: Kelly and Pugh (1995, Fig. 1 and §5), Cohen, Girbal and Temam (2004, Fig. 1, 7, 13), and
//! tilings that are known to be legal or not.

mod cohen;
mod contracted;
mod finals;
mod kelly_pugh;
mod private;
mod random;
mod strips;
mod tiles;
mod trees;

use super::{Rule, Violation, check};
use polytile_analysis::deps::compute;
use polytile_analysis::poly::{Ctx, MultiUnionPwAff, UnionMap};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::{parse_scop, samples};
use polytile_analysis::tree::{Band, Distribution, LoopKind, Schedule, Tree};

fn scop(ctx: &Ctx, text: &str) -> Scop {
    parse_scop(ctx, text).unwrap_or_else(|e| panic!("{e}"))
}

fn sample(ctx: &Ctx, name: &str) -> Scop {
    scop(ctx, samples::text(name).unwrap())
}

fn with_params(scop: &Scop, text: &str) -> String {
    let names: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    format!("[{}] -> {text}", names.join(", "))
}

/// A band whose rows are the dimensions of a flat schedule.
fn band(scop: &Scop, map: &str, child: Tree) -> Band {
    let map = UnionMap::parse(
        scop.context.ctx(),
        &with_params(scop, &format!("{{ {map} }}")),
    )
    .unwrap();
    let schedule = MultiUnionPwAff::from_union_map(&map).unwrap();
    let n = schedule.size();
    let (coincident, loops) = (vec![false; n], vec![LoopKind::Sequential; n]);
    Band {
        schedule,
        permutable: false,
        coincident,
        loops,
        tile: None,
        child,
    }
}

fn whole(scop: &Scop, band: Band) -> Schedule {
    Schedule {
        domain: scop.domain().unwrap(),
        root: Tree::Band(Box::new(band)),
        sizes: vec![],
    }
}

fn verdict(scop: &Scop, schedule: &Schedule) -> Result<(), Violation> {
    check(scop, schedule, &compute(scop, true).unwrap())
}

/// The verdict on a flat schedule.
fn flat(scop: &Scop, map: &str) -> Result<(), Violation> {
    verdict(scop, &whole(scop, band(scop, map, Tree::Leaf)))
}

fn rule(scop: &Scop, map: &str) -> Rule {
    flat(scop, map).expect_err(map).rule
}

/// Which members of a flat schedule may run in parallel.
fn parallel_members(scop: &Scop, map: &str) -> Vec<usize> {
    let n = band(scop, map, Tree::Leaf).schedule.size();
    let parallel = |m: &usize| {
        let mut b = band(scop, map, Tree::Leaf);
        b.loops[*m] = LoopKind::Parallel(Distribution::Static);
        match verdict(scop, &whole(scop, b)) {
            Ok(()) => true,
            Err(v) => {
                assert_eq!(v.rule, Rule::NotParallel(*m));
                false
            }
        }
    };
    (0..n).filter(parallel).collect()
}
