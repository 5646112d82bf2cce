use super::{Chance, system};
use crate::poly::{Ctx, DimType, Set};
use crate::scan::{System, echelon::loops};

/// each point of random systems once and in order, with the bounds of isl's projections.
#[test]
fn a5_row_echelon_bounds_are_those_of_isl() {
    let ctx = Ctx::new();
    let mut chance = Chance(11);
    let (mut points, mut equal, mut wider) = (0, 0, 0);
    for round in 0..120 {
        let depth = 2 + round % 2;
        let mut text = vec![];
        let iterators: Vec<String> = (0..depth).map(|d| format!("i{d}")).collect();
        for i in &iterators {
            text.push(format!(
                "{} <= {i} <= {}",
                chance.between(-3, 1),
                chance.between(2, 6)
            ));
        }
        for _ in 0..3 {
            let mut sum = format!("{}", chance.between(-2, 8));
            for i in &iterators {
                sum += &format!(" - {} * {i}", chance.between(-3, 3));
            }
            text.push(format!("{sum} + {} * n >= 0", chance.between(0, 1)));
        }
        let text = format!(
            "[n] -> {{ [{}] : {} }}",
            iterators.join(", "),
            text.join(" and ")
        );
        let set = Set::parse(&ctx, &text).unwrap();
        if set.is_empty().unwrap() {
            continue;
        }
        let nest = loops(&system(&ctx, &text), 1, &System::new(1)).unwrap();
        for n in 0..4 {
            let fixed = set
                .fix_si(DimType::Param, 0, n)
                .unwrap()
                .project_out_all_params()
                .unwrap();
            let mut wanted = fixed.points(10_000).unwrap();
            wanted.sort();
            let mut found = vec![];
            nest.run(&[n], &mut |p| found.push(p[1..].to_vec()));
            assert_eq!(found, wanted, "{text} with n = {n}");
            points += found.len();
            for p in &wanted {
                for d in 0..depth {
                    let mut here = fixed.clone();
                    for (at, v) in p[..d].iter().enumerate() {
                        here = here.fix_si(DimType::Set, at, *v).unwrap();
                    }
                    let (least, most) = here.dim_ends(d).unwrap();
                    let ends = (i128::from(least.unwrap()), i128::from(most.unwrap()));
                    let mut outer = vec![n];
                    outer.extend(&p[..d]);
                    let own = nest.levels[d].ends(&outer);
                    assert!(own.0 <= ends.0 && own.1 >= ends.1, "loop {d} of {text}");
                    assert!(d + 1 < depth || own == ends, "the innermost loop of {text}");
                    equal += usize::from(own == ends);
                    wider += usize::from(own != ends);
                }
            }
        }
    }
    assert!(
        points > 2000 && equal > 20 * wider,
        "{points} points, {equal} equal, {wider} wider"
    );
}

#[test]
fn bounds_read_like_loops_and_none_is_idle() {
    let ctx = Ctx::new();
    let triangle = system(
        &ctx,
        "[n, m] -> { [i, j] : 1 <= i <= n and 1 <= j <= i and i + j <= m and j <= n + 5 }",
    );
    let nest = loops(
        &triangle,
        2,
        &System::of(2, &[vec![-1, 1, 0], vec![-2, 0, 1]]),
    )
    .unwrap();
    assert_eq!(
        nest.text(&["n", "m", "i", "j"]).unwrap(),
        "i = 1 .. min(n, m - 1)\nj = 1 .. min(i, m - i)\n"
    );
    assert!(nest.guard.is_empty(), "known of the parameters");
    // Nothing is known: the loops are entered where there is a point.
    let nest = loops(&triangle, 2, &System::new(2)).unwrap();
    let mut found = 0;
    nest.run(&[0, 5], &mut |_| found += 1);
    nest.run(&[5, 1], &mut |_| found += 1);
    assert_eq!((found, nest.guard.is_empty()), (0, false));
    // A loop without an end is none.
    assert!(loops(&system(&ctx, "{ [i] : i >= 0 }"), 0, &System::new(0)).is_err());
    // Neither is one over nothing.
    let between = [
        vec![0, 1, 0],
        vec![5, -1, 0],
        vec![-1, -1, 1],
        vec![0, 1, -1],
    ];
    let void = loops(&System::of(2, &between), 0, &System::new(0)).unwrap();
    void.run(&[], &mut |p| panic!("{p:?}"));
}
