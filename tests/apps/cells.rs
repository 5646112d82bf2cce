//! Cells on grids: the game of life on a torus, red-black relaxation of a membrane, a reaction of two substances that diffuse.
//! Arguments: side, steps. In tests: 16 3

struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T: Copy + Default> Grid<T> {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            cells: vec![T::default(); width * height],
        }
    }

    fn get(&self, x: usize, y: usize) -> T {
        self.cells[y * self.width + x]
    }

    fn set(&mut self, x: usize, y: usize, value: T) {
        self.cells[y * self.width + x] = value;
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn life_step(old: &Grid<u8>, new: &mut Grid<u8>) {
    let (w, h) = (old.width, old.height);
    for y in 0..h {
        let up = if y == 0 { h - 1 } else { y - 1 };
        let down = if y == h - 1 { 0 } else { y + 1 };
        for x in 0..w {
            let left = if x == 0 { w - 1 } else { x - 1 };
            let right = if x == w - 1 { 0 } else { x + 1 };
            let around = old.get(left, up)
                + old.get(x, up)
                + old.get(right, up)
                + old.get(left, y)
                + old.get(right, y)
                + old.get(left, down)
                + old.get(x, down)
                + old.get(right, down);
            let alive = matches!((old.get(x, y), around), (1, 2) | (_, 3));
            new.set(x, y, alive as u8);
        }
    }
}

fn life(side: usize, steps: usize) -> usize {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut now = Grid::new(side, side);
    let mut next = Grid::new(side, side);
    for cell in now.cells.iter_mut() {
        *cell = (random.next() % 3 == 0) as u8;
    }
    for _ in 0..steps {
        life_step(&now, &mut next);
        std::mem::swap(&mut now, &mut next);
    }
    now.cells.iter().map(|&cell| cell as usize).sum()
}

/// One colour of a sweep; returns the sum of the squared changes.
fn relax_colour(u: &mut [Vec<f64>], f: &[Vec<f64>], colour: usize, omega: f64) -> f64 {
    let rows = u.len();
    let mut change = 0.0;
    for i in 1..rows - 1 {
        let columns = u[i].len();
        let mut j = 1 + (i + colour) % 2;
        while j < columns - 1 {
            let target = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
            let delta = omega * (target - u[i][j]);
            u[i][j] += delta;
            change += delta * delta;
            j += 2;
        }
    }
    change
}

fn membrane(side: usize, sweeps: usize) -> (f64, f64) {
    let mut u = vec![vec![0.0; side]; side];
    let h = 1.0 / (side - 1) as f64;
    let f: Vec<Vec<f64>> = (0..side)
        .map(|i| {
            (0..side)
                .map(|j| h * h * ((i as f64 * h * 6.0).sin() + j as f64 * h))
                .collect()
        })
        .collect();
    let mut change = 0.0;
    for _ in 0..sweeps {
        change = relax_colour(&mut u, &f, 0, 1.7) + relax_colour(&mut u, &f, 1, 1.7);
    }
    let lowest = u.iter().flatten().copied().fold(0.0, f64::min);
    (change.sqrt(), lowest)
}

/// Gray and Scott's reaction: two fields, nine-point Laplacians, fixed rims.
fn react(a: &[f32], b: &[f32], next_a: &mut [f32], next_b: &mut [f32], width: usize, height: usize) {
    let (feed, kill) = (0.055f32, 0.062f32);
    let laplace = |s: &[f32], x: usize, y: usize| {
        0.2 * (s[y * width + x - 1] + s[y * width + x + 1] + s[(y - 1) * width + x] + s[(y + 1) * width + x])
            + 0.05
                * (s[(y - 1) * width + x - 1]
                    + s[(y - 1) * width + x + 1]
                    + s[(y + 1) * width + x - 1]
                    + s[(y + 1) * width + x + 1])
            - s[y * width + x]
    };
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let c = y * width + x;
            let reaction = a[c] * b[c] * b[c];
            next_a[c] = a[c] + laplace(a, x, y) - reaction + feed * (1.0 - a[c]);
            next_b[c] = b[c] + 0.5 * laplace(b, x, y) + reaction - (kill + feed) * b[c];
        }
    }
}

fn reaction(side: usize, steps: usize) -> f64 {
    let mut a = vec![1.0f32; side * side];
    let mut b = vec![0.0f32; side * side];
    for y in side / 3..side / 2 {
        for x in side / 3..side / 2 {
            b[y * side + x] = 1.0;
        }
    }
    let (mut next_a, mut next_b) = (a.clone(), b.clone());
    for _ in 0..steps {
        react(&a, &b, &mut next_a, &mut next_b, side, side);
        std::mem::swap(&mut a, &mut next_a);
        std::mem::swap(&mut b, &mut next_b);
    }
    a.iter().zip(&b).map(|(a, b)| f64::from(a - b)).sum()
}

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let side = arguments.first().copied().unwrap_or(500);
    let steps = arguments.get(1).copied().unwrap_or(150);
    println!("alive {}", life(side, steps));
    let (change, lowest) = membrane(side, steps);
    println!("change {change:e} lowest {lowest:e}");
    println!("reaction {:e}", reaction(side, steps));
}
