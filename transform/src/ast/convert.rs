//! isl's program as an [`Ast`]: inclusive bounds, positive steps, loops that run once substituted.

use super::scope::{Rows, Scope};
use super::{Generator, block, condition, expr};
use crate::work;
use polytile_analysis::ast::{Ast, BinOp, Expr, For, ForKind, IterId};
use polytile_analysis::poly::{self, AstExpr, AstExprType, AstNode, AstNodeType, AstOp, Set};

/// What is decided about the loops of one schedule dimension.
#[derive(Clone, Debug)]
pub(super) struct LoopSpec {
    /// How the loop runs.
    pub kind: ForKind,
    /// Step and anchor of the lattice that the loop keeps to; `None`: all of isl's iterations.
    pub lattice: Option<(Expr, Expr)>,
    /// For a parallel loop: what one execution of the whole loop runs, weighted; outer iterators are parameters.
    pub runs: Vec<(i64, Set)>,
}

impl LoopSpec {
    /// A sequential loop over all of isl's iterations.
    pub fn plain() -> LoopSpec {
        LoopSpec {
            kind: ForKind::Sequential,
            lattice: None,
            runs: vec![],
        }
    }

    /// How the loop runs at a place where `scope` holds.
    pub fn kind_at(&self, generator: &Generator, scope: &Scope) -> poly::Result<ForKind> {
        let ForKind::Parallel {
            distribution,
            private,
            ..
        } = &self.kind
        else {
            return Ok(self.kind.clone());
        };
        let min_work = match generator.loop_depth {
            0 => generator.options.parallel_min_work,
            _ => generator.options.repeated_min_work,
        };
        let value = |name: &str| scope.get(name).cloned();
        let work = match min_work {
            0 => None,
            _ => match work::of_domains(self.runs.iter().cloned(), &value)? {
                Some(w) => Some(w),
                None => work::of_scop(generator.scop)?,
            },
        };
        let worth = work.map(|w| expr::bin(BinOp::Ge, &w, &Expr::Int(min_work)));
        Ok(ForKind::Parallel {
            distribution: *distribution,
            worth,
            private: private.clone(),
        })
    }
}

/// A conversion under way. Loops are recognized by the names of their iterators, `iterators[d]` in dimension `d`.
pub(super) struct Converter<'c> {
    /// Names of the iterators by dimension.
    pub iterators: &'c [String],
    /// The decision about each dimension; marks change it below themselves.
    pub specs: Vec<LoopSpec>,
    /// Decisions by mark: the dimension and what holds below the mark.
    pub marks: &'c [(usize, LoopSpec)],
    /// Makes a statement from its name and arguments, with the names bound so far.
    pub user: UserMaker<'c>,
}

/// Makes a statement from its name and arguments.
pub(super) type UserMaker<'c> =
    &'c mut dyn FnMut(&mut Generator, &Scope, &str, Vec<Expr>) -> poly::Result<Ast>;

/// The name of mark number `n`.
pub(super) fn mark_name(n: usize) -> String {
    format!("loop{n}")
}

impl Converter<'_> {
    /// The program of a node.
    pub fn node(
        &mut self,
        generator: &mut Generator,
        node: &AstNode,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        match node.node_type()? {
            AstNodeType::For => self.for_node(generator, node, scope),
            AstNodeType::If => {
                let cond = convert(&node.if_cond()?, scope)?;
                let then = self.node(generator, &node.if_then()?, scope)?;
                let els = match node.if_else()? {
                    Some(e) => Some(self.node(generator, &e, scope)?),
                    None => None,
                };
                Ok(condition(cond, then, els))
            }
            AstNodeType::Block => {
                let mut parts = vec![];
                for child in node.block_children()? {
                    parts.push(self.node(generator, &child, scope)?);
                }
                Ok(block(parts))
            }
            AstNodeType::Mark => self.mark(generator, node, scope),
            AstNodeType::User => {
                let call = node.user_expr()?.args()?;
                let name = call[0].id_name()?;
                let args = call[1..].iter().map(|a| convert(a, scope));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                (self.user)(generator, scope, &name, args)
            }
        }
    }

    fn mark(
        &mut self,
        generator: &mut Generator,
        node: &AstNode,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let name = node.mark_name()?;
        let number = name.strip_prefix("loop").and_then(|n| n.parse().ok());
        let (dim, spec) = number
            .and_then(|n: usize| self.marks.get(n))
            .unwrap_or_else(|| panic!("'{name}' is one of our marks"))
            .clone();
        let outside = std::mem::replace(&mut self.specs[dim], spec);
        let inside = self.node(generator, &node.mark_node()?, scope);
        self.specs[dim] = outside;
        inside
    }

    fn for_node(
        &mut self,
        generator: &mut Generator,
        node: &AstNode,
        scope: &Scope,
    ) -> poly::Result<Ast> {
        let name = node.for_iterator_name()?;
        let dim = self.iterators.iter().position(|n| *n == name);
        let dim = dim.unwrap_or_else(|| panic!("'{name}' is one of our iterators"));
        let lower = convert(&node.for_init()?, scope)?;
        let mut inside = scope.clone();
        if node.for_is_degenerate() {
            inside.bind(&name, lower.clone());
            let body = self.node(generator, &node.for_body()?, &inside)?;
            return Ok(condition(self.on_lattice(dim, &lower), body, None));
        }
        let iter = generator.fresh_iter();
        inside.bind(&name, Expr::Iter(iter));
        let upper = upper_bound(&convert(&node.for_cond()?, &inside)?, iter);
        let inc = convert(&node.for_inc()?, scope)?;
        let range = (lower, upper, inc);
        let empty = generator.empty_loop(iter, &self.specs[dim], range, scope)?;
        let body = node.for_body()?;
        generator.filled(empty, |generator| self.node(generator, &body, &inside))
    }

    /// Whether a single value lies on the lattice of its dimension.
    fn on_lattice(&self, dim: usize, value: &Expr) -> Expr {
        match &self.specs[dim].lattice {
            None => Expr::Int(1),
            Some((step, anchor)) => lattice_guard(value, anchor, step),
        }
    }
}

impl LoopSpec {
    /// Lower bound, step and anchor of a loop, from isl's and the lattice.
    fn stepping(&self, lower: Expr, inc: &Expr) -> (Expr, Expr, Option<Expr>) {
        // A lattice of all integers is none: where a scaled row has tiles of one iteration, isl scans every other origin only.
        let lattice = self.lattice.as_ref();
        let Some((step, anchor)) = lattice.filter(|(step, _)| *step != Expr::Int(1)) else {
            return match expr::as_int(inc) {
                Some(c) if c > 0 => (lower, inc.clone(), None),
                _ => panic!("isl's loops go upwards in constant steps, not by {inc}"),
            };
        };
        assert_eq!(*inc, Expr::Int(1), "isl scans all origins");
        let step = step.clone();
        match expr::difference(anchor, &lower) {
            Some(0) => (lower, step, None),
            Some(d) if expr::as_int(&step).is_some_and(|s| s > 0) => {
                let s = expr::as_int(&step).expect("a constant");
                let first = expr::add(&lower, &Expr::Int(d.rem_euclid(s)));
                (first, step, None)
            }
            _ => (lower, step, Some(anchor.clone())),
        }
    }
}

impl Generator<'_> {
    /// A loop over a range (first, last, step of the values that are scanned), before it has a body.
    pub(super) fn empty_loop(
        &self,
        iter: IterId,
        spec: &LoopSpec,
        (lower, upper, inc): (Expr, Expr, Expr),
        scope: &Scope,
    ) -> poly::Result<For> {
        let (lower, step, anchor) = spec.stepping(lower, &inc);
        let kind = with_two_tiles(spec.kind_at(self, scope)?, &lower, &upper, &step);
        let kind = match kind {
            ForKind::Vector if scope.rows == Rows::OfRegisterTile => ForKind::ShortVector {
                masked: self.options.masks,
            },
            other => other,
        };
        Ok(For {
            iter,
            lower,
            upper,
            step,
            anchor,
            kind,
            body: block(vec![]),
        })
    }

    /// A loop with its body, which is generated now.
    pub(super) fn filled(
        &mut self,
        mut l: For,
        body: impl FnOnce(&mut Self) -> poly::Result<Ast>,
    ) -> poly::Result<Ast> {
        self.loop_depth += 1;
        let body = body(self);
        self.loop_depth -= 1;
        l.body = body?;
        l.kind = if_staged(l.kind, &l.body);
        Ok(Ast::For(Box::new(l)))
    }
}

/// Rows without a loop over their tiles run one after the other.
fn if_staged(kind: ForKind, body: &Ast) -> ForKind {
    match kind.is_pipelined() && body.stage().is_none() {
        true => ForKind::Sequential,
        false => kind,
    }
}

/// A parallel loop over tiles needs two of them.
fn with_two_tiles(kind: ForKind, lower: &Expr, upper: &Expr, step: &Expr) -> ForKind {
    match kind {
        ForKind::Parallel {
            distribution,
            worth: Some(worth),
            private,
        } if *step != Expr::Int(1) => {
            let second = expr::bin(BinOp::Le, &expr::add(lower, step), upper);
            ForKind::Parallel {
                distribution,
                worth: Some(expr::bin(BinOp::And, &second, &worth)),
                private,
            }
        }
        other => other,
    }
}

/// `(value - anchor) mod step == 0`.
pub(super) fn lattice_guard(value: &Expr, anchor: &Expr, step: &Expr) -> Expr {
    let offset = expr::sub(value, anchor);
    if offset == Expr::Int(0) {
        return Expr::Int(1);
    }
    let rest = expr::bin(BinOp::ZeroRem, &offset, step);
    expr::bin(BinOp::Eq, &rest, &Expr::Int(0))
}

/// The greatest value of the iterator for which the condition holds. isl's conditions compare it with a bound, or with several.
fn upper_bound(cond: &Expr, iter: IterId) -> Expr {
    match cond {
        Expr::Bin(BinOp::And, a, b) => expr::min(&upper_bound(a, iter), &upper_bound(b, iter)),
        Expr::Bin(op @ (BinOp::Le | BinOp::Lt), a, b)
            if **a == Expr::Iter(iter) && !expr::mentions(b, iter) =>
        {
            match op {
                BinOp::Lt => expr::sub(b, &Expr::Int(1)),
                _ => (**b).clone(),
            }
        }
        _ => panic!("{cond} bounds the iterator from above"),
    }
}

/// isl's expression as ours.
pub(crate) fn convert(e: &AstExpr, scope: &Scope) -> poly::Result<Expr> {
    match e.expr_type()? {
        AstExprType::Int => Ok(Expr::Int(e.int_value()?)),
        AstExprType::Id => Ok(scope.value(&e.id_name()?)),
        AstExprType::Op => {
            let args = e.args()?;
            let args = args.iter().map(|a| convert(a, scope));
            Ok(operation(e.op_type()?, args.collect::<poly::Result<_>>()?))
        }
    }
}

/// The expression where quotients may have rests and dividends may be negative. isl takes them for exact, or for not negative, in all cases of a choice, also where a
/// bound is never reached because of a condition further in, and the last case has no condition at all.
fn with_rests(e: &Expr) -> Expr {
    match e {
        Expr::Int(_) | Expr::Iter(_) | Expr::Param(_) | Expr::Size(_) => e.clone(),
        Expr::Neg(a) => expr::neg(&with_rests(a)),
        Expr::Select(c, a, b) => expr::select(c, &with_rests(a), &with_rests(b)),
        Expr::Bin(op, a, b) => {
            let op = match op {
                BinOp::DivExact | BinOp::PosDiv => BinOp::FloorDiv,
                other => *other,
            };
            expr::bin(op, &with_rests(a), &with_rests(b))
        }
    }
}

fn operation(op: AstOp, args: Vec<Expr>) -> Expr {
    let simple = match op {
        AstOp::And | AstOp::AndThen => BinOp::And,
        AstOp::Or | AstOp::OrElse => BinOp::Or,
        AstOp::Max => BinOp::Max,
        AstOp::Min => BinOp::Min,
        AstOp::Add => BinOp::Add,
        AstOp::Sub => BinOp::Sub,
        AstOp::Mul => BinOp::Mul,
        AstOp::Div => BinOp::DivExact,
        AstOp::FdivQ => BinOp::FloorDiv,
        AstOp::PdivQ => BinOp::PosDiv,
        AstOp::PdivR => BinOp::PosRem,
        AstOp::ZdivR => BinOp::ZeroRem,
        AstOp::Eq => BinOp::Eq,
        AstOp::Le => BinOp::Le,
        AstOp::Lt => BinOp::Lt,
        AstOp::Ge => BinOp::Ge,
        AstOp::Gt => BinOp::Gt,
        AstOp::Minus => return expr::neg(&args[0]),
        AstOp::Cond | AstOp::Select => {
            let [a, b] = [&args[1], &args[2]].map(with_rests);
            return expr::select(&args[0], &a, &b);
        }
        AstOp::Call | AstOp::Access | AstOp::Member | AstOp::AddressOf => {
            panic!("{op:?} is no operation of bounds and subscripts");
        }
    };
    let all = args
        .into_iter()
        .reduce(|acc, e| expr::bin(simple, &acc, &e));
    all.expect("operations have operands")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_in_cases_are_of_any_number() {
        let n = Expr::Param(polytile_analysis::ids::ParamId(0));
        let quotient = |op| operation(op, vec![n.clone(), Expr::Int(2)]);
        let floor = quotient(AstOp::FdivQ);
        for op in [AstOp::PdivQ, AstOp::Div] {
            let case = vec![n.clone(), Expr::Int(3), quotient(op)];
            let choice = operation(AstOp::Select, case);
            assert_eq!(choice, expr::select(&n, &Expr::Int(3), &floor));
            assert_ne!(quotient(op), floor);
        }
    }
}
