//! Planned schedules are legal, run every instance once, and have the loops that the rules promise.

mod placement;

use super::{PlanOptions, Tiling, plan};
use crate::ast::generate;
use crate::legality;
use crate::target::Target;
use crate::testing::{TILABLE, check_run, fixed, flagged, flat_schedule, sample};
use polytile_analysis::ast::Ast;
use polytile_analysis::deps::compute;
use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::parse_scop;
use polytile_analysis::text::samples::text;
use polytile_analysis::tree::{Schedule, TileSize, Tree, original};

/// Schedules as a search may find them, beside those with a tilable band.
const FOUND: &[(&str, &str)] = &[
    ("mvt", "{ S0[i,j] -> [0,i,j]; S1[i,j] -> [1,j,i] }"),
    ("floyd-warshall", "{ S0[k,i,j] -> [k,i,j] }"),
];

fn planned(scop: &Scop, flat: &str, options: &PlanOptions) -> (Schedule, Ast) {
    planned_for("x86-64", scop, flat, options)
}

fn planned_for(cpu: &str, scop: &Scop, flat: &str, options: &PlanOptions) -> (Schedule, Ast) {
    let deps = compute(scop, false).unwrap();
    let schedule = flagged(scop, &flat_schedule(scop, flat));
    legality::check(scop, &schedule, &deps).unwrap_or_else(|v| panic!("before: {v}"));
    let target = Target::lookup("x86_64-pc-linux-gnu", cpu, "");
    let schedule = plan(scop, &deps, &schedule, &target, options).unwrap();
    let ast = generate(scop, &schedule).unwrap();
    legality::check(scop, &schedule, &deps).unwrap_or_else(|v| panic!("{v}\n{ast}"));
    (schedule, ast)
}

/// With the largest and with the least sizes that the program takes.
fn check_sizes(scop: &Scop, schedule: &Schedule, ast: &Ast, params: &[i64]) {
    let sizes = &schedule.sizes;
    let most: Vec<i64> = sizes.iter().map(|s| s.default).collect();
    check_run(scop, ast, params, &most);
    if !sizes.is_empty() {
        let least: Vec<i64> = sizes.iter().map(|s| s.multiple_of).collect();
        check_run(scop, ast, params, &least);
    }
}

/// No `sizes`: those of the program.
fn check(options: &PlanOptions, params: i64, sizes: &[i64]) {
    let ctx = Ctx::new();
    for (name, flat) in TILABLE.iter().chain(FOUND) {
        println!("{name}");
        let scop = sample(&ctx, name);
        let (schedule, ast) = planned(&scop, flat, options);
        let n: Vec<i64> = (0..scop.params.len() as i64)
            .map(|p| params + p % 2)
            .collect();
        if sizes.is_empty() {
            check_sizes(&scop, &schedule, &ast, &n);
            continue;
        }
        let sizes: Vec<i64> = (0..schedule.sizes.len())
            .map(|s| sizes[s % sizes.len()])
            .collect();
        check_run(&scop, &ast, &n, &sizes);
    }
}

#[test]
fn by_the_model() {
    let options = PlanOptions {
        register_tiles: false,
        ..PlanOptions::default()
    };
    check(&options, 6, &[]);
}

#[test]
fn by_the_model_without_register_tiles_on_one_thread() {
    let options = PlanOptions {
        register_tiles: false,
        parallel: false,
        ..PlanOptions::default()
    };
    check(&options, 6, &[]);
}

#[test]
fn fixed_sizes() {
    for sizes in [vec![1], vec![2, 3], vec![5, 2, 7]] {
        let options = PlanOptions {
            tiling: Tiling::Fixed(sizes),
            register_tiles: false,
            ..PlanOptions::default()
        };
        check(&options, 6, &[]);
    }
}

#[test]
fn sizes_at_run_time_and_two_levels() {
    let options = PlanOptions {
        tiling: Tiling::Fixed(vec![32]),
        second_level: vec![2],
        runtime_sizes: true,
        register_tiles: false,
        ..PlanOptions::default()
    };
    check(&options, 6, &[3, 5, 1]);
}

#[test]
fn the_original_order_with_parallel_loops() {
    let ctx = Ctx::new();
    let target = Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    for (name, _) in polytile_analysis::text::samples::ALL {
        let scop = sample(&ctx, name);
        let deps = compute(&scop, false).unwrap();
        let schedule = flagged(&scop, &original(&scop).unwrap());
        let planned = plan(&scop, &deps, &schedule, &target, &PlanOptions::default()).unwrap();
        legality::check(&scop, &planned, &deps).unwrap_or_else(|v| panic!("{name}: {v}"));
        let ast = generate(&scop, &planned).unwrap();
        check_sizes(&scop, &planned, &ast, &vec![5; scop.params.len()]);
        if *name == "jacobi-2d" {
            // Blocks of rows for both sweeps, the second a row behind; what is left of it at the ends of blocks; vectors in rows.
            let text = ast.to_string();
            let count = |what: &str| text.matches(what).count();
            assert_eq!((count("// parallel"), count("// vector")), (2, 5), "{text}");
        }
    }
}

#[test]
fn sweeps_walk_along_rows_of_memory() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "jacobi-2d");
    // A search that does not know strides may find the columns first.
    let flat = "{ S0[t,i,j] -> [t,2t+j,2t+i,0]; S1[t,i,j] -> [t,2t+j+1,2t+i+1,1] }";
    let (_, ast) = planned(&scop, flat, &PlanOptions::default());
    let text = ast.to_string();
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("// parallel"), 2, "{text}");
    assert_eq!(count("// vector"), count("S0(") + count("S1("), "{text}");
    assert!(text.contains("S0(c0, c2, c3)"), "{text}");
}

#[test]
fn a_step_is_split_where_accesses_meet() {
    let ctx = Ctx::new();
    let scop = sample(&ctx, "floyd-warshall");
    let flat = "{ S0[k,i,j] -> [0,k,0,i,j] }";
    let deps = compute(&scop, false).unwrap();
    let mut schedule = flagged(&scop, &flat_schedule(&scop, "{ S0[k,i,j] -> [k,i,j] }"));
    // The step alone, and the rest as a permutable band below it.
    let rows = crate::testing::rows(&scop, flat);
    let mut inner = crate::testing::band(&rows[3..], Tree::Leaf);
    inner.permutable = true;
    let mut outer = crate::testing::band(&rows[1..2], Tree::Band(Box::new(inner)));
    outer.coincident = vec![false];
    schedule.root = Tree::Band(Box::new(outer));
    let target = Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    for parallel in [true, false] {
        let options = PlanOptions {
            parallel,
            ..PlanOptions::default()
        };
        let planned = plan(&scop, &deps, &schedule, &target, &options).unwrap();
        legality::check(&scop, &planned, &deps).unwrap_or_else(|v| panic!("{v}"));
        let ast = generate(&scop, &planned).unwrap();
        let text = ast.to_string();
        let count = |what: &str| text.matches(what).count();
        let wanted = (if parallel { 2 } else { 0 }, 6);
        assert_eq!((count("// parallel"), count("// vector")), wanted, "{text}");
        for n in [0, 1, 2, 5] {
            check_run(&scop, &ast, &vec![n; scop.params.len()], &[]);
        }
    }
}

/// The original order of a SCoP, planned, as text, after all checks.
fn original_planned(scop: &Scop) -> String {
    let deps = compute(scop, false).unwrap();
    let target = Target::lookup("x86_64-pc-linux-gnu", "znver5", "");
    let schedule = flagged(scop, &original(scop).unwrap());
    let planned = plan(scop, &deps, &schedule, &target, &PlanOptions::default()).unwrap();
    legality::check(scop, &planned, &deps).unwrap_or_else(|v| panic!("{v}"));
    let ast = generate(scop, &planned).unwrap();
    for n in [0, 1, 2, 6, 21] {
        let params = vec![n; scop.params.len()];
        if !fixed(&scop.context, &params).is_empty().unwrap() {
            check_sizes(scop, &planned, &ast, &params);
        }
    }
    ast.to_string()
}

#[test]
fn nests_that_meet_nowhere_share_rows() {
    let ctx = Ctx::new();
    // Rows of ey and of ex only read hz; hz reads rows of both, so it stays apart, as does the border.
    let text = original_planned(&sample(&ctx, "fdtd-2d"));
    assert_eq!(text.matches("// parallel").count(), 3, "{text}");
    // A recurrence along each row, then one back along it.
    let text = original_planned(&polytile_analysis::text::parse_scop(&ctx, LINES).unwrap());
    assert_eq!(text.matches("// parallel").count(), 1, "{text}");
    assert_eq!(text.matches("// 2 x 8 lanes").count(), 1, "{text}");
    assert_eq!(text.matches("for (").count(), 4, "{text}");
}

/// Two sweeps of rows per step through one array of coefficients.
const SWEEPS: &str = "
    params t n
    context { : t >= 1 and n >= 2 }
    array p f64 [n][n]
    array u f64 [n][n]
    stmt S0
      domain { S0[s, i] : 0 <= s < t and 0 <= i < n }
      beta 0 0 0
      write { S0[s, i] -> p[i, 0] }
    stmt S1
      domain { S1[s, i, j] : 0 <= s < t and 0 <= i < n and 0 <= j < n - 1 }
      beta 0 0 1 0
      write { S1[s, i, j] -> p[i, j + 1] }
      read { S1[s, i, j] -> p[i, j] }
      read { S1[s, i, j] -> u[j, i] }
      body (fadd (read 1) (read 2))
    stmt S2
      domain { S2[s, i, j] : 0 <= s < t and 0 <= i < n and 0 <= j < n - 1 }
      beta 0 1 0 0
      write { S2[s, i, j] -> u[i, n - 2 - j] }
      read { S2[s, i, j] -> u[i, n - 1 - j] }
      read { S2[s, i, j] -> p[i, n - 1 - j] }
      body (fadd (read 1) (read 2))";

#[test]
fn values_that_no_step_passes_on_stay_in_lanes() {
    let ctx = Ctx::new();
    let scop = |text: &str| polytile_analysis::text::parse_scop(&ctx, text).unwrap();
    // Coefficients of one nest: the last step leaves them behind.
    let own = SWEEPS.replace("u[j, i]", "u[i, j]");
    let text = original_planned(&scop(&own));
    assert_eq!(text.matches("lanes, A0 contracted").count(), 1, "{text}");
    assert_eq!(text.matches("lanes").count(), 2, "{text}");
    // The second nest reads them for another row.
    let across = SWEEPS.replace(
        "p[i, n - 1 - j] }\n      body (fadd (read 1) (read 2))",
        "p[n - 1 - i, j] }\n      body (fadd (read 1) (read 2))",
    );
    assert!(!original_planned(&scop(&across)).contains("contracted"));
}

#[test]
fn statements_of_lower_depth_leave_the_loops_of_others() {
    let ctx = Ctx::new();
    let scop = polytile_analysis::text::parse_scop(&ctx, LINES).unwrap();
    let flat = "{ S0[i] -> [i,0,0]; S1[i,j] -> [i,j,1]; S2[i] -> [i,0,2]; S3[i,j] -> [i,j+n,3] }";
    let (_, ast) = planned(&scop, flat, &PlanOptions::default());
    let text = ast.to_string();
    assert!(!text.lines().any(|l| l.trim().starts_with("if")), "{text}");
    check_run(&scop, &ast, &[5], &[]);
}

const LINES: &str = "
    params n
    context { : n >= 1 }
    array p f64 [n][n]
    array v f64 [n]
    array u f64 [n][n]
    stmt S0
      domain { S0[i] : 0 <= i < n }
      beta 0 0
      write { S0[i] -> p[i, 0] }
    stmt S1
      domain { S1[i, j] : 0 <= i < n and 0 <= j < n - 1 }
      beta 0 1 0
      write { S1[i, j] -> p[i, j + 1] }
      read { S1[i, j] -> p[i, j] }
      body (read 1)
    stmt S2
      domain { S2[i] : 0 <= i < n }
      beta 0 2
      write { S2[i] -> v[i] }
    stmt S3
      domain { S3[i, j] : 0 <= i < n and 0 <= j < n - 1 }
      beta 1 0 0
      write { S3[i, j] -> u[i, n - 2 - j] }
      read { S3[i, j] -> u[i, n - 1 - j] }
      read { S3[i, j] -> p[i, n - 1 - j] }
      body (fadd (read 1) (read 2))";

#[test]
fn sweeps_of_a_step_follow_each_other_row_by_row() {
    let ctx = Ctx::new();
    let flat = "{ S0[t,i,j] -> [t,2t+i,2t+j,0]; S1[t,i,j] -> [t,2t+i+1,2t+j+1,1] }";
    let scop = sample(&ctx, "jacobi-2d");
    for parallel in [true, false] {
        let options = PlanOptions {
            parallel,
            ..PlanOptions::default()
        };
        let (_, ast) = planned(&scop, flat, &options);
        let text = ast.to_string();
        let count = |what: &str| text.matches(what).count();
        // Blocks of rows and the rows that wait, or one loop over rows.
        assert_eq!(count("// parallel"), if parallel { 2 } else { 0 }, "{text}");
        assert_eq!(count("// vector"), count("S0(") + count("S1("), "{text}");
        assert_eq!(text.contains("/ 56)"), parallel, "{text}");
        // A block that is not full, one that only has rows that wait, two full ones.
        for n in [3, 30, 58, 59, 60, 115] {
            check_run(&scop, &ast, &[2, n], &[]);
        }
    }
}

#[test]
fn iterations_that_share_temporary_arrays_run_in_parallel() {
    let ctx = Ctx::new();
    let scop = crate::expand::expand_arrays(&sample(&ctx, "doitgen")).unwrap();
    let text = original_planned(&scop);
    let copies = scop.arrays.len() - 1;
    let head = format!("// parallel Static private A{copies}");
    assert!(text.starts_with(&head), "{text}");
    assert_eq!(text.matches("// parallel").count(), 1, "{text}");
}

/// A dynamic program over two sequences, its plan for a processor of four lanes.
fn two_sequences(ctx: &Ctx, reads: &[&str], parallel: bool) -> (Scop, Schedule, Ast) {
    let reads: Vec<String> = reads
        .iter()
        .map(|r| format!("read {{ S0[i,j] -> {r} }}"))
        .collect();
    let text = format!(
        "params n, m
         context {{ : n >= 2 and m >= 2 }}
         array s f64 [n][m]
         array c f64 [m]
         stmt S0 domain {{ S0[i,j] : 1 <= i < n and 1 <= j < m }} beta 0 0 0 write {{ S0[i,j] -> s[i,j] }} {}",
        reads.join(" ")
    );
    let scop = polytile_analysis::text::parse_scop(ctx, &text).unwrap();
    let options = PlanOptions {
        parallel,
        ..PlanOptions::default()
    };
    let (schedule, ast) = planned_for("znver3", &scop, "{ S0[i,j] -> [i,j] }", &options);
    (scop, schedule, ast)
}

#[test]
fn chains_in_both_directions_run_in_diagonals() {
    let ctx = Ctx::new();
    for parallel in [true, false] {
        let reads = ["s[i-1,j-1]", "s[i-1,j]", "s[i,j-1]", "c[j]"];
        let (scop, schedule, ast) = two_sequences(&ctx, &reads, parallel);
        let text = ast.to_string();
        assert!(text.contains("// diagonal of 4 x 4 lanes"), "{text}");
        let long = crate::guard::long_diagonals(&scop, &schedule).unwrap();
        let long: Vec<String> = long.iter().map(ToString::to_string).collect();
        // Three and a half strips of columns, as there is no long chain, and one of rows.
        assert_eq!(long, ["(p1 >= 58)", "(p0 >= 18)"]);
        check_sizes(&scop, &schedule, &ast, &[40, 61]);
        check_sizes(&scop, &schedule, &ast, &[61, 9]);
    }
    let scop = sample(&ctx, "seidel-2d");
    let flat = "{ S0[t,i,j] -> [t,t+i,2t+i+j] }";
    let (schedule, ast) = planned_for("znver3", &scop, flat, &PlanOptions::default());
    let text = ast.to_string();
    assert!(text.contains("// diagonal of 4 x 4 lanes"), "{text}");
    check_sizes(&scop, &schedule, &ast, &[3, 41]);
}

#[test]
fn rows_that_reach_far_or_lie_across_have_no_diagonals() {
    let ctx = Ctx::new();
    for other in ["s[i-5,j]", "s[i-1,j-9]"] {
        let (_, _, ast) = two_sequences(&ctx, &["s[i-1,j]", "s[i,j-1]", other], false);
        assert!(!ast.to_string().contains("// diagonal"), "{other}: {ast}");
    }
}

/// Widths of the squares that two sums share, in all tile bands over columns alone.
fn squares(tree: &Tree, found: &mut Vec<TileSize>) {
    match tree {
        Tree::Leaf => {}
        Tree::Mark(_, child) => squares(child, found),
        Tree::Sequence(list) | Tree::Set(list) => {
            list.iter().for_each(|b| squares(&b.child, found))
        }
        Tree::Band(b) => {
            if let (Some(tile), Tree::Sequence(_)) = (&b.tile, &b.child)
                && let [only] = &tile.sizes[..]
            {
                found.push(only.clone());
            }
            squares(&b.child, found);
        }
    }
}

#[test]
fn sums_in_both_directions_share_squares() {
    let ctx = Ctx::new();
    let flat = "{ S0[i,j] -> [0,i,j]; S1[i,j] -> [1,j,i] }";
    let found = |text: &str, cpu: &str| {
        let scop = parse_scop(&ctx, text).unwrap();
        let (schedule, ast) = planned_for(cpu, &scop, flat, &PlanOptions::default());
        check_sizes(&scop, &schedule, &ast, &vec![21; scop.params.len()]);
        let mut found = vec![];
        squares(&schedule.root, &mut found);
        found
    };
    let mvt = text("mvt").unwrap();
    assert_eq!(found(mvt, "znver4"), [TileSize::Const(8)]);
    // Too few registers.
    assert_eq!(found(mvt, "x86-64-v3"), []);
    // The second reads the column beside.
    let beside = mvt.replacen("A[j, i]", "A[j, i + 1]", 1);
    assert_ne!(beside, mvt);
    assert_eq!(found(&beside, "znver4"), []);
}
