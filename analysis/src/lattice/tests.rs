use super::*;
use crate::poly::{Ctx, DimType, Set};
use std::collections::{BTreeMap, BTreeSet};

fn determinant(m: &Matrix) -> i64 {
    match m.first() {
        None => 1,
        Some(first) => (0..first.len())
            .map(|c| {
                let rest = m[1..].iter().map(|row| {
                    let kept = row.iter().enumerate().filter(|(j, _)| *j != c);
                    kept.map(|(_, v)| *v).collect()
                });
                let sign = if c % 2 == 0 { 1 } else { -1 };
                sign * first[c] * determinant(&rest.collect())
            })
            .sum(),
    }
}

/// Matrices of all shapes up to 3 x 4 with small entries, from a linear congruence.
fn matrices() -> Vec<Matrix> {
    let mut seed = 7_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        i64::try_from(seed >> 33).unwrap() % 9 - 4
    };
    let mut all = vec![];
    for (rows, columns) in [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4)] {
        for _ in 0..60 {
            let row = |_| (0..columns).map(|_| next()).collect();
            all.push((0..rows).map(row).collect());
        }
    }
    all
}

#[test]
fn hermites_form_is_an_echelon_of_the_same_lattice() {
    for m in matrices() {
        let h = hermite(&m).unwrap();
        assert_eq!(product(&m, &h.unimodular).unwrap(), h.form, "{m:?}");
        assert_eq!(determinant(&h.unimodular).abs(), 1);
        for (c, &r) in h.pivots.iter().enumerate() {
            let pivot = h.form[r][c];
            assert!(pivot > 0 && h.form[r][..c].iter().all(|v| (0..pivot).contains(v)));
            assert!(h.form[..r].iter().all(|row| row[c] == 0));
        }
        assert!(
            h.form
                .iter()
                .all(|row| row[h.rank()..].iter().all(|v| *v == 0))
        );
        // What has a solution has one, and it solves.
        let x: Vec<i64> = (0..m[0].len())
            .map(|c| 3 - 2 * i64::try_from(c).unwrap())
            .collect();
        let times = |row: &Vec<i64>| row.iter().zip(&x).map(|(a, b)| a * b).sum();
        let b: Vec<i64> = m.iter().map(times).collect();
        let found = h.solve(&b).unwrap();
        let times = |row: &Vec<i64>| row.iter().zip(&found).map(|(a, b)| a * b).sum();
        assert_eq!(m.iter().map(times).collect::<Vec<i64>>(), b);
    }
    let even = hermite(&vec![vec![2, 4]]).unwrap();
    assert_eq!(even.form, [[2, 0]]);
    assert_eq!(even.solve(&[3]), None);
}

#[test]
fn smiths_form_is_diagonal_and_divides() {
    for m in matrices() {
        let s = smith(&m).unwrap();
        let left = product(&s.left, &m).unwrap();
        assert_eq!(product(&left, &s.right).unwrap(), s.form, "{m:?}");
        assert_eq!(determinant(&s.left).abs() * determinant(&s.right).abs(), 1);
        for (r, row) in s.form.iter().enumerate() {
            assert!(row.iter().enumerate().all(|(c, v)| r == c || *v == 0));
        }
        let d = s.diagonal();
        let divides = |w: &[i64]| {
            w[0] >= 0
                && if w[0] == 0 {
                    w[1] == 0
                } else {
                    w[1] % w[0] == 0
                }
        };
        assert!(
            d.windows(2).all(divides) && d.iter().all(|v| *v >= 0),
            "{d:?}"
        );
    }
    assert_eq!(
        smith(&vec![vec![1, 1], vec![1, -1]]).unwrap().diagonal(),
        [1, 2]
    );
    assert_eq!(
        smith(&vec![vec![2, 1], vec![1, -1]]).unwrap().diagonal(),
        [1, 3]
    );
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let large = i64::MAX / 2;
    let m = vec![vec![large, large - 1], vec![large - 7, 3 - large]];
    assert_eq!(hermite(&m), None);
    assert_eq!(product(&m, &m), None);
}

/// Of 81 tiles: the points of each, and how many of these are different shapes.
fn counted(normals: &[[i64; 2]], spacings: &[i64]) -> (BTreeSet<usize>, usize) {
    let mut tiles: BTreeMap<Vec<i64>, Vec<[i64; 2]>> = BTreeMap::new();
    for a in -4..5_i64 {
        for b in -4..5_i64 {
            tiles.insert(vec![a, b], vec![]);
        }
    }
    for (i, j) in (-60..60_i64).flat_map(|i| (-60..60_i64).map(move |j| (i, j))) {
        let t = normals.iter().zip(spacings);
        let t: Vec<i64> = t
            .map(|(n, s)| (n[0] * i + n[1] * j).div_euclid(*s))
            .collect();
        if let Some(points) = tiles.get_mut(&t) {
            points.push([i, j]);
        }
    }
    let shape = |points: &Vec<[i64; 2]>| -> Vec<[i64; 2]> {
        let from = points.first().copied().unwrap_or_default();
        points
            .iter()
            .map(|p| [p[0] - from[0], p[1] - from[1]])
            .collect()
    };
    let shapes: BTreeSet<Vec<[i64; 2]>> = tiles.values().map(shape).collect();
    (tiles.values().map(Vec::len).collect(), shapes.len())
}

/// the hyperplane tilings of B4, 81 tiles enumerated each.
#[test]
fn a3_hyperplane_tilings_with_and_without_translates() {
    type Case<'a> = (&'a [[i64; 2]], &'a [i64], &'a [usize], usize, bool);
    let cases: &[Case] = &[
        (&[[1, 0], [0, 1]], &[3, 2], &[6], 1, true),
        (&[[1, 0], [2, 1]], &[2, 3], &[6], 1, true),
        (&[[1, 1], [1, -1]], &[2, 2], &[2], 1, true),
        (&[[1, 1], [1, -1]], &[3, 3], &[4, 5], 2, false),
        (&[[1, 1], [1, -1]], &[4, 4], &[8], 1, true),
        (&[[1, 1], [1, -1]], &[1, 1], &[0, 1], 2, false),
        (&[[2, 1], [1, -1]], &[4, 3], &[4], 3, false),
    ];
    for (normals, spacings, points, shapes, translates) in cases {
        let tiling = Hyperplanes {
            normals: normals.iter().map(|n| n.to_vec()).collect(),
            spacings: spacings.to_vec(),
        };
        let found = counted(normals, spacings);
        assert_eq!(
            found,
            (points.iter().copied().collect(), *shapes),
            "{tiling:?}"
        );
        assert_eq!(tiling.classes().unwrap(), i64::try_from(*shapes).unwrap());
        let origins = tiling.origins().unwrap();
        assert_eq!(origins.is_some(), *translates, "{tiling:?}");
        if let Some(k) = origins {
            let reached = product(&tiling.normals, &k).unwrap();
            let step = |r: usize, c: usize| if r == c { spacings[r] } else { 0 };
            assert!((0..2).all(|r| (0..2).all(|c| reached[r][c] == step(r, c))));
        }
        let relation = tiling.relation(&Ctx::new()).unwrap();
        assert!(relation.is_single_valued().unwrap());
        assert!(
            relation
                .domain()
                .unwrap()
                .complement()
                .unwrap()
                .is_empty()
                .unwrap()
        );
    }
    // Stripes: one family.
    let stripes = Hyperplanes {
        normals: vec![vec![1, 1]],
        spacings: vec![3],
    };
    let k = stripes.origins().unwrap().unwrap();
    assert_eq!(product(&stripes.normals, &k).unwrap(), [[3]]);
    assert_eq!(stripes.classes(), Ok(1));
    let tile = stripes.relation(&Ctx::new()).unwrap().reverse().unwrap();
    let tile = tile.fix_si(DimType::In, 0, 0).unwrap().range().unwrap();
    assert!(!tile.is_bounded().unwrap());
    let same = Hyperplanes {
        normals: vec![vec![1, 1], vec![2, 2]],
        spacings: vec![2, 2],
    };
    assert_eq!(same.origins(), Err(hyperplanes::Unfit::Dependent));
    assert_eq!(same.classes(), Err(hyperplanes::Unfit::Dependent));
}

fn prototile(ctx: &Ctx, vectors: &[[i64; 2]], shape: &str) -> Prototile {
    Prototile {
        vectors: vectors.iter().map(|v| v.to_vec()).collect(),
        shape: Set::parse(ctx, shape).unwrap(),
    }
}

#[test]
fn translates_of_a_shape_cover_each_point_once_or_not() {
    let ctx = Ctx::new();
    let lattice = [[4, 0], [2, 4]];
    let cover = |shape: &str| prototile(&ctx, &lattice, shape).cover().unwrap();
    assert_eq!(
        cover("{ [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }"),
        Cover::Once
    );
    assert_eq!(
        cover("{ [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 < x - y <= 3 }"),
        Cover::Once
    );
    let Cover::Twice(point, a, b) =
        cover("{ [x, y] : -2 <= y < 2 and -3 <= x + y <= 3 and -3 <= x - y < 3 }")
    else {
        panic!("a side that two tiles share");
    };
    assert_ne!(a, b);
    for t in [a, b] {
        let (x, y) = (point[0] - 4 * t[0], point[1] - 2 * t[0] - 4 * t[1]);
        assert!((-2..2).contains(&y) && (-3..=3).contains(&(x + y)) && (-3..3).contains(&(x - y)));
    }
    let Cover::Missing(point) =
        cover("{ [x, y] : -2 <= y < 2 and -3 < x + y < 3 and -3 <= x - y < 3 }")
    else {
        panic!("a side that no tile has");
    };
    assert_eq!(point.len(), 2);
    let flat = prototile(&ctx, &[[4, 2], [2, 1]], "{ [x, y] : 0 <= x < 4 }");
    assert_eq!(flat.cover().unwrap(), Cover::Flat);
    // As many points as the lattice has classes is not enough.
    assert!(matches!(
        cover("{ [x, y] : 0 <= x < 2 and 0 <= y < 8 }"),
        Cover::Twice(..) | Cover::Missing(_)
    ));
    assert_eq!(cover("{ [x, y] : 0 <= x < 4 and 0 <= y < 4 }"), Cover::Once);
}
