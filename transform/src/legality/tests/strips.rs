//! Loops that run in strips around the updates of a cell.

use super::{band, scop};
use crate::ast::generate;
use crate::equivalence::{self, Answer, Final};
use crate::interp::{Order, Setting, execute, original};
use crate::legality::{Rule, check};
use polytile_analysis::ast::{Ast, ForKind};
use polytile_analysis::deps::compute;
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::tree::{Mark, Schedule, Tree};

/// `b[j] = a[j] * a[j];  s[0] = s[READ] + b[FROM] / a[j]` in a loop.
fn text(read: &str, from: &str) -> String {
    format!(
        "params n\ncontext {{ : n >= 4 }}\narray A f64 []\narray B f64 []\narray S f64 []\n\
         stmt S0\n domain {{ S0[j] : 1 <= j < n }}\n beta 0 0\n write {{ S0[j] -> B[j] }}\n \
         read {{ S0[j] -> A[j] }}\n body (fmul (read 1) (read 1))\n\
         stmt S1\n domain {{ S1[j] : 1 <= j < n }}\n beta 0 1\n write {{ S1[j] -> S[0] }}\n \
         read {{ S1[j] -> {read} }}\n read {{ S1[j] -> {from} }}\n read {{ S1[j] -> A[j] }}\n \
         body (fadd (read 1) (fdiv (read 2) (read 3)))\n"
    )
}

fn schedule(scop: &Scop, cells: Vec<ArrayId>) -> Schedule {
    let inner = Tree::Sequence(
        ["S0[j]", "S1[j]"]
            .map(|s| {
                let filter = super::with_params(scop, &format!("{{ {s} }}"));
                polytile_analysis::tree::Branch {
                    filter: polytile_analysis::poly::UnionSet::parse(scop.context.ctx(), &filter)
                        .unwrap(),
                    child: Tree::Leaf,
                }
            })
            .to_vec(),
    );
    let rows = band(scop, "S0[j] -> [j]; S1[j] -> [j]", inner);
    Schedule {
        domain: scop.domain().unwrap(),
        root: Tree::Mark(Mark::Strips(cells), Box::new(Tree::Band(Box::new(rows)))),
        sizes: vec![],
    }
}

/// The verdict on strips around the cells of S.
fn verdict(read: &str, from: &str) -> Option<Rule> {
    let ctx = Ctx::new();
    let scop = scop(&ctx, &text(read, from));
    let schedule = schedule(&scop, vec![ArrayId(2)]);
    let deps = compute(&scop, false).unwrap();
    check(&scop, &schedule, &deps).err().map(|v| v.rule)
}

#[test]
fn only_the_cell_may_be_waited_for() {
    assert_eq!(verdict("S[0]", "B[j]"), None);
    assert_eq!(verdict("S[0]", "A[j]"), None);
    // An element of another iteration.
    assert_eq!(verdict("S[0]", "B[j - 1]"), Some(Rule::NotVector(0)));
    let no_cell = Some(Rule::NotStrips("a cell's array is touched in another way"));
    // Other elements of the cell's array, and what is no sum.
    assert_eq!(verdict("S[0]", "S[j]"), no_cell);
    assert_eq!(verdict("A[j]", "B[j]"), no_cell);
}

/// What the interpreter and the check of the final program say of a generated loop in strips, changed by `change`.
fn outcome(change: impl Fn(&mut ForKind)) -> (bool, Answer) {
    let ctx = Ctx::new();
    let scop = scop(&ctx, &text("S[0]", "B[j]"));
    let mut body = generate(&scop, &schedule(&scop, vec![ArrayId(2)])).expect("no limit is near");
    let Ast::For(l) = &mut body else {
        panic!("a loop: {body}");
    };
    assert!(matches!(l.kind, ForKind::Strips { .. }), "{:?}", l.kind);
    change(&mut l.kind);
    let setting = Setting {
        params: &[9],
        sizes: &[],
        order: Order::Backwards,
    };
    let same = execute(&scop, &body, &[], setting)
        .is_ok_and(|e| e.memory == original(&scop, &[9]).expect("it runs").memory);
    let last = Final {
        body: &body,
        buffers: &[],
        handed: &[],
        sizes: &[],
    };
    (same, equivalence::check(&scop, &last))
}

#[test]
fn generated_strips_do_what_the_source_does() {
    assert_eq!(outcome(|_| {}), (true, Answer::Same));
    let (same, answer) = outcome(|k| *k = ForKind::Vector);
    assert!(!same && matches!(answer, Answer::Other(_)), "{answer:?}");
    // What is not computed first would be read behind the strip.
    let (_, answer) = outcome(|k| match k {
        ForKind::Strips { chains } => chains[0].operands.clear(),
        _ => unreachable!("it is in strips"),
    });
    assert!(matches!(answer, Answer::Other(_)), "{answer:?}");
    let (same, answer) = outcome(|k| *k = ForKind::Strips { chains: vec![] });
    assert!(!same && matches!(answer, Answer::Other(_)), "{answer:?}");
}
