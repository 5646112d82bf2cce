//! What several test modules need: schedules from flat maps, execution of programs and of schedules.

use crate::interp;
use crate::live::Live;
use polytile_analysis::ast::{Ast, ForKind};
use polytile_analysis::ids::StmtId;
use polytile_analysis::poly::{Ctx, MultiUnionPwAff, Set, UnionMap, UnionPwAff, UnionSet};
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Band, Branch, Schedule, Tree};
use std::collections::BTreeMap;

/// An instance: statement and iterators.
pub type Instance = (StmtId, Vec<i64>);

/// Samples with flat schedules whose outermost band can be tiled.
pub const TILABLE: &[(&str, &str)] = &[
    ("gemm", "{ S0[i,j] -> [i,j,0,0]; S1[i,k,j] -> [i,j,k,1] }"),
    ("syrk", "{ S0[i,j] -> [i,j,0,0]; S1[i,k,j] -> [i,j,k,1] }"),
    (
        "jacobi-1d",
        "{ S0[t,i] -> [t,2t+i,0]; S1[t,i] -> [t,2t+i+1,1] }",
    ),
    (
        "jacobi-2d",
        "{ S0[t,i,j] -> [t,2t+i,2t+j,0]; S1[t,i,j] -> [t,2t+i+1,2t+j+1,1] }",
    ),
    (
        "heat-3d",
        "{ S0[t,i,j,k] -> [t,2t+i,2t+j,2t+k,0]; S1[t,i,j,k] -> [t,2t+i+1,2t+j+1,2t+k+1,1] }",
    ),
    ("seidel-2d", "{ S0[t,i,j] -> [t,t+i,2t+i+j] }"),
    (
        "lu",
        "{ S0[i,j,k] -> [i,j,k]; S1[i,j] -> [i,j,j]; S2[i,j,k] -> [i,i+j,k] }",
    ),
    (
        "cholesky",
        "{ S0[i,j,k] -> [i,j,k,0]; S1[i,j] -> [i,j,j,1]; S2[i,k] -> [i,i,k,2]; S3[i] -> [i,i,i,3] }",
    ),
    (
        "trmm",
        "{ S0[i,j,k] -> [i,j,i+1+k,0]; S1[i,j] -> [i,j,m-1,1] }",
    ),
    (
        "nussinov",
        "{ S0[i,j] -> [i,j-i,0,0]; S1[i,j] -> [i,j-i,1,0]; S2[i,j] -> [i,j-i,2,0]; S3[i,j,k] -> [i,j-i,3,k] }",
    ),
];

/// A SCoP of bare statements: parameters, context, and `(domain, beta)` per statement.
pub fn bare_scop(ctx: &Ctx, params: &str, context: &str, stmts: &[(&str, &str)]) -> Scop {
    let mut text = format!("params {params}\ncontext {context}\narray A f64 []\n");
    for (i, (domain, beta)) in stmts.iter().enumerate() {
        let tuple = &domain[domain.find('{').unwrap() + 1..domain.find(']').unwrap() + 1];
        text +=
            &format!("stmt S{i}\n  domain {domain}\n  beta {beta}\n  write {{ {tuple} -> A[] }}\n");
    }
    polytile_analysis::text::parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The schedule tree of a flat schedule: dimensions that are constant for every statement become sequences, others band
/// members; adjacent members share a band (marked permutable: the test knows).
pub fn flat_schedule(scop: &Scop, map: &str) -> Schedule {
    let ctx = scop.context.ctx();
    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let map = UnionMap::parse(ctx, &format!("[{}] -> {map}", params.join(","))).unwrap();
    let rows = MultiUnionPwAff::from_union_map(&map).unwrap();
    let domain = scop.domain().unwrap();
    let rows: Vec<UnionPwAff> = (0..rows.size()).map(|d| rows.at(d).unwrap()).collect();
    let root = flat_tree(&rows, &domain);
    Schedule {
        domain,
        root,
        sizes: vec![],
    }
}

fn flat_tree(rows: &[UnionPwAff], domain: &UnionSet) -> Tree {
    let Some((first, rest)) = rows.split_first() else {
        return Tree::Leaf;
    };
    let here = first
        .intersect_domain(&domain.universe_of().unwrap())
        .unwrap();
    let pieces = here.pw_affs().unwrap();
    if !pieces.iter().all(|p| p.is_cst().unwrap()) {
        return band_of(rows, domain);
    }
    let mut groups: BTreeMap<i64, UnionSet> = BTreeMap::new();
    for p in &pieces {
        let at = p.max_val().unwrap().to_i64().unwrap();
        let part = p.domain().unwrap().to_union_set().unwrap();
        let all = match groups.get(&at) {
            Some(g) => g.union(&part).unwrap(),
            None => part,
        };
        groups.insert(at, all.universe_of().unwrap());
    }
    if groups.len() == 1 {
        return flat_tree(rest, domain);
    }
    let branch = |filter: UnionSet| Branch {
        child: flat_tree(rest, &domain.intersect(&filter).unwrap()),
        filter,
    };
    Tree::Sequence(groups.into_values().map(branch).collect())
}

fn band_of(rows: &[UnionPwAff], domain: &UnionSet) -> Tree {
    let universe = domain.universe_of().unwrap();
    let is_loop = |r: &UnionPwAff| {
        let here = r.intersect_domain(&universe).unwrap();
        !here.pw_affs().unwrap().iter().all(|p| p.is_cst().unwrap())
    };
    let n = rows.iter().take_while(|r| is_loop(r)).count();
    let here = |r: &UnionPwAff| r.intersect_domain(&universe).unwrap();
    let own: Vec<UnionPwAff> = rows[..n].iter().map(here).collect();
    Tree::Band(Box::new(band(&own, flat_tree(&rows[n..], domain))))
}

/// A sequential permutable band of these rows.
pub fn band(rows: &[UnionPwAff], child: Tree) -> Band {
    let rows: Vec<&UnionPwAff> = rows.iter().collect();
    Band::of_rows(&rows, true, child).unwrap()
}

/// What a program executes, in order.
pub fn run(ast: &Ast, params: &[i64], sizes: &[i64]) -> Vec<Instance> {
    interp::run(ast, params, sizes).unwrap_or_else(|e| panic!("{e}\n{ast}"))
}

/// The rows of a schedule given as isl's map.
pub fn rows(scop: &Scop, map: &str) -> Vec<UnionPwAff> {
    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let text = format!("[{}] -> {map}", params.join(","));
    let map = UnionMap::parse(scop.context.ctx(), &text).unwrap();
    let rows = MultiUnionPwAff::from_union_map(&map).unwrap();
    (0..rows.size()).map(|d| rows.at(d).unwrap()).collect()
}

/// All instances of a SCoP for these parameters, by statement, sorted.
pub fn instances(scop: &Scop, params: &[i64]) -> Vec<Instance> {
    let mut all = vec![];
    for s in &scop.stmts {
        for p in fixed(&s.domain, params).points(1_000_000).unwrap() {
            let at = p.len() - s.depth();
            all.push((s.id, p[at..].to_vec()));
        }
    }
    all.sort();
    all
}

/// The set for these values of its first parameters.
pub fn fixed(set: &Set, params: &[i64]) -> Set {
    use polytile_analysis::poly::DimType;
    let mut set = set.clone();
    for (i, v) in params.iter().enumerate() {
        set = set.fix_si(DimType::Param, i, *v).unwrap();
    }
    set
}

/// A sample SCoP.
pub fn sample(ctx: &Ctx, name: &str) -> Scop {
    let text = polytile_analysis::text::samples::text(name).unwrap();
    polytile_analysis::text::parse_scop(ctx, text).unwrap()
}

/// Fails unless the program does what the original does: the same instances, dependences in order, equal values.
/// Parallel loops are run in both directions.
pub fn check_run(scop: &Scop, ast: &Ast, params: &[i64], sizes: &[i64]) {
    let deps = polytile_analysis::deps::compute(scop, false).unwrap();
    interp::compare(scop, ast, &[], &deps, params, sizes)
        .unwrap_or_else(|d| panic!("{d} for {params:?} sizes {sizes:?}\n{ast}"));
}

/// Whether a loop is not sequential.
pub fn has_parallel(ast: &Ast) -> bool {
    ast.find_loop(&|l| l.kind != ForKind::Sequential).is_some()
}

/// The schedule with its bands' flags as the dependences allow.
pub fn flagged(scop: &Scop, schedule: &Schedule) -> Schedule {
    let deps = polytile_analysis::deps::compute(scop, false).unwrap();
    let mut schedule = schedule.clone();
    let live = Live::at_root(&deps).unwrap();
    flag(&mut schedule.root, &schedule.domain, &live);
    schedule
}

fn flag(tree: &mut Tree, domain: &UnionSet, live: &Live) {
    let live = live.inside(domain).unwrap();
    match tree {
        Tree::Leaf => {}
        Tree::Mark(_, child) => flag(child, domain, &live),
        Tree::Sequence(list) | Tree::Set(list) => {
            for b in list {
                flag(&mut b.child, &domain.intersect(&b.filter).unwrap(), &live);
            }
        }
        Tree::Band(band) => {
            let rows = band.schedule.union_pw_affs().unwrap();
            band.permutable = rows.iter().all(|r| live.respects(r).unwrap());
            let mut below = live.clone();
            for (m, row) in rows.iter().enumerate() {
                let open = if band.permutable { &live } else { &below };
                band.coincident[m] = open.coincident(row).unwrap();
                below = below.tied(row).unwrap();
            }
            flag(&mut band.child, domain, &below);
        }
    }
}

/// The time of an instance.
pub fn time_of(times: &UnionMap, x: &Instance, params: &[i64]) -> Vec<i64> {
    use polytile_analysis::poly::DimType;
    let name = format!("S{}", x.0.0);
    for map in times.maps().unwrap() {
        if map.tuple_name(DimType::In).as_deref() != Some(&name) {
            continue;
        }
        let mut map = map;
        for (i, v) in x.1.iter().enumerate() {
            map = map.fix_si(DimType::In, i, *v).unwrap();
        }
        let points = fixed(&map.range().unwrap(), params).points(2).unwrap();
        assert_eq!(points.len(), 1, "one time per instance");
        return points[0].clone();
    }
    panic!("{name} has no time")
}
