//! Regions that may be left early: what they compute is scheduled by itself, and what writes its results back follows.
//!
//! To a search, each result waits for all that finds out whether there are any: it would try to fuse them, and schedule the rest for it.

use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::{StmtId, ValueId};
use polytile_analysis::poly::{DimType, Result, UnionSet};
use polytile_analysis::scop::{ArrayKind, INTACT, Scop, Stmt};
use polytile_analysis::tree::{Branch, Distribution, LoopKind, Schedule, Tree, original};

/// No pointer of the program.
const NOWHERE: ValueId = ValueId(u32::MAX);

/// What a SCoP computes, without the statements behind it that write results ([`crate::expand::shadowed`]), and its dependences; `None` if the
/// program does not leave it early.
///
/// # Errors
/// Those of the set library.
pub fn without_results(scop: &Scop, deps: &Dependences) -> Result<Option<(Scop, Dependences)>> {
    if scop.intact().is_none() {
        return Ok(None);
    }
    let mut rest = scop.clone();
    rest.stmts.retain(|s| !writes_results(scop, s));
    // What is copied from there is still needed at the end.
    for s in &scop.stmts[rest.stmts.len()..] {
        rest.arrays[s.reads()[0].array.index()].kind = ArrayKind::Memory { base: NOWHERE };
    }
    let known = |s: StmtId| s.index() < rest.stmts.len();
    let list = deps.list.iter().filter(|d| known(d.src) && known(d.dst));
    let mut list: Vec<Dependence> = list.cloned().collect();
    if let Some(at) = rest.params.iter().position(|p| p.name == INTACT) {
        without_param(&mut rest, &mut list, at)?;
    }
    Ok(Some((rest, Dependences::new(list))))
}

/// Leaves a parameter out on which nothing depends: to the search it would be one more measure of distances.
fn without_param(scop: &mut Scop, list: &mut [Dependence], at: usize) -> Result<()> {
    let param = DimType::Param;
    scop.params.remove(at);
    scop.context = scop.context.project_out(param, at, 1)?;
    for a in &mut scop.assumptions {
        a.set = a.set.project_out(param, at, 1)?;
    }
    for term in scop.poly_ranges.iter_mut().flat_map(|r| &mut r.terms) {
        term.values = term.values.project_out(param, at, 1)?;
    }
    for s in &mut scop.stmts {
        s.domain = s.domain.project_out(param, at, 1)?;
        for a in &mut s.accesses {
            a.relation = a.relation.project_out(param, at, 1)?;
        }
    }
    for d in list {
        d.relation = d.relation.project_out(param, at, 1)?;
    }
    Ok(())
}

/// The schedule of the rest, and results behind it: `parallel`, by all threads.
///
/// # Errors
/// Those of the set library.
pub fn with_results(scop: &Scop, rest: Schedule, parallel: bool) -> Result<Schedule> {
    let mut results = scop.clone();
    results.stmts.retain(|s| writes_results(scop, s));
    let written = original(&results)?;
    let mut root = written.root;
    if parallel {
        deal(&mut root);
    }
    let branch = |filter: &UnionSet, child| Branch {
        filter: filter.clone(),
        child,
    };
    Ok(Schedule {
        domain: scop.domain()?,
        root: Tree::Sequence(vec![
            branch(&rest.domain, rest.root),
            branch(&written.domain, root),
        ]),
        sizes: rest.sizes,
    })
}

fn writes_results(scop: &Scop, s: &Stmt) -> bool {
    matches!(scop.array(s.write().array).kind, ArrayKind::Memory { .. })
}

/// Deals the outermost loops of nests to threads: each element is written once.
fn deal(tree: &mut Tree) {
    match tree {
        Tree::Sequence(list) | Tree::Set(list) => list.iter_mut().for_each(|b| deal(&mut b.child)),
        Tree::Band(b) if matches!(b.child, Tree::Band(_)) => {
            b.loops = vec![LoopKind::Parallel(Distribution::Static); b.schedule.size()];
            b.coincident.fill(true);
        }
        Tree::Band(_) | Tree::Mark(..) | Tree::Leaf => {}
    }
}
