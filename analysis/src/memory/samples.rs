//! Programs of Darte and Isoard's Table 1 with the tilings that it names, as data for tests.
//!
//! A statement is a line `iterators : domain : write = reads`. Accesses to scalars that never change are left out.

use super::tiling::Tiling;
use crate::poly::{Ctx, Result, UnionMap};
use crate::scop::Scop;
use crate::text::parse_scop;
use std::collections::BTreeMap;

/// A program and its schedule.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its name in the table.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static str,
    /// The statements; their order in the text is the vector behind the first bar (`beta`).
    pub stmts: &'static [(&'static str, &'static str)],
    /// Instances to points.
    pub theta: &'static str,
    /// How many positions of points are tiled.
    pub sides: usize,
}

/// A sample by its name.
pub fn sample(name: &str) -> Sample {
    let found = ALL.iter().find(|s| s.name == name);
    *found.unwrap_or_else(|| panic!("no sample {name}"))
}

/// All of them.
pub const ALL: &[Sample] = &[
    Sample {
        name: "jacobi-1d",
        params: "M N",
        stmts: &[
            (
                "0 0 0",
                "t i : 0 <= t < M and 1 <= i < N - 1 : B[i] = A[i-1] A[i] A[i+1]",
            ),
            ("0 1 0", "t i : 0 <= t < M and 1 <= i < N - 1 : A[i] = B[i]"),
        ],
        theta: "S0[t, i] -> [t, 2t + i, 0]; S1[t, i] -> [t, 2t + i + 1, 1]",
        sides: 2,
    },
    Sample {
        name: "jacobi-2d",
        params: "M N",
        stmts: &[
            (
                "0 0 0 0",
                "t i j : 0 <= t < M and 1 <= i < N - 1 and 1 <= j < N - 1 : B[i,j] = A[i,j] A[i,j-1] A[i,j+1] A[i+1,j] A[i-1,j]",
            ),
            (
                "0 1 0 0",
                "t i j : 0 <= t < M and 1 <= i < N - 1 and 1 <= j < N - 1 : A[i,j] = B[i,j]",
            ),
        ],
        theta: "S0[t, i, j] -> [t, 2t + i, 2t + i + j, 0]; S1[t, i, j] -> [t, 2t + i + 1, 2t + i + j + 1, 1]",
        sides: 3,
    },
    Sample {
        name: "seidel-2d",
        params: "M N",
        stmts: &[(
            "0 0 0 0",
            "t i j : 0 <= t < M and 1 <= i < N - 1 and 1 <= j < N - 1 : A[i,j] = A[i-1,j-1] A[i-1,j] A[i-1,j+1] A[i,j-1] A[i,j] A[i,j+1] A[i+1,j-1] A[i+1,j] A[i+1,j+1]",
        )],
        theta: "S0[t, i, j] -> [t, t + i, 2t + i + j]",
        sides: 3,
    },
    Sample {
        name: "fdtd-2d",
        params: "M nx ny",
        stmts: &[
            (
                "0 0 0",
                "t j : 0 <= t < M and 0 <= j < ny : ey[0,j] = fict[t]",
            ),
            (
                "0 1 0 0",
                "t i j : 0 <= t < M and 1 <= i < nx and 0 <= j < ny : ey[i,j] = ey[i,j] hz[i,j] hz[i-1,j]",
            ),
            (
                "0 2 0 0",
                "t i j : 0 <= t < M and 0 <= i < nx and 1 <= j < ny : ex[i,j] = ex[i,j] hz[i,j] hz[i,j-1]",
            ),
            (
                "0 3 0 0",
                "t i j : 0 <= t < M and 0 <= i < nx - 1 and 0 <= j < ny - 1 : hz[i,j] = hz[i,j] ex[i,j+1] ex[i,j] ey[i+1,j] ey[i,j]",
            ),
        ],
        theta: "S0[t, j] -> [t, t, t + j, 0]; S1[t, i, j] -> [t, t + i, t + i + j, 1]; S2[t, i, j] -> [t, t + i, t + i + j, 3]; S3[t, i, j] -> [t, t + i + 1, t + i + j + 1, 2]",
        sides: 3,
    },
    Sample {
        name: "floyd-warshall",
        params: "k n",
        stmts: &[(
            "0 0 0",
            "i j : 0 <= k < n and 0 <= i < n and 0 <= j < n : path[i,j] = path[i,j] path[i,k] path[k,j]",
        )],
        theta: "S0[i, j] -> [i, j]",
        sides: 2,
    },
    Sample {
        name: "lu",
        params: "n",
        stmts: &[
            (
                "0 0 0",
                "k j : 0 <= k < n and k < j < n : A[k,j] = A[k,j] A[k,k]",
            ),
            (
                "0 1 0 0",
                "k i j : 0 <= k < n and k < i < n and k < j < n : A[i,j] = A[i,j] A[i,k] A[k,j]",
            ),
        ],
        theta: "S0[k, j] -> [k, k, j, 1]; S1[k, i, j] -> [k, i, j, 0]",
        sides: 3,
    },
    Sample {
        name: "atax",
        params: "nx ny",
        stmts: &[
            ("0 0", "i : 0 <= i < ny : y[i] ="),
            ("1 0", "i : 0 <= i < nx : tmp[i] ="),
            (
                "1 1 0",
                "i j : 0 <= i < nx and 0 <= j < ny : tmp[i] = tmp[i] A[i,j] x[j]",
            ),
            (
                "1 2 0",
                "i j : 0 <= i < nx and 0 <= j < ny : y[j] = y[j] A[i,j] tmp[i]",
            ),
        ],
        theta: "S0[i] -> [0, i, 2]; S1[i] -> [i, 0, 0]; S2[i, j] -> [i, j, 1]; S3[i, j] -> [i, ny + j, 3]",
        sides: 2,
    },
    Sample {
        name: "doitgen",
        params: "nr nq np",
        stmts: &[
            (
                "0 0 0 0",
                "r q p : 0 <= r < nr and 0 <= q < nq and 0 <= p < np : sum[r,q,p] =",
            ),
            (
                "0 0 0 1 0",
                "r q p s : 0 <= r < nr and 0 <= q < nq and 0 <= p < np and 0 <= s < np : sum[r,q,p] = sum[r,q,p] A[r,q,s] C4[s,p]",
            ),
            (
                "0 0 1 0",
                "r q p : 0 <= r < nr and 0 <= q < nq and 0 <= p < np : A[r,q,p] = sum[r,q,p]",
            ),
        ],
        theta: "S0[r, q, p] -> [r, q, p, 0, 0]; S1[r, q, p, s] -> [r, q, p + s, s, 1]; S2[r, q, p] -> [r, q, p + np, np, 2]",
        sides: 4,
    },
    Sample {
        name: "gemm",
        params: "ni nj nk",
        stmts: &[
            (
                "0 0 0",
                "i j : 0 <= i < ni and 0 <= j < nj : C[i,j] = C[i,j]",
            ),
            (
                "0 0 1 0",
                "i j k : 0 <= i < ni and 0 <= j < nj and 0 <= k < nk : C[i,j] = C[i,j] A[i,k] B[k,j]",
            ),
        ],
        theta: "S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1]",
        sides: 3,
    },
    Sample {
        name: "mvt-1",
        params: "n",
        stmts: &[(
            "0 0 0",
            "i j : 0 <= i < n and 0 <= j < n : x[i] = x[i] A[i,j] y[j]",
        )],
        theta: "S0[i, j] -> [i, j]",
        sides: 2,
    },
    Sample {
        name: "mvt-2",
        params: "n",
        stmts: &[(
            "0 0 0",
            "i j : 0 <= i < n and 0 <= j < n : x[i] = x[i] A[j,i] y[j]",
        )],
        theta: "S0[i, j] -> [i, j]",
        sides: 2,
    },
    Sample {
        name: "syr2k",
        params: "ni nk",
        stmts: &[
            (
                "0 0 0",
                "i j : 0 <= i < ni and 0 <= j < ni : C[i,j] = C[i,j]",
            ),
            (
                "1 0 0 0",
                "i j k : 0 <= i < ni and 0 <= j < ni and 0 <= k < nk : C[i,j] = C[i,j] A[i,k] B[j,k]",
            ),
            (
                "1 0 0 1",
                "i j k : 0 <= i < ni and 0 <= j < ni and 0 <= k < nk : C[i,j] = C[i,j] B[i,k] A[j,k]",
            ),
        ],
        theta: "S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1]; S2[i, j, k] -> [i, j, k, 2]",
        sides: 3,
    },
    Sample {
        name: "syrk",
        params: "ni nk",
        stmts: &[
            (
                "0 0 0",
                "i j : 0 <= i < ni and 0 <= j < ni : C[i,j] = C[i,j]",
            ),
            (
                "1 0 0 0",
                "i j k : 0 <= i < ni and 0 <= j < ni and 0 <= k < nk : C[i,j] = C[i,j] A[i,k] A[j,k]",
            ),
        ],
        theta: "S0[i, j] -> [i, j, 0, 0]; S1[i, j, k] -> [i, j, k, 1]",
        sides: 3,
    },
    Sample {
        name: "trisolv",
        params: "n",
        stmts: &[
            ("0 0", "i : 0 <= i < n : x[i] = c[i]"),
            (
                "0 1 0",
                "i j : 0 <= i < n and 0 <= j < i : x[i] = x[i] A[i,j] x[j]",
            ),
            ("0 2", "i : 0 <= i < n : x[i] = x[i] A[i,i]"),
        ],
        theta: "S0[i] -> [0, i, 0]; S1[i, j] -> [j, i, 1]; S2[i] -> [i, i, 2]",
        sides: 2,
    },
    Sample {
        name: "trmm",
        params: "k ni",
        stmts: &[(
            "0 0 0",
            "j l : 0 <= k < ni and 0 <= j < ni and 0 <= l < k : B[k,j] = B[k,j] A[k,l] B[j,l]",
        )],
        theta: "S0[j, l] -> [j + l, j]",
        sides: 2,
    },
];

impl Sample {
    /// The program.
    ///
    /// # Panics
    /// If its text is wrong.
    pub fn scop(&self, ctx: &Ctx) -> Scop {
        let mut arrays = BTreeMap::new();
        let stmts = self.stmts.iter().enumerate();
        let stmts: String = stmts.map(|(n, s)| stmt(n, s, &mut arrays)).collect();
        let array = |(name, dims): (&&str, &usize)| match dims {
            0 => format!("array {name} f64 []\n"),
            dims => format!("array {name} f64 {}\n", "[1000]".repeat(*dims)),
        };
        let arrays: String = arrays.iter().map(array).collect();
        let text = format!("params {}\n{arrays}{stmts}", self.params);
        parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
    }

    /// Its schedule.
    pub fn schedule(&self, scop: &Scop) -> Result<UnionMap> {
        let params = self.params.replace(' ', ", ");
        let text = format!("[{params}] -> {{ {} }}", self.theta);
        UnionMap::parse(scop.context.ctx(), &text)?.intersect_domain(&scop.domain()?)
    }

    /// Its tiling, with parameters `s1`, `s2`, .. as sizes.
    pub fn tiling(&self, scop: &Scop) -> Result<Tiling> {
        Tiling::of_first(&self.schedule(scop)?, self.sides)
    }
}

fn stmt<'t>(
    n: usize,
    (beta, text): &(&str, &'t str),
    arrays: &mut BTreeMap<&'t str, usize>,
) -> String {
    let mut parts = text.split(" : ");
    let mut part = || parts.next().expect("iterators, domain and assignment");
    let (iters, domain, assignment) = (part(), part(), part());
    let tuple = format!("S{n}[{}]", iters.replace(' ', ", "));
    let (write, reads) = assignment.split_once('=').expect("an assignment");
    let mut text = format!("stmt S{n}\n  domain {{ {tuple} : {domain} }}\n  beta {beta}\n");
    let write = ("write", write.trim());
    for (kind, access) in [write]
        .into_iter()
        .chain(reads.split_whitespace().map(|r| ("read", r)))
    {
        let (name, subscripts) = access.split_once('[').expect("an access");
        let dims = match subscripts {
            "]" => 0,
            list => list.split(',').count(),
        };
        arrays.insert(name, dims);
        text += &format!("  {kind} {{ {tuple} -> {access} }}\n");
    }
    text
}
