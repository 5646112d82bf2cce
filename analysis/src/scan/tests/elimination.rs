use super::{Chance, system};
use crate::poly::{Ctx, DimType, Set};
use crate::scan::System;
use crate::scan::eliminate::{eliminate, implies, project};

/// The values of `y` by plain elimination of `x`, and by T1.
fn values(system: &System) -> (Vec<i64>, Vec<i64>, usize) {
    let p = project(system, 0).unwrap();
    let plain = (-60..=60).filter(|y| p.plain.holds(&[0, *y]));
    let exact = (-60..=60)
        .filter(|y| p.plain.holds(&[0, *y]) && p.pseudo.iter().all(|q| q.holds(&[0, *y])));
    (plain.collect(), exact.collect(), p.pseudo.len())
}

/// the table of exactness at the end of B3.
#[test]
fn a6_where_pairwise_elimination_is_exact() {
    let ctx = Ctx::new();
    let of = |text: &str| values(&system(&ctx, &format!("{{ [x, y] : {text} }}")));
    let (plain, exact, pseudo) = of("3x <= y <= 3x + 1 and 0 <= x <= 5");
    assert_eq!((plain.len(), exact.len(), pseudo), (17, 12, 1));
    let (plain, exact, pseudo) = of("3x <= y <= 3x + 2 and 0 <= x <= 5");
    assert_eq!((plain.len(), pseudo), (18, 0));
    assert_eq!(plain, exact);
    for c in [1, 4, 5] {
        let (plain, exact, pseudo) = of(&format!("2x <= y + {c} and 3x >= y and 0 <= y <= 20"));
        assert_eq!(pseudo, 0);
        assert_eq!((plain.len(), plain), (21, exact), "c = {c}");
    }
    // Without a bound on y the slack does not follow.
    assert_eq!(of("2x <= y + 1 and 3x >= y and -20 <= y <= 20").2, 1);
}

#[test]
fn divisions_make_the_projection_that_of_isl() {
    let ctx = Ctx::new();
    let mut chance = Chance(3);
    let mut inexact = 0;
    for _ in 0..300 {
        let mut s = system(&ctx, "{ [x, y] : -40 <= y <= 40 and -30 <= x <= 30 }");
        for _ in 0..3 {
            s.add(vec![
                chance.between(-9, 9),
                chance.between(-4, 4),
                chance.between(-3, 3),
            ]);
        }
        if s.void {
            continue;
        }
        let (plain, exact, pseudo) = values(&s);
        let wanted: Vec<i64> = (-60..=60)
            .filter(|y| (-30..=30).any(|x| s.holds(&[x, *y])))
            .collect();
        assert_eq!(exact, wanted, "{s:?}");
        assert!(wanted.iter().all(|y| plain.contains(y)));
        assert!(pseudo > 0 || plain == wanted, "T2 of {s:?}");
        inexact += usize::from(plain != wanted);
    }
    assert!(inexact > 10, "{inexact} systems needed divisions");
}

#[test]
fn what_follows_is_found_by_elimination() {
    let ctx = Ctx::new();
    let s = system(&ctx, "[n] -> { [i, j] : 1 <= j <= i <= n }");
    assert_eq!(implies(&s, &vec![-1, 1, 0, 0]), Ok(true));
    assert_eq!(implies(&s, &vec![-2, 1, 0, 0]), Ok(false));
    assert_eq!(implies(&s, &vec![0, 1, 0, -1]), Ok(true));
    // Rationally 1 <= 4i <= 3 has points; the rounded constants see that no integer is one.
    let none = System::of(1, &[vec![-1, 4], vec![3, -4]]);
    assert!(!none.void && eliminate(&none, 0).unwrap().void);
    let free = eliminate(&s, 1).unwrap();
    let rows = Set::parse(&ctx, "[n] -> { [i, j] : 1 <= j <= n }").unwrap();
    let isl = rows.project_out(DimType::Set, 0, 1).unwrap();
    for n in 0..6 {
        for j in -2..8 {
            let there = isl
                .fix_si(DimType::Param, 0, n)
                .unwrap()
                .fix_si(DimType::Set, 0, j)
                .unwrap();
            assert_eq!(free.holds(&[n, 99, j]), !there.is_empty().unwrap());
        }
    }
}
