//! Nothing that the program sees is written before it is known that it goes through the whole region: what the region writes are copies.
//!
//! ```text
//! for k: ..                                      for k: ..
//!   intact = choose(d <= 0, 0, intact)             intact = choose(d <= 0, 0, intact)
//!   a[k][k] = sqrt(d)                              copy[k][k] = sqrt(d)
//!                                                if intact: for i: for j: a[i][j] = copy[i][j]
//! ```
//!
//! Each array that is written becomes a temporary. What may be read of it before it is written is copied there in front, each cell once, and what was
//! written is copied back behind everything, under the condition that [`ArrayKind::Intact`] is still 1: a parameter ([`INTACT`]) whose value is
//! read when it is asked for, by statements that depend on all that might have changed it. Where it is 0, the original runs as if nothing had been.

use super::copy::{Copy, accesses, replaced};
use super::numbered;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Map, Result};
use polytile_analysis::scev::Scev;
use polytile_analysis::scop::{Access, AccessKind, ArrayKind, INTACT, Param, Place, Scop, Stmt};

/// `scop` with copies in place of all arrays that it writes; `None` where they have no closed form, or tables lie in rows of tables, which may be
/// read entry by entry only.
pub fn shadowed(scop: &Scop) -> Result<Option<Scop>> {
    let Some(intact) = scop.intact() else {
        return Ok(Some(scop.clone()));
    };
    if (0..scop.rows.len()).any(|r| scop.tables_to(r).len() > 1) {
        return Ok(None);
    }
    let mut now = scop.clone();
    let space = now.add_params([Param {
        name: INTACT.to_owned(),
        expr: Scev::constant(64, 1),
    }])?;
    for s in &mut now.stmts {
        s.domain = s.domain.align_params(&space)?;
        for a in &mut s.accesses {
            a.relation = a.relation.align_params(&space)?;
        }
    }
    let mut back = vec![];
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let memory = matches!(scop.array(array).kind, ArrayKind::Memory { .. });
        if memory && now.stmts.iter().any(|s| s.writes_to(array)) {
            let Some((with, stmts)) = shadow(&now, array, intact)? else {
                return Ok(None);
            };
            now = with;
            back.extend(stmts);
        }
    }
    // What copies in front is put behind what computes: that may be looked at by itself.
    let filled = now.stmts.len() - scop.stmts.len();
    now.stmts.rotate_left(filled);
    let last = now.stmts.iter().map(|s| s.beta[0]).max().unwrap_or(0);
    for (n, mut s) in (1..).zip(back) {
        s.beta[0] = last + n;
        now.stmts.push(s);
    }
    now.stmts = numbered(now.stmts)?;
    Ok(Some(now))
}

/// A copy in place of one array, and the statements that copy back what was written; `None` where that cannot be.
fn shadow(scop: &Scop, array: ArrayId, intact: ArrayId) -> Result<Option<(Scop, Vec<Stmt>)>> {
    let all = accesses(scop, array, &[]);
    let Some(&(stmt, n)) = all.first() else {
        return Ok(None);
    };
    let elements = scop.stmt(stmt).accesses[n].relation.space()?.range()?;
    let copy = Copy {
        reads: &all,
        form: Map::identity(&elements.map_from_set()?)?,
        front: vec![0],
    };
    let Some((with, back)) = replaced(scop, array, &copy)? else {
        return Ok(None);
    };
    let back = back.into_iter().map(|s| if_intact(scop, s, intact));
    Ok(Some((with, back.collect::<Result<_>>()?)))
}

/// A statement that runs only if the program goes through the whole region, behind all that finds out.
fn if_intact(scop: &Scop, mut stmt: Stmt, intact: ArrayId) -> Result<Stmt> {
    let at = scop.intact_param().expect("just added");
    stmt.domain = stmt.domain.fix_si(DimType::Param, at.index(), 1)?;
    let names: Vec<String> = (0..stmt.depth()).map(|d| format!("i{d}")).collect();
    let text = format!(
        "{{ {}[{}] -> {}[] }}",
        stmt.name,
        names.join(", "),
        scop.array(intact).name
    );
    let relation = Map::parse(stmt.domain.ctx(), &text)?;
    stmt.accesses.push(Access {
        kind: AccessKind::Read,
        array: intact,
        relation: relation.align_params(&scop.context.space()?)?,
        place: Place::Scalar,
        ty: scop.array(intact).ty,
        inst: None,
    });
    Ok(stmt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// `for k: { way out by what is read at READ; for j: a[k][j] = c[k][j] + a[from] }`.
    fn left(ctx: &Ctx, read: &str, from: &str) -> Scop {
        let text = format!(
            "scop \"left\" function \"left\"\nparams n\ncontext {{ : n >= 1 }}\n\
             array a f64 [n][n]\narray c f64 [n][n]\narray stays i64 intact\n\
             stmt S0\n domain {{ S0[k] : 0 <= k < n }}\n beta 0 0\n \
             may-write {{ S0[k] -> stays[] }}\n read {{ S0[k] -> {read} }}\n read {{ S0[k] -> stays[] }}\n \
             body (choose (fcmp.4 (read 1) (inv v0)) (inv v1) (read 2))\n\
             stmt S1\n domain {{ S1[k, j] : 0 <= k < n and 0 <= j < n }}\n beta 0 1 0\n \
             write {{ S1[k, j] -> a[k, j] }}\n read {{ S1[k, j] -> c[k, j] }}\n \
             read {{ S1[k, j] -> {from} }}\n body (fadd (read 1) (read 2))\n"
        );
        parse_scop(ctx, &text).expect("a SCoP")
    }

    #[test]
    fn what_is_written_is_a_copy_until_it_is_known() {
        let ctx = Ctx::new();
        let scop = left(&ctx, "c[k, k]", "c[j, k]");
        let with = shadowed(&scop).expect("an answer").expect("copies");
        let copy = with
            .arrays
            .iter()
            .position(|a| a.kind == ArrayKind::Temporary);
        let copy = ArrayId::from(copy.expect("a copy"));
        assert_eq!(with.arrays.len(), scop.arrays.len() + 1);
        // Nothing is copied there: it is written before it is read.
        assert_eq!(with.stmts.len(), 3);
        assert!(with.stmts[1].writes_to(copy));
        let last = &with.stmts[2];
        let array = &with.array(last.write().array).name;
        assert_eq!((array.as_str(), last.beta[0]), ("a", 1));
        // If the program went through, and behind what finds out.
        let at = with
            .params
            .iter()
            .position(|p| p.name == INTACT)
            .expect("a parameter");
        let else_ = last.domain.fix_si(DimType::Param, at, 0).expect("a set");
        assert!(else_.is_empty().expect("an answer"));
        let intact = with.intact().expect("a cell");
        assert!(last.reads().iter().any(|r| r.array == intact));
    }

    #[test]
    fn what_may_be_read_first_is_copied_in_front() {
        let ctx = Ctx::new();
        for (read, from) in [("a[k, k]", "c[k, j]"), ("c[k, k]", "a[k, j]")] {
            let scop = left(&ctx, read, from);
            let with = shadowed(&scop).expect("an answer").expect("copies");
            assert_eq!(with.stmts.len(), 4);
            let first = &with.stmts[2];
            assert_eq!(first.beta[0], 0);
            assert_eq!(with.array(first.write().array).kind, ArrayKind::Temporary);
            assert_eq!(with.array(first.reads()[0].array).name, "a");
        }
    }

    #[test]
    fn others_stay() {
        let ctx = Ctx::new();
        let mut scop = left(&ctx, "c[k, k]", "c[k, j]");
        scop.arrays.pop();
        scop.stmts.remove(0);
        let same = shadowed(&scop).expect("an answer").expect("itself");
        assert_eq!(same.stmts.len(), scop.stmts.len());
        assert_eq!(same.arrays.len(), scop.arrays.len());
    }
}
