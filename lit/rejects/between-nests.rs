// REQUIRES: rustc
// What leaves the region early between two of its nests, where an index of the second one may be out of bounds, is in no loop: the remark names none.
// RUN: %rustc -O -C codegen-units=1 --crate-type=lib --emit=obj -C remark=polytile -g -o %t.o %s 2> %t.txt
// RUN: not grep "internal error" %t.txt
// RUN: FileCheck %s < %t.txt
// CHECK: polytile
#[inline(never)]
pub fn between(n: usize, m: usize, a: &mut [[f32; 160]], b: &mut [[f32; 160]], v: &mut [f32]) {
    for i in 0..n {
        v[i] = v[i].min(v[i]);
    }
    for i in 0..n {
        for j in 1..m / 2 {
            if b[i][j] <= b[i][j] {
                continue;
            }
            if v[i] > j as f32 {}
            for k in 0..m {
                b[i][j] = b[i][j].max((a[k][j]).abs());
            }
        }
    }
}
