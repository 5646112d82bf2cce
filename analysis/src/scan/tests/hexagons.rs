use super::system;
use crate::lattice::{Cover, Prototile};
use crate::poly::{Ctx, DimType, Map, Set};
use crate::scan::echelon::{Loops, loops};
use crate::scan::eliminate::eliminate;
use crate::scan::{Row, System};
use std::collections::BTreeSet;

const SHAPE: &str = "{ [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }";

/// Parameter, tile, point: `[N] -> { [t1, t2, i, j] }`.
const POINTS: &str = "[N] -> { [t1, t2, i, j] : 1 <= j <= i <= N and -2 <= j - 2t1 - 4t2 < 2 and \
    -3 <= i + j - 6t1 - 4t2 < 3 and -3 <= i - j - 2t1 + 4t2 < 3 }";

fn hexagons(ctx: &Ctx) -> Prototile {
    Prototile {
        vectors: vec![vec![4, 0], vec![2, 4]],
        shape: Set::parse(ctx, SHAPE).unwrap(),
    }
}

fn nest(ctx: &Ctx) -> Loops {
    let known = System::of(1, &[vec![-1, 1]]);
    loops(&system(ctx, POINTS), 1, &known).unwrap()
}

/// the loops of B2, bound for bound.
#[test]
fn a1_hexagons_have_the_bounds_of_the_paper() {
    let ctx = Ctx::new();
    assert_eq!(hexagons(&ctx).cover().unwrap(), Cover::Once);
    assert_eq!(hexagons(&ctx).shape.count(100).unwrap(), 16);
    let nest = nest(&ctx);
    let kept: Vec<usize> = nest
        .levels
        .iter()
        .map(|l| l.lower.len() + l.upper.len())
        .collect();
    assert_eq!(
        kept,
        [3, 4, 7, 7],
        "{}",
        nest.text(&["N", "t1", "t2", "i", "j"]).unwrap()
    );
    let bounds = |at: usize| {
        let of = |sides: &[crate::scan::Bound]| -> BTreeSet<(i64, Row)> {
            sides.iter().map(|b| (b.factor, b.value.clone())).collect()
        };
        (of(&nest.levels[at].lower), of(&nest.levels[at].upper))
    };
    let set = |rows: &[(i64, &[i64])]| -> BTreeSet<(i64, Row)> {
        rows.iter().map(|(f, r)| (*f, r.to_vec())).collect()
    };
    // Rows of the constant, N and outer loops; B2 in the same order.
    assert_eq!(
        bounds(0),
        (set(&[(1, &[0, 0])]), set(&[(4, &[3, 1]), (8, &[4, 3])]))
    );
    assert_eq!(
        bounds(1),
        (
            set(&[(4, &[-2, -1, 2]), (2, &[0, 0, -1])]),
            set(&[(2, &[1, 0, 1]), (2, &[1, 1, -3])])
        )
    );
    assert_eq!(
        bounds(2),
        (
            set(&[
                (1, &[1, 0, 0, 0]),
                (1, &[-3, 0, 4, 0]),
                (1, &[-2, 0, 2, -4]),
                (1, &[-1, 0, 3, 2])
            ]),
            set(&[(1, &[0, 1, 0, 0]), (1, &[2, 0, 4, 0]), (1, &[1, 0, 6, 4])])
        )
    );
    assert_eq!(
        bounds(3),
        (
            set(&[
                (1, &[1, 0, 0, 0, 0]),
                (1, &[-3, 0, 6, 4, -1]),
                (1, &[-2, 0, -2, 4, 1])
            ]),
            set(&[
                (1, &[0, 0, 0, 0, 1]),
                (1, &[1, 0, 2, 4, 0]),
                (1, &[2, 0, 6, 4, -1]),
                (1, &[3, 0, -2, 4, 1])
            ])
        )
    );
}

/// each point once, by tiles; the tiles that have points are those of the paper.
#[test]
fn a1_hexagons_meet_each_point_once() {
    let ctx = Ctx::new();
    let nest = nest(&ctx);
    let set = Set::parse(&ctx, POINTS).unwrap();
    let exact = set.project_out(DimType::Set, 2, 2).unwrap();
    let printed = "[N] -> { [t1, t2] : N >= 1 and 4t1 <= N + 3 and -t1 <= 2t2 <= t1 + 1 and 2t2 <= N + 1 - 3t1 and 4t2 >= 2t1 - N - 2 }";
    assert!(exact.is_equal(&Set::parse(&ctx, printed).unwrap()).unwrap());
    let rational = eliminate(&eliminate(&system(&ctx, POINTS), 4).unwrap(), 3).unwrap();
    for (n, tiles) in [
        (1, 1),
        (2, 2),
        (5, 4),
        (8, 6),
        (12, 10),
        (20, 21),
        (50, 104),
    ] {
        let mut found = vec![];
        nest.run(&[n], &mut |p| found.push(p[1..].to_vec()));
        let points: BTreeSet<Vec<i64>> = found.iter().map(|p| p[2..].to_vec()).collect();
        let wanted = usize::try_from(n * (n + 1) / 2).unwrap();
        assert_eq!((points.len(), found.len()), (wanted, wanted), "N = {n}");
        let visited: BTreeSet<Vec<i64>> = found.iter().map(|p| p[..2].to_vec()).collect();
        assert_eq!(visited.len(), tiles, "N = {n}");
        let shadow = (-60..60).flat_map(|a| (-60..60).map(move |b| [n, a, b, 0, 0]));
        assert_eq!(
            shadow.filter(|p| rational.holds(p)).count(),
            tiles,
            "plain elimination is exact here"
        );
    }
}

/// full tiles, and what one reads.
#[test]
fn a1_full_hexagons_and_the_elements_that_they_read() {
    let ctx = Ctx::new();
    let domain = Set::parse(&ctx, "[N] -> { [i, j] : 1 <= j <= i <= N }").unwrap();
    let tile = hexagons(&ctx).relation().unwrap().reverse().unwrap();
    let inside = Map::from_domain_and_range(&tile.domain().unwrap(), &domain).unwrap();
    let full = tile
        .domain()
        .unwrap()
        .subtract(&tile.subtract(&inside).unwrap().domain().unwrap())
        .unwrap();
    let printed = Set::parse(
        &ctx,
        "[N] -> { [t1, t2] : 4t1 <= N - 2 and 2 - t1 <= 2t2 <= t1 - 2 }",
    )
    .unwrap();
    assert!(full.is_equal(&printed).unwrap(), "{full}");
    let at = full.fix_si(DimType::Param, 0, 50).unwrap();
    assert_eq!(
        at.project_out_all_params().unwrap().count(1000).unwrap(),
        61
    );

    let star =
        "{ [i, j] -> [a, b] : (a = i and j - 1 <= b <= j + 1) or (b = j and i - 1 <= a <= i + 1) }";
    let read = hexagons(&ctx)
        .shape
        .apply(&Map::parse(&ctx, star).unwrap())
        .unwrap();
    let read = read.coalesce().unwrap();
    assert_eq!((read.count(100).unwrap(), read.n_basic_set()), (30, 1));
    let known = System::new(0);
    let nest = loops(
        &System::of_set(&read.basic_sets().unwrap()[0])
            .unwrap()
            .unwrap(),
        0,
        &known,
    )
    .unwrap();
    assert_eq!(
        nest.text(&["a", "b"]).unwrap(),
        "a = -4 .. 3\nb = max(a - 3, -a - 4) .. min(a + 4, -a + 3, 2)\n"
    );
    let mut found = vec![];
    nest.run(&[], &mut |p| found.push(p.to_vec()));
    let mut wanted = read.points(100).unwrap();
    wanted.sort();
    assert_eq!(found, wanted);
}

/// B2: fronts inside of a tile are the same system in another basis.
#[test]
fn fronts_inside_a_hexagon() {
    let ctx = Ctx::new();
    let nest = loops(
        &system(&ctx, "[o1, o2] -> { [f, j] : -2 <= j - o2 < 2 and -3 <= f - o1 - o2 < 3 and -3 <= f - 2j - o1 + o2 < 3 }"),
        2,
        &System::new(2),
    )
    .unwrap();
    assert_eq!(nest.levels[0].ends(&[8, 4]), (9, 14));
    let floor = |f: i64| (8 + 4 + f + 1).div_euclid(2);
    for f in 9..=14 {
        let ends = (
            i128::from(-8 + floor(f) - 1),
            i128::from((4 + 1).min(-8 + floor(f) + 1)),
        );
        assert_eq!(nest.levels[1].ends(&[8, 4, f]), ends, "f = {f}");
    }
}
