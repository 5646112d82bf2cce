//! Which stores become one statement, and what it computes.

use super::*;
use polytile_analysis::poly::Ctx;
use polytile_analysis::text::parse_scop;

/// Two statements of a block over `i`, `j`.
fn pair(ctx: &Ctx, first: &str, second: &str) -> Scop {
    let text = format!(
        "scop \"pair\" function \"pair\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\n\
         array A f64 [n][m]\narray B f64 [n][m]\narray C f64 [n][m]\narray t f64 scalar\n\
         stmt S0\n domain {{ S0[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 0 0 0\n {first}\n\
         stmt S1\n domain {{ S1[i, j] : 0 <= i < n and 0 <= j < m }}\n beta 0 0 1\n {second}\n"
    );
    let scop = parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}"));
    group_statements(&scop).expect("grouped")
}

fn names(scop: &Scop, s: usize) -> (Vec<&str>, Vec<&str>) {
    let name = |a: &polytile_analysis::scop::Access| scop.array(a.array).name.as_str();
    let s = &scop.stmts[s];
    (
        s.writes().iter().map(name).collect(),
        s.reads().iter().map(name).collect(),
    )
}

#[test]
fn stores_that_share_an_operand_are_one_statement() {
    let ctx = Ctx::new();
    let scop = pair(
        &ctx,
        "write { S0[i, j] -> A[i, j] }\n read { S0[i, j] -> C[i, j] }\n body (fadd (read 1) (read 1))",
        "write { S1[i, j] -> B[i, j] }\n read { S1[i, j] -> A[i, j] }\n read { S1[i, j] -> C[i, j] }\n \
         body (fmul (read 1) (read 2))",
    );
    assert_eq!(scop.stmts.len(), 1);
    // The product takes the sum itself, not what was stored.
    assert_eq!(names(&scop, 0), (vec!["A", "B"], vec!["C"]));
    let body = &scop.stmts[0].body;
    let NodeKind::Op { args, .. } = &body.node(body.others[0]).kind else {
        panic!("an operation");
    };
    assert_eq!(args[0], body.root);
    assert!(matches!(body.node(args[1]).kind, NodeKind::Read(2)));
}

#[test]
fn a_scalar_within_an_iteration_is_no_write() {
    let ctx = Ctx::new();
    let scop = pair(
        &ctx,
        "write { S0[i, j] -> t[] }\n read { S0[i, j] -> C[i, j] }\n body (read 1)",
        "write { S1[i, j] -> A[i, j] }\n read { S1[i, j] -> t[] }\n body (fadd (read 1) (read 1))",
    );
    assert_eq!(scop.stmts.len(), 1);
    assert_eq!(names(&scop, 0), (vec!["A"], vec!["C"]));
}

#[test]
fn what_gains_by_parting_stays_apart() {
    let ctx = Ctx::new();
    let store = "write { S0[i, j] -> A[i, j] }\n read { S0[i, j] -> C[i, j] }\n body (read 1)";
    let apart = |second: &str| pair(&ctx, store, second).stmts.len() == 2;
    // A recurrence, a sum, a store along columns, a value of another iteration, nothing in common.
    for second in [
        "write { S1[i, j] -> B[i, j] }\n read { S1[i, j] -> B[i, j - 1] }\n read { S1[i, j] -> C[i, j] }\n body (fadd (read 1) (read 2))",
        "write { S1[i, j] -> B[i, 0] }\n read { S1[i, j] -> B[i, 0] }\n read { S1[i, j] -> C[i, j] }\n body (fadd (read 1) (read 2))",
        "write { S1[i, j] -> B[j, i] }\n read { S1[i, j] -> C[i, j] }\n body (read 1)",
        "write { S1[i, j] -> B[i, j] }\n read { S1[i, j] -> A[i, j - 1] }\n read { S1[i, j] -> C[i, j] }\n body (fadd (read 1) (read 2))",
        "write { S1[i, j] -> B[i, j] }\n body (bits 0)",
    ] {
        assert!(apart(second), "{second}");
    }
    assert!(!apart(
        "write { S1[i, j] -> B[i, j] }\n read { S1[i, j] -> C[i, j] }\n body (read 1)"
    ));
}

#[test]
fn rows_of_fields_in_one_array_are_assumed_to_end_before_the_next() {
    let ctx = Ctx::new();
    let field = |distance: i64| {
        pair(
            &ctx,
            "write { S0[i, j] -> A[i, j] }\n read { S0[i, j] -> C[i, j] }\n body (read 1)",
            &format!(
                "write {{ S1[i, j] -> A[i + {distance}, j] }}\n read {{ S1[i, j] -> C[i, j] }}\n body (read 1)"
            ),
        )
    };
    let far = field(100);
    assert_eq!((far.stmts.len(), far.assumptions.len()), (1, 1));
    let expected = Set::parse(&ctx, "[n, m] -> { : 1 <= n <= 100 and m >= 1 }").unwrap();
    let all = far.known().unwrap();
    assert!(all.is_equal(&expected).unwrap(), "{all}");
    let near = field(2);
    assert_eq!((near.stmts.len(), near.assumptions.len()), (2, 0));
}

/// How many statements `A[i][j] = f` and `t += f` become, with a product of so many factors as `f`.
fn residual(ctx: &Ctx, factors: usize) -> usize {
    let term = |read: usize| -> String {
        let products = (1..factors).map(|n| format!("f64 op v{n} fmul n{} n0\n", n - 1));
        format!("body {{\nf64 read {read}\n{}", products.collect::<String>())
    };
    let (last, cell) = (factors - 1, factors);
    let scop = pair(
        ctx,
        &format!(
            "write {{ S0[i, j] -> A[i, j] }}\n read {{ S0[i, j] -> C[i, j] }}\n {}root n{last}\n}}",
            term(1)
        ),
        &format!(
            "write {{ S1[i, j] -> t[] }}\n read {{ S1[i, j] -> t[] }}\n read {{ S1[i, j] -> C[i, j] }}\n \
             {}f64 read 1\nf64 op v99 fadd n{cell} n{last}\nroot n{}\n}}",
            term(2),
            cell + 1
        ),
    );
    scop.stmts.len()
}

#[test]
fn a_sum_joins_the_store_that_computes_much_of_it() {
    let ctx = Ctx::new();
    assert_eq!(residual(&ctx, 4), 2);
    assert_eq!(residual(&ctx, 12), 1);
}

#[test]
fn stores_under_one_condition_are_one_statement() {
    let ctx = Ctx::new();
    let store = |s: &str, to: &str, when: &str| {
        format!(
            "may-write {{ {s}[i, j] -> {to}[i, j] }}\n read {{ {s}[i, j] -> C[i, j] }}\n \
             read {{ {s}[i, j] -> {to}[i, j] }}\n body (choose ({when} (read 1) (inv v0)) (read 1) (read 2))"
        )
    };
    let both = |first: &str, second: &str| pair(&ctx, first, second).stmts;
    let together = both(&store("S0", "A", "fcmp.2"), &store("S1", "B", "fcmp.2"));
    assert_eq!(together.len(), 1);
    let kinds = together[0].writes().iter().map(|w| w.kind);
    assert!(kinds.eq([AccessKind::MayWrite; 2]));
    // Another condition, none, and one that is asked of what the first store has changed.
    let always = "write { S1[i, j] -> B[i, j] }\n read { S1[i, j] -> C[i, j] }\n body (read 1)";
    assert_eq!(
        both(&store("S0", "A", "fcmp.2"), &store("S1", "B", "fcmp.4")).len(),
        2
    );
    assert_eq!(both(&store("S0", "A", "fcmp.2"), always).len(), 2);
    assert_eq!(
        both(&store("S0", "C", "fcmp.2"), &store("S1", "B", "fcmp.2")).len(),
        2
    );
}

#[test]
fn sums_under_one_condition_are_one_statement() {
    let ctx = Ctx::new();
    let sum = |s: &str, to: &str, asked: usize| {
        format!(
            "may-write {{ {s}[i, j] -> {to}[i, 0] }}\n read {{ {s}[i, j] -> C[i, j] }}\n \
             read {{ {s}[i, j] -> {to}[i, 0] }}\n body (choose (fcmp.2 (read {asked}) (inv v0)) (fadd (read 2) (read 1)) (read 2))"
        )
    };
    let both = |asked| pair(&ctx, &sum("S0", "A", asked), &sum("S1", "B", asked)).stmts;
    assert_eq!(both(1).len(), 1);
    // What decides is the sum itself.
    assert_eq!(both(2).len(), 2);
}

/// A sweep over `u` (the update of `u[i, j]` reads what `reads` say), and a sum of squares of what it takes from a term `d` beside it.
fn sweep(ctx: &Ctx, reads: [&str; 2], sum: &str) -> Scop {
    let read = |s: usize| {
        let all = reads.map(|cell| format!(" read {{ S{s}[i, j] -> u[{cell}] }}\n"));
        all.concat()
    };
    let text = format!(
        "scop \"sweep\" function \"sweep\"\nparams n m\ncontext {{ : n >= 1 and m >= 1 }}\narray u f64 [n][m]\narray s f64 scalar\n\
         stmt S0\n domain {{ S0[i, j] : 1 <= i < n - 1 and 1 <= j < m - 1 }}\n beta 0 0 0\n write {{ S0[i, j] -> u[i, j] }}\n{} \
         body (fadd (read 1) (read 2))\n\
         stmt S1\n domain {{ S1[i, j] : 1 <= i < n - 1 and 1 <= j < m - 1 }}\n beta 0 0 1\n write {{ S1[i, j] -> s[] }}\n{} \
         read {{ S1[i, j] -> s[] }}\n body {sum}\n",
        read(0),
        read(1),
    );
    let scop = parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}"));
    part_residuals(&scop).expect("an answer")
}

const OF_SQUARES: &str = "(fmuladd (fadd (read 1) (read 2)) (fadd (read 1) (read 2)) (read 3))";

#[test]
fn a_sum_beside_a_sweep_takes_its_terms_from_a_temporary() {
    let ctx = Ctx::new();
    let scop = sweep(&ctx, ["i, j - 1", "i, j + 1"], OF_SQUARES);
    assert_eq!(scop.stmts.len(), 3);
    let term = scop.stmts.iter().position(|s| s.beta == [0, 0, 0]);
    let term = term.expect("a statement in front");
    assert_eq!(names(&scop, term), (vec!["term_x"], vec!["u", "u"]));
    assert_eq!(names(&scop, 1), (vec!["s"], vec!["s", "term_x"]));
    assert_eq!(scop.stmts[1].beta, [0, 0, 2]);
}

#[test]
fn magnitudes_and_squares_have_one_term() {
    let ctx = Ctx::new();
    let magnitude = "(fadd (read 3) (call \"llvm.fabs\" (fadd (read 1) (read 2))))";
    let scop = sweep(&ctx, ["i, j - 1", "i, j + 1"], magnitude);
    let term = scop.stmts.iter().find(|s| s.beta == [0, 0, 0]);
    let root = term.map(|s| &s.body.node(s.body.root).kind);
    assert!(matches!(
        root,
        Some(NodeKind::Op {
            op: OpCode::FAdd(_),
            ..
        })
    ));
}

#[test]
fn what_is_not_overwritten_is_added_up_behind_the_sweep_as_it_is() {
    let ctx = Ctx::new();
    // Only elements that are final already.
    let scop = sweep(&ctx, ["i, j - 1", "i - 1, j"], OF_SQUARES);
    assert_eq!(scop.stmts.len(), 2);
    // What the block itself has written is its value.
    let scop = sweep(&ctx, ["i, j", "i, j + 1"], "(fadd (read 3) (read 1))");
    assert_eq!(scop.stmts.len(), 3);
    let term = scop.stmts.iter().find(|s| s.beta == [0, 0, 0]);
    assert_eq!(term.map(|s| s.reads().len()), Some(2));
}

#[test]
fn a_term_that_may_not_be_computed_stays() {
    let ctx = Ctx::new();
    let chosen = "(choose (fcmp.2 (read 3) (inv v0)) (fadd (read 2) (read 3)) (read 3))";
    let scop = sweep(&ctx, ["i, j - 1", "i, j + 1"], chosen);
    assert_eq!(scop.stmts.len(), 2);
    let asked = chosen.replace("(inv v0)", "(read 2)");
    assert_eq!(sweep(&ctx, ["i, j - 1", "i, j + 1"], &asked).stmts.len(), 3);
}
