// The nearest of some rows for each of many, by chunks of a constant length: the loops end with a quotient and with the length of another slice, so copies of the
// running minimum have the lesser of both sizes; and how many elements are typical is told by rows, so one thread gains as well.
// RUN: %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.new %s
// RUN: env "POLYTILE=only=none" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.plain %s
// RUN: %t.plain > %t.expected && %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;verify=on" %rustc -C opt-level=3 -C target-cpu=x86-64-v3 -o %t.forced %s && %t.forced | cmp - %t.expected
// RUN: env OMP_NUM_THREADS=1 POLYTILE_VERBOSE=1 %t.new 2>&1 | FileCheck %s
// CHECK: nearest: new version {{[1-9]}} {{.*}} original 0
const DIM: usize = 12;

#[inline(never)]
#[no_mangle]
fn nearest(points: &[f32], centers: &[f32], labels: &mut [u32]) -> (usize, f64) {
    let (mut changed, mut spread) = (0, 0.0);
    for (p, label) in points.chunks_exact(DIM).zip(labels.iter_mut()) {
        let (mut best, mut at) = (f32::INFINITY, 0);
        for (c, center) in centers.chunks_exact(DIM).enumerate() {
            let d: f32 = p.iter().zip(center).map(|(x, y)| (x - y) * (x - y)).sum();
            if d < best {
                (best, at) = (d, c as u32);
            }
        }
        if *label != at {
            *label = at;
            changed += 1;
        }
        spread += f64::from(best);
    }
    (changed, spread)
}
fn main() {
    // Fewer labels than rows, and more; a remainder that is no row.
    for (rows, labels, rest) in [(6000, 6000, 0), (70, 65, 3), (65, 70, 11), (0, 5, 7), (3, 0, 0)] {
        let points: Vec<f32> = (0..rows * DIM + rest).map(|i| (i * 37 % 101) as f32 * 0.37).collect();
        let centers: Vec<f32> = (0..25 * DIM + 1).map(|i| (i * 53 % 97) as f32 * 0.39).collect();
        let mut own = vec![0; labels];
        let (changed, spread) = nearest(&points, &centers, &mut own);
        let sum = own.iter().fold(0u32, |s, l| s.wrapping_mul(31).wrapping_add(*l));
        println!("{changed} {spread} {sum}");
    }
}
