//! Statements with several writes as one statement for each, the reverse of [`super::group`].
//!
//! ```text
//! S: (a[k], b[k]) = (f(x[k]), g(x[k]))     ->     S: a[k] = f(x[k]);   T: b[k] = g(x[k])
//! ```
//!
//! What runs in lanes of a loop around it has one write. Where the arrays that are written get copies for each line, that is worth more than what the
//! writes share. None may read what one before it writes: in the statement, all reads come before all writes.

use super::numbered;
use polytile_analysis::body::NodeKind;
use polytile_analysis::ids::{ArrayId, NodeId};
use polytile_analysis::poly::Result;
use polytile_analysis::scop::{Scop, Stmt};

/// The SCoP with single statements instead of those that write some arrays in a nest, where that is possible.
pub(super) fn single_writes(scop: &Scop, nest: &[i64], arrays: &[ArrayId]) -> Result<Scop> {
    let wanted = |s: &Stmt| {
        let mut written = s.writes().iter().map(|w| w.array);
        s.is_group() && s.beta.starts_with(nest) && written.any(|a| arrays.contains(&a))
    };
    let (mut stmts, mut groups): (Vec<Stmt>, Vec<&Stmt>) = (vec![], vec![]);
    for s in &scop.stmts {
        let singles = if wanted(s) { singles(s) } else { vec![] };
        if singles.is_empty() || take_what_others_write(&singles)? {
            stmts.push(s.clone());
        } else {
            stmts.extend(singles);
            groups.push(s);
        }
    }
    groups.sort_by(|a, b| b.beta.cmp(&a.beta));
    for s in groups {
        make_room(&mut stmts, s);
    }
    Ok(Scop {
        stmts: numbered(stmts)?,
        ..scop.clone()
    })
}

/// A statement for each write, all at one place.
fn singles(s: &Stmt) -> Vec<Stmt> {
    let writes = s.first_read();
    let single = |(n, value): (usize, NodeId)| {
        let mut one = s.clone();
        one.accesses.splice(..writes, [s.accesses[n].clone()]);
        for node in &mut one.body.nodes {
            if let NodeKind::Read(read) = &mut node.kind {
                *read -= writes - 1;
            }
        }
        one.body.root = value;
        one.body.others.clear();
        one.prune();
        one
    };
    s.body.values().enumerate().map(single).collect()
}

/// Whether one of the parts of a statement takes what one before it may have written in the same iteration.
fn take_what_others_write(parts: &[Stmt]) -> Result<bool> {
    for (n, s) in parts.iter().enumerate() {
        for w in parts[..n].iter().map(Stmt::write) {
            for r in s.reads().iter().filter(|r| r.array == w.array) {
                let same = r.relation.intersect(&w.relation)?;
                if !same.intersect_domain(&s.domain)?.is_empty()? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Puts the parts of a statement that follow each other at one place at places of their own, in front of what is behind them, which has its
/// place already.
fn make_room(stmts: &mut [Stmt], s: &Stmt) {
    let last = s.depth();
    let mut part = 0;
    for t in stmts.iter_mut() {
        if t.beta == s.beta {
            t.beta[last] += part;
            part += 1;
        } else if t.depth() >= last
            && t.beta[..last] == s.beta[..last]
            && t.beta[last] > s.beta[last]
        {
            t.beta[last] += s.first_read() as i64 - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `(a[i], b[i]) = (x[i], from)`, and then `x[i] = b[i]`.
    fn group(ctx: &Ctx, from: &str) -> Scop {
        let text = format!(
            "scop \"group\" function \"group\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array a f64 [n]\narray b f64 [n]\narray x f64 [n]\n\
             stmt S0\n domain {{ S0[i] : 0 <= i < n }}\n beta 0 0\n \
             write {{ S0[i] -> a[i] }}\n write {{ S0[i] -> b[i] }}\n \
             read {{ S0[i] -> x[i] }}\n read {{ S0[i] -> {from} }}\n body {{\n  f64 read 2\n  f64 read 3\n  root n0 n1\n }}\n\
             stmt S1\n domain {{ S1[i] : 0 <= i < n }}\n beta 0 1\n \
             write {{ S1[i] -> x[i] }}\n read {{ S1[i] -> b[i] }}\n body (read 1)\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn each_write_has_a_statement_at_a_place_of_its_own() {
        let ctx = Ctx::new();
        let scop = group(&ctx, "x[i]");
        let single = single_writes(&scop, &[0], &[ArrayId::from(0)]).expect("no error");
        let betas: Vec<i64> = single.stmts.iter().map(|s| s.beta[1]).collect();
        assert_eq!(betas, [0, 1, 2]);
        assert!(single.stmts.iter().all(|s| !s.is_group()));
        assert_eq!(single.stmts[1].accesses.len(), 2, "one write, one read");
    }

    #[test]
    fn what_reads_an_earlier_write_stays_a_group() {
        let ctx = Ctx::new();
        for (from, together) in [("a[i]", true), ("a[i - 1]", false)] {
            let scop = group(&ctx, from);
            let single = single_writes(&scop, &[0], &[ArrayId::from(0)]).expect("no error");
            assert_eq!(single.stmts[0].is_group(), together, "{from}");
        }
    }
}
