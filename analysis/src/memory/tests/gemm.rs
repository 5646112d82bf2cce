//! D-3: what a product loads and stores, for six orders of its tiles. What is packed once per strip, and what for each tile, is the rule of the packed products of libraries.

use super::super::samples::sample;
use super::super::tiling::{Order, Tiling};
use super::super::touched::{Accesses, Touched};
use super::super::transfers::exact;
use crate::poly::{Ctx, UnionMap};

/// The order of the tiled loops, the sides of a strip, what tiles load of `A`, `B` and `C`, and what they store. `x` is the tile's element in the first loop, and so on.
struct Row {
    order: &'static str,
    strip: usize,
    loads: [&'static str; 3],
    stores: &'static str,
}

const EVERY: &str = "0 = 0";

const TABLE: &[Row] = &[
    Row {
        order: "i, j, k",
        strip: 1,
        loads: [EVERY, EVERY, "-s3 < I3 <= 0"],
        stores: "nk - s3 <= I3 < nk",
    },
    Row {
        order: "i, j, k",
        strip: 2,
        loads: ["-s2 < I2 <= 0", EVERY, "-s3 < I3 <= 0"],
        stores: "nk - s3 <= I3 < nk",
    },
    Row {
        order: "i, j, k",
        strip: 3,
        loads: ["-s2 < I2 <= 0", "-s1 < I1 <= 0", "-s3 < I3 <= 0"],
        stores: "nk - s3 <= I3 < nk",
    },
    Row {
        order: "k, j, i",
        strip: 1,
        loads: [EVERY, "-s3 < I3 <= 0", EVERY],
        stores: EVERY,
    },
    Row {
        order: "j, k, i",
        strip: 1,
        loads: [EVERY, "-s3 < I3 <= 0", EVERY],
        stores: EVERY,
    },
    Row {
        order: "j, k, i",
        strip: 2,
        loads: [EVERY, "-s3 < I3 <= 0", "-s2 < I2 <= 0"],
        stores: "nk - s2 <= I2 < nk",
    },
    Row {
        order: "i, k, j",
        strip: 1,
        loads: ["-s3 < I3 <= 0", EVERY, EVERY],
        stores: EVERY,
    },
];

/// The elements of an array that a tile accesses, in some tiles.
fn elements(order: &str, array: &str, element: [&str; 2], tiles: &str) -> String {
    let position = |i: &str| 1 + order.split(", ").position(|o| o == i).unwrap();
    let inside = |i: &str| {
        let p = position(i);
        format!("I{p} <= {i} < I{p} + s{p} and 0 <= {i} < n{i}")
    };
    // A tile that accesses the element has iterations in the third loop.
    let third = ["i", "j", "k"].into_iter().find(|i| !element.contains(i));
    let third = third.unwrap();
    let p = position(third);
    let [a, b] = element;
    format!(
        "I[I1, I2, I3] -> {array}[{a}, {b}] : {} and {} and -s{p} < I{p} < n{third} and {tiles}",
        inside(a),
        inside(b)
    )
}

#[test]
fn d3_what_a_product_packs_and_when() {
    let ctx = Ctx::new();
    let sample = sample("gemm");
    let scop = sample.scop(&ctx);
    let parse = |text: &str| {
        let text = format!("[ni, nj, nk, s1, s2, s3] -> {{ {text} }}");
        UnionMap::parse(&ctx, &text).unwrap()
    };
    let context =
        parse("[] -> [] : ni >= 1 and nj >= 1 and nk >= 1 and s1 >= 1 and s2 >= 1 and s3 >= 1");
    let context = context.params().unwrap();
    for row in TABLE {
        let first = row.order.replace('k', "0");
        let theta = parse(&format!(
            "S0[i, j] -> [{first}, 0]; S1[i, j, k] -> [{}, 1]",
            row.order
        ));
        let theta = theta.intersect_domain(&scop.domain().unwrap()).unwrap();
        let tiling = Tiling::of_first(&theta, 3).unwrap().with_strip(row.strip);
        let touched = Touched::of(&tiling, &Accesses::of(&scop).unwrap()).unwrap();
        let found = exact(&tiling, &touched, Order::Anywhere, None).unwrap();
        let of = |array, element, tiles| elements(row.order, array, element, tiles);
        let load = [
            of("A", ["i", "k"], row.loads[0]),
            of("B", ["k", "j"], row.loads[1]),
            of("C", ["i", "j"], row.loads[2]),
        ];
        let store = of("C", ["i", "j"], row.stores);
        for (found, expected) in [(found.load, load.join("; ")), (found.store, store)] {
            let found = found.intersect_params(&context).unwrap();
            let expected = parse(&expected).intersect_params(&context).unwrap();
            let place = format!("{} strip {}: {found}\n{expected}", row.order, row.strip);
            assert!(found.is_equal(&expected).unwrap(), "{place}");
        }
    }
}
