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
use super::traffic::Traffic;
use super::walk::nests;
use super::{Env, Judged};
use crate::ast::expr;
use crate::target::Target;
use crate::work::instances;
use polytile_analysis::ast::Expr;
use polytile_analysis::poly;

/// Bytes of a number where no operation says how long they are.
const DOUBLE: i64 = 8;

/// The arithmetic of one entry of a region.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arithmetic {
    /// Floating-point operations; a product and a sum in one are two.
    pub flops: f64,
    /// Operations per cycle that one core does at most, for the widest numbers in it.
    pub peak: f64,
}

/// The arithmetic of a program for typical parameters; `None`: the number of its instances cannot be estimated.
///
/// # Errors
/// What reading access relations and domains comes to.
pub fn arithmetic(judged: &Judged, target: &Target) -> poly::Result<Option<Arithmetic>> {
    let facts = Facts::new(judged)?;
    let param = |name: &str| {
        let at = judged.scop.params.iter().position(|p| p.name == name)?;
        Some(Expr::Param(at.into()))
    };
    let mut flops = 0.0;
    for (stmt, facts) in judged.scop.stmts.iter().zip(&facts.stmts) {
        let each = operations(facts);
        if each == 0.0 {
            continue;
        }
        let count = instances(&stmt.domain, &param)?;
        let Some(count) = count.and_then(|c| expr::at(&c, judged.typical)) else {
            return Ok(None);
        };
        flops += each * count.max(0) as f64;
    }
    let peak = target.peak(widest(&facts).unsigned_abs());
    Ok(Some(Arithmetic { flops, peak }))
}

/// Bytes that come into the first, second and third level in one entry, and go back.
///
/// # Errors
/// What reading the access relations comes to.
pub fn bytes(judged: &Judged, target: &Target) -> poly::Result<[f64; 3]> {
    let (facts, env) = (Facts::new(judged)?, Env::new(judged));
    let of = |nest| Traffic::new(&facts, judged, nest, &env).by_level(target);
    let all = nests(judged.body).into_iter().map(of);
    Ok(all.fold([0.0; 3], |sum, nest| {
        [sum[0] + nest[0], sum[1] + nest[1], sum[2] + nest[2]]
    }))
}

/// Floating-point operations of an instance.
fn operations(facts: &StmtFacts) -> f64 {
    let of = |kind: &Kind| match kind {
        Kind::Float | Kind::Divide | Kind::Root => 1.0,
        Kind::Fused => 2.0,
        _ => 0.0,
    };
    facts.nodes.iter().map(|n| of(&n.kind)).sum()
}

/// Bytes of the widest numbers that are computed with.
fn widest(facts: &Facts) -> i64 {
    let nodes = facts.stmts.iter().flat_map(|s| &s.nodes);
    let float = |k: Kind| matches!(k, Kind::Float | Kind::Fused | Kind::Divide | Kind::Root);
    let bytes = nodes.filter(|n| float(n.kind)).map(|n| n.bytes);
    bytes.max().unwrap_or(DOUBLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::generate;
    use crate::model::Choices;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;
    use polytile_analysis::tree::original;

    /// A product of matrices of `f64`, for `n` rows.
    fn product(n: i64) -> (Option<Arithmetic>, [f64; 3]) {
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
        let scop = parse_scop(&Ctx::new(), text).expect("a SCoP");
        let body = generate(&scop, &original(&scop).unwrap()).unwrap();
        let target = Target::lookup("x86_64-pc-linux-gnu", "x86-64-v3", "");
        let judged = Judged {
            scop: &scop,
            body: &body,
            handed: &[],
            sizes: &[],
            typical: &[n],
            original: true,
            choices: &Choices::default(),
        };
        let arithmetic = arithmetic(&judged, &target).unwrap();
        (arithmetic, bytes(&judged, &target).unwrap())
    }

    #[test]
    fn a_product_of_matrices_has_two_operations_an_instance() {
        let (Some(small), [first, ..]) = product(8) else {
            panic!("its instances are a box");
        };
        assert_eq!(small.flops, 2.0 * 512.0);
        // Four lanes, a product and a sum in each, twice per cycle.
        assert_eq!(small.peak, 16.0);
        assert_eq!(first, 0.0, "three small matrices are in the first cache");
        let (_, [first, second, third]) = product(4000);
        assert!(first >= second && second >= third && third > 3.0 * 8.0 * 4000.0 * 4000.0);
    }
}
