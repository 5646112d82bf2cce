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
//! of these loops keeps the array, which the program may read afterwards: stored from the copies, their values would not end with the lanes. Around it there
//! may be steps in time, in each of which the array is left as it would be.
//!
//! Conditions, beside those of all copies ([`super::array`]): no subscript of the array moves with the loops that all its statements share, three at
//! most, some statement inside takes what another iteration of it has written, nothing else orders iterations of the innermost of these loops, and the
//! last line writes all elements again. Nests that use the same array one after the other have copies of their own.

use super::array::{copies, fresh_name};
use super::filled::private;
use super::independent::{are_independent, around, meetings};
use super::last::{last_lines, parted, writes_all};
use super::single::single_writes;
use super::{shared_depth, users};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{DimType, Map, Result, Set};
use polytile_analysis::scop::{
    Access, AccessKind, ArrayKind, Assumption, AssumptionKind, Scop, Stmt,
};

/// Loops that all statements of an array share, at most.
const MAX_LOOPS: usize = 3;

/// Steps of a chain that its values go, at most.
const STEPS: i64 = 16;

/// Lines from which on lanes are full: their panels are as large for one line as for all of a bundle.
const LINES: i64 = 32;

/// `scop` with copies of such arrays.
pub(super) fn with_chains(scop: &Scop) -> Result<Scop> {
    // Where a chain has no first element nothing runs.
    let narrow = scop.narrowed()?;
    let lists = chains(&narrow, &vec![0; narrow.arrays.len()])?;
    let mut expanded = of_chains(&narrow, lists, |a| !is_dead(scop, a))?;
    for inside in [false, true] {
        if expanded.is_none()
            && let Some(webs) = Webs::of(&narrow, inside)?
        {
            let parted = of_chains(&webs.scop, chains(&webs.scop, &webs.around)?, |_| true)?;
            expanded = parted.map(|with| webs.undone(with)).transpose()?;
        }
    }
    let mut expanded = expanded.unwrap_or(narrow);
    expanded.context = scop.context.clone();
    Ok(expanded)
}

/// Arrays that share their loops, and a place in which they are lines.
pub(super) struct Lines {
    pub(super) arrays: Vec<ArrayId>,
    /// The loops from the outermost one on to the first in which iterations do not depend on each other, by their places.
    pub(super) nest: Vec<i64>,
}

/// The SCoP with copies of lists of arrays; `None` if none has any. `is_read`: something behind all lines may read an array.
fn of_chains(
    scop: &Scop,
    mut lists: Vec<Lines>,
    is_read: impl Fn(ArrayId) -> bool,
) -> Result<Option<Scop>> {
    lists.sort_by(|a, b| a.nest.cmp(&b.nest));
    let mut expanded = None;
    // From the last nest on: what is parted moves those behind it.
    for own in lists.chunk_by(|a, b| a.nest == b.nest).rev() {
        let scop = expanded.as_ref().unwrap_or(scop);
        let depth = |a| shared_depth(scop, a);
        if let Some(with) = with_copies(scop, own, depth, &is_read)? {
            expanded = Some(with);
        }
    }
    Ok(expanded)
}

/// The SCoP with copies of all of these arrays of a nest, for the innermost of so many loops; `None` if one cannot have any.
pub(super) fn with_copies(
    scop: &Scop,
    lists: &[Lines],
    depth: impl Fn(ArrayId) -> usize,
    is_read: impl Fn(ArrayId) -> bool,
) -> Result<Option<Scop>> {
    let nest = &lists[0].nest;
    let arrays: Vec<ArrayId> = lists.iter().flat_map(|l| l.arrays.clone()).collect();
    let scop = &single_writes(scop, nest, &arrays)?;
    let all = scop.stmts.len();
    let kept: Vec<ArrayId> = arrays.iter().copied().filter(|a| is_read(*a)).collect();
    let expanded = match kept.is_empty() {
        true => Some(scop.clone()),
        false => without_last_lines(scop, nest, &kept)?,
    };
    let Some(mut expanded) = expanded else {
        return Ok(None);
    };
    for list in lists {
        let first = list.arrays[0];
        let Some(set) = many_lines(scop, first, depth(first) - 1)? else {
            return Ok(None);
        };
        let why = AssumptionKind::NonEmpty;
        expanded.assumptions.push(Assumption { set, why });
    }
    for a in arrays {
        match copies(&expanded, (a, depth(a)), all)? {
            Some(with) => expanded = with,
            None => return Ok(None),
        }
    }
    Ok(Some(expanded))
}

/// The SCoP with the last line of each step, which keeps these arrays, as a nest of its own; `None` if it does not write all of them again.
fn without_last_lines(scop: &Scop, nest: &[i64], kept: &[ArrayId]) -> Result<Option<Scop>> {
    let Some(last) = last_lines(scop, nest)? else {
        return Ok(None);
    };
    for &a in kept {
        if !writes_all(scop, a, &last)? {
            return Ok(None);
        }
    }
    parted(scop, nest, &last).map(Some)
}

/// A SCoP in which arrays that several nests use have another name in each: the scratch lines of sweeps in two directions. Nests of a loop hand on no values
/// in such an array; those of none may: what a nest finds in it shows as a value from outside, and forbids copies, and what is behind finds what the last
/// iteration leaves.
pub(super) struct Webs {
    pub(super) scop: Scop,
    /// The arrays from this number on are other names.
    first: usize,
    pub(super) of: Vec<ArrayId>,
    /// How many loops the nests of each array share.
    around: Vec<usize>,
}

impl Webs {
    /// `None` where there are no such arrays. `inside`: of nests in common loops, too.
    pub(super) fn of(scop: &Scop, inside: bool) -> Result<Option<Webs>> {
        let mut webs = Webs {
            scop: scop.clone(),
            first: scop.arrays.len(),
            of: vec![],
            around: vec![0; scop.arrays.len()],
        };
        for array in (0..webs.first).map(ArrayId::from) {
            if is_kept(scop, array) && (inside || shared_depth(scop, array) == 0) {
                webs.name(array)?;
            }
        }
        Ok((!webs.of.is_empty()).then_some(webs))
    }

    /// Gives an array a name for each nest in the loops that all its users share, but the first.
    fn name(&mut self, array: ArrayId) -> Result<()> {
        let depth = shared_depth(&self.scop, array);
        let mut nests: Vec<i64> = users(&self.scop, array).map(|s| s.beta[depth]).collect();
        nests.sort_unstable();
        nests.dedup();
        // What is between the nests of a loop hands something on; what is behind those of none sees what they leave.
        let inside = users(&self.scop, array).all(|s| s.depth() > depth);
        if nests.len() < 2 || depth > 0 && !inside {
            return Ok(());
        }
        self.around[array.index()] = depth;
        for at in &nests[1..] {
            let other = fresh_name(&self.scop, &self.scop.array(array).name);
            let id = ArrayId::from(self.scop.arrays.len());
            let mut named = self.scop.array(array).clone();
            named.name.clone_from(&other);
            self.scop.arrays.push(named);
            self.of.push(array);
            self.around.push(depth);
            for s in &mut self.scop.stmts {
                let own = |a: &&mut Access| a.array == array && s.beta[depth] == *at;
                for a in s.accesses.iter_mut().filter(own) {
                    a.relation = a.relation.set_tuple_name(DimType::Out, &other)?;
                    a.array = id;
                }
            }
        }
        Ok(())
    }

    /// What came of the SCoP with the names that arrays have.
    pub(super) fn undone(&self, mut with: Scop) -> Result<Scop> {
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

/// The parameters for which there are enough iterations for lanes, of the loop at a depth around all statements with an array.
fn many_lines(scop: &Scop, array: ArrayId, line: usize) -> Result<Option<Set>> {
    let Some(first) = users(scop, array).next() else {
        return Ok(None);
    };
    let past = first
        .domain
        .dim_max(line)?
        .sub(&first.domain.dim_min(line)?)?;
    let past = past.add_constant_si(1 - LINES)?;
    let many = past.ge_set(&past.sub(&past)?)?.gist(&scop.context)?;
    let some = !many.intersect(&scop.context)?.is_empty()?;
    Ok((many.n_basic_set() == 1 && some).then_some(many))
}

/// The arrays of each nest that wants copies of them. `outer`: of each array, how many outermost loops are around several nests that use it.
fn chains(scop: &Scop, outer: &[usize]) -> Result<Vec<Lines>> {
    let mut open = vec![];
    for id in (0..scop.arrays.len()).map(ArrayId::from) {
        let depth = shared_depth(scop, id);
        if (1..=MAX_LOOPS).contains(&depth) && stands_still(scop, id, depth)? {
            open.push(id);
        }
    }
    if !open.iter().any(|&a| has_chain(scop, a)) {
        return Ok(vec![]);
    }
    let private = private(scop, open, &scop.known()?, |a| shared_depth(scop, a))?;
    let mut found: Vec<Lines> = vec![];
    for &a in &private {
        let loops = around(scop, a);
        if !has_near_chain(scop, a)? || found.iter().any(|f: &Lines| f.arrays.contains(&a)) {
            continue;
        }
        let own = private.iter().copied();
        let own: Vec<ArrayId> = own.filter(|o| around(scop, *o) == loops).collect();
        if !are_independent(scop, loops, &own)? {
            continue;
        }
        let steps = own.iter().map(|o| outer[o.index()]).max().unwrap_or(0);
        let mut outermost = steps + 1;
        while outermost < loops.len() && !are_independent(scop, &loops[..outermost], &own)? {
            outermost += 1;
        }
        found.push(Lines {
            nest: loops[..outermost].to_vec(),
            arrays: own,
        });
    }
    Ok(found)
}

/// Whether an array is one of the program's, or a scalar that could have no cells: something behind all lines may use it.
fn is_kept(scop: &Scop, array: ArrayId) -> bool {
    let kind = &scop.array(array).kind;
    matches!(kind, ArrayKind::Memory { .. }) || *kind == ArrayKind::Scalar { live_out: None }
}

/// Whether nothing behind the region reads an array, and its statements are all in one nest.
pub(super) fn is_dead(scop: &Scop, array: ArrayId) -> bool {
    let of = scop.array(array);
    of.dead || of.kind == ArrayKind::Scalar { live_out: None }
}

/// Whether an array of the program is written, certainly and at the same places in each iteration of so many loops around all of its statements.
pub(super) fn stands_still(scop: &Scop, array: ArrayId, depth: usize) -> Result<bool> {
    if !is_kept(scop, array) || !users(scop, array).any(|s| s.writes_to(array)) {
        return Ok(false);
    }
    let ty = scop.array(array).ty;
    for s in users(scop, array) {
        for a in s.accesses.iter().filter(|a| a.array == array) {
            let plain = a.kind != AccessKind::MayWrite && a.ty == ty;
            if !plain || a.relation.involves_dims(DimType::In, 0, depth)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether a statement takes elements from where another iteration of it writes them.
pub(crate) fn has_chain(scop: &Scop, array: ArrayId) -> bool {
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

/// Whether statements of an inner loop take elements that it has written a few iterations before: other fields of one block of memory lie further apart.
fn has_near_chain(scop: &Scop, array: ArrayId) -> Result<bool> {
    let depth = shared_depth(scop, array);
    for s in users(scop, array).filter(|s| s.depth() > depth) {
        let inner = &s.beta[..s.depth()];
        let beside = |t: &&Stmt| t.depth() == s.depth() && t.beta.starts_with(inner);
        for w in s.writes().iter().filter(|w| w.array == array) {
            for t in users(scop, array).filter(beside) {
                for r in t.reads().iter().filter(|r| r.array == array) {
                    if are_near(&meetings(scop, (s, w), (t, r), depth)?, depth)? {
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

/// Whether some of these pairs of iterations are a few steps apart, below so many loops.
fn are_near(pairs: &Map, outer: usize) -> Result<bool> {
    let pairs = pairs.reset_tuple_id(DimType::In)?;
    let mut steps = pairs.reset_tuple_id(DimType::Out)?.deltas()?;
    let mut none = Set::universe(&steps.space()?)?;
    for d in outer..steps.dim(DimType::Set) {
        steps = steps.lower_bound_si(DimType::Set, d, -STEPS)?;
        steps = steps.upper_bound_si(DimType::Set, d, STEPS)?;
        none = none.fix_si(DimType::Set, d, 0)?;
    }
    Ok(!steps.is_subset(&none)?)
}

#[cfg(test)]
mod tests {
    use super::{ArrayId, Stmt};
    use crate::expand::expand_arrays;
    use polytile_analysis::poly::{Ctx, DimType, Set};
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
    fn no_line_keeps_an_array_that_nobody_reads_behind_all_of_them() {
        let ctx = Ctx::new();
        let mut scop = parse_scop(&ctx, &lines(ROW)).expect("a SCoP");
        scop.arrays[1].dead = true;
        let with = expand_arrays(&scop).expect("expanded");
        assert_eq!(with.stmts.len(), scop.stmts.len());
        let uses = |s: &Stmt| s.accesses.iter().any(|a| a.array == ArrayId::from(1));
        assert!(!with.stmts.iter().any(uses));
    }

    #[test]
    fn lines_that_wait_for_each_other_share_an_array() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, &lines(FIRST_ROW)).expect("a SCoP");
        let with = expand_arrays(&scop).expect("unchanged");
        assert_eq!(with.arrays.len(), scop.arrays.len());
    }

    /// The lines in steps in time, and behind those of each step a statement that reads the array as the last line leaves it.
    fn steps() -> String {
        let stepped = lines(ROW)
            .replace("iters L0", "iters L3 L0")
            .replace("beta 0", "beta 0 0")
            .replace("S0[i", "S0[t, i")
            .replace("S1[i", "S1[t, i")
            .replace("S2[i", "S2[t, i")
            .replace("] : 0", "] : 0 <= t < 5 and 0")
            .replace("array U", "loop \"b3\" at \"x.c\" 4 1\narray U");
        stepped
            + r#"stmt S3 at "x.c" 5 1
  iters L3 L2
  domain { S3[t, j] : 0 <= t < 5 and 0 <= j < N }
  beta 0 1 0
  write { S3[t, j] -> U[t, j] } f64 memory m1 (rec L2 (rec L3 0 (mul 8 v0:64)) 8) inst v17
  read { S3[t, j] -> C[j] } f64 memory m0 (rec L2 0 8) inst v18
  body {
    f64 read 1
    root n0
  }
"#
    }

    #[test]
    fn what_follows_lines_finds_the_last_one_in_steps() {
        let ctx = Ctx::new();
        let mut scop = parse_scop(&ctx, &steps()).expect("a SCoP");
        scop.arrays[1].dead = true;
        let with = expand_arrays(&scop).expect("expanded");
        let reader = with.stmts.iter().find(|s| s.iters == scop.stmts[3].iters);
        let read = reader.expect("a reader").accesses[1].array;
        let last = with.stmts.iter().filter(|s| s.writes_to(read));
        assert!(last.count() > 0, "{read:?}");
    }

    #[test]
    fn the_last_line_of_each_step_keeps_the_array() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, &steps()).expect("a SCoP");
        let with = expand_arrays(&scop).expect("expanded");
        assert_eq!(with.arrays.len(), scop.arrays.len() + 1);
        // All but the reader are there twice, and the last line of a step is in front of the reader.
        assert_eq!(with.stmts.len(), 2 * scop.stmts.len() - 1);
        let reader = with.stmts.iter().find(|s| s.iters == scop.stmts[3].iters);
        assert_eq!(reader.expect("a reader").beta, [0, 2, 0]);
        let last = Set::parse(&ctx, "[N] -> { S[t, i] : 0 <= t < 5 and i = N - 1 }").unwrap();
        for s in with.stmts.iter().filter(|s| s.beta[..2] == [0, 1]) {
            let inner = s.depth() - 2;
            let own = s.domain.project_out(DimType::Set, 2, inner).unwrap();
            let own = own.set_tuple_name("S").unwrap();
            let own = own.intersect_params(&scop.context).unwrap();
            assert!(own.is_subset(&last).unwrap(), "{own}");
            assert!(s.accesses.iter().all(|a| a.array < ArrayId::from(2)));
        }
    }
}
