//! Arrays that chains go through: one that each iteration of a loop fills along a loop inside, and uses up again, gets one copy per iteration.
//!
//! ```text
//! for i, j: { c[0] = a;  for k: c[k] = f(c[k-1]);   for k descending: u[i][j][k] = g(u[i][j][k+1], c[k]) }
//!
//! for i but the last, j: { c'[j][0] = a;  for k: c'[j][k] = f(c'[j][k-1]);   .. }          // j is parallel now
//! i is the last, for j: { c[0] = a;  .. }
//! ```
//!
//! A tridiagonal system is solved so for each line of a grid. Each step of a chain waits for the one before, and nothing but the array orders
//! the lines: with copies they run in lanes, where the copies stay in panels (`plan/contracted`), and on threads. The last iteration of the outermost
//! loop keeps the array, which the program may read afterwards: stored from the copies, their values would not end with the lanes.
//!
//! Conditions, beside those of all copies ([`super::array`]): no subscript of the array moves with the loops that all its statements share, three at
//! most, some statement inside takes what another iteration of it has written, and nothing else orders iterations of the innermost of these loops;
//! those around it may be steps in time. Nests of a step that use the same array one after the other have copies of their own.

use super::array::{copies, fresh_name, last_writers, prefix, united};
use super::{flow_of, is_private, narrowed, numbered, shared_depth, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Error, Map, Result, Set};
use polytile_analysis::scop::{Access, ArrayKind, Assumption, AssumptionKind, Scop, Stmt};

/// The part of the budget for the question whether iterations of a loop are independent.
const SHARE: u64 = 40;

/// Statements that there are twice, at most.
const MAX_STMTS: usize = 16;

/// Loops that all statements of an array share, at most.
const MAX_LOOPS: usize = 3;

/// Lines from which on lanes are full: their panels are as large for one line as for all of a bundle.
const LINES: i64 = 32;

/// `scop` with copies of such arrays.
pub(super) fn with_chains(scop: &Scop) -> Result<Scop> {
    // Where a chain has no first element nothing runs.
    let narrow = narrowed(scop)?;
    let mut expanded = of_chains(&narrow, &chains(&narrow)?)?;
    if expanded.is_none()
        && let Some(webs) = Webs::of(&narrow)?
    {
        let parted = of_chains(&webs.scop, &chains(&webs.scop)?)?;
        expanded = parted.map(|with| webs.undone(with)).transpose()?;
    }
    let mut expanded = expanded.unwrap_or(narrow);
    expanded.context = scop.context.clone();
    Ok(expanded)
}

/// The SCoP with copies of lists of arrays, each of which share their loops; `None` if none has any.
fn of_chains(scop: &Scop, lists: &[Vec<ArrayId>]) -> Result<Option<Scop>> {
    let mut expanded = None;
    let nest = |list: &Vec<ArrayId>| around(scop, list[0])[0];
    let mut nests: Vec<i64> = lists.iter().map(nest).collect();
    nests.sort_unstable();
    nests.dedup();
    // From the last nest on: what is parted moves those behind it.
    for at in nests.into_iter().rev() {
        let own: Vec<&Vec<ArrayId>> = lists.iter().filter(|l| nest(l) == at).collect();
        let scop = expanded.as_ref().unwrap_or(scop);
        if let Some(with) = with_copies(scop, (at, &own))? {
            expanded = Some(with);
        }
    }
    Ok(expanded)
}

/// The SCoP with copies of all of these arrays of a nest; `None` if one cannot have any.
fn with_copies(scop: &Scop, (nest, lists): (i64, &[&Vec<ArrayId>])) -> Result<Option<Scop>> {
    let arrays = || lists.iter().flat_map(|list| list.iter().copied());
    for a in arrays() {
        if last_writers(scop, a, shared_depth(scop, a))?.is_none() {
            return Ok(None);
        }
    }
    let (all, Some(mut expanded)) = (scop.stmts.len(), parted(scop, nest)?) else {
        return Ok(None);
    };
    for list in lists {
        let Some(set) = many_lines(scop, list[0])? else {
            return Ok(None);
        };
        let why = AssumptionKind::NonEmpty;
        expanded.assumptions.push(Assumption { set, why });
    }
    for a in arrays() {
        match copies(&expanded, (a, shared_depth(scop, a)), all)? {
            Some(with) => expanded = with,
            None => return Ok(None),
        }
    }
    Ok(Some(expanded))
}

/// A SCoP in which arrays that several nests of a loop use have another name in each: the scratch lines of sweeps in two directions. What
/// goes from one nest to another shows as a value from outside, and forbids copies.
struct Webs {
    scop: Scop,
    /// The arrays from this number on are other names.
    first: usize,
    of: Vec<ArrayId>,
}

impl Webs {
    /// `None` where there are no such arrays.
    fn of(scop: &Scop) -> Result<Option<Webs>> {
        let mut webs = Webs {
            scop: scop.clone(),
            first: scop.arrays.len(),
            of: vec![],
        };
        for array in (0..webs.first).map(ArrayId::from) {
            let in_memory = matches!(scop.array(array).kind, ArrayKind::Memory { .. });
            if in_memory {
                webs.name(array)?;
            }
        }
        Ok((!webs.of.is_empty()).then_some(webs))
    }

    /// Gives an array a name for each nest in the loops that all its users share, but the first.
    fn name(&mut self, array: ArrayId) -> Result<()> {
        let depth = shared_depth(&self.scop, array);
        let nest = |s: &Stmt| s.beta[depth];
        let mut nests: Vec<i64> = users(&self.scop, array).map(nest).collect();
        nests.sort_unstable();
        nests.dedup();
        let inside = users(&self.scop, array).all(|s| s.depth() > depth);
        if nests.len() < 2 || !inside {
            return Ok(());
        }
        for at in &nests[1..] {
            let other = fresh_name(&self.scop, &self.scop.array(array).name);
            let id = ArrayId::from(self.scop.arrays.len());
            let mut named = self.scop.array(array).clone();
            named.name.clone_from(&other);
            self.scop.arrays.push(named);
            self.of.push(array);
            for s in self
                .scop
                .stmts
                .iter_mut()
                .filter(|s| s.depth() > depth && nest(s) == *at)
            {
                for a in s.accesses.iter_mut().filter(|a| a.array == array) {
                    a.relation = a.relation.set_tuple_name(DimType::Out, &other)?;
                    a.array = id;
                }
            }
        }
        Ok(())
    }

    /// What came of the SCoP with the names that arrays have.
    fn undone(&self, mut with: Scop) -> Result<Scop> {
        let names = self.first..self.first + self.of.len();
        for a in with.stmts.iter_mut().flat_map(|s| &mut s.accesses) {
            let number = a.array.index();
            if names.contains(&number) {
                a.array = self.of[number - self.first];
                let name = &self.scop.array(a.array).name;
                a.relation = a.relation.set_tuple_name(DimType::Out, name)?;
            } else if number >= names.end {
                a.array = ArrayId::from(number - names.len());
            }
        }
        with.arrays.drain(names);
        Ok(with)
    }
}

/// The parameters for which there are enough iterations for lanes.
fn many_lines(scop: &Scop, array: ArrayId) -> Result<Option<Set>> {
    let line = shared_depth(scop, array) - 1;
    let Some(first) = users(scop, array).next() else {
        return Ok(None);
    };
    let domain = first.domain.intersect_params(&scop.context)?;
    let past = domain.dim_max(line)?.sub(&domain.dim_min(line)?)?;
    let past = past.add_constant_si(1 - LINES)?;
    let many = past.ge_set(&past.sub(&past)?)?.gist(&scop.context)?;
    let some = !many.intersect(&scop.context)?.is_empty()?;
    Ok((many.n_basic_set() == 1 && some).then_some(many))
}

/// The nest at a place without the last iteration of its outermost loop, which is a nest of its own behind it.
fn parted(scop: &Scop, nest: i64) -> Result<Option<Scop>> {
    let inside = |s: &&Stmt| s.beta[0] == nest;
    let stmts: Vec<&Stmt> = scop.stmts.iter().filter(inside).collect();
    if stmts.len() > MAX_STMTS {
        return Ok(None);
    }
    let mut outer: Option<Set> = None;
    for s in &stmts {
        let own = prefix(&s.domain.intersect_params(&scop.context)?, 1)?;
        outer = Some(united(outer, &own)?);
    }
    let Some(last) = outer else { return Ok(None) };
    let last = last.lexmax()?.gist_params(&scop.context)?;
    let mut with = scop.clone();
    for s in &mut with.stmts {
        s.beta[0] += i64::from(s.beta[0] > nest);
    }
    for s in stmts {
        let here = last.insert_dims(DimType::Set, 1, s.depth() - 1)?;
        let here = here.set_tuple_name(&s.name)?;
        with.stmts[s.id.index()].domain = s.domain.subtract(&here)?.coalesce()?;
        let mut part = s.clone();
        part.domain = s.domain.intersect(&here)?;
        part.beta[0] += 1;
        with.stmts.push(part);
    }
    with.stmts = numbered(with.stmts)?;
    Ok(Some(with))
}

/// The arrays of each nest that wants copies of them.
fn chains(scop: &Scop) -> Result<Vec<Vec<ArrayId>>> {
    let mut open = vec![];
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        if stands_still(scop, id)? {
            open.push(id);
        }
    }
    if !open.iter().any(|&a| has_chain(scop, a)) {
        return Ok(vec![]);
    }
    let Some(flow) = flow_of(scop, &open)? else {
        return Ok(vec![]);
    };
    let mut private = vec![];
    for a in open {
        let depth = shared_depth(scop, a);
        if is_private(scop, a, depth, &flow.possible, &flow.from_outside)? {
            private.push(a);
        }
    }
    let mut found: Vec<Vec<ArrayId>> = vec![];
    for &a in private.iter().filter(|a| has_chain(scop, **a)) {
        if found.iter().any(|f| f.contains(&a)) {
            continue;
        }
        let loops = around(scop, a);
        let own = private.iter().copied();
        let own: Vec<ArrayId> = own.filter(|o| around(scop, *o) == loops).collect();
        if are_independent(scop, loops, &own)? {
            found.push(own);
        }
    }
    Ok(found)
}

/// The place of the loops that all statements with an array share.
fn around(scop: &Scop, array: ArrayId) -> &[i64] {
    let first = users(scop, array).next();
    first.map_or(&[], |s| &s.beta[..shared_depth(scop, array)])
}

/// Whether an array of the program is written, at the same places in each iteration of the loops that its statements share.
fn stands_still(scop: &Scop, array: ArrayId) -> Result<bool> {
    let depth = shared_depth(scop, array);
    let in_memory = matches!(scop.array(array).kind, ArrayKind::Memory { .. });
    if !in_memory
        || !(1..=MAX_LOOPS).contains(&depth)
        || !users(scop, array).any(|s| s.writes_to(array))
    {
        return Ok(false);
    }
    for s in users(scop, array) {
        for a in s.accesses.iter().filter(|a| a.array == array) {
            if a.relation.involves_dims(DimType::In, 0, depth)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a statement takes elements from where another iteration of it writes them.
fn has_chain(scop: &Scop, array: ArrayId) -> bool {
    let depth = shared_depth(scop, array);
    let chained = |s: &Stmt| {
        let mut own = s.writes().iter().filter(|w| w.array == array);
        let elsewhere = |w: &Access| {
            let mut reads = s.reads().iter().filter(|r| r.array == array);
            reads.any(|r| r.place != w.place)
        };
        s.depth() > depth && own.any(elsewhere)
    };
    users(scop, array).any(chained)
}

/// Whether iterations of the innermost of these loops touch no common element but of some arrays, in one iteration of the others.
fn are_independent(scop: &Scop, loops: &[i64], but: &[ArrayId]) -> Result<bool> {
    let _quota = scop.context.ctx().clone().share(SHARE);
    match all_apart(scop, loops, but) {
        Err(Error::Quota) => Ok(false),
        answer => answer,
    }
}

fn all_apart(scop: &Scop, loops: &[i64], but: &[ArrayId]) -> Result<bool> {
    let inside = |s: &&Stmt| s.beta.starts_with(loops) && s.depth() >= loops.len();
    let stmts: Vec<&Stmt> = scop.stmts.iter().filter(inside).collect();
    for s in &stmts {
        for w in s.writes().iter().filter(|w| !but.contains(&w.array)) {
            for t in &stmts {
                for a in t.accesses.iter().filter(|a| a.array == w.array) {
                    if meet_later(scop, (s, w), (t, a), loops.len())? {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}

/// Whether two accesses touch one element in different iterations of the loop at a depth, in one iteration of those around it.
fn meet_later(
    scop: &Scop,
    (s, w): (&Stmt, &Access),
    (t, a): (&Stmt, &Access),
    depth: usize,
) -> Result<bool> {
    let cells = |s: &Stmt, a: &Access| -> Result<Map> {
        let domain = s.domain.intersect_params(&scop.context)?;
        a.relation.intersect_domain(&domain)
    };
    let mut both = cells(s, w)?.apply_range(&cells(t, a)?.reverse()?)?;
    for d in 0..depth - 1 {
        both = both.equate(DimType::In, d, DimType::Out, d)?;
    }
    let last = depth - 1;
    Ok(!both
        .order_lt(DimType::In, last, DimType::Out, last)?
        .is_empty()?
        || !both
            .order_gt(DimType::In, last, DimType::Out, last)?
            .is_empty()?)
}

#[cfg(test)]
mod tests {
    use super::ArrayId;
    use crate::expand::expand_arrays;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::scop::ArrayKind;
    use polytile_analysis::text::parse_scop;

    /// Lines of a grid, `u[i][j] = f(u[i][j + 1], c[j])` behind `c[j] = c[j - 1] + u[i][j]`.
    fn lines(write: &str) -> String {
        format!(
            r#"scop "r" function "f" at "x.c" 1 1
param N = v0:64
context {{  : 4 <= N <= 1000 }}
assume non-empty {{  : N >= 4 }}
loop "b0" at "x.c" 1 1
loop "b1" at "x.c" 2 1
loop "b2" at "x.c" 3 1
array U f64 memory v1 strides ((mul 8 v0:64) 8) extents ((mul 1 v0:64))
array C f64 memory v2 strides (8) extents ()
stmt S0 at "x.c" 1 1
  iters L0
  domain {{ S0[i] : 0 <= i < N }}
  beta 0 0
  write {{ S0[i] -> C[0] }} f64 memory m0 0 inst v10
  body {{
    f64 bits 0
    root n0
  }}
stmt S1 at "x.c" 2 1
  iters L0 L1
  domain {{ S1[i, j] : 0 <= i < N and 0 <= j < N - 1 }}
  beta 0 1 0
  write {{ S1[i, j] -> C[j + 1] }} f64 memory m0 (rec L1 8 8) inst v11
  read {{ S1[i, j] -> C[j] }} f64 memory m0 (rec L1 0 8) inst v12
  read {{ S1[i, j] -> U[i, j] }} f64 memory m1 (rec L1 (rec L0 0 (mul 8 v0:64)) 8) inst v13
  body {{
    f64 read 1
    f64 read 2
    f64 op v14 fadd n0 n1
    root n2
  }}
stmt S2 at "x.c" 3 1
  iters L0 L2
  domain {{ S2[i, j] : 0 <= i < N and 0 <= j < N }}
  beta 0 2 0
  write {write}
  read {{ S2[i, j] -> C[j] }} f64 memory m0 (rec L2 0 8) inst v16
  body {{
    f64 read 1
    root n0
  }}
"#
        )
    }

    const ROW: &str =
        "{ S2[i, j] -> U[i, j] } f64 memory m1 (rec L2 (rec L0 0 (mul 8 v0:64)) 8) inst v15";
    const FIRST_ROW: &str = "{ S2[i, j] -> U[0, j] } f64 memory m1 (rec L2 0 8) inst v15";

    #[test]
    fn chains_of_independent_lines_get_copies() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, &lines(ROW)).expect("a SCoP");
        let with = expand_arrays(&scop).expect("expanded");
        let copies = with.arrays.last().expect("an array");
        assert_eq!(copies.kind, ArrayKind::Temporary);
        // The last line keeps the array.
        assert_eq!(with.stmts.len(), 2 * scop.stmts.len());
        let kept = &with.stmts[scop.stmts.len()..];
        assert!(
            kept.iter()
                .all(|s| s.accesses.iter().all(|a| a.array < ArrayId::from(2)))
        );
    }

    #[test]
    fn lines_that_wait_for_each_other_share_an_array() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, &lines(FIRST_ROW)).expect("a SCoP");
        let with = expand_arrays(&scop).expect("unchanged");
        assert_eq!(with.arrays.len(), scop.arrays.len());
    }
}
