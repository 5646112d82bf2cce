// REQUIRES: rustc
// Running means by rows of prefix sums: a row of sums for each row of the image is memory that the system hands out page by page, while each row of the
// means is read off in vectors. Lanes of rows would look for each of their elements. So each thread has one row of sums.
// RUN: env "POLYTILE=dump=ast" %rustc -O -C codegen-units=1 -C target-cpu=znver4 --crate-type=lib --emit=obj -o /dev/null %s 2>&1 | FileCheck %s
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -C target-cpu=native -o %t.new %s
// RUN: rustc -O -C target-cpu=native -o %t.plain %s && %t.plain > %t.expected
// RUN: env OMP_NUM_THREADS=3 %t.new | cmp - %t.expected
// CHECK: // parallel Static private A{{[0-9]+}}
#[inline(never)]
pub fn means(u: &mut [f32], n: usize, m: usize) {
    for i in 0..n {
        let mut t = vec![0.0f32; m + 1];
        for j in 0..m {
            t[j + 1] = t[j] + u[i * m + j];
        }
        for j in 0..m {
            let (a, b) = (j.saturating_sub(4), (j + 5).min(m));
            u[i * m + j] = (t[b] - t[a]) / (b - a) as f32;
        }
    }
}

#[allow(dead_code)]
fn main() {
    for (n, m) in [(1usize, 1usize), (5, 9), (40, 70), (33, 4)] {
        let mut u: Vec<f32> = (0..n * m).map(|k| (k * 7 % 17) as f32).collect();
        means(&mut u, n, m);
        println!("{:?}", u);
    }
}
