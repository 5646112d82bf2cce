//! What a program asks of a processor, whatever the order of its instructions: floating-point operations, and bytes into each cache. Over
//! the rates of the target they bound its time from below (the roofline of Williams, Waterman and Patterson 2009, §3).
//!
//! | symbol (§3) | identifier |
//! |---|---|
//! | operations | [`Arithmetic::flops`] |
//! | peak performance | [`Arithmetic::peak`] |
//! | bytes of traffic | [`bytes`] |
//!
//! ```text
//! for i, j, k: C[i][j] += A[i][k] * B[k][j]     1000^3 instances of a product and a sum: 2e9 operations
//! ```
//!
//! Operations of the original are counted, so what a program computes again for its order's sake is no part of its share of the peak.

use super::facts::{Facts, Kind, StmtFacts};
use super::traffic::by_level;
use super::walk::{looked_at, nests, traffic_of};
use super::{Env, Judged};
use crate::target::Target;
use polytile_analysis::ast::Ast;
use polytile_analysis::poly;

/// Bytes of a number where no operation says how long they are.
const DOUBLE: i64 = 8;

/// The arithmetic of one entry of an original.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arithmetic {
    /// Floating-point operations; a product and a sum in one are two.
    pub flops: f64,
    /// Operations per cycle that one core does at most, for the widest numbers in it.
    pub peak: f64,
}

/// The arithmetic of a program for typical parameters, counted as times are: loops at their first, middle and last part.
///
/// # Errors
/// What reading the access relations comes to.
pub fn arithmetic(judged: &Judged, target: &Target) -> poly::Result<Arithmetic> {
    let facts = Facts::new(judged)?;
    Ok(Arithmetic {
        flops: flops(judged.body, &facts, &Env::new(judged), 1),
        peak: target.peak(widest(&facts).unsigned_abs()),
    })
}

/// Operations of a part of a program; `samples`: how often it is looked at.
fn flops(ast: &Ast, facts: &Facts, env: &Env, samples: usize) -> f64 {
    match ast {
        Ast::Block(list) => list.iter().map(|a| flops(a, facts, env, samples)).sum(),
        Ast::For(l) => {
            let at = looked_at(l, env, samples);
            let mut inside = env.clone();
            let of = |value: &i64| {
                inside.set(l.iter, *value);
                flops(&l.body, facts, &inside, samples * at.len())
            };
            let total: f64 = at.iter().map(of).sum();
            let (_, trips) = env.range(l);
            total * trips as f64 / at.len().max(1) as f64
        }
        Ast::If { cond, then, els } => match (env.value(cond) != 0, els) {
            (true, _) => flops(then, facts, env, samples),
            (false, Some(els)) => flops(els, facts, env, samples),
            (false, None) => 0.0,
        },
        Ast::User(u) => operations(facts.stmt(u.stmt)),
        // Plans make these; what they do is the original's.
        Ast::MicroKernel(_) | Ast::Pack(_) => 0.0,
    }
}

/// Bytes that come into the first, second and third level in one entry, and go back.
///
/// # Errors
/// What reading the access relations comes to.
pub fn bytes(judged: &Judged, target: &Target) -> poly::Result<[f64; 3]> {
    let all = traffic_of(&nests(judged.body), &Facts::new(judged)?, judged);
    Ok(by_level(&all, target)
        .into_iter()
        .fold([0.0; 3], |sum, nest| {
            [sum[0] + nest[0], sum[1] + nest[1], sum[2] + nest[2]]
        }))
}

/// Floating-point operations of an instance.
fn operations(facts: &StmtFacts) -> f64 {
    let of = |kind: &Kind| match kind {
        Kind::Float | Kind::Extremum | Kind::Divide | Kind::Root => 1.0,
        Kind::Fused => 2.0,
        _ => 0.0,
    };
    facts.nodes.iter().map(|n| of(&n.kind)).sum()
}

/// Bytes of the widest numbers that are computed with.
fn widest(facts: &Facts) -> i64 {
    let nodes = facts.stmts.iter().flat_map(|s| &s.nodes);
    let float = |k: Kind| {
        let plain = matches!(k, Kind::Float | Kind::Fused | Kind::Extremum);
        plain || matches!(k, Kind::Divide | Kind::Root)
    };
    let bytes = nodes.filter(|n| float(n.kind)).map(|n| n.bytes);
    bytes.max().unwrap_or(DOUBLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::original;

    /// What a SCoP's own loops ask for, for parameters of this value.
    fn asked(text: &str, n: i64) -> (Arithmetic, [f64; 3]) {
        let scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
        let body = generate(&scop, &original(&scop).unwrap()).unwrap();
        let target = Target::lookup("x86_64-pc-linux-gnu", "x86-64-v3", "");
        let typical = [n];
        let judged = Judged {
            original: true,
            ..Judged::plain(&scop, &body, &typical)
        };
        let arithmetic = arithmetic(&judged, &target).unwrap();
        (arithmetic, bytes(&judged, &target).unwrap())
    }

    #[test]
    fn a_product_of_matrices_has_two_operations_an_instance() {
        let text = "
            params n
            context { : 1 <= n <= 100000 }
            array A f64 [n][n]
            array B f64 [n][n]
            array C f64 [n][n]
            stmt S0
              domain { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
              beta 0 0 0 0
              write { S0[i, j, k] -> C[i, j] }
              read { S0[i, j, k] -> C[i, j] }
              read { S0[i, j, k] -> A[i, k] }
              read { S0[i, j, k] -> B[k, j] }
              body (fadd (read 1) (fmul (read 2) (read 3)))
        ";
        let (small, [first, ..]) = asked(text, 8);
        assert_eq!(small.flops, 2.0 * 512.0);
        // Four lanes, a product and a sum in each, twice per cycle.
        assert_eq!(small.peak, 16.0);
        assert_eq!(first, 0.0, "three small matrices are in the first cache");
        let (_, [first, second, third]) = asked(text, 4000);
        assert!(first >= second && second >= third && third > 3.0 * 8.0 * 4000.0 * 4000.0);
    }

    #[test]
    fn triangles_and_strides_count_what_runs() {
        let text = "
            params n
            context { : 1 <= n <= 100000 }
            array A f32 [n][n]
            stmt S0
              domain { S0[i, j] : 0 <= i < n and 0 <= j < i and j mod 2 = 0 }
              beta 0 0 0
              write { S0[i, j] -> A[i, j] }
              read { S0[i, j] -> A[j, i] }
              body (fmul (read 1) (read 1))
        ";
        let (triangle, _) = asked(text, 1000);
        assert!(
            (triangle.flops / 250_000.0 - 1.0).abs() < 0.01,
            "{}",
            triangle.flops
        );
        assert_eq!(triangle.peak, 32.0);
    }
}
