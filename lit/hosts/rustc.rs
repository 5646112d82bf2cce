// REQUIRES: rustc
// rustc runs the pass in its pipeline; `-C passes` runs it by name; several code generation units at once are safe.
// RUN: %rustc -O --emit=llvm-ir -o - %s | FileCheck %s
// RUN: %rustc -O -C codegen-units=16 --emit=obj -o %t.o %s
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: env POLYTILE=only=nothing %rustc -O -C passes='print<polytile-region;only=product>' --emit=obj -o %t.o %s 2>&1 | FileCheck %s --check-prefix=REGION
// RUN: not %rustc -O -C passes='polytile<no-such-option>' --emit=obj -o %t.o %s 2>&1 | FileCheck %s --check-prefix=ERROR
// CHECK: define {{.*}}@product
// CHECK: call {{.*}}@__kmpc_fork_call(
// OBJECT: __kmpc_fork_call
// REGION: region "product.{{.*}}" function "product"
// ERROR: error: polytile: unknown option 'no-such-option'; valid options: {{.*}}tile-sizes,
#![crate_type = "lib"]

#[unsafe(no_mangle)]
pub fn product(a: &[[f64; 400]; 400], b: &[[f64; 400]; 400], c: &mut [[f64; 400]; 400]) {
    for i in 0..400 {
        for j in 0..400 {
            for k in 0..400 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}
