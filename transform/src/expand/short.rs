//! Loops of a few iterations among dozens of statements, or in front of the sums that they begin, unrolled.
//!
//! ```text
//! for i, j: { d[i][j][0][0] = f(..);   for c < 4: d[i][j][0][1 + c] = 0;   d[i][j][1][0] = g(..);   .. }
//! ```
//!
//! Neighbours that get one value are one range of bytes to the compiler, and so a loop to the model. As a loop it parts the statements around it, which
//! share what they load and compute and would be one statement ([`super::group_statements`]).
//!
//! ```text
//! for i: { for c < 3: f[i][c] = 0;   for j: { f[i][0] += ..;  f[i][1] += ..;  f[i][2] += ..; } }
//! ```
//!
//! Each sum has its own field, which goes where its lanes need it together with what it begins with ([`super::structures_of_arrays`]).

use super::group::MANY;
use super::numbered;
use crate::simd::moves_with;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{LoopId, StmtId};
use polytile_analysis::poly::{DimType, Result};
use polytile_analysis::scev::{Scev, ScevKind, Wrap};
use polytile_analysis::scop::{Place, Scop, Stmt};
use polytile_analysis::stride::Stride;
use std::collections::BTreeMap;

/// Iterations of such a loop.
const MOST: i64 = 8;

/// `scop` with such loops as statements in a row.
///
/// # Errors
/// Those of the set library.
pub fn unroll_short(scop: &Scop) -> Result<Scop> {
    let short = short_loops(scop)?;
    let crowded = crowded(scop, &short);
    let mut bodies = crowded.clone();
    let mut begins = vec![];
    for s in scop.stmts.iter().filter(|s| short.contains_key(&s.id)) {
        if begins_sums(scop, s)? {
            begins.push(s.id);
            bodies.push(&s.beta[..s.depth() - 1]);
        }
    }
    let mut list = vec![];
    let mut any = false;
    for old in &scop.stmts {
        let stands_in = |bodies: &[&[i64]], d: usize| bodies.contains(&&old.beta[..d]);
        let mut s = old.clone();
        // Places between those that are there.
        for at in (0..s.beta.len()).filter(|at| stands_in(&bodies, *at)) {
            s.beta[at] *= MOST;
        }
        let copies = match short.get(&old.id) {
            Some(n) if begins.contains(&old.id) || stands_in(&crowded, old.depth() - 1) => {
                copies(&s, *n)?
            }
            _ => None,
        };
        any |= copies.is_some();
        list.extend(copies.unwrap_or_else(|| vec![s]));
    }
    if !any {
        return Ok(scop.clone());
    }
    list.sort_by(|a, b| a.beta.cmp(&b.beta));
    let mut scop = scop.clone();
    scop.stmts = numbered(list)?;
    Ok(scop)
}

/// The statements that are all that a loop of a few iterations does, and how many these are.
fn short_loops(scop: &Scop) -> Result<BTreeMap<StmtId, i64>> {
    let mut found = BTreeMap::new();
    for s in scop.stmts.iter().filter(|s| s.depth() > 1) {
        if is_alone(scop, s)
            && let (Some(0), Some(last)) = s.domain.dim_ends(s.depth() - 1)?
            && last < MOST
        {
            found.insert(s.id, last + 1);
        }
    }
    Ok(found)
}

/// The loop bodies in which dozens of statements stand, those of short loops included.
fn crowded<'s>(scop: &'s Scop, short: &BTreeMap<StmtId, i64>) -> Vec<&'s [i64]> {
    let mut found: BTreeMap<&[i64], i64> = BTreeMap::new();
    for s in scop.stmts.iter().filter(|s| s.depth() > 0) {
        match short.get(&s.id) {
            Some(n) => *found.entry(&s.beta[..s.depth() - 1]).or_default() += n,
            None => *found.entry(&s.beta[..s.depth()]).or_default() += 1,
        }
    }
    found.retain(|_, n| *n >= MANY as i64);
    found.into_keys().collect()
}

/// Whether the loop of a statement begins sums each of which has one of its cells, in a loop beside it.
fn begins_sums(scop: &Scop, s: &Stmt) -> Result<bool> {
    let (around, write) = (s.depth() - 1, s.write());
    let cells = write.relation.intersect_domain(&s.domain)?.range()?;
    let sums = |o: &&Stmt| {
        o.depth() == s.depth() && o.beta[..around] == s.beta[..around] && o.beta > s.beta
    };
    for o in scop.stmts.iter().filter(sums) {
        for w in o.writes().iter().filter(|w| w.array == write.array) {
            let stands = moves_with(scop, o, w, around)? == Stride::Zero;
            let own = w.relation.intersect_domain(&o.domain)?.range()?;
            if stands && own.is_subset(&cells)? && !cells.is_subset(&own)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a statement is all that its innermost loop does.
fn is_alone(scop: &Scop, s: &Stmt) -> bool {
    let own = &s.beta[..s.depth()];
    scop.stmts
        .iter()
        .filter(|o| o.beta.starts_with(own))
        .count()
        == 1
}

/// The statement without its innermost loop, once for each of its `n` iterations; `None` if what it accesses there is not known.
fn copies(s: &Stmt, n: i64) -> Result<Option<Vec<Stmt>>> {
    let last = s.depth() - 1;
    if !(s.accesses.iter()).all(|a| matches!(a.place, Place::Memory(_))) {
        return Ok(None);
    }
    let indexed =
        |n: &NodeKind| matches!(n, NodeKind::Index(i) if i.loops().contains(&s.iters[last]));
    if s.body.nodes.iter().any(|n| indexed(&n.kind)) {
        return Ok(None);
    }
    let copies = (0..n).map(|k| copy(s, k));
    copies.collect()
}

/// One iteration of the innermost loop.
fn copy(s: &Stmt, k: i64) -> Result<Option<Stmt>> {
    let last = s.depth() - 1;
    let mut one = s.clone();
    one.domain = s
        .domain
        .fix_si(DimType::Set, last, k)?
        .project_out(DimType::Set, last, 1)?
        .set_tuple_name(&s.name)?;
    for a in &mut one.accesses {
        a.relation = a
            .relation
            .fix_si(DimType::In, last, k)?
            .project_out(DimType::In, last, 1)?
            .set_tuple_name(DimType::In, &s.name)?;
    }
    for e in one.evolutions_mut() {
        if !at_iteration(e, s.iters[last], k) {
            return Ok(None);
        }
    }
    one.iters.pop();
    one.beta.pop();
    one.beta[last] += k;
    Ok(Some(one))
}

/// What an evolution is in one iteration of a loop, if it moves there by a constant; whether it does.
fn at_iteration(e: &mut Scev, loop_: LoopId, k: i64) -> bool {
    if !e.loops().contains(&loop_) {
        return true;
    }
    let ScevKind::AddRec {
        loop_: own,
        operands,
        ..
    } = &e.kind
    else {
        return false;
    };
    let (true, [start, step]) = (*own == loop_, &operands[..]) else {
        return false;
    };
    let Some(step) = step
        .as_constant()
        .filter(|_| !start.loops().contains(&loop_))
    else {
        return false;
    };
    let (width, start) = (e.width, start.clone());
    *e = match k {
        0 => start,
        _ => {
            let by = Scev::constant(width, step * i128::from(k));
            let kind = ScevKind::Add(vec![start, by], Wrap::default());
            Scev { width, kind }
        }
    };
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// So many statements of a loop, with a loop of `length` iterations in front of the last one.
    fn row(statements: usize, length: &str) -> String {
        let mut text =
            "scop \"r\" function \"r\"\nparams n\ncontext { : n >= 1 }\narray A f64 [n][64]\n"
                .to_owned();
        for k in 0..statements {
            let place = if k + 1 < statements { k } else { k + 1 };
            text += &format!(
                "stmt S{k}\n domain {{ S{k}[i] : 0 <= i < n }}\n beta 0 {place}\n write {{ S{k}[i] -> A[i, {k}] }}\n body (bits 0)\n"
            );
        }
        let last = statements - 1;
        text + &format!(
            "stmt S{statements}\n domain {{ S{statements}[i, c] : 0 <= i < n and 0 <= c < {length} }}\n beta 0 {last} 0\n \
             write {{ S{statements}[i, c] -> A[i, 40 + c] }}\n body (bits 0)\n"
        )
    }

    /// The second subscripts that are written, in the order of the text.
    fn unrolled(text: &str) -> Vec<String> {
        let ctx = Ctx::new();
        let scop = unroll_short(&parse_scop(&ctx, text).expect("a SCoP")).expect("statements");
        scop.validate().expect("a SCoP");
        let mut list: Vec<&Stmt> = scop.stmts.iter().collect();
        list.sort_by(|a, b| a.beta.cmp(&b.beta));
        let second = |s: &&Stmt| {
            let range = s.write().relation.range().expect("a set");
            format!("{}:{:?}", s.depth(), range.dim_ends(1).expect("constants"))
        };
        list.iter().map(second).collect()
    }

    #[test]
    fn a_short_loop_among_dozens_of_statements_becomes_statements_at_its_place() {
        let found = unrolled(&row(21, "3"));
        let mut wanted: Vec<i64> = (0..20).collect();
        wanted.extend([40, 41, 42, 20]);
        let one = |k: &i64| format!("1:(Some({k}), Some({k}))");
        assert_eq!(found, wanted.iter().map(one).collect::<Vec<_>>());
    }

    #[test]
    fn few_statements_long_loops_and_those_of_unknown_length_stay() {
        for text in [row(20, "3"), row(24, "9"), row(24, "n")] {
            assert!(unrolled(&text).iter().any(|s| s.starts_with("2:")));
        }
    }
}
