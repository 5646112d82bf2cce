//! Random SCoPs with random schedules: programs run every instance once, in the order of the schedule.

use super::{AstOptions, Separation, generate_with};
use crate::testing::{bare_scop, flat_schedule, instances, run};
use crate::tile::{BandTiling, Size, bands, tile};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Distribution, LoopKind, Schedule};

/// Deterministic small numbers.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number in `0..below`.
    pub fn next(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        ((self.0 >> 33) as i64) % below
    }
}

const ITERATORS: [&str; 3] = ["i", "j", "k"];

/// A statement's domain: each iterator between 0 and an expression of the outer ones.
fn domain(n: &mut Numbers, stmt: usize, depth: usize) -> String {
    let mut bounds = vec![];
    for d in 0..depth {
        let upper = match n.next(5) {
            0 => "n".to_owned(),
            1 => "m".to_owned(),
            2 => format!("n - {}", n.next(4)),
            3 if d > 0 => ITERATORS[d - 1].to_owned(),
            4 if d > 0 => format!("min(m, n - {})", ITERATORS[d - 1]),
            _ => format!("{}", 2 + n.next(4)),
        };
        bounds.push(format!("0 <= {0} < {upper}", ITERATORS[d]));
    }
    if depth > 1 && n.next(4) == 0 {
        bounds.push(format!("i + j >= {}", n.next(4)));
    }
    let tuple = ITERATORS[..depth].join(", ");
    format!("{{ S{stmt}[{tuple}] : {} }}", bounds.join(" and "))
}

/// Three affine rows that tell all instances of a statement apart, and a position.
fn rows(n: &mut Numbers, stmt: usize, depth: usize) -> String {
    let mut iterators: Vec<&str> = ITERATORS[..depth].to_vec();
    let mut rows: Vec<String> = vec![];
    for d in 0..3 {
        if iterators.is_empty() {
            let after = if rows.is_empty() { "0" } else { "n" };
            rows.push(format!("{after} + {}", n.next(2)));
            continue;
        }
        let pick = n.next(iterators.len() as i64) as usize;
        let it = iterators.remove(pick);
        let sign = if n.next(5) == 0 { "-" } else { "" };
        let skew = match d {
            0 => 0,
            _ => n.next(3) - 1,
        };
        let first = rows.first().cloned().unwrap_or_default();
        let mut row = format!("{sign}{it} + {}", n.next(3) - 1);
        if skew != 0 && d > 0 {
            row = format!("{row} + {skew} * ({first})");
        }
        rows.push(row);
    }
    let tuple = ITERATORS[..depth].join(", ");
    format!("S{stmt}[{tuple}] -> [{}, {stmt}]", rows.join(", "))
}

fn case(ctx: &Ctx, seed: u64) -> (Scop, Schedule) {
    let n = &mut Numbers(seed);
    let count = 1 + n.next(3) as usize;
    let (mut domains, mut maps) = (vec![], vec![]);
    for stmt in 0..count {
        let depth = 1 + n.next(3) as usize;
        domains.push((
            domain(n, stmt, depth),
            vec![stmt.to_string(); depth + 1].join(" "),
        ));
        maps.push(rows(n, stmt, depth));
    }
    let texts: Vec<(&str, &str)> = domains.iter().map(|(d, b)| (&d[..], &b[..])).collect();
    let scop = bare_scop(ctx, "n m", "{ : n >= 0 and m >= 0 }", &texts);
    let schedule = flat_schedule(&scop, &format!("{{ {} }}", maps.join("; ")));
    (scop, schedule)
}

#[test]
fn untiled_programs_follow_the_schedule() {
    let ctx = Ctx::new();
    for seed in 0..60 {
        let (scop, schedule) = case(&ctx, seed);
        let times = schedule.flat().unwrap();
        let separation = [Separation::Auto, Separation::Never, Separation::Always];
        let options = AstOptions {
            separation: separation[seed as usize % 3],
            ..AstOptions::default()
        };
        let ast = generate_with(&scop, &schedule, &options).unwrap().body;
        for params in [[0, 3], [4, 0], [5, 4], [3, 6]] {
            let order = run(&ast, &params, &[]);
            let mut sorted = order.clone();
            sorted.sort();
            assert_eq!(
                sorted,
                instances(&scop, &params),
                "seed {seed} {params:?}\n{ast}"
            );
            let at = |x: &(StmtId, Vec<i64>)| crate::testing::time_of(&times, x, &params);
            let when: Vec<Vec<i64>> = order.iter().map(at).collect();
            assert!(when.is_sorted(), "seed {seed} {params:?}\n{ast}");
        }
    }
}

#[test]
fn tiled_programs_are_complete() {
    let ctx = Ctx::new();
    for seed in 100..160 {
        let (scop, schedule) = case(&ctx, seed);
        let n = &mut Numbers(seed);
        let tilings = bands(&schedule.root).into_iter().map(|b| {
            let size = |n: &mut Numbers| match n.next(4) {
                0 => Size::Whole,
                1 => Size::Const(1 + n.next(4)),
                _ => Size::Runtime {
                    default: 4,
                    multiple_of: 1,
                },
            };
            let sizes: Vec<Size> = (0..b.schedule.size()).map(|_| size(n)).collect();
            let wave = sizes.len() >= 2 && !sizes[..2].contains(&Size::Whole) && n.next(2) == 0;
            let mut loops = vec![LoopKind::Sequential; sizes.len()];
            if wave && n.next(2) == 0 {
                loops[n.next(2) as usize] = LoopKind::Parallel(Distribution::Pipelined);
            }
            Some(BandTiling {
                levels: vec![sizes],
                loops,
                wavefront: if wave { vec![0, 1] } else { vec![] },
                ..BandTiling::default()
            })
        });
        let tilings: Vec<_> = tilings.collect();
        let tiled = tile(&scop, &schedule, &tilings);
        let ast = generate_with(&scop, &tiled, &AstOptions::default())
            .unwrap()
            .body;
        for params in [[0, 3], [5, 4], [3, 6]] {
            let sizes: Vec<i64> = tiled.sizes.iter().map(|_| 1 + n.next(7)).collect();
            let mut order = run(&ast, &params, &sizes);
            order.sort();
            let wanted = instances(&scop, &params);
            assert!(order == wanted, "seed {seed} {params:?} {sizes:?}\n{ast}");
        }
    }
}
