//! Nests in tiles that are nests without, and nests that need their tiles.

use super::*;
use polytile_analysis::poly::Ctx;
use polytile_analysis::text::parse_scop;

fn scop(ctx: &Ctx, context: &str, stmts: &str) -> Scop {
    let text = format!(
        "scop \"f\" function \"f\"\nparams n m\ncontext {{ : {context} }}\n\
         array A f64 [m][m]\narray B f64 [m][m]\narray C f64 [m][m]\n{stmts}"
    );
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn depths(scop: &Scop) -> Vec<usize> {
    scop.stmts.iter().map(Stmt::depth).collect()
}

/// The domain of the first statement, where the context holds.
fn assert_domain(scop: &Scop, expected: &str) {
    let known = |set: &Set| set.intersect_params(&scop.context).unwrap();
    let expected = Set::parse(scop.context.ctx(), expected).unwrap();
    let found = &scop.stmts[0].domain;
    assert!(known(found).is_equal(&known(&expected)).unwrap(), "{found}");
    assert!(!found.involves_locals().unwrap(), "{found}");
}

const TRANSPOSED: &str = "stmt S0
 domain { S0[x, y, i, j] : 0 <= x and 0 <= y and 0 <= i < 32 and 0 <= j < 16 and 32x + i < n and 16y + j < n }
 beta 0 0 0 0 0
 write { S0[x, y, i, j] -> B[16y + j, 32x + i] }
 read { S0[x, y, i, j] -> A[32x + i, 16y + j] }
 body (read 1)
";

#[test]
fn tiles_of_a_transposition_go() {
    let ctx = Ctx::new();
    let tiled = scop(&ctx, "n >= 1 and m >= n", TRANSPOSED);
    let plain = untiled(&tiled).unwrap();
    assert_eq!(plain.stmts[0].beta, [0, 0, 0]);
    assert_domain(&plain, "[n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }");
    let read = Map::parse(&ctx, "[n, m] -> { S0[i, j] -> A[i, j] }").unwrap();
    assert!(plain.stmts[0].accesses[1].relation.is_equal(&read).unwrap());
    assert_eq!(plain.loops.len(), tiled.loops.len() + 2);
    // Nothing is left to do.
    assert_eq!(depths(&untiled(&plain).unwrap()), [2]);
}

const WHOLE: &str = "stmt S0
 domain { S0[x, i] : 0 <= x and 8x < n and 0 <= i < 8 }
 beta 0 0 0
 write { S0[x, i] -> A[8x + i, 0] }
 body (bits 0)
";

#[test]
fn whole_tiles_end_at_the_size_or_at_a_number_of_tiles() {
    let ctx = Ctx::new();
    let multiple = scop(&ctx, "n >= 8 and n mod 8 = 0 and m >= n", WHOLE);
    let plain = untiled(&multiple).unwrap();
    assert_eq!(plain.params.len(), 2);
    assert_domain(&plain, "[n, m] -> { S0[i] : 0 <= i < n }");
    let any = scop(&ctx, "n >= 1 and m >= n + 8", WHOLE);
    let counted = untiled(&any).unwrap();
    assert_eq!(counted.params.len(), 3);
    assert_domain(&counted, "[n, m, q0] -> { S0[i] : 0 <= i < 8q0 }");
}

/// `i` of the second nest is in tiles of another loop; both nests follow each other in each tile, and once without them.
#[test]
fn nests_in_a_tile_follow_each_other() {
    let ctx = Ctx::new();
    let both = |read: &str| {
        format!(
            "stmt S0
 domain {{ S0[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }}
 beta 0 0 0
 write {{ S0[x, i] -> A[8x + i, 0] }}
 body (bits 0)
stmt S1
 domain {{ S1[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }}
 beta 0 1 0
 write {{ S1[x, i] -> B[8x + i, 0] }}
 read {{ S1[x, i] -> {read} }}
 body (read 1)
"
        )
    };
    let same = scop(&ctx, "n >= 1 and m >= n + 8", &both("A[8x + i, 0]"));
    let plain = untiled(&same).unwrap();
    let betas: Vec<_> = plain.stmts.iter().map(|s| s.beta.clone()).collect();
    assert_eq!(betas, [[0, 0], [1, 0]]);
    // What the first nest writes in the next tile is read before.
    let ahead = scop(&ctx, "n >= 1 and m >= n + 8", &both("A[8x + i + 1, 0]"));
    assert_eq!(depths(&untiled(&ahead).unwrap()), [2, 2]);
}

/// `A[i][j] = A[i-1][j+1]`: what lies on the right is in the next tile, which runs later.
#[test]
fn tiles_that_order_something_stay() {
    let ctx = Ctx::new();
    let sweep = |column: &str| {
        let stmt = format!(
            "stmt S0
 domain {{ S0[x, y, i, j] : 0 <= x and 0 <= y and 0 <= i < 8 and 0 <= j < 8 and 8x + i < n and 8y + j < n }}
 beta 0 0 0 0 0
 write {{ S0[x, y, i, j] -> A[8x + i, 8y + j] }}
 read {{ S0[x, y, i, j] -> A[8x + i - 1, {column}] }}
 body (read 1)
"
        );
        scop(&ctx, "n >= 20 and m >= n + 8", &stmt)
    };
    assert_eq!(depths(&untiled(&sweep("8y + j")).unwrap()), [2]);
    assert_eq!(depths(&untiled(&sweep("8y + j + 1")).unwrap()), [4]);
}

/// Blocks of records, gaps between tiles, and tables of the place in a tile are no strip-mined loops.
#[test]
fn loops_that_move_otherwise_stay() {
    let ctx = Ctx::new();
    for (last, read) in [
        (8, "B[i, 0]"),
        (8, "B[x, 0]"),
        (6, "B[8x + i, 0]"),
        (8, "B[9x + i, 0]"),
    ] {
        let stmt = format!(
            "stmt S0
 domain {{ S0[x, i] : 0 <= x < n and 0 <= i < {last} }}
 beta 0 0 0
 write {{ S0[x, i] -> A[8x + i, 0] }}
 read {{ S0[x, i] -> {read} }}
 body (read 1)
"
        );
        let tiled = scop(&ctx, "n >= 1 and m >= 10n + 8", &stmt);
        assert_eq!(depths(&untiled(&tiled).unwrap()), [2], "{read}");
    }
}

/// `C[t] = sum of A[t][k]` in tiles; the scalar of a sum is written in the same iteration, or once in front of the loop inside.
#[test]
fn scalars_of_an_iteration_order_no_tiles() {
    let ctx = Ctx::new();
    let sums = |first: &str| {
        let stmts = format!(
            "array s f64 scalar
{first}
stmt S1
 domain {{ S1[x, i, k] : 0 <= x and 0 <= i < 8 and 8x + i < n and 0 <= k < m }}
 beta 0 1 1 0
 write {{ S1[x, i, k] -> s[] }}
 read {{ S1[x, i, k] -> s[] }}
 read {{ S1[x, i, k] -> A[8x + i, k] }}
 body (fadd (read 1) (read 2))
stmt S2
 domain {{ S2[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }}
 beta 0 1 2
 write {{ S2[x, i] -> C[8x + i, 0] }}
 read {{ S2[x, i] -> s[] }}
 body (read 1)
"
        );
        scop(&ctx, "n >= 20 and m >= n + 8", &stmts)
    };
    let each = "stmt S0
 domain { S0[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }
 beta 0 1 0
 write { S0[x, i] -> s[] }
 body (bits 0)";
    let plain = untiled(&sums(each)).unwrap();
    assert_eq!(depths(&plain), [1, 2, 1]);
    assert_eq!(plain.stmts[0].beta, [0, 0]);
    let once = "stmt S0
 domain { S0[x] : 0 <= x and 8x < n }
 beta 0 0
 write { S0[x] -> s[] }
 body (bits 0)";
    assert_eq!(depths(&untiled(&sums(once)).unwrap()), [1, 3, 2]);
}

/// A scalar that one loop of a tile leaves to the next one holds another value where the tiles are gone.
#[test]
fn scalars_between_loops_of_a_tile_keep_it() {
    let ctx = Ctx::new();
    let stmts = "array s f64 scalar
stmt S0
 domain { S0[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }
 beta 0 0 0
 write { S0[x, i] -> s[] }
 read { S0[x, i] -> A[8x + i, 0] }
 body (read 1)
stmt S1
 domain { S1[x, i] : 0 <= x and 0 <= i < 8 and 8x + i < n }
 beta 0 1 0
 write { S1[x, i] -> C[8x + i, 0] }
 read { S1[x, i] -> s[] }
 body (read 1)
";
    let tiled = scop(&ctx, "n >= 20 and m >= n + 8", stmts);
    assert_eq!(depths(&untiled(&tiled).unwrap()), [2, 2]);
}
