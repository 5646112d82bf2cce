//! The programs of the acceptance list, as SCoPs. Parameters have no bounds, so that empty loops count (but for one program whose text names `x[n]` apart from `x[0]`).

use polytile_analysis::poly::Ctx;
use polytile_analysis::scop::Scop;
use polytile_analysis::text::parse_scop;
use std::collections::BTreeMap;

/// A program: parameters, and a line per statement `iterators | bounds | beta | write = reads`. A bound `i<n` means `0 <= i < n`; `+=` reads what it writes.
pub type Text = (&'static str, &'static [&'static str]);

pub const THREE_MAT_MAT: Text = (
    "n",
    &[
        "i j k | i<n j<n k<n | 0 0 0 0 | C[i,j] += A[i,k] B[k,j]",
        "i j k | i<n j<n k<n | 1 0 0 0 | F[i,j] += D[i,k] E[k,j]",
        "i j k | i<n j<n k<n | 2 0 0 0 | G[i,j] += C[i,k] F[k,j]",
    ],
);
pub const GEMVER: Text = (
    "n",
    &[
        "i j | i<n j<n | 0 0 0 | A[i,j] += u[i] v[j] r[i] s[j]",
        "i j | i<n j<n | 1 0 0 | x[i] += A[j,i] y[j]",
        "i | i<n | 2 0 | x[i] += z[i]",
        "i j | i<n j<n | 3 0 0 | w[i] += A[i,j] x[j]",
    ],
);
pub const BICG: Text = (
    "n m",
    &[
        "i | i<m | 0 0 | s[i] =",
        "i | i<n | 1 0 | q[i] =",
        "i j | i<n j<m | 1 1 0 | s[j] += r[i] A[i,j]",
        "i j | i<n j<m | 1 1 1 | q[i] += A[i,j] p[j]",
    ],
);
/// The same with the independent parts in the other order.
pub const BICG_TURNED: Text = (
    "n m",
    &[
        "i | i<n | 0 0 | q[i] =",
        "i | i<m | 1 0 | s[i] =",
        "i j | i<n j<m | 2 0 0 | q[i] += A[i,j] p[j]",
        "i j | i<n j<m | 3 0 0 | s[j] += r[i] A[i,j]",
    ],
);
pub const ADVECT3D: Text = (
    "nx ny nz",
    &[
        "j i k | 4<=j<ny+8 4<=i<nx+7 4<=k<nz+7 | 0 0 0 0 | b[j,i,k] = a[j-1,i,k] a[j,i,k] a[j-2,i,k] a[j+1,i,k] a[j-3,i,k] a[j+2,i,k] u[j,i,k]",
        "j i k | 4<=j<ny+7 4<=i<nx+8 4<=k<nz+7 | 1 0 0 0 | l[j,i,k] = a[j,i-1,k] a[j,i,k] a[j,i-2,k] a[j,i+1,k] a[j,i-3,k] a[j,i+2,k] v[j,i,k]",
        "j i k | 4<=j<ny+7 4<=i<nx+7 4<=k<nz+8 | 2 0 0 0 | f[j,i,k] = a[j,i,k-1] a[j,i,k] a[j,i,k-2] a[j,i,k+1] a[j,i,k-3] a[j,i,k+2] w[j,i,k]",
        "j i k | 4<=j<ny+7 4<=i<nx+7 4<=k<nz+7 | 3 0 0 0 | t[j,i,k] = a[j,i,k] l[j,i+1,k] l[j,i,k] b[j+1,i,k] b[j,i,k] f[j,i,k+1] f[j,i,k]",
    ],
);
pub const DOITGEN_3D: Text = (
    "nr nq np",
    &[
        "r q p | r<nr q<nq p<np | 0 0 0 0 | sum[r,q,p] =",
        "r q p s | r<nr q<nq p<np s<np | 0 0 0 1 0 | sum[r,q,p] += A[r,q,s] C[s,p]",
        "r q p | r<nr q<nq p<np | 0 0 1 0 | A[r,q,p] = sum[r,q,p]",
    ],
);
pub const DOITGEN: Text = (
    "nr nq np",
    &[
        "r q p | r<nr q<nq p<np | 0 0 0 0 | sum[p] =",
        "r q p s | r<nr q<nq p<np s<np | 0 0 0 1 0 | sum[p] += A[r,q,s] C[s,p]",
        "r q p | r<nr q<nq p<np | 0 0 1 0 | A[r,q,p] = sum[p]",
    ],
);
pub const ATAX: Text = (
    "m n",
    &[
        "i | i<n | 0 0 | y[i] =",
        "i | i<m | 1 0 | t[i] =",
        "i j | i<m j<n | 1 1 0 | t[i] += A[i,j] x[j]",
        "i j | i<m j<n | 1 2 0 | y[j] += A[i,j] t[i]",
    ],
);
pub const TWO_MM: Text = (
    "ni nj nk nl",
    &[
        "i j | i<ni j<nj | 0 0 0 | t[i,j] =",
        "i j k | i<ni j<nj k<nk | 0 0 1 0 | t[i,j] += A[i,k] B[k,j]",
        "i j | i<ni j<nl | 1 0 0 | D[i,j] +=",
        "i j k | i<ni j<nl k<nj | 1 0 1 0 | D[i,j] += t[i,k] C[k,j]",
    ],
);
pub const THREE_MM: Text = (
    "n",
    &[
        "i j | i<n j<n | 0 0 0 | E[i,j] =",
        "i j k | i<n j<n k<n | 0 0 1 0 | E[i,j] += A[i,k] B[k,j]",
        "i j | i<n j<n | 1 0 0 | F[i,j] =",
        "i j k | i<n j<n k<n | 1 0 1 0 | F[i,j] += C[i,k] D[k,j]",
        "i j | i<n j<n | 2 0 0 | G[i,j] =",
        "i j k | i<n j<n k<n | 2 0 1 0 | G[i,j] += E[i,k] F[k,j]",
    ],
);
pub const MVT: Text = (
    "n",
    &[
        "i j | i<n j<n | 0 0 0 | x[i] += A[i,j] y[j]",
        "i j | i<n j<n | 1 0 0 | w[i] += A[j,i] z[j]",
    ],
);
/// Covariance as it was: the sums are not divided.
pub const COVARIANCE: Text = (
    "m n",
    &[
        "j | j<m | 0 0 | mean[j] =",
        "j i | j<m i<n | 0 1 0 | mean[j] += data[i,j]",
        "j | j<m | 0 2 | mean[j] +=",
        "i j | i<n j<m | 1 0 0 | data[i,j] += mean[j]",
        "j k | j<m j<=k<m | 2 0 0 | cov[j,k] =",
        "j k i | j<m j<=k<m i<n | 2 0 1 0 | cov[j,k] += data[i,j] data[i,k]",
        "j k | j<m j<=k<m | 2 0 2 | cov[k,j] = cov[j,k]",
    ],
);
/// Means, and the columns' correlations without anything between: five loops, six statements, twelve references.
pub const CORRELATION_6: Text = (
    "m n",
    &[
        "j | j<m | 0 0 | mean[j] =",
        "j i | j<m i<n | 0 1 0 | mean[j] += data[i,j]",
        "j | j<m-1 | 1 0 | corr[j,j] =",
        "j k | j<m-1 j<k<m | 1 1 0 | corr[j,k] =",
        "j k i | j<m-1 j<k<m i<n | 1 1 1 0 | corr[j,k] += data[i,j] data[i,k]",
        "j k | j<m-1 j<k<m | 1 1 2 | corr[k,j] = corr[j,k]",
    ],
);
pub const CORRELATION: Text = (
    "m n",
    &[
        "j | j<m | 0 0 | mean[j] =",
        "j i | j<m i<n | 0 1 0 | mean[j] += data[i,j]",
        "j | j<m | 0 2 | mean[j] +=",
        "j | j<m | 1 0 | dev[j] =",
        "j i | j<m i<n | 1 1 0 | dev[j] += data[i,j] mean[j]",
        "j | j<m | 1 2 | dev[j] +=",
        "j | j<m | 1 3 | dev[j] +=",
        "j | j<m | 1 4 | dev[j] +=",
        "i j | i<n j<m | 2 0 0 | data[i,j] += mean[j]",
        "i j | i<n j<m | 2 0 1 | data[i,j] += dev[j]",
        "i | i<m-1 | 3 0 | corr[i,i] =",
        "i j | i<m-1 i<j<m | 3 1 0 | corr[i,j] =",
        "i j k | i<m-1 i<j<m k<n | 3 1 1 0 | corr[i,j] += data[k,i] data[k,j]",
        "i j | i<m-1 i<j<m | 3 1 2 | corr[j,i] = corr[i,j]",
        " | | 4 | corr[m-1,m-1] =",
    ],
);
pub const VECTOR_CHAIN: Text = (
    "n",
    &[
        "i j | i<n j<n | 0 0 0 | x[i] += A[i,j] b[j]",
        "i j | i<n j<n | 1 0 0 | y[i] += B[i,j] x[j]",
        "i j | i<n j<n | 2 0 0 | z[i] += C[i,j] y[j]",
    ],
);
pub const JACOBI_2D: Text = (
    "T n",
    &[
        "t i j | t<T 1<=i<n-1 1<=j<n-1 | 0 0 0 0 | B[i,j] = A[i,j] A[i,j-1] A[i,j+1] A[i+1,j] A[i-1,j]",
        "t i j | t<T 1<=i<n-1 1<=j<n-1 | 0 1 0 0 | A[i,j] = B[i,j] B[i,j-1] B[i,j+1] B[i+1,j] B[i-1,j]",
    ],
);
/// The factorization and its two solves of PolyBench up to version 3, with one scalar for all sums.
pub const LUDCMP_OLD: Text = (
    "n\ncontext { : n >= 1 }",
    &[
        "i j | i<n i<j<=n | 0 0 0 | w[] = A[j,i]",
        "i j k | i<n i<j<=n k<i | 0 0 1 0 | w[] += A[j,k] A[k,i]",
        "i j | i<n i<j<=n | 0 0 2 | A[j,i] = w[] A[i,i]",
        "i j | i<n i<j<=n | 0 1 0 | w[] = A[i+1,j]",
        "i j k | i<n i<j<=n k<=i | 0 1 1 0 | w[] += A[i+1,k] A[k,j]",
        "i j | i<n i<j<=n | 0 1 2 | A[i+1,j] = w[]",
        " | | 1 | y[0] = b[0]",
        "i | 1<=i<=n | 2 0 | w[] = b[i]",
        "i j | 1<=i<=n j<i | 2 1 0 | w[] += A[i,j] y[j]",
        "i | 1<=i<=n | 2 2 | y[i] = w[]",
        " | | 3 | x[n] = y[n] A[n,n]",
        "i | i<n | 4 0 | w[] = y[n-1-i]",
        "i j | i<n n-i<=j<=n | 4 1 0 | w[] += A[n-1-i,j] x[j]",
        "i | i<n | 4 2 | x[n-1-i] = w[] A[n-1-i,n-1-i]",
    ],
);
/// The same as if each sum had a cell of its own.
pub const LUDCMP_EXPANDED: Text = (
    "n\ncontext { : n >= 1 }",
    &[
        "i j | i<n i<j<=n | 0 0 0 | c[i,j] = A[j,i]",
        "i j k | i<n i<j<=n k<i | 0 0 1 0 | d[i,j,k] = A[j,k] A[k,i]",
        "i j | i<n i<j<=n | 0 0 2 | A[j,i] = A[i,i]",
        "i j | i<n i<j<=n | 0 1 0 | e[i,j] = A[i+1,j]",
        "i j k | i<n i<j<=n k<=i | 0 1 1 0 | f[i,j,k] = A[i+1,k] A[k,j]",
        "i j | i<n i<j<=n | 0 1 2 | A[i+1,j] =",
        " | | 1 | y[0] = b[0]",
        "i | 1<=i<=n | 2 0 | g[i] = b[i]",
        "i j | 1<=i<=n j<i | 2 1 0 | h[i,j] = A[i,j] y[j]",
        "i | 1<=i<=n | 2 2 | y[i] =",
        " | | 3 | x[n] = y[n] A[n,n]",
        "i | i<n | 4 0 | l[i] = y[n-1-i]",
        "i j | i<n n-i<=j<=n | 4 1 0 | m[i,j] = A[n-1-i,j] x[j]",
        "i | i<n | 4 2 | x[n-1-i] = A[n-1-i,n-1-i]",
    ],
);
/// The same in PolyBench 4.2.1.
pub const LUDCMP: Text = (
    "n",
    &[
        "i j | i<n j<i | 0 0 0 | w[] = A[i,j]",
        "i j k | i<n j<i k<j | 0 0 1 0 | w[] += A[i,k] A[k,j]",
        "i j | i<n j<i | 0 0 2 | A[i,j] = w[] A[j,j]",
        "i j | i<n i<=j<n | 0 1 0 | w[] = A[i,j]",
        "i j k | i<n i<=j<n k<i | 0 1 1 0 | w[] += A[i,k] A[k,j]",
        "i j | i<n i<=j<n | 0 1 2 | A[i,j] = w[]",
        "i | i<n | 1 0 | w[] = b[i]",
        "i j | i<n j<i | 1 1 0 | w[] += A[i,j] y[j]",
        "i | i<n | 1 2 | y[i] = w[]",
        "i | i<n | 2 0 | w[] = y[n-1-i]",
        "i j | i<n n-i<=j<n | 2 1 0 | w[] += A[n-1-i,j] x[j]",
        "i | i<n | 2 2 | x[n-1-i] = w[] A[n-1-i,n-1-i]",
    ],
);
/// A cell that a loop sums up into.
pub const NO_LOOP: Text = (
    "n",
    &[
        " | | 0 | y[0] = b[0]",
        "i | i<n | 1 0 | y[i] += c[i]",
        "i | i<n | 2 0 | z[i] = y[i]",
    ],
);
pub const MATMUL: Text = (
    "n",
    &["i j k | i<n j<n k<n | 0 0 0 0 | C[i,j] += A[i,k] B[k,j]"],
);
pub const GAUSS_SEIDEL: Text = (
    "T n",
    &["t i | t<T 1<=i<n-1 | 0 0 0 | A[i] = A[i-1] A[i] A[i+1]"],
);
pub const NEIGHBOURS: Text = (
    "n",
    &[
        "i | i<n | 0 0 | B[i] = A[i]",
        "i | 1<=i<n | 1 0 | C[i] = B[i] B[i-1]",
    ],
);
pub const JACOBI_1D: Text = (
    "T n",
    &[
        "t i | t<T 1<=i<n-1 | 0 0 0 | B[i] = A[i-1] A[i] A[i+1]",
        "t i | t<T 1<=i<n-1 | 0 1 0 | A[i] = B[i]",
    ],
);

/// The SCoP of a program.
pub fn scop(ctx: &Ctx, (params, lines): Text) -> Scop {
    let mut arrays: BTreeMap<&str, usize> = BTreeMap::new();
    let stmts: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| stmt(n, line, &mut arrays))
        .collect();
    let mut text = format!("params {params}\n");
    for (name, dims) in arrays {
        let extents = match dims {
            0 => "[]".to_owned(),
            dims => "[1000]".repeat(dims),
        };
        text += &format!("array {name} f64 {extents}\n");
    }
    text += &stmts.concat();
    parse_scop(ctx, &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn stmt<'t>(n: usize, line: &'t str, arrays: &mut BTreeMap<&'t str, usize>) -> String {
    let [iters, bounds, beta, assignment] = parts(line);
    let iters: Vec<&str> = iters.split_whitespace().collect();
    let tuple = format!("S{n}[{}]", iters.join(","));
    let bound = |b: &str| match iters.iter().any(|i| b.starts_with(&format!("{i}<"))) {
        // `i<j<m` bounds `j`.
        true if b.matches('<').count() == 1 => format!("0 <= {b}"),
        _ => b.to_owned(),
    };
    let bounds: Vec<String> = bounds.split_whitespace().map(bound).collect();
    let domain = match bounds.is_empty() {
        true => format!("{{ {tuple} }}"),
        false => format!("{{ {tuple} : {} }}", bounds.join(" and ")),
    };
    let (write, reads) = assignment.split_once('=').expect("an assignment");
    let (write, sums) = match write.trim().strip_suffix('+') {
        Some(write) => (write.trim(), true),
        None => (write.trim(), false),
    };
    let own = sums.then_some(write);
    let reads: Vec<&str> = own.into_iter().chain(reads.split_whitespace()).collect();
    let mut text = format!("stmt S{n}\n  domain {domain}\n  beta {beta}\n");
    for (kind, access) in
        std::iter::once(("write", write)).chain(reads.iter().map(|r| ("read", *r)))
    {
        let (name, subscripts) = access.split_once('[').expect("an access");
        let dims = match subscripts {
            "]" => 0,
            list => list.split(',').count(),
        };
        arrays.insert(name, dims);
        text += &format!("  {kind} {{ {tuple} -> {access} }}\n");
    }
    let sum = (2..=reads.len()).fold("(read 1)".to_owned(), |s, n| {
        format!("(fadd {s} (read {n}))")
    });
    let body = match reads.len() {
        0 => "(inv v90)".to_owned(),
        1 => "(fmul (read 1) (inv v90))".to_owned(),
        _ => sum,
    };
    text + &format!("  body {body}\n")
}

fn parts(line: &str) -> [&str; 4] {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    parts
        .try_into()
        .unwrap_or_else(|_| panic!("four parts: {line}"))
}
