//! Bodies that are unrolled loops, and bodies that only look like them.

use super::*;
use polytile_analysis::poly::Ctx;
use polytile_analysis::text::parse_scop;

/// Statements of a loop `x < n` below `i < n`; each as what it writes, reads, and computes.
fn body(ctx: &Ctx, stmts: &[(&str, &[&str], &str)]) -> Scop {
    with_domain(ctx, "0 <= i < n and 0 <= x < n", stmts)
}

fn with_domain(ctx: &Ctx, domain: &str, stmts: &[(&str, &[&str], &str)]) -> Scop {
    let mut text = "scop \"f\" function \"f\"\nparams n m\ncontext { : n >= 1 and m >= 1 }\n\
                    array A f64 [m][m]\narray B f64 [m][m]\narray C f64 [m][m]\n"
        .to_owned();
    for (k, (write, reads, body)) in stmts.iter().enumerate() {
        text += &format!("stmt S{k}\n domain {{ S{k}[i, x] : {domain} }}\n beta 0 0 {k}\n");
        text += &format!(" write {{ S{k}[i, x] -> {write} }}\n");
        for r in *reads {
            text += &format!(" read {{ S{k}[i, x] -> {r} }}\n");
        }
        text += &format!(" body {body}\n");
    }
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn with_context(scop: &Scop, context: &str) -> Scop {
    Scop {
        context: Set::parse(scop.context.ctx(), context).unwrap(),
        ..scop.clone()
    }
}

fn rolled_up(scop: &Scop) -> Scop {
    reroll(scop, &|_, _| true).expect("an answer")
}

const ONE: &str = "(fadd (read 1) (read 2))";

#[test]
fn channels_of_a_pixel_are_one_row() {
    let ctx = Ctx::new();
    let scop = body(
        &ctx,
        &[
            ("A[i, 3x]", &["B[i, 3x]", "B[i, 3x + 6]"], ONE),
            ("A[i, 3x + 1]", &["B[i, 3x + 1]", "B[i, 3x + 7]"], ONE),
            ("A[i, 3x + 2]", &["B[i, 3x + 2]", "B[i, 3x + 8]"], ONE),
        ],
    );
    let new = rolled_up(&scop);
    assert_eq!(new.stmts.len(), 1);
    let s = &new.stmts[0];
    let expected = "[n, m] -> { S0[i, t] : 0 <= i < n and 0 <= t < 3n }";
    let domain = s.domain.intersect_params(&new.context).unwrap();
    let expected = Set::parse(&ctx, expected)
        .unwrap()
        .intersect_params(&new.context)
        .unwrap();
    assert!(domain.is_equal(&expected).unwrap(), "{}", s.domain);
    assert!(!s.domain.to_string().contains("floor"), "{}", s.domain);
    let read = Map::parse(&ctx, "[n, m] -> { S0[i, t] -> B[i, t + 6] }").unwrap();
    assert!(s.accesses[2].relation.is_equal(&read).unwrap());
    assert_eq!(new.loops.len(), scop.loops.len() + 1);
}

/// The order of instances is that of the short loop, so that the legality check has nothing to say.
#[test]
fn copy_by_copy_is_the_original_order() {
    let ctx = Ctx::new();
    let scop = body(
        &ctx,
        &[
            ("A[i, 2x + 1]", &["A[i, 2x]"], "(read 1)"),
            ("B[i, 2x]", &["A[i, 2x + 1]"], "(read 1)"),
            ("A[i, 2x + 2]", &["A[i, 2x + 1]"], "(read 1)"),
            ("B[i, 2x + 1]", &["A[i, 2x + 2]"], "(read 1)"),
        ],
    );
    let new = rolled_up(&scop);
    assert_eq!(new.stmts.len(), 2);
    let roll = Roll {
        at: 1,
        copies: 2,
        groups: 2,
        order: Order::CopyByCopy,
    };
    let deps = deps::compute(&scop, false).unwrap();
    assert!(!deps.list.is_empty());
    assert!(scop.stmts.iter().all(|s| s.depth() == 2));
    let body: Vec<&Stmt> = scop.stmts.iter().collect();
    let turns = (0..body.len()).map(|p| Turn::of(roll, &body, p));
    let turns: Vec<Turn> = turns.collect();
    let schedule = schedule(&scop, &rows_of(&scop, &turns).unwrap()).unwrap();
    legality::check(&scop, &schedule, &deps).expect("legal");
}

#[test]
fn independent_statements_may_be_mixed() {
    let ctx = Ctx::new();
    let by_statement = |second: &str, third: &str| {
        body(
            &ctx,
            &[
                ("A[i, 2x]", &["C[i, 2x]"], "(read 1)"),
                ("A[i, 2x + 1]", &["C[i, 2x + 1]"], "(read 1)"),
                ("B[i, 2x]", &[second], "(read 1)"),
                ("B[i, 2x + 1]", &[third], "(read 1)"),
            ],
        )
    };
    let same = by_statement("A[i, 2x]", "A[i, 2x + 1]");
    assert_eq!(rolled_up(&same).stmts.len(), 2);
    let before = by_statement("A[i, 2x - 2]", "A[i, 2x - 1]");
    assert_eq!(rolled_up(&before).stmts.len(), 2);
    // B[t] = A[t + 1] would come before A[t + 1] is written.
    let later = by_statement("A[i, 2x + 1]", "A[i, 2x + 2]");
    assert_eq!(rolled_up(&later).stmts.len(), 4);
}

#[test]
fn sums_of_several_terms_are_one_sum() {
    let ctx = Ctx::new();
    let scop = body(
        &ctx,
        &[
            ("A[i, 0]", &["A[i, 0]", "B[i, 2x]"], ONE),
            ("A[i, 0]", &["A[i, 0]", "B[i, 2x + 1]"], ONE),
        ],
    );
    assert_eq!(rolled_up(&scop).stmts.len(), 1);
}

#[test]
fn what_is_no_copy_stays() {
    let ctx = Ctx::new();
    let pair = |second: (&str, &[&str], &str)| {
        let scop = body(&ctx, &[("A[i, 2x]", &["B[i, 2x]", "B[0, 0]"], ONE), second]);
        rolled_up(&scop).stmts.len()
    };
    assert_eq!(pair(("A[i, 2x + 1]", &["B[i, 2x + 1]", "B[0, 0]"], ONE)), 1);
    // Another operation, another array, another element of all copies.
    let minus = "(fsub (read 1) (read 2))";
    assert_eq!(
        pair(("A[i, 2x + 1]", &["B[i, 2x + 1]", "B[0, 0]"], minus)),
        2
    );
    assert_eq!(pair(("A[i, 2x + 1]", &["C[i, 2x + 1]", "B[0, 0]"], ONE)), 2);
    assert_eq!(pair(("A[i, 2x + 1]", &["B[i, 2x + 1]", "B[0, 1]"], ONE)), 2);
    // Not the next element, and rows instead of elements.
    assert_eq!(pair(("A[i, 2x + 1]", &["B[i, 2x]", "B[0, 0]"], ONE)), 2);
    assert_eq!(pair(("A[i + 1, 2x]", &["B[i + 1, 2x]", "B[0, 0]"], ONE)), 2);
}

#[test]
fn operands_that_commute_come_in_any_order() {
    let ctx = Ctx::new();
    let pair = |op: &str| {
        let first = format!("({op} (read 1) (fneg (read 2)))");
        let second = format!("({op} (fneg (read 1)) (read 2))");
        let scop = body(
            &ctx,
            &[
                ("A[i, 2x]", &["B[i, 2x]", "C[i, 2x + 4]"], &first),
                ("A[i, 2x + 1]", &["C[i, 2x + 5]", "B[i, 2x + 1]"], &second),
            ],
        );
        rolled_up(&scop).stmts.len()
    };
    assert_eq!(pair("fadd"), 1);
    assert_eq!(pair("fsub"), 2);
}

#[test]
fn other_iterations_and_strides_stay() {
    let ctx = Ctx::new();
    let strided = body(
        &ctx,
        &[
            ("A[i, 3x]", &["B[i, 3x]"], "(read 1)"),
            ("A[i, 3x + 1]", &["B[i, 3x + 1]"], "(read 1)"),
        ],
    );
    assert_eq!(rolled_up(&strided).stmts.len(), 2);
    let mut scop = body(
        &ctx,
        &[
            ("A[i, 2x]", &["B[i, 2x]"], "(read 1)"),
            ("A[i, 2x + 1]", &["B[i, 2x + 1]"], "(read 1)"),
        ],
    );
    assert_eq!(rolled_up(&scop).stmts.len(), 1);
    let unlike = reroll(&scop, &|_, _| false).unwrap();
    assert_eq!(
        unlike.stmts.len(),
        1,
        "nothing is compared but operations and accesses"
    );
    assert!(unlike.stmts[0].accesses.iter().all(|a| a.inst.is_none()));
    let fewer = Set::parse(&ctx, "[n, m] -> { S1[i, x] : 0 <= i < n and 1 <= x < n }").unwrap();
    scop.stmts[1].domain = fewer;
    assert_eq!(rolled_up(&scop).stmts.len(), 2);
}

#[test]
fn instructions_that_differ_in_flags_stay() {
    let ctx = Ctx::new();
    let scop = body(
        &ctx,
        &[
            ("A[i, 2x]", &["B[i, 2x]", "C[i, 2x]"], ONE),
            ("A[i, 2x + 1]", &["B[i, 2x + 1]", "C[i, 2x + 1]"], ONE),
        ],
    );
    assert_eq!(reroll(&scop, &|_, _| true).unwrap().stmts.len(), 1);
    assert_eq!(reroll(&scop, &|_, _| false).unwrap().stmts.len(), 2);
}

/// `for (t = 0; t < n; t += 4)` with four statements: the last iteration is whole, whatever `n` is.
#[test]
fn loops_unrolled_by_hand_keep_their_iterations() {
    let ctx = Ctx::new();
    let names: Vec<(String, String)> = (0..4)
        .map(|c| (format!("A[i, 4x + {c}]"), format!("B[i, 4x + {c}]")))
        .collect();
    let reads: Vec<[&str; 1]> = names.iter().map(|(_, r)| [r.as_str()]).collect();
    let stmts: Vec<(&str, &[&str], &str)> = names
        .iter()
        .zip(&reads)
        .map(|((w, _), r)| (w.as_str(), &r[..], "(read 1)"))
        .collect();
    let scop = with_domain(&ctx, "0 <= i < n and 0 <= 4x < n", &stmts);
    let new = rolled_up(&scop);
    assert_eq!(new.stmts.len(), 1);
    for n in [1, 4, 6] {
        let domain = new.stmts[0].domain.fix_si(DimType::Param, 0, n).unwrap();
        let domain = domain.fix_si(DimType::Param, 1, 9).unwrap();
        let rows = n as usize;
        let whole = rows.div_ceil(4) * 4;
        assert_eq!(domain.count(1000).unwrap(), rows * whole, "{domain}");
    }
}

/// Rows that were jammed: legal if nothing crosses them.
#[test]
fn jammed_rows_are_rows() {
    let ctx = Ctx::new();
    let rows = |read: &str, next: &str| {
        let scop = body(
            &ctx,
            &[
                ("A[0, 2i]", &["A[0, 2i]", read], ONE),
                ("A[0, 2i + 1]", &["A[0, 2i + 1]", next], ONE),
            ],
        );
        rolled_up(&scop).stmts
    };
    let stmts = rows("B[2i, x]", "B[2i + 1, x]");
    assert_eq!(stmts.len(), 1);
    let write = Map::parse(&ctx, "[n, m] -> { S0[t, x] -> A[0, t] }").unwrap();
    assert!(stmts[0].write().relation.is_equal(&write).unwrap());
    // The second row takes from the first what it has so far.
    assert_eq!(rows("A[0, 2i - 1]", "A[0, 2i]").len(), 2);
}

#[test]
fn jammed_blocks_are_rows_and_columns() {
    let ctx = Ctx::new();
    let scop = body(
        &ctx,
        &[
            ("A[2i, 2x]", &["B[2i, 0]", "C[0, 2x]"], ONE),
            ("A[2i, 2x + 1]", &["B[2i, 0]", "C[0, 2x + 1]"], ONE),
            ("A[2i + 1, 2x]", &["B[2i + 1, 0]", "C[0, 2x]"], ONE),
            ("A[2i + 1, 2x + 1]", &["B[2i + 1, 0]", "C[0, 2x + 1]"], ONE),
        ],
    );
    let stmts = rolled_up(&scop).stmts;
    assert_eq!(stmts.len(), 1);
    let domain = stmts[0].domain.fix_si(DimType::Param, 0, 3).unwrap();
    let domain = domain.fix_si(DimType::Param, 1, 9).unwrap();
    assert_eq!(domain.count(1000).unwrap(), 36, "{domain}");
}

/// Rows of sums that were jammed around an inner loop, backwards in the text; what the second row and the first one begin with.
fn sums(ctx: &Ctx, second: &str, first: &str) -> Scop {
    let text = format!(
        "scop \"f\" function \"f\"\nparams n\ncontext {{ : n >= 1 }}\narray A f64 [n]\narray B f64 [n][n]\n\
         stmt S0\n domain {{ S0[i] : 0 <= i < n }}\n beta 0 0\n\
         write {{ S0[i] -> A[2i + 1] }}\n read {{ S0[i] -> {second} }}\n body (read 1)\n\
         stmt S1\n domain {{ S1[i] : 0 <= i < n }}\n beta 0 1\n\
         write {{ S1[i] -> A[2i] }}\n read {{ S1[i] -> {first} }}\n body (read 1)\n\
         stmt S2\n domain {{ S2[i, k] : 0 <= i, k < n }}\n beta 0 2 0\n\
         write {{ S2[i, k] -> A[2i + 1] }}\n read {{ S2[i, k] -> A[2i + 1] }}\n read {{ S2[i, k] -> B[2i + 1, k] }}\n body {ONE}\n\
         stmt S3\n domain {{ S3[i, k] : 0 <= i, k < n }}\n beta 0 2 1\n\
         write {{ S3[i, k] -> A[2i] }}\n read {{ S3[i, k] -> A[2i] }}\n read {{ S3[i, k] -> B[2i, k] }}\n body {ONE}\n"
    );
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn rows_of_several_loops_are_jammed_together_or_not_at_all() {
    let ctx = Ctx::new();
    // The second row would begin with the first one's sum.
    assert_eq!(rolled_up(&sums(&ctx, "A[2i]", "A[2i - 1]")).stmts.len(), 4);
    let mut free = sums(&ctx, "B[2i + 1, 0]", "B[2i, 0]");
    let stmts = rolled_up(&free).stmts;
    assert_eq!(stmts.len(), 2);
    let write = Map::parse(&ctx, "[n] -> { S1[t, k] -> A[t] }").unwrap();
    assert!(stmts[1].write().relation.is_equal(&write).unwrap());
    // One row has no sum.
    free.stmts.pop();
    assert_eq!(rolled_up(&free).stmts.len(), 3);
}

/// Two rows at a time of `n` rows: the rows below `2q`, and `q` is what it says.
#[test]
fn rows_of_a_part_of_a_size_are_counted() {
    let ctx = Ctx::new();
    let scop = with_domain(
        &ctx,
        "0 <= i and 2i < n and 0 <= x < m",
        &[
            ("A[2i, x]", &["B[2i, x]"], "(read 1)"),
            ("A[2i + 1, x]", &["B[2i + 1, x]"], "(read 1)"),
        ],
    );
    let new = rolled_up(&scop);
    assert_eq!(new.stmts.len(), 1);
    assert_eq!(new.params.len(), 3);
    let domain = &new.stmts[0].domain;
    assert!(!domain.to_string().contains("floor"), "{domain}");
    let rows = domain.intersect_params(&new.context).unwrap();
    let rows = rows.project_out(DimType::Param, 2, 1).unwrap();
    let expected = "[n, m] -> { S0[t, x] : 0 <= t and 2*floor(t/2) < n and 0 <= x < m }";
    let expected = Set::parse(&ctx, expected).unwrap();
    let expected = expected.intersect_params(&scop.context).unwrap();
    assert!(rows.is_equal(&expected).unwrap(), "{rows}");
    // Every n has one q, those without rows as well.
    let free = with_context(&scop, "[n, m] -> { : }");
    let counts = rolled_up(&free).context;
    let one = "[n, m, q0] -> { : q0 = 0 and n < 1 or n >= 1 and 2q0 = n + (n mod 2) }";
    let one = Set::parse(&ctx, one).unwrap();
    assert!(counts.is_equal(&one).unwrap(), "{counts}");
}

/// Rows that end in different places are no copies.
#[test]
fn rows_of_two_sizes_stay() {
    let ctx = Ctx::new();
    let domain = |size| format!("0 <= i and 2i < {size} and 0 <= x < m");
    let stmts: &[(&str, &[&str], &str)] = &[
        ("A[2i, x]", &[], "(bits 0)"),
        ("A[2i + 1, x]", &[], "(bits 0)"),
    ];
    let mut scop = with_domain(&ctx, &domain("n"), stmts);
    let other = format!("[n, m] -> {{ S1[i, x] : {} }}", domain("m"));
    scop.stmts[1].domain = Set::parse(&ctx, &other).unwrap();
    let new = rolled_up(&scop);
    assert_eq!((new.stmts.len(), new.params.len()), (2, 2));
}

/// A bound in which a size has a factor, and one without sizes.
#[test]
fn counts_are_of_sums_of_sizes() {
    let ctx = Ctx::new();
    let stmts: &[(&str, &[&str], &str)] = &[
        ("A[2i, x]", &["B[2i, x]"], "(read 1)"),
        ("A[2i + 1, x]", &["B[2i + 1, x]"], "(read 1)"),
    ];
    let of = |domain| {
        rolled_up(&with_context(
            &with_domain(&ctx, domain, stmts),
            "[n, m] -> { : }",
        ))
    };
    let less = of("0 <= i and 2i <= 7 + 3n - 2m and 0 <= x < m");
    assert_eq!((less.stmts.len(), less.params.len()), (1, 3));
    let known = less
        .context
        .intersect(&Set::parse(&ctx, "[n, m] -> { : n = 3 and m = 5 }").unwrap());
    let known = known.unwrap().project_out(DimType::Param, 0, 2).unwrap();
    let four = Set::parse(&ctx, "[q0] -> { : q0 = 4 }").unwrap();
    assert!(known.is_equal(&four).unwrap(), "{known}");
    let constant = of("0 <= i and 2i <= 7 and 0 <= x < m");
    assert_eq!((constant.stmts.len(), constant.params.len()), (1, 2));
}
