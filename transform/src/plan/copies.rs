//! Regions that may be left early: what they compute is scheduled by itself, between what copies in front and what copies results back.
//!
//! To a search, each result waits for all that finds out whether there are any, and what is copied in front is one more use of each element: it would try to
//! fuse them, and schedule the rest for it.

use polytile_analysis::body::NodeKind;
use polytile_analysis::deps::{Dependence, Dependences};
use polytile_analysis::ids::{StmtId, ValueId};
use polytile_analysis::poly::{DimType, Result, UnionSet};
use polytile_analysis::scop::{Access, ArrayKind, Scop, Stmt};
use polytile_analysis::tree::{Branch, Distribution, LoopKind, Schedule, Tree, original};

/// No pointer of the program.
const NOWHERE: ValueId = ValueId(u32::MAX);

/// What a SCoP computes, without the statements behind it that copy ([`crate::expand::shadowed`]), and its dependences; `None` if the program does not
/// leave it early.
///
/// # Errors
/// Those of the set library.
pub fn without_copies(scop: &Scop, deps: &Dependences) -> Result<Option<(Scop, Dependences)>> {
    if scop.intact().is_none() {
        return Ok(None);
    }
    let mut rest = scop.clone();
    let first = scop.stmts.iter().position(|s| side(scop, s).is_some());
    rest.stmts.truncate(first.unwrap_or(scop.stmts.len()));
    // What is copied there or from there is not the nest's own.
    for s in &scop.stmts[rest.stmts.len()..] {
        let copy = match side(scop, s) {
            Some(Side::Front) => s.write(),
            _ => &s.reads()[0],
        };
        rest.arrays[copy.array.index()].kind = ArrayKind::Memory { base: NOWHERE };
    }
    let known = |s: StmtId| s.index() < rest.stmts.len();
    let list = deps.list.iter().filter(|d| known(d.src) && known(d.dst));
    let mut list: Vec<Dependence> = list.cloned().collect();
    if let Some(at) = rest.intact_param() {
        without_param(&mut rest, &mut list, at.index())?;
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

/// The schedule of the rest between the copies: `parallel`, these by all threads.
///
/// # Errors
/// Those of the set library.
pub fn with_copies(scop: &Scop, rest: Schedule, parallel: bool) -> Result<Schedule> {
    let copies = |wanted: Side| -> Result<Option<Branch>> {
        let mut copies = scop.clone();
        copies.stmts.retain(|s| side(scop, s) == Some(wanted));
        if copies.stmts.is_empty() {
            return Ok(None);
        }
        let mut order = original(&copies)?;
        if parallel {
            deal(&mut order.root);
        }
        Ok(Some(branch(order.domain, order.root)))
    };
    let computed = branch(rest.domain, rest.root);
    let parts = [copies(Side::Front)?, Some(computed), copies(Side::Behind)?];
    Ok(Schedule {
        domain: scop.domain()?,
        root: Tree::Sequence(parts.into_iter().flatten().collect()),
        sizes: rest.sizes,
    })
}

fn branch(filter: UnionSet, child: Tree) -> Branch {
    Branch { filter, child }
}

/// Where copies are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Front,
    Behind,
}

/// Whether a statement copies an array that the program sees from or to one of ours.
fn side(scop: &Scop, s: &Stmt) -> Option<Side> {
    let kind = |a: &Access| &scop.array(a.array).kind;
    let seen = |a: &Access| matches!(kind(a), ArrayKind::Memory { .. });
    if seen(s.write()) {
        return Some(Side::Behind);
    }
    // In front of everything else stands nothing but copies.
    let plain = matches!(s.body.nodes[..], [ref only] if only.kind == NodeKind::Read(1));
    let first = s.beta[0] < scop.stmts[0].beta[0];
    (first && plain && s.reads().iter().all(seen)).then_some(Side::Front)
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

#[cfg(test)]
mod tests {
    use super::*;
    use polytile_analysis::deps;
    use polytile_analysis::poly::Ctx;
    use polytile_analysis::text::parse_scop;

    /// S0 finds out, S1 computes in a copy `b` of `a`, which S2 fills in front and S3 copies back.
    const LEFT: &str = "scop \"left\" function \"left\"\nparams n intact\ncontext { : n >= 1 }\n\
        array a f64 [n]\narray b f64 temporary strides (8) extents (v0)\narray stays i64 intact\n\
        stmt S0\n domain { S0[i] : 0 <= i < n }\n beta 1 0\n may-write { S0[i] -> stays[] }\n \
        read { S0[i] -> b[i] } f64 temporary ((rec L0 0 1))\n read { S0[i] -> stays[] }\n \
        body (choose (fcmp.4 (read 1) (inv v0)) (inv v1) (read 2))\n\
        stmt S1\n domain { S1[i] : 0 <= i < n }\n beta 1 1\n write { S1[i] -> b[i] } f64 temporary ((rec L0 0 1))\n \
        read { S1[i] -> b[i] } f64 temporary ((rec L0 0 1))\n body (fadd (read 1) (read 1))\n\
        stmt S2\n domain { S2[i] : 0 <= i < n }\n beta 0 0\n write { S2[i] -> b[i] } f64 temporary ((rec L0 0 1))\n \
        read { S2[i] -> a[i] }\n body (read 1)\n\
        stmt S3\n domain { S3[i] : 0 <= i < n and intact = 1 }\n beta 2 0\n write { S3[i] -> a[i] }\n \
        read { S3[i] -> b[i] } f64 temporary ((rec L0 0 1))\n read { S3[i] -> stays[] }\n body (read 1)\n";

    #[test]
    fn copies_stand_around_what_is_scheduled() {
        let ctx = Ctx::new();
        let scop = parse_scop(&ctx, LEFT).expect("a SCoP");
        let deps = deps::compute(&scop, false).expect("dependences");
        let (rest, own) = without_copies(&scop, &deps)
            .expect("an answer")
            .expect("copies");
        assert_eq!((rest.stmts.len(), rest.params.len()), (2, 1));
        assert!(
            own.list
                .iter()
                .all(|d| d.src.index() < 2 && d.dst.index() < 2)
        );
        // What is copied back is no memory of the nest's own, which could be given up.
        assert!(matches!(rest.arrays[1].kind, ArrayKind::Memory { .. }));
        let schedule = with_copies(&scop, original(&rest).expect("an order"), true).expect("one");
        let Tree::Sequence(parts) = &schedule.root else {
            panic!("three parts");
        };
        let names: Vec<String> = parts.iter().map(|p| p.filter.to_string()).collect();
        assert_eq!(names.len(), 3);
        let has =
            |part: &str, all: [bool; 4]| (0..4).all(|s| part.contains(&format!("S{s}[")) == all[s]);
        assert!(has(&names[0], [false, false, true, false]));
        assert!(has(&names[1], [true, true, false, false]));
        assert!(has(&names[2], [false, false, false, true]));
    }

    #[test]
    fn what_is_not_left_early_is_scheduled_as_a_whole() {
        let ctx = Ctx::new();
        let mut scop = parse_scop(&ctx, LEFT).expect("a SCoP");
        scop.arrays[2].kind = ArrayKind::Temporary;
        let deps = Dependences::new(vec![]);
        assert!(without_copies(&scop, &deps).expect("an answer").is_none());
    }
}
