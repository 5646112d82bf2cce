//! Loops that all statements in them have in common, read off the domains of these: most nests of most programs.
//!
//! ```text
//! { S[i]; T[i, j] : 0 <= i < n, 0 <= j <= i },  band [i], then S, and a band [j] with T
//!
//!   T without j:  0 <= i < n        the constraints with i:  lower 0, upper n - 1, and the same for S
//!   T:            0 <= j <= i       the constraints with j:  lower 0, upper i
//! ```
//!
//! isl's generator makes the same loops and takes ten times as long for them, because it looks for strides, for parts that differ and
//! for conditions to hoist. Here it is asked whatever has any: several pieces, divisions, factors of iterators, several bounds on one
//! side, sizes for which a loop is empty, statements that run in a part of a loop that they share, tiles.

use super::constraints::rest;
use super::convert::LoopSpec;
use super::island::{loop_kind, runs_in};
use super::scope::{Rows, Scope};
use super::{Generator, SHARE, block, expr};
use polytile_analysis::ast::{Ast, Expr, For, ForKind, IterId};
use polytile_analysis::poly::{
    self, BasicSet, Constraint, DimType, Error, Set, UnionPwAff, UnionSet,
};
use polytile_analysis::tree::{Band, LoopKind, Mark, Tree};
use std::rc::Rc;

/// Loops and the statements in them.
struct Nest {
    stmts: Vec<Member>,
    parts: Vec<Part>,
}

/// A statement with the loops around it, outermost first.
struct Member {
    name: String,
    loops: Rc<Vec<Loop>>,
}

/// A statement whose loops are not read off yet.
struct Found {
    name: String,
    /// The dimensions that are rows, and what becomes of these.
    rows: Vec<(usize, LoopKind)>,
    domain: Set,
    /// So many of the loops around it are also around the statement before.
    shared: usize,
}

/// What runs at a place.
enum Part {
    Loop(Around),
    /// The statement with this number.
    Stmt(usize),
}

/// A loop around statements.
struct Around {
    depth: usize,
    /// A statement in it: its bounds are those of all.
    stmt: usize,
    /// All that it runs, and the values that the loops around it go through.
    domain: UnionSet,
    outer: Vec<UnionPwAff>,
    body: Vec<Part>,
}

/// A row of a band.
#[derive(Clone)]
struct Row {
    value: UnionPwAff,
    kind: LoopKind,
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
        let mut done = vec![];
        for part in &nest.parts {
            done.push(self.read_off(part, &nest.stmts, &mut vec![], scope)?);
        }
        Ok(Some(block(done)))
    }

    /// A part inside of loops with these iterators.
    fn read_off(
        &mut self,
        part: &Part,
        stmts: &[Member],
        iterators: &mut Vec<Expr>,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let around = match part {
            Part::Stmt(at) => {
                let member = &stmts[*at];
                return self.statement(&member.name, member.dims(iterators));
            }
            Part::Loop(around) => around,
        };
        let (member, depth) = (&stmts[around.stmt], around.depth);
        let [lower, upper] = member.ends(depth, iterators, scope)?;
        let iter = self.fresh_iter();
        let mut spec = LoopSpec {
            kind: loop_kind(member.loops[depth].kind),
            ..LoopSpec::plain()
        };
        if matches!(spec.kind, ForKind::Parallel { .. }) {
            let runs = runs_in(&around.domain, &around.outer, &scope.prefix)?;
            spec.runs = self.weighted(&runs)?;
        }
        let kind = spec.kind_at(self, scope)?;
        let mut inside = scope.clone();
        inside.bind(&format!("{}{depth}", scope.prefix), Expr::Iter(iter));
        let empty = For {
            iter,
            lower,
            upper,
            step: Expr::Int(1),
            anchor: None,
            kind,
            body: block(vec![]),
        };
        iterators.push(Expr::Iter(iter));
        let filled = self.filled(empty, |generator| {
            let body = around.body.iter();
            let body = body.map(|part| generator.read_off(part, stmts, iterators, &inside));
            Ok(block(body.collect::<poly::Result<_>>()?))
        });
        iterators.pop();
        filled
    }
}

impl Member {
    /// The values of its dimensions inside of loops with these iterators.
    fn dims(&self, iterators: &[Expr]) -> Vec<Expr> {
        let mut dims = vec![Expr::Int(0); self.loops.len()];
        for (l, iterator) in self.loops.iter().zip(iterators) {
            dims[l.dim] = iterator.clone();
        }
        dims
    }

    /// Whether another one runs in the same iterations of so many outer loops.
    fn shares(&self, other: &Member, loops: usize, scope: &Scope) -> poly::Result<bool> {
        if Rc::ptr_eq(&self.loops, &other.loops) {
            return Ok(true);
        }
        let at = |d: usize| Expr::Iter(IterId(u32::MAX - u32::try_from(d).expect("a depth")));
        let iterators: Vec<Expr> = (0..loops).map(at).collect();
        for depth in 0..loops {
            let outer = &iterators[..depth];
            if self.ends(depth, outer, scope)? != other.ends(depth, outer, scope)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first and the last iteration of its loop at this depth.
    fn ends(&self, depth: usize, iterators: &[Expr], scope: &Scope) -> poly::Result<[Expr; 2]> {
        let Loop {
            dim,
            bounds: [lower, upper],
            ..
        } = &self.loops[depth];
        let dims = self.dims(iterators);
        Ok([
            expr::neg(&lower.rest(*dim, &dims, scope)?),
            upper.rest(*dim, &dims, scope)?,
        ])
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
    let mut reader = Reader::default();
    let Some(parts) = reader.parts(tree, domain, &[])? else {
        return Ok(None);
    };
    let stmts = members(reader.found, scope)?;
    Ok(stmts.map(|stmts| Nest { stmts, parts }))
}

/// Statements with their loops; `None` where some that share one run in different iterations of it.
fn members(found: Vec<Found>, scope: &Scope) -> poly::Result<Option<Vec<Member>>> {
    let mut members: Vec<Member> = vec![];
    let mut before: Option<(Vec<(usize, LoopKind)>, Set)> = None;
    for stmt in found {
        let (rows, domain) = (stmt.rows, stmt.domain);
        let same = match &before {
            Some((r, d)) if *r == rows && d.is_equal(&domain)? => members.last(),
            _ => None,
        };
        let read = match same {
            Some(last) => Some(last.loops.clone()),
            None => loops(&rows, &domain, scope)?.map(Rc::new),
        };
        let Some(loops) = read else {
            return Ok(None);
        };
        let name = stmt.name;
        let member = Member { name, loops };
        if let Some(last) = members.last()
            && !last.shares(&member, stmt.shared, scope)?
        {
            return Ok(None);
        }
        members.push(member);
        before = Some((rows, domain));
    }
    Ok(Some(members))
}

/// Finds statements and the loops around them; `None` where something is special.
#[derive(Default)]
struct Reader {
    found: Vec<Found>,
    /// So many loops that are open are around the statement that was found last.
    shared: usize,
}

impl Reader {
    /// A subtree for the instances that reach it, inside of loops with these rows.
    fn parts(
        &mut self,
        tree: &Tree,
        domain: &UnionSet,
        outer: &[Row],
    ) -> poly::Result<Option<Vec<Part>>> {
        match tree {
            Tree::Leaf => {
                let stmt = self.stmt(domain, outer)?;
                Ok(stmt.map(|at| vec![Part::Stmt(at)]))
            }
            Tree::Mark(Mark::Contracted(_) | Mark::Strips(_), _) => Ok(None),
            Tree::Mark(_, child) => self.parts(child, domain, outer),
            Tree::Band(band) => self.band(band, 0, domain, outer),
            Tree::Sequence(list) | Tree::Set(list) => {
                let mut parts = vec![];
                for branch in list {
                    let part = domain.intersect(&branch.filter)?;
                    if part.is_empty()? {
                        continue;
                    }
                    match self.parts(&branch.child, &part, outer)? {
                        None => return Ok(None),
                        Some(more) => parts.extend(more),
                    }
                }
                Ok(Some(parts))
            }
        }
    }

    /// The loops of a band from a member on.
    fn band(
        &mut self,
        band: &Band,
        m: usize,
        domain: &UnionSet,
        outer: &[Row],
    ) -> poly::Result<Option<Vec<Part>>> {
        if m == band.schedule.size() {
            return self.parts(&band.child, domain, outer);
        }
        let row = band.schedule.at(m)?;
        let mut inner = outer.to_vec();
        inner.push(Row {
            value: row.intersect_domain(&domain.universe_of()?)?,
            kind: band.loops.get(m).copied().unwrap_or_default(),
        });
        let first = self.found.len();
        let Some(body) = self.band(band, m + 1, domain, &inner)? else {
            return Ok(None);
        };
        let depth = outer.len();
        self.shared = self.shared.min(depth);
        Ok(Some(vec![Part::Loop(Around {
            depth,
            stmt: first,
            domain: domain.clone(),
            outer: outer.iter().map(|row| row.value.clone()).collect(),
            body,
        })]))
    }

    /// The statement whose instances these are.
    fn stmt(&mut self, domain: &UnionSet, outer: &[Row]) -> poly::Result<Option<usize>> {
        let [set] = &domain.sets()?[..] else {
            return Ok(None);
        };
        let name = set.tuple_name().expect("statements have names");
        let here = domain.universe_of()?;
        let mut rows = vec![];
        for row in outer {
            match dimension(&row.value.intersect_domain(&here)?)? {
                None => return Ok(None),
                Some(dim) => rows.push((dim, row.kind)),
            }
        }
        let shared = std::mem::replace(&mut self.shared, outer.len());
        self.found.push(Found {
            name,
            rows,
            domain: set.reset_tuple_id()?,
            shared,
        });
        Ok(Some(self.found.len() - 1))
    }
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
    rows: &[(usize, LoopKind)],
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
    for &(dim, kind) in rows.iter().rev() {
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
    use polytile_analysis::scop::Scop;
    use polytile_analysis::text::parse_schedule;
    use polytile_analysis::tree::Schedule;

    /// The loops as read off, and as isl makes them.
    fn both(context: &str, stmts: &[(&str, &str)], map: &str) -> (Option<Ast>, Ast) {
        let ctx = Ctx::new();
        let scop = bare_scop(&ctx, "n m", context, stmts);
        both_of(&scop, &flat_schedule(&scop, map))
    }

    /// The same for a tree.
    fn both_of(scop: &Scop, schedule: &Schedule) -> (Option<Ast>, Ast) {
        let scope = Scope::new(scop, schedule).unwrap();
        let options = AstOptions::default();
        let generator = || Generator {
            scop,
            schedule,
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

    /// A loop `i` with a statement, a loop `j` with two, and one more; the last runs for these `i`.
    fn several(last: &str) -> (Option<Ast>, Ast) {
        let ctx = Ctx::new();
        let i = "0 <= i < n";
        let last = format!("{{ S3[i] : {last} }}");
        let [first, second, third] = [
            format!("{{ S0[i] : {i} }}"),
            format!("{{ S1[i, j] : {i} and 0 <= j <= i }}"),
            format!("{{ S2[i, j] : {i} and 0 <= j <= i }}"),
        ];
        let stmts = [
            (first.as_str(), "0 0"),
            (&second, "0 1 0"),
            (&third, "0 1 1"),
            (&last, "0 2"),
        ];
        let scop = bare_scop(&ctx, "n m", "{ : n >= 5 }", &stmts);
        let text = format!(
            r#"domain: "{}"
child:
  schedule: "[n, m] -> [{{ S0[i] -> [(i)]; S1[i, j] -> [(i)]; S2[i, j] -> [(i)]; S3[i] -> [(i)] }}]"
  child:
    sequence:
    - filter: "[n, m] -> {{ S0[i] }}"
    - filter: "[n, m] -> {{ S1[i, j]; S2[i, j] }}"
      child:
        schedule: "[n, m] -> [{{ S1[i, j] -> [(j)]; S2[i, j] -> [(j)] }}]"
        child:
          sequence:
          - filter: "[n, m] -> {{ S1[i, j] }}"
          - filter: "[n, m] -> {{ S2[i, j] }}"
    - filter: "[n, m] -> {{ S3[i] }}"
"#,
            scop.domain().unwrap()
        );
        both_of(&scop, &parse_schedule(&ctx, &text).unwrap())
    }

    #[test]
    fn statements_may_have_loops_of_their_own_in_one_that_they_share() {
        let (own, isl) = several("0 <= i < n");
        assert_eq!(own.map(|a| a.to_string()), Some(isl.to_string()));
        for part in ["0 < i < n", "0 <= i < n - 1", "i = 2"] {
            assert!(several(part).0.is_none(), "{part}");
        }
    }
}
