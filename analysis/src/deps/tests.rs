//! Dependences of known nests.

use super::{Dependences, compute};
use crate::poly::Ctx;
use crate::scop::Scop;
use crate::text::{parse_scop, samples};

fn sample(ctx: &Ctx, name: &str) -> Scop {
    parse_scop(ctx, samples::text(name).unwrap()).unwrap()
}

fn deps(scop: &Scop) -> Dependences {
    compute(scop, false).unwrap()
}

#[test]
fn counts_of_known_nests() {
    let ctx = Ctx::new();
    let mut wrong = vec![];
    for (name, count) in [
        ("gemm", 2),
        ("lu", 10),
        ("jacobi-2d", 12),
        ("heat-3d", 16),
        ("seidel-2d", 9),
        ("fdtd-2d", 14),
        ("floyd-warshall", 9),
        ("nussinov", 27),
        ("doitgen", 18),
        ("durbin", 39),
    ] {
        let found = deps(&sample(&ctx, name)).list.len();
        if found != count {
            wrong.push((name, count, found));
        }
    }
    assert!(wrong.is_empty(), "(name, expected, found): {wrong:?}");
}
