use super::*;
use crate::ast::generate;
use crate::testing::{check_run, sample};
use polytile_analysis::deps::compute;
use polytile_analysis::poly::Ctx;
use polytile_analysis::text::samples;
use std::time::{Duration, Instant};

fn bands(tree: &Tree, depth: usize, into: &mut Vec<String>) {
    match tree {
        Tree::Band(b) => {
            let flags: String = b
                .coincident
                .iter()
                .map(|c| if *c { 'C' } else { '-' })
                .collect();
            into.push(format!("{depth}:{flags}"));
            bands(&b.child, depth + 1, into);
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            list.iter().for_each(|b| bands(&b.child, depth, into))
        }
        Tree::Mark(_, child) => bands(child, depth, into),
        Tree::Leaf => {}
    }
}

fn shape(name: &str) -> String {
    let ctx = Ctx::new();
    let scop = sample(&ctx, name);
    let deps = compute(&scop, false).unwrap();
    let schedule = search(&scop, &deps, &SearchOptions::default()).unwrap();
    let mut all = vec![];
    bands(&schedule.root, 0, &mut all);
    all.join(" ")
}

#[test]
fn every_sample_runs_in_a_legal_order() {
    for (name, _) in samples::ALL {
        let ctx = Ctx::new();
        let scop = sample(&ctx, name);
        let deps = compute(&scop, false).unwrap();
        let begin = Instant::now();
        let schedule = search(&scop, &deps, &SearchOptions::default()).unwrap();
        println!("{name}: {:?}", begin.elapsed());
        let ast = generate(&scop, &schedule).unwrap();
        check_run(&scop, &ast, &vec![5; scop.params.len()], &[]);
    }
}

#[test]
fn products_have_two_coincident_members() {
    assert_eq!(shape("gemm"), "0:C-C");
    assert_eq!(shape("syrk"), "0:C-C");
    assert_eq!(shape("2mm"), "0:C-C 0:C-C");
}

#[test]
fn factorizations_are_fully_permutable() {
    assert_eq!(shape("lu"), "0:---");
}

#[test]
fn stencils_have_time_in_the_band() {
    assert_eq!(shape("jacobi-1d"), "0:--");
    assert_eq!(shape("jacobi-2d"), "0:---");
    assert_eq!(shape("seidel-2d"), "0:---");
}

/// The members of the outermost band, as text.
fn members(name: &str) -> Vec<String> {
    let ctx = Ctx::new();
    let scop = sample(&ctx, name);
    let deps = compute(&scop, false).unwrap();
    let schedule = search(&scop, &deps, &SearchOptions::default()).unwrap();
    let Tree::Band(band) = schedule.root else {
        panic!("{name} has no outermost band");
    };
    let member = |m| band.schedule.at(m).unwrap().to_string();
    (0..band.schedule.size()).map(member).collect()
}

#[test]
fn factorizations_own_blocks_of_the_written_array() {
    let rows = members("lu");
    assert!(rows.iter().all(|r| !r.contains("(2")), "skewed: {rows:?}");
    assert!(rows[1].contains("S2[i, j, k] -> [(i + j)]"), "{rows:?}");
}

/// Cholesky by columns into another matrix: the first column, which has no sums, is a statement of its own (S3).
const PEELED: &str = "params n
context { : n >= 4 }
array a f64 [n][n]
array l f64 [n][n]
array t f64 [n]
stmt S0
 domain { S0[i] : 0 <= i < n }
 beta 0 0
 write { S0[i] -> t[i] }
 read { S0[i] -> a[i, i] }
 body (read 1)
stmt S1
 domain { S1[i, k] : i < n and 0 <= k < i }
 beta 0 1 0
 write { S1[i, k] -> t[i] }
 read { S1[i, k] -> l[i, k] }
 read { S1[i, k] -> t[i] }
 body (fadd (read 1) (read 2))
stmt S2
 domain { S2[i] : 0 <= i < n }
 beta 0 2
 write { S2[i] -> l[i, i] }
 read { S2[i] -> t[i] }
 body (read 1)
stmt S3
 domain { S3[i = 0, j] : 0 <= j <= n - 2 }
 beta 0 3 0
 write { S3[i, j] -> l[1 + i + j, 0] }
 read { S3[i, j] -> a[1 + i + j, 0] }
 read { S3[i, j] -> l[i, i] }
 body (fdiv (read 1) (read 2))
stmt S4
 domain { S4[i, j, k] : 0 <= j <= n - 2 - i and 0 <= k < i }
 beta 0 4 0 0
 write { S4[i, j, k] -> l[1 + i + j, i] }
 read { S4[i, j, k] -> l[1 + i + j, k] }
 read { S4[i, j, k] -> l[i, k] }
 read { S4[i, j, k] -> l[1 + i + j, i] }
 body (fadd (fmul (read 1) (read 2)) (read 3))
stmt S5
 domain { S5[i, j] : i > 0 and 0 <= j <= n - 2 - i }
 beta 0 4 1
 write { S5[i, j] -> l[1 + i + j, i] }
 read { S5[i, j] -> l[1 + i + j, i] }
 read { S5[i, j] -> l[i, i] }
 body (fdiv (read 1) (read 2))
";

#[test]
fn peeled_iterations_skew_no_other_statement() {
    let ctx = Ctx::new();
    let scop = polytile_analysis::text::parse_scop(&ctx, PEELED).unwrap();
    let deps = compute(&scop, false).unwrap();
    let schedule = search(&scop, &deps, &SearchOptions::default()).unwrap();
    let Tree::Band(band) = &schedule.root else {
        panic!("no outermost band: {:?}", schedule.root);
    };
    let rows: Vec<String> = (0..band.schedule.size())
        .map(|m| band.schedule.at(m).unwrap().to_string())
        .collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    for row in [
        "S4[i, j, k] -> [(i + j)]",
        "S4[i, j, k] -> [(i)]",
        "S4[i, j, k] -> [(k)]",
    ] {
        assert!(rows.iter().any(|r| r.contains(row)), "{row}: {rows:?}");
    }
    let ast = generate(&scop, &schedule).unwrap();
    check_run(&scop, &ast, &[7], &[]);
}

#[test]
fn long_chains_of_statements_are_fused() {
    let mut text = "params n\ncontext { : n >= 4 }\n".to_owned();
    for k in 0..=60 {
        text += &format!("array B{k} f64 [n]\n");
    }
    for k in 0..60 {
        text += &format!(
            "stmt S{k}\n  domain {{ S{k}[i] : 0 <= i < n }}\n  beta {k} 0\n  write {{ S{k}[i] -> B{}[i] }}\n  \
             read {{ S{k}[i] -> B{k}[i] }}\n  body (fadd (read 1) (inv v0))\n",
            k + 1
        );
    }
    let ctx = Ctx::new();
    let scop = polytile_analysis::text::parse_scop(&ctx, &text).unwrap();
    let deps = compute(&scop, false).unwrap();
    let begin = Instant::now();
    let options = SearchOptions {
        budget: u64::MAX,
        ..SearchOptions::default()
    };
    let schedule = search(&scop, &deps, &options).unwrap();
    // A fraction of a second; each try to merge must not look at all dependences for all pairs.
    assert!(begin.elapsed() < Duration::from_secs(20));
    let mut all = vec![];
    bands(&schedule.root, 0, &mut all);
    assert_eq!(all, ["0:C"]);
}
