//! Programs that do what the source does, and others.

use super::{Answer, Final, check};
use crate::ast::generate;
use crate::testing::{TILABLE, flat_schedule, sample};
use polytile_analysis::ast::{Ast, ForKind};
use polytile_analysis::ids::ArrayId;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::parse_scop;
use polytile_analysis::tree::Distribution;

/// Two loops, the second of which takes what the first writes and what is behind it.
const TWO: &str = "params n\ncontext [n] -> { : n >= 4 }\narray A f64 []\narray B f64 []\n\
    stmt S0\n  domain [n] -> { S0[i] : 0 <= i < n }\n  beta 0 0\n  write { S0[i] -> A[i] }\n\
    stmt S1\n  domain [n] -> { S1[i] : 0 <= i < n - 1 }\n  beta 1 0\n  \
    write { S1[i] -> B[i] }\n  read { S1[i] -> A[i + 1] }\n";

/// A temporary that is written and read in each iteration of a loop.
const PRIVATE: &str = "params n\ncontext [n] -> { : n >= 4 }\narray A f64 [][n]\narray T f64 temporary strides (8) extents (v0)\n\
    stmt S0\n  domain [n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }\n  beta 0 0 0\n  write { S0[i, j] -> T[j] }\n\
    stmt S1\n  domain [n] -> { S1[i, j] : 0 <= i < n and 0 <= j < n }\n  beta 0 1 0\n  \
    write { S1[i, j] -> A[i, j] }\n  read { S1[i, j] -> T[j] }\n";

fn answer(scop: &Scop, body: &Ast, handed: &[ArrayId]) -> Answer {
    let last = Final {
        body,
        buffers: &[],
        handed,
        sizes: &[],
    };
    check(scop, &last)
}

fn of(text: &str, flat: &str) -> Answer {
    let ctx = Ctx::new();
    let scop = parse_scop(&ctx, text).unwrap_or_else(|e| panic!("{e}"));
    let body = generate(&scop, &flat_schedule(&scop, flat)).expect("no limit is near");
    answer(&scop, &body, &[])
}

fn refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Other(_))
}

#[test]
fn legal_orders_of_known_nests_are_proved() {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE {
        let scop = sample(&ctx, name);
        let body = generate(&scop, &flat_schedule(&scop, flat)).expect("no limit is near");
        assert_eq!(answer(&scop, &body, &[]), Answer::Same, "{name}");
    }
}

#[test]
fn what_is_read_must_be_there() {
    assert_eq!(of(TWO, "{ S0[i] -> [0,i]; S1[i] -> [1,i] }"), Answer::Same);
    assert_eq!(
        of(TWO, "{ S0[i] -> [i,0]; S1[i] -> [i+1,1] }"),
        Answer::Same
    );
    let early = of(TWO, "{ S0[i] -> [i,0]; S1[i] -> [i,1] }");
    assert!(refused(&early), "{early:?}");
}

#[test]
fn a_parallel_loop_needs_copies_of_what_its_iterations_share() {
    let ctx = Ctx::new();
    let scop = parse_scop(&ctx, PRIVATE).unwrap_or_else(|e| panic!("{e}"));
    let flat = "{ S0[i,j] -> [i,0,j]; S1[i,j] -> [i,1,j] }";
    let sequential = generate(&scop, &flat_schedule(&scop, flat)).expect("no limit is near");
    assert_eq!(answer(&scop, &sequential, &[]), Answer::Same);
    let with = |private: Vec<ArrayId>| {
        let mut body = sequential.clone();
        let Ast::For(outer) = &mut body else {
            panic!("one loop around all: {body}");
        };
        outer.kind = ForKind::Parallel {
            distribution: Distribution::Static,
            worth: None,
            private,
        };
        answer(&scop, &body, &[])
    };
    assert!(refused(&with(vec![])));
    assert_eq!(with(vec![ArrayId(1)]), Answer::Same);
    // Memory of the program is nothing that threads may have copies of.
    assert!(refused(&with(vec![ArrayId(0), ArrayId(1)])));
}

#[test]
fn what_is_handed_on_is_read_where_it_was_written() {
    let ctx = Ctx::new();
    let scop = parse_scop(&ctx, PRIVATE).unwrap_or_else(|e| panic!("{e}"));
    for (flat, right) in [
        ("{ S0[i,j] -> [i,j,0]; S1[i,j] -> [i,j,1] }", true),
        ("{ S0[i,j] -> [i,0,j]; S1[i,j] -> [i,1,j] }", false),
    ] {
        let body = generate(&scop, &flat_schedule(&scop, flat)).expect("no limit is near");
        assert_eq!(answer(&scop, &body, &[]), Answer::Same);
        let handed = answer(&scop, &body, &[ArrayId(1)]);
        assert_eq!(handed == Answer::Same, right, "{handed:?}");
    }
}
