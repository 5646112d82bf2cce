//! Texts of random SCoPs: nests of the kinds that plans are made for, with random bounds, directions and subscripts, the
//! samples of well-known kernels with an error or two, and statements without any order to them.

use crate::fuzz::random::Random;
use polytile_analysis::text::random::{self, Features};
use polytile_analysis::text::samples;
use std::fmt::Write;

/// A SCoP of the parameters `n` and `m`, or of a sample's own.
pub fn text(random: &mut Random) -> String {
    match random.weighted(&[(60, 0), (25, 1), (15, 2)]) {
        0 => nests(random),
        1 => sample(random),
        _ => {
            let features = Features {
                divisions: random.chance(30),
                unions: random.chance(30),
            };
            let text = random::scop(&mut |limit| random.below(limit as usize) as u32, features);
            with_bodies(&text)
        }
    }
}

/// Gives each statement the sum of what it reads, or a multiple: a copy of a cell to itself is no statement.
fn with_bodies(text: &str) -> String {
    let mut parts = text.split("stmt ");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for stmt in parts {
        let reads = stmt.matches("\n  read {").count();
        let sum = (2..=reads).fold("(read 1)".to_owned(), |s, n| {
            format!("(fadd {s} (read {n}))")
        });
        let body = match reads {
            0 => "(inv v90)",
            1 => "(fmul (read 1) (inv v90))",
            _ => &sum,
        };
        all += &format!("stmt {}\n  body {body}\n", stmt.trim_end());
    }
    all
}

/// A sample, perhaps with a subscript or a bound that is one off.
fn sample(random: &mut Random) -> String {
    let (_, text) = random.pick(samples::ALL);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..random.below(3) {
        let at = random.below(lines.len());
        let line = &mut lines[at];
        let access = line.trim_start().starts_with("read {") && !line.contains("[]");
        let bounds = line.trim_start().starts_with("domain {");
        if let (true, Some(end)) = (access, line.rfind(']')) {
            line.insert_str(end, random.pick(&[" + 1", " - 1"]));
        } else if let (true, Some(end)) = (bounds, line.rfind('}')) {
            line.insert_str(end, random.pick(&["and i >= 1 ", "and i >= 2 "]));
        }
    }
    lines.join("\n")
}

/// Nests one after the other.
struct Nests<'a> {
    random: &'a mut Random,
    text: String,
    /// Statements so far.
    count: usize,
    /// Type of all elements.
    ty: &'static str,
}

fn nests(random: &mut Random) -> String {
    let ty = random.pick(&["f64", "f64", "f32", "i32"]);
    let mut text = "params n m\ncontext { : n >= 4 and m >= 4 }\n".to_owned();
    for array in ["A", "B", "C", "D"] {
        let sizes = random.pick(&["[n][n]", "[n][n]", "[n][m]", "[m][n]"]);
        writeln!(text, "array {array} {ty} {sizes}").expect("writing to a string");
    }
    for array in ["x", "y", "z"] {
        writeln!(text, "array {array} {ty} [n]").expect("writing to a string");
    }
    let live = random.pick(&["", " live-out v50"]);
    writeln!(text, "array s {ty} scalar{live}").expect("writing to a string");
    let mut nests = Nests {
        random,
        text,
        count: 0,
        ty,
    };
    let number = nests.random.weighted(&[(50, 1), (35, 2), (15, 3)]);
    for nest in 0..number {
        nests.nest(nest);
    }
    nests.text
}

impl Nests<'_> {
    fn nest(&mut self, at: usize) {
        match self.random.below(9) {
            0 | 1 => self.product(at),
            2 => self.stencil(at),
            3 => self.streams(at),
            4 => self.recurrence(at),
            5 => self.pointwise(at),
            6 => self.elimination(at),
            7 => self.sweeps(at),
            _ => self.transposition(at),
        }
    }

    fn stmt(&mut self, iters: &str, domain: &str, beta: &str, accesses: &[&str], body: &str) {
        let s = self.count;
        self.count += 1;
        let body = match self.ty {
            "i32" => ["fadd", "fsub", "fmul", "fdiv"]
                .iter()
                .zip(["add", "sub", "mul", "smax"])
                .fold(body.to_owned(), |b, (f, i)| b.replace(f, i)),
            _ => body.to_owned(),
        };
        let mut text =
            format!("stmt S{s}\n  domain {{ S{s}[{iters}] : {domain} }}\n  beta {beta}\n");
        for (n, a) in accesses.iter().enumerate() {
            let kind = if n == 0 { "write" } else { "read" };
            writeln!(text, "  {kind} {{ S{s}[{iters}] -> {a} }}").expect("writing to a string");
        }
        self.text += &text;
        self.text += &format!("  body {body}\n");
    }

    fn size(&mut self) -> &'static str {
        self.random.pick(&["n", "n", "m", "n - 1"])
    }

    /// A subscript along an iterator.
    fn along(&mut self, i: &str) -> String {
        match self.random.below(12) {
            0 => format!("{i} + 1"),
            1 => format!("n - 1 - {i}"),
            2 => format!("2{i}"),
            _ => i.to_owned(),
        }
    }

    /// Two subscripts in either order.
    fn pair(&mut self, i: &str, j: &str) -> String {
        let (a, b) = (self.along(i), self.along(j));
        match self.random.chance(30) {
            true => format!("[{b}, {a}]"),
            false => format!("[{a}, {b}]"),
        }
    }

    /// `C += A * B`, perhaps of triangles, with a first statement for the cell or without.
    fn product(&mut self, at: usize) {
        let (a, b, c) = (self.size(), self.size(), self.size());
        let inner = self.random.pick(&[c, c, "i", "i + 1", "j"]);
        let second = self.random.pick(&[b, b, b, "i"]);
        let all = format!("0 <= i < {a} and 0 <= j < {second}");
        let cell = format!("C{}", self.pair("i", "j"));
        let (row, lane) = (self.pair("i", "k"), self.pair("k", "j"));
        let arrays =
            self.random
                .pick(&[("A", "B"), ("A", "A"), ("C", "B"), ("A", "C"), ("D", "D")]);
        let (row, lane) = (format!("{}{row}", arrays.0), format!("{}{lane}", arrays.1));
        let order = self.random.below(3);
        let inits = order == 0 && self.random.chance(50);
        if inits {
            let body = "(inv v90)";
            self.stmt("i, j", &all, &format!("{at} 0 0"), &[&cell], body);
        }
        let iters = ["i, j, k", "i, k, j", "k, i, j"][order];
        let domain = format!("{all} and 0 <= k < {inner}");
        let beta = match inits {
            true => format!("{at} 0 1 0"),
            false => format!("{at} 0 0 0"),
        };
        let body = self.random.pick(&[
            "(fadd (read 1) (fmul (read 2) (read 3)))",
            "(fsub (read 1) (fmul (read 2) (read 3)))",
            "(fadd (read 1) (fmul (fmul (inv v90) (read 2)) (read 3)))",
        ]);
        self.stmt(iters, &domain, &beta, &[&cell, &cell, &row, &lane], body);
        if inits && self.random.chance(30) {
            let body = "(fmul (read 1) (inv v91))";
            self.stmt("i, j", &all, &format!("{at} 0 2"), &[&cell, &cell], body);
        }
    }

    /// Time steps over one or two arrays, in one or two dimensions.
    fn stencil(&mut self, at: usize) {
        let steps = self.random.pick(&["m", "4"]);
        let in_place = self.random.chance(50);
        let (plane, inner) = match self.random.chance(60) {
            true => (true, "0 <= i < n - 2 and 0 <= j < n - 2"),
            false => (false, "0 <= i < n - 2"),
        };
        let (iters, arrays) = match plane {
            true => ("t, i, j", ("A", "B")),
            false => ("t, i", ("x", "y")),
        };
        let near = |a: &str, i: &str, j: &str| match plane {
            true => format!("{a}[i + {i}, j + {j}]"),
            false => format!("{a}[i + {i}]"),
        };
        let sweep = |from: &str, to: &str| {
            [
                near(to, "1", "1"),
                near(from, "0", "1"),
                near(from, "1", "0"),
                near(from, "1", "1"),
                near(from, "2", "1"),
            ]
        };
        let body = "(fmul (inv v90) (fadd (fadd (read 1) (read 2)) (fadd (read 3) (read 4))))";
        let domain = format!("0 <= t < {steps} and {inner}");
        let rest = if plane { " 0 0" } else { " 0" };
        let used = if in_place { 1 } else { 2 };
        for step in 0..used {
            let (from, to) = match (in_place, step) {
                (true, _) => (arrays.0, arrays.0),
                (false, 0) => (arrays.0, arrays.1),
                _ => (arrays.1, arrays.0),
            };
            let accesses = sweep(from, to);
            let accesses: Vec<&str> = accesses.iter().map(String::as_str).collect();
            self.stmt(
                iters,
                &domain,
                &format!("{at} {step}{rest}"),
                &accesses,
                body,
            );
        }
    }

    /// Sums over the rows and the columns of a matrix.
    fn streams(&mut self, at: usize) {
        let size = self.size();
        let second = self.random.pick(&[size, size, "i"]);
        let domain = format!("0 <= i < {size} and 0 <= j < {second}");
        let fused = self.random.chance(40);
        let body = "(fadd (read 1) (fmul (read 2) (read 3)))";
        let matrix = format!("A{}", self.pair("i", "j"));
        self.stmt(
            "i, j",
            &domain,
            &format!("{at} 0 0"),
            &["x[i]", "x[i]", &matrix, "y[j]"],
            body,
        );
        if self.random.chance(60) {
            let other = self.random.pick(&["A[j, i]", "A[i, j]", "B[i, j]"]);
            let (cell, beta) = match fused {
                true => ("z[j]", format!("{at} 0 1")),
                false => ("z[i]", format!("{at} 1 0")),
            };
            let factor = self.random.pick(&["y[i]", "x[i]", "y[j]"]);
            self.stmt("i, j", &domain, &beta, &[cell, cell, other, factor], body);
        }
    }

    /// Elements that need the one before, along one direction or two.
    fn recurrence(&mut self, at: usize) {
        let domain = "1 <= i < n and 1 <= j < n";
        let before = self
            .random
            .pick(&["A[i - 1, j]", "A[i, j - 1]", "A[i - 1, j - 1]"]);
        let second = self
            .random
            .pick(&["A[i, j - 1]", "B[i, j]", "A[i - 1, j]", "x[j]"]);
        let body = self.random.pick(&[
            "(fsub (read 1) (fmul (read 2) (inv v90)))",
            "(fdiv (fadd (read 1) (read 2)) (inv v90))",
        ]);
        let iters = self.random.pick(&["i, j", "j, i"]);
        self.stmt(
            iters,
            domain,
            &format!("{at} 0 0"),
            &["A[i, j]", before, second],
            body,
        );
        if self.random.chance(40) {
            let beta = format!("{at} {}", self.random.pick(&["0 1", "1 0"]));
            let other = self.random.pick(&["A[i, j]", "A[i - 1, j]", "B[i, j - 1]"]);
            self.stmt(iters, domain, &beta, &["B[i, j]", other, "C[i, j]"], body);
        }
    }

    /// A scalar between statements.
    fn pointwise(&mut self, at: usize) {
        let size = self.size();
        let domain = format!("0 <= i < n and 0 <= j < {size}");
        let first = self.pair("i", "j");
        let beta = |b: &str| format!("{at} 0 {b}");
        let body = "(fadd (fmul (read 1) (inv v90)) (read 2))";
        self.stmt(
            "i, j",
            &domain,
            &beta("0"),
            &["s[]", &format!("A{first}"), "x[i]"],
            body,
        );
        let target = self.pair("i", "j");
        let body = "(fmul (read 1) (read 2))";
        self.stmt(
            "i, j",
            &domain,
            &beta("1"),
            &[&format!("B{target}"), "s[]", "y[j]"],
            body,
        );
        if self.random.chance(40) {
            let body = "(fadd (read 1) (read 2))";
            self.stmt(
                "i, j",
                &domain,
                &beta("2"),
                &["D[i, j]", "s[]", "D[i, j]"],
                body,
            );
        }
    }

    /// Substitution or factorization of a triangle.
    fn elimination(&mut self, at: usize) {
        let lower = self.random.chance(50);
        let (domain, divide) = match lower {
            true => ("0 <= i < n and 0 <= j < i", "0 <= i < n"),
            false => ("0 <= i < n and i < j < n", "0 <= i < n"),
        };
        if self.random.chance(50) {
            let body = "(fsub (read 1) (fmul (read 2) (read 3)))";
            self.stmt(
                "i, j",
                domain,
                &format!("{at} 0 0"),
                &["x[i]", "x[i]", "A[i, j]", "x[j]"],
                body,
            );
            let body = "(fdiv (read 1) (read 2))";
            self.stmt(
                "i",
                divide,
                &format!("{at} 1"),
                &["x[i]", "x[i]", "A[i, i]"],
                body,
            );
            return;
        }
        let body = "(fdiv (read 1) (read 2))";
        self.stmt(
            "k, i",
            "0 <= k < n and k < i < n",
            &format!("{at} 0 0"),
            &["A[i, k]", "A[i, k]", "A[k, k]"],
            body,
        );
        let last = self.random.pick(&["k < j < n", "k < j <= i"]);
        let domain = format!("0 <= k < n and k < i < n and {last}");
        let body = "(fsub (read 1) (fmul (read 2) (read 3)))";
        let other = self.random.pick(&["A[k, j]", "A[j, k]"]);
        self.stmt(
            "k, i, j",
            &domain,
            &format!("{at} 1 0 0"),
            &["A[i, j]", "A[i, j]", "A[i, k]", other],
            body,
        );
    }

    /// Two directions in turn, as implicit solvers go.
    fn sweeps(&mut self, at: usize) {
        let body = "(fsub (read 1) (fmul (read 2) (inv v90)))";
        let domain = "0 <= t < m and 1 <= i < n and 1 <= j < n";
        let down = self.random.pick(&["A[i - 1, j]", "A[i, j - 1]"]);
        self.stmt(
            "t, i, j",
            domain,
            &format!("{at} 0 0 0"),
            &["A[i, j]", "A[i, j]", down],
            body,
        );
        let back = self
            .random
            .pick(&["B[i, n - j]", "B[i - 1, j]", "B[i, j - 1]"]);
        let from = self.random.pick(&["A[i, j]", "A[j, i]"]);
        self.stmt(
            "t, i, j",
            domain,
            &format!("{at} 1 0 0"),
            &["B[i, j]", from, back],
            body,
        );
    }

    fn transposition(&mut self, at: usize) {
        let domain = format!(
            "0 <= i < n and 0 <= j < {}",
            self.random.pick(&["n", "i", "m"])
        );
        let (to, from) = (self.pair("i", "j"), self.pair("j", "i"));
        let (to, from) = (format!("B{to}"), format!("A{from}"));
        let body = self.random.pick(&["(read 1)", "(fmul (read 1) (inv v90))"]);
        self.stmt("i, j", &domain, &format!("{at} 0 0"), &[&to, &from], body);
    }
}
