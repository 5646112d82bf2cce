// REQUIRES: rustc
// A closure that is called at two places is no part of its caller. Its body is, while the nest is looked at; with the width of the grid, which it
// has by reference, and its panics, after which memory is freed. The original calls it.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile --emit=llvm-ir -o %t.ll %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file %t.ll
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 --emit=obj -o %t.o %s
// CHECK: closures.rs:[[@LINE+19]]:{{[0-9]+}} polytile (success): loop nest transformed
// IR-LABEL: define {{.*}}@react(
// IR: invoke {{.*}}react0
// IR: invoke {{.*}}react0
// IR: resume
#![crate_type = "lib"]

#[unsafe(no_mangle)]
pub fn react(start: &[f32], width: usize, height: usize) -> f32 {
    let (a, b) = (start.to_vec(), start.to_vec());
    let (mut next_a, mut next_b) = (a.clone(), b.clone());
    let laplace = |s: &[f32], x: usize, y: usize| {
        0.2 * (s[y * width + x - 1] + s[y * width + x + 1] + s[(y - 1) * width + x] + s[(y + 1) * width + x])
            + 0.05 * (s[(y - 1) * width + x - 1] + s[(y - 1) * width + x + 1] + s[(y + 1) * width + x - 1])
            + 0.02 * (s[(y + 1) * width + x + 1] + s[y * width + x - 2] + s[y * width + x + 2] + s[(y + 2) * width + x])
            + 0.01 * (s[(y + 2) * width + x + 1] + s[(y + 2) * width + x + 2] + s[(y + 2) * width + x - 1])
            - s[y * width + x]
    };
    for y in 2..height - 2 {
        for x in 2..width - 2 {
            let c = y * width + x;
            next_a[c] = a[c] + laplace(&a, x, y) - a[c] * b[c];
            next_b[c] = b[c] + 0.5 * laplace(&b, x, y) + a[c] * b[c];
        }
    }
    next_a[width] + next_b[height]
}
