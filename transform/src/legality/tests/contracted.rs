//! Values that stay in the lanes that compute them.

use super::{band, scop};
use crate::legality::{Rule, check};
use polytile_analysis::deps::compute;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::{Ctx, UnionSet};
use polytile_analysis::tree::{Branch, LoopKind, Mark, Schedule, Supply, Tree};

/// A chain along each row of `p` (array 0) that a second one takes up, for `t` steps; then `p` is overwritten.
const STEPS: &str = "params t n\ncontext { : t >= 1 and n >= 2 }\narray p f64 [n][n]\narray u f64 [n][n]\n\
    stmt S0\n domain { S0[s, i] : 0 <= s < t and 0 <= i < n }\n beta 0 0 0\n write { S0[s, i] -> p[i, 0] }\n \
    body (bits 0)\n\
    stmt S1\n domain { S1[s, i, j] : 0 <= s < t and 0 <= i < n and 1 <= j < n }\n beta 0 0 1 0\n \
    write { S1[s, i, j] -> p[i, j] }\n read { S1[s, i, j] -> p[i, j - 1] }\n body (read 1)\n\
    stmt S2\n domain { S2[s, i, j] : 0 <= s < t and 0 <= i < n and 0 <= j < n }\n beta 0 0 2 0\n \
    write { S2[s, i, j] -> u[i, j] }\n read { S2[s, i, j] -> p[i, j] }\n body (read 1)\n\
    stmt S3\n domain { S3[i, j] : 0 <= i < n and 0 <= j < n }\n beta 1 0 0\n write { S3[i, j] -> p[i, j] }\n body (bits 0)\n";

/// The verdict on panels for an array in the first nest, with `kind` as the loop over `i`.
fn verdict(text: &str, array: u32, kind: LoopKind) -> Option<Rule> {
    let ctx = Ctx::new();
    let scop = scop(&ctx, text);
    let inner = band(
        &scop,
        "S0[s, i] -> [0, 0]; S1[s, i, j] -> [1, j]; S2[s, i, j] -> [2, j]",
        Tree::Leaf,
    );
    let mut rows = band(
        &scop,
        "S0[s, i] -> [i]; S1[s, i, j] -> [i]; S2[s, i, j] -> [i]",
        Tree::Band(Box::new(inner)),
    );
    rows.loops[0] = kind;
    let panels = Tree::Mark(
        Mark::Contracted(vec![ArrayId(array)]),
        Box::new(Tree::Band(Box::new(rows))),
    );
    let steps = band(
        &scop,
        "S0[s, i] -> [s]; S1[s, i, j] -> [s]; S2[s, i, j] -> [s]",
        panels,
    );
    let after = band(&scop, "S3[i, j] -> [i, j]", Tree::Leaf);
    let branch = |text: &str, child| Branch {
        filter: UnionSet::parse(&ctx, &format!("[t, n] -> {{ {text} }}")).unwrap(),
        child: Tree::Band(Box::new(child)),
    };
    let schedule = Schedule {
        domain: scop.domain().unwrap(),
        root: Tree::Sequence(vec![
            branch("S0[s, i]; S1[s, i, j]; S2[s, i, j]", steps),
            branch("S3[i, j]", after),
        ]),
        sizes: vec![],
    };
    let deps = compute(&scop, false).unwrap();
    check(&scop, &schedule, &deps).err().map(|v| v.rule)
}

const LANES: LoopKind = LoopKind::Lanes {
    lanes: 8,
    vectors: 2,
    supply: Supply::Near,
};

fn refused(text: &str) -> Option<Rule> {
    verdict(text, 0, LANES)
}

#[test]
fn values_that_are_used_up_and_overwritten() {
    assert_eq!(refused(STEPS), None);
}

#[test]
fn only_lanes_have_panels() {
    let rule = verdict(STEPS, 0, LoopKind::Sequential);
    assert_eq!(rule, Some(Rule::NotContracted("no loop in lanes below")));
    let rule = verdict(STEPS, 7, LANES);
    assert_eq!(rule, Some(Rule::NotContracted("no such array")));
}

#[test]
fn values_that_live_on() {
    let needed = Some(Rule::NotContracted("a value is needed elsewhere"));
    // Nobody overwrites them, or not all of them.
    assert_eq!(verdict(STEPS, 1, LANES), needed);
    let partly = STEPS.replace(
        "0 <= i < n and 0 <= j < n }\n beta 1",
        "0 <= i < n and 0 <= j < n - 1 }\n beta 1",
    );
    assert_eq!(refused(&partly), needed);
    // They are read first.
    let read = STEPS.replace(
        "p[i, j] }\n body (bits 0)\n",
        "p[i, j] }\n read { S3[i, j] -> p[i, j] }\n body (read 1)\n",
    );
    assert_eq!(refused(&read), needed);
}

#[test]
fn values_from_elsewhere() {
    let elsewhere = Some(Rule::NotContracted("a value comes from elsewhere"));
    // The first element of each row is there before, or from the step before.
    let before = STEPS.replace("p[i, 0] }", "u[i, 0] }");
    assert_eq!(refused(&before), elsewhere);
    let late = STEPS.replace(
        "0 <= s < t and 0 <= i < n }\n beta 0 0 0",
        "0 <= s < 1 and 0 <= i < n }\n beta 0 0 0",
    );
    assert_eq!(refused(&late), elsewhere);
}
