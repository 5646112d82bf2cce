use super::system;
use crate::poly::{Ctx, DimType, Map, Set};
use crate::scan::image::{Image, image};
use crate::scan::{Row, Stop, System};
use std::collections::BTreeSet;

/// The image of a domain under subscripts given by the factors of its iterators.
fn of(ctx: &Ctx, domain: &str, subscripts: &[&[i64]]) -> Result<Image, Stop> {
    let domain = system(ctx, domain);
    let params = domain.variables - subscripts[0].len();
    let long = |s: &&[i64]| -> Row {
        let mut row = vec![0; 1 + params];
        row.extend(*s);
        row
    };
    let subscripts: Vec<Row> = subscripts.iter().map(long).collect();
    let known = (0..params).map(|p| {
        (0..=params)
            .map(|c| if c == p + 1 { 1 } else { -i64::from(c == 0) })
            .collect()
    });
    let known = System::of(params, &known.collect::<Vec<Row>>());
    image(&domain, params, &subscripts, &known)
}

/// All elements, in the order in which they are met.
fn elements(image: &Image, params: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![];
    image.run(params, &mut |e| all.push(e.to_vec()));
    all
}

/// The same by enumeration of the domain.
fn enumerated(
    ctx: &Ctx,
    domain: &str,
    subscripts: &[&[i64]],
    params: &[i64],
) -> BTreeSet<Vec<i64>> {
    let mut set = Set::parse(ctx, domain).unwrap();
    for (p, v) in params.iter().enumerate() {
        set = set.fix_si(DimType::Param, p, *v).unwrap();
    }
    let points = set
        .project_out_all_params()
        .unwrap()
        .points(100_000)
        .unwrap();
    let value = |s: &&[i64], p: &Vec<i64>| s.iter().zip(p).map(|(a, b)| a * b).sum();
    points
        .iter()
        .map(|p| subscripts.iter().map(|s| value(s, p)).collect())
        .collect()
}

/// the table of B3. Each element once, in as many loops as the image has dimensions.
#[test]
fn a2_images_are_scanned_once_per_element() {
    let ctx = Ctx::new();
    let square = "[N] -> { [i, j] : 0 <= i < N and 0 <= j < N }";
    let triangle = "[N] -> { [i, j] : 0 <= j <= i < N }";
    let cube = "[N] -> { [i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }";
    let oblong = "[N, M] -> { [i, j] : 0 <= i < N and 0 <= j < M }";
    type Case<'a> = (&'a str, &'a [&'a [i64]], usize, bool);
    let cases: &[Case] = &[
        (square, &[&[3, 5]], 1, true),
        (cube, &[&[1, 0, 2], &[0, 1, 3]], 2, true),
        (square, &[&[6, 9]], 1, true),
        (triangle, &[&[2, 0], &[1, 3]], 2, false),
        (triangle, &[&[1, -1], &[2, 1]], 2, false),
        (oblong, &[&[1, 1]], 1, false),
        (square, &[&[1, 1], &[1, 1]], 1, false),
    ];
    for (domain, subscripts, loops, guarded) in cases {
        let image = of(&ctx, domain, subscripts).unwrap();
        assert_eq!(image.loops.levels.len(), *loops, "{domain} {subscripts:?}");
        assert_eq!(
            !image.guard.is_empty(),
            *guarded,
            "{}",
            image.text(&["N", "M"], "A")
        );
        for n in 1..7 {
            let params: &[i64] = if domain.contains('M') { &[n, 4] } else { &[n] };
            let met = elements(&image, params);
            let wanted = enumerated(&ctx, domain, subscripts, params);
            assert_eq!(
                met.len(),
                wanted.len(),
                "each once: {domain} {subscripts:?}, N = {n}"
            );
            assert_eq!(met.into_iter().collect::<BTreeSet<_>>(), wanted);
        }
    }
    let counts = |domain: &str, subscripts: &[&[i64]], sizes: &[i64]| -> Vec<usize> {
        let image = of(&ctx, domain, subscripts).unwrap();
        sizes
            .iter()
            .map(|n| elements(&image, &[*n]).len())
            .collect()
    };
    assert_eq!(
        counts(square, &[&[3, 5]], &[2, 3, 4, 6, 10]),
        [4, 9, 16, 33, 65]
    );
    assert_eq!(
        counts(cube, &[&[1, 0, 2], &[0, 1, 3]], &[1, 2, 3, 4, 6]),
        [1, 8, 27, 58, 156]
    );
    assert_eq!(counts(square, &[&[1, 1], &[1, 1]], &[1, 5]), [1, 9]);
}

/// strides are in the elements, not in conditions.
#[test]
fn a2_strides_are_no_conditions() {
    let ctx = Ctx::new();
    let image = of(
        &ctx,
        "[N] -> { [i, j] : 0 <= j <= i < N }",
        &[&[1, -1], &[2, 1]],
    )
    .unwrap();
    assert_eq!(
        image.text(&["N"], "A"),
        "e1 = 0 .. N - 1\ne2 = 0 .. N - e1 - 1\nA[e1][2e1 + 3e2]\n"
    );
    let image = of(
        &ctx,
        "[N] -> { [i, j] : 0 <= i < N and 0 <= j < N }",
        &[&[6, 9]],
    )
    .unwrap();
    let text = image.text(&["N"], "A");
    assert!(
        text.starts_with("e1 = 0 .. 5N - 5\nif ceil(") && text.ends_with("\nA[3e1]\n"),
        "{text}"
    );
}

/// The image is isl's, also where the domain has an equation.
#[test]
fn images_are_those_of_isl() {
    let ctx = Ctx::new();
    let domain = "[N] -> { [i, j, k] : 0 <= i < N and 0 <= k < 5 and 2i = 3j + 1 }";
    let access = Map::parse(&ctx, "[N] -> { [i, j, k] -> [i + j, k] }").unwrap();
    let wanted = Set::parse(&ctx, domain).unwrap().apply(&access).unwrap();
    let found = of(&ctx, domain, &[&[1, 1, 0], &[0, 0, 1]]).unwrap();
    for n in 1..12 {
        let at = wanted.fix_si(DimType::Param, 0, n).unwrap();
        let at = at.project_out_all_params().unwrap();
        let mut points = at.points(1000).unwrap();
        points.sort();
        let mut met = elements(&found, &[n]);
        met.sort();
        assert_eq!(met, points, "N = {n}");
    }
    // Two variables that both need divisions are left to isl.
    let two = of(
        &ctx,
        "[N] -> { [i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < N }",
        &[&[6, 10, 15]],
    );
    assert_eq!(two, Err(Stop::Long));
}
