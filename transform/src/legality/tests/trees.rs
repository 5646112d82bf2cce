//! Sequences, sets, flags and the domain.

use super::{Rule, sample, scop, verdict};
use crate::legality::{Step, check};
use polytile_analysis::deps::compute;
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Ctx, Error};
use polytile_analysis::scop::Scop;
use polytile_analysis::text::{parse_schedule, samples};
use polytile_analysis::tree::{Band, Schedule, Tile, TileSize, Tree, original};

fn rule(s: &Scop, schedule: &Schedule) -> Rule {
    verdict(s, schedule).unwrap_err().rule
}

#[test]
fn the_original_order_is_legal() {
    let ctx = Ctx::new();
    for (name, _) in samples::ALL {
        let s = sample(&ctx, name);
        assert_eq!(verdict(&s, &original(&s).unwrap()), Ok(()), "{name}");
    }
}

#[test]
fn the_flat_original_order_is_legal() {
    let ctx = Ctx::new();
    for name in ["durbin", "covariance", "heat-3d"] {
        let s = sample(&ctx, name);
        let tree = original(&s).unwrap();
        let (a, b) = (
            tree.flat().unwrap(),
            polytile_analysis::deps::order::original_schedule(&s).unwrap(),
        );
        // Times differ by constants; the order is the same.
        let order = |m: &polytile_analysis::poly::UnionMap| m.lex_lt_union_map(m).unwrap();
        assert!(order(&a).is_equal(&order(&b)).unwrap(), "{name}");
    }
}

/// Producer, consumer and a loop that has nothing to do with them.
fn three(ctx: &Ctx) -> Scop {
    scop(
        ctx,
        "params n
         context { : n >= 2 }
         array a f64 [n]
         array b f64 [n]
         array c f64 [n]
         stmt S0 domain { S0[i] : 0 <= i < n } beta 0 0 write { S0[i] -> a[i] }
         stmt S1 domain { S1[i] : 0 <= i < n } beta 1 0 write { S1[i] -> b[i] } read { S1[i] -> a[i] }
         stmt S2 domain { S2[i] : 0 <= i < n } beta 2 0 write { S2[i] -> c[i] }",
    )
}

fn tree(ctx: &Ctx, children: &[(&str, &str)], kind: &str) -> Schedule {
    let mut text = "domain: \"[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n; S2[i] : 0 <= i < n }\"\nchild:\n".to_owned();
    text += &format!("  {kind}:\n");
    for (filter, rows) in children {
        text += &format!("  - filter: \"[n] -> {{ {filter} }}\"\n");
        text += &format!("    child:\n      schedule: \"[n] -> [{{ {rows} }}]\"\n");
    }
    parse_schedule(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn sequences_and_sets() {
    let ctx = Ctx::new();
    let s = three(&ctx);
    let (a, b, c) = (
        ("S0[i]", "S0[i] -> [(i)]"),
        ("S1[i]", "S1[i] -> [(i)]"),
        ("S2[i]", "S2[i] -> [(i)]"),
    );
    assert_eq!(verdict(&s, &tree(&ctx, &[a, c, b], "sequence")), Ok(()));
    let wrong = verdict(&s, &tree(&ctx, &[b, a, c], "sequence")).unwrap_err();
    assert_eq!(wrong.rule, Rule::Backwards);
    assert_eq!(
        wrong.to_string(),
        "a dependence runs backwards: flow dependence S0 -> S1, for example S0[0] -> S1[0] with n = 2"
    );
    assert_eq!(rule(&s, &tree(&ctx, &[a, b, c], "set")), Rule::SetOrdered);
    let (ab, rows) = ("S0[i]; S1[i]", "S0[i] -> [(i)]; S1[i] -> [(i)]");
    assert_eq!(
        rule(&s, &tree(&ctx, &[(ab, rows), c], "set")),
        Rule::Unordered
    );
    let rows = "S0[i] -> [(2i)]; S1[i] -> [(2i + 1)]";
    assert_eq!(verdict(&s, &tree(&ctx, &[(ab, rows), c], "set")), Ok(()));
}

#[test]
fn filters_partition_the_instances() {
    let ctx = Ctx::new();
    let s = three(&ctx);
    let all = "S0[i] -> [(2i)]; S1[i] -> [(2i + 1)]; S2[i] -> [(i)]";
    let half = |sign: &str| format!("S0[i] : i {sign} 1; S1[i] : i {sign} 1; S2[i] : i {sign} 1");
    let split = |a: &str, b: &str| tree(&ctx, &[(&half(a), all), (&half(b), all)], "sequence");
    assert_eq!(verdict(&s, &split("<", ">=")), Ok(()));
    assert_eq!(rule(&s, &split("<", ">")), Rule::NotScheduled(StmtId(0)));
    assert_eq!(
        rule(&s, &split("<=", ">=")),
        Rule::ScheduledTwice(StmtId(0))
    );
    assert_eq!(verdict(&s, &split(">=", "<")), Ok(()));
    let mut short = split("<", ">=");
    short.domain = short
        .domain
        .intersect(&s.stmts[0].domain.to_union_set().unwrap())
        .unwrap();
    assert_eq!(rule(&s, &short), Rule::Domain);
}

#[test]
fn flags_are_checked() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "jacobi-1d");
    let deps = compute(&s, false).unwrap();
    let verdict = |rows: &str, flags: &str| {
        let text = format!(
            "domain: \"{}\"\nchild:\n  schedule: \"[tsteps, n] -> {rows}\"\n{flags}\n  child:\n    sequence:\n    \
             - filter: \"[tsteps, n] -> {{ S0[t, i] }}\"\n    - filter: \"[tsteps, n] -> {{ S1[t, i] }}\"\n",
            s.domain().unwrap()
        );
        check(&s, &parse_schedule(&ctx, &text).unwrap(), &deps).map_err(|v| (v.rule, v.place))
    };
    let plain =
        "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }, { S0[t, i] -> [(i)]; S1[t, i] -> [(i + 1)] }]";
    let skewed = "[{ S0[t, i] -> [(t)]; S1[t, i] -> [(t)] }, { S0[t, i] -> [(2t + i)]; S1[t, i] -> [(2t + i + 1)] }]";
    assert_eq!(verdict(plain, ""), Ok(()));
    assert_eq!(
        verdict(plain, "  permutable: 1"),
        Err((Rule::NotPermutable(1), vec![Step::Band]))
    );
    assert_eq!(verdict(skewed, "  permutable: 1"), Ok(()));
    assert_eq!(
        verdict(skewed, "  coincident: [ 1, 0 ]").unwrap_err().0,
        Rule::NotCoincident(0)
    );
    assert_eq!(
        verdict(plain, "  coincident: [ 0, 1 ]").unwrap_err().0,
        Rule::NotCoincident(1)
    );
    assert_eq!(
        verdict(plain, "  loops: [ sequential, vector ]")
            .unwrap_err()
            .0,
        Rule::NotVector(1)
    );
}

#[test]
fn a_scalar_forbids_parallel_loops() {
    let ctx = Ctx::new();
    let nest = |array: &str, cell: &str| {
        scop(
            &ctx,
            &format!(
                "params n
                 context {{ : n >= 2 }}
                 array {array}
                 array b f64 [n]
                 stmt S0 domain {{ S0[i] : 0 <= i < n }} beta 0 0 write {{ S0[i] -> t{cell} }}
                 stmt S1 domain {{ S1[i] : 0 <= i < n }} beta 0 1 write {{ S1[i] -> b[i] }} read {{ S1[i] -> t{cell} }}"
            ),
        )
    };
    let parallel = |s: &Scop| {
        let mut schedule = original(s).unwrap();
        let Tree::Band(b) = &mut schedule.root else {
            panic!("one loop")
        };
        b.loops[0] = polytile_analysis::tree::LoopKind::Vector;
        b.coincident[0] = false;
        verdict(s, &schedule).map_err(|v| v.rule)
    };
    assert_eq!(
        parallel(&nest("t f64 scalar", "[]")),
        Err(Rule::NotVector(0))
    );
    assert_eq!(parallel(&nest("t f64 [n]", "[i]")), Ok(()));
}

#[test]
fn shapes_are_checked() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "jacobi-1d");
    let deps = compute(&s, false).unwrap();
    let rule = |change: &dyn Fn(&mut Band)| {
        let mut schedule = original(&s).unwrap();
        let Tree::Band(band) = &mut schedule.root else {
            panic!("the loop over time is a band")
        };
        change(band);
        check(&s, &schedule, &deps).err().map(|v| v.rule)
    };
    assert_eq!(rule(&|_| {}), None);
    assert_eq!(
        rule(&|b| b.coincident.clear()),
        Some(Rule::Malformed("a flag per member"))
    );
    let sizes = vec![TileSize::Param(0)];
    let tiled = |b: &mut Band| {
        b.tile = Some(Tile {
            sizes: sizes.clone(),
            wavefront: vec![],
        });
    };
    assert_eq!(rule(&tiled), Some(Rule::Malformed("declared tile sizes")));
}

#[test]
fn what_is_not_decided_is_refused() {
    let ctx = Ctx::new();
    let s = sample(&ctx, "jacobi-1d");
    let (schedule, deps) = (original(&s).unwrap(), compute(&s, false).unwrap());
    let _quota = ctx.quota(10);
    let verdict = check(&s, &schedule, &deps).unwrap_err();
    assert_eq!(verdict.rule, Rule::Undecided(Error::Quota));
    assert_eq!(
        verdict.to_string(),
        "legality was not decided: operation quota exceeded"
    );
}

#[test]
fn diagonals_write_each_element_once_and_reach_near() {
    let ctx = Ctx::new();
    let of_band = |permutable: bool, write: &str, read: &str, rows: &str, loops: &str| {
        let s = scop(
            &ctx,
            &format!(
                "params n
                 context {{ : n >= 30 }}
                 array a f64 [n][n]
                 stmt S0 domain {{ S0[i,j] : 20 <= i < n and 20 <= j < n }} beta 0 0 0
                 write {{ S0[i,j] -> {write} }} read {{ S0[i,j] -> {read} }}"
            ),
        );
        let text = format!(
            "domain: \"{}\"\nchild:\n  schedule: \"[n] -> {rows}\"\n  permutable: {}\n  loops: [ {loops} ]\n",
            s.domain().unwrap(),
            u32::from(permutable)
        );
        let schedule = parse_schedule(&ctx, &text).unwrap();
        check(&s, &schedule, &compute(&s, false).unwrap()).map_err(|v| v.rule)
    };
    let verdict =
        |write: &str, read: &str, rows: &str, loops: &str| of_band(true, write, read, rows, loops);
    let skewed = "[{ S0[i,j] -> [(i + j)] }, { S0[i,j] -> [(i)] }]";
    let plain = "[{ S0[i,j] -> [(j)] }, { S0[i,j] -> [(i)] }]";
    let loops = "sequential, diagonal-1x4";
    assert_eq!(verdict("a[i,j]", "a[i-1,j]", skewed, loops), Ok(()));
    assert_eq!(verdict("a[i,j]", "a[i-4,j-4]", skewed, loops), Ok(()));
    assert_eq!(
        verdict("a[i,j]", "a[i-1,j]", plain, loops),
        Err(Rule::NotVector(1))
    );
    for far in ["a[i,j-9]", "a[i-5,j]", "a[i,j+9]"] {
        assert_eq!(verdict("a[i,j]", far, skewed, loops), Err(Rule::Far));
    }
    assert_eq!(
        verdict("a[0,j]", "a[i,0]", skewed, loops),
        Err(Rule::WrittenTwice)
    );
    assert!(matches!(
        verdict("a[i,j]", "a[i-1,j]", skewed, "diagonal-1x4, sequential"),
        Err(Rule::Malformed(_))
    ));
    assert!(matches!(
        of_band(false, "a[i,j]", "a[i-1,j]", skewed, loops),
        Err(Rule::Malformed(_))
    ));
    // A column ahead in the row above: diagonals have it, rows would run backwards.
    let steep = "[{ S0[i,j] -> [(i + j)] }, { S0[i,j] -> [(i - j)] }]";
    assert_eq!(
        verdict("a[i,j]", "a[i,j-1]", steep, loops),
        Err(Rule::NotPermutable(1))
    );
}
