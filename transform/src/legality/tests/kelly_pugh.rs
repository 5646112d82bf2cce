//! The examples of Kelly and Pugh, iterators as printed there (from 1).

use super::{Rule, flat, parallel_members, rule, scop};
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;

/// Gaussian elimination, KIJ.
fn elimination(ctx: &Ctx) -> Scop {
    scop(
        ctx,
        "params n
         context { : n >= 1 }
         array a f64 [n][n]
         stmt S0 domain { S0[k, i] : 1 <= k < i <= n } beta 0 0 0
           write { S0[k, i] -> a[i, k] } read { S0[k, i] -> a[i, k] } read { S0[k, i] -> a[k, k] }
         stmt S1 domain { S1[k, i, j] : 1 <= k < i <= n and k < j <= n } beta 0 0 1 0
           write { S1[k, i, j] -> a[i, j] } read { S1[k, i, j] -> a[i, j] }
           read { S1[k, i, j] -> a[k, j] } read { S1[k, i, j] -> a[i, k] }",
    )
}

#[test]
fn all_six_orders_of_elimination_are_legal() {
    let ctx = Ctx::new();
    let s = elimination(&ctx);
    for map in [
        "S0[k, i] -> [i, k, 1, 0]; S1[k, i, j] -> [i, j, 0, k]",
        "S0[k, i] -> [k, 0, i, 0]; S1[k, i, j] -> [k, 1, i, j]",
        "S0[k, i] -> [k, 0, i, 0]; S1[k, i, j] -> [k, 1, j, i]",
        "S0[k, i] -> [i, k, 0, 0]; S1[k, i, j] -> [i, k, 1, j]",
        "S0[k, i] -> [k, 1, i, 0]; S1[k, i, j] -> [j, 0, k, i]",
        "S0[k, i] -> [k, 0, i, k]; S1[k, i, j] -> [j, 0, i, k]",
    ] {
        assert_eq!(flat(&s, map), Ok(()), "{map}");
    }
}

#[test]
fn wrong_orders_of_elimination_are_refused() {
    let ctx = Ctx::new();
    let s = elimination(&ctx);
    let backwards = flat(&s, "S0[k, i] -> [i, k, 0, 0]; S1[k, i, j] -> [i, j, 1, k]").unwrap_err();
    assert_eq!(backwards.rule, Rule::Backwards);
    let broken = backwards.dependence.as_ref().unwrap();
    let w = broken.witness.as_ref().unwrap();
    assert_eq!(w.params, [("n".to_owned(), 3)]);
    assert_eq!(
        rule(&s, "S0[k, i] -> [i, k, 0, 0]; S1[k, i, j] -> [i, j, 0, k]"),
        Rule::Backwards
    );
    assert_eq!(
        rule(
            &s,
            "S0[k, i] -> [-k, 0, i, 0]; S1[k, i, j] -> [-k, 1, i, j]"
        ),
        Rule::Backwards
    );
}

#[test]
fn completions_of_a_partial_mapping() {
    let ctx = Ctx::new();
    let s = elimination(&ctx);
    let mut legal = 0;
    for second in ["k", "j"] {
        for (a, b) in [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")] {
            for last in ["0", "k"] {
                let rest = if second == "k" { "j" } else { "k" };
                let map = format!(
                    "S0[k, i] -> [i, k, {a}, {last}]; S1[k, i, j] -> [i, {second}, {b}, {rest}]"
                );
                legal += usize::from(flat(&s, &map).is_ok());
            }
        }
    }
    assert_eq!(legal, 10);
}

#[test]
fn blocked_lu_is_legal() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params n
         context { : n >= 1 }
         array a f64 [n][n]
         stmt S0 domain { S0[k, i] : 1 <= k < i <= n } beta 0 0 0
           write { S0[k, i] -> a[i, k] } read { S0[k, i] -> a[i, k] } read { S0[k, i] -> a[k, k] }
         stmt S1 domain { S1[k, j, i] : 1 <= k < i <= n and k < j <= n } beta 0 1 0 0
           write { S1[k, j, i] -> a[i, j] } read { S1[k, j, i] -> a[i, j] }
           read { S1[k, j, i] -> a[k, j] } read { S1[k, j, i] -> a[i, k] }",
    );
    let map = "S0[k, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), k, k, i]; \
               S1[k, j, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), j, k, i]";
    assert_eq!(flat(&s, map), Ok(()));
    assert_eq!(parallel_members(&s, map), [4]);
    let late = "S0[k, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), n, k, i]; \
                S1[k, j, i] -> [64*floor((k - 1)/64) + 1, 64*floor(i/64), j, k, i]";
    assert_eq!(rule(&s, late), Rule::Backwards);
}

#[test]
fn triangular_update() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params np morb
         context { : np >= 1 and morb >= 1 }
         array x f64 [morb][np]
         array v f64 [np][morb]
         array r f64 []
         stmt S0 domain { S0[p, q, i] : 1 <= q <= p <= np and 1 <= i <= morb } beta 0 0 0 0
           write { S0[p, q, i] -> x[i, q] } read { S0[p, q, i] -> x[i, q] }
           read { S0[p, q, i] -> r[e] } read { S0[p, q, i] -> v[p, i] }
         stmt S1 domain { S1[p, q, i] : 1 <= q <= p <= np and 1 <= i <= morb } beta 0 0 0 1
           write { S1[p, q, i] -> x[i, p] } read { S1[p, q, i] -> x[i, p] }
           read { S1[p, q, i] -> r[e] } read { S1[p, q, i] -> v[q, i] }",
    );
    let map = "S0[p, q, i] -> [i, q, p, 0]; S1[p, q, i] -> [i, p, q, 1]";
    assert_eq!(flat(&s, map), Ok(()));
    assert_eq!(parallel_members(&s, map), [0, 1]);
    // The mapping as the damaged text has it: both ends of S0[p, p, i] -> S1[p, p, i] at one time.
    assert_eq!(
        rule(
            &s,
            "S0[p, q, i] -> [i, q, p, 0]; S1[p, q, i] -> [i, q, p, 0]"
        ),
        Rule::Unordered
    );
    let inner = "S0[p, q, i] -> [i, q, p, 0]; S1[p, q, i] -> [i, q, p, 1]";
    assert_eq!(flat(&s, inner), Ok(()));
    assert_eq!(parallel_members(&s, inner), [0]);
}

#[test]
fn triangular_solve() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params n
         context { : n >= 2 }
         array a f64 [n][n]
         array b f64 [n]
         array sum f64 [n]
         stmt S0 domain { S0[i] : 2 <= i <= n } beta 0 0 write { S0[i] -> sum[i] }
         stmt S1 domain { S1[i, j] : 2 <= i <= n and 1 <= j < i } beta 0 1 0
           write { S1[i, j] -> sum[i] } read { S1[i, j] -> sum[i] }
           read { S1[i, j] -> a[j, i] } read { S1[i, j] -> b[j] }
         stmt S2 domain { S2[i] : 2 <= i <= n } beta 0 2
           write { S2[i] -> b[i] } read { S2[i] -> b[i] } read { S2[i] -> sum[i] }",
    );
    let map = "S0[i] -> [0, i, 0, 0]; S1[i, j] -> [1, j, 0, i]; S2[i] -> [1, i - 1, 1, 0]";
    assert_eq!(flat(&s, map), Ok(()));
    assert_eq!(parallel_members(&s, map), [3]);
    let early = "S0[i] -> [0, i, 0, 0]; S1[i, j] -> [1, j, 0, i]; S2[i] -> [1, i - 2, 1, 0]";
    assert_eq!(rule(&s, early), Rule::Backwards);
}

#[test]
fn banded_update() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "params n b
         context { : n >= 1 and b >= 1 }
         array A f64 []
         array B f64 []
         array C f64 []
         stmt S0
           domain { S0[i, j, k] : 1 <= i <= n and i <= j <= n and j <= i + 2b - 2 and 1 <= k <= n and
                    i - b < k < i + b and j - b < k < j + b }
           beta 0 0 0 0
           write { S0[i, j, k] -> C[i, j - i + 1] } read { S0[i, j, k] -> C[i, j - i + 1] }
           read { S0[i, j, k] -> A[k, i - k + b] } read { S0[i, j, k] -> B[k, j - k + b] }
           read { S0[i, j, k] -> A[k, j - k + b] } read { S0[i, j, k] -> B[k, i - k + b] }",
    );
    let map = "S0[i, j, k] -> [j - i + 1, k - j, k]";
    assert_eq!(flat(&s, map), Ok(()));
    assert_eq!(parallel_members(&s, map), [0, 2]);
    assert_eq!(
        rule(&s, "S0[i, j, k] -> [j - i + 1, j - k, k]"),
        Rule::Backwards
    );
}

#[test]
fn disjoint_ranges_interleave() {
    let ctx = Ctx::new();
    let s = scop(
        &ctx,
        "array a f64 [21]
         array b f64 [21]
         stmt S0 domain { S0[i] : 1 <= i <= 15 } beta 0 0 write { S0[i] -> a[i] }
         stmt S1 domain { S1[i] : 10 <= i <= 20 } beta 1 0 write { S1[i] -> b[i] }",
    );
    assert_eq!(flat(&s, "S0[i] -> [i, 0]; S1[i] -> [i, 1]"), Ok(()));
    assert_eq!(
        parallel_members(&s, "S0[i] -> [i, 0]; S1[i] -> [i, 1]"),
        [0, 1]
    );
    // A hole in a piecewise mapping, and a mapping that is not one to one.
    assert!(matches!(
        rule(&s, "S0[i] -> [i, 0] : i != 5; S1[i] -> [i, 1]"),
        Rule::NotScheduled(_)
    ));
    assert!(matches!(
        rule(&s, "S0[i] -> [floor(i/2), 0]; S1[i] -> [i, 1]"),
        Rule::NotInjective(_)
    ));
    assert_eq!(
        flat(&s, "S0[i] -> [floor(i/2), i mod 2]; S1[i] -> [i, 1]"),
        Ok(())
    );
}
