// REQUIRES: rustc
// A stencil on `Vec<Vec<f32>>` that asks for the row above first: the compiler hands that row's length on from the row before, where it was read as the
// own one. It is a length of the table all the same. Rows on a torus are chosen by a remainder, which checks ask for as well.
// RUN: %rustc -O -C codegen-units=1 -C debuginfo=line-tables-only -C remark=polytile -C panic=unwind -o %t.new %s 2>&1 | FileCheck %s
// RUN: rustc -O -o %t.plain %s && %t.plain > %t.expected
// RUN: %t.new | cmp - %t.expected
// RUN: env "POLYTILE=min-work=0;parallel-min-us=0;verify=on" %rustc -O -C codegen-units=1 -o %t.forced %s
// RUN: env OMP_NUM_THREADS=3 %t.forced | cmp - %t.expected
#[inline(never)]
fn heat(u: &[Vec<f32>], v: &mut [Vec<f32>], k: f32) {
    let (h, w) = (u.len(), u[0].len());
    // CHECK-DAG: lengths-handed-on.rs:{{[0-9:]+}} polytile (success): loop nest transformed: 1 statement
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            v[y][x] = u[y][x] + k * (u[y - 1][x] + u[y + 1][x] + u[y][x - 1] + u[y][x + 1] - 4.0 * u[y][x]);
        }
    }
}

#[inline(never)]
fn torus(u: &[Vec<f32>], v: &mut [Vec<f32>], k: f32) {
    let (h, w) = (v.len(), v[0].len());
    // CHECK-DAG: lengths-handed-on.rs:{{[0-9:]+}} polytile (success): loop nest transformed: 9 statement
    for y in 0..h {
        let (up, down) = ((y + h - 1) % h, (y + 1) % h);
        for x in 0..w {
            let (left, right) = ((x + w - 1) % w, (x + 1) % w);
            v[y][x] = u[up][x] + u[down][x] + u[y][left] + u[y][right] - k * u[y][x];
        }
    }
}

#[inline(never)]
fn react(pa: &[Vec<f32>], pb: &[Vec<f32>], a: &mut [Vec<f32>], b: &mut [Vec<f32>]) {
    let (h, w) = (a.len(), a[0].len());
    // CHECK-DAG: lengths-handed-on.rs:{{[0-9:]+}} polytile (success): loop nest transformed: 18 statement
    for y in 0..h {
        let (up, down) = ((y + h - 1) % h, (y + 1) % h);
        for x in 0..w {
            let (left, right) = ((x + w - 1) % w, (x + 1) % w);
            let la = pa[up][x] + pa[down][x] + pa[y][left] + pa[y][right] - 4.0 * pa[y][x];
            let lb = pb[up][x] + pb[down][x] + pb[y][left] + pb[y][right] - 4.0 * pb[y][x];
            let r = pa[y][x] * pb[y][x] * pb[y][x];
            a[y][x] = pa[y][x] + 0.2 * la - r;
            b[y][x] = pb[y][x] + 0.1 * lb + r;
        }
    }
}

/// Rows of `w` elements; the one at `odd` has `len`.
fn rows(h: usize, w: usize, odd: usize, len: usize) -> Vec<Vec<f32>> {
    let row = |y: usize| (0..if y == odd { len } else { w }).map(|x| ((x * 3 + y * 7) % 19) as f32 * 0.1).collect();
    (0..h).map(row).collect()
}

fn say(what: &str, ended: bool, all: &[&Vec<Vec<f32>>]) {
    let bits = all.iter().flat_map(|v| v.iter()).flatten().fold(1u64, |h, x| h.rotate_left(5) ^ u64::from(x.to_bits()));
    println!("{what} {ended} {bits:x}");
}

fn ends(f: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_ok()
}

fn main() {
    std::panic::set_hook(Box::new(|why| println!("{why}")));
    for (h, w) in [(1, 1), (1, 4), (2, 2), (3, 3), (3, 70), (40, 1), (65, 66)] {
        for (odd, len) in [(h, 0), (0, w - 1), (0, w + 1), (h / 2, w - 1), (h / 2, w + 3), (h - 1, 0), (h - 1, w + 1)] {
            let (u, same) = (rows(h, w, odd, len), rows(h, w, h, 0));
            for (from, to) in [(&u, &same), (&same, &u)] {
                let mut v = to.clone();
                if h > 2 && from[0].len() > 2 {
                    let ended = ends(|| heat(from, &mut v, 0.1));
                    say("heat", ended, &[&v]);
                }
                let ended = ends(|| torus(from, &mut v, 3.5));
                say("torus", ended, &[&v]);
                let (mut a, mut b) = (to.clone(), same.clone());
                let ended = ends(|| react(from, &same, &mut a, &mut b));
                say("react", ended, &[&a, &b]);
                let ended = ends(|| react(&same, from, &mut b, &mut a));
                say("react", ended, &[&a, &b]);
            }
            let mut more = rows(h + 1, w, h + 1, 0);
            let ended = ends(|| torus(&u, &mut more, 2.0));
            say("more", ended, &[&more]);
        }
    }
}
