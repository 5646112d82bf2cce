//! Sums that were unrolled while they are in a register: one statement adds several terms of a loop, one after the other.
//!
//! ```text
//! for k < n by 4:  c[i] = (((c[i] + f(k)) + f(k + 1)) + f(k + 2)) + f(k + 3)
//! for k < n:       c[i] = c[i] + f(k)
//! ```
//!
//! A statement for each link of the chain does the same: the cell takes the values between, which nothing else of the statement
//! reads. They are what [`super::reroll`] knows as an unrolled loop. A chain that is none stays one statement.

use super::{Alike, counts, reroll, with_statements};
use polytile_analysis::body::{Body, NodeKind};
use polytile_analysis::ids::NodeId;
use polytile_analysis::poly::{Error, Result};
use polytile_analysis::scop::{AccessKind, Scop, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// So many statements of a SCoP are looked at.
const MOST: usize = 8;

/// `scop` with the terms of unrolled sums in a loop again; `alike` compares the instructions behind operations and accesses.
///
/// # Errors
/// What the sets come to.
pub fn sums(scop: &Scop, alike: &Alike) -> Result<Scop> {
    let mut result = scop.clone();
    let mut tried = 0;
    for at in 0..scop.stmts.len() {
        if let Some(links) = links(&result.stmts[at])?.filter(|_| tried < MOST) {
            tried += 1;
            match rolled(&result, at, &links, alike) {
                Err(Error::Quota) => return Ok(result),
                rolled => result = rolled?.unwrap_or(result),
            }
        }
    }
    Ok(result)
}

/// `scop` with the loop that the links of this statement are; where it ends at a part of a size, the number of its iterations is a parameter.
fn rolled(
    scop: &Scop,
    at: usize,
    links: &[(NodeId, usize)],
    alike: &Alike,
) -> Result<Option<Scop>> {
    let few = |new: &Scop| -> Result<bool> {
        let as_many = new.stmts.len() == scop.stmts.len();
        Ok(as_many && !new.stmts[at].domain.involves_locals()?)
    };
    let parted = parted(scop, at, links)?;
    let plain = reroll(&parted, alike)?;
    if few(&plain)? {
        return Ok(Some(plain));
    }
    if plain.stmts.len() > scop.stmts.len() {
        return Ok(None);
    }
    let innermost = scop.stmts[at].depth() - 1;
    let own = &scop.stmts[at].beta[..=innermost];
    let inside = parted.stmts.iter().filter(|s| s.beta.starts_with(own));
    let inside: Vec<&Stmt> = inside.collect();
    let Some(counted) = counts::counted(&parted, &inside, innermost)? else {
        return Ok(None);
    };
    let counted = reroll(&counted, alike)?;
    Ok(few(&counted)?.then_some(counted))
}

/// The operations from a statement's cell to its value, each with the operand that has the sum so far; `None` if the cell is used otherwise,
/// or once.
fn links(s: &Stmt) -> Result<Option<Vec<(NodeId, usize)>>> {
    let body = &s.body;
    let plain = !s.is_group() && s.write().kind == AccessKind::MustWrite && s.depth() > 0;
    if !plain || body.nodes.is_empty() || body.chooses() || body.gathers() {
        return Ok(None);
    }
    let mut cell = None;
    for (n, read) in s.accesses.iter().enumerate().skip(1) {
        if read.array == s.write().array {
            let same = read.ty == s.write().ty && read.relation.is_equal(&s.write().relation)?;
            if !same || cell.replace(n).is_some() {
                return Ok(None);
            }
        }
    }
    let Some(cell) = cell else {
        return Ok(None);
    };
    let through = body.depending(|read| read == cell);
    let (mut at, mut links) = (body.root, vec![]);
    while let NodeKind::Op { args, .. } = &body.node(at).kind {
        let sums: Vec<usize> = (0..args.len())
            .filter(|a| through[args[*a].index()])
            .collect();
        let [sum] = sums[..] else {
            return Ok(None);
        };
        if body.node(at).ty != s.write().ty {
            return Ok(None);
        }
        links.push((at, sum));
        at = args[sum];
    }
    links.reverse();
    Ok((links.len() > 1).then_some(links))
}

/// `scop` with a statement for each link of this one.
fn parted(scop: &Scop, at: usize, links: &[(NodeId, usize)]) -> Result<Scop> {
    let s = &scop.stmts[at];
    let depth = s.depth();
    let mut result = scop.clone();
    let later = |t: &Stmt| {
        t.beta.len() > depth && t.beta[..depth] == s.beta[..depth] && t.beta[depth] > s.beta[depth]
    };
    for t in result.stmts.iter_mut().filter(|t| later(t)) {
        t.beta[depth] += links.len() as i64 - 1;
    }
    let each = links.iter().enumerate().map(|(n, link)| {
        let mut one = link_of(s, *link);
        one.beta[depth] += n as i64;
        one
    });
    let each = each.collect();
    with_statements(&mut result, &BTreeSet::from([s.id]), each)?;
    Ok(result)
}

/// The statement that does one operation of a chain.
fn link_of(s: &Stmt, (link, sum): (NodeId, usize)) -> Stmt {
    let NodeKind::Op { inst, op, args } = &s.body.node(link).kind else {
        unreachable!("links are operations");
    };
    let cell = (s.accesses.iter().skip(1)).find(|a| a.array == s.write().array);
    let mut copy = Copy {
        from: s,
        accesses: vec![s.write().clone(), cell.expect("a link reads it").clone()],
        body: Body::default(),
        done: BTreeMap::new(),
    };
    let so_far = copy.body.push(s.write().ty, NodeKind::Read(1));
    let args = args.iter().enumerate().map(|(n, a)| match n == sum {
        true => so_far,
        false => copy.node(*a),
    });
    let (inst, op, args) = (*inst, op.clone(), args.collect());
    let ty = s.body.node(link).ty;
    copy.body.root = copy.body.push(ty, NodeKind::Op { inst, op, args });
    Stmt {
        accesses: copy.accesses,
        body: copy.body,
        ..s.clone()
    }
}

/// A part of a body in another one.
struct Copy<'s> {
    from: &'s Stmt,
    accesses: Vec<polytile_analysis::scop::Access>,
    body: Body,
    done: BTreeMap<NodeId, NodeId>,
}

impl Copy<'_> {
    fn node(&mut self, id: NodeId) -> NodeId {
        if let Some(done) = self.done.get(&id) {
            return *done;
        }
        let node = self.from.body.node(id);
        let kind = match &node.kind {
            NodeKind::Read(n) => {
                self.accesses.push(self.from.accesses[*n].clone());
                NodeKind::Read(self.accesses.len() - 1)
            }
            NodeKind::Op { inst, op, args } => NodeKind::Op {
                inst: *inst,
                op: op.clone(),
                args: args.iter().map(|a| self.node(*a)).collect(),
            },
            other => other.clone(),
        };
        let new = self.body.push(node.ty, kind);
        self.done.insert(id, new);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::{Ctx, Set};
    use polytile_analysis::text::parse_scop;

    /// Four terms at a time of a sum over a row.
    fn unrolled(ctx: &Ctx, (bound, third): (&str, &str), body: &str) -> Scop {
        let mut text = format!(
            "scop \"f\" function \"f\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
             array A f64 [m][m]\narray C f64 [m]\n\
             stmt S0\n domain {{ S0[i, x] : 0 <= i < n and 0 <= x and {bound} }}\n beta 0 0 0\n \
             write {{ S0[i, x] -> C[i] }}\n read {{ S0[i, x] -> C[i] }}\n"
        );
        for column in ["4x", "4x + 1", third, "4x + 3"] {
            text += &format!(" read {{ S0[i, x] -> A[i, {column}] }}\n");
        }
        text += &format!(" body {body}\n");
        let scop = parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        sums(&scop, &|_, _| true).expect("an answer")
    }

    const CHAIN: &str = "(fadd (fadd (fadd (fadd (read 1) (read 2)) (read 3)) (read 4)) (read 5))";

    #[test]
    fn four_terms_at_a_time_are_one() {
        let ctx = Ctx::new();
        let new = unrolled(&ctx, ("x < m", "4x + 2"), CHAIN);
        let s = &new.stmts[0];
        assert_eq!((new.stmts.len(), s.accesses.len()), (1, 3));
        let expected = "[n, m] -> { S0[i, t] : 0 <= i < n and 0 <= t < 4m }";
        assert!(
            s.domain
                .is_equal(&Set::parse(&ctx, expected).unwrap())
                .unwrap()
        );
        let counted = unrolled(&ctx, ("4x < m", "4x + 2"), CHAIN);
        let expected = "[n, m, q0] -> { S0[i, t] : 0 <= i < n and 0 <= t < 4q0 }";
        let expected = Set::parse(&ctx, expected).unwrap();
        assert!(counted.stmts[0].domain.is_equal(&expected).unwrap());
    }

    /// Sums of other terms, and of terms that are added to each other first.
    #[test]
    fn what_is_no_unrolled_sum_stays() {
        let ctx = Ctx::new();
        let other = unrolled(&ctx, ("x < m", "4x + 7"), CHAIN);
        let pairs = "(fadd (read 1) (fadd (fadd (read 2) (read 3)) (fadd (read 4) (read 5))))";
        let pairs = unrolled(&ctx, ("x < m", "4x + 2"), pairs);
        for same in [other, pairs] {
            assert_eq!((same.stmts.len(), same.stmts[0].accesses.len()), (1, 6));
        }
    }
}
