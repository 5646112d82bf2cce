//! Random SCoPs: dependences and last writers against enumeration.

use super::{DepKind, compute, deps, parsed, value_flow};
use crate::ids::{ArrayId, StmtId};
use crate::poly::{Ctx, DimType, Error, Map, Set};
use crate::scop::{AccessKind, Scop};
use crate::text::random::{Features, scop};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Instance = (StmtId, Vec<i64>);
type Pair = (Instance, Instance);

fn fixed(set: &Set, params: &[i64]) -> Set {
    params.iter().enumerate().fold(set.clone(), |s, (p, v)| {
        s.fix_si(DimType::Param, p, *v).unwrap()
    })
}

/// Pairs of a relation between statements for these parameters.
fn pairs(map: &Map, scop: &Scop, params: &[i64]) -> Vec<Pair> {
    let id = |ty| scop.stmt_by_name(&map.tuple_name(ty).unwrap()).unwrap();
    let (s, t) = (id(DimType::In), id(DimType::Out));
    let exact = map
        .intersect_domain(&s.domain)
        .unwrap()
        .intersect_range(&t.domain)
        .unwrap();
    let points = fixed(&exact.wrap().unwrap(), params)
        .points(100_000)
        .unwrap();
    let split = |p: Vec<i64>| {
        (
            (s.id, p[..s.depth()].to_vec()),
            (t.id, p[s.depth()..].to_vec()),
        )
    };
    points.into_iter().map(split).collect()
}

/// One access of one instance.
struct Touch {
    instance: Instance,
    kind: AccessKind,
    cell: (ArrayId, Vec<i64>),
}

/// All accesses in the order of the original program: reads of an instance before its write.
fn trace(scop: &Scop, params: &[i64]) -> Vec<Touch> {
    let mut timed = vec![];
    for s in &scop.stmts {
        for (n, a) in s.accesses.iter().enumerate() {
            let relation = a.relation.intersect_domain(&s.domain).unwrap();
            for p in fixed(&relation.wrap().unwrap(), params)
                .points(100_000)
                .unwrap()
            {
                let (at, cell) = p.split_at(s.depth());
                let mut time = vec![s.beta[0]];
                at.iter()
                    .zip(&s.beta[1..])
                    .for_each(|(i, b)| time.extend([*i, *b]));
                let touch = Touch {
                    instance: (s.id, at.to_vec()),
                    kind: a.kind,
                    cell: (a.array, cell.to_vec()),
                };
                timed.push(((time, n == 0, n), touch));
            }
        }
    }
    timed.sort_by(|a, b| a.0.cmp(&b.0));
    timed.into_iter().map(|(_, touch)| touch).collect()
}

fn enumerate(scop: &Scop, params: &[i64]) -> BTreeMap<u8, BTreeSet<Pair>> {
    let trace = trace(scop, params);
    let mut found: BTreeMap<u8, BTreeSet<Pair>> = BTreeMap::new();
    for (i, y) in trace.iter().enumerate() {
        for x in &trace[..i] {
            if x.cell == y.cell && x.instance != y.instance {
                let writes = |t: &Touch| t.kind != AccessKind::Read;
                let kind = match (writes(x), writes(y)) {
                    (true, false) => DepKind::FLOW,
                    (false, true) => DepKind::ANTI,
                    (true, true) => DepKind::OUTPUT,
                    (false, false) => DepKind::INPUT,
                };
                found
                    .entry(kind.bits())
                    .or_default()
                    .insert((x.instance.clone(), y.instance.clone()));
            }
        }
    }
    found
}

fn text(choices: &[u32], features: Features) -> String {
    let mut at = 0;
    let mut choose = |k: u32| {
        at += 1;
        choices.get(at - 1).map_or(0, |c| c % k)
    };
    scop(&mut choose, features)
}

const PARAMS: [[i64; 2]; 4] = [[0, 0], [1, 3], [3, 1], [4, 2]];
const KINDS: [DepKind; 4] = [
    DepKind::FLOW,
    DepKind::ANTI,
    DepKind::OUTPUT,
    DepKind::INPUT,
];

fn check(choices: &[u32], features: Features) {
    let ctx = Ctx::new();
    let text = text(choices, features);
    let scop = parsed(&ctx, &text);
    let found = compute(&scop, true).unwrap();
    for params in PARAMS {
        let expected = enumerate(&scop, &params);
        for kind in KINDS {
            let mut got = BTreeSet::new();
            for d in found.list.iter().filter(|d| d.kind.contains(kind)) {
                got.extend(pairs(
                    &Map::from_basic_map(&d.relation).unwrap(),
                    &scop,
                    &params,
                ));
            }
            let none = BTreeSet::new();
            let expected = expected.get(&kind.bits()).unwrap_or(&none);
            if features.divisions {
                assert!(got.is_superset(expected), "{kind:?} {params:?}\n{text}");
            } else {
                assert_eq!(&got, expected, "{kind:?} {params:?}\n{text}");
            }
        }
    }
}

fn check_order(choices: &[u32], features: Features) {
    let ctx = Ctx::new();
    let text = text(choices, features);
    let scop = parsed(&ctx, &text);
    let place: BTreeMap<Instance, usize> = trace(&scop, &[4, 3])
        .into_iter()
        .zip(0..)
        .map(|(t, p)| (t.instance, p))
        .collect();
    for d in deps(&scop).list {
        for (x, y) in pairs(&Map::from_basic_map(&d.relation).unwrap(), &scop, &[4, 3]) {
            assert!(place[&x] < place[&y], "{x:?} {y:?}\n{text}");
        }
    }
}

fn check_flow(choices: &[u32], features: Features) {
    let ctx = Ctx::new();
    let text = text(choices, features);
    let scop = parsed(&ctx, &text);
    let flow = match value_flow(&scop, None) {
        Ok(flow) => flow,
        // isl's analysis refuses a few relations with divisions.
        Err(Error::Invalid(_)) if features.divisions => return,
        Err(e) => panic!("{e}\n{text}"),
    };
    for params in PARAMS {
        let mut last = BTreeMap::new();
        let mut expected = BTreeSet::new();
        for t in trace(&scop, &params) {
            if t.kind == AccessKind::Read {
                if let Some(w) = last.get(&t.cell) {
                    expected.insert((Instance::clone(w), t.instance));
                }
            } else {
                last.insert(t.cell, t.instance);
            }
        }
        let maps = flow.certain.maps().unwrap();
        let got: BTreeSet<Pair> = maps.iter().flat_map(|m| pairs(m, &scop, &params)).collect();
        assert_eq!(got, expected, "{params:?}\n{text}");
    }
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(0..24u32, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dependences_are_the_conflicting_ordered_pairs(c in choices(), unions: bool) {
        check(&c, Features { divisions: false, unions });
    }

    #[test]
    fn with_divisions_no_pair_is_missed(c in choices()) {
        let features = Features { divisions: true, unions: false };
        check(&c, features);
        check_order(&c, features);
    }

    #[test]
    fn value_flow_is_the_last_writer(c in choices(), divisions: bool) {
        check_flow(&c, Features { divisions, unions: true });
    }
}

#[test]
fn random_scops_have_dependences() {
    let ctx = Ctx::new();
    let features = Features {
        divisions: true,
        unions: true,
    };
    let mut state = 1u64;
    let mut total = 0;
    for _ in 0..40 {
        let mut choice = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(state >> 40).expect("24 bits")
        };
        let c: Vec<u32> = (0..60).map(&mut choice).collect();
        let scop = parsed(&ctx, &text(&c, features));
        total += enumerate(&scop, &[4, 2])
            .values()
            .map(BTreeSet::len)
            .sum::<usize>();
    }
    assert!(total > 5_000, "{total}");
}
