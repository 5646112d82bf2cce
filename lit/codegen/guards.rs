// REQUIRES: rustc
// Particles that do not move are left out; slices with checks.
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile --emit=obj -o %t.o %s 2>&1 | FileCheck %s
// CHECK: guards.rs:[[@LINE+7]]:{{[0-9]+}} polytile (success): loop nest transformed
#![crate_type = "lib"]

#[unsafe(no_mangle)]
pub fn relax(active: &[bool], field: &mut [[f64; 256]], force: &[[f64; 256]]) {
    let n = active.len().min(field.len()).min(force.len());
    for i in 0..n {
        if active[i] {
            for j in 0..256 {
                field[i][j] += 0.5 * force[i][j];
            }
        }
    }
}
