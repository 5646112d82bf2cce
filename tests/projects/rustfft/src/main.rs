//! Transforms of many lengths, without vector instructions of its own; prints sums with all digits.
use rustfft::{FftDirection, FftPlannerScalar, num_complex::Complex};

fn main() {
    let rounds: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    let mut planner = FftPlannerScalar::<f64>::new();
    let lengths = (1..100).chain([128, 243, 360, 625, 1001, 1024, 4096, 10_007, 30_030, 65_536]);
    for n in lengths {
        let forth = planner.plan_fft(n, FftDirection::Forward);
        let back = planner.plan_fft(n, FftDirection::Inverse);
        let mut data: Vec<Complex<f64>> = (0..n).map(|i| Complex::new((i % 31) as f64 / 31.0, (i % 17) as f64 / 17.0)).collect();
        let mut sum = 0.0;
        for _ in 0..rounds {
            forth.process(&mut data);
            sum += data.iter().enumerate().map(|(i, x)| x.re * (i % 7) as f64 - x.im).sum::<f64>();
            back.process(&mut data);
            for x in &mut data {
                *x /= n as f64;
            }
        }
        println!("{n} {sum:?}");
    }
}
