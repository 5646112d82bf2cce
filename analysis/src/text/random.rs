//! Texts of small random SCoPs, as data for property tests.

use std::fmt::Write;

/// What a random SCoP may contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// Strided domains, subscripts with `floor` and `mod`.
    pub divisions: bool,
    /// Domains of several pieces.
    pub unions: bool,
}

/// A random SCoP of up to three statements, up to three loops deep, with the parameters `n` and `m` (at least 0).
/// `choose(k)` is a number in `0..k`; all zeros give the simplest one.
pub fn scop(choose: &mut dyn FnMut(u32) -> u32, features: Features) -> String {
    let mut text = "params n m\ncontext { : n >= 0 and m >= 0 }\n".to_owned();
    text += "array A f64 [][n]\narray B f64 []\narray s f64 scalar\n";
    let mut random = Random {
        choose,
        features,
        stmts: String::new(),
        count: 0,
    };
    random.list(&mut vec![], 0);
    text + &random.stmts
}

struct Random<'a> {
    choose: &'a mut dyn FnMut(u32) -> u32,
    features: Features,
    stmts: String,
    count: usize,
}

const MAX_STMTS: usize = 3;
const MAX_DEPTH: usize = 3;
const ITERATORS: [&str; MAX_DEPTH] = ["i", "j", "k"];

impl Random<'_> {
    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        let len = u32::try_from(list.len()).expect("a short list");
        list[(self.choose)(len) as usize]
    }

    /// The children of a loop (or of the whole), at positions `beta`.
    fn list(&mut self, beta: &mut Vec<u32>, depth: usize) {
        let children = 1 + (self.choose)(2);
        for position in 0..children {
            if self.count == MAX_STMTS {
                return;
            }
            beta.push(position);
            let is_loop = depth < MAX_DEPTH && (depth == 0 || (self.choose)(3) > 0);
            if is_loop {
                self.list(beta, depth + 1)
            } else {
                self.stmt(beta, depth)
            }
            beta.pop();
        }
    }

    fn stmt(&mut self, beta: &[u32], depth: usize) {
        let name = format!("S{}[{}]", self.count, ITERATORS[..depth].join(", "));
        let mut bounds = vec![];
        for d in 0..depth {
            let outer = if d > 0 { ITERATORS[d - 1] } else { "3" };
            let upper = match (self.choose)(6) {
                0 => "n",
                1 => "m",
                2 => "n - 1",
                3 => "4",
                4 => outer,
                _ => "n - m",
            };
            bounds.push(format!("0 <= {} < {upper}", ITERATORS[d]));
        }
        if depth > 1 && (self.choose)(4) == 1 {
            bounds.push(
                self.pick(&["i + j >= 2", "j <= i + 1", "i >= j"])
                    .to_owned(),
            );
        }
        if depth > 0 && self.features.divisions && (self.choose)(4) == 1 {
            bounds.push(self.pick(&["i mod 2 = 0", "(i + n) mod 3 = 1"]).to_owned());
        }
        if depth > 0 && self.features.unions && (self.choose)(4) == 1 {
            bounds.push(
                self.pick(&["(i <= 0 or i >= 2)", "(i < m or n = 3)"])
                    .to_owned(),
            );
        }
        let condition = if bounds.is_empty() {
            String::new()
        } else {
            format!(" : {}", bounds.join(" and "))
        };
        let beta: Vec<String> = beta.iter().map(u32::to_string).collect();
        let out = &mut String::new();
        writeln!(
            out,
            "stmt S{}\n  domain {{ {name}{condition} }}\n  beta {}",
            self.count,
            beta.join(" ")
        )
        .expect("writing to a string");
        let write = self.access(depth);
        writeln!(out, "  write {{ {name} -> {write} }}").expect("writing to a string");
        for _ in 0..(self.choose)(3) {
            let read = if (self.choose)(3) == 1 {
                write.clone()
            } else {
                self.access(depth)
            };
            writeln!(out, "  read {{ {name} -> {read} }}").expect("writing to a string");
        }
        self.stmts += out;
        self.count += 1;
    }

    fn access(&mut self, depth: usize) -> String {
        match (self.choose)(4) {
            0 | 1 => format!("A[{}, {}]", self.subscript(depth), self.subscript(depth)),
            2 => format!("B[{}]", self.subscript(depth)),
            _ => "s[]".to_owned(),
        }
    }

    fn subscript(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["0", "1", "n"]).to_owned();
        }
        let iterator =
            ITERATORS[(self.choose)(u32::try_from(depth).expect("a small depth")) as usize];
        if self.features.divisions && (self.choose)(4) == 1 {
            return match (self.choose)(2) {
                0 => format!("floor({iterator}/2)"),
                _ => format!("{iterator} mod 2"),
            };
        }
        match (self.choose)(8) {
            0 => iterator.to_owned(),
            1 => format!("{iterator} + 1"),
            2 => format!("{iterator} - 1"),
            3 => format!("n - {iterator}"),
            4 => format!("{} + {iterator}", ITERATORS[depth - 1]),
            5 => format!("2{iterator}"),
            6 => "1".to_owned(),
            _ => format!("{iterator} - m"),
        }
    }
}
