//! E-1: what is left of temporaries after fusion (the table of C2.2).

use super::super::contraction::{is_contained, sizes};
use super::super::lifetimes::{Overlap, conflicts, live};
use super::super::modulo;
use super::super::tiling::{Order, Tiling};
use super::super::touched::{Accesses, Touched};
use super::super::transfers::exact;
use crate::poly::{Ctx, PwAff, Set, UnionMap};
use crate::scop::Scop;
use crate::text::parse_scop;

/// All columns.
const ALL: &str = "0 <= x < W";

/// Two passes of a filter; the second one reads these of the first one's values, for some columns.
fn filter(ctx: &Ctx, columns: &str, reads: &[&str]) -> Scop {
    let read = |r: &&str| format!("  read {{ S1[y, x] -> b[{r}] }}\n");
    let reads: String = reads.iter().map(read).collect();
    parsed(
        ctx,
        &format!(
            "params H W
             array b f64 [1000][1000]
             array in f64 [1000][1000]
             array out f64 [1000][1000]
             stmt S0
               domain {{ S0[y, x] : 0 <= y < H and 0 <= x < W }}
               beta 0 0 0
               write {{ S0[y, x] -> b[y, x] }}
               read {{ S0[y, x] -> in[y, x] }}
             stmt S1
               domain {{ S1[y, x] : 1 <= y < H - 1 and {columns} }}
               beta 1 0 0
               write {{ S1[y, x] -> out[y, x] }}\n{reads}"
        ),
    )
}

fn parsed(ctx: &Ctx, text: &str) -> Scop {
    parse_scop(ctx, text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Asserts what is left of an array under a schedule.
fn check(scop: &Scop, array: &str, theta: &str, context: &str, expected: &[&str]) {
    let ctx = scop.context.ctx();
    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let params = params.join(", ");
    let theta = UnionMap::parse(ctx, &format!("[{params}] -> {{ {theta} }}")).unwrap();
    let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
    let of_array = |a: &crate::scop::Access| scop.array(a.array).name == array;
    let accesses = Accesses::wanted(scop, of_array).unwrap();
    assert!(is_contained(&theta, &accesses).unwrap());
    let context = Set::parse(ctx, &format!("[{params}] -> {{ : {context} }}")).unwrap();
    let found = sizes(&theta, &accesses, &context).unwrap().unwrap();
    assert_eq!(found.moduli.len(), expected.len());
    for (found, expected) in found.moduli.iter().zip(expected) {
        let text = format!("[{params}] -> {{ [({expected})] }}");
        let expected = PwAff::parse(ctx, &text).unwrap();
        let expected = expected.intersect_params(&context).unwrap();
        let found = found.as_ref().unwrap().intersect_params(&context).unwrap();
        assert!(found.is_equal(&expected).unwrap(), "{theta}: {found}");
    }
}

#[test]
fn e1_rows_of_a_filter() {
    let ctx = Ctx::new();
    let column = filter(&ctx, ALL, &["y-1, x", "y, x", "y+1, x"]);
    let large = "H >= 5 and W >= 5";
    let of = |theta, sizes| check(&column, "b", theta, large, sizes);
    of("S0[y, x] -> [0, y, x]; S1[y, x] -> [1, y, x]", &["H", "W"]);
    of(
        "S0[y, x] -> [y, 0, x]; S1[y, x] -> [y + 1, 1, x]",
        &["3", "W"],
    );
    // 2 W + 1 elements are alive at one time, which moduli of single dimensions cannot give.
    of(
        "S0[y, x] -> [y, x, 0]; S1[y, x] -> [y + 1, x, 1]",
        &["3", "W"],
    );
}

#[test]
fn e1_rows_of_a_window() {
    let ctx = Ctx::new();
    let reads = [
        "y-1, x-1", "y-1, x", "y-1, x+1", "y, x-1", "y, x", "y, x+1", "y+1, x-1", "y+1, x",
        "y+1, x+1",
    ];
    let window = filter(&ctx, "1 <= x < W - 1", &reads);
    let theta = "S0[y, x] -> [y, x, 0]; S1[y, x] -> [y + 1, x + 1, 1]";
    check(&window, "b", theta, "H >= 5 and W >= 5", &["3", "W"]);
}

#[test]
fn e1_a_filter_in_tiles() {
    let ctx = Ctx::new();
    let scop = filter(&ctx, ALL, &["y-1, x", "y, x", "y+1, x"]);
    let theta = "[H, W] -> { S0[y, x] -> [x, y, 0]; S1[y, x] -> [x, y + 1, 1] }";
    let theta = UnionMap::parse(&ctx, theta).unwrap();
    let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
    let tiling = Tiling::of_first(&theta, 2).unwrap();
    let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
    let transfers = exact(&tiling, &touched, Order::Anywhere, None).unwrap();
    // What is loaded are the rows that are new.
    let names = "[H, W, s1, s2]";
    let rows = format!(
        "{names} -> {{ I[I1, I2] -> in[y, x] : I1 <= x < I1 + s1 and I2 <= y < I2 + s2 and 0 <= y < H and 0 <= x < W }}"
    );
    assert!(
        transfers
            .load
            .is_equal(&UnionMap::parse(&ctx, &rows).unwrap())
            .unwrap()
    );
    let context =
        format!("{names} -> {{ : s1 >= 2 and s2 >= 2 and W >= s1 + 2 and H >= 2s2 + 4 }}");
    let context = Set::parse(&ctx, &context).unwrap();
    let live = live(&tiling, &touched.all).unwrap();
    let conflicts = conflicts(&tiling, &live, &transfers, Overlap::Sequential).unwrap();
    let sizes = modulo::sizes(&conflicts, &context).unwrap();
    for (array, expected) in [("b", ["s2 + 2", "s1"]), ("in", ["s2", "s1"])] {
        for (found, expected) in sizes[array].moduli.iter().zip(expected) {
            let expected = PwAff::parse(&ctx, &format!("{names} -> {{ [({expected})] }}")).unwrap();
            let expected = expected.intersect_params(&context).unwrap();
            let found = found.as_ref().unwrap();
            assert!(found.is_equal(&expected).unwrap(), "{array}: {found}");
        }
    }
}

#[test]
fn e1_a_chain_of_neighbours() {
    let ctx = Ctx::new();
    let scop = parsed(
        &ctx,
        "params N
         array b f64 [1000]
         array c f64 [1000]
         stmt S0
           domain { S0[i] : 0 <= i < N }
           beta 0 0
           write { S0[i] -> b[i] }
         stmt S1
           domain { S1[i] : 1 <= i < N - 1 }
           beta 1 0
           write { S1[i] -> c[i] }
           read { S1[i] -> b[i-1] }
           read { S1[i] -> b[i] }
           read { S1[i] -> b[i+1] }",
    );
    let of = |theta, sizes| check(&scop, "b", theta, "N >= 5", sizes);
    of("S0[i] -> [i, 0]; S1[i] -> [i + 1, 1]", &["3"]);
    of("S0[i] -> [0, i]; S1[i] -> [1, i]", &["N"]);
}

#[test]
fn e1_what_is_consumed_at_once_is_a_scalar() {
    let ctx = Ctx::new();
    let scop = parsed(
        &ctx,
        "params n
         array A f64 [1000][1000]
         array u f64 [1000]
         array x f64 [1000]
         stmt S0
           domain { S0[i, j] : 0 <= i < n and 0 <= j < n }
           beta 0 0 0
           write { S0[i, j] -> A[i, j] }
           read { S0[i, j] -> u[i] }
         stmt S1
           domain { S1[i, j] : 0 <= i < n and 0 <= j < n }
           beta 1 0 0
           write { S1[i, j] -> x[j] }
           read { S1[i, j] -> x[j] }
           read { S1[i, j] -> A[i, j] }",
    );
    let fused = "S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1]";
    check(&scop, "A", fused, "n >= 2", &["1", "1"]);
}

#[test]
fn what_one_instance_writes_is_apart() {
    let ctx = Ctx::new();
    let scop = parsed(
        &ctx,
        "params n
         array b f64 [1000]
         array c f64 [1000]
         stmt S0
           domain { S0[i] : 0 <= i < n }
           beta 0 0
           write { S0[i] -> b[2i] }
           write { S0[i] -> b[2i + 1] }
         stmt S1
           domain { S1[i] : 0 <= i < n }
           beta 0 1
           write { S1[i] -> c[i] }
           read { S1[i] -> b[2i] }",
    );
    check(
        &scop,
        "b",
        "S0[i] -> [i, 0]; S1[i] -> [i, 1]",
        "n >= 2",
        &["2"],
    );
}

#[test]
fn what_is_read_first_is_not_contained() {
    let ctx = Ctx::new();
    let scop = filter(&ctx, ALL, &["y+1, x"]);
    let of_b = |a: &crate::scop::Access| scop.array(a.array).name == "b";
    let accesses = Accesses::wanted(&scop, of_b).unwrap();
    let theta = "[H, W] -> { S0[y, x] -> [y, x, 0]; S1[y, x] -> [y, x, 1] }";
    let theta = UnionMap::parse(&ctx, theta).unwrap();
    let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
    assert!(!is_contained(&theta, &accesses).unwrap());
}
