//! Hexagons and hyperplanes as steps of a script, up to the program that they make.

use crate::ast;
use crate::equivalence::{self, Answer, Final};
use crate::rewrite::{State, Step, hyperplanes::HyperplaneBand, tile::Untile};
use crate::script::{self, Outcome, Script};
use crate::testing::{check_run, run};
use polytile_analysis::ast::Ast;
use polytile_analysis::deps;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::{parse_schedule, parse_scop, print_schedule};

const HEXAGONS: &str =
    "prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }";

/// The stencil of Ancourt and Irigoin's example, on the triangle `1 <= j <= i <= N`: from one array to another, or in place.
fn stencil(ctx: &Ctx, from: &str) -> Scop {
    let read = |at: &str| format!("  read {{ S0[i, j] -> {from}[{at}] }}\n");
    let reads = ["i, j + 1", "i + 2, j + 1", "i + 1, j", "i + 1, j + 2"].map(read);
    let text = format!(
        "params N\ncontext {{ : 1 <= N <= 1000 }}\narray A f64 [1002][1002]\narray B f64 [1002][1002]\nstmt S0\n  \
         domain {{ S0[i, j] : 0 <= j <= i < N }}\n  beta 0 0 0\n  write {{ S0[i, j] -> A[i + 1, j + 1] }}\n{}",
        reads.concat()
    );
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn scripted(scop: &Scop, commands: &str) -> Result<Outcome, String> {
    let deps = deps::compute(scop, false).unwrap();
    let text = format!("region f {{\n{commands}\n}}\n");
    let script = Script::parse("t", &text).unwrap();
    script::run(&script, &script.regions[0], scop, &deps).map_err(|e| e.to_string())
}

/// The program of a script, which does what the source does.
fn program(scop: &Scop, commands: &str) -> Ast {
    let outcome = scripted(scop, commands).unwrap_or_else(|e| panic!("{e}"));
    let body = ast::generate(scop, &outcome.schedule).unwrap();
    for n in [1, 2, 5, 8, 12, 20] {
        check_run(scop, &body, &[n], &[]);
    }
    let last = Final {
        body: &body,
        buffers: &[],
        handed: &[],
        sizes: &[],
    };
    assert_eq!(equivalence::check(scop, &last), Answer::Same);
    body
}

/// the tiles of B2 in a program: tiles, then points, in few loops with the paper's bounds.
#[test]
fn a1_hexagons_run_from_one_array_to_another() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    let body = program(&scop, HEXAGONS);
    let text = body.to_string();
    assert_eq!(text.matches("for (").count(), 4, "{text}");
    assert!(!text.contains("if ("), "{text}");
    let tile = |p: &[i64]| {
        let (i, j) = (p[0], p[1]);
        let found = (-9..60_i64)
            .flat_map(|a| (-60..60_i64).map(move |b| (a, b)))
            .filter(|(a, b)| {
                let (x, y) = (i - 4 * a, j - 2 * a - 4 * b);
                (-2..2).contains(&y) && (-3..3).contains(&(x + y)) && (-3..3).contains(&(x - y))
            });
        let all: Vec<(i64, i64)> = found.collect();
        assert_eq!(all.len(), 1);
        all[0]
    };
    let order: Vec<_> = run(&body, &[20], &[])
        .into_iter()
        .map(|(_, p)| (tile(&p), p))
        .collect();
    assert_eq!(order.len(), 210);
    assert!(
        order.is_sorted(),
        "tile by tile, and in each in the source's order"
    );
}

/// without isl's generator, from the rows alone.
#[test]
fn a5_hexagons_in_row_echelon() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    let outcome = scripted(&scop, HEXAGONS).unwrap();
    ctx.set_whole(1);
    let body = ast::generate(&scop, &outcome.schedule).unwrap();
    ctx.set_whole(polytile_analysis::poly::meter::USUAL_BUDGET);
    assert_eq!(body.to_string().matches("for (").count(), 4, "{body}");
    assert!(!body.to_string().contains("if ("), "{body}");
    for n in [1, 2, 5, 8, 12, 20] {
        check_run(&scop, &body, &[n], &[]);
    }
}

/// In place a slanted side passes a dependence on to a tile before.
#[test]
fn a1_hexagons_are_refused_in_place_with_a_witness() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "A");
    let error = scripted(&scop, HEXAGONS).unwrap_err();
    assert!(
        error.contains("illegal: a dependence runs backwards: flow anti dependence through A"),
        "{error}"
    );
    assert!(
        error.contains("must come first, but runs at time"),
        "{error}"
    );
    // After a skew, rectangles in the rows are legal, and so are stripes along the fronts.
    program(&scop, "hyperplanes [0] [1,1] 4");
    program(&scop, "hyperplanes [0] [1,0; 1,1] 4 6");
}

#[test]
fn what_is_no_tiling_is_refused_with_a_point() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    for (commands, why) in [
        (
            "prototile [0] [4,0; 2,4] { [x, y] : -2 <= y < 2 and -3 <= x + y <= 3 and -3 <= x - y < 3 }",
            "is in the tiles",
        ),
        (
            "prototile [0] [4,0; 2,4] { [x, y] : -2 < y < 2 and -3 <= x + y < 3 and -3 <= x - y < 3 }",
            "is in no tile",
        ),
        (
            "prototile [0] [4,0; 8,0] { [x, y] : 0 <= x < 4 }",
            "do not span",
        ),
        ("prototile [0] [4,0] { [x, y] : 0 <= x < 4 }", "not square"),
        (
            "prototile [0] [4,0; 0,4] { [x] : 0 <= x < 4 }",
            "a shape of 2 dimensions",
        ),
        (
            "prototile [0] [4,0,0; 0,4,0; 0,0,4] { [x,y,z] : 0 <= x,y,z < 4 }",
            "3 loops",
        ),
        ("hyperplanes [0] [1,1; 1,-1] 3 3", "tiles are of 2 kinds"),
        ("hyperplanes [0] [2,1; 1,-1] 4 3", "tiles are of 3 kinds"),
        (
            "hyperplanes [0] [1,1; 2,2] 4 4",
            "a line follows from the others",
        ),
        (
            "hyperplanes [0] [1,1; 1,-1] 4",
            "a distance of at least 1 is needed for each line",
        ),
        (
            "tile [0] 4 4; hyperplanes [0] [1,1; 1,-1] 4 4",
            "holds loops over tiles",
        ),
    ] {
        let error = scripted(&scop, commands).unwrap_err();
        assert!(error.contains(why), "{commands}: {error}");
    }
}

/// tiles that are no translates have bounds of their own.
#[test]
fn a3_uneven_tiles_have_bounds_of_their_own() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    for commands in [
        "hyperplanes [0] [1,1; 1,-1] 4 4",
        "hyperplanes [0] [1,1; 1,-1] 3 3 uneven",
        "hyperplanes [0] [1,1; 1,-1] 1 1 uneven",
        "hyperplanes [0] [2,1; 1,-1] 4 3 uneven",
        "hyperplanes [0] [1,0; 2,1] 2 3",
        "hyperplanes [0] [1,1] 3",
    ] {
        let text = program(&scop, commands).to_string();
        // A tile of one point or none: there is a condition on its number.
        let single = commands.ends_with("1 1 uneven");
        assert_eq!(text.contains('%'), single, "{commands}: {text}");
    }
}

#[test]
fn tiles_are_taken_away_and_their_texts_parse_back() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    let plain = scripted(&scop, "print beta").unwrap();
    for commands in [HEXAGONS, "hyperplanes [0] [1,1; 1,-1] 4 4"] {
        let back = scripted(&scop, &format!("{commands}; untile [0]")).unwrap();
        assert_eq!(
            print_schedule(&back.schedule),
            print_schedule(&plain.schedule)
        );
        let tiled = scripted(&scop, &format!("{commands}; print script")).unwrap();
        assert_eq!(tiled.output, format!("{commands}\n"));
        let text = print_schedule(&tiled.schedule);
        let again = parse_schedule(&ctx, &text).unwrap();
        // isl writes the cases of a row in another way when it reads them; they are the same rows.
        crate::legality::check(&scop, &again, &deps::compute(&scop, false).unwrap()).unwrap();
        let program = |s| ast::generate(&scop, s).unwrap().to_string();
        assert_eq!(program(&again), program(&tiled.schedule));
        assert!(text.contains("relation:"));
    }
    // Further steps work inside of tiles, and marks of a single loop can be taken away.
    program(&scop, &format!("{HEXAGONS}; unimodular [0,0,0] [1,1; 0,1]"));
    program(&scop, &format!("{HEXAGONS}; parallel [0]"));
    let marked = scripted(&scop, "mark [0] \"x\"; unmark [0]").unwrap();
    assert_eq!(
        print_schedule(&marked.schedule),
        print_schedule(&plain.schedule)
    );
}

#[test]
fn a_step_says_how_it_is_undone() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    let deps = deps::compute(&scop, false).unwrap();
    let state = State::original(&scop, &deps).unwrap();
    let at = crate::rewrite::Address {
        path: vec![0],
        list: false,
    };
    let step = HyperplaneBand {
        at: at.clone(),
        normals: vec![vec![1, 1], vec![1, -1]],
        spacings: vec![4, 4],
        uneven: false,
    };
    let tiled = step.apply(&state).unwrap();
    let back = step.inverse(&state).unwrap();
    let undone = back[0].apply(&tiled).unwrap();
    assert_eq!(
        print_schedule(&undone.schedule),
        print_schedule(&state.schedule)
    );
    assert!(Untile(at).apply(&state).is_err());
}

/// Loops are made from the relation, so one that is not the rows is refused.
#[test]
fn a_relation_has_to_be_the_rows() {
    let ctx = Ctx::new();
    let scop = stencil(&ctx, "B");
    let deps = deps::compute(&scop, false).unwrap();
    let tiled = scripted(&scop, "hyperplanes [0] [1,0] 4").unwrap();
    let text = print_schedule(&tiled.schedule);
    assert!(text.contains("4t0 <= i"), "{text}");
    for (from, to) in [
        ("4t0 <= i", "5t0 <= i"),
        ("relation: \"", "relation: \"x"),
        ("[N] -> { S0[i, j] -> [t0]", "[N, M] -> { S0[i, j] -> [o0]"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let wrong = parse_schedule(&ctx, &wrong).unwrap();
        let refused = crate::legality::check(&scop, &wrong, &deps).unwrap_err();
        assert!(
            matches!(refused.rule, crate::legality::Rule::Malformed(_)),
            "{refused}"
        );
    }
    assert!(crate::legality::check(&scop, &tiled.schedule, &deps).is_ok());
}
