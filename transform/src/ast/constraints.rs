//! Constraints of sets as expressions: bounds of loops, and conditions that parameters have to meet.

use super::convert::convert;
use super::expr;
use super::scope::Scope;
use polytile_analysis::ast::{BinOp, Expr};
use polytile_analysis::poly::{
    self, Aff, AstBuild, BasicSet, Constraint, DimType, PwAff, Set, Space,
};

/// Whether the parameters are in a set, given that they are in the context.
///
/// # Errors
/// What isl's generator comes to. It is asked only where there are many cases or divisions: it looks for what they share, which takes long.
pub(crate) fn holds(set: &Set, context: &Set, scope: &Scope) -> poly::Result<Expr> {
    if let Some(cases) = cases(set, scope)? {
        return Ok(expr::any(&cases));
    }
    let build = knowing(context, &set.space()?)?;
    convert(&build.expr_from_set(set)?, scope)
}

/// isl's generator of expressions over all parameters of a space. Where the context does not name one of them, a sum under a division was seen to lose
/// it (0.27).
fn knowing(context: &Set, space: &Space) -> poly::Result<AstBuild> {
    AstBuild::from_context(&context.align_params(space)?)
}

/// A function of the parameters, given what is known of them, as an expression; 0 if it has no value anywhere.
///
/// # Errors
/// What isl's generator comes to. It is asked only where there are several cases or divisions: it restricts what it knows to each case, which
/// takes long where there are many parameters.
pub(crate) fn value(of: &PwAff, scope: &Scope) -> poly::Result<Expr> {
    let simple = of.gist_params(&scope.context)?.coalesce()?;
    match &simple.pieces()?[..] {
        [] => return Ok(Expr::Int(0)),
        [(_, only)] if let Some(only) = affine(only, scope)? => return Ok(only),
        _ => {}
    }
    let build = knowing(&scope.context, &simple.space()?)?;
    convert(&build.expr_from_pw_aff(&simple)?, scope)
}

/// An affine function of the parameters as an expression; `None` if it divides.
pub(super) fn affine(aff: &Aff, scope: &Scope) -> poly::Result<Option<Expr>> {
    if aff.involves_locals()? || aff.denominator()? != 1 {
        return Ok(None);
    }
    let mut value = Expr::Int(aff.constant()?);
    for p in 0..aff.dim(DimType::Param) {
        let c = aff.coefficient(DimType::Param, p)?;
        if c != 0 {
            let name = aff.dim_name(DimType::Param, p).unwrap_or_default();
            value = expr::add(&value, &expr::mul(&Expr::Int(c), &scope.value(&name)));
        }
    }
    Ok(Some(value))
}

/// More cases are left to isl.
const MOST_CASES: usize = 8;

/// The conditions of the pieces of a set; `None` if they are many, or divide.
fn cases(set: &Set, scope: &Scope) -> poly::Result<Option<Vec<Expr>>> {
    let pieces = set.basic_sets()?;
    let divides = |p: &BasicSet| p.dim(DimType::Div) > 0;
    if pieces.len() > MOST_CASES || pieces.iter().any(divides) {
        return Ok(None);
    }
    let one = |piece: &BasicSet| -> poly::Result<Option<Expr>> {
        let facts = piece.constraints()?;
        let facts = facts.iter().map(|fact| compared(fact, scope));
        let facts = facts.collect::<poly::Result<Option<Vec<Expr>>>>()?;
        Ok(facts.map(|facts| expr::all(&facts)))
    };
    pieces.iter().map(one).collect()
}

/// A constraint as a comparison of two sums without negative terms; `None` if its constant has more than 64 bits.
fn compared(fact: &Constraint, scope: &Scope) -> poly::Result<Option<Expr>> {
    let Some(constant) = fact.constant_val()?.as_i64() else {
        return Ok(None);
    };
    let mut sides = [Expr::Int(0), Expr::Int(0)];
    let mut add = |factor: i64, value: &Expr| -> Option<()> {
        let side = &mut sides[usize::from(factor < 0)];
        let term = expr::mul(&Expr::Int(factor.checked_abs()?), value);
        *side = expr::add(side, &term);
        Some(())
    };
    for (factor, value) in params(fact, scope)? {
        if add(factor, &value).is_none() {
            return Ok(None);
        }
    }
    if add(constant, &Expr::Int(1)).is_none() {
        return Ok(None);
    }
    let [more, less] = sides;
    let op = match (fact.is_equality(), expr::as_int(&more)) {
        (true, _) => BinOp::Eq,
        (false, None) => BinOp::Ge,
        (false, Some(_)) => return Ok(Some(expr::bin(BinOp::Le, &less, &more))),
    };
    Ok(Some(expr::bin(op, &more, &less)))
}

/// The sum of a constraint's parameters, of these of its dimensions by position, and of its constant.
///
/// # Errors
/// A constant of more than 64 bits.
pub(super) fn rest(
    constraint: &Constraint,
    dims: &[(usize, &Expr)],
    scope: &Scope,
) -> poly::Result<Expr> {
    let mut sum = Expr::Int(0);
    let mut add = |factor: i64, value: &Expr| {
        sum = expr::add(&sum, &expr::mul(&Expr::Int(factor), value));
    };
    for (factor, value) in params(constraint, scope)? {
        add(factor, &value);
    }
    for (at, value) in dims {
        add(constraint.coefficient(DimType::Set, *at)?, value);
    }
    add(constraint.constant()?, &Expr::Int(1));
    Ok(sum)
}

/// The parameters of a constraint, with their factors.
fn params(constraint: &Constraint, scope: &Scope) -> poly::Result<Vec<(i64, Expr)>> {
    let space = constraint.space()?;
    let mut found = vec![];
    for p in 0..constraint.dim(DimType::Param) {
        let factor = constraint.coefficient(DimType::Param, p)?;
        if factor != 0 {
            let name = space.dim_name(DimType::Param, p);
            let value = scope.value(&name.expect("parameters have names"));
            found.push((factor, value));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bare_scop, flat_schedule};
    use polytile_analysis::poly::Ctx;

    #[test]
    fn conditions_are_isls() {
        let ctx = Ctx::new();
        let scop = bare_scop(&ctx, "n m", "{ : }", &[("{ S0[i] : 0 <= i < n }", "0 0")]);
        let scope = Scope::new(&scop, &flat_schedule(&scop, "{ S0[i] -> [i] }")).unwrap();
        for (text, wanted) in [
            ("n >= 3", "(p0 >= 3)"),
            ("n <= 10", "(p0 <= 10)"),
            ("m >= n", "(p1 >= p0)"),
            ("n + 2m <= 7", "((p0 + (2 * p1)) <= 7)"),
            ("n = m + 1", "((p1 + 1) == p0)"),
            ("n >= 3 or m > n", "((p0 >= 3) || (p1 >= (p0 + 1)))"),
        ] {
            let set = Set::parse(&ctx, &format!("[n, m] -> {{ : {text} }}")).unwrap();
            let own = holds(&set, &scop.context, &scope).unwrap();
            assert_eq!(own.to_string(), wanted);
            // What isl makes of it has the same values.
            let build = AstBuild::from_context(&scop.context).unwrap();
            let isl = convert(&build.expr_from_set(&set).unwrap(), &scope).unwrap();
            for (n, m) in (-3..12).flat_map(|n| (-3..12).map(move |m| (n, m))) {
                let at = |e: &Expr| {
                    expr::eval(e, &|leaf| match leaf {
                        Expr::Param(p) => Some([n, m][p.index()]),
                        _ => None,
                    })
                };
                assert_eq!(at(&own), at(&isl), "{text} at {n}, {m}");
            }
        }
    }

    #[test]
    fn values_are_sums_where_they_can_be() {
        let ctx = Ctx::new();
        let scop = bare_scop(
            &ctx,
            "n m",
            "{ : m = 4 }",
            &[("{ S0[i] : 0 <= i < n }", "0 0")],
        );
        let scope = Scope::new(&scop, &flat_schedule(&scop, "{ S0[i] -> [i] }")).unwrap();
        for (text, wanted) in [
            ("[(2n - 1)]", "((2 * p0) - 1)"),
            ("[(n + m)]", "(p0 + 4)"),
            ("[(floor(n/2))]", "floord(p0, 2)"),
            ("[(n)] : n > 3; [(3)] : n <= 3", "((p0 <= 3) ? 3 : p0)"),
            ("[(n)] : false", "0"),
        ] {
            let of = PwAff::parse(&ctx, &format!("[n, m] -> {{ {text} }}")).unwrap();
            assert_eq!(value(&of, &scope).unwrap().to_string(), wanted);
        }
    }
}
