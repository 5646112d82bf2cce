use super::{Chance, system};
use crate::poly::{Ctx, Map, Set};
use crate::scan::boxes::{Side, Tiles, tiles};
use crate::scan::{Row, System};

/// A system over parameters and coordinates as a set.
fn set_of(ctx: &Ctx, s: &System, params: &[&str], dims: usize) -> Set {
    let names: Vec<String> = (0..dims).map(|d| format!("I{d}")).collect();
    let all: Vec<String> = params
        .iter()
        .map(|p| (*p).to_owned())
        .chain(names.clone())
        .collect();
    let row = |r: &Row| {
        let mut text = format!("{}", r[0]);
        for (c, n) in r[1..].iter().zip(&all) {
            text += &format!(" - {} * {n}", -c);
        }
        format!("{text} >= 0")
    };
    let mut rows: Vec<String> = s.rows.iter().map(row).collect();
    if s.void {
        rows.push("1 = 0".to_owned());
    }
    let condition = if rows.is_empty() {
        String::new()
    } else {
        format!(": {}", rows.join(" and "))
    };
    Set::parse(
        ctx,
        &format!(
            "[{}] -> {{ [{}] {condition} }}",
            params.join(", "),
            names.join(", ")
        ),
    )
    .unwrap()
}

/// The tiles that are inside of a domain, and those with a point of it, by isl.
fn by_isl(domain: &Set, tile: &Map) -> (Set, Set) {
    let out = tile
        .subtract(&Map::from_domain_and_range(&tile.domain().unwrap(), domain).unwrap())
        .unwrap();
    let full = tile
        .domain()
        .unwrap()
        .subtract(&out.domain().unwrap())
        .unwrap();
    let some = tile.intersect_range(domain).unwrap().domain().unwrap();
    (full, some)
}

const BOX: &str = "[I0] -> { [I0, I1] -> [x, y] : I0 <= x < I0 + s0 and I1 <= y < I1 + s1 }";

/// the full tiles of B5, as functions of the sizes.
#[test]
fn a4_full_tiles_of_a_triangle_a_skewed_stencil_and_a_band() {
    let ctx = Ctx::new();
    let cases = [
        (
            "N",
            "1 <= y <= x <= N",
            "I0 <= N + 1 - s0 and 1 <= I1 <= I0 + 1 - s1",
        ),
        (
            "M, N",
            "0 <= x < M and 2x + 1 <= y < 2x + N - 1",
            "0 <= I0 <= M - s0 and 2I0 + 2s0 - 1 <= I1 < 2I0 + N - s1",
        ),
        (
            "N, b",
            "0 <= x < N and 0 <= y < N and -b <= x - y <= b",
            "0 <= I0 <= N - s0 and 0 <= I1 <= N - s1 and I0 + s0 - 1 - b <= I1 <= I0 + 1 + b - s1",
        ),
    ];
    for (params, domain, full) in cases {
        let params = format!("{params}, s0, s1");
        let names: Vec<&str> = params.split(", ").collect();
        let n = names.len();
        let sizes = [Side::Param(n - 2), Side::Param(n - 1)];
        let sized = Set::parse(
            &ctx,
            &format!("[{params}] -> {{ [I0, I1] : s0 >= 1 and s1 >= 1 }}"),
        )
        .unwrap();
        let rows = system(&ctx, &format!("[{params}] -> {{ [x, y] : {domain} }}"));
        let domain = Set::parse(&ctx, &format!("[{params}] -> {{ [x, y] : {domain} }}")).unwrap();
        let tile = Map::parse(&ctx, &BOX.replace("[I0] ->", &format!("[{params}] ->"))).unwrap();
        let tile = tile.intersect_domain(&sized).unwrap();
        let own = |which| set_of(&ctx, &tiles(&rows, n, &sizes, which).unwrap(), &names, 2);
        let own = |which| own(which).intersect(&sized).unwrap();
        let (by_isl_full, some) = by_isl(&domain, &tile);
        let printed = Set::parse(&ctx, &format!("[{params}] -> {{ [I0, I1] : {full} }}")).unwrap();
        assert!(
            own(Tiles::Full).is_equal(&by_isl_full).unwrap(),
            "full: {}",
            own(Tiles::Full)
        );
        assert!(
            own(Tiles::Full)
                .is_equal(&printed.intersect(&sized).unwrap())
                .unwrap(),
            "as printed"
        );
        assert!(some.is_subset(&own(Tiles::Outset)).unwrap());
        assert!(
            !own(Tiles::Outset).is_subset(&some).unwrap(),
            "corners are in the outset alone"
        );
    }
}

/// random domains and sizes.
#[test]
fn a4_closed_forms_hold_for_random_domains() {
    let ctx = Ctx::new();
    let mut chance = Chance(5);
    let (mut strict, mut full_tiles) = (0, 0);
    for round in 0..60 {
        let mut s = system(&ctx, "{ [x, y] : -5 <= x <= 9 and -6 <= y <= 8 }");
        for _ in 0..2 {
            s.add(vec![
                chance.between(0, 12),
                chance.between(-3, 3),
                chance.between(-3, 3),
            ]);
        }
        let (s0, s1) = (chance.between(1, 4), chance.between(1, 3));
        let sides = [Side::Const(s0), Side::Const(s1)];
        let domain = set_of(&ctx, &s, &[], 2);
        let tile = BOX
            .replace("[I0] -> ", "")
            .replace("s0", &s0.to_string())
            .replace("s1", &s1.to_string());
        let tile = Map::parse(&ctx, &tile).unwrap();
        let (full, some) = by_isl(&domain, &tile);
        let own = |which| set_of(&ctx, &tiles(&s, 0, &sides, which).unwrap(), &[], 2);
        assert!(
            own(Tiles::Full).is_equal(&full).unwrap(),
            "round {round}: {s:?}"
        );
        let outset = own(Tiles::Outset);
        assert!(some.is_subset(&outset).unwrap(), "round {round}: {s:?}");
        strict += usize::from(!outset.is_equal(&some).unwrap());
        full_tiles += full.count(1000).unwrap();
    }
    assert!(strict > 10 && full_tiles > 100, "{strict} {full_tiles}");
}
