//! Stencils, sums, products and elementwise work on arrays; prints sums with all digits.
use ndarray::{Array2, Array3, Axis, Zip, s};

fn print(what: &str, value: f64) {
    println!("{what} {value:?}");
}

fn main() {
    let n: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(40);
    let a = Array2::from_shape_fn((n, n), |(i, j)| ((i * 7 + j * 13) % 31) as f64 / 31.0);
    let mut b = Array2::from_shape_fn((n, n), |(i, j)| ((i * 5 + j * 3) % 29) as f64 / 29.0);
    print("product", a.dot(&b).sum());
    print("rows", a.sum_axis(Axis(0)).dot(&b.mean_axis(Axis(1)).unwrap()));
    let mut u = a.clone();
    for _ in 0..n {
        let mut v = u.clone();
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            }
        }
        u = v;
    }
    print("indexed", u.sum());
    for _ in 0..n {
        let inner = (&u.slice(s![..-2, 1..-1]) + &u.slice(s![2.., 1..-1]) + u.slice(s![1..-1, ..-2]) + u.slice(s![1..-1, 2..])) * 0.25;
        u.slice_mut(s![1..-1, 1..-1]).assign(&inner);
    }
    print("slices", u.sum());
    for _ in 0..20 {
        Zip::from(&mut b).and(&a).and(&u).for_each(|b, &a, &u| *b = 0.5 * *b + a * u);
    }
    print("zip", b.sum());
    let mut c = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for k in 0..n {
            for j in 0..n {
                c[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    print("loops", c.sum());
    let mut t = Array3::from_shape_fn((n / 4, n / 4, n / 4), |(i, j, k)| ((i + 2 * j + 3 * k) % 7) as f64);
    for mut plane in t.axis_iter_mut(Axis(1)) {
        plane.mapv_inplace(|x| x * x - 0.5 * x);
    }
    print("planes", t.windows((2, 2, 2)).into_iter().map(|w| w.sum()).sum());
    let mut sums = a.clone();
    sums.accumulate_axis_inplace(Axis(0), |&above, x| *x += above);
    print("accumulated", sums.sum() + sums.t().slice(s![..;2, ..;-1]).sum());
}
