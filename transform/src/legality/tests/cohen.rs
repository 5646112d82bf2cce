//! The examples of Cohen, Girbal and Temam, with the corrections that make them meaningful.

use super::{Rule, flat, rule, scop};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;

/// Three loops; `first_reads`, `last_reads` and `last_writes` are more accesses of the first and the last.
fn three_loops(ctx: &Ctx, first_reads: &str, last: &str) -> Scop {
    scop(
        ctx,
        &format!(
            "array a f64 [1001]
             array b f64 [1001]
             array c f64 [1001]
             stmt S0 domain {{ S0[i] : 1 <= i <= 1000 }} beta 0 0 write {{ S0[i] -> a[i] }} {first_reads}
             stmt S1 domain {{ S1[i] : 1 <= i <= 999 }} beta 1 0 write {{ S1[i] -> b[i] }} read {{ S1[i] -> a[i] }}
             stmt S2 domain {{ S2[i] : 1 <= i <= 1000 }} beta 2 0 {last}"
        ),
    )
}

const FUSED: &str = "S0[i] -> [i, 0]; S1[i] -> [i, 1]; S2[i] -> [i, 2]";

/// The last instance of the first statement runs after (before) the fused loop.
const PEELED_AFTER: &str =
    "S0[i] -> [0, i, 0] : i < 1000; S0[1000] -> [1, 0, 0]; S1[i] -> [0, i, 1]; S2[i] -> [0, i, 2]";
const PEELED_BEFORE: &str =
    "S0[i] -> [0, i, 0] : i < 1000; S0[1000] -> [-1, 0, 0]; S1[i] -> [0, i, 1]; S2[i] -> [0, i, 2]";

#[test]
fn three_loops_fuse() {
    let ctx = Ctx::new();
    let s = three_loops(&ctx, "", "write { S2[i] -> c[i] } read { S2[i] -> b[i] }");
    for map in [FUSED, PEELED_AFTER, PEELED_BEFORE] {
        assert_eq!(flat(&s, map), Ok(()), "{map}");
    }
}

#[test]
fn a_carried_value_allows_fusion_but_no_peeling() {
    let ctx = Ctx::new();
    let last = "write { S2[i] -> c[i] } read { S2[i] -> b[i] } read { S2[i] -> a[i] }";
    let s = three_loops(&ctx, "read { S0[i] -> a[1] }", last);
    assert_eq!(flat(&s, FUSED), Ok(()));
    let after = flat(&s, PEELED_AFTER).unwrap_err();
    let w = after.dependence.unwrap().witness.unwrap();
    assert_eq!(
        (after.rule, w.src, w.dst),
        (Rule::Backwards, vec![1000], vec![1000])
    );
    let before = flat(&s, PEELED_BEFORE).unwrap_err();
    let w = before.dependence.unwrap().witness.unwrap();
    assert_eq!(
        (before.rule, w.src, w.dst),
        (Rule::Backwards, vec![1], vec![1000])
    );
}

#[test]
fn an_overwriting_consumer_forbids_fusion() {
    let ctx = Ctx::new();
    let s = three_loops(
        &ctx,
        "read { S0[i] -> a[1] }",
        "write { S2[i] -> a[i] } read { S2[i] -> b[i] }",
    );
    let v = flat(&s, FUSED).unwrap_err();
    let w = v.dependence.unwrap().witness.unwrap();
    assert_eq!((v.rule, w.src, w.dst), (Rule::Backwards, vec![2], vec![1]));
}

#[test]
fn two_matrix_vector_products() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params N M
         context { : N >= 1 and M >= 1 }
         array A f64 [M]
         array B f64 [M][N]
         array C f64 [N]
         array D f64 [N]
         array E f64 [M][N]
         stmt S0 domain { S0[i, j] : 1 <= i <= M and 1 <= j <= N } beta 0 0 0
           write { S0[i, j] -> A[i] } read { S0[i, j] -> A[i] }
           read { S0[i, j] -> B[i, j] } read { S0[i, j] -> C[j] }
         stmt S1 domain { S1[k, l] : 1 <= k <= N and 1 <= l <= M } beta 1 0 0
           write { S1[k, l] -> D[k] } read { S1[k, l] -> D[k] }
           read { S1[k, l] -> E[l, k] } read { S1[k, l] -> A[l] }",
    );
    let legal = |first: &str, second: &str| {
        flat(
            &s,
            &format!("S0[i, j] -> [{first}]; S1[k, l] -> [{second}]"),
        )
        .map_err(|v| v.rule)
    };
    assert_eq!(legal("0, i, 0, j, 0", "1, k, 0, l, 0"), Ok(()));
    assert_eq!(legal("0, j, 0, i, 0", "1, k, 0, l, 0"), Ok(()));
    // The printed fusions run the sum of A after its use.
    assert_eq!(
        legal("0, j, 0, i, 0", "0, k, 1, l, 0"),
        Err(Rule::Backwards)
    );
    assert_eq!(
        legal("0, j, 0, i, 0", "0, k, 0, l, 1"),
        Err(Rule::Backwards)
    );
    assert_eq!(
        legal("0, j, 0, i - 4, 0", "0, k, 0, l, 1"),
        Err(Rule::Backwards)
    );
    // The least shift that repairs them.
    assert_eq!(legal("0, j, 0, i, 0", "0, k + N - 1, 0, l, 1"), Ok(()));
    assert_eq!(legal("0, j, 0, i - 4, 0", "0, k + N - 1, 0, l, 1"), Ok(()));
    assert_eq!(
        legal("0, j, 0, i, 0", "0, k + N - 2, 0, l, 1"),
        Err(Rule::Backwards)
    );
    // What a user wants: interchange the second one instead.
    assert_eq!(legal("0, i, 0, j, 0", "0, l, 1, k, 0"), Ok(()));
}

#[test]
fn producer_and_three_point_consumer() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params N
         context { : N >= 3 }
         array a f64 [N]
         array b f64 [N]
         stmt S0 domain { S0[i] : 0 <= i < N } beta 0 0 write { S0[i] -> a[i] }
         stmt S1 domain { S1[i] : 1 <= i < N - 1 } beta 1 0
           write { S1[i] -> b[i] } read { S1[i] -> a[i - 1] } read { S1[i] -> a[i] } read { S1[i] -> a[i + 1] }",
    );
    assert_eq!(
        rule(&s, "S0[i] -> [i, 0]; S1[i] -> [i, 1]"),
        Rule::Backwards
    );
    assert_eq!(flat(&s, "S0[i] -> [i, 0]; S1[i] -> [i + 1, 1]"), Ok(()));
    assert_eq!(
        rule(&s, "S0[i] -> [i, 1]; S1[i] -> [i + 1, 0]"),
        Rule::Backwards
    );
    assert_eq!(
        rule(&s, "S0[i] -> [i, 1]; S1[i] -> [i + 1, 1]"),
        Rule::Unordered
    );
}

#[test]
fn reversed_consumer() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params N
         context { : N >= 1 }
         array a f64 [N]
         array b f64 [N]
         stmt S0 domain { S0[i] : 0 <= i < N } beta 0 0 write { S0[i] -> a[i] }
         stmt S1 domain { S1[i] : 0 <= i < N } beta 1 0 write { S1[i] -> b[i] } read { S1[i] -> a[N - 1 - i] }",
    );
    assert_eq!(
        rule(&s, "S0[i] -> [i, 0]; S1[i] -> [i, 1]"),
        Rule::Backwards
    );
    assert_eq!(
        rule(&s, "S0[i] -> [i, 0]; S1[i] -> [i + N - 2, 1]"),
        Rule::Backwards
    );
    assert_eq!(flat(&s, "S0[i] -> [i, 0]; S1[i] -> [i + N - 1, 1]"), Ok(()));
    assert_eq!(flat(&s, "S0[i] -> [i, 0]; S1[i] -> [N - 1 - i, 1]"), Ok(()));
}

#[test]
fn two_sweeps_of_a_stencil() {
    let ctx = Ctx::new();
    let s = super::sample(&ctx, "jacobi-1d");
    let legal = |first: &str, second: &str| {
        flat(
            &s,
            &format!("S0[t, i] -> [{first}]; S1[t, i] -> [{second}]"),
        )
        .map_err(|v| v.rule)
    };
    assert_eq!(legal("t, i, 0", "t, i, 1"), Err(Rule::Backwards));
    assert_eq!(legal("t, i, 0", "t, i + 1, 1"), Ok(()));
    assert_eq!(legal("2t + i, t, 0", "2t + i + 1, t, 1"), Ok(()));
    assert_eq!(
        legal("t + i, t, 0", "t + i + 1, t, 1"),
        Err(Rule::Backwards)
    );
    assert_eq!(legal("i, t, 0", "i, t, 1"), Err(Rule::Backwards));
}
