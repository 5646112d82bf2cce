// A vector of structures is cleared by a loop, and its last element through the pointer that the loop has come to: the nest behind begins after that. Fields are
// copied next to each other once, though the pairs of a particle with itself part the domain.
// RUN: env "POLYTILE=stop-after=scop;dump=scop" %rustc -C opt-level=3 --crate-type=lib --emit=obj -o %t.o %s 2>&1 | FileCheck %s
// RUN: %rustc -C opt-level=3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -o %t.plain %s
// RUN: %t.plain > %t.expected && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -o %t.forced %s && %t.forced | cmp - %t.expected
// RUN: env POLYTILE_VERBOSE=1 %t.forced 2>&1 | FileCheck %s --check-prefix=RUNS

#[derive(Clone, Copy)]
pub struct V {
    x: f64,
    y: f64,
    z: f64,
}

pub struct Body {
    p: V,
    v: V,
    m: f64,
}

// CHECK: scop "{{.*}}step
// CHECK: live-out
// CHECK-NOT: array M3
// CHECK: domain { S{{[0-9]+}}[i0, i1] :
// RUNS: step: new version {{[1-9]}}
// RUNS-SAME: original 0
#[inline(never)]
pub fn step(b: &mut Vec<Body>, dt: f64) {
    let n = b.len();
    let mut acc = vec![V { x: 0.0, y: 0.0, z: 0.0 }; n];
    for i in 0..n {
        for j in 0..n {
            if i == j {
                continue;
            }
            let d = V { x: b[j].p.x - b[i].p.x, y: b[j].p.y - b[i].p.y, z: b[j].p.z - b[i].p.z };
            let r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-6;
            let f = b[j].m / (r2 * r2.sqrt());
            acc[i].x += f * d.x;
            acc[i].y += f * d.y;
            acc[i].z += f * d.z;
        }
    }
    for i in 0..n {
        let q = &mut b[i];
        q.v.x += dt * acc[i].x;
        q.v.y += dt * acc[i].y;
        q.v.z += dt * acc[i].z;
        q.p.x += dt * q.v.x;
        q.p.y += dt * q.v.y;
        q.p.z += dt * q.v.z;
    }
}

fn main() {
    for n in [2, 3, 17, 64, 101] {
        let at = |i: usize| (i * 37 % 101) as f64 * 0.01;
        let still = V { x: 0.0, y: 0.0, z: 0.0 };
        let body = |i| Body { p: V { x: at(i), y: at(i + 5), z: at(3 * i) }, v: still, m: 1.0 + at(i) };
        let mut b: Vec<Body> = (0..n).map(body).collect();
        step(&mut b, 0.001);
        step(&mut b, 0.002);
        for q in &b {
            println!("{:?} {:?} {:?} {:?}", q.p.x, q.p.y, q.p.z, q.v.x);
        }
    }
}
