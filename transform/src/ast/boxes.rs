//! Loops of statements that share one domain and differ in nothing, read off it: most nests of most programs.
//!
//! ```text
//! { S[i, j]; T[i, j] : 0 <= i < n, 0 <= j <= i },  bands [i], [j], then S, T
//!
//!   without j:  0 <= i < n          the constraints with i:  lower 0, upper n - 1
//!   all:        0 <= j <= i         the constraints with j:  lower 0, upper i
//! ```
//!
//! isl's generator makes the same loops and takes ten times as long for them, because it looks for strides, for parts that differ and
//! for conditions to hoist. Here it is asked whatever has any: several pieces, divisions, factors of iterators, several bounds on one
//! side, sizes for which an inner loop is empty, statements with domains of their own, tiles.

use super::constraints::rest;
use super::convert::LoopSpec;
use super::island::{loop_kind, runs_in};
use super::scope::{Rows, Scope};
use super::{Generator, SHARE, block, expr};
use polytile_analysis::ast::{Ast, Expr, For, ForKind};
use polytile_analysis::poly::{
    self, BasicSet, Constraint, DimType, Error, Set, UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Band, LoopKind, Mark, Tree};

/// Statements below loops, all in all of them.
struct Nest {
    /// Outermost first.
    loops: Vec<Loop>,
    /// The values that these go through.
    rows: Vec<UnionPwAff>,
    /// In their order.
    stmts: Vec<String>,
}

/// A loop over a dimension of the statements' domain.
struct Loop {
    dim: usize,
    kind: LoopKind,
    bounds: [Bound; 2],
}

/// A constraint with factor 1 or -1 for the loop's own dimension, and which dimensions it has.
struct Bound {
    constraint: Constraint,
    dims: Vec<usize>,
}

impl Generator<'_> {
    /// The loops of a subtree without tile bands, if they are that simple.
    pub(super) fn box_loops(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Option<Ast>> {
        if !scope.origins.is_empty() || scope.rows != Rows::Long {
            return Ok(None);
        }
        let nest = {
            let ctx = domain.ctx().clone();
            let _quota = ctx.share(SHARE);
            match nest(tree, domain, scope) {
                Ok(Some(nest)) => nest,
                Ok(None) | Err(Error::Quota) => return Ok(None),
                Err(e) => return Err(e),
            }
        };
        let mut iterators = vec![Expr::Int(0); nest.loops.len()];
        self.nested(&nest, 0, &mut iterators, domain, scope)
            .map(Some)
    }

    /// The loops from this depth on. `iterators`: by dimension of the domain.
    fn nested(
        &mut self,
        nest: &Nest,
        depth: usize,
        iterators: &mut [Expr],
        domain: &UnionSet,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let Some(l) = nest.loops.get(depth) else {
            let calls = nest.stmts.iter();
            let calls = calls.map(|name| self.statement(name, iterators.to_vec()));
            return Ok(block(calls.collect::<poly::Result<_>>()?));
        };
        let [lower, upper] = &l.bounds;
        let lower = expr::neg(&lower.rest(l.dim, iterators, scope)?);
        let upper = upper.rest(l.dim, iterators, scope)?;
        let iter = self.fresh_iter();
        let mut spec = LoopSpec {
            kind: loop_kind(l.kind),
            ..LoopSpec::plain()
        };
        if matches!(spec.kind, ForKind::Parallel { .. }) {
            let part = runs_in(domain, &nest.rows[..depth], &scope.prefix)?;
            spec.runs = self.weighted(&part)?;
        }
        let kind = spec.kind_at(self, scope)?;
        let mut inside = scope.clone();
        inside.bind(&format!("{}{depth}", scope.prefix), Expr::Iter(iter));
        iterators[l.dim] = Expr::Iter(iter);
        let empty = For {
            iter,
            lower,
            upper,
            step: Expr::Int(1),
            anchor: None,
            kind,
            body: block(vec![]),
        };
        self.filled(empty, |generator| {
            generator.nested(nest, depth + 1, iterators, domain, &inside)
        })
    }
}

impl Bound {
    /// Everything in the constraint but the loop's own dimension.
    fn rest(&self, own: usize, iterators: &[Expr], scope: &Scope) -> poly::Result<Expr> {
        let dims = self.dims.iter().enumerate().filter(|(_, d)| **d != own);
        let dims: Vec<(usize, &Expr)> = dims.map(|(at, d)| (at, &iterators[*d])).collect();
        rest(&self.constraint, &dims, scope)
    }
}

fn nest(tree: &Tree, domain: &UnionSet, scope: &Scope) -> poly::Result<Option<Nest>> {
    let mut bands = vec![];
    let Some(parts) = leaves(tree, domain, &mut bands)? else {
        return Ok(None);
    };
    let mut shared: Option<(Set, Vec<Loop>)> = None;
    let mut stmts = vec![];
    for part in &parts {
        let [set] = &part.sets()?[..] else {
            return Ok(None);
        };
        stmts.push(set.tuple_name().expect("statements have names"));
        let set = set.reset_tuple_id()?;
        match &shared {
            None => {
                let rows = rows(&bands, part)?;
                let loops = rows.map(|rows| loops(rows, &set, scope)).transpose()?;
                let Some(loops) = loops.flatten() else {
                    return Ok(None);
                };
                shared = Some((set, loops));
            }
            Some((first, loops)) => {
                let Some(rows) = rows(&bands, part)? else {
                    return Ok(None);
                };
                let same = rows
                    .iter()
                    .map(|(dim, ..)| *dim)
                    .eq(loops.iter().map(|l| l.dim));
                if !same || !first.is_equal(&set)? {
                    return Ok(None);
                }
            }
        }
    }
    let Some((_, loops)) = shared else {
        return Ok(None);
    };
    let here = domain.universe_of()?;
    let mut rows = vec![];
    for band in bands {
        for m in 0..band.schedule.size() {
            rows.push(band.schedule.at(m)?.intersect_domain(&here)?);
        }
    }
    Ok(Some(Nest { loops, rows, stmts }))
}

/// The bands above the statements, and these in their order; `None` where they have bands of their own or something is special.
fn leaves<'t>(
    tree: &'t Tree,
    domain: &UnionSet,
    bands: &mut Vec<&'t Band>,
) -> poly::Result<Option<Vec<UnionSet>>> {
    Ok(match tree {
        Tree::Leaf => Some(vec![domain.clone()]),
        Tree::Mark(Mark::Contracted(_) | Mark::Strips(_), _) => None,
        Tree::Mark(_, child) => leaves(child, domain, bands)?,
        Tree::Band(band) => {
            bands.push(band);
            leaves(&band.child, domain, bands)?
        }
        Tree::Sequence(list) | Tree::Set(list) => {
            let mut live = vec![];
            for branch in list {
                let part = domain.intersect(&branch.filter)?;
                if !part.is_empty()? {
                    live.push((&branch.child, part));
                }
            }
            match &live[..] {
                [(child, part)] => leaves(child, part, bands)?,
                several => {
                    let plain = several.iter().all(|(child, _)| is_leaf(child));
                    plain.then(|| live.into_iter().map(|(_, part)| part).collect())
                }
            }
        }
    })
}

fn is_leaf(tree: &Tree) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Mark(Mark::Contracted(_) | Mark::Strips(_), _) => false,
        Tree::Mark(_, child) => is_leaf(child),
        Tree::Band(_) | Tree::Sequence(_) | Tree::Set(_) => false,
    }
}

/// Which dimension of a statement each member of the bands goes through; `None` if one does something else.
fn rows(bands: &[&Band], stmt: &UnionSet) -> poly::Result<Option<Vec<(usize, LoopKind)>>> {
    let here = stmt.universe_of()?;
    let mut rows = vec![];
    for band in bands {
        for m in 0..band.schedule.size() {
            let row = band.schedule.at(m)?.intersect_domain(&here)?;
            let Some(dim) = dimension(&row)? else {
                return Ok(None);
            };
            let kind = band.loops.get(m).copied().unwrap_or_default();
            rows.push((dim, kind));
        }
    }
    Ok(Some(rows))
}

/// The dimension that a row of one statement is.
fn dimension(row: &UnionPwAff) -> poly::Result<Option<usize>> {
    let [one] = &row.pw_affs()?[..] else {
        return Ok(None);
    };
    if !one.isa_aff()? {
        return Ok(None);
    }
    let row = one.as_aff()?;
    if row.involves_locals()? || row.denominator()? != 1 || row.constant()? != 0 {
        return Ok(None);
    }
    for p in 0..row.dim(DimType::Param) {
        if row.coefficient(DimType::Param, p)? != 0 {
            return Ok(None);
        }
    }
    let mut found = None;
    for d in 0..row.dim(DimType::In) {
        match (row.coefficient(DimType::In, d)?, found) {
            (0, _) => {}
            (1, None) => found = Some(d),
            _ => return Ok(None),
        }
    }
    Ok(found)
}

/// The loops over a domain, one for each row.
fn loops(
    rows: Vec<(usize, LoopKind)>,
    domain: &Set,
    scope: &Scope,
) -> poly::Result<Option<Vec<Loop>>> {
    let mut dims: Vec<usize> = rows.iter().map(|(dim, _)| *dim).collect();
    dims.sort_unstable();
    if !dims.iter().copied().eq(0..domain.tuple_dim()) {
        return Ok(None);
    }
    let inside = domain.intersect_params(&scope.context)?.coalesce()?;
    let Some(inside) = inside.one_piece()? else {
        return Ok(None);
    };
    let mut part = inside.remove_redundancies()?;
    let mut loops = vec![];
    for (dim, kind) in rows.into_iter().rev() {
        let at = dims.iter().position(|d| *d == dim).expect("each once");
        let Some(bounds) = bounds(&part, at, &dims)? else {
            return Ok(None);
        };
        loops.push(Loop { dim, kind, bounds });
        let outer = part.project_out(DimType::Set, at, 1)?;
        let Some(outer) = outer.to_set()?.one_piece()? else {
            return Ok(None);
        };
        part = outer.remove_redundancies()?;
        dims.remove(at);
    }
    loops.reverse();
    let entered = scope.context.is_subset(&part.to_set()?.params()?)?;
    Ok(entered.then_some(loops))
}

/// The lower and the upper bound of a dimension, if it has one of each.
fn bounds(part: &BasicSet, at: usize, dims: &[usize]) -> poly::Result<Option<[Bound; 2]>> {
    let (mut lower, mut upper) = (None, None);
    for constraint in part.constraints()? {
        let side = match constraint.coefficient(DimType::Set, at)? {
            0 => continue,
            1 if !constraint.is_equality() => &mut lower,
            -1 if !constraint.is_equality() => &mut upper,
            _ => return Ok(None),
        };
        let dims = dims.to_vec();
        if side.replace(Bound { constraint, dims }).is_some() {
            return Ok(None);
        }
    }
    Ok(lower.zip(upper).map(|(lower, upper)| [lower, upper]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::AstOptions;
    use crate::testing::{bare_scop, flat_schedule};
    use polytile_analysis::poly::{AstLoopType, Ctx};

    /// The loops as read off, and as isl makes them.
    fn both(context: &str, stmts: &[(&str, &str)], map: &str) -> (Option<Ast>, Ast) {
        let ctx = Ctx::new();
        let scop = bare_scop(&ctx, "n m", context, stmts);
        let schedule = flat_schedule(&scop, map);
        let scope = Scope::new(&scop, &schedule).unwrap();
        let options = AstOptions::default();
        let generator = || Generator {
            scop: &scop,
            schedule: &schedule,
            options: &options,
            next_iter: 0,
            next_origin: 0,
            loop_depth: 0,
            buffers: vec![],
            panel_buffers: vec![],
        };
        let (tree, domain) = (&schedule.root, &schedule.domain);
        let own = generator().box_loops(tree, domain, &scope).unwrap();
        let isl = generator().attempt(tree, domain, &scope, AstLoopType::Atomic);
        (own, isl.unwrap())
    }

    #[test]
    fn what_is_read_off_is_what_isl_makes() {
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[("{ S0[i] : 2 <= i < n }", "0 0")], "{ S0[i] -> [i] }"),
            (
                &[("{ S0[i, j] : 0 <= i < n and 0 <= j <= i + m }", "0 0 0")],
                "{ S0[i, j] -> [i, j] }",
            ),
            (
                &[("{ S0[i, j] : 0 <= i < n and i <= j < n }", "0 0 0")],
                "{ S0[i, j] -> [j, i] }",
            ),
        ];
        for (stmts, map) in cases {
            let (own, isl) = both("{ : n >= 5 and m >= 5 }", stmts, map);
            assert_eq!(own.map(|a| a.to_string()), Some(isl.to_string()), "{map}");
        }
    }

    #[test]
    fn everything_else_is_left_to_isl() {
        let read_off = |context: &str, domain: &str, map: &str| {
            both(context, &[(domain, "0 0 0")], map).0.is_some()
        };
        let (known, plain) = ("{ : n >= 5 and m >= 5 }", "{ S0[i, j] -> [i, j] }");
        let square = "{ S0[i, j] : 0 <= i < n and 0 <= j < m }";
        assert!(read_off(known, square, plain));
        // For some sizes the inner loop is empty.
        assert!(!read_off("{ : n >= 5 }", square, plain));
        assert!(!read_off(known, square, "{ S0[i, j] -> [i + j, j] }"));
        assert!(!read_off(known, square, "{ S0[i, j] -> [-i, j] }"));
        for domain in [
            "{ S0[i, j] : 0 <= i < n and 0 <= j < n and j < m }",
            "{ S0[i, j] : 0 <= i < n and 0 <= 2j < m }",
            "{ S0[i, j] : 0 <= i < n and 0 <= j < m and (i + j) mod 2 = 0 }",
            "{ S0[i, j] : 0 <= i < n and 0 <= j < m and i != j }",
            "{ S0[i, j] : 0 <= i < n and j = i }",
        ] {
            assert!(!read_off(known, domain, plain), "{domain}");
        }
    }
}
