// Lengths: a check of an index ends as `o == length`, which a length below zero passes too, and a quotient as the number of iterations is
// compared with zero as its dividend with its divisor, so that `max(1, quotient)` is left. Both are taken for what they are: no domain has
// a case more, and the product is a register tile.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %rustc -C opt-level=3 --crate-type=lib --emit=obj -o %t.o %s 2>&1 | FileCheck %s
// RUN: %rustc -C opt-level=3 -C remark=polytile -C debuginfo=1 --crate-type=lib --emit=obj -o %t.o %s 2>&1 | FileCheck --check-prefix=TILES %s
// RUN: %rustc -C opt-level=3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -o %t.plain %s
// RUN: %t.plain > %t.expected 2> /dev/null && %t.new 2> /dev/null | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -o %t.forced %s && %t.forced 2> /dev/null | cmp - %t.expected
use std::panic::{AssertUnwindSafe, catch_unwind};

pub struct Layer {
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
    pub ins: usize,
    pub outs: usize,
}

// CHECK: scop "forward
// CHECK-NOT: scop
// CHECK: domain { S0[i0, i1] : 0 <= i0 < [[ROWS:[a-z0-9_]+]] and 0 <= i1 < [[OUTS:[a-z0-9_]+]] }
// CHECK: domain { S1[i0, i1, i2] : 0 <= i0 < [[ROWS]] and 0 <= i1 < [[OUTS]] and 0 <= i2 < [[INS:[a-z0-9_]+]] }
// TILES: packed operand
#[unsafe(no_mangle)]
#[inline(never)]
pub fn forward(layer: &Layer, x: &[f32], y: &mut [f32]) {
    for s in 0..x.len() / layer.ins {
        for o in 0..layer.outs {
            let mut sum = layer.bias[o];
            for i in 0..layer.ins {
                sum += layer.weights[o * layer.ins + i] * x[s * layer.ins + i];
            }
            y[s * layer.outs + o] = if sum > 0.0 { sum } else { 0.01 * sum };
        }
    }
}

fn main() {
    for (rows, ins, outs) in [(0, 3, 2), (1, 1, 1), (2, 5, 3), (33, 40, 17), (64, 90, 70)] {
        for (bias, shorter) in [(outs, 0), (outs - 1, 0), (0, 0), (outs, ins - 1), (outs, 1)] {
            let layer = Layer {
                weights: (0..ins * outs).map(|k| (k * 31 % 101) as f32 * 0.02 - 1.0).collect(),
                bias: vec![0.25; bias],
                ins,
                outs,
            };
            let x: Vec<f32> = (0..rows * ins - shorter.min(rows * ins)).map(|k| (k % 17) as f32 * 0.1 - 0.8).collect();
            let mut y = vec![0.5; rows * outs];
            let ok = catch_unwind(AssertUnwindSafe(|| forward(&layer, &x, &mut y))).is_ok();
            println!("{ok} {:?}", y.iter().fold(0.0, |s, v| s * 0.75 + v));
        }
    }
}
