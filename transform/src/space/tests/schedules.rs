//! Schedules for the points of `F`.

use super::super::describe::Space;
use super::super::explore::{Bounds, explore};
use super::super::level::Level;
use super::super::points;
use super::super::preorder::{Preorder, Relation};
use super::programs::*;
use super::{pruned, with};
use crate::ast::generate;
use crate::legality::{self, Rule};
use crate::schedule::band::History;
use crate::schedule::nests::{Nest, search_nests};
use crate::schedule::rows::{Row, Rows, schedule};
use crate::schedule::{Fusion, SearchOptions};
use crate::testing::{check_run, flat_schedule, sample};
use polytile_analysis::deps::{Dependences, compute};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Ctx, MultiUnionPwAff};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, LoopKind, Schedule, Tree, iterator};
use std::collections::BTreeSet;

/// Values of parameters: 0 to 7 for all, and one of them empty.
fn sizes(params: usize) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = (0..=7).map(|n| vec![n; params]).collect();
    for empty in 0..params {
        let mut one = vec![3; params];
        one[empty] = 0;
        all.push(one);
    }
    all
}

/// Checks the schedule of each point of a program; how many there are.
fn all_points(text: Text) -> usize {
    let ctx = Ctx::new();
    let scop = scop(&ctx, text);
    let deps = compute(&scop, false).unwrap();
    let ground = super::super::Ground::new(&scop, &deps).unwrap();
    let mut level = ground.outermost().unwrap();
    let mut found = vec![];
    assert!(
        points::each(&mut level, &mut |p| {
            found.push(p.to_vec());
            true
        })
        .unwrap()
    );
    let options = SearchOptions {
        fusion: Fusion::Max,
        ..SearchOptions::default()
    };
    for point in &found {
        let classes: Vec<BTreeSet<StmtId>> = point.iter().map(|c| level.stmts(*c)).collect();
        let nests: Vec<Nest> = classes.iter().cloned().map(Nest::of).collect();
        let schedule = search_nests(&scop, &deps, &options, &nests).unwrap();
        let schedule = schedule.unwrap_or_else(|| panic!("{classes:?}"));
        legality::check(&scop, &schedule, &deps).unwrap_or_else(|v| panic!("{v}"));
        let order = Preorder::of_tree(&scop, &schedule.root).unwrap();
        let wanted: Vec<Vec<usize>> = classes
            .iter()
            .map(|c| c.iter().map(|s| s.index()).collect())
            .collect();
        if classes.len() > 1 {
            assert_eq!(order, Preorder::of_classes(&wanted));
        }
        let ast = generate(&scop, &schedule).unwrap();
        for params in sizes(scop.params.len()) {
            check_run(&scop, &ast, &params, &[]);
        }
    }
    found.len()
}

#[test]
fn every_point_runs_as_the_original() {
    for (text, points) in [
        (THREE_MAT_MAT, 6),
        (GEMVER, 8),
        (BICG, 26),
        (ATAX, 16),
        (DOITGEN_3D, 4),
        (MVT, 3),
        (VECTOR_CHAIN, 3),
    ] {
        assert_eq!(all_points(text), points);
    }
}

/// A band of some rows.
fn band(rows: MultiUnionPwAff, child: Tree) -> Tree {
    let members = rows.size();
    Tree::Band(Box::new(Band {
        schedule: rows,
        permutable: false,
        coincident: vec![false; members],
        loops: vec![LoopKind::Sequential; members],
        tile: None,
        child,
    }))
}

/// Statements one after the other, in the order of the text, each in its own loops.
fn apart(scop: &Scop, class: &[usize]) -> Tree {
    let alone: Vec<Vec<usize>> = class.iter().map(|s| vec![*s]).collect();
    let tree = |s: usize| {
        let stmt = &scop.stmts[s];
        (0..stmt.depth()).rev().fold(Tree::Leaf, |below, level| {
            band(iterator(scop, &[stmt], level).unwrap(), below)
        })
    };
    sequence(scop, &alone, &mut |class| tree(class[0]))
}

fn sequence(scop: &Scop, classes: &[Vec<usize>], child: &mut dyn FnMut(&[usize]) -> Tree) -> Tree {
    use polytile_analysis::poly::UnionSet;
    use polytile_analysis::tree::Branch;
    if let [only] = classes {
        return child(only);
    }
    let branch = |class: &Vec<usize>| {
        let mut filter = UnionSet::empty(&scop.context.space().unwrap()).unwrap();
        for s in class {
            let domain = scop.stmts[*s].domain.to_union_set().unwrap();
            filter = filter.union(&domain).unwrap();
        }
        Branch {
            filter,
            child: child(class),
        }
    };
    Tree::Sequence(classes.iter().map(branch).collect())
}

fn whole(scop: &Scop, root: Tree) -> Schedule {
    Schedule {
        domain: scop.domain().unwrap(),
        root,
        sizes: vec![],
    }
}

/// Whether a dependence runs backwards.
fn is_refused(scop: &Scop, deps: &Dependences, root: Tree) -> bool {
    match legality::check(scop, &whole(scop, root), deps) {
        Ok(()) => false,
        Err(v) => matches!(v.rule, Rule::Backwards),
    }
}

/// The rows of a class with coefficients and constants of 0 and 1, some iterator in each.
fn small_rows(scop: &Scop, class: &[usize]) -> Vec<Rows> {
    let mut all = vec![Rows::new()];
    for s in class {
        let stmt = &scop.stmts[*s];
        let mut more = vec![];
        for bits in 0..1 << (stmt.depth() + 1) {
            let bit = |at: usize| i64::from(bits >> at & 1 == 1);
            let iters: Vec<i64> = (0..stmt.depth()).map(bit).collect();
            if iters.iter().all(|c| *c == 0) {
                continue;
            }
            for rows in &all {
                let mut rows: Rows = rows.clone();
                rows.insert(
                    stmt.id,
                    Row {
                        iters: iters.clone(),
                        params: vec![0; scop.params.len()],
                        constant: bit(stmt.depth()),
                    },
                );
                more.push(rows);
            }
        }
        all = more;
    }
    all
}

/// Checks that no schedule with small coefficients makes an order legal that is no point; orders outside by order alone, and by classes.
fn outside(text: Text) -> (usize, usize) {
    with(text, |scop, ground| {
        let deps = compute(scop, false).unwrap();
        let mut level = ground.outermost().unwrap();
        let f = pruned(&mut level);
        assert!(level.groups().iter().all(|g| g.len() == 1));
        // The group of each statement.
        let has = |s: StmtId| level.groups().iter().position(|g| g.contains(&s));
        let group = |s: usize| has(StmtId::from(s)).unwrap();
        let groups: Vec<usize> = (0..scop.stmts.len()).map(group).collect();
        let mut counts = (0, 0);
        for order in Preorder::all(groups.len()).iter().filter(|o| !f.has(o)) {
            let classes = order.classes();
            if is_refused(
                scop,
                &deps,
                sequence(scop, &classes, &mut |c| apart(scop, c)),
            ) {
                counts.0 += 1;
                continue;
            }
            counts.1 += 1;
            let refused = |c: &&Vec<usize>| {
                let class = c.iter().fold(0, |all, s| all | 1 << groups[*s]);
                !level.is_fusable(class).unwrap()
            };
            let fused = classes.iter().find(refused);
            let fused = fused.unwrap_or_else(|| panic!("{classes:?}"));
            for rows in small_rows(scop, fused) {
                let mut child = |c: &[usize]| match c == fused {
                    true => band(
                        schedule(scop, std::slice::from_ref(&rows)).unwrap(),
                        apart(scop, c),
                    ),
                    false => apart(scop, c),
                };
                let tree = sequence(scop, &classes, &mut child);
                assert!(is_refused(scop, &deps, tree), "{classes:?} {rows:?}");
            }
        }
        counts
    })
}

#[test]
fn no_order_outside_of_f_is_legal() {
    // All pairs of gemver may share a loop, and no order of its chain may change.
    assert_eq!(outside(GEMVER), (75 - 8, 0));
    assert_eq!(outside(THREE_MAT_MAT), (13 - 6, 0));
    // Three products of a matrix and a vector: the order is right, and no loop serves all.
    assert_eq!(outside(VECTOR_CHAIN), (13 - 4, 1));
    // A statement without a loop has no row at all: there is nothing to try.
    assert_eq!(outside(MVT), (0, 0));
}

#[test]
fn figure_2_of_the_paper() {
    let ctx = Ctx::new();
    let s = scop(&ctx, THREE_MAT_MAT);
    let deps = compute(&s, false).unwrap();
    let verdict = |map: &str| legality::check(&s, &flat_schedule(&s, map), &deps);
    let unflagged = |map: &str| {
        // Bands of a flat schedule are marked as permutable; here only their order counts.
        let mut schedule = flat_schedule(&s, map);
        plain(&mut schedule.root);
        legality::check(&s, &schedule, &deps)
    };
    let a = "{ S0[i,j,k] -> [j,0,i,k]; S1[i,j,k] -> [i,1,j,k]; S2[i,j,k] -> [k,2,j,i] }";
    assert_eq!(unflagged(a), Ok(()));
    let b = "{ S0[i,j,k] -> [0,i,j,k,0]; S1[i,j,k] -> [0,i,j,k,1]; S2[i,j,k] -> [1,i,k,j,0] }";
    assert_eq!(verdict(b), Ok(()));
    let c = |scalars: [i64; 4]| {
        let [s4, s6, t4, t6] = scalars;
        format!(
            "{{ S0[i,j,k] -> [0,i,j,0,k,0]; S1[i,j,k] -> [1,j,i,{s4},k,{s6}]; S2[i,j,k] -> [1,j,k,{t4},i,{t6}] }}"
        )
    };
    // With two innermost loops it is legal, with one it is not.
    assert_eq!(unflagged(&c([0, 0, 1, 0])), Ok(()));
    let broken = unflagged(&c([0, 0, 0, 1])).unwrap_err();
    let d = broken.dependence.expect("a dependence");
    assert_eq!(
        (broken.rule, d.src, d.dst),
        (Rule::Backwards, StmtId(1), StmtId(2))
    );
}

/// Takes flags away.
fn plain(tree: &mut Tree) {
    match tree {
        Tree::Band(band) => {
            band.permutable = false;
            plain(&mut band.child);
        }
        Tree::Sequence(list) | Tree::Set(list) => list.iter_mut().for_each(|b| plain(&mut b.child)),
        Tree::Mark(_, child) => plain(child),
        Tree::Leaf => {}
    }
}

#[test]
fn expanded_sums_come_apart_again() {
    let ctx = Ctx::new();
    let text = sample(&ctx, "doitgen");
    let inside = |scop: &Scop| {
        let deps = compute(scop, false).unwrap();
        let ground = super::super::Ground::new(scop, &deps).unwrap();
        // Below the loop over r, which the sums of one row share in either case.
        let three: BTreeSet<StmtId> = (0..3).map(StmtId).collect();
        let row = |s: &StmtId| {
            let depth = scop.stmt(*s).depth();
            let iters = (0..depth).map(|i| i64::from(i == 0)).collect();
            let params = vec![0; scop.params.len()];
            (
                *s,
                Row {
                    iters,
                    params,
                    constant: 0,
                },
            )
        };
        let rows: Rows = three.iter().map(row).collect();
        let rest = ground
            .search
            .residual(&three, &ground.open, std::slice::from_ref(&rows))
            .unwrap();
        let history: History = rows.into_iter().map(|(s, r)| (s, vec![r.iters])).collect();
        let mut level = Level::new(&ground.search, &three, &rest, &history, None).unwrap();
        points::count(&mut level).unwrap()
    };
    assert_eq!(inside(&text), Some(1));
    assert_eq!(
        inside(&crate::expand::expand_arrays(&text).unwrap()),
        Some(4)
    );
}

const BOUNDS: Bounds = Bounds {
    most: 8,
    inside: 0,
    budget: 1_000_000,
};

#[test]
fn candidates_begin_with_both_ends() {
    with(THREE_MAT_MAT, |scop, _| {
        let deps = compute(scop, false).unwrap();
        let found = explore(scop, &deps, &BOUNDS).unwrap();
        let names: Vec<&str> = found.candidates.iter().map(|c| c.name.as_str()).collect();
        // All three together run in no parallel loop; both pairs do, and leave one product alone.
        let expected = ["{S0,S1,S2}", "{S0}{S1}{S2}", "{S0}{S1,S2}", "{S1}{S0,S2}"];
        assert_eq!(names, expected);
        assert_eq!((found.partitions, found.unconnected), ((5, false), 1));
        assert_eq!((found.dropped, found.without), (0, 0));
        for c in &found.candidates {
            legality::check(scop, &c.schedule, &deps).unwrap_or_else(|v| panic!("{}: {v}", c.name));
        }
    });
}

#[test]
fn fifteen_statements_have_a_bounded_list_within_the_budget() {
    let ctx = Ctx::new();
    ctx.set_budget(6_000_000);
    let scop = scop(&ctx, CORRELATION);
    let deps = compute(&scop, false).unwrap();
    let few = Bounds {
        most: 8,
        inside: 0,
        budget: 400_000,
    };
    let found = explore(&scop, &deps, &few).unwrap();
    assert!(found.partitions.1, "there are more than are looked at");
    assert!(found.candidates.len() <= few.most);
    assert!(!found.candidates.is_empty());
    let told = found.candidates.len() + found.dropped + found.without + found.unconnected;
    // Full distribution is looked at whether it is one of those that were enumerated or not.
    assert!(
        (found.partitions.0..=found.partitions.0 + 1).contains(&told),
        "{told}"
    );
    assert!(found.dropped > 0);
    for c in &found.candidates {
        legality::check(&scop, &c.schedule, &deps).unwrap_or_else(|v| panic!("{}: {v}", c.name));
    }
}

#[test]
fn a_space_is_told_level_by_level() {
    with(GEMVER, |scop, _| {
        let deps = compute(scop, false).unwrap();
        let text = Space::new(scop, &deps).unwrap().to_string();
        for line in [
            "4 statements, 7 dependences by level",
            "O, each level: 12, 58, 75",
            "I: 2 levels of 4 statements: 24 dimensions, 128 constraints, 365 points",
            "F, level 1: 6 dimensions, 28 constraints, 8 points",
            "groups {S0} {S1} {S2} {S3}",
            "partitions 8, connected 8",
            "F, level 2: ",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    });
    with(GAUSS_SEIDEL, |scop, _| {
        let deps = compute(scop, false).unwrap();
        let text = Space::new(scop, &deps).unwrap().to_string();
        // The pairs of one step and neighbours: one pair of equal times, and strict ones.
        assert!(text.contains("S0.i >= d[p] - "), "{text}");
    });
}

#[test]
fn relations_of_a_tree_are_those_of_its_order() {
    let order = Preorder::of_classes(&[vec![1], vec![0, 2]]);
    assert_eq!(order.relation(0, 1), Relation::Succeeds);
    assert_eq!(order.relation(0, 2), Relation::Equal);
}
